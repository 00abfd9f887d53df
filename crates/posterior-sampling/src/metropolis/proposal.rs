//! Proposals of your own, with their ratio.

use posterior_dist::target::Target;
use posterior_math::check::{self, ParamError};
use rand::Rng;

use super::{Proposed, Walker};
use crate::{Error, Transition};

/// How a chain of Metropolis and Hastings proposes where to go: a kernel by itself.
///
/// # For a proposal of your own
/// On the positive numbers, a step on the logarithm: q(x′ | x) ∝ 1/x′, so that the ratio is x′/x.
/// ```
/// use posterior_sampling::metropolis::Proposal;
/// use rand::{Rng, RngExt};
///
/// struct Factor;
///
/// impl Proposal for Factor {
///     fn propose<R: Rng + ?Sized>(&self, from: &[f64], to: &mut [f64], rng: &mut R) -> f64 {
///         let step = rng.random_range(-1.0..1.0_f64);
///         to[0] = from[0] * step.exp();
///         step
///     }
/// }
/// ```
pub trait Proposal {
    /// Writes x′ and returns ln q(x | x′) - ln q(x′ | x): 0 if the proposal is symmetric, -∞ if there is no
    /// way back, and the proposal is then refused. NaN refuses too.
    fn propose<R: Rng + ?Sized>(&self, from: &[f64], to: &mut [f64], rng: &mut R) -> f64;

    /// Refuses a start that it is not made for.
    ///
    /// # Errors
    /// [`Error::Dimension`], [`Error::Start`].
    fn check(&self, start: &[f64]) -> Result<(), Error> {
        let _ = start;
        Ok(())
    }
}

/// Metropolis-Hastings: a proposal, then accepted or not.
impl<T: Target + ?Sized, P: Proposal> Transition<T> for P {
    type State = Walker;
    type Info = Proposed;

    fn init(&self, target: &T, position: &[f64]) -> Result<Walker, Error> {
        let walker = Walker::at(target, position)?;
        self.check(position)?;
        Ok(walker)
    }

    fn step<R: Rng + ?Sized>(&self, target: &T, state: &mut Walker, rng: &mut R) -> Result<Proposed, Error> {
        state.step(target, rng, |from, to, rng| self.propose(from, to, rng))
    }

    fn relocate(
        &self,
        target: &T,
        state: &mut Walker,
        position: &[f64],
        ln_density: f64,
    ) -> Result<(), Error> {
        state.relocate(target, position, ln_density)
    }
}

/// A proposal for some of the coordinates; the others stay. Cycles of these, and of Gibbs steps, are
/// Metropolis within Gibbs.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OnBlock<P> {
    coordinates: Vec<usize>,
    proposal: P,
}

impl<P> OnBlock<P> {
    /// `proposal` sees these coordinates, in this order, and no others.
    ///
    /// # Errors
    /// No coordinate, or one that comes twice.
    pub fn new(coordinates: &[usize], proposal: P) -> Result<Self, ParamError> {
        let len = coordinates.len();
        check::require(len > 0, "OnBlock", "number of coordinates", len as f64, "positive")?;
        for (i, coordinate) in coordinates.iter().enumerate() {
            let new = !coordinates[..i].contains(coordinate);
            check::require(new, "OnBlock", "coordinates", *coordinate as f64, "listed once")
                .map_err(|error| error.at(i))?;
        }
        Ok(Self { coordinates: coordinates.to_vec(), proposal })
    }
}

impl<P: Proposal> Proposal for OnBlock<P> {
    fn check(&self, start: &[f64]) -> Result<(), Error> {
        let needed = self.coordinates.iter().max().map_or(0, |last| last.saturating_add(1));
        check::enough("coordinates of a block, and of the target at least", needed, start.len())?;
        self.proposal.check(&self.coordinates.iter().map(|&i| start[i]).collect::<Vec<_>>())
    }

    fn propose<R: Rng + ?Sized>(&self, from: &[f64], to: &mut [f64], rng: &mut R) -> f64 {
        let block: Vec<f64> = self.coordinates.iter().map(|&i| from[i]).collect();
        let mut moved = block.clone();
        let ln_ratio = self.proposal.propose(&block, &mut moved, rng);
        to.copy_from_slice(from);
        self.coordinates.iter().zip(moved).for_each(|(&i, x)| to[i] = x);
        ln_ratio
    }
}
