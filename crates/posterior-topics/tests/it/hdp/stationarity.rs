//! Both chains draw from the exact distribution of the topics of six tokens.

use std::collections::BTreeMap;

use posterior_latent::partition::Partition;
use posterior_testkit::significance::{LEVEL, chi_square_p_value};
use posterior_topics::Corpus;
use posterior_topics::hdp::{DirectAssignment, Franchise, HdpOptions};

use super::enumeration::{Known, corpus, joints};

const DRAWS: usize = 60_000;
const SWEEPS_APART: usize = 5;

/// The chi-square p-value of partitions met five sweeps apart against the enumeration.
fn p_value(corpus: &Corpus, known: Known, mut next: impl FnMut() -> Vec<u32>) -> f64 {
    let joints = joints(corpus, known);
    let evidence: f64 = joints.iter().map(|(_, p)| p).sum();
    let number: BTreeMap<&Partition, usize> =
        joints.iter().enumerate().map(|(i, (partition, _))| (partition, i)).collect();
    let mut seen = vec![0_u64; joints.len()];
    for _ in 0..DRAWS {
        seen[number[&Partition::from_labels(&next())]] += 1;
    }
    let expected: Vec<f64> = joints.iter().map(|(_, p)| p / evidence * DRAWS as f64).collect();
    chi_square_p_value(&seen, &expected)
}

fn options(known: Known, seed: u64) -> HdpOptions {
    HdpOptions {
        initial_topics: 2,
        alpha: known.alpha,
        gamma: known.gamma,
        beta: known.beta,
        alpha_prior: None,
        gamma_prior: None,
        seed,
        ..HdpOptions::default()
    }
}

/// Concentrations that make many tables and topics, and few.
const KNOWN: [Known; 3] = [
    Known { alpha: 1.5, gamma: 1.0, beta: 0.5 },
    Known { alpha: 0.4, gamma: 3.0, beta: 1.0 },
    Known { alpha: 5.0, gamma: 0.5, beta: 0.1 },
];

/// False alarm: three in a million seeds.
#[test]
fn direct_assignment_draws_from_the_exact_distribution() {
    let corpus = corpus();
    for (seed, known) in KNOWN.into_iter().enumerate() {
        let mut chain = DirectAssignment::new(&corpus, &options(known, seed as u64)).unwrap();
        let p = p_value(&corpus, known, || {
            (0..SWEEPS_APART).for_each(|_| chain.sweep());
            chain.assignments().to_vec()
        });
        println!("direct assignment, {seed}: p = {p}");
        assert!(p > LEVEL, "p = {p}");
    }
}

/// False alarm: three in a million seeds.
#[test]
fn the_franchise_draws_from_the_exact_distribution() {
    let corpus = corpus();
    for (seed, known) in KNOWN.into_iter().enumerate() {
        let mut chain = Franchise::new(&corpus, &options(known, seed as u64)).unwrap();
        let p = p_value(&corpus, known, || {
            (0..SWEEPS_APART).for_each(|_| chain.sweep());
            chain.assignments()
        });
        println!("franchise, {seed}: p = {p}");
        assert!(p > LEVEL, "p = {p}");
    }
}

/// A document of one topic's tokens with several tables of several tokens each: more than the toy corpus has.
#[test]
fn a_long_document_beside_an_empty_one_is_sampled_exactly() {
    let words = ["a", "b"].map(str::to_owned).to_vec();
    let names = ["long", "empty", "short"].map(str::to_owned).to_vec();
    let corpus = Corpus::from_rows(words, names, vec![vec![(0, 4), (1, 2)], vec![], vec![(1, 1)]]).unwrap();
    let known = Known { alpha: 2.0, gamma: 1.5, beta: 0.7 };
    let mut direct = DirectAssignment::new(&corpus, &options(known, 1)).unwrap();
    let p = p_value(&corpus, known, || {
        (0..SWEEPS_APART).for_each(|_| direct.sweep());
        direct.assignments().to_vec()
    });
    assert!(p > LEVEL, "direct: p = {p}");
    let mut franchise = Franchise::new(&corpus, &options(known, 2)).unwrap();
    let p = p_value(&corpus, known, || {
        (0..SWEEPS_APART).for_each(|_| franchise.sweep());
        franchise.assignments()
    });
    assert!(p > LEVEL, "franchise: p = {p}");
}
