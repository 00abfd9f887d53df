//! A trajectory that is doubled: the tree of the No-U-Turn sampler, without recursion.

use posterior_dist::target::GradTarget;
use rand::{Rng, RngExt};

use super::super::leapfrog::{Leapfrog, NoEnd};
use super::super::loops;
use super::super::particle::{Place, Scratch};
use super::super::step::{Acceptance, Travelled};
use crate::{DivergentTransition, Error};

/// A trajectory, the draw from it, and what is known of its points.
#[derive(Debug)]
pub(super) struct Tree<'a, T: ?Sized> {
    target: &'a T,
    leapfrog: Leapfrog<'a>,
    max_energy_error: f64,
    scratch: &'a mut Scratch,
    start_energy: f64,
    acceptance: Acceptance,
    weights: Weights,
    /// Steps from the start to the ends.
    reach: [i64; 2],
    drawn: Drawn,
    pub(super) divergence: Option<DivergentTransition>,
}

/// What became of a doubling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Growth {
    /// The trajectory may go on.
    Open,
    /// It turns back as a whole: the draw may be from the new half.
    Turned,
    /// A piece of the new half turns back: the new half does not count.
    TurnedWithin,
    /// The new half met a divergence, and does not count.
    Diverging,
}

/// Where a draw is on its trajectory, and its energy error.
#[derive(Debug, Clone, Copy, Default)]
struct Drawn {
    moved: i64,
    energy_error: f64,
}

/// Weights are e^(base - ΔH). The base is 0, unless a point has a weight so large that it would overflow.
#[derive(Debug, Clone, Copy)]
struct Weights {
    base: f64,
    /// Of the trajectory.
    whole: f64,
    /// Of the half that grows.
    half: f64,
}

/// How far an energy error may fall below the base.
const RANGE: f64 = 300.0;

impl Weights {
    const START: Self = Self { base: 0.0, whole: 1.0, half: 0.0 };

    /// The weight of a point of the growing half, which is added to it.
    fn add(&mut self, error: f64) -> f64 {
        if error < self.base - RANGE {
            let factor = (error - self.base).exp();
            self.whole *= factor;
            self.half *= factor;
            self.base = error;
        }
        let weight = (self.base - error).exp();
        self.half += weight;
        weight
    }
}

impl<'a, T: GradTarget + ?Sized> Tree<'a, T> {
    /// The trajectory of one point, with a new momentum.
    pub(super) fn plant<R: Rng + ?Sized>(
        target: &'a T,
        leapfrog: Leapfrog<'a>,
        max_energy_error: f64,
        place: &Place,
        scratch: &'a mut Scratch,
        rng: &mut R,
    ) -> Self {
        let [first, last] = &mut scratch.ends;
        place.write_to(first);
        first.refresh(leapfrog.metric, rng);
        last.copy_from(first);
        scratch.sum.copy_from_slice(&first.momentum);
        let start_energy = first.energy();
        Self {
            target,
            leapfrog,
            max_energy_error,
            scratch,
            start_energy,
            acceptance: Acceptance::default(),
            weights: Weights::START,
            reach: [0, 0],
            drawn: Drawn::default(),
            divergence: None,
        }
    }

    /// Doubles a trajectory of 2^depth points, at its last point in time for the side 1, at its first for 0.
    pub(super) fn grow<R: Rng + ?Sized>(
        &mut self,
        depth: usize,
        side: usize,
        rng: &mut R,
    ) -> Result<Growth, Error> {
        self.leapfrog.step_size = if side == 1 { self.step_size() } else { -self.step_size() };
        let scratch = &mut *self.scratch;
        scratch.near.set(&scratch.ends[side].momentum, &scratch.sum);
        let (mut drawn, mut crossed) = (Drawn::default(), false);
        self.weights.half = 0.0;
        for leaf in 0..1_usize << depth {
            let Some(error) = self.advance(side)? else { return Ok(Growth::Diverging) };
            let weight = self.weights.add(error);
            let metropolis = if self.weights.base == 0.0 { weight } else { (-error).exp() };
            self.acceptance.add(error, metropolis);
            // The first of a half is drawn whatever its weight.
            if leaf == 0 || rng.random::<f64>() * self.weights.half < weight {
                self.scratch.candidate.copy_from(&self.scratch.ends[side]);
                drawn = Drawn { moved: self.reach[side], energy_error: error };
            }
            crossed |= leaf == 0 && depth > 0 && self.turns_as_a_whole(side);
            if self.turns_within(leaf, side) {
                return Ok(Growth::TurnedWithin);
            }
        }
        let Weights { whole, half, .. } = self.weights;
        if rng.random::<f64>() * whole < half {
            std::mem::swap(&mut self.scratch.chosen, &mut self.scratch.candidate);
            self.drawn = drawn;
        }
        self.weights.whole = whole + half;
        let turned = crossed || self.turns_as_a_whole(side) || depth > 0 && self.turns_near(side);
        Ok(if turned { Growth::Turned } else { Growth::Open })
    }

    const fn step_size(&self) -> f64 {
        self.leapfrog.step_size.abs()
    }

    /// One step at this side: the energy error, or nothing where it diverged.
    fn advance(&mut self, side: usize) -> Result<Option<f64>, Error> {
        let Scratch { ends, next, sum, .. } = &mut *self.scratch;
        let outcome = self.leapfrog.step(self.target, &ends[side], next, sum);
        self.reach[side] += if side == 1 { 1 } else { -1 };
        let (error, reason) = match outcome {
            Ok(()) => (next.energy() - self.start_energy, None),
            Err(NoEnd::Refused(why)) => (f64::INFINITY, Some(why)),
            Err(NoEnd::Fatal(why)) => return Err(why.into()),
        };
        if error < self.max_energy_error {
            std::mem::swap(&mut ends[side], next);
            return Ok(Some(error));
        }
        self.acceptance.add_divergence();
        self.divergence = Some(DivergentTransition {
            iteration: 0,
            from: ends[side].position.clone(),
            momentum: self.leapfrog.metric.momentum(&ends[side].momentum),
            to: next.position.clone(),
            energy_error: if error.is_nan() { f64::INFINITY } else { error },
            reason,
        });
        Ok(None)
    }

    /// The criterion from the end that did not grow to the one that did: for the whole, or for the old half
    /// and the first new point.
    fn turns_as_a_whole(&self, side: usize) -> bool {
        let Scratch { ends, sum, nothing, .. } = &*self.scratch;
        loops::turns([sum, nothing], [&ends[1 - side].momentum, &ends[side].momentum])
    }

    /// The criterion for the new half and the point of the old half next to it.
    fn turns_near(&self, side: usize) -> bool {
        let Scratch { ends, sum, near, .. } = &*self.scratch;
        loops::turns([sum, &near.before], [&near.momentum, &ends[side].momentum])
    }

    /// The criterion for all pieces of the new half that its point number `leaf` completes: for each whole
    /// piece, for its first half and the point after it (as soon as that is there), and for its second half
    /// and the point before it.
    ///
    /// Pieces have 2^m points and start at multiples of 2^m. A first point has more ones in the digits of its
    /// number than those of the pieces around its own, and fewer than those within it; so the count of ones
    /// is a place where it is safe for as long as it is needed.
    fn turns_within(&mut self, leaf: usize, side: usize) -> bool {
        let Scratch { ends, sum, firsts, halves, .. } = &mut *self.scratch;
        let momentum = &ends[side].momentum;
        let ones = leaf.count_ones() as usize;
        if leaf.is_multiple_of(2) {
            if leaf > 0 {
                let first = &firsts[ones - 1];
                if loops::turns([sum, &first.before], [&first.momentum, momentum]) {
                    return true;
                }
            }
            firsts[ones].set(momentum, sum);
            return false;
        }
        let levels = leaf.trailing_ones() as usize;
        for level in 1..=levels {
            let (first, half) = (&firsts[ones - level], &halves[ones - level]);
            if loops::turns([sum, &first.before], [&first.momentum, momentum])
                || level > 1 && loops::turns([sum, &half.before], [&half.momentum, momentum])
            {
                return true;
            }
        }
        halves[ones - levels].set(momentum, sum);
        false
    }

    /// What happened; the depth and the divergence are not reported.
    pub(super) fn finish(self) -> Travelled {
        let [acceptance_rate, symmetric_acceptance_rate] = self.acceptance.rates();
        Travelled {
            acceptance_rate,
            symmetric_acceptance_rate,
            step_size: self.step_size(),
            tree_depth: 0,
            n_steps: self.acceptance.steps,
            energy: self.start_energy + self.drawn.energy_error,
            energy_error: self.drawn.energy_error,
            max_energy_error: self.acceptance.max_error,
            reached_max_depth: false,
            moved: self.drawn.moved,
            divergence: None,
            diverging: false,
        }
    }
}
