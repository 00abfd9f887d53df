//! Data and parameters that break naive programs: an answer with a reported jitter, or an error that says
//! what is wrong.

use posterior_gp::hyperparameters::{HyperparameterOptions, Regression, fit};
use posterior_gp::regression::{JitterCause, Prediction};
use posterior_gp::{Error, GaussianProcess, GaussianProcessPosterior, Kernel, Mean, Noise};
use posterior_math::iteration::Silent;
use posterior_math::linalg::{DMatrix, DVector, MatrixError};
use proptest::prelude::*;
use rand_pcg::Pcg64;

use super::{close, column, scattered};

/// Every number that a posterior gives is finite, and no variance is negative.
#[track_caller]
fn sound(posterior: &GaussianProcessPosterior, at: &DMatrix<f64>) {
    let prediction = posterior.latent(at).unwrap();
    assert!(prediction.mean.iter().all(|mean| mean.is_finite()), "{:?}", prediction.mean);
    assert!(prediction.variance.iter().all(|variance| (0.0..f64::INFINITY).contains(variance)));
    assert!(posterior.covariance(at).unwrap().iter().all(|entry| entry.is_finite()));
    assert!(posterior.ln_evidence().is_finite());
    assert!(posterior.gradient().iter().all(|slope| slope.is_finite()), "{:?}", posterior.gradient());
    let draw = posterior.sample(at, &mut Pcg64::new(1, 2)).unwrap();
    assert!(draw.iter().all(|value| value.is_finite()));
}

#[test]
fn equal_inputs_without_noise_are_named() {
    let prior = GaussianProcess::new(2.0 * Kernel::rbf(1.0).unwrap());
    let x = column(&[0.0, 1.0, 2.0, 1.0, -0.0]);
    let posterior = prior.condition(&x, &[0.0, 1.0, 0.5, 1.2, 0.0], &Noise::none()).unwrap();
    let jitter = posterior.jitter().unwrap();
    assert_eq!(jitter.cause, JitterCause::EqualInputs { first: 0, second: 4 });
    // As small as can be: what is observed is known to nine digits.
    assert!(jitter.variance > 0.0 && jitter.variance < 1e-14);
    sound(&posterior, &column(&[-1.0, 0.0, 0.5, 1.0]));
    close(&[posterior.mean(&column(&[1.0])).unwrap()[0]], &[1.1], 1e-6);
    // With noise they are one site, and nothing is added.
    let noisy = prior.condition(&x, &[0.0, 1.0, 0.5, 1.2, 0.0], &Noise::known(1e-12).unwrap()).unwrap();
    assert_eq!((noisy.sites(), noisy.jitter()), (3, None));
    close(&[noisy.mean(&column(&[1.0])).unwrap()[0]], &[1.1], 1e-9);
    // A known one and a noisy one of the same place: the noisy one says nothing.
    let noise = Noise::known_each(&[0.0, 0.0, 0.0, 0.5, 0.5]).unwrap();
    let mixed = prior.condition(&x, &[0.0, 1.0, 0.5, 1.2, 0.0], &noise).unwrap();
    assert_eq!((mixed.sites(), mixed.jitter()), (5, None));
    close(&[mixed.mean(&column(&[1.0])).unwrap()[0]], &[1.0], 1e-12);
}

#[test]
fn lengths_may_be_tiny_or_huge() {
    let x = column(&[0.0, 0.1, 0.2, 0.9, 1.3, 1.7, 2.0, 3.0]);
    let y = [0.1, 0.3, -0.2, 0.5, 0.9, 1.1, 0.2, -0.4];
    let at = column(&[-1.0, 0.15, 3.0]);
    let tiny = GaussianProcess::new(1.0 * Kernel::rbf(1e-12).unwrap());
    let posterior = tiny.condition(&x, &y, &Noise::none()).unwrap();
    assert_eq!(posterior.jitter(), None);
    sound(&posterior, &at);
    close(posterior.mean(&at).unwrap().as_slice(), &[0.0, 0.0, -0.4], 0.0);
    let huge = GaussianProcess::new(1.0 * Kernel::rbf(1e12).unwrap());
    let posterior = huge.condition(&x, &y, &Noise::none()).unwrap();
    assert_eq!(posterior.jitter().unwrap().cause, JitterCause::BelowRounding);
    sound(&posterior, &at);
    // A constant with noise is the mean of the outputs, and no jitter is needed.
    let posterior = huge.condition(&x, &y, &Noise::known(0.01).unwrap()).unwrap();
    assert_eq!(posterior.jitter(), None);
    sound(&posterior, &at);
    let mean = y.iter().sum::<f64>() / (8.0 + 0.01);
    close(posterior.mean(&at).unwrap().as_slice(), &[mean; 3], 1e-12);
    for kernel in [Kernel::matern12(1e12), Kernel::matern32(1e12), Kernel::matern52(1e-12)] {
        let prior = GaussianProcess::new(1.0 * kernel.unwrap());
        sound(&prior.condition(&x, &y, &Noise::none()).unwrap(), &at);
    }
}

#[test]
fn units_do_not_matter() {
    let (x, y) = scattered(12);
    let at = DMatrix::from_row_slice(2, 2, &[0.5, 0.5, 4.0, 1.0]);
    let posterior = |unit: f64| {
        let prior = GaussianProcess::new((unit * unit) * Kernel::matern52(0.8).unwrap());
        let scaled: Vec<f64> = y.iter().map(|y| unit * y).collect();
        prior.condition(&x, &scaled, &Noise::variance(0.01 * unit * unit).unwrap()).unwrap()
    };
    let plain = posterior(1.0);
    for unit in [1e-150, 1e-20, 1e20, 1e150] {
        let scaled = posterior(unit);
        sound(&scaled, &at);
        let mean = scaled.mean(&at).unwrap() / unit;
        close(mean.as_slice(), plain.mean(&at).unwrap().as_slice(), 1e-13);
        let variance = scaled.variance(&at).unwrap() / unit / unit;
        close(variance.as_slice(), plain.variance(&at).unwrap().as_slice(), 1e-13);
        let shift = plain.ln_evidence() - 12.0 * unit.ln();
        assert!((scaled.ln_evidence() - shift).abs() < 1e-10);
        close(&scaled.gradient(), &plain.gradient(), 1e-11);
    }
}

#[test]
fn an_amplitude_may_drown_the_noise() {
    let (x, y) = scattered(12);
    for variance in [1e30, 1e300] {
        let prior = GaussianProcess::new(variance * Kernel::rbf(5.0).unwrap());
        let posterior = prior.condition(&x, &y, &Noise::variance(0.01).unwrap()).unwrap();
        assert_eq!(posterior.jitter().unwrap().cause, JitterCause::BelowRounding);
        sound(&posterior, &x);
    }
    let prior = GaussianProcess::new(1e-300 * Kernel::rbf(5.0).unwrap());
    let posterior = prior.condition(&x, &y, &Noise::variance(0.01).unwrap()).unwrap();
    assert_eq!(posterior.jitter(), None);
    assert!(posterior.mean(&x).unwrap().amax() < 1e-290);
}

#[test]
fn one_observation_and_constant_outputs() {
    let prior = GaussianProcess::new(2.0 * Kernel::rbf(1.0).unwrap());
    let one = prior.condition(&column(&[0.5]), &[3.0], &Noise::variance(1.0).unwrap()).unwrap();
    close(one.mean(&column(&[0.5])).unwrap().as_slice(), &[2.0], 1e-15);
    close(one.variance(&column(&[0.5])).unwrap().as_slice(), &[2.0 / 3.0], 1e-15);
    let left_out = one.leave_one_out();
    close(&[left_out.prediction.mean[0], left_out.prediction.variance[0]], &[0.0, 3.0], 1e-15);
    sound(&one, &column(&[0.5, 9.0]));

    let x = column(&[0.0, 1.0, 2.0, 3.0]);
    for level in [0.0, 7.0] {
        let constant = prior.condition(&x, &[level; 4], &Noise::variance(1.0).unwrap()).unwrap();
        sound(&constant, &x);
        let prior = prior.clone().with_mean(Mean::constant(0.0).unwrap());
        let problem = Regression::new(prior, Noise::variance(1.0).unwrap(), &x, &[level; 4]).unwrap();
        let fitted = fit(
            &problem,
            &HyperparameterOptions { restarts: 2, ..HyperparameterOptions::default() },
            &mut Silent,
        )
        .unwrap();
        assert!(fitted.report.ln_evidence.is_finite());
        close(fitted.model.mean(&x).unwrap().as_slice(), &[level; 4], 1e-3);
    }
    let problem = Regression::new(prior, Noise::variance(1.0).unwrap(), &column(&[0.5]), &[3.0]).unwrap();
    assert!(
        fit(
            &problem,
            &HyperparameterOptions { restarts: 2, ..HyperparameterOptions::default() },
            &mut Silent
        )
        .unwrap()
        .report
        .ln_evidence
        .is_finite()
    );
}

#[test]
fn what_is_not_finite_is_named_with_its_row() {
    let prior = GaussianProcess::new(Kernel::rbf(1.0).unwrap());
    let noise = Noise::variance(1.0).unwrap();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = prior.condition(&column(&[0.0, 1.0, bad]), &[0.0; 3], &noise).unwrap_err();
        assert!(matches!(error, Error::NotFinite { what: "input", row: 2, .. }), "{error}");
        let error = prior.condition(&column(&[0.0, 1.0]), &[0.0, bad], &noise).unwrap_err();
        assert!(matches!(error, Error::NotFinite { what: "output", row: 1, .. }), "{error}");
        let posterior = prior.condition(&column(&[0.0]), &[0.0], &noise).unwrap();
        assert!(posterior.mean(&column(&[bad])).is_err() && posterior.latent(&column(&[bad])).is_err());
        assert!(Noise::variance(bad).is_err() && Noise::known(bad).is_err());
        assert!(Noise::known_each(&[1.0, bad]).is_err() && Mean::constant(bad).is_err());
    }
    assert!(Noise::variance(0.0).is_err() && Noise::known(-1.0).is_err());
}

#[test]
fn sizes_that_do_not_go_together_are_named() {
    let prior = GaussianProcess::new(Kernel::rbf_ard(&[1.0, 2.0]).unwrap());
    let noise = Noise::known(0.1).unwrap();
    assert!(matches!(prior.condition(&column(&[0.0]), &[0.0], &noise), Err(Error::Dimension { .. })));
    let x = DMatrix::zeros(2, 2);
    assert!(matches!(
        prior.condition(&x, &[0.0], &noise),
        Err(Error::Dimension(posterior_math::DimensionError { what: "outputs", .. }))
    ));
    let short = Noise::known_each(&[0.1]).unwrap();
    assert!(matches!(prior.condition(&x, &[0.0; 2], &short), Err(Error::Dimension { .. })));
    let posterior = prior.condition(&x, &[0.0; 2], &noise).unwrap();
    assert!(posterior.latent(&column(&[0.0])).is_err());
    let line = prior.with_mean(Mean::linear(0.0, &[1.0]).unwrap());
    assert!(matches!(line.condition(&x, &[0.0; 2], &noise), Err(Error::Dimension { .. })));
}

#[test]
fn what_is_no_covariance_is_refused() {
    // cos of a product is not positive semidefinite.
    let wrong = Kernel::custom("wrong", |x, y| 3.0 * (x[0] * y[0]).cos() - 1.0);
    let x = column(&[0.0, 1.0, 2.0, 3.0]);
    let refused = GaussianProcess::new(wrong).condition(&x, &[0.0; 4], &Noise::known(1e-3).unwrap());
    assert!(matches!(refused, Err(Error::Matrix(MatrixError::NotPositiveDefinite { .. }))));
    let broken = Kernel::custom("broken", |_, _| f64::NAN);
    let refused = GaussianProcess::new(broken).condition(&x, &[0.0; 4], &Noise::known(1e-3).unwrap());
    assert!(matches!(refused, Err(Error::Matrix(MatrixError::NotFinite))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Any lengths, amplitudes and noise, with ties: an answer, or a jitter that says so.
    #[test]
    fn anything_has_an_answer(
        places in prop::collection::vec(0_u8..12, 1..15),
        ln_length in -30.0..30.0_f64,
        ln_variance in -100.0..100.0_f64,
        ln_noise in prop::option::of(-100.0..20.0_f64),
    ) {
        let x: Vec<f64> = places.iter().map(|&place| f64::from(place) / 3.0).collect();
        let y: Vec<f64> = (0..x.len()).map(|i| (i as f64).sin()).collect();
        let prior = GaussianProcess::new(ln_variance.exp() * Kernel::rbf(ln_length.exp()).unwrap());
        let noise = ln_noise.map_or(Noise::none(), |ln_noise| Noise::variance(ln_noise.exp()).unwrap());
        let posterior = prior.condition(&column(&x), &y, &noise).unwrap();
        sound(&posterior, &column(&[-1.0, 0.5, 2.0]));
    }
}

#[test]
fn questions_with_another_number_of_coordinates_are_refused() {
    // An isotropic kernel takes any number of coordinates, but not two numbers at once.
    let prior = GaussianProcess::new(Kernel::rbf(1.0).unwrap() + Kernel::linear());
    let noise = Noise::known(0.1).unwrap();
    for (own, other) in [(1, 2), (2, 1)] {
        let posterior = prior.condition(&DMatrix::zeros(2, own), &[1.0, 2.0], &noise).unwrap();
        let at = DMatrix::zeros(1, other);
        let message = format!("coordinates of inputs: expected {own}, found {other}");
        assert_eq!(posterior.mean(&at).unwrap_err().to_string(), message);
        assert_eq!(posterior.latent(&at).unwrap_err().to_string(), message);
        assert_eq!(posterior.covariance(&at).unwrap_err().to_string(), message);
        assert!(posterior.sampler(&at).is_err() && posterior.distribution(&at).is_err());
        assert!(posterior.components()[0].latent(&at).is_err());
        assert!(posterior.components()[0].covariance(&at).is_err());
        assert_eq!(posterior.condition(&at, &[0.0], &noise).unwrap_err().to_string(), message);
    }
    // Where nothing was seen, the first observation decides.
    let nothing = prior.condition(&DMatrix::zeros(0, 0), &[], &noise).unwrap();
    assert_eq!(nothing.mean(&DMatrix::zeros(1, 2)).unwrap()[0], 0.0);
    assert_eq!(nothing.condition(&DMatrix::zeros(1, 2), &[1.0], &noise).unwrap().sites(), 1);
}

#[test]
fn a_place_next_to_an_old_one_takes_the_same_jitter() {
    let prior = GaussianProcess::new(Kernel::rbf(1.0).unwrap());
    let at = column(&[0.5]);
    for distance in [1e-9, 1e-8, 2e-8, 3e-8] {
        let first = prior.condition(&column(&[0.0, 1.0]), &[1.0, 2.0], &Noise::none()).unwrap();
        let step = first.condition(&column(&[distance]), &[1.0], &Noise::none()).unwrap();
        let batch =
            prior.condition(&column(&[0.0, 1.0, distance]), &[1.0, 2.0, 1.0], &Noise::none()).unwrap();
        assert!(
            step.jitter().is_some() && step.jitter() == batch.jitter(),
            "{distance}: {:?}",
            step.jitter()
        );
        close(step.mean(&at).unwrap().as_slice(), batch.mean(&at).unwrap().as_slice(), 1e-12);
    }
}

#[test]
fn noise_of_any_size_at_one_place() {
    let prior = GaussianProcess::new(Kernel::rbf(1.0).unwrap());
    let twice = column(&[0.0, 0.0]);
    let of = |variances: &[f64]| {
        prior.condition(&twice, &[1.0, 2.0], &Noise::known_each(variances).unwrap()).unwrap()
    };
    // Inverses of variances may not be numbers.
    close(of(&[1e-310; 2]).mean(&column(&[0.0])).unwrap().as_slice(), &[1.5], 1e-12);
    let drowned = of(&[1e308; 2]);
    assert!((drowned.ln_evidence() + (std::f64::consts::TAU.ln() + 1e308_f64.ln())).abs() < 1e-9);
    // ln N((1, 2); 0, [[1 + a, 1], [1, 1 + b]]) with a = 10⁻¹⁷, b = 1.
    let unequal = of(&[1e-17, 1.0]);
    let expected = -std::f64::consts::TAU.ln() - 0.5 * (2.0 - 4.0 + 4.0);
    assert!((unequal.ln_evidence() - expected).abs() < 1e-12);
    // Each from the other alone: N(1, 1/2 + a) and N(1/(1 + a), 1 + a/(1 + a) + …).
    for (variance, tolerance) in [(1e-6, 1e-15), (1e-12, 1e-15), (1e-17, 1e-15)] {
        let left_out = of(&[variance, 1.0]).leave_one_out();
        let expected_variance = [0.5 + variance, 2.0 - 1.0 / (1.0 + variance)];
        close(left_out.prediction.mean.as_slice(), &[1.0, 1.0 / (1.0 + variance)], tolerance);
        close(left_out.prediction.variance.as_slice(), &expected_variance, tolerance);
    }
}

#[test]
fn a_mean_that_is_not_a_number_is_named_with_its_row() {
    let kernel = Kernel::matern32(1.0).unwrap();
    let prior = GaussianProcess::new(kernel).with_mean(Mean::function("ln", |x| x[0].ln()));
    let refused = prior.condition(&column(&[1.0, -1.0]), &[0.0; 2], &Noise::none()).unwrap_err();
    assert!(refused.to_string().starts_with("mean function of row 1 is NaN"), "{refused}");
    let posterior = prior.condition(&column(&[1.0]), &[0.0], &Noise::none()).unwrap();
    assert!(posterior.mean(&column(&[0.0])).unwrap_err().to_string().contains("-inf"));
}

#[test]
fn what_is_known_has_no_width() {
    let known =
        Prediction { mean: DVector::from_element(2, 3.0), variance: DVector::from_vec(vec![0.0, 1.0]) };
    let (lower, upper) = known.interval(1.0);
    assert_eq!((lower[0], upper[0]), (3.0, 3.0));
    assert_eq!((lower[1], upper[1]), (f64::NEG_INFINITY, f64::INFINITY));
    assert!(known.interval(1.5).0.iter().all(|end| end.is_nan()));
}
