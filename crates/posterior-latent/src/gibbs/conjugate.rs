//! Components from any conjugate family.

use posterior_math::check;
use std::borrow::Borrow;

use posterior_dist::{Conjugate, Density, Mixture, Stats};
use rand::Rng;

use super::{Clusters, Collapsible, Components, Home};
use crate::error::Error;
use crate::partition::{Partition, PartitionPrior};

/// Data, and components of a conjugate family `F` with a prior `P`.
///
/// A weight is asked of the predictive distribution of each block, which is made anew when the block changes:
/// O(n K) densities and O(n) distributions for a sweep over n data in K blocks.
#[derive(Debug, Clone)]
pub struct ConjugateComponents<'a, F: Conjugate<P>, P, B> {
    points: &'a [B],
    fixed: F::Fixed,
    prior: P,
    ln_prior_predictive: Vec<f64>,
}

impl<'a, F, P, B> ConjugateComponents<'a, F, P, B>
where
    F: Conjugate<P>,
    B: Borrow<F::Point>,
{
    /// Data, what the family holds fixed, and the prior of a component.
    ///
    /// # Errors
    /// With its index, if a point is none of the sample space; if the prior does not fit, or cannot predict a
    /// point.
    pub fn new(points: &'a [B], fixed: F::Fixed, prior: P) -> Result<Self, Error> {
        Stats::<F>::of(fixed.clone(), points.iter().map(Borrow::borrow))?;
        let distribution = F::predictive(&prior, &fixed)?;
        let ln_prior_predictive = points.iter().map(|point| distribution.ln_pdf(point.borrow())).collect();
        Ok(Self { points, fixed, prior, ln_prior_predictive })
    }

    /// The data.
    pub const fn points(&self) -> &'a [B] {
        self.points
    }

    /// The prior of a component.
    pub const fn prior(&self) -> &P {
        &self.prior
    }

    /// The distribution of the next point, given the blocks of the data: a mixture of the predictive
    /// distributions of the blocks, and that of the prior for a new one.
    ///
    /// # Errors
    /// A partition of other data; one that the prior of partitions excludes.
    pub fn predictive(
        &self,
        partition: &Partition,
        seats: &PartitionPrior,
    ) -> Result<Mixture<F::Predictive>, Error> {
        check::dimension("data of a partition", self.points.len(), partition.len())?;
        let members = partition.members();
        let stats = members.iter().map(|members| self.stats(members));
        predictive(&self.prior, &self.fixed, stats, seats)
    }

    fn stats(&self, members: &[usize]) -> Result<Stats<F>, Error> {
        Ok(Stats::of(
            self.fixed.clone(),
            members.iter().map(|&observation| self.points[observation].borrow()),
        )?)
    }
}

/// The predictive distributions of blocks, and that of the prior, by their weights.
pub(super) fn predictive<F: Conjugate<P>, P>(
    prior: &P,
    fixed: &F::Fixed,
    blocks: impl Iterator<Item = Result<Stats<F>, Error>>,
    seats: &PartitionPrior,
) -> Result<Mixture<F::Predictive>, Error> {
    let (mut distributions, mut weights) = (Vec::new(), Vec::new());
    for stats in blocks {
        let stats = stats?;
        distributions.push(F::predictive(&F::posterior(prior, &stats)?, fixed)?);
        weights.push(seats.ln_join(stats.weight() as u32).exp());
    }
    weights.push(seats.ln_open(distributions.len()).exp());
    distributions.push(F::predictive(prior, fixed)?);
    Ok(Mixture::from_weights(&weights, distributions)?)
}

impl<F, P, B> Components for ConjugateComponents<'_, F, P, B>
where
    F: Conjugate<P, Fixed: Sync> + Send,
    P: Sync,
    B: Borrow<F::Point> + Sync,
{
    type Component = F;

    fn len(&self) -> usize {
        self.points.len()
    }

    fn draw_prior<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<F, Error> {
        Ok(F::draw(&self.prior, &self.fixed, rng)?)
    }

    fn update<R: Rng + ?Sized>(
        &self,
        distribution: &mut F,
        members: &[usize],
        rng: &mut R,
    ) -> Result<(), Error> {
        let posterior = F::posterior(&self.prior, &self.stats(members)?)?;
        *distribution = F::draw(&posterior, &self.fixed, rng)?;
        Ok(())
    }

    fn ln_likelihood(&self, distribution: &F, observation: usize) -> f64 {
        distribution.ln_pdf(self.points[observation].borrow())
    }
}

impl<F, P, B> Collapsible for ConjugateComponents<'_, F, P, B>
where
    F: Conjugate<P, Fixed: Sync>,
    P: Sync,
    B: Borrow<F::Point> + Sync,
{
    type Clusters<'b>
        = ConjugateClusters<'b, F, P, B>
    where
        Self: 'b;

    fn len(&self) -> usize {
        self.points.len()
    }

    fn clusters(&self) -> Self::Clusters<'_> {
        ConjugateClusters { model: self, blocks: Vec::new() }
    }

    fn ln_prior_predictive(&self, observation: usize) -> f64 {
        self.ln_prior_predictive[observation]
    }
}

/// Blocks of data of a conjugate family.
#[derive(Debug)]
pub struct ConjugateClusters<'a, F: Conjugate<P>, P, B> {
    model: &'a ConjugateComponents<'a, F, P, B>,
    blocks: Vec<Block<F, F::Predictive>>,
}

#[derive(Debug)]
struct Block<F: posterior_dist::ExponentialFamily, L> {
    stats: Stats<F>,
    /// The predictive distribution, once it was asked for.
    distribution: Option<L>,
}

impl<F: Conjugate<P>, P, B: Borrow<F::Point>> ConjugateClusters<'_, F, P, B> {
    fn distribution(&self, stats: &Stats<F>) -> Result<F::Predictive, Error> {
        Ok(F::predictive(&F::posterior(&self.model.prior, stats)?, &self.model.fixed)?)
    }

    fn without(&self, observation: usize, block: usize) -> Result<Stats<F>, Error> {
        let mut stats = self.blocks[block].stats.clone();
        stats.pop(self.model.points[observation].borrow())?;
        Ok(stats)
    }
}

impl<F: Conjugate<P>, P, B: Borrow<F::Point>> Clusters for ConjugateClusters<'_, F, P, B> {
    fn len(&self) -> usize {
        self.blocks.len()
    }

    fn open(&mut self) {
        self.blocks.push(Block { stats: Stats::new(self.model.fixed.clone()), distribution: None });
    }

    fn close(&mut self, block: usize) {
        self.blocks.swap_remove(block);
    }

    fn insert(&mut self, observation: usize, block: usize) -> Result<(), Error> {
        let block = &mut self.blocks[block];
        block.stats.push(self.model.points[observation].borrow())?;
        block.distribution = None;
        Ok(())
    }

    fn remove(&mut self, observation: usize, home: Home<'_>) -> Result<(), Error> {
        self.blocks[home.block] = Block { stats: self.without(observation, home.block)?, distribution: None };
        Ok(())
    }

    fn ln_predictive(
        &mut self,
        observation: usize,
        home: Option<Home<'_>>,
        values: &mut [f64],
    ) -> Result<(), Error> {
        let home = home.map(|home| home.block);
        let point = self.model.points[observation].borrow();
        for (block, value) in values.iter_mut().enumerate() {
            *value = if home == Some(block) {
                self.distribution(&self.without(observation, block)?)?.ln_pdf(point)
            } else {
                let distribution = match self.blocks[block].distribution.take() {
                    Some(distribution) => distribution,
                    None => self.distribution(&self.blocks[block].stats)?,
                };
                self.blocks[block].distribution.insert(distribution).ln_pdf(point)
            };
        }
        Ok(())
    }

    fn ln_evidence(&self, block: usize) -> Result<f64, Error> {
        Ok(F::ln_evidence(&self.model.prior, &self.blocks[block].stats)?)
    }
}
