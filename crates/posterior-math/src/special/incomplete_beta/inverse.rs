//! The inverse of the incomplete beta function, as the pair (x, 1 - x).

use super::bracket::{Bracket, End, pair};
use super::point::Point;
use super::prefactor::{ln_prefactor, prefactor};
use super::{ENLARGED, FACTOR_BELOW, FACTOR_BESIDE, Route, ln_lower, ratio, route, series, summable};

/// Three to five steps are usual. From the second number on every other one halves the bracket, of which 80
/// leave no number between its ends.
const PATIENCE: u32 = 12;
const MOST_STEPS: u32 = 200;
/// The last step has an error of the fourth order.
const FOURTH_ROOT: f64 = 1e-4;
/// (x, 1 - x) with I_x(a, b) = p: the quantile of the beta distribution, and how far it is from one.
///
/// (0, 1) at p = 0 and (1, 0) at p = 1; where x or 1 - x is too small for f64 it is zero. A parameter of zero
/// or infinity gives the point that has all mass. NaN for p outside of [0, 1] and where
/// [`beta_p`](super::beta_p) is NaN.
///
/// # Numerics
/// Halley's method, at the end Householder's of the fourth order, for the logarithm of the smaller tail as a
/// function of ln(x / (1 - x)), which is concave: Newton's steps from below never pass the solution. The
/// points found below and above it are kept, a step that leaves them is replaced by halving in ln(x / (1 -
/// x)), and what ends the search at the latest is that no number of f64 is left between them. Relative error
/// of x and of 1 - x below 3e-15, allowing for what the rounding of p does to them and, for p below 1e-100,
/// the error of [`beta_p`](super::beta_p). From parameters of 10³² on the distribution function goes from 0
/// to 1 between neighbouring numbers, of which one is returned.
///
/// ```
/// use posterior_math::special::inverse_beta_p;
///
/// let (x, _) = inverse_beta_p(2.0, 1.0, 0.25); // x² = ¼
/// assert!((x - 0.5).abs() < 1e-15);
/// ```
pub fn inverse_beta_p(a: f64, b: f64, p: f64) -> (f64, f64) {
    inverse_beta_pq(a, b, p, 1.0 - p)
}

/// (x, 1 - x) with 1 - I_x(a, b) = q: the upper quantile.
///
/// As [`inverse_beta_p`], for small q with all digits.
///
/// ```
/// use posterior_math::special::inverse_beta_q;
///
/// let (x, rest) = inverse_beta_q(1.0, 2.0, 1e-40); // (1 - x)²
/// assert_eq!(x, 1.0);
/// assert!((rest / 1e-20 - 1.0).abs() < 1e-14);
/// ```
pub fn inverse_beta_q(a: f64, b: f64, q: f64) -> (f64, f64) {
    inverse_beta_pq(a, b, 1.0 - q, q)
}

/// (x, 1 - x) with I_x(a, b) = p and 1 - I_x(a, b) = q, where p + q = 1; the smaller one of p and q is taken
/// as exact.
///
/// ```
/// use posterior_math::special::inverse_beta_pq;
///
/// let (x, rest) = inverse_beta_pq(3.0, 3.0, 0.5, 0.5);
/// assert!((x - 0.5).abs() < 1e-15 && (rest - 0.5).abs() < 1e-15);
/// ```
pub fn inverse_beta_pq(a: f64, b: f64, p: f64, q: f64) -> (f64, f64) {
    let inside = (0.0..=1.0).contains(&p) && (0.0..=1.0).contains(&q) && a >= 0.0 && b >= 0.0;
    if !inside || (a == b && (a == 0.0 || a == f64::INFINITY)) {
        return (f64::NAN, f64::NAN);
    }
    if p == 0.0 || a == 0.0 || b == f64::INFINITY {
        return (0.0, 1.0);
    }
    if q == 0.0 || b == 0.0 || a == f64::INFINITY {
        return (1.0, 0.0);
    }
    let [a, b] = summable(a, b).1;
    if p <= q {
        solve(a, b, p)
    } else {
        let (y, x) = solve(b, a, q);
        (x, y)
    }
}

/// (x, y) with I_x(a, b) = p for 0 < p ≤ ½.
fn solve(a: f64, b: f64, p: f64) -> (f64, f64) {
    if b >= FACTOR_BELOW || b >= FACTOR_BESIDE * a {
        search(a, b, p)
    } else if p / b <= 745.0 + a.recip() {
        search(a, b * ENLARGED, p * ENLARGED)
    } else {
        // I_x / b is less than 1 / a - ln y, so that y is below all numbers.
        (1.0, 0.0)
    }
}

fn search(a: f64, b: f64, p: f64) -> (f64, f64) {
    let mut bracket = Bracket::whole();
    let (mut x, mut y) = start(a, b, p);
    for steps in 0..MOST_STEPS {
        let point = Point::new(a, b, x, y);
        let (gap, slope) = gap_and_slope(&point, p);
        if gap == 0.0 {
            break;
        }
        bracket.divide(End { x, y, gap });
        let step = step(&point, gap, slope);
        let next = shifted(x, y, step);
        let halve = steps >= PATIENCE && steps % 2 == 0;
        if !halve && next == (x, y) && slope < f64::INFINITY {
            break;
        }
        if !halve && bracket.holds(next) {
            (x, y) = next;
            if (gap.abs() < FOURTH_ROOT && step.abs() < FOURTH_ROOT) || gap.abs() < 4e-16 {
                break;
            }
        } else {
            let middle = bracket.middle();
            if !bracket.holds(middle) {
                return bracket.nearer();
            }
            (x, y) = middle;
        }
    }
    (x, y)
}

/// The step that takes ln (I_x / p) = `gap` to zero, from its derivatives in ln(x / y): slope; slope
/// (excess - slope), which is never positive; and slope times the third below.
fn step(point: &Point, gap: f64, slope: f64) -> f64 {
    let newton = -gap / slope;
    let second = point.excess - slope;
    let bend = 0.5 * second * newton;
    if bend.abs() < 0.1 {
        let variance = (point.a + point.b) * point.x * point.y;
        let third = second * second - variance - slope * second;
        return newton * (1.0 - bend + 2.0 * bend * bend - third * newton * newton / 6.0);
    }
    // Halley's step, at most twice and at least a fifth of Newton's.
    newton / (1.0 + bend.clamp(-0.5, 4.0))
}

/// ln (I_x / p), and the derivative of ln I_x with ln(x / y).
fn gap_and_slope(point: &Point, p: f64) -> (f64, f64) {
    let (lower, slope) = match route(point) {
        Route::Series => {
            let (lower, _, factor) = series::with_prefactor(point);
            (lower, factor / lower)
        }
        Route::MirroredSeries => {
            let (_, lower, factor) = series::with_prefactor(&point.mirrored());
            (lower, factor / lower)
        }
        Route::Lower => {
            let ratio = ratio(point);
            (prefactor(point) * ratio, ratio.recip())
        }
        Route::Upper => {
            let factor = prefactor(point);
            let lower = 1.0 - factor * ratio(&point.mirrored());
            (lower, factor / lower)
        }
    };
    if lower < 1e-290 {
        let ln_lower = ln_lower(point);
        // One over the ratio has all its digits; a difference of large logarithms has not.
        let is_ratio = matches!(route(point), Route::Lower);
        return (ln_lower - p.ln(), if is_ratio { slope } else { (ln_prefactor(point) - ln_lower).exp() });
    }
    let excess = (lower - p) / p;
    (if excess.abs() < 0.5 { excess.ln_1p() } else { (lower / p).ln() }, slope)
}

/// (x, y) after ln(x / y) has grown by `step`.
fn shifted(x: f64, y: f64, step: f64) -> (f64, f64) {
    if step <= 0.0 {
        let shrunk = x * step.exp();
        pair(shrunk / (y + shrunk), y / (y + shrunk))
    } else {
        let shrunk = y * (-step).exp();
        pair(x / (x + shrunk), shrunk / (x + shrunk))
    }
}

/// Where the search begins.
fn start(a: f64, b: f64, p: f64) -> (f64, f64) {
    let (x, y) = if a >= 1.0 && b >= 1.0 { start_normal(a, b, p) } else { start_powers(a, b, p) };
    if x > 0.0 && y > 0.0 { pair(x, y) } else { Bracket::whole().middle() }
}

/// From the two powers that the density is where a parameter is small.
fn start_powers(a: f64, b: f64, p: f64) -> (f64, f64) {
    // Two powers, one at each end: t^a / a up to the mean, and (1 - t)^b / b above.
    let n = a + b;
    let ln_part = |part: f64| part * (part.ln() - n.ln()) - part.ln();
    let (ln_left, ln_right) = (ln_part(a), ln_part(b));
    let ln_total = ln_left.max(ln_right) + (-(ln_left - ln_right).abs()).exp().ln_1p();
    if p.ln() <= ln_left - ln_total {
        let x = ((a.ln() + ln_total + p.ln()) / a).exp().min(1.0);
        if x < 1.0 { (x, 1.0 - x) } else { (0.5, 0.5) }
    } else {
        let y = ((b.ln() + ln_total + (-p).ln_1p()) / b).exp().min(1.0);
        if y < 1.0 { (1.0 - y, y) } else { (0.5, 0.5) }
    }
}

/// Carter's expansion about the normal distribution (Abramowitz and Stegun 26.5.22).
fn start_normal(a: f64, b: f64, p: f64) -> (f64, f64) {
    let t = (-2.0 * p.ln()).sqrt();
    let z = t - (2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481));
    let (u, v) = ((2.0 * a - 1.0).recip(), (2.0 * b - 1.0).recip());
    let lambda = (z * z - 3.0) / 6.0;
    let h = 2.0 / (u + v);
    let w = z * (h + lambda).max(0.0).sqrt() / h - (v - u) * (lambda + 5.0 / 6.0 - 2.0 / (3.0 * h));
    // In the far tail the expansion may point to the other side of the mean, where the slope vanishes.
    let odds = (b / a) * (2.0 * w.max(0.0)).exp();
    if odds < 1e300 { ((1.0 + odds).recip(), odds / (1.0 + odds)) } else { (1e-300, 1.0) }
}
