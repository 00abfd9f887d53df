//! Counts that are yet to come: a rate whose logarithm is normal, and a Poisson count with it.

use posterior::dist::least_count;
use posterior::math::special::{digamma, gamma_q, normal_cdf, normal_quantile, trigamma};
use posterior::regression::glm::Predictor;

/// The quantile of a new count whose logarithmic rate is N(mean, variance): the least count k with
/// P(count ≤ k) ≥ p.
pub(crate) fn quantile(p: f64, mean: f64, variance: f64) -> f64 {
    let guess = (mean + normal_quantile(p) * (variance + (-mean).exp()).sqrt()).exp();
    least(p, guess.floor(), |count| cdf(count, mean, variance))
}

/// The same of a rate that is one of several, with weights.
pub(crate) fn mixture_quantile(p: f64, all: &[(f64, Predictor)]) -> f64 {
    let guesses = all.iter().map(|(weight, own)| weight * quantile(p, own.mean, own.variance));
    let guess: f64 = guesses.sum();
    let below = |count| all.iter().map(|(weight, own)| weight * cdf(count, own.mean, own.variance)).sum();
    least(p, guess.floor(), below)
}

/// The least count with a distribution function of at least `p`.
pub(crate) fn least(p: f64, guess: f64, cdf: impl Fn(f64) -> f64) -> f64 {
    // Counts above 2^53 are not numbers of their own; an infinite guess is the answer.
    if !(guess < 9e15) {
        return guess;
    }
    least_count(guess, [0.0, f64::INFINITY], |count| cdf(count) >= p)
}

/// P(count ≤ k) = E Q(k + 1, e^f) = P(ln G > f), f ~ N(mean, variance), G ~ Gamma(k + 1).
///
/// By the trapezoidal rule in f, which is exact to rounding when its step is a quarter of the narrower of
/// both distributions; where f is ten times as wide as ln G, the skewness of ln G does not matter any more,
/// and a normal distribution in its place is within 10⁻⁴ in probability.
pub(crate) fn cdf(count: f64, mean: f64, variance: f64) -> f64 {
    let (shape, sd) = (count + 1.0, variance.sqrt());
    let relative = sd * shape.sqrt();
    if sd == 0.0 {
        return gamma_q(shape, mean.exp());
    }
    if relative > 10.0 {
        return normal_cdf((digamma(shape) - mean) / (variance + trigamma(shape)).sqrt());
    }
    let step = 0.25 / relative.max(1.0);
    let nodes = (8.5 / step).ceil() as i32;
    let (mut sum, mut total) = (0.0, 0.0);
    for node in -nodes..=nodes {
        let z = f64::from(node) * step;
        let weight = (-0.5 * z * z).exp();
        sum += weight * gamma_q(shape, (mean + sd * z).exp());
        total += weight;
    }
    sum / total
}

#[cfg(test)]
mod tests {
    use super::*;

    /// mpmath 1.3, 30 digits:
    /// `quad(lambda z: npdf(z) * gammainc(k + 1, exp(m + s * z), inf, regularized=True), linspace(-11, 11))`.
    /// The two with an error of 10⁻⁴ are where ln G is taken as normal.
    #[test]
    fn distribution_function_against_a_table() {
        for (count, mean, variance, expected, error) in [
            (0.0, -1.0, 0.5, 0.658_563_986_794_296_65, 1e-12),
            (3.0, 1.0, 0.01, 0.706_291_271_973_666_67, 1e-12),
            (2.0, 0.0, 1.0, 0.785_480_303_517_928_9, 1e-12),
            (10.0, 3.0, 0.25, 0.134_374_026_557_149_11, 1e-12),
            (150.0, 4.6, 0.09, 0.908_474_366_587_920_35, 1e-12),
            (1000.0, 7.0, 1e-4, 0.002_573_336_063_494_105, 1e-12),
            (0.0, 0.0, 100.0, 0.477_323_263_201_644_71, 1e-4),
            (30.0, 3.0, 4.0, 0.582_407_461_661_544_4, 1e-4),
        ] {
            let found = cdf(count, mean, variance);
            assert!((found - expected).abs() < error, "{count} {mean} {variance}: {found} {expected}");
        }
    }

    #[test]
    fn quantiles_are_the_least_counts() {
        for (mean, variance) in [(-5.0, 0.1), (0.0, 0.0), (1.0, 4.0), (4.6, 0.01), (12.0, 1e-4), (3.0, 30.0)]
        {
            for p in [0.025, 0.05, 0.5, 0.95] {
                let end = quantile(p, mean, variance);
                assert!(end >= 0.0 && cdf(end, mean, variance) >= p, "{mean} {variance} {end}");
                assert!(end == 0.0 || cdf(end - 1.0, mean, variance) < p, "{mean} {variance} {end}");
            }
        }
        assert_eq!(quantile(0.05, 800.0, 1.0), f64::INFINITY);
    }
}
