//! Sums of squares of affine functions.

use posterior_math::sparse::{SparseMatrix, SparseSymmetric};
use posterior_math::special::HALF_LN_TAU;

use crate::equation::Equation;

/// The log density of N normal observations with residuals c + A z and one standard deviation; its inputs are
/// z and the standard deviation.
///
/// The squares are kept around a point near their minimum, so that few digits are lost near it.
#[derive(Debug)]
pub(super) struct Squares {
    count: f64,
    centre: Vec<f64>,
    /// The sum of squares at the centre, and half its slopes.
    least: f64,
    slopes: Vec<f64>,
    /// The entries of AᵀA on and below the diagonal.
    entries: Vec<(u32, u32, f64)>,
}

impl Squares {
    pub(super) fn new(matrix: &SparseMatrix, gram: &SparseSymmetric, constants: Vec<f64>) -> Self {
        let count = constants.len() as f64;
        let (centre, residuals) = near_minimum(matrix, constants);
        Self {
            count,
            centre,
            least: residuals.iter().map(|r| r * r).sum(),
            slopes: matrix.transpose_multiply_slice(&residuals),
            entries: gram.triplets().map(|(i, j, value)| (i as u32, j as u32, value)).collect(),
        }
    }

    fn sum(&self, z: &[f64]) -> f64 {
        let offset = |i: usize| z[i] - self.centre[i];
        let mut sum = self.least;
        for (i, slope) in self.slopes.iter().enumerate() {
            sum += 2.0 * slope * offset(i);
        }
        for &(i, j, value) in &self.entries {
            let product = value * offset(i as usize) * offset(j as usize);
            sum += if i == j { product } else { 2.0 * product };
        }
        sum
    }
}

impl Equation for Squares {
    fn forward(&self, x: &[f64], out: &mut [f64]) {
        let (z, scale) = x.split_at(self.centre.len());
        out[0] = if scale[0] > 0.0 {
            let per_variance = self.sum(z) / scale[0] / scale[0];
            -0.5 * per_variance - self.count * (scale[0].ln() + HALF_LN_TAU)
        } else {
            f64::NAN
        };
    }

    fn backward(&self, x: &[f64], dy: &[f64], dx: &mut [f64]) {
        let (z, scale) = x.split_at(self.centre.len());
        let weight = dy[0] / scale[0] / scale[0];
        for (i, slope) in self.slopes.iter().enumerate() {
            dx[i] -= weight * slope;
        }
        for &(i, j, value) in &self.entries {
            let (i, j) = (i as usize, j as usize);
            dx[i] -= weight * value * (z[j] - self.centre[j]);
            if i != j {
                dx[j] -= weight * value * (z[i] - self.centre[i]);
            }
        }
        dx[z.len()] += (self.sum(z) * weight - dy[0] * self.count) / scale[0];
    }
}

/// A point near the minimum of the squares, and the residuals there, by conjugate gradients: what they leave
/// is kept as slopes, so that nothing depends on how near it is but digits.
fn near_minimum(matrix: &SparseMatrix, constants: Vec<f64>) -> (Vec<f64>, Vec<f64>) {
    let mut point = vec![0.0; matrix.columns()];
    let mut residuals = constants;
    let downhill = |residuals: &[f64]| -> Vec<f64> {
        matrix.transpose_multiply_slice(residuals).into_iter().map(|slope| -slope).collect()
    };
    let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
    let mut slope = downhill(&residuals);
    let mut direction = slope.clone();
    let (mut size, first) = (square(&slope), square(&slope));
    for _ in 0..2 * matrix.columns().min(500) {
        let moved = matrix.multiply_slice(&direction);
        let bend = square(&moved);
        if size <= 1e-28 * first || bend == 0.0 {
            break;
        }
        let step = size / bend;
        point.iter_mut().zip(&direction).for_each(|(x, d)| *x += step * d);
        residuals.iter_mut().zip(&moved).for_each(|(r, m)| *r += step * m);
        slope = downhill(&residuals);
        let next = square(&slope);
        direction.iter_mut().zip(&slope).for_each(|(d, s)| *d = s + next / size * *d);
        size = next;
    }
    (point, residuals)
}
