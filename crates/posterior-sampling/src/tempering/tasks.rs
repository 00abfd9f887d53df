//! The same task for each of many.

#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// `task` with each item and its place; on the threads of the pool with the feature `rayon`. The results come
/// in order.
pub(super) fn for_each<T: Send, R: Send>(
    items: &mut [T],
    task: impl Fn(usize, &mut T) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "rayon")]
    return items.par_iter_mut().enumerate().map(|(index, item)| task(index, item)).collect();
    #[cfg(not(feature = "rayon"))]
    return items.iter_mut().enumerate().map(|(index, item)| task(index, item)).collect();
}
