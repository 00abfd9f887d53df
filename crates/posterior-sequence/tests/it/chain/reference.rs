//! Tables of hidden Markov models and random fields, from enumeration with 30 digits.

use posterior_math::linalg::DMatrix;
use posterior_sequence::chain::{Edges, ForwardBackward, LinearChain, Transitions};
use posterior_testkit::reference::{counts, list, load, number, numbers, rows};

use super::assert_near;

/// Messages pass a few roundings on.
const TOLERANCE: f64 = 1e-13;

#[test]
fn hidden_markov_models() {
    let table = load("hmm");
    let mut sequences = 0;
    for model in list(&table["models"]) {
        let initial: Vec<f64> = numbers(&model["initial"]).iter().map(|p| p.ln()).collect();
        let states = initial.len();
        let transition = rows(&model["transition"]).concat();
        let transition = DMatrix::from_row_slice(states, states, &transition);
        for transitions in [
            Transitions::from_probabilities(&transition).unwrap(),
            Transitions::from_ln(&transition.map(f64::ln)).unwrap(),
        ] {
            for sequence in list(&model["sequences"]) {
                sequences += 1;
                let nodes = rows(&sequence["log_emission"]).concat();
                let chain = LinearChain::new(&initial, Edges::Same(&transitions), &nodes).unwrap();
                let mut work = ForwardBackward::new();
                let ln_z = number(&sequence["log_likelihood"]);
                assert_near(&[work.score(&chain).ln_z], &[ln_z], TOLERANCE);
                let filtered = work.filter(&chain);
                for (t, row) in rows(&sequence["filtered"]).iter().enumerate() {
                    assert_near(filtered.at(t), row, TOLERANCE);
                }
                let smoothed = work.smooth(&chain);
                assert_near(smoothed.marginals(), &rows(&sequence["posterior"]).concat(), TOLERANCE);
                let mut pair = vec![0.0; states * states];
                for (t, expected) in list(&sequence["pairwise"]).iter().enumerate() {
                    smoothed.pairwise(t, &mut pair);
                    assert_near(&pair, &rows(expected).concat(), TOLERANCE);
                }
                let best = chain.best_path().unwrap();
                assert_near(&[best.score], &[number(&sequence["viterbi_log_joint"])], TOLERANCE);
                if !sequence["viterbi"].is_null() {
                    let expected: Vec<usize> =
                        counts(&sequence["viterbi"]).iter().map(|&state| state as usize).collect();
                    assert_eq!(best.states, expected);
                }
            }
        }
    }
    assert!(sequences >= 26, "{sequences} sequences");
}

#[test]
fn random_fields() {
    let table = load("crf");
    let mut fields = 0;
    for model in list(&table["models"]).iter().filter(|model| !model["unary"].is_null()) {
        fields += 1;
        let nodes = rows(&model["unary"]);
        let states = nodes[0].len();
        let (initial, nodes) = (vec![0.0; states], nodes.concat());
        let edges = rows(&model["transition"]).concat();
        let transitions = Transitions::from_ln(&DMatrix::from_row_slice(states, states, &edges)).unwrap();
        let chain = LinearChain::new(&initial, Edges::Same(&transitions), &nodes).unwrap();
        let mut work = ForwardBackward::new();
        assert_near(&[work.filter(&chain).entropy()], &[number(&model["entropy"])], TOLERANCE);
        let smoothed = work.smooth(&chain);
        assert_near(&[smoothed.score().ln_z], &[number(&model["log_z"])], TOLERANCE);
        assert_near(smoothed.marginals(), &rows(&model["marginals"]).concat(), TOLERANCE);
        let mut pair = vec![0.0; states * states];
        let mut sums = vec![0.0; states * states];
        for (t, expected) in list(&model["pairwise"]).iter().enumerate() {
            smoothed.pairwise(t, &mut pair);
            assert_near(&pair, &rows(expected).concat(), TOLERANCE);
            for (sum, p) in sums.iter_mut().zip(&pair) {
                *sum += p;
            }
        }
        let mut found = vec![0.0; states * states];
        smoothed.add_edge_sums(&mut found);
        assert_near(&found, &sums, TOLERANCE);
        let path = |value| -> Vec<usize> { counts(value).iter().map(|&label| label as usize).collect() };
        let labels = chain.path_score(&path(&model["labels"]));
        assert_near(&[labels], &[number(&model["label_score"])], TOLERANCE);
        let ln_likelihood = labels - smoothed.score().ln_z;
        assert_near(&[ln_likelihood], &[number(&model["log_likelihood"])], TOLERANCE);
        let best = chain.best_path().unwrap();
        assert_eq!(best.states, path(&model["viterbi"]));
        assert_near(&[best.score], &[number(&model["viterbi_score"])], TOLERANCE);
    }
    assert!(fields >= 7, "{fields} fields");
}
