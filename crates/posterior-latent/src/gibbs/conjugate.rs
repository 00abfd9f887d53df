//! Components from any conjugate family.

use std::borrow::Borrow;

use posterior_dist::{Conjugate, Density, Mixture, Stats};
use rand::Rng;

use super::{Clusters, Collapsible, Components, Home};
use crate::error::Error;
use crate::partition::{Partition, PartitionPrior};

/// Data, and components of a conjugate family `F` with a prior `P`.
///
/// A weight is asked of the predictive law of each block, which is made anew when the block changes: O(n K) densities and O(n) laws for a
/// sweep over n data in K blocks.
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
    /// With its index, if a point is none of the sample space; if the prior does not fit, or cannot predict a point.
    pub fn new(points: &'a [B], fixed: F::Fixed, prior: P) -> Result<Self, Error> {
        Stats::<F>::of(fixed.clone(), points.iter().map(Borrow::borrow))?;
        let law = F::predictive(&prior, &fixed)?;
        let ln_prior_predictive = points.iter().map(|point| law.ln_pdf(point.borrow())).collect();
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

    /// The law of the next point, given the blocks of the data: a mixture of the predictive laws of the blocks, and that of the prior for a
    /// new one.
    ///
    /// # Errors
    /// A partition of other data; one that the prior of partitions excludes.
    pub fn predictive(
        &self,
        partition: &Partition,
        seats: &PartitionPrior,
    ) -> Result<Mixture<F::Predictive>, Error> {
        let (expected, found) = (self.points.len(), partition.len());
        if expected != found {
            return Err(Error::Dimension { what: "data of a partition", expected, found });
        }
        let members = partition.members();
        let stats = members.iter().map(|members| self.stats(members));
        predictive(&self.prior, &self.fixed, stats, seats)
    }

    fn stats(&self, members: &[usize]) -> Result<Stats<F>, Error> {
        Ok(Stats::of(self.fixed.clone(), members.iter().map(|&datum| self.points[datum].borrow()))?)
    }
}

/// The predictive laws of blocks, and that of the prior, by their weights.
pub(super) fn predictive<F: Conjugate<P>, P>(
    prior: &P,
    fixed: &F::Fixed,
    blocks: impl Iterator<Item = Result<Stats<F>, Error>>,
    seats: &PartitionPrior,
) -> Result<Mixture<F::Predictive>, Error> {
    let (mut laws, mut weights) = (Vec::new(), Vec::new());
    for stats in blocks {
        let stats = stats?;
        laws.push(F::predictive(&F::posterior(prior, &stats)?, fixed)?);
        weights.push(seats.ln_join(stats.weight() as u32).exp());
    }
    weights.push(seats.ln_open(laws.len()).exp());
    laws.push(F::predictive(prior, fixed)?);
    Ok(Mixture::from_weights(&weights, laws)?)
}

impl<F, P, B> Components for ConjugateComponents<'_, F, P, B>
where
    F: Conjugate<P, Fixed: Sync> + Send,
    P: Sync,
    B: Borrow<F::Point> + Sync,
{
    type Law = F;

    fn len(&self) -> usize {
        self.points.len()
    }

    fn draw_prior<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<F, Error> {
        Ok(F::draw(&self.prior, &self.fixed, rng)?)
    }

    fn update<R: Rng + ?Sized>(&self, law: &mut F, members: &[usize], rng: &mut R) -> Result<(), Error> {
        let posterior = F::posterior(&self.prior, &self.stats(members)?)?;
        *law = F::draw(&posterior, &self.fixed, rng)?;
        Ok(())
    }

    fn ln_likelihood(&self, law: &F, datum: usize) -> f64 {
        law.ln_pdf(self.points[datum].borrow())
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

    fn ln_prior_predictive(&self, datum: usize) -> f64 {
        self.ln_prior_predictive[datum]
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
    /// The predictive law, once it was asked for.
    law: Option<L>,
}

impl<F: Conjugate<P>, P, B: Borrow<F::Point>> ConjugateClusters<'_, F, P, B> {
    fn law(&self, stats: &Stats<F>) -> Result<F::Predictive, Error> {
        Ok(F::predictive(&F::posterior(&self.model.prior, stats)?, &self.model.fixed)?)
    }

    fn without(&self, datum: usize, block: usize) -> Result<Stats<F>, Error> {
        let mut stats = self.blocks[block].stats.clone();
        stats.pop(self.model.points[datum].borrow())?;
        Ok(stats)
    }
}

impl<F: Conjugate<P>, P, B: Borrow<F::Point>> Clusters for ConjugateClusters<'_, F, P, B> {
    fn len(&self) -> usize {
        self.blocks.len()
    }

    fn open(&mut self) {
        self.blocks.push(Block { stats: Stats::new(self.model.fixed.clone()), law: None });
    }

    fn close(&mut self, block: usize) {
        self.blocks.swap_remove(block);
    }

    fn insert(&mut self, datum: usize, block: usize) -> Result<(), Error> {
        let block = &mut self.blocks[block];
        block.stats.push(self.model.points[datum].borrow())?;
        block.law = None;
        Ok(())
    }

    fn remove(&mut self, datum: usize, home: Home<'_>) -> Result<(), Error> {
        self.blocks[home.block] = Block { stats: self.without(datum, home.block)?, law: None };
        Ok(())
    }

    fn ln_predictive(
        &mut self,
        datum: usize,
        home: Option<Home<'_>>,
        values: &mut [f64],
    ) -> Result<(), Error> {
        let home = home.map(|home| home.block);
        let point = self.model.points[datum].borrow();
        for (block, value) in values.iter_mut().enumerate() {
            *value = if home == Some(block) {
                self.law(&self.without(datum, block)?)?.ln_pdf(point)
            } else {
                let law = match self.blocks[block].law.take() {
                    Some(law) => law,
                    None => self.law(&self.blocks[block].stats)?,
                };
                self.blocks[block].law.insert(law).ln_pdf(point)
            };
        }
        Ok(())
    }

    fn ln_evidence(&self, block: usize) -> Result<f64, Error> {
        Ok(F::ln_evidence(&self.model.prior, &self.blocks[block].stats)?)
    }
}
