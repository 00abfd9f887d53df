//! Priors of means, variances, covariances and precisions: their tables, and what data do to them.

mod conjugacy;

use posterior_dist::{
    Conjugate, Density, Entropy, KlDivergence, Mode, Moments, NormalGamma, NormalInverseGamma,
    ParameterGradient, Parametric, PointGradient, Stats, stream::stream,
};
use posterior_gaussian::{
    Gaussian, InverseWishart, MultivariateT, NormalInverseWishart, NormalWishart, Wishart,
};
use posterior_math::linalg::DMatrix;
use posterior_math::streaming::MeanVariance;
use posterior_testkit::accuracy::{Worst, assert_close, assert_within};
use posterior_testkit::consistency;
use posterior_testkit::reference::{distribution_cases, list, number, numbers, rows};
use proptest::prelude::*;
use rand::distr::Distribution;

use crate::gaussian::matrix;

fn square(n: usize, entries: &[f64]) -> DMatrix<f64> {
    DMatrix::from_row_slice(n, n, entries)
}

fn inverse_wishart_prior() -> NormalInverseWishart {
    NormalInverseWishart::new(&[0.5, -1.0], 0.7, &square(2, &[2.0, 0.3, 0.3, 1.0]), 4.5).expect("valid")
}

const POINTS: [[f64; 2]; 5] = [[1.2, 0.3], [0.7, -0.4], [2.1, 1.9], [1.6, 0.2], [-3.0, 4.0]];

fn points() -> Vec<Vec<f64>> {
    POINTS.iter().map(|x| x.to_vec()).collect()
}

#[test]
fn normal_inverse_wishart_by_its_table() {
    let mut densities = Worst::of("normal_inverse_wishart, ln_pdf");
    let mut updates = Worst::of("normal_inverse_wishart, updates");
    for case in distribution_cases("normal_inverse_wishart") {
        let (mu, psi) = (numbers(&case["mu0"]), matrix(&case["psi"]));
        let prior =
            NormalInverseWishart::new(&mu, number(&case["kappa"]), &psi, number(&case["nu"])).expect("valid");
        let size = prior.dimension();
        for point in list(&case["points"]) {
            let x =
                Gaussian::new(&numbers(&point["mu"]), &matrix(&point["sigma"])).expect("positive definite");
            let expected = number(&point["logpdf"]);
            densities.see_conditioned(prior.ln_pdf(&x), expected, x.cholesky().condition_estimate(), &size);
        }
        let update = &case["conjugate_update"];
        let data = rows(&update["data"]);
        let stats = Stats::<Gaussian>::of(size, data.iter().map(|x| &x[..])).expect("finite");
        let posterior = Gaussian::posterior(&prior, &stats).expect("fits");
        let evidence = Gaussian::ln_evidence(&prior, &stats).expect("fits");
        updates.see_conditioned(evidence, number(&update["log_evidence"]), 1.0, &(size, "evidence"));
        updates.see(posterior.kappa(), number(&update["kappa_n"]), &(size, "kappa"));
        updates.see(posterior.degrees_of_freedom(), number(&update["nu_n"]), &(size, "nu"));
        for (a, e) in posterior.location().iter().zip(numbers(&update["mu_n"])) {
            updates.see_conditioned(*a, e, 1.0, &(size, "mu"));
        }
        let expected = matrix(&update["psi_n"]);
        for (a, e) in posterior.scale().iter().zip(expected.iter()) {
            updates.see_conditioned(*a, *e, 0.1 * expected.amax(), &(size, "psi"));
        }
    }
    densities.assert_at_most(1e-15);
    updates.assert_at_most(1e-15);
}

#[test]
fn the_four_priors_are_one() {
    // In one dimension the matrix distributions are those of numbers: ν = 2 α, Ψ = 2 β.
    let gamma = NormalInverseGamma::new(0.5, 0.7, 2.25, 1.4).expect("valid");
    let other = NormalInverseGamma::new(-0.5, 2.0, 3.0, 0.4).expect("valid");
    let wide = |distribution: &NormalInverseGamma| {
        let psi = DMatrix::from_element(1, 1, 2.0 * distribution.scale());
        NormalInverseWishart::new(
            &[distribution.location()],
            distribution.kappa(),
            &psi,
            2.0 * distribution.shape(),
        )
        .expect("valid")
    };
    let precise =
        |distribution: &NormalInverseGamma| NormalWishart::from_inverse(wide(distribution)).expect("valid");
    let (mean, variance) = (0.2, 0.9);
    let distribution = Gaussian::new(&[mean], &DMatrix::from_element(1, 1, variance)).expect("positive");
    assert_close(wide(&gamma).ln_pdf(&distribution), gamma.ln_pdf(&(mean, variance)), 1e-14);
    let precision = NormalGamma::from(gamma);
    assert_close(precise(&gamma).ln_pdf(&distribution), precision.ln_pdf(&(mean, 1.0 / variance)), 1e-14);
    assert_close(wide(&gamma).entropy(), gamma.entropy(), 1e-14);
    assert_close(precise(&gamma).entropy(), precision.entropy(), 1e-14);
    let divergence = gamma.kl_divergence(&other);
    assert_close(wide(&gamma).kl_divergence(&wide(&other)), divergence, 1e-14);
    assert_close(precise(&gamma).kl_divergence(&precise(&other)), divergence, 1e-14);
    assert_close(precision.kl_divergence(&NormalGamma::from(other)), divergence, 1e-14);
    for distribution in [gamma, other] {
        consistency::kl_divergence::<_, (f64, f64)>(&gamma, &distribution, None);
    }
    assert_close(
        wide(&gamma).mode().expect("exists").covariance()[0],
        gamma.mode().expect("exists").1,
        1e-15,
    );
    let mode = precise(&gamma).mode().expect("exists");
    assert_close(1.0 / mode.covariance()[0], precision.mode().expect("exists").1, 1e-14);
    assert_eq!(NormalInverseGamma::from(precision), gamma);
    assert_eq!(precision.to_string(), "normal_gamma(0.5, 0.7, 2.25, 1.4)");
}

/// Five standard errors: one false alarm in a million seeds.
#[track_caller]
fn within_errors(of: impl Iterator<Item = f64>, expected: f64) {
    let statistic: MeanVariance = of.collect();
    assert_within(
        statistic.mean(),
        expected,
        5.0 * (statistic.sample_variance() / statistic.weight()).sqrt(),
    );
}

#[test]
fn draws_agree_with_moments_entropy_and_divergence() {
    let (p, q) = (
        NormalInverseGamma::new(0.5, 0.7, 3.25, 1.4).expect("valid"),
        NormalInverseGamma::new(0.3, 0.9, 2.0, 1.0).expect("valid"),
    );
    let mut rng = stream(11, &[]);
    let draws: Vec<(f64, f64)> = (0..20_000).map(|_| p.sample(&mut rng)).collect();
    within_errors(draws.iter().map(|x| -p.ln_pdf(x)), p.entropy());
    within_errors(draws.iter().map(|x| p.ln_pdf(x) - q.ln_pdf(x)), p.kl_divergence(&q));
    let (mean, variance) = (p.mean().expect("exists"), p.variance().expect("exists"));
    within_errors(draws.iter().map(|x| x.0), mean.0);
    within_errors(draws.iter().map(|x| x.1), mean.1);
    within_errors(draws.iter().map(|x| (x.0 - mean.0).powi(2)), variance.0);
    within_errors(
        draws.iter().map(|x| -0.5 * ((2.0 * std::f64::consts::PI * x.1).ln() + (x.0 - 2.0).powi(2) / x.1)),
        p.expected_ln_pdf(2.0),
    );
    let (p, q) = (NormalGamma::from(p), NormalGamma::from(q));
    let draws: Vec<(f64, f64)> = (0..20_000).map(|_| p.sample(&mut rng)).collect();
    within_errors(draws.iter().map(|x| -p.ln_pdf(x)), p.entropy());
    within_errors(draws.iter().map(|x| p.ln_pdf(x) - q.ln_pdf(x)), p.kl_divergence(&q));
    within_errors(draws.iter().map(|x| x.1), p.mean().expect("exists").1);

    let p = inverse_wishart_prior();
    let q =
        NormalInverseWishart::new(&[0.4, -0.8], 1.0, &square(2, &[1.5, 0.0, 0.0, 1.0]), 5.0).expect("valid");
    let draws: Vec<Gaussian> = (0..20_000).map(|_| p.draw(&mut rng).expect("regular")).collect();
    within_errors(draws.iter().map(|x| -p.ln_pdf(x)), p.entropy());
    within_errors(draws.iter().map(|x| p.ln_pdf(x) - q.ln_pdf(x)), p.kl_divergence(&q));
    within_errors(draws.iter().map(|x| x.ln_pdf(&[1.0, 1.0])), p.expected_ln_pdf(&[1.0, 1.0]));
    // The mean alone is t, and the predictive density is the mean of the densities.
    let marginal = p.mean_distribution().expect("finite");
    within_errors(draws.iter().map(|x| marginal.ln_pdf(x.mean().as_slice())), {
        let mut rng = stream(12, &[]);
        let direct: MeanVariance =
            (0..200_000).map(|_| marginal.ln_pdf(&marginal.sample(&mut rng))).collect();
        direct.mean()
    });
    let predictive: MultivariateT = Gaussian::predictive(&p, &2).expect("fits");
    within_errors(draws.iter().map(|x| x.ln_pdf(&[1.0, 1.0]).exp()), predictive.ln_pdf(&[1.0, 1.0]).exp());
    let precise = NormalWishart::from_inverse(p).expect("valid");
    within_errors(draws.iter().map(|x| -precise.ln_pdf(x)), precise.entropy());
}

#[test]
fn gradients_are_differences() {
    let distribution = NormalInverseGamma::new(0.5, 0.7, 3.25, 1.4).expect("valid");
    differences(&distribution, [0.2, 0.9], |x| (x[0], x[1]));
    differences(&NormalGamma::from(distribution), [0.2, 0.9], |x| (x[0], x[1]));
    assert!(
        distribution.point_gradient(&(0.0, -1.0)).0.is_nan()
            && distribution.parameter_gradient(&(0.0, 0.0))[3].is_nan()
    );
}

fn differences<D>(distribution: &D, point: [f64; 2], of: impl Fn([f64; 2]) -> (f64, f64))
where
    D: Parametric + PointGradient<Point = (f64, f64)> + ParameterGradient,
{
    let step = 1e-5;
    let slopes = <[f64; 2]>::from(distribution.point_gradient(&of(point)));
    for (index, slope) in slopes.into_iter().enumerate() {
        let at = |offset: f64| {
            let mut moved = point;
            moved[index] += offset;
            distribution.ln_pdf(&of(moved))
        };
        assert_within((at(step) - at(-step)) / (2.0 * step), slope, 1e-8);
    }
    for (index, &slope) in distribution.parameter_gradient(&of(point)).as_ref().iter().enumerate() {
        let at = |offset: f64| {
            let mut moved = distribution.parameters();
            moved[index] += offset;
            D::from_parameters(&moved).expect("valid").ln_pdf(&of(point))
        };
        assert_within((at(step) - at(-step)) / (2.0 * step), slope, 1e-8);
    }
}

#[test]
fn one_point_and_none() {
    let prior = inverse_wishart_prior();
    assert_eq!(Gaussian::posterior(&prior, &Stats::new(2)).expect("fits"), prior);
    let one = Stats::<Gaussian>::of(2, [&[3.0, 1.0][..]]).expect("finite");
    let evidence = Gaussian::ln_evidence(&prior, &one).expect("fits");
    assert_close(evidence, Gaussian::predictive(&prior, &2).expect("fits").ln_pdf(&[3.0, 1.0]), 1e-14);
    // Data far from zero: the scatter keeps its digits.
    let far: Vec<Vec<f64>> = POINTS.iter().map(|[x, y]| vec![x + 1e8, y - 1e8]).collect();
    let moved = NormalInverseWishart::new(&[1e8, -1e8], 0.7, prior.scale(), 4.5).expect("valid");
    let at_zero = NormalInverseWishart::new(&[0.0, 0.0], 0.7, prior.scale(), 4.5).expect("valid");
    let of = |points: &[Vec<f64>]| Stats::<Gaussian>::of(2, points.iter().map(|x| &x[..])).expect("finite");
    let (here, there) = (of(&points()), of(&far));
    // The points themselves were rounded to 1e-8.
    assert_within(
        Gaussian::ln_evidence(&moved, &there).expect("fits"),
        Gaussian::ln_evidence(&at_zero, &here).expect("fits"),
        1e-7,
    );
    assert!(Gaussian::posterior(&prior, &Stats::new(3)).is_err());
    assert!(Gaussian::predictive(&prior, &3).is_err());
}

#[test]
fn what_is_no_prior_is_refused() {
    let unit = DMatrix::identity(2, 2);
    for [kappa, nu] in [[0.0, 4.0], [-1.0, 4.0], [f64::NAN, 4.0], [1.0, 1.0], [1.0, f64::INFINITY]] {
        assert!(NormalInverseWishart::new(&[0.0, 0.0], kappa, &unit, nu).is_err());
        assert!(NormalWishart::new(&[0.0, 0.0], kappa, &unit, nu).is_err());
    }
    assert!(NormalInverseWishart::new(&[0.0], 1.0, &unit, 4.0).is_err());
    assert!(NormalInverseWishart::new(&[0.0, f64::NAN], 1.0, &unit, 4.0).is_err());
    for parameters in [
        [f64::NAN, 1.0, 1.0, 1.0],
        [0.0, 0.0, 1.0, 1.0],
        [0.0, 1.0, -1.0, 1.0],
        [0.0, 1.0, 1.0, f64::INFINITY],
    ] {
        let error = NormalInverseGamma::from_parameters(&parameters).expect_err("not valid");
        let refused = parameters.iter().any(|x| error.value() == *x || x.is_nan() && error.value().is_nan());
        assert!(refused && NormalGamma::from_parameters(&parameters).is_err());
    }
    let prior = NormalGamma::new(0.0, 1.0, 0.4, 1.0).expect("valid");
    assert_eq!((prior.mean(), prior.mode()), (None, None));
    assert_eq!(prior.ln_pdf(&(0.0, -1.0)), f64::NEG_INFINITY);
    assert!(prior.ln_pdf(&(0.0, f64::NAN)).is_nan());
    let prior = NormalInverseGamma::from(prior);
    assert_eq!(prior.ln_pdf(&(f64::INFINITY, 1.0)), f64::NEG_INFINITY);
    assert_eq!(inverse_wishart_prior().ln_pdf(&Gaussian::standard(3)), f64::NEG_INFINITY);
}

proptest! {
    #[test]
    fn random_normal_wisharts_are_conjugate(
        kappa in (-3.0..3.0).prop_map(|e: f64| 10_f64.powf(e)),
        nu in 2.1..20.0,
        data in prop::collection::vec(prop::collection::vec(-5.0..5.0, 3), 1..8),
    ) {
        let psi = square(3, &[2.0, 0.3, -0.1, 0.3, 1.0, 0.2, -0.1, 0.2, 0.7]);
        let prior = NormalInverseWishart::new(&[0.5, 0.0, -1.0], kappa, &psi, nu).expect("valid");
        consistency::conjugate::<Gaussian, _, Vec<f64>>(&3, &prior, &data);
    }

    #[test]
    fn numbers_of_any_bits_do_no_harm(bits in prop::collection::vec(any::<u64>(), 6)) {
        let x: Vec<f64> = bits.iter().map(|&bits| f64::from_bits(bits)).collect();
        if let Ok(distribution) = NormalInverseGamma::new(x[0], x[1].abs(), x[2].abs(), x[3].abs()) {
            let (density, precise) = (distribution.ln_pdf(&(x[4], x[5])), NormalGamma::from(distribution));
            prop_assert!(!density.is_nan() || x[4].is_nan() || x[5].is_nan(), "{distribution:?} {x:?}");
            let density = precise.ln_pdf(&(x[4], x[5]));
            prop_assert!(!density.is_nan() || x[4].is_nan() || x[5].is_nan(), "{precise:?} {x:?}");
            let _ = (distribution.entropy(), distribution.mean(), distribution.variance(), distribution.mode(), precise.mode(), distribution.kl_divergence(&distribution));
            let _: (f64, f64) = distribution.sample(&mut stream(1, &[]));
        }
        let scale = DMatrix::from_row_slice(2, 2, &[x[0].abs(), x[1], x[1], x[2].abs()]);
        if let Ok(distribution) = InverseWishart::new(x[3].abs(), &scale) {
            let _ = (distribution.entropy(), distribution.mean(), distribution.variance(), distribution.mode(), distribution.ln_pdf(&scale));
            let _: DMatrix<f64> = distribution.sample(&mut stream(1, &[]));
        }
        if let Ok(distribution) = Wishart::new(x[3].abs(), &scale) {
            let _ = (distribution.entropy(), distribution.mean(), distribution.variance(), distribution.mode(), distribution.ln_pdf(&scale));
            let _: DMatrix<f64> = distribution.sample(&mut stream(1, &[]));
        }
    }
}
