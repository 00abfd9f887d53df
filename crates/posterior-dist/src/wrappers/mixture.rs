//! Finite mixture: one of several distributions, chosen by a categorical distribution.

use posterior_math::log_space::LnSumExp;

use crate::discrete::Categorical;
use crate::inversion::{from_end_to_end, invert_cdf, invert_sf};
use crate::prelude::*;
use crate::wrappers::mixed_moments::MixedMoments;

/// The distribution of X ~ component k, with k drawn by the weights.
///
/// # Density
/// p(x) = Σ_k w_k p_k(x)
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | w | `weights` | a [`Categorical`] distribution on the components |
/// | p_k | `components` | as many distributions of one type |
///
/// # Moments
/// mean m = Σ w_k m_k, variance Σ w_k (v_k + (m_k - m)²), and in the same way the third and the fourth; of
/// vectors too
///
/// # Numerics
/// Densities and tails are added up in log space, those of weight 0 left out, so that a point at which one
/// component is infinitely unlikely, or all are beyond the range of f64, has its log-density. Quantiles lie
/// between those of the components, and are found there by [`invert_cdf`], to the last bit of the
/// distribution function. A weight that is below the least number of f64 is in the log-density by its
/// logarithm; tails and quantiles leave it out.
///
/// # Example
/// ```
/// use posterior_dist::{Exponential, Mixture, Moments, Univariate};
///
/// // Most calls are short.
/// let components = vec![Exponential::new(1.0)?, Exponential::new(0.1)?];
/// let calls = Mixture::from_weights(&[3.0, 1.0], components)?;
/// assert!((calls.mean().unwrap_or(f64::NAN) - 3.25).abs() < 1e-15);
/// assert!((calls.cdf(calls.quantile(0.9)) - 0.9).abs() < 1e-15);
///
/// // Which kind was a call of 8 minutes?
/// let kind = calls.responsibilities(&8.0)?;
/// assert!(kind.probabilities()[1] > 0.95);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Mixture<D> {
    weights: Categorical,
    components: Vec<D>,
    /// The sum of the weights as rounding has it, so that tails end at 1 exactly.
    total: f64,
}

impl<D> Mixture<D> {
    /// Component k with the probability of category k.
    ///
    /// # Errors
    /// If there are not as many components as categories.
    pub fn new(weights: Categorical, components: Vec<D>) -> Result<Self, ParamError> {
        let as_many = components.len() == weights.categories();
        let count = components.len() as f64;
        check::require(as_many, "Mixture", "number of components", count, "that of the weights")?;
        let total = weights.probabilities().iter().sum();
        Ok(Self { weights, components, total })
    }

    /// Component k with a probability proportional to weight k.
    ///
    /// # Errors
    /// As [`Categorical::from_weights`], or if there are not as many components as weights.
    pub fn from_weights(weights: &[f64], components: Vec<D>) -> Result<Self, ParamError> {
        Self::new(Categorical::from_weights(weights)?, components)
    }

    /// The weights w.
    pub const fn weights(&self) -> &Categorical {
        &self.weights
    }

    /// The components.
    pub fn components(&self) -> &[D] {
        &self.components
    }

    /// The components that can be drawn, with the weight.
    fn possible(&self) -> impl Iterator<Item = (f64, &D)> {
        let weights = self.weights.probabilities().iter().copied();
        weights.zip(&self.components).filter(|(weight, _)| *weight > 0.0)
    }

    /// ln Σ w_k exp(f(component k)).
    fn ln_sum(&self, f: impl Fn(&D) -> f64) -> f64 {
        let weights = self.weights.ln_probabilities().iter().zip(&self.components);
        let possible = weights.filter(|(ln_weight, _)| **ln_weight > f64::NEG_INFINITY);
        possible.map(|(ln_weight, component)| ln_weight + f(component)).collect::<LnSumExp>().value()
    }

    /// Σ w_k f(component k).
    fn average(&self, f: impl Fn(&D) -> f64) -> f64 {
        self.possible().map(|(weight, component)| weight * f(component)).sum::<f64>() / self.total
    }

    /// The least and the largest of f(component k).
    fn range(&self, f: impl Fn(&D) -> f64) -> (f64, f64) {
        let start = (f64::INFINITY, f64::NEG_INFINITY);
        self.possible().map(|(_, component)| f(component)).fold(start, |(a, b), x| (a.min(x), b.max(x)))
    }
}

impl<D: Density> Mixture<D> {
    /// The distribution of the component that x came from: w_k p_k(x) / p(x).
    ///
    /// # Errors
    /// If p(x) is 0, infinite or NaN.
    pub fn responsibilities(&self, x: &D::Point) -> Result<Categorical, ParamError> {
        let ln_weights = self.weights.ln_probabilities();
        let joint = |(&ln_weight, component): (&f64, &D)| {
            if ln_weight == f64::NEG_INFINITY { ln_weight } else { ln_weight + component.ln_pdf(x) }
        };
        Categorical::from_ln_weights(&ln_weights.iter().zip(&self.components).map(joint).collect::<Vec<_>>())
    }
}

impl<D: Density> Density for Mixture<D> {
    type Point = D::Point;

    fn ln_pdf(&self, x: &D::Point) -> f64 {
        self.ln_sum(|component| component.ln_pdf(x))
    }
}

impl<D: PointGradient<Point = f64>> PointGradient for Mixture<D> {
    fn point_gradient(&self, x: &f64) -> f64 {
        let ln_pdf = self.ln_pdf(x);
        if !ln_pdf.is_finite() {
            return f64::NAN;
        }
        let term = |(&ln_weight, component): (&f64, &D)| {
            let proportion = (ln_weight + component.ln_pdf(x) - ln_pdf).exp();
            if proportion == 0.0 { 0.0 } else { proportion * component.point_gradient(x) }
        };
        self.weights.ln_probabilities().iter().zip(&self.components).map(term).sum()
    }
}

impl<D: Univariate> Univariate for Mixture<D> {
    fn cdf(&self, x: f64) -> f64 {
        self.average(|component| component.cdf(x))
    }

    fn sf(&self, x: f64) -> f64 {
        self.average(|component| component.sf(x))
    }

    fn quantile(&self, p: f64) -> f64 {
        let (low, high) = self.range(|component| component.quantile(p));
        from_end_to_end(p, [low, high], || invert_cdf(|x| self.cdf(x), p, low, high))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        let (low, high) = self.range(|component| component.upper_quantile(q));
        from_end_to_end(q, [high, low], || invert_sf(|x| self.sf(x), q, low, high))
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        let upper = self.sf(x);
        if upper < 0.5 { (-upper).ln_1p() } else { self.ln_sum(|component| component.ln_cdf(x)) }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        let lower = self.cdf(x);
        if lower < 0.5 { (-lower).ln_1p() } else { self.ln_sum(|component| component.ln_sf(x)) }
    }
}

impl<M: MixedMoments, D: Moments<M, M::Variance>> Moments<M, M::Variance> for Mixture<D> {
    fn mean(&self) -> Option<M> {
        let means: Option<Vec<_>> = self
            .possible()
            .map(|(weight, distribution)| Some((weight / self.total, distribution.mean()?)))
            .collect();
        M::mixed_mean(&means?)
    }

    fn variance(&self) -> Option<M::Variance> {
        let parts: Option<Vec<_>> = self
            .possible()
            .map(|(weight, distribution)| {
                Some((weight / self.total, distribution.mean()?, distribution.variance()?))
            })
            .collect();
        M::mixed_variance(&parts?, &self.mean()?)
    }
}

impl<D: Shape + Moments> Mixture<D> {
    /// E ((X - m)/s)³ and E ((X - m)/s)⁴ for the deviation s, from the central moments of the components and
    /// the distances of their means.
    fn standard_moments(&self) -> Option<(f64, f64)> {
        let (mean, deviation) = (self.mean()?, self.variance().filter(|v| v.is_finite())?.sqrt());
        let (mut third, mut fourth) = (0.0, 0.0);
        for (weight, distribution) in self.possible() {
            let (d, s) =
                ((distribution.mean()? - mean) / deviation, distribution.variance()?.sqrt() / deviation);
            // A component without spread has no shape, and needs none.
            let (skewness, excess) = if s == 0.0 {
                (0.0, 0.0)
            } else {
                (distribution.skewness()?, distribution.excess_kurtosis()?)
            };
            // The squares times the weight are parts of 1, while the fourth powers may be beyond f64.
            let [within, between] = [s * s, d * d].map(|square| weight / self.total * square);
            third += within * (s * skewness + 3.0 * d) + between * d;
            fourth +=
                within * ((excess + 3.0) * s * s + 4.0 * d * s * skewness + 6.0 * d * d) + between * d * d;
        }
        Some((third, fourth))
    }
}

impl<D: Shape + Moments> Shape for Mixture<D> {
    fn skewness(&self) -> Option<f64> {
        self.standard_moments().map(|(third, _)| third).filter(|third| !third.is_nan())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        self.standard_moments().map(|(_, fourth)| fourth - 3.0).filter(|excess| !excess.is_nan())
    }
}

impl<T, D: Distribution<T>> Distribution<T> for Mixture<D> {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> T {
        self.components[self.weights.sample(rng)].sample(rng)
    }
}
