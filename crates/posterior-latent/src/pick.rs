//! A draw from logarithms of weights.

use posterior_dist::choose;
use posterior_math::elementwise;
use rand::{Rng, RngExt};

/// An index with probability proportional to exp of its entry, by one uniform number; the weights are used
/// up. `None` where nothing can be drawn: all are -∞, or one is NaN or +∞.
pub(crate) fn pick<R: Rng + ?Sized>(ln_weights: &mut [f64], rng: &mut R) -> Option<usize> {
    let target = rng.random::<f64>() * exponentials(ln_weights)?;
    choose(ln_weights, target)
}

/// The probabilities of [`pick`], in place; `None` where there are none.
pub(crate) fn normalize(ln_weights: &mut [f64]) -> Option<()> {
    let total = exponentials(ln_weights)?;
    for weight in ln_weights.iter_mut() {
        *weight /= total;
    }
    Some(())
}

/// Weights of which the largest is 1, and their sum.
fn exponentials(ln_weights: &mut [f64]) -> Option<f64> {
    let most = ln_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !most.is_finite() || ln_weights.iter().any(|weight| weight.is_nan()) {
        return None;
    }
    for weight in ln_weights.iter_mut() {
        *weight -= most;
    }
    elementwise::exp(ln_weights);
    Some(ln_weights.iter().sum())
}

#[cfg(test)]
mod tests {
    use posterior_dist::stream::stream;

    use super::{normalize, pick};

    #[test]
    fn what_has_no_weight_is_never_drawn_and_nothing_is_drawn_from_nothing() {
        let mut rng = stream(1, &[]);
        for _ in 0..1000 {
            assert_eq!(pick(&mut [f64::NEG_INFINITY, -1e6, f64::NEG_INFINITY], &mut rng), Some(1));
        }
        for mut none in [vec![], vec![f64::NEG_INFINITY; 2], vec![0.0, f64::NAN], vec![0.0, f64::INFINITY]] {
            assert_eq!(pick(&mut none, &mut rng), None, "{none:?}");
        }
    }

    #[test]
    fn weights_are_proportions_whatever_their_scale() {
        let mut weights = [-1e8, -1e8 + 3_f64.ln()];
        assert_eq!(normalize(&mut weights), Some(()));
        assert!((weights[1] - 0.75).abs() < 1e-8, "{weights:?}"); // 1e8 + ln 3 is rounded to 1e-8
    }
}
