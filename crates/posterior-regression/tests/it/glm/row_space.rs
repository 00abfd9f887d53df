//! More columns than rows: the same posterior in the coordinates of the rows.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_math::linalg::DMatrix;
use posterior_regression::glm::{
    CoefficientPrior, Family, Glm, GlmData, GlmFitOptions, GlmPosterior, Predictor, RowSpace,
};

/// Numbers without a pattern.
fn design(rows: usize, columns: usize, shift: f64) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns, |i, j| (1.7 * i as f64 + 2.3 * j as f64 + shift + (i * j) as f64).sin())
}

fn posterior(family: Family, design: &DMatrix<f64>, y: &[f64], sd: f64) -> GlmPosterior {
    let with_intercept = design.clone().insert_column(0, 1.0);
    let mut sds = vec![sd; with_intercept.ncols()];
    sds[0] = 10.0;
    let prior = CoefficientPrior::diagonal(vec![0.0; sds.len()], &sds).unwrap();
    let rows = GlmData::new(&with_intercept, y).unwrap();
    let found = Glm::new(family, rows)
        .unwrap()
        .with_prior(prior)
        .unwrap()
        .laplace(&GlmFitOptions::default())
        .unwrap();
    assert!(found.report.converged());
    found
}

#[track_caller]
fn close(left: f64, right: f64) {
    assert!((left - right).abs() < 1e-8 * right.abs().max(1.0), "{left} is not {right}");
}

/// The evidence, predictions of old and new rows, and every coefficient: by p columns and by n + 1.
#[test]
fn the_same_posterior_as_by_all_columns() {
    for (rows, columns) in [(9, 10), (9, 12), (12, 40), (1, 3)] {
        for family in [Family::Logit, Family::Poisson] {
            for sd in [0.3, 2.5] {
                let (x, new) = (design(rows, columns, 0.0), design(4, columns, 0.6));
                let y: Vec<f64> = (0..rows)
                    .map(|i| if family == Family::Poisson { (i * 5 % 7) as f64 } else { (i % 3 % 2) as f64 })
                    .collect();
                let space = RowSpace::of(&x).unwrap();
                assert_eq!(space.dimension(), rows + 1);
                let all = posterior(family, &x, &y, sd);
                let few = posterior(family, &space.coordinates(&x).unwrap(), &y, sd);
                close(few.ln_evidence, all.ln_evidence);
                for rows in [&x, &new] {
                    let primal =
                        Predictor::of_rows(&all.distribution, &rows.clone().insert_column(0, 1.0)).unwrap();
                    let coordinates = space.coordinates(rows).unwrap().insert_column(0, 1.0);
                    for (dual, primal) in
                        Predictor::of_rows(&few.distribution, &coordinates).unwrap().iter().zip(&primal)
                    {
                        close(dual.mean, primal.mean);
                        close(dual.variance, primal.variance);
                    }
                }
                let (covariance, reduced) =
                    (all.distribution.cholesky().reconstruct(), few.distribution.cholesky().reconstruct());
                for column in 0..columns {
                    let mut own = space.of_coefficient(column);
                    own.insert(0, 0.0);
                    let own = DMatrix::from_vec(own.len(), 1, own);
                    close(
                        (own.transpose() * few.distribution.mean())[0],
                        all.distribution.mean()[column + 1],
                    );
                    close((own.transpose() * &reduced * &own)[0], covariance[(column + 1, column + 1)]);
                }
            }
        }
    }
}

/// Rows that say the same twice, or nothing, span fewer directions: the basis is orthonormal all the same.
#[test]
fn rows_that_depend_on_each_other() {
    let mut x = design(5, 8, 0.0);
    x.set_row(3, &(2.0 * x.row(1)));
    x.row_mut(4).fill(0.0);
    let y = [0.0, 1.0, 1.0, 0.0, 1.0];
    let space = RowSpace::of(&x).unwrap();
    let (all, few) = (
        posterior(Family::Logit, &x, &y, 1.0),
        posterior(Family::Logit, &space.coordinates(&x).unwrap(), &y, 1.0),
    );
    close(few.ln_evidence, all.ln_evidence);
}

#[test]
fn refuses_what_cannot_be() {
    assert!(RowSpace::of(&design(4, 4, 0.0)).unwrap_err().to_string().contains("more than rows"));
    assert!(RowSpace::of(&DMatrix::from_element(1, 2, f64::NAN)).is_err());
    let space = RowSpace::of(&design(2, 4, 0.0)).unwrap();
    assert!(space.coordinates(&design(1, 3, 0.0)).is_err());
}
