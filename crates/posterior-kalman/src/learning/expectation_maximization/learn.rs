//! What EM learns, and what stays.

use posterior_math::check;
use posterior_math::linalg::DMatrix;

use crate::{Error, Matrices, StateSpace};

/// Whether a part of a model is fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// It stays.
    Fixed,
    /// It is fitted.
    Learned,
}

/// Whether a covariance is fitted, and of which shape it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CovarianceShape {
    /// It stays.
    Fixed,
    /// Any covariance.
    Full,
    /// Independent components.
    Diagonal,
}

impl CovarianceShape {
    pub(super) fn applied(self, covariance: DMatrix<f64>) -> DMatrix<f64> {
        match self {
            Self::Diagonal => DMatrix::from_diagonal(&covariance.diagonal()),
            _ => covariance,
        }
    }
}

/// What EM learns, and what stays. By default both noises, of any shape.
///
/// ```
/// use posterior_kalman::learning::{CovarianceShape, Learn, Part};
///
/// let learn = Learn {
///     transition_matrix: Part::Learned,
///     observation_noise: CovarianceShape::Diagonal,
///     ..Learn::default()
/// };
/// assert_eq!(learn.observation_matrix, Part::Fixed);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Learn {
    /// The transition matrix A.
    pub transition_matrix: Part,
    /// The transition's offset b.
    pub transition_offset: Part,
    /// The transition's noise covariance Q.
    pub transition_noise: CovarianceShape,
    /// The observation matrix H.
    pub observation_matrix: Part,
    /// The observation's offset d.
    pub observation_offset: Part,
    /// The observation's noise covariance R.
    pub observation_noise: CovarianceShape,
    /// The mean at the start.
    pub initial_mean: Part,
    /// The covariance at the start. With the mean, and of one series, it goes to zero.
    pub initial_covariance: CovarianceShape,
}

impl Default for Learn {
    fn default() -> Self {
        Self {
            transition_noise: CovarianceShape::Full,
            observation_noise: CovarianceShape::Full,
            ..Self::nothing()
        }
    }
}

impl Learn {
    /// Everything stays.
    pub const fn nothing() -> Self {
        Self {
            transition_matrix: Part::Fixed,
            transition_offset: Part::Fixed,
            transition_noise: CovarianceShape::Fixed,
            observation_matrix: Part::Fixed,
            observation_offset: Part::Fixed,
            observation_noise: CovarianceShape::Fixed,
            initial_mean: Part::Fixed,
            initial_covariance: CovarianceShape::Fixed,
        }
    }

    /// Whether something of A, b, Q is fitted.
    pub(super) fn transition(self) -> bool {
        [self.transition_matrix, self.transition_offset].contains(&Part::Learned)
            || self.transition_noise != CovarianceShape::Fixed
    }

    /// Whether something of H, d, R is fitted.
    pub(super) fn observation(self) -> bool {
        [self.observation_matrix, self.observation_offset].contains(&Part::Learned)
            || self.observation_noise != CovarianceShape::Fixed
    }

    /// Whether something of the start is fitted.
    pub(super) fn initial(self) -> bool {
        self.initial_mean == Part::Learned || self.initial_covariance != CovarianceShape::Fixed
    }

    /// Whether all that is to be fitted is the same at all times.
    pub(super) fn check(self, model: &StateSpace) -> Result<(), Error> {
        let same = |learned: bool, name: &'static str, matrices: &Matrices| {
            let kinds = matrices.distinct();
            check::require(!learned || kinds <= 1, "Learn", name, kinds as f64, "one for all times")
        };
        let (transition, observation) = (model.transition(), model.observation());
        same(self.transition_matrix == Part::Learned, "A", transition.matrix())?;
        same(self.transition_offset == Part::Learned, "b", transition.offset())?;
        same(self.transition(), "Q", transition.noise())?;
        same(self.observation_matrix == Part::Learned, "H", observation.matrix())?;
        same(self.observation_offset == Part::Learned, "d", observation.offset())?;
        same(self.observation(), "R", observation.noise())?;
        let diffuse = model.initial().diffuse_directions().ncols();
        let proper = !self.initial() || diffuse == 0;
        check::require(proper, "Learn", "diffuse directions of the start", diffuse as f64, "none")?;
        Ok(())
    }
}
