//! Distributions that are priors and posteriors of each other.

use posterior_dist::{
    Conjugate, Density, Entropy, ExponentialFamily, Gamma, Gumbel, InverseGamma, KlDivergence, Laplace,
    Logistic, Moments, Normal, NormalKnownMean, NormalKnownVariance, Parametric, Stats, StudentT, Uniform,
    stream::stream,
};
use posterior_testkit::accuracy::{Worst, assert_close};
use posterior_testkit::consistency;
use posterior_testkit::reference::{list, load, number, numbers};

use super::around;

#[test]
fn gamma_distributions_are_conjugate_to_the_spread() {
    // DIST-10.
    let data = [1.2, 0.7, 2.1, 1.6];
    let stats = Stats::<NormalKnownMean>::of(1.0, &data).expect("finite");
    let variance = InverseGamma::new(2.0, 1.0).expect("positive");
    let precision = Gamma::shape_rate(2.0, 1.0).expect("positive");
    let posterior = NormalKnownMean::posterior(&variance, &stats).expect("valid");
    assert_close(posterior.shape(), 4.0, 1e-15);
    assert_close(posterior.scale(), 1.85, 1e-15);
    let posterior = NormalKnownMean::posterior(&precision, &stats).expect("valid");
    assert_close(posterior.rate(), 1.85, 1e-15);
    consistency::conjugate::<NormalKnownMean, InverseGamma, f64>(&1.0, &variance, &data);
    consistency::conjugate::<NormalKnownMean, Gamma, f64>(&1.0, &precision, &data);

    let predictive = NormalKnownMean::predictive(&variance, &1.0).expect("valid");
    assert_eq!(predictive, StudentT::new(4.0, 1.0, 0.5_f64.sqrt()).expect("valid"));
    // E ln N(x; μ, σ²) = ½ E ln τ - ½ ln 2π - ½ E τ (x - μ)².
    let expected = NormalKnownMean::expected_density(&variance, &1.0).expect("valid");
    let by_hand = 0.5 * precision.expected_ln() - 0.9189385332046727 - 0.5 * 2.0 * 0.09;
    assert_close(expected.ln_pdf(&1.3), by_hand, 1e-14);
    let best = NormalKnownMean::most_probable(&variance, &1.0).expect("valid").expect("exists");
    assert_close(best.variance(), 1.0 / 3.0, 1e-15);
    let best = NormalKnownMean::most_probable(&precision, &1.0).expect("valid").expect("exists");
    assert_close(best.variance(), 1.0, 1e-15);
    assert!(NormalKnownMean::draw(&variance, &1.0, &mut stream(1, &[])).is_ok());
}

#[test]
fn normals_with_one_parameter_known() {
    let points = around(0.4, 0.7);
    let (p, q) = (
        NormalKnownVariance::new(0.4, 0.49).expect("valid"),
        NormalKnownVariance::new(-1.0, 0.49).expect("valid"),
    );
    consistency::exponential_family(&p, &points, 1e-12);
    consistency::stats::<NormalKnownVariance, f64>(&0.49, &points);
    consistency::kl_divergence::<_, f64>(&p, &q, None);
    consistency::bregman(&p, &q, 1e-12);

    let (p, q) =
        (NormalKnownMean::new(0.4, 0.49).expect("valid"), NormalKnownMean::new(0.4, 0.9).expect("valid"));
    consistency::exponential_family(&p, &points, 1e-12);
    consistency::stats::<NormalKnownMean, f64>(&0.4, &points);
    consistency::kl_divergence::<_, f64>(&p, &q, None);
    consistency::bregman(&p, &q, 1e-12);
    assert_eq!(p.normal().sd(), 0.7);
}

#[test]
fn the_normal_is_conjugate_to_the_mean() {
    // DIST-07.
    let prior = Normal::mean_variance(0.0, 4.0).expect("valid");
    let data = Stats::<NormalKnownVariance>::of(1.0, &[3.0]).expect("finite");
    let posterior = NormalKnownVariance::posterior(&prior, &data).expect("valid");
    assert_close(posterior.mean().expect("exists"), 2.4, 1e-15);
    assert_close(posterior.variance().expect("exists"), 0.8, 1e-15);

    for (mean, sd) in [(0.0, 2.0), (5.0, 1e-3), (-1.0, 1e6)] {
        let prior = Normal::mean_sd(mean, sd).expect("valid");
        consistency::conjugate::<NormalKnownVariance, _, f64>(&0.7, &prior, &[1.2, 0.7, 2.1, 1.6, -0.4]);
    }
    let prior = Normal::mean_sd(0.5, 2.0).expect("valid");
    let expected = NormalKnownVariance::expected_density(&prior, &0.7).expect("valid");
    // E ln N(x; m, v) = ln N(x; E m, v) - Var m / (2v).
    let at_mean = Normal::mean_variance(0.5, 0.7).expect("valid").ln_pdf(&1.3);
    assert_close(expected.ln_pdf(&1.3), at_mean - 4.0 / 1.4, 1e-14);
    let best = NormalKnownVariance::most_probable(&prior, &0.7).expect("valid").expect("exists");
    assert_eq!(best, NormalKnownVariance::new(0.5, 0.7).expect("valid"));
    assert!(NormalKnownVariance::draw(&prior, &0.7, &mut stream(1, &[])).is_ok());
    for variance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = NormalKnownVariance::predictive(&prior, &variance).expect_err("no variance");
        assert!(error.value() == variance || variance.is_nan(), "{error}");
        assert!(NormalKnownVariance::posterior(&prior, &Stats::new(variance)).is_err());
        assert!(NormalKnownVariance::ln_evidence(&prior, &Stats::new(variance)).is_err());
    }
    // Priors without information, and with all of it.
    let data = Stats::<NormalKnownVariance>::of(1.0, &[3.0, 5.0]).expect("finite");
    let vague = Normal::mean_sd(0.0, 1e200).expect("valid");
    let posterior = NormalKnownVariance::posterior(&vague, &data).expect("valid");
    assert_close(posterior.mean().expect("exists"), 4.0, 1e-15);
    let sure = Normal::mean_sd(1.0, 1e-200).expect("valid");
    assert_eq!(NormalKnownVariance::posterior(&sure, &data).expect("valid"), sure);
}

#[test]
fn divergences_of_normals_meet_their_table() {
    let mut worst = Worst::of("kl_divergence, normal");
    for case in list(&load("distributions/kl_divergence")["families"]["normal (mu, sigma)"]) {
        let distribution = |key: &str| Normal::from_parameters(&numbers(&case[key])).expect("valid");
        worst.see(distribution("p").kl_divergence(&distribution("q")), number(&case["kl"]), case);
    }
    worst.assert_at_most(1e-14);
    // DIST-03.
    let (p, q) = (Normal::STANDARD, Normal::mean_variance(1.0, 4.0).expect("valid"));
    assert_close(p.kl_divergence(&q), 0.4431471805599453, 1e-15);
    assert_close(q.kl_divergence(&p), 1.3068528194400546, 1e-15);
}

#[test]
fn the_normal_has_the_largest_entropy_of_variance_one() {
    // DIST-03.
    assert_close(Normal::STANDARD.entropy(), 1.4189385332046727, 1e-15);
    let rest = [
        Laplace::new(0.0, 0.5_f64.sqrt()).expect("positive").entropy(),
        Uniform::new(-3_f64.sqrt(), 3_f64.sqrt()).expect("ordered").entropy(),
        Logistic::new(0.0, 3_f64.sqrt() / std::f64::consts::PI).expect("positive").entropy(),
        StudentT::new(5.0, 0.0, 0.6_f64.sqrt()).expect("positive").entropy(),
        Gumbel::new(0.0, 6_f64.sqrt() / std::f64::consts::PI).expect("positive").entropy(),
    ];
    assert!(rest.iter().all(|&entropy| entropy < 1.4189385332046727), "{rest:?}");
}

#[test]
fn products_of_normals_are_normal() {
    // N(x; a, A) N(x; b, B) = N(x; c, C) N(a; b, A + B): natural parameters add, and the rest is the
    // evidence.
    let (p, q) =
        (Normal::mean_variance(0.3, 0.8).expect("valid"), Normal::mean_variance(-1.1, 2.5).expect("valid"));
    let product =
        Normal::from_natural(&p.natural().plus(1.0, &q.natural()).expect("sums")).expect("in the domain");
    let factor = Normal::mean_variance(-1.1, 0.8 + 2.5).expect("valid").ln_pdf(&0.3);
    for x in [-3.0, 0.0, 1.7] {
        assert_close(p.ln_pdf(&x) + q.ln_pdf(&x), product.ln_pdf(&x) + factor, 1e-14);
    }
    assert!(
        Normal::from_natural(&q.natural().plus(-1.0, &p.natural()).expect("sums")).is_err(),
        "not in the domain"
    );
}
