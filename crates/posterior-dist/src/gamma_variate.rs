//! Draws from the gamma law with rate 1, as logarithms.

use rand::Rng;
use rand::distr::{Distribution, Open01};

/// The logarithm of a draw from Gamma(a, 1): for a < 1 by Gamma(a) = Gamma(a + 1) · U^(1/a), which underflows only as a
/// number.
pub(crate) fn sample_ln_gamma<R: Rng + ?Sized>(a: f64, rng: &mut R) -> f64 {
    let shape = if a < 1.0 { a + 1.0 } else { a };
    let gamma = rand_distr::Gamma::new(shape, 1.0).expect("a is positive");
    let ln_draw = gamma.sample(rng).ln();
    if a < 1.0 {
        let uniform: f64 = Open01.sample(rng);
        ln_draw + uniform.ln() / a
    } else {
        ln_draw
    }
}
