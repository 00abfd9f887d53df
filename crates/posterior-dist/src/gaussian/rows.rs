//! Densities of many points at once.

use posterior_math::linalg::DMatrix;

use super::Gaussian;

/// Points that are worked on together: their coordinates stay in the nearest cache up to some tens of dimensions.
const BLOCK: usize = 128;

impl Gaussian {
    /// ln p(x) of the rows of a matrix: as [`ln_pdf`](crate::Density::ln_pdf) row by row, but several times as fast, as the
    /// substitution runs over all points of a block at once.
    ///
    /// # Panics
    /// Unless the matrix has n columns.
    #[track_caller]
    pub fn ln_pdf_rows(&self, points: &DMatrix<f64>) -> Vec<f64> {
        assert_eq!(points.ncols(), self.dimension(), "coordinates of the points");
        let rows = points.nrows();
        let mut ln_pdf = vec![0.0; rows];
        let mut white = vec![0.0; self.dimension() * BLOCK];
        for (index, squares) in ln_pdf.chunks_mut(BLOCK).enumerate() {
            let start = index * BLOCK;
            for ((j, white), mean) in white.chunks_exact_mut(BLOCK).enumerate().zip(self.mean().iter()) {
                let column = &points.as_slice()[j * rows + start..][..squares.len()];
                for (white, x) in white.iter_mut().zip(column) {
                    *white = x - mean;
                }
            }
            self.add_squares(&mut white, squares);
            for (offset, value) in squares.iter_mut().enumerate() {
                *value = self.ln_norm() - 0.5 * *value;
                if value.is_nan() && !points.row(start + offset).iter().any(|x| x.is_nan()) {
                    *value = f64::NEG_INFINITY;
                }
            }
        }
        ln_pdf
    }

    /// Adds |L⁻¹ d|² of the deviations d of as many points, coordinate after coordinate.
    fn add_squares(&self, deviations: &mut [f64], squares: &mut [f64]) {
        for (j, column) in self.cholesky().factor().column_iter().enumerate() {
            let (done, rest) = deviations.split_at_mut((j + 1) * BLOCK);
            let white = &mut done[j * BLOCK..][..squares.len()];
            let pivot = column[j];
            for (z, square) in white.iter_mut().zip(squares.iter_mut()) {
                *z /= pivot;
                *square += *z * *z;
            }
            for (other, &entry) in rest.chunks_exact_mut(BLOCK).zip(&column.as_slice()[j + 1..]) {
                for (other, z) in other.iter_mut().zip(&*white) {
                    *other -= entry * z;
                }
            }
        }
    }
}
