//! Moments of a positive variable Y = e^(hL) from the cumulants of L, where moments of Y cancel: what
//! Weibull, Fréchet and log-logistic have in common.
//!
//! With K(t) = ln E e^(tL), the j-th moment of Y / E Y is exp(K(jh) - j K(h)).

use posterior_math::special::exp_excess;

/// ζ(2), ζ(3), …
const ZETA: [f64; 25] = [
    1.6449340668482264365,
    1.2020569031595942854,
    1.0823232337111381915,
    1.0369277551433699263,
    1.0173430619844491397,
    1.0083492773819228268,
    1.0040773561979443394,
    1.0020083928260822144,
    1.0009945751278180853,
    1.0004941886041194646,
    1.0002460865533080483,
    1.0001227133475784891,
    1.0000612481350587048,
    1.0000305882363070205,
    1.0000152822594086519,
    1.0000076371976378998,
    1.0000038172932649998,
    1.0000019082127165539,
    1.0000009539620338728,
    1.0000004769329867878,
    1.0000002384505027277,
    1.0000001192199259653,
    1.0000000596081890513,
    1.0000000298035035147,
    1.0000000149015548284,
];

/// Up to here the moments are power series in h: their leading terms cancel.
const SERIES_UP_TO: f64 = 0.2;

/// The most terms of the series that matter.
const TERMS: i32 = 180;

/// Below it the skewness and the kurtosis are those of L, to all digits.
const SMALL: f64 = 1e-20;

/// Above it they are infinite.
const LARGE: f64 = 1e300;

/// The deviation of Y over its mean, its skewness and its excess kurtosis, for h > 0, where `cumulant(m)` is
/// κₘ / m! of L and `ln_raw(t)` is K(t). Those that do not exist are any numbers.
pub(in crate::continuous) fn standardized(
    h: f64,
    cumulant: impl Fn(i32) -> f64,
    ln_raw: impl Fn(f64) -> f64,
) -> [f64; 3] {
    standardized_within(h, 1.0, cumulant, ln_raw)
}

/// The same where K(t) has its first singularity at the distance `reach` from 0, with cumulants in units of
/// it: `cumulant(m)` is κₘ `reach`ᵐ / m!.
pub(in crate::continuous) fn standardized_within(
    h: f64,
    reach: f64,
    cumulant: impl Fn(i32) -> f64,
    ln_raw: impl Fn(f64) -> f64,
) -> [f64; 3] {
    let part = h / reach;
    let inside = part.clamp(SMALL, LARGE);
    let [deviation, skewness, kurtosis] =
        if inside <= SERIES_UP_TO { by_series(inside, cumulant) } else { by_moments(inside * reach, ln_raw) };
    [deviation * (part / inside), skewness, kurtosis - 3.0]
}

/// ζ(m) for m ≥ 2.
pub(in crate::continuous) fn zeta(m: i32) -> f64 {
    // ζ(m) = 1 + 2⁻ᵐ to f64's precision beyond.
    ZETA.get(m as usize - 2).copied().unwrap_or_else(|| 1.0 + 0.5_f64.powi(m))
}

/// By the logarithms l of the moments of Y / E Y, of which each is larger than those before.
fn by_moments(h: f64, ln_raw: impl Fn(f64) -> f64) -> [f64; 3] {
    let first = ln_raw(h);
    let ln_moment = |j: f64| ln_raw(j * h) - j * first;
    let (two, three, four) = (ln_moment(2.0), ln_moment(3.0), ln_moment(4.0));
    // (eᵏ - 1) / eᵏ
    let proportion = |k: f64| -(-k).exp_m1();
    let rest = proportion(two);
    let third = proportion(three) - 3.0 * (two - three).exp() * rest;
    let fourth =
        proportion(four) - 4.0 * (three - four).exp() * proportion(three) + 6.0 * (two - four).exp() * rest;
    [
        two.exp_m1().sqrt(),
        (three - 1.5 * two).exp() * (third / (rest * rest.sqrt())),
        (four - 2.0 * two).exp() * (fourth / (rest * rest)),
    ]
}

/// K(jh) - j K(h) = Σ (jᵐ - j) κₘ hᵐ / m! over m ≥ 2. In the third and fourth moment the terms of the orders
/// 2, and 2 and 3, cancel; e^K - 1 - K of these sums K is what remains beside.
fn by_series(h: f64, cumulant: impl Fn(i32) -> f64) -> [f64; 3] {
    let (mut sums, mut third, mut fourth) = ([0.0; 3], 0.0, 0.0);
    let mut power = h;
    for order in 2..TERMS {
        power *= h;
        let term = cumulant(order) * power;
        let weight = |j: f64| j.powi(order) - j;
        for (sum, j) in sums.iter_mut().zip([2.0, 3.0, 4.0]) {
            *sum += weight(j) * term;
        }
        if order > 2 {
            third += (weight(3.0) - 3.0 * weight(2.0)) * term;
        }
        if order > 3 {
            fourth += (weight(4.0) - 4.0 * weight(3.0) + 6.0 * weight(2.0)) * term;
        }
    }
    let [two, three, four] = sums.map(exp_excess);
    let deviation = sums[0].exp_m1().sqrt();
    let third = third + three - 3.0 * two;
    let fourth = fourth + four - 4.0 * three + 6.0 * two;
    [deviation, third / deviation.powi(3), fourth / deviation.powi(4)]
}
