//! Any distribution with a density for each state.

use std::borrow::Borrow;
use std::fmt::{self, Debug, Formatter};
use std::ops::Range;

use posterior_dist::{Conjugate, Density, ExponentialFamily, PriorDensity, Stats};
use posterior_latent::mixture::{Happened, IncidentKind, MaximizationStep, MaximumLikelihood, MostProbable};
use posterior_math::check::DimensionError;

use super::{Emissions, LearnEmissions};
use crate::error::Error;

/// A distribution for each state: Poisson, normal, Gaussian, multinomial, a product or a mixture of such;
/// observations are slices of its points.
///
/// Points that are slices are owned here: a sequence of vectors is `&[Vec<f64>]`.
///
/// ```
/// use posterior_dist::Poisson;
/// use posterior_sequence::emission::{Emissions, Distributions};
///
/// // Calls in an hour, on quiet and on busy days.
/// let distributions = Distributions::new(vec![Poisson::new(1.0)?, Poisson::new(8.0)?])?;
/// let mut ln_densities = [0.0; 4];
/// distributions.ln_densities(&[0, 9], 0..2, &mut ln_densities);
/// assert_eq!(ln_densities[..2], [-1.0, -8.0]);
/// # Ok::<(), posterior_sequence::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<L>", into = "Vec<L>"))]
#[cfg_attr(feature = "serde", serde(bound(serialize = "L: Clone + serde::Serialize")))]
pub struct Distributions<L> {
    distributions: Vec<L>,
}

impl<L: Debug> Debug for Distributions<L> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Distributions").field(&self.distributions).finish()
    }
}

impl<L> Distributions<L> {
    /// The distribution of each state.
    ///
    /// # Errors
    /// If there is none.
    pub fn new(distributions: Vec<L>) -> Result<Self, Error> {
        if distributions.is_empty() {
            return Err(DimensionError::new("states", 1, 0).into());
        }
        Ok(Self { distributions })
    }

    /// At least one distribution.
    pub(super) const fn from_checked(distributions: Vec<L>) -> Self {
        Self { distributions }
    }

    /// The distributions, one for each state.
    pub fn as_slice(&self) -> &[L] {
        &self.distributions
    }
}

impl<L> TryFrom<Vec<L>> for Distributions<L> {
    type Error = Error;

    fn try_from(distributions: Vec<L>) -> Result<Self, Error> {
        Self::new(distributions)
    }
}

impl<L> From<Distributions<L>> for Vec<L> {
    fn from(distributions: Distributions<L>) -> Self {
        distributions.distributions
    }
}

impl<L: Density<Point: ToOwned>> Emissions for Distributions<L> {
    type Data = [<L::Point as ToOwned>::Owned];

    fn states(&self) -> usize {
        self.distributions.len()
    }

    fn length(data: &Self::Data) -> usize {
        data.len()
    }

    /// A density that is NaN: the observation holds one.
    fn check(&self, data: &Self::Data) -> Result<(), Error> {
        match data.iter().position(|x| self.distributions[0].ln_pdf(x.borrow()).is_nan()) {
            None => Ok(()),
            Some(position) => {
                let message = "its density is not a number".to_owned();
                Err(Error::Observation { sequence: 0, position, message })
            }
        }
    }

    fn ln_densities(&self, data: &Self::Data, range: Range<usize>, out: &mut [f64]) {
        for (x, row) in data[range].iter().zip(out.chunks_exact_mut(self.distributions.len())) {
            for (ln_density, distribution) in row.iter_mut().zip(&self.distributions) {
                *ln_density = distribution.ln_pdf(x.borrow());
            }
        }
    }
}

/// Learning of any exponential family, by an [`Estimate`].
macro_rules! learn_families {
    (impl[$($generics:tt)*] for $estimate:ty $(where $($bounds:tt)*)?) => {
        impl<$($generics)*> LearnEmissions<Distributions<F>> for $estimate $(where $($bounds)*)? {
            type Statistics = Vec<Stats<F>>;

            fn nothing(&self, emissions: &Distributions<F>) -> Vec<Stats<F>> {
                emissions.distributions.iter().map(|distribution| Stats::new(distribution.fixed())).collect()
            }

            fn add(
                &self,
                statistics: &mut Vec<Stats<F>>,
                _: &Distributions<F>,
                data: &[<F::Point as ToOwned>::Owned],
                range: Range<usize>,
                proportions: &[f64],
            ) -> Result<(), Error> {
                let first = range.start;
                for (t, (x, row)) in data[range].iter().zip(proportions.chunks_exact(statistics.len())).enumerate() {
                    for (stats, &proportion) in statistics.iter_mut().zip(row).filter(|(_, proportion)| **proportion > 0.0) {
                        stats.push_weighted(x.borrow(), proportion).map_err(|error| Error::Observation {
                            sequence: 0,
                            position: first + t,
                            message: error.to_string(),
                        })?;
                    }
                }
                Ok(())
            }

            fn merge(&self, statistics: &mut Vec<Stats<F>>, other: &Vec<Stats<F>>) -> Result<(), Error> {
                for (sum, more) in statistics.iter_mut().zip(other) {
                    sum.merge(more)?;
                }
                Ok(())
            }

            fn estimate(&self, statistics: &Vec<Stats<F>>, previous: &Distributions<F>) -> Result<(Distributions<F>, Happened), Error> {
                let mut happened = Happened::new();
                let distributions = statistics.iter().zip(&previous.distributions).enumerate().map(|(k, (stats, before))| {
                    self.distribution(stats).unwrap_or_else(|why| {
                        let dead = stats.weight() == 0.0;
                        happened.push((k, if dead { IncidentKind::Died } else { IncidentKind::Kept(why) }));
                        before.clone()
                    })
                });
                Ok((Distributions { distributions: distributions.collect() }, happened))
            }

            fn ln_prior(&self, emissions: &Distributions<F>) -> f64 {
                emissions.distributions.iter().map(|distribution| MaximizationStep::ln_prior(self, distribution)).sum()
            }
        }
    };
}

learn_families!(impl[F: ExponentialFamily<Point: ToOwned>] for MaximumLikelihood);
learn_families!(
    impl[F, P] for MostProbable<P>
    where F: ExponentialFamily<Point: ToOwned> + Conjugate<P>, P: PriorDensity<F>
);
