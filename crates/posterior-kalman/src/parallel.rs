//! Filter and smoother as a scan over time.
//!
//! A stretch of time is a conditional distribution: of the state at its end given that at its beginning, and
//! what its observations say of that beginning. Such distributions of neighbouring stretches make the
//! distribution of both together, whatever the order (the operation is associative), so that stretches can be
//! worked on at the same time. Here they are blocks of a fixed length: all blocks are summed up, side by
//! side; one walk over the blocks gives the distribution at the beginning of each; all blocks are filtered,
//! side by side. The smoother is the same backwards. The blocks do not depend on the number of threads
//! (feature `rayon`), and neither does a bit of the result.
//!
//! # When it pays
//! Seldom. To sum up a block, n + 1 means are followed instead of one, and the loop of
//! [`filter`](crate::filter()) is compiled for small sizes: the work of the scan, all threads together, was
//! measured as 15 times that of the loop for 2 states, 10 times for 4, and 4 times for 10, where the matrices
//! differ at each time. So many threads it needs to break even. Where they are the same, the loop comes to a
//! steady state and costs next to nothing: then the scan never pays. For many series take
//! [`batch`](crate::batch).
//!
//! ```
//! use posterior_kalman::parallel::{ScanOptions, filter_by_scan};
//! use posterior_kalman::{FilterOptions, Initial, ObservationEquation, Series, StateSpace, TransitionEquation, filter};
//! use posterior_math::linalg::DMatrix;
//!
//! let scalar = |value| DMatrix::from_element(1, 1, value);
//! let model = StateSpace::new(
//!     TransitionEquation::constant(&scalar(1.0), &scalar(1.0))?,
//!     ObservationEquation::constant(&scalar(1.0), &scalar(0.25))?,
//!     Initial::known(&[0.0], &scalar(1.0))?,
//! )?;
//! let series = Series::univariate(&[0.5, 1.2, 0.3, 0.1, -0.4])?;
//! let scanned = filter_by_scan(&model, &series, &ScanOptions {
//!     block_length: 2,
//!     ..ScanOptions::default()
//! })?;
//! let looped = filter(&model, &series, &FilterOptions::default())?;
//! assert!((scanned.mean(4)[0] - looped.mean(4)[0]).abs() < 1e-14);
//! # Ok::<(), posterior_kalman::Error>(())
//! ```
//!
//! # References
//! S. Särkkä, Á. F. García-Fernández, Temporal parallelization of Bayesian smoothers, IEEE Transactions on
//! Automatic Control 66, 2021.

mod block;
mod scan_filter;
mod scan_smoother;

pub use scan_filter::{ScanFiltered, ScanOptions, filter_by_scan};
pub use scan_smoother::ScanSmoothed;

/// `work` for each number below `count`, in order, on the threads that there are.
#[cfg(feature = "rayon")]
fn side_by_side<T: Send>(
    count: usize,
    work: impl Fn(usize) -> Result<T, crate::Error> + Sync + Send,
) -> Result<Vec<T>, crate::Error> {
    use rayon::iter::{IntoParallelIterator, ParallelIterator};
    // All results first: which error is returned must not depend on the threads.
    let results: Vec<_> = (0..count).into_par_iter().map(work).collect();
    results.into_iter().collect()
}

/// `work` for each number below `count`, in order.
#[cfg(not(feature = "rayon"))]
fn side_by_side<T>(
    count: usize,
    work: impl Fn(usize) -> Result<T, crate::Error>,
) -> Result<Vec<T>, crate::Error> {
    (0..count).map(work).collect()
}
