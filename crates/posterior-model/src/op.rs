//! Operations of the graph: what each computes from its inputs, and its derivatives.

pub(crate) mod bessel;
mod hypergeometric;
pub(crate) mod matrix;
mod quantile;

pub(crate) use quantile::Quantile;

use posterior_math::log_space::{
    ln_1m_exp, ln_1p_exp, ln_add_exp, ln_diff_exp, ln_logistic, logistic, logit,
};
use posterior_math::special as sp;

use hypergeometric::hypergeometric;

use crate::density::{Density, Tail, ln_choose};

macro_rules! unary {
    ($($name:ident $text:literal |$x:ident| $value:expr, |$a:ident, $y:ident| $slope:expr;)*) => {
        /// Functions of one number.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) enum Un { $($name,)* }

        impl Un {
            /// All, with the names of the library.
            pub(crate) const ALL: &[(&'static str, Self)] = &[$(($text, Self::$name),)*];

            #[inline]
            pub(crate) fn value(self, x: f64) -> f64 {
                match self { $(Self::$name => { let $x = x; $value })* }
            }

            /// The derivative at x, where the value is y.
            #[inline]
            pub(crate) fn slope(self, x: f64, y: f64) -> f64 {
                match self { $(Self::$name => { let ($a, $y) = (x, y); let _ = ($a, $y); $slope })* }
            }
        }
    };
}

const TWO_OVER_SQRT_PI: f64 = std::f64::consts::FRAC_2_SQRT_PI;
const LN_2: f64 = std::f64::consts::LN_2;
const LN_10: f64 = std::f64::consts::LN_10;

fn phi(x: f64) -> f64 {
    (-0.5 * x * x - sp::HALF_LN_TAU).exp()
}

fn phi_approx(x: f64) -> f64 {
    logistic(0.07056 * x * x * x + 1.5976 * x)
}

fn round_away(x: f64) -> f64 {
    x.round()
}

unary! {
    Minus "minus" |x| -x, |x, y| -1.0;
    Exp "exp" |x| x.exp(), |x, y| y;
    Log "log" |x| if x < 0.0 { f64::NAN } else { x.ln() }, |x, y| 1.0 / x;
    Sqrt "sqrt" |x| x.sqrt(), |x, y| 0.5 / y;
    Square "square" |x| x * x, |x, y| 2.0 * x;
    Inv "inv" |x| 1.0 / x, |x, y| -y * y;
    InvSqrt "inv_sqrt" |x| 1.0 / x.sqrt(), |x, y| -0.5 * y / x;
    InvSquare "inv_square" |x| 1.0 / (x * x), |x, y| -2.0 * y / x;
    InvLogit "inv_logit" |x| logistic(x), |x, y| y * (1.0 - y);
    Logit "logit" |x| logit(x), |x, y| 1.0 / (x * (1.0 - x));
    Log1p "log1p" |x| x.ln_1p(), |x, y| 1.0 / (1.0 + x);
    Log1m "log1m" |x| (-x).ln_1p(), |x, y| 1.0 / (x - 1.0);
    Expm1 "expm1" |x| x.exp_m1(), |x, y| y + 1.0;
    Log1pExp "log1p_exp" |x| ln_1p_exp(x), |x, y| logistic(x);
    Log1mExp "log1m_exp" |x| ln_1m_exp(x), |x, y| -1.0 / (-x).exp_m1();
    LogInvLogit "log_inv_logit" |x| ln_logistic(x), |x, y| logistic(-x);
    Log1mInvLogit "log1m_inv_logit" |x| ln_logistic(-x), |x, y| -logistic(x);
    Abs "abs" |x| x.abs(), |x, y| if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { 0.0 };
    Log2 "log2" |x| x.log2(), |x, y| 1.0 / (x * LN_2);
    Log10 "log10" |x| x.log10(), |x, y| 1.0 / (x * LN_10);
    Exp2 "exp2" |x| x.exp2(), |x, y| y * LN_2;
    Cbrt "cbrt" |x| x.cbrt(), |x, y| 1.0 / (3.0 * y * y);
    Sin "sin" |x| x.sin(), |x, y| x.cos();
    Cos "cos" |x| x.cos(), |x, y| -x.sin();
    Tan "tan" |x| x.tan(), |x, y| 1.0 + y * y;
    Asin "asin" |x| x.asin(), |x, y| 1.0 / (1.0 - x * x).sqrt();
    Acos "acos" |x| x.acos(), |x, y| -1.0 / (1.0 - x * x).sqrt();
    Atan "atan" |x| x.atan(), |x, y| 1.0 / (1.0 + x * x);
    Sinh "sinh" |x| x.sinh(), |x, y| x.cosh();
    Cosh "cosh" |x| x.cosh(), |x, y| x.sinh();
    Tanh "tanh" |x| x.tanh(), |x, y| 1.0 - y * y;
    Asinh "asinh" |x| x.asinh(), |x, y| 1.0 / x.hypot(1.0);
    Acosh "acosh" |x| x.acosh(), |x, y| 1.0 / (x * x - 1.0).sqrt();
    Atanh "atanh" |x| x.atanh(), |x, y| 1.0 / (1.0 - x * x);
    Erf "erf" |x| sp::erf(x), |x, y| TWO_OVER_SQRT_PI * (-x * x).exp();
    Erfc "erfc" |x| sp::erfc(x), |x, y| -TWO_OVER_SQRT_PI * (-x * x).exp();
    Phi "Phi" |x| sp::normal_cdf(x), |x, y| phi(x);
    PhiApprox "Phi_approx" |x| phi_approx(x), |x, y| y * (1.0 - y) * (0.21168 * x * x + 1.5976);
    InvPhi "inv_Phi" |x| sp::normal_quantile(x), |x, y| 1.0 / phi(y);
    Lgamma "lgamma" |x| sp::ln_gamma_sign(x).0, |x, y| sp::digamma(x);
    Tgamma "tgamma" |x| sp::gamma(x), |x, y| y * sp::digamma(x);
    Digamma "digamma" |x| sp::digamma(x), |x, y| sp::trigamma(x);
    Trigamma "trigamma" |x| sp::trigamma(x), |x, y| sp::polygamma(2, x);
    InvCloglog "inv_cloglog" |x| -(-x.exp()).exp_m1(), |x, y| (x - x.exp()).exp();
    Floor "floor" |x| x.floor(), |x, y| 0.0;
    Ceil "ceil" |x| x.ceil(), |x, y| 0.0;
    Round "round" |x| round_away(x), |x, y| 0.0;
    Trunc "trunc" |x| x.trunc(), |x, y| 0.0;
    InvErfc "inv_erfc" |x| sp::erfc_inv(x), |x, y| -(y * y).exp() / TWO_OVER_SQRT_PI;
    LogQf "std_normal_log_qf" |x| sp::normal_ln_quantile(x), |x, y| (x + 0.5 * y * y + sp::HALF_LN_TAU).exp();
    LambertW0 "lambert_w0" |x| bessel::lambert(x, false), |x, y| (y.exp() * (1.0 + y)).recip();
    LambertWm1 "lambert_wm1" |x| bessel::lambert(x, true), |x, y| (y.exp() * (1.0 + y)).recip();
    Step "step" |x| f64::from(x >= 0.0), |x, y| 0.0;
}

macro_rules! binary {
    ($($name:ident $text:literal |$x:ident, $y:ident| $value:expr, |$a:ident, $b:ident, $z:ident| $slopes:expr;)*) => {
        /// Functions of two numbers.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) enum Bin { $($name,)* }

        impl Bin {
            /// All, with the names of the library.
            pub(crate) const ALL: &[(&'static str, Self)] = &[$(($text, Self::$name),)*];

            #[inline]
            pub(crate) fn value(self, x: f64, y: f64) -> f64 {
                match self { $(Self::$name => { let ($x, $y) = (x, y); $value })* }
            }

            /// The derivatives at (x, y), where the value is z.
            #[inline]
            pub(crate) fn slopes(self, x: f64, y: f64, z: f64) -> (f64, f64) {
                match self { $(Self::$name => {
                    let ($a, $b, $z) = (x, y, z);
                    let _ = ($a, $b, $z);
                    $slopes
                })* }
            }
        }
    };
}

fn choice(first: bool) -> (f64, f64) {
    if first { (1.0, 0.0) } else { (0.0, 1.0) }
}

fn power_slopes(x: f64, y: f64, z: f64) -> (f64, f64) {
    if x == 0.0 {
        let slope = if y == 1.0 {
            1.0
        } else if y > 1.0 || y == 0.0 {
            0.0
        } else {
            y * x.powf(y - 1.0)
        };
        return (slope, 0.0);
    }
    (y * z / x, if z == 0.0 { 0.0 } else { z * x.ln() })
}

binary! {
    Add "add" |x, y| x + y, |x, y, z| (1.0, 1.0);
    Sub "subtract" |x, y| x - y, |x, y, z| (1.0, -1.0);
    Mul "elt_multiply" |x, y| x * y, |x, y, z| (y, x);
    Div "elt_divide" |x, y| x / y, |x, y, z| (1.0 / y, -z / y);
    Pow "pow" |x, y| if y == 2.0 { x * x } else { x.powf(y) }, |x, y, z| power_slopes(x, y, z);
    Fmin "fmin" |x, y| x.min(y), |x, y, z| choice(x <= y);
    Fmax "fmax" |x, y| x.max(y), |x, y, z| choice(x >= y);
    Fdim "fdim" |x, y| if x > y { x - y } else { 0.0 }, |x, y, z| if x > y { (1.0, -1.0) } else { (0.0, 0.0) };
    Fmod "fmod" |x, y| x % y, |x, y, z| (1.0, -(x / y).trunc());
    Atan2 "atan2" |x, y| x.atan2(y), |x, y, z| (y / (x * x + y * y), -x / (x * x + y * y));
    Hypot "hypot" |x, y| x.hypot(y), |x, y, z| (x / z, y / z);
    LogAddExp "log_sum_exp" |x, y| ln_add_exp(x, y), |x, y, z| if z == f64::NEG_INFINITY { (0.0, 0.0) } else {
        ((x - z).exp(), (y - z).exp())
    };
    LogDiffExp "log_diff_exp" |x, y| ln_diff_exp(x, y), |x, y, z| (
        -1.0 / (y - x).exp_m1(), -1.0 / (x - y).exp_m1()
    );
    Lmultiply "lmultiply" |x, y| posterior_math::log_space::x_ln_y(x, y), |x, y, z| (y.ln(), x / y);
    Lbeta "lbeta" |x, y| sp::ln_beta(x, y), |x, y, z| {
        let both = sp::digamma(x + y);
        (sp::digamma(x) - both, sp::digamma(y) - both)
    };
    Beta "beta" |x, y| sp::ln_beta(x, y).exp(), |x, y, z| {
        let both = sp::digamma(x + y);
        (z * (sp::digamma(x) - both), z * (sp::digamma(y) - both))
    };
    BinaryLogLoss "binary_log_loss" |x, y| if x == 1.0 { -y.ln() } else { -(-y).ln_1p() }, |x, y, z| {
        (0.0, if x == 1.0 { -y.recip() } else { (1.0 - y).recip() })
    };
    Lmgamma "lmgamma" |x, y| sp::multivariate_ln_gamma(x as usize, y), |x, y, z| {
        (0.0, (0..x as usize).map(|j| sp::digamma(y - 0.5 * j as f64)).sum())
    };
    Ldexp "ldexp" |x, y| x * y.exp2(), |x, y, z| (y.exp2(), 0.0);
    BesselJ "bessel_first_kind" |x, y| bessel::first(x, y), |x, y, z| {
        (0.0, 0.5 * (bessel::first(x - 1.0, y) - bessel::first(x + 1.0, y)))
    };
    BesselY "bessel_second_kind" |x, y| bessel::second(x, y), |x, y, z| {
        (0.0, 0.5 * (bessel::second(x - 1.0, y) - bessel::second(x + 1.0, y)))
    };
    BesselI "modified_bessel_first_kind" |x, y| bessel::modified_first(x, y), |x, y, z| {
        (0.0, 0.5 * (bessel::modified_first(x - 1.0, y) + bessel::modified_first(x + 1.0, y)))
    };
    BesselK "modified_bessel_second_kind" |x, y| bessel::modified_second(x, y), |x, y, z| {
        (0.0, -0.5 * (bessel::modified_second(x - 1.0, y) + bessel::modified_second(x + 1.0, y)))
    };
    LnBesselI "log_modified_bessel_first_kind" |x, y| bessel::ln_modified_first(x, y).0, |x, y, z| {
        let (_, by_order, by_x) = bessel::ln_modified_first(x, y);
        (by_order, by_x)
    };
    Lchoose "lchoose" |x, y| ln_choose(x, y), |x, y, z| {
        let rest = sp::digamma(x - y + 1.0);
        (sp::digamma(x + 1.0) - rest, rest - sp::digamma(y + 1.0))
    };
    LogFalling "log_falling_factorial" |x, y| sp::ln_gamma(x + 1.0) - sp::ln_gamma(x - y + 1.0), |x, y, z| {
        let rest = sp::digamma(x - y + 1.0);
        (sp::digamma(x + 1.0) - rest, rest)
    };
    LogRising "log_rising_factorial" |x, y| sp::ln_gamma(x + y) - sp::ln_gamma(x), |x, y, z| {
        let both = sp::digamma(x + y);
        (both - sp::digamma(x), both)
    };
    OwensT "owens_t" |x, y| sp::owens_t(x, y), |x, y, z| (
        -sp::erf(y * x * std::f64::consts::FRAC_1_SQRT_2) * (-0.5 * x * x).exp()
            / (2.0 * (2.0 * std::f64::consts::PI).sqrt()),
        (-0.5 * x * x * (1.0 + y * y)).exp() / (2.0 * std::f64::consts::PI * (1.0 + y * y))
    );
}

/// An operation. Its inputs are in one list, the parts behind one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Op {
    Un(Un),
    Bin(Bin),
    /// ln(p eᵃ + (1 - p) eᵇ).
    LogMix,
    Density(Density),
    /// ln of the upper tail, or of the lower.
    Tail(Tail, bool),
    /// A quantile, and where its distribution function is known.
    Quantile(Quantile),
    /// pFq of so many parameters above, of those below, and of z.
    Hypergeometric(u32),
    /// 0 where the first is at least the second, else -∞.
    AtLeast,
    Sum,
    /// Two lists of the same length.
    Dot,
    LogSumExp,
    Softmax,
    Prod,
    Max,
    Min,
    /// rows × inner, inner × cols.
    MatMul(u32, u32, u32),
    /// The lower factor of an n × n matrix.
    Cholesky(u32),
    /// L⁻¹ B for a lower L of n rows, B of the given columns.
    SolveLower(u32, u32),
    /// L⁻ᵀ B.
    SolveLowerTransposed(u32, u32),
    /// A⁻¹ B.
    Solve(u32, u32),
    /// ln |det A|.
    LogDet(u32),
    /// det A.
    Det(u32),
    /// The exponential of an n × n matrix.
    MatrixExp(u32),
    /// Eigenvalues, then eigenvectors by columns.
    EigenSym(u32),
    /// The solution of an equation, or a sum of squares, by its index among the trace's systems.
    System(u32),
    /// A simplex of free numbers, by sticks broken one after another; the ln |Jacobian| is the last output.
    Sticks,
}

impl Op {
    /// Lengths of the parts of its inputs.
    pub(crate) fn parts(self, inputs: usize) -> Vec<usize> {
        match self {
            Self::Bin(_)
            | Self::LogMix
            | Self::Density(_)
            | Self::Tail(..)
            | Self::Quantile(_)
            | Self::AtLeast => {
                vec![1; inputs]
            }
            Self::Dot => vec![inputs / 2; 2],
            Self::MatMul(m, k, _) => vec![(m * k) as usize, inputs - (m * k) as usize],
            Self::SolveLower(n, _) | Self::SolveLowerTransposed(n, _) | Self::Solve(n, _) => {
                vec![(n * n) as usize, inputs - (n * n) as usize]
            }
            _ => vec![inputs],
        }
    }

    /// Whether several can be one instruction of many lanes.
    pub(crate) const fn batches(self) -> bool {
        matches!(
            self,
            Self::Un(_)
                | Self::Bin(_)
                | Self::LogMix
                | Self::Density(_)
                | Self::Tail(..)
                | Self::Quantile(_)
                | Self::AtLeast
                | Self::Sum
                | Self::Dot
                | Self::LogSumExp
                | Self::Softmax
                | Self::Prod
                | Self::Max
                | Self::Min
                | Self::Sticks
        )
    }

    /// Writes the values; NaN where there is none.
    pub(crate) fn forward(self, x: &[f64], out: &mut [f64]) {
        match self {
            Self::Un(un) => out[0] = un.value(x[0]),
            Self::Bin(bin) => out[0] = bin.value(x[0], x[1]),
            Self::LogMix => out[0] = ln_add_exp(x[0].ln() + x[1], (-x[0]).ln_1p() + x[2]),
            Self::Density(density) => out[0] = density.value(x, &mut [0.0; 8]),
            Self::Tail(tail, upper) => out[0] = tail.value(x, upper, &mut [0.0; 8]),
            Self::Quantile(quantile) => out[0] = quantile.value(x),
            Self::Hypergeometric(p) => {
                out[0] = hypergeometric(p as usize, x, &mut vec![0.0; x.len()]);
            }
            Self::AtLeast => out[0] = if x[0] < x[1] { f64::NEG_INFINITY } else { 0.0 },
            Self::Sum => out[0] = x.iter().sum(),
            Self::Dot => {
                let (a, b) = x.split_at(x.len() / 2);
                out[0] = a.iter().zip(b).map(|(a, b)| a * b).sum();
            }
            Self::LogSumExp => out[0] = posterior_math::log_space::ln_sum_exp(x),
            Self::Softmax => {
                out.copy_from_slice(x);
                posterior_math::log_space::softmax_in_place(out);
            }
            Self::Sticks => {
                let (n, mut stick, mut jacobian) = (x.len(), 1.0_f64, 0.0);
                for (k, &y) in x.iter().enumerate() {
                    let shifted = y - ((n - k) as f64).ln();
                    out[k] = stick * logistic(shifted);
                    jacobian += stick.ln() + ln_logistic(shifted) + ln_logistic(-shifted);
                    stick -= out[k];
                }
                out[n] = stick;
                out[n + 1] = jacobian;
            }
            Self::Prod => out[0] = x.iter().product(),
            Self::Max => out[0] = x.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            Self::Min => out[0] = x.iter().copied().fold(f64::INFINITY, f64::min),
            _ => matrix::forward(self, x, out),
        }
    }

    /// Adds to the adjoints of the inputs.
    pub(crate) fn backward(self, x: &[f64], y: &[f64], dy: &[f64], dx: &mut [f64]) {
        match self {
            Self::Un(un) => dx[0] += dy[0] * un.slope(x[0], y[0]),
            Self::Bin(bin) => {
                let (a, b) = bin.slopes(x[0], x[1], y[0]);
                dx[0] += dy[0] * a;
                dx[1] += dy[0] * b;
            }
            Self::LogMix => {
                let (one, two) = ((x[1] - y[0]).exp(), (x[2] - y[0]).exp());
                dx[0] += dy[0] * (one - two);
                dx[1] += dy[0] * x[0] * one;
                dx[2] += dy[0] * (1.0 - x[0]) * two;
            }
            Self::Density(density) => {
                let mut partials = [0.0; 8];
                density.value(x, &mut partials);
                dx.iter_mut().zip(partials).for_each(|(d, partial)| *d += dy[0] * partial);
            }
            Self::Tail(tail, upper) => {
                let mut partials = [0.0; 8];
                tail.value(x, upper, &mut partials);
                dx.iter_mut().zip(partials).for_each(|(d, partial)| *d += dy[0] * partial);
            }
            Self::Quantile(quantile) => {
                let mut partials = [0.0; 8];
                quantile.slopes(x, y[0], &mut partials);
                dx.iter_mut().zip(partials).for_each(|(d, partial)| *d += dy[0] * partial);
            }
            Self::Hypergeometric(p) => {
                let mut partials = vec![0.0; x.len()];
                hypergeometric(p as usize, x, &mut partials);
                dx.iter_mut().zip(partials).for_each(|(d, partial)| *d += dy[0] * partial);
            }
            Self::AtLeast => {}
            Self::Sum => dx.iter_mut().for_each(|d| *d += dy[0]),
            Self::Dot => {
                let half = x.len() / 2;
                for i in 0..half {
                    dx[i] += dy[0] * x[half + i];
                    dx[half + i] += dy[0] * x[i];
                }
            }
            Self::LogSumExp => {
                if y[0] > f64::NEG_INFINITY {
                    dx.iter_mut().zip(x).for_each(|(d, x)| *d += dy[0] * (x - y[0]).exp());
                }
            }
            Self::Softmax => {
                let mean: f64 = y.iter().zip(dy).map(|(y, d)| y * d).sum();
                dx.iter_mut().zip(y.iter().zip(dy)).for_each(|(dx, (y, d))| *dx += y * (d - mean));
            }
            Self::Sticks => {
                let (n, of_jacobian) = (x.len(), dy[x.len() + 1]);
                let (mut stick, mut of_stick) = (y[n], dy[n]);
                for k in (0..n).rev() {
                    stick += y[k];
                    let share = logistic(x[k] - ((n - k) as f64).ln());
                    dx[k] += (dy[k] - of_stick) * stick * share * (1.0 - share)
                        + of_jacobian * (1.0 - 2.0 * share);
                    of_stick = dy[k] * share + of_stick * (1.0 - share) + of_jacobian / stick;
                }
            }
            Self::Prod => {
                for i in 0..x.len() {
                    let rest: f64 = if x[i] == 0.0 {
                        x.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, x)| x).product()
                    } else {
                        y[0] / x[i]
                    };
                    dx[i] += dy[0] * rest;
                }
            }
            Self::Max | Self::Min => {
                if let Some(at) = x.iter().position(|x| *x == y[0]) {
                    dx[at] += dy[0];
                }
            }
            _ => matrix::backward(self, x, y, dy, dx),
        }
    }
}
