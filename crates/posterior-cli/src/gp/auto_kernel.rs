//! `--kernel auto`: the kernel that the data want.

use std::sync::atomic::{AtomicUsize, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget};
use posterior::dist::stream::stream;
use posterior::gp::Kernel;
use posterior::gp::hyperparameters::{KernelSearchOptions, TriedKernel, kernel_bases, search_kernel};
use rand::seq::index::sample;

use super::answer::short;
use super::data_input::Data;
use super::kernel_path::{KernelPath, Step};
use super::regression;
use super::settings::Settings;
use crate::args::GpFit;
use crate::failure::Failure;
use crate::output::significant;

/// Of more rows than these the search sees so many, drawn at random: it fits dozens of models.
const MOST_ROWS: usize = 400;

/// The kernel and the noise of least BIC, and the way there.
pub(super) fn search(
    args: &GpFit,
    settings: &Settings,
    data: &Data,
    outputs: &[f64],
) -> Result<(Kernel, Option<f64>, KernelPath), Failure> {
    let refused = |error: posterior::gp::Error| Failure::data(format!("{}: {error}", data.source));
    // Seasons are seen in all rows.
    let bases = kernel_bases(&data.inputs, outputs).map_err(|error| refused(error.into()))?;
    let mut rows: Vec<usize> = (0..outputs.len()).collect();
    if rows.len() > MOST_ROWS {
        // At equal distances a season may stand still.
        rows = sample(&mut stream(settings.seed, &[u64::MAX]), rows.len(), MOST_ROWS).into_vec();
        rows.sort_unstable();
    }
    let data = &data.rows(&rows);
    let outputs: Vec<f64> = rows.iter().map(|&row| outputs[row]).collect();
    let noise = regression::noise(settings, data)?;
    let (tried, bar) = (AtomicUsize::new(0), ProgressBar::new_spinner());
    if args.common.quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let seen = |own: &TriedKernel| {
        let count = tried.fetch_add(1, Ordering::Relaxed) + 1;
        bar.set_message(format!(
            "{count} kernels tried: {}, BIC {}",
            short(&own.kernel),
            significant(own.bic)
        ));
        bar.tick();
    };
    let problem = |kernel: &Kernel| {
        let settings = Settings { kernel: kernel.clone(), ..settings.clone() };
        regression::problem(&settings, data, &outputs, noise.clone()).map(|(_, problem)| problem)
    };
    let options = KernelSearchOptions {
        depth: usize::from(args.kernel_depth),
        restarts: args.restarts.unwrap_or(1),
        seed: settings.seed,
    };
    let found = search_kernel(problem, &bases, regression::spread(&outputs), &options, &seen);
    bar.finish_and_clear();
    let mut found = found.map_err(refused)?;
    let step = |own: &TriedKernel| Step {
        kernel: short(&own.kernel),
        bic: own.bic,
        ln_marginal_likelihood: own.ln_evidence,
    };
    let path = found.path.iter().map(step).collect();
    let path = KernelPath { tried: found.tried, rows: rows.len(), complete: found.complete, path };
    let best = found.path.pop().ok_or_else(|| refused(posterior::gp::Error::NoModel))?;
    // The noise is the last of all parameters.
    let own = settings.noise.filter(|noise| *noise > 0.0);
    let noise = own.and_then(|_| best.free.last().map(|free| free.exp()));
    Ok((best.kernel, noise, path))
}
