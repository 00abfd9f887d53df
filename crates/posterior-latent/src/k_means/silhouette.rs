//! How well rows sit in their clusters.

use super::frame::Rows;
use super::kernel::squared_distance;
use crate::error::Error;
use crate::observations::Observations;
use posterior_math::check;

/// The silhouette (b - a)/max(a, b) of each row: a its mean distance to the other rows of its cluster, b to
/// those of the next nearest one (Rousseeuw 1987).
///
/// Near 1 a row is well inside, near 0 between two clusters, below 0 nearer to another; the mean over rows is
/// compared between numbers of clusters. It is 0 for the only row of a cluster, and where there is one
/// cluster. A row of weight w counts as w rows. O(n² d).
///
/// # Errors
/// If there are not as many labels as rows, or a value is missing.
///
/// ```
/// use posterior_latent::Observations;
/// use posterior_latent::k_means::silhouette;
/// use posterior_math::linalg::DMatrix;
///
/// let data = Observations::new(&DMatrix::from_column_slice(4, 1, &[0.0, 1.0, 4.0, 5.0]))?;
/// assert_eq!(silhouette(&data, &[0, 0, 1, 1])?[0], (4.5 - 1.0) / 4.5);
/// # Ok::<(), posterior_latent::Error>(())
/// ```
pub fn silhouette(data: &Observations, labels: &[usize]) -> Result<Vec<f64>, Error> {
    let rows = Rows::about_mean(data)?;
    check::dimension("labels", rows.len(), labels.len())?;
    let mut names = labels.to_vec();
    names.sort_unstable();
    names.dedup();
    let place = |label: &usize| names.partition_point(|name| name < label);
    let places: Vec<usize> = labels.iter().map(place).collect();
    let mut sizes = vec![0.0; names.len()];
    for (i, &own) in places.iter().enumerate() {
        sizes[own] += rows.weight(i);
    }
    Ok((0..rows.len()).map(|i| of_row(&rows, i, &places, &sizes)).collect())
}

fn of_row(rows: &Rows, i: usize, places: &[usize], sizes: &[f64]) -> f64 {
    let mut sums = vec![0.0; sizes.len()];
    for (j, &other) in places.iter().enumerate() {
        sums[other] += rows.weight(j) * squared_distance(rows.row(i), rows.row(j)).sqrt();
    }
    let own = places[i];
    let others = (0..sizes.len()).filter(|&other| other != own && sizes[other] > 0.0);
    let next = others.map(|other| sums[other] / sizes[other]).fold(f64::INFINITY, f64::min);
    // Without the row itself, of which there may be less than one.
    let rest = sizes[own] - rows.weight(i).min(1.0);
    let mean = sums[own] / rest;
    let defined = rest > 0.0 && next.is_finite() && mean.max(next) > 0.0;
    if defined { (next - mean) / mean.max(next) } else { 0.0 }
}
