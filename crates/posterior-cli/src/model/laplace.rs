//! `posterior model laplace`.

use posterior::dist::stream::stream;
use posterior::dist::target::GradTarget;
use posterior::inference::laplace::laplace_by_gradient;
use posterior::math::iteration::Silent;
use posterior::math::optimize::LbfgsOptions;
use posterior::sampling::Draws;
use posterior::sampling::importance::SmoothedWeights;
use serde::Serialize;

use super::approximation::{self, WEIGHTED, weighted};
use super::input::Input;
use super::quantities::constrained;
use crate::args::ModelLaplace;
use crate::failure::{Failure, refused};
use crate::json::Number;
use crate::run::Run;

const FILE: &str = "laplace.csv";

/// The search for a mode, where nothing else is asked for: with the memory and the steps of CmdStan.
pub(super) fn search() -> LbfgsOptions {
    LbfgsOptions { memory: 5, max_iterations: 2000, value_tolerance: 1e-15, ..LbfgsOptions::default() }
}

/// Draws of the Gaussian at the mode, weighted by the posterior and drawn again.
pub(super) struct Drawn {
    /// The mode's, with the Jacobian.
    ln_density: f64,
    ln_evidence: f64,
    /// Unconstrained, with the statistics of CmdStan.
    pub(super) free: Draws,
    pub(super) smoothed: SmoothedWeights,
}

/// Climbs to the mode, and draws.
pub(super) fn drawn<T: GradTarget + ?Sized>(
    target: &T,
    start: &[f64],
    count: usize,
    seed: u64,
) -> Result<Drawn, Failure> {
    let found = laplace_by_gradient(target, start, &search(), &mut Silent).map_err(|error| {
        refused(error).with_hint(
            "`posterior model optimize` shows where the search ends; `posterior model sample` needs no mode",
        )
    })?;
    let (free, smoothed) = weighted(target, &found.distribution, count, &mut stream(seed, &[2]))?;
    Ok(Drawn { ln_density: found.ln_density, ln_evidence: found.ln_evidence, free, smoothed })
}

#[derive(Serialize)]
struct Mode {
    /// At the mode, with the Jacobian.
    ln_density: Number,
    ln_evidence: Number,
}

/// Runs the verb.
pub(crate) fn run(args: &ModelLaplace) -> Result<(), Failure> {
    let common = &args.input.common;
    let mut run = Run::start(common)?;
    let input = Input::read(&args.input, &run)?;
    let posterior = &input.posterior;
    run.claim(args.input.out.as_deref(), &[FILE])?;
    let count = args.num_draws as usize;
    input.check_memory(&args.input, (1 + WEIGHTED) * count, 3)?;
    let start = input.point(&args.start.init, common.seed)?;
    let drawn = || drawn(posterior, &start, count, common.seed);
    let Drawn { ln_density, ln_evidence, free, smoothed } =
        run.during("the mode and its second derivatives", drawn)?;
    let draws = run.during("generated quantities", || constrained(posterior, &free, common.seed, 0))?;
    let level = args.level.level;
    let mut summary = draws.summary_of_level(level.probability()).map_err(refused)?;
    approximation::without_chains(&mut summary);
    run.write(FILE, |folder| {
        folder.put(FILE, |out| draws.cmdstan(0).method("laplace").write(out))?;
        input.put_levels(folder)
    })?;
    let mode = Mode { ln_density: Number(ln_density), ln_evidence: Number(ln_evidence) };
    run.print(
        || approximation::output(&summary, level, &smoothed, mode),
        || approximation::text(&summary, &smoothed),
    )
}
