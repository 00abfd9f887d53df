//! What is promised of optimization.

mod asking;
mod benchmarks;
mod constraints;
mod formulas;
mod kernels;

/// Branin's function, whose least value is 0.397887 at three points of [-5, 10] × [0, 15].
fn branin(x: &[f64]) -> f64 {
    use std::f64::consts::PI;
    let (a, b) = (x[0], x[1]);
    (b - 5.1 / (4.0 * PI * PI) * a * a + 5.0 / PI * a - 6.0).powi(2)
        + 10.0 * (1.0 - 1.0 / (8.0 * PI)) * a.cos()
        + 10.0
}
