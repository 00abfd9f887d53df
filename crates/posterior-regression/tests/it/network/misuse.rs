//! What is refused.

use posterior_math::linalg::DMatrix;
use posterior_regression::network::{Activation, Joint, Network, NetworkData, NetworkHyperparameters};

#[test]
fn networks_need_units() {
    assert!(Network::new(2, &[3, 0], 1, Activation::Tanh).is_err());
    assert!(Network::new(2, &[], 0, Activation::Tanh).is_err());
    assert!(Network::new(usize::MAX, &[], 2, Activation::Tanh).is_err());
    assert!(Network::new(1 << 20, &[1 << 20], 1, Activation::Tanh).is_err());
    let constant = Network::new(0, &[], 2, Activation::Tanh).unwrap();
    assert_eq!(constant.parameters(), 2);
    let f = constant.outputs_at(&[1.0, 2.0], &DMatrix::zeros(3, 0)).unwrap();
    assert_eq!(f, DMatrix::from_row_slice(3, 2, &[1.0, 2.0, 1.0, 2.0, 1.0, 2.0]));
}

#[test]
fn observations_are_checked() {
    let x = || DMatrix::from_column_slice(2, 1, &[0.0, 1.0]);
    assert!(NetworkData::binary(x(), &[true]).is_err());
    assert!(NetworkData::binary(DMatrix::from_element(1, 1, f64::NAN), &[true]).is_err());
    assert!(NetworkData::real(x(), DMatrix::zeros(2, 0)).is_err());
    assert!(NetworkData::real(x(), DMatrix::from_element(2, 1, f64::INFINITY)).is_err());
    assert!(NetworkData::classes(x(), &[0, 0], 0).is_err());
    let error = NetworkData::classes(x(), &[0, 3], 3).unwrap_err();
    assert_eq!(error.to_string(), "the class of row 1 is 3: it must be less than the number of classes");
}

#[test]
fn hyperparameters_are_positive_and_fit() {
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(NetworkHyperparameters::new(value).is_err());
        assert!(NetworkHyperparameters::new(1.0).unwrap().with_noise_variance(value).is_err());
    }
    let network = Network::new(1, &[2], 1, Activation::Tanh).unwrap();
    let observations = NetworkData::counts(DMatrix::zeros(3, 1), &[0, 1, 2]).unwrap();
    for precisions in [&[][..], &[1.0, 1.0, 1.0]] {
        let hyperparameters = NetworkHyperparameters::by_layer(precisions).unwrap();
        assert!(Joint::new(network.clone(), observations.clone(), hyperparameters).is_err());
    }
    let hyperparameters = NetworkHyperparameters::new(1.0).unwrap();
    let two = Network::new(1, &[], 2, Activation::Tanh).unwrap();
    assert!(Joint::new(two, observations.clone(), hyperparameters.clone()).is_err());
    let wide = Network::new(2, &[], 1, Activation::Tanh).unwrap();
    assert!(Joint::new(wide, observations.clone(), hyperparameters.clone()).is_err());
    let joint = Joint::new(network, observations, hyperparameters).unwrap();
    assert!(joint.ln_likelihood(&[0.0]).is_err() && joint.ln_prior(&[f64::NAN; 7]).is_err());
}

#[test]
fn passes_check_their_sizes() {
    let network = Network::new(1, &[2], 1, Activation::Tanh).unwrap();
    let (w, x) = ([0.0; 7], DMatrix::zeros(3, 1));
    assert!(network.outputs_at(&w[1..], &x).is_err());
    assert!(network.outputs_at(&w, &DMatrix::zeros(3, 2)).is_err());
    assert!(network.jacobians_at(&w, &DMatrix::from_element(1, 1, f64::NAN)).is_err());
    assert_eq!(network.outputs_at(&w, &DMatrix::zeros(0, 1)).unwrap().nrows(), 0);
}
