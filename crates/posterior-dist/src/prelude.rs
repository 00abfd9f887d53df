//! The traits of a distribution, and what every implementation of them names.

pub(crate) use posterior_math::check::{self, ParamError};
#[cfg(feature = "linalg")]
pub(crate) use posterior_math::linalg::DMatrix;
pub(crate) use rand::Rng;
pub(crate) use rand::distr::Distribution;

pub(crate) use crate::density::{Density, Univariate};
pub(crate) use crate::divergence::KlDivergence;
pub(crate) use crate::exponential_family::{Expectation, ExponentialFamily, Natural, Stats, Summary, Sums};
#[cfg(feature = "linalg")]
pub(crate) use crate::exponential_family::{FisherInformation, two_by_two};
pub(crate) use crate::gradient::{ParameterGradient, PointGradient};
pub(crate) use crate::moments::{Entropy, Mode, Moments, Shape};
