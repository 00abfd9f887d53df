//! The two numbers that EM and variational inference move, for hidden variables with finitely many values:
//! what their derivation promises, as a check of models.
//!
//! For every distribution q of the hidden z, ln p(x) = L(q) + KL(q ‖ p(z | x)), with the lower bound
//! L(q) = E_q ln p(x, z) + H(q), the ELBO. Where q is the posterior, L is ln p(x) to rounding.
//!
//! ```
//! use posterior_inference::bound;
//! use posterior_math::log_space::ln_sum_exp;
//!
//! // p(x, z) for z = 0, 1, 2, and a guess at the posterior.
//! let ln_joint = [0.02_f64.ln(), 0.05_f64.ln(), 0.03_f64.ln()];
//! let q = [0.3, 0.3, 0.4];
//! let sum = bound::elbo(&q, &ln_joint) + bound::divergence(&q, &ln_joint);
//! assert!((sum - ln_sum_exp(&ln_joint)).abs() < 1e-15);
//! assert!(bound::divergence(&[0.2, 0.5, 0.3], &ln_joint).abs() < 1e-15);
//! ```

use posterior_math::log_space::{ln_sum_exp, x_ln_x};

/// L(q) = Σ q(z) (ln p(x, z) - ln q(z)), at most ln p(x); -∞ where q believes in what is impossible.
///
/// # Panics
/// If the lengths differ.
#[track_caller]
pub fn elbo(q: &[f64], ln_joint: &[f64]) -> f64 {
    assert_eq!(q.len(), ln_joint.len(), "a distribution on another space");
    terms(q, ln_joint).sum()
}

/// KL(q ‖ p(z | x)) = ln p(x) - L(q), summed without that difference: non-negative up to rounding.
///
/// # Panics
/// If the lengths differ.
#[track_caller]
pub fn divergence(q: &[f64], ln_joint: &[f64]) -> f64 {
    assert_eq!(q.len(), ln_joint.len(), "a distribution on another space");
    let ln_evidence = ln_sum_exp(ln_joint);
    let ln_posterior: Vec<f64> = ln_joint.iter().map(|ln_joint| ln_joint - ln_evidence).collect();
    -terms(q, &ln_posterior).sum::<f64>()
}

/// q (ln p - ln q), 0 where q is.
fn terms(q: &[f64], ln_p: &[f64]) -> impl Iterator<Item = f64> {
    q.iter().zip(ln_p).map(|(&q, &ln_p)| if q == 0.0 { 0.0 } else { q * ln_p - x_ln_x(q) })
}
