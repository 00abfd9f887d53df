//! How many threads a run may use.

use rayon::ThreadPoolBuilder;

use crate::args::Common;
use crate::failure::Failure;

/// Holds everything that the run computes in parallel to the number of threads that was asked for; all cores
/// without one.
pub(crate) fn limit(common: &Common) -> Result<(), Failure> {
    limit_to(common.threads)
}

/// The same by the number itself.
pub(crate) fn limit_to(threads: Option<u16>) -> Result<(), Failure> {
    let Some(threads) = threads else { return Ok(()) };
    let pool = ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global();
    pool.map_err(|error| Failure::data(format!("cannot start {threads} threads: {error}")))
}
