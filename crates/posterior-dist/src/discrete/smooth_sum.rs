//! Sums over the masses of a law of counts that cost O(log n) where the masses are smooth, however many there are.
//!
//! The first and the last terms are added one by one. What is between them is an integral, by Gauss's rule on panels that
//! widen with the distance from the ends and reach half a standard deviation, with Euler and Maclaurin's corrections.

/// How many terms at either end are added one by one.
const SINGLE: f64 = 128.0;
/// Terms below this share of the sum, where they fall, end it.
const NEGLIGIBLE: f64 = 1e-19;
/// Panels: some forty are usual; this many only end what rounding would keep alive.
const MOST_PANELS: u32 = 4000;

/// Nodes and weights of Gauss and Legendre's rule with 16 nodes on [-1, 1], one of each pair; with mpmath 1.3 at 30 digits.
const NODES: [(f64, f64); 8] = [
    (0.989_400_934_991_649_9, 0.027_152_459_411_754_096),
    (0.944_575_023_073_232_6, 0.062_253_523_938_647_894),
    (0.865_631_202_387_831_8, 0.095_158_511_682_492_78),
    (0.755_404_408_355_003, 0.124_628_971_255_533_88),
    (0.617_876_244_402_643_8, 0.149_595_988_816_576_73),
    (0.458_016_777_657_227_37, 0.169_156_519_395_002_53),
    (0.281_603_550_779_258_9, 0.182_603_415_044_923_6),
    (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
];

/// Σ `term(k)` over the counts k from `from` to `to`, both included, in this direction; `to` may be infinite.
///
/// The terms are positive and smooth at the distance `scale` inside, and at the distance from the ends near them; once they
/// fall below a share of 1e-19 of the sum they stay there.
pub(super) fn smooth_sum(term: impl Fn(f64) -> f64, from: f64, to: f64, scale: f64) -> f64 {
    let direction = if to >= from { 1.0 } else { -1.0 };
    let count = (to - from).abs() + 1.0;
    // The term at a distance from the start; half a count before it is the distance 0.
    let at = |distance: f64| term(from + direction * (distance - 0.5));
    let mut sum = 0.0;
    let mut previous = f64::INFINITY;
    let single = if count <= 4.0 * SINGLE { count } else { SINGLE };
    let mut index = 0.0;
    while index < single {
        let next = at(index + 0.5);
        sum += next;
        if next < NEGLIGIBLE * sum && next <= previous {
            return sum;
        }
        previous = next;
        index += 1.0;
    }
    if single == count {
        return sum;
    }
    sum + beyond(at, count, scale, sum)
}

/// The terms that `smooth_sum` does not add one by one, and those at the far end, which it does.
fn beyond(at: impl Fn(f64) -> f64, count: f64, scale: f64, so_far: f64) -> f64 {
    let last = count - SINGLE;
    let mut start = SINGLE;
    let mut sum = correction(&at, start);
    for _ in 0..MOST_PANELS {
        let room = last - start;
        if !(room > 0.0) {
            break;
        }
        let width = (0.5 * scale).max(0.25 * SINGLE).min(0.5 * start).min(0.5 * (room + SINGLE)).min(room);
        if start + width == start {
            break;
        }
        let panel = integral(&at, start, width);
        sum += panel;
        start += width;
        if panel < NEGLIGIBLE * width * (so_far + sum) && at(start) < NEGLIGIBLE * (so_far + sum) {
            return sum;
        }
    }
    if last == f64::INFINITY {
        return sum;
    }
    sum -= correction(&at, last);
    let mut index = 0.0;
    while index < SINGLE {
        sum += at(last + index + 0.5);
        index += 1.0;
    }
    sum
}

fn integral(at: &impl Fn(f64) -> f64, start: f64, width: f64) -> f64 {
    let (center, half) = (start + 0.5 * width, 0.5 * width);
    let pair = |&(node, weight): &(f64, f64)| weight * (at(center - half * node) + at(center + half * node));
    half * NODES.iter().map(pair).sum::<f64>()
}

/// What a sum over half-odd distances beyond `x` has more than the integral from x on: f'(x)/24 - 7 f'''(x)/5760, by
/// differences.
fn correction(at: &impl Fn(f64) -> f64, x: f64) -> f64 {
    let [a, b, c, d] = [at(x - 1.5), at(x - 0.5), at(x + 0.5), at(x + 1.5)];
    let third = (d - a) - 3.0 * (c - b);
    let first = (27.0 * (c - b) - (d - a)) / 24.0;
    first / 24.0 - 7.0 * third / 5760.0
}

/// The counts that a law has, where its masses are largest, and how far they reach.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) mode: f64,
    pub(super) scale: f64,
}

impl Extent {
    /// E `value`(k, ln P(k)), which is positive: outwards from the mode.
    pub(super) fn expectation(&self, ln_mass: impl Fn(f64) -> f64, value: impl Fn(f64, f64) -> f64) -> f64 {
        let term = |k: f64| {
            let ln_mass = ln_mass(k);
            if ln_mass == f64::NEG_INFINITY { 0.0 } else { ln_mass.exp() * value(k, ln_mass) }
        };
        let start = self.mode.clamp(self.low, self.high);
        let up = smooth_sum(term, start, self.high, self.scale);
        if start > self.low { up + smooth_sum(term, start - 1.0, self.low, self.scale) } else { up }
    }

    /// -E ln P(k).
    pub(super) fn entropy(&self, ln_mass: impl Fn(f64) -> f64) -> f64 {
        self.expectation(ln_mass, |_, ln_mass| -ln_mass)
    }

    /// Both tails at the count k, from the sum over one of them: the one that is away from the mean unless that is the
    /// larger one.
    pub(super) fn tails(&self, mean: f64, k: f64, ln_mass: impl Fn(f64) -> f64) -> Tails {
        if k >= self.high {
            return Tails { ln_lower: 0.0, ln_upper: f64::NEG_INFINITY };
        }
        let side = |from: f64, to: f64| {
            let ln_first = ln_mass(from);
            ln_first + smooth_sum(|x| (ln_mass(x) - ln_first).exp(), from, to, self.scale).ln()
        };
        if k < mean {
            let ln_lower = side(k, self.low);
            let ln_upper = if ln_lower < -0.7 { (-ln_lower.exp()).ln_1p() } else { side(k + 1.0, self.high) };
            Tails { ln_lower, ln_upper }
        } else {
            let ln_upper = side(k + 1.0, self.high);
            let ln_lower = if ln_upper < -0.7 { (-ln_upper.exp()).ln_1p() } else { side(k, self.low) };
            Tails { ln_lower, ln_upper }
        }
    }
}

/// ln P(X ≤ k) and ln P(X > k).
pub(super) struct Tails {
    pub(super) ln_lower: f64,
    pub(super) ln_upper: f64,
}

#[cfg(test)]
mod tests {
    use super::smooth_sum;

    #[test]
    fn sums_with_a_closed_form_come_out() {
        for decay in [1.0, 0.1, 1e-2, 1e-4, 1e-9] {
            let sum = smooth_sum(|k| (-decay * k).exp(), 0.0, f64::INFINITY, 1.0 / decay);
            assert!((sum * -(-decay).exp_m1() - 1.0).abs() < 4e-15, "{decay}: {sum}");
        }
        // Σ 1/(k (k + 1)) = 1 - 1/(n + 1), in both directions.
        for n in [1.0, 100.0, 511.0, 512.0, 513.0, 1e4, 1e15] {
            let term = |k: f64| (k * (k + 1.0)).recip();
            for sum in [smooth_sum(term, 1.0, n, n), smooth_sum(term, n, 1.0, n)] {
                assert!((sum - n / (n + 1.0)).abs() < 4e-15, "{n}: {sum}");
            }
        }
    }
}
