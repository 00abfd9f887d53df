//! The distribution of all functions at new places, and the probabilities of the classes there.

use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector, SymmetricEigen};
use posterior_math::log_space::softmax_in_place;
use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

use super::{SoftmaxLaplace, check_inputs};
use crate::Error;

/// Means and covariances of the functions of all classes at some places.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SoftmaxLatent {
    /// A row for each place, a column for each class.
    pub mean: DMatrix<f64>,
    /// For each place the covariance between the classes.
    pub covariance: Vec<DMatrix<f64>>,
}

impl SoftmaxLaplace {
    /// The functions of all classes at each row of `inputs`.
    ///
    /// # Errors
    /// If the inputs have another number of coordinates, are not finite, or a kernel does not take them.
    pub fn latent(&self, inputs: &DMatrix<f64>) -> Result<SoftmaxLatent, Error> {
        check_inputs(inputs)?;
        let known = self.observations.inputs();
        check::dimension("coordinates of an input", known.ncols(), inputs.ncols())?;
        for kernel in &self.kernels {
            kernel.check(inputs)?;
        }
        let crosses: Vec<_> = self.kernels.iter().map(|kernel| kernel.cross(known, inputs)).collect();
        let priors: Vec<_> = self.kernels.iter().map(|kernel| kernel.diagonal(inputs)).collect();
        let columns: Vec<DVector<f64>> = (0..self.observations.classes())
            .map(|class| crosses[class.min(crosses.len() - 1)].tr_mul(&self.weights.column(class)))
            .collect();
        let covariance = self.blocks.covariances(&crosses, &priors);
        Ok(SoftmaxLatent { mean: DMatrix::from_columns(&columns), covariance })
    }
}

impl SoftmaxLatent {
    /// The probabilities of the classes (columns) at each place (rows), if the functions were their means.
    pub fn plug_in_response(&self) -> DMatrix<f64> {
        let mut rows = self.mean.transpose();
        for mut place in rows.column_iter_mut() {
            softmax_in_place(place.as_mut_slice());
        }
        rows.transpose()
    }

    /// The averaged probabilities of the classes (columns) at each place (rows), by so many draws: the same
    /// standard normal numbers at all places, so that surfaces are smooth. Each row sums to 1; NaN without
    /// draws. The standard error is at most ½ / √draws.
    ///
    /// # Errors
    /// If a covariance has no eigenvalues: it is not finite.
    pub fn mean_response<R: Rng + ?Sized>(&self, draws: usize, rng: &mut R) -> Result<DMatrix<f64>, Error> {
        let (places, classes) = self.mean.shape();
        let normals = DMatrix::from_fn(classes, draws, |_, _| rng.sample::<f64, _>(StandardNormal));
        let mut response = DMatrix::zeros(places, classes);
        for (place, covariance) in self.covariance.iter().enumerate() {
            // The symmetric root treats classes alike, whatever their order.
            let root = SymmetricEigen::new(covariance)?.function_of_matrix(|value| value.max(0.0).sqrt());
            let mean = self.mean.row(place).transpose();
            let mut sum = DVector::zeros(classes);
            let mut drawn = &root * &normals;
            for mut column in drawn.column_iter_mut() {
                column += &mean;
                softmax_in_place(column.as_mut_slice());
                sum += column;
            }
            response.set_row(place, &(sum / draws as f64).transpose());
        }
        Ok(response)
    }
}
