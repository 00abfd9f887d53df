//! Responses that are separated.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_regression::Error;
use posterior_regression::glm::{CoefficientPrior, Family, Glm, GlmData, GlmFitOptions};

const BINOMIAL: [Family; 3] = [Family::Logit, Family::Probit, Family::ComplementaryLogLog];

fn line(x: &[f64]) -> DMatrix<f64> {
    DMatrix::from_fn(x.len(), 2, |i, j| if j == 0 { 1.0 } else { x[i] })
}

fn fit(family: Family, design: &DMatrix<f64>, y: &[f64]) -> Result<Vec<f64>, Error> {
    let data = GlmData::new(design, y)?.with_names(
        (0..design.ncols()).map(|j| if j == 0 { "intercept".to_owned() } else { format!("input {j}") }),
    )?;
    Ok(Glm::new(family, data)?.fit(&GlmFitOptions::default(), &mut Silent)?.model.coefficients)
}

#[test]
fn complete_separation_is_named() {
    let design = line(&[-3.0, -1.0, 0.5, 2.0, 4.0]);
    for family in BINOMIAL {
        match fit(family, &design, &[0.0, 0.0, 0.0, 1.0, 1.0]) {
            Err(Error::Separated { column, complete, rows, direction }) => {
                assert_eq!((column.as_str(), complete, rows), ("input 1", true, 5), "{family:?}");
                // It does separate.
                let at = |x: f64| direction[0] + direction[1] * x;
                assert!(at(0.5) < 0.0 && at(2.0) > 0.0);
            }
            other => panic!("{family:?}: {other:?}"),
        }
    }
}

#[test]
fn quasi_complete_separation_is_named() {
    // One input is 1 for successes only; the other overlaps.
    let x = [-2.0, -1.0, 0.0, 1.0, 2.0, 0.5, -0.5, 1.5];
    let flag = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
    let y = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0];
    let design = DMatrix::from_fn(8, 3, |i, j| [1.0, x[i], flag[i]][j]);
    for family in BINOMIAL {
        match fit(family, &design, &y) {
            Err(Error::Separated { column, complete, rows, .. }) => {
                assert_eq!((column.as_str(), complete, rows), ("input 2", false, 3), "{family:?}");
            }
            other => panic!("{family:?}: {other:?}"),
        }
    }
}

#[test]
fn all_responses_alike_separate_by_the_intercept() {
    let design = line(&[-1.0, 0.0, 2.0, 3.0]);
    for family in BINOMIAL {
        for y in [0.0, 1.0] {
            let outcome = fit(family, &design, &[y; 4]);
            assert!(
                matches!(outcome, Err(Error::Separated { complete: true, .. })),
                "{family:?}: {outcome:?}"
            );
        }
    }
    let outcome = fit(Family::Poisson, &design, &[0.0; 4]);
    assert!(matches!(outcome, Err(Error::Separated { complete: true, .. })), "{outcome:?}");
}

#[test]
fn counts_of_zero_in_a_group_separate_quasi_completely() {
    let design = DMatrix::from_fn(6, 2, |i, j| if j == 0 { 1.0 } else { f64::from(u8::from(i >= 3)) });
    for family in [Family::Poisson, Family::negative_binomial(2.0).unwrap()] {
        match fit(family, &design, &[3.0, 1.0, 4.0, 0.0, 0.0, 0.0]) {
            Err(Error::Separated { column, complete, rows, direction }) => {
                assert_eq!((column.as_str(), complete, rows), ("input 1", false, 3));
                assert!(direction[1] < 0.0);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn one_row_on_the_wrong_side_is_enough_for_a_fit() {
    // Nearly separated: coefficients are large, and finite.
    let design = line(&[-3.0, -2.0, -1.0, -0.9, 1.0, 2.0, 3.0]);
    let y = [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0];
    for family in BINOMIAL {
        let coefficients = fit(family, &design, &y).unwrap();
        assert!(coefficients[1] > 0.1 && coefficients[1] < 50.0, "{family:?} {coefficients:?}");
    }
}

#[test]
fn a_proper_prior_cures_separation() {
    let x = [-3.0, -1.0, 0.5, 2.0, 4.0];
    let design = line(&x);
    let y = [0.0, 0.0, 0.0, 1.0, 1.0];
    for family in BINOMIAL {
        let data = GlmData::new(&design, &y).unwrap();
        let prior = CoefficientPrior::isotropic(2, 10.0).unwrap();
        let model = Glm::new(family, data).unwrap().with_prior(prior).unwrap();
        let fitted = model.fit(&GlmFitOptions::default(), &mut Silent).unwrap();
        assert!(fitted.report.converged(), "{family:?}");
        // A free intercept is held by the slope.
        let data = GlmData::new(&design, &y).unwrap();
        let prior = CoefficientPrior::shrinking(&data, 1.0).unwrap();
        let model = Glm::new(family, data).unwrap().with_prior(prior).unwrap();
        assert!(model.fit(&GlmFitOptions::default(), &mut Silent).unwrap().report.converged(), "{family:?}");
    }
    // But not if all are alike.
    let alike = [1.0; 5];
    let data = GlmData::new(&design, &alike).unwrap();
    let prior = CoefficientPrior::shrinking(&data, 1.0).unwrap();
    let model = Glm::new(Family::Logit, data).unwrap().with_prior(prior).unwrap();
    let outcome = model.fit(&GlmFitOptions::default(), &mut Silent);
    assert!(matches!(outcome, Err(Error::Separated { .. })), "{outcome:?}");
}
