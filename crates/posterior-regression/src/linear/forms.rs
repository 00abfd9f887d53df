//! The three ways to the same posterior.

use posterior_math::linalg::{
    Cholesky, DMatrix, MatrixError, gram_of_columns, gram_of_rows, solve_upper_in_place, transpose_multiply,
    triangularize,
};

use super::blocks::Blocks;
use super::distribution::Spread;
use super::{LinearData, WeightPrior};
use crate::Error;

/// A pivot of the precision below this proportion of its diagonal entry sends [`PosteriorForm::Precision`] to
/// [`PosteriorForm::SquareRoot`].
const DIGITS_LEFT: f64 = 1e-6;

/// A pivot below this proportion of its column counts as zero where the prior is flat.
const COLLINEAR: f64 = 1e-12;

/// How a posterior of weights is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum PosteriorForm {
    /// The normal equations: a factor of S⁻¹ + Φᵀ Φ/σ², and one step of refinement by the residuals.
    Precision,
    /// The orthogonal reduction of [S^(-1/2); Φ/σ], block by block: the condition of Φ instead of its square.
    SquareRoot,
    /// A factor of Φ S Φᵀ + σ² I. The prior must be proper.
    Gain,
}

/// A posterior, and what its evidence is made of.
pub(super) struct Solved {
    /// The mean, one column for each output.
    pub(super) mean: DMatrix<f64>,
    pub(super) spread: Spread,
    /// (Y - Φ M)ᵀ (I + Φ S Φᵀ)⁻¹ (Y - Φ M) of whitened rows.
    pub(super) rest: DMatrix<f64>,
    /// ln |I + Φ S Φᵀ| of whitened rows, less ln |S| of the weights in which the prior is flat.
    pub(super) ln_determinant: f64,
    pub(super) form: PosteriorForm,
}

/// The posterior in the form that suits the sizes, or in the one that is asked for.
pub(super) fn solve(
    data: &LinearData<'_>,
    prior: &WeightPrior,
    mean: &DMatrix<f64>,
    noise_variance: f64,
    form: Option<PosteriorForm>,
) -> Result<Solved, Error> {
    let blocks = Blocks::new(data, mean, noise_variance);
    let mut solved = match form {
        Some(PosteriorForm::Gain) => gain(&blocks, data, prior)?,
        Some(PosteriorForm::SquareRoot) => square_root(&blocks, data, prior)?,
        None if data.rows() < data.features() && prior.is_proper() => gain(&blocks, data, prior)?,
        Some(PosteriorForm::Precision) => {
            precision(&blocks, data, prior, 0.0)?.map_err(|pivot| collinear(data, pivot))?
        }
        None => match precision(&blocks, data, prior, DIGITS_LEFT)? {
            Ok(solved) => solved,
            Err(_) => square_root(&blocks, data, prior)?,
        },
    };
    solved.mean += mean;
    let finite = solved.mean.iter().chain(solved.rest.iter()).all(|number| number.is_finite());
    if finite && solved.ln_determinant.is_finite() { Ok(solved) } else { Err(MatrixError::NotFinite.into()) }
}

fn collinear(data: &LinearData<'_>, column: usize) -> Error {
    let column = data.names().get(column).cloned().unwrap_or_default();
    Error::Collinear { column }
}

/// The first pivot, if there is one, that is below `digits` of its diagonal entry.
fn precision(
    blocks: &Blocks<'_>,
    data: &LinearData<'_>,
    prior: &WeightPrior,
    digits: f64,
) -> Result<Result<Solved, usize>, Error> {
    let (features, outputs) = (data.features(), blocks.outputs());
    let gram = blocks.gram();
    let precision = prior.precision() + gram.view((0, 0), (features, features));
    let factor = match Cholesky::new(&precision) {
        Ok(factor) => factor,
        Err(MatrixError::NotPositiveDefinite { pivot, value }) if value.is_finite() => return Ok(Err(pivot)),
        Err(error) => return Err(error.into()),
    };
    let lost = |&j: &usize| !(factor.factor()[(j, j)].powi(2) > digits * precision[(j, j)]);
    if let Some(pivot) = (0..features).find(lost) {
        return Ok(Err(pivot));
    }
    let mut delta = factor.solve(&gram.view((0, features), (features, outputs)).into_owned());
    let products = blocks.residual_products(&delta);
    let slope = products.rows(0, features) - prior.times_precision(&delta);
    let step = factor.solve(&slope);
    let misfit = products.rows(features, outputs) + gram_of_columns(&prior.whitened(delta.clone()));
    // The objective at its minimum: from where it was evaluated, less what the last step gained.
    let rest = misfit - transpose_multiply(&slope, &step);
    delta += step;
    let ln_determinant = factor.ln_determinant() - prior.ln_precision();
    let spread = Spread::Precision(factor);
    Ok(Ok(Solved { mean: delta, spread, rest, ln_determinant, form: PosteriorForm::Precision }))
}

fn square_root(blocks: &Blocks<'_>, data: &LinearData<'_>, prior: &WeightPrior) -> Result<Solved, Error> {
    let (features, outputs) = (data.features(), blocks.outputs());
    let width = features + outputs;
    let mut triangle = DMatrix::zeros(features, width);
    triangle.view_mut((0, 0), (features, features)).copy_from(&prior.precision_root());
    for range in blocks.ranges(2 * width).chain(std::iter::once(0..0)) {
        let rows = blocks.rows(range);
        let (above, below) = (triangle.nrows(), rows.nrows());
        let mut stacked = DMatrix::zeros(above + below, width);
        stacked.rows_mut(0, above).copy_from(&triangle);
        stacked.rows_mut(above, below).copy_from(&rows);
        triangle = triangularize(stacked);
    }
    for j in 0..features {
        let norm = triangle.view((0, j), (j + 1, 1)).norm();
        let tolerance = if prior.is_flat_in(j) { COLLINEAR } else { 4.0 * f64::EPSILON };
        if !(triangle[(j, j)] > tolerance * norm) {
            return Err(collinear(data, j));
        }
    }
    let root = triangle.view((0, 0), (features, features)).into_owned();
    let mut delta = triangle.view((0, features), (features, outputs)).into_owned();
    solve_upper_in_place(&root, &mut delta);
    let rest = gram_of_columns(&triangle.view((features, features), (outputs, outputs)).into_owned());
    let factor = Cholesky::from_factor(root.transpose())?;
    let ln_determinant = factor.ln_determinant() - prior.ln_precision();
    let spread = Spread::Precision(factor);
    Ok(Solved { mean: delta, spread, rest, ln_determinant, form: PosteriorForm::SquareRoot })
}

fn gain(blocks: &Blocks<'_>, data: &LinearData<'_>, prior: &WeightPrior) -> Result<Solved, Error> {
    if let Some(column) = (0..data.features()).find(|&j| prior.is_flat_in(j)) {
        return Err(collinear(data, column));
    }
    let (features, rows) = (data.features(), data.rows());
    let whitened = blocks.rows(0..rows);
    let b = prior.root_transpose_times(whitened.columns(0, features).transpose()).transpose();
    let mut g = gram_of_rows(&b);
    (0..rows).for_each(|i| g[(i, i)] += 1.0);
    let factor = Cholesky::decompose(g)?;
    let v = factor.half_solve(&b);
    let white = factor.half_solve(&whitened.columns(features, blocks.outputs()).into_owned());
    let delta = prior.root_times(transpose_multiply(&v, &white));
    let rest = gram_of_columns(&white);
    let ln_determinant = factor.ln_determinant();
    let spread = Spread::Reduced { prior: Box::new(prior.clone()), v, factor };
    Ok(Solved { mean: delta, spread, rest, ln_determinant, form: PosteriorForm::Gain })
}
