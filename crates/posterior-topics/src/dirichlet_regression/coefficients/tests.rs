//! Tests of the coefficients.

use posterior_math::optimize::gradient_check;

use super::*;

fn setting() -> (Coefficients, Vec<u32>) {
    let features = DMatrix::from_row_slice(4, 2, &[0.3, -1.0, 1.2, 0.0, -0.7, 2.0, 0.0, 0.5]);
    let options =
        DirichletRegressionOptions { topics: 3, alpha: 0.4, ..DirichletRegressionOptions::default() };
    (Coefficients::new(&features, &options), vec![3, 0, 7, 1, 1, 0, 0, 0, 0, 12, 2, 5])
}

#[test]
fn the_gradient_is_that_of_differences() {
    let (coefficients, counts) = setting();
    let objective = |lambda: &[f64], gradient: &mut [f64]| coefficients.descend(lambda, gradient, &counts);
    let lambda: Vec<f64> = (0..9).map(|i| 0.4 * f64::from(i % 5) - 0.9).collect();
    let check = gradient_check(objective, &lambda);
    assert!(check.error < 1e-8, "{check:?}");
}

#[test]
fn the_climb_ends_at_the_mode() {
    let (mut coefficients, counts) = setting();
    // A climb ends at a small gain.
    (0..5).for_each(|_| coefficients.climb(&counts));
    let top = coefficients.lambda.clone();
    let mut gradient = vec![0.0; 9];
    let least = coefficients.descend(top.as_slice(), &mut gradient, &counts);
    assert!(gradient.iter().all(|slope| slope.abs() < 1e-3));
    for place in 0..9 {
        for step in [-0.05, 0.05] {
            let mut moved = top.as_slice().to_vec();
            moved[place] += step;
            assert!(coefficients.descend(&moved, &mut gradient, &counts) > least);
        }
    }
}
