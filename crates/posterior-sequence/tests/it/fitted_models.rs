//! Models that were fitted, not made up, go to JSON and back: equal, with equal answers to the bit.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Debug;

use posterior_dist::stream::stream;
use posterior_dist::{Normal, Poisson};
use posterior_gaussian::{Gaussian, NormalInverseWishart};
use posterior_inference::em::EmOptions;
use posterior_latent::Observations;
use posterior_latent::gaussian_mixture::{
    CovarianceKind, GaussianMixture, GaussianMixtureOptions, GaussianMixtureProblem,
};
use posterior_latent::mixture::MaximumLikelihood;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_sequence::baum_welch::{BaumWelch, BaumWelchOptions};
use posterior_sequence::crf::{
    ConditionalRandomField, CrfVocabulary, Dataset, FeatureOptions, Features, LabelEnds, TrainingOptions,
    WeightChoice, fit,
};
use posterior_sequence::emission::{
    CategoricalEmissions, Distributions, Emissions, GaussianEmissions, GaussianEstimate, LearnEmissions,
    Sequence, Sequences,
};
use posterior_sequence::hmm::{HiddenMarkovModel, Inference};
use posterior_sequence::markov_chain::{MarkovChain, TransitionCounts};
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

/// A model after some steps of EM, which is written and read.
fn hmm<E, L>(start: HiddenMarkovModel<E>, data: &E::Data, learn: L)
where
    E: LearnableJson,
    L: LearnEmissions<E, Statistics: Send> + Sync,
    E::Data: Sync,
{
    let sequences = Sequences::one(data);
    let options = BaumWelchOptions {
        em: EmOptions { max_iterations: 8, ..EmOptions::default() },
        ..BaumWelchOptions::default()
    };
    let fitted = BaumWelch::new(&sequences, learn, options).unwrap().fit(start, &mut Silent).unwrap();
    let model = fitted.model.hmm;
    let read = again(&model);
    let answers = |model: &HiddenMarkovModel<E>| {
        let mut inference = Inference::new(model);
        let sequence = Sequence::new(data);
        let ln_likelihood = inference.score(&sequence).unwrap().ln_z;
        let smoothed = inference.smooth(&sequence).unwrap();
        let states = smoothed.marginals().iter().map(|p| p.to_bits()).collect::<Vec<_>>();
        (ln_likelihood.to_bits(), states)
    };
    assert_eq!(answers(&read), answers(&model));
}

/// Emissions that can be fitted, written and read.
trait LearnableJson: Emissions + Clone + Debug + PartialEq + Serialize + DeserializeOwned + Sync {}
impl<E: Emissions + Clone + Debug + PartialEq + Serialize + DeserializeOwned + Sync> LearnableJson for E {}

fn numbers(rows: usize, columns: usize, seed: u64) -> DMatrix<f64> {
    let mut rng = stream(seed, &[1]);
    DMatrix::from_fn(rows, columns, |i, _| 3.0 * (i / 7 % 3) as f64 + rng.random::<f64>())
}

fn mixture(data: &DMatrix<f64>, kind: CovarianceKind, seed: u64) -> GaussianMixture {
    let rows = Observations::new(data).unwrap();
    let options = GaussianMixtureOptions {
        covariance: kind,
        em: EmOptions { max_iterations: 3, ..EmOptions::default() },
        ..GaussianMixtureOptions::default()
    };
    GaussianMixtureProblem::new(&rows, options).unwrap().fit_best(3, 1, seed).unwrap().best.model.mixture
}

const KINDS: [CovarianceKind; 4] =
    [CovarianceKind::Full, CovarianceKind::Tied, CovarianceKind::Diagonal, CovarianceKind::Spherical];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn gaussian_states(seed in any::<u64>(), kind in 0_usize..4, with_prior in any::<bool>()) {
        let data = numbers(63, 2, seed);
        let start = mixture(&data, KINDS[kind], seed);
        let emissions = GaussianEmissions::from_mixture(&start);
        // A mixture's components, before any step.
        again(&emissions);
        let start = HiddenMarkovModel::from_weights(start.weights().probabilities(), 0.4, emissions).unwrap();
        let sequences = Sequences::one(&data);
        let learn = GaussianEstimate::with_floor(&sequences, 1e-6).unwrap();
        let prior = NormalInverseWishart::new(&[1.0, 2.0], 0.1, &DMatrix::identity(2, 2), 4.0).unwrap();
        hmm(start, &data, if with_prior { learn.with_prior(prior) } else { learn });
    }

    #[test]
    fn states_of_any_distribution(seed in any::<u64>()) {
        let data = numbers(63, 1, seed);
        let normals = [0.5, 3.5, 6.5].map(|mean| Normal::mean_sd(mean, 1.0).unwrap());
        let start = HiddenMarkovModel::from_weights(&[0.2, 0.5, 0.3], 0.4, Distributions::new(normals.to_vec()).unwrap());
        hmm(start.unwrap(), data.as_slice(), MaximumLikelihood);
        let counts: Vec<u64> = data.iter().map(|x| x.round() as u64).collect();
        let poisson = [0.7, 3.1, 6.2].map(|mean| Poisson::new(mean).unwrap());
        let start = HiddenMarkovModel::from_weights(&[0.2, 0.5, 0.3], 0.4, Distributions::new(poisson.to_vec()).unwrap());
        hmm(start.unwrap(), &counts, MaximumLikelihood);
        let plane = numbers(63, 2, seed);
        let vectors: Vec<Vec<f64>> = plane.row_iter().map(|row| row.iter().copied().collect()).collect();
        let gaussian = |mean: f64| Gaussian::new(&[mean, mean], &DMatrix::identity(2, 2)).unwrap();
        let start = Distributions::new([0.5, 3.5, 6.5].map(gaussian).to_vec()).unwrap();
        hmm(HiddenMarkovModel::from_weights(&[0.2, 0.5, 0.3], 0.4, start).unwrap(), &vectors, MaximumLikelihood);
    }

    #[test]
    fn states_of_symbols_and_chains(seed in any::<u64>()) {
        let mut rng = stream(seed, &[2]);
        let symbols: Vec<usize> = (0..80).map(|_| rng.random_range(0..5)).collect();
        let start = CategoricalEmissions::from_distributions(
            (0..3).map(|_| {
                let weights: Vec<f64> = (0..5).map(|_| 0.1 + rng.random::<f64>()).collect();
                posterior_dist::Categorical::from_weights(&weights).unwrap()
            }).collect(),
        ).unwrap();
        hmm(HiddenMarkovModel::from_weights(&[0.2, 0.5, 0.3], 0.4, start).unwrap(), &symbols, MaximumLikelihood);
        // Every symbol follows itself: no context is without a next one.
        let cycle: Vec<usize> = symbols.iter().flat_map(|&s| [s, s]).chain(0..5).chain([0]).collect();
        let counts = TransitionCounts::of(5, 1, &[&cycle]).unwrap();
        let chain = MarkovChain::from_counts(&counts).unwrap();
        let read = again(&chain);
        let predicted = |chain: &MarkovChain| {
            chain.predict(&[3], 7).unwrap().iter().map(|p| p.to_bits()).collect::<Vec<_>>()
        };
        prop_assert_eq!(predicted(&read), predicted(&chain));
    }

    #[test]
    fn conditional_random_fields(seed in any::<u64>(), l1 in 0_usize..2) {
        let mut rng = stream(seed, &[3]);
        let mut data = Dataset::with_vocabulary(CrfVocabulary::new().with_dense(1));
        for _ in 0..6 {
            let length = rng.random_range(1..6);
            let mut sentence = data.sequence();
            let mut labels = Vec::new();
            for _ in 0..length {
                let word = rng.random_range(0..4);
                sentence.present([format!("w{word}")]).unwrap().dense(&[rng.random::<f64>()]).unwrap();
                labels.push(["a", "b", "c"][(word + rng.random_range(0..2)) % 3]);
            }
            let sentence = sentence.finish();
            data.push(sentence, &labels).unwrap();
        }
        let options = FeatureOptions { states: WeightChoice::All, ends: LabelEnds::Weighted, ..FeatureOptions::default() };
        let features = Features::select(&data, &options).unwrap();
        let training = TrainingOptions { l2: 0.1, l1: 0.05 * l1 as f64, max_iterations: 12, ..TrainingOptions::default() };
        let model: ConditionalRandomField = fit(&data, features, &training, &mut Silent).unwrap().model;
        let mut text = Vec::new();
        model.to_json(&mut text).unwrap();
        let read = ConditionalRandomField::from_json(&text).unwrap();
        let bits = |model: &ConditionalRandomField| -> Vec<u64> {
            let all = data.sequences().iter();
            all.flat_map(|own| model.marginals(own).nodes).map(f64::to_bits).collect()
        };
        prop_assert_eq!(bits(&read), bits(&model));
        prop_assert_eq!(read, model);
    }
}

/// Text for people holds what a model is, not what it keeps for speed.
#[test]
fn debug_output_is_short() {
    let data = numbers(63, 2, 1);
    let text = format!("{:?}", GaussianEmissions::from_mixture(&mixture(&data, CovarianceKind::Diagonal, 1)));
    assert!(!text.contains("whitening") && text.len() < 800, "{} characters: {text}", text.len());
}
