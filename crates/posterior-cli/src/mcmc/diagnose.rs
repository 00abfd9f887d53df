//! `posterior mcmc diagnose`.

use std::time::Instant;

use posterior::sampling::diagnostics::{ChainSummary, ParameterSummary, Undefined, Warning};
use serde::Serialize;

use super::artefacts;
use super::draws_input::Input;
use crate::args::{Format, McmcDiagnose};
use crate::failure::Failure;
use crate::json::Number;
use crate::memory::Memory;
use crate::output_folder::OutputFolder;
use crate::{output, threads};

#[derive(Serialize)]
struct Output<'a> {
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
    mean: Number,
    sd: Number,
    rhat: Number,
    ess_bulk: Number,
    ess_tail: Number,
    mcse: Number,
    mcse_sd: Number,
    q05: Number,
    q50: Number,
    q95: Number,
    /// Why a figure is null.
    #[serde(skip_serializing_if = "Option::is_none")]
    undefined: Option<String>,
}

#[derive(Serialize)]
struct Sampler {
    divergences: Option<Vec<usize>>,
    max_treedepth: Option<Vec<usize>>,
    e_bfmi: Option<Vec<Number>>,
    acceptance_rate: Option<Vec<Number>>,
    steps: Option<Vec<Number>>,
}

/// Null where it has no value.
fn number(figure: Result<f64, Undefined>) -> Number {
    Number(figure.unwrap_or(f64::NAN))
}

/// Runs the verb.
pub(crate) fn run(args: &McmcDiagnose) -> Result<(), Failure> {
    let start = Instant::now();
    threads::limit(&args.common)?;
    let input = Input::read(&args.files, Memory::new(args.memory))?.only(&args.parameter)?;
    let out = OutputFolder::claim(args.out.as_deref(), artefacts::NAMES)?;
    let summary = input.draws.summary();
    if let Some(folder) = out {
        artefacts::write(&folder, &input, &summary)?;
        folder.finish(args.common.quiet, "report.html")?;
    }
    match args.common.format {
        Format::Text => output::print(&text(&summary)),
        Format::Json => {
            output::print_json(&output(&summary, args.common.seed, start.elapsed().as_secs_f64()))
        }
    }
}

fn text(summary: &ChainSummary) -> String {
    let mut text = summary.to_string();
    if summary.warnings.is_empty() {
        text.push_str("no warnings: the chains agree, and there are enough effective draws\n");
    }
    text
}

fn output(summary: &ChainSummary, seed: u64, seconds: f64) -> Output<'_> {
    let sampler = &summary.sampler;
    let figures = |all: &Option<Vec<Result<f64, Undefined>>>| {
        all.as_ref().map(|all| all.iter().map(|&figure| number(figure)).collect())
    };
    Output {
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
        mean: number(own.mean),
        sd: number(own.sd),
        rhat: number(own.rhat),
        ess_bulk: number(own.ess_bulk),
        ess_tail: number(own.ess_tail),
        mcse: number(own.mcse),
        mcse_sd: number(own.mcse_sd),
        q05: number(own.q05),
        q50: number(own.q50),
        q95: number(own.q95),
        undefined: reasons.into_iter().find_map(Result::err).map(|why| why.to_string()),
    }
}
