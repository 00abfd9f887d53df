//! The metric of the kinetic energy: the covariance that the sampler believes in.

mod dense;
mod low_rank;

pub(super) use low_rank::Directions;

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{DMatrix, MatrixError};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use self::dense::Triangle;
use super::loops;
use crate::Error;

/// The metric of the kinetic energy ½ pᵀ S p, where S = M⁻¹ is near the covariance of the target.
///
/// It is held as a factor, S = A Aᵀ, and the momentum is kept as w = Aᵀ p, which is standard normal whatever
/// S is. So the sampler moves as if the target were A⁻¹ x in the unit metric.
///
/// Cost of a step of n coordinates, beyond the gradient: n for the unit and the diagonal metric, n² for the
/// dense one, 4 n r for a metric of rank r.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Factor"))]
pub struct Metric(pub(super) Factor);

/// A.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Factor {
    #[default]
    Unit,
    /// The standard deviations.
    Diagonal(Vec<f64>),
    Dense(Triangle),
    /// Standard deviations, then a few directions in which the unit sphere is stretched.
    LowRank(Vec<f64>, Directions),
}

impl Metric {
    /// The unit metric S = I.
    pub const fn unit() -> Self {
        Self(Factor::Unit)
    }

    /// S is diagonal: a variance for each coordinate.
    ///
    /// # Errors
    /// A variance that is not positive and finite.
    pub fn diagonal(variances: &[f64]) -> Result<Self, ParamError> {
        Ok(Self(Factor::Diagonal(scales(variances)?)))
    }

    /// S is this covariance, of which the lower triangle is read.
    ///
    /// # Errors
    /// A matrix that is not square and positive definite.
    pub fn dense(covariance: &DMatrix<f64>) -> Result<Self, MatrixError> {
        Ok(Self(Factor::Dense(Triangle::new(covariance)?)))
    }

    /// S = D (I + V (Λ - I) Vᵀ) D: variances D² for each coordinate, and orthonormal directions, the columns
    /// of V, in which the scaled target has other variances Λ than 1.
    ///
    /// # Errors
    /// A variance that is not positive and finite; columns that are not orthonormal within 1e-8; sizes that
    /// do not go together.
    pub fn low_rank(variances: &[f64], directions: &DMatrix<f64>, values: &[f64]) -> Result<Self, Error> {
        Ok(Self(Factor::LowRank(scales(variances)?, Directions::new(variances.len(), directions, values)?)))
    }

    /// The number of coordinates; of the unit metric any.
    pub const fn dim(&self) -> Option<usize> {
        match &self.0 {
            Factor::Unit => None,
            Factor::Diagonal(scales) | Factor::LowRank(scales, _) => Some(scales.len()),
            Factor::Dense(triangle) => Some(triangle.dim()),
        }
    }

    /// Refuses to be the metric of a target of another dimension.
    pub(super) fn check_dim(&self, dim: usize) -> Result<(), Error> {
        Ok(check::dimension("coordinates of a metric", dim, self.dim().unwrap_or(dim))?)
    }

    /// S, for so many coordinates, those of the metric if it has some. For looking at: n² numbers.
    pub fn covariance(&self, dim: usize) -> DMatrix<f64> {
        let dim = self.dim().unwrap_or(dim);
        let mut factor = DMatrix::zeros(dim, dim);
        let (mut unit, mut column) = (vec![0.0; dim], vec![0.0; dim]);
        for j in 0..dim {
            unit[j] = 1.0;
            self.push(&unit, &mut column);
            unit[j] = 0.0;
            factor.column_mut(j).copy_from_slice(&column);
        }
        &factor * factor.transpose()
    }

    /// A standard normal w.
    pub(super) fn draw<R: Rng + ?Sized>(w: &mut [f64], rng: &mut R) {
        for w in w {
            *w = StandardNormal.sample(rng);
        }
    }

    /// velocity := A w.
    pub(super) fn push(&self, w: &[f64], velocity: &mut [f64]) {
        match &self.0 {
            Factor::Unit => velocity.copy_from_slice(w),
            Factor::Diagonal(scales) => loops::multiply(scales, w, velocity),
            Factor::Dense(triangle) => triangle.multiply(w, velocity),
            Factor::LowRank(scales, directions) => {
                velocity.copy_from_slice(w);
                directions.stretch(velocity);
                velocity.iter_mut().zip(scales).for_each(|(v, scale)| *v *= scale);
            }
        }
    }

    /// force := Aᵀ gradient.
    pub(super) fn pull(&self, gradient: &[f64], force: &mut [f64]) {
        match &self.0 {
            Factor::Unit => force.copy_from_slice(gradient),
            Factor::Diagonal(scales) => loops::multiply(scales, gradient, force),
            Factor::Dense(triangle) => triangle.multiply_transpose(gradient, force),
            Factor::LowRank(scales, directions) => {
                loops::multiply(scales, gradient, force);
                directions.stretch(force);
            }
        }
    }

    /// p, from w = Aᵀ p.
    pub(super) fn momentum(&self, w: &[f64]) -> Vec<f64> {
        let mut p = w.to_vec();
        match &self.0 {
            Factor::Unit => {}
            Factor::Diagonal(scales) => p.iter_mut().zip(scales).for_each(|(p, scale)| *p /= scale),
            Factor::Dense(triangle) => triangle.solve_transpose(&mut p),
            Factor::LowRank(scales, directions) => {
                directions.shrink(&mut p);
                p.iter_mut().zip(scales).for_each(|(p, scale)| *p /= scale);
            }
        }
        p
    }
}

fn scales(variances: &[f64]) -> Result<Vec<f64>, ParamError> {
    let positive = |(i, &variance)| check::positive("Metric", "variance", variance).map_err(|why| why.at(i));
    Ok(variances
        .iter()
        .enumerate()
        .map(positive)
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .map(f64::sqrt)
        .collect())
}

#[cfg(feature = "serde")]
impl TryFrom<Factor> for Metric {
    type Error = Error;

    /// A metric that was read: its numbers are those of a factor.
    fn try_from(factor: Factor) -> Result<Self, Error> {
        match &factor {
            Factor::Unit => {}
            Factor::Diagonal(scales) => are_scales(scales)?,
            Factor::Dense(triangle) => triangle.check()?,
            Factor::LowRank(scales, directions) => {
                are_scales(scales)?;
                directions.check(scales.len())?;
            }
        }
        Ok(Self(factor))
    }
}

#[cfg(feature = "serde")]
fn are_scales(scales: &[f64]) -> Result<(), ParamError> {
    let check = |(i, &scale)| check::positive("Metric", "scale", scale).map(|_| ()).map_err(|why| why.at(i));
    scales.iter().enumerate().try_for_each(check)
}
