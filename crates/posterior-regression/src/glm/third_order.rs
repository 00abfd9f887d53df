//! What the third derivatives of the log-likelihood say of the posterior, beside Laplace's approximation.

use posterior_gaussian::Gaussian;
use posterior_math::linalg::{DMatrix, DVector};

use super::model::Glm;
use super::response_distribution::ResponseDistribution;
use crate::Error;

/// Half of the distance over which curvatures are compared, on the scale of the predictor.
const STEP: f64 = 1e-3;

/// Rows whose predictors are looked at, beside the coefficients.
const ROWS: usize = 32;

/// The mean of the posterior to the order 1/n, and how skewed it is.
#[derive(Debug)]
pub(super) struct ThirdOrder {
    /// The Gaussian at that mean.
    pub(super) distribution: Gaussian,
    /// The largest skewness, without its sign, of a coefficient or of the predictor of a row.
    pub(super) skewness: f64,
    /// The largest distance of a coefficient's mean from its most probable value, in standard deviations.
    pub(super) shift: f64,
}

impl ThirdOrder {
    /// With C for the covariance and ℓ''' for the third derivative of a row's log-likelihood by its
    /// predictor, the mean is that of `laplace` and ½ C Σ ℓ''' (xᵀ C x) x more, and the third cumulant of aᵀβ
    /// is Σ ℓ''' (aᵀ C x)³.
    ///
    /// Costs n p (p + 32) operations.
    ///
    /// # References
    /// L. Tierney, J. B. Kadane, Accurate approximations for posterior moments and marginal densities,
    /// Journal of the American Statistical Association 81, 1986.
    pub(super) fn of<L: ResponseDistribution + Sync>(
        model: &Glm<'_, L>,
        laplace: &Gaussian,
    ) -> Result<Self, Error> {
        let (data, covariance) = (model.data(), laplace.cholesky().reconstruct());
        let (rows, columns) = (data.rows(), data.columns());
        let row = |row: usize| DVector::from_fn(columns, |j, _| data.design()[(row, j)]);
        // The directions a, each over its standard deviation.
        let looked_at = (0..rows).step_by(rows.div_ceil(ROWS).max(1)).map(row);
        let units = (0..columns).map(|j| DVector::from_fn(columns, |i, _| f64::from(u8::from(i == j))));
        let scaled = units.chain(looked_at).filter_map(|a| {
            let along = &covariance * &a;
            let sd = along.dot(&a).sqrt();
            (sd > 0.0).then(|| along / sd)
        });
        let directions = DMatrix::from_columns(&scaled.collect::<Vec<_>>());
        let mut gradient = DVector::zeros(columns);
        let mut cumulants = DVector::zeros(directions.ncols());
        for place in 0..rows {
            let x = row(place);
            let predictor = data.offset(place) + x.dot(laplace.mean());
            let third = data.weight(place) * third_derivative(model, data.response()[place], predictor);
            gradient.axpy(third * x.dot(&(&covariance * &x)), &x, 1.0);
            cumulants += directions.tr_mul(&x).map(|along| third * along.powi(3));
        }
        let moved = 0.5 * (&covariance * gradient);
        let shift = moved.iter().enumerate().map(|(j, own)| own.abs() / covariance[(j, j)].sqrt());
        let shift = shift.fold(0.0, f64::max);
        let mean = laplace.mean() + moved;
        let distribution = Gaussian::new(mean.as_slice(), &covariance)?;
        Ok(Self { distribution, skewness: cumulants.amax(), shift })
    }
}

/// ℓ''' of a response, by the curvatures on both sides.
fn third_derivative<L: ResponseDistribution + Sync>(model: &Glm<'_, L>, y: f64, predictor: f64) -> f64 {
    let curvature = |at: f64| model.distribution().term(y, at).observed;
    let slope = (curvature(predictor + STEP) - curvature(predictor - STEP)) / (2.0 * STEP);
    -slope / model.dispersion().unwrap_or(1.0)
}
