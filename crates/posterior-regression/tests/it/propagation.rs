//! Expectation propagation: independent figures, exact cases, and quadrature.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::special::{ln_normal_cdf, normal_cdf};
use posterior_regression::glm::{CoefficientPrior, Family, Glm, GlmData, GlmFitOptions};
use posterior_regression::propagation::{PropagatedPosterior, SiteOptions, propagate};

fn design() -> DMatrix<f64> {
    DMatrix::from_fn(5, 2, |i, j| if j == 0 { 1.0 } else { i as f64 - 2.0 })
}

fn fitted(model: &Glm<'_, Family>) -> PropagatedPosterior {
    let fitted = propagate(model, &SiteOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.converged(), "{:?}", fitted.report);
    fitted.model
}

fn model(family: Family, data: GlmData<'_>, sd: f64) -> Glm<'_, Family> {
    let prior = CoefficientPrior::isotropic(data.columns(), sd).unwrap();
    Glm::new(family, data).unwrap().with_prior(prior).unwrap()
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{a} should be {b}");
}

struct Figures {
    family: Family,
    y: [f64; 5],
    mean: [f64; 2],
    covariance: [f64; 3],
    ln_evidence: f64,
}

/// A program with mpmath's quadrature to 25 digits, which inverts the whole precision anew for each site.
const FIGURES: [Figures; 2] = [
    Figures {
        family: Family::Logit,
        y: [0.0, 0.0, 1.0, 0.0, 1.0],
        mean: [-0.266785803051055, 0.73699155460866],
        covariance: [0.534137973075554, -0.0162525255445621, 0.403632884277306],
        ln_evidence: -3.63560983090807,
    },
    Figures {
        family: Family::Poisson,
        y: [0.0, 1.0, 1.0, 4.0, 7.0],
        mean: [0.257648552330996, 0.831036038734762],
        covariance: [0.164391201978281, -0.0762178977921309, 0.0651357015813228],
        ln_evidence: -9.13361110308076,
    },
];

#[test]
fn the_fixed_point_is_that_of_another_program() {
    let design = design();
    for Figures { family, y, mean, covariance, ln_evidence } in FIGURES {
        let posterior = fitted(&model(family, GlmData::new(&design, &y).unwrap(), 1.0));
        let ours = posterior.distribution.cholesky().reconstruct();
        for (k, mean) in mean.into_iter().enumerate() {
            close(posterior.distribution.mean()[k], mean, 1e-8);
        }
        for (a, b) in [ours[(0, 0)], ours[(1, 0)], ours[(1, 1)]].into_iter().zip(covariance) {
            close(a, b, 1e-8);
        }
        close(posterior.ln_evidence, ln_evidence, 1e-9);
    }
}

#[test]
fn gaussian_responses_are_exact() {
    let design = design();
    let (y, offset, weights) =
        ([1.0, 2.5, -0.3, 4.0, 0.2], [0.1, -0.2, 0.3, 0.0, 1.0], [1.0, 2.0, 0.0, 0.5, 3.0]);
    let data =
        GlmData::new(&design, &y).unwrap().with_offset(&offset).unwrap().with_weights(&weights).unwrap();
    let model = model(Family::Gaussian, data, 2.0).with_dispersion(0.7).unwrap();
    let (posterior, exact) = (fitted(&model), model.laplace(&GlmFitOptions::default()).unwrap());
    close(posterior.ln_evidence, exact.ln_evidence, 1e-11);
    let [ours, theirs] = [&posterior.distribution, &exact.distribution]
        .map(|own| (own.mean().clone(), own.cholesky().reconstruct()));
    assert!((ours.0 - theirs.0).amax() < 1e-11 && (ours.1 - theirs.1).amax() < 1e-11);
}

#[test]
fn one_response_is_exact() {
    // Φ(x β) with β ~ N(0, 2²): ln p(y = 1) = ln ½, and the moments of the skew-normal distribution.
    let design = DMatrix::from_element(1, 1, 1.5);
    let posterior = fitted(&model(Family::Probit, GlmData::new(&design, &[1.0]).unwrap(), 2.0));
    close(posterior.ln_evidence, 0.5_f64.ln(), 1e-11);
    let delta = 3.0 / 10_f64.sqrt();
    let mean = 2.0 * delta * (2.0 / std::f64::consts::PI).sqrt();
    close(posterior.distribution.mean()[0], mean, 1e-9);
    close(posterior.distribution.cholesky().reconstruct()[(0, 0)], 4.0 - mean * mean, 1e-9);
    // A rare event: the mean is twelve standard deviations of the prior away.
    let data = GlmData::new(&design, &[1.0]).unwrap().with_offset(&[-80.0]).unwrap();
    let posterior = fitted(&model(Family::Probit, data, 2.0));
    close(posterior.ln_evidence, ln_normal_cdf(-80.0 / 10_f64.sqrt()), 1e-9);
    assert!(normal_cdf(-80.0 / 10_f64.sqrt()) < 1e-140);
}

#[test]
fn rows_of_zeros_and_of_no_weight_say_what_they_must() {
    let y = [0.0, 0.0, 1.0, 0.0, 1.0];
    let five = design();
    let alone = fitted(&model(Family::Logit, GlmData::new(&five, &y).unwrap(), 1.0));
    let seven = five.clone().resize(7, 2, 0.0);
    let responses = [&y[..], &[1.0, 0.0]].concat();
    let mut weights = [1.0; 7];
    weights[6] = 0.0;
    let data = GlmData::new(&seven, &responses).unwrap().with_weights(&weights).unwrap();
    let with_zeros = fitted(&model(Family::Logit, data, 1.0));
    close(with_zeros.ln_evidence, alone.ln_evidence + 0.5_f64.ln(), 1e-10);
    assert!((with_zeros.distribution.mean() - alone.distribution.mean()).amax() < 1e-9);
}

/// A slope alone, with wide priors; three of the responses are separated. Family, responses, sd of the prior;
/// ln p(y), mean and standard deviation of the fixed point and of the posterior, by the trapezoidal rule on
/// 12,001 points.
type Slope = (Family, [f64; 4], f64, [f64; 3], [f64; 2]);

#[test]
fn means_are_those_of_the_posterior_where_the_mode_is_not() {
    let design = DMatrix::from_column_slice(4, 1, &[-2.0, -0.5, 0.7, 3.0]);
    let cases: [Slope; 5] = [
        (
            Family::Logit,
            [0.0, 0.0, 1.0, 1.0],
            10.0,
            [-0.9898975599582598, 9.40253494514696, 4.831808404423394],
            [9.197811983240568, 5.856245382281029],
        ),
        (
            Family::Probit,
            [0.0, 1.0, 1.0, 1.0],
            5.0,
            [-3.2567330319222036, 1.4792270201828759, 0.9159600513276172],
            [1.4818156013466208, 1.0168130262508808],
        ),
        (
            Family::ComplementaryLogLog,
            [0.0, 0.0, 1.0, 1.0],
            3.0,
            [-1.243969137115361, 3.1195228192414093, 1.6056801314371547],
            [3.0869282789699426, 1.805858527666264],
        ),
        (
            Family::Poisson,
            [0.0, 1.0, 0.0, 9.0],
            2.0,
            [-7.924545689176201, 0.701299820263795, 0.11456154832817231],
            [0.7013152535106183, 0.11450641606269969],
        ),
        (
            Family::negative_binomial(1.5).unwrap(),
            [3.0, 1.0, 0.0, 12.0],
            2.0,
            [-13.167735530138103, 0.5592193287317304, 0.20881547830676883],
            [0.5594873550379877, 0.20983101503992133],
        ),
    ];
    for (family, y, prior_sd, [ln_evidence, mean, sd], [true_mean, true_sd]) in cases {
        let model = model(family, GlmData::new(&design, &y).unwrap(), prior_sd);
        let posterior = fitted(&model);
        let ours = posterior.distribution.mean()[0];
        close(posterior.ln_evidence, ln_evidence, 1e-7);
        close(ours, mean, 1e-7);
        close(posterior.distribution.cholesky().reconstruct()[(0, 0)].sqrt(), sd, 1e-7);
        let mode = model.laplace(&GlmFitOptions::default()).unwrap().distribution.mean()[0];
        let name = model.distribution().name();
        assert!(
            (ours - true_mean).abs() < 0.04 * true_sd && (mode - true_mean).abs() > 0.1 * true_sd,
            "{name}"
        );
    }
}

#[test]
fn what_has_no_posterior_is_refused() {
    let design = design();
    let data = || GlmData::new(&design, &[1.0, 2.0, 0.0, 1.0, 3.0]).unwrap();
    let flat = Glm::new(Family::Poisson, data()).unwrap();
    assert!(propagate(&flat, &SiteOptions::default(), &mut Silent).is_err());
    let unknown = model(Family::Gaussian, data(), 1.0);
    assert!(propagate(&unknown, &SiteOptions::default(), &mut Silent).is_err());
}
