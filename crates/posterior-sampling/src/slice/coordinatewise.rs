//! Slice sampling of one coordinate after the other.

use posterior_dist::target::Target;
use posterior_math::check::{self, ParamError};
use rand::Rng;
use rand_distr::{Distribution, Exp1};

use super::interval::Line;
use super::{Expansion, Sliced, check_widths};
use crate::evaluation::{at_proposal, at_relocation, at_start};
use crate::{Error, State, Transition};

/// Slice sampling of one coordinate after the other; a step is a sweep over all of them.
///
/// A coordinate costs about 3 densities and those of its expansion. Too small a width costs steps out, too
/// large a one contractions, both little: the right one is about the width of a typical slice
/// ([`AdaptiveSlice`](super::AdaptiveSlice) finds it). Coordinates that go together make it slow, as they do
/// Gibbs sampling.
///
/// ```
/// use posterior_dist::target::FromFn;
/// use posterior_sampling::slice::Slice;
/// use posterior_sampling::{Untuned, Run, Start};
///
/// // Exponential with mean 1: no tuning at the edge.
/// let target = FromFn::new(1, |x: &[f64]| if x[0] < 0.0 { f64::NEG_INFINITY } else { -x[0] });
/// let sampled = Run::default().sample(&target, &Untuned(Slice::new(&[1.0])?), &Start::At(vec![0.5]))?;
/// let draws = sampled.draws.parameter(0).concat();
/// assert!((draws.iter().sum::<f64>() / draws.len() as f64 - 1.0).abs() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Slice {
    widths: Vec<f64>,
    expansion: Expansion,
}

/// Where a chain of [`Slice`] is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Slicer {
    position: Vec<f64>,
    ln_density: f64,
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    moved: Vec<f64>,
    /// Expansions and contractions of each coordinate in the last sweep.
    pub(super) work: Vec<(u32, u32)>,
}

impl Slice {
    /// With a width for each coordinate, stepping out without a limit.
    ///
    /// # Errors
    /// A width that is not positive and finite.
    pub fn new(widths: &[f64]) -> Result<Self, ParamError> {
        Ok(Self { widths: check_widths("Slice", widths)?, expansion: Expansion::default() })
    }

    /// With this expansion.
    ///
    /// # Errors
    /// A limit of 0.
    pub fn with_expansion(self, expansion: Expansion) -> Result<Self, ParamError> {
        Ok(Self { expansion: expansion.check()?, ..self })
    }

    /// The width of each coordinate.
    pub fn widths(&self) -> &[f64] {
        &self.widths
    }

    pub(super) const fn widths_mut(&mut self) -> &mut Vec<f64> {
        &mut self.widths
    }

    /// One coordinate of `state.moved`, which has density `ln_density`; returns its density.
    fn move_along<T: Target + ?Sized, R: Rng + ?Sized>(
        &self,
        (target, coordinate): (&T, usize),
        moved: &mut [f64],
        ln_density: f64,
        info: &mut Sliced,
        rng: &mut R,
    ) -> Result<f64, Error> {
        let (at, width) = (moved[coordinate], self.widths[coordinate]);
        let drop: f64 = Exp1.sample(rng);
        let along = |x: f64| {
            moved[coordinate] = x;
            at_proposal(target, moved)
        };
        let ln_height = ln_density - drop;
        let mut line = Line { ln_density: along, ln_height, at, width, coordinate, info: Sliced::default() };
        let drawn = line.draw(self.expansion, rng)?;
        info.add(line.info);
        let (x, ln_density) = drawn.unwrap_or((at, ln_density));
        moved[coordinate] = x;
        Ok(ln_density)
    }
}

impl State for Slicer {
    fn position(&self) -> &[f64] {
        &self.position
    }

    fn ln_density(&self) -> f64 {
        self.ln_density
    }
}

impl<T: Target + ?Sized> Transition<T> for Slice {
    type State = Slicer;
    type Info = Sliced;

    fn init(&self, target: &T, position: &[f64]) -> Result<Slicer, Error> {
        check::dimension("widths of slices", target.dim(), self.widths.len())?;
        let ln_density = at_start(target, position)?;
        let work = vec![(0, 0); position.len()];
        Ok(Slicer { position: position.to_vec(), ln_density, moved: position.to_vec(), work })
    }

    fn step<R: Rng + ?Sized>(&self, target: &T, state: &mut Slicer, rng: &mut R) -> Result<Sliced, Error> {
        let Slicer { position, ln_density, moved, work } = state;
        moved.copy_from_slice(position);
        let (mut total, mut ln_moved) = (Sliced::default(), *ln_density);
        for (coordinate, work) in work.iter_mut().enumerate() {
            let mut info = Sliced::default();
            ln_moved = self.move_along((target, coordinate), moved, ln_moved, &mut info, rng)?;
            *work = (info.expansions, info.contractions);
            total.add(info);
        }
        std::mem::swap(position, moved);
        *ln_density = ln_moved;
        Ok(total)
    }

    fn relocate(
        &self,
        target: &T,
        state: &mut Slicer,
        position: &[f64],
        ln_density: f64,
    ) -> Result<(), Error> {
        state.ln_density = at_relocation(target, position, ln_density)?;
        state.position.copy_from_slice(position);
        Ok(())
    }
}
