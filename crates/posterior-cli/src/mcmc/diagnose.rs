//! `posterior mcmc diagnose`.

use posterior::sampling::diagnostics::{ChainSummary, ParameterSummary, Undefined, Warning};
use posterior::table::MemoryLimit;
use serde::Serialize;

use super::draws_input::Input;
use super::report;
use crate::args::McmcDiagnose;
use crate::failure::{Failure, refused};
use crate::json::{Number, Pairs};
use crate::level::Level;
use crate::run::Run;

#[derive(Serialize)]
pub(crate) struct Output<'a> {
    chains: usize,
    draws: usize,
    level: Level,
    parameters: Vec<Parameter<'a>>,
    sampler: Sampler,
    warnings: Vec<String>,
    warning_kinds: Vec<&'static str>,
}

#[derive(Serialize)]
struct Parameter<'a> {
    name: &'a str,
    #[serde(flatten)]
    figures: Pairs<Number>,
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
    let mut run = Run::start(&args.common)?;
    let input = Input::read(&args.files, MemoryLimit::new(args.memory))?.only(&args.parameter)?;
    run.claim(args.out.as_deref(), report::NAMES)?;
    let level = args.level.level;
    let summary = run.during("summing up", || input.draws.summary_of_level(level.probability()));
    let summary = summary.map_err(refused)?;
    run.write("report.html", |folder| report::write(folder, &input, &summary, level))?;
    run.print(|| output(&summary, level), || text(&summary))
}

/// The table, and that there are no warnings.
pub(crate) fn text(summary: &ChainSummary) -> String {
    let mut text = summary.to_string();
    if summary.warnings.is_empty() {
        text.push_str("no warnings: the chains agree, and there are enough effective draws\n");
    }
    text
}

/// The figures as JSON.
pub(crate) fn output(summary: &ChainSummary, level: Level) -> Output<'_> {
    let sampler = &summary.sampler;
    let figures = |all: &Option<Vec<Result<f64, Undefined>>>| {
        all.as_ref().map(|all| all.iter().map(|&figure| number(figure)).collect())
    };
    Output {
        chains: summary.chains,
        draws: summary.draws,
        level,
        parameters: summary.parameters.iter().map(|own| parameter(own, level)).collect(),
        sampler: Sampler {
            divergences: sampler.divergences.clone(),
            max_treedepth: sampler.longest_paths.clone(),
            e_bfmi: figures(&sampler.e_bfmi),
            acceptance_rate: figures(&sampler.acceptance_rate),
            steps: figures(&sampler.steps),
        },
        warnings: summary.warnings.iter().map(ToString::to_string).collect(),
        warning_kinds: summary.warnings.iter().map(Warning::kind).collect(),
    }
}

fn parameter(own: &ParameterSummary, level: Level) -> Parameter<'_> {
    let [low, high] = &level.names();
    let figures = [
        ("mean", own.mean),
        ("sd", own.sd),
        ("rhat", own.rhat),
        ("ess_bulk", own.ess_bulk),
        ("ess_tail", own.ess_tail),
        ("mcse", own.mcse),
        ("mcse_sd", own.mcse_sd),
        (low, own.low),
        ("q50", own.q50),
        (high, own.high),
        ("hdi_low", own.highest_density.map(|[low, _]| low)),
        ("hdi_high", own.highest_density.map(|[_, high]| high)),
    ];
    Parameter {
        name: &own.name,
        undefined: figures[..7].iter().find_map(|(_, figure)| figure.err()).map(|why| why.to_string()),
        figures: Pairs(figures.map(|(name, figure)| (name.to_owned(), number(figure))).to_vec()),
    }
}
