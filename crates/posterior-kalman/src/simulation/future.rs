//! Paths of what will be seen.

use posterior_gaussian::GaussianSampler;
use posterior_math::linalg::{DMatrix, DVector};
use rand::Rng;
use rand::distr::Distribution;

use super::forward::{Path, standard};
use crate::forecast::last_state;
use crate::{Error, Filtered, StateSpace};

/// Draws states and observations after the last time of a series, jointly over the times: for sums, largest
/// values and first passages, of which the [forecast](crate::forecast()) of each time says nothing.
///
/// ```
/// use posterior_kalman::simulation::ForecastSampler;
/// use posterior_kalman::{FilterOptions, Initial, ObservationEquation, Series, StateSpace, TransitionEquation, filter};
/// use posterior_math::linalg::DMatrix;
/// use rand::distr::Distribution;
///
/// let scalar = |value| DMatrix::from_element(1, 1, value);
/// let model = StateSpace::new(
///     TransitionEquation::constant(&scalar(1.0), &scalar(1.0))?,
///     ObservationEquation::constant(&scalar(1.0), &scalar(0.25))?,
///     Initial::diffuse(1)?,
/// )?;
/// let filtered = filter(&model, &Series::univariate(&[2.0])?, &FilterOptions::default())?;
/// let sampler = ForecastSampler::new(&model, &filtered, 12)?;
/// let mut rng = posterior_dist::stream::stream(1, &[]);
/// // How probable it is that some of the next twelve is below zero.
/// let below = (0..1000).filter(|_| sampler.sample(&mut rng).observations.min() < 0.0).count();
/// assert!((400..700).contains(&below));
/// # Ok::<(), posterior_kalman::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ForecastSampler {
    model: StateSpace,
    /// Of the state at the last time; of the first if there is none.
    start: GaussianSampler,
    length: usize,
    horizon: usize,
}

/// States and observations that may come, a row for each time.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FuturePath {
    /// The states.
    pub states: DMatrix<f64>,
    /// What is seen of them; infinite beyond the range of f64.
    pub observations: DMatrix<f64>,
}

impl ForecastSampler {
    /// For the next `horizon` times.
    ///
    /// # Errors
    /// As [`forecast`](crate::forecast()).
    pub fn new(model: &StateSpace, filtered: &Filtered, horizon: usize) -> Result<Self, Error> {
        let start = last_state(model, filtered, horizon)?.sampler()?;
        Ok(Self { model: model.clone(), start, length: filtered.len(), horizon })
    }
}

impl Distribution<FuturePath> for ForecastSampler {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> FuturePath {
        let first = DVector::from_vec(self.start.sample(rng));
        let times = self.length..self.length + self.horizon;
        let path = Path::follow(&self.model, times, first, standard(rng));
        FuturePath { states: path.states.transpose(), observations: path.observations.transpose() }
    }
}
