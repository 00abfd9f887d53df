//! The tables: enumeration of all paths with 30 digits.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::Poisson;
use posterior_gaussian::Gaussian;
use posterior_math::linalg::DMatrix;
use posterior_sequence::emission::{CategoricalEmissions, Distributions, Emissions, Sequence, Sequences};
use posterior_sequence::hmm::{Decoding, Filter, HiddenMarkovModel, Inference};
use posterior_testkit::reference::{counts, list, load, number, numbers, rows};
use serde_json::Value;

fn matrix(value: &Value) -> DMatrix<f64> {
    let rows = rows(value);
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

fn close(found: f64, expected: &Value) {
    let expected = number(expected);
    let distance = (found - expected).abs();
    // Relative 1e-10, also for probabilities of 1e-40: nothing was lost on the way.
    assert!(distance <= 1e-10 * expected.abs(), "{found} {expected}");
}

fn compare<E, X>(case: &Value, emissions: E, read: impl Fn(&Value) -> X)
where
    E: Emissions<Data = [X]>,
{
    let model =
        HiddenMarkovModel::new(&numbers(&case["initial"]), &matrix(&case["transition"]), emissions).unwrap();
    let states = model.states();
    let mut inference = Inference::new(&model);
    for wanted in list(&case["sequences"]) {
        let data: Vec<X> = list(&wanted["observations"]).iter().map(&read).collect();
        let sequence = Sequence::new(&data[..]);
        let mut filter = Filter::new(&model);
        for (t, row) in list(&wanted["filtered"]).iter().enumerate() {
            filter.push(&data[t..=t]).unwrap();
            let filtered = inference.filter(&sequence).unwrap();
            for (k, p) in list(row).iter().enumerate() {
                close(filter.distribution()[k], p);
                close(filtered.at(t)[k], p);
            }
        }
        close(filter.ln_likelihood(), &wanted["log_likelihood"]);
        close(inference.score(&sequence).unwrap().ln_z, &wanted["log_likelihood"]);
        let smoothed = inference.smooth(&sequence).unwrap();
        for (t, row) in list(&wanted["posterior"]).iter().enumerate() {
            for (k, p) in list(row).iter().enumerate() {
                close(smoothed.at(t)[k], p);
            }
        }
        let mut pair = vec![0.0; states * states];
        for (t, table) in list(&wanted["pairwise"]).iter().enumerate() {
            smoothed.pairwise(t, &mut pair);
            for (i, row) in list(table).iter().enumerate() {
                for (j, p) in list(row).iter().enumerate() {
                    close(pair[i * states + j], p);
                }
            }
        }
        let best = inference.decode(&sequence, Decoding::Viterbi).unwrap();
        close(best.score, &wanted["viterbi_log_joint"]);
        if !wanted["viterbi"].is_null() {
            let path: Vec<u64> = best.states.iter().map(|&state| state as u64).collect();
            assert_eq!(path, counts(&wanted["viterbi"]));
        }
    }
    let all: Vec<Vec<X>> = list(&case["sequences"])
        .iter()
        .map(|own| list(&own["observations"]).iter().map(&read).collect())
        .collect();
    let sequences: Sequences<'_, [X]> = all.iter().map(Vec::as_slice).collect();
    let total: f64 = list(&case["sequences"]).iter().map(|own| number(&own["log_likelihood"])).sum();
    assert!((model.ln_likelihood(&sequences).unwrap() - total).abs() < 1e-11);
}

#[test]
fn thirteen_models() {
    let table = load("hmm");
    assert_eq!(list(&table["models"]).len(), 13);
    for case in list(&table["models"]) {
        match case["kind"].as_str().unwrap() {
            "discrete" => {
                let symbol = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
                compare(case, CategoricalEmissions::new(&matrix(&case["emission"])).unwrap(), symbol);
            }
            "gaussian" => {
                let distributions = list(&case["means"]).iter().zip(list(&case["covariances"]));
                let distributions =
                    distributions.map(|(m, c)| Gaussian::new(&numbers(m), &matrix(c)).unwrap());
                compare(case, Distributions::new(distributions.collect()).unwrap(), numbers);
            }
            _ => {
                let distributions =
                    numbers(&case["rates"]).into_iter().map(|rate| Poisson::new(rate).unwrap());
                compare(case, Distributions::new(distributions.collect()).unwrap(), |value| {
                    value.as_u64().unwrap()
                });
            }
        }
    }
}
