//! The path from prior to posterior.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::target::{EvalError, FromFn, FromGradFn, GradTarget, Target};
use posterior_sampling::tempering::{Ratio, Tempered};

fn wide() -> impl GradTarget + std::fmt::Debug {
    FromGradFn::new(2, |x, gradient| {
        gradient.copy_from_slice(&[-0.2 * x[0], -0.4 * x[1]]);
        -0.1 * x[0] * x[0] - 0.2 * x[1] * x[1]
    })
}

fn narrow() -> impl GradTarget + std::fmt::Debug {
    FromGradFn::new(2, |x, gradient| {
        let residual = 1.0 - x[0] * x[1];
        gradient.copy_from_slice(&[residual * x[1], residual * x[0]]);
        -0.5 * residual * residual
    })
}

/// The gradient by differences of the density.
fn differences(target: &impl Target, x: &[f64]) -> Vec<f64> {
    const H: f64 = 1e-5;
    let at = |i: usize, by: f64| {
        let mut moved = x.to_vec();
        moved[i] += by;
        target.ln_density(&moved).unwrap()
    };
    (0..x.len()).map(|i| (at(i, H) - at(i, -H)) / (2.0 * H)).collect()
}

#[test]
fn gradients_are_those_of_the_density() {
    let x = [0.7, -1.3];
    let mut gradient = [f64::NAN; 2];
    for beta in [0.0, 0.3, 1.0, 2.0] {
        let tempered = Tempered::new(wide(), narrow(), beta).unwrap();
        let value = tempered.ln_density_grad(&x, &mut gradient).unwrap();
        assert_eq!(value, tempered.ln_density(&x).unwrap());
        for (by_formula, by_difference) in gradient.iter().zip(differences(&tempered, &x)) {
            assert!((by_formula - by_difference).abs() < 1e-8);
        }
    }
    let ratio = Ratio::new(narrow(), wide()).unwrap();
    let value = ratio.ln_density_grad(&x, &mut gradient).unwrap();
    assert_eq!(value, ratio.ln_density(&x).unwrap());
    for (by_formula, by_difference) in gradient.iter().zip(differences(&ratio, &x)) {
        assert!((by_formula - by_difference).abs() < 1e-8);
    }
}

#[test]
fn zeros_stay_zeros() {
    let half_line = FromFn::new(1, |x: &[f64]| if x[0] > 0.0 { 0.0 } else { f64::NEG_INFINITY });
    let unasked = FromFn::new(1, |_: &[f64]| f64::NAN);
    let tempered = Tempered::new(&half_line, &unasked, 1.0).unwrap();
    // Outside of the prior the likelihood is not asked; inside, its NaN refuses the point.
    assert_eq!(tempered.ln_density(&[-1.0]).unwrap(), f64::NEG_INFINITY);
    assert!(matches!(tempered.ln_density(&[1.0]), Err(EvalError::Reject(_))));
    assert_eq!(tempered.at(0.0).unwrap().ln_density(&[1.0]).unwrap(), 0.0);
    // A target may be zero where its reference is, and not the other way round.
    let line = FromFn::new(1, |_: &[f64]| 0.0);
    let ratio = Ratio::new(&half_line, &half_line).unwrap();
    assert_eq!(ratio.ln_density(&[-1.0]).unwrap(), f64::NEG_INFINITY);
    assert!(Ratio::new(&line, &half_line).unwrap().ln_density(&[-1.0]).is_err());
}

#[test]
fn paths_that_cannot_be_are_refused() {
    let error = Tempered::new(wide(), FromFn::new(3, |_: &[f64]| 0.0), 1.0).unwrap_err();
    assert_eq!(error.to_string(), "coordinates of the likelihood: expected 2, found 3");
    for beta in [-0.1, f64::NAN, f64::INFINITY] {
        let error = Tempered::new(wide(), narrow(), beta).unwrap_err();
        assert!(error.to_string().starts_with("Tempered: beta = "), "{error}");
    }
}
