//! The posterior of the weights of linear features.

use posterior_gaussian::MomentGaussian;
use posterior_math::check;
use posterior_math::linalg::{DMatrix, gram_of_columns, multiply};

use super::GaussianProcessPosterior;
use crate::Error;

impl GaussianProcessPosterior {
    /// The distribution of the weights of linear features: of the part φ(x)ᵀ w of the function, where
    /// beforehand w ~ N(0, Θ).
    ///
    /// The kernel must have the term φ(x)ᵀ Θ φ(x'), which is not checked: of a linear kernel φ(x) = x and Θ
    /// is a multiple of I, of a constant one φ(x) = 1. Mean Θ Φᵀ G⁻¹ (y - m), covariance Θ - Θ Φᵀ G⁻¹ Φ Θ.
    ///
    /// # Errors
    /// If Θ is no covariance, there are not as many features as it has rows, or one is not finite.
    pub fn weights(
        &self,
        features: impl Fn(&[f64]) -> Vec<f64>,
        prior: &DMatrix<f64>,
    ) -> Result<MomentGaussian, Error> {
        let prior = MomentGaussian::new(&vec![0.0; prior.nrows()], prior)?;
        let theta = prior.covariance();
        let sites = self.data.sites();
        let mut phi = DMatrix::zeros(sites.nrows(), theta.nrows());
        for (i, x) in sites.row_iter().enumerate() {
            let x: Vec<f64> = x.iter().copied().collect();
            let values = features(&x);
            check::dimension("features of an input", theta.nrows(), values.len())?;
            for (j, &value) in values.iter().enumerate() {
                if !value.is_finite() {
                    return Err(Error::NotFinite { what: "feature", row: i, value });
                }
                phi[(i, j)] = value;
            }
        }
        let mut cross = multiply(&phi, theta);
        let mean = cross.tr_mul(&self.alpha);
        self.factor.half_solve_in_place(&mut cross);
        Ok(MomentGaussian::new(mean.as_slice(), &(theta - gram_of_columns(&cross)))?)
    }
}
