//! The two equations of a model: how the state moves, and what is seen of it.

use crate::{Error, Matrices};
use posterior_gaussian::MomentGaussian;
use posterior_math::check;
use posterior_math::linalg::{DMatrix, triangularize};

/// x(t+1) = A x(t) + b + noise with covariance Q: how n numbers that are not seen move.
///
/// The matrices at time t lead from time t to time t + 1. Q may be singular.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "UncheckedTransition")
)]
pub struct TransitionEquation {
    equation: Equation,
}

/// An equation that may not lead from states to states.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct UncheckedTransition {
    equation: Equation,
}

#[cfg(feature = "serde")]
impl TryFrom<UncheckedTransition> for TransitionEquation {
    type Error = Error;

    fn try_from(UncheckedTransition { equation }: UncheckedTransition) -> Result<Self, Error> {
        check::dimension("columns of the transition", equation.matrix.rows(), equation.matrix.columns())?;
        Ok(Self { equation })
    }
}

/// y(t) = H x(t) + d + noise with covariance R: the m numbers that are seen.
///
/// R may be singular, as long as what is observed is not known beforehand.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ObservationEquation {
    equation: Equation,
}

/// A linear map with an offset and noise, at each time.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "UncheckedEquation")
)]
struct Equation {
    matrix: Matrices,
    offset: Matrices,
    noise: Matrices,
    /// F with noise = F Fᵀ, lower triangular.
    #[cfg_attr(feature = "serde", serde(skip_serializing))]
    noise_root: Matrices,
}

/// An equation as somebody wrote it.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct UncheckedEquation {
    matrix: Matrices,
    offset: Matrices,
    noise: Matrices,
}

#[cfg(feature = "serde")]
impl TryFrom<UncheckedEquation> for Equation {
    type Error = Error;

    fn try_from(UncheckedEquation { matrix, offset, noise }: UncheckedEquation) -> Result<Self, Error> {
        Self::new(matrix, noise)?.with_offset(offset)
    }
}

impl Equation {
    fn new(matrix: Matrices, noise: Matrices) -> Result<Self, Error> {
        check::dimension("rows of the noise", matrix.rows(), noise.rows())?;
        check::dimension("columns of the noise", matrix.rows(), noise.columns())?;
        finite(&matrix)?;
        let rows = noise.rows();
        let noise_root = noise.try_map_entries(|noise, root| {
            root.copy_from_slice(noise);
            if factor(rows, root) { Ok(()) } else { semidefinite_root(rows, noise, root) }
        })?;
        let each = (rows * rows).max(1);
        let noise = if noise.entries().chunks_exact(each).all(|noise| is_symmetric(rows, noise)) {
            noise
        } else {
            noise.try_map_entries(|noise, checked| {
                checked.copy_from_slice(gaussian(rows, noise)?.covariance().as_slice());
                Ok(())
            })?
        };
        let offset = Matrices::constant(&DMatrix::zeros(matrix.rows(), 1));
        Ok(Self { matrix, offset, noise, noise_root })
    }

    fn with_offset(self, offset: Matrices) -> Result<Self, Error> {
        check::dimension("rows of the offset", self.matrix.rows(), offset.rows())?;
        check::dimension("columns of the offset", 1, offset.columns())?;
        finite(&offset)?;
        Ok(Self { offset, ..self })
    }

    /// For how many times all are there; `None` if for any.
    fn times(&self) -> Option<usize> {
        [&self.matrix, &self.offset, &self.noise].into_iter().filter_map(Matrices::times).min()
    }
}

fn gaussian(n: usize, noise: &[f64]) -> Result<MomentGaussian, Error> {
    Ok(MomentGaussian::new(&vec![0.0; n], &DMatrix::from_column_slice(n, n, noise))?)
}

/// F with P = F Fᵀ, lower triangular.
pub(crate) fn lower_root(distribution: &MomentGaussian) -> Result<DMatrix<f64>, Error> {
    let n = distribution.dimension();
    Ok(triangularize(distribution.root()?.transpose()).transpose().resize(n, n, 0.0))
}

/// The root of a covariance that may be singular.
fn semidefinite_root(n: usize, noise: &[f64], root: &mut [f64]) -> Result<(), Error> {
    root.copy_from_slice(lower_root(&gaussian(n, noise)?)?.as_slice());
    Ok(())
}

fn is_symmetric(n: usize, matrix: &[f64]) -> bool {
    (0..n).all(|j| (0..j).all(|i| matrix[j * n + i] == matrix[i * n + j]))
}

/// The Cholesky factor of a symmetric matrix in place; whether it was symmetric and positive definite beyond
/// rounding.
fn factor(n: usize, matrix: &mut [f64]) -> bool {
    if !is_symmetric(n, matrix) {
        return false;
    }
    for j in 0..n {
        let before = matrix[j * n + j];
        for k in 0..j {
            let along = matrix[k * n + j];
            for i in j..n {
                matrix[j * n + i] -= matrix[k * n + i] * along;
            }
        }
        let pivot = matrix[j * n + j];
        if !(pivot > 16.0 * n as f64 * f64::EPSILON * before && pivot < f64::INFINITY) {
            return false;
        }
        let root = pivot.sqrt();
        for i in j..n {
            matrix[j * n + i] /= root;
        }
        matrix[j * n..j * n + j].fill(0.0);
    }
    matrix.iter().all(|entry| entry.is_finite())
}

fn finite(matrices: &Matrices) -> Result<(), Error> {
    if matrices.entries().iter().all(|entry| entry.is_finite()) {
        Ok(())
    } else {
        Err(posterior_math::linalg::MatrixError::NotFinite.into())
    }
}

/// u ↦ B u for each time: the offset that inputs give.
fn inputs(gain: &DMatrix<f64>, inputs: &DMatrix<f64>) -> Result<Matrices, Error> {
    check::dimension("columns of the inputs", gain.ncols(), inputs.ncols())?;
    let offsets = gain * inputs.transpose();
    Matrices::from_entries(gain.nrows(), 1, offsets.as_slice().to_vec())
}

impl TransitionEquation {
    /// The same A (n x n) and Q (n x n, positive semidefinite) for all steps; b = 0.
    ///
    /// # Errors
    /// If the sizes do not agree, a number is not finite, or Q is not symmetric and positive semidefinite.
    pub fn constant(matrix: &DMatrix<f64>, noise: &DMatrix<f64>) -> Result<Self, Error> {
        Self::varying(Matrices::constant(matrix), Matrices::constant(noise))
    }

    /// A and Q for each step.
    ///
    /// # Errors
    /// As [`constant`](Self::constant).
    pub fn varying(matrix: Matrices, noise: Matrices) -> Result<Self, Error> {
        check::dimension("columns of the transition", matrix.rows(), matrix.columns())?;
        Ok(Self { equation: Equation::new(matrix, noise)? })
    }

    /// The same with offsets b (n x 1).
    ///
    /// # Errors
    /// If the sizes do not agree, or a number is not finite.
    pub fn with_offset(self, offset: Matrices) -> Result<Self, Error> {
        Ok(Self { equation: self.equation.with_offset(offset)? })
    }

    /// The same with inputs: b(t) = B u(t), where row t of `inputs` is u(t).
    ///
    /// # Errors
    /// If the sizes do not agree, or a number is not finite.
    pub fn with_inputs(self, gain: &DMatrix<f64>, inputs: &DMatrix<f64>) -> Result<Self, Error> {
        self.with_offset(self::inputs(gain, inputs)?)
    }

    /// The number n of states.
    pub const fn states(&self) -> usize {
        self.equation.matrix.rows()
    }

    /// The transition matrix A.
    pub const fn matrix(&self) -> &Matrices {
        &self.equation.matrix
    }

    /// The offset b.
    pub const fn offset(&self) -> &Matrices {
        &self.equation.offset
    }

    /// The noise covariance Q.
    pub const fn noise(&self) -> &Matrices {
        &self.equation.noise
    }

    /// F with Q = F Fᵀ, lower triangular.
    pub const fn noise_root(&self) -> &Matrices {
        &self.equation.noise_root
    }

    /// How many steps it leads; `None` if any number.
    pub fn times(&self) -> Option<usize> {
        self.equation.times()
    }
}

impl ObservationEquation {
    /// The same H (m x n) and R (m x m, positive semidefinite) at all times; d = 0.
    ///
    /// # Errors
    /// If the sizes do not agree, a number is not finite, or R is not symmetric and positive semidefinite.
    pub fn constant(matrix: &DMatrix<f64>, noise: &DMatrix<f64>) -> Result<Self, Error> {
        Self::varying(Matrices::constant(matrix), Matrices::constant(noise))
    }

    /// H and R for each time.
    ///
    /// # Errors
    /// As [`constant`](Self::constant).
    pub fn varying(matrix: Matrices, noise: Matrices) -> Result<Self, Error> {
        Ok(Self { equation: Equation::new(matrix, noise)? })
    }

    /// The same with offsets d (m x 1).
    ///
    /// # Errors
    /// If the sizes do not agree, or a number is not finite.
    pub fn with_offset(self, offset: Matrices) -> Result<Self, Error> {
        Ok(Self { equation: self.equation.with_offset(offset)? })
    }

    /// The same with inputs: d(t) = D u(t), where row t of `inputs` is u(t).
    ///
    /// # Errors
    /// If the sizes do not agree, or a number is not finite.
    pub fn with_inputs(self, gain: &DMatrix<f64>, inputs: &DMatrix<f64>) -> Result<Self, Error> {
        self.with_offset(self::inputs(gain, inputs)?)
    }

    /// The number m of outputs.
    pub const fn width(&self) -> usize {
        self.equation.matrix.rows()
    }

    /// The number n of states.
    pub const fn states(&self) -> usize {
        self.equation.matrix.columns()
    }

    /// The observation matrix H.
    pub const fn matrix(&self) -> &Matrices {
        &self.equation.matrix
    }

    /// The offset d.
    pub const fn offset(&self) -> &Matrices {
        &self.equation.offset
    }

    /// The noise covariance R.
    pub const fn noise(&self) -> &Matrices {
        &self.equation.noise
    }

    /// F with R = F Fᵀ, lower triangular.
    pub const fn noise_root(&self) -> &Matrices {
        &self.equation.noise_root
    }

    /// At how many times it tells what is seen; `None` if at any.
    pub fn times(&self) -> Option<usize> {
        self.equation.times()
    }
}
