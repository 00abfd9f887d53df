//! The order in which blocks are drawn.

use posterior_dist::choose;
use posterior_dist::target::{EvalError, Target};
use posterior_math::check::{self, ParamError};
use rand::{Rng, RngExt};

use super::Conditionals;
use crate::evaluation::check_start;
use crate::{Error, Info, State, Transition};

/// Which blocks a step draws.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Scan {
    /// All, in their order. Leaves the distribution alone, but is not reversible.
    Systematic,
    /// All in their order, then all in the opposite one: reversible.
    Symmetric,
    /// One, with these probabilities: reversible.
    Random(Vec<f64>),
}

/// Gibbs sampling of a target with [`Conditionals`]. It needs no density, and `lp` is NaN.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Gibbs {
    scan: Scan,
}

/// Where a chain of [`Gibbs`] is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Visitor {
    position: Vec<f64>,
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    moved: Vec<f64>,
}

/// A step of [`Gibbs`], which has nothing to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swept;

impl Gibbs {
    /// Steps that draw all blocks in their order.
    pub const fn systematic() -> Self {
        Self { scan: Scan::Systematic }
    }

    /// Steps that draw all blocks in their order, and in the opposite one.
    pub const fn symmetric() -> Self {
        Self { scan: Scan::Symmetric }
    }

    /// Steps that draw one block, with these probabilities.
    ///
    /// # Errors
    /// One that is not positive (the block would never be drawn), or a sum other than 1 (to 1e-9).
    pub fn random(probabilities: &[f64]) -> Result<Self, ParamError> {
        for (i, &p) in probabilities.iter().enumerate() {
            let legal = p > 0.0 && p <= 1.0;
            check::require(legal, "Gibbs", "probabilities", p, "positive and at most 1")
                .map_err(|error| error.at(i))?;
        }
        let sum: f64 = probabilities.iter().sum();
        check::require((sum - 1.0).abs() < 1e-9, "Gibbs", "sum of probabilities", sum, "1")?;
        Ok(Self { scan: Scan::Random(probabilities.to_vec()) })
    }

    /// The scan.
    pub const fn scan(&self) -> &Scan {
        &self.scan
    }
}

impl State for Visitor {
    fn position(&self) -> &[f64] {
        &self.position
    }

    fn ln_density(&self) -> f64 {
        f64::NAN
    }
}

impl Info for Swept {
    const NAMES: &'static [&'static str] = &[];

    fn write(&self, _: &mut [f64]) {}
}

impl<T: Target + Conditionals + ?Sized> Transition<T> for Gibbs {
    type State = Visitor;
    type Info = Swept;

    fn init(&self, target: &T, position: &[f64]) -> Result<Visitor, Error> {
        check_start(position, target.dim())?;
        let blocks = target.blocks();
        check::require(blocks > 0, "Gibbs", "number of blocks", blocks as f64, "positive")?;
        if let Scan::Random(probabilities) = &self.scan {
            check::dimension("probabilities of blocks", blocks, probabilities.len())?;
        }
        Ok(Visitor { position: position.to_vec(), moved: position.to_vec() })
    }

    fn step<R: Rng + ?Sized>(&self, target: &T, state: &mut Visitor, rng: &mut R) -> Result<Swept, Error> {
        let Visitor { position, moved } = state;
        moved.copy_from_slice(position);
        match &self.scan {
            Scan::Systematic => {
                (0..target.blocks()).try_for_each(|block| target.draw_block(block, moved, rng))?;
            }
            Scan::Symmetric => {
                let there = 0..target.blocks();
                let back = there.clone().rev();
                there.chain(back).try_for_each(|block| target.draw_block(block, moved, rng))?;
            }
            Scan::Random(probabilities) => {
                let block = choose(probabilities, rng.random()).unwrap_or_default();
                target.draw_block(block, moved, rng)?;
            }
        }
        if let Some(i) = moved.iter().position(|x| !x.is_finite()) {
            let why = format!("the conditional distribution of coordinate {i} gave {}", moved[i]);
            return Err(EvalError::fatal(why).into());
        }
        std::mem::swap(position, moved);
        Ok(Swept)
    }

    fn relocate(
        &self,
        _target: &T,
        state: &mut Visitor,
        position: &[f64],
        _ln_density: f64,
    ) -> Result<(), Error> {
        state.position.copy_from_slice(position);
        Ok(())
    }
}
