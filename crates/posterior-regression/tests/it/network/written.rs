//! What is written down is read back, and what is read is checked.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_regression::features::{FeatureMap, FeaturePlan};
use posterior_regression::network::{
    Activation, Head, Joint, Network, NetworkFitOptions, NetworkHyperparameters, TrainedMode, fit,
};
use proptest::prelude::*;

use super::oracle::{normals, observed};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Equal, with equal outputs to the bit.
    #[test]
    fn a_trained_network_survives(seed in 0_u64..1 << 40, head in 0_usize..4) {
        let head = [Head::Gaussian, Head::Bernoulli, Head::Categorical, Head::Poisson][head];
        let outputs = if head == Head::Categorical { 3 } else { 1 };
        let network = Network::new(2, &[3, 4], outputs, Activation::Softplus).unwrap();
        let hyperparameters = NetworkHyperparameters::by_layer(&[0.1, 1.0 / 3.0, 2.0]).unwrap();
        let data = observed(head, 9, 2, outputs, seed);
        let joint = Joint::new(network.clone(), data, hyperparameters.clone()).unwrap();
        let mode = fit(&joint, &NetworkFitOptions::default(), &mut Silent).unwrap().model;
        let text = serde_json::to_string(&(&network, &hyperparameters, &mode)).unwrap();
        let read: (Network, NetworkHyperparameters, TrainedMode) = serde_json::from_str(&text).unwrap();
        let x = normals(seed + 7, 5, 2);
        let bits = |network: &Network, mode: &TrainedMode| {
            network.outputs_at(&mode.weights, &x).unwrap().map(f64::to_bits)
        };
        prop_assert_eq!(bits(&read.0, &read.2), bits(&network, &mode));
        prop_assert_eq!(read, (network, hyperparameters, mode));
    }

    #[test]
    fn maps_of_learned_places_survive(seed in 0_u64..1 << 40) {
        let inputs = normals(seed, 15, 2).map(|x| 1e3 * x);
        let inputs = DMatrix::from_fn(15, 3, |i, j| if j < 2 { inputs[(i, j)] } else { (i % 4) as f64 / 3.0 });
        let text = "spline:4(a) + orthogonal:2(a)*rbf:3(b) + onehot(c) + haar:2(a) + fourier:1(b) + poly:3(b)";
        let plan: FeaturePlan = text.parse().unwrap();
        let map = plan.learn(&inputs, &["a", "b", "c"]).unwrap();
        let read: FeatureMap = serde_json::from_str(&serde_json::to_string(&map).unwrap()).unwrap();
        let bits = |map: &FeatureMap| map.design(&inputs).unwrap().map(f64::to_bits);
        prop_assert_eq!(bits(&read), bits(&map));
        prop_assert_eq!(read, map);
    }
}

#[test]
fn what_cannot_be_is_not_read() {
    let network = r#"{"inputs":1,"hidden":[0],"outputs":1,"activation":"Tanh"}"#;
    assert!(serde_json::from_str::<Network>(network).unwrap_err().to_string().contains("at least one"));
    let hyperparameters = r#"{"precisions":[1.0],"noise_variance":-1.0}"#;
    assert!(serde_json::from_str::<NetworkHyperparameters>(hyperparameters).is_err());
}

#[test]
fn priors_and_units_that_were_read_are_valid_or_refused() {
    use posterior_regression::glm::CoefficientPrior;
    use posterior_regression::learned_features::HiddenUnits;
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
