//! Any law with a density for each state.

use std::borrow::Borrow;
use std::fmt::{self, Debug, Formatter};
use std::ops::Range;

use posterior_dist::{Conjugate, Density, ExponentialFamily, PriorDensity, Stats};
use posterior_latent::mixture::{Estimate, Happened, IncidentKind, MaximumLikelihood, MostProbable};

use super::{Emissions, LearnEmissions};
use crate::error::Error;

/// A law for each state: Poisson, normal, Gaussian, multinomial, a product or a mixture of such; observations are slices of its points.
///
/// Points that are slices are owned here: a sequence of vectors is `&[Vec<f64>]`.
///
/// ```
/// use posterior_dist::Poisson;
/// use posterior_sequence::emission::{Emissions, Laws};
///
/// // Calls in an hour, on quiet and on busy days.
/// let laws = Laws::new(vec![Poisson::new(1.0)?, Poisson::new(8.0)?])?;
/// let mut ln_densities = [0.0; 4];
/// laws.ln_densities(&[0, 9], 0..2, &mut ln_densities);
/// assert_eq!(ln_densities[..2], [-1.0, -8.0]);
/// # Ok::<(), posterior_sequence::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<L>", into = "Vec<L>"))]
#[cfg_attr(feature = "serde", serde(bound(serialize = "L: Clone + serde::Serialize")))]
pub struct Laws<L> {
    laws: Vec<L>,
}

impl<L: Debug> Debug for Laws<L> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Laws").field(&self.laws).finish()
    }
}

impl<L> Laws<L> {
    /// The law of each state.
    ///
    /// # Errors
    /// If there is none.
    pub fn new(laws: Vec<L>) -> Result<Self, Error> {
        if laws.is_empty() {
            return Err(Error::Dimension { what: "states", expected: 1, found: 0 });
        }
        Ok(Self { laws })
    }

    /// At least one law.
    pub(super) const fn from_checked(laws: Vec<L>) -> Self {
        Self { laws }
    }

    /// The laws, one for each state.
    pub fn as_slice(&self) -> &[L] {
        &self.laws
    }
}

impl<L> TryFrom<Vec<L>> for Laws<L> {
    type Error = Error;

    fn try_from(laws: Vec<L>) -> Result<Self, Error> {
        Self::new(laws)
    }
}

impl<L> From<Laws<L>> for Vec<L> {
    fn from(laws: Laws<L>) -> Self {
        laws.laws
    }
}

impl<L: Density<Point: ToOwned>> Emissions for Laws<L> {
    type Data = [<L::Point as ToOwned>::Owned];

    fn states(&self) -> usize {
        self.laws.len()
    }

    fn length(data: &Self::Data) -> usize {
        data.len()
    }

    /// A density that is NaN: the observation holds one.
    fn check(&self, data: &Self::Data) -> Result<(), Error> {
        match data.iter().position(|x| self.laws[0].ln_pdf(x.borrow()).is_nan()) {
            None => Ok(()),
            Some(position) => {
                let message = "its density is no number".to_owned();
                Err(Error::Observation { sequence: 0, position, message })
            }
        }
    }

    fn ln_densities(&self, data: &Self::Data, range: Range<usize>, out: &mut [f64]) {
        for (x, row) in data[range].iter().zip(out.chunks_exact_mut(self.laws.len())) {
            for (ln_density, law) in row.iter_mut().zip(&self.laws) {
                *ln_density = law.ln_pdf(x.borrow());
            }
        }
    }
}

/// Learning of any exponential family, by an [`Estimate`].
macro_rules! learn_families {
    (impl[$($generics:tt)*] for $estimate:ty $(where $($bounds:tt)*)?) => {
        impl<$($generics)*> LearnEmissions<Laws<F>> for $estimate $(where $($bounds)*)? {
            type Statistics = Vec<Stats<F>>;

            fn nothing(&self, emissions: &Laws<F>) -> Vec<Stats<F>> {
                emissions.laws.iter().map(|law| Stats::new(law.fixed())).collect()
            }

            fn add(
                &self,
                statistics: &mut Vec<Stats<F>>,
                _: &Laws<F>,
                data: &[<F::Point as ToOwned>::Owned],
                range: Range<usize>,
                shares: &[f64],
            ) -> Result<(), Error> {
                let first = range.start;
                for (t, (x, row)) in data[range].iter().zip(shares.chunks_exact(statistics.len())).enumerate() {
                    for (stats, &share) in statistics.iter_mut().zip(row).filter(|(_, share)| **share > 0.0) {
                        stats.push_weighted(x.borrow(), share).map_err(|error| Error::Observation {
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

            fn estimate(&self, statistics: &Vec<Stats<F>>, previous: &Laws<F>) -> Result<(Laws<F>, Happened), Error> {
                let mut happened = Happened::new();
                let laws = statistics.iter().zip(&previous.laws).enumerate().map(|(k, (stats, before))| {
                    self.law(stats).unwrap_or_else(|why| {
                        let dead = stats.weight() == 0.0;
                        happened.push((k, if dead { IncidentKind::Died } else { IncidentKind::Kept(why) }));
                        before.clone()
                    })
                });
                Ok((Laws { laws: laws.collect() }, happened))
            }

            fn ln_prior(&self, emissions: &Laws<F>) -> f64 {
                emissions.laws.iter().map(|law| Estimate::ln_prior(self, law)).sum()
            }
        }
    };
}

learn_families!(impl[F: ExponentialFamily<Point: ToOwned>] for MaximumLikelihood);
learn_families!(
    impl[F, P] for MostProbable<P>
    where F: ExponentialFamily<Point: ToOwned> + Conjugate<P>, P: PriorDensity<F>
);
