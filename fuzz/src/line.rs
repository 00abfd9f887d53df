//! The properties that every univariate distribution keeps.

use posterior_dist::stream::stream;
use posterior_dist::text::NamedUnivariate;

/// Everything that a distribution answers at these numbers.
///
/// # Panics
/// If a tail leaves [0, 1], a density is NaN at a number, or a quantile leaves the support.
pub fn keeps_its_distributions(distribution: &dyn NamedUnivariate, numbers: &[f64], seed: u64) {
    let (low, high) = distribution.ends();
    assert!(low <= high, "{distribution}: from {low} to {high}");
    let moments =
        [distribution.mean(), distribution.variance(), distribution.skewness(), distribution.excess_kurtosis(), distribution.entropy(), distribution.mode()];
    assert!(moments.iter().flatten().all(|moment| !moment.is_nan()), "{distribution}: moments {moments:?}");
    assert!(!distribution.variance().is_some_and(|variance| variance < 0.0), "{distribution}: variance {:?}", distribution.variance());
    for &x in numbers {
        let ln_pdf = distribution.ln_pdf(x);
        assert!(ln_pdf.is_nan() == x.is_nan(), "{distribution}: ln p({x}) = {ln_pdf}");
        assert!(!(distribution.is_discrete() && ln_pdf > 1e-9), "{distribution}: ln p({x}) = {ln_pdf}");
        for tail in [distribution.cdf(x), distribution.sf(x)] {
            assert!(tail.is_nan() == x.is_nan() && !(tail < 0.0 || tail > 1.0), "{distribution}: tail {tail} at {x}");
        }
        assert!(!(distribution.ln_cdf(x) > 0.0 || distribution.ln_sf(x) > 0.0), "{distribution}: logarithms of tails at {x}");
        for quantile in [distribution.quantile(x), distribution.upper_quantile(x)] {
            assert!(quantile.is_nan() != (0.0..=1.0).contains(&x), "{distribution}: quantile {quantile} at {x}");
            assert!(
                quantile.is_nan() || (low <= quantile && quantile <= high),
                "{distribution}: quantile {quantile} at {x}"
            );
        }
    }
    for pair in numbers.windows(2) {
        let (a, b) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
        let (at_a, at_b) = (distribution.cdf(a), distribution.cdf(b));
        assert!(!(at_a > at_b + 1e-9), "{distribution}: cdf({a}) = {at_a}, cdf({b}) = {at_b}");
    }
    let draw = distribution.sample(&mut stream(seed, &[]));
    assert!(!draw.is_nan(), "{distribution} drew NaN");
}
