//! Normal-gamma prior of the mean and the precision of a normal distribution.

use super::{Conjugate, ExpectedDensity};
use crate::continuous::{Normal, StudentT};
use crate::multivariate::{NormalGamma, NormalInverseGamma};
use crate::prelude::*;

/// What data do does not depend on which of variance and precision is the coordinate: as the
/// normal-inverse-gamma prior with the same numbers. The mode does.
impl Conjugate<NormalGamma> for Normal {
    type Predictive = StudentT;

    fn posterior(prior: &NormalGamma, stats: &Stats<Self>) -> Result<NormalGamma, ParamError> {
        Self::posterior(&inverse(prior), stats).map(NormalGamma::from)
    }

    fn predictive(prior: &NormalGamma, (): &()) -> Result<StudentT, ParamError> {
        Self::predictive(&inverse(prior), &())
    }

    fn ln_evidence(prior: &NormalGamma, stats: &Stats<Self>) -> Result<f64, ParamError> {
        Self::ln_evidence(&inverse(prior), stats)
    }

    fn expected_density(prior: &NormalGamma, (): &()) -> Result<ExpectedDensity<Self>, ParamError> {
        Self::expected_density(&inverse(prior), &())
    }

    /// `None` up to α = 1/2, where the most probable precision is zero.
    fn most_probable(prior: &NormalGamma, (): &()) -> Result<Option<Self>, ParamError> {
        let positive = |&(_, precision): &(f64, f64)| precision > 0.0;
        let distribution = |(mean, precision)| Self::mean_precision(mean, precision);
        prior.mode().filter(positive).map(distribution).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &NormalGamma, (): &(), rng: &mut R) -> Result<Self, ParamError> {
        let (mean, precision) = prior.sample(rng);
        Self::mean_precision(mean, precision)
    }
}

fn inverse(prior: &NormalGamma) -> NormalInverseGamma {
    NormalInverseGamma::from(*prior)
}
