//! The chain against the enumeration of all that documents may have.

use posterior_testkit::significance::{LEVEL, chi_square_p_value};

use super::*;

const TOPICS: usize = 3;

/// ln p(W, Z) from the definition, token by token: the topics that each document may have, and of each token
/// the document, the word and the topic.
fn ln_joint(allowed: &[Vec<usize>], tokens: &[(usize, usize, usize)], (alpha, beta): (f64, f64)) -> f64 {
    let mut documents = vec![[0.0; TOPICS]; allowed.len()];
    let (mut words, mut totals) = ([[0.0; TOPICS]; 3], [0.0; TOPICS]);
    let mut ln = 0.0;
    for &(d, w, k) in tokens {
        if !allowed[d].contains(&k) {
            return f64::NEG_INFINITY;
        }
        let before: f64 = documents[d].iter().sum();
        ln += ((alpha + documents[d][k]) / (alpha * allowed[d].len() as f64 + before)).ln();
        ln += ((beta + words[w][k]) / (3.0 * beta + totals[k])).ln();
        documents[d][k] += 1.0;
        words[w][k] += 1.0;
        totals[k] += 1.0;
    }
    ln
}

/// Seven tokens: a document of the first label, one of both, one of none, and the background for all. False
/// alarm: one in a million seeds, if draws ten sweeps apart are independent.
#[test]
fn the_chain_draws_from_the_exact_posterior() {
    let names = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>();
    let rows = vec![vec![(0, 2)], vec![(0, 1), (1, 1), (2, 1)], vec![(1, 1), (2, 1)]];
    let corpus = Corpus::from_rows(names(3), names(3), rows).unwrap();
    let labels = DocumentLabels::new(names(2), vec![vec![0], vec![1, 0, 1], vec![]]).unwrap();
    let options =
        LabelledTopicsOptions { alpha: 0.7, beta: 0.4, seed: 3, ..LabelledTopicsOptions::default() };
    let mut chain = LabelledChain::new(&corpus, &labels, &options).unwrap();
    assert_eq!(chain.allowed, [vec![0, 2], vec![0, 1, 2], vec![2]]);
    let places = [(0, 0), (0, 0), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2)];
    let states = TOPICS.pow(7);
    let with_topics = |state: usize| -> Vec<(usize, usize, usize)> {
        places.iter().enumerate().map(|(i, &(d, w))| (d, w, state / TOPICS.pow(i as u32) % TOPICS)).collect()
    };
    let joint = |state| ln_joint(&chain.allowed, &with_topics(state), (0.7, 0.4)).exp();
    let joints: Vec<f64> = (0..states).map(joint).collect();
    let evidence: f64 = joints.iter().sum();
    let draws = 20_000;
    let mut visits = vec![0; states];
    for _ in 0..draws {
        (0..10).for_each(|i| chain.sweep(i));
        let topics = chain.gibbs.assignment();
        let state: usize =
            topics.iter().enumerate().map(|(i, &k)| usize::from(k) * TOPICS.pow(i as u32)).sum();
        visits[state] += 1;
        let exact = joints[state].ln();
        assert!((chain.ln_joint() - exact).abs() < 1e-10, "{} {exact}", chain.ln_joint());
    }
    let possible: Vec<usize> = (0..states).filter(|&state| joints[state] > 0.0).collect();
    assert_eq!(possible.len(), 4 * 27);
    let seen: Vec<u64> = possible.iter().map(|&state| visits[state]).collect();
    assert_eq!(seen.iter().sum::<u64>(), draws);
    let expected: Vec<f64> = possible.iter().map(|&state| draws as f64 * joints[state] / evidence).collect();
    let p = chi_square_p_value(&seen, &expected);
    assert!(p > LEVEL, "p = {p}");
}
