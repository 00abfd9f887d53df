//! The files of a run: report, picture, posteriors as CSV, the network.

mod report;

use std::fs::File;
use std::io::{self, BufWriter};

use posterior::graph::VarId;
use posterior::pgm::{GraphicalModel, NetworkFile, bif};
use serde::Serialize;

use super::answer::Answer;
use super::learn::Learned;
use super::map::Best;
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
            folder.put("trace.csv", |out| write_trace(out, learned))?;
            folder.put("model.json", |out| write_model(out, &learned.network))?;
        }
        _ => folder.put("model.json", |out| write_model(out, input.model()))?,
    }
    match reported {
        Reported::Query { answer, .. } => {
            folder.put("marginals.csv", |out| write_marginals(out, input, answer))?;
        }
        Reported::Map { best } => folder.put("assignment.csv", |out| write_assignment(out, input, best))?,
        _ => {}
    }
    let page = report::page(input, reported);
    folder.put_text("network.svg", &page.picture.standalone())?;
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

fn write_model(out: &mut BufWriter<File>, model: &dyn GraphicalModel) -> io::Result<()> {
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
    Ok(serde_json::to_writer(out, &json)?)
}

/// A row a variable and state.
fn write_marginals(out: &mut BufWriter<File>, input: &Input, answer: &Answer) -> io::Result<()> {
    let variables = input.variables();
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["variable", "state", "observed", "p", "prior"])?;
    let shown: Vec<VarId> = variables.ids().filter(|&v| answer.now.marginal(v).is_some()).collect();
    for v in shown {
        let now = answer.now.marginal(v).unwrap_or_default();
        let before = answer.before.as_ref().and_then(|before| before.marginal(v)).unwrap_or(now);
        let observed = if answer.evidence.state(v).is_some() { "yes" } else { "no" };
        for ((state, p), prior) in variables.states(v).iter().zip(now).zip(before) {
            csv.write_record([variables.name(v), state, observed, &p.to_string(), &prior.to_string()])?;
        }
    }
    csv.flush()
}

fn write_assignment(out: &mut BufWriter<File>, input: &Input, best: &Best) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["rank", "ln_probability", "variable", "state"])?;
    for (rank, explanation) in best.explanations.iter().enumerate() {
        for (name, state) in best.assignment(input, rank) {
            csv.write_record([&(rank + 1).to_string(), &explanation.ln_value.to_string(), &name, &state])?;
        }
    }
    csv.flush()
}

fn write_trace(out: &mut BufWriter<File>, learned: &Learned) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["step", "objective"])?;
    for (step, objective) in learned.report.trace.iter().enumerate() {
        csv.write_record([step.to_string(), objective.to_string()])?;
    }
    csv.flush()
}
