//! The squared exponential kernel, by a rational approximation of its spectrum.

use std::f64::consts::TAU;

use posterior_math::autodiff::Real;
use posterior_math::check;
use posterior_math::linalg::{DMatrix, MatrixError, eigenvalues};

use super::block::Block;
use super::dynamics::Dynamics;
use super::linear_system::LinearSystem;
use super::polynomial::{exponent, factorial};
use crate::Error;

/// From there on the roots of the spectrum lose their digits.
const LARGEST_ORDER: usize = 12;

/// k ≈ exp(-τ²/(2 l²)), from the spectrum √(2π) l e^(-x), x = l² ω²/2, with e^(-x) replaced by its Padé
/// approximant.
///
/// A numerator of even degree is positive, so that there is such a process. The remainder of a Padé
/// approximant of e^(-x) has one sign on x ≥ 0, so that the error of k is largest at τ = 0, where it is
/// known.
///
/// The states are those of t/l: only the steps depend on the length scale.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SquaredExponential {
    system: LinearSystem,
}

impl SquaredExponential {
    pub(super) fn new(order: usize) -> Result<Self, Error> {
        let legal = (1..=LARGEST_ORDER).contains(&order);
        check::require(legal, "rbf", "order", order as f64, "from 1 to 12")?;
        let degree = numerator_degree(order);
        let numerator: Vec<f64> = pade(degree, order, -1.0);
        let denominator: Vec<f64> = pade(order, degree, 1.0);
        let (zeros, poles) = (stable_factor(&numerator)?, stable_factor(&denominator)?);
        // |Π(iω - s)|² = Π(ω² - 2 x) over the roots x.
        let halvings = exponent(order - degree);
        let intensity = TAU.sqrt() * numerator[degree] / denominator[order] * 2_f64.powi(halvings);
        // The states are derivatives in a unit in which the poles are of size one.
        let unit = poles[0].powf((order as f64).recip());
        let last = order - 1;
        let mut drift = DMatrix::zeros(order, order);
        for i in 1..order {
            drift[(i - 1, i)] = unit;
        }
        for (j, coefficient) in poles.iter().take(order).enumerate() {
            drift[(last, j)] = -coefficient * unit.powi(exponent(j) - exponent(last));
        }
        let mut diffusion = DMatrix::zeros(order, order);
        diffusion[(last, last)] = intensity * unit.powi(-exponent(2 * last));
        let mut row = vec![0.0; order];
        for (j, zero) in zeros.iter().enumerate() {
            row[j] = zero * unit.powi(exponent(j));
        }
        Ok(Self { system: LinearSystem::stationary(&drift, &diffusion, &row)? })
    }
}

/// The even degree with the smallest error: zeros bring the spectrum closer near 0 and make its tail heavier.
const fn numerator_degree(order: usize) -> usize {
    match order {
        ..=5 => 0,
        6..=11 => 2,
        _ => 4,
    }
}

/// Σ aⱼ (sign x)ʲ: numerator (sign -1) or denominator (sign 1) of degree `own` of the Padé approximant of
/// e^(-x), the other's degree being `other`.
fn pade(own: usize, other: usize, sign: f64) -> Vec<f64> {
    (0..=own)
        .map(|j| {
            let choose = factorial(own + other - j) / factorial(own + other)
                * (factorial(own) / (factorial(j) * factorial(own - j)));
            choose * sign.powi(exponent(j))
        })
        .collect()
}

/// The coefficients, constant first, of Π(s - sₖ), where sₖ is the root of s² = -2 x with negative real part,
/// for all roots x.
fn stable_factor(polynomial: &[f64]) -> Result<Vec<f64>, MatrixError> {
    let n = polynomial.len() - 1;
    let mut companion = DMatrix::zeros(n, n);
    for i in 1..n {
        companion[(i, i - 1)] = 1.0;
    }
    for i in 0..n {
        companion[(i, n - 1)] = -polynomial[i] / polynomial[n];
    }
    // Real polynomial, conjugate roots: the product is taken over complex numbers, and is real.
    let mut product = vec![(1.0, 0.0)];
    for root in eigenvalues(&companion)? {
        let (re, im) = polished(polynomial, (root.re, root.im));
        let (re, im) = square_root((-2.0 * re, -2.0 * im));
        let s = (-re, -im);
        product.push((0.0, 0.0));
        for k in (0..product.len()).rev() {
            let below = if k > 0 { product[k - 1] } else { (0.0, 0.0) };
            let times = times(product[k], s);
            product[k] = (below.0 - times.0, below.1 - times.1);
        }
    }
    Ok(product.into_iter().map(|(re, _)| re).collect())
}

/// A root after some steps of Newton's method.
fn polished(polynomial: &[f64], mut root: (f64, f64)) -> (f64, f64) {
    for _ in 0..3 {
        let (mut value, mut slope) = ((0.0, 0.0), (0.0, 0.0));
        for &coefficient in polynomial.iter().rev() {
            slope = times(slope, root);
            slope = (slope.0 + value.0, slope.1 + value.1);
            value = times(value, root);
            value.0 += coefficient;
        }
        let square = slope.0 * slope.0 + slope.1 * slope.1;
        if square > 0.0 {
            let step = times(value, (slope.0 / square, -slope.1 / square));
            root = (root.0 - step.0, root.1 - step.1);
        }
    }
    root
}

fn times(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// The root with a real part that is not negative.
fn square_root((re, im): (f64, f64)) -> (f64, f64) {
    let size = re.hypot(im);
    let root = (0.5 * (size + re.abs())).sqrt();
    if root == 0.0 {
        (0.0, 0.0)
    } else if re >= 0.0 {
        (root, im / (2.0 * root))
    } else {
        (im.abs() / (2.0 * root), root.copysign(im))
    }
}

impl Dynamics for SquaredExponential {
    fn states(&self) -> usize {
        self.system.states()
    }

    fn observation(&self) -> Vec<f64> {
        self.system.observation()
    }

    fn step<R: Real>(
        &self,
        parameters: &[R],
        dt: f64,
        transition: &mut Block<'_, R>,
        noise: &mut Block<'_, R>,
    ) {
        self.system.step_of(parameters[0].recip() * dt, transition, noise);
    }

    fn covariance<R: Real>(&self, parameters: &[R], time: f64, covariance: &mut Block<'_, R>) {
        self.system.covariance(parameters, time, covariance);
    }

    fn error(&self, _: &[f64]) -> f64 {
        (1.0 - self.system.variance()).abs()
    }
}
