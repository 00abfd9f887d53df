//! The filter and the smoother of fixed lag, one observation after the other.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::stream::stream;
use posterior_dist::{Density, Normal, Poisson};
use posterior_math::linalg::DMatrix;
use posterior_sequence::Error;
use posterior_sequence::emission::{CategoricalEmissions, Distributions};
use posterior_sequence::hmm::{Filter, FixedLag, HiddenMarkovModel, Topology};
use rand::RngExt;

use super::enumeration::Paths;

/// A model of symbols with some zeros, and data that it can show.
fn random(states: usize, seed: u64) -> (HiddenMarkovModel<CategoricalEmissions>, Vec<usize>) {
    let mut rng = stream(seed, &[states as u64]);
    let mut row = || -> [f64; 3] {
        let weights: [f64; 3] = std::array::from_fn(|_| rng.random::<f64>());
        weights.map(|weight| weight / weights.iter().sum::<f64>())
    };
    let rows: Vec<f64> = (0..states).flat_map(|_| row()).collect();
    let emissions = CategoricalEmissions::new(&DMatrix::from_row_slice(states, 3, &rows)).unwrap();
    let topology = Topology::from_fn(states, |_| true, |i, j| (i + 2 * j) % 5 != 1 || i == j).unwrap();
    let model = topology.random(emissions, &mut rng).unwrap();
    let data = (0..6).map(|_| rng.random_range(0..3)).collect();
    (model, data)
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-13), "{a:?} and {b:?}");
}

#[test]
fn distributions_are_sums_over_all_paths() {
    for states in 1..4 {
        for seed in 0..6 {
            let (model, data) = random(states, seed);
            let missing = [false, false, true, true, false, false];
            let mut filter = Filter::new(&model);
            for t in 0..data.len() {
                let before = filter.ln_likelihood();
                if missing[t] {
                    filter.push_missing();
                    assert_eq!(filter.ln_likelihood(), before);
                } else {
                    let ln_p = filter.push(&data[t..=t]).unwrap();
                    assert!((filter.ln_likelihood() - before - ln_p).abs() < 1e-14);
                }
                let paths = Paths::new(&model, &data[..=t], &missing);
                close(filter.distribution(), &paths.marginal(t));
                assert!((filter.ln_likelihood() - paths.total().ln()).abs() < 1e-12);
                // States to come: positions at which nothing was seen.
                for steps in 1..4 {
                    let longer = [&data[..=t], &vec![0; steps][..]].concat();
                    let unseen: Vec<bool> = (0..longer.len()).map(|s| s > t || missing[s]).collect();
                    let distribution = Paths::new(&model, &longer, &unseen).marginal(t + steps);
                    close(&filter.predict(steps), &distribution);
                }
                close(filter.predicted(), &filter.predict(1));
                assert_eq!(filter.predict(0), filter.distribution());
                assert_eq!(filter.seen(), t + 1);
            }
        }
    }
}

#[test]
fn pieces_are_the_whole() {
    let (model, data) = random(4, 3);
    let (mut one, mut all) = (Filter::new(&model), Filter::new(&model));
    for t in 0..data.len() {
        one.push(&data[t..=t]).unwrap();
    }
    all.push(&data).unwrap();
    assert_eq!(one.distribution(), all.distribution());
    assert_eq!(one.ln_likelihood(), all.ln_likelihood());
}

#[test]
fn the_distribution_of_the_next_observation_is_that_of_all_paths() {
    let (model, data) = random(3, 5);
    let mut filter = Filter::new(&model);
    filter.push(&data).unwrap();
    for steps in 1..4 {
        let distribution = filter.predictive(steps).unwrap();
        for symbol in 0..3 {
            // p(x, later) / p(x), what is between being unseen.
            let longer = [&data[..], &vec![symbol; steps][..]].concat();
            let unseen: Vec<bool> =
                (0..longer.len()).map(|t| t >= data.len() && t + 1 < longer.len()).collect();
            let joint = Paths::new(&model, &longer, &unseen).total();
            let ratio = joint / Paths::new(&model, &data, &[]).total();
            assert!((distribution.ln_pdf(&symbol) - ratio.ln()).abs() < 1e-12);
        }
    }
    assert!(filter.predictive(0).is_err());

    let distributions =
        Distributions::new(vec![Poisson::new(1.0).unwrap(), Poisson::new(9.0).unwrap()]).unwrap();
    let model = HiddenMarkovModel::from_weights(&[0.5, 0.5], 0.8, distributions).unwrap();
    let mut filter = Filter::new(&model);
    let mut ln_p = 0.0;
    for x in [0, 1, 8, 12] {
        ln_p += filter.predictive(1).unwrap().ln_pdf(&x);
        filter.push(&[x]).unwrap();
        assert!((filter.ln_likelihood() - ln_p).abs() < 1e-13);
    }
}

#[test]
fn a_fixed_lag_looks_as_far_ahead_as_it_says() {
    for states in 1..4 {
        for lag in 0..8 {
            let (model, data) = random(states, 11);
            let missing = [false, true, false, false, true, false];
            let mut smoother = FixedLag::new(&model, lag).unwrap();
            let mut distributions = Vec::new();
            for t in 0..data.len() {
                let data = (!missing[t]).then_some(&data[t..=t]);
                distributions.extend(smoother.push(data).unwrap());
                assert_eq!(distributions.len(), (t + 1).saturating_sub(lag));
            }
            assert_eq!(smoother.filter().seen(), data.len());
            distributions.extend(smoother.finish().unwrap());
            assert_eq!(distributions.len(), data.len());
            for (t, distribution) in distributions.iter().enumerate() {
                let end = data.len().min(t + lag + 1);
                close(distribution, &Paths::new(&model, &data[..end], &missing).marginal(t));
            }
        }
    }
}

/// A state that was e^-5000 as probable as the other one, when it turns out to be the only one that can be.
#[test]
fn what_is_next_to_impossible_is_not_forgotten() {
    let distributions =
        Distributions::new(vec![Normal::mean_sd(0.0, 1.0).unwrap(), Normal::mean_sd(100.0, 1.0).unwrap()])
            .unwrap();
    let stay = DMatrix::identity(2, 2);
    let model = HiddenMarkovModel::new(&[0.5, 0.5], &stay, distributions).unwrap();
    let mut filter = Filter::new(&model);
    filter.push(&[0.0]).unwrap();
    assert_eq!(filter.distribution(), [1.0, 0.0]);
    assert!((filter.ln_predicted()[1] + 5000.0).abs() < 1e-9);
    // Both observations under either state: -x²/2 and -(x - 100)²/2 summed.
    filter.push(&[100.0]).unwrap();
    filter.push(&[100.0]).unwrap();
    let wanted = 0.5_f64.ln() - 1.5 * std::f64::consts::TAU.ln() - 5000.0;
    assert!((filter.ln_likelihood() - wanted).abs() < 1e-9);
    assert_eq!(filter.distribution(), [0.0, 1.0]);
}

#[test]
fn the_impossible_is_reported_with_its_place_and_not_taken() {
    let table = DMatrix::from_row_slice(2, 3, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let emissions = CategoricalEmissions::new(&table).unwrap();
    let swap = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 1.0, 0.0]);
    let model = HiddenMarkovModel::new(&[0.5, 0.5], &swap, emissions).unwrap();
    let mut filter = Filter::new(&model);
    filter.push(&[0, 1]).unwrap();
    let before = filter.clone();
    let refused = filter.push(&[1]).unwrap_err();
    assert!(matches!(refused, Error::Impossible { sequence: 0, position: 2 }), "{refused}");
    assert!(matches!(filter.push(&[2]), Err(Error::Impossible { .. })));
    assert!(matches!(filter.push(&[7]), Err(Error::Observation { .. })));
    assert!(filter.push_ln_densities(&[0.0]).is_err());
    assert!(filter.push_ln_densities(&[f64::NAN, 0.0]).is_err());
    assert!(filter.push_ln_densities(&[f64::INFINITY, 0.0]).is_err());
    assert_eq!((filter.distribution(), filter.seen()), (before.distribution(), 2));
    assert_eq!(filter.ln_likelihood(), before.ln_likelihood());
    filter.push(&[0]).unwrap();
    assert_eq!(filter.distribution(), [1.0, 0.0]);

    let mut smoother = FixedLag::new(&model, 1).unwrap();
    assert!(smoother.push(Some(&[0, 1])).is_err());
    assert!(smoother.push(Some(&[2])).is_err());
    assert_eq!(smoother.push(Some(&[0])).unwrap(), None);
    assert_eq!(smoother.push(Some(&[1])).unwrap(), Some(vec![1.0, 0.0]));
    assert!(FixedLag::new(&model, usize::MAX).is_err());
}
