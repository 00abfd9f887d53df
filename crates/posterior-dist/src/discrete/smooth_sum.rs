//! Sums over the masses of a distribution of counts that cost O(log n) where the masses are smooth, however
//! many there are.
//!
//! The first and the last terms are added one by one. What is between them is an integral, by Gauss's rule on
//! panels that widen with the distance from the ends and reach one standard deviation, with Euler and
//! Maclaurin's corrections.

/// How many terms at either end are added one by one.
const SINGLE: f64 = 128.0;
/// Terms below this proportion of the sum, where they fall, end it.
const NEGLIGIBLE: f64 = 1e-19;
/// Panels: some forty are usual; this many only end what rounding would keep alive.
const MOST_PANELS: u32 = 4000;

/// From this distance on a panel ends at three times its start: of a power of the distance Gauss's rule with
/// 16 nodes has an error of 5e-19 there, which the ellipse of analyticity through the end that the distance
/// is from gives, (2 + √3)⁻³².
const FAR: f64 = 1e3;

/// Up to this part of the scale the terms are powers of the distance, and a panel ends at [`LONG`] times its
/// start.
const POWER_TO: f64 = 1e-3;
const LONG: f64 = 64.0;
/// By what an integral over the logarithm of the distance may change over such a panel.
const STEEPEST: f64 = 1e5;

/// From this standard deviation on, sums over a whole bell take steps of a third of it.
const WIDE: f64 = 1000.0;

/// Nodes and weights of Gauss and Legendre's rule with 16 nodes on [-1, 1], one of each pair; with mpmath 1.3
/// at 30 digits.
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

/// Σ `term(from, k - from)` over the counts k from `from` to `to`, both included, in this direction; `to` may
/// be infinite.
///
/// A count is given as its nearer end and the distance from there, of which neither is rounded. The terms are
/// positive and smooth at the distance `scale` inside, and at the distance from the ends near them; once they
/// fall below a proportion of 1e-19 of the sum they stay there.
pub(super) fn smooth_sum(term: impl Fn(f64, f64) -> f64, from: f64, to: f64, scale: f64) -> f64 {
    let direction = if to >= from { 1.0 } else { -1.0 };
    let count = (to - from).abs() + 1.0;
    // The term at a distance from an end; half a count before it is the distance 0.
    let near = |distance: f64| term(from, direction * (distance - 0.5));
    if count <= 3.0 * SINGLE {
        return single(near, count).0;
    }
    let (half, ended) = from_end(near, (0.5 * count).floor(), scale);
    if ended || to.is_infinite() {
        return half;
    }
    let far = |distance: f64| term(to, direction * (0.5 - distance));
    half + from_end(far, count - (0.5 * count).floor(), scale).0
}

/// Whether a term ends a sum: where the sum is next to the smallest number its negligible part is zero, as
/// the term is.
fn negligible(term: f64, sum: f64) -> bool {
    term < NEGLIGIBLE * sum || (term == 0.0 && sum > 0.0)
}

/// The sum of the first `count` terms, one by one, and whether they ended in negligible ones.
fn single(at: impl Fn(f64) -> f64, count: f64) -> (f64, bool) {
    let (mut sum, mut previous, mut index) = (0.0, f64::INFINITY, 0.0);
    while index < count {
        let next = at(index + 0.5);
        sum += next;
        if negligible(next, sum) && next <= previous {
            return (sum, true);
        }
        previous = next;
        index += 1.0;
    }
    (sum, false)
}

/// The sum of the first `count` terms, as an integral where the terms are many, and whether they ended in
/// negligible ones. What Euler and Maclaurin's formula adds at the far end is left out: it is the opposite of
/// what the other half would add.
fn from_end(at: impl Fn(f64) -> f64, count: f64, scale: f64) -> (f64, bool) {
    let (mut sum, ended) = single(&at, SINGLE.min(count));
    if ended {
        return (sum, true);
    }
    if sum == 0.0 && (count.is_infinite() || at(count - 0.5) == 0.0) {
        // All that counts is at the other end, by more than f64 holds.
        return (0.0, false);
    }
    let mut start = SINGLE;
    sum += correction(&at, start);
    let mut previous = f64::INFINITY;
    for _ in 0..MOST_PANELS {
        if !(start < count) {
            return (sum, false);
        }
        let far = LONG * start;
        let is_power = start > FAR && far < POWER_TO * scale.min(count) && {
            let growth = LONG * (at(far) / at(start));
            STEEPEST.recip() < growth && growth < STEEPEST
        };
        let (end, panel) = if is_power {
            // In logarithms: a power of the distance, and its logarithm, are smooth there however long the
            // panel is.
            let of_ln = |t: f64| at(t.exp()) * t.exp();
            (far, integral(&of_ln, start.ln(), LONG.ln()))
        } else {
            let growth = if start < FAR { 0.5 } else { 2.0 };
            let wanted = scale.max(0.125 * SINGLE).min(growth * start);
            let end = (start + wanted).min(count);
            // The difference is exact, where the sum was rounded.
            (end, integral(&at, start, end - start))
        };
        sum += panel;
        if negligible(panel, sum) && panel <= previous {
            return (sum, true);
        }
        (start, previous) = (end, panel);
    }
    (sum, false)
}

fn integral(at: &impl Fn(f64) -> f64, start: f64, width: f64) -> f64 {
    let (center, half) = (start + 0.5 * width, 0.5 * width);
    let pair = |&(node, weight): &(f64, f64)| weight * (at(center - half * node) + at(center + half * node));
    half * NODES.iter().map(pair).sum::<f64>()
}

/// What a sum over half-odd distances beyond `x` has more than the integral from x on: f'(x)/24 - 7
/// f'''(x)/5760 + 31 f⁗'(x)/967680, by differences.
fn correction(at: &impl Fn(f64) -> f64, x: f64) -> f64 {
    let [first, second, last] = [0.5, 1.5, 2.5].map(|step| at(x + step) - at(x - step));
    let (third, fifth) = (second - 3.0 * first, last - 5.0 * second + 10.0 * first);
    first / 24.0 - 17.0 * third / 5760.0 + 367.0 * fifth / 967_680.0
}

/// The sum of smooth terms under a bell of this width, of which every h-th will do: with h ≤ `scale`/3 the
/// sum times h is the whole sum to far beyond the digits of f64 (by Poisson's summation formula), and no
/// count is rounded.
fn bell(term: impl Fn(f64) -> f64, mode: f64, scale: f64) -> f64 {
    let stride = (scale / 3.0).log2().floor().exp2();
    let side = |direction: f64, first: f64| {
        let (mut sum, mut index) = (0.0, first);
        while index < 200.0 {
            let next = term(mode + direction * index * stride);
            sum += next;
            if next < NEGLIGIBLE * sum {
                break;
            }
            index += 1.0;
        }
        sum
    };
    stride * (side(1.0, 0.0) + side(-1.0, 1.0))
}

/// Below it a logarithm is rounded to 16 and more. Up to 2⁶⁴ smaller terms, whose logarithm is 44, do not
/// change it, and ratios of masses are noise.
const BEYOND_DIGITS: f64 = -1e17;

/// The logarithm of a tail up to which what it leaves loses no more than half a digit.
const HALF: f64 = -0.45;

/// The counts that a distribution has, where its masses are largest, and how far they reach.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) mode: f64,
    pub(super) scale: f64,
}

impl Extent {
    /// E `value`(k, ln P(k)), which is positive: outwards from the mode. The mass is asked for as in
    /// [`smooth_sum`].
    pub(super) fn expectation(
        &self,
        ln_mass: impl Fn(f64, f64) -> f64,
        value: impl Fn(f64, f64) -> f64,
    ) -> f64 {
        let term = |base: f64, offset: f64| {
            let ln_mass = ln_mass(base, offset);
            if ln_mass == f64::NEG_INFINITY { 0.0 } else { ln_mass.exp() * value(base + offset, ln_mass) }
        };
        let start = self.mode.clamp(self.low, self.high);
        let room = (start - self.low).min(self.high - start);
        if self.scale > WIDE && room > 40.0 * self.scale {
            return bell(|k| term(k, 0.0), start, self.scale);
        }
        let up = smooth_sum(term, start, self.high, self.scale);
        if start > self.low { up + smooth_sum(term, start - 1.0, self.low, self.scale) } else { up }
    }

    /// -E ln P(k).
    pub(super) fn entropy(&self, ln_mass: impl Fn(f64, f64) -> f64) -> f64 {
        self.expectation(ln_mass, |_, ln_mass| -ln_mass)
    }

    /// Both tails at the count k, from the sum over one of them: the one that is away from the mean unless
    /// that is the larger one.
    pub(super) fn tails(&self, mean: f64, k: f64, ln_mass: impl Fn(f64, f64) -> f64) -> Tails {
        if k >= self.high {
            return Tails { ln_lower: 0.0, ln_upper: f64::NEG_INFINITY };
        }
        let side = |from: f64, to: f64| {
            // Where masses are largest at both ends of the support, the last one may be beyond e⁷⁰⁹ times the
            // first.
            let ln_last = if to.is_finite() { ln_mass(to, 0.0) } else { f64::NEG_INFINITY };
            let ln_largest = ln_mass(from, 0.0).max(ln_last);
            if ln_largest < BEYOND_DIGITS {
                return ln_largest;
            }
            let relative = |base: f64, offset: f64| (ln_mass(base, offset) - ln_largest).exp();
            ln_largest + smooth_sum(relative, from, to, self.scale).ln()
        };
        if k < mean {
            let ln_lower = side(k, self.low);
            if ln_lower < HALF {
                return Tails { ln_lower, ln_upper: complement(ln_lower) };
            }
            Tails::of(ln_lower, side(k + 1.0, self.high))
        } else {
            let ln_upper = side(k + 1.0, self.high);
            if ln_upper < HALF {
                return Tails { ln_lower: complement(ln_upper), ln_upper };
            }
            Tails::of(side(k, self.low), ln_upper)
        }
    }
}

/// ln P(X ≤ k) and ln P(X > k).
pub(super) struct Tails {
    pub(super) ln_lower: f64,
    pub(super) ln_upper: f64,
}

impl Tails {
    /// Of two sums: the smaller one decides, for a sum next to one has lost the digits of what it leaves.
    fn of(ln_lower: f64, ln_upper: f64) -> Self {
        if ln_upper < ln_lower {
            Self { ln_lower: complement(ln_upper), ln_upper }
        } else {
            Self { ln_lower, ln_upper: complement(ln_lower) }
        }
    }
}

/// The logarithm of what a tail leaves.
fn complement(ln_tail: f64) -> f64 {
    (-ln_tail.exp()).ln_1p()
}

#[cfg(test)]
mod tests {
    use super::smooth_sum;

    #[test]
    fn sums_with_a_closed_form_come_out() {
        for decay in [1.0, 0.1, 1e-2, 1e-4, 1e-9] {
            let sum = smooth_sum(|_, k| (-decay * k).exp(), 0.0, f64::INFINITY, 1.0 / decay);
            assert!((sum * -(-decay).exp_m1() - 1.0).abs() < 4e-15, "{decay}: {sum}");
        }
        // Σ 1/(k (k + 1)) = 1 - 1/(n + 1), in both directions.
        for n in [1.0, 100.0, 511.0, 512.0, 513.0, 1e4, 1e15] {
            let term = |base: f64, offset: f64| ((base + offset) * (base + offset + 1.0)).recip();
            for sum in [smooth_sum(term, 1.0, n, n), smooth_sum(term, n, 1.0, n)] {
                assert!((sum - n / (n + 1.0)).abs() < 4e-15, "{n}: {sum}");
            }
        }
    }
}
