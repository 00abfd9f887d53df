//! Distributions of positive numbers, and of proportions.

use std::f64::consts::{LN_2, PI};

use posterior_math::autodiff::Real;

use super::edges::{positive, where_possible};
use super::gamma_ratio::ln_beta;
use super::line::{normal, standard_student};

/// ln p(x) of [`HalfNormal`](crate::HalfNormal).
pub fn half_normal<R: Real>(x: impl Into<R>, scale: impl Into<R>) -> R {
    let (x, scale) = (x.into(), scale.into());
    where_possible(positive(scale), x.value() >= 0.0, || normal::<R>(x, 0.0, scale) + LN_2)
}

/// ln p(x) of [`HalfCauchy`](crate::HalfCauchy).
pub fn half_cauchy<R: Real>(x: impl Into<R>, scale: impl Into<R>) -> R {
    let (x, scale) = (x.into(), scale.into());
    let z = x / scale;
    where_possible(positive(scale), x.value() >= 0.0, || -(z * z).ln_1p() - (scale * (0.5 * PI)).ln())
}

/// ln p(x) of [`HalfStudentT`](crate::HalfStudentT).
pub fn half_student_t<R: Real>(x: impl Into<R>, degrees_of_freedom: impl Into<R>, scale: impl Into<R>) -> R {
    let (x, nu, scale) = (x.into(), degrees_of_freedom.into(), scale.into());
    where_possible(positive(nu) && positive(scale), x.value() >= 0.0, || {
        standard_student(x / scale, nu) - scale.ln() + LN_2
    })
}

/// ln p(x) of [`LogNormal`](crate::LogNormal).
pub fn log_normal<R: Real>(x: impl Into<R>, ln_mean: impl Into<R>, ln_sd: impl Into<R>) -> R {
    let (x, mean, sd) = (x.into(), ln_mean.into(), ln_sd.into());
    where_possible(positive(sd), positive(x), || normal::<R>(x.ln(), mean, sd) - x.ln())
}

/// ln p(x) of [`Exponential`](crate::Exponential).
pub fn exponential<R: Real>(x: impl Into<R>, rate: impl Into<R>) -> R {
    let (x, rate) = (x.into(), rate.into());
    where_possible(positive(rate), x.value() >= 0.0, || rate.ln() - rate * x)
}

/// ln p(x) of [`Gamma`](crate::Gamma).
pub fn gamma<R: Real>(x: impl Into<R>, shape: impl Into<R>, rate: impl Into<R>) -> R {
    let (x, shape, rate) = (x.into(), shape.into(), rate.into());
    where_possible(positive(shape) && positive(rate), positive(x), || {
        shape * (rate * x).ln() - rate * x - shape.ln_gamma() - x.ln()
    })
}

/// ln p(x) of [`InverseGamma`](crate::InverseGamma).
pub fn inverse_gamma<R: Real>(x: impl Into<R>, shape: impl Into<R>, scale: impl Into<R>) -> R {
    let (x, shape, scale) = (x.into(), shape.into(), scale.into());
    let ratio = scale / x;
    where_possible(positive(shape) && positive(scale), positive(x), || {
        shape * ratio.ln() - ratio - shape.ln_gamma() - x.ln()
    })
}

/// ln p(x) of [`Weibull`](crate::Weibull).
pub fn weibull<R: Real>(x: impl Into<R>, shape: impl Into<R>, scale: impl Into<R>) -> R {
    let (x, shape, scale) = (x.into(), shape.into(), scale.into());
    where_possible(positive(shape) && positive(scale), positive(x), || {
        let ln_power = shape * (x / scale).ln();
        shape.ln() + ln_power - ln_power.exp() - x.ln()
    })
}

/// ln p(x) of [`Pareto`](crate::Pareto).
pub fn pareto<R: Real>(x: impl Into<R>, shape: impl Into<R>, scale: impl Into<R>) -> R {
    let (x, shape, scale) = (x.into(), shape.into(), scale.into());
    where_possible(positive(shape) && positive(scale), x.value() >= scale.value(), || {
        shape.ln() + shape * (scale / x).ln() - x.ln()
    })
}

/// ln p(x) of [`Beta`](crate::Beta).
pub fn beta<R: Real>(x: impl Into<R>, alpha: impl Into<R>, beta: impl Into<R>) -> R {
    let (x, alpha, beta) = (x.into(), alpha.into(), beta.into());
    let inside = x.value() > 0.0 && x.value() < 1.0;
    where_possible(positive(alpha) && positive(beta), inside, || {
        (alpha - 1.0) * x.ln() + (beta - 1.0) * (-x).ln_1p() - ln_beta(alpha, beta)
    })
}
