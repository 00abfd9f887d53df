//! The laws that every law on the real line keeps.

use posterior_dist::stream::stream;
use posterior_dist::text::LawOnTheLine;

/// Everything that a law answers at these numbers.
///
/// # Panics
/// If a tail leaves [0, 1], a density is NaN at a number, or a quantile leaves the support.
pub fn keeps_its_laws(law: &dyn LawOnTheLine, numbers: &[f64], seed: u64) {
    let (low, high) = law.ends();
    assert!(low <= high, "{law}: from {low} to {high}");
    let moments =
        [law.mean(), law.variance(), law.skewness(), law.excess_kurtosis(), law.entropy(), law.mode()];
    assert!(moments.iter().flatten().all(|moment| !moment.is_nan()), "{law}: moments {moments:?}");
    assert!(!law.variance().is_some_and(|variance| variance < 0.0), "{law}: variance {:?}", law.variance());
    for &x in numbers {
        let ln_pdf = law.ln_pdf(x);
        assert!(ln_pdf.is_nan() == x.is_nan(), "{law}: ln p({x}) = {ln_pdf}");
        assert!(!(law.is_discrete() && ln_pdf > 1e-9), "{law}: ln p({x}) = {ln_pdf}");
        for tail in [law.cdf(x), law.sf(x)] {
            assert!(tail.is_nan() == x.is_nan() && !(tail < 0.0 || tail > 1.0), "{law}: tail {tail} at {x}");
        }
        assert!(!(law.ln_cdf(x) > 0.0 || law.ln_sf(x) > 0.0), "{law}: logarithms of tails at {x}");
        for quantile in [law.quantile(x), law.upper_quantile(x)] {
            assert!(quantile.is_nan() != (0.0..=1.0).contains(&x), "{law}: quantile {quantile} at {x}");
            assert!(
                quantile.is_nan() || (low <= quantile && quantile <= high),
                "{law}: quantile {quantile} at {x}"
            );
        }
    }
    for pair in numbers.windows(2) {
        let (a, b) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
        let (at_a, at_b) = (law.cdf(a), law.cdf(b));
        assert!(!(at_a > at_b + 1e-9), "{law}: cdf({a}) = {at_a}, cdf({b}) = {at_b}");
    }
    let draw = law.sample(&mut stream(seed, &[]));
    assert!(!draw.is_nan(), "{law} drew NaN");
}
