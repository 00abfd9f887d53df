//! Slice sampling of all coordinates at once, in a box that shrinks.

use posterior_dist::target::Target;
use posterior_math::check::{self, ParamError};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1};

use super::{Sliced, check_widths};
use crate::evaluation::{at_proposal, at_relocation, at_start};
use crate::{Error, State, Transition};

/// Slice sampling in a box around the point, placed at random, that shrinks in all coordinates at each point
/// outside of the slice (Neal 2003, section 5.1).
///
/// The box is not expanded: the widths are to be those of the distribution, a little too large rather than
/// too small.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hyperrectangle {
    widths: Vec<f64>,
}

/// Where a chain of [`Hyperrectangle`] is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Boxed {
    position: Vec<f64>,
    ln_density: f64,
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    proposal: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
}

impl Hyperrectangle {
    /// With a width for each coordinate.
    ///
    /// # Errors
    /// A width that is not positive and finite.
    pub fn new(widths: &[f64]) -> Result<Self, ParamError> {
        Ok(Self { widths: check_widths("Hyperrectangle", widths)? })
    }

    /// The width of each coordinate.
    pub fn widths(&self) -> &[f64] {
        &self.widths
    }

    pub(super) const fn widths_mut(&mut self) -> &mut Vec<f64> {
        &mut self.widths
    }
}

impl Boxed {
    fn place<R: Rng + ?Sized>(&mut self, widths: &[f64], rng: &mut R) {
        for (i, &width) in widths.iter().enumerate() {
            self.low[i] = (self.position[i] - width * rng.random::<f64>()).max(-f64::MAX);
            self.high[i] = (self.low[i] + width).min(f64::MAX);
        }
    }

    fn propose<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        for (x, (low, high)) in self.proposal.iter_mut().zip(self.low.iter().zip(&self.high)) {
            *x = low + rng.random::<f64>() * (high - low);
        }
    }

    fn shrink(&mut self) {
        for (i, &x) in self.proposal.iter().enumerate() {
            if x < self.position[i] {
                self.low[i] = x;
            } else {
                self.high[i] = x;
            }
        }
    }
}

impl State for Boxed {
    fn position(&self) -> &[f64] {
        &self.position
    }

    fn ln_density(&self) -> f64 {
        self.ln_density
    }
}

impl<T: Target + ?Sized> Transition<T> for Hyperrectangle {
    type State = Boxed;
    type Info = Sliced;

    fn init(&self, target: &T, position: &[f64]) -> Result<Boxed, Error> {
        check::dimension("widths of a box", target.dim(), self.widths.len())?;
        let ln_density = at_start(target, position)?;
        let copy = || position.to_vec();
        Ok(Boxed { position: copy(), ln_density, proposal: copy(), low: copy(), high: copy() })
    }

    fn step<R: Rng + ?Sized>(&self, target: &T, state: &mut Boxed, rng: &mut R) -> Result<Sliced, Error> {
        let drop: f64 = Exp1.sample(rng);
        let (ln_height, mut info) = (state.ln_density - drop, Sliced::default());
        state.place(&self.widths, rng);
        loop {
            state.propose(rng);
            if state.proposal == state.position {
                return Ok(info);
            }
            let ln_density = at_proposal(target, &state.proposal)?;
            if info.is_inside(ln_density, ln_height) {
                std::mem::swap(&mut state.position, &mut state.proposal);
                state.ln_density = ln_density;
                return Ok(info);
            }
            info.contractions += 1;
            state.shrink();
        }
    }

    fn relocate(
        &self,
        target: &T,
        state: &mut Boxed,
        position: &[f64],
        ln_density: f64,
    ) -> Result<(), Error> {
        state.ln_density = at_relocation(target, position, ln_density)?;
        state.position.copy_from_slice(position);
        Ok(())
    }
}
