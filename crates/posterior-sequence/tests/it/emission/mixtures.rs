//! Mixtures within states.

use posterior_dist::{Mixture, Moments, Normal};
use posterior_inference::em::EmOptions;
use posterior_latent::mixture::{MaximumLikelihood, MixtureProblem};
use posterior_latent::variational::Points;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_sequence::baum_welch::{BaumWelch, BaumWelchOptions};
use posterior_sequence::emission::{Distributions, Emissions, MixtureEmissions, Sequences};
use posterior_sequence::hmm::HiddenMarkovModel;

fn normal(mean: f64, variance: f64) -> Normal {
    Normal::mean_variance(mean, variance).unwrap()
}

fn options(steps: usize) -> BaumWelchOptions {
    let em = EmOptions { tolerance: f64::NEG_INFINITY, max_iterations: steps, ..EmOptions::default() };
    BaumWelchOptions { em, ..BaumWelchOptions::default() }
}

const DATA: [f64; 9] = [-2.0, -1.5, -1.0, 1.0, 1.5, 2.0, 2.5, 0.25, 7.0];

#[test]
fn one_state_is_a_mixture() {
    let start = Mixture::from_weights(&[0.4, 0.6], vec![normal(-1.0, 1.0), normal(1.0, 2.0)]).unwrap();
    let points = Points::new(&DATA);
    let expected = MixtureProblem::<Normal, _, _>::new(&points, (), MaximumLikelihood)
        .unwrap()
        .fit(start.clone(), &options(6).em, &mut Silent)
        .unwrap();
    let emissions = MixtureEmissions::new(vec![start]).unwrap();
    let hmm = HiddenMarkovModel::new(&[1.0], &DMatrix::identity(1, 1), emissions).unwrap();
    let sequences = Sequences::one(&DATA[..]);
    let found =
        BaumWelch::new(&sequences, MaximumLikelihood, options(6)).unwrap().fit(hmm, &mut Silent).unwrap();
    for (a, b) in found.report.trace.iter().zip(&expected.report.trace) {
        assert!((a - b).abs() <= 1e-13 * b.abs(), "{a} is not {b}");
    }
    assert_eq!(found.report.trace.len(), 7);
}

#[test]
fn components_are_states_that_share_their_rows() {
    // Two states with two components each are four states, whose rows are tied, the next component drawn
    // anew.
    let normals = [normal(-2.0, 1.0), normal(0.0, 0.5), normal(1.5, 1.0), normal(5.0, 4.0)];
    let weights = [[0.3, 0.7], [0.8, 0.2]];
    let (pi, a) = ([0.5, 0.5], [[0.6, 0.4], [0.1, 0.9]]);
    let mixture = |k: usize| Mixture::from_weights(&weights[k], normals[2 * k..2 * k + 2].to_vec()).unwrap();
    let emissions = MixtureEmissions::new(vec![mixture(0), mixture(1)]).unwrap();
    let two = HiddenMarkovModel::new(&pi, &DMatrix::from_fn(2, 2, |i, j| a[i][j]), emissions).unwrap();
    let initial: Vec<f64> = (0..4).map(|k| pi[k / 2] * weights[k / 2][k % 2]).collect();
    let step = |i: usize, j: usize| a[i / 2][j / 2] * weights[j / 2][j % 2];
    let distributions = Distributions::new(normals.to_vec()).unwrap();
    let four = HiddenMarkovModel::new(&initial, &DMatrix::from_fn(4, 4, step), distributions).unwrap();
    let sequences = Sequences::one(&DATA[..]);
    let fine =
        BaumWelch::new(&sequences, MaximumLikelihood, options(1)).unwrap().fit(four, &mut Silent).unwrap();
    let coarse =
        BaumWelch::new(&sequences, MaximumLikelihood, options(1)).unwrap().fit(two, &mut Silent).unwrap();
    assert!((fine.report.trace[0] - coarse.report.trace[0]).abs() < 1e-12);
    let learned = coarse.model.hmm.emissions().as_slice();
    for (k, distribution) in fine.model.hmm.emissions().as_slice().iter().enumerate() {
        let own = &learned[k / 2].components()[k % 2];
        assert!(
            (own.mean().unwrap() - distribution.mean().unwrap()).abs() < 1e-12
                && (own.sd() - distribution.sd()).abs() < 1e-12
        );
    }
}

#[test]
fn a_component_that_nothing_is_left_to_is_reported() {
    let far = Mixture::from_weights(&[0.5, 0.5], vec![normal(0.0, 1.0), normal(1e6, 1.0)]).unwrap();
    let other = Mixture::from_weights(&[1.0], vec![normal(1.0, 1.0)]).unwrap();
    let emissions = MixtureEmissions::new(vec![far, other]).unwrap();
    assert_eq!(emissions.states(), 2);
    let start = HiddenMarkovModel::from_weights(&[0.5, 0.5], 0.3, emissions).unwrap();
    let sequences = Sequences::one(&DATA[..]);
    let problem = BaumWelch::new(&sequences, MaximumLikelihood, options(5)).unwrap();
    let fitted = problem.fit(start, &mut Silent).unwrap();
    assert!(fitted.report.falls.is_empty());
    assert_eq!((fitted.model.incidents[0].component, fitted.model.incidents[0].last), (0, 5));
    assert_eq!(fitted.model.hmm.emissions().as_slice()[0].weights().probabilities(), [1.0, 0.0]);
}
