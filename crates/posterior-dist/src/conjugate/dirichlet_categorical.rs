//! Dirichlet prior of the probabilities of a categorical distribution.

use posterior_math::special::ln_pochhammer;

use super::{Conjugate, ExpectedDensity};
use crate::dirichlet::Dirichlet;
use crate::discrete::Categorical;
use crate::prelude::*;

impl Conjugate<Dirichlet> for Categorical {
    type Predictive = Self;

    /// Dirichlet(α + n).
    fn posterior(prior: &Dirichlet, stats: &Stats<Self>) -> Result<Dirichlet, ParamError> {
        check_dimension(prior, *stats.fixed())?;
        let alpha: Vec<f64> =
            prior.concentration().iter().zip(stats.sum()).map(|(alpha, count)| alpha + count).collect();
        Dirichlet::new(&alpha)
    }

    /// p_k = α_k / Σ α.
    fn predictive(prior: &Dirichlet, &categories: &usize) -> Result<Self, ParamError> {
        check_dimension(prior, categories)?;
        Self::from_weights(prior.concentration())
    }

    /// ln B(α + n) - ln B(α): of the sequence, without a coefficient.
    fn ln_evidence(prior: &Dirichlet, stats: &Stats<Self>) -> Result<f64, ParamError> {
        check_dimension(prior, *stats.fixed())?;
        let mut total = 0.0;
        let mut sum = 0.0;
        for (&alpha, &count) in prior.concentration().iter().zip(stats.sum()) {
            total += check::non_negative("Stats", "count", count)?;
            sum += ln_pochhammer(alpha, count);
        }
        Ok(sum - ln_pochhammer(prior.total(), total) + stats.ln_base())
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
