//! `posterior model laplace`.

use posterior::dist::stream::stream;
use posterior::dist::target::{Target as _, Unconstrained};
use posterior::inference::laplace::laplace_by_gradient;
use posterior::math::bijection::{Elementwise, Identity};
use posterior::math::iteration::Silent;
use posterior::math::optimize::LbfgsOptions;
use posterior::sampling::Draws;
use posterior::sampling::importance::importance_sampling;
use serde::Serialize;

use super::approximation;
use super::input::Input;
use super::quantities::constrained;
use crate::args::ModelLaplace;
use crate::failure::{Failure, refused};
use crate::json::Number;
use crate::run::Run;

const FILE: &str = "laplace.csv";

/// The most steps of the search for the mode, as for `posterior model optimize`.
const STEPS: usize = 2000;

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
    input.check_memory(&args.input, count, 3)?;
    let start = input.point(&args.init, common.seed)?;
    let options =
        LbfgsOptions { memory: 5, max_iterations: STEPS, value_tolerance: 1e-15, ..LbfgsOptions::default() };
    let search = || laplace_by_gradient(posterior, &start, &options, &mut Silent);
    let found = run.during("the mode and its second derivatives", search).map_err(|error| {
        refused(error).with_hint(
            "`posterior model optimize` shows where the search ends; `posterior model sample` needs no mode",
        )
    })?;
    let dim = posterior.dim();
    let gaussian = Unconstrained::new(found.distribution.clone(), Elementwise::new(Identity, dim), dim);
    let gaussian = gaussian.map_err(refused)?;
    let drawn = run.during("drawing", || {
        importance_sampling(posterior, &gaussian, count, &mut stream(common.seed, &[2]))
    });
    let drawn = drawn.map_err(refused)?;
    let smoothed = drawn.smoothed(1.0).map_err(refused)?;
    let mut statistics = Vec::with_capacity(3 * count);
    for (x, ln_weight) in drawn.points().zip(drawn.weights().ln()) {
        let ln_q = gaussian.ln_density(x).map_err(refused)?;
        let ln_p = ln_weight + ln_q;
        statistics.extend([ln_p, ln_p, ln_q]);
    }
    let points: Vec<f64> = drawn.points().flatten().copied().collect();
    let free = Draws::new((0..dim).map(|i| format!("x[{i}]")).collect(), vec![points]).map_err(refused)?;
    let names = ["lp", "log_p", "log_q"].map(str::to_owned).to_vec();
    let free = free.with_statistics(names, vec![statistics]).map_err(refused)?;
    let draws = run.during("generated quantities", || constrained(posterior, &free, common.seed, 0))?;
    let level = args.level.level;
    let mut summary = draws.summary_of_level(level.probability()).map_err(refused)?;
    approximation::without_chains(&mut summary);
    run.write(FILE, |folder| {
        folder.put(FILE, |out| draws.cmdstan(0).method("laplace").write(out))?;
        input.put_levels(folder)
    })?;
    let mode = Mode { ln_density: Number(found.ln_density), ln_evidence: Number(found.ln_evidence) };
    let used = "the Gaussian is close enough for its draws to be used";
    run.print(
        || approximation::output(&summary, level, &smoothed, mode),
        || approximation::text(&summary, &smoothed, used),
    )
}
