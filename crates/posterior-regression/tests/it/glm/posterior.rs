//! Laplace's approximation and predictions.

use posterior_inference::laplace::laplace;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::logistic;
use posterior_math::optimize::NewtonOptions;
use posterior_math::quadrature::GaussHermite;
use posterior_regression::glm::{CoefficientPrior, Family, Glm, GlmData, GlmFitOptions, Predictor};

const FAMILIES: [(Family, [f64; 5]); 7] = [
    (Family::Logit, [0.0, 0.0, 1.0, 0.0, 1.0]),
    (Family::Probit, [0.0, 0.0, 1.0, 0.0, 1.0]),
    (Family::ComplementaryLogLog, [0.0, 0.5, 1.0, 0.0, 1.0]),
    (Family::Poisson, [0.0, 2.0, 1.0, 5.0, 3.0]),
    (Family::NegativeBinomial { size: 3.0 }, [0.0, 2.0, 1.0, 5.0, 3.0]),
    (Family::GammaLog, [0.3, 2.0, 1.0, 5.0, 3.0]),
    (Family::Gaussian, [0.3, -2.0, 1.0, 5.0, 3.0]),
];

fn design() -> DMatrix<f64> {
    DMatrix::from_fn(5, 2, |i, j| if j == 0 { 1.0 } else { i as f64 - 2.0 })
}

#[test]
fn golden_logistic_regression() {
    let (design, y) = (design(), [0.0, 0.0, 1.0, 0.0, 1.0]);
    let model = Glm::new(Family::Logit, GlmData::new(&design, &y).unwrap()).unwrap();
    let model = model.with_prior(CoefficientPrior::isotropic(2, 1.0).unwrap()).unwrap();
    let posterior = model.laplace(&GlmFitOptions::default()).unwrap();
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-11, "{a} {b}");
    close(posterior.distribution.mean()[0], -0.243748381959);
    close(posterior.distribution.mean()[1], 0.617421377040);
    let covariance = posterior.distribution.cholesky().reconstruct();
    close(covariance[(0, 0)], 0.490263666101);
    close(covariance[(1, 0)], -0.021564621694);
    close(covariance[(1, 1)], 0.352480399233);
    close(posterior.ln_evidence, -3.692762634879);
    let at = DMatrix::from_row_slice(1, 2, &[1.0, 1.5]);
    let predictor = Predictor::of_rows(&posterior.distribution, &at).unwrap()[0];
    close(predictor.mean, 0.682383683601);
    close(predictor.variance, 1.218650699294);
    close(predictor.mackay(), 0.636727477442);
    let unknown = DMatrix::from_row_slice(1, 2, &[1.0, f64::NAN]);
    assert!(Predictor::of_rows(&posterior.distribution, &unknown).is_err());
}

#[test]
fn the_general_engine_finds_the_same_gaussian() {
    let design = design();
    for (family, y) in FAMILIES {
        let data = GlmData::new(&design, &y).unwrap();
        let prior = CoefficientPrior::diagonal(vec![0.2, -0.1], &[1.5, 0.7]).unwrap();
        let model = Glm::new(family, data).unwrap().with_prior(prior).unwrap().with_dispersion(0.8).unwrap();
        let ours = model.laplace(&GlmFitOptions::default()).unwrap();
        let theirs = laplace(&model, &[0.0, 0.0], &NewtonOptions::default(), &mut Silent).unwrap();
        assert!((ours.ln_evidence - theirs.ln_evidence).abs() < 1e-11, "{family:?}");
        for j in 0..2 {
            assert!((ours.distribution.mean()[j] - theirs.mode[j]).abs() < 1e-10, "{family:?}");
        }
    }
}

#[test]
fn laplace_is_exact_for_gaussian_responses() {
    // The golden weights of Bayesian linear regression: x = 0..3, variance 1/4, prior N(0, I).
    let design = DMatrix::from_fn(4, 2, |i, j| if j == 0 { 1.0 } else { i as f64 });
    let y = [1.0, 2.9, 5.2, 6.8];
    let model = Glm::new(Family::Gaussian, GlmData::new(&design, &y).unwrap()).unwrap();
    let prior = CoefficientPrior::isotropic(2, 1.0).unwrap();
    let model = model.with_prior(prior).unwrap().with_dispersion(0.25).unwrap();
    let posterior = model.laplace(&GlmFitOptions::default()).unwrap();
    assert!((posterior.ln_evidence - -6.480044771220932).abs() < 1e-13);
    assert!((posterior.distribution.mean()[0] - 0.992366412214).abs() < 1e-12);
    assert!((posterior.distribution.mean()[1] - 1.947073791349).abs() < 1e-12);
    let covariance = posterior.distribution.cholesky().reconstruct();
    assert!((covariance[(1, 0)] - -0.061068702290).abs() < 1e-12);
}

#[test]
fn mackays_approximation_has_its_known_error() {
    let rule = GaussHermite::new(200).unwrap();
    let one = Predictor { mean: 1.0, variance: 2.0 };
    assert!((one.mackay() - 0.678829471102).abs() < 1e-12);
    assert!((one.averaged(&Family::Logit, &rule) - 0.675056702338).abs() < 1e-12);
    assert!((one.exact(&Family::Probit).unwrap() - 0.718148569175).abs() < 1e-12);
    let mut worst = 0.0_f64;
    for i in -16..=16 {
        for variance in [0.05, 0.5, 1.0, 3.0, 10.0, 20.0, 30.0, 55.0] {
            let predictor = Predictor { mean: f64::from(i) * 0.5, variance };
            // The rule of 200 nodes is good to 1e-4 at the widest distributions.
            worst = worst.max((predictor.mackay() - predictor.averaged(&Family::Logit, &rule)).abs());
            let mirrored = Predictor { mean: -predictor.mean, variance };
            assert!((predictor.mackay() + mirrored.mackay() - 1.0).abs() < 1e-15);
        }
    }
    assert!(worst < 0.0152 && worst > 0.014, "{worst}");
    let sure = Predictor { mean: 0.7, variance: 0.0 };
    assert!((sure.mackay() - logistic(0.7)).abs() < 1e-16);
    assert!((sure.plug_in(&Family::Logit) - logistic(0.7)).abs() < 1e-16);
}

#[test]
fn closed_averages_are_those_of_quadrature() {
    let rule = GaussHermite::new(80).unwrap();
    for (family, _) in FAMILIES {
        let predictor = Predictor { mean: -0.4, variance: 0.6 };
        if let Some(exact) = predictor.exact(&family) {
            assert!((exact - predictor.averaged(&family, &rule)).abs() < 1e-12, "{family:?}");
        }
    }
}
