//! Minima of functions of one variable.

/// How to minimise in one variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScalarOptions {
    /// The minimum is found to this proportion of itself: not below √ε, to which a minimum is determined.
    /// 1.5·10^-8 by default.
    pub relative: f64,
    /// The absolute part of the tolerance. 10^-12 by default.
    pub absolute: f64,
    /// The largest number of evaluations. 200 by default.
    pub max_evaluations: usize,
}

impl Default for ScalarOptions {
    fn default() -> Self {
        Self { relative: 1.5e-8, absolute: 1e-12, max_evaluations: 200 }
    }
}

/// A minimum of a function of one variable.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ScalarMinimum {
    /// The point.
    pub point: f64,
    /// The function there.
    pub value: f64,
    /// How often the function was evaluated.
    pub evaluations: usize,
    /// Whether the tolerance was reached.
    pub converged: bool,
}

/// A local minimum of `f` between `a` and `b` by Brent's method: parabolas, with golden sections to be safe.
///
/// If `f` has one minimum there, it is the one; a minimum at an end is approached to the tolerance, as the
/// ends are never evaluated. NaN counts as +∞. NaN without convergence if an end is not finite.
///
/// ```
/// use posterior_math::optimize::{ScalarOptions, minimize_scalar};
///
/// let found = minimize_scalar(|x| x - x.ln(), 0.0, 10.0, &ScalarOptions::default());
/// assert!(found.converged && (found.point - 1.0).abs() < 1e-7);
/// ```
///
/// # References
/// R. Brent, Algorithms for Minimization without Derivatives, 1973, chapter 5.
pub fn minimize_scalar(
    mut f: impl FnMut(f64) -> f64,
    a: f64,
    b: f64,
    options: &ScalarOptions,
) -> ScalarMinimum {
    let golden = 0.5 * (3.0 - 5_f64.sqrt());
    if !(b - a).is_finite() {
        return ScalarMinimum { point: f64::NAN, value: f64::NAN, evaluations: 0, converged: false };
    }
    let mut f = |x: f64| {
        let value = f(x);
        if value.is_nan() { f64::INFINITY } else { value }
    };
    let (mut a, mut b) = (a.min(b), a.max(b));
    let mut x = a + golden * (b - a);
    let mut fx = f(x);
    // The second and third best points.
    let (mut w, mut fw, mut v, mut fv) = (x, fx, x, fx);
    let (mut step, mut before) = (0.0_f64, 0.0_f64);
    let mut evaluations = 1;
    loop {
        let middle = a.midpoint(b);
        let tolerance =
            options.relative.max(f64::EPSILON) * x.abs() + options.absolute.max(f64::MIN_POSITIVE);
        if (x - middle).abs() <= 2.0 * tolerance - 0.5 * (b - a) {
            return ScalarMinimum { point: x, value: fx, evaluations, converged: fx < f64::INFINITY };
        }
        if evaluations >= options.max_evaluations {
            return ScalarMinimum { point: x, value: fx, evaluations, converged: false };
        }
        let last = std::mem::replace(&mut before, step);
        let parabola = parabola_step([x, w, v], [fx, fw, fv]);
        let inside = |u: f64| u - a >= 2.0 * tolerance && b - u >= 2.0 * tolerance;
        if last.abs() > tolerance && parabola.abs() < 0.5 * last.abs() && x + parabola > a && x + parabola < b
        {
            step = if inside(x + parabola) { parabola } else { tolerance.copysign(middle - x) };
        } else {
            before = if x < middle { b - x } else { a - x };
            step = golden * before;
        }
        let u = x + if step.abs() >= tolerance { step } else { tolerance.copysign(step) };
        let fu = f(u);
        evaluations += 1;
        if fu <= fx {
            if u < x {
                b = x;
            } else {
                a = x;
            }
            ((v, fv), (w, fw), (x, fx)) = ((w, fw), (x, fx), (u, fu));
        } else {
            if u < x {
                a = u;
            } else {
                b = u;
            }
            if fu <= fw || w == x {
                ((v, fv), (w, fw)) = ((w, fw), (u, fu));
            } else if fu <= fv || v == x || v == w {
                (v, fv) = (u, fu);
            }
        }
    }
}

/// The way from the first point to the minimum of the parabola through three; NaN if there is none.
fn parabola_step([x, w, v]: [f64; 3], [fx, fw, fv]: [f64; 3]) -> f64 {
    let r = (x - w) * (fx - fv);
    let q = (x - v) * (fx - fw);
    -((x - v) * q - (x - w) * r) / (2.0 * (q - r))
}
