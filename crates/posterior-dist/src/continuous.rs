//! Laws on the real line with a density.

mod beta;
mod beta_prime;
mod chi_squared;
mod exponential;
mod fisher_f;
mod gamma;
mod gamma_known_shape;
mod inverse_gamma;
mod inverse_gaussian;
mod lomax;
mod pareto;
mod von_mises;
mod weibull;

pub use beta::Beta;
pub use beta_prime::BetaPrime;
pub use chi_squared::ChiSquared;
pub use exponential::Exponential;
pub use fisher_f::FisherF;
pub use gamma::Gamma;
pub use gamma_known_shape::GammaKnownShape;
pub use inverse_gamma::InverseGamma;
pub use inverse_gaussian::InverseGaussian;
pub use lomax::Lomax;
pub use pareto::Pareto;
pub use von_mises::VonMises;
pub use weibull::Weibull;

use crate::parametric::parametric_text;

parametric_text!(
    Beta,
    BetaPrime,
    ChiSquared,
    Exponential,
    FisherF,
    Gamma,
    InverseGamma,
    InverseGaussian,
    Lomax,
    Pareto,
    VonMises,
    Weibull,
);
