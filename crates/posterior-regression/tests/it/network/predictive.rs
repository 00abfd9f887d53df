//! Predictions: closed forms against draws and quadrature.

use posterior_dist::stream::stream;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::logistic;
use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod};
use posterior_math::special::{ln_factorial, normal_cdf};
use posterior_regression::network::{
    Activation, Curvature, Head, Hyperparameters, Joint, Laplace, Network, Observations, TrainOptions,
    averaged_logistic, train,
};

use super::exact::{KINDS, golden, sharp_mode};
use super::oracle::{assert_close, normals, observed, some_weights};

/// ∫ g(f) N(f; mean, variance) df over ±12 standard deviations.
fn averaged(mean: f64, variance: f64, g: impl Fn(f64) -> f64) -> f64 {
    let deviation = variance.sqrt();
    let density = |z: f64| (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt() * g(mean + deviation * z);
    gauss_kronrod(density, -12.0, 12.0, &QuadratureOptions::default()).value
}

#[test]
fn mackays_approximation_is_within_its_error() {
    assert_close(&[averaged_logistic(1.0, 2.0)], &[0.678829471102], 1e-12);
    assert_close(&[averaged(1.0, 2.0, logistic)], &[0.675056702338], 1e-11);
    assert_close(&[averaged(1.0, 2.0, normal_cdf)], &[0.718148569175], 1e-11);
    let mut largest = 0.0_f64;
    for i in 0..=80 {
        let mean = 0.2 * f64::from(i) - 8.0;
        assert_eq!(averaged_logistic(mean, 0.0), logistic(mean));
        for variance in [0.05, 0.3, 1.0, 2.0, 4.0, 7.0, 15.0, 30.0, 55.0] {
            let approximate = averaged_logistic(mean, variance);
            assert!((approximate + averaged_logistic(-mean, variance) - 1.0).abs() < 1e-15);
            largest = largest.max((approximate - averaged(mean, variance, logistic)).abs());
        }
    }
    assert!(largest < 0.0151 && largest > 0.01, "{largest}");
}

/// The variance of E[y | f], for one row and one output; for classes not above that of a coin.
fn variance_of_response(head: Head, mean: f64, variance: f64) -> f64 {
    match head {
        Head::Gaussian => variance,
        Head::Poisson => (2.0 * mean + variance).exp() * variance.exp_m1(),
        _ => 0.25,
    }
}

/// Five standard errors of 40,000 draws for each of 56 numbers: a false alarm in 30,000 seeds. The closed forms of classes have an
/// error of their own: MacKay's 0.0151, and of its extension to three classes no more than that was seen.
#[test]
fn responses_are_the_means_of_draws() {
    for (head, outputs, error) in [
        (Head::Gaussian, 2, 0.0),
        (Head::Bernoulli, 1, 0.0151),
        (Head::Categorical, 3, 0.0151),
        (Head::Poisson, 1, 0.0),
    ] {
        let network = Network::new(2, &[], outputs, Activation::Tanh).unwrap();
        let hyperparameters = Hyperparameters::new(2.0).unwrap();
        let joint = Joint::new(network, observed(head, 30, 2, outputs, 13), hyperparameters).unwrap();
        let laplace = Laplace::new(&joint, &sharp_mode(&joint), Curvature::GaussNewton).unwrap();
        let new = normals(14, 4, 2);
        let latent = laplace.latent(&new).unwrap();
        let by_draws = latent.response_by_draws(40_000, &mut stream(1, &[])).unwrap();
        // Without hidden layers a drawn network is its linearisation.
        let networks = laplace.response_of_networks(&new, 40_000, &mut stream(2, &[])).unwrap();
        let (closed, variance) = (latent.response(), latent.variance());
        for at in 0..closed.len() {
            let noise = 5.0 * (variance_of_response(head, latent.mean()[at], variance[at]) / 40_000.0).sqrt();
            assert!((by_draws[at] - closed[at]).abs() < noise + error, "{head:?} {at}");
            assert!((networks[at] - by_draws[at]).abs() < 1.5 * noise, "{head:?} {at}");
        }
    }
}

/// The variance of 4000 draws has a relative standard error of 2.2 %: five of them, for each of 15 numbers a false alarm in 1.7
/// million.
#[test]
fn drawn_weights_have_the_covariance_of_predictions() {
    let network = Network::new(2, &[4, 3], 1, Activation::Tanh).unwrap();
    let joint =
        Joint::new(network, observed(Head::Bernoulli, 40, 2, 1, 3), Hyperparameters::new(1.0).unwrap())
            .unwrap();
    let w = some_weights(joint.network(), 12);
    let new = normals(15, 3, 2);
    let jacobian = &joint.network().jacobians_at(&w, &new).unwrap()[0];
    for kind in KINDS {
        let Ok(laplace) = Laplace::new(&joint, &w, kind) else { continue };
        let mut rng = stream(5, &[]);
        let mut sums = DMatrix::zeros(3, 1);
        for _ in 0..4000 {
            let drawn = laplace.draw_weights(&mut rng);
            let deviation = DMatrix::from_fn(w.len(), 1, |at, _| drawn[at] - w[at]);
            sums += (jacobian * deviation).map(|f| f * f / 4000.0);
        }
        let variance = laplace.latent(&new).unwrap().variance();
        for (drawn, variance) in sums.iter().zip(variance.iter()) {
            assert!((drawn / variance - 1.0).abs() < 0.112, "{kind:?}: {drawn} {variance}");
        }
    }
}

#[test]
fn predictive_densities_are_those_of_the_laws() {
    let binary = golden();
    let laplace = Laplace::new(&binary, &sharp_mode(&binary), Curvature::Hessian).unwrap();
    let x = DMatrix::from_column_slice(2, 1, &[1.5, 1.5]);
    let new = Observations::binary(x.clone(), &[true, false]).unwrap();
    let found = laplace.latent(&x).unwrap().ln_predictive(&new).unwrap();
    assert_close(&found, &[0.636727477442_f64.ln(), (1.0_f64 - 0.636727477442).ln()], 1e-11);

    let network = Network::new(1, &[], 1, Activation::Tanh).unwrap();
    let observations = observed(Head::Poisson, 12, 1, 1, 8);
    let joint = Joint::new(network, observations, Hyperparameters::new(1.0).unwrap()).unwrap();
    let laplace = Laplace::new(&joint, &sharp_mode(&joint), Curvature::Hessian).unwrap();
    let x = DMatrix::from_column_slice(3, 1, &[0.3, -2.0, 5.0]);
    let counts = [2, 0, 7];
    let latent = laplace.latent(&x).unwrap();
    let found = latent.ln_predictive(&Observations::counts(x, &counts).unwrap()).unwrap();
    for i in 0..3 {
        let y = counts[i] as f64;
        let density = |f: f64| (y * f - f.exp() - ln_factorial(counts[i])).exp();
        let expected = averaged(latent.mean()[i], latent.variance()[i], density).ln();
        assert!((found[i] - expected).abs() < 1e-4, "{}: {} {expected}", counts[i], found[i]);
    }
}

#[test]
fn three_classes_far_apart_are_told_apart() {
    let centers = [[-2.0, 0.0], [2.0, 0.0], [0.0, 3.0]];
    let labels: Vec<usize> = (0..90).map(|i| i % 3).collect();
    let noise = normals(3, 90, 2);
    let x = DMatrix::from_fn(90, 2, |i, c| centers[labels[i]][c] + 0.7 * noise[(i, c)]);
    let observations = Observations::classes(x.clone(), &labels, 3).unwrap();
    let network = Network::new(2, &[8], 3, Activation::Tanh).unwrap();
    let joint = Joint::new(network, observations.clone(), Hyperparameters::new(0.2).unwrap()).unwrap();
    let mode = train(&joint, &TrainOptions::default(), &mut Silent).unwrap().model;
    for kind in [Curvature::GaussNewton, Curvature::Kronecker, Curvature::Diagonal, Curvature::LastLayer] {
        let laplace = Laplace::new(&joint, &mode.weights, kind).unwrap();
        let latent = laplace.latent(&x).unwrap();
        let p = latent.response();
        assert!(p.row_iter().all(|row| (row.sum() - 1.0).abs() < 1e-14));
        let right =
            p.row_iter().zip(&labels).filter(|(row, label)| row.transpose().imax() == **label).count();
        assert!(right >= 86, "{kind:?}: {right}");
        let score: f64 = latent.ln_predictive(&observations).unwrap().iter().sum();
        let by_hand: f64 = labels.iter().enumerate().map(|(i, &label)| p[(i, label)].ln()).sum();
        assert_close(&[score], &[by_hand], 1e-12);
    }
}

#[test]
fn misuse_is_refused() {
    let joint = golden();
    let w = sharp_mode(&joint);
    assert!(Laplace::new(&joint, &w[1..], Curvature::Diagonal).is_err());
    assert!(Laplace::new(&joint, &[f64::NAN, 0.0], Curvature::Diagonal).is_err());
    let laplace = Laplace::new(&joint, &w, Curvature::Diagonal).unwrap();
    let two = DMatrix::zeros(1, 2);
    assert!(laplace.latent(&two).is_err() && laplace.plug_in_response(&two).is_err());
    assert!(laplace.covariance(&two, &two).is_err());
    assert!(laplace.latent(&DMatrix::from_element(1, 1, f64::NAN)).is_err());
    let x = DMatrix::zeros(1, 1);
    assert!(laplace.response_of_networks(&x, 0, &mut stream(0, &[])).is_err());
    let latent = laplace.latent(&x).unwrap();
    assert!(latent.response_by_draws(0, &mut stream(0, &[])).is_err());
    assert!(latent.ln_predictive(&Observations::counts(x.clone(), &[1]).unwrap()).is_err());
    assert!(latent.ln_predictive(&Observations::binary(DMatrix::zeros(2, 1), &[true; 2]).unwrap()).is_err());
    assert!(laplace.with_hyperparameters(Hyperparameters::by_layer(&[1.0, 2.0]).unwrap()).is_err());
    assert_eq!(laplace.latent(&DMatrix::zeros(0, 1)).unwrap().response().nrows(), 0);
}
