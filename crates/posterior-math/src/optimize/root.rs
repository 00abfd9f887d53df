//! Roots of functions of one variable between two points of different sign.

/// How to find a root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RootOptions {
    /// The root is found to this proportion of itself (not below 2ε). 4ε by default.
    pub relative: f64,
    /// The absolute part of the tolerance. 0 by default.
    pub absolute: f64,
    /// The largest number of evaluations. 200 by default.
    pub max_evaluations: usize,
}

impl Default for RootOptions {
    fn default() -> Self {
        Self { relative: 4.0 * f64::EPSILON, absolute: 0.0, max_evaluations: 200 }
    }
}

impl RootOptions {
    /// Half the width at which an interval next to `x` is a point.
    fn tolerance(&self, x: f64) -> f64 {
        0.5 * (self.relative.max(2.0 * f64::EPSILON) * x.abs()).max(self.absolute).max(f64::MIN_POSITIVE)
    }
}

/// How many evaluations interpolation has to halve the bracket.
const PATIENCE: usize = 3;

/// A root of a function.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Root {
    /// The root; NaN if the ends have the same sign, or the function was NaN.
    pub point: f64,
    /// The function there.
    pub value: f64,
    /// How often the function was evaluated.
    pub evaluations: usize,
    /// Whether the tolerance was reached.
    pub converged: bool,
}

impl Root {
    /// No root.
    const fn none(evaluations: usize) -> Self {
        Self { point: f64::NAN, value: f64::NAN, evaluations, converged: false }
    }
}

/// A root of `f` between `a` and `b`, at which `f` has different signs, by Brent's method.
///
/// Interpolation where it is safe, bisection where not (of the exponent, if the ends differ by orders of
/// magnitude): as a rule 6 to 12 evaluations to all digits. An infinite value counts by its sign.
/// [`Root::point`] is NaN if the signs are the same, an end is not finite, or a value is NaN.
///
/// ```
/// use posterior_math::optimize::{RootOptions, find_root};
///
/// let root = find_root(|x| x.cos() - x, 0.0, 1.0, &RootOptions::default());
/// assert!((root.point - 0.7390851332151607).abs() < 1e-15);
/// ```
///
/// # References
/// R. Brent, Algorithms for Minimization without Derivatives, 1973, chapter 4.
pub fn find_root(mut f: impl FnMut(f64) -> f64, a: f64, b: f64, options: &RootOptions) -> Root {
    if !(a.is_finite() && b.is_finite()) {
        return Root::none(0);
    }
    let (mut a, mut fa, mut b, mut fb) = (a, f(a), b, f(b));
    let mut evaluations = 2;
    if fa == 0.0 {
        return Root { point: a, value: fa, evaluations, converged: true };
    }
    if fa.is_nan() || fb.is_nan() || (fb != 0.0 && (fa > 0.0) == (fb > 0.0)) {
        return Root::none(evaluations);
    }
    // b is the best point, a the one before, c the end on the other side.
    let (mut c, mut fc) = (a, fa);
    let mut step = b - a;
    let mut before = step;
    // The bracket some evaluations ago: where it did not shrink to half since, it is halved.
    let (mut width, mut since) = ((b - a).abs(), 0);
    loop {
        if (fb > 0.0) == (fc > 0.0) {
            (c, fc) = (a, fa);
            step = b - a;
            before = step;
        }
        if fc.abs() < fb.abs() {
            (a, fa) = (b, fb);
            (b, fb) = (c, fc);
            (c, fc) = (a, fa);
        }
        let tolerance = options.tolerance(b);
        let half = 0.5 * (c - b);
        if half.abs() <= tolerance || fb == 0.0 {
            return Root { point: b, value: fb, evaluations, converged: true };
        }
        if evaluations >= options.max_evaluations {
            return Root { point: b, value: fb, evaluations, converged: false };
        }
        let guess = interpolate([a, b, c], [fa, fb, fc]);
        let slow = since >= PATIENCE && 2.0 * half.abs() > 0.5 * width;
        since += 1;
        if since > PATIENCE {
            (width, since) = (2.0 * half.abs(), 0);
        }
        let usable = !slow && before.abs() >= tolerance && fa.abs() > fb.abs() && guess * half > 0.0;
        (a, fa) = (b, fb);
        if usable && guess.abs() < (1.5 * half.abs() - 0.5 * tolerance).min(0.5 * before.abs()) {
            (before, step) = (step, guess);
            b += if step.abs() > tolerance { step } else { tolerance.copysign(half) };
        } else {
            b = halfway(b, c);
            (before, step) = (b - a, b - a);
        }
        fb = f(b);
        evaluations += 1;
        if fb.is_nan() {
            return Root::none(evaluations);
        }
    }
}

/// Where an interval is halved: in the exponent, if its ends differ by orders of magnitude.
fn halfway(a: f64, b: f64) -> f64 {
    let (small, large) = if a.abs() < b.abs() { (a, b) } else { (b, a) };
    if small != 0.0 && small.signum() == large.signum() && small.abs() < 1e-4 * large.abs() {
        (small.abs().sqrt() * large.abs().sqrt()).copysign(small)
    } else {
        a.midpoint(b)
    }
}

/// The way from b to the root of the inverse parabola through three points, or of the line through two.
fn interpolate([a, b, c]: [f64; 3], [fa, fb, fc]: [f64; 3]) -> f64 {
    let s = fb / fa;
    if a == c {
        return (c - b) * s / (s - 1.0);
    }
    let (q, r) = (fa / fc, fb / fc);
    let numerator = s * ((c - b) * q * (q - r) - (b - a) * (r - 1.0));
    -numerator / ((q - 1.0) * (r - 1.0) * (s - 1.0))
}

/// A root between `a` and `b`, at which the signs differ, of a function that returns its value and its slope,
/// by Newton's method, with bisection where it leaves the bracket or is slow.
///
/// As a rule 4 to 8 evaluations to all digits. The special cases are those of [`find_root`].
///
/// ```
/// use posterior_math::optimize::{RootOptions, find_root_newton};
///
/// let root = find_root_newton(|x| (x * x - 2.0, 2.0 * x), 0.0, 10.0, &RootOptions::default());
/// assert!((root.point - 2_f64.sqrt()).abs() < 1e-15);
/// ```
pub fn find_root_newton(mut f: impl FnMut(f64) -> (f64, f64), a: f64, b: f64, options: &RootOptions) -> Root {
    if !(a.is_finite() && b.is_finite()) {
        return Root::none(0);
    }
    let (at_a, at_b) = (f(a).0, f(b).0);
    for (point, value) in [(a, at_a), (b, at_b)] {
        if value == 0.0 {
            return Root { point, value, evaluations: 2, converged: true };
        }
    }
    if at_a.is_nan() || at_b.is_nan() || (at_a > 0.0) == (at_b > 0.0) {
        return Root::none(2);
    }
    let (mut below, mut above) = if at_a < 0.0 { (a, b) } else { (b, a) };
    let mut x = halfway(a, b);
    let mut before = (b - a).abs();
    let max_evaluations = options.max_evaluations.max(3);
    for evaluations in 3..=max_evaluations {
        let (value, slope) = f(x);
        if value.is_nan() {
            return Root::none(evaluations);
        }
        if value == 0.0 {
            return Root { point: x, value, evaluations, converged: true };
        }
        if value < 0.0 {
            below = x;
        } else {
            above = x;
        }
        let newton = x - value / slope;
        let tolerance = options.tolerance(x);
        if slope.is_finite() && (newton - x).abs() <= tolerance {
            return Root { point: x, value, evaluations, converged: true };
        }
        let inside = slope.is_finite() && (newton - below) * (newton - above) < 0.0;
        let fast = (newton - x).abs() < 0.5 * before;
        let next = if inside && fast { newton } else { halfway(below, above) };
        before = (next - x).abs();
        if before <= tolerance || (above - below).abs() <= 2.0 * tolerance {
            return Root { point: next, value, evaluations, converged: true };
        }
        x = next;
    }
    Root { point: x, value: f64::NAN, evaluations: max_evaluations, converged: false }
}
