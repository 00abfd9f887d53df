//! The Metropolis-adjusted Langevin algorithm: normal steps that are pushed uphill.

use posterior_dist::target::GradTarget;
use posterior_math::check::{self, ParamError};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{Proposed, StepShape, accept};
use crate::evaluation::{at_proposal_grad, at_start_grad};
use crate::{Error, State, Transition};

/// Normal steps with mean ½ε² M ∇ln p(x) and covariance ε² M, M = L Lᵀ, accepted or not: MALA.
///
/// A step costs one gradient, and d² operations where L is dense. The best ε is near 1.65 d^(-1/6) for a
/// standard normal distribution, where 0.574 of the proposals are accepted (Roberts & Rosenthal, J. R. Stat.
/// Soc. B 60, 1998). It is HMC with a single step.
///
/// The way back is measured in white noise: with u = Lᵀ ∇ln p(x) and the noise z, the noise of the way back
/// is z′ = -(z + ½ε(u + u′)), and ln q(x | x′) - ln q(x′ | x) = ½(|z|² - |z′|²); no system is solved.
///
/// # References
/// G. O. Roberts, R. L. Tweedie, Exponential convergence of Langevin distributions and their discrete
/// approximations, Bernoulli 2 (1996).
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Langevin {
    step: f64,
    shape: StepShape,
}

/// Where a chain of [`Langevin`] is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Drifter {
    here: Place,
    there: Place,
    noise: Vec<f64>,
    /// Lᵀ times the gradient here, and there.
    drift: Vec<f64>,
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    back: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Place {
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    position: Vec<f64>,
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    gradient: Vec<f64>,
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    ln_density: f64,
}

impl Langevin {
    /// With this step size ε and M = I.
    ///
    /// # Errors
    /// If it is not positive and finite.
    pub fn new(step: f64) -> Result<Self, ParamError> {
        Ok(Self { step: check::positive("Langevin", "step", step)?, shape: StepShape::identity() })
    }

    /// With this L.
    #[must_use]
    pub fn with_shape(self, shape: StepShape) -> Self {
        Self { shape, ..self }
    }

    /// The step size ε.
    pub const fn step_size(&self) -> f64 {
        self.step
    }

    /// The factor L of the proposal's covariance.
    pub const fn shape(&self) -> &StepShape {
        &self.shape
    }

    pub(super) const fn parts(&mut self) -> (&mut f64, &mut StepShape) {
        (&mut self.step, &mut self.shape)
    }

    /// Writes the proposal.
    fn propose<R: Rng + ?Sized>(&self, state: &mut Drifter, rng: &mut R) {
        let Drifter { here, there, noise, drift, .. } = state;
        noise.fill_with(|| StandardNormal.sample(rng));
        drift.copy_from_slice(&here.gradient);
        self.shape.apply_transpose(drift);
        let half = 0.5 * self.step;
        let white = noise.iter().zip(&*drift).map(|(z, u)| self.step * (z + half * u));
        there.position.iter_mut().zip(white).for_each(|(to, white)| *to = white);
        self.shape.apply(&mut there.position);
        there.position.iter_mut().zip(&here.position).for_each(|(to, from)| *to += from);
    }

    /// ln q(x | x′) - ln q(x′ | x), from the gradients at both.
    fn ln_proposal_ratio(&self, state: &mut Drifter) -> f64 {
        let Drifter { there, noise, drift, back, .. } = state;
        let half = 0.5 * self.step;
        back.copy_from_slice(&there.gradient);
        self.shape.apply_transpose(back);
        let squares = noise.iter().zip(&*drift).zip(&*back).map(|((z, u), v)| {
            let reverse = z + half * (u + v);
            (z - reverse) * (z + reverse)
        });
        0.5 * squares.sum::<f64>()
    }
}

impl Drifter {
    fn at<T: GradTarget + ?Sized>(target: &T, position: &[f64]) -> Result<Self, Error> {
        let mut gradient = vec![0.0; position.len()];
        let ln_density = at_start_grad(target, position, &mut gradient)?;
        let here = Place { position: position.to_vec(), gradient, ln_density };
        let zeros = vec![0.0; position.len()];
        Ok(Self { there: here.clone(), here, noise: zeros.clone(), drift: zeros.clone(), back: zeros })
    }
}

impl State for Drifter {
    fn position(&self) -> &[f64] {
        &self.here.position
    }

    fn ln_density(&self) -> f64 {
        self.here.ln_density
    }
}

impl<T: GradTarget + ?Sized> Transition<T> for Langevin {
    type State = Drifter;
    type Info = Proposed;

    fn init(&self, target: &T, position: &[f64]) -> Result<Drifter, Error> {
        self.shape.check_dim(target.dim())?;
        Drifter::at(target, position)
    }

    fn step<R: Rng + ?Sized>(&self, target: &T, state: &mut Drifter, rng: &mut R) -> Result<Proposed, Error> {
        self.propose(state, rng);
        let there = &mut state.there;
        there.ln_density = at_proposal_grad(target, &there.position, &mut there.gradient)?;
        let no_value = there.ln_density.is_nan();
        let ln_ratio = if there.ln_density.is_finite() {
            state.there.ln_density - state.here.ln_density + self.ln_proposal_ratio(state)
        } else {
            f64::NEG_INFINITY
        };
        let (acceptance_rate, accepted) = accept(ln_ratio, rng);
        if accepted {
            std::mem::swap(&mut state.here, &mut state.there);
        }
        Ok(Proposed { acceptance_rate, accepted, no_value })
    }
}
