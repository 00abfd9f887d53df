//! Models that were fitted, not made up, go to JSON and back: equal, with equal answers to the bit.

use std::fmt::Debug;
use std::ops::ControlFlow;

use posterior_dist::stream::stream;
use posterior_math::linalg::DMatrix;
use posterior_topics::naive_bayes::table::{ClassTable, Column, TableClassifier, TableOptions};
use posterior_topics::naive_bayes::{self, EventModel, NaiveBayes};
use posterior_topics::{Corpus, TopicModel, hdp, lda, pitman_yor_topics};
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

/// Twelve documents over eight words, each with a word at least.
fn corpus(seed: u64) -> Corpus {
    let mut rng = stream(seed, &[1]);
    let mut row = |d: u32| -> Vec<(u32, u32)> {
        (0..8).map(|w| (w, rng.random_range(0..3) + 3 * u32::from(w % 3 == d % 3))).collect()
    };
    let rows = (0..12).map(&mut row).collect();
    let words = (0..8).map(|w| format!("w{w}")).collect();
    Corpus::from_rows(words, (0..12).map(|d| d.to_string()).collect(), rows).unwrap()
}

fn topics<M: TopicModel + PartialEq + Debug + Serialize + DeserializeOwned>(model: &M, corpus: &Corpus) {
    let read = again(model);
    let bits = |model: &M| -> Vec<u64> {
        (0..corpus.documents())
            .flat_map(|d| model.proportions(corpus.document(d)))
            .chain(model.topics().topic_word().iter().copied())
            .map(f64::to_bits)
            .collect()
    };
    assert_eq!(bits(&read), bits(model));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn topic_models(seed in any::<u64>(), k in 1_usize..4) {
        let corpus = corpus(seed);
        let mut options = lda::gibbs::Options { topics: k, seed, ..lda::gibbs::Options::default() };
        options.iterations = 15;
        topics(&lda::gibbs::fit(&corpus, &options, |_| ControlFlow::Continue(())).unwrap().model, &corpus);
        let options = hdp::Options { iterations: 15, seed, ..hdp::Options::default() };
        topics(&hdp::fit(&corpus, &options, |_| ControlFlow::Continue(())).unwrap().model, &corpus);
        let options = pitman_yor_topics::Options { topics: k, iterations: 15, seed, ..pitman_yor_topics::Options::default() };
        topics(&pitman_yor_topics::fit(&corpus, &options, |_| ControlFlow::Continue(())).unwrap().model, &corpus);
    }

    #[test]
    fn naive_bayes_of_texts(seed in any::<u64>(), smoothing in 0.01_f64..2.0) {
        let corpus = corpus(seed);
        let labels: Vec<usize> = (0..12).map(|d| (d * d + seed as usize % 2) % 3).collect();
        for model in [EventModel::Bernoulli, EventModel::Multinomial, EventModel::Polya, EventModel::Complement] {
            let options = naive_bayes::Options { model, smoothing, ..naive_bayes::Options::default() };
            let model = NaiveBayes::fit(&corpus, &labels, 3, &options).unwrap();
            let read = again(&model);
            let bits = |model: &NaiveBayes| -> Vec<u64> {
                let said = (0..12).map(|d| model.posterior(corpus.document(d)).unwrap().probabilities);
                said.flatten().map(f64::to_bits).collect()
            };
            prop_assert_eq!(bits(&read), bits(&model));
        }
    }

    #[test]
    fn naive_bayes_of_rows(seed in any::<u64>()) {
        let mut rng = stream(seed, &[2]);
        let rows = DMatrix::from_fn(20, 2, |_, j| {
            if j == 0 { rng.random::<f64>() * 1e3 } else { f64::from(rng.random_range(0..3)) }
        });
        let labels: Vec<usize> = (0..20).map(|i| i % 2).collect();
        let columns = [Column::Normal, Column::Categorical { levels: 3 }];
        let table = ClassTable::of(&columns, &rows, &labels, 2).unwrap();
        let read = again(&table);
        let bits = |table: &ClassTable| -> Vec<u64> {
            let model = TableClassifier::from_table(table, &TableOptions::default()).unwrap();
            let said = |i: usize| {
                let row: Vec<f64> = rows.row(i).iter().copied().collect();
                model.posterior(&row).unwrap().unwrap().probabilities
            };
            (0..20).flat_map(said).map(f64::to_bits).collect()
        };
        prop_assert_eq!(bits(&read), bits(&table));
    }
}
