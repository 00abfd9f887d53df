//! The polygamma functions.

use posterior_math::special::{digamma, polygamma, trigamma};
use posterior_testkit::accuracy::{Worst, assert_close, conditioned_error};
use posterior_testkit::reference::special_cases;
use proptest::prelude::*;

use crate::special_values::{INF, NAN, NEG_INF, assert_values};

#[test]
fn the_second_order_meets_its_table() {
    let mut worst = Worst::of("polygamma2");
    for case in special_cases("polygamma2") {
        let x = case.number(0);
        // The roots are on the negative axis.
        let sensitivity = if x < 0.0 { (x * polygamma(3, x)).abs() } else { 0.0 };
        worst.see_conditioned(polygamma(2, x), case.value, sensitivity, &x);
    }
    worst.assert_at_most(5e-16);
}

#[test]
fn higher_orders_are_zeta_values() {
    // ψₙ(1) = (-1)^(n+1) n! ζ(n + 1)
    assert_close(polygamma(3, 1.0), 6.493939402266829, 1e-15);
    assert_close(polygamma(4, 1.0), -24.88626612344088, 1e-15);
    assert_close(polygamma(20, 1.0), -2.4329031685078615e18, 1e-15);
    assert_close(polygamma(20, -2.5), -9182070.204945628, 1e-13);
}

#[test]
fn edges() {
    assert_values(|x| polygamma(2, x), &[(0.0, NAN), (-3.0, NAN), (INF, 0.0), (NEG_INF, NAN), (NAN, NAN)]);
    assert_values(|x| polygamma(3, x), &[(0.0, INF), (-3.0, INF), (INF, 0.0), (NEG_INF, NAN), (NAN, NAN)]);
    assert_values(|x| polygamma(2, x), &[(f64::from_bits(1), NEG_INF), (1e300, 0.0), (-1e300, NAN)]);
    assert_values(|x| polygamma(101, x), &[(1.0, NAN)]);
    for x in [0.3, 20.0, -0.3] {
        assert_eq!((polygamma(0, x), polygamma(1, x)), (digamma(x), trigamma(x)));
    }
}

proptest! {
    #[test]
    fn it_obeys_its_recurrence(n in 2_u32..21, x in -8.0..60.0_f64) {
        // ψₙ(x + 1) = ψₙ(x) + (-1)ⁿ n! / x^(n+1)
        let factorial: f64 = (1..=n).map(f64::from).product();
        let step = if n % 2 == 0 { factorial } else { -factorial } * x.powi(-n.cast_signed() - 1);
        let size = step.abs() + (x * polygamma(n + 1, x)).abs() + ((x + 1.0) * polygamma(n + 1, x + 1.0)).abs();
        prop_assert!(conditioned_error(polygamma(n, x) + step, polygamma(n, x + 1.0), size) < 1e-14);
    }

    #[test]
    fn every_number_has_an_answer(n in 0_u32..200, bits in any::<u64>()) {
        let x = f64::from_bits(bits);
        let value = polygamma(n, x);
        prop_assert!(n > 100 || x <= 0.0 || value.is_nan() == x.is_nan());
    }
}
