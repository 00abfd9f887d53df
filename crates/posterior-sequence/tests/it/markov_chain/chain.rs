//! A chain with known probabilities.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::stream::stream;
use posterior_sequence::Error;
use posterior_sequence::markov_chain::{MarkovChain, MarkovPrior, TransitionCounts};

use super::all;

/// A chain with all probabilities drawn at random.
fn random(symbols: usize, order: usize, seed: u64) -> MarkovChain {
    let nothing = TransitionCounts::new(symbols, order).unwrap();
    let prior = MarkovPrior::symmetric(symbols, 1.0).unwrap();
    prior.posterior(&nothing).unwrap().sample(&mut stream(seed, &[])).unwrap()
}

fn close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance), "{a:?} and {b:?}");
}

#[test]
fn the_chain_of_the_book() {
    let chain = MarkovChain::new(2, 1, &[0.5, 0.5], &[0.9, 0.1, 0.4, 0.6]).unwrap();
    close(&chain.marginal(0), &[0.5, 0.5], 0.0);
    close(&chain.marginal(1), &[0.65, 0.35], 1e-15);
    close(&chain.marginal(2), &[0.725, 0.275], 1e-15);
    close(&chain.marginal(3), &[0.7625, 0.2375], 1e-15);
    close(&chain.stationary().unwrap(), &[0.8, 0.2], 1e-15);
    close(&chain.predict(&[1], 2).unwrap(), &[0.6, 0.4], 1e-15);
    assert!((chain.ln_probability(&[0, 0, 1]).unwrap() - 0.045_f64.ln()).abs() < 1e-15);
    // Binary entropies of 0.1 and 0.4, by hand: 0.8 h(0.1) + 0.2 h(0.4).
    let h = |p: f64| -p * p.ln() - (1.0 - p) * (1.0 - p).ln();
    assert!((chain.entropy_rate().unwrap() - (0.8 * h(0.1) + 0.2 * h(0.4))).abs() < 1e-15);
}

#[test]
fn probabilities_of_all_sequences_of_a_length_sum_to_one() {
    for order in 0..4 {
        let chain = random(3, order, 7 + order as u64);
        for length in 0..6 {
            let total: f64 = all(3, length).iter().map(|own| chain.ln_probability(own).unwrap().exp()).sum();
            assert!((total - 1.0).abs() < 1e-13, "order {order}, length {length}: {total}");
        }
    }
}

#[test]
fn marginals_and_predictions_are_sums_over_all_sequences() {
    for order in 0..4 {
        let chain = random(2, order, 20 + order as u64);
        let last: Vec<usize> = (0..order).map(|at| at % 2).collect();
        for steps in 1..5 {
            let mut distribution = [0.0; 2];
            let mut after = [0.0; 2];
            for own in all(2, order + steps) {
                let p = chain.ln_probability(&own).unwrap().exp();
                distribution[own[order + steps - 1]] += p;
                if own[..order] == last[..] {
                    after[own[order + steps - 1]] += p;
                }
            }
            close(&chain.marginal(order + steps - 1), &distribution, 1e-14);
            let total = after[0] + after[1];
            close(&chain.predict(&last, steps).unwrap(), &after.map(|p| p / total), 1e-14);
        }
        for position in 0..order {
            let first = all(2, order).into_iter().filter(|own| own[position] == 1);
            let p: f64 = first.map(|own| chain.ln_probability(&own).unwrap().exp()).sum();
            close(&chain.marginal(position), &[1.0 - p, p], 1e-14);
        }
    }
}

#[test]
fn a_longer_memory_that_is_not_used_changes_nothing() {
    let short = random(3, 1, 3);
    let pairs: Vec<f64> = all(3, 2).iter().map(|pair| short.ln_probability(pair).unwrap().exp()).collect();
    let rows: Vec<f64> = all(3, 2).iter().flat_map(|pair| short.row(&pair[1..]).to_vec()).collect();
    let long = MarkovChain::new(3, 2, &pairs, &rows).unwrap();
    for length in [0, 1, 2, 5] {
        for own in all(3, length) {
            let (a, b) = (short.ln_probability(&own).unwrap(), long.ln_probability(&own).unwrap());
            assert!((a - b).abs() < 1e-13);
        }
    }
    close(&short.stationary_symbols().unwrap(), &long.stationary_symbols().unwrap(), 1e-14);
    assert!((short.entropy_rate().unwrap() - long.entropy_rate().unwrap()).abs() < 1e-14);
}

#[test]
fn what_a_long_draw_costs_is_the_entropy_rate() {
    for order in 0..3 {
        let chain = random(4, order, 40 + order as u64);
        let drawn = chain.simulate(200_000, &mut stream(1, &[order as u64]));
        let cost = -chain.ln_probability(&drawn).unwrap() / drawn.len() as f64;
        // The standard deviation of the mean is about 0.7 / sqrt(200,000) = 0.0016, times what correlation
        // costs: 6 of them.
        assert!((cost - chain.entropy_rate().unwrap()).abs() < 0.01, "order {order}");
        let mut proportions = [0.0; 4];
        for symbol in drawn {
            proportions[symbol] += 1.0 / 200_000.0;
        }
        // Six standard deviations of a proportion are 0.0067 for independent symbols; correlation at most
        // doubles it here.
        close(&proportions, &chain.stationary_symbols().unwrap(), 0.0134);
    }
}

#[test]
fn a_short_draw_is_a_beginning() {
    let chain = random(2, 3, 5);
    for length in 0..5 {
        assert_eq!(chain.simulate(length, &mut stream(2, &[])).len(), length);
    }
}

#[test]
fn a_chain_that_falls_apart_has_no_long_run() {
    let chain = MarkovChain::new(2, 1, &[0.5, 0.5], &[1.0, 0.0, 0.0, 1.0]).unwrap();
    assert!(matches!(chain.stationary(), Err(Error::Sampling(_))));
    assert_eq!(chain.ln_probability(&[0, 1]).unwrap(), f64::NEG_INFINITY);
    // A period is no obstacle.
    let wheel = MarkovChain::new(2, 1, &[1.0, 0.0], &[0.0, 1.0, 1.0, 0.0]).unwrap();
    close(&wheel.stationary().unwrap(), &[0.5, 0.5], 1e-15);
    assert_eq!(wheel.entropy_rate().unwrap(), 0.0);
}

#[test]
fn misuse() {
    let output = |result: Result<MarkovChain, Error>| result.unwrap_err().to_string();
    assert_eq!(output(MarkovChain::new(0, 1, &[], &[])), "symbols: expected 1, found 0");
    assert_eq!(
        output(MarkovChain::new(2, 1, &[0.5, 0.5], &[1.0])),
        "transition probabilities: expected 4, found 1"
    );
    assert_eq!(
        output(MarkovChain::new(2, 1, &[0.5, 0.5], &[1.0, 0.0, 0.5, 0.6])),
        "MarkovChain: transition probabilities of context[1] = 1.1 must be numbers that sum to 1"
    );
    assert!(output(MarkovChain::new(100, 9, &[], &[])).contains("is the limit"));
    assert!(output(MarkovChain::new(1, 1 << 40, &[], &[])).contains("is the limit"));
    let chain = random(2, 1, 1);
    assert_eq!(
        chain.ln_probability(&[0, 1, 2]).unwrap_err().to_string(),
        "sequence 0, position 2: symbol 2 of 2"
    );
    assert!(chain.predict(&[0], 0).is_err());
    assert!(chain.predict(&[], 1).is_err());
    assert!(chain.predict(&[9], 1).is_err());
}

#[cfg(feature = "serde")]
#[test]
fn a_chain_is_read_back_bit_by_bit() {
    for order in 0..3 {
        let chain = random(3, order, 60 + order as u64);
        let text = serde_json::to_string(&chain).unwrap();
        assert_eq!(serde_json::from_str::<MarkovChain>(&text).unwrap(), chain);
    }
    let text = r#"{"symbols":2,"order":0,"initial":[1.0],"rows":[0.5,0.7]}"#;
    assert!(serde_json::from_str::<MarkovChain>(text).is_err());
}
