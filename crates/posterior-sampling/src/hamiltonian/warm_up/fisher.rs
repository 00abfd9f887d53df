//! The metric of least Fisher divergence, from draws and their gradients.
//!
//! The Fisher divergence between a target scaled by A and a standard normal distribution is E |Aᵀ ∇ ln p +
//! A⁻¹ (x - μ)|². It is least where S = A Aᵀ solves S C_g S = C_x, for the covariances C_x of the draws and
//! C_g of the gradients; so S is the geometric mean of C_x and C_g⁻¹. For a normal target C_g = P C_x P with
//! the precision P, and then S = P⁻¹ whatever C_x is: the draws need not be converged, only span the space.
//! The low-rank metric of nuts-rs is made so.

use posterior_math::linalg::{
    DMatrix, MatrixError, SymmetricEigen, gram_of_rows, multiply, transpose_multiply,
};

use super::super::metric::{Directions, Factor, Metric};

/// What is added to the sums of squares of the scaled draws and of the scaled gradients, in each direction:
/// where there are no draws, both weigh the same and the scale stays as it is.
const PRIOR: f64 = 1e-5;
/// The largest scale of a coordinate, and the inverse of the smallest.
const LARGEST: f64 = 1e10;

/// Draws and their gradients as columns, centred, and in units in which the diagonal metric is I.
struct Scaled {
    scales: Vec<f64>,
    draws: DMatrix<f64>,
    gradients: DMatrix<f64>,
}

/// sd(x) / sd(g), kept within bounds; nothing where it has no value.
pub(super) fn diagonal_variance(draws: f64, gradients: f64) -> Option<f64> {
    let variance = (draws / gradients).sqrt();
    (variance > 0.0 && variance.is_finite())
        .then(|| variance.clamp(1.0 / (LARGEST * LARGEST), LARGEST * LARGEST))
}

impl Scaled {
    fn new(mut draws: DMatrix<f64>, mut gradients: DMatrix<f64>) -> Self {
        let mut scales = Vec::with_capacity(draws.nrows());
        for (mut draws, mut gradients) in draws.row_iter_mut().zip(gradients.row_iter_mut()) {
            draws.add_scalar_mut(-draws.mean());
            gradients.add_scalar_mut(-gradients.mean());
            let variance = diagonal_variance(draws.norm_squared(), gradients.norm_squared());
            let scale = variance.unwrap_or(1.0).sqrt();
            draws /= scale;
            gradients *= scale;
            scales.push(scale);
        }
        Self { scales, draws, gradients }
    }
}

/// The covariance.
pub(super) fn dense(draws: DMatrix<f64>, gradients: DMatrix<f64>) -> Result<Metric, MatrixError> {
    let scaled = Scaled::new(draws, gradients);
    let mut covariance = geometric_mean(&scaled.draws, &scaled.gradients)?;
    for (j, mut column) in covariance.column_iter_mut().enumerate() {
        for (entry, scale) in column.iter_mut().zip(&scaled.scales) {
            *entry *= scale * scaled.scales[j];
        }
    }
    Metric::dense(&covariance)
}

/// The variances, and the directions in which the variance differs by more than a factor of `cutoff`; without
/// such a direction the diagonal metric, whose steps are cheaper.
pub(super) fn low_rank(
    draws: DMatrix<f64>,
    gradients: DMatrix<f64>,
    cutoff: f64,
) -> Result<Metric, crate::Error> {
    let Scaled { scales, draws, gradients } = Scaled::new(draws, gradients);
    let (dim, points) = draws.shape();
    // Where draws and gradients do not span the space, the work is done in what they span.
    let basis = (2 * points < dim).then(|| {
        let mut both = draws.clone().resize_horizontally(2 * points, 0.0);
        both.columns_mut(points, points).copy_from(&gradients);
        both.qr().q()
    });
    let covariance = match &basis {
        Some(basis) => {
            let within = |points: &DMatrix<f64>| transpose_multiply(basis, points);
            geometric_mean(&within(&draws), &within(&gradients))
        }
        None => geometric_mean(&draws, &gradients),
    };
    let eigen = SymmetricEigen::new(&covariance.map_err(no_metric)?).map_err(no_metric)?;
    let differs = |value: f64| value > cutoff || value < 1.0 / cutoff;
    let kept: Vec<usize> = (0..eigen.values().len()).filter(|&i| differs(eigen.values()[i])).collect();
    if kept.is_empty() {
        return Ok(Metric(Factor::Diagonal(scales)));
    }
    let values: Vec<f64> =
        kept.iter().map(|&i| eigen.values()[i].clamp(1.0 / (LARGEST * LARGEST), LARGEST * LARGEST)).collect();
    let vectors = eigen.vectors().select_columns(&kept);
    let directions = basis.map_or_else(|| vectors.clone(), |basis| multiply(&basis, &vectors));
    Ok(Metric(Factor::LowRank(scales, Directions::new(dim, &directions, &values)?)))
}

/// A metric that can't be taken.
fn no_metric(why: MatrixError) -> crate::Error {
    crate::Error::Metric(why)
}

/// The solution S of S C_g S = C_x, for the sums of squares of draws and gradients: C_g^-½ (C_g^½ C_x
/// C_g^½)^½ C_g^-½.
fn geometric_mean(draws: &DMatrix<f64>, gradients: &DMatrix<f64>) -> Result<DMatrix<f64>, MatrixError> {
    let with_prior = |points: &DMatrix<f64>| {
        let mut squares = gram_of_rows(points);
        for i in 0..squares.nrows() {
            squares[(i, i)] += PRIOR;
        }
        squares
    };
    let of_gradients = SymmetricEigen::new(&with_prior(gradients))?;
    // Rounding may make small eigenvalues negative; none is below the prior.
    let root = of_gradients.function_of_matrix(|value| value.max(PRIOR).sqrt());
    let inverse_root = of_gradients.function_of_matrix(|value| value.max(PRIOR).sqrt().recip());
    let middle = multiply(&multiply(&root, &with_prior(draws)), &root);
    let middle = SymmetricEigen::new(&middle)?.function_of_matrix(|value| value.max(0.0).sqrt());
    Ok(multiply(&multiply(&inverse_root, &middle), &inverse_root))
}
