//! Parameters and points by which `cargo xtask fuzz` once broke a law, and what is true there.

use posterior_dist::{
    BetaBinomial, BetaPrime, ChiSquared, Entropy, FisherF, HalfCauchy, InverseGaussian, LogNormal, Moments,
    Shape, Triangular, Univariate,
};
use posterior_testkit::accuracy::assert_close;

#[test]
fn zero_with_a_sign_is_a_probability() {
    let law = HalfCauchy::new(2.5).expect("positive");
    assert_eq!((law.quantile(-0.0), law.upper_quantile(-0.0)), (0.0, f64::INFINITY));
}

/// The mode is at the lower end but for one part in 10²¹².
#[test]
fn quantiles_beside_the_mode_of_a_wide_triangle_keep_their_digits() {
    let law = Triangular::new(103.43359375, 109.4453125, 2.15442e214).expect("ascending");
    for p in [9.10442e-159, 1e-200, 1e-100, 0.3] {
        let x = law.quantile(p);
        assert!(x >= 109.0, "{x}");
        assert_close(law.cdf(x), p, 1e-13);
    }
}

#[test]
fn a_small_spread_brings_a_huge_mean_back_into_range() {
    let variance = |mu, sigma| LogNormal::new(mu, sigma).expect("valid").variance().expect("exists");
    assert_eq!(variance(1.29956e211, 2.19593e-309), f64::INFINITY);
    // e^710.05 is no number of f64, and (e^¼ - 1) e^710.05 is.
    assert_close(variance(354.9, 0.5).ln(), 710.05 + 0.2840254166877415_f64.ln(), 1e-14);
    assert_close(variance(400.0, 1e-160).ln(), 800.0 - 320.0 * std::f64::consts::LN_10, 1e-14);
}

#[test]
fn a_tail_beyond_all_numbers_is_zero() {
    let law = InverseGaussian::new(7.9731e-307, 113.379).expect("positive");
    assert_eq!((law.cdf(114.379), law.sf(114.379)), (1.0, 0.0));
    assert_eq!((law.ln_cdf(114.379), law.ln_sf(114.379)), (0.0, f64::NEG_INFINITY));
}

#[test]
fn a_tail_of_a_subnormal_shape_is_not_negative() {
    let law = ChiSquared::new(1e-323).expect("positive");
    assert_eq!((law.cdf(3.984375), law.sf(3.984375)), (1.0, 0.0));
}

#[test]
fn an_entropy_beyond_all_numbers_is_infinite() {
    let entropy = |a, b| BetaPrime::new(a, b, 2.0).expect("positive").entropy();
    assert_eq!(entropy(71.0, 5e-324), f64::INFINITY);
    assert_eq!(entropy(5e-324, 71.0), f64::NEG_INFINITY);
    assert_eq!(entropy(1e-309, 5e-324), f64::INFINITY);
    // For equal parameters ε it is ln(2/ε) + 1 + ln s.
    assert_close(entropy(1e-310, 1e-310), 310.0 * std::f64::consts::LN_10 + 4_f64.ln() + 1.0, 1e-13);
    assert_eq!(FisherF::new(3.98438, 2.36027e-312).expect("positive").entropy(), f64::INFINITY);
}

/// Against the sum over all counts in mpmath.
#[test]
fn the_kurtosis_of_vague_counts() {
    let kurtosis = |n, a, b| BetaBinomial::new(n, a, b).expect("positive").excess_kurtosis().expect("exists");
    assert_close(kurtosis(7, 2.5, 0.5), 1.5394285714285714286, 1e-14);
    assert_close(kurtosis(20, 1e-30, 1e-10), 1.000000000016625e20, 1e-14);
    assert_close(kurtosis(1000, 5e-324, 1e-150), 2.0240225330731061963e173, 1e-14);
}
