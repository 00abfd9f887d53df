//! The distribution of Kolmogorov's statistic, the largest distance between the distribution function of n
//! draws and that which they were drawn from.

use std::f64::consts::PI;

use posterior_math::special::stirling_remainder;

use crate::density::Density;
use crate::discrete::Binomial;

/// Up to this many values the distribution is exact everywhere.
pub(super) const EXACT: usize = 500;

/// Of many values, n d^(3/2) below this takes the exact distribution too: the least probabilities have no
/// digits in the expansion.
const FEW: f64 = 1.4;

/// P(D < d) for the two-sided statistic D of n values of a continuous distribution.
///
/// Up to 500 values, and for d below (1.4/n)^(2/3) up to 10⁵, a power of a matrix with positive entries, to
/// 12 digits however small; beyond that an expansion for many values, within 3e-7. O((n d)³ ln n).
///
/// # References
/// J. Durbin, 1973; G. Marsaglia, W. W. Tsang, J. Wang, Journal of Statistical Software 8(18), 2003; W. Pelz,
/// I. Good, 1976; R. Simard, P. L'Ecuyer, Journal of Statistical Software 39(11), 2011.
///
/// ```
/// use posterior_dist::goodness::kolmogorov_cdf;
///
/// assert!((kolmogorov_cdf(10, 0.274) - 0.628_479_615_456_504_4).abs() < 1e-14);
/// ```
pub fn kolmogorov_cdf(n: usize, d: f64) -> f64 {
    if n == 0 || d.is_nan() {
        return f64::NAN;
    }
    let count = n as f64;
    if count * d <= 0.5 {
        return 0.0;
    }
    if d >= 1.0 {
        return 1.0;
    }
    if count * d * d >= far(n) {
        1.0 - both_sides(n, d)
    } else if n <= EXACT || (n <= 100_000 && count * d.powf(1.5) < FEW) {
        by_matrix(n, d)
    } else {
        expansion(count, d * count.sqrt())
    }
}

/// P(D ≥ d), the p-value: with 10 digits up to 500 values, 4 beyond, however small it is.
///
/// ```
/// use posterior_dist::goodness::kolmogorov_sf;
///
/// assert!((kolmogorov_sf(30, 0.5) / 1.846_731_002_960_42e-7 - 1.0).abs() < 1e-12);
/// ```
pub fn kolmogorov_sf(n: usize, d: f64) -> f64 {
    let is_far = n as f64 * d * d >= far(n) && n > 0 && d < 1.0;
    if is_far { both_sides(n, d) } else { 1.0 - kolmogorov_cdf(n, d) }
}

/// From this n d² on the distance is not so large on both sides at once, to within the digits that there are:
/// exp(-6 n d²) is the part of it.
const fn far(n: usize) -> f64 {
    if n <= EXACT { 4.0 } else { 2.5 }
}

/// Twice the probability that it is d or more on one side (N. Smirnov, 1944; Z. Birnbaum, F. Tingey, 1951): a
/// sum of binomial probabilities.
fn both_sides(n: usize, d: f64) -> f64 {
    let count = n as f64;
    let term = |j: usize| {
        let level = (d + j as f64 / count).min(1.0);
        let trials = Binomial::new(n as u64, level).expect("invariant: a probability");
        trials.ln_pdf(&(j as u64)).exp() / level
    };
    let last = (count * (1.0 - d)).floor() as usize;
    (2.0 * d * (0..=last).map(term).sum::<f64>()).min(1.0)
}

/// A matrix times a power of two.
struct Scaled {
    entries: Vec<f64>,
    exponent: i32,
}

/// The number that a matrix may not exceed before it is scaled.
const LARGE: f64 = 1e140;

impl Scaled {
    fn times(&self, other: &Self, m: usize) -> Self {
        let mut entries = vec![0.0; m * m];
        for (row, left) in entries.chunks_exact_mut(m).zip(self.entries.chunks_exact(m)) {
            for (&x, right) in left.iter().zip(other.entries.chunks_exact(m)) {
                row.iter_mut().zip(right).for_each(|(sum, y)| *sum += x * y);
            }
        }
        let mut exponent = self.exponent + other.exponent;
        if entries[(m / 2) * m + m / 2] > LARGE {
            for x in &mut entries {
                *x *= 2_f64.powi(-465);
            }
            exponent += 465;
        }
        Self { entries, exponent }
    }

    fn power(&self, n: usize, m: usize) -> Self {
        if n == 1 {
            return Self { entries: self.entries.clone(), exponent: self.exponent };
        }
        let half = self.power(n / 2, m);
        let even = half.times(&half, m);
        if n.is_multiple_of(2) { even } else { self.times(&even, m) }
    }
}

/// Marsaglia, Tsang and Wang: n!/nⁿ times the middle of the n-th power of a matrix.
#[expect(clippy::disallowed_methods, reason = "one product, whose rounding a high power multiplies")]
fn by_matrix(n: usize, d: f64) -> f64 {
    let count = n as f64;
    let k = (count * d) as usize + 1;
    // What is left to k, by one rounding: a probability next to 0 is a high power of it.
    let (m, h) = (2 * k - 1, (-count).mul_add(d, k as f64));
    let (mut factorials, mut powers) = (vec![1.0; m + 1], vec![1.0; m + 1]);
    for i in 1..=m {
        factorials[i] = factorials[i - 1] * i as f64;
        powers[i] = powers[i - 1] * h;
    }
    let entry = |i: usize, j: usize| {
        if j > i + 1 {
            return 0.0;
        }
        let mut value = 1.0;
        if j == 0 {
            value -= powers[i + 1];
        }
        if i == m - 1 {
            value -= powers[m - j];
        }
        if i == m - 1 && j == 0 {
            value += (2.0 * h - 1.0).max(0.0).powf(m as f64);
        }
        value / factorials[i + 1 - j]
    };
    let entries = (0..m * m).map(|place| entry(place / m, place % m)).collect();
    let power = Scaled { entries, exponent: 0 }.power(n, m);
    // n!/nⁿ = √(2πn) e^(r - n), where r is small.
    let ln_two = std::f64::consts::LN_2;
    let middle = power.entries[(k - 1) * m + k - 1];
    let scale = (f64::from(power.exponent) * ln_two - count).exp() * stirling_remainder(count).exp();
    middle * scale * (2.0 * PI * count).sqrt()
}

/// P(√n D < z) to the order n^(-3/2) (Pelz and Good; Simard and L'Ecuyer, equation 6).
fn expansion(n: f64, z: f64) -> f64 {
    let (z2, root) = (z * z, (0.5 * PI).sqrt());
    let (z4, z6) = (z2 * z2, z2 * z2 * z2);
    let mut sums = [0.0; 4];
    let terms = 4 + (6.0 * z) as i32;
    for k in 0..terms {
        // π²(k + 1/2)², and π²k² for the whole numbers; each twice, for its negative.
        let a = (PI * (f64::from(k) + 0.5)).powi(2);
        let b = (PI * f64::from(k)).powi(2);
        let (half, whole) = (2.0 * (-a / (2.0 * z2)).exp(), 2.0 * (-b / (2.0 * z2)).exp());
        sums[0] += half;
        sums[1] += half * (a - z2) / (6.0 * z2 * z2);
        sums[2] += half * (6.0 * z6 + 2.0 * z4 + a * (2.0 * z4 - 5.0 * z2) + a * a * (1.0 - 2.0 * z2))
            / (72.0 * z6 * z);
        sums[2] -= whole * b / (36.0 * z2 * z);
        let cubic = a * a * a * (5.0 - 30.0 * z2) + a * a * (212.0 * z4 - 60.0 * z2);
        let square = a * (135.0 * z4 - 96.0 * z6) - 30.0 * z6 - 90.0 * z4 * z4;
        sums[3] += half * (cubic + square) / (6480.0 * z6 * z4);
        sums[3] += whole * (3.0 * b * z2 - b * b) / (216.0 * z6);
    }
    let [first, second, third, fourth] = sums.map(|sum| root * sum);
    let value = first / z + second / n.sqrt() + third / n + fourth / (n * n.sqrt());
    value.clamp(0.0, 1.0)
}

/// P(√n D ≥ z) in the limit of many values, with all digits: 2 Σ (-1)^(k-1) exp(-2 k² z²).
///
/// ```
/// use posterior_dist::goodness::kolmogorov_limit_sf;
///
/// assert!((kolmogorov_limit_sf(1.358_098_639_322_55) - 0.05).abs() < 1e-12);
/// ```
pub fn kolmogorov_limit_sf(z: f64) -> f64 {
    if z.is_nan() {
        z
    } else if z <= 0.0 {
        1.0
    } else if z < 1.0 {
        // The same by Poisson's formula.
        let term = |k: i32| (-(PI * (f64::from(k) - 0.5) / z).powi(2) * 0.5).exp();
        1.0 - (2.0 * PI).sqrt() / z * (1..=4).map(term).sum::<f64>()
    } else {
        let term =
            |k: i32| f64::from(if k % 2 == 0 { -2 } else { 2 }) * (-2.0 * (f64::from(k) * z).powi(2)).exp();
        (1..=5).map(term).sum()
    }
}
