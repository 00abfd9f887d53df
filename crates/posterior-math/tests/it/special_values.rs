//! Poles, NaN, infinities and the golden numbers: what the tables do not list.

use posterior_math::log_space::{
    LnSumExp, ln_1m_exp, ln_1p_exp, ln_add_exp, ln_diff_exp, ln_logistic, ln_softmax_in_place, ln_sum_exp,
    logistic, logit, softmax_in_place, x_ln_x, x_ln_y,
};
use posterior_math::special::{
    HALF_LN_TAU, LN_TAU, digamma, digamma_difference, exp_excess, gamma, inverse_digamma, ln_beta,
    ln_binomial, ln_gamma, ln_gamma_sign, ln_multinomial, ln_multivariate_beta, ln_pochhammer,
    ln_rising_factorial, multivariate_ln_gamma, poisson_deviance, ratio_power, stirling_remainder, trigamma,
    trigamma_difference,
};
use posterior_testkit::accuracy::assert_close;

pub(crate) const INF: f64 = f64::INFINITY;
pub(crate) const NEG_INF: f64 = f64::NEG_INFINITY;
pub(crate) const NAN: f64 = f64::NAN;

/// Each value is the same number as expected, or both are NaN.
#[track_caller]
pub(crate) fn assert_values(function: impl Fn(f64) -> f64, expected: &[(f64, f64)]) {
    for &(x, value) in expected {
        let actual = function(x);
        assert!(actual == value || (actual.is_nan() && value.is_nan()), "at {x}: {actual} should be {value}");
    }
}

/// Against the numbers by mpmath: those of f64 that are nearest.
#[test]
fn logarithms_of_two_pi() {
    assert_eq!(LN_TAU.to_bits(), 1.837_877_066_409_345_6_f64.to_bits());
    assert_eq!(HALF_LN_TAU.to_bits(), 0.918_938_533_204_672_8_f64.to_bits());
    assert_eq!(LN_TAU, 2.0 * HALF_LN_TAU);
}

#[test]
fn the_gamma_family_at_poles_infinities_and_nan() {
    let poles = |value| vec![(0.0, value), (-0.0, value), (-1.0, value), (-1e15, value)];
    assert_values(ln_gamma, &poles(INF));
    assert_values(ln_gamma, &[(INF, INF), (NEG_INF, INF), (NAN, NAN), (1.0, 0.0), (2.0, 0.0), (1e308, INF)]);
    assert_values(
        gamma,
        &[(0.0, INF), (-0.0, NEG_INF), (-1.0, NAN), (-1e15, NAN), (NEG_INF, NAN), (INF, INF)],
    );
    assert_values(gamma, &[(NAN, NAN), (172.0, INF), (1.0, 1.0), (5.0, 24.0), (1e-320, INF)]);
    assert_values(digamma, &poles(NAN));
    assert_values(digamma, &[(INF, INF), (NEG_INF, NAN), (NAN, NAN)]);
    assert_values(trigamma, &poles(INF));
    assert_values(trigamma, &[(INF, 0.0), (NEG_INF, NAN), (NAN, NAN), (1e-200, INF)]);
    assert_values(inverse_digamma, &[(INF, INF), (NEG_INF, 0.0), (NAN, NAN), (1e4, INF), (-1e300, 1e-300)]);
    assert_values(stirling_remainder, &[(0.0, INF), (INF, 0.0), (-1.0, NAN), (NAN, NAN)]);
    let signs = [(0.0, 1.0), (-0.0, -1.0), (0.5, 1.0), (-0.5, -1.0), (-1.5, 1.0), (-2.5, -1.0), (INF, 1.0)];
    assert_values(|x| ln_gamma_sign(x).1, &signs);
    assert_values(|x| ln_gamma_sign(x).1, &[(-1.0, NAN), (-2.0, NAN), (NEG_INF, NAN), (NAN, NAN)]);
}

#[test]
fn beta_and_its_relatives_at_their_edges() {
    assert_values(|a| ln_beta(a, 2.0), &[(0.0, INF), (INF, NEG_INF), (-1.0, NAN), (NAN, NAN)]);
    assert_values(|a| ln_beta(a, 0.0), &[(0.0, INF), (INF, NAN), (1.0, INF)]);
    assert_values(|a| ln_beta(a, INF), &[(INF, NEG_INF), (1.0, NEG_INF)]);
    assert_eq!(ln_multivariate_beta(&[]), 0.0);
    assert_values(|a| ln_multivariate_beta(&[a]), &[(0.3, 0.0), (-0.3, NAN), (NAN, NAN)]);
    assert_values(
        |a| ln_multivariate_beta(&[a, 2.0, 3.0]),
        &[(0.0, INF), (INF, NEG_INF), (-1.0, NAN), (NAN, NAN)],
    );
    assert_values(|a| multivariate_ln_gamma(3, a), &[(1.0, INF), (0.99, NAN), (NAN, NAN), (INF, INF)]);
    assert_eq!(multivariate_ln_gamma(0, 2.0), 0.0);
    assert_eq!(ln_binomial(3, 4), NEG_INF);
    assert_eq!(ln_multinomial(&[]), 0.0);
    assert_eq!(ln_multinomial(&[u64::MAX]), 0.0);
    assert!(ln_multinomial(&[1, u64::MAX]).is_nan());
    assert!(ln_binomial(u64::MAX, u64::MAX / 2).is_finite());
    // On both sides of where the product of factors ends.
    assert_close(ln_binomial(u64::MAX, 9), 386.45094852244705, 1e-15);
    assert_close(ln_binomial(u64::MAX, 10), 428.50978298528946, 1e-15);
    assert_close(ln_binomial(u64::MAX, 39), 1623.46360241698, 1e-14);
    assert_values(|a| ln_rising_factorial(a, 2), &[(0.0, NEG_INF), (-1.0, NAN), (NAN, NAN), (INF, INF)]);
    assert_values(|a| digamma_difference(a, 2.0), &[(0.0, INF), (-1.0, NAN), (NAN, NAN), (INF, 0.0)]);
    assert_values(|a| trigamma_difference(a, 2.0), &[(0.0, INF), (-1.0, NAN), (NAN, NAN), (INF, 0.0)]);
    assert_values(|a| ln_rising_factorial(a, 0), &[(0.0, 0.0), (2.5, 0.0), (INF, 0.0)]);
    assert_values(|d| ln_pochhammer(0.0, d), &[(0.0, 0.0), (0.5, NEG_INF), (-0.5, NAN), (NAN, NAN)]);
    assert_values(|d| ln_pochhammer(1.5, d), &[(0.0, 0.0), (INF, INF), (-0.5, NAN), (NAN, NAN)]);
    assert_values(|d| digamma_difference(1.5, d), &[(INF, INF), (-1.0, NAN), (NAN, NAN)]);
    assert_close(trigamma_difference(1.5, INF), trigamma(1.5), 1e-15);
    for function in [ln_pochhammer, digamma_difference, trigamma_difference] {
        assert_values(|a| function(a, 0.0), &[(0.0, 0.0), (2.5, 0.0), (INF, 0.0)]);
    }
    assert_values(
        |x| poisson_deviance(x, 2.0),
        &[(0.0, 2.0), (2.0, 0.0), (INF, INF), (-1.0, NAN), (NAN, NAN)],
    );
    assert_values(|m| poisson_deviance(2.0, m), &[(0.0, INF), (INF, INF), (-1.0, NAN), (NAN, NAN)]);
    assert_values(|m| poisson_deviance(INF, m), &[(INF, NAN)]);
    // Where the sum or the ratio of the two leaves f64, and the deviance does not.
    assert_close(poisson_deviance(1.5e308, 1.2e308), 3.4715326971314654e306, 1e-15);
    assert_eq!(poisson_deviance(1e-300, 1e300), 1e300);
    assert_close(poisson_deviance(1e300, 1e-300), 1.3805510557964274e303, 1e-15);
    assert_values(|m| poisson_deviance(0.0, m), &[(0.0, 0.0)]);
}

/// Against mpmath.
#[test]
fn the_exponential_function_above_its_tangent() {
    let values = [
        (1e-9, 5.0000000016666672899e-19),
        (-1e-9, 4.9999999983333339566e-19),
        (0.3, 0.0498588075760031001),
        (-0.3, 0.040818220681717863189),
        (0.99999, 0.71826464577667436148),
        (-0.99999, 0.36787311998424809816),
        (1.0, 0.71828182845904523536),
        (-1.0, 0.3678794411714423216),
        (5.0, 142.41315910257660342),
        (-30.0, 29.000000000000093576),
        (700.0, 1.0142320547350045095e304),
    ];
    for (x, value) in values {
        assert_close(exp_excess(x), value, 1e-15);
    }
    assert_values(exp_excess, &[(0.0, 0.0), (INF, INF), (NEG_INF, INF), (800.0, INF), (NAN, NAN)]);
}

#[test]
fn powers_of_quotients_do_not_multiply_its_rounding() {
    // mpmath 1.3, 40 digits, of these f64.
    let values = [
        (93.96056940045445, 100.0, 2000.0, 7.785380996812806350175222e-55),
        (127.95564279012615, 100.0, 20.0, 138.4168166523261088673306),
        (0.1, 0.3, -3.5, 46.7653718043596717819099),
        (3.0, 7.0, 700.0, 2.607655968439941052025948e-258),
        (1.0000000000000002, 1.0000000000000007, 1e16, 0.01178542007312745457365396),
        (2.5, 2.5, 1e300, 1.0),
        (0.3333333333333333, 1e5, -40.0, 1.215766545905695579644024e219),
        // Numbers beyond 10^±290.
        (1.0000000003e-292, 1e-292, 3e11, 1.2203746721411465172e39),
        (5.0000001e-300, 5e-300, 1e10, 7.2259581037860683531e86),
    ];
    for (x, y, exponent, value) in values {
        assert_close(ratio_power(x, y, exponent), value, 5e-16);
    }
    // Quotients that round to 1 or to its neighbours, whose powers are not numbers or far from these.
    for (x, y, exponent, value) in [
        (1.5000000000000002, 1.5, 4e18, 1.425578316141635171e257),
        (1.5, 1.5000000000000002, 4e18, 7.0146970438392051024e-258),
        (1.0000000000000003e300, 1e300, 1e18, 1.4475966511509455708e129),
        (1.0000000000000002, 1.0, 3.1e18, 8.7400643764893558135e298),
    ] {
        // The correction is an exponential of some hundred.
        assert_close(ratio_power(x, y, exponent), value, 2e-13);
    }
    assert_close(ratio_power(1e-200, 1e150, 0.5), 1.000000000000000000632333e-175, 1e-13);
    assert_close(ratio_power(1e-300, 1e200, 0.25), 1.0000000000000000138e-125, 1e-13);
    assert_close(ratio_power(5e-324, 1e300, 0.01), 5.847063987397110819823313e-7, 1e-14);
    let edges = [
        ((0.0, 2.0, 3.0), 0.0),
        ((0.0, 2.0, -3.0), INF),
        ((INF, 2.0, 3.0), INF),
        ((INF, 2.0, -3.0), 0.0),
        ((2.0, INF, 3.0), 0.0),
        ((2.0, 1.0, 1e300), INF),
        ((1.0, 2.0, 1e300), 0.0),
        ((3.0, 2.0, 0.0), 1.0),
    ];
    for ((x, y, exponent), value) in edges {
        assert_eq!(ratio_power(x, y, exponent), value, "({x} / {y})^{exponent}");
    }
    assert!(ratio_power(NAN, 1.0, 1.0).is_nan() && ratio_power(1.0, NAN, 1.0).is_nan());
}

#[test]
fn log_space_at_its_edges() {
    for (terms, value) in [
        (vec![], NEG_INF),
        (vec![NEG_INF, NEG_INF], NEG_INF),
        (vec![INF, 1.0], INF),
        (vec![INF, INF], INF),
        (vec![NEG_INF, 3.0], 3.0),
        (vec![INF, NAN], NAN),
        (vec![NAN, NEG_INF], NAN),
    ] {
        let stream = terms.iter().copied().collect::<LnSumExp>().value();
        let folded = terms.iter().copied().fold(NEG_INF, ln_add_exp);
        for actual in [ln_sum_exp(&terms), stream, folded] {
            assert!(actual == value || (actual.is_nan() && value.is_nan()), "{terms:?}: {actual}");
        }
    }
    assert_values(|b| ln_diff_exp(1.0, b), &[(NEG_INF, 1.0), (1.0, NEG_INF), (2.0, NAN), (NAN, NAN)]);
    assert_values(|b| ln_diff_exp(INF, b), &[(1.0, INF), (NEG_INF, INF)]);
    assert_values(ln_1p_exp, &[(INF, INF), (NEG_INF, 0.0), (NAN, NAN)]);
    assert_values(ln_1m_exp, &[(0.0, NEG_INF), (NEG_INF, 0.0), (1.0, NAN), (NAN, NAN)]);
    assert_values(logistic, &[(INF, 1.0), (NEG_INF, 0.0), (NAN, NAN), (-800.0, 0.0)]);
    assert_values(ln_logistic, &[(INF, 0.0), (NEG_INF, NEG_INF), (NAN, NAN)]);
    assert_values(logit, &[(0.0, NEG_INF), (1.0, INF), (-0.1, NAN), (1.1, NAN), (NAN, NAN)]);
    assert_values(x_ln_x, &[(0.0, 0.0), (1.0, 0.0), (-1.0, NAN), (NAN, NAN), (INF, INF)]);
    assert_values(|y| x_ln_y(0.0, y), &[(0.0, 0.0), (INF, 0.0), (NAN, NAN), (-1.0, NAN)]);
}

#[test]
fn softmax_of_infinite_and_missing_weights() {
    for (weights, expected) in
        [(vec![NEG_INF, 0.0], vec![0.0, 1.0]), (vec![INF, 0.0, INF], vec![0.5, 0.0, 0.5]), (vec![], vec![])]
    {
        let mut softmax = weights.clone();
        softmax_in_place(&mut softmax);
        assert_eq!(softmax, expected);
        let mut ln_softmax = weights;
        ln_softmax_in_place(&mut ln_softmax);
        assert_eq!(ln_softmax, expected.iter().map(|p| p.ln()).collect::<Vec<_>>());
    }
    for weights in [[NEG_INF, NEG_INF], [NAN, 0.0], [INF, NAN]] {
        let mut softmax = weights;
        softmax_in_place(&mut softmax);
        let mut ln_softmax = weights;
        ln_softmax_in_place(&mut ln_softmax);
        assert!(softmax.iter().chain(&ln_softmax).all(|weight| weight.is_nan()), "{weights:?}");
    }
}

#[test]
fn golden_numbers() {
    // x, ln Γ, ψ, ψ₁, printed with 16 digits.
    for (x, value, first, second) in [
        (1e-5, 11.51291969289583, -100000.5771992157, 10000000001.64491),
        (0.1, 2.252712651734206, -10.42375494041108, 101.4332991507927),
        (0.5, 0.5723649429247001, -1.963510026021423, 4.934802200544679),
        (1.5, -0.1207822376352452, 0.03648997397857652, 0.9348022005446793),
        (2.5, 0.2846828704729192, 0.7031566406452432, 0.4903577561002349),
        (10.0, 12.80182748008147, 2.251752589066721, 0.1051663356816857),
        (100.5, 361.4355404677776, 4.605174352581845, 0.009999916669583103),
        (1e6, 12815504.56914761, 13.81551005796419, 1.000000500000167e-6),
    ] {
        assert_close(ln_gamma(x), value, 1e-14);
        assert_close(digamma(x), first, 1e-14);
        assert_close(trigamma(x), second, 1e-14);
    }
    for n in 1..40 {
        // ln n! by the formula and by the sum of logarithms.
        let x = f64::from(n);
        let by_formula = (x + 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + stirling_remainder(x);
        let by_sum: f64 = (2..=n).map(|i| f64::from(i).ln()).sum();
        assert!((by_formula - by_sum).abs() < 1e-15 * (1.0 + x * x.ln()), "{n}");
    }
    assert_close(multivariate_ln_gamma(3, 2.5), 1.8809954616117743, 1e-15);
    assert_close(ln_1p_exp(-40.0), 4.248354255291589e-18, 1e-15);
    assert_close(ln_1m_exp(-1e-10), -23.02585092999046, 1e-15);
}

#[test]
fn the_slope_of_the_stirling_remainder() {
    use posterior_math::special::stirling_remainder_derivative;
    // ψ(x) - ln x + 1 / (2x), by mpmath at 40 digits.
    for (x, expected) in [
        (1e-3, -493.66781665282815303),
        (0.3, -0.63188475120753036694),
        (0.999, -0.077360801274561392584),
        (1.0, -0.077215664901532860607),
        (2.5, -0.013134091228911877958),
        (9.99, -0.00083416977921100089472),
        (10.0, -0.00083250392732457637054),
        (1e3, -8.333332500000396825e-8),
        (1e8, -8.33333333333333325e-18),
    ] {
        let slope: f64 = stirling_remainder_derivative(x);
        assert!((slope / expected - 1.0).abs() < 2e-15, "{x}: {slope:e}");
    }
    assert_eq!(stirling_remainder_derivative(0.0), f64::NEG_INFINITY);
    assert_eq!(stirling_remainder_derivative(5e-324), f64::NEG_INFINITY);
    assert_eq!(stirling_remainder_derivative(f64::INFINITY), 0.0);
    assert!(stirling_remainder_derivative(-1.0).is_nan() && stirling_remainder_derivative(f64::NAN).is_nan());
}
