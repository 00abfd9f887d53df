//! A process from a table of transitions.

use std::collections::BTreeMap;

use posterior::decision::decision_process::{DecisionProcess, ProcessAction, ProcessCounts, ProcessOutcome};
use posterior::table::TableFile;

use crate::args::DecideProcess;
use crate::failure::Failure;

/// The weight of an outcome before any was seen: Jeffreys' prior.
const PRIOR: f64 = 0.5;

/// What is known of the transitions.
pub(super) enum Dynamics {
    Known(DecisionProcess),
    Counted(ProcessCounts),
}

/// A process with its names.
pub(super) struct Input {
    pub(super) source: String,
    pub(super) states: Vec<String>,
    /// Of each state.
    pub(super) actions: Vec<Vec<String>>,
    pub(super) dynamics: Dynamics,
}

/// Names in the order in which they come.
#[derive(Default)]
struct Names {
    all: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl Names {
    fn place(&mut self, name: &str) -> usize {
        *self.places.entry(name.to_owned()).or_insert_with(|| {
            self.all.push(name.to_owned());
            self.all.len() - 1
        })
    }
}

impl Input {
    /// A row for each state that may follow an action of a state.
    pub(super) fn read(args: &DecideProcess) -> Result<Self, Failure> {
        let opened = TableFile::open(&args.file, &args.table.options()?)?;
        let counted = opened.header().iter().any(|name| name == "count");
        let weight = if counted { "count" } else { "probability" };
        let wanted: Vec<String> = ["state", "action", "next", "reward", weight].map(str::to_owned).to_vec();
        if let Some(missing) = wanted.iter().find(|name| !opened.header().contains(name)) {
            let message = format!("{}: line 1: there is no column {missing}", opened.source);
            let hint = "the columns are state, action, next, reward, and probability or count";
            return Err(Failure::data(message).with_hint(hint));
        }
        if !counted && (args.prior.is_some() || args.draws.is_some()) {
            let option = if args.prior.is_some() { "prior" } else { "draws" };
            let message = format!("--{option}: it is for a table with a column count");
            return Err(Failure::Usage(message));
        }
        if counted && args.horizon.is_some() {
            let message = "--horizon: it is for a table with a column probability; counts have --discount";
            return Err(Failure::Usage(message.to_owned()));
        }
        let table = opened.read(&wanted, |rows| 200 * rows as u64)?;
        let labels = |name: &str| table.labels(name);
        let (from, by, to) = (labels("state")?, labels("action")?, labels("next")?);
        let [rewards, weights] = [&wanted[3], &wanted[4]].map(|name| table.complete_numbers(name));
        let (rewards, weights) = (rewards?, weights?);
        let sign = if args.costs { -1.0 } else { 1.0 };
        let (mut states, mut actions): (Names, Vec<Names>) = (Names::default(), Vec::new());
        // States with rows of their own come first, in their order.
        for &state in &from {
            states.place(state);
        }
        let mut outcomes: Vec<Vec<Vec<ProcessOutcome>>> = Vec::new();
        for row in 0..table.len() {
            let (state, next) = (states.place(from[row]), states.place(to[row]));
            actions.resize_with(states.all.len(), Names::default);
            outcomes.resize_with(states.all.len(), Vec::new);
            let action = actions[state].place(by[row]);
            outcomes[state].resize_with(actions[state].all.len(), Vec::new);
            if weights[row] < 0.0 {
                return Err(table.refused(row, weight, "a number of 0 or more").into());
            }
            outcomes[state][action].push(ProcessOutcome {
                next,
                reward: sign * rewards[row],
                count: weights[row],
            });
        }
        let wrong = |error| Failure::data(format!("{}: {error}", table.source));
        let dynamics = if counted {
            let prior = args.prior.unwrap_or(PRIOR);
            Dynamics::Counted(ProcessCounts::new(outcomes, prior).map_err(wrong)?)
        } else {
            let mut all = Vec::with_capacity(outcomes.len());
            for (state, outcomes) in outcomes.iter().enumerate() {
                let action = |(action, outcomes): (usize, &Vec<ProcessOutcome>)| {
                    let reward = outcomes.iter().map(|own| own.count * own.reward).sum();
                    let next = outcomes.iter().map(|own| (own.next, own.count)).collect();
                    ProcessAction::new(reward, next).map_err(|error| {
                        let (state, action) = (&states.all[state], &actions[state].all[action]);
                        let message = format!("{}: state {state}, action {action}: {error}", table.source);
                        Failure::data(message)
                            .with_hint("the probabilities of an action of a state add up to 1")
                    })
                };
                all.push(outcomes.iter().enumerate().map(action).collect::<Result<Vec<_>, Failure>>()?);
            }
            Dynamics::Known(DecisionProcess::new(all).map_err(wrong)?)
        };
        let actions = actions.into_iter().map(|own| own.all).collect();
        Ok(Self { source: table.source.clone(), states: states.all, actions, dynamics })
    }
}
