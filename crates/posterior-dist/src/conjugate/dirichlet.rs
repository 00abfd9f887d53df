//! Dirichlet prior of the probabilities of categorical and multinomial distributions.

use posterior_math::special::ln_pochhammer;

use super::{Conjugate, ExpectedDensity};
use crate::dirichlet::Dirichlet;
use crate::discrete::Categorical;
use crate::multivariate::{DirichletMultinomial, Multinomial, MultinomialSize};
use crate::prelude::*;

impl Conjugate<Dirichlet> for Categorical {
    type Predictive = Self;

    /// Dirichlet(α + n).
    fn posterior(prior: &Dirichlet, stats: &Stats<Self>) -> Result<Dirichlet, ParamError> {
        check_dimension(prior, *stats.fixed())?;
        updated(prior, stats.sum())
    }

    /// p_k = α_k / Σ α.
    fn predictive(prior: &Dirichlet, &categories: &usize) -> Result<Self, ParamError> {
        check_dimension(prior, categories)?;
        Self::from_weights(prior.concentration())
    }

    /// ln B(α + n) - ln B(α): of the sequence, without a coefficient.
    fn ln_evidence(prior: &Dirichlet, stats: &Stats<Self>) -> Result<f64, ParamError> {
        check_dimension(prior, *stats.fixed())?;
        Ok(ln_sequence(prior, stats.sum())? + stats.ln_base())
    }

    /// E ln p_k = ψ(α_k) - ψ(Σ α), and ln Z = 0 on the simplex.
    fn expected_density(prior: &Dirichlet, &categories: &usize) -> Result<ExpectedDensity<Self>, ParamError> {
        check_dimension(prior, categories)?;
        Ok(ExpectedDensity::new(Natural::of(categories, prior.expected_ln()), 0.0))
    }

    fn most_probable(prior: &Dirichlet, &categories: &usize) -> Result<Option<Self>, ParamError> {
        check_dimension(prior, categories)?;
        prior.mode().map(|mode| Self::from_weights(&mode)).transpose()
    }

    fn draw<R: Rng + ?Sized>(
        prior: &Dirichlet,
        &categories: &usize,
        rng: &mut R,
    ) -> Result<Self, ParamError> {
        check_dimension(prior, categories)?;
        Self::from_ln_weights(&prior.sample_ln(rng))
    }
}

fn check_dimension(prior: &Dirichlet, categories: usize) -> Result<(), ParamError> {
    let fits = categories == prior.concentration().len();
    check::require(fits, "Stats", "categories", categories as f64, "the dimension of the prior").map(drop)
}

impl Conjugate<Dirichlet> for Multinomial {
    type Predictive = DirichletMultinomial;

    /// Dirichlet(α + Σ x).
    fn posterior(prior: &Dirichlet, stats: &Stats<Self>) -> Result<Dirichlet, ParamError> {
        check_dimension(prior, stats.fixed().categories)?;
        updated(prior, stats.sum())
    }

    fn predictive(prior: &Dirichlet, fixed: &MultinomialSize) -> Result<DirichletMultinomial, ParamError> {
        check_dimension(prior, fixed.categories)?;
        Ok(DirichletMultinomial::new(fixed.trials, prior.clone()))
    }

    /// ln B(α + Σ x) - ln B(α) + Σ ln (n! / Π x_k!).
    fn ln_evidence(prior: &Dirichlet, stats: &Stats<Self>) -> Result<f64, ParamError> {
        check_dimension(prior, stats.fixed().categories)?;
        Ok(ln_sequence(prior, stats.sum())? + stats.ln_base())
    }

    /// E ln p_k = ψ(α_k) - ψ(Σ α), and ln Z = 0 on the simplex.
    fn expected_density(
        prior: &Dirichlet,
        fixed: &MultinomialSize,
    ) -> Result<ExpectedDensity<Self>, ParamError> {
        check_dimension(prior, fixed.categories)?;
        Ok(ExpectedDensity::new(Natural::of(*fixed, prior.expected_ln()), 0.0))
    }

    fn most_probable(prior: &Dirichlet, fixed: &MultinomialSize) -> Result<Option<Self>, ParamError> {
        check_dimension(prior, fixed.categories)?;
        let distribution = |mode: Vec<f64>| Ok(Self::new(fixed.trials, Categorical::from_weights(&mode)?));
        prior.mode().map(distribution).transpose()
    }

    fn draw<R: Rng + ?Sized>(
        prior: &Dirichlet,
        fixed: &MultinomialSize,
        rng: &mut R,
    ) -> Result<Self, ParamError> {
        check_dimension(prior, fixed.categories)?;
        Ok(Self::new(fixed.trials, Categorical::from_ln_weights(&prior.sample_ln(rng))?))
    }
}

/// Dirichlet(α + n).
fn updated(prior: &Dirichlet, counts: &[f64]) -> Result<Dirichlet, ParamError> {
    let alpha: Vec<f64> = prior.concentration().iter().zip(counts).map(|(alpha, n)| alpha + n).collect();
    Dirichlet::new(&alpha)
}

/// The log-probability of a sequence with these counts.
fn ln_sequence(prior: &Dirichlet, counts: &[f64]) -> Result<f64, ParamError> {
    check::each(counts, |count| check::non_negative("Stats", "count", count))?;
    let sum: f64 = prior.concentration().iter().zip(counts).map(|(&alpha, &n)| ln_pochhammer(alpha, n)).sum();
    Ok(sum - ln_pochhammer(prior.total(), counts.iter().sum()))
}
