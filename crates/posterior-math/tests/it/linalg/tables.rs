//! Against the tables `linalg_spd` and `linalg_lowrank`.

use posterior_math::linalg::{Cholesky, DMatrix, DVector, MatrixError};
use posterior_testkit::accuracy::Worst;
use posterior_testkit::reference::{list, load, number, numbers, rows};
use serde_json::Value;

use super::matrices::from_rows;

/// A lower triangle by its rows of growing length.
fn lower(value: &Value) -> DMatrix<f64> {
    let rows = rows(value);
    DMatrix::from_fn(rows.len(), rows.len(), |i, j| rows[i].get(j).copied().unwrap_or(0.0))
}

/// The condition that bounds the errors: that of the matrix scaled to a unit diagonal, which is what Cholesky
/// feels.
fn scaled_condition(a: &DMatrix<f64>) -> f64 {
    let scale = a.diagonal().map(|x| 1.0 / x.sqrt());
    let scaled = DMatrix::from_fn(a.nrows(), a.ncols(), |i, j| a[(i, j)] * scale[i] * scale[j]);
    let values = scaled.symmetric_eigenvalues();
    values.max() / values.min().max(f64::EPSILON * f64::EPSILON)
}

/// The largest error of D x, D = √diag(A), in units of its norm and of ε κ(D⁻¹ A D⁻¹).
fn see_vector(worst: &mut Worst, a: &DMatrix<f64>, actual: &[f64], expected: &[f64], name: &str) {
    let scale = a.diagonal().map(f64::sqrt);
    let norm = expected.iter().zip(scale.iter()).map(|(x, s)| (x * s).powi(2)).sum::<f64>().sqrt();
    let unit = f64::EPSILON * scaled_condition(a);
    for (i, (x, y)) in actual.iter().zip(expected).enumerate() {
        worst.see_conditioned(1.0 + (x - y) * scale[i] / norm / unit, 1.0, 0.0, &(name, i));
    }
}

#[test]
fn cholesky_meets_the_table_of_positive_definite_matrices() {
    let table = load("linalg_spd");
    let mut factors = Worst::of("factor, in units of ε κ");
    let mut solutions = Worst::of("solve, in units of ε κ");
    let mut determinants = Worst::of("ln determinant, in units of ε κ");
    let mut diagonals = Worst::of("inverse diagonal, in units of ε κ");
    let mut forms = Worst::of("quadratic form, in units of ε κ");
    for case in list(&table["cases"]) {
        let name = case["name"].as_str().unwrap();
        let a = from_rows(&rows(&case["a"]));
        let unit = f64::EPSILON * scaled_condition(&a);
        let factor = Cholesky::new(&a).unwrap();

        // Row i of L has the length √aᵢᵢ.
        let expected = lower(&case["cholesky"]);
        for i in 0..a.nrows() {
            for j in 0..=i {
                let error = (factor.factor()[(i, j)] - expected[(i, j)]) / a[(i, i)].sqrt();
                factors.see(1.0 + error / unit, 1.0, &(name, i, j));
            }
        }
        determinants.see(
            1.0 + (factor.ln_determinant() - number(&case["logdet"]))
                / unit
                / number(&case["logdet"]).abs().max(1.0),
            1.0,
            &name,
        );

        let b = DVector::from_vec(numbers(&case["b"]));
        see_vector(&mut solutions, &a, factor.solve_vector(&b).as_slice(), &numbers(&case["solve"]), name);
        let several = factor.solve(&from_rows(&rows(&case["b_matrix"])));
        let expected = from_rows(&rows(&case["solve_matrix"]));
        for (x, y) in several.column_iter().zip(expected.column_iter()) {
            see_vector(
                &mut solutions,
                &a,
                &x.iter().copied().collect::<Vec<_>>(),
                &y.iter().copied().collect::<Vec<_>>(),
                name,
            );
        }
        let form = number(&case["quadratic_form"]);
        forms.see(1.0 + (factor.quadratic_form(&b) - form) / form / unit, 1.0, &name);
        for (i, expected) in numbers(&case["inverse_diagonal"]).into_iter().enumerate() {
            for actual in [factor.inverse_diagonal()[i], factor.inverse()[(i, i)]] {
                diagonals.see(1.0 + (actual - expected) / expected / unit, 1.0, &(name, i));
            }
        }
    }
    for worst in [factors, solutions, determinants, diagonals, forms] {
        worst.assert_at_most(2.0);
    }
}

#[test]
fn matrices_that_are_not_positive_definite_are_refused() {
    let table = load("linalg_lowrank");
    let cases = list(&table["not_positive_definite"]);
    assert!(!cases.is_empty());
    for case in cases {
        let a = from_rows(&rows(&case["a"]));
        let Err(MatrixError::NotPositiveDefinite { pivot, value }) = Cholesky::new(&a) else {
            panic!("{a} was taken");
        };
        let leading = |size: usize| a.view((0, 0), (size, size)).determinant();
        assert!(value <= 0.0);
        assert!((value * leading(pivot) - leading(pivot + 1)).abs() <= 1e-15, "pivot {pivot} is {value}");
    }
}

#[test]
fn updates_meet_their_table() {
    let table = load("linalg_lowrank");
    let mut worst = Worst::of("rank-one update and downdate");
    for case in list(&table["rank_one"]) {
        let a = Cholesky::new(&from_rows(&rows(&case["a"]))).unwrap();
        let mut see = |factor: &Cholesky, name: &str| {
            let expected = lower(&case[&format!("{name}_cholesky")]);
            for i in 0..expected.nrows() {
                let length = expected.row(i).norm();
                for j in 0..=i {
                    let error = (factor.factor()[(i, j)] - expected[(i, j)]) / length;
                    worst.see(1.0 + error, 1.0, &(name, i, j));
                }
            }
            worst.see(1.0 + factor.ln_determinant(), 1.0 + number(&case[&format!("{name}_logdet")]), &name);
        };
        let mut updated = a.clone();
        updated.rank_one_update(&DVector::from_vec(numbers(&case["v"]))).unwrap();
        see(&updated, "updated");
        let mut downdated = a.clone();
        downdated.rank_one_downdate(&DVector::from_vec(numbers(&case["w"]))).unwrap();
        see(&downdated, "downdated");
    }
    worst.assert_at_most(1e-14);
}
