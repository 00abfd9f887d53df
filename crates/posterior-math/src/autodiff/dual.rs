//! Dual numbers: forward differentiation along N directions at once.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::elementary::Elementary;
use super::real::Real;

/// A number with its derivatives along N directions.
///
/// `T` may carry derivatives itself: a dual number over dual numbers has second derivatives.
///
/// ```
/// use posterior_math::autodiff::{Dual, Real};
///
/// let x = Dual::<1>::variable(2.0, 0);
/// let y = x.ln() * x;
/// assert_eq!(y.derivatives(), [2_f64.ln() + 1.0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dual<const N: usize, T = f64> {
    value: T,
    derivatives: [T; N],
}

impl<const N: usize, T: Real> Dual<N, T> {
    /// A number with these derivatives.
    pub const fn new(value: T, derivatives: [T; N]) -> Self {
        Self { value, derivatives }
    }

    /// The variable of direction `index`: its derivative is 1 there. From N on it is a constant.
    pub fn variable(value: T, index: usize) -> Self {
        let unit = |i| T::constant(if i == index { 1.0 } else { 0.0 });
        Self { value, derivatives: std::array::from_fn(unit) }
    }

    /// The number as the inner kind.
    pub const fn inner(self) -> T {
        self.value
    }

    /// The derivatives along the N directions.
    pub const fn derivatives(self) -> [T; N] {
        self.derivatives
    }

    /// `value`, whose derivatives are those of `self` and `other` times these slopes.
    fn combine(self, other: Self, value: T, slopes: [T; 2]) -> Self {
        let sum = |i: usize| self.derivatives[i] * slopes[0] + other.derivatives[i] * slopes[1];
        Self { value, derivatives: std::array::from_fn(sum) }
    }
}

impl<const N: usize, T: Real> From<f64> for Dual<N, T> {
    fn from(value: f64) -> Self {
        Self::constant(value)
    }
}

impl<const N: usize, T: Real> Real for Dual<N, T> {
    fn constant(value: f64) -> Self {
        Self { value: T::constant(value), derivatives: [T::constant(0.0); N] }
    }

    fn value(self) -> f64 {
        self.value.value()
    }

    fn apply(self, f: Elementary) -> Self {
        let value = self.value.apply(f);
        let slope = f.slope(self.value, value);
        Self { value, derivatives: self.derivatives.map(|d| d * slope) }
    }
}

impl<const N: usize, T: Real> Add for Dual<N, T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let sum = |i: usize| self.derivatives[i] + other.derivatives[i];
        Self { value: self.value + other.value, derivatives: std::array::from_fn(sum) }
    }
}

impl<const N: usize, T: Real> Sub for Dual<N, T> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        let difference = |i: usize| self.derivatives[i] - other.derivatives[i];
        Self { value: self.value - other.value, derivatives: std::array::from_fn(difference) }
    }
}

impl<const N: usize, T: Real> Mul for Dual<N, T> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        self.combine(other, self.value * other.value, [other.value, self.value])
    }
}

impl<const N: usize, T: Real> Div for Dual<N, T> {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let ratio = self.value / other.value;
        let slope = other.value.recip();
        self.combine(other, ratio, [slope, -ratio * slope])
    }
}

impl<const N: usize, T: Real> Neg for Dual<N, T> {
    type Output = Self;

    fn neg(self) -> Self {
        Self { value: -self.value, derivatives: self.derivatives.map(|d| -d) }
    }
}

/// Writes the gradient of `f` at `x` by dual numbers, N components in each pass, and returns f(x).
///
/// For a few variables it is faster than [`gradient`](super::gradient) and takes no memory; N of 1 to 8 is
/// good.
///
/// # Panics
/// If the lengths differ.
///
/// ```
/// use posterior_math::autodiff::{Real, gradient_forward};
///
/// let mut slope = [0.0; 2];
/// let value = gradient_forward::<2>(|x| x[0] * x[1].exp(), &[3.0, 0.0], &mut slope);
/// assert_eq!((value, slope), (3.0, [1.0, 3.0]));
/// ```
#[track_caller]
pub fn gradient_forward<const N: usize>(
    f: impl Fn(&[Dual<N>]) -> Dual<N>,
    x: &[f64],
    gradient: &mut [f64],
) -> f64 {
    const { assert!(N > 0, "at least one direction") };
    assert_eq!(x.len(), gradient.len(), "a gradient of another length");
    let mut point: Vec<Dual<N>> = x.iter().map(|&x| Dual::constant(x)).collect();
    if x.is_empty() {
        return f(&point).inner();
    }
    let mut value = f64::NAN;
    for start in (0..x.len()).step_by(N) {
        let end = (start + N).min(x.len());
        for i in start..end {
            point[i] = Dual::variable(x[i], i - start);
        }
        let result = f(&point);
        value = result.inner();
        gradient[start..end].copy_from_slice(&result.derivatives()[..end - start]);
        for i in start..end {
            point[i] = Dual::constant(x[i]);
        }
    }
    value
}
