//! Autoregressions of the manual of R's `arima`, and parameters that are fitted.

use posterior_datasets::series;
use posterior_kalman::Series;
use posterior_kalman::learning::{MarginalTarget, MaximizeOptions, fit};
use posterior_kalman::structural::{SeriesComponent, Structural};
use posterior_math::iteration::Silent;
use posterior_math::linalg::{Cholesky, DMatrix};

use super::smooth;

/// Luteinizing hormone in blood samples, every ten minutes: `lh` of R.
pub(super) const LH: [f64; 48] = [
    2.4, 2.4, 2.4, 2.2, 2.1, 1.5, 2.3, 2.3, 2.5, 2.0, 1.9, 1.7, 2.2, 1.8, 3.2, 3.2, 2.7, 2.2, 2.2, 1.9, 1.9,
    1.8, 2.7, 3.0, 2.3, 2.0, 2.0, 2.9, 2.9, 2.7, 2.7, 2.3, 2.6, 2.4, 1.8, 1.7, 1.5, 1.4, 2.1, 3.3, 3.5, 3.5,
    3.1, 2.6, 2.1, 3.4, 3.0, 2.9,
];

/// Level of Lake Huron in feet, 1875 to 1972: `LakeHuron` of R.
const LAKE_HURON: [f64; 98] = [
    580.38, 581.86, 580.97, 580.8, 579.79, 580.39, 580.42, 580.82, 581.4, 581.32, 581.44, 581.68, 581.17,
    580.53, 580.01, 579.91, 579.14, 579.16, 579.55, 579.67, 578.44, 578.24, 579.1, 579.09, 579.35, 578.82,
    579.32, 579.01, 579.0, 579.8, 579.83, 579.72, 579.89, 580.01, 579.37, 578.69, 578.19, 578.67, 579.55,
    578.92, 578.09, 579.37, 580.13, 580.14, 579.51, 579.24, 578.66, 578.86, 578.05, 577.79, 576.75, 576.75,
    577.82, 578.64, 580.58, 579.48, 577.38, 576.9, 576.94, 576.24, 576.84, 576.85, 576.9, 577.79, 578.18,
    577.51, 577.23, 578.42, 579.61, 579.05, 579.26, 579.22, 579.38, 579.1, 577.95, 578.12, 579.75, 580.85,
    580.41, 579.96, 579.61, 578.76, 578.18, 577.21, 577.13, 579.1, 578.25, 577.91, 576.89, 575.96, 576.8,
    577.68, 578.38, 578.52, 579.74, 579.31, 579.89, 579.96,
];

/// Means and standard errors of the coefficients, which are all that is diffuse, and ln p(y) at their means.
///
/// The diffuse likelihood is ln p(y | β) integrated over β: less by ½ ln det Xᵀ Σ⁻¹ X than that at the best
/// β.
fn regression(model: &Structural, values: &[f64], places: &[usize]) -> (Vec<f64>, Vec<f64>, f64) {
    let smoothed = smooth(model, &Series::univariate(values).unwrap());
    let covariance = smoothed.covariance(0).select_rows(places).select_columns(places);
    let ln_determinant = Cholesky::new(&covariance).unwrap().ln_determinant();
    let means = places.iter().map(|&place| smoothed.mean(0)[place]).collect();
    let errors = (0..places.len()).map(|i| covariance[(i, i)].sqrt()).collect();
    (means, errors, smoothed.ln_likelihood() - 0.5 * ln_determinant)
}

fn close(values: &[f64], printed: &[f64], last_digit: f64) {
    assert_eq!(values.len(), printed.len());
    for (value, printed) in values.iter().zip(printed) {
        assert!((value - printed).abs() < last_digit, "{value} {printed}");
    }
}

#[test]
fn luteinizing_hormone_has_the_likelihoods_of_the_manual() {
    for (ar, ma, variance, intercept, error, ln_likelihood) in [
        (&[0.5739][..], &[][..], 0.1975, 2.4133, 0.1466, -29.38),
        (&[0.6448, -0.0634, -0.2198], &[], 0.1787, 2.3931, 0.0963, -27.09),
        (&[0.4522], &[0.1982], 0.1923, 2.4101, 0.1358, -28.76),
    ] {
        let arma = SeriesComponent::arma(ar, ma, variance).unwrap();
        let model = Structural::new(vec![SeriesComponent::local_level(0.0).unwrap(), arma], 0.0).unwrap();
        let (means, errors, found) = regression(&model, &LH, &[0]);
        close(&means, &[intercept], 1e-4);
        // Those of the manual are from differences of the likelihood in all parameters.
        close(&errors, &[error], 1e-3);
        close(&[found], &[ln_likelihood], 0.0051);
    }
}

#[test]
fn lake_huron_has_the_regression_of_the_manual() {
    let inputs = DMatrix::from_fn(98, 2, |t, j| if j == 0 { 1.0 } else { t as f64 + 1875.0 - 1920.0 });
    let coefficients = SeriesComponent::regression(&inputs, 0.0).unwrap();
    let arma = SeriesComponent::arma(&[1.0048, -0.2913], &[], 0.4566).unwrap();
    let model = Structural::new(vec![coefficients, arma], 0.0).unwrap();
    let (means, errors, ln_likelihood) = regression(&model, &LAKE_HURON, &[0, 1]);
    // The coefficients of the autoregression are rounded to four digits, which moves the mean by as much.
    close(&means, &[579.0993, -0.0216], 2e-4);
    close(&errors, &[0.2370, 0.0081], 1e-3);
    close(&[ln_likelihood], &[-101.2], 0.051);
}

#[test]
fn the_variances_of_the_nile_are_learned() {
    let model: Structural = "local-level(1000) + noise(1000)".parse().unwrap();
    let data = [Series::univariate(series::NILE.values).unwrap()];
    let likelihood = MarginalTarget::new(&model, &data).unwrap();
    let fitted = fit(&likelihood, &MaximizeOptions::default(), &mut Silent).unwrap();
    let values: Vec<f64> = fitted.model.parameters.iter().map(|estimate| estimate.value).collect();
    // Durbin and Koopman (2012), section 2.10.3.
    assert!((values[0] / 1469.1 - 1.0).abs() < 1e-3, "{values:?}");
    assert!((values[1] / 15099.0 - 1.0).abs() < 1e-3, "{values:?}");
    assert_eq!(model.with_parameters(&values).unwrap().noise(), values[1]);
}
