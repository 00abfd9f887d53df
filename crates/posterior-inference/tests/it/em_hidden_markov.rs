//! EM on hidden Markov models: the traits fit them as they are.

use std::convert::Infallible;

use posterior_inference::em::{EmOptions, Expected, Problem, expectation_maximization};
use posterior_math::iteration::Silent;
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_testkit::reference::{counts, list, load, number, numbers, optional_number, rows};

#[derive(Debug, Clone, PartialEq)]
struct Hmm {
    initial: Vec<f64>,
    transition: Vec<Vec<f64>>,
    emission: Vec<Vec<f64>>,
}

struct Sequences(Vec<Vec<usize>>);

/// Expected counts, in the shape of the model.
type Counts = Hmm;

impl Hmm {
    fn zero(states: usize, symbols: usize) -> Self {
        Self {
            initial: vec![0.0; states],
            transition: vec![vec![0.0; states]; states],
            emission: vec![vec![0.0; symbols]; states],
        }
    }

    /// Forward probabilities, scaled, and the scales.
    fn forward(&self, symbols: &[usize]) -> (Vec<Vec<f64>>, Vec<f64>) {
        let (mut rows, mut scales): (Vec<Vec<f64>>, Vec<f64>) = (Vec::new(), Vec::new());
        for &symbol in symbols {
            let prior = match rows.last() {
                None => self.initial.clone(),
                Some(last) => {
                    let arrive =
                        |j: usize| last.iter().zip(&self.transition).map(|(p, row)| p * row[j]).sum();
                    (0..self.initial.len()).map(arrive).collect()
                }
            };
            let mut row: Vec<f64> = prior.iter().zip(&self.emission).map(|(p, e)| p * e[symbol]).collect();
            let scale: f64 = row.iter().sum();
            for p in &mut row {
                *p /= scale;
            }
            rows.push(row);
            scales.push(scale);
        }
        (rows, scales)
    }

    fn count(&self, symbols: &[usize], counts: &mut Self) -> f64 {
        let n = self.initial.len();
        let (forward, scales) = self.forward(symbols);
        let mut backward = vec![1.0; n];
        for t in (0..symbols.len()).rev() {
            for i in 0..n {
                let posterior = forward[t][i] * backward[i];
                counts.emission[i][symbols[t]] += posterior;
                if t == 0 {
                    counts.initial[i] += posterior;
                }
            }
            if t == 0 {
                break;
            }
            let after: Vec<f64> =
                (0..n).map(|j| self.emission[j][symbols[t]] * backward[j] / scales[t]).collect();
            for i in 0..n {
                for (j, after) in after.iter().enumerate() {
                    counts.transition[i][j] += forward[t - 1][i] * self.transition[i][j] * after;
                }
                backward[i] = self.transition[i].iter().zip(&after).map(|(p, after)| p * after).sum();
            }
        }
        scales.iter().map(|scale| scale.ln()).sum()
    }
}

impl Problem for Sequences {
    type Model = Hmm;
    type Statistics = Counts;
    type Error = Infallible;

    fn e_step(&self, model: &Hmm) -> Result<Expected<Counts>, Infallible> {
        let mut counts = Hmm::zero(model.initial.len(), model.emission[0].len());
        let ln_likelihood = self.0.iter().map(|symbols| model.count(symbols, &mut counts)).sum();
        Ok(Expected::new(counts, ln_likelihood))
    }

    fn m_step(&self, counts: &Counts, previous: &Hmm) -> Result<Hmm, Infallible> {
        let normalised = |row: &Vec<f64>, old: &Vec<f64>| {
            let total: f64 = row.iter().sum();
            if total > 0.0 { row.iter().map(|count| count / total).collect() } else { old.clone() }
        };
        let matrix = |rows: &[Vec<f64>], old: &[Vec<f64>]| {
            rows.iter().zip(old).map(|(row, old)| normalised(row, old)).collect()
        };
        Ok(Hmm {
            initial: normalised(&counts.initial, &previous.initial),
            transition: matrix(&counts.transition, &previous.transition),
            emission: matrix(&counts.emission, &previous.emission),
        })
    }
}

#[test]
fn one_step_is_that_of_the_reference_table_and_the_next_ones_rise() {
    let table = load("hmm");
    let mut seen = 0;
    for case in list(&table["models"]).iter().filter(|case| case["kind"] == "discrete") {
        let model = Hmm {
            initial: numbers(&case["initial"]),
            transition: rows(&case["transition"]),
            emission: rows(&case["emission"]),
        };
        let sequences = list(&case["sequences"]);
        let symbols =
            |s: &serde_json::Value| counts(&s["observations"]).iter().map(|&o| o as usize).collect();
        let problem = Sequences(sequences.iter().map(symbols).collect());
        let options = EmOptions { max_iterations: 1, tolerance: 0.0, ..EmOptions::default() };
        let fitted = expectation_maximization(&problem, model.clone(), &options, &mut Silent).unwrap();
        let ln_likelihood: f64 = sequences.iter().map(|s| number(&s["log_likelihood"])).sum();
        assert_close(fitted.report.trace[0], ln_likelihood, 1e-13);
        let step = &case["baum_welch_step"];
        // Rows without any expected count are not tabulated.
        let same = |actual: &[f64], expected: &serde_json::Value| {
            for (&actual, expected) in actual.iter().zip(list(expected)) {
                if let Some(expected) = optional_number(expected) {
                    assert_within(actual, expected, 1e-13);
                }
            }
        };
        same(&fitted.model.initial, &step["initial"]);
        for i in 0..model.initial.len() {
            same(&fitted.model.transition[i], &step["transition"][i]);
            same(&fitted.model.emission[i], &step["emission"][i]);
        }
        let many = EmOptions { max_iterations: 200, ..EmOptions::default() };
        let fitted = expectation_maximization(&problem, model, &many, &mut Silent).unwrap();
        assert!(fitted.report.falls.is_empty());
        seen += 1;
    }
    assert_eq!(seen, 7);
}

#[test]
fn states_that_start_equal_stay_equal() {
    let model = Hmm {
        initial: vec![0.5, 0.5],
        transition: vec![vec![0.5, 0.5]; 2],
        emission: vec![vec![0.5, 0.2, 0.3]; 2],
    };
    let problem = Sequences(vec![vec![0, 1, 2, 0, 0, 1], vec![2, 2, 0]]);
    let fitted = expectation_maximization(&problem, model, &EmOptions::default(), &mut Silent).unwrap();
    assert_eq!(fitted.model.emission[0], fitted.model.emission[1]);
    // The frequencies of the symbols.
    for (p, count) in fitted.model.emission[0].iter().zip([4.0, 2.0, 3.0]) {
        assert_close(*p, count / 9.0, 1e-14);
    }
}
