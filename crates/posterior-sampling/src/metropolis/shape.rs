//! The shape of normal steps: L, where L Lᵀ is their covariance up to a scale.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{Cholesky, DMatrix, DVector, MatrixError};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::Error;

/// The shape of normal steps: L, where L Lᵀ is their covariance up to a scale.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StepShape(Kind);

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Kind {
    Identity,
    /// Standard deviations.
    Diagonal(Vec<f64>),
    /// L, column after column.
    Dense(usize, Vec<f64>),
}

impl StepShape {
    /// L = I, of any dimension.
    pub const fn identity() -> Self {
        Self(Kind::Identity)
    }

    /// Independent coordinates with these standard deviations.
    ///
    /// # Errors
    /// If one is not positive and finite.
    pub fn diagonal(standard_deviations: &[f64]) -> Result<Self, ParamError> {
        for (i, &sd) in standard_deviations.iter().enumerate() {
            check::positive("Shape", "standard_deviations", sd).map_err(|error| error.at(i))?;
        }
        Ok(Self(Kind::Diagonal(standard_deviations.to_vec())))
    }

    /// With this covariance, of which the lower triangle is read.
    ///
    /// # Errors
    /// If it is not square or not positive definite.
    pub fn dense(covariance: &DMatrix<f64>) -> Result<Self, MatrixError> {
        Ok(Self::from_cholesky(Cholesky::new(covariance)?))
    }

    /// With this covariance.
    pub fn from_cholesky(covariance: Cholesky) -> Self {
        let factor = covariance.into_factor();
        Self(Kind::Dense(factor.nrows(), factor.as_slice().to_vec()))
    }

    /// The dimension; of the identity, none in particular.
    pub const fn dim(&self) -> Option<usize> {
        match &self.0 {
            Kind::Identity => None,
            Kind::Diagonal(sd) => Some(sd.len()),
            Kind::Dense(size, _) => Some(*size),
        }
    }

    /// L Lᵀ in `dim` dimensions, those of the shape if it has some.
    pub fn covariance(&self, dim: usize) -> DMatrix<f64> {
        match &self.0 {
            Kind::Identity => DMatrix::identity(dim, dim),
            Kind::Diagonal(sd) => {
                DMatrix::from_diagonal(&DVector::from_iterator(sd.len(), sd.iter().map(|s| s * s)))
            }
            Kind::Dense(size, factor) => {
                let factor = DMatrix::from_column_slice(*size, *size, factor);
                posterior_math::linalg::gram_of_rows(&factor)
            }
        }
    }

    pub(crate) fn check_dim(&self, dim: usize) -> Result<(), Error> {
        Ok(check::dimension("coordinates of the shape of steps", dim, self.dim().unwrap_or(dim))?)
    }

    /// `step` := L z for standard normal z.
    pub(crate) fn draw<R: Rng + ?Sized>(&self, step: &mut [f64], rng: &mut R) {
        step.fill_with(|| StandardNormal.sample(rng));
        self.apply(step);
    }

    /// z := L z.
    pub(crate) fn apply(&self, z: &mut [f64]) {
        match &self.0 {
            Kind::Identity => {}
            Kind::Diagonal(sd) => z.iter_mut().zip(sd).for_each(|(z, sd)| *z *= sd),
            Kind::Dense(size, factor) => {
                for (j, column) in factor.chunks_exact((*size).max(1)).enumerate().rev() {
                    let (head, tail) = z.split_at_mut(j + 1);
                    let z_j = head[j];
                    head[j] *= column[j];
                    tail.iter_mut().zip(&column[j + 1..]).for_each(|(z, entry)| *z += entry * z_j);
                }
            }
        }
    }

    /// g := Lᵀ g.
    pub(crate) fn apply_transpose(&self, g: &mut [f64]) {
        match &self.0 {
            Kind::Identity | Kind::Diagonal(_) => self.apply(g),
            Kind::Dense(size, factor) => {
                for (j, column) in factor.chunks_exact((*size).max(1)).enumerate() {
                    g[j] = column[j..].iter().zip(&g[j..]).map(|(entry, g)| entry * g).sum();
                }
            }
        }
    }

    /// L Lᵀ := (1 - gain) (L Lᵀ + gain δ δᵀ), for 0 ≤ gain < 1; of the diagonal shape, its diagonal. What is
    /// not finite is not fitted.
    pub(crate) fn learn(&mut self, delta: &[f64], gain: f64) {
        let keep = (1.0 - gain).sqrt();
        match &mut self.0 {
            Kind::Identity => {}
            Kind::Diagonal(sd) => {
                for (sd, delta) in sd.iter_mut().zip(delta) {
                    let learned = keep * sd.hypot(gain.sqrt() * delta);
                    *sd = if learned > 0.0 && learned.is_finite() { learned } else { *sd };
                }
            }
            Kind::Dense(size, factor) => {
                let moved = DVector::from_iterator(*size, delta.iter().map(|delta| gain.sqrt() * delta));
                let learned = Cholesky::from_factor(DMatrix::from_column_slice(*size, *size, factor))
                    .and_then(|mut cholesky| {
                        cholesky.rank_one_update(&moved)?;
                        Cholesky::from_factor(cholesky.into_factor() * keep)
                    });
                if let Ok(learned) = learned {
                    factor.copy_from_slice(learned.factor().as_slice());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use posterior_math::linalg::{DMatrix, DVector};

    use super::StepShape;

    #[test]
    fn products_and_updates_are_those_of_matrices() {
        let covariance = DMatrix::from_row_slice(3, 3, &[4.0, 1.0, 0.5, 1.0, 3.0, -0.7, 0.5, -0.7, 2.0]);
        let l = covariance.clone().cholesky().unwrap().l();
        let mut shape = StepShape::dense(&covariance).unwrap();
        let z = DVector::from_vec(vec![0.3, -1.2, 2.0]);
        let (mut forth, mut back) = (z.clone(), z.clone());
        shape.apply(forth.as_mut_slice());
        shape.apply_transpose(back.as_mut_slice());
        assert!((forth - &l * &z).norm() < 1e-14);
        assert!((back - l.transpose() * &z).norm() < 1e-14);
        shape.learn(z.as_slice(), 0.1);
        let expected = (&covariance + 0.1 * &z * z.transpose()) * 0.9;
        assert!((shape.covariance(3) - expected).norm() < 1e-14);
        shape.learn(&[f64::INFINITY, 0.0, 0.0], 0.1);
        assert!(shape.covariance(3).iter().all(|entry| entry.is_finite()));
    }

    #[test]
    fn the_diagonal_learns_variances() {
        let mut shape = StepShape::diagonal(&[1.0, 2.0]).unwrap();
        shape.learn(&[2.0, 0.0], 0.5);
        let covariance = shape.covariance(2);
        assert!((covariance[(0, 0)] - 1.5).abs() < 1e-15 && (covariance[(1, 1)] - 2.0).abs() < 1e-15);
        assert!(StepShape::diagonal(&[1.0, f64::NAN]).unwrap_err().to_string().contains("[1]"));
    }
}
