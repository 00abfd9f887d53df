//! Acquisition functions against figures of 60 digits, and their identities.

use posterior_decision::optimization::{
    BetaSchedule, GpUcb, MaxValueEntropy, ProbabilityOfImprovement, ThompsonAcquisition,
    expected_improvement, knowledge_gradient, ln_expected_improvement, ln_knowledge_gradient,
    probability_of_improvement,
};
use proptest::prelude::*;

#[test]
fn golden_numbers() {
    assert!((expected_improvement(1.0, 0.5, 1.2) - 0.315_219_418_473_726_5).abs() < 1e-15);
    assert!((ln_expected_improvement(1.0, 0.5, 1.2) + 1.154_486_316_063_147_4).abs() < 1e-14);
    assert!((probability_of_improvement(1.0, 0.5, 1.2) - 0.655_421_741_610_324_2).abs() < 1e-14);
}

/// ln(φ(z) + z Φ(z)) by mpmath with up to 5000 digits.
#[test]
fn the_logarithm_is_right_far_into_the_tail() {
    let figures = [
        (3.0, 1.098_739_665_327_707_8),
        (0.5, -0.359_827_683_745_063_8),
        (0.0, -0.918_938_533_204_672_7),
        (-0.5, -1.620_516_264_387_320),
        (-1.0, -2.485_121_025_712_641),
        (-2.5, -6.212_541_645_443_513),
        (-3.0, -7.869_686_059_603_029),
        (-3.5, -9.746_810_037_765_387),
        (-5.0, -16.744_301_162_660_99),
        (-10.0, -55.553_122_036_122_36),
        (-37.0, -692.642_960_163_270_4),
        (-40.0, -808.298_568_356_62),
        (-100.0, -5_010.129_578_800_25),
        (-1e4, -50_000_019.339_619_31),
        (-1e10, -5e19),
    ];
    for (z, expected) in figures {
        let found = ln_expected_improvement(-z, 1.0, 0.0);
        assert!((found - expected).abs() <= 3e-14 * f64::abs(expected).max(1.0), "{z}: {found} {expected}");
    }
}

#[test]
fn without_a_deviation_the_gain_is_what_it_is() {
    assert_eq!(expected_improvement(1.0, 0.0, 3.0), 2.0);
    assert_eq!(expected_improvement(3.0, 0.0, 1.0), 0.0);
    assert_eq!(ln_expected_improvement(3.0, 0.0, 1.0), f64::NEG_INFINITY);
    assert_eq!(probability_of_improvement(1.0, 0.0, 1.0), 0.0);
    assert_eq!(probability_of_improvement(0.5, 0.0, 1.0), 1.0);
    for (mean, best) in [(1.0, 3.0), (3.0, 1.0)] {
        let limit = expected_improvement(mean, 1e-9, best);
        assert!((limit - f64::max(best - mean, 0.0)).abs() < 1e-12);
    }
    for value in [expected_improvement(f64::NAN, 1.0, 0.0), ln_expected_improvement(0.0, -1.0, 0.0)] {
        assert!(value.is_nan());
    }
    assert!(expected_improvement(0.0, f64::NAN, 0.0).is_nan());
    assert!(ln_expected_improvement(f64::NAN, 0.0, 0.0).is_nan());
}

proptest! {
    #[test]
    fn distributions_of_expected_improvement(mean in -30.0..30.0_f64, sd in 0.01..10.0_f64, best in -30.0..30.0_f64) {
        let value = expected_improvement(mean, sd, best);
        prop_assert!(value >= 0.0 && value >= best - mean - 1e-12);
        // It grows with the deviation and falls with the mean.
        prop_assert!(expected_improvement(mean, 1.1 * sd, best) >= value * (1.0 - 1e-13));
        prop_assert!(expected_improvement(mean + 0.1 * sd, sd, best) <= value * (1.0 + 1e-13));
        let ln = ln_expected_improvement(mean, sd, best);
        // A gain that is certain does not depend on the deviation, but for rounding.
        prop_assert!(ln_expected_improvement(mean, 1.1 * sd, best) >= ln - 1e-14 * (1.0 + ln.abs()));
        prop_assert!(ln_expected_improvement(mean + 0.1 * sd, sd, best) < ln);
        if value > 1e-290 {
            prop_assert!((ln - value.ln()).abs() < 1e-11 * (1.0 + ln.abs()));
        }
        // d EI/d mean = -Φ(z): the probability of improvement.
        let step = 1e-4 * sd;
        let slope = (expected_improvement(mean + step, sd, best) - expected_improvement(mean - step, sd, best)) / (2.0 * step);
        prop_assert!((slope + probability_of_improvement(mean, sd, best)).abs() < 1e-7);
    }
}

/// Theorems 1 and 2 of Srinivas et al. 2010, by mpmath.
#[test]
fn the_bands_widen_as_theory_says() {
    let finite = BetaSchedule::Finite { points: 1000.0, delta: 0.1 };
    assert!((finite.beta(7, 3) - 27.199_721_945_115_11).abs() < 1e-12);
    let cube = BetaSchedule::Cube { a: 1.0, b: 1.0, delta: 0.1 };
    assert!((cube.beta(7, 2) - 37.451_692_662_783_19).abs() < 1e-12);
    assert_eq!(BetaSchedule::Constant(4.0).beta(7, 2), 4.0);
    assert!((1..50).all(|t| finite.beta(t + 1, 3) > finite.beta(t, 3)));
}

#[test]
fn rules_that_cannot_be_are_refused() {
    for schedule in [
        BetaSchedule::Constant(-1.0),
        BetaSchedule::Constant(f64::NAN),
        BetaSchedule::Finite { points: 0.5, delta: 0.1 },
        BetaSchedule::Finite { points: 10.0, delta: 1.0 },
        BetaSchedule::Cube { a: 0.0, b: 1.0, delta: 0.1 },
    ] {
        GpUcb::new(schedule).unwrap_err();
    }
    ProbabilityOfImprovement::new(f64::NAN).unwrap_err();
    ThompsonAcquisition::new(0).unwrap_err();
    MaxValueEntropy::new(0).unwrap_err();
    // MaxValueEntropy takes at most 10,000 draws.
    MaxValueEntropy::new(10_001).unwrap_err();
}

/// Integrals of the least of some lines, piece by piece, by mpmath with 40 to 600 digits; by its quadrature
/// too.
#[test]
fn the_knowledge_gradient_has_its_figures() {
    type Lines = (&'static [f64], &'static [f64]);
    let figures: [(Lines, f64); 7] = [
        ((&[0.3, -0.1, 0.5, 0.0], &[0.2, -0.4, 1.1, 0.05]), -1.051_413_150_992_616_6),
        ((&[0.0, 0.0], &[1.0, -1.0]), -0.225_791_352_644_727_43),
        // Parallel lines: the lower one counts.
        ((&[1.0, 1.5, 3.0], &[0.25, 0.25, -0.5]), -7.028_535_872_326_726),
        ((&[1.5, 3.0, 1.0], &[0.25, -0.5, 0.25]), -7.028_535_872_326_726),
        ((&[0.0, 2.0, 2.5, -0.25, 7.0], &[0.0, -0.3, 0.6, 0.01, 0.5]), -15.508_252_474_667_853),
        ((&[0.0, 30.0], &[0.0, 1.0]), -457.724_653_760_598),
        ((&[0.0, 12.0, 20.0, 40.0], &[0.0, 1.0, -0.5, 2.0]), -77.909_100_545_007_35),
    ];
    for ((means, slopes), expected) in figures {
        let found = ln_knowledge_gradient(means, slopes);
        assert!((found - expected).abs() <= 3e-14 * f64::abs(expected).max(1.0), "{means:?}: {found}");
        assert!((knowledge_gradient(means, slopes) - expected.exp()).abs() <= 1e-13 * expected.exp());
    }
    // Nothing can change, or nothing that counts; NaN for NaN.
    for (means, slopes) in
        [(&[][..], &[][..]), (&[1.0], &[2.0]), (&[1.0, 2.0], &[0.5, 0.5]), (&[0.0, 0.0], &[0.0, 0.0])]
    {
        assert_eq!(ln_knowledge_gradient(means, slopes), f64::NEG_INFINITY);
    }
    assert!(ln_knowledge_gradient(&[f64::NAN, 0.0], &[0.0, 1.0]).is_nan());
    assert!(ln_knowledge_gradient(&[1.0, 0.0], &[0.0, f64::NAN]).is_nan());
}

proptest! {
    /// The trapezoidal rule with 20,001 nodes on lines of all kinds; a corner costs at most the square of the
    /// step times the turn.
    #[test]
    fn the_knowledge_gradient_is_the_integral(
        lines in prop::collection::vec((-2.0..2.0_f64, -1.5..1.5_f64), 1..9),
        repeated in any::<bool>(),
    ) {
        let (mut means, mut slopes): (Vec<f64>, Vec<f64>) = lines.into_iter().unzip();
        if repeated {
            means.push(means[0] + 0.25);
            slopes.push(slopes[0]);
        }
        let least = means.iter().copied().fold(f64::INFINITY, f64::min);
        let step = 1e-3;
        let gain = |i: i32| {
            let z = step * f64::from(i);
            let after = means.iter().zip(&slopes).map(|(a, b)| a + b * z).fold(f64::INFINITY, f64::min);
            (least - after) * (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt()
        };
        let expected = step * (-10_000..=10_000).map(gain).sum::<f64>();
        let found = knowledge_gradient(&means, &slopes);
        prop_assert!((found - expected).abs() < 4e-6, "{found} {expected}");
        // Neither order nor a shift of all means matters.
        means.reverse();
        slopes.reverse();
        for mean in &mut means {
            *mean += 8.0;
        }
        prop_assert!((knowledge_gradient(&means, &slopes) - found).abs() < 1e-13);
    }
}
