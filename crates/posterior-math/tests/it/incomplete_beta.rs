//! The incomplete beta function, its logarithms and inverses.

use posterior_math::special::{
    beta_p, beta_pq, beta_q, inverse_beta_p, inverse_beta_pq, inverse_beta_q, ln_beta_p, ln_beta_q,
};
use posterior_testkit::accuracy::Worst;
use posterior_testkit::reference::special_cases;

#[test]
fn beta_p_meets_its_table() {
    let mut worst = Worst::of("beta_reg");
    for case in special_cases("beta_reg") {
        let (a, b, x) = (case.number(0), case.number(1), case.number(2));
        let e = (beta_p(a, b, x) - case.value).abs() / case.value;
        if e > 1e-14 {
            println!("P {a} {b} {x} {} {e:e}", case.value);
        }
        worst.see(beta_p(a, b, x), case.value, &case.arguments);
    }
    worst.assert_at_most(1e-13);
}

#[test]
fn beta_q_meets_its_table() {
    let mut worst = Worst::of("beta_reg_complement");
    for case in special_cases("beta_reg_complement") {
        let (a, b, x) = (case.number(0), case.number(1), case.number(2));
        let e = (beta_q(a, b, x) - case.value).abs() / case.value;
        if e > 1e-14 {
            println!("Q {a} {b} {x} {} {e:e}", case.value);
        }
        worst.see(beta_q(a, b, x), case.value, &case.arguments);
    }
    worst.assert_at_most(1e-13);
}

#[test]
fn inverse_beta_p_meets_its_table() {
    let mut worst = Worst::of("beta_reg_inv");
    for case in special_cases("beta_reg_inv") {
        let (a, b, p) = (case.number(0), case.number(1), case.number(2));
        let x = inverse_beta_p(a, b, p).0;
        let e = (x - case.value).abs() / case.value;
        if e > 1e-14 {
            println!("I {a} {b} {p} {} {e:e}", case.value);
        }
        worst.see(x, case.value, &case.arguments);
    }
    worst.assert_at_most(1e-12);
}
