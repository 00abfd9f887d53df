//! Targets: adapters, and densities under a bijection.

use std::error::Error as _;

use posterior_dist::target::{
    Differentiated, EvalError, Formula, FromFn, FromGradFn, GradTarget, HessianTarget, OnTheLine, SumOfTerms,
    Target, Unconstrained,
};
use posterior_dist::{Dirichlet, Exponential};
use posterior_math::autodiff::Real;
use posterior_math::bijection::{IsometricLogRatio, SoftmaxMap, StickBreaking};
use posterior_math::linalg::DMatrix;
use posterior_math::quadrature;
use posterior_testkit::accuracy::{assert_close, assert_within};

/// The gradient against central differences, to 1e-7 of the size of the function.
#[track_caller]
fn gradient_is_right(target: &impl GradTarget, x: &[f64]) {
    let mut gradient = vec![0.0; target.dim()];
    let value = target.ln_density_grad(x, &mut gradient).expect("a value");
    assert_eq!(target.ln_density(x).expect("a value"), value);
    for (index, &slope) in gradient.iter().enumerate() {
        let at = |offset: f64| {
            let mut moved = x.to_vec();
            moved[index] += offset;
            target.ln_density(&moved).expect("a value")
        };
        let step = 1e-5;
        assert_within((at(step) - at(-step)) / (2.0 * step), slope, 1e-7 * (1.0 + slope.abs() + value.abs()));
    }
}

#[test]
fn a_distribution_on_a_half_line_is_a_density_on_the_line() {
    let target = OnTheLine::new(Exponential::new(0.3).expect("positive")).expect("a half-line");
    let density = |u: f64| target.ln_density(&[u]).expect("a value").exp();
    let mass = quadrature::gauss_kronrod(density, -60.0, 8.0, &quadrature::QuadratureOptions::default());
    assert_close(mass.value, 1.0, 1e-10);
    for u in [-20.0, -1.0, 0.0, 2.5] {
        gradient_is_right(&target, &[u]);
        assert_close(target.unconstrain(target.constrain(u)), u, 1e-14);
    }
}

#[test]
fn a_distribution_on_the_simplex_is_a_density_of_its_free_coordinates() {
    let distribution = || Dirichlet::new(&[0.7, 2.0, 3.5]).expect("positive");
    let points = [[0.0, 0.0], [1.5, -2.0], [-4.0, 3.0]];
    for point in points {
        gradient_is_right(
            &Unconstrained::new(distribution(), StickBreaking::new(3).expect("three"), 3).expect("fits"),
            &point,
        );
        gradient_is_right(
            &Unconstrained::new(distribution(), SoftmaxMap::new(3).expect("three"), 3).expect("fits"),
            &point,
        );
        let log_ratio = IsometricLogRatio::new(3).expect("three");
        gradient_is_right(&Unconstrained::new(distribution(), log_ratio, 3).expect("fits"), &point);
    }
    // A beta distribution: the mass over the one free coordinate.
    let beta = Dirichlet::new(&[2.0, 0.5]).expect("positive");
    let target = Unconstrained::new(beta, StickBreaking::new(2).expect("two"), 2).expect("fits");
    let density = |u: f64| target.ln_density(&[u]).expect("a value").exp();
    let mass = quadrature::gauss_kronrod(density, -60.0, 80.0, &quadrature::QuadratureOptions::default());
    assert_close(mass.value, 1.0, 1e-10);
    let three = StickBreaking::new(3).expect("three");
    assert!(Unconstrained::new(Dirichlet::new(&[1.0, 1.0]).expect("positive"), three, 2).is_err());
}

#[test]
fn terms_add_up() {
    let square = |scale: f64| {
        FromGradFn::new(2, move |x: &[f64], gradient: &mut [f64]| {
            gradient.copy_from_slice(&[-2.0 * scale * x[0], -scale]);
            -scale * (x[0] * x[0] + x[1])
        })
    };
    let sum = SumOfTerms::new(square(1.0)).and(square(0.5)).expect("two coordinates");
    gradient_is_right(&sum, &[0.3, -2.0]);
    gradient_is_right(&&sum, &[0.3, -2.0]);
    assert_eq!(sum.ln_density(&[2.0, 1.0]).expect("a value"), -7.5);
    let other = FromGradFn::new(3, |_: &[f64], _: &mut [f64]| 0.0);
    assert_eq!(sum.and(other).expect_err("three coordinates").value(), 3.0);
}

/// A distribution of a scale e^x₀ and of two numbers x₁, x₂ that depend on it; no value beyond x₀ = 5.
struct Funnel;

impl Formula for Funnel {
    fn dim(&self) -> usize {
        3
    }

    fn ln_density<R: Real>(&self, x: &[R]) -> R {
        let edge = (-x[0] + 5.0).ln();
        edge - (x[1] * x[1] + x[1] * x[2] + x[2] * x[2]) * (-x[0]).exp() - x[0] * x[0] * 0.5
    }
}

#[test]
fn a_formula_has_its_derivatives() {
    let target = Differentiated(Funnel);
    assert_eq!(target.dim(), 3);
    for x in [[0.0, 0.0, 0.0], [1.0, -2.0, 0.5], [-1.5, 0.3, 0.1], [4.5, 3.0, -3.0]] {
        gradient_is_right(&target, &x);
        let (mut slope, mut hessian, mut gradient) = ([0.0; 3], DMatrix::zeros(3, 3), [0.0; 3]);
        let value = target.ln_density_hessian(&x, &mut slope, &mut hessian).expect("a value");
        assert_eq!(value, target.ln_density_grad(&x, &mut gradient).expect("a value"));
        assert_eq!(slope, gradient);
        for i in 0..3 {
            let at = |offset: f64| {
                let (mut moved, mut slope) = (x, [0.0; 3]);
                moved[i] += offset;
                target.ln_density_grad(&moved, &mut slope).expect("a value");
                slope
            };
            let (above, below) = (at(1e-5), at(-1e-5));
            for j in 0..3 {
                let size = 1.0 + hessian.amax();
                assert_within((above[j] - below[j]) / 2e-5, hessian[(j, i)], 1e-7 * size);
                assert_within(hessian[(i, j)], hessian[(j, i)], 1e-14 * size);
            }
        }
    }
    let outside = target.ln_density(&[5.5, 0.0, 0.0]).expect_err("ln of a negative number");
    assert!(!outside.is_fatal());
}

#[test]
fn what_has_no_value_is_refused_with_its_reason() {
    let broken = FromFn::new(1, |x: &[f64]| x[0].ln());
    assert_eq!(broken.ln_density(&[0.0]).expect("zero density"), f64::NEG_INFINITY);
    let error = broken.ln_density(&[-1.0]).expect_err("no value");
    assert!(!error.is_fatal() && error.to_string().contains("NaN"), "{error}");
    assert!(broken.ln_density(&[f64::INFINITY]).is_err());
    let fatal = EvalError::fatal("the disk is gone");
    assert!(fatal.is_fatal());
    assert_eq!(fatal.source().expect("a reason").to_string(), "the disk is gone");
}
