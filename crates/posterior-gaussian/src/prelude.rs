//! The traits of a distribution, and what every implementation of them names.

pub(crate) use posterior_dist::{
    Conjugate, Density, Entropy, Expectation, ExpectedDensity, ExponentialFamily, FisherInformation,
    KlDivergence, Mode, Moments, Natural, PointGradient, PriorDensity, Stats, Summary, Sums,
};
pub(crate) use posterior_math::check::{self, ParamError};
pub(crate) use posterior_math::linalg::DMatrix;
pub(crate) use rand::Rng;
pub(crate) use rand::distr::Distribution;
