//! Weights of models by their expected log predictive densities.

use posterior_math::check;
use posterior_math::log_space::softmax_in_place;
use rand::{Rng, RngExt};
use rand_distr::Exp1;

use crate::Error;

/// Resamples of the observations.
const RESAMPLES: usize = 1000;

/// The weights of models in proportion to exp(elpd), averaged over the Bayesian bootstrap of the
/// observations: pseudo-BMA+. They know how uncertain the elpd are, and are near to equal where few
/// observations speak.
///
/// `pointwise` has ln p(yᵢ | y₋ᵢ) of each model, as in [`PsisLeaveOneOut`](super::PsisLeaveOneOut); 1000
/// resamples are drawn. For predictions, the weights of stacking (`stacking_weights` of
/// `posterior-evaluation`) are better where none of the models is true.
///
/// # Errors
/// No model, no observation, different numbers of observations, a number that is not finite.
///
/// # References
/// Y. Yao, A. Vehtari, D. Simpson, A. Gelman, Using stacking to average Bayesian predictive distributions,
/// Bayesian Analysis 13, 2018.
pub fn pseudo_bma_weights<R: Rng + ?Sized>(pointwise: &[Vec<f64>], rng: &mut R) -> Result<Vec<f64>, Error> {
    const NAME: &str = "pseudo_bma_weights";
    check::at_least_one(NAME, "models", pointwise.len())?;
    let n = check::at_least_one(NAME, "observations", pointwise[0].len())?;
    for own in pointwise {
        check::dimension("observations", n, own.len())?;
        for (index, &term) in own.iter().enumerate() {
            check::finite(NAME, "ln p", term).map_err(|error| error.at(index))?;
        }
    }
    let mut weights = vec![0.0; pointwise.len()];
    let mut parts = vec![0.0; n];
    let mut own = vec![0.0; pointwise.len()];
    for _ in 0..RESAMPLES {
        parts.fill_with(|| rng.sample(Exp1));
        let scale = n as f64 / parts.iter().sum::<f64>();
        for (elpd, terms) in own.iter_mut().zip(pointwise) {
            *elpd = scale * terms.iter().zip(&parts).map(|(term, part)| term * part).sum::<f64>();
        }
        softmax_in_place(&mut own);
        weights.iter_mut().zip(&own).for_each(|(sum, weight)| *sum += weight / RESAMPLES as f64);
    }
    Ok(weights)
}
