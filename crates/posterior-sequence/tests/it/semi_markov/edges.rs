//! Edges: no positions, impossible sequences, huge scores, long sequences, misuse.

use posterior_dist::{Categorical, Normal, stream::stream};
use posterior_gaussian::Gaussian;
use posterior_math::linalg::DMatrix;
use posterior_sequence::Error;
use posterior_sequence::emission::{Distributions, Sequence};
use posterior_sequence::semi_markov::{Durations, SemiMarkovModel};
use posterior_testkit::accuracy::assert_within;

use super::{random_model, random_symbols, sequence, windows};

#[test]
fn no_positions() {
    for window in windows() {
        let model = random_model(2, window, 1);
        assert_eq!(model.ln_likelihood(&sequence(&[])).unwrap(), 0.0);
        let posterior = model.posterior(&sequence(&[])).unwrap();
        assert_eq!((posterior.ln_likelihood, posterior.states.len()), (0.0, 0));
        assert_eq!(model.decode(&sequence(&[])).unwrap().segments, []);
        assert_eq!(model.sample(&sequence(&[]), 2, &mut stream(1, &[])).unwrap(), [vec![], vec![]]);
    }
    assert_eq!(random_model(2, windows()[0], 1).simulate(0, &mut stream(1, &[])), []);
}

#[test]
fn the_first_position_that_cannot_be_explained_is_reported() {
    let distributions =
        [[1.0, 0.0], [0.0, 1.0]].map(|row| Categorical::from_probabilities(&row).unwrap()).to_vec();
    let durations = vec![Durations::table(&[0.0, 1.0]).unwrap(); 2];
    let steps = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 1.0, 0.0]);
    let model =
        SemiMarkovModel::new(&[1.0, 0.0], &steps, durations, Distributions::new(distributions).unwrap())
            .unwrap();
    for (symbols, expected) in [
        (vec![1], 0),
        (vec![0, 1], 1),
        (vec![0, 0, 0], 2),
        (vec![0, 0, 1, 0, 0], 3),
        (vec![0, 0, 1, 1, 1, 1], 4),
    ] {
        let error = model.posterior(&sequence(&symbols)).err();
        assert!(
            matches!(error, Some(Error::Impossible { position, .. }) if position == expected),
            "{symbols:?} {error:?}"
        );
    }
    assert_eq!(model.ln_likelihood(&sequence(&[0, 0, 1, 1, 0])).unwrap(), 0.0);
}

/// Densities that differ by millions in the logarithm, for and against: never NaN, and rows add up to one.
#[test]
fn huge_scores_are_no_trouble() {
    let distributions = [-1.0, 1.0].map(|mean| Normal::mean_sd(mean, 1e-4).unwrap()).to_vec();
    let durations = vec![Durations::poisson(2.0, 8).unwrap(), Durations::geometric(0.5, 5).unwrap()];
    let steps = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 1.0, 0.0]);
    let model =
        SemiMarkovModel::new(&[0.5, 0.5], &steps, durations, Distributions::new(distributions).unwrap())
            .unwrap();
    // Twelve positions near the first state, which can last for eight.
    let numbers: Vec<f64> =
        (0..40).map(|t| if t % 20 < 12 { -1.0 } else { 1.0 } + 1e-5 * f64::from(t)).collect();
    let posterior = model.posterior(&Sequence::new(&numbers)).unwrap();
    assert!(posterior.ln_likelihood.is_finite() && posterior.ln_likelihood < -1e8);
    for row in posterior.states.chunks_exact(2) {
        assert_within(row.iter().sum(), 1.0, 1e-14);
        assert!(row.iter().all(|p| *p >= 0.0));
    }
    let best = model.decode(&Sequence::new(&numbers)).unwrap();
    assert_within(best.score / posterior.ln_likelihood, 1.0, 1e-6);
}

/// No drift: at the end of a long sequence probabilities are what they are in a short one.
#[test]
fn long_sequences_lose_nothing() {
    let distributions = [[0.6, 0.3, 0.1], [0.1, 0.1, 0.8], [0.3, 0.3, 0.4]];
    let distributions = distributions.map(|row| Categorical::from_probabilities(&row).unwrap()).to_vec();
    let durations = vec![
        Durations::poisson(2.0, 9).unwrap(),
        Durations::geometric(0.7, 12).unwrap(),
        Durations::table(&[0.1, 0.0, 0.9]).unwrap(),
    ];
    let steps = DMatrix::from_row_slice(3, 3, &[0.0, 0.4, 0.6, 0.3, 0.0, 0.7, 0.5, 0.5, 0.0]);
    let model =
        SemiMarkovModel::new(&[1.0, 0.0, 0.0], &steps, durations, Distributions::new(distributions).unwrap())
            .unwrap();
    let symbols = random_symbols(200_000, 8);
    let long = model.posterior(&sequence(&symbols)).unwrap();
    let begin = symbols.len() - 300;
    let short = model.posterior(&sequence(&symbols[begin..])).unwrap();
    for place in 200 * 3..300 * 3 {
        assert_within(long.states[begin * 3 + place], short.states[place], 1e-10);
    }
}

#[test]
fn misuse_is_an_error() {
    let distributions =
        || Distributions::new(vec![Categorical::from_weights(&[1.0, 1.0]).unwrap(); 2]).unwrap();
    let durations = |count| vec![Durations::poisson(1.0, 3).unwrap(); count];
    let steps = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 1.0, 0.0]);
    assert!(SemiMarkovModel::new(&[1.0], &steps, durations(2), distributions()).is_err());
    assert!(SemiMarkovModel::new(&[1.0, 0.0], &steps, durations(1), distributions()).is_err());
    assert!(
        SemiMarkovModel::new(&[1.0, 0.0], &DMatrix::identity(3, 3), durations(2), distributions()).is_err()
    );
    assert!(SemiMarkovModel::new(&[1.0, 0.0], &DMatrix::zeros(2, 2), durations(2), distributions()).is_err());
    assert!(SemiMarkovModel::new(&[0.7, 0.7], &steps, durations(2), distributions()).is_err());
    assert!(SemiMarkovModel::new(&[f64::NAN, 1.0], &steps, durations(2), distributions()).is_err());
    let model = SemiMarkovModel::new(&[1.0, 0.0], &steps, durations(2), distributions()).unwrap();
    let short = [true];
    assert!(model.ln_likelihood(&sequence(&[0, 1]).with_missing(&short)).is_err());
    let vectors = Distributions::new(vec![Gaussian::standard(2); 2]).unwrap();
    let model = SemiMarkovModel::new(&[1.0, 0.0], &steps, durations(2), vectors).unwrap();
    let wrong = [vec![0.0, f64::NAN]];
    assert!(model.posterior(&Sequence::new(&wrong[..])).is_err());
}
