//! One move of a Markov chain.

use rand::Rng;

use crate::Error;

/// Where a chain is, and what it remembers about the place so as not to compute it twice; its scratch memory
/// too.
pub trait State {
    /// The point.
    fn position(&self) -> &[f64];

    /// ln p at the point, up to a constant; NaN for chains that never compute it.
    fn ln_density(&self) -> f64;
}

/// What happened in a step, as numbers that are kept beside the draws.
pub trait Info {
    /// The names of the numbers, those of ArviZ where it has one: `acceptance_rate`, `step_size`,
    /// `tree_depth`, `n_steps`, `diverging`, `energy`.
    const NAMES: &'static [&'static str];

    /// Writes the numbers, one for each name.
    fn write(&self, numbers: &mut [f64]);

    /// Takes the divergence out of the step, if it had one.
    fn take_divergence(&mut self) -> Option<DivergentTransition> {
        None
    }
}

/// A step whose integrator left the surface of constant energy: the density bends more sharply here than the
/// step size allows, and the draws may lack this region.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct DivergentTransition {
    /// The draw of its chain, the warm-up counted.
    pub iteration: usize,
    /// The last point that was still good.
    pub from: Vec<f64>,
    /// The momentum there.
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    pub momentum: Vec<f64>,
    /// The point that was not.
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    pub to: Vec<f64>,
    /// The error of the energy there, +∞ where the density is zero or has no value.
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    pub energy_error: f64,
    /// What the density said, where it had no value.
    pub reason: Option<String>,
}

/// A Markov kernel that leaves the density of a target of type `T` alone. It is tuned, and does not change
/// while it runs.
pub trait Transition<T: ?Sized> {
    /// Where the chain is.
    type State: State;
    /// What happened in a step.
    type Info: Info;

    /// A chain at this point.
    ///
    /// # Errors
    /// [`Error::Start`] where the density is zero or has no value; [`Error::Dimension`]; a target that ends
    /// the run.
    fn init(&self, target: &T, position: &[f64]) -> Result<Self::State, Error>;

    /// One step.
    ///
    /// A proposal whose density has no value
    /// ([`EvalError::Reject`](posterior_dist::target::EvalError::Reject), NaN) is refused like one of density
    /// zero, and counted.
    ///
    /// # Errors
    /// Only a target that ends the run ([`EvalError::Fatal`](posterior_dist::target::EvalError::Fatal)); the
    /// state is then where it was.
    fn step<R: Rng + ?Sized>(
        &self,
        target: &T,
        state: &mut Self::State,
        rng: &mut R,
    ) -> Result<Self::Info, Error>;

    /// Puts the chain on another point, where ln p is known (NaN: is not): for compositions of kernels, which
    /// share one point.
    ///
    /// # Errors
    /// As [`init`](Self::init); the state is then where it was.
    fn relocate(
        &self,
        target: &T,
        state: &mut Self::State,
        position: &[f64],
        ln_density: f64,
    ) -> Result<(), Error> {
        let _ = ln_density;
        *state = self.init(target, position)?;
        Ok(())
    }
}
