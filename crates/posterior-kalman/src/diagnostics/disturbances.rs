//! The noises that the data suggest.

use posterior_math::linalg::{DMatrix, DVector, congruence};

use super::AuxiliaryResiduals;
use crate::disturbances::{Adjoint, Forward};
use crate::{Error, Series, StateSpace};

/// A mean, and its covariance as y varies.
type MeanWithSpread = (DVector<f64>, DMatrix<f64>);

/// The noises of a model given all observations: means, and the covariances of these means.
///
/// The mean of a noise is its covariance times the derivative of ln p(y) in the mean of what it is added to,
/// found by a backward pass, so that no digits are lost where observations say little of it; a noise given
/// the observations has what its covariance has beyond that of its mean. The start may be diffuse. O(T n³).
///
/// ```
/// use posterior_kalman::diagnostics::SmoothedDisturbances;
/// use posterior_kalman::structural::Structural;
/// use posterior_kalman::Series;
///
/// let structure: Structural = "local-level(0.1) + noise(1)".parse()?;
/// let series = Series::univariate(&[0.2, -0.3, 0.1, 7.9, 8.3, 8.1])?;
/// let noises = SmoothedDisturbances::new(&structure.state_space()?, &series)?;
/// // The level has to jump in the third step.
/// assert!(noises.of_state(2)[0] > 0.9);
/// assert!(noises.standardized().states[2][0] > 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # References
/// S. J. Koopman, Disturbance smoother for state space models, Biometrika 80, 1993; J. Durbin, S. J. Koopman,
/// Time Series Analysis by State Space Methods, 2nd ed. (2012), sections 4.5 and 5.4.
#[derive(Debug, Clone, PartialEq)]
pub struct SmoothedDisturbances {
    /// Of each time: mean, and covariance of the mean.
    observations: Vec<MeanWithSpread>,
    /// Of each step.
    states: Vec<MeanWithSpread>,
    /// Variances of the noises themselves.
    variances: [Vec<DVector<f64>>; 2],
}

/// What an adjoint, of which columns after the first are changes with the diffuse β, makes of a noise with
/// the covariance `noise`: its mean, and the covariance of its mean.
fn of_noise(
    noise: &DMatrix<f64>,
    adjoint: &DMatrix<f64>,
    precision: &DMatrix<f64>,
    root: &DMatrix<f64>,
) -> (DVector<f64>, DMatrix<f64>) {
    let open = adjoint.columns(1, adjoint.ncols() - 1) * root;
    (noise * adjoint.column(0), congruence(noise, &(precision - &open * open.transpose())))
}

impl SmoothedDisturbances {
    /// Of a series.
    ///
    /// # Errors
    /// If the series does not fit the model, an innovation has a singular covariance (of a diffuse start:
    /// given the state along what is diffuse), or numbers overflow.
    pub fn new(model: &StateSpace, series: &Series) -> Result<Self, Error> {
        let forward = Forward::new(model, series)?;
        let root = &forward.directions.root;
        let (mut observations, mut states) = (Vec::new(), Vec::new());
        let mut next: Option<Adjoint> = None;
        for (t, update) in forward.updates.iter().enumerate().rev() {
            let matrix = model.transition().matrix();
            let later = next.as_ref().map(|next| (matrix.matrix(t), next));
            if let Some((_, next)) = &later {
                let noise = model.transition().noise().matrix(t);
                states.push(of_noise(&noise, &next.state, &next.precision, root));
            }
            let own = Adjoint::before(update, later.as_ref().map(|(matrix, next)| (matrix, *next)));
            let noise = model.observation().noise().matrix(t).select_columns(&update.there);
            observations.push(of_noise(&noise, &own.observation, &own.observation_precision, root));
            next = Some(own);
        }
        observations.reverse();
        states.reverse();
        let seen = (0..series.len()).map(|t| model.observation().noise().matrix(t).diagonal()).collect();
        let moved = (0..states.len()).map(|t| model.transition().noise().matrix(t).diagonal()).collect();
        Ok(Self { observations, states, variances: [seen, moved] })
    }

    /// How many times.
    pub const fn len(&self) -> usize {
        self.observations.len()
    }

    /// Whether there is no time.
    pub const fn is_empty(&self) -> bool {
        self.observations.is_empty()
    }

    /// E[noise of the observation at time `t` | y]; of a missing component what the others say of it.
    ///
    /// # Panics
    /// At a time after the last.
    #[track_caller]
    pub fn of_observation(&self, t: usize) -> &DVector<f64> {
        &self.observations[t].0
    }

    /// E[noise of the states from time `t` to the next | y].
    ///
    /// # Panics
    /// If there is no step from there.
    #[track_caller]
    pub fn of_state(&self, t: usize) -> &DVector<f64> {
        &self.states[t].0
    }

    /// The covariance of [`of_observation`](Self::of_observation), as y varies: that of the noise less that
    /// of the noise given y.
    ///
    /// # Panics
    /// At a time after the last.
    #[track_caller]
    pub fn covariance_of_observation(&self, t: usize) -> &DMatrix<f64> {
        &self.observations[t].1
    }

    /// The covariance of [`of_state`](Self::of_state), as y varies.
    ///
    /// # Panics
    /// If there is no step from there.
    #[track_caller]
    pub fn covariance_of_state(&self, t: usize) -> &DMatrix<f64> {
        &self.states[t].1
    }

    /// The means in units of their standard deviations: outliers and breaks stand out. NaN where a noise is
    /// zero, or the observations say nothing of it.
    pub fn standardized(&self) -> AuxiliaryResiduals {
        let all = |own: &[MeanWithSpread], variances: &[DVector<f64>]| {
            let one = |((mean, covariance), variance): (&MeanWithSpread, &DVector<f64>)| {
                DVector::from_fn(mean.len(), |i, _| {
                    let explained = covariance[(i, i)];
                    if explained > 1e-12 * variance[i] { mean[i] / explained.sqrt() } else { f64::NAN }
                })
            };
            own.iter().zip(variances).map(one).collect()
        };
        AuxiliaryResiduals {
            observations: all(&self.observations, &self.variances[0]),
            states: all(&self.states, &self.variances[1]),
        }
    }
}
