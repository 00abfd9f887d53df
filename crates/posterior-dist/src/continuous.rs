//! Univariate distributions with a density.

mod beta;
mod beta_prime;
mod cauchy;
mod chi_squared;
mod exponential;
mod exponential_of;
mod fisher_f;
mod frechet;
mod gamma;
mod gamma_known_shape;
mod gumbel;
mod half_cauchy;
mod half_normal;
mod inverse_gamma;
mod inverse_gaussian;
mod laplace;
mod location_scale;
mod log_logistic;
mod logistic;
mod lognormal;
mod lomax;
mod normal;
mod normal_known_mean;
mod normal_known_variance;
mod pareto;
mod rayleigh;
mod student_t;
mod triangular;
mod uniform;
mod von_mises;
mod weibull;

pub use beta::Beta;
pub use beta_prime::BetaPrime;
pub use cauchy::Cauchy;
pub(crate) use cauchy::ln_1p_square;
pub use chi_squared::ChiSquared;
pub use exponential::Exponential;
pub use fisher_f::FisherF;
pub use frechet::Frechet;
pub use gamma::Gamma;
pub use gamma_known_shape::GammaKnownShape;
pub use gumbel::Gumbel;
pub use half_cauchy::HalfCauchy;
pub use half_normal::HalfNormal;
pub use inverse_gamma::InverseGamma;
pub use inverse_gaussian::InverseGaussian;
pub use laplace::Laplace;
pub use log_logistic::LogLogistic;
pub use logistic::Logistic;
pub use lognormal::LogNormal;
pub use lomax::Lomax;
pub use normal::Normal;
pub use normal_known_mean::NormalKnownMean;
pub use normal_known_variance::NormalKnownVariance;
pub use pareto::Pareto;
pub use rayleigh::Rayleigh;
pub use student_t::StudentT;
pub use triangular::Triangular;
pub use uniform::Uniform;
pub use von_mises::VonMises;
pub use weibull::Weibull;

use crate::grammar::parametric_text;

parametric_text!(
    Beta,
    BetaPrime,
    Cauchy,
    ChiSquared,
    Exponential,
    FisherF,
    Frechet,
    Gamma,
    Gumbel,
    HalfCauchy,
    HalfNormal,
    InverseGamma,
    InverseGaussian,
    Laplace,
    LogLogistic,
    LogNormal,
    Logistic,
    Lomax,
    Normal,
    Pareto,
    Rayleigh,
    StudentT,
    Triangular,
    Uniform,
    VonMises,
    Weibull
);
