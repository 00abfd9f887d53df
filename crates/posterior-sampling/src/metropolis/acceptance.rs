//! The one rule of acceptance.

use rand::{Rng, RngExt};

/// min(1, a) from ln a; 0 where ln a is NaN.
///
/// All kernels of this crate that accept or stay do so with this probability.
pub fn acceptance(ln_ratio: f64) -> f64 {
    if ln_ratio.is_nan() { 0.0 } else { ln_ratio.min(0.0).exp() }
}

/// min(1, a), and whether a draw accepts.
pub(crate) fn accept<R: Rng + ?Sized>(ln_ratio: f64, rng: &mut R) -> (f64, bool) {
    let rate = acceptance(ln_ratio);
    (rate, rng.random::<f64>() < rate)
}

#[cfg(test)]
mod tests {
    use super::acceptance;

    #[test]
    fn uphill_is_sure_downhill_is_the_ratio_and_nan_is_never() {
        assert_eq!(acceptance(3.0), 1.0);
        assert_eq!(acceptance(f64::INFINITY), 1.0);
        assert_eq!(acceptance(0.25_f64.ln()), 0.25);
        assert_eq!(acceptance(f64::NEG_INFINITY), 0.0);
        assert_eq!(acceptance(f64::NAN), 0.0);
    }
}
