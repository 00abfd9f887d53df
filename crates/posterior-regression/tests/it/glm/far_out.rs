//! Counts and positive numbers far from where data usually are: figures of 40 digits, by mpmath 1.3.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_math::linalg::DMatrix;
use posterior_regression::glm::{CountMixture, Family, Glm, GlmData};

/// ln p of one row by the library's family at this mean.
fn ln_density(family: Family, y: f64, mean: f64, dispersion: f64) -> f64 {
    let (design, response) = (DMatrix::from_element(1, 1, 1.0), [y]);
    let model = Glm::new(family, GlmData::new(&design, &response).unwrap()).unwrap();
    model.ln_likelihood(&[mean.ln()], dispersion).unwrap()
}

#[test]
fn negative_binomial_counts_of_a_million() {
    let cases: &[(f64, f64, f64, f64)] = &[
        (1e6, 1e6, 1e-3, -20.730_597_199_127_11),
        (1e6, 1e6, 1e6, -8.173_267_527_466_782),
        (1e6, 1.003e6, 1e6, -10.416_535_200_771_679),
        (0.0, 1e6, 1e-3, -0.020_723_265_837_946_41),
        (3.0, 1e6, 1e-3, -8.025_591_461_113_459),
        (1.0, 1e-6, 1e-3, -13.816_511_057_797_69),
        (1e6, 10.0, 1e-3, -120.713_084_706_965),
        (1e6, 1e6, 1e12, -7.826_694_395_519_893),
    ];
    for &(y, mean, size, expected) in cases {
        let family = Family::negative_binomial(size).unwrap();
        let own = ln_density(family, y, mean, 1.0);
        // ln μ is rounded: its error counts y times, where y is far from μ.
        let conditioned = 1e-12 * expected.abs() + f64::EPSILON * y.max(size) * (y / mean - 1.0).abs() * 16.0;
        assert!((own - expected).abs() <= conditioned, "{y} {mean} {size}: {own} {expected}");
        let mixture = CountMixture::of_rates(vec![(mean, 1.0)]).with_size(size).unwrap();
        let other = mixture.ln_pmf(y);
        assert!((other - expected).abs() <= 2e-9 * expected.abs(), "{y} {mean} {size}: {other} {expected}");
    }
}

#[test]
fn tails_of_negative_binomial_counts_of_a_million() {
    let cases: &[(f64, f64, f64, f64)] = &[
        (1e6, 1e6, 1e-3, 0.993_687_647_205_207_9),
        (1e6, 1.003e6, 1e6, 0.017_111_368_277_860_124),
        (0.0, 1e6, 1e-3, 0.979_489_985_407_719_4),
        (1000.0, 1e6, 1e-3, 0.986_848_627_528_220_2),
    ];
    for &(y, mean, size, expected) in cases {
        let mixture = CountMixture::of_rates(vec![(mean, 1.0)]).with_size(size).unwrap();
        let own = mixture.cdf(y);
        assert!((own / expected - 1.0).abs() < 1e-10, "{y} {mean} {size}: {own} {expected}");
        // The quantile of a probability between two steps is the count of the upper one.
        let count = mixture.quantile(own * (1.0 - 1e-9));
        assert!(count <= y && mixture.cdf(count) >= own * (1.0 - 1e-9), "{count} {y}");
        assert!(count == 0.0 || mixture.cdf(count - 1.0) < own * (1.0 - 1e-9), "{count} {y}");
    }
}

#[test]
fn gamma_numbers_of_every_size() {
    let cases: &[(f64, f64, f64, f64)] = &[
        (1e6, 1e-6, 1.0, -999_999_999_986.184_5),
        (1e-300, 1e-300, 1e-3, 693.310_383_671_169_5),
        (1e6, 1e6, 1e-6, -7.826_693_895_520_143),
        (1.004e6, 1e6, 1e-6, -15.809_416_379_336_682),
        (1e-12, 1.0, 50.0, 23.099_355_717_403_02),
        (700.0, 1.0, 1.0, -700.0),
    ];
    for &(y, mean, dispersion, expected) in cases {
        let own = ln_density(Family::GammaLog, y, mean, dispersion);
        // Rounding of ln (y/mean) counts as often as the shape says, times how far they are apart.
        let conditioned = 8.0 * f64::EPSILON * (y / mean - 1.0).abs() * y.ln().abs() / dispersion;
        let allowed = 1e-14 * expected.abs().max(y.ln().abs() + 10.0) + conditioned;
        assert!((own - expected).abs() <= allowed, "{y} {mean} {dispersion}: {own} {expected}");
    }
}
