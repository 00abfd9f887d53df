//! What is written down is read back, and what is read is checked.

use posterior_math::iteration::Silent;
use posterior_regression::network::{
    Activation, Head, Hyperparameters, Joint, Mode, Network, TrainOptions, train,
};

use super::oracle::observed;

#[test]
fn a_trained_network_survives() {
    let network = Network::new(2, &[3, 4], 1, Activation::Softplus).unwrap();
    let hyperparameters = Hyperparameters::by_layer(&[0.1, 1.0 / 3.0, 2.0]).unwrap();
    let joint =
        Joint::new(network.clone(), observed(Head::Bernoulli, 9, 2, 1, 1), hyperparameters.clone()).unwrap();
    let mode = train(&joint, &TrainOptions::default(), &mut Silent).unwrap().model;
    let text = serde_json::to_string(&(&network, &hyperparameters, &mode)).unwrap();
    let read: (Network, Hyperparameters, Mode) = serde_json::from_str(&text).unwrap();
    assert_eq!(read, (network, hyperparameters, mode));
}

#[test]
fn what_cannot_be_is_not_read() {
    let network = r#"{"inputs":1,"hidden":[0],"outputs":1,"activation":"Tanh"}"#;
    assert!(serde_json::from_str::<Network>(network).unwrap_err().to_string().contains("at least one"));
    let hyperparameters = r#"{"precisions":[1.0],"noise_variance":-1.0}"#;
    assert!(serde_json::from_str::<Hyperparameters>(hyperparameters).is_err());
}

#[test]
fn priors_and_units_that_were_read_are_valid_or_refused() {
    use posterior_regression::glm::CoefficientPrior;
    use posterior_regression::learnt_features::HiddenUnits;
    use posterior_regression::linear::NoisePrior;

    assert!(serde_json::from_str::<CoefficientPrior>(r#"{"mean":[0.0],"precision":[0.5]}"#).is_ok());
    assert!(serde_json::from_str::<CoefficientPrior>(r#"{"mean":[0.0],"precision":[]}"#).is_err());
    assert!(serde_json::from_str::<CoefficientPrior>(r#"{"mean":[0.0],"precision":[-1.0]}"#).is_err());
    for prior in
        [NoisePrior::flat_ln(), NoisePrior::flat_deviation(), NoisePrior::inverse_gamma(2.0, 1.0).unwrap()]
    {
        let text = serde_json::to_string(&prior).unwrap();
        assert_eq!(serde_json::from_str::<NoisePrior>(&text).unwrap(), prior);
    }
    assert!(serde_json::from_str::<NoisePrior>(r#"{"shape":-1.0,"scale":1.0}"#).is_err());
    assert!(serde_json::from_str::<HiddenUnits>(r#"{"units":0,"activation":"Tanh"}"#).is_err());
}
