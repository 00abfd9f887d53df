//! Derivatives against differences, and optimisers against each other.

use posterior::dist::stream::stream;
use posterior::math::autodiff::{
    Real, cholesky_adjoint, cholesky_differential, gradient, gradient_forward, hessian_vector,
};
use posterior::math::iteration::Silent;
use posterior::math::linalg::{DMatrix, DVector};
use posterior::math::log_space::ln_sum_exp;
use posterior::math::optimize::{LbfgsOptions, NewtonOptions, minimize, minimize_l1, minimize_newton};
use rand::{Rng, RngExt};

use crate::row::{Comparison, Row, Rows};

pub(crate) fn rows() -> Rows {
    let mut rows = derivatives();
    rows.push(factors()?);
    rows.push(lasso()?);
    rows.push(newton());
    rows.push(log_space());
    Ok(rows)
}

/// Something of everything, of four positive variables.
fn formula<R: Real>(x: &[R]) -> R {
    let gammas = (x[0] + x[3]).ln_gamma() - x[3].digamma() * 0.1;
    let links = (x[1] - x[2] * 3.0).ln_logistic() + (x[1] / x[0]).tanh() * x[2].sqrt();
    let waves = (-(x[2] * x[2]) * 0.3).exp() * x[3].sin() + (x[0] - x[1]).cos().atan();
    gammas + links + waves + x[1].normal_cdf() - (x[2] - 4.0).ln_normal_cdf() + x[1].powf(1.7)
}

fn derivatives() -> Vec<Row> {
    let mut rng = stream(1, &[]);
    let (mut modes, mut differences, mut products) =
        (Comparison::default(), Comparison::default(), Comparison::default());
    for _ in 0..200 {
        let x: [f64; 4] = std::array::from_fn(|_| rng.random_range(0.2..5.0));
        let v: [f64; 4] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
        let slope = |x: &[f64]| {
            let mut slope = [0.0; 4];
            gradient(|x| formula(x), x, &mut slope);
            slope
        };
        let reverse = slope(&x);
        let (mut forward, mut again, mut product) = ([0.0; 4], [0.0; 4], [0.0; 4]);
        gradient_forward::<4>(formula, &x, &mut forward);
        modes.see_all(&reverse, &forward);
        hessian_vector(|x| formula(x), &x, &v, &mut again, &mut product);
        let moved = |h: f64| -> [f64; 4] { std::array::from_fn(|i| x[i] + h * v[i]) };
        let h = 1e-3;
        // The rule of five points, whose error is of order h⁴.
        let five = |f: &dyn Fn(f64) -> f64| (8.0 * (f(h) - f(-h)) - f(2.0 * h) + f(-2.0 * h)) / (12.0 * h);
        let along: f64 = reverse.iter().zip(&v).map(|(g, v)| g * v).sum();
        differences.see(along, five(&|h| formula(&moved(h))));
        for (i, product) in product.iter().enumerate() {
            products.see(*product, five(&|h| slope(&moved(h))[i]));
        }
    }
    vec![
        modes.exact(
            "gradients",
            ["reverse mode (tape)", "forward mode (dual numbers)"],
            "a formula with ln Γ, ψ, Φ, logistic and trigonometric parts, 200 points of 4 variables",
            "1e-14 (`posterior-math/autodiff.rs`)",
        ),
        differences.numerical(
            "directional derivatives",
            ["reverse mode", "differences of five points"],
            "the same formula and points",
            "1e-9 (`posterior-math/autodiff.rs`)",
        ),
        products.numerical(
            "second derivatives times a vector",
            ["reverse over forward", "differences of gradients"],
            "the same formula and points",
            "1e-7 (`posterior-math/autodiff.rs`)",
        ),
    ]
}

fn matrix<R: Rng>(rng: &mut R, rows: usize, columns: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns, |_, _| rng.random_range(-1.0..1.0))
}

/// Adjoint of the Cholesky factor: <L̄, dL> = <Ā, dA>.
fn factors() -> Result<Row, Box<dyn std::error::Error + Send + Sync>> {
    let mut rng = stream(2, &[]);
    let mut seen = Comparison::default();
    for trial in 0..100 {
        let n = 1 + trial % 8;
        let root = matrix(&mut rng, n, n);
        let own = &root * root.transpose() + DMatrix::identity(n, n);
        let change = matrix(&mut rng, n, n);
        let change = &change + change.transpose();
        let weights = matrix(&mut rng, n, n).lower_triangle();
        let factor = own.cholesky().ok_or("a matrix that is not positive definite")?.l();
        let moved = cholesky_differential(&factor, &change);
        seen.see(weights.dot(&moved), cholesky_adjoint(&factor, &weights).dot(&change));
    }
    Ok(seen.exact(
        "derivatives of a Cholesky factor",
        ["its adjoint", "its differential"],
        "100 random matrices of 1 to 8 rows",
        "1e-12 n (`posterior-math/autodiff.rs`)",
    ))
}

/// ½ |A x - b|² + c |x|₁: coordinate descent has each coordinate in closed form, a proximal gradient all of
/// them.
fn lasso() -> Result<Row, Box<dyn std::error::Error + Send + Sync>> {
    let mut rng = stream(3, &[]);
    let a = matrix(&mut rng, 30, 12);
    let b = DVector::from_fn(30, |_, _| rng.random_range(-2.0..2.0));
    let (gram, product) = (a.tr_mul(&a), a.tr_mul(&b));
    let smooth = |x: &[f64], gradient: &mut [f64]| {
        let rest = &a * DVector::from_column_slice(x) - &b;
        gradient.copy_from_slice(a.tr_mul(&rest).as_slice());
        0.5 * rest.norm_squared()
    };
    let step = 1.0 / gram.symmetric_eigenvalues().max();
    let mut seen = Comparison::default();
    for penalty in [0.01, 0.5, 3.0] {
        let mut x: DVector<f64> = DVector::zeros(12);
        for _ in 0..20_000 {
            let pulled = &x - (&gram * &x - &product) * step;
            x = pulled.map(|own| own.signum() * (own.abs() - penalty * step).max(0.0));
        }
        let options = LbfgsOptions { gradient_tolerance: 1e-11, ..LbfgsOptions::default() };
        let found = minimize_l1(smooth, &[penalty; 12], &[0.1; 12], &options, &mut Silent)?;
        seen.see_all(&found.model.point, x.as_slice());
    }
    Ok(seen.numerical(
        "least squares with absolute values",
        ["OWL-QN", "proximal gradient steps"],
        "30 rows, 12 columns, three penalties",
        "1e-9 (`posterior-math/optimize.rs`)",
    ))
}

/// A logistic loss with a square, by two searches.
fn newton() -> Row {
    let mut rng = stream(4, &[]);
    let a = matrix(&mut rng, 50, 5);
    let sign = |x: f64| if x > 0.0 { 1.0 } else { -1.0 };
    let signs = DVector::from_fn(50, |i, _| sign(a[(i, 0)] + rng.random_range(-1.0..1.0)));
    let value = |x: &[f64], gradient: &mut [f64]| {
        let x = DVector::from_column_slice(x);
        let margins = (&a * &x).component_mul(&signs);
        let pulls = margins.map(|m| 1.0 / (1.0 + m.exp())).component_mul(&signs);
        gradient.copy_from_slice((&x - a.tr_mul(&pulls)).as_slice());
        margins.map(|m| (-m).exp().ln_1p()).sum() + 0.5 * x.norm_squared()
    };
    let curved = |x: &[f64], gradient: &mut [f64], hessian: &mut DMatrix<f64>| {
        let weights = (&a * DVector::from_column_slice(x)).map(|eta| 0.25 / (0.5 * eta).cosh().powi(2));
        let weighted = DMatrix::from_fn(50, 5, |i, j| weights[i] * a[(i, j)]);
        hessian.copy_from(&(a.tr_mul(&weighted) + DMatrix::identity(5, 5)));
        value(x, gradient)
    };
    let tight = LbfgsOptions { gradient_tolerance: 1e-12, ..LbfgsOptions::default() };
    let lbfgs = minimize(value, &[0.0; 5], &tight, &mut Silent);
    let options = NewtonOptions { gradient_tolerance: 1e-12, ..NewtonOptions::default() };
    let newton = minimize_newton(curved, &[0.0; 5], &options, &mut Silent);
    let mut seen = Comparison::default();
    seen.see_all(&lbfgs.model.point, &newton.model.point);
    seen.numerical(
        "the minimum of a smooth function",
        ["L-BFGS", "Newton's method in a trust region"],
        "a logistic loss, 50 rows, 5 columns",
        "1e-8 (`posterior-math/optimize.rs`)",
    )
}

/// Sums of numbers whose exponentials do not overflow.
fn log_space() -> Row {
    let mut rng = stream(5, &[]);
    let mut seen = Comparison::default();
    for _ in 0..1000 {
        let x: Vec<f64> = (0..20).map(|_| rng.random_range(-30.0..30.0)).collect();
        seen.see(ln_sum_exp(&x), x.iter().map(|x| x.exp()).sum::<f64>().ln());
    }
    seen.exact(
        "sums of weights",
        ["on logarithms", "the weights themselves"],
        "1,000 lists of 20 weights of e^-30 to e^30",
        "2e-15 (`posterior-math/identities.rs`)",
    )
}
