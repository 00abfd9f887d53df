//! Gamma prior of a rate (of Poisson, exponential and gamma distributions) and of a precision, and inverse
//! gamma prior of a variance.

use posterior_math::special::{HALF_LN_TAU, ln_pochhammer};

use super::{Conjugate, ExpectedDensity};
use crate::continuous::{
    BetaPrime, Exponential, Gamma, GammaKnownShape, InverseGamma, Lomax, NormalKnownMean, StudentT,
};
use crate::discrete::{NegativeBinomial, Poisson};
use crate::prelude::*;

impl Conjugate<Gamma> for Exponential {
    type Predictive = Lomax;

    /// Gamma(a + n, b + Σ x).
    fn posterior(prior: &Gamma, stats: &Stats<Self>) -> Result<Gamma, ParamError> {
        update(prior, stats.weight(), stats.sum()[0])
    }

    /// Lomax with shape a and scale b.
    fn predictive(prior: &Gamma, (): &()) -> Result<Lomax, ParamError> {
        Lomax::new(prior.shape(), prior.rate())
    }

    /// ln Γ(a + n) - ln Γ(a) + a ln b - (a + n) ln(b + Σ x).
    fn ln_evidence(prior: &Gamma, stats: &Stats<Self>) -> Result<f64, ParamError> {
        Ok(ln_evidence(prior, stats.weight(), stats.sum()[0])? + stats.ln_base())
    }

    /// E w = -a/b and E ln Z = -E ln λ.
    fn expected_density(prior: &Gamma, (): &()) -> Result<ExpectedDensity<Self>, ParamError> {
        let natural = Natural::of((), vec![-prior.shape() / prior.rate()]);
        Ok(ExpectedDensity::new(natural, -prior.expected_ln()))
    }

    /// `None` for a ≤ 1: the mode is no rate.
    fn most_probable(prior: &Gamma, (): &()) -> Result<Option<Self>, ParamError> {
        positive_mode(prior).map(Self::new).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &Gamma, (): &(), rng: &mut R) -> Result<Self, ParamError> {
        Self::new(prior.sample_ln(rng).exp())
    }
}

/// The rate of largest density, if it is positive.
fn positive_mode(prior: &Gamma) -> Option<f64> {
    prior.mode().filter(|&rate| rate > 0.0)
}

/// The distribution of a rate after `events` in the time `duration`.
fn update(prior: &Gamma, events: f64, duration: f64) -> Result<Gamma, ParamError> {
    check::non_negative("Stats", "sum", duration)?;
    Gamma::shape_rate(prior.shape() + events, prior.rate() + duration)
}

/// ln ∫ λⁿ e^(-λ t) p(λ) dλ for n events in the time t.
fn ln_evidence(prior: &Gamma, events: f64, duration: f64) -> Result<f64, ParamError> {
    check::non_negative("Stats", "sum", duration)?;
    let (shape, rate) = (prior.shape(), prior.rate());
    let growth = (duration / rate).ln_1p();
    Ok(ln_pochhammer(shape, events) - shape * growth - events * (rate + duration).ln())
}

impl Conjugate<Gamma> for Poisson {
    type Predictive = NegativeBinomial;

    /// Gamma(a + Σ k, b + n).
    fn posterior(prior: &Gamma, stats: &Stats<Self>) -> Result<Gamma, ParamError> {
        Gamma::shape_rate(prior.shape() + stats.sum()[0], prior.rate() + stats.weight())
    }

    /// Negative binomial with r = a and p = b/(b + 1).
    fn predictive(prior: &Gamma, (): &()) -> Result<NegativeBinomial, ParamError> {
        let (rate, whole) = (prior.rate(), prior.rate() + 1.0);
        NegativeBinomial::with_failure(prior.shape(), rate / whole, whole.recip())
    }

    /// ln Γ(a + Σ k)/Γ(a) - Σ k ln(b + n) - a ln(1 + n/b) - Σ ln k!.
    fn ln_evidence(prior: &Gamma, stats: &Stats<Self>) -> Result<f64, ParamError> {
        let (n, sum) = (stats.weight(), check::non_negative("Stats", "sum", stats.sum()[0])?);
        let growth = n / prior.rate();
        let ln_growth =
            if growth < f64::INFINITY { growth.ln_1p() } else { (prior.rate() + n).ln() - prior.rate().ln() };
        let ln_rate = if sum > 0.0 { sum * (prior.rate() + n).ln() } else { 0.0 };
        Ok(ln_pochhammer(prior.shape(), sum) - ln_rate - prior.shape() * ln_growth + stats.ln_base())
    }

    /// E ln λ, and E λ = a/b.
    fn expected_density(prior: &Gamma, (): &()) -> Result<ExpectedDensity<Self>, ParamError> {
        Ok(ExpectedDensity::new(Natural::of((), vec![prior.expected_ln()]), prior.shape() / prior.rate()))
    }

    fn most_probable(prior: &Gamma, (): &()) -> Result<Option<Self>, ParamError> {
        prior.mode().map(Self::new).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &Gamma, (): &(), rng: &mut R) -> Result<Self, ParamError> {
        Self::new(prior.sample(rng))
    }
}

impl Conjugate<Gamma> for GammaKnownShape {
    type Predictive = BetaPrime;

    /// Gamma(a + n k, b + Σ x) for the known shape k.
    fn posterior(prior: &Gamma, stats: &Stats<Self>) -> Result<Gamma, ParamError> {
        update(prior, stats.weight() * stats.fixed(), stats.sum()[0])
    }

    /// The beta prime distribution with α = k, β = a and the scale b.
    fn predictive(prior: &Gamma, &shape: &f64) -> Result<BetaPrime, ParamError> {
        BetaPrime::new(shape, prior.shape(), prior.rate())
    }

    /// Σ ln h(x) + ln Γ(a + n k) - ln Γ(a) + a ln b - (a + n k) ln(b + Σ x).
    fn ln_evidence(prior: &Gamma, stats: &Stats<Self>) -> Result<f64, ParamError> {
        Ok(ln_evidence(prior, stats.weight() * stats.fixed(), stats.sum()[0])? + stats.ln_base())
    }

    /// E w = -a/b and E ln Z = -k E ln λ.
    fn expected_density(prior: &Gamma, &shape: &f64) -> Result<ExpectedDensity<Self>, ParamError> {
        let natural = Natural::of(shape, vec![-prior.shape() / prior.rate()]);
        Ok(ExpectedDensity::new(natural, -shape * prior.expected_ln()))
    }

    /// `None` for a ≤ 1: the mode is no rate.
    fn most_probable(prior: &Gamma, &shape: &f64) -> Result<Option<Self>, ParamError> {
        positive_mode(prior).map(|rate| Self::new(shape, rate)).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &Gamma, &shape: &f64, rng: &mut R) -> Result<Self, ParamError> {
        Self::new(shape, prior.sample_ln(rng).exp())
    }
}

/// The precision τ = 1/σ² is the rate of half a point each, in the time Σ (x - μ)²/2.
impl Conjugate<Gamma> for NormalKnownMean {
    type Predictive = StudentT;

    /// Gamma(a + n/2, b + Σ (x - μ)²/2).
    fn posterior(prior: &Gamma, stats: &Stats<Self>) -> Result<Gamma, ParamError> {
        update(prior, 0.5 * stats.weight(), 0.5 * stats.sum()[0])
    }

    /// Student's t with 2a degrees of freedom, location μ and squared scale b/a.
    fn predictive(prior: &Gamma, &mean: &f64) -> Result<StudentT, ParamError> {
        StudentT::new(2.0 * prior.shape(), mean, (prior.rate() / prior.shape()).sqrt())
    }

    /// ln Γ(a + n/2) - ln Γ(a) + a ln b - (a + n/2) ln(b + Σ (x - μ)²/2) - n/2 ln 2π.
    fn ln_evidence(prior: &Gamma, stats: &Stats<Self>) -> Result<f64, ParamError> {
        let of_precision = ln_evidence(prior, 0.5 * stats.weight(), 0.5 * stats.sum()[0])?;
        Ok(of_precision - stats.weight() * HALF_LN_TAU)
    }

    /// E w = -a/(2b) and E ln Z = ½ ln 2π - ½ E ln τ.
    fn expected_density(prior: &Gamma, &mean: &f64) -> Result<ExpectedDensity<Self>, ParamError> {
        let natural = Natural::of(mean, vec![-0.5 * (prior.shape() / prior.rate())]);
        Ok(ExpectedDensity::new(natural, HALF_LN_TAU - 0.5 * prior.expected_ln()))
    }

    /// At the most probable precision; `None` for a ≤ 1.
    fn most_probable(prior: &Gamma, &mean: &f64) -> Result<Option<Self>, ParamError> {
        positive_mode(prior).map(|precision| Self::new(mean, precision.recip())).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &Gamma, &mean: &f64, rng: &mut R) -> Result<Self, ParamError> {
        Self::new(mean, (-prior.sample_ln(rng)).exp())
    }
}

impl Conjugate<InverseGamma> for NormalKnownMean {
    type Predictive = StudentT;

    /// InverseGamma(a + n/2, b + Σ (x - μ)²/2).
    fn posterior(prior: &InverseGamma, stats: &Stats<Self>) -> Result<InverseGamma, ParamError> {
        let precision = Self::posterior(&prior.reciprocal(), stats)?;
        InverseGamma::new(precision.shape(), precision.rate())
    }

    /// Student's t with 2a degrees of freedom, location μ and squared scale b/a.
    fn predictive(prior: &InverseGamma, mean: &f64) -> Result<StudentT, ParamError> {
        Self::predictive(&prior.reciprocal(), mean)
    }

    /// That of the gamma prior of the precision, which is the same distribution of another variable.
    fn ln_evidence(prior: &InverseGamma, stats: &Stats<Self>) -> Result<f64, ParamError> {
        Self::ln_evidence(&prior.reciprocal(), stats)
    }

    /// E w = -a/(2b) and E ln Z = ½ ln 2π + ½ E ln σ².
    fn expected_density(prior: &InverseGamma, mean: &f64) -> Result<ExpectedDensity<Self>, ParamError> {
        Self::expected_density(&prior.reciprocal(), mean)
    }

    /// At the most probable variance, which is not the reciprocal of the most probable precision.
    fn most_probable(prior: &InverseGamma, &mean: &f64) -> Result<Option<Self>, ParamError> {
        prior.mode().map(|variance| Self::new(mean, variance)).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &InverseGamma, mean: &f64, rng: &mut R) -> Result<Self, ParamError> {
        Self::draw(&prior.reciprocal(), mean, rng)
    }
}
