//! `posterior net map`: the most probable states of all variables together, or of some.

use std::fmt::Write as _;

use posterior::inference::{
    Auto, Budget, Engine as _, Error, Explanation, JunctionTree, MapEngine as _, Targets, VariableElimination,
};
use posterior::pgm::GraphicalModel as _;
use serde::Serialize;

use super::answer::{failed, finding};
use super::artefacts::{self, Best, Reported};
use super::engine::AnyEngine;
use super::finding_input;
use super::network_input::Input;
use crate::args::NetMap;
use crate::failure::Failure;
use crate::json::{Number, Pairs};
use crate::output::{grouped, percent, significant};
use crate::run::Run;

/// Variables shown on a terminal.
const VARIABLES: usize = 20;

#[derive(Serialize)]
struct Output {
    engine: &'static str,
    optimal: bool,
    assignment: Pairs<String>,
    ln_probability: Number,
    /// ln p(assignment | evidence).
    #[serde(skip_serializing_if = "Option::is_none")]
    ln_posterior: Option<Number>,
    evidence: Pairs<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alternatives: Vec<Alternative>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct Alternative {
    assignment: Pairs<String>,
    ln_probability: Number,
}

/// Finds the most probable states.
pub(super) fn run(args: &NetMap) -> Result<(), Failure> {
    let mut run = Run::start(&args.input.common)?;
    run.claim(args.out.as_deref(), artefacts::NAMES)?;
    let input = Input::read(&args.input.file)?;
    run.notes(&input.warnings());
    let best = best(&input, args)?;
    run.write("report.html", |folder| artefacts::write(folder, &input, &Reported::Map { best: &best }))?;
    run.print(|| output(&input, &best), || text(&input, &best, args.all || !args.of.is_empty()))
}

fn best(input: &Input, args: &NetMap) -> Result<Best, Failure> {
    let engine = AnyEngine::new(crate::args::Engine::Auto, args.memory, args.input.common.seed);
    let seen = finding_input::read(input, &args.findings)?;
    let evidence = seen.evidence;
    let refused = |error: Error| failed(input, &engine, &evidence, &error);
    let of = input.variables_of(&args.of)?;
    let budget = args.memory.map_or_else(Budget::available, Budget::bytes);
    let elimination = VariableElimination { budget, ..VariableElimination::default() };
    let model = input.model();
    let (name, variables, explanations) = if !of.is_empty() {
        let found = elimination.most_probable_of(model, &evidence, &of).map_err(refused)?;
        ("ve", found.variables, vec![Explanation::new(found.states, found.ln_value, true)])
    } else if args.best > 1 {
        let found = elimination.k_best(model, &evidence, args.best as usize).map_err(refused)?;
        ("ve", model.variables().ids().collect(), found)
    } else {
        let (name, found) =
            match (JunctionTree { budget, ..JunctionTree::default() }).most_probable(model, &evidence) {
                Err(error) if error.is_too_large() => {
                    ("ve", Auto { budget, ..Auto::default() }.most_probable(model, &evidence))
                }
                found => ("jt", found),
            };
        (name, model.variables().ids().collect(), vec![found.map_err(refused)?])
    };
    let beliefs = engine.query(model, &Targets::All, &evidence).ok();
    Ok(Best { engine: name, evidence, variables, explanations, beliefs })
}

fn output(input: &Input, best: &Best) -> Output {
    let rest = (1..best.explanations.len()).map(|index| Alternative {
        assignment: Pairs(best.assignment(input, index)),
        ln_probability: Number(best.explanations[index].ln_value),
    });
    let evidence = best.evidence.states().map(|(v, state)| input.named(v, state));
    Output {
        engine: best.engine,
        optimal: best.explanations[0].optimal,
        assignment: Pairs(best.assignment(input, 0)),
        ln_probability: Number(best.explanations[0].ln_value),
        ln_posterior: best.ln_posterior(0).map(Number),
        evidence: Pairs(evidence.collect()),
        alternatives: rest.collect(),
        warnings: input.warnings(),
    }
}

fn text(input: &Input, best: &Best, shows_all: bool) -> String {
    let mut text = String::new();
    if !best.evidence.is_empty() {
        let findings: Vec<String> =
            best.evidence.iter().map(|(v, _)| finding(input, &best.evidence, v)).collect();
        let _ = writeln!(text, "seen: {}\n", findings.join("\n      "));
    }
    let what = if best.variables.len() == input.variables().len() {
        "the most probable states of all variables together"
    } else {
        "the most probable states of these variables together, all others summed over"
    };
    let _ = writeln!(text, "{what}: {}", probability(best, 0));
    let rows = rows(input, best);
    let shown = if shows_all { rows.len() } else { rows.len().min(VARIABLES) };
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let states = rows.iter().map(|row| row.state.chars().count()).max().unwrap_or(0);
    for row in &rows[..shown] {
        let line = format!("  {:<width$}  {:<states$}  {}", row.name, row.state, row.remark);
        let _ = writeln!(text, "{}", line.trim_end());
    }
    if shown < rows.len() {
        let left = grouped((rows.len() - shown) as u64);
        let _ = writeln!(text, "  ... and {left} more variables in their own best state (--all shows them)");
    }
    for index in 1..best.explanations.len() {
        let _ = writeln!(text, "\nno. {}: {}; other than the first in", index + 1, probability(best, index));
        let (first, this) = (best.assignment(input, 0), best.assignment(input, index));
        for ((name, state), _) in this.iter().zip(&first).filter(|(a, b)| a != b) {
            let _ = writeln!(text, "  {name}  {state}");
        }
    }
    text
}

/// `p = 0.1234, and 45.2 % given what was seen`
fn probability(best: &Best, index: usize) -> String {
    let ln_p = best.explanations[index].ln_value;
    let joint = format!("ln p = {}", significant(ln_p));
    match best.ln_posterior(index) {
        Some(ln_posterior) if !best.evidence.is_empty() => {
            format!("{} given what was seen ({joint})", percent(ln_posterior.exp()))
        }
        Some(ln_posterior) => format!("{} ({joint})", percent(ln_posterior.exp())),
        None => joint,
    }
}

struct Row {
    name: String,
    state: String,
    remark: String,
    /// Whether the joint best state is not the variable's own.
    is_odd: bool,
}

/// The variables that were not seen: first those whose state is not the best one of the variable alone.
fn rows(input: &Input, best: &Best) -> Vec<Row> {
    let mut rows = Vec::new();
    for (&v, &state) in best.variables.iter().zip(&best.explanations[0].states) {
        if best.evidence.state(v).is_some() {
            continue;
        }
        let variables = input.variables();
        let own = best.beliefs.as_ref().and_then(|beliefs| beliefs.marginal(v));
        let is_odd = own.is_some_and(|own| own.iter().any(|&p| p > own[state]));
        let alone = own.map_or_else(String::new, |own| format!("alone {}", percent(own[state])));
        let remark = if is_odd { format!("{alone}, and not its most probable state") } else { alone };
        rows.push(Row {
            name: variables.name(v).to_owned(),
            state: variables.states(v)[state].clone(),
            remark,
            is_odd,
        });
    }
    rows.sort_by_key(|row| !row.is_odd);
    rows
}
