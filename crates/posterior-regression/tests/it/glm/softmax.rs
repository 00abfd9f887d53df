//! Several classes.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_regression::Error;
use posterior_regression::glm::{CoefficientPrior, Family, Glm, GlmData, GlmFitOptions, SoftmaxRegression};

use super::data::{Table, with_intercept};

/// Wines in three classes of quality: figures of statsmodels 0.15.0, `MNLogit`, one column for each class.
const WINE: [f64; 6] = [
    -7.495499456077715,
    0.877954567584132,
    -3.0223005623117896,
    -14.725849014167991,
    1.5832670819439767,
    -6.7043771119816515,
];
const WINE_ERRORS: [f64; 6] = [
    0.7459359438586245,
    0.07109698934180961,
    0.36089522904674265,
    1.0976309210464312,
    0.09916743047181456,
    0.6449549734192482,
];

#[test]
fn wines_have_the_figures_of_another_program() {
    let Some(table) = Table::shared("wines", "data/tabular/uci_wine_quality_red.csv") else { return };
    let design = with_intercept(&["alcohol", "volatile_acidity"].map(|name| table.column(name)));
    let labels: Vec<usize> = table
        .column("quality")
        .iter()
        .map(|quality| match *quality {
            q if q <= 5.0 => 0,
            6.0 => 1,
            _ => 2,
        })
        .collect();
    let model = SoftmaxRegression::new(&design, &labels, 3).unwrap();
    let fitted = model.fit(&GlmFitOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.converged());
    let fit = fitted.model;
    assert!((fit.ln_likelihood - -1287.997984742423).abs() < 1e-9);
    for i in 0..6 {
        let coefficient = fit.coefficients.as_slice()[i];
        assert!((coefficient / WINE[i] - 1.0).abs() < 1e-8, "{coefficient} {}", WINE[i]);
        let error = fit.covariance[(i, i)].sqrt();
        assert!((error / WINE_ERRORS[i] - 1.0).abs() < 1e-8, "{error} {}", WINE_ERRORS[i]);
    }
    assert!(fit.probabilities(&DMatrix::from_element(1, design.ncols(), f64::NAN)).is_err());
    let probabilities = fit.probabilities(&design).unwrap();
    // The score of the intercepts: expected counts are the counts.
    for class in 0..3 {
        let count = labels.iter().filter(|label| **label == class).count() as f64;
        assert!((probabilities.column(class).sum() / count - 1.0).abs() < 1e-10);
    }
}

#[test]
fn two_classes_are_logistic_regression() {
    let design = DMatrix::from_fn(7, 2, |i, j| if j == 0 { 1.0 } else { i as f64 - 3.0 });
    let labels = [0, 0, 1, 0, 1, 0, 1];
    let y = labels.map(|label| label as f64);
    let prior = CoefficientPrior::diagonal(vec![0.1, 0.0], &[f64::INFINITY, 0.8]).unwrap();
    for prior in [prior, CoefficientPrior::flat(2)] {
        let softmax = SoftmaxRegression::new(&design, &labels, 2).unwrap().with_prior(prior.clone()).unwrap();
        let softmax = softmax.fit(&GlmFitOptions::default(), &mut Silent).unwrap().model;
        let logit = Glm::new(Family::Logit, GlmData::new(&design, &y).unwrap()).unwrap();
        let logit =
            logit.with_prior(prior).unwrap().fit(&GlmFitOptions::default(), &mut Silent).unwrap().model;
        for j in 0..2 {
            assert!((softmax.coefficients[(j, 0)] - logit.coefficients[j]).abs() < 1e-12);
        }
        assert!((&softmax.covariance - &logit.covariance).amax() < 1e-12);
    }
}

#[test]
fn separated_classes_and_bad_labels_are_refused() {
    let design = DMatrix::from_fn(6, 2, |i, j| if j == 0 { 1.0 } else { i as f64 });
    let model = SoftmaxRegression::new(&design, &[0, 0, 1, 1, 2, 2], 3).unwrap();
    let outcome = model.fit(&GlmFitOptions::default(), &mut Silent);
    assert!(matches!(outcome, Err(Error::Separated { .. })), "{outcome:?}");
    let model = model.with_prior(CoefficientPrior::isotropic(2, 3.0).unwrap()).unwrap();
    assert!(model.fit(&GlmFitOptions::default(), &mut Silent).unwrap().report.converged());
    assert!(matches!(
        SoftmaxRegression::new(&design, &[0, 1, 2, 3, 0, 1], 3),
        Err(Error::Observation { row: 3, .. })
    ));
    assert!(SoftmaxRegression::new(&design, &[0; 6], 1).is_err());
    assert!(SoftmaxRegression::new(&design, &[0; 5], 2).is_err());
    // A class that never occurs.
    let outcome = SoftmaxRegression::new(&design, &[0, 1, 1, 0, 1, 0], 3)
        .unwrap()
        .fit(&GlmFitOptions::default(), &mut Silent);
    assert!(matches!(outcome, Err(Error::Separated { .. })), "{outcome:?}");
}
