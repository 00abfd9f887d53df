//! A most probable point and the Gaussian around it: derivatives of code, Newton's method, a Cholesky factor.
//!
//! `cargo run -p posterior-math --example newton_by_autodiff`

use posterior_math::autodiff::{Real, gradient, hessian_vector};
use posterior_math::iteration::Silent;
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_math::optimize::{NewtonOptions, minimize_newton};

/// -ln p: seven heads and five tails in the logit of a coin, and a wide prior of its logit.
fn objective<R: Real>(x: &[R]) -> R {
    x[0].ln_1p_exp() * 12.0 - x[0] * 7.0 + x[0] * x[0] * 0.02
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let with_derivatives = |x: &[f64], slope: &mut [f64], hessian: &mut DMatrix<f64>| {
        let mut column = [0.0];
        hessian_vector(|x| objective(x), x, &[1.0], slope, &mut column);
        hessian[(0, 0)] = column[0];
        gradient(|x| objective(x), x, slope)
    };
    let found = minimize_newton(with_derivatives, &[0.0], &NewtonOptions::default(), &mut Silent);
    found.report.require_converged()?;
    let mode = found.model.point;

    let (mut slope, mut column) = ([0.0], [0.0]);
    hessian_vector(|x| objective(x), &mode, &[1.0], &mut slope, &mut column);
    let factor = Cholesky::new(&DMatrix::from_element(1, 1, column[0]))?;
    println!(
        "logit {:.6}, sd {:.6}, ln |H| = {:.6}",
        mode[0],
        factor.inverse()[(0, 0)].sqrt(),
        factor.ln_determinant()
    );
    Ok(())
}
