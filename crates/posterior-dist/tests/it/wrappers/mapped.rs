//! Affine maps, smooth one-to-one maps, and sums of independent numbers.

use posterior_dist::{
    Affine, Beta, Binomial, Cauchy, ChiSquared, Density, Entropy, LogNormal, Mode, Moments, NegativeBinomial,
    Normal, PointMass, Poisson, Shape, Transformed, Univariate, convolution,
};
use posterior_math::bijection::{self, Exp, IntervalMap, Softplus};
use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod};
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_testkit::consistency;
use proptest::prelude::*;

use super::{exponential, gamma};

#[test]
fn affine_distributions_are_consistent() {
    for (shift, scale) in [(0.0, 1.0), (2.0, 0.5), (-3.0, -2.0), (10.0, -0.5)] {
        let distribution = Affine::new(gamma(3.0, 1.5), shift, scale).expect("finite");
        let points = [0.25, 0.5, 0.9, 0.999].map(|p| distribution.quantile(p));
        consistency::univariate(&distribution, &points);
        consistency::line(&distribution, &points, 1);
        consistency::mean_and_variance(&distribution, &points);
        // Entropy is -E ln p.
        let (low, high) = (distribution.quantile(1e-18), distribution.upper_quantile(1e-18));
        let surprise = |y: f64| -distribution.ln_pdf(&y).exp() * distribution.ln_pdf(&y);
        let integral = gauss_kronrod(surprise, low, high, &QuadratureOptions::default());
        assert_within(distribution.entropy(), integral.value, 1e-9);
        assert_eq!(
            distribution.skewness(),
            gamma(3.0, 1.5).skewness().map(|skewness| skewness * scale.signum())
        );
        assert_eq!(distribution.excess_kurtosis(), gamma(3.0, 1.5).excess_kurtosis());
        assert_eq!(distribution.mode(), gamma(3.0, 1.5).mode().map(|mode| shift + scale * mode));
    }
}

#[test]
fn a_scaled_gamma_is_a_gamma() {
    let distribution = Affine::new(gamma(3.0, 1.5), 0.0, 0.5).expect("finite");
    for x in [1e-3, 0.4, 2.0, 30.0] {
        assert_close(distribution.ln_pdf(&x), gamma(3.0, 3.0).ln_pdf(&x), 1e-14);
        assert_close(distribution.ln_sf(x), gamma(3.0, 3.0).ln_sf(x), 1e-14);
    }
}

#[test]
fn affine_of_affine_is_that_of_the_product() {
    let inner = Affine::new(gamma(3.0, 1.5), 1.0, -2.0).expect("finite");
    let outer = Affine::new(inner, 3.0, -0.5).expect("finite");
    let once = Affine::new(gamma(3.0, 1.5), 2.5, 1.0).expect("finite");
    for p in [0.01, 0.5, 0.99] {
        let x = once.quantile(p);
        assert_close(outer.quantile(p), x, 1e-15);
        assert_close(outer.sf(x), once.sf(x), 1e-14);
        assert_within(outer.ln_pdf(&x), once.ln_pdf(&x), 1e-14);
    }
}

#[test]
fn affine_maps_that_are_none_are_refused() {
    for (shift, scale) in
        [(f64::NAN, 1.0), (f64::INFINITY, 1.0), (0.0, 0.0), (0.0, f64::NAN), (0.0, f64::INFINITY)]
    {
        assert!(Affine::new(exponential(1.0), shift, scale).is_err());
    }
    let error = Affine::new(exponential(1.0), 0.0, 0.0).expect_err("no spread");
    assert_eq!(error.to_string(), "Affine: scale = 0 must be finite and not 0");
    // y - a overflows, (y - a) / b does not.
    let wide = Affine::new(exponential(1.0), -1e308, 1e308).expect("finite");
    assert_close(wide.sf(1.5e308), (-2.5_f64).exp(), 1e-15);
}

#[test]
fn transformed_distributions_are_consistent() {
    let pareto = Transformed::new(exponential(5.0), Exp);
    let falling = (bijection::AffineMap::new(0.0, -1.0).expect("finite"), Exp);
    let power = Transformed::new(exponential(5.0), falling);
    let soft = Transformed::new(gamma(3.0, 1.5), Softplus);
    let proportion = Transformed::new(gamma(3.0, 1.5), IntervalMap::logit(-1.0, 3.0).expect("an interval"));
    consistency::univariate(&pareto, &[0.5, 1.0, 1.2, 5.0, 1e9]);
    consistency::line(&pareto, &[-1.0, 0.5, 1.1, 2.0], 1);
    consistency::univariate(&power, &[-0.5, 0.1, 0.5, 0.99, 1.0, 2.0]);
    consistency::line(&power, &[-0.5, 0.3, 0.7, 1.5], 2);
    consistency::univariate(&soft, &[0.0, 0.8, 1.0, 3.0, 50.0]);
    consistency::line(&soft, &[0.9, 2.0, 4.0], 3);
    consistency::univariate(&proportion, &[-2.0, -1.0, 1.2, 2.0, 2.9, 3.0, 4.0]);
    consistency::line(&proportion, &[1.3, 2.5], 4);
}

#[test]
fn the_power_of_a_uniform_distribution_is_a_beta_distribution() {
    // e^(-X/a) for a standard exponential X has the density a x^(a - 1).
    let falling = (bijection::AffineMap::new(0.0, -1.0).expect("finite"), Exp);
    let distribution = Transformed::new(exponential(2.5), falling);
    let beta = Beta::new(2.5, 1.0).expect("positive");
    for x in [1e-100, 1e-3, 0.4, 0.99] {
        assert_close(distribution.ln_pdf(&x), beta.ln_pdf(&x), 1e-13);
        assert_close(distribution.cdf(x), beta.cdf(x), 1e-13);
        assert_close(distribution.sf(x), beta.sf(x), 1e-13);
    }
    assert_eq!(
        (distribution.cdf(0.0), distribution.cdf(1.0), distribution.ln_pdf(&-1.0)),
        (0.0, 1.0, f64::NEG_INFINITY)
    );
    assert_eq!(distribution.ln_pdf(&0.0), f64::NEG_INFINITY);
    assert!(distribution.ln_pdf(&f64::NAN).is_nan());
}

#[test]
fn a_transform_of_a_transform_is_that_by_the_composition() {
    let shift = bijection::AffineMap::new(0.5, -2.0).expect("finite");
    let twice = Transformed::new(Transformed::new(gamma(3.0, 1.5), shift), Softplus);
    let once = Transformed::new(gamma(3.0, 1.5), (shift, Softplus));
    for p in [1e-6, 0.2, 0.5, 0.999] {
        let x = once.quantile(p);
        assert_close(twice.quantile(p), x, 1e-14);
        assert_close(twice.cdf(x), once.cdf(x), 1e-13);
        assert_close(twice.ln_sf(x), once.ln_sf(x), 1e-13);
        assert_within(twice.ln_pdf(&x), once.ln_pdf(&x), 1e-13);
    }
}

#[test]
fn affine_is_the_transform_by_an_affine_map() {
    let map = bijection::AffineMap::new(2.0, -0.25).expect("finite");
    let (left, right) =
        (Affine::new(gamma(3.0, 1.5), 2.0, -0.25).expect("finite"), Transformed::new(gamma(3.0, 1.5), map));
    for x in [-5.0, 1.0, 1.9, 3.0] {
        assert_eq!(left.ln_pdf(&x), right.ln_pdf(&x));
        assert_eq!((left.cdf(x), left.sf(x)), (right.cdf(x), right.sf(x)));
    }
}

/// ∫ f(z - y) g(y) dy.
fn numerical<D: Univariate + Density<Point = f64>>(f: &D, g: &D, z: f64) -> f64 {
    let product = |y: f64| (f.ln_pdf(&(z - y)) + g.ln_pdf(&y)).exp();
    let (low, high) = (
        g.quantile(1e-17).max(z - f.upper_quantile(1e-17)),
        g.upper_quantile(1e-17).min(z - f.quantile(1e-17)),
    );
    gauss_kronrod(product, low, high, &QuadratureOptions::default()).value
}

#[test]
fn sums_of_distributions_are_their_convolutions() {
    let (x, y) = (gamma(3.0, 1.5), gamma(2.0, 1.5));
    let sum = convolution::gamma(&x, &y).expect("the same rate");
    for z in [0.5, 3.0, 9.0] {
        assert_close(sum.ln_pdf(&z).exp(), numerical(&x, &y, z), 1e-9);
    }
    assert_close(sum.mean().expect("finite"), 2.0 + 4.0 / 3.0, 1e-15);
    assert!(convolution::gamma(&x, &gamma(3.0, 1.4)).is_err());

    let (x, y) = (Binomial::new(3, 0.3).expect("p"), Binomial::new(5, 0.3).expect("p"));
    let sum = convolution::binomial(&x, &y).expect("the same p");
    for z in 0..=8_u64 {
        let terms = (0..=z).map(|k| (x.ln_pdf(&k) + y.ln_pdf(&(z - k))).exp());
        assert_close(sum.ln_pdf(&z).exp(), terms.sum(), 1e-14);
    }
    assert!(convolution::binomial(&x, &Binomial::new(5, 0.4).expect("p")).is_err());
    let huge = Binomial::new(u64::MAX, 0.3).expect("p");
    assert!(convolution::binomial(&x, &huge).is_err());
}

#[test]
fn sums_of_further_distributions_are_their_convolutions() {
    let normal = |mean, sd| Normal::mean_sd(mean, sd).expect("positive");
    let (x, y) = (normal(1.0, 3.0), normal(-2.0, 4.0));
    let sum = convolution::normal(&x, &y).expect("finite");
    assert_eq!(sum, normal(-1.0, 5.0));
    assert!(convolution::normal(&normal(1e308, 1.0), &normal(1e308, 1.0)).is_err());
    let chi = |degrees_of_freedom| ChiSquared::new(degrees_of_freedom).expect("positive");
    let chi_sum = convolution::chi_squared(&chi(3.0), &chi(2.5)).expect("finite");
    for z in [-4.0, 0.5, 6.0] {
        assert_close(sum.ln_pdf(&z).exp(), numerical(&x, &y, z), 1e-9);
    }
    for z in [0.5, 6.0] {
        assert_close(chi_sum.ln_pdf(&z).exp(), numerical(&chi(3.0), &chi(2.5), z), 1e-9);
    }
    let cauchy = |location, scale| Cauchy::new(location, scale).expect("positive");
    let (x, y) = (cauchy(0.5, 1.0), cauchy(-0.25, 0.5));
    let sum = convolution::cauchy(&x, &y).expect("finite");
    for z in [-3.0, 0.25, 2.0] {
        let product = |y0: f64| (x.ln_pdf(&(z - y0)) + y.ln_pdf(&y0)).exp();
        let whole = gauss_kronrod(product, f64::NEG_INFINITY, f64::INFINITY, &QuadratureOptions::default());
        assert_close(sum.ln_pdf(&z).exp(), whole.value, 1e-9);
    }
}

#[test]
fn sums_of_counts_are_their_convolutions() {
    let poisson = |rate| Poisson::new(rate).expect("positive");
    let geometric = |successes, success| NegativeBinomial::new(successes, success).expect("a probability");
    let (counts, waits) = ([poisson(2.5), poisson(0.75)], [geometric(1.5, 0.3), geometric(3.0, 0.3)]);
    let sum = convolution::poisson(&counts[0], &counts[1]).expect("finite");
    let wait = convolution::negative_binomial(&waits[0], &waits[1]).expect("the same p");
    for z in 0..20_u64 {
        let terms = (0..=z).map(|k| (counts[0].ln_pdf(&k) + counts[1].ln_pdf(&(z - k))).exp());
        assert_close(sum.ln_pdf(&z).exp(), terms.sum(), 1e-13);
        let terms = (0..=z).map(|k| (waits[0].ln_pdf(&k) + waits[1].ln_pdf(&(z - k))).exp());
        assert_close(wait.ln_pdf(&z).exp(), terms.sum(), 1e-13);
    }
    assert!(convolution::negative_binomial(&waits[0], &geometric(1.0, 0.4)).is_err());
    // Means and variances add up.
    let both = |f: fn(&NegativeBinomial) -> Option<f64>| waits.iter().filter_map(f).sum::<f64>();
    assert_close(wait.mean().expect("finite"), both(Moments::mean), 1e-15);
    assert_close(wait.variance().expect("finite"), both(Moments::variance), 1e-15);
}

#[test]
fn a_log_normal_distribution_is_a_transformed_normal_one() {
    let distribution = Transformed::new(Normal::mean_sd(0.5, 2.0).expect("positive"), Exp);
    let known = LogNormal::new(0.5, 2.0).expect("positive");
    for x in [1e-30, 1e-3, 1.0, 7.0, 1e20] {
        assert_within(distribution.ln_pdf(&x), known.ln_pdf(&x), 1e-12);
        assert_close(distribution.cdf(x), known.cdf(x), 1e-12);
        assert_close(distribution.ln_sf(x), known.ln_sf(x), 1e-12);
        assert_close(distribution.quantile(0.3), known.quantile(0.3), 1e-14);
    }
    consistency::line(&distribution, &[0.1, 1.0, 5.0], 5);
}

#[test]
fn what_has_no_mean_keeps_none() {
    let distribution = Affine::new(Cauchy::new(0.0, 1.0).expect("positive"), 2.0, -3.0).expect("finite");
    assert_eq!((distribution.mean(), distribution.variance()), (None, None));
}

#[test]
fn a_point_mass_is_certain() {
    let distribution = PointMass::new(2.0).expect("finite");
    consistency::univariate(&distribution, &[-1.0, 2.0, 3.0]);
    consistency::masses(&distribution, &[(2.0, 2.0)]);
    assert_eq!(
        (distribution.point(), distribution.mean(), distribution.variance(), distribution.mode()),
        (2.0, Some(2.0), Some(0.0), Some(2.0))
    );
    assert_eq!(distribution.entropy(), 0.0);
    assert!(PointMass::new(f64::NAN).is_err() && PointMass::new(f64::INFINITY).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn nothing_panics(bits: [u64; 4]) {
        let [shift, scale, x, p] = bits.map(f64::from_bits);
        if let Ok(distribution) = Affine::new(exponential(1.0), shift, scale) {
            let cdf = distribution.cdf(x);
            prop_assert!((0.0..=1.0).contains(&cdf) || x.is_nan());
            prop_assert!(x.is_nan() || !distribution.ln_pdf(&x).is_nan());
            prop_assert_eq!((0.0..=1.0).contains(&p), !distribution.quantile(p).is_nan());
            prop_assert!(distribution.mean().is_some_and(|mean| !mean.is_nan()));
        }
        if let Ok(map) = bijection::AffineMap::new(shift, scale) {
            let distribution = Transformed::new(exponential(1.0), (map, Exp));
            let cdf = distribution.cdf(x);
            prop_assert!((0.0..=1.0).contains(&cdf) || x.is_nan(), "{cdf} at {x:e}, {shift:e} {scale:e}");
            prop_assert!(x.is_nan() || !distribution.ln_pdf(&x).is_nan());
            prop_assert_eq!((0.0..=1.0).contains(&p), !distribution.quantile(p).is_nan());
        }
    }
}
