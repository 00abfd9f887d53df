//! Symmetric matrices by their lower triangle, column by column: coordinates of exponential families.
//!
//! A statistic -X / 2 has the entries below the diagonal twice, so that its inner product with the triangle
//! of a matrix W is -tr(W X) / 2.

use posterior_math::linalg::DMatrix;

/// How many entries the lower triangle has.
pub(crate) const fn length(dimension: usize) -> usize {
    dimension * (dimension + 1) / 2
}

/// The places of the lower triangle.
pub(crate) fn places(dimension: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..dimension).flat_map(move |j| (j..dimension).map(move |i| (i, j)))
}

/// How often half of an entry counts in tr(W X) / 2: once on the diagonal and twice below.
pub(crate) fn multiplicity((i, j): (usize, usize)) -> f64 {
    if i == j { 0.5 } else { 1.0 }
}

/// The lower triangle.
pub(crate) fn triangle(matrix: &DMatrix<f64>) -> impl Iterator<Item = f64> {
    places(matrix.nrows()).map(|place| matrix[place])
}

/// The statistic -X / 2.
pub(crate) fn statistic(matrix: &DMatrix<f64>) -> impl Iterator<Item = f64> {
    places(matrix.nrows()).map(|place| -multiplicity(place) * matrix[place])
}

/// The symmetric matrix with this lower triangle.
pub(crate) fn of_triangle(dimension: usize, triangle: &[f64]) -> DMatrix<f64> {
    of(dimension, triangle, |_| 1.0)
}

/// The symmetric matrix X with this statistic -X / 2.
pub(crate) fn of_statistic(dimension: usize, statistic: &[f64]) -> DMatrix<f64> {
    of(dimension, statistic, |place| -multiplicity(place))
}

fn of(dimension: usize, packed: &[f64], factor: impl Fn((usize, usize)) -> f64) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(dimension, dimension);
    for ((i, j), &entry) in places(dimension).zip(packed) {
        let entry = entry / factor((i, j));
        (matrix[(i, j)], matrix[(j, i)]) = (entry, entry);
    }
    matrix
}

/// The covariance of the statistic -X / 2 of a matrix with cov(Xᵢⱼ, Xₖₗ) = Sᵢₖ Sⱼₗ + Sᵢₗ Sⱼₖ: of x xᵀ for x ~
/// N(0, S).
pub(crate) fn statistic_covariance(s: &DMatrix<f64>) -> DMatrix<f64> {
    let places: Vec<(usize, usize)> = places(s.nrows()).collect();
    DMatrix::from_fn(places.len(), places.len(), |row, column| {
        let ((i, j), (k, l)) = (places[row], places[column]);
        let pairings = s[(i, k)] * s[(j, l)] + s[(i, l)] * s[(j, k)];
        multiplicity((i, j)) * multiplicity((k, l)) * pairings
    })
}
