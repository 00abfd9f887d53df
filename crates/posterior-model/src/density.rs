//! Log-densities of one number, with their derivatives: one kernel per distribution.
//!
//! The first argument is the point. Outside the support the value is -∞; where a parameter is outside its
//! domain it is NaN. All constants are kept.

mod continuous;
mod discrete;
mod tails;

pub(crate) use tails::Tail;

use posterior_math::special::HALF_LN_TAU;

use continuous::{
    beta, cauchy, double_exponential, exp_mod_normal, exponential, frechet, gamma_density, gumbel, inv_gamma,
    logistic_density, loglogistic, lognormal, normal, pareto, pareto_type_2, rayleigh,
    skew_double_exponential, skew_normal, student_t, uniform, von_mises, weibull, wiener,
};
use discrete::{
    bernoulli, bernoulli_logit, beta_binomial, beta_neg_binomial, binomial, binomial_logit, neg_binomial,
    neg_binomial_2, poisson, poisson_log, yule_simon,
};

type Kernel = fn(&[f64], &mut [f64; 8]) -> f64;

macro_rules! densities {
    ($($name:ident $text:literal $discrete:literal $kernel:expr;)*) => {
        /// Distributions of one number.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) enum Density { $(
            #[doc = $text] $name,
        )* }

        impl Density {
            /// All: name, and whether the point is an integer.
            pub(crate) const ALL: &[(&'static str, Self, bool)] =
                &[$(($text, Self::$name, $discrete),)*];

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
    Normal "normal" false |x, d| normal(x[0], x[1], x[2], d);
    StdNormal "std_normal" false |x, d| { d[0] = -x[0]; -0.5 * x[0] * x[0] - HALF_LN_TAU };
    ExpModNormal "exp_mod_normal" false exp_mod_normal;
    SkewNormal "skew_normal" false skew_normal;
    StudentT "student_t" false student_t;
    Cauchy "cauchy" false cauchy;
    DoubleExponential "double_exponential" false double_exponential;
    Logistic "logistic" false logistic_density;
    Gumbel "gumbel" false gumbel;
    SkewDoubleExponential "skew_double_exponential" false skew_double_exponential;
    Lognormal "lognormal" false lognormal;
    ChiSquare "chi_square" false |x, d| {
        let value = gamma_density(x[0], 0.5 * x[1], 0.5, d);
        d[1] *= 0.5;
        value
    };
    InvChiSquare "inv_chi_square" false |x, d| {
        let value = inv_gamma(x[0], 0.5 * x[1], 0.5, d);
        d[1] *= 0.5;
        value
    };
    ScaledInvChiSquare "scaled_inv_chi_square" false |x, d| {
        let (nu, s) = (x[1], x[2]);
        if !(s > 0.0) { return f64::NAN; }
        let value = inv_gamma(x[0], 0.5 * nu, 0.5 * nu * s * s, d);
        let (by_shape, by_scale) = (d[1], d[2]);
        d[1] = 0.5 * by_shape + 0.5 * s * s * by_scale;
        d[2] = nu * s * by_scale;
        value
    };
    Exponential "exponential" false exponential;
    Gamma "gamma" false |x, d| gamma_density(x[0], x[1], x[2], d);
    InvGamma "inv_gamma" false |x, d| inv_gamma(x[0], x[1], x[2], d);
    Weibull "weibull" false weibull;
    Frechet "frechet" false frechet;
    Rayleigh "rayleigh" false rayleigh;
    Loglogistic "loglogistic" false loglogistic;
    Pareto "pareto" false pareto;
    ParetoType2 "pareto_type_2" false pareto_type_2;
    Beta "beta" false |x, d| beta(x[0], x[1], x[2], d);
    BetaProportion "beta_proportion" false |x, d| {
        let (mu, kappa) = (x[1], x[2]);
        if !(mu > 0.0 && mu < 1.0 && kappa > 0.0) { return f64::NAN; }
        let value = beta(x[0], mu * kappa, (1.0 - mu) * kappa, d);
        let (by_a, by_b) = (d[1], d[2]);
        d[1] = kappa * (by_a - by_b);
        d[2] = mu * by_a + (1.0 - mu) * by_b;
        value
    };
    VonMises "von_mises" false von_mises;
    Uniform "uniform" false uniform;
    Wiener "wiener" false wiener;
    Bernoulli "bernoulli" true bernoulli;
    BernoulliLogit "bernoulli_logit" true bernoulli_logit;
    Binomial "binomial" true binomial;
    BinomialLogit "binomial_logit" true binomial_logit;
    BetaBinomial "beta_binomial" true beta_binomial;
    Poisson "poisson" true poisson;
    PoissonLog "poisson_log" true poisson_log;
    NegBinomial "neg_binomial" true neg_binomial;
    NegBinomial2 "neg_binomial_2" true |x, d| neg_binomial_2(x[0], x[1], x[2], d);
    NegBinomial2Log "neg_binomial_2_log" true |x, d| {
        let mu = x[1].exp();
        let value = neg_binomial_2(x[0], mu, x[2], d);
        d[1] *= mu;
        value
    };
    BetaNegBinomial "beta_neg_binomial" true beta_neg_binomial;
    YuleSimon "yule_simon" true yule_simon;
    Hypergeometric "hypergeometric" true |x, _| {
        ln_choose(x[2], x[0]) + ln_choose(x[3], x[1] - x[0]) - ln_choose(x[2] + x[3], x[1])
    };
    DiscreteRange "discrete_range" true |x, _| {
        if x[2] < x[1] { f64::NAN }
        else if x[0] < x[1] || x[0] > x[2] { f64::NEG_INFINITY }
        else { -(x[2] - x[1]).ln_1p() }
    };
}

const NONE: f64 = f64::NEG_INFINITY;

fn positive(x: f64) -> bool {
    x > 0.0 && x < f64::INFINITY
}

/// ln of the binomial coefficient of reals.
pub(crate) fn ln_choose(n: f64, k: f64) -> f64 {
    if k == 0.0 || k == n { 0.0 } else { -n.ln_1p() - posterior_math::special::ln_beta(n - k + 1.0, k + 1.0) }
}
