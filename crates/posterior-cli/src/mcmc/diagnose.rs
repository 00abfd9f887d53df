//! `posterior mcmc diagnose`.

use std::time::Instant;

use posterior::sampling::diagnostics::{ParameterSummary, Summary, Undefined, Warning};
use serde::{Serialize, Serializer};

use super::artefacts;
use super::draws_input::Input;
use crate::args::{Format, McmcDiagnose};
use crate::failure::Failure;
use crate::{atomic_file, output, threads};

#[derive(Serialize)]
struct Told<'a> {
    chains: usize,
    draws: usize,
    parameters: Vec<Parameter<'a>>,
    sampler: Sampler,
    warnings: Vec<String>,
    warning_kinds: Vec<&'static str>,
    seed: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Parameter<'a> {
    name: &'a str,
    mean: Figure,
    sd: Figure,
    rhat: Figure,
    ess_bulk: Figure,
    ess_tail: Figure,
    mcse: Figure,
    mcse_sd: Figure,
    q05: Figure,
    q50: Figure,
    q95: Figure,
    /// Why a figure is null.
    #[serde(skip_serializing_if = "Option::is_none")]
    undefined: Option<String>,
}

#[derive(Serialize)]
struct Sampler {
    divergences: Option<Vec<usize>>,
    max_treedepth: Option<Vec<usize>>,
    e_bfmi: Option<Vec<Figure>>,
    acceptance_rate: Option<Vec<Figure>>,
    steps: Option<Vec<Figure>>,
}

/// A number, "inf", or null where it has no value.
struct Figure(Result<f64, Undefined>);

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Ok(value) if value.is_finite() => serializer.serialize_f64(value),
            Ok(value) if value.is_infinite() => {
                serializer.serialize_str(if value > 0.0 { "inf" } else { "-inf" })
            }
            _ => serializer.serialize_none(),
        }
    }
}

/// Runs the verb.
pub(crate) fn run(args: &McmcDiagnose) -> Result<(), Failure> {
    let start = Instant::now();
    threads::limit(&args.common)?;
    let input = Input::read(&args.files)?.only(&args.parameter)?;
    if let Some(folder) = &args.out {
        atomic_file::writable_folder(folder)?;
    }
    let summary = input.draws.summary();
    if let Some(folder) = &args.out {
        artefacts::write(folder, &input, &summary)?;
        output::note(args.common.quiet, &format!("wrote {}", folder.join("report.html").display()));
    }
    match args.common.format {
        Format::Text => output::print(&text(&summary)),
        Format::Json => output::print_json(&told(&summary, args.common.seed, start.elapsed().as_secs_f64())),
    }
}

fn text(summary: &Summary) -> String {
    let mut text = summary.to_string();
    if summary.warnings.is_empty() {
        text.push_str("no warnings: the chains agree, and there are enough effective draws\n");
    }
    text
}

fn told(summary: &Summary, seed: u64, seconds: f64) -> Told<'_> {
    let sampler = &summary.sampler;
    let figures = |all: &Option<Vec<Result<f64, Undefined>>>| {
        all.as_ref().map(|all| all.iter().map(|&figure| Figure(figure)).collect())
    };
    Told {
        chains: summary.chains,
        draws: summary.draws,
        parameters: summary.parameters.iter().map(parameter).collect(),
        sampler: Sampler {
            divergences: sampler.divergences.clone(),
            max_treedepth: sampler.longest_paths.clone(),
            e_bfmi: figures(&sampler.e_bfmi),
            acceptance_rate: figures(&sampler.acceptance_rate),
            steps: figures(&sampler.steps),
        },
        warnings: summary.warnings.iter().map(ToString::to_string).collect(),
        warning_kinds: summary.warnings.iter().map(Warning::kind).collect(),
        seed,
        seconds,
    }
}

fn parameter(own: &ParameterSummary) -> Parameter<'_> {
    let reasons = [own.mean, own.sd, own.rhat, own.ess_bulk, own.ess_tail, own.mcse, own.mcse_sd];
    Parameter {
        name: &own.name,
        mean: Figure(own.mean),
        sd: Figure(own.sd),
        rhat: Figure(own.rhat),
        ess_bulk: Figure(own.ess_bulk),
        ess_tail: Figure(own.ess_tail),
        mcse: Figure(own.mcse),
        mcse_sd: Figure(own.mcse_sd),
        q05: Figure(own.q05),
        q50: Figure(own.q50),
        q95: Figure(own.q95),
        undefined: reasons.into_iter().find_map(Result::err).map(|why| why.to_string()),
    }
}
