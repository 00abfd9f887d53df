//! Splits and merges of whole blocks, proposed by restricted Gibbs sampling.

use posterior_math::log_space::ln_1p_exp;
use rand::seq::index;
use rand::{Rng, RngExt};

use crate::error::Error;
use crate::gibbs::{Clusters, Collapsible, Home, Seating};
use crate::partition::PartitionPrior;
use crate::pick::normalize;

/// Moves that split a block in two or merge two, beside the Gibbs scans, which move one observation at a time
/// and rarely get from one block to two good ones.
///
/// Two data are drawn. Where they are in one block, it is split between them: all its other data are assigned
/// at random, move in `scans` restricted Gibbs scans (between the two blocks only), and the last scan more is
/// the proposal. Where they are in two blocks, a merge is proposed, and the probability that the same way
/// would have led back to the two. Accepted by Metropolis and Hastings.
///
/// # References
/// S. Jain, R. M. Neal, A split-merge Markov chain Monte Carlo procedure for the Dirichlet process mixture
/// model, J. Comput. Graph. Stat. 13 (2004).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SplitMerge {
    /// Proposals in a sweep.
    pub proposals: usize,
    /// Restricted scans before the one that is proposed.
    pub scans: usize,
}

impl Default for SplitMerge {
    /// One proposal of five scans.
    fn default() -> Self {
        Self { proposals: 1, scans: 5 }
    }
}

impl SplitMerge {
    /// One proposal; says whether it was accepted.
    pub(super) fn step<C: Collapsible, R: Rng + ?Sized>(
        &self,
        seating: &mut Seating<'_, C>,
        rng: &mut R,
    ) -> Result<bool, Error> {
        if seating.labels.len() < 2 {
            return Ok(false);
        }
        let anchors = index::sample(rng, seating.labels.len(), 2);
        let (one, other) = (anchors.index(0), anchors.index(1));
        let blocks = (seating.labels[one], seating.labels[other]);
        let mut pair = Pair::new(seating, one, other, rng)?;
        for _ in 0..self.scans {
            pair.scan(seating.prior, Scan::Random, rng)?;
        }
        if blocks.0 == blocks.1 { split(seating, pair, rng) } else { merge(seating, pair, rng) }
    }
}

fn split<C: Collapsible, R: Rng + ?Sized>(
    seating: &mut Seating<'_, C>,
    mut pair: Pair<'_, C>,
    rng: &mut R,
) -> Result<bool, Error> {
    let ln_proposal = pair.scan(seating.prior, Scan::Random, rng)?;
    let together = seating.clusters.ln_evidence(seating.labels[pair.members[0]] as usize)?;
    let blocks = seating.sizes.len();
    let ln_ratio = pair.ln_gain(seating.prior, together, blocks)? - ln_proposal;
    if !accept(ln_ratio, rng) {
        return Ok(false);
    }
    // The first to move is the anchor of the new block.
    for (&observation, &side) in pair.members.iter().zip(&pair.sides).skip(1) {
        if side == 1 {
            seating.put(observation, blocks)?;
        }
    }
    Ok(true)
}

fn merge<C: Collapsible, R: Rng + ?Sized>(
    seating: &mut Seating<'_, C>,
    mut pair: Pair<'_, C>,
    rng: &mut R,
) -> Result<bool, Error> {
    let first = seating.labels[pair.members[0]];
    let sides: Vec<usize> =
        pair.members.iter().map(|&observation| usize::from(seating.labels[observation] != first)).collect();
    let ln_way_back = pair.scan(seating.prior, Scan::Forced(&sides), rng)?;
    let mut union = seating.components.clusters();
    union.open();
    for &observation in &pair.members {
        union.insert(observation, 0)?;
    }
    let ln_gain = pair.ln_gain(seating.prior, union.ln_evidence(0)?, seating.sizes.len() - 1)?;
    if !accept(ln_way_back - ln_gain, rng) {
        return Ok(false);
    }
    // The names of blocks change when one is left by its last member: not before.
    for (&observation, _) in pair.members.iter().zip(&sides).filter(|&(_, &side)| side == 1) {
        seating.put(observation, first as usize)?;
    }
    Ok(true)
}

fn accept<R: Rng + ?Sized>(ln_ratio: f64, rng: &mut R) -> bool {
    rng.random::<f64>().ln() < ln_ratio
}

/// Where an observation of a restricted scan goes.
#[derive(Clone, Copy)]
enum Scan<'a> {
    Random,
    Forced(&'a [usize]),
}

/// The members of one block or two, between two blocks with an anchor each, which stays.
struct Pair<'a, C: Collapsible + 'a> {
    clusters: C::Clusters<'a>,
    /// The anchors first.
    members: Vec<usize>,
    sides: Vec<usize>,
    sizes: [u32; 2],
}

impl<'a, C: Collapsible + 'a> Pair<'a, C> {
    /// All members but the anchors on a random side.
    fn new<R: Rng + ?Sized>(
        seating: &Seating<'a, C>,
        one: usize,
        other: usize,
        rng: &mut R,
    ) -> Result<Self, Error> {
        let blocks = [seating.labels[one], seating.labels[other]];
        let rest =
            (0..seating.labels.len()).filter(|&observation| observation != one && observation != other);
        let rest = rest.filter(|&observation| blocks.contains(&seating.labels[observation]));
        let members: Vec<usize> = [one, other].into_iter().chain(rest).collect();
        let mut sides = vec![0, 1];
        sides.extend(members.iter().skip(2).map(|_| usize::from(rng.random::<bool>())));
        let mut pair = Self { clusters: seating.components.clusters(), members, sides, sizes: [0, 0] };
        pair.clusters.open();
        pair.clusters.open();
        for (&observation, &side) in pair.members.iter().zip(&pair.sides) {
            pair.clusters.insert(observation, side)?;
            pair.sizes[side] += 1;
        }
        Ok(pair)
    }

    /// Each member but the anchors finds its side, given the sides of all others; ln of the probability of
    /// what it did.
    fn scan<R: Rng + ?Sized>(
        &mut self,
        prior: PartitionPrior,
        scan: Scan<'_>,
        rng: &mut R,
    ) -> Result<f64, Error> {
        let mut ln_probability = 0.0;
        for place in 2..self.members.len() {
            let (observation, side) = (self.members[place], self.sides[place]);
            let mut weights = [0.0; 2];
            let (members, sides) = (&self.members, &self.sides);
            let others = (0..members.len()).filter(|&other| other != place && sides[other] == side);
            let mut others = others.map(|other| members[other]);
            let home = Home { block: side, others: &mut others };
            self.clusters.ln_predictive(observation, Some(home), &mut weights)?;
            for (block, weight) in weights.iter_mut().enumerate() {
                *weight += prior.ln_join(self.sizes[block] - u32::from(block == side));
            }
            let ln_weights = weights;
            let Some(()) = normalize(&mut weights) else { return Err(Error::NoBlock { observation }) };
            let to = match scan {
                Scan::Random => usize::from(rng.random::<f64>() >= weights[0]),
                Scan::Forced(sides) => sides[place],
            };
            // Of a weight that is zero in f64 the logarithm is still there.
            ln_probability -= ln_1p_exp(ln_weights[1 - to] - ln_weights[to]);
            if to != side {
                let mut others = (0..members.len())
                    .filter(|&other| other != place && sides[other] == side)
                    .map(|other| members[other]);
                self.clusters.remove(observation, Home { block: side, others: &mut others })?;
                self.clusters.insert(observation, to)?;
                self.sides[place] = to;
                self.sizes[side] -= 1;
                self.sizes[to] += 1;
            }
        }
        Ok(ln_probability)
    }

    /// ln of the posterior of the two blocks over that of their union, whose data have this evidence, beside
    /// so many blocks, the union among them.
    fn ln_gain(&self, prior: PartitionPrior, together: f64, blocks: usize) -> Result<f64, Error> {
        let apart = self.clusters.ln_evidence(0)? + self.clusters.ln_evidence(1)?;
        let [first, second] = self.sizes;
        let sizes = prior.ln_block(first) + prior.ln_block(second) - prior.ln_block(first + second);
        Ok(prior.ln_open(blocks) + sizes + apart - together)
    }
}
