//! Draws from a model.

use posterior_dist::stream::stream;
use posterior_dist::{Density, Mixture, Normal};
use posterior_math::linalg::DMatrix;
use posterior_sequence::emission::{CategoricalEmissions, Distributions};
use posterior_sequence::hmm::{Filter, HiddenMarkovModel, Topology};

use super::enumeration::Paths;

#[test]
fn sequences_come_as_often_as_they_are_probable() {
    let emissions = CategoricalEmissions::new(&DMatrix::from_row_slice(2, 2, &[0.9, 0.1, 0.3, 0.7])).unwrap();
    let steps = DMatrix::from_row_slice(2, 2, &[0.6, 0.4, 0.0, 1.0]);
    let model = HiddenMarkovModel::new(&[0.7, 0.3], &steps, emissions).unwrap();
    let mut rng = stream(4, &[]);
    let draws = 40_000_u32;
    let mut seen = [0_u32; 8];
    for _ in 0..draws {
        let (states, data) = model.simulate(3, &mut rng);
        assert!(states.windows(2).all(|pair| pair != [1, 0]));
        seen[data[0] * 4 + data[1] * 2 + data[2]] += 1;
    }
    let mut statistic = 0.0;
    for (index, &count) in seen.iter().enumerate() {
        let data = [index / 4, index / 2 % 2, index % 2];
        let expected = Paths::new(&model, &data, &[]).total() * f64::from(draws);
        statistic += (f64::from(count) - expected).powi(2) / expected;
    }
    // Chi-squared with 7 degrees of freedom: beyond 29.9 once in 10,000.
    assert!(statistic < 29.9, "{statistic}");
}

#[test]
fn a_mixture_is_a_model_whose_observations_are_independent() {
    let distributions = vec![Normal::mean_sd(-1.0, 1.0).unwrap(), Normal::mean_sd(2.0, 0.5).unwrap()];
    let mixture = Mixture::from_weights(&[0.3, 0.7], distributions).unwrap();
    let model = HiddenMarkovModel::from_mixture(&mixture, 0.0).unwrap();
    let data = [0.3, -2.0, 5.0, 1.0];
    let mut filter = Filter::new(&model);
    for x in data {
        assert!((filter.push(&[x]).unwrap() - mixture.ln_pdf(&x)).abs() < 1e-13);
        let responsibility = mixture.responsibilities(&x).unwrap();
        assert!((filter.distribution()[0] - responsibility.probabilities()[0]).abs() < 1e-13);
    }
    assert!(HiddenMarkovModel::from_mixture(&mixture, 2.0).is_err());
}

#[test]
fn what_a_long_draw_costs_does_not_depend_on_the_draw() {
    let distributions =
        Distributions::new(vec![Normal::mean_sd(0.0, 1.0).unwrap(), Normal::mean_sd(3.0, 1.0).unwrap()]);
    let model = Topology::ergodic(2).unwrap().random(distributions.unwrap(), &mut stream(5, &[])).unwrap();
    let cost = |seed: u64| {
        let (_, data) = model.simulate(50_000, &mut stream(seed, &[]));
        let mut filter = Filter::new(&model);
        filter.push(&data).unwrap();
        -filter.ln_likelihood() / 50_000.0
    };
    // Of an ergodic model the cost converges to the entropy rate (Shannon, McMillan, Breiman); the standard
    // deviation of a surprise is about 0.8, of its mean 0.004, of a difference 0.005: five of them.
    assert!((cost(1) - cost(2)).abs() < 0.025);
    // It lies between the entropy given the states and that of independent draws of the mixture.
    let noise = 0.5 * (std::f64::consts::TAU * std::f64::consts::E).ln();
    assert!(cost(3) > noise && cost(3) < noise + 2_f64.ln());
}

#[test]
fn nothing_is_drawn_where_nothing_is_wanted() {
    let emissions = CategoricalEmissions::new(&DMatrix::from_element(1, 1, 1.0)).unwrap();
    let model = Topology::ergodic(1).unwrap().uniform(emissions).unwrap();
    assert_eq!(model.simulate(0, &mut stream(1, &[])), (vec![], vec![]));
    assert_eq!(model.simulate(2, &mut stream(1, &[])), (vec![0, 0], vec![0, 0]));
}
