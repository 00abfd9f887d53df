//! Threads for work in parallel. Each process has its own: a fork has none of its parent's threads, and would
//! wait for them for ever.

use std::process;
use std::sync::{Arc, Mutex};

use pyo3::PyResult;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::invalid;

static KEPT: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The threads of this process.
pub(crate) fn pool() -> PyResult<Arc<ThreadPool>> {
    let own = process::id();
    // In a fork that was made while another thread held the lock, it is never free.
    let mut kept = KEPT.try_lock().ok();
    if let Some((process, pool)) = kept.as_deref().and_then(Option::as_ref)
        && *process == own
    {
        return Ok(Arc::clone(pool));
    }
    let pool = Arc::new(ThreadPoolBuilder::new().build().map_err(invalid)?);
    if let Some(kept) = &mut kept {
        // Threads of the parent can't be ended from here.
        std::mem::forget(kept.replace((own, Arc::clone(&pool))));
    }
    Ok(pool)
}
