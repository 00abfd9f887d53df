//! `posterior net uai`: the files of the UAI inference competitions, in and out.

use std::path::Path;

use posterior::graph::VarId;
use posterior::inference::{Auto, Budget, Engine as _, Error, MapEngine as _, Targets};
use posterior::pgm::Evidence;
use posterior::pgm::uai::{self, Answer};
use posterior::table::read_bytes;
use serde::Serialize;

use super::answer::failed;
use super::engine::{AnyEngine, code};
use super::network_input::Input;
use crate::args::{Format, NetUai, UaiTask};
use crate::failure::Failure;
use crate::json::Number;
use crate::run::Run;

#[derive(Default, Serialize)]
struct Output {
    task: &'static str,
    engine: &'static str,
    converged: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    log10_z: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    marginals: Option<Vec<Vec<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignment: Option<Vec<usize>>,
}

/// Answers a question about a model and evidence.
pub(super) fn run(args: &NetUai) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    run.collect(args.out.as_deref())?;
    let input = Input::read(&args.model)?;
    let evidence = evidence(&input, &args.evidence)?;
    let (answer, mut output) = answer(&input, &evidence, args)?;
    let name = Path::new(&input.source).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = format!("{}.{}", name.strip_suffix(".gz").unwrap_or(&name), output.task);
    run.write(&name, |folder| folder.put_text(&name, &uai::write_answer(&answer)))?;
    if args.common.format == Format::Text && args.out.is_some() {
        return Ok(());
    }
    let text = || uai::write_answer(&answer);
    let json = || {
        match &answer {
            Answer::Pr { log10_z } => output.log10_z = Some(Number(*log10_z)),
            Answer::Mar(marginals) => output.marginals = Some(marginals.clone()),
            Answer::Mpe(states) => output.assignment = Some(states.clone()),
            _ => {}
        }
        output
    };
    run.print(json, text)
}

fn evidence(input: &Input, path: &Path) -> Result<Evidence, Failure> {
    if path == Path::new("none") {
        return Ok(Evidence::none());
    }
    let (source, bytes) = read_bytes(path)?;
    let samples = uai::read_evidence(&bytes, input.variables()).map_err(|error| {
        Failure::data(format!("{source}: line {}, column {}: {}", error.line, error.column, error.message))
    })?;
    match <[Evidence; 1]>::try_from(samples) {
        Ok([one]) => Ok(one),
        Err(samples) if samples.is_empty() => Ok(Evidence::none()),
        Err(samples) => {
            Err(Failure::data(format!("{source}: {} samples of evidence, expected one", samples.len()))
                .with_hint("put each sample into a file of its own"))
        }
    }
}

fn answer(input: &Input, evidence: &Evidence, args: &NetUai) -> Result<(Answer, Output), Failure> {
    let (model, variables) = (input.model(), input.variables());
    let engine = AnyEngine::new(args.engine, args.memory, args.common.seed);
    let refused = |error: Error| failed(input, &engine, evidence, &error);
    if args.task == UaiTask::Map {
        let budget = args.memory.map_or_else(Budget::available, Budget::bytes);
        let best = Auto { budget, ..Auto::default() }.most_probable(model, evidence).map_err(refused)?;
        return Ok((
            Answer::Mpe(best.states),
            Output { task: "MPE", engine: "ve", converged: true, ..Output::default() },
        ));
    }
    if args.task == UaiTask::Pr && args.engine == crate::args::Engine::Gibbs {
        return Err(Failure::Usage(
            "gibbs does not give the partition function: choose another --engine".to_owned(),
        ));
    }
    let targets = if args.task == UaiTask::Mar { Targets::All } else { Targets::These(Vec::new()) };
    let beliefs = match engine.query(model, &targets, evidence) {
        // Of impossible evidence the format has the logarithm.
        Err(Error::ImpossibleEvidence) if args.task == UaiTask::Pr => {
            let output = Output { task: "PR", engine: "auto", converged: true, ..Output::default() };
            return Ok((Answer::of_ln_z(f64::NEG_INFINITY), output));
        }
        answer => answer.map_err(refused)?,
    };
    let report = beliefs.report();
    let (task, answer) = if args.task == UaiTask::Mar {
        let marginal = |v: VarId| beliefs.marginal(v).unwrap_or_default().to_vec();
        ("MAR", Answer::Mar(variables.ids().map(marginal).collect()))
    } else {
        ("PR", Answer::of_ln_z(beliefs.ln_z().value()))
    };
    Ok((
        answer,
        Output { task, engine: code(report.engine), converged: report.converged, ..Output::default() },
    ))
}
