//! The most probable signal, and the Gaussian model with the same mode.

use posterior_math::check;
use posterior_math::special::LN_TAU;

use super::SignalLikelihood;
use crate::{Error, FilterOptions, Matrices, ObservationEquation, Series, StateSpace, filter};

/// When the search for a mode ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignalModeOptions {
    /// The largest step of a signal, relative to its size or one, after which the search ends. 1e-9 by
    /// default.
    pub tolerance: f64,
    /// The most iterations, each a Kalman smoother. 200 by default.
    pub max_iterations: usize,
}

impl Default for SignalModeOptions {
    fn default() -> Self {
        Self { tolerance: 1e-9, max_iterations: 200 }
    }
}

/// The mode of the signal given the observations.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GaussianMode {
    /// θ(t) at the mode.
    pub signal: Vec<f64>,
    /// The Gaussian model with the same mode: that of the states with pseudo-observations.
    pub model: StateSpace,
    /// The pseudo-observations.
    pub series: Series,
    /// ln of the density of the pseudo-observations.
    pub gaussian_ln_likelihood: f64,
    /// ln p(y) by Laplace's approximation; of Student's t with the curvature of the Gaussian model.
    pub laplace_ln_likelihood: f64,
    /// Iterations.
    pub iterations: usize,
    /// Whether the last step was small enough.
    pub converged: bool,
}

/// A signal, and the product of its prior precision and its difference from the prior mean.
struct Point {
    signal: Vec<f64>,
    pull: Vec<f64>,
}

/// Finds the mode of the signal by Newton's method: each step smooths pseudo-observations by a Kalman
/// smoother, and is halved where it would not climb.
///
/// # Errors
/// If the model has noise of its own in its observations, or more than one of them; the series does not fit
/// it, or has numbers that the likelihood excludes; the observations leave something of a diffuse start open;
/// numbers overflow.
pub fn mode(
    states: &StateSpace,
    likelihood: &SignalLikelihood,
    series: &Series,
    options: &SignalModeOptions,
) -> Result<GaussianMode, Error> {
    states.check(series)?;
    check::dimension("outputs of the model", 1, states.width())?;
    likelihood.check(series)?;
    let noise = states.observation().noise();
    let own = (0..noise.distinct()).map(|number| noise.stored(number)[0]).fold(0.0, f64::max);
    let requirement = "0: the likelihood is the only noise; put other noise into the states";
    check::require(own == 0.0, "non_gaussian::mode", "noise of the observations", own, requirement)?;
    let problem = Problem { states, likelihood, series };
    let start: Vec<f64> = (0..series.len()).map(|t| problem.guess(t)).collect();
    let mut at = problem.step(&start)?.1;
    let (mut iterations, mut converged) = (1, series.observed() == 0);
    while !converged && iterations < options.max_iterations {
        iterations += 1;
        let next = problem.step(&at.signal)?.1;
        let (point, moved) = problem.climb(at, &next);
        at = point;
        converged = moved <= options.tolerance;
    }
    let ((model, series), last) = problem.step(&at.signal)?;
    let filtered = filter(&model, &series, &FilterOptions::default())?;
    let gaussian = filtered.ln_likelihood();
    Ok(GaussianMode {
        laplace_ln_likelihood: gaussian + problem.ln_ratio(&at.signal, &model, &series),
        signal: if converged { last.signal } else { at.signal },
        model,
        series,
        gaussian_ln_likelihood: gaussian,
        iterations,
        converged,
    })
}

/// What is to be climbed.
pub(super) struct Problem<'a> {
    pub(super) states: &'a StateSpace,
    pub(super) likelihood: &'a SignalLikelihood,
    pub(super) series: &'a Series,
}

impl Problem<'_> {
    fn guess(&self, t: usize) -> f64 {
        let y = self.series.at(t)[0];
        if y.is_nan() { 0.0 } else { self.likelihood.guess(t, y) }
    }

    /// The Gaussian model near a signal, with its observations.
    fn gaussian(&self, signal: &[f64]) -> Result<(StateSpace, Series), Error> {
        let (mut values, mut variances) =
            (Vec::with_capacity(signal.len()), Vec::with_capacity(signal.len()));
        for (t, &theta) in signal.iter().enumerate() {
            let y = self.series.at(t)[0];
            let pseudo = (!y.is_nan()).then(|| self.likelihood.pseudo(t, y, theta));
            if pseudo.is_some_and(|own| !(own.value.is_finite() && own.variance.is_finite())) {
                return Err(Error::Overflow { time: t });
            }
            values.push(pseudo.map(|own| own.value));
            variances.push(pseudo.map_or(1.0, |own| own.variance));
        }
        let observation = self.states.observation();
        let equation = ObservationEquation::varying(
            observation.matrix().clone(),
            Matrices::from_entries(1, 1, if variances.is_empty() { vec![1.0] } else { variances })?,
        )?;
        let equation = equation.with_offset(observation.offset().clone())?;
        let model =
            StateSpace::new(self.states.transition().clone(), equation, self.states.initial().clone())?;
        Ok((model, Series::univariate_with_missing(&values)?))
    }

    /// The Gaussian model near a signal, and its mode.
    fn step(&self, signal: &[f64]) -> Result<((StateSpace, Series), Point), Error> {
        let (model, series) = self.gaussian(signal)?;
        let smoothed = filter(&model, &series, &FilterOptions::default())?.smooth(&model)?;
        let mode = (0..signal.len()).map(|t| Ok(smoothed.signal(&model, t)?.mean[0]));
        let mode = mode.collect::<Result<Vec<f64>, Error>>()?;
        let variances = model.observation().noise();
        // At the mode the prior pulls as much as the observations do.
        let pull = |(t, theta): (usize, &f64)| {
            let value = series.at(t)[0];
            if value.is_nan() { 0.0 } else { (value - theta) / variances.at(t)[0] }
        };
        let pull = mode.iter().enumerate().map(pull).collect();
        Ok(((model, series), Point { signal: mode, pull }))
    }

    /// From one point towards another, as far as it climbs: the point, and the largest step.
    fn climb(&self, from: Point, to: &Point) -> (Point, f64) {
        let step: Vec<f64> = from.signal.iter().zip(&to.signal).map(|(a, b)| b - a).collect();
        let moved =
            step.iter().zip(&from.signal).map(|(step, a)| step.abs() / a.abs().max(1.0)).fold(0.0, f64::max);
        let along = |pull: &[f64]| pull.iter().zip(&step).map(|(pull, step)| pull * step).sum::<f64>();
        let (first, last) = (along(&from.pull), along(&to.pull));
        let before = self.ln_likelihood(&from.signal);
        let mut length = 1.0;
        for _ in 0..60 {
            let at: Vec<f64> = from.signal.iter().zip(&step).map(|(a, step)| a + length * step).collect();
            // The prior is a square: its change along the step is known from both ends.
            let prior = length * first + 0.5 * length * length * (last - first);
            let gain = self.ln_likelihood(&at) - before - prior;
            let rounding = 64.0 * f64::EPSILON * (before.abs() + prior.abs() + 1.0);
            if gain >= -rounding {
                let mixed = |(a, b): (&f64, &f64)| a + length * (b - a);
                let pull = from.pull.iter().zip(&to.pull).map(mixed).collect();
                return (Point { signal: at, pull }, length * moved);
            }
            length *= 0.5;
        }
        (from, 0.0)
    }

    /// ln p(y | θ).
    pub(super) fn ln_likelihood(&self, signal: &[f64]) -> f64 {
        let seen = signal.iter().enumerate().filter(|&(t, _)| !self.series.at(t)[0].is_nan());
        seen.map(|(t, &theta)| self.likelihood.ln_density(t, self.series.at(t)[0], theta)).sum()
    }

    /// ln p(y | θ) less that of the pseudo-observations.
    pub(super) fn ln_ratio(&self, signal: &[f64], model: &StateSpace, series: &Series) -> f64 {
        let variances = model.observation().noise();
        let gaussian = |(t, &theta): (usize, &f64)| {
            let (value, variance) = (series.at(t)[0], variances.at(t)[0]);
            -0.5 * ((value - theta).powi(2) / variance + variance.ln() + LN_TAU)
        };
        let seen = signal.iter().enumerate().filter(|&(t, _)| !series.at(t)[0].is_nan());
        self.ln_likelihood(signal) - seen.map(gaussian).sum::<f64>()
    }
}
