//! Functions of slices, against those of single numbers.

use posterior_math::elementwise::{add_squared_differences, exp, sin_pi, sum_squared_differences};
use proptest::prelude::*;

/// How many numbers of f64 lie between two of one sign.
fn steps_between(a: f64, b: f64) -> u64 {
    a.to_bits().abs_diff(b.to_bits())
}

fn exp_of(x: f64) -> f64 {
    // Among others, so that the vectors of the machine are used.
    let mut numbers = [x; 11];
    exp(&mut numbers);
    assert!(numbers.iter().all(|number| number.to_bits() == numbers[0].to_bits()), "{numbers:?}");
    numbers[0]
}

#[test]
fn exponentials_are_within_a_unit_of_the_last_place() {
    let mut worst = 0;
    for i in -7_500_000..=7_100_000 {
        let x = f64::from(i) * 1e-4 + 1.3e-7;
        let mut number = [x];
        exp(&mut number);
        worst = worst.max(steps_between(number[0], x.exp()));
    }
    assert_eq!(worst, 1);
}

#[test]
fn exponentials_at_the_ends() {
    let specials = [
        (0.0, 1.0),
        (-0.0, 1.0),
        (f64::INFINITY, f64::INFINITY),
        (f64::NEG_INFINITY, 0.0),
        (709.782712893384, 709.782712893384_f64.exp()),
        (709.7827128933841, f64::INFINITY),
        (-745.1332191019411, f64::from_bits(1)),
        (-745.1332191019412, 0.0),
        (f64::MAX, f64::INFINITY),
        (f64::MIN, 0.0),
        (f64::MIN_POSITIVE, 1.0),
    ];
    for (x, expected) in specials {
        assert_eq!(exp_of(x), expected, "{x}");
    }
    assert!(exp_of(f64::NAN).is_nan() && exp_of(-f64::NAN).is_nan());
    exp(&mut []);
}

#[test]
fn sines_keep_their_digits_next_to_the_integers() {
    for i in 0..2_000_000 {
        let t = f64::from(i) * 5e-7 - 0.5 + 1e-9;
        // sin πt by the library on the half period around zero; other periods by their sign.
        let expected = (std::f64::consts::PI * t).sin();
        let mut sines = [t, t + 3.0, t - 1e6, -t];
        let exact = [t, (t + 3.0) - 3.0, (t - 1e6) + 1e6, -t];
        sin_pi(&mut sines);
        assert!((sines[0] - expected).abs() <= 5e-16 * expected.abs(), "{t}");
        assert_eq!(sines[3], -sines[0]);
        for (sine, (exact, sign)) in sines[1..3].iter().zip(exact[1..3].iter().zip([-1.0, 1.0])) {
            let expected = sign * (std::f64::consts::PI * exact).sin();
            assert!((sine - expected).abs() <= 5e-16 * expected.abs(), "{t}");
        }
    }
    let mut specials = [0.0, 7.0, -1e300, 0.5, 1.5, 2_251_799_813_685_248.5];
    sin_pi(&mut specials);
    assert_eq!(specials, [0.0, 0.0, 0.0, 1.0, -1.0, 1.0]);
    let mut infinite = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    sin_pi(&mut infinite);
    assert!(infinite.iter().all(|sine| sine.is_nan()));
}

proptest! {
    #[test]
    fn exponentials_of_any_bits(bits in any::<u64>()) {
        let x = f64::from_bits(bits);
        let (ours, expected) = (exp_of(x), x.exp());
        prop_assert!(ours.is_nan() && x.is_nan() || steps_between(ours, expected) <= 1, "{x}: {ours} {expected}");
    }

    #[test]
    fn squared_differences_of_any_length(
        x in prop::collection::vec(-1e3_f64..1e3, 0..20),
        y in prop::collection::vec(-1e3_f64..1e3, 0..5),
        c in 1e-3_f64..1e3,
    ) {
        let mut sums = vec![0.25; x.len() * y.len()];
        add_squared_differences(&mut sums, &x, &y, c);
        let weights: Vec<f64> = (0..sums.len()).map(|i| (i as f64).sin()).collect();
        let (mut total, mut size) = (0.0, 0.0);
        for (j, b) in y.iter().enumerate() {
            for (i, a) in x.iter().enumerate() {
                let square = ((a - b) * c) * ((a - b) * c);
                prop_assert_eq!(sums[i + j * x.len()], 0.25 + square);
                total += weights[i + j * x.len()] * square;
                size += square;
            }
        }
        prop_assert!((sum_squared_differences(&weights, &x, &y, c) - total).abs() <= 1e-14 * size);
    }
}

#[test]
fn differences_that_overflow_stay_finite_and_nan_stays() {
    let mut sums = [0.0; 3];
    add_squared_differences(&mut sums, &[f64::MAX, f64::NAN, 1.0], &[f64::MIN], f64::MAX);
    assert_eq!((sums[0], sums[2]), (1e150 * 1e150, 1e150 * 1e150));
    assert!(sums[1].is_nan());
    assert_eq!(sum_squared_differences(&[0.0], &[f64::MAX], &[f64::MIN], 1.0), 0.0);
}
