//! What is known about the state at the first observation, before it is made.

use posterior_gaussian::MomentGaussian;
use posterior_math::check;
use posterior_math::linalg::DMatrix;

use crate::Error;
#[cfg(feature = "serde")]
use crate::Matrices;

/// The distribution of the state at the time of the first observation, before that observation.
///
/// Along the columns of a matrix D it may be diffuse: mean and covariance are those of x = μ + D β + ξ, where
/// ξ has the given covariance and the variance of β is infinite. The likelihood is then that of Durbin and
/// Koopman, which leaves out what the first observations spend on β.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Written", into = "Written"))]
pub struct Initial {
    distribution: MomentGaussian,
    /// n x k.
    diffuse: DMatrix<f64>,
}

/// As it stands in a file.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    mean: Vec<f64>,
    covariance: Matrices,
    diffuse: Matrices,
}

#[cfg(feature = "serde")]
impl From<Initial> for Written {
    fn from(initial: Initial) -> Self {
        Self {
            mean: initial.distribution.mean().as_slice().to_vec(),
            covariance: Matrices::constant(initial.distribution.covariance()),
            diffuse: Matrices::constant(&initial.diffuse),
        }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Written> for Initial {
    type Error = Error;

    fn try_from(Written { mean, covariance, diffuse }: Written) -> Result<Self, Error> {
        for (what, matrices) in
            [("covariances of a start", &covariance), ("diffuse parts of a start", &diffuse)]
        {
            if let Some(found) = matrices.times() {
                return Err(check::DimensionError::new(what, 1, found).into());
            }
        }
        Self::known(&mean, &covariance.matrix(0))?.with_diffuse(&diffuse.matrix(0))
    }
}

impl Initial {
    /// Mean and covariance, which may be singular.
    ///
    /// # Errors
    /// If the sizes do not agree, a number is not finite, or the covariance is not symmetric and positive
    /// semidefinite.
    pub fn known(mean: &[f64], covariance: &DMatrix<f64>) -> Result<Self, Error> {
        let distribution = MomentGaussian::new(mean, covariance)?;
        Ok(Self { distribution, diffuse: DMatrix::zeros(mean.len(), 0) })
    }

    /// Nothing is known about any of the n states.
    ///
    /// # Errors
    /// If n is too large for memory's arithmetic; never in practice.
    pub fn diffuse(states: usize) -> Result<Self, Error> {
        Self::known(&vec![0.0; states], &DMatrix::zeros(states, states))?
            .with_diffuse(&DMatrix::identity(states, states))
    }

    /// The same, diffuse along the columns of `directions` (n x k).
    ///
    /// # Errors
    /// If it has not n rows, or a number is not finite.
    pub fn with_diffuse(self, directions: &DMatrix<f64>) -> Result<Self, Error> {
        check::dimension("rows of the diffuse directions", self.states(), directions.nrows())?;
        if !directions.iter().all(|entry| entry.is_finite()) {
            return Err(posterior_math::linalg::MatrixError::NotFinite.into());
        }
        Ok(Self { diffuse: directions.clone(), ..self })
    }

    /// The number n of states.
    pub fn states(&self) -> usize {
        self.distribution.dimension()
    }

    /// The distribution along all that is not diffuse.
    pub const fn distribution(&self) -> &MomentGaussian {
        &self.distribution
    }

    /// The directions along which nothing is known, as columns.
    pub const fn diffuse_directions(&self) -> &DMatrix<f64> {
        &self.diffuse
    }

    /// Whether something is diffuse.
    pub fn is_diffuse(&self) -> bool {
        self.diffuse.ncols() > 0
    }
}
