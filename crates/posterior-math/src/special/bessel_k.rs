//! The modified Bessel function of the second kind K_ν(x) of real order, and its logarithm: the Matérn
//! kernels and the generalised inverse Gaussian distribution.

use std::f64::consts::{FRAC_PI_2, LN_2, PI};

use super::gamma::{gamma, ln_gamma};
use super::gamma_ratio::RECIPROCAL_GAMMA_1P;
use super::polynomial::polynomial;

/// From this order on Debye's expansion has full precision.
const DEBYE_FROM: f64 = 50.0;
/// Below, the first term of the power series is enough for every order above one half.
const TINY: f64 = 1e-290;
const MOST_TERMS: u32 = 1000;

/// The polynomials uₖ(t) / tᵏ in t² of Debye's expansion, k = 1, 2, …
const DEBYE: [&[f64]; 9] = [
    &[0.125, -0.20833333333333333333],
    &[0.0703125, -0.40104166666666666667, 0.33420138888888888889],
    &[0.0732421875, -0.8912109375, 1.8464626736111111111, -1.025812596450617284],
    &[0.112152099609375, -2.3640869140625, 8.78912353515625, -11.207002616222993827, 4.669584423426247428],
    &[
        0.227108001708984375,
        -7.3687943594796316964,
        42.534998745388454861,
        -91.818241543240017361,
        84.636217674600734632,
        -28.212072558200244877,
    ],
    &[
        0.57250142097473144531,
        -26.491430486951555525,
        218.19051174421159048,
        -699.57962737613254123,
        1059.9904525279998779,
        -765.2524681411816423,
        212.57013003921712286,
    ],
    &[
        1.7277275025844573975,
        -108.0909197883946555,
        1200.9029132163524628,
        -5305.6469786134031084,
        11655.393336864533248,
        -13586.550006434137439,
        8061.7221817373093845,
        -1919.4576623184069963,
    ],
    &[
        6.0740420012734830379,
        -493.91530477308801242,
        7109.5143024893637214,
        -41192.654968897551298,
        1.2220046498301745979e+5,
        -2.0340017728041553428e+5,
        1.9254700123253153236e+5,
        -96980.598388637513489,
        20204.291330966148643,
    ],
    &[
        24.380529699556063861,
        -2499.8304818112096241,
        45218.768981362726273,
        -3.3164517248456357783e+5,
        1.2683652733216247816e+6,
        -2.8135632265865341107e+6,
        3.7632712976564039964e+6,
        -2.9980159185381067501e+6,
        1.3117636146629772007e+6,
        -2.4291918790055133346e+5,
    ],
];

/// K_ν(x) for real ν and x ≥ 0; even in ν.
///
/// +∞ at 0, 0 at ∞; NaN for negative x, infinite ν and NaN.
///
/// # Numerics
/// Relative error below 4e-15 for |ν| < 50 (largest next to x = 2) where the value is neither subnormal nor
/// infinite, beyond that 1e-15 of 1 + |ln K_ν(x)|. For an order of at most one half Temme's series (x < 2) or
/// Steed's continued fraction (x ≥ 2), the elementary form for half-integers; from there the recurrence in
/// the order, which is stable upwards; Debye's expansion for |ν| ≥ 50.
///
/// # References
/// N. M. Temme, On the numerical evaluation of the modified Bessel function of the third kind, Journal of
/// Computational Physics 19 (1975); W. H. Press et al., Numerical Recipes, section 6.6.
///
/// ```
/// use posterior_math::special::bessel_k;
///
/// assert!((bessel_k(0.0, 1.0) - 0.42102443824070834).abs() < 1e-15);
/// let value = bessel_k(0.5, 3.0); // √(π / 2x) e^(-x)
/// assert!((value - (std::f64::consts::PI / 6.0).sqrt() * (-3.0_f64).exp()).abs() < 1e-16);
/// ```
pub fn bessel_k(nu: f64, x: f64) -> f64 {
    match special_case(nu, x) {
        Some(ln) => ln.exp(),
        None if nu.abs() >= DEBYE_FROM => ln_bessel_k(nu, x).exp(),
        None if x < TINY && nu.abs() > 0.5 => {
            let root = power_of_ratio(x, 0.5 * nu.abs());
            0.5 * gamma(nu.abs()) * root * root
        }
        None => {
            let parts = scaled(nu.abs(), x);
            let growth = if parts.ln_growth == 0.0 {
                parts.factor
            } else {
                (parts.factor.ln() + parts.ln_growth).exp()
            };
            // Apart from the growth, which may be needed to bring the product into range.
            growth * (-0.5 * parts.decay).exp() * (-0.5 * parts.decay).exp()
        }
    }
}

/// ln K_ν(x), also where K_ν(x) is too small or too large for f64.
///
/// +∞ at 0, -∞ at ∞; NaN as for [`bessel_k`]. Relative error below 4e-15, next to K_ν(x) = 1 of 1 + x.
///
/// ```
/// let value = posterior_math::special::ln_bessel_k(1.5, 1e6);
/// assert!((value / -1000006.6819629263 - 1.0).abs() < 1e-15);
/// ```
pub fn ln_bessel_k(nu: f64, x: f64) -> f64 {
    if let Some(ln) = special_case(nu, x) {
        return ln;
    }
    let nu = nu.abs();
    if nu >= DEBYE_FROM {
        return ln_debye(nu, x);
    }
    if x < TINY && nu > 0.5 {
        return ln_gamma(nu) - LN_2 + nu * (LN_2 - x.ln());
    }
    let parts = scaled(nu, x);
    parts.factor.ln() + parts.ln_growth - parts.decay
}

/// ln K at the ends of the domain and outside.
fn special_case(nu: f64, x: f64) -> Option<f64> {
    if !(x >= 0.0 && nu.abs() < f64::INFINITY) {
        Some(f64::NAN)
    } else if x == 0.0 {
        Some(f64::INFINITY)
    } else if x == f64::INFINITY {
        Some(f64::NEG_INFINITY)
    } else {
        None
    }
}

/// K = factor · e^(ln_growth - decay).
struct Parts {
    factor: f64,
    ln_growth: f64,
    decay: f64,
}

/// K_ν(x) for 0 ≤ ν < 50, by the recurrence from an order of at most one half.
fn scaled(nu: f64, x: f64) -> Parts {
    let steps = (nu + 0.5).floor();
    let order = nu - steps;
    let (mut factor, mut ratio, decay) =
        if x < 2.0 && order.abs() < 0.5 { temme(order, x) } else { steed(order, x) };
    let mut ln_growth = 0.0;
    for i in 1..=steps as u32 {
        if factor < 1e150 && ratio < 1e150 {
            factor *= ratio;
        } else {
            ln_growth += ratio.ln();
        }
        ratio = 2.0 * (order + f64::from(i)) / x + ratio.recip();
    }
    Parts { factor, ln_growth, decay }
}

/// K_μ(x) and K_(μ + 1)(x) / K_μ(x) by Temme's series, for |μ| < ½ and x < 2.
fn temme(mu: f64, x: f64) -> (f64, f64, f64) {
    let square = mu * mu;
    let (even, odd) = even_and_odd(square);
    let (below, above) = (even - mu * odd, even + mu * odd);
    let angle = PI * mu;
    let arc = if angle.abs() < 1e-8 { 1.0 } else { angle / angle.sin() };
    let ln_x = if x > TINY { (2.0 / x).ln() } else { LN_2 - x.ln() };
    let sigma = mu * ln_x;
    // As a power, because the exponential of a large σ would lose the digits that σ has before its point.
    let power = power_of_ratio(x, mu);
    let (sinh, cosh) = if sigma.abs() < 1.0 {
        (if sigma.abs() < 1e-8 { 1.0 } else { sigma.sinh() / sigma }, sigma.cosh())
    } else {
        (0.5 * (power - power.recip()) / sigma, 0.5 * (power + power.recip()))
    };
    // 1 / Γ(1 ± μ) are `above` and `below`, -Γ₁ is `odd` and Γ₂ is `even`.
    let mut f = arc * (sinh * ln_x * even - odd * cosh);
    let (mut p, mut q) = (0.5 * power / above, 0.5 / (power * below));
    let z = 0.25 * x * x;
    let (mut c, mut sum, mut next) = (1.0, f, p);
    for i in 1..MOST_TERMS {
        let i = f64::from(i);
        f = (i * f + p + q) / (i * i - square);
        c *= z / i;
        p /= i - mu;
        q /= i + mu;
        sum += c * f;
        next += c * (p - i * f);
        if c * f <= 1e-17 * sum {
            break;
        }
    }
    (sum, next / sum * (2.0 / x), 0.0)
}

/// (2 / x)^p, also where 2 / x overflows.
fn power_of_ratio(x: f64, p: f64) -> f64 {
    2_f64.powf(p) * x.powf(-p)
}

/// Σ c₂ₖ μ²ᵏ and Σ c₂ₖ₊₁ μ²ᵏ for 1 / Γ(1 + μ) = Σ cₖ μᵏ.
fn even_and_odd(square: f64) -> (f64, f64) {
    RECIPROCAL_GAMMA_1P
        .chunks_exact(2)
        .rev()
        .fold((0.0, 0.0), |(even, odd), pair| (even * square + pair[0], odd * square + pair[1]))
}

/// K_μ(x) e^x, K_(μ + 1)(x) / K_μ(x) and x, by Steed's evaluation of the second continued fraction, for x ≥ 2
/// and, as one term, for all x where |μ| = ½.
fn steed(mu: f64, x: f64) -> (f64, f64, f64) {
    let first = 0.25 - mu * mu;
    let (mut sum, mut h) = (1.0, 0.0);
    if first != 0.0 && x < 1e20 {
        let mut b = 2.0 * (1.0 + x);
        let mut d = b.recip();
        let (mut step, mut c, mut a) = (d, first, -first);
        let (mut q1, mut q2, mut q) = (0.0, 1.0, first);
        h = step;
        sum = 1.0 + q * step;
        for i in 2..MOST_TERMS {
            let i = f64::from(i);
            a -= 2.0 * (i - 1.0);
            c = -a * c / i;
            (q1, q2) = (q2, (q1 - b * q2) / a);
            q += c * q2;
            b += 2.0;
            let last = d;
            d = (b + a * last).recip();
            step *= -a * last * d;
            h += step;
            sum += q * step;
            if (q * step).abs() <= 1e-17 * sum {
                break;
            }
        }
    }
    let root = if x > TINY { (FRAC_PI_2 / x).sqrt() } else { FRAC_PI_2.sqrt() / x.sqrt() };
    (root / sum, ((mu + 0.5) + x - first * h) / x, x)
}

/// ln K_ν(x) for ν ≥ 50 by Debye's expansion (DLMF 10.41.4), uniform in x.
fn ln_debye(nu: f64, x: f64) -> f64 {
    let root = nu.hypot(x);
    let exponent = nu * ((nu + root).ln() - x.ln()) - root;
    exponent + 0.5 * (FRAC_PI_2.ln() - root.ln()) + debye_sum(nu, -root).ln_1p()
}

/// What Debye's expansion of K_ν(x) has beside 1, with `root` = -√(ν² + x²), and that of I_ν(x) with √(ν² +
/// x²).
pub(super) fn debye_sum(nu: f64, root: f64) -> f64 {
    let square = (nu / root) * (nu / root);
    DEBYE.iter().rev().fold(0.0, |sum, terms| (sum + polynomial(terms, square)) / root)
}
