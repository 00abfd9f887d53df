//! Every other value that can be read from JSON: valid or refused, and written as it was.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_decision::bandit::History;
use posterior_decision::optimization::{Optimizer, Space};
use posterior_dist::text::AnyUnivariate;
use posterior_gaussian::text::AnyMultivariate;
use posterior_dist::{Gamma, Normal};
use posterior_gaussian::Gaussian;
use posterior_fuzz::{line, read_json};
use posterior_gp::Kernel;
use posterior_kalman::{Matrices, ObservationEquation, TransitionEquation};
use posterior_latent::k_means::KMeans;
use posterior_latent::partition::{CoClustering, Partition};
use posterior_math::linalg::DMatrix;
use posterior_regression::features::{FeatureMap, FeaturePlan};
use posterior_regression::glm::CoefficientPrior;
use posterior_regression::learned_features::HiddenUnits;
use posterior_regression::linear::NoisePrior;
use posterior_regression::network::Network;
use posterior_sampling::Draws;
use posterior_sampling::calibration::Ranks;
use posterior_sampling::hamiltonian::Metric;
use posterior_text::alphabet::Alphabet;
use posterior_sequence::emission::{CategoricalEmissions, GaussianEmissions};
use posterior_sequence::hmm::HiddenMarkovModel;
use posterior_sequence::markov_chain::MarkovChain;

fuzz_target!(|text: &str| {
    if let Some(distribution) = read_json::<AnyUnivariate>(text) {
        line::keeps_its_distributions(&*distribution, &[-1.0, 0.0, 0.5, 1.0, 3.0], 1);
    }
    read_json::<AnyMultivariate>(text);
    read_json::<Gamma>(text);
    read_json::<Gaussian>(text);
    read_json::<Normal>(text);
    read_json::<Kernel>(text);
    read_json::<KMeans>(text);
    if let Some(partition) = read_json::<Partition>(text) {
        assert_eq!(partition.sizes().iter().sum::<u32>() as usize, partition.labels().len());
    }
    read_json::<FeaturePlan>(text);
    if let Some(map) = read_json::<FeatureMap>(text) {
        let _ = map.design(&DMatrix::from_element(2, map.inputs().len(), 0.5));
    }
    read_json::<CoefficientPrior>(text);
    read_json::<HiddenUnits>(text);
    read_json::<NoisePrior>(text);
    read_json::<Network>(text);
    read_json::<CoClustering>(text).map(|pairs| pairs.to_matrix());
    read_json::<Ranks>(text);
    if let Some(metric) = read_json::<Metric>(text) {
        metric.covariance(3);
    }
    read_json::<Matrices>(text);
    read_json::<TransitionEquation>(text);
    read_json::<ObservationEquation>(text);
    if let Some(alphabet) = read_json::<Alphabet>(text) {
        for (number, name) in alphabet.iter().enumerate() {
            assert_eq!(alphabet.get(name), Some(number));
        }
    }
    if let Some(model) = read_json::<HiddenMarkovModel<CategoricalEmissions>>(text) {
        let _ = model.simulate_states(5, &mut posterior_dist::stream::stream(1, &[]));
    }
    read_json::<HiddenMarkovModel<GaussianEmissions>>(text);
    if let Some(chain) = read_json::<MarkovChain>(text) {
        let _ = (chain.ln_probability(&[0, 1]), chain.stationary());
    }
    if let Some(history) = read_json::<History>(text) {
        if history.arms() <= 1_000 {
            assert_eq!(history.statistics().len(), history.arms());
        }
    }
    read_json::<Space>(text);
    read_json::<Optimizer>(text);
    if let Some(draws) = read_json::<Draws>(text) {
        let mut out = Vec::new();
        draws.write_csv(&mut out).expect("memory");
    }
});
