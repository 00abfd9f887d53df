//! Chains from sequences.

use posterior_dist::stream::stream;
use posterior_dist::{Dirichlet, Moments};
use posterior_sequence::Error;
use posterior_sequence::markov_chain::{MarkovChain, MarkovPrior, TransitionCounts};
use proptest::prelude::*;

use super::all;

fn sequences() -> impl Strategy<Value = Vec<Vec<usize>>> {
    prop::collection::vec(prop::collection::vec(0_usize..3, 0..12), 0..5)
}

proptest! {
    #[test]
    fn counts_are_those_of_all_windows(sequences in sequences(), order in 0_usize..4) {
        let counts = TransitionCounts::of(3, order, &sequences).unwrap();
        for context in 0..counts.contexts() {
            let word = counts.word(context);
            let windows = sequences.iter().flat_map(|own| own.windows(order + 1));
            for symbol in 0..3 {
                let same = windows.clone().filter(|own| own[..order] == word[..] && own[order] == symbol);
                prop_assert_eq!(counts.row(context)[symbol], same.count() as u64);
            }
            let begins = sequences.iter().filter(|own| own.len() >= order && own[..order] == word[..]);
            prop_assert_eq!(counts.starts()[context], begins.count() as u64);
        }
        let mut merged = TransitionCounts::new(3, order).unwrap();
        for own in &sequences {
            merged.merge(&TransitionCounts::of(3, order, &[own]).unwrap()).unwrap();
        }
        prop_assert_eq!(merged, counts);
    }

    #[test]
    fn evidence_is_the_product_of_predictive_probabilities(sequences in sequences(), order in 0_usize..3, alpha in 0.1_f64..3.0) {
        let prior = MarkovPrior::symmetric(3, alpha).unwrap();
        let mut seen = TransitionCounts::new(3, order).unwrap();
        let mut product = 0.0;
        for own in sequences.iter().filter(|own| own.len() >= order) {
            for end in order..own.len() {
                // All before this symbol, in this sequence and those before.
                let mut counts = seen.clone();
                counts.push(&own[..end]).unwrap();
                let next = prior.posterior(&counts).unwrap().predictive().unwrap();
                product += next.probability(&own[end - order..end], own[end]).ln();
            }
            seen.push(own).unwrap();
        }
        let evidence = prior.ln_evidence(&seen).unwrap();
        prop_assert!((evidence - product).abs() <= 1e-11 * (1.0 + product.abs()), "{evidence} {product}");
    }

    #[test]
    fn no_chain_is_more_likely_than_the_most_likely_one(sequence in prop::collection::vec(0_usize..2, 8..40), seed in 0_u64..100) {
        let counts = TransitionCounts::of(2, 1, &[&sequence]).unwrap();
        prop_assume!(counts.rows().all(|row| row.iter().sum::<u64>() > 0));
        let best = MarkovChain::from_counts(&counts).unwrap();
        let other = MarkovPrior::symmetric(2, 1.0).unwrap().posterior(&counts).unwrap()
            .sample(&mut stream(seed, &[])).unwrap();
        let ln_p = |chain: &MarkovChain| chain.ln_probability(&sequence).unwrap();
        prop_assert!(ln_p(&best) >= ln_p(&other));
    }
}

#[test]
fn evidences_of_all_sequences_sum_to_one() {
    for order in 0..3 {
        let prior = MarkovPrior::symmetric(2, 0.7).unwrap().with_start(0.3).unwrap();
        let total: f64 = all(2, 7)
            .iter()
            .map(|own| {
                let counts = TransitionCounts::of(2, order, &[own]).unwrap();
                (prior.ln_evidence(&counts).unwrap() + prior.ln_evidence_of_starts(&counts).unwrap()).exp()
            })
            .sum();
        assert!((total - 1.0).abs() < 1e-13, "order {order}: {total}");
    }
}

#[test]
fn one_symbol_is_no_information() {
    let counts = TransitionCounts::of(1, 2, &[[0; 9]]).unwrap();
    let prior = MarkovPrior::symmetric(1, 0.5).unwrap();
    assert_eq!(prior.ln_evidence(&counts).unwrap(), 0.0);
    assert_eq!(MarkovChain::from_counts(&counts).unwrap().ln_probability(&[0; 4]).unwrap(), 0.0);
}

#[test]
fn what_was_never_seen_needs_a_prior() {
    let counts = TransitionCounts::of(3, 1, &[[0, 1, 0, 1, 2]]).unwrap();
    let refused = MarkovChain::from_counts(&counts).unwrap_err();
    assert!(matches!(&refused, Error::Unseen { context } if context == &[2]), "{refused}");
    let chain = MarkovPrior::symmetric(3, 1.0).unwrap().posterior(&counts).unwrap().predictive().unwrap();
    let third = 1.0 / 3.0;
    assert!(chain.row(&[2]).iter().all(|p| (p - third).abs() < 1e-15));
    let none = TransitionCounts::of(2, 2, &[[0]]).unwrap();
    assert!(matches!(MarkovChain::from_counts(&none), Err(Error::TooFew { .. })));
}

#[test]
fn the_posterior_is_what_counts_make_of_the_prior() {
    let counts = TransitionCounts::of(2, 1, &[[0, 0, 0, 1, 1, 0]]).unwrap();
    let prior = MarkovPrior::new(Dirichlet::new(&[2.0, 0.5]).unwrap());
    let posterior = prior.posterior(&counts).unwrap();
    assert_eq!(posterior.rows()[0].concentration(), [4.0, 1.5]);
    assert_eq!(posterior.rows()[1].concentration(), [3.0, 1.5]);
    assert_eq!(posterior.start().concentration(), [2.0, 1.0]);
    let predictive = posterior.predictive().unwrap();
    assert!((predictive.probability(&[0], 0) - 4.0 / 5.5).abs() < 1e-15);
    // With a uniform prior the peak is the most likely chain.
    let uniform = MarkovPrior::symmetric(2, 1.0).unwrap().posterior(&counts).unwrap();
    let peak = uniform.most_probable().unwrap();
    assert_eq!(peak, MarkovChain::from_counts(&counts).unwrap());
    let flat = MarkovPrior::symmetric(2, 0.5).unwrap();
    assert!(flat.posterior(&TransitionCounts::new(2, 1).unwrap()).unwrap().most_probable().is_err());
    // Draws have the moments of their Dirichlet distributions: 4000 of them, five standard deviations.
    let mut rng = stream(9, &[]);
    let draws = 4000;
    let mean = (0..draws).map(|_| posterior.sample(&mut rng).unwrap().probability(&[1], 1)).sum::<f64>()
        / f64::from(draws);
    let distribution = &posterior.rows()[1];
    let sd = distribution.variance().unwrap()[(1, 1)].sqrt() / f64::from(draws).sqrt();
    assert!((mean - 1.5 / 4.5).abs() < 5.0 * sd);
}

#[test]
fn misuse_is_reported_with_its_place() {
    let output = |error: Error| error.to_string();
    let sequences = [vec![0, 1], vec![1, 5]];
    let refused = TransitionCounts::of(2, 1, &sequences).unwrap_err();
    assert_eq!(output(refused), "sequence 1, position 1: symbol 5 of 2");
    let mut counts = TransitionCounts::new(2, 1).unwrap();
    assert!(counts.push(&[0, 7]).is_err());
    assert_eq!(counts, TransitionCounts::new(2, 1).unwrap());
    let other = TransitionCounts::new(2, 2).unwrap();
    assert_eq!(output(counts.merge(&other).unwrap_err()), "order of the counts: expected 1, found 2");
    assert!(counts.merge(&TransitionCounts::new(3, 1).unwrap()).is_err());
    assert!(MarkovPrior::symmetric(3, 1.0).unwrap().posterior(&counts).is_err());
    assert!(MarkovPrior::symmetric(2, 0.0).is_err());
    assert!(MarkovPrior::symmetric(2, f64::NAN).is_err());
    assert!(MarkovPrior::symmetric(2, 1.0).unwrap().with_start(-1.0).is_err());
    assert!(TransitionCounts::new(0, 1).is_err());
    assert!(TransitionCounts::new(1000, 4).is_err());
}
