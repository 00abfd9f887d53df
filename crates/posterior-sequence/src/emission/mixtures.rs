//! A mixture for each state.

use std::borrow::Borrow;
use std::ops::Range;

use posterior_dist::{Conjugate, ExponentialFamily, Mixture, PriorDensity, Stats};
use posterior_latent::mixture::{Happened, IncidentKind, MaximizationStep, MaximumLikelihood, MostProbable};
use posterior_math::log_space::softmax_in_place;
use rand::Rng;
use rand::distr::Distribution;

use super::{Distributions, DrawEmissions, Emissions, LearnEmissions};
use crate::error::Error;

/// A mixture of distributions of one exponential family for each state, each with weights of its own: for
/// observations whose distribution has several humps within a state.
///
/// In learning, which component an observation came from is hidden beside the state: its proportion in the
/// state is divided among the components of the state. A component that is left without observations keeps
/// its distribution, with a weight of 0.
///
/// ```
/// use posterior_dist::{Mixture, Normal};
/// use posterior_sequence::emission::{Emissions, MixtureEmissions};
///
/// let normal = |mean| Normal::mean_sd(mean, 1.0);
/// let twice = Mixture::from_weights(&[1.0, 1.0], vec![normal(-3.0)?, normal(3.0)?])?;
/// let once = Mixture::from_weights(&[1.0], vec![normal(0.0)?])?;
/// let emissions = MixtureEmissions::new(vec![twice, once])?;
/// let mut ln_densities = [0.0; 2];
/// emissions.ln_densities(&[3.0], 0..1, &mut ln_densities);
/// assert!(ln_densities[0] > ln_densities[1]);
/// # Ok::<(), posterior_sequence::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MixtureEmissions<F> {
    distributions: Distributions<Mixture<F>>,
}

impl<F> MixtureEmissions<F> {
    /// The mixture of each state.
    ///
    /// # Errors
    /// If there is none.
    pub fn new(mixtures: Vec<Mixture<F>>) -> Result<Self, Error> {
        Ok(Self { distributions: Distributions::new(mixtures)? })
    }

    /// The mixture of each state.
    pub fn as_slice(&self) -> &[Mixture<F>] {
        self.distributions.as_slice()
    }
}

impl<F: ExponentialFamily<Point: ToOwned>> Emissions for MixtureEmissions<F> {
    type Data = [<F::Point as ToOwned>::Owned];

    fn states(&self) -> usize {
        self.distributions.states()
    }

    fn length(data: &Self::Data) -> usize {
        data.len()
    }

    fn check(&self, data: &Self::Data) -> Result<(), Error> {
        self.distributions.check(data)
    }

    fn ln_densities(&self, data: &Self::Data, range: Range<usize>, out: &mut [f64]) {
        self.distributions.ln_densities(data, range, out);
    }
}

impl<F> DrawEmissions for MixtureEmissions<F>
where
    F: ExponentialFamily<Point: ToOwned> + Distribution<<F::Point as ToOwned>::Owned>,
    <F::Point as ToOwned>::Owned: Clone,
{
    fn draw<R: Rng + ?Sized>(&self, states: &[usize], rng: &mut R) -> Vec<<F::Point as ToOwned>::Owned> {
        self.distributions.draw(states, rng)
    }
}

/// Adds an observation to the components of a state, in proportion to what they explain of it.
fn add_point<F: ExponentialFamily>(
    stats: &mut [Stats<F>],
    mixture: &Mixture<F>,
    x: &F::Point,
    proportion: f64,
    room: &mut Vec<f64>,
) -> Result<(), posterior_math::ParamError> {
    room.clear();
    let parts = mixture.weights().ln_probabilities().iter().zip(mixture.components());
    // A component without weight takes nothing, not even where its density is infinite.
    room.extend(parts.map(|(&ln_weight, distribution)| {
        if ln_weight == f64::NEG_INFINITY { ln_weight } else { ln_weight + distribution.ln_pdf(x) }
    }));
    softmax_in_place(room);
    for (stats, part) in stats.iter_mut().zip(&*room).filter(|(_, part)| **part > 0.0) {
        stats.push_weighted(x, proportion * part)?;
    }
    Ok(())
}

/// The mixture that fits the statistics of its components; the incident of the first component that something
/// happened to.
fn estimated<F: ExponentialFamily>(
    estimate: &impl MaximizationStep<F>,
    stats: &[Stats<F>],
    previous: &Mixture<F>,
) -> Result<(Mixture<F>, Option<IncidentKind>), Error> {
    let added = estimate.added_count();
    let weights: Vec<f64> = stats.iter().map(|stats| stats.weight() + added).collect();
    if stats.iter().all(|stats| stats.weight() == 0.0) {
        return Ok((previous.clone(), Some(IncidentKind::Died)));
    }
    let (mut distributions, mut happened) = (Vec::with_capacity(stats.len()), None);
    for (stats, before) in stats.iter().zip(previous.components()) {
        distributions.push(estimate.distribution(stats).unwrap_or_else(|why| {
            let dead = stats.weight() == 0.0;
            happened.get_or_insert(if dead { IncidentKind::Died } else { IncidentKind::Kept(why) });
            before.clone()
        }));
    }
    Ok((Mixture::from_weights(&weights, distributions)?, happened))
}

/// Learning by an [`Estimate`] of the components; its α is that of the weights within a state.
macro_rules! learn_mixtures {
    (impl[$($generics:tt)*] for $estimate:ty $(where $($bounds:tt)*)?) => {
        impl<$($generics)*> LearnEmissions<MixtureEmissions<F>> for $estimate $(where $($bounds)*)? {
            /// Of each component of each state.
            type Statistics = Vec<Vec<Stats<F>>>;

            fn nothing(&self, emissions: &MixtureEmissions<F>) -> Self::Statistics {
                let of_state = |mixture: &Mixture<F>| {
                    mixture.components().iter().map(|distribution| Stats::new(distribution.fixed())).collect()
                };
                emissions.as_slice().iter().map(of_state).collect()
            }

            fn add(
                &self,
                statistics: &mut Self::Statistics,
                emissions: &MixtureEmissions<F>,
                data: &[<F::Point as ToOwned>::Owned],
                range: Range<usize>,
                proportions: &[f64],
            ) -> Result<(), Error> {
                let (first, mut room) = (range.start, Vec::new());
                let rows = data[range].iter().zip(proportions.chunks_exact(statistics.len()));
                for (t, (x, row)) in rows.enumerate() {
                    let states = statistics.iter_mut().zip(emissions.as_slice()).zip(row);
                    for ((stats, mixture), &proportion) in states.filter(|(_, proportion)| **proportion > 0.0) {
                        add_point(stats, mixture, x.borrow(), proportion, &mut room).map_err(|error| {
                            let message = error.to_string();
                            Error::Observation { sequence: 0, position: first + t, message }
                        })?;
                    }
                }
                Ok(())
            }

            fn merge(
                &self,
                statistics: &mut Self::Statistics,
                other: &Self::Statistics,
            ) -> Result<(), Error> {
                for (sum, more) in statistics.iter_mut().flatten().zip(other.iter().flatten()) {
                    sum.merge(more)?;
                }
                Ok(())
            }

            fn estimate(
                &self,
                statistics: &Self::Statistics,
                previous: &MixtureEmissions<F>,
            ) -> Result<(MixtureEmissions<F>, Happened), Error> {
                let (mut mixtures, mut all) = (Vec::new(), Happened::new());
                for (k, (stats, before)) in statistics.iter().zip(previous.as_slice()).enumerate() {
                    let (mixture, happened) = estimated(self, stats, before)?;
                    all.extend(happened.map(|kind| (k, kind)));
                    mixtures.push(mixture);
                }
                Ok((MixtureEmissions::new(mixtures)?, all))
            }

            fn ln_prior(&self, emissions: &MixtureEmissions<F>) -> f64 {
                let added = MaximizationStep::<F>::added_count(self);
                let of_weights = |mixture: &Mixture<F>| {
                    let sum = mixture.weights().ln_probabilities().iter().sum::<f64>();
                    if added == 0.0 { 0.0 } else { added * sum }
                };
                let of_distributions = |mixture: &Mixture<F>| {
                    mixture.components().iter().map(|distribution| MaximizationStep::ln_prior(self, distribution)).sum::<f64>()
                };
                emissions.as_slice().iter().map(|mixture| of_weights(mixture) + of_distributions(mixture)).sum()
            }
        }
    };
}

learn_mixtures!(impl[F: ExponentialFamily<Point: ToOwned>] for MaximumLikelihood);
learn_mixtures!(
    impl[F, P] for MostProbable<P>
    where F: ExponentialFamily<Point: ToOwned> + Conjugate<P>, P: PriorDensity<F>
);
