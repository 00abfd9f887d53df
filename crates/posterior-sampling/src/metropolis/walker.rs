//! Where a chain of Metropolis and Hastings is, and its step.

use posterior_dist::target::Target;
use rand::Rng;

use super::accept;
use crate::evaluation::{at_proposal, at_relocation, at_start};
use crate::{Error, Info, State};

/// Where a chain of Metropolis and Hastings is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Walker {
    position: Vec<f64>,
    ln_density: f64,
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    proposal: Vec<f64>,
}

/// A step of Metropolis and Hastings.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Proposed {
    /// min(1, a).
    pub acceptance_rate: f64,
    /// Whether the chain moved.
    pub accepted: bool,
    /// Whether the density had no value at the proposal.
    pub no_value: bool,
}

impl Walker {
    pub(super) fn at<T: Target + ?Sized>(target: &T, position: &[f64]) -> Result<Self, Error> {
        let ln_density = at_start(target, position)?;
        Ok(Self { position: position.to_vec(), ln_density, proposal: position.to_vec() })
    }

    /// Puts the chain at another point, where ln p is known or NaN.
    pub(super) fn relocate<T: Target + ?Sized>(
        &mut self,
        target: &T,
        position: &[f64],
        ln_density: f64,
    ) -> Result<(), Error> {
        self.ln_density = at_relocation(target, position, ln_density)?;
        self.position.copy_from_slice(position);
        Ok(())
    }

    /// Proposes by `propose`, which writes x′ and returns ln q(x | x′) - ln q(x′ | x); then accepts or stays.
    pub(super) fn step<T: Target + ?Sized, R: Rng + ?Sized>(
        &mut self,
        target: &T,
        rng: &mut R,
        propose: impl FnOnce(&[f64], &mut [f64], &mut R) -> f64,
    ) -> Result<Proposed, Error> {
        let ln_proposal_ratio = propose(&self.position, &mut self.proposal, rng);
        let ln_density = at_proposal(target, &self.proposal)?;
        let (acceptance_rate, accepted) = accept(ln_density - self.ln_density + ln_proposal_ratio, rng);
        if accepted {
            std::mem::swap(&mut self.position, &mut self.proposal);
            self.ln_density = ln_density;
        }
        Ok(Proposed { acceptance_rate, accepted, no_value: ln_density.is_nan() })
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
    const NAMES: &'static [&'static str] = &["acceptance_rate", "accepted", "no_value"];

    fn write(&self, numbers: &mut [f64]) {
        let flag = |yes: bool| f64::from(u8::from(yes));
        numbers.copy_from_slice(&[self.acceptance_rate, flag(self.accepted), flag(self.no_value)]);
    }
}
