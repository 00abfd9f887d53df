//! How long the memory is.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::stream::stream;
use posterior_sequence::Error;
use posterior_sequence::markov_chain::{MarkovChain, MarkovPrior, TransitionCounts, compare_orders};

fn random(symbols: usize, order: usize, seed: u64) -> MarkovChain {
    let nothing = TransitionCounts::new(symbols, order).unwrap();
    let prior = MarkovPrior::symmetric(symbols, 1.0).unwrap();
    prior.posterior(&nothing).unwrap().sample(&mut stream(seed, &[])).unwrap()
}

#[test]
fn the_order_of_a_simulated_chain_is_found() {
    let prior = MarkovPrior::symmetric(3, 1.0).unwrap();
    for order in 0..4 {
        for seed in 0..5 {
            let chain = random(3, order, 100 + seed);
            let parts: Vec<Vec<usize>> =
                (0..4).map(|part| chain.simulate(5000, &mut stream(seed, &[order as u64, part]))).collect();
            let comparison = compare_orders(3, 5, &parts, &prior).unwrap();
            assert_eq!(comparison.best(), order, "seed {seed}");
            assert!(comparison.probabilities()[order] > 0.999);
            assert_eq!(comparison.compared(), 4 * 4995);
        }
    }
}

#[test]
fn all_orders_explain_the_same_symbols() {
    let sequences = [vec![0, 1, 1, 0, 1, 0, 0, 1], vec![1, 1], vec![1, 0, 1]];
    let prior = MarkovPrior::symmetric(2, 0.8).unwrap();
    let comparison = compare_orders(2, 2, &sequences, &prior).unwrap();
    assert_eq!(comparison.compared(), 7);
    for own in comparison.scores() {
        // By hand: each symbol that two others precede, with the context before it.
        let mut rows = std::collections::BTreeMap::<Vec<usize>, [u64; 2]>::new();
        for sequence in &sequences {
            for at in 2..sequence.len() {
                rows.entry(sequence[at - own.order..at].to_vec()).or_default()[sequence[at]] += 1;
            }
        }
        let mut counts = TransitionCounts::new(2, own.order).unwrap();
        for sequence in &sequences {
            counts.push_from(sequence, 2).unwrap();
        }
        for context in 0..counts.contexts() {
            let row = rows.get(&counts.word(context)).copied().unwrap_or_default();
            assert_eq!(counts.row(context), row);
        }
        assert_eq!(own.contexts, rows.len());
        assert_eq!(own.ln_evidence, prior.ln_evidence(&counts).unwrap());
    }
    assert!(comparison.scores().windows(2).all(|pair| pair[0].ln_likelihood <= pair[1].ln_likelihood));
}

#[test]
fn a_true_order_is_rejected_as_often_as_the_test_says() {
    let prior = MarkovPrior::symmetric(3, 1.0).unwrap();
    let chain = random(3, 1, 77);
    let (runs, mut rejected) = (400, 0);
    for run in 0..runs {
        let drawn = chain.simulate(3000, &mut stream(run, &[]));
        let comparison = compare_orders(3, 2, &[drawn], &prior).unwrap();
        let test = comparison.test(1, 2).unwrap();
        assert_eq!(test.degrees_of_freedom, 12.0);
        rejected += usize::from(test.p_value < 0.05);
        assert!(comparison.test(0, 1).unwrap().p_value < 1e-6);
    }
    // Binomial(400, 0.05): 20 expected, standard deviation 4.4; the approximation by chi-squared itself is
    // good to a percent or so.
    assert!((4..=38).contains(&rejected), "{rejected} of {runs}");
}

#[test]
fn misuse() {
    let prior = MarkovPrior::symmetric(2, 1.0).unwrap();
    assert!(matches!(compare_orders(2, 3, &[[0, 1, 0]], &prior), Err(Error::TooFew { .. })));
    assert!(compare_orders(2, 1, &[[0, 1, 2]], &prior).is_err());
    let comparison = compare_orders(2, 1, &[[0, 1, 0, 1, 1]], &prior).unwrap();
    for (smaller, larger) in [(1, 1), (1, 0), (0, 2)] {
        assert!(comparison.test(smaller, larger).is_err());
    }
    assert!(compare_orders(2, 200, &[vec![0; 500]], &prior).is_err());
    // One symbol: nothing to choose, nothing to test.
    let one = compare_orders(1, 1, &[[0; 9]], &MarkovPrior::symmetric(1, 1.0).unwrap()).unwrap();
    assert!(one.test(0, 1).is_err());
}
