//! Hidden Markov models.

use posterior::inference::em::EmOptions;
use posterior::latent::mixture::MaximumLikelihood;
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;
use posterior::sequence::baum_welch::{BaumWelch, BaumWelchOptions};
use posterior::sequence::emission::{CategoricalEmissions, Sequence, Sequences};
use posterior::sequence::hmm::{HiddenMarkovModel, Inference};

use crate::{close, differs};

const INITIAL: [f64; 2] = [0.6, 0.4];
const STEPS: [[f64; 2]; 2] = [[0.7, 0.3], [0.1, 0.9]];
const SHOWS: [[f64; 3]; 2] = [[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]];
const SEEN: [usize; 5] = [0, 1, 1, 2, 0];

fn model() -> HiddenMarkovModel<CategoricalEmissions> {
    let emissions = CategoricalEmissions::new(&DMatrix::from_fn(2, 3, |i, k| SHOWS[i][k])).unwrap();
    HiddenMarkovModel::new(&INITIAL, &DMatrix::from_fn(2, 2, |i, j| STEPS[i][j]), emissions).unwrap()
}

fn options(max_iterations: usize) -> BaumWelchOptions {
    let em = EmOptions { tolerance: -1.0, max_iterations, ..EmOptions::default() };
    BaumWelchOptions { em, ..BaumWelchOptions::default() }
}

/// The probability of a path and the symbols, by the definition.
fn joint(path: usize) -> f64 {
    let state = |t: usize| path >> t & 1;
    let start = INITIAL[state(0)] * SHOWS[state(0)][SEEN[0]];
    (1..5).fold(start, |p, t| p * STEPS[state(t - 1)][state(t)] * SHOWS[state(t)][SEEN[t]])
}

/// Pairs of states: α(i) A(i→j) O_j(x) β(j), whose rows sum to the marginals.
#[test]
fn erratum_84() {
    let (model, t) = (model(), 1);
    let mut inference = Inference::new(&model);
    let sequence = Sequence::new(&SEEN[..]);
    let smoothed = inference.smooth(&sequence).unwrap();
    let mut pairs = [0.0; 4];
    smoothed.pairwise(t, &mut pairs);
    let total: f64 = (0..32).map(joint).sum();
    let mut alpha = INITIAL;
    for i in 0..2 {
        alpha[i] *= SHOWS[i][SEEN[0]];
    }
    let next = |alpha: [f64; 2], t: usize| {
        [0, 1].map(|j| (alpha[0] * STEPS[0][j] + alpha[1] * STEPS[1][j]) * SHOWS[j][SEEN[t]])
    };
    let alpha = next(alpha, 1);
    let before = |beta: [f64; 2], t: usize| {
        [0, 1].map(|i| (0..2).map(|j| STEPS[i][j] * SHOWS[j][SEEN[t]] * beta[j]).sum::<f64>())
    };
    let beta = before(before([1.0; 2], 4), 3);
    for i in 0..2 {
        let rows: f64 = pairs[2 * i] + pairs[2 * i + 1];
        close(rows, smoothed.at(t)[i], 13);
        for j in 0..2 {
            let brute = (0..32).filter(|path| path >> t & 1 == i && path >> (t + 1) & 1 == j).map(joint);
            close(pairs[2 * i + j], brute.sum::<f64>() / total, 13);
            close(pairs[2 * i + j], alpha[i] * STEPS[i][j] * SHOWS[j][SEEN[2]] * beta[j] / total, 13);
            let printed = alpha[i] * STEPS[j][i] * SHOWS[i][SEEN[2]] * beta[j] / total;
            if i != j {
                differs(printed, pairs[2 * i + j]);
            }
        }
    }
}

/// A step of EM maximises over all parameters at once; each raises the likelihood here.
#[test]
fn erratum_85() {
    let sequences = Sequences::one(&SEEN[..]);
    let options = options(5);
    let problem = BaumWelch::new(&sequences, MaximumLikelihood, options).unwrap();
    let fitted = problem.fit(model(), &mut Silent).unwrap();
    close(fitted.report.trace[0], (0..32).map(joint).sum::<f64>().ln(), 12);
    assert!(fitted.report.trace.windows(2).all(|pair| pair[1] > pair[0]));
}

/// Expected counts of symbols: Σ γ_t(i) over the times that show x, not γ times how often x is seen.
#[test]
fn erratum_89() {
    let total: f64 = (0..32).map(joint).sum();
    let gamma =
        |t: usize, i: usize| (0..32).filter(|path| path >> t & 1 == i).map(joint).sum::<f64>() / total;
    let sequences = Sequences::one(&SEEN[..]);
    let options = options(1);
    let problem = BaumWelch::new(&sequences, MaximumLikelihood, options).unwrap();
    let fitted = problem.fit(model(), &mut Silent).unwrap().model.hmm;
    for i in 0..2 {
        let visits: f64 = (0..5).map(|t| gamma(t, i)).sum();
        let shows: f64 = (0..5).filter(|&t| SEEN[t] == 1).map(|t| gamma(t, i)).sum();
        close(fitted.emissions().probability(i, 1), shows / visits, 12);
        differs(2.0 * gamma(0, i) / visits, fitted.emissions().probability(i, 1));
    }
}
