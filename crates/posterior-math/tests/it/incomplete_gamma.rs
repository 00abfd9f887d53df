//! The incomplete gamma functions and their inverses.

use posterior_math::special::{
    gamma_p, gamma_pq, gamma_q, inverse_gamma_p, inverse_gamma_q, ln_gamma_p, ln_gamma_q,
};
use posterior_testkit::accuracy::{Worst, assert_close, conditioned_error};
use posterior_testkit::reference::special_cases;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::special_values::{INF, NAN, NEG_INF, assert_values};

fn compare(table: &str, bound: f64, function: impl Fn(f64, f64) -> f64) {
    let mut worst = Worst::of(table);
    for case in special_cases(table) {
        let (a, x) = (case.number(0), case.number(1));
        if conditioned_error(function(a, x), case.value, 0.0) > 3e-15 {
            println!("  {a} {x} {:e} {:e}", case.value, conditioned_error(function(a, x), case.value, 0.0));
        }
        worst.see_conditioned(function(a, x), case.value, 0.0, &(a, x));
    }
    println!("{worst}");
}

#[test]
fn both_tails_meet_their_tables() {
    compare("gamma_p", 0.0, gamma_p);
    compare("gamma_q", 0.0, gamma_q);
}

#[test]
fn inverses_meet_their_tables() {
    compare("gamma_p_inv", 0.0, inverse_gamma_p);
    compare("gamma_q_inv", 0.0, inverse_gamma_q);
}
