//! The noise of a linear observation: variances of independent numbers, or a covariance.

use posterior_math::check::ParamError;
use posterior_math::linalg::{Cholesky, DMatrix, DVector, congruence, gram_of_rows};

use crate::matrix_check;

/// N(0, Λ) as an observation needs it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Noise {
    /// A diagonal Λ: as many numbers as there are observations, and not their square.
    Independent(DVector<f64>),
    /// Any Λ, and its factor if it is regular.
    Correlated(DMatrix<f64>, Option<Cholesky>),
}

impl Noise {
    pub(super) fn covariance(&self) -> DMatrix<f64> {
        match self {
            Self::Independent(variances) => DMatrix::from_diagonal(variances),
            Self::Correlated(covariance, _) => covariance.clone(),
        }
    }

    pub(super) fn add_to(&self, mut matrix: DMatrix<f64>) -> DMatrix<f64> {
        match self {
            Self::Independent(variances) => {
                for (i, variance) in variances.iter().enumerate() {
                    matrix[(i, i)] += variance;
                }
                matrix
            }
            Self::Correlated(covariance, _) => matrix + covariance,
        }
    }

    /// A Λ Aᵀ.
    pub(super) fn mapped_by(&self, matrix: &DMatrix<f64>) -> DMatrix<f64> {
        match self {
            Self::Independent(variances) => {
                let mut scaled = matrix.clone();
                for (mut column, variance) in scaled.column_iter_mut().zip(variances.iter()) {
                    column *= variance.sqrt();
                }
                gram_of_rows(&scaled)
            }
            Self::Correlated(covariance, _) => congruence(matrix, covariance),
        }
    }

    /// F with Λ = F Fᵀ.
    pub(super) fn root(&self) -> Result<DMatrix<f64>, ParamError> {
        match self {
            Self::Independent(variances) => Ok(DMatrix::from_diagonal(&variances.map(f64::sqrt))),
            Self::Correlated(_, Some(factor)) => Ok(factor.factor().clone()),
            Self::Correlated(covariance, None) => matrix_check::semidefinite_root(covariance)
                .map_err(|error| error.of_parameter("LinearGaussian", "noise")),
        }
    }

    /// The same noise as what divides by its deviations.
    pub(super) fn whitening(&self) -> Result<Whitening<'_>, ParamError> {
        match self {
            Self::Independent(variances) if variances.iter().all(|&variance| variance > 0.0) => {
                Ok(Whitening::Deviations(variances.map(f64::sqrt)))
            }
            Self::Correlated(_, Some(factor)) => Ok(Whitening::Factor(factor)),
            _ => Err(ParamError::new(
                "LinearGaussian",
                "smallest eigenvalue of the noise",
                0.0,
                "positive here: only the moment form takes it",
            )),
        }
    }
}

/// L⁻¹ of a regular noise Λ = L Lᵀ.
pub(super) enum Whitening<'a> {
    Deviations(DVector<f64>),
    Factor(&'a Cholesky),
}

impl Whitening<'_> {
    /// ln |Λ|.
    pub(super) fn ln_determinant(&self) -> f64 {
        match self {
            Self::Deviations(deviations) => {
                2.0 * deviations.iter().map(|deviation| deviation.ln()).sum::<f64>()
            }
            Self::Factor(factor) => factor.ln_determinant(),
        }
    }

    /// L⁻¹ A.
    pub(super) fn matrix(&self, matrix: &DMatrix<f64>) -> DMatrix<f64> {
        match self {
            Self::Deviations(deviations) => {
                let mut white = matrix.clone();
                for mut column in white.column_iter_mut() {
                    column.component_div_assign(deviations);
                }
                white
            }
            Self::Factor(factor) => factor.half_solve(matrix),
        }
    }

    /// L⁻¹ r.
    pub(super) fn vector(&self, vector: &DVector<f64>) -> DVector<f64> {
        match self {
            Self::Deviations(deviations) => vector.component_div(deviations),
            Self::Factor(factor) => factor.half_solve_vector(vector),
        }
    }
}
