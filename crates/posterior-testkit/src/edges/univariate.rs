//! What the search checks of a distribution on the real line.

use posterior_dist::text::DynUnivariate;

use super::rounding::{LEAST, RELATIVE, Rounding, agree, at_most};
use super::trial::{POINTS, Trial};

/// The least probability at which a draw is an accident: one in 10¹⁵, where a search of 10⁸ cases has some
/// 10⁷ draws.
const IMPOSSIBLE: f64 = 1e-15;

/// Beyond it the logarithm of a density or of a tail may have left f64.
const BEYOND: f64 = 1e300;

/// Counts up to here have a next one in f64.
const COUNTS: f64 = 9_007_199_254_740_992.0;

/// What is known of the distribution beside what it says of itself.
#[derive(Debug, Clone)]
pub struct Facts {
    /// What its points are rounded with.
    pub rounding: Rounding,
    /// Numbers that it is made of, to look next to.
    pub landmarks: Vec<f64>,
    /// Whether the density is one of angles, and goes on outside of the interval that the distribution
    /// function is of.
    pub circle: bool,
    /// Whether there is density everywhere between the ends of the support.
    pub joined: bool,
    /// Where the density may be infinite, beside the ends of the support.
    pub poles: Vec<f64>,
    /// The relative error that a probability may have.
    pub relative: f64,
    /// From this logarithm on a tail may have no digits, or be none.
    pub deepest: f64,
}

impl Default for Facts {
    fn default() -> Self {
        Self {
            rounding: Rounding::Relative,
            landmarks: Vec::new(),
            circle: false,
            joined: true,
            poles: Vec::new(),
            relative: RELATIVE,
            deepest: -BEYOND,
        }
    }
}

/// A point with everything that the distribution says of it.
#[derive(Debug, Clone, Copy)]
struct Seen {
    x: f64,
    lower: f64,
    upper: f64,
    ln_lower: f64,
    ln_upper: f64,
    ln_density: f64,
}

impl Seen {
    fn at(distribution: &dyn DynUnivariate, x: f64) -> Self {
        Self {
            x,
            lower: distribution.cdf(x),
            upper: distribution.sf(x),
            ln_lower: distribution.ln_cdf(x),
            ln_upper: distribution.ln_sf(x),
            ln_density: distribution.ln_pdf(x),
        }
    }
}

/// The distribution at some points.
pub(super) fn examine(distribution: &dyn DynUnivariate, facts: &Facts, trial: &mut Trial) {
    let ends = ends(distribution, trial);
    summaries(distribution, facts, ends, trial);
    let mut seen: Vec<Seen> = Vec::with_capacity(POINTS);
    for _ in 0..POINTS {
        let found = trial.found.len();
        let p = trial.numbers.probability();
        let near_quantile = if trial.numbers.below(2) == 0 {
            quantile(distribution, facts, ends, p, trial)
        } else {
            upper_quantile(distribution, facts, ends, p, trial)
        };
        let x = point(distribution, facts, &seen, ends, near_quantile, trial);
        let here = Seen::at(distribution, x);
        tails(here, facts.relative, trial);
        density(distribution, facts, ends, here, trial);
        seen.push(here);
        // One fault is enough, and its consequences many.
        if trial.found.len() > found + 3 {
            break;
        }
    }
    seen.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mode = distribution.mode();
    for pair in seen.windows(2) {
        // Two that cannot be distinguished from one another have no order.
        if pair[0].x == pair[1].x || facts.rounding.around(pair[0].x)[1] < pair[1].x {
            rising(pair[0], pair[1], facts.relative, trial);
            mass(distribution, facts, mode, pair[0], pair[1], trial);
        }
    }
    for _ in 0..2 {
        draw(distribution, facts, ends, trial);
    }
}

/// The ends of the support, and what is fixed whatever the distribution.
fn ends(distribution: &dyn DynUnivariate, trial: &mut Trial) -> [f64; 2] {
    let ends = [distribution.quantile(0.0), distribution.quantile(1.0)];
    let others = [distribution.upper_quantile(1.0), distribution.upper_quantile(0.0)];
    trial.expect("ends of the support", ends == others && ends[0] <= ends[1], || {
        format!("quantiles at 0 and 1 {ends:?}, upper quantiles at 1 and 0 {others:?}")
    });
    let outside = [
        distribution.cdf(f64::NEG_INFINITY),
        distribution.sf(f64::INFINITY),
        1.0 - distribution.cdf(f64::INFINITY),
        1.0 - distribution.sf(f64::NEG_INFINITY),
        distribution.ln_cdf(f64::INFINITY),
        distribution.ln_sf(f64::NEG_INFINITY),
        distribution.ln_cdf(f64::NEG_INFINITY).recip(),
        distribution.ln_sf(f64::INFINITY).recip(),
    ];
    trial.expect("tails at infinity", outside.iter().all(|&zero| zero == 0.0), || {
        format!("cdf(-inf), sf(inf), 1 - cdf(inf), 1 - sf(-inf), ln_cdf(inf), ln_sf(-inf), 1/ln_cdf(-inf), 1/ln_sf(inf) = {outside:?}, all should be 0")
    });
    let wrong = [
        distribution.cdf(f64::NAN),
        distribution.sf(f64::NAN),
        distribution.ln_cdf(f64::NAN),
        distribution.ln_sf(f64::NAN),
        distribution.ln_pdf(f64::NAN),
        distribution.quantile(f64::NAN),
        distribution.quantile(-5e-324),
        distribution.quantile(1_f64.next_up()),
        distribution.upper_quantile(-5e-324),
        distribution.upper_quantile(1_f64.next_up()),
    ];
    trial.expect("NaN", wrong.iter().all(|value| value.is_nan()), || {
        format!("cdf, sf, ln_cdf, ln_sf, ln_pdf, quantile of NaN and quantiles outside of [0, 1] are {wrong:?}, not NaN")
    });
    ends
}

/// Summaries are no NaN, the variance is not negative, the mean is between the ends.
fn summaries(distribution: &dyn DynUnivariate, facts: &Facts, [low, high]: [f64; 2], trial: &mut Trial) {
    let (mean, variance, entropy) = (distribution.mean(), distribution.variance(), distribution.entropy());
    let (skewness, excess) = (distribution.skewness(), distribution.excess_kurtosis());
    let values = [mean, variance, skewness, excess, entropy];
    let numbers = values.iter().flatten().all(|value| !value.is_nan());
    let in_range = |value: Option<f64>, low: f64| value.is_none_or(|value| value >= low);
    let inside = mean.is_none_or(|mean| {
        let slack = 1e-12 * mean.abs().min(f64::MAX);
        (low - slack..=high + slack).contains(&mean)
    });
    let moments = in_range(variance, 0.0)
        && in_range(excess, -2.0 - 1e-9)
        && skewness.zip(excess).is_none_or(|(skewness, excess)| {
            // E (X - μ)⁴/σ⁴ is at least the square of the skewness, and one more.
            !(skewness * skewness > (excess + 2.0) * (1.0 + 1e-9) + 1e-9)
        })
        && (!distribution.is_discrete() || in_range(entropy, -1e-12));
    // A variance among the subnormal numbers has few digits, and so has that of a mixture whose means are
    // nearly the same.
    let few = variance.is_some_and(|variance| {
        let close = mean.is_some_and(|mean| variance.sqrt() < 1e-6 * mean.abs());
        variance.is_subnormal() || (!facts.joined && close)
    });
    trial.expect("summaries", numbers && inside && (moments || few), || {
        format!("mean, variance, skewness, excess kurtosis, entropy {values:?}, support {low:e} to {high:e}")
    });
}

/// The number before x, or the count before it.
fn before(distribution: &dyn DynUnivariate, x: f64, low: f64) -> f64 {
    if distribution.is_discrete() && x.abs() < COUNTS { low.min(x - 1.0) } else { low }
}

/// The relative error that a tail of this size may have at its quantile: the exponential of a logarithm has
/// as many wrong digits as the logarithm has before its point, and what rounds the mean of a count is a part
/// of a count.
fn slack(distribution: &dyn DynUnivariate, facts: &Facts, x: f64, tail: f64) -> f64 {
    let exponent = 4.0 * f64::EPSILON * tail.ln().abs();
    let part = if distribution.is_discrete() {
        distribution.ln_pdf(x).exp() * (4.0 * f64::EPSILON * x.abs()).min(1.0)
    } else {
        0.0
    };
    facts.relative + exponent + part / tail
}

/// The quantile at p is where the distribution function reaches p.
fn quantile(
    distribution: &dyn DynUnivariate,
    facts: &Facts,
    ends: [f64; 2],
    p: f64,
    trial: &mut Trial,
) -> f64 {
    let x = distribution.quantile(p);
    trial.expect("quantile in the support", ends[0] <= x && x <= ends[1], || {
        format!("quantile({p:e}) = {x:e}, support {:e} to {:e}", ends[0], ends[1])
    });
    if !(p > 0.0 && p < 1.0) || x.is_nan() {
        return x;
    }
    let [low, high] = facts.rounding.around(x);
    let low = before(distribution, x, low);
    let below = if x > ends[0] { distribution.cdf(low) } else { 0.0 };
    let slack = slack(distribution, facts, x, p);
    let reached = if x < ends[1] { distribution.cdf(high) } else { 1.0 };
    trial.expect("quantile inverts cdf", at_most(below, p, slack) && at_most(p, reached, slack), || {
        format!("quantile({p:e}) = {x:e}, but cdf({low:e}) = {below:e} and cdf({high:e}) = {reached:e}")
    });
    x
}

/// The upper quantile at q is where the survival function reaches q.
fn upper_quantile(
    distribution: &dyn DynUnivariate,
    facts: &Facts,
    ends: [f64; 2],
    q: f64,
    trial: &mut Trial,
) -> f64 {
    let x = distribution.upper_quantile(q);
    trial.expect("quantile in the support", ends[0] <= x && x <= ends[1], || {
        format!("upper_quantile({q:e}) = {x:e}, support {:e} to {:e}", ends[0], ends[1])
    });
    if !(q > 0.0 && q < 1.0) || x.is_nan() {
        return x;
    }
    let [low, high] = facts.rounding.around(x);
    let low = before(distribution, x, low);
    let above = if x > ends[0] { distribution.sf(low) } else { 1.0 };
    let slack = slack(distribution, facts, x, q);
    let reached = if x < ends[1] { distribution.sf(high) } else { 0.0 };
    trial.expect("upper quantile inverts sf", at_most(q, above, slack) && at_most(reached, q, slack), || {
        format!("upper_quantile({q:e}) = {x:e}, but sf({low:e}) = {above:e} and sf({high:e}) = {reached:e}")
    });
    x
}

/// A point to look at.
fn point(
    distribution: &dyn DynUnivariate,
    facts: &Facts,
    seen: &[Seen],
    ends: [f64; 2],
    quantile: f64,
    trial: &mut Trial,
) -> f64 {
    let numbers = &mut trial.numbers;
    let x = match numbers.below(10) {
        0..5 => quantile,
        5 => numbers.near(quantile),
        6 => ends[numbers.below(2)],
        7 if !facts.landmarks.is_empty() => {
            let landmark = facts.landmarks[numbers.below(facts.landmarks.len())];
            if numbers.below(2) == 0 { landmark } else { numbers.near(landmark) }
        }
        8 if !seen.is_empty() => numbers.near(seen[seen.len() - 1].x),
        _ => numbers.real(),
    };
    let x = if distribution.is_discrete() && numbers.below(4) > 0 { x.floor() } else { x };
    if x.is_nan() { 0.0 } else { x }
}

/// Both tails at a point, and their logarithms.
fn tails(here: Seen, relative: f64, trial: &mut Trial) {
    let Seen { x, lower, upper, ln_lower, ln_upper, .. } = here;
    let inside =
        (0.0..=1.0).contains(&lower) && (0.0..=1.0).contains(&upper) && ln_lower <= 0.0 && ln_upper <= 0.0;
    trial.expect("tails in [0, 1]", inside, || {
        format!("at {x:e} cdf = {lower:e}, sf = {upper:e}, ln_cdf = {ln_lower:e}, ln_sf = {ln_upper:e}")
    });
    trial.expect("cdf + sf = 1", agree(lower + upper, 1.0, relative), || {
        format!("at {x:e} cdf = {lower:e} and sf = {upper:e}")
    });
    for (check, tail, other, ln_tail) in
        [("exp(ln_cdf) = cdf", lower, upper, ln_lower), ("exp(ln_sf) = sf", upper, lower, ln_upper)]
    {
        // The exponential of a logarithm has as many wrong digits as the logarithm has before its point.
        let same = agree(ln_tail.exp(), tail, relative + 4.0 * f64::EPSILON * ln_tail.abs().min(1e3));
        trial.expect(check, same, || {
            format!("at {x:e} the tail is {tail:e}, the exponential of its logarithm {:e}", ln_tail.exp())
        });
        let remainder = other >= 0.5 || agree(ln_tail, (-other).ln_1p(), relative);
        trial.expect("ln of a tail is that of 1 - the other", remainder, || {
            format!("at {x:e} the logarithm is {ln_tail:e}, the other tail {other:e} ({check})")
        });
    }
}

/// The density at a point: no NaN, infinite at poles only, finite where there is probability on both sides.
fn density(
    distribution: &dyn DynUnivariate,
    facts: &Facts,
    [low, high]: [f64; 2],
    here: Seen,
    trial: &mut Trial,
) {
    let Seen { x, ln_lower, ln_upper, ln_density, .. } = here;
    // Ends that are themselves the result of a sum or of an exponential are rounded.
    let [low_end, high_end] = match facts.rounding {
        Rounding::Relative => [low, high],
        _ => [facts.rounding.around(low)[0], facts.rounding.around(high)[1]],
    };
    let [below, above] = facts.rounding.around(x);
    let at_end =
        |end: f64| x == end || (facts.rounding != Rounding::Relative && below <= end && end <= above);
    let pole = at_end(low) || at_end(high) || facts.poles.contains(&x);
    let number = !ln_density.is_nan() && (ln_density < f64::INFINITY || pole);
    trial.expect("density is a number", number, || format!("ln_pdf({x:e}) = {ln_density:e}"));
    if distribution.is_discrete() {
        probability(distribution, here, trial);
        return;
    }
    let within = facts.joined && low < x && x < high && ln_lower.min(ln_upper) > -BEYOND;
    let rises = ln_lower < 0.0 && ln_upper < 0.0;
    trial.expect("density where the cdf rises", !(within && rises) || ln_density > f64::NEG_INFINITY, || {
        format!("ln_pdf({x:e}) = {ln_density:e}, but ln_cdf = {ln_lower:e} and ln_sf = {ln_upper:e}")
    });
    let inner = facts.joined && below > low && above < high && ln_density > facts.deepest;
    let empty = ln_lower == f64::NEG_INFINITY || ln_upper == f64::NEG_INFINITY;
    trial.expect("probability where there is density", !(inner && empty), || {
        format!("ln_pdf({x:e}) = {ln_density:e}, but ln_cdf = {ln_lower:e} and ln_sf = {ln_upper:e}")
    });
    let outside = !facts.circle && (x < low_end || x > high_end);
    trial.expect("density outside of the support", !outside || ln_density == f64::NEG_INFINITY, || {
        format!("ln_pdf({x:e}) = {ln_density:e}, support {low:e} to {high:e}")
    });
}

/// The probability of a count is the step of both tails.
fn probability(distribution: &dyn DynUnivariate, here: Seen, trial: &mut Trial) {
    let Seen { x, lower, upper, ln_density, .. } = here;
    trial.expect("probability at most 1", ln_density <= RELATIVE, || {
        format!("ln_pdf({x:e}) = {ln_density:e}")
    });
    if x.fract() != 0.0 || x.abs() >= COUNTS {
        return;
    }
    let p = ln_density.exp();
    let (step, tail) = if lower <= 0.5 {
        (lower - distribution.cdf(x - 1.0), lower)
    } else {
        let above = distribution.sf(x - 1.0);
        (above - upper, above)
    };
    // A rate that is rounded moves the steps by the rounding of the count.
    let slack =
        RELATIVE * tail + p * (8.0 * f64::EPSILON * ((1.0 + x.abs()) + ln_density.abs().min(1e3))) + LEAST;
    trial.expect("probability is the step of the tails", (p - step).abs() <= slack, || {
        format!("exp(ln_pdf({x:e})) = {p:e}, but the tails step by {step:e} (cdf {lower:e}, sf {upper:e})")
    });
}

/// Tails are monotone.
fn rising(a: Seen, b: Seen, relative: f64, trial: &mut Trial) {
    let up = at_most(a.lower, b.lower, relative)
        && a.ln_lower <= b.ln_lower + relative * a.ln_lower.abs().min(f64::MAX) + LEAST;
    let down = at_most(b.upper, a.upper, relative)
        && b.ln_upper <= a.ln_upper + relative * b.ln_upper.abs().min(f64::MAX) + LEAST;
    trial.expect("tails are monotone", up && down, || {
        format!(
            "at {:e} cdf {:e} (ln {:e}), sf {:e} (ln {:e}); at {:e} cdf {:e} (ln {:e}), sf {:e} (ln {:e})",
            a.x, a.lower, a.ln_lower, a.upper, a.ln_upper, b.x, b.lower, b.ln_lower, b.upper, b.ln_upper
        )
    });
}

/// Between two points on one side of the mode a density is between its values at the two, and so is what the
/// distribution function rises by, over the distance.
fn mass(
    distribution: &dyn DynUnivariate,
    facts: &Facts,
    mode: Option<f64>,
    a: Seen,
    b: Seen,
    trial: &mut Trial,
) {
    let density = !distribution.is_discrete() && !facts.circle && a.x < b.x && b.x - a.x < f64::INFINITY;
    let Some(mode) = mode.filter(|_| density) else { return };
    if a.x < mode && b.x > mode {
        return;
    }
    let (rise, tail) =
        if b.lower <= a.upper { (b.lower - a.lower, b.lower) } else { (a.upper - b.upper, a.upper) };
    let slack = facts.relative * tail + LEAST;
    let holds = |distance: [f64; 2], [least, most]: [f64; 2]| {
        let bound = |ln_density: f64, distance: f64| (ln_density + distance.ln()).exp();
        bound(least, distance[0]) * (1.0 - 1e-9) - slack <= rise
            && rise <= bound(most, distance[1]) * (1.0 + 1e-9) + slack
    };
    let distance = b.x - a.x;
    let ordered = |x: f64, y: f64| if x <= y { [x, y] } else { [y, x] };
    if holds([distance; 2], ordered(a.ln_density, b.ln_density)) {
        return;
    }
    // The same with both points moved by their rounding.
    let around = [facts.rounding.around(a.x), facts.rounding.around(b.x)].concat();
    let values: Vec<f64> = around.iter().map(|&x| distribution.ln_pdf(x)).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let crossed = around[0] < mode && around[3] > mode;
    let moved = [(around[2] - around[1]).max(0.0), around[3] - around[0]];
    trial.expect("density agrees with the rise of the cdf", crossed || holds(moved, [least, most]), || {
        format!(
            "from {:e} to {:e} the tails rise by {rise:e}, but ln_pdf is {:e} and {:e} (the mode is {mode:e})",
            a.x, b.x, a.ln_density, b.ln_density
        )
    });
}

/// A draw is in the support, and not where draws never are.
fn draw(distribution: &dyn DynUnivariate, facts: &Facts, [low, high]: [f64; 2], trial: &mut Trial) {
    let x = distribution.sample(trial.numbers.rng());
    let [below, above] = facts.rounding.around(x);
    let below = before(distribution, x, below);
    let inside = low <= x && x <= high;
    let possible = distribution.cdf(above) > IMPOSSIBLE && distribution.sf(below) > IMPOSSIBLE;
    trial.expect("draw in the support", inside && possible, || {
        format!(
            "drew {x:e}, support {low:e} to {high:e}, cdf there {:e}, sf {:e}",
            distribution.cdf(above),
            distribution.sf(below)
        )
    });
}
