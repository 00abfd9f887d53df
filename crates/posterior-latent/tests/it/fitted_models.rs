//! Models that were fitted, not made up, go to JSON and back: equal, with equal answers to the bit.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Debug;

use posterior_dist::Gamma;
use posterior_dist::PitmanYor;
use posterior_dist::stream::stream;
use posterior_gaussian::NormalInverseWishart;
use posterior_latent::Observations;
use posterior_latent::dirichlet_process::{HyperPrior, ProcessGibbs};
use posterior_latent::gaussian_mixture::{
    CovarianceKind, GaussianMixture, GaussianMixtureOptions, GaussianMixtureProblem,
};
use posterior_latent::gibbs::{CollapsedGibbs, ConjugateGaussians, sample};
use posterior_latent::k_means::{KMeans, KMeansOptions, best_of_starts};
use posterior_latent::partition::{CoClustering, PartitionPrior, PartitionSearch};
use posterior_math::linalg::DMatrix;
use posterior_sampling::Run;
use proptest::prelude::*;
use rand::RngExt;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What is read of what was written; it is equal.
#[track_caller]
fn again<M: PartialEq + Debug + Serialize + DeserializeOwned>(model: &M) -> M {
    let text = serde_json::to_string(model).unwrap();
    let read: M = serde_json::from_str(&text).unwrap();
    assert_eq!(&read, model);
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    read
}

fn numbers(seed: u64) -> DMatrix<f64> {
    let mut rng = stream(seed, &[1]);
    DMatrix::from_fn(30, 2, |i, _| 3.0 * (i % 3) as f64 + rng.random::<f64>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn centres(seed in any::<u64>(), k in 1_usize..5) {
        let values = numbers(seed);
        let rows = Observations::new(&values).unwrap();
        let model = best_of_starts(&rows, &KMeansOptions::new(k), 2, seed).unwrap().best.model;
        let read: KMeans = again(&model);
        prop_assert_eq!(read.assign(&rows).unwrap(), model.assign(&rows).unwrap());
        let bits = |model: &KMeans| model.distances(&rows).unwrap().map(f64::to_bits);
        prop_assert_eq!(bits(&read), bits(&model));
    }

    #[test]
    fn mixtures_of_gaussians(seed in any::<u64>(), kind in 0_usize..4) {
        let kinds =
            [CovarianceKind::Full, CovarianceKind::Tied, CovarianceKind::Diagonal, CovarianceKind::Spherical];
        let values = numbers(seed);
        let rows = Observations::new(&values).unwrap();
        let options = GaussianMixtureOptions { covariance: kinds[kind], ..GaussianMixtureOptions::default() };
        let problem = GaussianMixtureProblem::new(&rows, options).unwrap();
        let model = problem.fit_best(3, 1, seed).unwrap().best.model.mixture;
        let read: GaussianMixture = again(&model);
        let bits = |model: &GaussianMixture| model.responsibilities(&rows).unwrap().map(f64::to_bits);
        prop_assert_eq!(bits(&read), bits(&model));
    }

    #[test]
    fn partitions_and_how_probable_pairs_are(seed in any::<u64>(), process in any::<bool>()) {
        let values = numbers(seed);
        let prior = NormalInverseWishart::new(&[3.0, 3.0], 0.1, &DMatrix::identity(2, 2), 4.0).unwrap();
        let components = ConjugateGaussians::new(&values, &prior).unwrap();
        let run = Run { chains: 2, warm_up: 10, draws: 20, seed, ..Run::default() };
        let sampled = if process {
            let learned = HyperPrior::concentration(Gamma::shape_rate(1.0, 1.0).unwrap());
            let process = PitmanYor::chinese_restaurant(1.0).unwrap();
            sample(&ProcessGibbs::new(&components, process).with_hyper_prior(learned), &run)
        } else {
            sample(&CollapsedGibbs::new(&components, PartitionPrior::finite(3, 1.0).unwrap()), &run)
        };
        let sampled = sampled.unwrap();
        again(&PartitionSearch::default().run(sampled.partitions()).unwrap().partition);
        let together: CoClustering = sampled.co_clustering().unwrap();
        let read = again(&together);
        prop_assert_eq!(read.probability(0, 7).to_bits(), together.probability(0, 7).to_bits());
    }
}

#[test]
fn components_and_factors() {
    use posterior_latent::principal_components::{
        FactorModel, PcaOptions, PrincipalComponents, fit, probabilistic,
    };

    let values = numbers(3);
    let rows = Observations::new(&values).unwrap();
    let components: PrincipalComponents = fit(&rows, &PcaOptions::default()).unwrap();
    assert_eq!(again(&components).scores(&rows).unwrap(), components.scores(&rows).unwrap());
    let factors: FactorModel = probabilistic(&rows, 1).unwrap();
    assert_eq!(again(&factors).posterior_means(&rows).unwrap(), factors.posterior_means(&rows).unwrap());
    let text = serde_json::to_string(&components).unwrap();
    let other = text.replacen("\"mean\":[", "\"mean\":[0.0,", 1);
    assert!(serde_json::from_str::<PrincipalComponents>(&other).is_err());
    let text = serde_json::to_string(&factors).unwrap();
    let other = text.replacen("\"noise\":[", "\"noise\":[-", 1);
    assert!(serde_json::from_str::<FactorModel>(&other).is_err());
}
