//! Logarithms of distribution functions and of their complements, with the derivatives by all arguments.
//!
//! The first argument is the point. A parameter outside its domain gives NaN.

mod closed;
mod counts;
mod exponential;
mod skew;
mod special;
mod von_mises;

use posterior_math::log_space::ln_1m_exp;

/// From the arguments to the ln of a tail, the upper one or the lower; writes the derivatives.
type Kernel = fn(&[f64], bool, &mut [f64; 8]) -> f64;

macro_rules! tails {
    ($($name:ident $text:literal $kernel:path;)*) => {
        /// Distributions with a distribution function.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) enum Tail { $(
            #[doc = $text] $name,
        )* }

        impl Tail {
            /// All, by the stem of their names.
            pub(crate) const ALL: &[(&'static str, Self)] = &[$(($text, Self::$name),)*];

            /// ln of the tail at the arguments, and its derivatives by them.
            pub(crate) fn value(self, x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
                match self { $(Self::$name => {
                    let kernel: Kernel = $kernel;
                    kernel(x, upper, d)
                })* }
            }
        }
    };
}

tails! {
    StdNormal "std_normal" closed::std_normal;
    Normal "normal" closed::normal;
    Lognormal "lognormal" closed::lognormal;
    Logistic "logistic" closed::logistic;
    Loglogistic "loglogistic" closed::loglogistic;
    Cauchy "cauchy" closed::cauchy;
    Uniform "uniform" closed::uniform;
    Exponential "exponential" exponential::exponential;
    Weibull "weibull" exponential::weibull;
    Frechet "frechet" exponential::frechet;
    Gumbel "gumbel" exponential::gumbel;
    Rayleigh "rayleigh" exponential::rayleigh;
    Pareto "pareto" exponential::pareto;
    ParetoType2 "pareto_type_2" exponential::pareto_type_2;
    DoubleExponential "double_exponential" exponential::double_exponential;
    SkewDoubleExponential "skew_double_exponential" exponential::skew_double_exponential;
    ExpModNormal "exp_mod_normal" skew::exp_mod_normal;
    SkewNormal "skew_normal" skew::skew_normal;
    StudentT "student_t" special::student_t;
    Gamma "gamma" special::gamma;
    InvGamma "inv_gamma" special::inv_gamma;
    ChiSquare "chi_square" special::chi_square;
    InvChiSquare "inv_chi_square" special::inv_chi_square;
    ScaledInvChiSquare "scaled_inv_chi_square" special::scaled_inv_chi_square;
    Beta "beta" special::beta;
    BetaProportion "beta_proportion" special::beta_proportion;
    VonMises "von_mises" von_mises::von_mises;
    Bernoulli "bernoulli" counts::bernoulli;
    Binomial "binomial" counts::binomial;
    Poisson "poisson" counts::poisson;
    NegBinomial "neg_binomial" counts::neg_binomial;
    NegBinomial2 "neg_binomial_2" counts::neg_binomial_2;
    BetaBinomial "beta_binomial" counts::beta_binomial;
    BetaNegBinomial "beta_neg_binomial" counts::beta_neg_binomial;
    DiscreteRange "discrete_range" counts::discrete_range;
    YuleSimon "yule_simon" counts::yule_simon;
}

/// The ln of a tail that has everything, or nothing.
const fn all_or_nothing(all: bool) -> f64 {
    if all { 0.0 } else { f64::NEG_INFINITY }
}

/// The ln of one tail from that of the other, v, with its derivatives in `d`; v itself if it is the one that
/// is wanted.
fn complement(v: f64, itself: bool, d: &mut [f64; 8]) -> f64 {
    if itself {
        return v;
    }
    // ln(1 - e^v)' = -1 / (e^-v - 1).
    let factor = -(-v).exp_m1().recip();
    for d in d.iter_mut().filter(|d| **d != 0.0) {
        *d *= factor;
    }
    ln_1m_exp(v)
}

fn positive(x: f64) -> bool {
    x > 0.0 && x < f64::INFINITY
}
