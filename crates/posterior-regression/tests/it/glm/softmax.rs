//! Several classes.

use posterior_dist::target::GradTarget;
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

/// Rows of three classes, with a weight each.
const INPUTS: [f64; 7] = [-1.2, 0.4, 0.9, -0.3, 2.0, 1.1, -2.0];
const LABELS: [usize; 7] = [0, 1, 2, 1, 0, 2, 0];
const COUNTS: [usize; 7] = [1, 3, 2, 0, 1, 2, 4];

fn design(rows: impl Iterator<Item = usize>) -> DMatrix<f64> {
    let rows: Vec<f64> = rows.map(|row| INPUTS[row]).collect();
    DMatrix::from_fn(rows.len(), 2, |i, j| if j == 0 { 1.0 } else { rows[i] })
}

#[test]
fn a_weight_is_a_number_of_rows() {
    let repeated = || (0..7).flat_map(|row| std::iter::repeat_n(row, COUNTS[row]));
    let (weights, weighted, long) = (COUNTS.map(|count| count as f64), design(0..7), design(repeated()));
    let labels: Vec<usize> = repeated().map(|row| LABELS[row]).collect();
    let prior = || CoefficientPrior::isotropic(2, 1.5).unwrap();
    let fit = |model: SoftmaxRegression<'_>| {
        let model = model.with_prior(prior()).unwrap();
        model.fit(&GlmFitOptions::default(), &mut Silent).unwrap().model
    };
    let ours = fit(SoftmaxRegression::new(&weighted, &LABELS, 3).unwrap().with_weights(&weights).unwrap());
    let theirs = fit(SoftmaxRegression::new(&long, &labels, 3).unwrap());
    assert!((&ours.coefficients - &theirs.coefficients).amax() < 1e-12);
    assert!((&ours.covariance - &theirs.covariance).amax() < 1e-12);
    assert!((ours.ln_likelihood - theirs.ln_likelihood).abs() < 1e-12);
    assert!((ours.ln_evidence.unwrap() - theirs.ln_evidence.unwrap()).abs() < 1e-12);
}

#[test]
fn an_offset_that_is_linear_moves_the_coefficients() {
    let design = design(0..7);
    let shift = DMatrix::from_row_slice(2, 2, &[0.3, -1.0, 0.7, 0.2]);
    let offset = &design * &shift;
    let plain = SoftmaxRegression::new(&design, &LABELS, 3).unwrap();
    let alone = plain.fit(&GlmFitOptions::default(), &mut Silent).unwrap().model;
    let moved = plain.clone().with_offset(&offset).unwrap();
    let moved = moved.fit(&GlmFitOptions::default(), &mut Silent).unwrap().model;
    assert!((&moved.coefficients + &shift - &alone.coefficients).amax() < 1e-10);
    assert!((moved.ln_likelihood - alone.ln_likelihood).abs() < 1e-12);
    assert_eq!(moved.ln_evidence, None);
    assert!(plain.clone().with_offset(&DMatrix::zeros(7, 1)).is_err());
    assert!(plain.clone().with_weights(&[1.0; 6]).is_err());
    assert!(plain.with_weights(&[-1.0; 7]).is_err());
}

#[test]
fn the_evidence_of_two_classes_is_that_of_logistic_regression() {
    let design = design(0..7);
    let labels = LABELS.map(|label| label.min(1));
    let y = labels.map(|label| label as f64);
    let (weights, offset) = (COUNTS.map(|count| count as f64), INPUTS.map(|x| 0.5 * x * x));
    let prior = || CoefficientPrior::diagonal(vec![0.5, -0.2], &[1.0, 2.0]).unwrap();
    let one = DMatrix::from_column_slice(7, 1, &offset);
    let softmax = SoftmaxRegression::new(&design, &labels, 2).unwrap().with_prior(prior()).unwrap();
    let softmax = softmax.with_weights(&weights).unwrap().with_offset(&one).unwrap();
    let softmax = softmax.fit(&GlmFitOptions::default(), &mut Silent).unwrap().model;
    let data =
        GlmData::new(&design, &y).unwrap().with_offset(&offset).unwrap().with_weights(&weights).unwrap();
    let glm = Glm::new(Family::Logit, data).unwrap().with_prior(prior()).unwrap();
    let laplace = glm.laplace(&GlmFitOptions::default()).unwrap();
    assert!((softmax.ln_evidence.unwrap() - laplace.ln_evidence).abs() < 1e-11);
    assert!((softmax.coefficients.column(0) - laplace.distribution.mean()).amax() < 1e-11);
}

#[test]
fn the_density_of_two_classes_is_that_of_logistic_regression() {
    let design = DMatrix::from_fn(9, 2, |row, column| if column == 0 { 1.0 } else { (row as f64).sin() });
    let labels: Vec<usize> = (0..9).map(|row| usize::from(row % 4 == 1 || row > 6)).collect();
    let weights: Vec<f64> = (0..9).map(|row| f64::from(row % 3)).collect();
    let y: Vec<f64> = labels.iter().map(|&label| label as f64).collect();
    let prior = CoefficientPrior::diagonal(vec![0.5, -1.0], &[2.0, 0.7]).unwrap();
    let classes = SoftmaxRegression::new(&design, &labels, 2).unwrap().with_prior(prior.clone()).unwrap();
    let classes = classes.with_weights(&weights).unwrap();
    let logistic =
        Glm::new(Family::Logit, GlmData::new(&design, &y).unwrap().with_weights(&weights).unwrap()).unwrap();
    let logistic = logistic.with_prior(prior).unwrap();
    for point in [[0.0, 0.0], [1.5, -2.0], [-30.0, 40.0]] {
        let (mut ours, mut expected) = ([0.0; 2], [0.0; 2]);
        let value = classes.target().unwrap().ln_density_grad(&point, &mut ours).unwrap();
        let other = logistic.ln_density_grad(&point, &mut expected).unwrap();
        assert!((value - other).abs() <= 1e-12 * other.abs(), "{point:?}: {value} {other}");
        for (a, b) in ours.iter().zip(expected) {
            assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "{point:?}: {ours:?} {expected:?}");
        }
    }
}
