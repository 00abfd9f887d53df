//! Independent priors of the parameters of independent features.

use std::iter::zip;

use super::{Conjugate, ExpectedDensity};
use crate::prelude::*;
use crate::wrappers::{Product, each};

/// The parameters of feature i have the i-th prior, and stay independent: all is as it is feature by feature.
///
/// ```
/// use posterior_dist::{Beta, Bernoulli, Conjugate, Density, Product, Stats};
///
/// // Of three yes-or-no questions, two people were asked.
/// let prior = Product::new(vec![Beta::new(1.0, 1.0)?; 3]);
/// let answers = [[true, true, false], [true, false, false]];
/// let data = Stats::<Product<Bernoulli>>::of(vec![(); 3], answers.iter().map(|x| &x[..]))?;
/// let posterior = Product::<Bernoulli>::posterior(&prior, &data)?;
/// let next = Product::<Bernoulli>::predictive(&posterior, &vec![(); 3])?;
/// assert!((next.ln_pdf(&[true, true, true]).exp() - 0.75 * 0.5 * 0.25).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
impl<F, P> Conjugate<Product<P>> for Product<F>
where
    F: Conjugate<P>,
    F::Point: Sized,
{
    type Predictive = Product<F::Predictive>;

    fn posterior(prior: &Product<P>, stats: &Stats<Self>) -> Result<Product<P>, ParamError> {
        check_length(prior, stats.fixed())?;
        each(zip(prior.distributions(), stats.parts()).map(|(prior, part)| F::posterior(prior, &part)))
    }

    fn predictive(prior: &Product<P>, fixed: &Self::Fixed) -> Result<Self::Predictive, ParamError> {
        check_length(prior, fixed)?;
        each(zip(prior.distributions(), fixed).map(|(prior, fixed)| F::predictive(prior, fixed)))
    }

    fn ln_evidence(prior: &Product<P>, stats: &Stats<Self>) -> Result<f64, ParamError> {
        check_length(prior, stats.fixed())?;
        let mut sum = stats.ln_base();
        for (index, (prior, part)) in zip(prior.distributions(), stats.parts()).enumerate() {
            sum += F::ln_evidence(prior, &part).map_err(|error| error.at(index))?;
        }
        Ok(sum)
    }

    fn expected_density(
        prior: &Product<P>,
        fixed: &Self::Fixed,
    ) -> Result<ExpectedDensity<Self>, ParamError> {
        check_length(prior, fixed)?;
        let (mut natural, mut ln_partition) = (Vec::with_capacity(Self::statistic_len(fixed)), 0.0);
        for (index, (prior, fixed)) in zip(prior.distributions(), fixed).enumerate() {
            let part = F::expected_density(prior, fixed).map_err(|error| error.at(index))?;
            natural.extend_from_slice(part.natural().as_slice());
            ln_partition += part.ln_partition();
        }
        Ok(ExpectedDensity::new(Natural::of(fixed.clone(), natural), ln_partition))
    }

    /// `None` if the prior of one feature has no mode.
    fn most_probable(prior: &Product<P>, fixed: &Self::Fixed) -> Result<Option<Self>, ParamError> {
        check_length(prior, fixed)?;
        let mut distributions = Vec::with_capacity(fixed.len());
        for (index, (prior, fixed)) in zip(prior.distributions(), fixed).enumerate() {
            match F::most_probable(prior, fixed).map_err(|error| error.at(index))? {
                Some(distribution) => distributions.push(distribution),
                None => return Ok(None),
            }
        }
        Ok(Some(Self::new(distributions)))
    }

    fn draw<R: Rng + ?Sized>(
        prior: &Product<P>,
        fixed: &Self::Fixed,
        rng: &mut R,
    ) -> Result<Self, ParamError> {
        check_length(prior, fixed)?;
        each(zip(prior.distributions(), fixed).map(|(prior, fixed)| F::draw(prior, fixed, rng)))
    }
}

fn check_length<P, T>(prior: &Product<P>, fixed: &[T]) -> Result<(), ParamError> {
    let (found, needed) = (prior.distributions().len(), fixed.len());
    check::require(found == needed, "Product", "number of priors", found as f64, "that of the features")
        .map(drop)
}
