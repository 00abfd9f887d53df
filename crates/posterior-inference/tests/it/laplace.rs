//! Laplace's method against closed forms, quadrature, and densities without a mode.

use std::ops::ControlFlow;

use posterior_dist::target::{Differentiated, EvalError, Formula, FromGradFn, GradTarget, OnTheLine, Target};
use posterior_dist::{Beta, Density};
use posterior_gaussian::Gaussian;
use posterior_inference::laplace::{LaplaceApproximation, LaplaceError, laplace, laplace_by_gradient};
use posterior_math::autodiff::Real;
use posterior_math::iteration::{Silent, Step};
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::optimize::{LbfgsOptions, NewtonOptions};
use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod};
use posterior_math::special::ln_beta;
use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};
use proptest::prelude::*;

/// A formula of so many coordinates from a function item.
macro_rules! formula {
    ($name:ident, $dim:expr, |$x:ident| $body:expr) => {
        struct $name;

        impl Formula for $name {
            fn dim(&self) -> usize {
                $dim
            }

            fn ln_density<R: Real>(&self, $x: &[R]) -> R {
                $body
            }
        }
    };
}

fn by_newton(formula: impl Formula, start: &[f64]) -> Result<LaplaceApproximation, LaplaceError> {
    laplace(&Differentiated(formula), start, &NewtonOptions::default(), &mut Silent)
}

fn by_gradient(target: &impl GradTarget, start: &[f64]) -> Result<LaplaceApproximation, LaplaceError> {
    laplace_by_gradient(target, start, &LbfgsOptions::default(), &mut Silent)
}

formula!(Probability, 1, |x| x[0].ln() * 6.0 + (-x[0]).ln_1p() * 4.0);
formula!(Logit, 1, |x| x[0] * 7.0 - x[0].ln_1p_exp() * 12.0);

#[test]
fn the_coin_in_its_probability_and_in_its_logit() {
    let probability = by_newton(Probability, &[0.1]).unwrap();
    assert_close(probability.mode[0], 0.6, 1e-15);
    assert_close(probability.distribution.covariance()[(0, 0)], 0.024, 1e-14);
    assert_close(probability.ln_evidence.exp(), 4.638131127e-4, 1e-10);

    let logit = by_newton(Logit, &[0.0]).unwrap();
    assert_close(logit.mode[0], 0.3364722366212129, 1e-15);
    assert_close(logit.distribution.covariance()[(0, 0)], 12.0 / 35.0, 1e-14);
    assert_close(logit.ln_evidence.exp(), 4.236506569865e-4, 1e-12);
    assert!(probability.ln_evidence > ln_beta(7.0, 5.0) && ln_beta(7.0, 5.0) > logit.ln_evidence);

    // The same from the distribution of the library, by gradients alone; its density is normalised.
    let target = OnTheLine::new(Beta::new(7.0, 5.0).unwrap()).unwrap();
    let found = by_gradient(&target, &[-1.0]).unwrap();
    assert_close(found.mode[0], logit.mode[0], 1e-13);
    assert_close(found.distribution.covariance()[(0, 0)], 12.0 / 35.0, 1e-10);
    assert_within(found.ln_evidence, logit.ln_evidence - ln_beta(7.0, 5.0), 1e-11);
}

#[test]
fn the_error_falls_like_one_over_the_number_of_tosses() {
    let error = |n: f64| {
        let coin = FromGradFn::new(1, move |x, slope| {
            let p = 1.0 / (1.0 + (-x[0]).exp());
            slope[0] = n * (0.3 - p);
            n * (0.3 * x[0] - posterior_math::log_space::ln_1p_exp(x[0]))
        });
        by_gradient(&coin, &[0.0]).unwrap().ln_evidence - ln_beta(0.3 * n, 0.7 * n)
    };
    let scaled: Vec<f64> = [1e2, 1e3, 1e4, 1e5].iter().map(|&n| n * error(n)).collect();
    // -1/(12 n) (1/p + 1/q - 1), from Stirling's series.
    let limit = -(1.0 / 0.3 + 1.0 / 0.7 - 1.0) / 12.0;
    assert_within(scaled[0], limit, 2e-2);
    assert_within(scaled[1], limit, 2e-3);
    assert_within(scaled[2], limit, 2e-4);
    assert_within(scaled[3], limit, 1e-3);
}

#[test]
fn a_gaussian_is_its_own_approximation() {
    let precision = DMatrix::from_row_slice(3, 3, &[4.0, 1.0, 0.0, 1.0, 3.0, -1.0, 0.0, -1.0, 2.0]);
    for scale in [1.0, 1e-8, 1e8] {
        let mean = [1.0 * scale, -2.0 * scale, 0.5 * scale];
        let distribution = Gaussian::from_precision(&mean, &(&precision / (scale * scale))).unwrap();
        let inverse = distribution.precision();
        let target = FromGradFn::new(3, |x, slope| {
            let residual = DVector::from_column_slice(x) - distribution.mean();
            slope.copy_from_slice((-(&inverse * residual)).as_slice());
            distribution.ln_pdf(x)
        });
        let start: Vec<f64> = mean.iter().map(|m| m + scale).collect();
        let found = by_gradient(&target, &start).unwrap();
        for (found, mean) in found.mode.iter().zip(&mean) {
            assert_within(*found, *mean, 1e-10 * scale);
        }
        let difference = (&found.precision - &inverse).amax() / inverse.amax();
        assert!(difference <= 1e-10, "precision off by {difference:e} at scale {scale}");
        assert_within(found.ln_evidence, 0.0, 1e-10);
    }
}

formula!(Quadratic, 2, |x| {
    let (a, b) = (x[0] - 1.0, x[1] + 2.0);
    -(a * a * 3.0 + a * b * 2.0 + b * b * 2.0) * 0.5 + 7.0
});

#[test]
fn the_expansion_integrates_to_the_evidence_and_has_the_distribution() {
    let found = by_newton(Quadratic, &[10.0, 10.0]).unwrap();
    assert_all_close(&found.mode, &[1.0, -2.0], 1e-15);
    assert_close(found.ln_evidence, 7.0 + std::f64::consts::TAU.ln() - 0.5 * 5_f64.ln(), 1e-15);
    assert_close(found.ln_density, 7.0, 1e-15);
    let expansion = found.expansion().unwrap();
    assert_close(expansion.ln_integral().unwrap(), found.ln_evidence, 1e-14);
    assert_close(expansion.ln_value(&[0.3, 0.4]), Quadratic.ln_density(&[0.3, 0.4]), 1e-14);
    assert_all_close(
        expansion.distribution().unwrap().covariance().as_slice(),
        found.distribution.covariance().as_slice(),
        1e-14,
    );
}

/// Forty binary outcomes along x, each so many times; a slope and an intercept with a normal prior of
/// variance 4.
struct Logistic {
    copies: f64,
}

impl Formula for Logistic {
    fn dim(&self) -> usize {
        2
    }

    fn ln_density<R: Real>(&self, w: &[R]) -> R {
        let mut sum = -(w[0] * w[0] + w[1] * w[1]) * 0.125;
        for i in 0..40 {
            let x = f64::from(i) / 20.0 - 1.0;
            let sign = if i * 7 % 40 < i { 1.0 } else { -1.0 };
            sum += ((w[0] + w[1] * x) * sign).ln_logistic() * self.copies;
        }
        sum
    }
}

#[test]
fn a_regression_comes_near_the_integral_over_the_plane() {
    let error = |copies: f64| {
        let found = by_newton(Logistic { copies }, &[0.0, 0.0]).unwrap();
        let options = QuadratureOptions::default();
        let scale = |i: usize| found.distribution.covariance()[(i, i)].sqrt();
        // In standard deviations about the mode, ten in each direction.
        let value = |a: f64, b: f64| {
            let w = [found.mode[0] + a * scale(0), found.mode[1] + b * scale(1)];
            (Logistic { copies }.ln_density(&w) - found.ln_density).exp()
        };
        let inner = |a: f64| gauss_kronrod(|b| value(a, b), -10.0, 10.0, &options).value;
        let integral = gauss_kronrod(inner, -10.0, 10.0, &options).value * scale(0) * scale(1);
        found.ln_evidence - found.ln_density - integral.ln()
    };
    let scaled: Vec<f64> = [1.0, 10.0, 100.0, 1000.0].iter().map(|&m| m * error(m)).collect();
    // The next term of the expansion is the limit, and what is left of the others falls like one over the
    // copies.
    assert_within(scaled[0], scaled[3], 2e-2);
    assert_within(scaled[1], scaled[3], 3e-3);
    assert_within(scaled[2], scaled[3], 3e-4);
    assert!(scaled[3] < -0.01, "not a Gaussian");

    let found = by_newton(Logistic { copies: 1.0 }, &[0.0, 0.0]).unwrap();
    let other = by_gradient(&Differentiated(Logistic { copies: 1.0 }), &[3.0, -3.0]).unwrap();
    assert_all_close(&other.mode, &found.mode, 1e-11);
    assert_all_close(
        other.distribution.covariance().as_slice(),
        found.distribution.covariance().as_slice(),
        1e-9,
    );
    assert_close(other.ln_evidence, found.ln_evidence, 1e-11);
}

formula!(Saddle, 2, |x| x[0] * x[0] - x[1] * x[1] * 2.0);
formula!(Ridge, 2, |x| -(x[0] + x[1]) * (x[0] + x[1]));
formula!(Edge, 1, |x| (-x[0]).ln_1p() * 4.0 + x[0].ln() * 0.0);
formula!(Peak, 1, |x| x[0].ln() * -0.5 - x[0]);
formula!(Separable, 2, |w| (w[0] + w[1]).ln_logistic() + (w[0] - w[1]).ln_logistic());
formula!(Slowly, 1, |x| -x[0].recip());
formula!(Outside, 1, |x| (x[0] - 1.0).ln());

#[test]
fn what_is_no_mode_is_refused_with_a_reason() {
    let error = by_newton(Saddle, &[0.0, 0.0]).unwrap_err();
    assert!(matches!(error, LaplaceError::NotAMaximum { eigenvalue, .. } if eigenvalue == -2.0), "{error}");
    assert_eq!(
        error.to_string(),
        "not a maximum: at [0.0, 0.0] the Hessian of -ln p has the eigenvalue -2e0, a saddle"
    );
    let error = by_newton(Ridge, &[1.0, 2.0]).unwrap_err();
    assert!(
        matches!(error, LaplaceError::NotAMaximum { eigenvalue, .. } if eigenvalue.abs() < 1e-12),
        "{error}"
    );
    let error = by_gradient(&Differentiated(Ridge), &[1.0, 2.0]).unwrap_err();
    assert!(
        matches!(error, LaplaceError::NotAMaximum { eigenvalue, .. } if eigenvalue.abs() < 1e-8),
        "{error}"
    );

    for start in [0.5, 0.01] {
        for error in [by_newton(Edge, &[start]), by_gradient(&Differentiated(Edge), &[start])] {
            let error = error.unwrap_err();
            assert!(
                matches!(error, LaplaceError::NoMode { slope, .. } if (slope - 4.0).abs() < 0.1),
                "{error}"
            );
        }
    }
    let error = by_newton(Peak, &[0.5]).unwrap_err();
    assert!(matches!(error, LaplaceError::NoMode { .. }), "{error}");
    let error = by_gradient(&Differentiated(Peak), &[0.5]).unwrap_err();
    assert!(matches!(error, LaplaceError::NoMode { .. }), "{error}");

    let error = by_newton(Separable, &[0.0, 0.0]).unwrap_err();
    assert!(matches!(error, LaplaceError::AtInfinity { step, .. } if step > 0.5), "{error}");
    let error = by_gradient(&Differentiated(Separable), &[0.0, 0.0]).unwrap_err();
    assert!(matches!(error, LaplaceError::AtInfinity { step, .. } if step > 0.5), "{error}");
    for error in [by_newton(Slowly, &[1.0]), by_gradient(&Differentiated(Slowly), &[1.0])] {
        let error = error.unwrap_err();
        let output = matches!(error, LaplaceError::AtInfinity { .. } | LaplaceError::NoMode { .. });
        assert!(output || matches!(error, LaplaceError::NotAMaximum { .. }), "{error}");
    }
}

/// A target whose model is gone, from some point on.
struct Gone {
    from: f64,
}

impl Target for Gone {
    fn dim(&self) -> usize {
        1
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        if x[0] >= self.from { Err(EvalError::fatal("the file is gone")) } else { Ok(-x[0] * x[0]) }
    }
}

impl GradTarget for Gone {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        gradient[0] = -2.0 * x[0];
        self.ln_density(x)
    }
}

#[test]
fn errors_of_the_target_come_through() {
    assert!(matches!(by_newton(Outside, &[0.5]), Err(LaplaceError::Evaluation(_))));
    assert!(matches!(by_newton(Quadratic, &[0.5]), Err(LaplaceError::Start { expected: 2, found: 1 })));
    let zero = FromGradFn::new(1, |_, _| f64::NEG_INFINITY);
    assert!(matches!(by_gradient(&zero, &[0.5]), Err(LaplaceError::ZeroDensity)));
    // Met at the start, on the way, and beside the mode.
    for (start, from) in [(1.0, 0.5), (-4.0, -3.5), (-1.0, 1e-9)] {
        let error = by_gradient(&Gone { from }, &[start]).unwrap_err();
        assert!(matches!(&error, LaplaceError::Evaluation(error) if error.is_fatal()), "{error}");
    }
}

#[test]
fn what_lies_about_its_derivatives_is_no_panic() {
    let odd = [0.0, -1.0, 1.0, 1e308, -1e308, 5e-324, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    for value in odd {
        for slope in odd {
            let target = FromGradFn::new(2, |x, gradient| {
                gradient.copy_from_slice(&[slope, -x[1]]);
                value - x[1] * x[1]
            });
            for start in odd {
                drop(by_gradient(&target, &[start, start]));
            }
        }
    }
}

#[test]
fn the_observer_sees_the_density_rise_and_may_stop() {
    let mut seen = Vec::new();
    let mut watch = |step: &Step| {
        seen.push(step.objective);
        ControlFlow::Continue(())
    };
    let found = laplace(&Differentiated(Logit), &[5.0], &NewtonOptions::default(), &mut watch).unwrap();
    assert_eq!(found.report.trace[1..], seen);
    assert!(found.report.trace.windows(2).all(|pair| pair[1] >= pair[0] - 1e-14));
    assert_close(*seen.last().unwrap(), found.ln_density, 1e-14);

    let mut halt = |_: &Step| ControlFlow::Break(());
    let error = laplace(&Differentiated(Peak), &[0.5], &NewtonOptions::default(), &mut halt).unwrap_err();
    assert!(error.to_string().contains("Observer"), "{error}");
}

#[test]
fn without_coordinates_the_evidence_is_the_density() {
    let target = FromGradFn::new(0, |_, _| -3.0);
    let found = by_gradient(&target, &[]).unwrap();
    assert_eq!((found.ln_evidence, found.mode.len()), (-3.0, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_gaussian_is_found_from_anywhere(
        entries in prop::collection::vec(-1.0..1.0_f64, 9),
        mean in prop::collection::vec(-5.0..5.0_f64, 3),
        start in prop::collection::vec(-50.0..50.0_f64, 3),
        ln_scale in -6.0..6.0_f64,
    ) {
        let root = DMatrix::from_vec(3, 3, entries) + DMatrix::identity(3, 3) * 1.5;
        let scale = ln_scale.exp();
        let precision = &root * root.transpose() * scale;
        let target = FromGradFn::new(3, |x, slope| {
            let residual = DVector::from_fn(3, |i, _| x[i] - mean[i]);
            slope.copy_from_slice((-(&precision * &residual)).as_slice());
            -0.5 * residual.dot(&(&precision * &residual))
        });
        let found = by_gradient(&target, &start).unwrap();
        for (found, mean) in found.mode.iter().zip(&mean) {
            prop_assert!((found - mean).abs() < 1e-9);
        }
        prop_assert!((&found.precision - &precision).amax() <= 1e-9 * precision.amax());
        let distribution = Gaussian::from_precision(&mean, &precision).unwrap();
        prop_assert!((found.ln_evidence + distribution.ln_pdf(&mean)).abs() < 1e-9);
    }
}
