//! and, or, xor.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_regression::Error;
use posterior_regression::glm::{CoefficientPrior, Family, Glm, GlmData, GlmFitOptions};
use posterior_regression::truth_table::{INPUTS, TruthTable, TruthTableBayes};

#[test]
fn a_line_needs_the_strict_rule() {
    // -2 + 2 x₁ + x₂ is -2, -1, 0, 1: "and" with > 0, and x₁ with ≥ 0.
    let values = INPUTS.map(|[x1, x2]| -2.0 + 2.0 * x1 + x2);
    assert_eq!(values, [-2.0, -1.0, 0.0, 1.0]);
    assert_eq!(TruthTable::of_line([-2.0, 2.0, 1.0]), TruthTable::AND);
}

#[test]
fn fourteen_of_sixteen_functions_have_a_line_and_all_have_one_with_the_product() {
    let mut separable = 0;
    for table in TruthTable::all() {
        if let Some(line) = table.separating_line() {
            assert_eq!(TruthTable::of_line(line), table);
            separable += 1;
        } else {
            let complement = TruthTable(TruthTable::XOR.0.map(|value| !value));
            assert!(table == TruthTable::XOR || table == complement);
        }
        let weights = table.separating_line_with_product().unwrap();
        for (x, value) in INPUTS.iter().zip(table.0) {
            let f = weights[0] + weights[1] * x[0] + weights[2] * x[1] + weights[3] * x[0] * x[1];
            assert_eq!(f > 0.0, value);
        }
    }
    assert_eq!(separable, 14);
}

#[test]
fn naive_bayes_cannot_say_xor() {
    let close = |table, expected: [f64; 4]| {
        for (p, e) in TruthTableBayes::of(table).probabilities().into_iter().zip(expected) {
            assert!((p - e).abs() < 1e-15, "{p} {e}");
        }
    };
    close(TruthTable::XOR, [0.5; 4]);
    close(TruthTable::AND, [0.0, 0.0, 0.0, 0.75]);
    close(TruthTable::OR, [0.25, 1.0, 1.0, 1.0]);
    // Functions that never change.
    close(TruthTable([true; 4]), [1.0; 4]);
    close(TruthTable([false; 4]), [0.0; 4]);
}

#[test]
fn tables_reproduce_every_function() {
    for table in TruthTable::all() {
        for (row, value) in table.joint().iter().zip(table.0) {
            assert_eq!(row[1] / (row[0] + row[1]), f64::from(u8::from(value)));
        }
        assert_eq!(table.joint().iter().flatten().sum::<f64>(), 1.0);
    }
}

#[test]
fn a_logistic_line_is_flat_on_xor_and_separates_with_the_product() {
    let y = TruthTable::XOR.responses();
    let plain = DMatrix::from_fn(4, 3, |i, j| if j == 0 { 1.0 } else { INPUTS[i][j - 1] });
    let model = Glm::new(Family::Logit, GlmData::new(&plain, &y).unwrap()).unwrap();
    let fitted = model.fit(&GlmFitOptions::default(), &mut Silent).unwrap().model;
    assert!(fitted.coefficients.iter().all(|coefficient| coefficient.abs() < 1e-14));
    let product = DMatrix::from_fn(4, 4, |i, j| match j {
        0 => 1.0,
        3 => INPUTS[i][0] * INPUTS[i][1],
        _ => INPUTS[i][j - 1],
    });
    let model = Glm::new(Family::Logit, GlmData::new(&product, &y).unwrap()).unwrap();
    let outcome = model.fit(&GlmFitOptions::default(), &mut Silent);
    assert!(matches!(outcome, Err(Error::Separated { complete: true, rows: 4, .. })), "{outcome:?}");
    let model = model.with_prior(CoefficientPrior::isotropic(4, 10.0).unwrap()).unwrap();
    let fitted = model.fit(&GlmFitOptions::default(), &mut Silent).unwrap().model;
    for (predictor, y) in model.data().predictors(&fitted.coefficients).into_iter().zip(y) {
        assert_eq!(predictor > 0.0, y == 1.0);
    }
}
