//! Priors of the mean of a normal distribution, alone and with its variance or precision.

use posterior_math::special::{HALF_LN_TAU, LN_TAU};

use super::{Conjugate, ExpectedDensity};
use crate::continuous::{Normal, NormalKnownVariance, StudentT, ln_1p_square};
use crate::multivariate::{NormalGamma, NormalInverseGamma};
use crate::prelude::*;

impl Conjugate<Normal> for NormalKnownVariance {
    type Predictive = Normal;

    /// The precisions 1/s² of the prior and n/σ² of the data add, and weigh the prior's mean and that of the
    /// data.
    fn posterior(prior: &Normal, stats: &Stats<Self>) -> Result<Normal, ParamError> {
        let error = noise(*stats.fixed())?;
        let seen = stats.summary();
        if stats.weight() == 0.0 {
            return Ok(*prior);
        }
        let root_precision = stats.weight().sqrt() / error;
        let sd = prior.sd().recip().hypot(root_precision).recip();
        // Of the data in the mean; between the two means without the overflow of their precisions.
        let proportion = (sd * root_precision).powi(2);
        let center = center(prior);
        Normal::mean_sd(center + proportion * (seen.mean() - center), sd)
    }

    /// The normal distribution with the mean of the prior and both variances.
    fn predictive(prior: &Normal, &variance: &f64) -> Result<Normal, ParamError> {
        Normal::mean_sd(center(prior), prior.sd().hypot(noise(variance)?))
    }

    /// -n/2 ln 2πσ² - Σ (xᵢ - x̄)²/(2σ²) - ½ ln(1 + n s²/σ²) - ½ (x̄ - m)²/(s² + σ²/n).
    fn ln_evidence(prior: &Normal, stats: &Stats<Self>) -> Result<f64, ParamError> {
        let error = noise(*stats.fixed())?;
        let (seen, weight) = (stats.summary(), stats.weight());
        if weight == 0.0 {
            return Ok(0.0);
        }
        let noise_of_mean = error / weight.sqrt();
        let inside = 0.5 * (seen.sum_of_squares() / error / error);
        let distance = (seen.mean() - center(prior)) / prior.sd().hypot(noise_of_mean);
        let ratio = prior.sd() / noise_of_mean;
        let of_one = error.ln() + HALF_LN_TAU;
        Ok(-weight * of_one - inside - 0.5 * ln_1p_square(ratio) - 0.5 * distance * distance)
    }

    /// E w = m/σ² and E ln Z = (m² + s²)/(2σ²).
    fn expected_density(prior: &Normal, &variance: &f64) -> Result<ExpectedDensity<Self>, ParamError> {
        let error = noise(variance)?;
        let (mean, spread) = (center(prior) / error, prior.sd() / error);
        let natural = Natural::of(variance, vec![center(prior) / variance]);
        Ok(ExpectedDensity::new(natural, 0.5 * (mean * mean + spread * spread)))
    }

    fn most_probable(prior: &Normal, &variance: &f64) -> Result<Option<Self>, ParamError> {
        Self::new(center(prior), variance).map(Some)
    }

    fn draw<R: Rng + ?Sized>(prior: &Normal, &variance: &f64, rng: &mut R) -> Result<Self, ParamError> {
        Self::new(prior.sample(rng), variance)
    }
}

/// The known standard deviation.
fn noise(variance: f64) -> Result<f64, ParamError> {
    Ok(check::positive("NormalKnownVariance", "variance", variance)?.sqrt())
}

/// The mean of the prior.
fn center(prior: &Normal) -> f64 {
    prior.mean().unwrap_or(f64::NAN)
}

impl Conjugate<NormalInverseGamma> for Normal {
    type Predictive = StudentT;

    /// As [`NormalInverseGamma::updated`].
    fn posterior(prior: &NormalInverseGamma, stats: &Stats<Self>) -> Result<NormalInverseGamma, ParamError> {
        prior.updated(stats.summary())
    }

    /// t with 2 α degrees of freedom at μ₀, of scale √((κ + 1) β / (κ α)).
    fn predictive(prior: &NormalInverseGamma, (): &()) -> Result<StudentT, ParamError> {
        let [degrees_of_freedom, location, scale] = prior.predictive_parameters();
        StudentT::new(degrees_of_freedom, location, scale)
    }

    /// As [`NormalInverseGamma::ln_evidence`].
    fn ln_evidence(prior: &NormalInverseGamma, stats: &Stats<Self>) -> Result<f64, ParamError> {
        Ok(prior.ln_evidence(stats.summary()))
    }

    /// E τ μ = μ₀ α / β, E (-τ / 2) = -α / (2 β), and E ln Z = (ln 2π + E ln σ² + 1 / κ + μ₀² α / β) / 2.
    fn expected_density(prior: &NormalInverseGamma, (): &()) -> Result<ExpectedDensity<Self>, ParamError> {
        let precision = prior.shape() / prior.scale();
        let natural = Natural::of((), vec![prior.location() * precision, -0.5 * precision]);
        let expected_ln = prior.variance_distribution().expected_ln();
        let square = prior.location() * precision * prior.location();
        Ok(ExpectedDensity::new(natural, 0.5 * (LN_TAU + expected_ln + prior.kappa().recip() + square)))
    }

    fn most_probable(prior: &NormalInverseGamma, (): &()) -> Result<Option<Self>, ParamError> {
        prior.mode().map(|(mean, variance)| Self::mean_variance(mean, variance)).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &NormalInverseGamma, (): &(), rng: &mut R) -> Result<Self, ParamError> {
        let (mean, variance) = prior.sample(rng);
        Self::mean_variance(mean, variance)
    }
}

/// What data do does not depend on which of variance and precision is the coordinate: as the
/// normal-inverse-gamma prior with the same numbers. The mode does.
impl Conjugate<NormalGamma> for Normal {
    type Predictive = StudentT;

    fn posterior(prior: &NormalGamma, stats: &Stats<Self>) -> Result<NormalGamma, ParamError> {
        Self::posterior(&inverse(prior), stats).map(NormalGamma::from)
    }

    fn predictive(prior: &NormalGamma, (): &()) -> Result<StudentT, ParamError> {
        Self::predictive(&inverse(prior), &())
    }

    fn ln_evidence(prior: &NormalGamma, stats: &Stats<Self>) -> Result<f64, ParamError> {
        Self::ln_evidence(&inverse(prior), stats)
    }

    fn expected_density(prior: &NormalGamma, (): &()) -> Result<ExpectedDensity<Self>, ParamError> {
        Self::expected_density(&inverse(prior), &())
    }

    /// `None` up to α = 1/2, where the most probable precision is zero.
    fn most_probable(prior: &NormalGamma, (): &()) -> Result<Option<Self>, ParamError> {
        let positive = |&(_, precision): &(f64, f64)| precision > 0.0;
        let distribution = |(mean, precision)| Self::mean_precision(mean, precision);
        prior.mode().filter(positive).map(distribution).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &NormalGamma, (): &(), rng: &mut R) -> Result<Self, ParamError> {
        let (mean, precision) = prior.sample(rng);
        Self::mean_precision(mean, precision)
    }
}

fn inverse(prior: &NormalGamma) -> NormalInverseGamma {
    NormalInverseGamma::from(*prior)
}
