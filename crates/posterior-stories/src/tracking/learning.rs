//! The same by a Gaussian process; the steady state; both noises by EM.

use std::io::Write;

use posterior::gp::{GaussianProcess, Kernel, Noise};
use posterior::inference::em::EmOptions;
use posterior::kalman::learning::{CovarianceShape, Learn, expectation_maximization};
use posterior::kalman::{Filtered, Smoothed, steady_state};
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;
use posterior::report::{Figure, Page, Ribbon, ribbons};

use super::walk::{Walk, model};
use super::{INTENSITY, NOISE_SD, SECONDS, START_VARIANCE, UNSEEN};
use crate::Outcome;

/// The same posterior by a dense Gaussian process: a position whose velocity is a Wiener process is a cubic
/// spline.
pub(super) fn gaussian_process(
    out: &mut dyn Write,
    walk: &Walk,
    smoothed: &Smoothed,
    page: &mut Page,
) -> Outcome<()> {
    let kernel = INTENSITY * Kernel::integrated_wiener()
        + START_VARIANCE * Kernel::linear()
        + Kernel::constant(START_VARIANCE)?;
    let seen: Vec<usize> = (0..SECONDS).filter(|t| !UNSEEN.contains(t)).collect();
    let times = DMatrix::from_iterator(seen.len(), 1, seen.iter().map(|&t| t as f64));
    let all = DMatrix::from_fn(SECONDS, 1, |t, _| t as f64);
    let mut apart: f64 = 0.0;
    for axis in 0..2 {
        let values: Vec<f64> = seen.iter().map(|&t| walk.series.at(t)[axis]).collect();
        let process = GaussianProcess::new(kernel.clone());
        let posterior = process.condition(&times, &values, &Noise::variance(NOISE_SD * NOISE_SD)?)?;
        let prediction = posterior.latent(&all)?;
        for t in 0..SECONDS {
            let place = 2 * axis;
            apart = apart
                .max((prediction.mean[t] - smoothed.mean(t)[place]).abs())
                .max((prediction.variance[t] - smoothed.covariance(t)[(place, place)]).abs());
        }
    }
    writeln!(
        out,
        "\nA Gaussian process with the kernel {kernel} says the same: means and variances differ by at most {apart:.1e}."
    )?;
    let text = "A position whose velocity is a Wiener process is a Gaussian process: regression with one dense matrix and the two passes of the smoother \
         are two routes to one answer.";
    page.section("The same, twice", text, vec![format!(
            "With the kernel {kernel}, means and variances of all seconds differ from those of the smoother by at most {apart:.1e}."
        )]);
    Ok(())
}

/// What the gain comes to.
pub(super) fn gain(out: &mut dyn Write, walk: &Walk, filtered: &Filtered, page: &mut Page) -> Outcome<()> {
    let limit = steady_state(&walk.model)?;
    let (position, velocity) = (limit.gain[(0, 0)], limit.gain[(1, 0)]);
    let away = (filtered.covariance(SECONDS - 1) - &limit.covariance).amax();
    writeln!(
        out,
        "\nIn the long run a measurement moves the position by {position:.3} of its surprise, and the velocity by {velocity:.3};"
    )?;
    writeln!(
        out,
        "after {SECONDS} seconds the filter's covariance is {away:.1e} from that of the steady state."
    )?;
    let text = "Covariances do not depend on what is seen, and where it is seen as often, they settle.";
    page.section("What the gain comes to", text, vec![
            format!("A measurement moves the position by {position:.3} of its surprise, and the velocity by {velocity:.3}."),
            format!("After {SECONDS} seconds the filter's covariance is {away:.1e} from that of the steady state."),
        ]);
    Ok(())
}

/// Both noises, from values that are far off.
pub(super) fn learn(out: &mut dyn Write, walk: &Walk, page: &mut Page) -> Outcome<()> {
    let learn = Learn { observation_noise: CovarianceShape::Diagonal, ..Learn::default() };
    let start = model(20.0 * INTENSITY, 4.0 * NOISE_SD)?;
    let options = EmOptions::default();
    let fitted =
        expectation_maximization(start, std::slice::from_ref(&walk.series), &learn, &options, &mut Silent)?;
    let trace = &fitted.report.trace;
    let noise = fitted.model.observation().noise().matrix(0);
    writeln!(out, "\nEM from {} times the wandering and {} times the noise:", 20, 4)?;
    for iteration in [0, 1, 2, 5, 10, 20, 50, 100].into_iter().filter(|&i| i < trace.len()) {
        writeln!(out, "  iteration {iteration:3}: ln likelihood {:9.3}", trace[iteration])?;
    }
    writeln!(
        out,
        "  the noise has the standard deviations {:.2} and {:.2} (drawn with {NOISE_SD}); the likelihood fell {} times",
        noise[(0, 0)].sqrt(),
        noise[(1, 1)].sqrt(),
        fitted.report.falls.len()
    )?;
    let line = trace.iter().enumerate().map(|(i, &value)| (i as f64, value)).collect();
    let ribbon = Ribbon { line, ..Ribbon::default() };
    let picture = ribbons(("iteration", "ln likelihood"), &[ribbon], &[], None);
    page.section(
        "What EM learns",
        "The ln likelihood of the measurements, from noises that are far off. It never falls.",
        Figure::new(picture, "The course of EM."),
    );
    Ok(())
}
