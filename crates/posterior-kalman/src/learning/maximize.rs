//! Maximum likelihood, and the mode of the posterior of parameters.

use std::cell::RefCell;
use std::ops::ControlFlow;

use posterior_inference::best_of_short_runs;
use posterior_math::iteration::{Fitted, Observer, Step};
use posterior_math::optimize::{LbfgsOptions, Minimum, minimize};
use rand::distr::Distribution;
use rand_distr::StandardNormal;

use super::estimate::{FittedParameters, objective};
use super::{MarginalTarget, ParametricModel};
use crate::Error;

/// How to maximise a likelihood.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaximizeOptions {
    /// How each search goes.
    pub search: LbfgsOptions,
    /// How many searches. The first begins where the parameters say, the others at random around it. Of
    /// several each takes 12 steps at most, and the best of them goes on. One by default.
    pub starts: usize,
    /// The standard deviation of the random starts on the free scale. 2 by default: a variance within a
    /// factor of 50, as a rule.
    pub spread: f64,
    /// The seed of the random starts. 0 by default.
    pub seed: u64,
}

/// Steps of a search after which the best of several goes on alone.
const SHORT: usize = 12;

impl Default for MaximizeOptions {
    fn default() -> Self {
        Self { search: LbfgsOptions::default(), starts: 1, spread: 2.0, seed: 0 }
    }
}

/// The parameters at which ln p(y | θ) + ln p(θ) is largest, by L-BFGS with the exact gradient, from one
/// start or the best of several.
///
/// Without priors this is maximum likelihood, with priors the mode of the posterior in natural units.
/// Standard errors are from the Hessian (differences of the exact gradient), carried to natural units by the
/// delta method; parameters that went to the boundary of their range are named, and left out of it. The
/// report's objective is that sum, of the best search.
///
/// # Errors
/// If there is no model at the start of any search, or it cannot have made the series.
///
/// ```
/// use posterior_kalman::learning::{ModelFamily, MarginalTarget, MaximizeOptions, Parameter, ParameterScale, fit};
/// use posterior_kalman::{Initial, ObservationEquation, Series, StateSpace, TransitionEquation};
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
///
/// let scalar = |value| DMatrix::from_element(1, 1, value);
/// let parameters = vec![
///     Parameter::new("level variance", ParameterScale::Positive, 1.0)?,
///     Parameter::new("noise variance", ParameterScale::Positive, 1.0)?,
/// ];
/// let local_level = ModelFamily::new(parameters, move |variances| {
///     StateSpace::new(
///         TransitionEquation::constant(&scalar(1.0), &scalar(variances[0]))?,
///         ObservationEquation::constant(&scalar(1.0), &scalar(variances[1]))?,
///         Initial::diffuse(1)?,
///     )
/// });
/// let series = [Series::univariate(&[1.0, 2.1, 2.9, 4.2, 4.8, 6.1, 5.9, 7.2])?];
/// let likelihood = MarginalTarget::new(&local_level, &series)?;
/// let fitted = fit(&likelihood, &MaximizeOptions::default(), &mut Silent)?;
/// fitted.report.require_converged()?;
/// let level = fitted.model.parameter("level variance").ok_or("no such parameter")?;
/// assert!(level.standard_error.is_some());
/// // Steps of about one: as far as these data tell, there is no other noise.
/// assert!(fitted.model.parameter("noise variance").is_some_and(|noise| noise.value < 1e-6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit<M: ParametricModel>(
    likelihood: &MarginalTarget<'_, M>,
    options: &MaximizeOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<FittedParameters>, Error> {
    let begin = likelihood.start();
    let all = options.search.max_iterations;
    let short = if options.starts > 1 { SHORT.min(all) } else { all };
    let mut first = true;
    let observer = RefCell::new(observer);
    let found = best_of_short_runs(
        options.starts,
        options.seed,
        |rng| {
            let spread = if first { 0.0 } else { options.spread };
            first = false;
            let start: Vec<f64> = begin
                .iter()
                .map(|free| {
                    let step: f64 = StandardNormal.sample(rng);
                    free + spread * step
                })
                .collect();
            // What is wrong at the start is an error; elsewhere it shortens a step.
            likelihood.ln_likelihood(&start, &mut vec![0.0; start.len()])?;
            let search = LbfgsOptions { max_iterations: short, ..options.search };
            Ok::<_, Error>(climb(likelihood, &start, &search, &mut **observer.borrow_mut(), 0))
        },
        |end| {
            let search = LbfgsOptions { max_iterations: all - short, ..options.search };
            Ok(climb(likelihood, &end.point, &search, &mut **observer.borrow_mut(), short))
        },
    )?;
    let Fitted { model: end, report } = found.best;
    let estimate = FittedParameters::new(likelihood, end.point, end.gradient_norm)?;
    Ok(Fitted { model: estimate, report })
}

/// A search upwards, after so many steps of an earlier one.
fn climb<M: ParametricModel>(
    likelihood: &MarginalTarget<'_, M>,
    start: &[f64],
    search: &LbfgsOptions,
    observer: &mut (impl Observer + ?Sized),
    before: usize,
) -> Fitted<Minimum> {
    let negative = |free: &[f64], gradient: &mut [f64]| match objective(likelihood, free, gradient) {
        Some(value) => {
            for slope in gradient.iter_mut() {
                *slope = -*slope;
            }
            -value
        }
        None => f64::NAN,
    };
    let mut upwards = |step: &Step| -> ControlFlow<()> {
        observer.step(&Step::new(before + step.iteration, -step.objective, step.elapsed))
    };
    let mut fitted = minimize(negative, start, search, &mut upwards);
    for value in &mut fitted.report.trace {
        *value = -*value;
    }
    fitted
}
