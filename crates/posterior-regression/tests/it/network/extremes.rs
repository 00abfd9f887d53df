//! No data, one observation, one class, far away, and numbers of any size.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::optimize::LbfgsOptions;
use posterior_math::special::normal_cdf;
use posterior_regression::network::{
    Activation, Head, HessianKind, Joint, Network, NetworkData, NetworkFitOptions, NetworkHyperparameters,
    NetworkLaplace, NetworkOptimizer, fit,
};
use proptest::prelude::*;

use super::exact::{KINDS, sharp_mode};
use super::oracle::{assert_close, observed};
use super::training::moons;

#[test]
fn without_data_the_posterior_is_the_prior() {
    let network = Network::new(2, &[3], 1, Activation::Tanh).unwrap();
    let none = NetworkData::real(DMatrix::zeros(0, 2), DMatrix::zeros(0, 1)).unwrap();
    assert!(none.is_empty());
    let joint = Joint::new(network, none, NetworkHyperparameters::new(4.0).unwrap()).unwrap();
    for kind in KINDS {
        let laplace = NetworkLaplace::new(&joint, &[0.0; 13], kind).unwrap();
        assert!(laplace.ln_evidence().abs() < 1e-12, "{kind:?}");
        assert!(laplace.standard_deviations().iter().all(|deviation| *deviation == 0.5));
        assert!(laplace.effective_parameters()[0].abs() < 1e-12);
        // Only the bias of the output moves it to first order.
        let latent = laplace.latent(&DMatrix::from_element(1, 2, 3.0)).unwrap();
        assert_close(latent.variance().as_slice(), &[0.25], 1e-12);
    }
}

#[test]
fn one_observation_and_one_class_have_a_posterior() {
    for (head, outputs) in
        [(Head::Gaussian, 1), (Head::Bernoulli, 1), (Head::Categorical, 2), (Head::Poisson, 1)]
    {
        let network = Network::new(2, &[3], outputs, Activation::Softplus).unwrap();
        let joint =
            Joint::new(network, observed(head, 1, 2, outputs, 3), NetworkHyperparameters::new(1.0).unwrap())
                .unwrap();
        check_all(&joint);
    }
    let x = observed(Head::Gaussian, 30, 2, 1, 3).inputs().clone();
    let same = NetworkData::binary(x, &[true; 30]).unwrap();
    let network = Network::new(2, &[3], 1, Activation::Tanh).unwrap();
    check_all(&Joint::new(network, same, NetworkHyperparameters::new(1.0).unwrap()).unwrap());
    let network = Network::new(2, &[3], 1, Activation::Tanh).unwrap();
    let identical = NetworkData::counts(DMatrix::from_element(9, 2, 0.5), &[3; 9]).unwrap();
    check_all(&Joint::new(network, identical, NetworkHyperparameters::new(1.0).unwrap()).unwrap());
}

fn check_all(joint: &Joint) {
    let w = sharp_mode(joint);
    for kind in KINDS {
        let laplace = NetworkLaplace::new(joint, &w, kind).unwrap();
        assert!(laplace.ln_evidence().is_finite());
        let latent = laplace.latent(joint.observations().inputs()).unwrap();
        assert!(latent.variance().iter().all(|variance| *variance > 0.0 && variance.is_finite()));
    }
}

/// Where two units of a ReLU network work on all inputs, the data know only the sum of what they do, and the
/// prior does not tell apart how they share it: the modes are a circle, on which the exact Hessian is
/// singular.
#[test]
fn the_hessian_is_refused_on_a_ridge() {
    let x = observed(Head::Gaussian, 30, 2, 1, 3).inputs().clone();
    let same = NetworkData::binary(x, &[true; 30]).unwrap();
    let network = Network::new(2, &[3], 1, Activation::Rectifier).unwrap();
    let joint = Joint::new(network, same, NetworkHyperparameters::new(1.0).unwrap()).unwrap();
    let w = sharp_mode(&joint);
    let working = [9, 10, 11].into_iter().filter(|&at| w[at].abs() > 0.1);
    assert!(working.count() >= 2);
    assert!(NetworkLaplace::new(&joint, &w, HessianKind::Hessian).is_err());
    assert!(NetworkLaplace::new(&joint, &w, HessianKind::GaussNewton).is_ok());
}

/// Kristiadi, Hein, Hennig (ICML 2020): far along a line the outputs of a ReLU network grow like the
/// distance, and so does their standard deviation; the plugged-in probability goes to 1, the averaged one to
/// Φ(mean / standard deviation), a limit below.
#[test]
fn far_away_only_the_average_remains_uncertain() {
    let network = Network::new(2, &[15], 1, Activation::Rectifier).unwrap();
    let joint = Joint::new(network, moons(100), NetworkHyperparameters::new(0.3).unwrap()).unwrap();
    let mode = fit(&joint, &NetworkFitOptions { starts: 2, ..NetworkFitOptions::default() }, &mut Silent)
        .unwrap()
        .model;
    let directions: Vec<(f64, f64)> =
        (0..16).map(|i| (std::f64::consts::TAU * f64::from(i) / 16.0).sin_cos()).collect();
    let at = |distance: f64| DMatrix::from_fn(16, 2, |i, c| distance * [directions[i].0, directions[i].1][c]);
    for (kind, mean) in
        [(HessianKind::GaussNewton, 0.9), (HessianKind::Kronecker, 0.97), (HessianKind::LastLayer, 0.97)]
    {
        let laplace = NetworkLaplace::new(&joint, &mode.weights, kind).unwrap();
        let certain = |p: &DMatrix<f64>| p.map(|p| p.max(1.0 - p));
        let plugged_in = certain(&laplace.plug_in_response(&at(1e4)).unwrap());
        let latent = laplace.latent(&at(1e4)).unwrap();
        let averaged = certain(&latent.response());
        assert!(plugged_in.iter().all(|p| *p > 1.0 - 1e-12));
        let limit = latent.mean().zip_map(&latent.variance(), |m, v| normal_cdf(m.abs() / v.sqrt()));
        assert_close(averaged.as_slice(), limit.as_slice(), 1e-3);
        assert!(averaged.mean() < mean, "{kind:?}: {}", averaged.mean());
        let further = certain(&laplace.latent(&at(1e7)).unwrap().response());
        assert_close(averaged.as_slice(), further.as_slice(), 1e-2);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever the size of the numbers: an answer or an error.
    #[test]
    fn numbers_of_any_size_never_panic(
        exponents in proptest::collection::vec(-300..300_i32, 4),
        head in 0..4_usize,
        activation in 0..4_usize,
        precision in -150..150_i32,
        kind in 0..5_usize,
    ) {
        let head = [Head::Gaussian, Head::Bernoulli, Head::Categorical, Head::Poisson][head];
        let activation =
            [Activation::Tanh, Activation::Rectifier, Activation::Sigmoid, Activation::Softplus][activation];
        let numbers: Vec<f64> = exponents.iter().map(|&e| 10_f64.powi(e) * f64::from(1 - 2 * (e % 2).abs())).collect();
        let x = DMatrix::from_column_slice(4, 1, &numbers);
        let observations = match head {
            Head::Gaussian => NetworkData::real(x.clone(), DMatrix::from_row_slice(4, 1, &numbers)),
            Head::Bernoulli => NetworkData::binary(x.clone(), &[true, false, false, true]),
            Head::Categorical => NetworkData::classes(x.clone(), &[0, 1, 1, 0], 2),
            _ => NetworkData::counts(x.clone(), &[0, 1, u64::MAX, 2]),
        };
        let outputs = if head == Head::Categorical { 2 } else { 1 };
        let network = Network::new(1, &[2], outputs, activation).unwrap();
        let joint = Joint::new(network, observations.unwrap(), NetworkHyperparameters::new(10_f64.powi(precision)).unwrap());
        let joint = joint.unwrap();
        let search = LbfgsOptions { max_iterations: 20, ..LbfgsOptions::default() };
        let options = NetworkFitOptions { method: NetworkOptimizer::Lbfgs(search), ..NetworkFitOptions::default() };
        if let Ok(fitted) = fit(&joint, &options, &mut Silent) {
            prop_assert!(fitted.model.ln_joint.is_finite());
            if let Ok(laplace) = NetworkLaplace::new(&joint, &fitted.model.weights, KINDS[kind]) {
                prop_assert!(!laplace.ln_evidence().is_nan());
                prop_assert!(laplace.latent(&x).is_ok());
            }
        }
    }
}
