//! Blocks against the whole.

use posterior_dist::stream::stream;
use posterior_latent::mixture::MaximumLikelihood;
use posterior_math::linalg::DMatrix;
use rand::RngExt;

use super::add_long;
use crate::baum_welch::counts::Counts;
use crate::baum_welch::expect::{Room, add_sequence};
use crate::emission::{CategoricalEmissions, LearnEmissions, Sequence};
use crate::error::Error;
use crate::hmm::HiddenMarkovModel;

type Symbols = HiddenMarkovModel<CategoricalEmissions>;

fn model(pi: &[f64], a: &[f64], b: &[f64]) -> Symbols {
    let k = pi.len();
    let emissions = CategoricalEmissions::new(&DMatrix::from_row_slice(k, b.len() / k, b)).unwrap();
    HiddenMarkovModel::new(pi, &DMatrix::from_row_slice(k, k, a), emissions).unwrap()
}

type Found = (f64, Counts<Vec<f64>>);

/// ln p and the counts, of the whole and by blocks.
fn both(model: &Symbols, sequence: &Sequence<'_, [usize]>) -> [Result<Found, Error>; 2] {
    let learn = &MaximumLikelihood;
    let nothing = || Counts::nothing(model.states(), learn.nothing(model.emissions()));
    let (mut whole, mut parts, mut room) = (nothing(), nothing(), Room::default());
    let of_whole = add_sequence(model, learn, sequence, &mut room, &mut whole);
    let of_parts = add_long(model, learn, sequence, &mut room, &mut parts);
    [of_whole.map(|ln_p| (ln_p, whole)), of_parts.map(|ln_p| (ln_p, parts))]
}

#[track_caller]
fn assert_same(model: &Symbols, sequence: &Sequence<'_, [usize]>) -> Found {
    let [whole, parts] = both(model, sequence).map(Result::unwrap);
    assert!((parts.0 - whole.0).abs() <= 1e-12 * whole.0.abs(), "{} is not {}", parts.0, whole.0);
    let pairs = [
        (&whole.1.initial, &parts.1.initial),
        (&whole.1.steps, &parts.1.steps),
        (&whole.1.emissions, &parts.1.emissions),
    ];
    for (whole, parts) in pairs {
        assert_eq!(whole.len(), parts.len());
        for (a, b) in whole.iter().zip(parts) {
            assert!((a - b).abs() <= 1e-11 * a.max(1.0), "{b} is not {a}");
        }
    }
    parts
}

/// Blocks have 64 positions.
const LENGTHS: [usize; 7] = [1, 2, 64, 65, 66, 129, 1000];

#[test]
fn blocks_are_the_whole() {
    let mut rng = stream(4, &[]);
    let (a, b) = ([0.7, 0.3, 0.4, 0.6], [0.5, 0.4, 0.1, 0.1, 0.3, 0.6]);
    let even = model(&[0.6, 0.4], &a, &b);
    // Impossible starts and steps: left to right.
    let a = [0.9, 0.1, 0.0, 0.0, 0.9, 0.1, 0.0, 0.0, 1.0];
    let b = [0.6, 0.3, 0.1, 0.2, 0.3, 0.5, 0.1, 0.1, 0.8];
    let left_to_right = model(&[1.0, 0.0, 0.0], &a, &b);
    for length in LENGTHS {
        let data: Vec<usize> = (0..length).map(|_| rng.random_range(0..3)).collect();
        let missing: Vec<bool> = (0..length).map(|t| t % 10 == 3).collect();
        let known: Vec<Option<usize>> = (0..length).map(|t| (t % 32 == 0).then_some(t / 32 % 2)).collect();
        let plain = Sequence::new(&data[..]);
        for sequence in
            [plain.clone(), plain.clone().with_missing(&missing), plain.with_states(&known, 2).unwrap()]
        {
            assert_same(&even, &sequence);
        }
        let (_, found) = assert_same(&left_to_right, &Sequence::new(&data[..]));
        // Each position is counted once, each step too.
        let [seen, steps] = [&found.emissions, &found.steps].map(|counts| counts.iter().sum::<f64>());
        assert!((seen - length as f64).abs() < 1e-9, "{seen}");
        assert!((steps - (length - 1) as f64).abs() < 1e-9, "{steps}");
    }
}

#[test]
fn what_seemed_lost_at_an_end_comes_back() {
    // The second state, left for dead by 400 observations, is the only one that explains the last.
    let a = [1.0, 0.0, 0.0, 1.0];
    let b = [0.9, 0.1, 0.0, 0.01, 0.98, 0.01];
    let mut data = vec![0; 400];
    data.push(2);
    let (ln_p, found) = assert_same(&model(&[0.5, 0.5], &a, &b), &Sequence::new(&data[..]));
    assert!((ln_p - (0.5_f64.ln() + 401.0 * 0.01_f64.ln())).abs() < 1e-9);
    assert!((found.initial[1] - 1.0).abs() < 1e-12);
    assert!((found.steps[3] - 400.0).abs() < 1e-9);
}

#[test]
fn no_path_is_left_at_the_same_position() {
    let stuck = model(&[1.0, 0.0], &[1.0, 0.0, 0.0, 1.0], &[0.5, 0.5, 0.0, 0.0, 0.5, 0.5]);
    for position in [0, 63, 64, 65, 150, 199] {
        let mut data = vec![1; 200];
        data[position] = 2;
        let errors = both(&stuck, &Sequence::new(&data[..])).map(|found| found.unwrap_err().to_string());
        assert_eq!(errors[0], Error::Impossible { sequence: 0, position }.to_string());
        assert_eq!(errors[1], errors[0]);
    }
}
