//! A mixture of Student t distributions with common degrees of freedom.

use posterior_dist::{Density as _, StudentT, Univariate as _};
use posterior_math::check::{self, ParamError};
use posterior_math::log_space::ln_sum_exp;
use posterior_math::special::{LN_TAU, normal_cdf, normal_quantile};

/// Steps of a search; bisection alone needs fewer.
const STEPS: usize = 200;

/// Newton's step, in scales, after which the error is rounding.
const SQUARE_IS_ROUNDING: f64 = 1e-8;

/// A number whose distribution is a mixture of Student t distributions, or of normal ones.
///
/// ```
/// use posterior_regression::linear::StudentMixture;
///
/// let mixture = StudentMixture::new(5.0, vec![(0.5, 0.0, 1.0), (0.5, 4.0, 1.0)])?;
/// assert!((mixture.mean() - 2.0).abs() < 1e-15);
/// assert!((mixture.quantile(0.5) - 2.0).abs() < 1e-12);
/// assert!((mixture.cdf(mixture.quantile(0.05)) - 0.05).abs() < 1e-12);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct StudentMixture {
    degrees_of_freedom: f64,
    /// Weight, location, scale.
    components: Vec<(f64, f64, f64)>,
    standard: Option<StudentT>,
}

impl StudentMixture {
    /// Degrees of freedom, infinite for normal distributions, and components by weight,
    /// location and scale. Weights need not add up to 1.
    ///
    /// # Errors
    /// Degrees of freedom that are not positive; no component; a location that is not
    /// finite, a scale that is not positive and finite; a negative weight, or none that is positive.
    pub fn new(degrees_of_freedom: f64, mut components: Vec<(f64, f64, f64)>) -> Result<Self, ParamError> {
        const NAME: &str = "StudentMixture";
        let standard = if degrees_of_freedom == f64::INFINITY {
            None
        } else {
            Some(StudentT::standard(degrees_of_freedom)?)
        };
        let sum: f64 = components.iter().map(|(weight, ..)| weight).sum();
        check::positive(NAME, "sum of the weights", sum)?;
        for (index, (weight, location, scale)) in components.iter_mut().enumerate() {
            check::non_negative(NAME, "weight", *weight).map_err(|error| error.at(index))?;
            check::finite(NAME, "location", *location).map_err(|error| error.at(index))?;
            check::positive(NAME, "scale", *scale).map_err(|error| error.at(index))?;
            *weight /= sum;
        }
        Ok(Self { degrees_of_freedom, components, standard })
    }

    /// The distribution of the number plus another one.
    #[must_use]
    pub fn shifted(mut self, by: f64) -> Self {
        self.components.iter_mut().for_each(|(_, location, _)| *location += by);
        self
    }

    /// The mean: the location of every component has its weight, also where there is no mean (one degree of
    /// freedom or less).
    pub fn mean(&self) -> f64 {
        self.components.iter().map(|(weight, location, _)| weight * location).sum()
    }

    /// The standard deviation; infinite up to two degrees of freedom.
    pub fn sd(&self) -> f64 {
        if self.degrees_of_freedom <= 2.0 {
            return f64::INFINITY;
        }
        let mean = self.mean();
        let ratio = if self.degrees_of_freedom.is_finite() {
            self.degrees_of_freedom / (self.degrees_of_freedom - 2.0)
        } else {
            1.0
        };
        let term = |&(weight, location, scale): &(f64, f64, f64)| {
            weight * (ratio * scale * scale + (location - mean).powi(2))
        };
        self.components.iter().map(term).sum::<f64>().sqrt()
    }

    /// P(x' ≤ x).
    pub fn cdf(&self, x: f64) -> f64 {
        let of =
            |z: f64| self.standard.as_ref().map_or_else(|| normal_cdf(z), |distribution| distribution.cdf(z));
        self.components.iter().map(|&(weight, location, scale)| weight * of((x - location) / scale)).sum()
    }

    /// ln of the density.
    pub fn ln_pdf(&self, x: f64) -> f64 {
        let of = |z: f64| {
            self.standard.as_ref().map_or(-0.5 * (z * z + LN_TAU), |distribution| distribution.ln_pdf(&z))
        };
        let term = |&(weight, location, scale): &(f64, f64, f64)| {
            weight.ln() + of((x - location) / scale) - scale.ln()
        };
        ln_sum_exp(&self.components.iter().map(term).collect::<Vec<_>>())
    }

    /// The quantile of p in (0, 1), by Newton's steps between those of the components: to a few times 10⁻¹⁴
    /// of the largest scale. Costs some ten times as many distribution functions as there are components.
    pub fn quantile(&self, p: f64) -> f64 {
        let z = self
            .standard
            .as_ref()
            .map_or_else(|| normal_quantile(p), |distribution| distribution.quantile(p));
        let ends = self.components.iter().map(|(_, location, scale)| location + scale * z);
        let (mut low, mut high) =
            ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| (low.min(end), high.max(end)));
        let least = self.components.iter().fold(f64::INFINITY, |least, (_, _, scale)| least.min(*scale));
        let mut x = self.mean() + z * self.components.iter().map(|(w, _, scale)| w * scale).sum::<f64>();
        for _ in 0..STEPS {
            if !(x > low && x < high) {
                x = 0.5 * (low + high);
            }
            let excess = self.cdf(x) - p;
            if excess == 0.0 || high - low <= 4.0 * f64::EPSILON * low.abs().max(high.abs()) {
                break;
            }
            if excess > 0.0 {
                high = x;
            } else {
                low = x;
            }
            let step = excess / self.pdf(x);
            // What is left after such a step is its square.
            let last = step.abs() <= (SQUARE_IS_ROUNDING * least).max(1e-14 * (high - low).max(x.abs()));
            if last && step.is_finite() {
                return (x - step).clamp(low, high);
            }
            x -= step;
        }
        x
    }

    fn pdf(&self, x: f64) -> f64 {
        let of = |z: f64| match &self.standard {
            Some(distribution) => distribution.ln_pdf(&z).exp(),
            None => (-0.5 * (z * z + LN_TAU)).exp(),
        };
        self.components
            .iter()
            .map(|&(weight, location, scale)| weight * of((x - location) / scale) / scale)
            .sum()
    }
}
