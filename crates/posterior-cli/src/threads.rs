//! How many threads a run may use.

use rayon::ThreadPoolBuilder;

use crate::args::Common;
use crate::failure::Failure;

/// Holds everything that the run computes in parallel to the number of threads that was asked for; all cores without one.
pub(crate) fn limit(common: &Common) -> Result<(), Failure> {
    let Some(threads) = common.threads else { return Ok(()) };
    let pool = ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global();
    pool.map_err(|error| Failure::data(format!("cannot start {threads} threads: {error}")))
}
