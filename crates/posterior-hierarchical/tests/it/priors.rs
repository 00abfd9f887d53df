//! Priors integrate to one, say what they were asked for, and have their derivatives.

use posterior_dist::{Density as _, Gamma};
use posterior_hierarchical::HyperparameterPrior;

fn integral(low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
    // The middle of cells that get smaller towards both ends, where densities may be infinite.
    let points = 400_000;
    let map = |u: f64| low + (high - low) * u * u * u * (10.0 - 15.0 * u + 6.0 * u * u);
    (0..points)
        .map(|i| {
            let (from, to) =
                (map(f64::from(i) / f64::from(points)), map(f64::from(i + 1) / f64::from(points)));
            (to - from) * f(0.5 * (from + to))
        })
        .sum()
}

#[test]
fn statements_hold() {
    let eigenvalues = [0.2, 0.5, 0.8, 1.3, 3.2];
    let cases = [
        (HyperparameterPrior::deviation_above(0.7, 0.05).unwrap(), [0.0, 12.0], [0.7, 12.0], 0.05),
        (HyperparameterPrior::correlation_above(0.2, 0.8).unwrap(), [-1.0, 1.0], [0.2, 1.0], 0.8),
        (HyperparameterPrior::range_below(0.4, 0.1, 2).unwrap(), [0.0, 40_000.0], [0.0, 0.4], 0.1),
        (HyperparameterPrior::range_below(0.4, 0.3, 3).unwrap(), [0.0, 4_000.0], [0.0, 0.4], 0.3),
        (HyperparameterPrior::partial_correlation(1.0, 2, 0).unwrap(), [-1.0, 1.0], [0.5, 1.0], 0.25),
        (
            HyperparameterPrior::mixing_below(0.5, 2.0 / 3.0, &eigenvalues).unwrap(),
            [0.0, 1.0],
            [0.0, 0.5],
            2.0 / 3.0,
        ),
    ];
    for (prior, [low, high], [from, to], probability) in cases {
        let pdf = |x: f64| prior.ln_pdf(x).exp();
        let whole = integral(low, high, pdf);
        assert!((whole - 1.0).abs() < 1e-4, "{prior:?}: {whole}");
        let part = integral(from, to, pdf);
        assert!((part - probability).abs() < 1e-4, "{prior:?}: {part}");
    }
    // With an eigenvalue 0 the distance of φ = 1 is infinite, and f64 does not reach all of it.
    let endless = HyperparameterPrior::mixing_below(0.5, 0.5, &[0.0, 0.7, 2.3]).unwrap();
    let half = integral(0.0, 0.5, |x| endless.ln_pdf(x).exp());
    assert!((half - 0.5).abs() < 1e-4, "{half}");
    let beyond = HyperparameterPrior::correlation_beyond(0.6, 0.3).unwrap();
    let inside = integral(-0.6, 0.6, |x| beyond.ln_pdf(x).exp());
    assert!((inside - 0.7).abs() < 1e-4, "{inside}");
    let size = HyperparameterPrior::inverse_root_above(1.0, 0.1).unwrap();
    // 1/√x > 1 where x < 1.
    let small = integral(0.0, 1.0, |x| size.ln_pdf(x).exp());
    assert!((small - 0.1).abs() < 1e-4, "{small}");
}

#[test]
fn any_distribution_will_do() {
    let gamma = Gamma::shape_rate(2.0, 3.0).unwrap();
    assert_eq!(HyperparameterPrior::density(gamma).ln_pdf(0.8), gamma.ln_pdf(&0.8));
}

#[test]
fn impossible_statements_are_refused() {
    assert!(HyperparameterPrior::deviation_above(0.0, 0.1).is_err());
    assert!(HyperparameterPrior::deviation_above(1.0, 1.0).is_err());
    // Without a preference the correlation is above 0 with probability √½.
    assert!(HyperparameterPrior::correlation_above(0.0, 0.6).is_err());
    assert!(HyperparameterPrior::correlation_beyond(1.0, 0.1).is_err());
    assert!(HyperparameterPrior::range_below(1.0, 0.5, 0).is_err());
    assert!(HyperparameterPrior::partial_correlation(1.0, 2, 1).is_err());
}

#[test]
fn priors_are_written_with_four_digits() {
    let prior = HyperparameterPrior::deviation_above(56.0, (-1.0_f64).exp()).unwrap();
    assert_eq!(prior.to_string(), "exponential(0.01786)");
    assert_eq!(HyperparameterPrior::deviation_above(1e-6, 0.5).unwrap().to_string(), "exponential(693147)");
    assert_eq!(HyperparameterPrior::range_below(2.0, 0.5, 2).unwrap().to_string(), "pc_range(1.386, 1)");
    assert_eq!(HyperparameterPrior::flat().to_string(), "flat");
}
