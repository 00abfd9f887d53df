//! The files of a run: report, picture, posteriors as CSV, the network.

mod report;

use posterior::graph::VarId;
use posterior::inference::{Beliefs, Explanation};
use posterior::math::iteration::Report;
use posterior::pgm::{BayesianNetwork, Evidence, GraphicalModel, NetworkFile, Unseen, bif};
use serde::Serialize;

use super::answer::Answer;
use super::network_input::Input;
use crate::failure::Failure;
use crate::output_folder::OutputFolder;

/// What a run found.
pub(super) enum Reported<'a> {
    Structure {
        said: &'a str,
    },
    /// Whether targets were named.
    Query {
        answer: &'a Answer,
        named: bool,
    },
    Map {
        best: &'a Best,
    },
    Learned {
        learned: &'a Learned,
        said: &'a str,
    },
}

/// Joint states, best first, of these variables.
pub(super) struct Best {
    pub(super) engine: &'static str,
    pub(super) evidence: Evidence,
    pub(super) variables: Vec<VarId>,
    pub(super) explanations: Vec<Explanation>,
    /// Posteriors one by one, and ln p(evidence): absent where they are too large to work out.
    pub(super) beliefs: Option<Beliefs>,
}

impl Best {
    /// The variables with the states that one of the explanations gives them.
    pub(super) fn assignment(&self, input: &Input, index: usize) -> Vec<(String, String)> {
        let states = &self.explanations[index].states;
        self.variables.iter().zip(states).map(|(&v, &state)| input.named(v, state)).collect()
    }

    /// ln p(states | evidence).
    pub(super) fn ln_posterior(&self, index: usize) -> Option<f64> {
        let ln_z = self.beliefs.as_ref()?.ln_z().exact()?;
        Some((self.explanations[index].ln_value - ln_z).min(0.0))
    }
}

/// What was fitted.
pub(super) struct Learned {
    pub(super) network: BayesianNetwork,
    pub(super) report: Report,
    pub(super) ln_likelihood: f64,
    pub(super) method: &'static str,
    pub(super) best_start: usize,
    pub(super) unseen: Vec<Unseen>,
}

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] = &["model.json", "network.svg", "report.html"];

/// Writes everything that a run leaves in `folder`.
pub(super) fn write(folder: &OutputFolder, input: &Input, reported: &Reported<'_>) -> Result<(), Failure> {
    match reported {
        Reported::Learned { learned, .. } => {
            let mut file = NetworkFile::new(learned.network.clone());
            file.name.clone_from(&input.file.name);
            let text =
                bif::write(&file).map_err(|error| Failure::data(format!("{}: {error}", input.source)))?;
            folder.put_text("network.bif", &text)?;
            let steps = learned.report.trace.iter().enumerate();
            let rows = steps.map(|(step, objective)| [step.to_string(), objective.to_string()]);
            folder.put_table("trace.csv", ["step", "objective"], rows)?;
            write_model(folder, &learned.network)?;
        }
        _ => write_model(folder, input.model())?,
    }
    match reported {
        Reported::Query { answer, .. } => write_marginals(folder, input, answer)?,
        Reported::Map { best } => {
            let rows = best.explanations.iter().enumerate().flat_map(|(rank, own)| {
                let states = best.assignment(input, rank).into_iter();
                states
                    .map(move |(name, state)| [(rank + 1).to_string(), own.ln_value.to_string(), name, state])
            });
            folder.put_table("assignment.csv", ["rank", "ln_probability", "variable", "state"], rows)?;
        }
        _ => {}
    }
    let (picture, page) = report::page(input, reported);
    folder.put_text("network.svg", &picture.standalone())?;
    folder.put_text("report.html", &page.html())
}

#[derive(Serialize)]
struct Variable<'a> {
    name: &'a str,
    states: &'a [String],
}

/// A factor: the last variable is the fastest, and of a Bayesian network the child.
#[derive(Serialize)]
struct Factor<'a> {
    scope: Vec<&'a str>,
    values: &'a [f64],
}

#[derive(Serialize)]
struct ModelJson<'a> {
    kind: &'static str,
    variables: Vec<Variable<'a>>,
    factors: Vec<Factor<'a>>,
}

fn write_model(folder: &OutputFolder, model: &dyn GraphicalModel) -> Result<(), Failure> {
    let all = model.variables();
    let factors = model.factors().iter().map(|table| Factor {
        scope: table.scope().iter().map(|&v| all.name(v)).collect(),
        values: table.values(),
    });
    let json = ModelJson {
        kind: if model.dag().is_some() { "bayesian_network" } else { "markov_random_field" },
        variables: all.ids().map(|v| Variable { name: all.name(v), states: all.states(v) }).collect(),
        factors: factors.collect(),
    };
    folder.put_json("model.json", &json)
}

/// A row a variable and state.
fn write_marginals(folder: &OutputFolder, input: &Input, answer: &Answer) -> Result<(), Failure> {
    let variables = input.variables();
    let shown = variables.ids().filter_map(|v| Some((v, answer.now.marginal(v)?)));
    let rows = shown.flat_map(|(v, now)| {
        let before = answer.before.as_ref().and_then(|before| before.marginal(v)).unwrap_or(now);
        let observed = if answer.evidence.state(v).is_some() { "yes" } else { "no" };
        let states = variables.states(v).iter().zip(now).zip(before);
        states.map(move |((state, p), prior)| {
            let [name, state, observed] = [variables.name(v), state, observed].map(str::to_owned);
            [name, state, observed, p.to_string(), prior.to_string()]
        })
    });
    folder.put_table("marginals.csv", ["variable", "state", "observed", "p", "prior"], rows)
}
