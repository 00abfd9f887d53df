//! Log-densities of one number, with their derivatives: one kernel per distribution.
//!
//! The first argument is the point. Outside the support the value is -∞; where a parameter is outside its
//! domain it is NaN. All constants are kept.

use posterior_math::log_space::{ln_1p_exp, ln_logistic, logistic, x_ln_y};
use posterior_math::special::{
    HALF_LN_TAU, LN_TAU, bessel_i1_over_i0, digamma, ln_bessel_i0, ln_beta, ln_gamma, ln_normal_cdf,
};

use crate::op::ln_choose;

type Kernel = fn(&[f64], &mut [f64; 8]) -> f64;

macro_rules! densities {
    ($($name:ident $text:literal $args:literal $discrete:literal $kernel:expr;)*) => {
        /// Distributions of one number.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) enum Density { $(
            #[doc = $text] $name,
        )* }

        impl Density {
            /// All: name, how many arguments with the point, whether the point is an integer.
            pub(crate) const ALL: &[(&'static str, Self, usize, bool)] =
                &[$(($text, Self::$name, $args, $discrete),)*];

            /// ln p at the arguments, and its derivatives by them.
            #[inline]
            pub(crate) fn value(self, x: &[f64], d: &mut [f64; 8]) -> f64 {
                match self { $(Self::$name => {
                    let kernel: Kernel = $kernel;
                    kernel(x, d)
                })* }
            }
        }
    };
}

densities! {
    Normal "normal" 3 false |x, d| normal(x[0], x[1], x[2], d);
    StdNormal "std_normal" 1 false |x, d| { d[0] = -x[0]; -0.5 * x[0] * x[0] - HALF_LN_TAU };
    ExpModNormal "exp_mod_normal" 4 false exp_mod_normal;
    SkewNormal "skew_normal" 4 false skew_normal;
    StudentT "student_t" 4 false student_t;
    Cauchy "cauchy" 3 false cauchy;
    DoubleExponential "double_exponential" 3 false double_exponential;
    Logistic "logistic" 3 false logistic_density;
    Gumbel "gumbel" 3 false gumbel;
    SkewDoubleExponential "skew_double_exponential" 4 false skew_double_exponential;
    Lognormal "lognormal" 3 false lognormal;
    ChiSquare "chi_square" 2 false |x, d| {
        let value = gamma_density(x[0], 0.5 * x[1], 0.5, d);
        d[1] *= 0.5;
        value
    };
    InvChiSquare "inv_chi_square" 2 false |x, d| {
        let value = inv_gamma(x[0], 0.5 * x[1], 0.5, d);
        d[1] *= 0.5;
        value
    };
    ScaledInvChiSquare "scaled_inv_chi_square" 3 false |x, d| {
        let (nu, s) = (x[1], x[2]);
        if !(s > 0.0) { return f64::NAN; }
        let value = inv_gamma(x[0], 0.5 * nu, 0.5 * nu * s * s, d);
        let (by_shape, by_scale) = (d[1], d[2]);
        d[1] = 0.5 * by_shape + 0.5 * s * s * by_scale;
        d[2] = nu * s * by_scale;
        value
    };
    Exponential "exponential" 2 false exponential;
    Gamma "gamma" 3 false |x, d| gamma_density(x[0], x[1], x[2], d);
    InvGamma "inv_gamma" 3 false |x, d| inv_gamma(x[0], x[1], x[2], d);
    Weibull "weibull" 3 false weibull;
    Frechet "frechet" 3 false frechet;
    Rayleigh "rayleigh" 2 false rayleigh;
    Loglogistic "loglogistic" 3 false loglogistic;
    Pareto "pareto" 3 false pareto;
    ParetoType2 "pareto_type_2" 4 false pareto_type_2;
    Beta "beta" 3 false |x, d| beta(x[0], x[1], x[2], d);
    BetaProportion "beta_proportion" 3 false |x, d| {
        let (mu, kappa) = (x[1], x[2]);
        if !(mu > 0.0 && mu < 1.0 && kappa > 0.0) { return f64::NAN; }
        let value = beta(x[0], mu * kappa, (1.0 - mu) * kappa, d);
        let (by_a, by_b) = (d[1], d[2]);
        d[1] = kappa * (by_a - by_b);
        d[2] = mu * by_a + (1.0 - mu) * by_b;
        value
    };
    VonMises "von_mises" 3 false von_mises;
    Uniform "uniform" 3 false uniform;
    Bernoulli "bernoulli" 2 true bernoulli;
    BernoulliLogit "bernoulli_logit" 2 true bernoulli_logit;
    Binomial "binomial" 3 true binomial;
    BinomialLogit "binomial_logit" 3 true binomial_logit;
    BetaBinomial "beta_binomial" 4 true beta_binomial;
    Poisson "poisson" 2 true poisson;
    PoissonLog "poisson_log" 2 true poisson_log;
    NegBinomial "neg_binomial" 3 true neg_binomial;
    NegBinomial2 "neg_binomial_2" 3 true |x, d| neg_binomial_2(x[0], x[1], x[2], d);
    NegBinomial2Log "neg_binomial_2_log" 3 true |x, d| {
        let mu = x[1].exp();
        let value = neg_binomial_2(x[0], mu, x[2], d);
        d[1] *= mu;
        value
    };
    Hypergeometric "hypergeometric" 4 true |x, _| {
        ln_choose(x[2], x[0]) + ln_choose(x[3], x[1] - x[0]) - ln_choose(x[2] + x[3], x[1])
    };
    DiscreteRange "discrete_range" 3 true |x, _| {
        if x[2] < x[1] { f64::NAN }
        else if x[0] < x[1] || x[0] > x[2] { f64::NEG_INFINITY }
        else { -(x[2] - x[1] + 1.0).ln() }
    };
}

const NONE: f64 = f64::NEG_INFINITY;

fn positive(x: f64) -> bool {
    x > 0.0 && x < f64::INFINITY
}

#[inline]
fn normal(y: f64, mu: f64, s: f64, d: &mut [f64; 8]) -> f64 {
    if !(s > 0.0) {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    (d[0], d[1], d[2]) = (-z / s, z / s, (z * z - 1.0) / s);
    -0.5 * z * z - s.ln() - HALF_LN_TAU
}

fn exp_mod_normal(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s, rate) = (x[0], x[1], x[2], x[3]);
    if !(positive(s) && positive(rate)) {
        return f64::NAN;
    }
    // ln(λ/2) + λ (μ + λ σ²/2 - y) + ln erfc(u / √2), u = (μ + λ σ² - y) / σ; erfc(u/√2) = 2 Φ(-u).
    let u = (mu + rate * s * s - y) / s;
    let ln_tail = ln_normal_cdf(-u);
    let mills = -(-0.5 * u * u - HALF_LN_TAU - ln_tail).exp();
    d[0] = -rate - mills / s;
    d[1] = rate + mills / s;
    d[2] = rate * rate * s + mills * (2.0 * rate - u / s);
    d[3] = 1.0 / rate + mu - y + rate * s * s + mills * s;
    rate.ln() + rate * (mu + 0.5 * rate * s * s - y) + ln_tail
}

fn skew_normal(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s, alpha) = (x[0], x[1], x[2], x[3]);
    if !(s > 0.0) {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    let ln_tail = ln_normal_cdf(alpha * z);
    let mills = (-0.5 * alpha * alpha * z * z - HALF_LN_TAU - ln_tail).exp();
    let by_z = -z + alpha * mills;
    (d[0], d[1], d[2], d[3]) = (by_z / s, -by_z / s, (-by_z * z - 1.0) / s, z * mills);
    std::f64::consts::LN_2 - HALF_LN_TAU - s.ln() - 0.5 * z * z + ln_tail
}

fn student_t(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, nu, mu, s) = (x[0], x[1], x[2], x[3]);
    if !(positive(nu) && positive(s)) {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    let square = z * z / nu;
    let half = 0.5 * nu + 0.5;
    let by_z = -(nu + 1.0) * z / (nu + z * z);
    d[0] = by_z / s;
    d[1] = 0.5 * (digamma(half) - digamma(0.5 * nu) - 1.0 / nu - square.ln_1p())
        + half * square / (nu * (1.0 + square));
    d[2] = -by_z / s;
    d[3] = (-by_z * z - 1.0) / s;
    ln_gamma(half) - ln_gamma(0.5 * nu) - 0.5 * (nu * std::f64::consts::PI).ln()
        - s.ln()
        - half * square.ln_1p()
}

fn cauchy(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s) = (x[0], x[1], x[2]);
    if !positive(s) {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    let by_z = -2.0 * z / (1.0 + z * z);
    (d[0], d[1], d[2]) = (by_z / s, -by_z / s, (-by_z * z - 1.0) / s);
    -(std::f64::consts::PI * s).ln() - (z * z).ln_1p()
}

fn double_exponential(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s) = (x[0], x[1], x[2]);
    if !positive(s) {
        return f64::NAN;
    }
    let gap = y - mu;
    let sign = if gap > 0.0 { 1.0 } else if gap < 0.0 { -1.0 } else { 0.0 };
    (d[0], d[1], d[2]) = (-sign / s, sign / s, (gap.abs() / s - 1.0) / s);
    -(2.0 * s).ln() - gap.abs() / s
}

fn logistic_density(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s) = (x[0], x[1], x[2]);
    if !positive(s) {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    let by_z = 2.0 * logistic(-z) - 1.0;
    (d[0], d[1], d[2]) = (by_z / s, -by_z / s, (-by_z * z - 1.0) / s);
    -z - s.ln() - 2.0 * ln_1p_exp(-z)
}

fn gumbel(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s) = (x[0], x[1], x[2]);
    if !positive(s) {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    let by_z = (-z).exp() - 1.0;
    (d[0], d[1], d[2]) = (by_z / s, -by_z / s, (-by_z * z - 1.0) / s);
    -s.ln() - z - (-z).exp()
}

fn skew_double_exponential(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s, tau) = (x[0], x[1], x[2], x[3]);
    if !(positive(s) && (0.0..=1.0).contains(&tau)) {
        return f64::NAN;
    }
    // ln 2 τ(1 - τ)/σ - 2 ((1 - τ) [y < μ] + τ [y > μ]) |y - μ| / σ
    let gap = y - mu;
    let (weight, sign) = if gap < 0.0 { (1.0 - tau, -1.0) } else { (tau, 1.0) };
    let by_gap = -2.0 * weight * sign / s;
    (d[0], d[1]) = (by_gap, -by_gap);
    d[2] = -1.0 / s + 2.0 * weight * gap.abs() / (s * s);
    d[3] = 1.0 / tau - 1.0 / (1.0 - tau) - 2.0 * gap / s;
    std::f64::consts::LN_2 - s.ln() + tau.ln() + (-tau).ln_1p() - 2.0 * weight * gap.abs() / s
}

fn lognormal(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s) = (x[0], x[1], x[2]);
    if !positive(s) || !(y >= 0.0) {
        return f64::NAN;
    }
    if y == 0.0 {
        return NONE;
    }
    let value = normal(y.ln(), mu, s, d) - y.ln();
    d[0] = (d[0] - 1.0) / y;
    value
}

fn exponential(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, rate) = (x[0], x[1]);
    if !positive(rate) || !(y >= 0.0) {
        return f64::NAN;
    }
    (d[0], d[1]) = (-rate, 1.0 / rate - y);
    rate.ln() - rate * y
}

fn gamma_density(y: f64, a: f64, b: f64, d: &mut [f64; 8]) -> f64 {
    if !(positive(a) && positive(b)) || y.is_nan() {
        return f64::NAN;
    }
    if y < 0.0 {
        return NONE;
    }
    d[0] = (a - 1.0) / y - b;
    d[1] = y.ln() + b.ln() - digamma(a);
    d[2] = a / b - y;
    a * b.ln() - ln_gamma(a) + x_ln_y(a - 1.0, y) - b * y
}

fn inv_gamma(y: f64, a: f64, b: f64, d: &mut [f64; 8]) -> f64 {
    if !(positive(a) && positive(b)) || y.is_nan() {
        return f64::NAN;
    }
    if y <= 0.0 {
        return NONE;
    }
    d[0] = (b / y - a - 1.0) / y;
    d[1] = b.ln() - y.ln() - digamma(a);
    d[2] = a / b - 1.0 / y;
    a * b.ln() - ln_gamma(a) - (a + 1.0) * y.ln() - b / y
}

fn weibull(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, a, s) = (x[0], x[1], x[2]);
    if !(positive(a) && positive(s)) || y.is_nan() {
        return f64::NAN;
    }
    if y < 0.0 {
        return NONE;
    }
    let ln_ratio = y.ln() - s.ln();
    let power = (a * ln_ratio).exp();
    d[0] = (a - 1.0 - a * power) / y;
    d[1] = 1.0 / a + ln_ratio - power * ln_ratio;
    d[2] = a * (power - 1.0) / s;
    a.ln() + x_ln_y(a - 1.0, y) - a * s.ln() - power
}

fn frechet(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, a, s) = (x[0], x[1], x[2]);
    if !(positive(a) && positive(s) && y > 0.0) {
        return f64::NAN;
    }
    let ln_ratio = y.ln() - s.ln();
    let power = (-a * ln_ratio).exp();
    d[0] = (-a - 1.0 + a * power) / y;
    d[1] = 1.0 / a - ln_ratio + power * ln_ratio;
    d[2] = a * (1.0 - power) / s;
    a.ln() - (a + 1.0) * y.ln() + a * s.ln() - power
}

fn rayleigh(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, s) = (x[0], x[1]);
    if !(s > 0.0 && y > 0.0) {
        return f64::NAN;
    }
    let z = y / s;
    (d[0], d[1]) = (1.0 / y - z / s, (z * z - 2.0) / s);
    y.ln() - 2.0 * s.ln() - 0.5 * z * z
}

fn loglogistic(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, a, b) = (x[0], x[1], x[2]);
    if !(positive(a) && positive(b) && y >= 0.0) {
        return f64::NAN;
    }
    let ln_ratio = y.ln() - a.ln();
    let share = logistic(b * ln_ratio);
    d[0] = (b - 1.0 - 2.0 * b * share) / y;
    d[1] = b * (2.0 * share - 1.0) / a;
    d[2] = 1.0 / b + ln_ratio * (1.0 - 2.0 * share);
    b.ln() - a.ln() + x_ln_y(b - 1.0, y / a) - 2.0 * ln_1p_exp(b * ln_ratio)
}

fn pareto(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, low, a) = (x[0], x[1], x[2]);
    if !(positive(low) && positive(a)) || y.is_nan() {
        return f64::NAN;
    }
    if y < low {
        return NONE;
    }
    (d[0], d[1], d[2]) = (-(a + 1.0) / y, a / low, 1.0 / a + low.ln() - y.ln());
    a.ln() + a * low.ln() - (a + 1.0) * y.ln()
}

fn pareto_type_2(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s, a) = (x[0], x[1], x[2], x[3]);
    if !(positive(s) && positive(a) && y >= mu) {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    let by_z = -(a + 1.0) / (1.0 + z);
    (d[0], d[1], d[2], d[3]) = (by_z / s, -by_z / s, (-by_z * z - 1.0) / s, 1.0 / a - z.ln_1p());
    a.ln() - s.ln() - (a + 1.0) * z.ln_1p()
}

fn beta(y: f64, a: f64, b: f64, d: &mut [f64; 8]) -> f64 {
    if !(positive(a) && positive(b) && (0.0..=1.0).contains(&y)) {
        return f64::NAN;
    }
    let both = digamma(a + b);
    d[0] = (a - 1.0) / y - (b - 1.0) / (1.0 - y);
    d[1] = y.ln() + both - digamma(a);
    d[2] = (-y).ln_1p() + both - digamma(b);
    x_ln_y(a - 1.0, y) + x_ln_y(b - 1.0, 1.0 - y) - ln_beta(a, b)
}

fn von_mises(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, kappa) = (x[0], x[1], x[2]);
    if !(kappa >= 0.0 && y.is_finite() && mu.is_finite()) {
        return f64::NAN;
    }
    let (sin, cos) = (mu - y).sin_cos();
    (d[0], d[1], d[2]) = (kappa * sin, -kappa * sin, cos - bessel_i1_over_i0(kappa));
    kappa * cos - LN_TAU - ln_bessel_i0(kappa)
}

fn uniform(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, low, high) = (x[0], x[1], x[2]);
    if !(low < high) || y.is_nan() {
        return f64::NAN;
    }
    if y < low || y > high {
        return NONE;
    }
    (d[1], d[2]) = (1.0 / (high - low), -1.0 / (high - low));
    -(high - low).ln()
}

fn bernoulli(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, p) = (x[0], x[1]);
    if !((0.0..=1.0).contains(&p) && (y == 0.0 || y == 1.0)) {
        return f64::NAN;
    }
    if y == 1.0 {
        d[1] = 1.0 / p;
        p.ln()
    } else {
        d[1] = 1.0 / (p - 1.0);
        (-p).ln_1p()
    }
}

#[inline]
fn bernoulli_logit(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, eta) = (x[0], x[1]);
    if !(y == 0.0 || y == 1.0) {
        return f64::NAN;
    }
    let signed = if y == 1.0 { eta } else { -eta };
    let small = (-signed.abs()).exp();
    let tail = if signed >= 0.0 { small / (1.0 + small) } else { 1.0 / (1.0 + small) };
    d[1] = if y == 1.0 { tail } else { -tail };
    signed.min(0.0) - small.ln_1p()
}

fn binomial(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, n, p) = (x[0], x[1], x[2]);
    if !((0.0..=1.0).contains(&p) && n >= 0.0 && (0.0..=n).contains(&y)) {
        return f64::NAN;
    }
    let up = if y == 0.0 { 0.0 } else { y / p };
    let down = if y == n { 0.0 } else { (n - y) / (1.0 - p) };
    d[2] = up - down;
    let rest = if y == n { 0.0 } else { (n - y) * (-p).ln_1p() };
    ln_choose(n, y) + x_ln_y(y, p) + rest
}

fn binomial_logit(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, n, eta) = (x[0], x[1], x[2]);
    if !(n >= 0.0 && (0.0..=n).contains(&y)) {
        return f64::NAN;
    }
    d[2] = y * logistic(-eta) - (n - y) * logistic(eta);
    ln_choose(n, y) + y * ln_logistic(eta) + (n - y) * ln_logistic(-eta)
}

fn beta_binomial(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, n, a, b) = (x[0], x[1], x[2], x[3]);
    if !(positive(a) && positive(b) && n >= 0.0) {
        return f64::NAN;
    }
    if y < 0.0 || y > n {
        return NONE;
    }
    let all = digamma(a + b) - digamma(a + b + n);
    d[2] = digamma(y + a) - digamma(a) + all;
    d[3] = digamma(n - y + b) - digamma(b) + all;
    ln_choose(n, y) + ln_beta(y + a, n - y + b) - ln_beta(a, b)
}

fn poisson(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, rate) = (x[0], x[1]);
    if !(rate >= 0.0 && y >= 0.0) {
        return f64::NAN;
    }
    if rate.is_infinite() || (rate == 0.0 && y > 0.0) {
        return NONE;
    }
    d[1] = y / rate - 1.0;
    x_ln_y(y, rate) - rate - ln_gamma(y + 1.0)
}

fn poisson_log(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, eta) = (x[0], x[1]);
    if !(y >= 0.0) || eta.is_nan() {
        return f64::NAN;
    }
    let rate = eta.exp();
    d[1] = y - rate;
    let main = if y == 0.0 { 0.0 } else { y * eta };
    main - rate - ln_gamma(y + 1.0)
}

fn neg_binomial(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, a, b) = (x[0], x[1], x[2]);
    if !(positive(a) && positive(b) && y >= 0.0) {
        return f64::NAN;
    }
    d[1] = digamma(y + a) - digamma(a) + b.ln() - b.ln_1p();
    d[2] = a / b - (a + y) / (1.0 + b);
    ln_gamma(y + a) - ln_gamma(a) - ln_gamma(y + 1.0) - a * (1.0 / b).ln_1p() - y * b.ln_1p()
}

fn neg_binomial_2(y: f64, mu: f64, phi: f64, d: &mut [f64; 8]) -> f64 {
    if !(positive(mu) && positive(phi) && y >= 0.0) {
        return f64::NAN;
    }
    let sum = mu + phi;
    d[1] = y / mu - (y + phi) / sum;
    d[2] = digamma(y + phi) - digamma(phi) - (mu / phi).ln_1p() + (mu - y) / sum;
    let choose = ln_gamma(y + phi) - ln_gamma(phi) - ln_gamma(y + 1.0);
    choose + x_ln_y(y, mu) - phi * (mu / phi).ln_1p() - y * sum.ln()
}
