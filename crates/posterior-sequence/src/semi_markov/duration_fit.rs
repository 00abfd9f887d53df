//! Durations that fit expected counts best.

use posterior_math::check::ParamError;
use posterior_math::log_space::softmax_in_place;
use posterior_math::optimize::{RootOptions, ScalarOptions, find_root, minimize_scalar};
use posterior_math::special::ln_gamma;

use super::durations::{DurationFamily, Durations};

/// The range of ln size of a negative binomial distribution: beyond, it cannot be distinguished from a
/// Poisson distribution.
const LN_SIZES: (f64, f64) = (-7.0, 12.0);

/// ln of the largest rate, and of the largest `stay` below 1.
const LN_LARGEST_RATE: f64 = 30.0;
const LN_LARGEST_STAY: f64 = -1e-9;

/// ln of the smallest of both that is looked at.
const LN_SMALLEST: f64 = -700.0;

impl Durations {
    /// The distribution of the same family to which these counts of durations 1, 2, … are most probable; the
    /// same distribution without counts.
    pub(super) fn fitted(&self, counts: &[f64]) -> Result<Self, ParamError> {
        let total: f64 = counts.iter().sum();
        if !(total > 0.0) {
            return Ok(self.clone());
        }
        let family = match self.family() {
            DurationFamily::Table => return Self::table(counts),
            DurationFamily::Poisson { .. } => DurationFamily::Poisson {
                rate: power_base(counts, &|n| -ln_gamma(n + 1.0), LN_LARGEST_RATE).exp(),
            },
            DurationFamily::NegativeBinomial { .. } => {
                let at = |ln_size: f64| {
                    let size = ln_size.exp();
                    let base = |n: f64| ln_gamma(n + size) - ln_gamma(size) - ln_gamma(n + 1.0);
                    let stay = power_base(counts, &base, LN_LARGEST_STAY).exp();
                    DurationFamily::NegativeBinomial { size, stay }
                };
                let loss = |ln_size: f64| match Self::in_family(at(ln_size), counts.len()) {
                    Ok(distribution) => -distribution.ln_likelihood(counts),
                    Err(_) => f64::INFINITY,
                };
                at(minimize_scalar(loss, LN_SIZES.0, LN_SIZES.1, &ScalarOptions::default()).point)
            }
        };
        let found = Self::in_family(family, counts.len())?;
        // The search has a tolerance: a distribution that is no better is not taken.
        Ok(if found.ln_likelihood(counts) >= self.ln_likelihood(counts) { found } else { self.clone() })
    }

    /// Σ n_d ln p(d).
    pub(super) fn ln_likelihood(&self, counts: &[f64]) -> f64 {
        let term = |(&count, &ln): (&f64, &f64)| if count == 0.0 { 0.0 } else { count * ln };
        counts.iter().zip(self.ln_probabilities()).map(term).sum()
    }
}

/// The w of p(n) ∝ exp(base(n) + n w), n = 0 to D - 1, that has the mean of these counts: its likelihood is
/// concave in w.
fn power_base(counts: &[f64], base: &dyn Fn(f64) -> f64, largest: f64) -> f64 {
    let total: f64 = counts.iter().sum();
    let mean = counts.iter().enumerate().map(|(n, count)| n as f64 * count).sum::<f64>() / total;
    let bases: Vec<f64> = (0..counts.len()).map(|n| base(n as f64)).collect();
    let mut weights = vec![0.0; counts.len()];
    let mut excess = |w: f64| {
        for (n, (weight, base)) in weights.iter_mut().zip(&bases).enumerate() {
            *weight = base + n as f64 * w;
        }
        softmax_in_place(&mut weights);
        weights.iter().enumerate().map(|(n, weight)| n as f64 * weight).sum::<f64>() - mean
    };
    if mean == 0.0 || excess(LN_SMALLEST) >= 0.0 {
        return f64::NEG_INFINITY;
    }
    if excess(largest) <= 0.0 {
        return largest;
    }
    find_root(excess, LN_SMALLEST, largest, &RootOptions::default()).point
}
