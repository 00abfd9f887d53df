//! Matrices of a model by EM.

mod learn;
mod regression;

pub use learn::{CovarianceShape, Learn, Part};

use posterior_inference::em::{self, EmOptions, Expected};
use posterior_math::iteration::{Fitted, Observer};
use posterior_math::linalg::{DMatrix, DVector, symmetrize};
use regression::{Regression, posterior_moment};

use super::score::{outer, score_seeing};
use crate::{Error, Initial, Matrices, ObservationEquation, Series, StateSpace, TransitionEquation};

/// Fits the parts of a model that `learn` names to independent series, from the values that they have in
/// `start`.
///
/// The E step is one pass of the disturbance smoother: with the score G of ln p(y), the expected squares of
/// the noise at T steps are T Q + 2 Q G Q, so that no covariance is inverted, noise may be singular, and
/// small noise keeps its digits. Missing components are completed by what is expected of them. ln p(y) never
/// falls; it rises slowly where there is little noise in the states, and [`maximize`](super::fit()) is
/// then faster.
///
/// # Errors
/// If a series does not fit the model, a part is to be fitted that is not the same at all times (with a
/// matrix or an offset, the noise has to be, too), or the start is to be fitted where it is diffuse; if the
/// states are expected to be linearly dependent, so that a matrix is not determined.
///
/// # References
/// R. H. Shumway, D. S. Stoffer, An approach to time series smoothing and forecasting using the EM algorithm,
/// Journal of Time Series Analysis 3, 1982. S. J. Koopman, Disturbance smoother for state space models,
/// Biometrika 80, 1993.
///
/// ```
/// use posterior_inference::em::EmOptions;
/// use posterior_kalman::learning::{Learn, expectation_maximization};
/// use posterior_kalman::{Initial, ObservationEquation, Series, StateSpace, TransitionEquation};
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
///
/// let scalar = |value| DMatrix::from_element(1, 1, value);
/// let start = StateSpace::new(
///     TransitionEquation::constant(&scalar(1.0), &scalar(1.0))?,
///     ObservationEquation::constant(&scalar(1.0), &scalar(1.0))?,
///     Initial::diffuse(1)?,
/// )?;
/// let series = [Series::univariate(&[1.0, 0.2, 0.9, 1.7, 0.8, 1.1, 1.9, 1.2])?];
/// let fitted = expectation_maximization(start, &series, &Learn::default(), &EmOptions::default(), &mut Silent)?;
/// assert!(fitted.report.falls.is_empty());
/// assert!(fitted.report.trace.last() > fitted.report.trace.first());
/// # Ok::<(), posterior_kalman::Error>(())
/// ```
pub fn expectation_maximization(
    start: StateSpace,
    series: &[Series],
    learn: &Learn,
    options: &EmOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<StateSpace>, Error> {
    learn.check(&start)?;
    em::expectation_maximization(&Problem { series, learn }, start, options, observer)
}

/// Series, and what is to be learned from them.
struct Problem<'a> {
    series: &'a [Series],
    learn: &'a Learn,
}

/// The expected sums that the M step needs.
struct Sums {
    transition: Regression,
    observation: Regression,
    /// Of the first states of all series: how many, the sum of x - m, and that of its squares.
    count: f64,
    departure: DVector<f64>,
    squares: DMatrix<f64>,
}

impl em::Problem for Problem<'_> {
    type Model = StateSpace;
    type Statistics = Sums;
    type Error = Error;

    fn e_step(&self, model: &StateSpace) -> Result<Expected<Sums>, Error> {
        let (n, m) = (model.states(), model.width());
        let mut sums = Sums {
            transition: Regression::new(n, n),
            observation: Regression::new(m, n),
            count: 0.0,
            departure: DVector::zeros(n),
            squares: DMatrix::zeros(n, n),
        };
        let mut ln_likelihood = 0.0;
        for series in self.series.iter().filter(|series| !series.is_empty()) {
            let (transition, observation) = (&mut sums.transition, &mut sums.observation);
            let score = score_seeing(model, series, |t, update, adjoint, directions| {
                let means = adjoint.smoothed(update);
                let within =
                    &update.covariance - &update.covariance * &adjoint.precision * &update.covariance;
                let second = outer(&means, &means, directions) + within;
                let mean = means.column(0).into_owned();
                if t + 1 < series.len() {
                    transition.see_input(&mean, &second);
                }
                if !update.there.is_empty() {
                    observation.see_input(&mean, &second);
                }
            })?;
            ln_likelihood += score.ln_likelihood;
            sums.count += 1.0;
            let covariance = model.initial().distribution().covariance();
            sums.departure += covariance * &score.initial_mean;
            sums.squares += posterior_moment(covariance, &score.initial_covariance, 1.0);
            if self.learn.transition() && series.len() > 1 {
                let noise = model.transition().noise().matrix(0);
                sums.transition.see_noise(&noise, &score.transition, (series.len() - 1) as f64);
            }
            if self.learn.observation() {
                let noise = model.observation().noise().matrix(0);
                let seen = |t: &usize| series.at(*t).iter().any(|value| !value.is_nan());
                let times = (0..series.len()).filter(seen).count();
                sums.observation.see_noise(&noise, &score.observation, times as f64);
            }
        }
        Ok(Expected::new(sums, ln_likelihood))
    }

    fn m_step(&self, sums: &Sums, previous: &StateSpace) -> Result<StateSpace, Error> {
        let learn = self.learn;
        let mut model = previous.clone();
        if learn.transition() && sums.transition.count() > 0.0 {
            let old = previous.transition();
            let parts = (learn.transition_matrix, learn.transition_offset, learn.transition_noise);
            let new = sums.transition.solve((old.matrix(), old.offset(), old.noise()), parts)?;
            let transition = TransitionEquation::varying(new.matrix, new.noise)?.with_offset(new.offset)?;
            model = StateSpace::new(transition, model.observation().clone(), model.initial().clone())?;
        }
        if learn.observation() && sums.observation.count() > 0.0 {
            let old = previous.observation();
            let parts = (learn.observation_matrix, learn.observation_offset, learn.observation_noise);
            let new = sums.observation.solve((old.matrix(), old.offset(), old.noise()), parts)?;
            let observation = ObservationEquation::varying(new.matrix, new.noise)?.with_offset(new.offset)?;
            model = StateSpace::new(model.transition().clone(), observation, model.initial().clone())?;
        }
        if learn.initial() && sums.count > 0.0 {
            let distribution = previous.initial().distribution();
            let (mut mean, mut covariance) = (distribution.mean().clone(), distribution.covariance().clone());
            let departure = &sums.departure / sums.count;
            let mut squares = &sums.squares / sums.count;
            if learn.initial_mean == Part::Learned {
                squares -= &departure * departure.transpose();
                mean += departure;
            }
            if learn.initial_covariance != CovarianceShape::Fixed {
                covariance = learn.initial_covariance.applied(squares);
            }
            symmetrize(&mut covariance);
            model = model.with_initial(Initial::known(mean.as_slice(), &covariance)?)?;
        }
        Ok(model)
    }
}

/// Matrix, offset and noise of an equation.
struct Parts {
    matrix: Matrices,
    offset: Matrices,
    noise: Matrices,
}
