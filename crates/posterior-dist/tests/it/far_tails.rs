//! Far tails and the ends of f64: distributions against mpmath (60 digits and more), and properties over
//! parameters of any size.

#![expect(clippy::approx_constant, reason = "numbers that a search drew, none of them 2π")]

use posterior_dist::text::AnyUnivariate;
use posterior_dist::{
    Beta, BetaBinomial, BetaPrime, Density, FisherF, InverseGaussian, Moments, NegativeBinomial, Normal,
    Pareto, StudentT, Triangular, Truncated, Univariate, Weibull,
};
use posterior_testkit::accuracy::assert_close;
use proptest::prelude::*;

#[test]
fn student_densities_at_extreme_degrees_of_freedom() {
    for (nu, x, ln_pdf) in [
        (1e-50, 1e140, -438.18431484942862532),
        (1e308, 1e150, -4.999999974999999975e299),
        (1e300, 1e152, -4.605220183488258284e300),
        (1e-300, 1e-160, -346.0809111296667979),
        (2.0, 1e200, -1381.5510557964274103),
        (1e-320, 1e-165, -369.10676762609689894),
        (1e-5, 3e160, -381.72205943157527729),
    ] {
        let distribution = StudentT::standard(nu).expect("positive");
        // The constant in front has a few digits less for subnormal degrees of freedom.
        assert_close(distribution.ln_pdf(&x), ln_pdf, 1e-14);
        assert_close(distribution.ln_pdf(&-x), ln_pdf, 1e-14);
    }
}

/// Half of the mass is on either side, beyond what z = (x - μ)/σ can be in f64.
#[test]
fn student_tails_beyond_the_numbers_that_z_has() {
    let distribution = StudentT::new(1.28e-20, 6.28, 4.4e-11).expect("positive");
    for x in [1e308, f64::MAX, 1e300] {
        assert_close(distribution.sf(x), 0.5, 1e-15);
        assert_close(distribution.cdf(-x), 0.5, 1e-15);
        assert!(distribution.ln_pdf(&x).is_finite());
    }
    // P(|T| > t) = (√ν/t)^ν nearly.
    let distribution = StudentT::new(1e-3, 0.0, 1e-200).expect("positive");
    let x = distribution.upper_quantile(0.19);
    assert!(x.is_finite() && x > 1e200, "{x}");
    assert_close(distribution.sf(x), 0.19, 1e-13);
    assert_close(distribution.ln_sf(x), 0.19_f64.ln(), 1e-13);
}

#[test]
fn a_triangle_ends_where_it_ends() {
    let distribution = Triangular::new(-7.6e12, -1.6e-112, 0.129).expect("ascending");
    assert_eq!((distribution.cdf(f64::INFINITY), distribution.sf(f64::NEG_INFINITY)), (1.0, 1.0));
    let distribution = Triangular::new(-1.4e-105, 1.2e-108, 1e300).expect("ascending");
    assert_eq!((distribution.quantile(0.0), distribution.upper_quantile(1.0)), (-1.4e-105, -1.4e-105));
}

#[test]
fn upper_quantiles_of_a_triangle_whose_mode_is_its_maximum() {
    // The distance from the maximum is (1 - √(1 - q)) times the width.
    let distribution = Triangular::new(-1.0, 0.0, 0.0).expect("ascending");
    for q in [1e-300, 1e-16, 1e-5, 0.3, 0.5] {
        let distance = q / (1.0 + f64::sqrt(1.0 - q));
        assert_close(distribution.upper_quantile(q), -distance, 4e-16);
        let mirrored = Triangular::new(0.0, 0.0, 1.0).expect("ascending");
        assert_close(mirrored.quantile(q), distance, 4e-16);
    }
    let distribution = Triangular::new(-7.5e76, -1640.9, -1640.9).expect("ascending");
    assert_close(distribution.sf(distribution.upper_quantile(1.6e-16)), 1.6e-16, 1e-13);
}

#[test]
fn inverse_gaussian_quantiles_meet_mpmath() {
    for (mean, shape, p, upper, x) in [
        (1.0, 1e20, 1e-6, false, 0.99999999952465756923),
        (1.0, 1e20, 1e-6, true, 1.000000000475342431),
        (3.0, 4e25, 1e-30, false, 2.9999999999905813426),
        (1.28e-20, 6.28, 1e-63, false, 1.2799999990284853438e-20),
        (1.28e-20, 6.28, 0.88, false, 1.2800000000678998032e-20),
        (2.0, 1e-6, 1e-10, true, 37508932.053361531904),
        (5.0, 2e-12, 1e-3, false, 1.8471371760524160526e-13),
        (2.0, 1e-6, 1e-30, true, 379858771.52615118849),
        (1.0, 3.0, 1e-200, true, 302.7761313988824071),
        (1e10, 5e-3, 1e-8, true, 31827805808916.014327),
    ] {
        let distribution = InverseGaussian::new(mean, shape).expect("positive");
        assert_close(if upper { distribution.upper_quantile(p) } else { distribution.quantile(p) }, x, 1e-14);
    }
}

#[test]
fn tails_of_pareto_and_weibull_distributions_with_large_shapes() {
    let distribution = Pareto::new(3e11, 1e-292).expect("positive");
    for (x, sf) in [
        (1.0000000000010001e-292, 0.74080500926097616711),
        (1.000000000004e-292, 0.30120288446620095757),
        (1.0000000000100001e-292, 0.049786497982406271996),
    ] {
        assert_close(distribution.sf(x), sf, 1e-15);
        assert_close(distribution.cdf(x), 1.0 - sf, 1e-15);
    }
    for (shape, scale, x, ln_sf, ln_pdf) in [
        (1e18, 1.0, 1.0000000000000002, -2.7086111089766717394e96, -2.7086111089766717394e96),
        (1e18, 1.0, 0.9999999999999999, -6.0761246167511059841e-49, -69.575770788622837782),
        (1e16, 3.0, 3.0000000000000004, -4.3942521885831433723, 32.82879437682035301),
        (1e16, 3.0, 2.9999999999999996, -0.22757000670060173609, 34.034881826369144168),
        (2e15, 1.7e-300, 1.7000000000000004e-300, -1.4770882565518002809, 724.38980772176251044),
        (2e15, 1.7e-300, 1.6999999999999998e-300, -0.67700761654855844371, 724.40974285038146141),
        (3e17, 7.0, 6.999999999999999, -2.9421987182165707759e-17, 0.23185930479191788265),
    ] {
        let distribution = Weibull::new(shape, scale).expect("positive");
        assert_close(distribution.ln_sf(x), ln_sf, 1e-13);
        assert_close(distribution.ln_pdf(&x), ln_pdf, 1e-13);
    }
}

#[test]
fn tails_next_to_the_least_number_agree_with_their_logarithms() {
    for (a, b, x) in [(9.0, 11.9, 1.3e-34), (3.0, 11.0, 3e-103), (2.0, 1e6, 1e-158), (1074.0, 9.4, 0.5)] {
        let beta = Beta::new(a, b).expect("positive");
        assert_close(beta.cdf(x), beta.ln_cdf(x).exp(), 2e-13);
        let f = FisherF::new(2.0 * a, 2.0 * b).expect("positive");
        let at = b / a * (x / (1.0 - x));
        assert_close(f.cdf(at), f.ln_cdf(at).exp(), 2e-13);
        assert_close(f.cdf(at), beta.cdf(x), 1e-12);
    }
}

#[test]
fn quantiles_of_distributions_made_of_a_beta_distribution_stay_inside() {
    let distribution = FisherF::new(1e19, 0.5).expect("positive");
    for p in [1e-100, 1e-30, 0.1] {
        let x = distribution.quantile(p);
        assert!(x.is_finite() && x > 0.0, "{x}");
        assert_close(distribution.cdf(x), p, 1e-12);
    }
    let distribution = BetaPrime::new(6.7e11, 1.0, 1.0).expect("positive");
    assert_close(distribution.cdf(distribution.quantile(1e-114)), 1e-114, 1e-12);
    assert!(Beta::new(0.5, 4.85e155).expect("positive").upper_quantile(5e-81) > 0.0);
}

/// The logarithm of the tail there is -1.8 · 10¹³, of which f64 has two digits after the point.
#[test]
fn a_normal_distribution_truncated_far_out_adds_up() {
    let distribution =
        Truncated::new(Normal::mean_sd(0.0, 1.0).expect("valid"), 6e6, f64::INFINITY).expect("possible");
    for x in [6e6 + 1e-9, 6e6 + 1e-8, 6e6 + 1e-7, 6e6 + 1e-6] {
        let (cdf, sf) = (distribution.cdf(x), distribution.sf(x));
        assert_close(cdf + sf, 1.0, 1e-15);
        assert_close(distribution.ln_cdf(x).exp(), cdf, 1e-13);
        assert_close(distribution.ln_sf(x).exp(), sf, 1e-12);
    }
    // 1 - exp(-(x² - a²)/2) next to a, in its first 7 digits at 10⁴ standard deviations.
    let distribution =
        Truncated::new(Normal::mean_sd(0.0, 1.0).expect("valid"), 1e4, f64::INFINITY).expect("possible");
    let (a, x) = (1e4_f64, 1e4 + 1.0 / 8192.0);
    assert_close(distribution.sf(x), (-0.5 * (x - a) * (x + a)).exp() * (a / x), 1e-7);
}

#[test]
fn counts_that_f64_holds_have_their_probabilities() {
    // -½ ln(2π 10¹⁷) - 1/(12 · 10¹⁷).
    let at = |text: &str, x: f64| text.parse::<AnyUnivariate>().expect("a distribution").ln_pdf(&x);
    assert_close(at("poisson(1e17)", 1e17), -20.490911823654061057, 1e-14);
    assert_close(at("geometric(1e-18)", 2f64.powi(60)), 1e-18_f64.ln() - 1e-18 * 2f64.powi(60), 1e-14);
    assert_eq!(at("poisson(1e17)", 2f64.powi(64)), f64::NEG_INFINITY);
    assert_eq!(at("poisson(3)", 1.5), f64::NEG_INFINITY);
}

#[test]
fn counts_with_parameters_at_the_end_of_f64() {
    assert_close(
        BetaBinomial::new(100, 1e308, 5e307).expect("positive").mean().expect("exists"),
        200.0 / 3.0,
        1e-15,
    );
    let distribution = NegativeBinomial::new(f64::MAX, 0.5).expect("positive");
    // All that f64 has of this distribution is a step at the mean.
    assert_eq!((distribution.cdf(1e308), distribution.sf(1e308)), (0.0, 1.0));
    assert_eq!((distribution.ln_sf(1e308), distribution.ln_cdf(1e308) < -1e300), (0.0, true));
    assert!(distribution.cdf(f64::MAX) > 0.4 && distribution.ln_cdf(f64::MAX) > -1.0);
}

#[test]
fn quantiles_of_very_many_trials_invert() {
    let distribution = BetaBinomial::new(1_000_000_000_000_000, 0.7, 3.2).expect("positive");
    for p in [1e-6, 0.1, 0.9] {
        let k = distribution.quantile(p);
        assert!(distribution.cdf(k) >= p && distribution.cdf(k - 1.0) < p, "{k} at {p}");
        let k = distribution.upper_quantile(p);
        assert!(distribution.sf(k) <= p && distribution.sf(k - 1.0) > p, "{k} at {p}");
    }
}

proptest! {
    #[test]
    fn inverse_gaussian_quantiles_rise_and_invert(ln_mean in -300.0..300.0_f64, ln_ratio in -60.0..60.0_f64, ln_p in -600.0..-0.7_f64) {
        let (mean, ratio) = (ln_mean.exp(), ln_ratio.exp());
        let distribution = InverseGaussian::new(mean, mean * ratio).expect("positive");
        let p = ln_p.exp();
        // What the rounding of x does to a: √(λ/μ) of them, and a times that to the tail.
        let slack = 1e-12 + 4e-16 * (ratio.sqrt() + 1.0) * (1.0 - ln_p).sqrt() * 2.0;
        let (x, upper) = (distribution.quantile(p), distribution.upper_quantile(p));
        prop_assert!(x <= upper && distribution.quantile(0.5 * p) <= x && upper <= distribution.upper_quantile(0.5 * p));
        prop_assert!((distribution.ln_cdf(x) - ln_p).abs() <= slack * 3.0, "{mean:e} {ratio:e} {p:e}: {x:e} {}", distribution.ln_cdf(x));
        prop_assert!((distribution.ln_sf(upper) - ln_p).abs() <= slack * 3.0, "{mean:e} {ratio:e} {p:e}: {upper:e} {}", distribution.ln_sf(upper));
    }

    #[test]
    fn triangles_of_any_shape_are_inverted(mode in 0.0..=1.0_f64, ln_q in -690.0..-0.7_f64, flat in any::<[bool; 2]>()) {
        let mode = if flat[0] { 0.0 } else if flat[1] { -mode.powi(40) } else { -mode };
        let (distribution, q) = (Triangular::new(-1.0, mode, 0.0).expect("ascending"), ln_q.exp());
        let x = distribution.upper_quantile(q);
        prop_assert!((distribution.sf(x) / q - 1.0).abs() < 1e-13, "{mode:e} {q:e}: {x:e} {:e}", distribution.sf(x));
    }
}
