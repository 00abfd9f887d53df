//! The log-likelihood of a sample in free coordinates, with its slopes and its curvature.

use std::marker::PhantomData;

use posterior_math::iteration::Silent;
use posterior_math::log_space::{ln_diff_exp, logistic, logit};
use posterior_math::optimize::{LbfgsOptions, LinearOptions, conjugate_gradients, minimize};

use super::{Estimable, FirstGuess, FitError, FitOptions, Observation, Sample};
use crate::catalogue::{AnyUnivariate, Coordinate};
use crate::density::Density;

/// The step of differences in free coordinates, whose unit is a change that matters.
const STEP: f64 = 1e-3;

/// How a free number, 0 at the start, makes a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Scale {
    Line { at: f64, unit: f64 },
    Positive(f64),
    Proportion(f64),
}

impl Scale {
    fn parameter(self, free: f64) -> f64 {
        match self {
            Self::Line { at, unit } => at + unit * free,
            Self::Positive(at) => at * free.exp(),
            Self::Proportion(at) => logistic(at + free),
        }
    }

    /// ∂ parameter / ∂ free, at this parameter.
    fn slope(self, parameter: f64) -> f64 {
        match self {
            Self::Line { unit, .. } => unit,
            Self::Positive(_) => parameter,
            Self::Proportion(_) => parameter * (1.0 - parameter),
        }
    }

    /// Where the parameter ends when the free number falls, or rises, for ever.
    const fn end(self, rises: bool) -> f64 {
        match (self, rises) {
            (Self::Line { .. }, false) => f64::NEG_INFINITY,
            (Self::Line { .. } | Self::Positive(_), true) => f64::INFINITY,
            (Self::Positive(_) | Self::Proportion(_), false) => 0.0,
            (Self::Proportion(_), true) => 1.0,
        }
    }
}

/// A parameter that is estimated.
#[derive(Debug, Clone, PartialEq)]
struct FreeParameter {
    index: usize,
    scale: Scale,
    prior: Option<AnyUnivariate>,
}

/// What is maximised: the log-likelihood, and the logarithm of the prior density where there is one.
#[derive(Debug, Clone)]
pub(super) struct Problem<'a, D> {
    sample: &'a Sample,
    /// All parameters; those that are estimated at their start.
    parameters: Vec<f64>,
    free: Vec<FreeParameter>,
    /// Whether anything but values counts, whose slopes are differences.
    is_limited: bool,
    distribution: PhantomData<D>,
}

impl<'a, D: Estimable> Problem<'a, D> {
    pub(super) fn new(sample: &'a Sample, options: &FitOptions) -> Result<Self, FitError> {
        let index = |name: &str| {
            let found = D::PARAMETERS.iter().position(|own| *own == name);
            found.ok_or_else(|| FitError::NoParameter { name: name.to_owned(), parameters: D::PARAMETERS })
        };
        let mut begin = D::begin(&sample.outline());
        for (name, value) in &options.known {
            begin[index(name)?] = FirstGuess::Fixed(*value);
        }
        let mut priors = vec![None; begin.len()];
        for (name, prior) in &options.priors {
            priors[index(name)?] = Some(prior.clone());
        }
        let (mut parameters, mut free) = (Vec::new(), Vec::new());
        let is_positive = |at: f64| at > 0.0 && at < f64::INFINITY;
        for (index, (begin, prior)) in begin.into_iter().zip(priors).enumerate() {
            let scale = match begin {
                FirstGuess::Fixed(_) if prior.is_some() => {
                    return Err(FitError::PriorOfKnown { parameter: D::PARAMETERS[index] });
                }
                FirstGuess::Fixed(value) => {
                    parameters.push(value);
                    continue;
                }
                FirstGuess::Wanted => return Err(FitError::Wanted { parameter: D::PARAMETERS[index] }),
                FirstGuess::Line { at, unit } => Scale::Line { at, unit },
                // A guess that is none: the search finds the way, or says that there is none.
                FirstGuess::Positive(at) => Scale::Positive(if is_positive(at) { at } else { 1.0 }),
                FirstGuess::Proportion(at) => {
                    Scale::Proportion(if at > 0.0 && at < 1.0 { logit(at) } else { 0.0 })
                }
            };
            parameters.push(scale.parameter(0.0));
            free.push(FreeParameter { index, scale, prior });
        }
        let is_value = |own: (Observation, f64)| matches!(own.0, Observation::At(_));
        let is_limited = sample.window().is_some()
            || free.iter().any(|own| own.prior.is_some())
            || !sample.observations().all(is_value);
        let own = Self { sample, parameters, free, is_limited, distribution: PhantomData };
        let start = D::from_parameters(&own.parameters)?;
        let impossible =
            |&(own, weight): &(Observation, f64)| weight > 0.0 && !ln_probability(&start, own).is_finite();
        match sample.observations().position(|own| impossible(&own)) {
            Some(index) => {
                Err(FitError::Observation { index, requirement: "a value that the distribution has" })
            }
            None => Ok(own),
        }
    }

    /// The number of estimated parameters.
    pub(super) const fn dimension(&self) -> usize {
        self.free.len()
    }

    /// The place of a parameter among those that are estimated.
    pub(super) fn place(&self, parameter: usize) -> Option<usize> {
        self.free.iter().position(|own| own.index == parameter)
    }

    pub(super) fn name(&self, place: usize) -> &'static str {
        D::PARAMETERS[self.free[place].index]
    }

    pub(super) fn sample(&self) -> &'a Sample {
        self.sample
    }

    /// The parameters at a point of free numbers.
    pub(super) fn parameters(&self, point: &[f64]) -> Vec<f64> {
        let mut parameters = self.parameters.clone();
        self.free
            .iter()
            .zip(point)
            .for_each(|(own, &free)| parameters[own.index] = own.scale.parameter(free));
        parameters
    }

    /// One parameter at a free number, which may be infinite.
    pub(super) fn parameter(&self, place: usize, free: f64) -> f64 {
        let scale = self.free[place].scale;
        if free.is_infinite() { scale.end(free > 0.0) } else { scale.parameter(free) }
    }

    /// ∂ parameter / ∂ free number, of one.
    pub(super) fn slope(&self, place: usize, point: &[f64]) -> f64 {
        let scale = self.free[place].scale;
        scale.slope(scale.parameter(point[place]))
    }

    pub(super) fn distribution(&self, point: &[f64]) -> Option<D> {
        D::from_parameters(&self.parameters(point)).ok()
    }

    /// The log-likelihood alone.
    pub(super) fn ln_likelihood(&self, distribution: &D) -> f64 {
        let values: f64 = self
            .sample
            .observations()
            .map(|(own, weight)| times(weight, ln_probability(distribution, own)))
            .sum();
        values - self.ln_window(distribution)
    }

    /// The logarithm of the prior density.
    fn ln_prior(&self, point: &[f64]) -> f64 {
        let of_one = |(own, &free): (&FreeParameter, &f64)| {
            own.prior.as_ref().map_or(0.0, |prior| prior.ln_pdf(&own.scale.parameter(free)))
        };
        self.free.iter().zip(point).map(of_one).sum()
    }

    /// The number of observations times the logarithm of the probability that one is seen.
    fn ln_window(&self, distribution: &D) -> f64 {
        self.sample.window().map_or(0.0, |(low, high)| {
            // Below a whole number end the numbers up to the one before it.
            let low = if D::Point::DISCRETE { low.ceil() - 1.0 } else { low };
            self.sample.count() * ln_between(distribution, low, high)
        })
    }

    /// What is maximised; NaN where there is no distribution.
    pub(super) fn value(&self, point: &[f64]) -> f64 {
        self.distribution(point).map_or(f64::NAN, |own| self.ln_likelihood(&own) + self.ln_prior(point))
    }

    /// The part of it that has no slopes of its own: limits, what could be seen, priors.
    fn limited(&self, point: &[f64]) -> f64 {
        let Some(distribution) = self.distribution(point) else { return f64::NAN };
        let of_one = |(own, weight): (Observation, f64)| match own {
            Observation::At(_) => 0.0,
            other => times(weight, ln_probability(&distribution, other)),
        };
        let limits: f64 = self.sample.observations().map(of_one).sum();
        limits - self.ln_window(&distribution) + self.ln_prior(point)
    }

    /// The value and its slopes.
    pub(super) fn value_and_slopes(&self, point: &[f64], slopes: &mut [f64]) -> f64 {
        slopes.fill(0.0);
        let Some(distribution) = self.distribution(point) else { return f64::NAN };
        let mut value = 0.0;
        for (own, weight) in self.sample.observations() {
            let Observation::At(x) = own else { continue };
            let Some(at) = D::Point::at(x).filter(|_| weight > 0.0) else { continue };
            value += weight * distribution.ln_pdf(&at);
            let scores = distribution.parameter_gradient(&at);
            for (slope, free) in slopes.iter_mut().zip(&self.free) {
                *slope += weight * scores.as_ref()[free.index];
            }
        }
        for (place, slope) in slopes.iter_mut().enumerate() {
            *slope *= self.slope(place, point);
        }
        if self.is_limited {
            value += self.limited(point);
            for (place, slope) in slopes.iter_mut().enumerate() {
                *slope += difference(point, place, |at| self.limited(at));
            }
        }
        value
    }

    /// The maximum over the free numbers whose places are not held, from a point on.
    pub(super) fn climb(&self, start: &[f64], held: Option<usize>) -> Option<(Vec<f64>, f64)> {
        let count = self.sample.count();
        let mut full = start.to_vec();
        let mut slopes = vec![0.0; start.len()];
        let places: Vec<usize> = (0..start.len()).filter(|place| Some(*place) != held).collect();
        let spread = |point: &[f64], full: &mut Vec<f64>| {
            places.iter().zip(point).for_each(|(&place, free)| full[place] = *free);
        };
        let objective = |point: &[f64], gradient: &mut [f64]| {
            spread(point, &mut full);
            let value = self.value_and_slopes(&full, &mut slopes);
            gradient.iter_mut().zip(&places).for_each(|(own, &place)| *own = -slopes[place] / count);
            -value / count
        };
        let first: Vec<f64> = places.iter().map(|&place| start[place]).collect();
        let options = LbfgsOptions { gradient_tolerance: 1e-10, ..LbfgsOptions::default() };
        let found = minimize(objective, &first, &options, &mut Silent);
        // A search that no step can better is at the top, as far as the digits go.
        let mut top = start.to_vec();
        places.iter().zip(&found.model.point).for_each(|(&place, free)| top[place] = *free);
        let value = self.value(&top);
        value.is_finite().then_some((top, value))
    }

    /// Minus the second derivatives at a point, a row after the other.
    pub(super) fn curvature(&self, point: &[f64]) -> Vec<f64> {
        let n = self.dimension();
        let mut curvature = vec![0.0; n * n];
        let mut slopes = vec![0.0; n];
        for row in 0..n {
            for column in 0..n {
                curvature[row * n + column] = -difference(point, row, |at| {
                    self.value_and_slopes(at, &mut slopes);
                    slopes[column]
                });
            }
        }
        curvature
    }
}

/// The solution of a small positive definite system.
pub(super) fn solve(matrix: &[f64], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let product = |v: &[f64], product: &mut [f64]| {
        for (own, row) in product.iter_mut().zip(matrix.chunks_exact(n)) {
            *own = posterior_math::vector::dot(row, v);
        }
    };
    conjugate_gradients(product, right, &LinearOptions::default(), &mut Silent).model.point
}

/// The slope of `f` along a coordinate, to the fourth order of the step.
fn difference(point: &[f64], place: usize, mut f: impl FnMut(&[f64]) -> f64) -> f64 {
    let mut at = point.to_vec();
    let mut beside = |steps: f64| {
        at[place] = point[place] + steps * STEP;
        f(&at)
    };
    let near = beside(1.0) - beside(-1.0);
    let far = beside(2.0) - beside(-2.0);
    (8.0 * near - far) / (12.0 * STEP)
}

/// A weight of 0 leaves out what is impossible, too.
fn times(weight: f64, ln_probability: f64) -> f64 {
    if weight == 0.0 { 0.0 } else { weight * ln_probability }
}

/// The logarithm of the density of a value, or of the probability of what is known of it.
fn ln_probability<D: Estimable>(distribution: &D, own: Observation) -> f64 {
    match own {
        Observation::At(x) => D::Point::at(x).map_or(f64::NEG_INFINITY, |at| distribution.ln_pdf(&at)),
        Observation::AtMost(x) => distribution.ln_cdf(x),
        Observation::Above(x) => distribution.ln_sf(x),
        Observation::Within(low, high) => ln_between(distribution, low, high),
    }
}

/// ln P(low < X ≤ high), by the tail in which it keeps its digits.
fn ln_between<D: Estimable>(distribution: &D, low: f64, high: f64) -> f64 {
    if distribution.cdf(low) < 0.5 {
        ln_diff_exp(distribution.ln_cdf(high), distribution.ln_cdf(low))
    } else {
        ln_diff_exp(distribution.ln_sf(low), distribution.ln_sf(high))
    }
}
