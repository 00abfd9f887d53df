//! The continued fraction of the incomplete beta function.

use super::point::Point;

/// Enough for the widest peak where [`super::asymptotic`] does not take over; convergence stops it much
/// earlier.
const MOST_STEPS: u32 = 20_000;
const TOO_LARGE: f64 = 1.157_920_892_373_162e77; // 2^256
const SMALLER: f64 = 1.0 / TOO_LARGE;

/// I_x(a, b) B(a, b) / (x^a y^b) for x below about the mean, by the even part of the fraction of Gauss for
/// ₂F₁:
///
/// 1 / (β₀ + α₁ / (β₁ + α₂ / (β₂ + …))), with all terms positive until b is passed.
pub(super) fn fraction(point: &Point) -> f64 {
    let Point { a, b, x, y, excess } = *point;
    let (mut before, mut now) = ((1.0, 0.0), (0.0, 0.0));
    let mut reciprocal = (a + 1.0).recip();
    // Numerators and denominators of the convergents, those of 1 / f.
    now.0 = a * reciprocal * (excess + 1.0);
    now.1 = 1.0;
    let rise = 1.0 + y;
    let mut n = 1.0;
    for _ in 0..MOST_STEPS {
        let last = reciprocal;
        reciprocal = (a + (2.0 * n + 1.0)).recip();
        let turn = n * last * ((b - n) * x);
        let alpha = (a + (n - 1.0)) * last * ((a + b + (n - 1.0)) * x) * turn;
        let beta = n + turn + (a + n) * reciprocal * (excess + 1.0 + n * rise);
        let mut next = (beta * now.0 + alpha * before.0, beta * now.1 + alpha * before.1);
        let change = next.0 * now.1 - now.0 * next.1;
        let close = change.abs() <= 1e-16 * (now.0 * next.1).abs();
        if next.0.abs() > TOO_LARGE {
            next = (next.0 * SMALLER, next.1 * SMALLER);
            now = (now.0 * SMALLER, now.1 * SMALLER);
        }
        before = now;
        now = next;
        if close || !now.0.is_finite() {
            break;
        }
        n += 1.0;
    }
    now.1 / now.0
}
