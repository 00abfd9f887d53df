//! The random walk of Metropolis: a normal step, accepted with probability min(1, p(x′)/p(x)).

use posterior_dist::target::{EvalError, Target};
use posterior_math::check::{self, ParamError};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, StandardNormal};

use crate::{Error, Info, State, Transition};

/// A random walk with normal steps of this standard deviation in each coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RandomWalk {
    scale: f64,
}

/// Where a random walk is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Walker {
    position: Vec<f64>,
    ln_density: f64,
    proposal: Vec<f64>,
}

/// A step of Metropolis and Hastings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proposed {
    /// min(1, a).
    pub acceptance_rate: f64,
    /// Whether the chain moved.
    pub accepted: bool,
}

impl RandomWalk {
    /// With this standard deviation.
    ///
    /// # Errors
    /// If it is not positive and finite.
    pub fn new(scale: f64) -> Result<Self, ParamError> {
        Ok(Self { scale: check::positive("RandomWalk", "scale", scale)? })
    }
}

impl State for Walker {
    fn position(&self) -> &[f64] {
        &self.position
    }

    fn ln_density(&self) -> f64 {
        self.ln_density
    }
}

impl Info for Proposed {
    const NAMES: &'static [&'static str] = &["acceptance_rate", "accepted"];

    fn write(&self, numbers: &mut [f64]) {
        numbers.copy_from_slice(&[self.acceptance_rate, f64::from(u8::from(self.accepted))]);
    }
}

impl<T: Target + ?Sized> Transition<T> for RandomWalk {
    type State = Walker;
    type Info = Proposed;

    fn init(&self, target: &T, position: &[f64]) -> Result<Walker, Error> {
        let refused = |why: String| Error::Start { position: position.to_vec(), why };
        match target.ln_density(position) {
            Ok(ln_density) if ln_density.is_finite() => {
                Ok(Walker { position: position.to_vec(), ln_density, proposal: position.to_vec() })
            }
            Ok(ln_density) => Err(refused(format!("ln p(x) is {ln_density}"))),
            Err(why @ EvalError::Fatal(_)) => Err(why.into()),
            Err(why) => Err(refused(why.to_string())),
        }
    }

    fn step<R: Rng + ?Sized>(&self, target: &T, state: &mut Walker, rng: &mut R) -> Result<Proposed, Error> {
        for (proposed, x) in state.proposal.iter_mut().zip(&state.position) {
            let step: f64 = StandardNormal.sample(rng);
            *proposed = x + self.scale * step;
        }
        let ln_density = match target.ln_density(&state.proposal) {
            Ok(ln_density) => ln_density,
            Err(why) if why.is_fatal() => return Err(why.into()),
            Err(_) => f64::NEG_INFINITY,
        };
        let ratio = (ln_density - state.ln_density).exp();
        let acceptance_rate = if ratio.is_nan() { 0.0 } else { ratio.min(1.0) };
        let accepted = rng.random::<f64>() < acceptance_rate;
        if accepted {
            std::mem::swap(&mut state.position, &mut state.proposal);
            state.ln_density = ln_density;
        }
        Ok(Proposed { acceptance_rate, accepted })
    }
}
