//! Gram matrices: of tiles, symmetric, positive semidefinite.

use posterior_gp::Kernel;
use posterior_math::linalg::{DMatrix, SymmetricEigen};
use proptest::prelude::*;

use super::any_kernel::{every_kernel, every_kernel_of, expression, inputs, rows};

/// That all ways to k agree.
pub(super) fn tiles_are_values(
    kernel: &Kernel,
    x: &DMatrix<f64>,
    others: &DMatrix<f64>,
) -> Result<(), TestCaseError> {
    kernel.check(x).unwrap();
    let (gram, cross, diagonal) = (kernel.gram(x), kernel.cross(x, others), kernel.diagonal(x));
    let mut lower = DMatrix::from_element(x.nrows(), x.nrows(), f64::NAN);
    kernel.fill_lower_gram(x, &mut lower);
    let (x, others) = (rows(x), rows(others));
    let scale = diagonal.amax();
    for (i, left) in x.iter().enumerate() {
        let own = kernel.value(left, left);
        prop_assert!((diagonal[i] - own).abs() <= 1e-15 * scale, "{} {} {}", kernel, diagonal[i], own);
        for (j, right) in x.iter().enumerate() {
            let value = kernel.value(left, right);
            prop_assert!(
                (gram[(i, j)] - value).abs() <= 1e-14 * scale,
                "{} {} {}",
                kernel,
                gram[(i, j)],
                value
            );
            prop_assert_eq!(gram[(i, j)], gram[(j, i)]);
            if j <= i {
                prop_assert_eq!(gram[(i, j)], lower[(i, j)]);
            }
        }
        for (j, right) in others.iter().enumerate() {
            let (value, tile) = (kernel.value(left, right), cross[(i, j)]);
            prop_assert!(
                (tile - value).abs() <= 1e-14 * scale.max(value.abs()),
                "{} {} {}",
                kernel,
                tile,
                value
            );
        }
    }
    Ok(())
}

pub(super) fn is_positive_semidefinite(kernel: &Kernel, x: &DMatrix<f64>) -> Result<(), TestCaseError> {
    let gram = kernel.gram(x);
    let eigenvalues = SymmetricEigen::new(&gram).unwrap();
    let smallest = eigenvalues.values().iter().copied().fold(f64::INFINITY, f64::min);
    // Half of it for the solver, whose error is in proportion to the trace, and half for the entries, which
    // are rounded before it sees them.
    let bound = 8.0 * f64::EPSILON * x.nrows() as f64 * gram.diagonal().max();
    prop_assert!(smallest >= -bound, "{}: {} below {}", kernel, smallest, -bound);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn tiles_are_values_for_every_kernel(
        x in inputs(7, 1),
        y in inputs(3, 1),
        parameters in prop::array::uniform3(0.3..3.0_f64),
    ) {
        for kernel in every_kernel(parameters) {
            tiles_are_values(&kernel, &x, &y)?;
        }
    }

    #[test]
    fn tiles_are_values_in_more_dimensions(
        x in inputs(6, 3),
        y in inputs(3, 3),
        parameters in prop::array::uniform3(0.3..3.0_f64),
    ) {
        for kernel in every_kernel_of(3, parameters) {
            tiles_are_values(&(kernel.on(&[2, 0, 1]).unwrap() * Kernel::rbf(2.0).unwrap()), &x, &y)?;
        }
    }

    #[test]
    fn every_kernel_is_positive_semidefinite(
        x in inputs(14, 1),
        z in inputs(14, 3),
        parameters in prop::array::uniform3(0.3..3.0_f64),
    ) {
        for kernel in every_kernel(parameters) {
            is_positive_semidefinite(&kernel, &x)?;
        }
        for kernel in every_kernel_of(3, parameters) {
            is_positive_semidefinite(&kernel, &z)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn expressions_are_positive_semidefinite_and_made_of_tiles(
        kernel in expression(),
        x in inputs(10, 1),
        y in inputs(3, 1),
    ) {
        is_positive_semidefinite(&kernel, &x)?;
        tiles_are_values(&kernel, &x, &y)?;
    }
}

/// Sizes around the edges of tiles.
#[test]
fn matrices_of_all_sizes() {
    let kernel: Kernel = "2*rbf([1, 3])*matern32(2) + linear()".parse().unwrap();
    for n in [0, 1, 2, 47, 48, 49, 97] {
        let x = DMatrix::from_fn(n, 2, |i, j| (i as f64 * 0.37 + j as f64).sin());
        let y = DMatrix::from_fn(n / 2, 2, |i, j| (i as f64 * 0.71 - j as f64).cos());
        tiles_are_values(&kernel, &x, &y).unwrap();
    }
    assert_eq!(kernel.gram(&DMatrix::zeros(0, 2)).shape(), (0, 0));
    assert_eq!(kernel.cross(&DMatrix::zeros(0, 2), &DMatrix::zeros(3, 2)).shape(), (0, 3));
    assert_eq!(kernel.gram_gradient(&DMatrix::zeros(0, 2), &DMatrix::zeros(0, 0)), [0.0; 4]);
}
