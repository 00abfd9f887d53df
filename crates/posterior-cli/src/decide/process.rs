//! `posterior decide process`.

use std::fmt::Write as _;

use posterior::decision::decision_process::{ActionBelief, DecisionProcess, FiniteHorizon, SolvedProcess};
use posterior::dist::stream::stream;
use posterior_report::{Figure, Interval, Page, PageTable, Picture, Ribbon, intervals, ribbons};
use serde::Serialize;

use super::process_input::{Dynamics, Input};
use crate::args::DecideProcess;
use crate::failure::{Failure, refused};
use crate::output::{cell, grouped, percent, significant};
use crate::pictures::Pictures;
use crate::run::{Run, read_by_posterior};
use crate::text_table;

/// More states are solved by value iteration.
const DENSE: usize = 2000;

/// The gap of value iteration, in parts of the largest value that rewards allow.
const TOLERANCE: f64 = 1e-9;

/// Draws of a process that was counted.
const DRAWS: u32 = 1000;

/// States of which a picture or a text speaks.
const SHOWN: usize = 30;

#[derive(Serialize)]
struct Output {
    method: &'static str,
    iterations: usize,
    /// No value is farther from the truth than this.
    gap: f64,
    states: Vec<StateOutput>,
    /// With 0, 1, ... steps left; none without a horizon.
    #[serde(skip_serializing_if = "Option::is_none")]
    horizon: Option<FiniteHorizon>,
}

#[derive(Serialize)]
struct StateOutput {
    state: String,
    value: f64,
    /// None where everything ends.
    action: Option<String>,
    actions: Vec<ActionOutput>,
}

#[derive(Serialize)]
struct ActionOutput {
    action: String,
    value: f64,
    /// What is not known of it, of a process that was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    belief: Option<ActionBelief>,
}

/// Runs the verb.
pub(crate) fn run(args: &DecideProcess) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let input = Input::read(args)?;
    run.claim(args.out.as_deref(), &["report.html", "actions.csv", "values.svg"])?;
    let output = run.during("solving", || solved(args, &input))?;
    run.write("report.html", |folder| {
        let header = ["state", "action", "value", "best", "sd", "probability_best"];
        folder.put_table("actions.csv", header, cells(&output))?;
        let picture = picture(&output);
        let pictures = Pictures::of([("values", Some(picture.clone()))]);
        folder.put_report(&pictures, &page(&run, args, &input, &output, picture))
    })?;
    run.print(|| &output, || text(args, &input, &output))
}

fn solved(args: &DecideProcess, input: &Input) -> Result<Output, Failure> {
    let discount = args.discount.unwrap_or(1.0);
    let (process, beliefs) = match &input.dynamics {
        Dynamics::Known(process) => (process.clone(), None),
        Dynamics::Counted(_) if input.states.len() > DENSE => {
            let message = format!("{}: {} states", input.source, grouped(input.states.len() as u64));
            return Err(Failure::data(format!(
                "{message}: at most {} where transitions are counted",
                grouped(DENSE as u64)
            ))
            .with_hint("a table with a column probability may have any number of states"));
        }
        Dynamics::Counted(counts) => {
            let mut rng = stream(args.common.seed, &[]);
            let draws = args.draws.unwrap_or(DRAWS) as usize;
            let beliefs = counts.beliefs(discount, draws, &mut rng).map_err(refused)?;
            (counts.mean().map_err(refused)?, Some(beliefs))
        }
    };
    let (method, best, horizon) = match args.horizon {
        Some(steps) => {
            let plan = process.finite_horizon(steps as usize, discount, &vec![0.0; process.states()])?;
            ("backward induction", by_horizon(&process, &plan, discount), Some(plan))
        }
        None if process.states() <= DENSE => {
            ("policy iteration", process.policy_iteration(discount).map_err(refused)?, None)
        }
        None => {
            let rewards = (0..process.states()).flat_map(|state| process.actions(state));
            let largest = rewards.map(|own| own.reward().abs()).fold(f64::MIN_POSITIVE, f64::max);
            let tolerance = TOLERANCE * largest / (1.0 - discount);
            ("value iteration", process.value_iteration(discount, tolerance).map_err(refused)?, None)
        }
    };
    let sign = if args.costs { -1.0 } else { 1.0 };
    let belief = |state: usize, action: usize| {
        let mut own = beliefs.as_ref().map(|all| all[state][action])?;
        own.mean *= sign;
        Some(own)
    };
    let state = |state: usize| StateOutput {
        state: input.states[state].clone(),
        value: sign * best.values[state],
        action: best.policy[state].map(|own| input.actions[state][own].clone()),
        actions: best.action_values[state]
            .iter()
            .enumerate()
            .map(|(action, &value)| ActionOutput {
                action: input.actions[state][action].clone(),
                value: sign * value,
                belief: belief(state, action),
            })
            .collect(),
    };
    let turned = horizon.map(|mut own| {
        own.values.iter_mut().flatten().for_each(|value| *value *= sign);
        own
    });
    let states = (0..process.states()).map(state).collect();
    Ok(Output { method, iterations: best.iterations, gap: best.gap, states, horizon: turned })
}

/// The first step of a plan.
fn by_horizon(process: &DecisionProcess, plan: &FiniteHorizon, discount: f64) -> SolvedProcess {
    let steps = plan.policy.len();
    let action_values = process.action_values(&plan.values[steps - 1], discount);
    SolvedProcess {
        values: plan.values[steps].clone(),
        policy: plan.policy[steps - 1].clone(),
        action_values,
        gap: 0.0,
        iterations: steps,
    }
}

fn cells(output: &Output) -> Vec<Vec<String>> {
    let rows = output.states.iter().flat_map(|state| {
        state.actions.iter().map(move |own| {
            let best = state.action.as_ref() == Some(&own.action);
            let belief = |of: fn(&ActionBelief) -> f64| {
                own.belief.as_ref().map_or_else(String::new, |own| cell(of(own)))
            };
            vec![
                state.state.clone(),
                own.action.clone(),
                cell(own.value),
                u8::from(best).to_string(),
                belief(|own| own.sd),
                belief(|own| own.best),
            ]
        })
    });
    rows.collect()
}

/// What to do in each state, and what it brings.
const HEADER: [&str; 5] = ["state", "value", "best action", "next best", "worse by"];

fn rows(output: &Output) -> Vec<Vec<String>> {
    let row = |own: &StateOutput| {
        let others = own.actions.iter().filter(|other| Some(&other.action) != own.action.as_ref());
        let next = others.min_by(|a, b| (own.value - a.value).abs().total_cmp(&(own.value - b.value).abs()));
        let mut row = vec![own.state.clone(), significant(own.value)];
        row.push(own.action.clone().unwrap_or_else(|| "(the end)".to_owned()));
        row.push(next.map_or_else(String::new, |own| own.action.clone()));
        row.push(next.map_or_else(String::new, |next| significant((own.value - next.value).abs())));
        if output.states.iter().flat_map(|own| &own.actions).any(|own| own.belief.is_some()) {
            let best = own.actions.iter().find(|other| Some(&other.action) == own.action.as_ref());
            let belief = best.and_then(|own| own.belief);
            row.push(belief.map_or_else(String::new, |own| significant(own.sd)));
            row.push(belief.map_or_else(String::new, |own| percent(own.best)));
        }
        row
    };
    output.states.iter().map(row).collect()
}

fn header(input: &Input) -> Vec<&'static str> {
    let counted: &[&str] =
        if matches!(input.dynamics, Dynamics::Counted(_)) { &["sd", "P(best)"] } else { &[] };
    HEADER.iter().chain(counted).copied().collect()
}

/// What the numbers are.
fn meaning(args: &DecideProcess, output: &Output) -> String {
    let what = if args.costs { "costs" } else { "rewards" };
    let sum = match (args.horizon, args.discount) {
        (Some(steps), None) => format!("the sum of {what} in {steps} steps"),
        (Some(steps), Some(discount)) => {
            format!("the sum of {what} in {steps} steps, discounted by {discount} a step")
        }
        (None, Some(discount)) if discount < 1.0 => {
            format!("the sum of {what}, discounted by {discount} a step")
        }
        _ => format!("the sum of {what} to the end"),
    };
    if output.gap > 0.0 { format!("{sum}, to {}", significant(output.gap)) } else { sum }
}

fn picture(output: &Output) -> Picture {
    if let Some(plan) = &output.horizon {
        let line = |(place, own): (usize, &StateOutput)| {
            Ribbon::line(
                &own.state,
                plan.values.iter().enumerate().map(|(step, all)| (step as f64, all[place])),
            )
        };
        let lines: Vec<Ribbon> = output.states.iter().enumerate().take(SHOWN).map(line).collect();
        return ribbons(("steps left", "value"), &lines, &[], None);
    }
    let row = |own: &StateOutput| {
        let all = || own.actions.iter().map(|own| own.value).chain([own.value]);
        Interval {
            name: own.state.clone(),
            low: all().fold(f64::INFINITY, f64::min),
            middle: own.value,
            high: all().fold(f64::NEG_INFINITY, f64::max),
        }
    };
    intervals("value", &output.states.iter().take(SHOWN).map(row).collect::<Vec<_>>())
}

fn page(run: &Run<'_>, args: &DecideProcess, input: &Input, output: &Output, picture: Picture) -> Page {
    let first = &output.states[0];
    let title = format!("{} is worth {}", first.state, significant(first.value));
    let mut page = Page::new("Markov decision process", title);
    page.standfirst.push(format!("Values are {}, if every action is best.", meaning(args, output)));
    let mut caption = match output.horizon {
        Some(_) => "The value of each state by the number of steps that are left.".to_owned(),
        None => "The value of each state, and the range of what its actions are worth.".to_owned(),
    };
    if output.states.len() > SHOWN {
        // Writing to a string cannot fail.
        let _ = write!(caption, " The first {SHOWN} of {} states.", grouped(output.states.len() as u64));
    }
    page.lead = Some(Figure::new(picture, caption));
    page.fact("States", grouped(output.states.len() as u64));
    page.fact("Actions", grouped(output.states.iter().map(|own| own.actions.len() as u64).sum()));
    let text = "The best action of each state, and by how much the next best is worse.";
    page.section("What to do", text, PageTable::new(header(input), rows(output)));
    if matches!(input.dynamics, Dynamics::Counted(_)) {
        page.standfirst.push(COUNTED.to_owned());
    }
    run.sign(&mut page, read_by_posterior(&input.source), &[("method", &output.method)]);
    page
}

/// What is said of a process that was counted.
const COUNTED: &str = "Values and best actions are those of the mean probabilities, which somebody has who learns nothing more; standard deviation and P(best) say \
                       what the counts leave open of the action.";

fn text(args: &DecideProcess, input: &Input, output: &Output) -> String {
    let states = grouped(output.states.len() as u64);
    let mut text = format!("{}: {states} states, {}\n\n", input.source, output.method);
    let mut all = rows(output);
    all.truncate(SHOWN);
    text += &text_table::aligned(&header(input), all);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\nvalue: {}, if every action is best", meaning(args, output));
    if output.states.len() > SHOWN {
        let _ = writeln!(text, "the first {SHOWN} of {states} states; --out writes all of them");
    }
    if matches!(input.dynamics, Dynamics::Counted(_)) {
        let _ = writeln!(text, "{COUNTED}");
    }
    text
}
