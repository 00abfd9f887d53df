//! The modified Bessel functions.

use posterior_math::special::{
    bessel_i1_over_i0, bessel_k, inverse_bessel_ratio, ln_bessel_i0, ln_bessel_i1, ln_bessel_k,
};
use posterior_testkit::accuracy::{Worst, conditioned_error};
use posterior_testkit::reference::{Case, special_cases};

fn compare(table: &str, bound: f64, function: impl Fn(&Case) -> f64) {
    let mut worst = Worst::of(table);
    for case in special_cases(table) {
        worst.see(function(&case), case.value, &case.arguments);
    }
    worst.assert_at_most(bound);
}

#[test]
fn bessel_k_meets_its_table() {
    compare("bessel_k", 1e-14, |case| bessel_k(case.number(0), case.number(1)));
}

#[test]
fn ln_bessel_k_meets_its_table() {
    compare("ln_bessel_k", 1e-14, |case| ln_bessel_k(case.number(0), case.number(1)));
}

#[test]
fn ln_bessel_i0_meets_its_table() {
    compare("ln_bessel_i0", 1e-14, |case| ln_bessel_i0(case.number(0)));
}

#[test]
fn ln_bessel_i1_meets_its_table() {
    compare("ln_bessel_i1", 1e-14, |case| ln_bessel_i1(case.number(0)));
}

#[test]
fn bessel_i1_over_i0_meets_its_table() {
    compare("bessel_i1_over_i0", 1e-14, |case| bessel_i1_over_i0(case.number(0)));
}
