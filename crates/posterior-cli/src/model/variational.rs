//! `posterior model variational`.

use posterior::dist::stream::stream;
use posterior::math::iteration::{Silent, Stop};
use posterior::sampling::variational::{Advi, GaussianFamily};
use serde::Serialize;

use super::approximation::{self, WEIGHTED, weighted};
use super::input::Input;
use super::quantities::constrained;
use crate::args::{ModelVariational, VariationalAlgorithm};
use crate::failure::{Failure, refused};
use crate::json::Number;
use crate::output::significant;
use crate::run::Run;

const FILE: &str = "variational.csv";

/// The Gaussian that was found.
#[derive(Serialize)]
struct Found {
    /// The lower bound of ln of the evidence.
    elbo: Number,
    elbo_se: Number,
    iterations: usize,
    stop: String,
}

impl Found {
    fn line(&self) -> String {
        let [elbo, error] = [self.elbo.0, self.elbo_se.0].map(significant);
        format!("{} steps ({}), bound {elbo}, standard error {error}\n", self.iterations, self.stop)
    }
}

/// Runs the verb.
pub(crate) fn run(args: &ModelVariational) -> Result<(), Failure> {
    let common = &args.input.common;
    let mut run = Run::start(common)?;
    let input = Input::read(&args.input, &run)?;
    let posterior = &input.posterior;
    run.claim(args.input.out.as_deref(), &[FILE])?;
    let (count, of_bound) = (args.output_samples as usize, args.elbo_samples as usize);
    input.check_memory(&args.input, (1 + WEIGHTED) * count + of_bound, 3)?;
    let family = match args.algorithm {
        VariationalAlgorithm::Meanfield => GaussianFamily::MeanField,
        VariationalAlgorithm::Fullrank => GaussianFamily::FullRank,
    };
    // A step takes pairs of gradients.
    let pairs = (args.grad_samples as usize).div_ceil(2);
    let advi = Advi {
        family,
        pairs,
        tolerance: args.tolerance,
        max_iterations: args.iter as usize,
        ..Advi::default()
    };
    let start = input.point(&args.start.init, common.seed)?;
    let mut rng = stream(common.seed, &[2]);
    let fit = run.during("the Gaussian", || advi.fit(posterior, &start, &mut rng, &mut Silent));
    let fit = fit.map_err(refused)?;
    let (report, fitted) = (fit.report, fit.model);
    let bound = fitted.assess(posterior, of_bound, &mut rng).map_err(refused)?.elbo;
    let gaussian = fitted.distribution().map_err(refused)?;
    let (free, smoothed) = weighted(posterior, &gaussian, count, &mut rng)?;
    let draws = run.during("generated quantities", || constrained(posterior, &free, common.seed, 0))?;
    let level = args.level.level;
    let mut summary = draws.summary_of_level(level.probability()).map_err(refused)?;
    approximation::without_chains(&mut summary);
    if report.stop != Stop::Converged {
        run.note(&format!(
            "note: the search stopped after {} steps before it had converged: --iter allows more",
            report.iterations()
        ));
    }
    run.write(FILE, |folder| {
        folder.put(FILE, |out| draws.cmdstan(0).method("variational").write(out))?;
        input.put_levels(folder)
    })?;
    let found = Found {
        elbo: Number(bound.value),
        elbo_se: Number(bound.standard_error),
        iterations: report.iterations(),
        stop: format!("{:?}", report.stop),
    };
    let line = found.line();
    run.print(
        || approximation::output(&summary, level, &smoothed, found),
        || line + &approximation::text(&summary, &smoothed),
    )
}
