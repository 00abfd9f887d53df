//! The sampler itself, with its blocks and streams, draws from the exact posterior of the toy corpus.

use posterior_testkit::significance::{LEVEL, chi_square_p_value};
use posterior_topics::lda::gibbs::{LdaGibbs, LdaGibbsOptions, TopicSampler};
use posterior_topics::lda::{Seed, WordWeights};

use super::toy;

const DRAWS: usize = 30_000;
const SWEEPS_APART: usize = 10;

/// How often each state is met in a chain that is looked at every ten sweeps.
fn visits(options: &LdaGibbsOptions, draws: usize) -> (usize, Vec<u64>) {
    let corpus = toy::corpus();
    let mut chain = LdaGibbs::new(&corpus, options).unwrap();
    let mut visits = vec![0; toy::STATES];
    for _ in 0..draws {
        for _ in 0..SWEEPS_APART {
            chain.sweep();
        }
        visits[toy::state(&chain.assignments())] += 1;
    }
    (chain.groups(), visits)
}

/// The chi-square test of the visits against the enumeration. Draws that far apart are independent for all
/// that the test sees.
fn check(groups: usize, options: LdaGibbsOptions) {
    let options = LdaGibbsOptions { groups: Some(groups), seed: 7, ..options };
    // A sparse sweep has room for all topics that there can be, which takes time with a corpus of six tokens.
    let draws = if options.sampler == TopicSampler::Sparse { DRAWS / 6 } else { DRAWS };
    // On one thread: the blocks are too small to be worth a second one.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (used, visits) = pool.install(|| visits(&options, draws));
    assert_eq!(used, groups);
    let (posterior, _) = toy::posterior(&toy::corpus(), &options);
    let expected: Vec<f64> = posterior.iter().map(|p| p * draws as f64).collect();
    let p = chi_square_p_value(&visits, &expected);
    println!("{:?}, {groups} groups: p = {p}", options.sampler);
    assert!(p > LEVEL, "p = {p}");
}

/// The textbook sampler.
#[test]
fn one_group_draws_from_the_exact_posterior() {
    check(1, LdaGibbsOptions { sampler: TopicSampler::Dense, ..toy::options() });
}

/// Blocks side by side, with the proportions of the word groups drawn.
#[test]
fn two_groups_draw_from_the_exact_posterior() {
    check(2, LdaGibbsOptions { sampler: TopicSampler::Dense, ..toy::options() });
}

#[test]
fn the_sparse_sampler_draws_from_the_exact_posterior() {
    for groups in [1, 2] {
        check(groups, LdaGibbsOptions { sampler: TopicSampler::Sparse, ..toy::options() });
    }
}

#[test]
fn proposals_draw_from_the_exact_posterior() {
    for groups in [1, 2] {
        check(groups, LdaGibbsOptions { sampler: TopicSampler::MetropolisHastings, ..toy::options() });
    }
}

/// Unequal concentrations of topics and words enter the distribution of each sampler as they enter the joint.
#[test]
fn unequal_priors_are_sampled_exactly() {
    let seeds = vec![Seed { topic: 1, word: 2, weight: 1.5 }, Seed { topic: 0, word: 1, weight: 0.25 }];
    let options =
        LdaGibbsOptions { alpha: vec![0.3, 1.1].into(), word_weights: seeds.into(), ..toy::options() };
    for sampler in [TopicSampler::Dense, TopicSampler::Sparse, TopicSampler::MetropolisHastings] {
        for groups in [1, 2] {
            check(groups, LdaGibbsOptions { sampler, ..options.clone() });
        }
    }
}

/// A vector of concentrations for all topics, and one for each: the joint that the visits are tested against
/// is that of an independent enumeration, as `lda::word_weights` shows.
#[test]
fn vectors_and_matrices_of_concentrations_are_sampled_exactly() {
    let common = WordWeights::Words(vec![0.4, 2.2, 1.0]);
    let own = WordWeights::Topics(vec![vec![3.0, 0.2, 0.9], vec![0.5, 0.5, 2.4]]);
    for (word_weights, groups) in [(common, 2), (own.clone(), 1), (own, 2)] {
        for sampler in [TopicSampler::Dense, TopicSampler::Sparse, TopicSampler::MetropolisHastings] {
            check(groups, LdaGibbsOptions { sampler, word_weights: word_weights.clone(), ..toy::options() });
        }
    }
}
