//! Distribution functions of counts as functions of a real number, and their inverses.

use posterior_math::special::{normal_quantile, normal_upper_quantile};

/// `value` of the largest whole number up to x ≥ 0; `below` for negative x, `beyond` at infinity, NaN for
/// NaN.
pub(super) fn stepwise(x: f64, [below, beyond]: [f64; 2], value: impl FnOnce(f64) -> f64) -> f64 {
    if x.is_nan() {
        x
    } else if x < 0.0 {
        below
    } else if x == f64::INFINITY {
        beyond
    } else {
        value(x.floor())
    }
}

/// The same for counts that may be negative: `below` at -∞ alone.
pub(super) fn stepwise_on_line(x: f64, [below, beyond]: [f64; 2], value: impl FnOnce(f64) -> f64) -> f64 {
    if x.is_nan() {
        x
    } else if x.is_infinite() {
        if x < 0.0 { below } else { beyond }
    } else {
        value(x.floor())
    }
}

/// A tail at a count, as a search for a quantile asks for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tail {
    value: f64,
    /// NaN where the value is all that is known.
    ln: f64,
    /// The mass of the count over the tail, or NaN.
    part: f64,
}

impl Tail {
    /// A tail of which nothing else is known.
    pub(super) const fn of(value: f64) -> Self {
        Self { value, ln: f64::NAN, part: f64::NAN }
    }

    /// A tail and the mass of the count, by their logarithms.
    pub(super) fn of_ln(ln: f64, ln_mass: f64) -> Self {
        Self { value: ln.exp(), ln, part: (ln_mass - ln).exp() }
    }

    /// ln of the quotient with a probability. That of the value itself is exactly 0 where they are equal.
    fn ln_over(self, p: f64) -> f64 {
        if p < TINY && !self.ln.is_nan() { self.ln - p.ln() } else { (self.value / p).ln() }
    }
}

/// Probabilities below this have not all of their digits.
const TINY: f64 = 1e-290;

/// The support of a distribution of counts, and the first four moments: what a search for a quantile begins
/// with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search {
    pub(super) ends: [f64; 2],
    pub(super) mean: f64,
    pub(super) sd: f64,
    pub(super) skewness: f64,
    pub(super) excess: f64,
}

impl Search {
    /// The least count whose lower tail is at least p.
    pub(super) fn quantile(&self, p: f64, lower: impl Fn(f64) -> Tail) -> f64 {
        let [low, high] = self.ends;
        if !(0.0..=1.0).contains(&p) {
            f64::NAN
        } else if p == 0.0 {
            low
        } else if p == 1.0 {
            high
        } else {
            least_reaching(self.near(normal_quantile(p)), self.ends, |k| {
                let tail = lower(k);
                Excess::new(tail.ln_over(p), -tail.part)
            })
        }
    }

    /// The least count whose upper tail is at most q.
    pub(super) fn upper_quantile(&self, q: f64, upper: impl Fn(f64) -> Tail) -> f64 {
        let [low, high] = self.ends;
        if !(0.0..=1.0).contains(&q) {
            f64::NAN
        } else if q == 1.0 {
            low
        } else if q == 0.0 {
            high
        } else {
            least_reaching(self.near(normal_upper_quantile(q)), self.ends, |k| {
                let tail = upper(k);
                Excess::new(-tail.ln_over(q), tail.part)
            })
        }
    }

    /// The count that a normal distribution, corrected by Cornish and Fisher's expansion, has at the standard
    /// normal quantile z.
    fn near(&self, z: f64) -> f64 {
        let square = z * z;
        let by_skewness = self.skewness / 6.0 * (square - 1.0);
        let by_excess = self.excess / 24.0 * z * (square - 3.0);
        let by_both = self.skewness * self.skewness / 36.0 * z * (2.0 * square - 5.0);
        let corrected = z + by_skewness + by_excess - by_both;
        // In the far tails of skew distributions the expansion turns round.
        let standard = if (corrected - z).abs() <= 1.0 + z.abs() { corrected } else { z };
        (self.mean + self.sd * standard - 0.5).ceil()
    }
}

/// A bracket of counts up to this wide is halved.
const NARROW: f64 = 64.0;

/// Up to here every count, and the one before, is a number of f64.
const WHOLE: f64 = 9_007_199_254_740_994.0;

/// Newton's steps before a search without slopes.
const NEWTON: usize = 12;

/// How far a rising function of counts is above its goal at a count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Excess {
    value: f64,
    slope: f64,
    /// Whether the goal was missed at the count before, or the counts near by cannot be distinguished.
    is_first: bool,
}

impl Excess {
    /// A value, and the part by which the tail at the count before is larger; NaN if that is not known.
    fn new(value: f64, part: f64) -> Self {
        let (before, slope) = (value - part.ln_1p().abs(), part.abs());
        let unresolved = value.abs() <= NOISE && slope <= UNRESOLVED;
        Self { value, slope, is_first: unresolved || (value >= 0.0 && slope < 0.5 && before < -NOISE) }
    }

    /// The next count of Newton's method. Where the mass is most of the tail, the count before is the one to
    /// look at.
    fn next(self, count: f64) -> f64 {
        let step = -self.value / self.slope;
        if self.value < 0.0 {
            count + step.ceil().max(1.0)
        } else if self.slope > 0.5 {
            count - 1.0
        } else {
            count + step.floor().min(-1.0)
        }
    }
}

/// What one count more adds to a tail, as a part of it, where that is rounding; and the rounding of a sum of
/// so many.
const UNRESOLVED: f64 = 2.0 * f64::EPSILON;
const NOISE: f64 = 1e-13;

/// The least count between the ends at which a rising function is not negative, or the last one. By Newton's
/// method, and where that does not end, or the guess is far away, by interpolation on a wide bracket (the
/// Illinois method; every third point halves).
pub(super) fn least_reaching(guess: f64, [low, high]: [f64; 2], excess: impl Fn(f64) -> Excess) -> f64 {
    // A sum with 0 is never -0.
    let start = if guess.is_nan() { low } else { guess.clamp(low, high.min(1e300)) + 0.0 };
    let (mut below, mut above) = ((low - 1.0, f64::NEG_INFINITY), (high, f64::INFINITY));
    let (mut next, mut at) = (start, (start, f64::NAN));
    for _ in 0..NEWTON {
        let found = excess(next);
        if found.is_first && next < WHOLE {
            return next;
        }
        at = (next, found.value);
        if found.value >= 0.0 {
            if next <= low {
                return next;
            }
            above = at;
        } else {
            below = at;
        }
        next = found.next(next);
        if !(next > below.0 && next < above.0) {
            break;
        }
    }
    let value = |k| excess(k).value;
    if above.1 == f64::INFINITY || below.1 == f64::NEG_INFINITY {
        (below, above) = bracket(at, [low, high], (below, above), &value);
    }
    interpolate_counts(below, above, &value)
}

/// A count with a value.
type Valued = (f64, f64);

/// Two counts at which the signs differ, or the ends, by growing steps from where one sign is known.
fn bracket(
    mut at: Valued,
    [low, high]: [f64; 2],
    (mut below, mut above): (Valued, Valued),
    excess: &impl Fn(f64) -> f64,
) -> (Valued, Valued) {
    let mut step = (at.0 * (2.0 * f64::EPSILON)).ceil().max(1.0);
    let toward = if at.1 >= 0.0 { -1.0 } else { 1.0 };
    loop {
        if at.1 >= 0.0 {
            above = at;
        } else {
            below = at;
        }
        let ended = if toward > 0.0 { at.1 >= 0.0 || at.0 >= high } else { !(at.1 >= 0.0) || at.0 <= low };
        if ended {
            return (below, above);
        }
        let next = after(at.0, toward * step).clamp(low, high);
        at = (next, excess(next));
        step *= if step < NARROW { 2.0 } else { 16.0 };
    }
}

/// The least count above the first one, and at most the second one, at which the function is not negative.
fn interpolate_counts(
    (mut below, mut deficit): (f64, f64),
    (mut above, mut surplus): (f64, f64),
    excess: &impl Fn(f64) -> f64,
) -> f64 {
    if below >= above || above == f64::INFINITY {
        return above;
    }
    let (mut last, mut count) = (0.0, 0);
    loop {
        let width = above - below;
        count += 1;
        let proportion = deficit / (deficit - surplus);
        let interpolated = width > NARROW && count % 3 != 0 && (0.0..=1.0).contains(&proportion);
        // Beyond 2^53 counts are further apart than by one.
        let (first, last_inside) = ((below + 1.0).max(below.next_up()), (above - 1.0).min(above.next_down()));
        if first >= above {
            return above;
        }
        let middle = below + (if interpolated { proportion } else { 0.5 } * width).floor();
        let middle = middle.clamp(first, last_inside.max(first));
        let value = excess(middle);
        let side = if value >= 0.0 { 1.0 } else { -1.0 };
        if value >= 0.0 {
            (above, surplus) = (middle, value);
        } else {
            (below, deficit) = (middle, value);
        }
        // The end that stays is made less of, so that it does not stay for long.
        if side == last {
            if side > 0.0 { deficit *= 0.5 } else { surplus *= 0.5 }
        }
        last = side;
    }
}

/// A count and a step; infinity only after the largest number.
fn after(count: f64, step: f64) -> f64 {
    let next = count + step;
    if next == f64::INFINITY && count < f64::MAX { f64::MAX } else { next }
}

/// The least count between the ends that has been `reached`, or the last one; growing steps from a guess,
/// then halves.
///
/// It is the quantile of counts whose distribution function is known: the least count with at least so much
/// probability. Counts above 2⁵³ are as far apart as numbers are. About 2 log₂(d) evaluations, where d is how
/// far the guess is off.
///
/// ```
/// use posterior_dist::{Poisson, Univariate, least_count};
///
/// let counts = Poisson::new(4.0)?;
/// let median = least_count(3.0, [0.0, f64::INFINITY], |count| counts.cdf(count) >= 0.5);
/// assert_eq!(median, counts.quantile(0.5));
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
pub fn least_count(guess: f64, [low, high]: [f64; 2], reached: impl Fn(f64) -> bool) -> f64 {
    let start = if guess.is_nan() { low } else { guess.clamp(low, high.min(1e300)) };
    let mut step = (start * (2.0 * f64::EPSILON)).ceil().max(1.0);
    let (mut below, mut above);
    if reached(start) {
        above = start;
        loop {
            if above == low {
                return low;
            }
            below = (above - step).max(low);
            if !reached(below) {
                break;
            }
            above = below;
            step *= 8.0;
        }
    } else {
        below = start;
        loop {
            if below == high {
                return high;
            }
            above = after(below, step).min(high);
            if above == high || reached(above) {
                break;
            }
            below = above;
            step *= 8.0;
        }
    }
    if above == f64::INFINITY {
        return above;
    }
    loop {
        let middle = below + (0.5 * (above - below)).floor();
        if middle <= below || middle >= above {
            return above;
        }
        if reached(middle) { above = middle } else { below = middle }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{Excess, least_count, least_reaching};

    #[test]
    fn counts_far_from_the_guess_take_few_evaluations() {
        for guess in [f64::NAN, 0.0, 3.0, 1e6, 1e14, f64::INFINITY] {
            for least in [0.0_f64, 1.0, 17.0, 1e6, 3e11, 123_456_789_012_345.0] {
                let evaluations = Cell::new(0);
                let excess = |k: f64| {
                    evaluations.set(evaluations.get() + 1);
                    Excess::new(((k + 1.0) / (least + 0.5)).ln(), f64::NAN)
                };
                assert_eq!(least_reaching(guess, [0.0, 1e15], excess), least, "from {guess}");
                assert!(evaluations.get() <= 60, "{} evaluations from {guess} to {least}", evaluations.get());
            }
            assert_eq!(
                least_reaching(guess, [0.0, f64::INFINITY], |_| Excess::new(-1.0, f64::NAN)),
                f64::INFINITY
            );
            assert_eq!(least_reaching(guess, [0.0, 9.0], |_| Excess::new(-1.0, f64::NAN)), 9.0);
            assert_eq!(least_reaching(guess, [3.0, 9.0], |_| Excess::new(1.0, f64::NAN)), 3.0);
        }
    }

    #[test]
    fn the_least_count_is_found_from_any_guess() {
        for guess in [f64::NAN, -5.0, 0.0, 3.0, 17.0, 1e6, f64::INFINITY] {
            for least in [0.0, 1.0, 17.0, 1000.0] {
                assert_eq!(least_count(guess, [0.0, f64::INFINITY], |k| k >= least), least);
                assert_eq!(least_count(guess, [0.0, 1000.0], |k| k >= least), least);
            }
            assert_eq!(least_count(guess, [0.0, f64::INFINITY], |_| false), f64::INFINITY);
            assert_eq!(least_count(guess, [0.0, 9.0], |_| false), 9.0);
        }
    }
}
