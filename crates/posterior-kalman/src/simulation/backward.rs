//! Forward filtering, backward sampling.

use posterior_gaussian::MomentGaussian;
use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};
use rand::Rng;
use rand::distr::Distribution;
use rand_distr::StandardNormal;

use super::given_next::GivenNext;
use crate::{Error, Filtered, StateSpace};

/// Draws the states given all observations, the last first: x(T-1) from what the filter found, then x(t)
/// given x(t+1) and the observations up to t.
///
/// A draw is a row for each time. Preparing costs as much as a smoother; a draw O(T n²).
///
/// # References
/// C. K. Carter, R. Kohn, On Gibbs sampling for state space models, Biometrika 81, 1994. S.
/// Frühwirth-Schnatter, Data augmentation and dynamic linear models, Journal of Time Series Analysis
/// 15, 1994.
#[derive(Debug, Clone)]
pub struct BackwardSampler {
    states: usize,
    /// The last time first.
    steps: Vec<Step>,
}

/// x(t) = offset + G x(t+1) + F e; at the last time without the second term.
#[derive(Debug, Clone)]
struct Step {
    offset: DVector<f64>,
    gain: DMatrix<f64>,
    root: DMatrix<f64>,
}

impl BackwardSampler {
    /// From what a filter found.
    ///
    /// # Errors
    /// If `model` is not of the same size and length, or something is still diffuse after one of the
    /// observations (as [`Error::Undetermined`]), as the slope of a trend is after the first:
    /// [`DisturbanceSampler`](super::DisturbanceSampler) takes it.
    pub fn new(model: &StateSpace, filtered: &Filtered) -> Result<Self, Error> {
        let (n, length) = (model.states(), filtered.len());
        check::dimension("states of the model", filtered.states(), n)?;
        check::enough("times of the model", length, model.times().unwrap_or(usize::MAX))?;
        if (0..filtered.diffuse_times()).any(|t| filtered.diffuse_directions(t).ncols() > 0) {
            return Err(Error::Undetermined);
        }
        let mut steps = Vec::with_capacity(length);
        let transition = model.transition();
        for t in (0..length).rev() {
            let distribution = MomentGaussian::new(filtered.mean(t), &filtered.covariance(t))?;
            let root = distribution.root()?;
            if t + 1 == length {
                let gain = DMatrix::zeros(n, 0);
                steps.push(Step { offset: distribution.into_parts().0, gain, root });
                continue;
            }
            let (matrix, noise) = (transition.matrix().matrix(t), transition.noise_root().matrix(t));
            let given = GivenNext::new(&matrix, &root, &noise)?;
            let ahead = &matrix * distribution.mean() + DVector::from_column_slice(transition.offset().at(t));
            let offset = distribution.mean() - &given.gain * ahead;
            steps.push(Step { offset, gain: given.gain, root: given.root });
        }
        Ok(Self { states: n, steps })
    }
}

impl Distribution<DMatrix<f64>> for BackwardSampler {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> DMatrix<f64> {
        let length = self.steps.len();
        let mut path = DMatrix::zeros(length, self.states);
        let mut next = DVector::zeros(0);
        for (back, step) in self.steps.iter().enumerate() {
            let noise = DVector::from_fn(step.root.ncols(), |_, _| StandardNormal.sample(rng));
            let mut state = &step.offset + &step.root * noise;
            if back > 0 {
                state += &step.gain * next;
            }
            path.row_mut(length - 1 - back).copy_from(&state.transpose());
            next = state;
        }
        path
    }
}
