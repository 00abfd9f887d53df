//! Information and the distribution of minima, against what is known.

use super::*;

/// Figures of 60 digits.
#[test]
fn information_has_its_figures() {
    let figures = [
        (-2.0, 1.409_968_800_859_191),
        (0.0, std::f64::consts::LN_2),
        (0.75, 0.403_012_538_114_337_9),
        (3.0, 0.008_007_568_527_936_69),
    ];
    for (g, expected) in figures {
        // g = (mean - least)/sd in other units.
        let found = information(5.0 + 2.0 * g, 2.0, 5.0);
        assert!((found - expected).abs() <= 1e-14 * expected, "{g}: {found}");
    }
    assert_eq!(information(1.0, 0.0, 0.0), 0.0);
}

/// One normal value: the quartiles of the Gumbel distribution are 0 and ±0.6745 as far as two parameters can.
#[test]
fn the_distribution_of_minima_has_the_quartiles() {
    let distribution = Gumbel::of_minimum(&[1.0], &[2.0]);
    assert!((distribution.quantile(0.5) - 1.0).abs() < 1e-9);
    let range = distribution.quantile(0.75) - distribution.quantile(0.25);
    assert!((range - 4.0 * 0.674_489_750_196_081_7).abs() < 1e-9, "{range}");
    // Of a hundred: Φ(y) = 1 - 2^(-1/100) at the median.
    let distribution = Gumbel::of_minimum(&[0.0; 100], &[1.0; 100]);
    let median = posterior_math::special::normal_quantile(-(-std::f64::consts::LN_2 / 100.0).exp_m1());
    assert!((distribution.quantile(0.5) - median).abs() < 1e-9);
    // A value that is known beside one that is hardly below.
    let distribution = Gumbel::of_minimum(&[0.0, 10.0], &[0.0, 1.0]);
    assert!(distribution.quantile(0.5).abs() < 1e-6);
}

/// The entropy of a normal value and that of one that is cut off below, -∫ p ln p, by Simpson's rule.
#[test]
fn information_is_a_difference_of_entropies() {
    let ln_density = |z: f64| -0.5 * z * z - 0.5 * std::f64::consts::TAU.ln();
    let entropy = |lower: f64| {
        let ln_mass = ln_normal_cdf(-lower);
        let (nodes, upper) = (20_000, lower.max(0.0) + 12.0);
        let step = (upper - lower) / f64::from(nodes);
        let term = |i: i32| {
            let ln_p = ln_density(lower + step * f64::from(i)) - ln_mass;
            let weight = if i == 0 || i == nodes { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
            -weight * ln_p * ln_p.exp()
        };
        step / 3.0 * (0..=nodes).map(term).sum::<f64>()
    };
    for (mean, sd, least) in [(0.5, 2.0, 0.0), (-1.0, 0.5, -0.3), (3.0, 1.0, 2.5), (0.0, 1.0, -4.0)] {
        let cut = f64::max((least - mean) / sd, -12.0);
        let expected = entropy(-12.0) - entropy(cut);
        let found = information(mean, sd, least);
        assert!((found - expected).abs() < 1e-10, "{mean} {sd} {least}: {found} {expected}");
    }
}
