//! Work on the threads of the pool.

/// The results of `task` for each item, in their order; on the threads of the pool with the feature `rayon`.
/// `room` makes what a thread works with.
#[cfg(feature = "rayon")]
pub(crate) fn map<I: Send, W, T: Send>(
    items: Vec<I>,
    room: impl Fn() -> W + Sync + Send,
    task: impl Fn(&mut W, I) -> T + Sync + Send,
) -> Vec<T> {
    use rayon::iter::{IntoParallelIterator, ParallelIterator};
    items.into_par_iter().map_init(room, task).collect()
}

#[cfg(not(feature = "rayon"))]
pub(crate) fn map<I: Send, W, T: Send>(
    items: Vec<I>,
    room: impl Fn() -> W + Sync + Send,
    task: impl Fn(&mut W, I) -> T + Sync + Send,
) -> Vec<T> {
    let mut work = room();
    items.into_iter().map(|item| task(&mut work, item)).collect()
}
