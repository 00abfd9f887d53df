//! What would be seen without noise.

use posterior_math::linalg::DMatrix;

use crate::StateSpace;

/// The distribution of H x + d at one time: of what is seen, without its noise.
///
/// ```
/// use posterior_kalman::{FilterOptions, Initial, ObservationEquation, Series, StateSpace, TransitionEquation, filter};
/// use posterior_math::linalg::DMatrix;
///
/// let scalar = |value| DMatrix::from_element(1, 1, value);
/// let model = StateSpace::new(
///     TransitionEquation::constant(&scalar(1.0), &scalar(1.0))?,
///     ObservationEquation::constant(&scalar(2.0), &scalar(0.25))?,
///     Initial::known(&[0.0], &scalar(1.0))?,
/// )?;
/// let smoothed = filter(&model, &Series::univariate(&[1.0])?, &FilterOptions::default())?.smooth(&model)?;
/// let signal = smoothed.signal(&model, 0)?;
/// assert!((signal.mean[0] - 16.0 / 17.0).abs() < 1e-15);
/// assert!((signal.variance(0) - 4.0 / 17.0).abs() < 1e-15);
/// # Ok::<(), posterior_kalman::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Signal {
    /// Its m means.
    pub mean: Vec<f64>,
    /// Their covariance, m x m.
    pub covariance: DMatrix<f64>,
}

impl Signal {
    /// From the mean of the state, and what makes H P Hᵀ of H.
    pub(crate) fn of(
        model: &StateSpace,
        t: usize,
        mean: &[f64],
        covariance: impl FnOnce(&DMatrix<f64>) -> DMatrix<f64>,
    ) -> Self {
        let equation = model.observation();
        let matrix = equation.matrix().matrix(t);
        let mut signal = equation.offset().at(t).to_vec();
        for (i, entry) in signal.iter_mut().enumerate() {
            for (k, state) in mean.iter().enumerate() {
                *entry += matrix[(i, k)] * state;
            }
        }
        Self { mean: signal, covariance: covariance(&matrix) }
    }

    /// The variance of a component; never negative.
    ///
    /// # Panics
    /// If there is no such component.
    #[track_caller]
    pub fn variance(&self, component: usize) -> f64 {
        self.covariance[(component, component)].max(0.0)
    }
}
