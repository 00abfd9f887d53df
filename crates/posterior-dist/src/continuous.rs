//! Laws on the real line with a density.

mod cauchy;
mod exponential;
mod gumbel;
mod half_cauchy;
mod half_normal;
mod laplace;
mod logistic;
mod lognormal;
mod normal;
mod normal_known_mean;
mod normal_known_variance;
mod student_t;
mod uniform;

pub use cauchy::Cauchy;
pub use exponential::Exponential;
pub use gumbel::Gumbel;
pub use half_cauchy::HalfCauchy;
pub use half_normal::HalfNormal;
pub use laplace::Laplace;
pub use logistic::Logistic;
pub use lognormal::LogNormal;
pub use normal::Normal;
pub use normal_known_mean::NormalKnownMean;
pub use normal_known_variance::NormalKnownVariance;
pub use student_t::StudentT;
pub use uniform::Uniform;
pub(crate) use cauchy::ln_1p_square;
pub(crate) use normal::HALF_LN_TAU;

use crate::parametric::parametric_text;

parametric_text!(Cauchy, Exponential, Gumbel, HalfCauchy, HalfNormal, Laplace, Logistic, LogNormal, Normal, StudentT, Uniform);
