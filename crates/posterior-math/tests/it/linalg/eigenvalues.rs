//! Eigenvalues of any matrices: where they are known, and by their traces.

use std::f64::consts::TAU;

use posterior_math::linalg::{DMatrix, Eigenvalue, MatrixError, eigenvalues, lyapunov};
use proptest::collection::vec;
use proptest::prelude::*;

/// The largest distance, when each expected value takes the nearest one that was found.
fn farthest(found: &[Eigenvalue], expected: &[(f64, f64)]) -> f64 {
    let mut left = found.to_vec();
    assert_eq!(left.len(), expected.len());
    let mut worst = 0.0_f64;
    for &(re, im) in expected {
        let distance = |value: &Eigenvalue| (value.re - re).hypot(value.im - im);
        let nearest = (0..left.len()).min_by(|&a, &b| distance(&left[a]).total_cmp(&distance(&left[b])));
        worst = worst.max(distance(&left.swap_remove(nearest.unwrap())));
    }
    worst
}

/// The matrix that moves everything by one place.
fn circle(n: usize) -> DMatrix<f64> {
    DMatrix::from_fn(n, n, |i, j| f64::from(u8::from((i + 1) % n == j)))
}

#[test]
fn permutations_have_roots_of_unity() {
    for n in [1, 2, 3, 4, 5, 8, 30, 75, 100] {
        let roots: Vec<(f64, f64)> = (0..n)
            .map(|k| {
                let (sin, cos) = (TAU * k as f64 / n as f64).sin_cos();
                (cos, sin)
            })
            .collect();
        for scale in [1.0, 1e300, 1e-300] {
            let mut found = eigenvalues(&(circle(n) * scale)).unwrap();
            for value in &mut found {
                (value.re, value.im) = (value.re / scale, value.im / scale);
            }
            assert!(farthest(&found, &roots) < 1e-13, "{n}");
        }
    }
}

#[test]
fn polynomials_have_their_roots() {
    // (s - 1)(s - 2)...(s - 6), constant first.
    let polynomial = [720.0, -1764.0, 1624.0, -735.0, 175.0, -21.0];
    let companion =
        DMatrix::from_fn(6, 6, |i, j| if j == 5 { -polynomial[i] } else { f64::from(u8::from(i == j + 1)) });
    let roots: Vec<(f64, f64)> = (1..7).map(|k| (f64::from(k), 0.0)).collect();
    assert!(farthest(&eigenvalues(&companion).unwrap(), &roots) < 1e-10);
    // A defective one: the third root of the rounding.
    let jordan = DMatrix::from_row_slice(3, 3, &[2.0, 1.0, 0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 2.0]);
    assert!(farthest(&eigenvalues(&jordan).unwrap(), &[(2.0, 0.0); 3]) < 1e-4);
}

#[test]
fn what_has_no_eigenvalues_is_refused() {
    assert!(eigenvalues(&DMatrix::zeros(0, 0)).unwrap().is_empty());
    assert_eq!(eigenvalues(&DMatrix::zeros(2, 2)).unwrap(), [Eigenvalue::real(0.0); 2]);
    let error = eigenvalues(&DMatrix::zeros(2, 3)).unwrap_err();
    assert_eq!(error, MatrixError::NotSquare { rows: 2, columns: 3 });
    // Of the second the larger eigenvalue is twice the largest number.
    for entry in [f64::NAN, f64::MAX] {
        assert_eq!(eigenvalues(&DMatrix::from_element(2, 2, entry)).unwrap_err(), MatrixError::NotFinite);
    }
}

/// F = s C - I with the circle C: at small s the iteration for a Schur form stands still, if it starts from F
/// itself.
#[test]
fn a_damped_circle_has_a_stationary_covariance() {
    for n in [2, 5, 9, 30] {
        for weight in [0.5, 1e-8, 1e-10, 1e-12] {
            let drift = circle(n) * weight - DMatrix::identity(n, n);
            let covariance = lyapunov(&drift, &DMatrix::identity(n, n)).unwrap();
            let residual = &drift * &covariance + &covariance * drift.transpose() + DMatrix::identity(n, n);
            assert!(residual.amax() < 1e-14, "{n}, {weight}: {residual}");
        }
    }
}

/// Zeros, ones, and what is nearly so: the matrices at which iterations stand still.
fn nearly_a_permutation() -> impl Strategy<Value = DMatrix<f64>> {
    let entry = prop_oneof![5 => Just(0.0), 3 => Just(1.0), 1 => Just(1e-12), 1 => -1.0..1.0_f64];
    (1_usize..9)
        .prop_flat_map(move |n| vec(entry.clone(), n * n).prop_map(move |all| DMatrix::from_vec(n, n, all)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn powers_have_their_traces(a in nearly_a_permutation()) {
        let values = eigenvalues(&a).unwrap();
        let mut power = a.clone();
        let mut powers: Vec<(f64, f64)> = values.iter().map(|value| (value.re, value.im)).collect();
        for k in 1..5 {
            let (re, im) = powers.iter().fold((0.0, 0.0), |sum, power| (sum.0 + power.0, sum.1 + power.1));
            let bound = 1e-12 * a.norm().powi(k);
            prop_assert!((re - power.trace()).abs() <= bound && im.abs() <= bound, "power {}: {} {}", k, re, im);
            power *= &a;
            for (power, value) in powers.iter_mut().zip(&values) {
                *power = (power.0 * value.re - power.1 * value.im, power.0 * value.im + power.1 * value.re);
            }
        }
    }
}
