//! What the observations say about the directions in which the start is diffuse.

use posterior_math::linalg::{DMatrix, DVector, MatrixError, SymmetricEigen};

/// The distribution of β given all observations, where its prior is flat.
#[derive(Debug, Clone)]
pub(crate) struct Directions {
    /// E[β | y]; zero along what is never observed.
    pub(crate) mean: DVector<f64>,
    /// F with Cov[β | y] = F Fᵀ; zero along what is never observed.
    pub(crate) root: DMatrix<f64>,
    /// ln of the volume that the observations leave: the half of ln |Cov[β | y]|.
    pub(crate) ln_volume: f64,
}

impl Directions {
    /// From the precision and the information that the observations give.
    pub(crate) fn new(precision: &DMatrix<f64>, information: &DVector<f64>) -> Result<Self, MatrixError> {
        let k = precision.nrows();
        let scale = precision.diagonal().map(|entry| if entry > 0.0 { entry.sqrt() } else { 1.0 });
        let scaled = DMatrix::from_fn(k, k, |i, j| precision[(i, j)] / (scale[i] * scale[j]));
        let eigen = SymmetricEigen::new(&scaled)?;
        let limit = 16.0 * k as f64 * f64::EPSILON;
        let mut root = DMatrix::zeros(k, k);
        let mut ln_volume = 0.0;
        for (j, &value) in eigen.values().iter().enumerate().filter(|&(_, &value)| value > limit) {
            for i in 0..k {
                root[(i, j)] = eigen.vectors()[(i, j)] / (scale[i] * value.sqrt());
            }
            ln_volume -= 0.5 * value.ln();
        }
        ln_volume -= scale.iter().map(|scale| scale.ln()).sum::<f64>();
        Ok(Self { mean: &root * root.tr_mul(information), root, ln_volume })
    }
}
