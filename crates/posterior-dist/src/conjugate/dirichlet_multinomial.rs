//! Dirichlet prior of the probabilities of a multinomial distribution.

use posterior_math::special::ln_pochhammer;

use super::{Conjugate, ExpectedDensity};
use crate::dirichlet::Dirichlet;
use crate::discrete::Categorical;
use crate::multivariate::{DirichletMultinomial, Multinomial, MultinomialSize};
use crate::prelude::*;

impl Conjugate<Dirichlet> for Multinomial {
    type Predictive = DirichletMultinomial;

    /// Dirichlet(α + Σ x).
    fn posterior(prior: &Dirichlet, stats: &Stats<Self>) -> Result<Dirichlet, ParamError> {
        check_dimension(prior, stats.fixed())?;
        let alpha: Vec<f64> =
            prior.concentration().iter().zip(stats.sum()).map(|(alpha, count)| alpha + count).collect();
        Dirichlet::new(&alpha)
    }

    fn predictive(prior: &Dirichlet, fixed: &MultinomialSize) -> Result<DirichletMultinomial, ParamError> {
        check_dimension(prior, fixed)?;
        Ok(DirichletMultinomial::new(fixed.trials, prior.clone()))
    }

    /// ln B(α + Σ x) - ln B(α) + Σ ln (n! / Π x_k!).
    fn ln_evidence(prior: &Dirichlet, stats: &Stats<Self>) -> Result<f64, ParamError> {
        check_dimension(prior, stats.fixed())?;
        let (mut total, mut sum) = (0.0, 0.0);
        for (index, (&alpha, &count)) in prior.concentration().iter().zip(stats.sum()).enumerate() {
            total += check::non_negative("Stats", "count", count).map_err(|error| error.at(index))?;
            sum += ln_pochhammer(alpha, count);
        }
        Ok(sum - ln_pochhammer(prior.total(), total) + stats.ln_base())
    }

    /// E ln p_k = ψ(α_k) - ψ(Σ α), and ln Z = 0 on the simplex.
    fn expected_density(
        prior: &Dirichlet,
        fixed: &MultinomialSize,
    ) -> Result<ExpectedDensity<Self>, ParamError> {
        check_dimension(prior, fixed)?;
        Ok(ExpectedDensity::new(Natural::of(*fixed, prior.expected_ln()), 0.0))
    }

    fn most_probable(prior: &Dirichlet, fixed: &MultinomialSize) -> Result<Option<Self>, ParamError> {
        check_dimension(prior, fixed)?;
        let distribution = |mode: Vec<f64>| Ok(Self::new(fixed.trials, Categorical::from_weights(&mode)?));
        prior.mode().map(distribution).transpose()
    }

    fn draw<R: Rng + ?Sized>(
        prior: &Dirichlet,
        fixed: &MultinomialSize,
        rng: &mut R,
    ) -> Result<Self, ParamError> {
        check_dimension(prior, fixed)?;
        Ok(Self::new(fixed.trials, Categorical::from_ln_weights(&prior.sample_ln(rng))?))
    }
}

fn check_dimension(prior: &Dirichlet, fixed: &MultinomialSize) -> Result<(), ParamError> {
    let fits = fixed.categories == prior.concentration().len();
    check::require(fits, "Stats", "categories", fixed.categories as f64, "the dimension of the prior")
        .map(drop)
}
