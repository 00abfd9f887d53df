//! Parameters and points by which `cargo xtask fuzz` once broke a distribution, and what is true there.

use posterior_dist::{
    BetaBinomial, BetaPrime, ChiSquared, Density, Entropy, FisherF, Frechet, HalfCauchy, HalfNormal,
    InverseGaussian, LogNormal, Moments, Pareto, Shape, Triangular, Truncated, Univariate, VonMises,
};
use posterior_testkit::accuracy::assert_close;

#[test]
fn zero_with_a_sign_is_a_probability() {
    let distribution = HalfCauchy::new(2.5).expect("positive");
    assert_eq!((distribution.quantile(-0.0), distribution.upper_quantile(-0.0)), (0.0, f64::INFINITY));
    assert_eq!(Pareto::new(1.0, 2.75).expect("positive").upper_quantile(-0.0), f64::INFINITY);
}

/// An interval of probability e^(-2 · 10¹¹), and numbers up to which there is far less.
#[test]
fn what_is_nothing_beside_an_improbable_interval_is_zero() {
    let distribution = Frechet::new(112.4375, 2.1875).expect("positive");
    let distribution = Truncated::new(distribution, 0.0, 1.734375).expect("possible");
    for x in [6e-318, 0.001, 0.43359375] {
        assert_eq!((distribution.cdf(x), distribution.sf(x)), (0.0, 1.0), "{x}");
        assert!(distribution.ln_cdf(x) < -1e79 && distribution.ln_sf(x) == 0.0, "{x}");
    }
    assert_eq!((distribution.cdf(1.734375), distribution.quantile(1.0)), (1.0, 1.734375));
    assert!(distribution.cdf(1.734374999) < 1.0);
}

#[test]
fn angles_whose_difference_is_beyond_all_numbers_have_a_density() {
    let distribution = VonMises::new(-5.5e303, 65.0).expect("positive");
    // sin² is between 0 and 1.
    let least = -2.0 * 65.0 + distribution.ln_pdf(&-5.5e303);
    assert!((least..=distribution.ln_pdf(&-5.5e303)).contains(&distribution.ln_pdf(&f64::MAX)));
}

#[test]
fn the_largest_scale_has_its_quantiles() {
    let distribution = HalfNormal::new(f64::MAX).expect("positive");
    assert_eq!(
        (distribution.quantile(0.0), distribution.quantile(1.0), distribution.upper_quantile(1.0)),
        (0.0, f64::INFINITY, 0.0)
    );
    assert_close(distribution.quantile(0.5) / f64::MAX, 0.674489750196081743, 1e-15);
}

/// Of α beyond 10³⁰⁷ it is the skewness of an inverse gamma distribution, 4 √(b - 2) / (b - 3).
#[test]
fn the_skewness_of_a_large_first_parameter() {
    let skewness = |a, b| BetaPrime::new(a, b, 75.0).expect("positive").skewness().expect("exists");
    assert_close(skewness(f64::MAX, 98.42578125), 4.0 * 96.42578125_f64.sqrt() / 95.42578125, 1e-14);
    // 2 (2a + b - 1)/(b - 3) √((b - 2)/(a (a + b - 1)))
    assert_close(skewness(2.0, 7.0), 5.0 * (5.0_f64 / 16.0).sqrt(), 1e-14);
}

/// All of it is at the two ends: β/(α + β) at none.
#[test]
fn counts_of_subnormal_parameters_are_all_or_nothing() {
    for (alpha, beta) in [(8.53e-308, 1.2e-309), (4.4e-323, 1.6e-312), (1e-310, 1e-310)] {
        let distribution = BetaBinomial::new(1000, alpha, beta).expect("positive");
        let none = beta / (alpha + beta);
        for k in [0.0, 1.0, 109.0, 999.0] {
            assert_close(distribution.cdf(k), none, 1e-12);
            assert_close(distribution.sf(k), alpha / (alpha + beta), 1e-12);
        }
        assert_eq!(distribution.cdf(1000.0), 1.0);
    }
}

/// The mode is at the lower end but for one part in 10²¹².
#[test]
fn quantiles_beside_the_mode_of_a_wide_triangle_keep_their_digits() {
    let distribution = Triangular::new(103.43359375, 109.4453125, 2.15442e214).expect("ascending");
    for p in [9.10442e-159, 1e-200, 1e-100, 0.3] {
        let x = distribution.quantile(p);
        assert!(x >= 109.0, "{x}");
        assert_close(distribution.cdf(x), p, 1e-13);
    }
}

#[test]
fn a_small_spread_brings_a_huge_mean_back_into_range() {
    let variance = |mu, sigma| LogNormal::new(mu, sigma).expect("valid").variance().expect("exists");
    assert_eq!(variance(1.29956e211, 2.19593e-309), f64::INFINITY);
    // e^710.05 is beyond f64, and (e^¼ - 1) e^710.05 is.
    assert_close(variance(354.9, 0.5).ln(), 710.05 + 0.2840254166877415_f64.ln(), 1e-14);
    assert_close(variance(400.0, 1e-160).ln(), 800.0 - 320.0 * std::f64::consts::LN_10, 1e-14);
}

#[test]
fn a_tail_beyond_all_numbers_is_zero() {
    let distribution = InverseGaussian::new(7.9731e-307, 113.379).expect("positive");
    assert_eq!((distribution.cdf(114.379), distribution.sf(114.379)), (1.0, 0.0));
    assert_eq!((distribution.ln_cdf(114.379), distribution.ln_sf(114.379)), (0.0, f64::NEG_INFINITY));
}

#[test]
fn a_tail_of_a_subnormal_shape_is_not_negative() {
    let distribution = ChiSquared::new(1e-323).expect("positive");
    assert_eq!((distribution.cdf(3.984375), distribution.sf(3.984375)), (1.0, 0.0));
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
