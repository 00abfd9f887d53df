//! Derivatives of maps with many inputs.

use posterior_kalman::nonlinear::{DifferentiableMap, Formula};
use posterior_math::autodiff::Real;
use posterior_math::linalg::DMatrix;

#[test]
fn derivatives_of_many_inputs_are_those_of_duals() {
    struct Products;
    impl Formula for Products {
        fn inputs(&self) -> usize {
            6
        }
        fn outputs(&self) -> usize {
            2
        }
        fn evaluate<R: Real>(&self, t: usize, x: &[R], out: &mut [R]) {
            out[0] = x[0] * x[5] + x[3].exp() * t as f64;
            out[1] = x[1] * x[2] * x[4];
        }
    }
    let (mut out, mut jacobian) = ([0.0; 2], DMatrix::zeros(2, 6));
    let x = [2.0, 3.0, 5.0, 0.0, 7.0, 11.0];
    Products.evaluate_with_jacobian(4, &x, &mut out, &mut jacobian);
    assert_eq!(out, [26.0, 105.0]);
    let expected = [11.0, 0.0, 0.0, 4.0, 0.0, 2.0, 0.0, 35.0, 21.0, 0.0, 15.0, 0.0];
    assert_eq!(jacobian, DMatrix::from_row_slice(2, 6, &expected));
}
