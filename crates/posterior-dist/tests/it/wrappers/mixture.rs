//! Finite mixtures: sums of densities and tails, quantiles by inversion, moments by total expectation and
//! variance.

use posterior_dist::{
    Bernoulli, Categorical, Density, Dirichlet, Mixture, Moments, PointMass, Shape, Univariate, invert_cdf,
    invert_sf,
};
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::{assert_all_close, assert_close};
use posterior_testkit::consistency;
use proptest::prelude::*;

use super::{exponential, gamma};

fn mixture<D>(weights: &[f64], components: Vec<D>) -> Mixture<D> {
    Mixture::from_weights(weights, components).expect("as many weights as components")
}

#[test]
fn mixtures_are_consistent() {
    let distribution = mixture(&[0.3, 0.0, 0.7], vec![gamma(3.0, 1.5), gamma(0.01, 1.0), gamma(40.0, 4.0)]);
    consistency::univariate(&distribution, &[0.0, 0.5, 2.0, 6.0, 10.0, 17.0, 40.0]);
    consistency::line(&distribution, &[-1.0, 0.4, 3.0, 11.0, 20.0], 1);
    consistency::mean_and_variance(&distribution, &[2.0, 10.0]);
}

#[test]
fn discrete_distributions_mix_too() {
    let distribution =
        mixture(&[1.0, 3.0], vec![Bernoulli::new(0.5).expect("p"), Bernoulli::new(0.1).expect("p")]);
    consistency::univariate(&distribution, &[-1.0, 0.0, 0.5, 1.0, 2.0]);
    consistency::masses(&distribution, &[(false, 0.0), (true, 1.0)]);
    consistency::finite_support(&distribution, &[false, true]);
    consistency::sampler(&distribution, &[false, true], 20_000, &mut posterior_dist::stream::stream(3, &[]));
    assert_eq!((distribution.quantile(0.8), distribution.quantile(0.81)), (0.0, 1.0));
    let points = [(-2.5, 0.2), (0.0, 0.5), (7.0, 0.3)];
    let atoms = points.map(|(x, _)| PointMass::new(x).expect("finite")).to_vec();
    let distribution = mixture(&points.map(|(_, p)| p), atoms);
    consistency::univariate(&distribution, &[-3.0, -2.5, 0.0, 1.0, 7.0, 8.0]);
    consistency::masses(&distribution, &points.map(|(x, _)| (x, x)));
    assert_eq!(
        [0.1, 0.2, 0.6, 0.7, 0.71, 1.0].map(|p| distribution.quantile(p)),
        [-2.5, -2.5, 0.0, 0.0, 7.0, 7.0]
    );
    assert_close(distribution.mean().expect("finite"), 1.6, 1e-15);
    assert_close(distribution.variance().expect("finite"), 0.2 * 6.25 + 0.3 * 49.0 - 1.6 * 1.6, 1e-15);
}

#[test]
fn a_mixture_of_equals_is_the_distribution_itself() {
    let one = gamma(3.0, 1.5);
    let distribution = mixture(&[0.2, 0.8], vec![one, one]);
    for x in [0.01, 1.0, 5.0, 400.0] {
        assert_close(distribution.ln_pdf(&x), one.ln_pdf(&x), 1e-14);
        assert_close(distribution.ln_sf(x), one.ln_sf(x), 1e-14);
    }
    assert_close(distribution.skewness().expect("finite"), one.skewness().expect("finite"), 1e-14);
    assert_close(
        distribution.excess_kurtosis().expect("finite"),
        one.excess_kurtosis().expect("finite"),
        1e-13,
    );
    for p in [1e-200, 1e-9, 0.3, 0.999] {
        assert_close(distribution.quantile(p), one.quantile(p), 1e-13);
        assert_close(distribution.upper_quantile(p), one.upper_quantile(p), 1e-13);
    }
}

#[test]
fn shape_is_that_of_the_atoms() {
    // Two atoms are a Bernoulli distribution.
    let coin = Bernoulli::new(0.3).expect("p");
    let atoms = [0.0, 1.0].map(|x| PointMass::new(x).expect("finite")).to_vec();
    let components = atoms.clone();
    assert_close(
        mixture(&[0.7, 0.3], components).variance().expect("finite"),
        coin.variance().expect("p"),
        1e-15,
    );
    // Two exponential distributions: raw moments n! Σ w / λⁿ.
    let (w, rates) = ([0.6, 0.4], [1.0, 0.2]);
    let distribution = mixture(&w, rates.map(exponential).to_vec());
    let raw = |n: i32, factorial: f64| factorial * (w[0] * rates[0].powi(-n) + w[1] * rates[1].powi(-n));
    let (m, s) = (raw(1, 1.0), raw(2, 2.0));
    let variance = s - m * m;
    let third = raw(3, 6.0) - 3.0 * m * s + 2.0 * m.powi(3);
    let fourth = raw(4, 24.0) - 4.0 * m * raw(3, 6.0) + 6.0 * m * m * s - 3.0 * m.powi(4);
    assert_close(distribution.mean().expect("finite"), m, 1e-15);
    assert_close(distribution.variance().expect("finite"), variance, 1e-14);
    assert_close(distribution.skewness().expect("finite"), third / variance.powf(1.5), 1e-14);
    assert_close(distribution.excess_kurtosis().expect("finite"), fourth / variance.powi(2) - 3.0, 1e-13);
}

#[test]
fn vectors_mix_with_their_covariances() {
    let components =
        [[1.0, 2.0, 3.0], [4.0, 1.0, 1.0]].map(|alpha| Dirichlet::new(&alpha).expect("positive"));
    let distribution = mixture(&[0.25, 0.75], components.to_vec());
    let means = components.clone().map(|distribution| distribution.mean().expect("finite"));
    let mean: Vec<f64> = (0..3).map(|k| 0.25 * means[0][k] + 0.75 * means[1][k]).collect();
    assert_all_close(&distribution.mean().expect("finite"), &mean, 1e-15);
    // The variance is E X Xᵀ - m mᵀ.
    let second = |k: usize| {
        let m = &means[k];
        components[k].variance().expect("finite") + DMatrix::from_fn(3, 3, |i, j| m[i] * m[j])
    };
    let expected = second(0) * 0.25 + second(1) * 0.75 - DMatrix::from_fn(3, 3, |i, j| mean[i] * mean[j]);
    assert_all_close(distribution.variance().expect("finite").as_slice(), expected.as_slice(), 1e-13);
}

#[test]
fn what_one_component_excludes_another_allows() {
    let atoms = [0.0, 1.0].map(|x| PointMass::new(x).expect("finite")).to_vec();
    let distribution = mixture(&[0.25, 0.75], atoms);
    assert_eq!(distribution.ln_pdf(&0.0), 0.25_f64.ln());
    assert_eq!(distribution.ln_pdf(&0.5), f64::NEG_INFINITY);
    assert!(distribution.ln_pdf(&f64::NAN).is_nan());
    assert_eq!(distribution.responsibilities(&1.0).expect("possible").probabilities(), [0.0, 1.0]);
    assert!(distribution.responsibilities(&0.5).is_err());
    // A component of weight 0 has no say, be its density infinite.
    let distribution = mixture(&[0.0, 1.0], vec![gamma(0.5, 1.0), gamma(2.0, 1.0)]);
    assert_eq!(distribution.ln_pdf(&0.0), f64::NEG_INFINITY);
    assert_eq!(distribution.mean(), Some(2.0));
}

#[test]
fn log_densities_beyond_the_range_of_numbers_are_kept() {
    let distribution = mixture(&[1.0, 1.0], vec![exponential(1.0), exponential(2.0)]);
    assert_close(distribution.ln_pdf(&1e5), -1e5 - 2_f64.ln(), 1e-15);
    assert_close(distribution.ln_sf(1e5), -1e5 - 2_f64.ln(), 1e-15);
    let weights = Categorical::from_ln_weights(&[0.0, -1000.0]).expect("finite");
    let distribution = Mixture::new(weights, vec![exponential(2.0), exponential(1.0)]).expect("two");
    assert_close(distribution.ln_pdf(&5000.0), -6000.0, 1e-15);
}

#[test]
fn counts_that_differ_are_refused() {
    let error = Mixture::from_weights(&[1.0, 2.0], vec![exponential(1.0)]).expect_err("one component");
    assert_eq!(error.to_string(), "Mixture: number of components = 1 must be that of the weights");
    assert!(Mixture::from_weights(&[-1.0], vec![exponential(1.0)]).is_err());
    assert!(Mixture::<Bernoulli>::from_weights(&[], vec![]).is_err());
}

#[test]
fn inversion_refuses_what_is_no_probability() {
    for p in [0.0, -1.0, 1.5, f64::NAN] {
        assert!(invert_cdf(|x| x, p, 0.0, 1.0).is_nan() && invert_sf(|x| 1.0 - x, p, 0.0, 1.0).is_nan());
    }
    assert!(invert_cdf(|x| x, 0.5, 1.0, 0.0).is_nan());
    assert!(invert_cdf(|x| x, 0.5, f64::NAN, 0.0).is_nan());
    assert_eq!(invert_cdf(|x| x, 0.5, 0.0, 0.25), 0.25);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn quantiles_are_exact_inverses(shapes in (0.05..50.0_f64, 0.05..50.0), rates in (1e-3..1e3_f64, 1e-3..1e3), w in 0.0..1.0_f64, p in 1e-12..1.0_f64) {
        let distribution = mixture(&[w, 1.0 - w], vec![gamma(shapes.0, rates.0), gamma(shapes.1, rates.1)]);
        let x = distribution.quantile(p);
        prop_assert!(distribution.cdf(x) >= p || distribution.cdf(x) > p * (1.0 - 1e-13));
        prop_assert!(distribution.cdf(x.next_down()) < p * (1.0 + 1e-13));
        let x = distribution.upper_quantile(p);
        prop_assert!(distribution.sf(x) <= p * (1.0 + 1e-13));
        prop_assert!(distribution.sf(x.next_down()) > p * (1.0 - 1e-13));
    }
}
