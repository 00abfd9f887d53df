//! The continued fraction of the upper incomplete gamma function.

/// The numbers of the recurrence are taken down by [`SCALE`] beyond this.
const LARGE: f64 = 1e100;
const SCALE: f64 = 1e-100;

/// At most so many pairs of steps: a < 1 at x = 2 takes 25.
const PAIRS: u32 = 200;

/// From here on one term is the fraction.
const ONE_TERM_FROM: f64 = 1e20;

/// Γ(a, x) e^x / x^a = 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - …))) (DLMF 8.9.2,
/// its even part), by the recurrences of numerator and denominator: they need one division at the end.
pub(super) fn continued_fraction(a: f64, x: f64) -> f64 {
    if x > ONE_TERM_FROM {
        return (x - a).recip();
    }
    let (mut above, mut below) = (1.0, x + (1.0 - a));
    let (mut above_before, mut below_before) = (0.0, 1.0);
    let mut partial = x + (3.0 - a);
    let mut k = 1.0;
    for _ in 0..PAIRS {
        let numerator = k * (k - a);
        above_before = partial * above - numerator * above_before;
        below_before = partial * below - numerator * below_before;
        let numerator = (k + 1.0) * (k + 1.0 - a);
        partial += 2.0;
        above = partial * above_before - numerator * above;
        below = partial * below_before - numerator * below;
        partial += 2.0;
        k += 2.0;
        if (above * below_before - above_before * below).abs() <= 1e-16 * (above_before * below).abs() {
            break;
        }
        if below > LARGE {
            above *= SCALE;
            below *= SCALE;
            above_before *= SCALE;
            below_before *= SCALE;
        }
    }
    above / below
}

/// The logarithmic derivative in a of [`continued_fraction`], by the derivatives of the same recurrences.
pub(super) fn continued_fraction_slope(a: f64, x: f64) -> f64 {
    if x > ONE_TERM_FROM {
        return (x - a).recip();
    }
    // (numerator, its derivative), (denominator, its derivative), and those of the step before.
    let (mut above, mut below) = ((1.0, 0.0), (x + (1.0 - a), -1.0));
    let (mut above_before, mut below_before) = ((0.0, 0.0), (1.0, 0.0));
    let mut quotient = -below.1 / below.0;
    let mut k = 0.0;
    for _ in 0..2 * PAIRS {
        k += 1.0;
        let (partial, numerator) = (x + (2.0 * k + 1.0 - a), k * (k - a));
        let step = |now: (f64, f64), before: (f64, f64)| {
            let value = partial * now.0 - numerator * before.0;
            (value, partial * now.1 - now.0 - numerator * before.1 + k * before.0)
        };
        (above, above_before) = (step(above, above_before), above);
        (below, below_before) = (step(below, below_before), below);
        let next = above.1 / above.0 - below.1 / below.0;
        if (next - quotient).abs() <= 1e-16 * next.abs() {
            return next;
        }
        quotient = next;
        if below.0 > LARGE {
            for pair in [&mut above, &mut below, &mut above_before, &mut below_before] {
                *pair = (pair.0 * SCALE, pair.1 * SCALE);
            }
        }
    }
    quotient
}
