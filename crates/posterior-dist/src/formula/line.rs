//! Distributions on the line.

use std::f64::consts::PI;

use posterior_math::autodiff::Real;

use super::edges::{positive, where_possible};
use super::gamma_ratio::ln_gamma_ratio;

/// ½ ln 2π.
pub(super) const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;

/// ln p(x) of [`Normal`](crate::Normal).
pub fn normal<R: Real>(x: impl Into<R>, mean: impl Into<R>, sd: impl Into<R>) -> R {
    let (x, mean, sd) = (x.into(), mean.into(), sd.into());
    where_possible(positive(sd), true, || {
        let z = (x - mean) / sd;
        z * z * -0.5 - sd.ln() - HALF_LN_TAU
    })
}

/// ln p(x) of [`StudentT`](crate::StudentT).
pub fn student_t<R: Real>(
    x: impl Into<R>,
    degrees_of_freedom: impl Into<R>,
    location: impl Into<R>,
    scale: impl Into<R>,
) -> R {
    let (nu, scale) = (degrees_of_freedom.into(), scale.into());
    let z = (x.into() - location.into()) / scale;
    where_possible(positive(nu) && positive(scale), true, || standard_student(z, nu) - scale.ln())
}

/// ln p(z) with location 0 and scale 1.
pub(super) fn standard_student<R: Real>(z: R, nu: R) -> R {
    let half = nu * 0.5;
    ln_gamma_ratio(half, R::from(0.5)) - (nu * PI).ln() * 0.5 - (half + 0.5) * (z * z / nu).ln_1p()
}

/// ln p(x) of [`Cauchy`](crate::Cauchy).
pub fn cauchy<R: Real>(x: impl Into<R>, location: impl Into<R>, scale: impl Into<R>) -> R {
    let (location, scale) = (location.into(), scale.into());
    let z = (x.into() - location) / scale;
    where_possible(positive(scale), true, || -(z * z).ln_1p() - (scale * PI).ln())
}

/// ln p(x) of [`Laplace`](crate::Laplace).
pub fn laplace<R: Real>(x: impl Into<R>, location: impl Into<R>, scale: impl Into<R>) -> R {
    let (location, scale) = (location.into(), scale.into());
    let z = (x.into() - location) / scale;
    where_possible(positive(scale), true, || -z.abs() - (scale * 2.0).ln())
}

/// ln p(x) of [`Logistic`](crate::Logistic).
pub fn logistic<R: Real>(x: impl Into<R>, location: impl Into<R>, scale: impl Into<R>) -> R {
    let (location, scale) = (location.into(), scale.into());
    let z = (x.into() - location) / scale;
    where_possible(positive(scale), true, || z.ln_logistic() + (-z).ln_logistic() - scale.ln())
}

/// ln p(x) of [`Gumbel`](crate::Gumbel), of largest values.
pub fn gumbel<R: Real>(x: impl Into<R>, location: impl Into<R>, scale: impl Into<R>) -> R {
    let (location, scale) = (location.into(), scale.into());
    let z = (x.into() - location) / scale;
    where_possible(positive(scale), true, || -z - (-z).exp() - scale.ln())
}

/// ln p(x) of [`Uniform`](crate::Uniform).
pub fn uniform<R: Real>(x: impl Into<R>, low: impl Into<R>, high: impl Into<R>) -> R {
    let (low, high, x) = (low.into(), high.into(), x.into());
    let inside = low.value() <= x.value() && x.value() <= high.value();
    where_possible(low.value() < high.value(), inside, || -(high - low).ln())
}
