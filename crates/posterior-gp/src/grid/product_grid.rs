//! Product kernels on product grids: the eigenvectors of the whole are products of those of the axes.

use std::f64::consts::TAU;

use posterior_math::check;
use posterior_math::linalg::{
    DMatrix, DVector, MatrixError, SymmetricEigen, multiply, multiply_transpose, transpose_multiply,
};

use crate::observed::check_rows;
use crate::regression::Prediction;
use crate::{Error, Kernel};

/// Negative eigenvalues above this proportion of the largest one are no rounding.
const INDEFINITE: f64 = 1e-8;

/// The posterior of a process with mean zero and kernel k₁(x₁, x₁') k₂(x₂, x₂') …, seen on every point of a
/// grid with the same noise.
///
/// The index of the last axis runs fastest. An axis may have several coordinates: a space axis beside a time
/// axis.
#[derive(Debug, Clone)]
pub struct GridPosterior {
    axes: Vec<Axis>,
    noise: f64,
    /// λ of the whole Gram matrix, without noise.
    eigenvalues: Vec<f64>,
    /// (K + noise)⁻¹ y.
    alpha: DVector<f64>,
    ln_evidence: f64,
}

/// The points of an axis, and the spectrum of its kernel on them.
#[derive(Debug, Clone)]
struct Axis {
    kernel: Kernel,
    points: DMatrix<f64>,
    gram: DMatrix<f64>,
    /// Not negative: what rounding takes below zero is zero.
    eigenvalues: Vec<f64>,
    vectors: DMatrix<f64>,
}

/// The gradient of [`GridPosterior::ln_evidence`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GridGradient {
    /// With respect to the parameters of each axis' kernel, on their free scales.
    pub kernels: Vec<Vec<f64>>,
    /// With respect to the noise variance.
    pub noise: f64,
}

impl GridPosterior {
    /// The posterior given one output for each combination of the axes' points (a row for each point).
    ///
    /// # Errors
    /// If sizes do not agree, a number is not finite, the noise variance is not positive, or a kernel not
    /// positive semidefinite.
    pub fn new(
        kernels: &[Kernel],
        axes: &[DMatrix<f64>],
        outputs: &DVector<f64>,
        noise: f64,
    ) -> Result<Self, Error> {
        check::dimension("axes", kernels.len(), axes.len())?;
        check::positive("GridPosterior", "noise", noise)?;
        let axes = kernels
            .iter()
            .zip(axes)
            .map(|(kernel, points)| Axis::new(kernel, points))
            .collect::<Result<Vec<_>, _>>()?;
        check::dimension("outputs", axes.iter().map(|axis| axis.points.nrows()).product(), outputs.len())?;
        check_rows("output", &DMatrix::from_column_slice(outputs.len(), 1, outputs.as_slice()))?;
        let eigenvalues = axes.iter().fold(vec![1.0], |all, axis| outer(&all, &axis.eigenvalues));
        let mut spectrum =
            along(&axes, outputs.clone(), |axis, values| transpose_multiply(&axis.vectors, values));
        let mut ln_likelihood = outputs.len() as f64 * TAU.ln();
        for (value, eigenvalue) in spectrum.iter_mut().zip(&eigenvalues) {
            let variance = eigenvalue + noise;
            ln_likelihood += variance.ln() + *value * *value / variance;
            *value /= variance;
        }
        let alpha = along(&axes, spectrum, |axis, values| multiply(&axis.vectors, values));
        Ok(Self { axes, noise, eigenvalues, alpha, ln_evidence: -0.5 * ln_likelihood })
    }

    /// ln p(y).
    pub const fn ln_evidence(&self) -> f64 {
        self.ln_evidence
    }

    /// The gradient of ln p(y).
    pub fn gradient(&self) -> GridGradient {
        let noise = self.eigenvalues.iter().map(|eigenvalue| (eigenvalue + self.noise).recip());
        let kernels = (0..self.axes.len()).map(|which| {
            let axis = &self.axes[which];
            let weights = (self.quadratic_weights(which) - self.trace_weights(which)) * 0.5;
            axis.kernel.gram_gradient(&axis.points, &weights)
        });
        GridGradient {
            kernels: kernels.collect(),
            noise: 0.5 * (self.alpha.norm_squared() - noise.sum::<f64>()),
        }
    }

    /// Mean and variance of the function at each row of `inputs`, which hold the coordinates of all axes in
    /// order: N operations for each.
    ///
    /// # Errors
    /// If there are not as many coordinates, or one is not finite.
    pub fn latent(&self, inputs: &DMatrix<f64>) -> Result<Prediction, Error> {
        check::dimension(
            "coordinates of inputs",
            self.axes.iter().map(|axis| axis.points.ncols()).sum(),
            inputs.ncols(),
        )?;
        let own = self.split(inputs);
        for (axis, own) in self.axes.iter().zip(&own) {
            axis.kernel.check(own)?;
        }
        let crosses: Vec<DMatrix<f64>> =
            self.axes.iter().zip(&own).map(|(axis, own)| axis.kernel.cross(&axis.points, own)).collect();
        let mut variance = DVector::from_element(inputs.nrows(), 1.0);
        for (axis, own) in self.axes.iter().zip(&own) {
            variance.component_mul_assign(&axis.kernel.diagonal(own));
        }
        let explained = self.explained(&crosses);
        for (i, variance) in variance.iter_mut().enumerate() {
            *variance = (*variance - explained(i)).max(0.0);
        }
        Ok(Prediction { mean: DVector::from_fn(inputs.nrows(), |i, _| self.mean(&crosses, i)), variance })
    }

    /// k(xᵢ, X) α, contracted axis by axis; the last one first, since its index runs fastest.
    fn mean(&self, crosses: &[DMatrix<f64>], i: usize) -> f64 {
        let mut values = self.alpha.as_slice().to_vec();
        for cross in crosses.iter().rev() {
            let weights = cross.column(i);
            values = values
                .chunks_exact(cross.nrows().max(1))
                .map(|chunk| chunk.iter().zip(weights.iter()).map(|(a, b)| a * b).sum())
                .collect();
        }
        values.first().copied().unwrap_or_default()
    }

    /// What the data explain of the variance at each input.
    fn explained(&self, crosses: &[DMatrix<f64>]) -> impl Fn(usize) -> f64 {
        let rotated: Vec<DMatrix<f64>> = self
            .axes
            .iter()
            .zip(crosses)
            .map(|(axis, cross)| transpose_multiply(&axis.vectors, cross).map(|entry| entry * entry))
            .collect();
        move |i| {
            let squares = rotated.iter().fold(vec![1.0], |all, axis| outer(&all, axis.column(i).as_slice()));
            let terms = squares.iter().zip(&self.eigenvalues);
            terms.map(|(square, eigenvalue)| square / (eigenvalue + self.noise)).sum()
        }
    }

    /// α along one axis against K α along the others: n x n, with n the points of that axis.
    fn quadratic_weights(&self, which: usize) -> DMatrix<f64> {
        let mut applied = self.alpha.clone();
        for (index, axis) in self.axes.iter().enumerate() {
            applied = if index == which {
                turned(applied, axis, |_, values| values.clone())
            } else {
                turned(applied, axis, |axis, values| multiply(&axis.gram, values))
            };
        }
        multiply_transpose(&self.unfolded(&self.alpha, which), &self.unfolded(&applied, which))
    }

    /// V diag(c) Vᵀ, where cⱼ sums the others' λ over λ + noise: what tr (K + noise)⁻¹ ∂K sees of the axis.
    fn trace_weights(&self, which: usize) -> DMatrix<f64> {
        let axis = &self.axes[which];
        let stride: usize = self.axes[which + 1..].iter().map(|axis| axis.points.nrows()).product();
        let others: Vec<f64> = self.axes.iter().enumerate().fold(vec![1.0], |all, (index, axis)| {
            if index == which {
                outer(&all, &vec![1.0; axis.eigenvalues.len()])
            } else {
                outer(&all, &axis.eigenvalues)
            }
        });
        let mut sums = vec![0.0; axis.points.nrows()];
        for (index, (other, eigenvalue)) in others.iter().zip(&self.eigenvalues).enumerate() {
            sums[index / stride % axis.points.nrows()] += other / (eigenvalue + self.noise);
        }
        let mut scaled = axis.vectors.clone();
        for (mut column, sum) in scaled.column_iter_mut().zip(&sums) {
            column *= *sum;
        }
        multiply_transpose(&scaled, &axis.vectors)
    }

    /// The values with the index of one axis as rows.
    fn unfolded(&self, values: &DVector<f64>, which: usize) -> DMatrix<f64> {
        let rows = self.axes[which].points.nrows();
        let stride: usize = self.axes[which + 1..].iter().map(|axis| axis.points.nrows()).product();
        DMatrix::from_fn(rows, values.len() / rows.max(1), |i, j| {
            values[(j / stride) * stride * rows + i * stride + j % stride]
        })
    }

    /// The coordinates of each axis.
    fn split(&self, inputs: &DMatrix<f64>) -> Vec<DMatrix<f64>> {
        let mut start = 0;
        let mut own = |axis: &Axis| {
            start += axis.points.ncols();
            inputs.columns(start - axis.points.ncols(), axis.points.ncols()).into_owned()
        };
        self.axes.iter().map(&mut own).collect()
    }
}

impl Axis {
    fn new(kernel: &Kernel, points: &DMatrix<f64>) -> Result<Self, Error> {
        kernel.check(points)?;
        let gram = kernel.gram(points);
        let eigen = SymmetricEigen::new(&gram)?;
        let largest = eigen.values().iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        if let Some(place) = eigen.values().iter().position(|value| *value < -INDEFINITE * largest) {
            let value = eigen.values()[place];
            return Err(MatrixError::NotPositiveDefinite { pivot: place, value }.into());
        }
        Ok(Self {
            kernel: kernel.clone(),
            points: points.clone(),
            gram,
            eigenvalues: eigen.values().iter().map(|value| value.max(0.0)).collect(),
            vectors: eigen.vectors().clone(),
        })
    }
}

/// a ⊗ b.
fn outer(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().flat_map(|a| b.iter().map(move |b| a * b)).collect()
}

/// `work` along each axis of the values.
fn along(
    axes: &[Axis],
    values: DVector<f64>,
    work: impl Fn(&Axis, &DMatrix<f64>) -> DMatrix<f64>,
) -> DVector<f64> {
    axes.iter().fold(values, |values, axis| turned(values, axis, &work))
}

/// `work` along the axis whose index runs slowest, which runs fastest then: after all axes, the order is what
/// it was.
fn turned(
    values: DVector<f64>,
    axis: &Axis,
    work: impl Fn(&Axis, &DMatrix<f64>) -> DMatrix<f64>,
) -> DVector<f64> {
    let rows = axis.points.nrows();
    let others = values.len() / rows.max(1);
    // By columns, the slowest index is that of the columns.
    let columns = DMatrix::from_vec(others, rows, values.data.into());
    let worked = work(axis, &columns.transpose());
    DVector::from_vec(worked.data.into())
}
