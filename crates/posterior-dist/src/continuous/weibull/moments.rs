//! Central moments of e^(hL) / E e^(hL) where e^L is exponential with rate 1, whose j-th moment is Γ(1 + jh) / Γ(1 + h)ʲ.

use posterior_math::special::ln_pochhammer;

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

/// The variance, and the third and the fourth central moment over its powers 3/2 and 2, for h > 0.
pub(super) fn central(h: f64) -> [f64; 3] {
    let (second, third, fourth) = if h <= SERIES_UP_TO { by_series(h) } else { by_gammas(h) };
    [second, third / second / second.sqrt(), fourth / second / second]
}

fn by_gammas(h: f64) -> (f64, f64, f64) {
    let first = ln_pochhammer(1.0, h);
    let raw = |j: f64| (ln_pochhammer(1.0, j * h) - j * first).exp_m1();
    let (two, three, four) = (raw(2.0), raw(3.0), raw(4.0));
    (two, three - 3.0 * two, four - 4.0 * three + 6.0 * two)
}

/// ln Γ(1 + jh) - j ln Γ(1 + h) = Σ (jᵐ - j) ζ(m) (-h)ᵐ / m over m ≥ 2. In the third and fourth moment the terms of the
/// orders 2, and 2 and 3, cancel; e^K - 1 - K of these sums K is what remains beside.
fn by_series(h: f64) -> (f64, f64, f64) {
    let (mut sums, mut third, mut fourth) = ([0.0; 3], 0.0, 0.0);
    let mut power = -h;
    for order in 2..TERMS {
        power *= -h;
        // ζ(m) = 1 + 2⁻ᵐ to f64's precision beyond.
        let zeta = ZETA.get(order as usize - 2).copied().unwrap_or_else(|| 1.0 + 0.5_f64.powi(order));
        let term = zeta * power / f64::from(order);
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
    let [two, three, four] = sums.map(beyond_linear);
    (sums[0].exp_m1(), third + three - 3.0 * two, fourth + four - 4.0 * three + 6.0 * two)
}

/// eˣ - 1 - x for 0 ≤ x < 1.
fn beyond_linear(x: f64) -> f64 {
    let mut term = 0.5 * x * x;
    let mut sum = term;
    for order in 3..20 {
        term *= x / f64::from(order);
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::{by_gammas, by_series, central};

    #[test]
    fn the_two_roads_meet() {
        let h = 0.2;
        let (of_series, of_gammas) = (by_series(h), by_gammas(h));
        assert!((of_series.0 / of_gammas.0 - 1.0).abs() < 1e-14);
        assert!((of_series.1 / of_gammas.1 - 1.0).abs() < 1e-12);
        assert!((of_series.2 / of_gammas.2 - 1.0).abs() < 1e-11);
    }

    #[test]
    fn small_exponents_are_gumbels() {
        let [variance, skewness, kurtosis] = central(1e-9);
        assert!((variance / 1.6449340668482264e-18 - 1.0).abs() < 1e-8);
        assert!((skewness + 1.1395470994046486).abs() < 1e-8);
        assert!((kurtosis - 5.4).abs() < 1e-7);
    }
}
