//! The table of 30 digits.

use posterior_kalman::{
    CovarianceForm, FilterOptions, Filtered, Initial, Matrices, ObservationEquation, Series, Smoothed,
    StateSpace, TransitionEquation, filter, ln_likelihood,
};
use posterior_math::linalg::DMatrix;
use posterior_testkit::reference::{list, load, number, numbers, optional_number, rows};
use serde_json::Value;

fn matrix(value: &Value) -> DMatrix<f64> {
    let rows = rows(value);
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

/// The matrices of all steps, or the one of all.
fn matrices(case: &Value, one: &str, many: &str) -> Matrices {
    if case[one].is_null() {
        let all: Vec<DMatrix<f64>> = list(&case[many]).iter().map(matrix).collect();
        Matrices::each(&all).unwrap()
    } else {
        Matrices::constant(&matrix(&case[one]))
    }
}

fn model(case: &Value) -> (StateSpace, Series) {
    let model = StateSpace::new(
        TransitionEquation::varying(
            matrices(case, "transition", "transitions"),
            matrices(case, "process_cov", "process_covs"),
        )
        .unwrap(),
        ObservationEquation::constant(&matrix(&case["observation"]), &matrix(&case["observation_cov"]))
            .unwrap(),
        Initial::known(&numbers(&case["initial_mean"]), &matrix(&case["initial_cov"])).unwrap(),
    )
    .unwrap();
    let y: Vec<Vec<f64>> = list(&case["y"])
        .iter()
        .map(|row| list(row).iter().map(|value| optional_number(value).unwrap_or(f64::NAN)).collect())
        .collect();
    let series = Series::with_missing(&DMatrix::from_fn(y.len(), y[0].len(), |i, j| y[i][j])).unwrap();
    (model, series)
}

/// The largest difference, relative to the largest entry.
fn difference(ours: &DMatrix<f64>, theirs: &Value) -> f64 {
    let theirs = matrix(theirs);
    (ours - &theirs).amax() / theirs.amax()
}

fn mean_difference(ours: &[f64], theirs: &Value) -> f64 {
    let theirs = numbers(theirs);
    let largest = theirs.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
    ours.iter().zip(&theirs).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs())) / largest
}

fn worst(case: &Value, filtered: &Filtered, smoothed: &Smoothed) -> f64 {
    let mut worst = 0.0f64;
    for t in 0..filtered.len() {
        for difference in [
            mean_difference(filtered.predicted_mean(t), &case["predicted_mean"][t]),
            difference(&filtered.predicted_covariance(t), &case["predicted_cov"][t]),
            mean_difference(filtered.mean(t), &case["filtered_mean"][t]),
            difference(&filtered.covariance(t), &case["filtered_cov"][t]),
            mean_difference(smoothed.mean(t), &case["smoothed_mean"][t]),
            difference(&smoothed.covariance(t), &case["smoothed_cov"][t]),
        ] {
            worst = if difference <= worst { worst } else { difference };
        }
        if t + 1 < filtered.len() {
            worst = worst.max(difference(&smoothed.lag_one_covariance(t), &case["lag_one_cov"][t]));
        }
        let term = number(&case["log_likelihood_terms"][t]);
        worst = worst.max((filtered.ln_likelihood_terms()[t] - term).abs() / (1.0 + term.abs()));
    }
    worst
}

#[test]
fn both_forms_meet_the_table() {
    let table = load("kalman");
    let mut seen = 0;
    for case in list(&table["models"]) {
        let (model, series) = model(case);
        for form in [CovarianceForm::SquareRoot, CovarianceForm::Joseph] {
            let options = FilterOptions { form, ..FilterOptions::default() };
            let filtered = filter(&model, &series, &options).unwrap();
            let smoothed = filtered.smooth(&model).unwrap();
            let worst = worst(case, &filtered, &smoothed);
            assert!(worst < 1e-11, "{} {form:?}: {worst:e}", case["name"]);
            let total = number(&case["log_likelihood"]);
            assert!((filtered.ln_likelihood() - total).abs() < 1e-13 * (1.0 + total.abs()) * 10.0);
            assert_eq!(ln_likelihood(&model, &series, &options).unwrap(), filtered.ln_likelihood());
            seen += 1;
        }
    }
    assert_eq!(seen, 20);
}
