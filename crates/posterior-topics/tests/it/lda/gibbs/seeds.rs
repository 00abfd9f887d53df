//! Seed words: the arithmetic of the prior by hand, and topics that keep their numbers.

use posterior_math::iteration::Silent;
use posterior_testkit::accuracy::assert_all_close;
use posterior_topics::lda::gibbs::{self, LdaGibbsOptions, TopicSampler};
use posterior_topics::lda::{Seed, WordWeights};
use posterior_topics::{Corpus, TopicModel as _};

use super::toy;
use crate::stopping::refused_parameter;

/// Without its token, word 1 has one token in topic 1 and none in topic 0, which have 3 and 2 in all;
/// document 0 has two in topic 0. With a weight of 2 on word 1 in topic 1 the weights of the topics are 2.5
/// x 0.5 / 3.5 and 0.5 x (1.5 + 2) / (4.5 + 2).
#[test]
fn a_seed_counts_as_tokens_that_were_seen() {
    let corpus = toy::corpus();
    let seeds = vec![Seed { topic: 1, word: 1, weight: 2.0 }];
    let options = LdaGibbsOptions { word_weights: seeds.into(), ..toy::options() };
    let chain = toy::chain(&corpus, &options, toy::state(&[0, 0, 0, 1, 1, 1]));
    assert_all_close(&chain.conditional(0, 1, 0), &[65.0 / 114.0, 49.0 / 114.0], 1e-14);
}

/// Of one topic: two tokens of each word, half of one by `beta`, and two by the seed.
#[test]
fn the_topic_has_its_seeds_among_its_words() {
    let seeds = vec![Seed { topic: 0, word: 1, weight: 2.0 }];
    let options =
        LdaGibbsOptions { topics: 1, iterations: 1, draws: 1, word_weights: seeds.into(), ..toy::options() };
    let options = LdaGibbsOptions { alpha: 0.5.into(), ..options };
    let model = gibbs::fit(&toy::corpus(), &options, &mut Silent).unwrap().model;
    let phi: Vec<f64> = model.topics().topic_word().iter().copied().collect();
    assert_all_close(&phi, &[2.5 / 9.5, 4.5 / 9.5, 2.5 / 9.5], 1e-14);
}

/// Documents of two themes; the second topic is given one word of the first theme, and has it for any seed
/// and by every sampler.
#[test]
fn a_seeded_topic_keeps_its_number() {
    let words: Vec<String> = (0..10).map(|v| v.to_string()).collect();
    let row = |d: u32| -> Vec<(u32, u32)> { (0..5).map(|v| (5 * (d % 2) + v, 4 + (d + v) % 3)).collect() };
    let names = (0..16).map(|d| d.to_string()).collect();
    let corpus = Corpus::from_rows(words, names, (0..16).map(row).collect()).unwrap();
    for sampler in [TopicSampler::Dense, TopicSampler::Sparse, TopicSampler::MetropolisHastings] {
        for seed in 0..5 {
            let seeds = vec![Seed { topic: 1, word: 0, weight: 200.0 }];
            let word_weights = WordWeights::Seeded(seeds);
            let mut options =
                LdaGibbsOptions { topics: 2, word_weights, seed, sampler, ..LdaGibbsOptions::default() };
            (options.iterations, options.alpha) = (200, 0.1.into());
            let model = gibbs::fit(&corpus, &options, &mut Silent).unwrap().model;
            let own: f64 = (0..5).map(|v| model.topics().topic_word()[(1, v)]).sum();
            assert!(own > 0.95, "{sampler:?} {seed}: {own}");
        }
    }
}

#[test]
fn seeds_of_nothing_are_refused() {
    let corpus = toy::corpus();
    let fit = |seed: Seed| {
        let options = LdaGibbsOptions { word_weights: vec![seed].into(), ..toy::options() };
        gibbs::fit(&corpus, &options, &mut Silent)
    };
    for seed in [Seed { topic: 2, word: 0, weight: 1.0 }, Seed { topic: 0, word: 0, weight: 0.0 }] {
        let message = refused_parameter(fit(seed));
        assert!(message.contains("seeds"), "{message}");
    }
    let message = fit(Seed { topic: 0, word: 3, weight: 1.0 }).err().unwrap().to_string();
    assert_eq!(message, "seed word 3 of 3, counted from 0");
}
