//! Checks of vectors and matrices that are parameters.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{Cholesky, DMatrix, MatrixError, PivotedCholesky, symmetrize};

/// How far two entries that mirror each other may be apart, as a part of the geometric mean of their diagonal
/// entries.
const SYMMETRY_TOLERANCE: f64 = 1e-8;

/// A length that agrees with another parameter.
pub(crate) fn length(
    type_name: &'static str,
    parameter: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), ParamError> {
    let requirement = "the length that the other parameters have";
    check::require(found == expected, type_name, parameter, found as f64, requirement).map(drop)
}

/// Numbers that are all finite.
pub(crate) fn finite(
    type_name: &'static str,
    parameter: &'static str,
    numbers: &[f64],
) -> Result<(), ParamError> {
    match numbers.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(ParamError::new(type_name, parameter, numbers[index], "finite").at(index)),
        None => Ok(()),
    }
}

/// Distinct indices below `dimension`.
pub(crate) fn indices(
    type_name: &'static str,
    indices: &[usize],
    dimension: usize,
) -> Result<(), ParamError> {
    let mut seen = vec![false; dimension];
    for (position, &index) in indices.iter().enumerate() {
        let fresh = index < dimension && !std::mem::replace(&mut seen[index], true);
        check::require(fresh, type_name, "index", index as f64, "below the dimension, and there only once")
            .map_err(|error| error.at(position))?;
    }
    Ok(())
}

/// The indices below `dimension` that are not among `indices`, in order.
pub(crate) fn others(indices: &[usize], dimension: usize) -> Vec<usize> {
    (0..dimension).filter(|index| !indices.contains(index)).collect()
}

/// A square matrix that is finite and symmetric up to rounding; made symmetric to the last bit.
pub(crate) fn symmetric(
    type_name: &'static str,
    parameter: &'static str,
    matrix: &DMatrix<f64>,
) -> Result<DMatrix<f64>, ParamError> {
    let (rows, columns) = matrix.shape();
    check::require(
        rows == columns,
        type_name,
        parameter,
        columns as f64,
        "square, with as many columns as rows",
    )?;
    finite(type_name, parameter, matrix.as_slice())?;
    for j in 0..columns {
        for i in j + 1..rows {
            let (lower, upper) = (matrix[(i, j)], matrix[(j, i)]);
            let scale = (matrix[(i, i)].abs().sqrt() * matrix[(j, j)].abs().sqrt()).max(lower.abs());
            let mirrored = (lower - upper).abs() <= SYMMETRY_TOLERANCE * scale;
            check::require(
                mirrored,
                type_name,
                parameter,
                upper - lower,
                "symmetric (the value is a difference)",
            )
            .map_err(|error| error.at(j * rows + i))?;
        }
    }
    let mut matrix = matrix.clone();
    symmetrize(&mut matrix);
    Ok(matrix)
}

/// A symmetric positive definite matrix, and its factor.
pub(crate) fn positive_definite(
    type_name: &'static str,
    parameter: &'static str,
    matrix: &DMatrix<f64>,
) -> Result<(DMatrix<f64>, Cholesky), ParamError> {
    let matrix = symmetric(type_name, parameter, matrix)?;
    let factor = Cholesky::new(&matrix).map_err(|error| error.of_parameter(type_name, parameter))?;
    Ok((matrix, factor))
}

/// A symmetric matrix without negative eigenvalues, and its factor if it has one.
pub(crate) fn semidefinite(
    type_name: &'static str,
    parameter: &'static str,
    matrix: &DMatrix<f64>,
) -> Result<(DMatrix<f64>, Option<Cholesky>), ParamError> {
    let matrix = symmetric(type_name, parameter, matrix)?;
    let factor = Cholesky::new(&matrix).ok();
    if factor.is_none() {
        let negative = |_| {
            let smallest = matrix.diagonal().iter().fold(f64::INFINITY, |least, &entry| least.min(entry));
            let requirement = "positive semidefinite (the value is its smallest diagonal entry)";
            ParamError::new(type_name, parameter, smallest, requirement)
        };
        semidefinite_root(&matrix).map_err(negative)?;
    }
    Ok((matrix, factor))
}

/// F with A = F Fᵀ for a symmetric positive semidefinite A, with as many columns as A has rank; of A scaled
/// to a unit diagonal, so that a variance is not lost beside larger ones.
pub(crate) fn semidefinite_root(matrix: &DMatrix<f64>) -> Result<DMatrix<f64>, MatrixError> {
    let scales = matrix.diagonal().map(|entry| if entry > 0.0 { entry.sqrt() } else { 1.0 });
    let n = matrix.nrows();
    let scaled = DMatrix::from_fn(n, n, |i, j| matrix[(i, j)] / scales[i] / scales[j]);
    let tolerance = 8.0 * n as f64 * f64::EPSILON;
    let mut root = PivotedCholesky::with_tolerance(&scaled, tolerance)?.factor().clone();
    for (mut row, &scale) in root.row_iter_mut().zip(scales.iter()) {
        row *= scale;
    }
    Ok(root)
}

/// ν above p - 1, for a matrix with p ≥ 1 rows.
pub(crate) fn degrees_of_freedom(
    type_name: &'static str,
    degrees_of_freedom: f64,
    dimension: usize,
) -> Result<f64, ParamError> {
    check::require(dimension > 0, type_name, "rows of the scale", 0.0, "positive")?;
    let enough = degrees_of_freedom > dimension as f64 - 1.0 && degrees_of_freedom.is_finite();
    let requirement = "finite, and above the number of rows less one";
    check::require(enough, type_name, "degrees_of_freedom", degrees_of_freedom, requirement)
}

/// A log-density on the positive definite matrices: -∞ for what is none, and NaN only for NaN.
pub(crate) fn density_at(x: &DMatrix<f64>, dimension: usize, ln_pdf: impl Fn(&Cholesky) -> f64) -> f64 {
    if x.iter().any(|entry| entry.is_nan()) {
        return f64::NAN;
    }
    if x.shape() != (dimension, dimension) {
        return f64::NEG_INFINITY;
    }
    match positive_definite("", "", x) {
        // With degrees of freedom beyond 1e300 the terms of the logarithm leave f64, and cancel to NaN.
        Ok((_, factor)) => Some(ln_pdf(&factor)).filter(|ln| !ln.is_nan()).unwrap_or(f64::NEG_INFINITY),
        Err(_) => f64::NEG_INFINITY,
    }
}
