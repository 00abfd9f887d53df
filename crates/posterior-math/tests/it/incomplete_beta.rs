//! The incomplete beta function: its tables, its identities, and every pattern of bits.

use posterior_math::special::{
    beta_p, beta_p_gradient, beta_pq, beta_q, inverse_beta_p, inverse_beta_pq, inverse_beta_q, ln_beta_p,
    ln_beta_q, ln_binomial,
};
use posterior_testkit::accuracy::{Worst, assert_close, conditioned_error, relative_error};
use posterior_testkit::reference::{Case, special_cases};
use proptest::prelude::*;

fn compare(table: &str, bound: f64, function: impl Fn(f64, f64, f64) -> f64) {
    let mut worst = Worst::of(table);
    for case in special_cases(table) {
        let value = function(case.number(0), case.number(1), case.number(2));
        worst.see(value, case.value, &case.arguments);
    }
    worst.assert_at_most(bound);
}

/// The logarithm is compared where the table's value is a normal number, and its logarithm not next to zero.
fn compare_ln(table: &str, bound: f64, function: impl Fn(f64, f64, f64) -> f64) {
    let mut worst = Worst::of(&format!("ln {table}"));
    let normal = |case: &Case| case.value > f64::MIN_POSITIVE && case.value < 0.5;
    for case in special_cases(table).into_iter().filter(normal) {
        let value = function(case.number(0), case.number(1), case.number(2));
        worst.see(value, case.value.ln(), &case.arguments);
    }
    worst.assert_at_most(bound);
}

#[test]
fn both_tails_meet_their_tables() {
    compare("beta_reg", 7e-14, beta_p);
    compare("beta_reg_complement", 3e-14, beta_q);
    // With the arguments exchanged: 1 - x is exact where it is the smaller one.
    compare("beta_reg", 7e-14, |a, b, x| beta_pq(b, a, 1.0 - x, x).1);
}

#[test]
fn logarithms_meet_the_tables() {
    compare_ln("beta_reg", 1e-15, ln_beta_p);
    compare_ln("beta_reg_complement", 1e-15, ln_beta_q);
}

#[test]
fn inverses_meet_their_table() {
    compare("beta_reg_inv", 3e-15, |a, b, p| inverse_beta_p(a, b, p).0);
    compare("beta_reg_inv", 3e-15, |a, b, p| inverse_beta_q(b, a, p).1);
}

#[test]
fn far_tails_of_skewed_distributions_are_inverted() {
    // Carter's start is on the wrong side of the mean here.
    let p = 2.823_428_201_920_319e-229;
    let (x, y) = inverse_beta_p(74_603.878_205_078_95, 1.843_793_718_004_930_6, p);
    assert_close(y, 7.1e-3, 1e-3);
    assert_close(beta_pq(74_603.878_205_078_95, 1.843_793_718_004_930_6, x, y).0, p, 1e-12);
}

#[test]
fn golden_numbers() {
    assert_close(beta_p(7.0, 5.0, 0.5), 281.0 / 1024.0, 1e-15);
    assert_close(beta_q(7.0, 5.0, 0.5), 743.0 / 1024.0, 1e-15);
    // The quartiles of Student's t with one degree of freedom are ±1, by way of I_½(½, ½) = ½.
    assert_close(beta_p(0.5, 0.5, 0.5), 0.5, 1e-15);
    let (x, _) = inverse_beta_p(7.0, 5.0, 0.025);
    assert_close(x, 0.307_904_72, 1e-7);
}

#[test]
fn it_is_the_tail_of_the_binomial() {
    for n in [1_u64, 5, 30, 400] {
        for p in [0.01, 0.3, 0.5, 0.9] {
            let mut tail = 0.0;
            for k in (1..=n).rev() {
                let ln = ln_binomial(n, k) + k as f64 * f64::ln(p) + (n - k) as f64 * f64::ln_1p(-p);
                tail += ln.exp();
                if tail > 1e-300 {
                    let value = beta_p(k as f64, (n - k + 1) as f64, p);
                    assert!(relative_error(value, tail) < 2e-12, "{n} {k} {p}: {value} {tail}");
                }
            }
        }
    }
}

#[test]
fn the_edges_of_the_domain() {
    for (a, b) in [(0.3, 2.0), (5.0, 5.0), (1e10, 1e-10)] {
        assert_eq!(beta_pq(a, b, 0.0, 1.0), (0.0, 1.0));
        assert_eq!(beta_pq(a, b, 1.0, 0.0), (1.0, 0.0));
        assert_eq!(inverse_beta_p(a, b, 0.0), (0.0, 1.0));
        assert_eq!(inverse_beta_p(a, b, 1.0), (1.0, 0.0));
        assert_eq!(ln_beta_p(a, b, 0.0), f64::NEG_INFINITY);
        assert_eq!(ln_beta_q(a, b, 0.0), 0.0);
    }
    assert_eq!(beta_pq(0.0, 2.0, 0.0, 1.0), (1.0, 0.0));
    assert_eq!(beta_pq(2.0, 0.0, 0.5, 0.5), (0.0, 1.0));
    assert_eq!(beta_pq(f64::INFINITY, 2.0, 0.5, 0.5), (0.0, 1.0));
    assert_eq!(beta_pq(2.0, f64::INFINITY, 0.5, 0.5), (1.0, 0.0));
    assert_eq!(inverse_beta_p(0.0, 2.0, 0.5), (0.0, 1.0));
    assert_eq!(inverse_beta_p(2.0, 0.0, 0.5), (1.0, 0.0));
    for (a, b, x) in [
        (-1.0, 2.0, 0.5),
        (1.0, -2.0, 0.5),
        (1.0, 1.0, -0.1),
        (1.0, 1.0, 1.1),
        (f64::NAN, 1.0, 0.5),
        (1.0, f64::NAN, 0.5),
        (1.0, 1.0, f64::NAN),
        (0.0, 0.0, 0.5),
        (f64::INFINITY, f64::INFINITY, 0.5),
    ] {
        assert!(beta_p(a, b, x).is_nan() && beta_q(a, b, x).is_nan());
        assert!(ln_beta_p(a, b, x).is_nan() && ln_beta_q(a, b, x).is_nan());
        assert!(inverse_beta_p(a, b, x).0.is_nan() && inverse_beta_q(a, b, x).1.is_nan());
        assert!(beta_p_gradient(a, b, x).0.is_nan());
    }
}

#[test]
fn tails_too_small_for_f64_have_logarithms() {
    assert_close(ln_beta_p(1e6, 1.0, 0.25), -2e6 * std::f64::consts::LN_2, 1e-15);
    assert_close(ln_beta_q(1.0, 1e12, 0.5), -1e12 * std::f64::consts::LN_2, 1e-15);
    // mpmath 1.4, the power series at 40 digits.
    assert_close(ln_beta_p(1e8, 1e8, 0.4), -4_082_208.318_440_215_381_8, 1e-15);
}

fn parameter() -> impl Strategy<Value = f64> {
    (-3.0..5.0).prop_map(|exponent: f64| 10_f64.powf(exponent))
}

/// Both against mpmath; the lower tail is b times a function of x, down to the least number of f64.
#[test]
fn quantiles_where_the_lower_tail_is_a_factor() {
    let least = 5e-324;
    let quantile = |p: f64| inverse_beta_p(104.5, least, p);
    assert_close(quantile(least).1, 0.0025422986464536773997, 3e-14);
    assert_close(quantile(100.0 * least).1, 2.0083306636964872731e-46, 3e-14);
    assert_close(quantile(700.0 * least).1, 5.3228726683540296513e-307, 3e-13);
    assert_eq!(quantile(4.36e-306), (1.0, 0.0));
    assert_eq!(inverse_beta_q(least, 104.5, 4.36e-306), (0.0, 1.0));
}

/// The limit is the upper tail of a gamma variable, here from mpmath.
#[test]
fn a_parameter_at_the_end_of_f64_is_as_good_as_infinite() {
    let (large, x) = (0.5 * f64::MAX, 0.84);
    let odds = 1.095 / large / x;
    assert_close(beta_pq(large, 1.095, 1.0, odds).0, 0.30638259298370565582, 1e-14);
}

/// b / (a + b) + O(a ln x): subnormal products of the parameters have lost their digits.
#[test]
fn subnormal_parameters_share_the_mass() {
    let (a, b) = (1.857953208e-314, 2.20583043126e-312);
    for x in [1e-200, 0.3, 0.5, 0.9] {
        assert_close(beta_p(a, b, x), 0.99164743352875548823, 1e-15);
        assert_close(beta_q(b, a, x), 0.99164743352875548823, 1e-15);
    }
    assert_eq!(beta_p(a, 5.0, 0.1), 1.0);
    // a ∫ₓ¹ (1 - t)^(b - 1) dt / t, by mpmath.
    assert_close(beta_q(1e-300, 3.0, 0.5) / 1e-300, 0.068147180559945309417, 1e-14);
}

/// (a, b, p, x, 1 - x), by mpmath at 60 digits: the density integrated in ln(x / (1 - x)), solved by Newton's
/// method.
const HARD_QUANTILES: [(f64, f64, f64, f64, f64); 13] = [
    (0.8, 1e18, 1e-6, 2.8934157407615850402e-26, 1.0),
    (0.8, 1e18, 0.3, 2.3019177828605685676e-19, 1.0),
    (5e18, 0.25, 1e-50, 1.0, 2.2061412940835449208e-17),
    (3e16, 40.0, 0.1, 0.99999999999999839036, 1.6096367269211145771e-15),
    (12.0, 3e16, 0.1, 2.6097806754188038544e-16, 0.99999999999999973902),
    (7e14, 3e17, 1e-30, 0.002327900555516138684, 0.99767209944448386132),
    (2e9, 5e17, 1e-250, 3.9969776180200613091e-9, 0.99999999600302238198),
    (1e25, 2.5, 1e-12, 1.0, 3.261931810668391938e-24),
    (0.02, 6e22, 1e-3, 9.5113540704121647772e-174, 1.0),
    (4e12, 1e-6, 1e-8, 0.99999999999919737145, 8.0262854642965206908e-13),
    // p^(1/a) and 1 - (1 - p)^(1/b).
    (1e8, 1.0, 1e-80, 0.99999815793362221112, 1.8420663777888829491e-6),
    (1.0, 1e9, 1e-80, 1e-89, 1.0),
    (3e15, 1.0, 1e-300, 0.99999999999976974149, 2.302585092993780589e-13),
];

#[test]
fn quantiles_of_hard_parameters_meet_mpmath() {
    for (a, b, p, x, y) in HARD_QUANTILES {
        for (u, v) in [inverse_beta_p(a, b, p), {
            let (v, u) = inverse_beta_q(b, a, p);
            (u, v)
        }] {
            assert_close(u, x, 4e-15);
            assert_close(v, y, 4e-15);
        }
    }
}

/// The logarithms of x^a and of B(a, b) cancel; betainc of mpmath at 60 digits.
#[test]
fn logarithms_of_tails_beside_a_huge_parameter() {
    let (a, b, x) = (9.801086134147768, 1.4986520490286687e235, 6.484367747237585e-265);
    assert_close(ln_beta_p(a, b, x), -669.38627426461379245, 2e-16);
    assert_close(beta_p(a, b, x), 1.9464122315397689996e-291, 2e-13);
    // In proportion to a parameter whose quotient with the other one is subnormal.
    let upper = |a: f64| beta_pq(2.8741377492264166e18, a, 1.0, 2.445810182855903e-19).0 / a;
    assert_close(upper(1.575058651234232e-298), upper(1.575058651234232e-200), 1e-14);
}

/// Two parameters that cannot be added, both with a mean that f64 has.
#[test]
fn parameters_whose_sum_is_beyond_f64_have_a_step() {
    let huge = f64::MAX;
    assert_close(beta_pq(huge, huge, 0.5, 0.5).0, 0.5, 1e-15);
    assert_eq!(beta_pq(huge, huge, 0.49, 0.51), (0.0, 1.0));
    assert_close(inverse_beta_p(huge, huge, 1e-9).0, 0.5, 1e-15);
    // n (ln 2 + ½ ln x (1 - x)) to the last digit but some.
    let per_parameter = 2_f64.ln() + 0.5 * (0.4_f64 * 0.6).ln();
    assert_close(ln_beta_p(0.6 * huge, 0.6 * huge, 0.4) / (1.2 * per_parameter), huge, 1e-13);
}

#[test]
fn a_factor_below_the_normal_numbers_costs_the_tail_no_digits() {
    // By mpmath at 60 digits, from the hypergeometric function.
    for (a, b, x, p) in [
        (9.0, 11.9, 1.3e-34, 1.6808022421620685301e-300),
        (3.0, 11.0, 3e-103, 7.7219999999999999732e-306),
        (5.5, 60.0, 1e-57, 8.0871471827033172629e-307),
        (2.0, 1e6, 1e-158, 5.0000050000000006445e-305),
        (8.0, 400.0, 6e-41, 2.9267240337691300727e-306),
    ] {
        assert_close(beta_p(a, b, x), p, 2e-13);
        assert_close(ln_beta_p(a, b, x).exp(), p, 2e-13);
    }
}

proptest! {
    #[test]
    fn quantiles_rise_and_invert_whatever_the_parameters(
        ln_a in -690.0..690.0_f64,
        ln_b in -690.0..690.0_f64,
        small in any::<[bool; 2]>(),
        ln_p in -690.0..-0.7_f64,
        proportion in 0.0..1.0_f64,
    ) {
        let ordinary = |ln: f64, is_small: bool| if is_small { (ln / 15.0).exp() } else { ln.exp() };
        let (a, b) = (ordinary(ln_a, small[0]), ordinary(ln_b, small[1]));
        let (p, larger) = (ln_p.exp(), (ln_p * proportion).exp().min(0.5));
        for quantile in [inverse_beta_p, |a, b, p| { let (y, x) = inverse_beta_q(b, a, p); (x, y) }] {
            let (at, above) = (quantile(a, b, p), quantile(a, b, larger));
            prop_assert!(at.0 <= above.0 * (1.0 + 4e-15) && above.1 <= at.1 * (1.0 + 4e-15), "{a:e} {b:e} {p:e} {larger:e}: {at:?} {above:?}");
            let (x, y) = at;
            if x.min(y) < 1e-300 {
                continue;
            }
            // p is between the tails at the next points that are different by more than the error.
            let width = 1e-14;
            let tail = |factor: f64| if x <= y { beta_pq(a, b, x * factor, 1.0 - x * factor).0 } else { beta_pq(a, b, 1.0 - y / factor, y / factor).0 };
            let (low, high) = (tail(1.0 - width), tail(1.0 + width));
            prop_assert!(low <= p * (1.0 + 4e-13) && p <= high * (1.0 + 4e-13), "{a:e} {b:e} {p:e}: {x:e} {y:e} {low:e} {high:e}");
        }
    }

    #[test]
    fn tails_sum_to_one_and_mirror(a in parameter(), b in parameter(), x in 0.0..1.0_f64) {
        let (p, q) = beta_pq(a, b, x, 1.0 - x);
        prop_assert!((p + q - 1.0).abs() < 1e-14);
        prop_assert_eq!((q, p), beta_pq(b, a, 1.0 - x, x));
        prop_assert_eq!((p, q), (beta_p(a, b, x), beta_q(a, b, x)));
    }

    #[test]
    fn it_increases(a in parameter(), b in parameter(), x in 1e-6..1.0_f64, factor in 0.5..0.999_f64) {
        prop_assert!(beta_p(a, b, x * factor) <= beta_p(a, b, x) * (1.0 + 1e-13));
    }

    #[test]
    fn it_obeys_the_recurrence_in_both_parameters(a in parameter(), b in parameter(), x in 0.01..0.99_f64) {
        // I_x(a, b) = x I_x(a - 1, b) + (1 - x) I_x(a, b - 1), DLMF 8.17.18, with all terms positive.
        let left = beta_p(a + 1.0, b + 1.0, x);
        let right = x * beta_p(a, b + 1.0, x) + (1.0 - x) * beta_p(a + 1.0, b, x);
        // Rounding of x, and of the exponent of a small value.
        let slack = 4e-16 * (a * (1.0 - x).abs() + b * x) + f64::EPSILON * left.ln().abs();
        prop_assert!(left < 1e-290 || relative_error(left, right) < 1e-13 + slack, "{left:e} {right:e}");
    }

    #[test]
    fn logarithms_agree(a in parameter(), b in parameter(), x in 0.001..0.999_f64) {
        let (p, q) = beta_pq(a, b, x, 1.0 - x);
        prop_assert!(p < 1e-290 || relative_error(ln_beta_p(a, b, x).exp(), p) < 3e-13);
        prop_assert!(q < 1e-290 || relative_error(ln_beta_q(a, b, x).exp(), q) < 3e-13);
    }

    #[test]
    fn inverses_invert(a in parameter(), b in parameter(), exponent in -250.0..-0.31_f64) {
        // The error in p of a step of one rounding of x is a density's worth of it.
        let p = 10_f64.powf(exponent);
        for (x, y, lower) in [
            { let (x, y) = inverse_beta_p(a, b, p); (x, y, beta_pq(a, b, x, y).0) },
            { let (x, y) = inverse_beta_q(a, b, p); (x, y, beta_pq(a, b, x, y).1) },
        ] {
            prop_assert!(relative_error(x + y, 1.0) < 1e-15);
            if x.min(y) > 1e-300 {
                prop_assert!(relative_error(lower, p) < 2e-13 + 1e-15 * (a + b), "{x:e} {y:e} {lower:e} {p:e}");
            }
        }
    }

    #[test]
    fn the_gradient_is_the_difference_quotient(
        a in 0.1..50.0_f64,
        b in 0.1..50.0_f64,
        x in 0.001..0.999_f64,
    ) {
        let (in_a, in_b) = beta_p_gradient(a, b, x);
        let h = 1e-5;
        let by_a = (beta_p(a * (1.0 + h), b, x) - beta_p(a * (1.0 - h), b, x)) / (2.0 * h * a);
        let by_b = (beta_p(a, b * (1.0 + h), x) - beta_p(a, b * (1.0 - h), x)) / (2.0 * h * b);
        prop_assert!(conditioned_error(in_a, by_a, 1.0 / a) < 1e-8);
        prop_assert!(conditioned_error(in_b, by_b, 1.0 / b) < 1e-8);
        prop_assert!(in_a <= 1e-15 && in_b >= -1e-15);
    }

    #[test]
    fn any_bits_give_a_probability_or_nan(a in any::<u64>(), b in any::<u64>(), x in any::<u64>()) {
        let [a, b, x] = [a, b, x].map(f64::from_bits);
        let fraction = (x.to_bits() >> 11) as f64 / 9_007_199_254_740_992.0;
        for (a, b) in [(a, b), (a.abs(), b.abs()), (a.abs().powf(0.1), b.abs().powf(0.1))] {
            for x in [x, fraction, fraction.powi(20)] {
                let (p, q) = beta_pq(a, b, x, 1.0 - x);
                let (u, v) = inverse_beta_pq(a, b, x, 1.0 - x);
                for proportion in [p, q, u, v] {
                    prop_assert!(proportion.is_nan() || (0.0..=1.0).contains(&proportion), "{a:e} {b:e} {x:e}: {proportion}");
                }
                let defined = (0.0..=1.0).contains(&x) && a > 0.0 && b > 0.0 && a + b < f64::INFINITY;
                prop_assert!(!defined || !(p.is_nan() || u.is_nan()), "{a:e} {b:e} {x:e}");
                prop_assert!(!(ln_beta_p(a, b, x) > 0.0) && !(ln_beta_q(a, b, x) > 0.0));
                let _ = beta_p_gradient(a, b, x);
            }
        }
    }
}
