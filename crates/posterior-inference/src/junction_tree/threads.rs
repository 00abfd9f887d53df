//! Cliques that don't wait for each other, on several threads.

use super::LARGE;
use super::tree::Tree;

/// Whether the cliques of a level are shared among threads; that decides only the time.
pub(super) const fn is_worth_threads(tree: &Tree) -> bool {
    cfg!(feature = "rayon") && tree.cost.operations > LARGE
}

/// `f` of each clique, in their order.
#[cfg(feature = "rayon")]
pub(super) fn each<T: Send>(cliques: &[usize], f: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};
    cliques.par_iter().map(|&c| f(c)).collect()
}

/// `f` of each clique, in their order.
#[cfg(not(feature = "rayon"))]
pub(super) fn each<T>(cliques: &[usize], f: impl Fn(usize) -> T) -> Vec<T> {
    cliques.iter().map(|&c| f(c)).collect()
}
