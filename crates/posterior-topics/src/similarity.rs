//! Documents compared by their topics.

use posterior_dist::finite::information::hellinger;
use posterior_math::linalg::DMatrix;

use crate::Error;
use crate::checks::{index, size};

/// The distance of two documents by their rows of proportions.
fn distance(doc_topic: &DMatrix<f64>, a: usize, b: usize) -> f64 {
    let row = |d: usize| doc_topic.row(d).iter().copied().collect::<Vec<f64>>();
    hellinger(&row(a), &row(b))
}

/// The `n` documents nearest to document `d` by their proportions (documents x topics), with their Hellinger
/// distances, nearest first.
///
/// # Errors
/// There is no such document.
pub fn nearest(doc_topic: &DMatrix<f64>, d: usize, n: usize) -> Result<Vec<(usize, f64)>, Error> {
    index("document", d, doc_topic.nrows())?;
    let others = (0..doc_topic.nrows()).filter(|&other| other != d);
    let mut others: Vec<(usize, f64)> = others.map(|other| (other, distance(doc_topic, d, other))).collect();
    others.sort_by(|a, b| a.1.total_cmp(&b.1));
    others.truncate(n);
    Ok(others)
}

/// The `n` documents with the largest proportion of topic `k`, and those proportions, from the proportions
/// (documents x topics).
///
/// # Errors
/// There is no such topic.
pub fn most_typical(doc_topic: &DMatrix<f64>, k: usize, n: usize) -> Result<Vec<(usize, f64)>, Error> {
    index("topic", k, doc_topic.ncols())?;
    let mut documents: Vec<(usize, f64)> = doc_topic.column(k).iter().copied().enumerate().collect();
    documents.sort_by(|a, b| b.1.total_cmp(&a.1));
    documents.truncate(n);
    Ok(documents)
}

/// A step from one document to the next in time.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Jump {
    /// The earlier document.
    pub from: usize,
    /// The later document.
    pub to: usize,
    /// Their Hellinger distance.
    pub distance: f64,
}

/// The `n` largest steps between documents that follow each other in `times`, largest first, by their
/// proportions (documents x topics). Documents of one time keep their order; those whose time is not finite
/// are left out.
///
/// # Errors
/// Another number of times than of documents.
pub fn largest_jumps(doc_topic: &DMatrix<f64>, times: &[f64], n: usize) -> Result<Vec<Jump>, Error> {
    size("times of documents", doc_topic.nrows(), times.len())?;
    let mut order: Vec<usize> = (0..times.len()).filter(|&d| times[d].is_finite()).collect();
    order.sort_by(|&a, &b| times[a].total_cmp(&times[b]));
    let jump =
        |pair: &[usize]| Jump { from: pair[0], to: pair[1], distance: distance(doc_topic, pair[0], pair[1]) };
    let mut jumps: Vec<Jump> = order.windows(2).map(jump).collect();
    jumps.sort_by(|a, b| b.distance.total_cmp(&a.distance));
    jumps.truncate(n);
    Ok(jumps)
}
