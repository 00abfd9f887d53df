//! The bigram topic model: enumeration, the unigram topic model beside it, fitted priors, misuse.

use std::collections::BTreeMap;

use posterior_dist::Dirichlet;
use posterior_dist::stream::stream;
use posterior_math::iteration::Silent;
use posterior_math::log_space::ln_sum_exp;
use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};
use posterior_testkit::significance::{LEVEL, chi_square_p_value};
use posterior_topics::bigram_topics::{self, BigramGibbs, BigramTopics, BigramTopicsOptions, WordPrior};
use posterior_topics::corpus::{Document, WordSequences};
use posterior_topics::lda::{Hyperparameters, gibbs};
use posterior_topics::{FittedTopics, TopicModel};
use rand::RngExt;

fn sequences(words: usize, documents: Vec<Vec<u32>>) -> WordSequences {
    let numbered = |count: usize| (0..count).map(|number| number.to_string()).collect();
    WordSequences::new(numbered(words), numbered(documents.len()), documents).unwrap()
}

fn fit(sequences: &WordSequences, options: &BigramTopicsOptions) -> FittedTopics<BigramTopics> {
    bigram_topics::fit(sequences, options, &mut Silent).unwrap()
}

const STATES: usize = 64;

fn toy() -> WordSequences {
    sequences(2, vec![vec![0, 1, 0, 1], vec![], vec![1, 1]])
}

fn toy_options(word_prior: WordPrior) -> BigramTopicsOptions {
    BigramTopicsOptions {
        topics: 2,
        alpha: 0.6.into(),
        beta: 0.4,
        word_prior,
        ..BigramTopicsOptions::default()
    }
}

fn topics(state: usize) -> Vec<u16> {
    (0..6).map(|token| (state >> token & 1) as u16).collect()
}

/// ln p(W, Z) from Dirichlet distributions, one for each document, and one for each topic and word before.
fn ln_joint(topics: &[u16]) -> f64 {
    let mut documents: BTreeMap<usize, [u64; 2]> = BTreeMap::new();
    let mut contexts: BTreeMap<(u16, Option<u32>), [u64; 2]> = BTreeMap::new();
    let mut tokens = topics.iter();
    for (d, document) in toy().documents().iter().enumerate() {
        let mut before = None;
        for &word in document {
            let &topic = tokens.next().unwrap();
            documents.entry(d).or_default()[usize::from(topic)] += 1;
            contexts.entry((topic, before)).or_default()[word as usize] += 1;
            before = Some(word);
        }
    }
    let ln = |concentration: f64, counts: &[u64; 2]| {
        Dirichlet::symmetric(2, concentration).unwrap().ln_sequence_evidence(counts)
    };
    documents.values().map(|n| ln(0.6, n)).sum::<f64>() + contexts.values().map(|n| ln(0.4, n)).sum::<f64>()
}

#[test]
fn the_joint_is_the_formula() {
    let toy = toy();
    for prior in [WordPrior::Shared, WordPrior::PerTopic] {
        for s in 0..STATES {
            let chain = BigramGibbs::from_assignments(&toy, &toy_options(prior), &topics(s)).unwrap();
            assert_close(chain.ln_joint(), ln_joint(&topics(s)), 1e-13);
        }
    }
}

/// False alarms: one in as many runs as `LEVEL` says; the seed is fixed, and states are four sweeps apart.
#[test]
fn the_chain_draws_from_the_posterior() {
    const DRAWS: usize = 60_000;
    let toy = toy();
    let mut rng = stream(5, &[]);
    let mut chain = BigramGibbs::new(&toy, &toy_options(WordPrior::Shared), &mut rng).unwrap();
    let mut visits = vec![0_u64; STATES];
    for _ in 0..DRAWS {
        (0..4).for_each(|_| chain.sweep(&mut rng));
        let state: usize = chain.assignments().iter().enumerate().map(|(i, &z)| usize::from(z) << i).sum();
        visits[state] += 1;
    }
    let ln: Vec<f64> = (0..STATES).map(|s| ln_joint(&topics(s))).collect();
    let evidence = ln_sum_exp(&ln);
    let expected: Vec<f64> = ln.iter().map(|ln| (ln - evidence).exp() * DRAWS as f64).collect();
    let p = chi_square_p_value(&visits, &expected);
    assert!(p > LEVEL, "p = {p}");
}

/// Documents of two kinds: in each kind another word follows, over the same words.
fn two_orders(documents: usize, length: usize, seed: u64) -> WordSequences {
    let mut rng = stream(seed, &[]);
    let document = |d: usize| {
        let mut word = rng.random_range(0..10_u32);
        (0..length)
            .map(|_| {
                let step = if d.is_multiple_of(2) { 1 } else { 3 };
                word = if rng.random::<f64>() < 0.9 { (word + step) % 10 } else { rng.random_range(0..10) };
                word
            })
            .collect()
    };
    sequences(10, (0..documents).map(document).collect())
}

#[test]
fn order_is_what_the_bag_of_words_has_not() {
    let (train, test) = (two_orders(40, 60, 1), two_orders(10, 60, 2));
    for prior in [WordPrior::Shared, WordPrior::PerTopic] {
        let options =
            BigramTopicsOptions { topics: 2, beta: 0.1, word_prior: prior, ..BigramTopicsOptions::default() };
        let fitted = fit(&train, &BigramTopicsOptions { iterations: 100, ..options });
        // Documents of a kind have the topic of the kind.
        let topic = usize::from(fitted.doc_topic[(0, 1)] > 0.5);
        for d in 0..40 {
            let proportion = fitted.doc_topic[(d, topic)];
            assert!(
                if d.is_multiple_of(2) { proportion > 0.9 } else { proportion < 0.1 },
                "{d}: {proportion}"
            );
        }
        let lda = gibbs::fit(
            &train.corpus().unwrap(),
            &gibbs::LdaGibbsOptions { topics: 2, iterations: 100, ..gibbs::LdaGibbsOptions::default() },
            &mut Silent,
        )
        .unwrap();
        let (mut bigrams, mut bags) = (0.0, 0.0);
        for document in test.documents() {
            let (observed, scored) = document.split_at(30);
            bigrams += fitted.model.ln_predictive(observed, scored);
            let bag = |words: &[u32]| {
                let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
                for &word in words {
                    *counts.entry(word).or_default() += 1;
                }
                counts.into_iter().unzip::<u32, u32, Vec<u32>, Vec<u32>>()
            };
            let ((words, counts), (others, times)) = (bag(observed), bag(scored));
            bags += lda.model.ln_predictive(
                Document { words: &words, counts: &counts },
                Document { words: &others, counts: &times },
            );
        }
        let perplexity = |ln: f64| (-ln / 300.0).exp();
        // The words are uniform: a bag knows nothing; nine of ten steps are known to the other.
        assert_within(perplexity(bags), 10.0, 0.7);
        assert!(perplexity(bigrams) < 2.5, "{}", perplexity(bigrams));
    }
}

#[test]
fn learned_concentrations_are_uphill() {
    let train = two_orders(30, 40, 3);
    for prior in [WordPrior::Shared, WordPrior::PerTopic] {
        let mut rng = stream(1, &[]);
        let options = BigramTopicsOptions { topics: 3, word_prior: prior, ..BigramTopicsOptions::default() };
        let mut chain = BigramGibbs::new(&train, &options, &mut rng).unwrap();
        for _ in 0..30 {
            chain.sweep(&mut rng);
        }
        let before = chain.ln_joint();
        chain.optimize_hyperparameters();
        assert!(chain.ln_joint() > before);
        let fixed = fit(&train, &BigramTopicsOptions { iterations: 60, ..options.clone() });
        let learned = fit(
            &train,
            &BigramTopicsOptions { iterations: 60, hyperparameters: Hyperparameters::Optimized, ..options },
        );
        assert!(learned.report.trace.last() > fixed.report.trace.last());
        assert_eq!(fixed.model.beta(3, 1), 0.01);
        let same = learned.model.beta(3, 0) == learned.model.beta(3, 1);
        assert_eq!(same, prior == WordPrior::Shared);
    }
}

#[test]
fn probabilities_sum_to_one_and_repeat() {
    let train = two_orders(6, 20, 4);
    let options = BigramTopicsOptions { topics: 3, iterations: 20, ..BigramTopicsOptions::default() };
    let fitted = fit(&train, &options);
    for context in (0..10).map(Some).chain([None]) {
        let mut sums = [0.0; 3];
        for word in 0..10 {
            for (sum, p) in sums.iter_mut().zip(fitted.model.word_probabilities(context, word)) {
                *sum += p;
            }
        }
        assert_all_close(&sums, &[1.0; 3], 1e-13);
    }
    assert_eq!(fitted, fit(&train, &options));
    for d in 0..6 {
        assert_close(fitted.doc_topic.row(d).sum(), 1.0, 1e-13);
    }
    // One topic: the predictive is that of a bigram model with add-k smoothing.
    let one = fit(&train, &BigramTopicsOptions { topics: 1, iterations: 2, ..options });
    let (mut pairs, mut all) = (0.0, 0.0);
    for document in train.documents() {
        for pair in document.windows(2) {
            all += f64::from(u8::from(pair[0] == 4));
            pairs += f64::from(u8::from(pair == [4, 5]));
        }
    }
    assert_close(one.model.word_probabilities(Some(4), 5)[0], (pairs + 0.01) / (all + 0.1), 1e-13);
    assert_eq!(one.model.proportions(&[1, 2, 3]), [1.0]);
}

#[test]
fn edges_and_misuse() {
    let one = sequences(1, vec![vec![0]]);
    let fitted = fit(
        &one,
        &BigramTopicsOptions { topics: 3, iterations: 3, draws: 9, ..BigramTopicsOptions::default() },
    );
    assert!(fitted.report.trace.iter().all(|ln| ln.is_finite()));
    assert_within(fitted.model.ln_predictive(&[], &[0, 0]), 0.0, 1e-12);
    let prior = fitted.model.proportions(&[]);
    assert_all_close(&prior, &[1.0 / 3.0; 3], 1e-14);
    let empty = sequences(1, vec![vec![]]);
    assert!(
        BigramGibbs::from_assignments(&empty, &BigramTopicsOptions::default(), &[])
            .is_err_and(|e| e.is_corpus())
    );
    let refused = |options: BigramTopicsOptions| {
        bigram_topics::fit(&one, &options, &mut Silent).is_err_and(|error| error.is_parameter())
    };
    let good = BigramTopicsOptions::default();
    assert!(
        refused(BigramTopicsOptions { topics: 0, ..good.clone() })
            && refused(BigramTopicsOptions { topics: 65_536, ..good.clone() })
    );
    assert!(
        refused(BigramTopicsOptions { iterations: 0, ..good.clone() })
            && refused(BigramTopicsOptions { draws: 0, ..good.clone() })
    );
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(
            refused(BigramTopicsOptions { alpha: bad.into(), ..good.clone() })
                && refused(BigramTopicsOptions { beta: bad, ..good.clone() })
        );
    }
    for topics in [&[0_u16, 0][..], &[7]] {
        let two = BigramTopicsOptions { topics: 2, ..BigramTopicsOptions::default() };
        assert!(BigramGibbs::from_assignments(&one, &two, topics).is_err_and(|e| e.is_dimension()));
    }
}
