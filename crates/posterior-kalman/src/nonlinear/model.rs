//! A state-space model whose equations need not be linear.

use posterior_gaussian::MomentGaussian;
use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{DMatrix, DVector};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::Map;
use crate::{Error, Initial, Matrices, Series};

/// x(t+1) = f(x(t), t) + noise with covariance Q, y(t) = h(x(t), t) + noise with covariance R.
#[derive(Debug, Clone, PartialEq)]
pub struct NonlinearStateSpace<F, H> {
    transition: F,
    observation: H,
    /// Roots of Q, n x n.
    transition_root: Matrices,
    /// Roots of R, m x m.
    observation_root: Matrices,
    mean: DVector<f64>,
    /// n x n.
    root: DMatrix<f64>,
}

impl<F: Map, H: Map> NonlinearStateSpace<F, H> {
    /// A model with the same noise at all times: f with Q, h with R, and the start.
    ///
    /// # Errors
    /// If the sizes do not agree, a number is not finite, a covariance is not symmetric and positive
    /// semidefinite, or the start is diffuse.
    pub fn new(
        (transition, transition_noise): (F, &DMatrix<f64>),
        (observation, observation_noise): (H, &DMatrix<f64>),
        initial: &Initial,
    ) -> Result<Self, Error> {
        let transition = (transition, Matrices::constant(transition_noise));
        Self::varying(transition, (observation, Matrices::constant(observation_noise)), initial)
    }

    /// The same with noise that changes over time.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn varying(
        (transition, transition_noise): (F, Matrices),
        (observation, observation_noise): (H, Matrices),
        initial: &Initial,
    ) -> Result<Self, Error> {
        let states = initial.states();
        check::dimension("inputs of the transition", states, transition.inputs())?;
        check::dimension("outputs of the transition", states, transition.outputs())?;
        check::dimension("inputs of the observation", states, observation.inputs())?;
        check::dimension("rows of the transition noise", states, transition_noise.rows())?;
        check::dimension("rows of the observation noise", observation.outputs(), observation_noise.rows())?;
        if initial.is_diffuse() {
            let directions = initial.diffuse_directions().ncols() as f64;
            let requirement = "0: where nothing is known, no line is near the function";
            return Err(ParamError::new(
                "NonlinearStateSpace",
                "diffuse directions",
                directions,
                requirement,
            )
            .into());
        }
        Ok(Self {
            transition,
            observation,
            transition_root: transition_noise.try_map(root)?,
            observation_root: observation_noise.try_map(root)?,
            mean: initial.distribution().mean().clone(),
            root: root(initial.distribution().covariance())?,
        })
    }

    /// The number n of states.
    pub fn states(&self) -> usize {
        self.mean.len()
    }

    /// The number m of outputs.
    pub fn width(&self) -> usize {
        self.observation.outputs()
    }

    /// The transition function f.
    pub const fn transition(&self) -> &F {
        &self.transition
    }

    /// The observation function h.
    pub const fn observation(&self) -> &H {
        &self.observation
    }

    /// The longest series it speaks of; `None` if any.
    pub fn times(&self) -> Option<usize> {
        let steps = [self.transition.times(), self.transition_root.times()];
        let seen = [self.observation.times(), self.observation_root.times()];
        steps.map(|steps| steps.map(|steps| steps + 1)).into_iter().chain(seen).flatten().min()
    }

    /// Draws the states and what is seen of them, `length` rows each.
    ///
    /// # Errors
    /// If the model does not reach so far, or a function is not finite at a state that was drawn.
    pub fn simulate<R: Rng + ?Sized>(
        &self,
        length: usize,
        rng: &mut R,
    ) -> Result<(DMatrix<f64>, Series), Error> {
        self.reaches(length)?;
        let (n, m) = (self.states(), self.width());
        let (mut states, mut seen) = (DMatrix::zeros(length, n), DMatrix::zeros(length, m));
        let mut noise =
            |root: &DMatrix<f64>| root * DVector::from_fn(root.ncols(), |_, _| StandardNormal.sample(rng));
        let mut x = &self.mean + noise(&self.root);
        for t in 0..length {
            if t > 0 {
                let mut next = DVector::zeros(n);
                self.transition.evaluate(t - 1, x.as_slice(), next.as_mut_slice());
                x = next + noise(&self.transition_root.matrix(t - 1));
            }
            let mut y = DVector::zeros(m);
            self.observation.evaluate(t, x.as_slice(), y.as_mut_slice());
            y += noise(&self.observation_root.matrix(t));
            for (what, values) in [("transition", &x), ("observation", &y)] {
                if !values.iter().all(|value| value.is_finite()) {
                    return Err(Error::Undefined { what, time: t });
                }
            }
            states.set_row(t, &x.transpose());
            seen.set_row(t, &y.transpose());
        }
        Ok((states, Series::new(&seen)?))
    }

    /// Mean and root of the covariance of the first state.
    pub(crate) const fn start(&self) -> (&DVector<f64>, &DMatrix<f64>) {
        (&self.mean, &self.root)
    }

    /// F with Q = F Fᵀ, at time `t`.
    pub(crate) fn transition_root(&self, t: usize) -> DMatrix<f64> {
        self.transition_root.matrix(t)
    }

    /// F with R = F Fᵀ, at time `t`.
    pub(crate) fn observation_root(&self, t: usize) -> DMatrix<f64> {
        self.observation_root.matrix(t)
    }

    /// Whether it speaks of such a series.
    pub(crate) fn check(&self, series: &Series) -> Result<(), Error> {
        check::dimension("components of an observation", self.width(), series.width())?;
        self.reaches(series.len())
    }

    /// Whether it speaks of series that long.
    pub(super) fn reaches(&self, length: usize) -> Result<(), Error> {
        Ok(check::enough("times of the model", length, self.times().unwrap_or(usize::MAX))?)
    }
}

/// A square root of a covariance.
fn root(covariance: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
    let distribution = MomentGaussian::new(&vec![0.0; covariance.nrows()], covariance)?;
    Ok(distribution.root()?.resize_horizontally(covariance.nrows(), 0.0))
}
