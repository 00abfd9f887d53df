//! Tests of the functions of whole slices.

use posterior_math::special;

use super::{digamma, ln, sum_ln_gamma};

fn arguments() -> Vec<f64> {
    let mut all: Vec<f64> = (-300..=3000).map(|i| 10_f64.powf(f64::from(i) / 10.0)).collect();
    all.extend((1..4000).map(|i| f64::from(i) * 0.005));
    all.extend([1.0, 2.0, 1.4616321449683622, 7.999_999_999_999_999, 8.0, f64::MIN_POSITIVE * 1e10]);
    all
}

/// Of the largest term that is added up: ln of the shifted argument, or 1 / x.
#[test]
fn digamma_agrees_with_the_function_of_one_number() {
    let arguments = arguments();
    let mut all = arguments.clone();
    digamma(&mut all);
    for (x, psi) in arguments.into_iter().zip(all) {
        let scale = 1.0 + (x + 8.0).ln() + x.recip();
        let expected = special::digamma(x);
        assert!((psi - expected).abs() <= 6.0 * f64::EPSILON * scale, "{x}: {psi} {expected}");
    }
}

#[test]
fn ln_gamma_agrees_with_the_function_of_one_number() {
    for x in arguments() {
        let expected = special::ln_gamma(x);
        let scale = expected.abs() + 20.0;
        let found = sum_ln_gamma(&[x]);
        assert!((found - expected).abs() <= 6.0 * f64::EPSILON * scale, "{x}: {found} {expected}");
    }
}

#[test]
fn logarithms_have_all_digits() {
    let arguments = arguments();
    let mut all = arguments.clone();
    ln(&mut all);
    for (x, found) in arguments.into_iter().zip(all) {
        assert!((found - x.ln()).abs() <= 2.0 * f64::EPSILON * x.ln().abs(), "{x}: {found}");
    }
}

/// A number has the same bits alone as among others.
#[test]
fn the_place_in_the_slice_does_not_matter() {
    let arguments = arguments();
    let mut all = arguments.clone();
    digamma(&mut all);
    for (x, psi) in arguments.iter().zip(&all) {
        let mut alone = [*x];
        digamma(&mut alone);
        assert_eq!(alone[0].to_bits(), psi.to_bits());
    }
    let together = sum_ln_gamma(&arguments[..13]);
    let mut lanes = [0.0; 8];
    for (i, &x) in arguments[..13].iter().enumerate() {
        lanes[i % 8] += sum_ln_gamma(&[x]);
    }
    assert_eq!(together.to_bits(), lanes.iter().sum::<f64>().to_bits());
}
