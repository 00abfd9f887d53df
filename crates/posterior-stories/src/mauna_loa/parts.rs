//! The best kernel on all months: its parameters, its terms, the weights of its line, its residuals.

use std::io::Write;

use posterior::gp::hyperparameters::{Learnable, Regression, curvature, fit, refine};
use posterior::gp::{GaussianProcess, GaussianProcessPosterior, Kernel, Mean};
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;

use super::{Months, ORIGIN, noise, options};
use crate::Outcome;

/// What all months say of the kernel.
pub(super) struct Parts {
    pub(super) posterior: GaussianProcessPosterior,
    /// Of each month left out, its place in time and how far it is off, in standard deviations.
    pub(super) residuals: Vec<(f64, f64)>,
    /// The line's rise in a year, and how well it is known.
    pub(super) slope: (f64, f64),
    pub(super) ln_evidence: f64,
}

/// The best kernel on all months: its parameters, its terms, the line's weights, its residuals, the next
/// twenty years.
pub(super) fn taken_apart(out: &mut dyn Write, kernel: &Kernel, step: usize) -> Outcome<Parts> {
    let all = Months::those(step, |_| true);
    let average = all.values.iter().sum::<f64>() / all.values.len() as f64;
    let prior = GaussianProcess::new(kernel.clone()).with_mean(Mean::constant(average)?.fixed());
    let problem = Regression::new(prior, noise()?, &all.inputs, &all.values)?;
    let fitted = fit(&problem, &options(), &mut Silent)?;
    let searched: Vec<f64> = fitted.report.parameters.iter().map(|own| own.free).collect();
    let refined = refine(&problem, &searched)?;
    let (posterior, _) = problem.model(&refined.free)?;
    writeln!(
        out,
        "\nOn all {} months: ln evidence {:.3}, {:.0e} below its peak\n",
        all.values.len(),
        refined.ln_evidence,
        refined.remaining
    )?;
    let errors = curvature(&problem, &refined.free)?.standard_errors;
    for (own, error) in posterior.parameters().iter().zip(errors) {
        let error = error.map_or("-".to_owned(), |error| format!("{error:.3}"));
        writeln!(out, "{:24} {:>12.5}   standard error of its logarithm {error}", own.name, own.value)?;
    }
    writeln!(out)?;

    let terms = posterior.components();
    let month = DMatrix::from_element(1, 1, 1990.5 - ORIGIN);
    writeln!(out, "In July 1990, of {:.2} ppm above {average:.2}:\n", posterior.mean(&month)?[0] - average)?;
    for term in &terms {
        let own = term.latent(&month)?;
        writeln!(out, "{:9.3} +- {:8.3}  {}", own.mean[0], own.sd()[0], shortened(term.kernel())?)?;
    }
    let parts: f64 = terms.iter().map(|term| Ok(term.latent(&month)?.variance[0])).sum::<Outcome<f64>>()?;
    let whole = posterior.latent(&month)?;
    writeln!(
        out,
        "The variances of the terms add to {parts:.3}, and that of the whole is {:.4}:",
        whole.variance[0]
    )?;
    writeln!(
        out,
        "terms vary against each other; line and trend, for instance, with a covariance of {:.2}.\n",
        terms[1].cross_covariance(&month, &terms[2], &month)?[(0, 0)]
    )?;
    let slope = line_of(&posterior)?;
    writeln!(out, "The line rises by {:.2} +- {:.2} ppm a year.", slope.0, slope.1)?;

    let loo = posterior.leave_one_out();
    let squares = loo.residuals.iter().map(|z| z * z).sum::<f64>() / loo.residuals.len() as f64;
    writeln!(
        out,
        "Left out one by one, months are {:.2} standard deviations off in the root mean square; {:.0} % are in the band of 90 %.",
        squares.sqrt(),
        100.0 * loo.prediction.coverage(&all.values, 0.9)
    )?;
    let times = all.inputs.iter().map(|time| time + ORIGIN);
    let residuals = times.zip(loo.residuals.iter().copied()).collect();
    Ok(Parts { posterior, residuals, slope, ln_evidence: refined.ln_evidence })
}

/// A kernel with three digits of each number.
pub(super) fn shortened(kernel: &Kernel) -> Outcome<String> {
    let digits = |value: f64| format!("{value:.2e}").parse::<f64>();
    let values = kernel.parameters().iter().map(|own| digits(own.value)).collect::<Result<Vec<_>, _>>()?;
    Ok(kernel.with_parameters(&values)?.to_string())
}

/// The posterior of the slope: mean and standard deviation.
fn line_of(posterior: &GaussianProcessPosterior) -> Outcome<(f64, f64)> {
    let slope = posterior.weights(|x| vec![x[0]], &DMatrix::from_element(1, 1, 1.0))?;
    Ok((slope.mean()[0], slope.covariance()[(0, 0)].sqrt()))
}
