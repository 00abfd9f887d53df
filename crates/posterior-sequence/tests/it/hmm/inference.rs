//! Whole sequences.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::stream::stream;
use posterior_dist::{Density, Normal};
use posterior_math::linalg::DMatrix;
use posterior_sampling::markov_chain::TransitionMatrix;
use posterior_sequence::Error;
use posterior_sequence::emission::{CategoricalEmissions, Distributions, Emissions, Sequence, Sequences};
use posterior_sequence::hmm::{Decoding, HiddenMarkovModel, Inference, Topology};

use super::enumeration::Paths;

fn golden() -> HiddenMarkovModel<CategoricalEmissions> {
    let table = DMatrix::from_row_slice(2, 3, &[0.5, 0.4, 0.1, 0.1, 0.3, 0.6]);
    let steps = DMatrix::from_row_slice(2, 2, &[0.7, 0.3, 0.4, 0.6]);
    HiddenMarkovModel::new(&[0.6, 0.4], &steps, CategoricalEmissions::new(&table).unwrap()).unwrap()
}

fn close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance), "{a:?} and {b:?}");
}

#[test]
fn the_example_by_hand() {
    let model = golden();
    let mut inference = Inference::new(&model);
    let sequence = Sequence::new(&[0, 1, 2][..]);
    let smoothed = inference.smooth(&sequence).unwrap();
    assert!((smoothed.score().ln_z + 3.316488653735201).abs() < 1e-14);
    let gamma =
        [[0.87651598677, 0.12348401323], [0.622932745314, 0.377067254686], [0.212127894157, 0.787872105843]];
    for (t, row) in gamma.iter().enumerate() {
        close(smoothed.at(t), row, 1e-11);
    }
    let xi = [
        [0.578831312018, 0.297684674752, 0.044101433297, 0.079382579934],
        [0.174421168688, 0.448511576626, 0.037706725469, 0.339360529217],
    ];
    for (t, wanted) in xi.iter().enumerate() {
        let mut pair = [0.0; 4];
        smoothed.pairwise(t, &mut pair);
        close(&pair, wanted, 1e-11);
    }
    let best = inference.decode(&sequence, Decoding::Viterbi).unwrap();
    assert_eq!(best.states, [0, 0, 1]);
    let proportion = (best.score + 3.316488653735201).exp();
    assert!((best.score - 0.01512_f64.ln()).abs() < 1e-14 && (proportion - 0.4167585446527).abs() < 1e-13);
}

#[test]
fn what_was_not_seen_is_summed_over() {
    let model = golden();
    let mut inference = Inference::new(&model);
    for missing in [[false, true, false, true], [true; 4], [true, false, false, false]] {
        let data = [0, 2, 1, 1];
        let sequence = Sequence::new(&data[..]).with_missing(&missing);
        let paths = Paths::new(&model, &data, &missing);
        let smoothed = inference.smooth(&sequence).unwrap();
        assert!((smoothed.score().ln_z - paths.total().ln()).abs() < 1e-14);
        for t in 0..4 {
            close(smoothed.at(t), &paths.marginal(t), 1e-14);
        }
        let best = inference.decode(&sequence, Decoding::Viterbi).unwrap();
        let highest = paths.given().map(|(_, p)| p).fold(0.0, f64::max);
        assert!(((best.score - paths.total().ln()).exp() - highest).abs() < 1e-14);
    }
}

#[test]
fn known_states_are_conditions() {
    let model = golden();
    let data = [0, 2, 1, 1];
    let known = [None, Some(0), None, Some(1)];
    let sequence = Sequence::new(&data[..]).with_states(&known, 2).unwrap();
    let mut inference = Inference::new(&model);
    let smoothed = inference.smooth(&sequence).unwrap();
    let paths = Paths::new(&model, &data, &[]);
    let (mut total, mut distribution) = (0.0, [0.0; 2]);
    for (path, p) in paths.given().filter(|(path, _)| path[1] == 0 && path[3] == 1) {
        total += p;
        distribution[path[2]] += p;
    }
    assert!((smoothed.score().ln_z - (total * paths.total()).ln()).abs() < 1e-14);
    close(smoothed.at(2), &distribution.map(|p| p / total), 1e-14);
    close(smoothed.at(1), &[1.0, 0.0], 0.0);
}

/// A model with zeros, so that the most probable states of all positions may not be a path.
fn with_zeros(seed: u64) -> HiddenMarkovModel<CategoricalEmissions> {
    let table = DMatrix::from_row_slice(3, 3, &[0.5, 0.4, 0.1, 0.1, 0.3, 0.6, 0.3, 0.3, 0.4]);
    let topology = Topology::from_fn(3, |_| true, |i, j| (i, j) != (0, 2) && (i, j) != (2, 0)).unwrap();
    topology.random(CategoricalEmissions::new(&table).unwrap(), &mut stream(seed, &[])).unwrap()
}

#[test]
fn decodings_are_the_best_of_all_paths() {
    let mut impossible = 0;
    for seed in 0..60 {
        let model = with_zeros(seed);
        let (_, data) = model.simulate(6, &mut stream(seed, &[1]));
        let paths = Paths::new(&model, &data, &[]);
        let distributions: Vec<Vec<f64>> = (0..6).map(|t| paths.marginal(t)).collect();
        let right = |path: &[usize]| {
            path.iter().zip(&distributions).map(|(&state, distribution)| distribution[state]).sum::<f64>()
        };
        let most = paths.given().map(|(path, _)| right(path)).fold(0.0, f64::max);
        let mut inference = Inference::new(&model);
        let sequence = Sequence::new(&data[..]);

        let own = inference.decode(&sequence, Decoding::PossiblePosterior).unwrap();
        assert!((right(&own.states) - most).abs() < 1e-12);
        let joint = paths.given().find(|(path, _)| *path == own.states).unwrap().1 * paths.total();
        assert!((own.score - joint.ln()).abs() < 1e-12);

        let own = inference.decode(&sequence, Decoding::Posterior).unwrap();
        for (&state, distribution) in own.states.iter().zip(&distributions) {
            assert!(distribution.iter().all(|&p| p <= distribution[state] + 1e-14));
        }
        let possible = paths.given().any(|(path, _)| path == own.states);
        assert_eq!(own.score > f64::NEG_INFINITY, possible);
        impossible += usize::from(!possible);

        let mut order: Vec<(&[usize], f64)> = paths.given().collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        let best = inference.k_best(&sequence, 10).unwrap();
        assert_eq!(best.len(), order.len().min(10));
        for (own, (_, p)) in best.iter().zip(&order) {
            assert!((own.score - (p * paths.total()).ln()).abs() < 1e-12);
        }
        let viterbi = inference.decode(&sequence, Decoding::Viterbi).unwrap();
        assert!((viterbi.score - best[0].score).abs() < 1e-12);
    }
    assert!(impossible > 0, "no example of an impossible posterior decoding");
}

#[test]
fn drawn_paths_come_as_often_as_they_are_probable() {
    let model = with_zeros(5);
    let data = [0, 2, 1, 1];
    let missing = [false, false, true, false];
    let sequence = Sequence::new(&data[..]).with_missing(&missing);
    let draws = 50_000;
    let drawn = Inference::new(&model).sample_paths(&sequence, draws, &mut stream(8, &[])).unwrap();
    assert_eq!(drawn.len(), draws);
    let mut seen = std::collections::BTreeMap::<Vec<usize>, f64>::new();
    for path in drawn {
        *seen.entry(path).or_default() += 1.0;
    }
    let paths = Paths::new(&model, &data, &missing);
    let (mut statistic, mut cells, mut rest) = (0.0, 0.0, (0.0, 0.0));
    for (path, p) in paths.given() {
        let (found, expected) = (seen.remove(path).unwrap_or(0.0), p * draws as f64);
        if expected < 10.0 {
            rest = (rest.0 + found, rest.1 + expected);
        } else {
            statistic += (found - expected).powi(2) / expected;
            cells += 1.0;
        }
    }
    assert!(seen.is_empty(), "impossible paths were drawn: {seen:?}");
    statistic += (rest.0 - rest.1).powi(2) / rest.1.max(1.0);
    // Chi-squared with about so many degrees of freedom: mean plus five standard deviations, less than once
    // in 10,000.
    assert!(statistic < cells + 5.0 * f64::sqrt(2.0 * cells), "{statistic} for {cells} cells");
}

#[test]
fn the_impossible_is_reported_with_its_place() {
    let table = DMatrix::from_row_slice(2, 3, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let swap = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 1.0, 0.0]);
    let model =
        HiddenMarkovModel::new(&[0.5, 0.5], &swap, CategoricalEmissions::new(&table).unwrap()).unwrap();
    let (fine, wrong) = ([0, 1, 0], [0, 1, 1, 0]);
    let sequences: Sequences<'_, [usize]> = [&fine[..], &wrong[..]].into_iter().collect();
    let refused = model.ln_likelihood(&sequences).unwrap_err();
    assert!(matches!(refused, Error::Impossible { sequence: 1, position: 2 }), "{refused}");
    let refused = model.decode(&sequences, Decoding::Viterbi).unwrap_err();
    assert!(matches!(refused, Error::Impossible { sequence: 1, position: 2 }), "{refused}");
    let mut inference = Inference::new(&model);
    let sequence = Sequence::new(&wrong[..]);
    let score = inference.score(&sequence).unwrap();
    assert_eq!((score.ln_z, score.impossible), (f64::NEG_INFINITY, Some(2)));
    assert!(inference.smooth(&sequence).is_err());
    assert!(inference.filter(&sequence).is_err());
    assert!(inference.decode(&sequence, Decoding::Posterior).is_err());
    let unknown = Sequence::new(&[0, 9][..]);
    assert!(matches!(inference.score(&unknown), Err(Error::Observation { position: 1, .. })));
    // And the workspace is as good as before.
    assert!((inference.score(&Sequence::new(&fine[..])).unwrap().ln_z - 0.5_f64.ln()).abs() < 1e-15);
}

#[test]
fn no_position_is_no_information() {
    let model = golden();
    let mut inference = Inference::new(&model);
    let empty = Sequence::new(&[][..]);
    assert_eq!(inference.score(&empty).unwrap().ln_z, 0.0);
    assert!(inference.smooth(&empty).unwrap().marginals().is_empty());
    assert!(inference.decode(&empty, Decoding::Viterbi).unwrap().states.is_empty());
}

#[test]
fn one_state_is_one_distribution() {
    let distribution = Normal::mean_sd(1.0, 2.0).unwrap();
    let model =
        Topology::ergodic(1).unwrap().uniform(Distributions::new(vec![distribution]).unwrap()).unwrap();
    let data = [0.0, 1e150, -3.0, 2.5];
    let wanted: f64 = data.iter().map(|x| distribution.ln_pdf(x)).sum();
    let found = model.ln_likelihood(&Sequences::one(&data[..])).unwrap();
    assert!(((found - wanted) / wanted).abs() < 1e-15);
}

#[test]
fn time_runs_backwards_as_well() {
    let steps = TransitionMatrix::from_rows(&[[0.7, 0.2, 0.1], [0.3, 0.3, 0.4], [0.0, 0.5, 0.5]]).unwrap();
    let distribution = steps.stationary().unwrap();
    let table = DMatrix::from_row_slice(3, 3, &[0.5, 0.4, 0.1, 0.1, 0.3, 0.6, 0.2, 0.7, 0.1]);
    let emissions = CategoricalEmissions::new(&table).unwrap();
    let forth = HiddenMarkovModel::new(&distribution, steps.as_matrix(), emissions.clone()).unwrap();
    let back =
        HiddenMarkovModel::new(&distribution, steps.reversed().unwrap().as_matrix(), emissions).unwrap();
    let (states, data) = forth.simulate(300, &mut stream(3, &[]));
    assert_eq!(states.len(), 300);
    let turned: Vec<usize> = data.iter().rev().copied().collect();
    let (mut a, mut b) = (Inference::new(&forth), Inference::new(&back));
    let (seen, turned) = (Sequence::new(&data[..]), Sequence::new(&turned[..]));
    let (a, b) = (a.smooth(&seen).unwrap(), b.smooth(&turned).unwrap());
    assert!(((a.score().ln_z - b.score().ln_z) / a.score().ln_z).abs() < 1e-13);
    for t in 0..300 {
        close(a.at(t), b.at(299 - t), 1e-12);
    }
}

/// A pole of a density is refused, not passed on.
#[test]
fn an_infinite_density_is_refused() {
    #[derive(Debug, Clone)]
    struct Pole;
    impl Emissions for Pole {
        type Data = [f64];
        fn states(&self) -> usize {
            1
        }
        fn length(data: &[f64]) -> usize {
            data.len()
        }
        fn check(&self, _: &[f64]) -> Result<(), Error> {
            Ok(())
        }
        fn ln_densities(&self, data: &[f64], range: std::ops::Range<usize>, out: &mut [f64]) {
            for (out, x) in out.iter_mut().zip(&data[range]) {
                *out = if *x == 0.0 { f64::INFINITY } else { 0.0 };
            }
        }
    }
    let model = Topology::ergodic(1).unwrap().uniform(Pole).unwrap();
    let refused = model.ln_likelihood(&Sequences::one(&[1.0, 0.0][..])).unwrap_err();
    assert!(matches!(refused, Error::Observation { position: 1, .. }), "{refused}");
}
