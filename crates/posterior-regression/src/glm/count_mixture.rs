//! A count whose mean is known only so well.

use posterior_dist::{Density as _, NegativeBinomial, Univariate as _};
use posterior_math::check::{self, ParamError};
use posterior_math::log_space::{ln_sum_exp, x_ln_y};
use posterior_math::special::{gamma_q, ln_gamma};

use super::posterior::Predictor;

/// Standard deviations of the predictor to either side that are summed over.
const REACH: f64 = 8.0;

/// Bounds of the step between them. A step of 1/100 is a probability of 0.004 at most, however little a rate
/// says of its count.
const STEPS: [f64; 2] = [0.01, 0.25];

/// A count is not searched for beyond this number.
const LARGEST: f64 = 9e15;

/// The predictive distribution of a count: a mixture of Poisson distributions, or of negative binomial ones,
/// over what is not known of the rate.
///
/// ```
/// use posterior_regression::glm::{CountMixture, Predictor};
///
/// // A rate of 3 that is known within a factor of two or so.
/// let count = CountMixture::of_predictor(&Predictor { mean: 3_f64.ln(), variance: 0.25 });
/// assert!((count.mean() - 3.0 * 0.125_f64.exp()).abs() < 1e-12);
/// assert_eq!((count.quantile(0.05), count.quantile(0.95)), (0.0, 8.0));
/// // Var n = E λ + Var λ, but for what is beyond 8 standard deviations: 7 of what makes the mean square.
/// assert!((count.sd().powi(2) - count.mean() * (1.0 + count.mean() * 0.25_f64.exp_m1())).abs() < 1e-10);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CountMixture {
    /// Rates and their weights, which add up to 1.
    rates: Vec<(f64, f64)>,
    /// θ of negative binomial counts.
    size: Option<f64>,
}

impl CountMixture {
    /// Of a rate e^η with a normal distribution of η: summed by the trapezoidal rule, with steps below the
    /// width of a Poisson distribution.
    pub fn of_predictor(predictor: &Predictor) -> Self {
        let sd = predictor.variance.max(0.0).sqrt();
        // The width of a Poisson distribution of rate λ on the scale of η is λ^(-1/2).
        let width = (-0.5 * (predictor.mean + 2.0 * sd)).exp() / sd;
        let step = if sd > 0.0 { (0.5 * width).clamp(STEPS[0], STEPS[1]) } else { 2.0 * REACH };
        let count = (REACH / step).floor() as i32;
        let at = |place: i32| {
            let z = step * f64::from(place);
            ((predictor.mean + sd * z).exp(), (-0.5 * z * z).exp())
        };
        Self::of_rates((-count..=count).map(at).collect())
    }

    /// Of rates with weights, in any order and of any sum: draws of the posterior, for instance.
    pub fn of_rates(mut rates: Vec<(f64, f64)>) -> Self {
        let sum: f64 = rates.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in &mut rates {
            *weight /= sum;
        }
        Self { rates, size: None }
    }

    /// The same means of negative binomial counts of size θ, whose variance is μ + μ²/θ.
    ///
    /// # Errors
    /// A size that is not positive and finite.
    pub fn with_size(self, size: f64) -> Result<Self, ParamError> {
        check::positive("CountMixture", "size", size)?;
        Ok(Self { size: Some(size), ..self })
    }

    /// A component of negative binomial counts; none if they are Poisson's, also of a mean that is zero or so
    /// large that there is no such distribution.
    fn sized(&self, mean: f64) -> Option<NegativeBinomial> {
        NegativeBinomial::mean_dispersion(mean, self.size?).ok()
    }

    /// The mean count, which is the mean rate.
    pub fn mean(&self) -> f64 {
        self.rates.iter().map(|(rate, weight)| rate * weight).sum()
    }

    /// The standard deviation of a count: that of the rate, and that of a count of known rate. Of a
    /// [predictor](Self::of_predictor), of which 8 standard deviations are summed over, it has 11 digits up
    /// to a variance of 0.25, 4 at 4, and none at 16.
    pub fn sd(&self) -> f64 {
        let mean = self.mean();
        let excess = self.size.map_or(0.0, f64::recip);
        let term =
            |(rate, weight): &(f64, f64)| weight * (rate + excess * rate * rate + (rate - mean).powi(2));
        self.rates.iter().map(term).sum::<f64>().sqrt()
    }

    /// The logarithm of the probability of a count; -∞ where it is none.
    pub fn ln_pmf(&self, count: f64) -> f64 {
        if count < 0.0 || count.fract() != 0.0 {
            return f64::NEG_INFINITY;
        }
        let ln_factorial = ln_gamma(count + 1.0);
        let term = |(rate, weight): &(f64, f64)| {
            weight.ln()
                + match self.sized(*rate) {
                    // Counts beyond 2^64 have no probability that is a number.
                    Some(own) => own.ln_pdf(&(count as u64)) + ln_factorial,
                    None => x_ln_y(count, *rate) - rate,
                }
        };
        ln_sum_exp(&self.rates.iter().map(term).collect::<Vec<_>>()) - ln_factorial
    }

    /// The probability of at most `count`.
    pub fn cdf(&self, count: f64) -> f64 {
        if count < 0.0 {
            return 0.0;
        }
        let term = |(rate, weight): &(f64, f64)| {
            weight
                * match self.sized(*rate) {
                    Some(own) => own.cdf(count),
                    None => gamma_q(count.floor() + 1.0, *rate),
                }
        };
        self.rates.iter().map(term).sum()
    }

    /// The least count k with P(count ≤ k) ≥ p; infinite beyond 9·10¹⁵. Costs the number of rates times the
    /// logarithm of k.
    pub fn quantile(&self, p: f64) -> f64 {
        let mut high = 0.0;
        while self.cdf(high) < p {
            high = 2.0 * high + 1.0;
            if high > LARGEST {
                return f64::INFINITY;
            }
        }
        // P(count ≤ low) < p ≤ P(count ≤ high).
        let mut low = if high == 0.0 { -1.0 } else { 0.5 * (high - 1.0) };
        while high - low > 1.0 {
            let middle = (0.5 * (low + high)).floor();
            if self.cdf(middle) < p { low = middle } else { high = middle }
        }
        high
    }
}
