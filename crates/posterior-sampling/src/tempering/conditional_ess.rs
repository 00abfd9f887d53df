//! How far β may rise before the weights of particles become uneven.

use posterior_math::log_space::LnSumExp;

use crate::Error;

/// The proportion (Σ W u)² / (Σ W Σ W u²) with u = likelihood^step, over the particles whose likelihood is
/// not zero: 1 where all u are equal. It is the effective size of the weights u for particles that already
/// have the weights W.
pub(super) fn conditional_ess(ln_weights: &[f64], ln_likelihoods: &[f64], step: f64) -> f64 {
    let (mut all, mut first, mut second) = (LnSumExp::new(), LnSumExp::new(), LnSumExp::new());
    for (&ln_weight, &ln_likelihood) in ln_weights.iter().zip(ln_likelihoods) {
        if ln_likelihood > f64::NEG_INFINITY {
            all.push(ln_weight);
            first.push(ln_weight + step * ln_likelihood);
            second.push(ln_weight + 2.0 * step * ln_likelihood);
        }
    }
    (2.0 * first.value() - all.value() - second.value()).exp()
}

/// The largest β' ≤ 1 whose [`conditional_ess`] is at least `proportion`, to 30 binary digits of the step.
///
/// # Errors
/// If there is no such number above β.
pub(super) fn next_beta(
    beta: f64,
    ln_weights: &[f64],
    ln_likelihoods: &[f64],
    proportion: f64,
) -> Result<f64, Error> {
    let fits = |step: f64| conditional_ess(ln_weights, ln_likelihoods, step) >= proportion;
    let whole = 1.0 - beta;
    if fits(whole) {
        return Ok(1.0);
    }
    let mut too_far = whole;
    let mut step = 0.5 * whole;
    while !fits(step) {
        (too_far, step) = (step, 0.5 * step);
        if beta + step == beta {
            return Err(Error::Tempering { beta });
        }
    }
    for _ in 0..30 {
        let middle = 0.5 * (step + too_far);
        if fits(middle) {
            step = middle;
        } else {
            too_far = middle;
        }
    }
    Ok(beta + step)
}

#[cfg(test)]
mod tests {
    use super::{conditional_ess, next_beta};

    #[test]
    fn conditional_ess_is_that_by_hand() {
        // W = 1/4, 3/4, 0 and u = 2, 4 at step 1: (0.5 + 3)² / (1 + 12); the third particle is dead.
        let ln_weights = [0.25, 0.75, 1.0].map(f64::ln);
        let ln_likelihoods = [2.0, 4.0, 0.0].map(f64::ln);
        let proportion = conditional_ess(&ln_weights, &ln_likelihoods, 1.0);
        assert!((proportion - 12.25 / 13.0).abs() < 1e-14, "{proportion}");
        assert_eq!(conditional_ess(&ln_weights, &[5.0; 3], 1.0), 1.0);
    }

    #[test]
    fn the_step_is_the_longest_that_fits() {
        let ln_weights = [0.0; 4];
        for scale in [1e-3, 1.0, 1e3, 1e12] {
            let ln_likelihoods = [0.0, -scale, -2.0 * scale, -7.0 * scale];
            let beta = next_beta(0.0, &ln_weights, &ln_likelihoods, 0.8).unwrap();
            let proportion = conditional_ess(&ln_weights, &ln_likelihoods, beta);
            assert!(
                beta == 1.0 && proportion >= 0.8 || (proportion - 0.8).abs() < 1e-7,
                "{beta} {proportion}"
            );
        }
        // Twenty orders of magnitude beside β = ½ leave no number between.
        assert!(next_beta(0.5, &ln_weights, &[0.0, -1e20, -2e20, 0.0], 0.8).is_err());
    }
}
