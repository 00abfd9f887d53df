//! Elliptical slice sampling: a normal prior times a likelihood, without anything to tune.

use std::f64::consts::TAU;

use posterior_dist::target::Target;
use posterior_math::check::{self, ParamError};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1};

use super::Sliced;
use crate::evaluation::{at_proposal, at_relocation, at_start};
use crate::metropolis::StepShape;
use crate::{Error, State, Transition};

/// An arc of this length is a point.
const POINT: f64 = 1e-15;

/// Elliptical slice sampling of prior × likelihood, for the prior N(m, L Lᵀ). **The target is the likelihood
/// alone**, and `lp` its logarithm.
///
/// A draw ν of the prior's noise and the point lie on an ellipse m + (x - m) cos θ + ν sin θ, on which the
/// prior is uniform in θ. The arc shrinks towards the point until the likelihood is above the slice. Every
/// step moves, in any dimension, at about 2 to 10 likelihoods; it is slow where the likelihood is much
/// narrower than the prior.
///
/// # References
/// I. Murray, R. P. Adams, D. J. C. MacKay, Elliptical slice sampling, AISTATS (2010).
///
/// ```
/// use posterior_dist::target::FromFn;
/// use posterior_sampling::metropolis::StepShape;
/// use posterior_sampling::slice::Elliptical;
/// use posterior_sampling::{Untuned, Run, Start};
///
/// // Prior N(0, 1), an observation 2 with noise of variance 1: the posterior is N(1, 1/2).
/// let likelihood = FromFn::new(1, |x: &[f64]| -0.5 * (2.0 - x[0]).powi(2));
/// let sampler = Untuned(Elliptical::new(&[0.0], StepShape::identity())?);
/// let sampled = Run::default().sample(&likelihood, &sampler, &Start::default())?;
/// let draws = sampled.draws.parameter(0).concat();
/// assert!((draws.iter().sum::<f64>() / draws.len() as f64 - 1.0).abs() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Elliptical {
    mean: Vec<f64>,
    shape: StepShape,
}

/// Where a chain of [`Elliptical`] is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EllipticalState {
    position: Vec<f64>,
    ln_density: f64,
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    proposal: Vec<f64>,
    noise: Vec<f64>,
}

impl Elliptical {
    /// For the prior with this mean, and the covariance L Lᵀ of this shape.
    ///
    /// # Errors
    /// A mean that is not finite; a shape of another dimension.
    pub fn new(mean: &[f64], shape: StepShape) -> Result<Self, Error> {
        for (i, &m) in mean.iter().enumerate() {
            let finite = check::finite("Elliptical", "mean", m);
            finite.map_err(|error: ParamError| error.at(i))?;
        }
        shape.check_dim(mean.len())?;
        Ok(Self { mean: mean.to_vec(), shape })
    }
}

impl EllipticalState {
    /// Writes the point at this angle.
    fn propose(&mut self, mean: &[f64], angle: f64) {
        let (sine, cosine) = angle.sin_cos();
        let pairs = self.position.iter().zip(&self.noise).zip(mean);
        for (proposal, ((x, noise), m)) in self.proposal.iter_mut().zip(pairs) {
            *proposal = m + (x - m) * cosine + noise * sine;
        }
    }
}

impl State for EllipticalState {
    fn position(&self) -> &[f64] {
        &self.position
    }

    fn ln_density(&self) -> f64 {
        self.ln_density
    }
}

impl<T: Target + ?Sized> Transition<T> for Elliptical {
    type State = EllipticalState;
    type Info = Sliced;

    fn init(&self, target: &T, position: &[f64]) -> Result<EllipticalState, Error> {
        check::dimension("coordinates of the mean of the prior", target.dim(), self.mean.len())?;
        let ln_density = at_start(target, position)?;
        let copy = || position.to_vec();
        Ok(EllipticalState { position: copy(), ln_density, proposal: copy(), noise: copy() })
    }

    fn step<R: Rng + ?Sized>(
        &self,
        target: &T,
        state: &mut EllipticalState,
        rng: &mut R,
    ) -> Result<Sliced, Error> {
        let drop: f64 = Exp1.sample(rng);
        let (ln_height, mut info) = (state.ln_density - drop, Sliced::default());
        self.shape.draw(&mut state.noise, rng);
        let mut angle = TAU * rng.random::<f64>();
        let (mut low, mut high) = (angle - TAU, angle);
        while high - low > POINT {
            state.propose(&self.mean, angle);
            let ln_density = at_proposal(target, &state.proposal)?;
            if info.is_inside(ln_density, ln_height) {
                std::mem::swap(&mut state.position, &mut state.proposal);
                state.ln_density = ln_density;
                break;
            }
            info.contractions += 1;
            if angle < 0.0 {
                low = angle;
            } else {
                high = angle;
            }
            angle = low + rng.random::<f64>() * (high - low);
        }
        Ok(info)
    }

    fn relocate(
        &self,
        target: &T,
        state: &mut EllipticalState,
        position: &[f64],
        ln_density: f64,
    ) -> Result<(), Error> {
        state.ln_density = at_relocation(target, position, ln_density)?;
        state.position.copy_from_slice(position);
        Ok(())
    }
}
