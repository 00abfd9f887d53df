//! The best of several starts.

use posterior_math::iteration::Silent;
#[cfg(feature = "rayon")]
use rayon::prelude::*;

use super::frame::Rows;
use super::lloyd::{Clustering, run};
use super::options::KMeansOptions;
use crate::error::Error;
use crate::observations::Observations;

/// The best clustering of several starts.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BestOfStarts {
    /// The one of lowest inertia, the first of equals.
    pub best: Clustering,
    /// Which one it is, from 0.
    pub index: usize,
    /// The inertia that each start led to.
    pub inertias: Vec<f64>,
}

/// k-means from several starts, on the threads of the pool with the feature `rayon`.
///
/// Start i draws from the stream `[i]` of the seed: the first starts are the same however many there are, and
/// the very first is that of [`fit`](super::fit). At least one is tried.
///
/// ```
/// use posterior_latent::Observations;
/// use posterior_latent::k_means::{KMeansOptions, best_of_starts};
/// use posterior_math::linalg::DMatrix;
///
/// let data = Observations::new(&DMatrix::from_column_slice(6, 1, &[0.0, 1.0, 10.0, 11.0, 20.0, 21.0]))?;
/// let found = best_of_starts(&data, &KMeansOptions::new(3), 10, 1)?;
/// assert_eq!(found.best.inertia(), 1.5);
/// assert!(found.inertias.iter().all(|&inertia| inertia >= 1.5));
/// # Ok::<(), posterior_latent::Error>(())
/// ```
///
/// # Errors
/// Those of [`fit`](super::fit).
pub fn best_of_starts(
    data: &Observations,
    options: &KMeansOptions,
    starts: usize,
    seed: u64,
) -> Result<BestOfStarts, Error> {
    options.check(data.dimension())?;
    let rows = Rows::about_mean(data)?;
    let from = |index: usize| run(&rows, options, seed, index as u64, &mut Silent);
    let starts = 0..starts.max(1);
    #[cfg(feature = "rayon")]
    let found: Vec<Result<Clustering, Error>> = starts.into_par_iter().map(from).collect();
    #[cfg(not(feature = "rayon"))]
    let found: Vec<Result<Clustering, Error>> = starts.map(from).collect();
    let mut found = found.into_iter().collect::<Result<Vec<_>, _>>()?;
    let inertias: Vec<f64> = found.iter().map(Clustering::inertia).collect();
    let index = (1..inertias.len()).fold(0, |best, i| if inertias[i] < inertias[best] { i } else { best });
    Ok(BestOfStarts { best: found.swap_remove(index), index, inertias })
}
