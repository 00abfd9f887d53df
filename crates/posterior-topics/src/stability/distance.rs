//! Distances of topics.

use std::f64::consts::LN_2;

use posterior_dist::finite::information::{hellinger, jensen_shannon, total_variation};
use posterior_math::linalg::DMatrix;
use rayon::prelude::*;

use crate::Topics;

/// The distance of two distributions over words: a metric from 0, equal, to 1, no word in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Distance {
    /// `sum_w |p_w - q_w| / 2`: the mass that must move. One minus it is the overlap, `sum_w min(p_w, q_w)`.
    #[default]
    TotalVariation,
    /// `|sqrt p - sqrt q| / sqrt 2`.
    Hellinger,
    /// The root of the Jensen-Shannon divergence in bits.
    JensenShannon,
}

impl Distance {
    /// The distance of two distributions.
    ///
    /// # Panics
    /// When the lengths differ.
    #[track_caller]
    pub fn between(self, p: &[f64], q: &[f64]) -> f64 {
        assert_eq!(p.len(), q.len(), "distributions over the same outcomes");
        match self {
            Self::TotalVariation => total_variation(p, q),
            Self::Hellinger => hellinger(p, q),
            Self::JensenShannon => (jensen_shannon(p, q) / LN_2).sqrt(),
        }
    }
}

/// Topics of `a` x topics of `b`. Cost: both numbers of topics times the vocabulary, in parallel.
pub(crate) fn distances(a: &Topics, b: &Topics, distance: Distance) -> DMatrix<f64> {
    let rows = |topics: &Topics| -> Vec<Vec<f64>> {
        topics.topic_word().row_iter().map(|row| row.iter().copied().collect()).collect()
    };
    let (a, b) = (rows(a), rows(b));
    let entries: Vec<Vec<f64>> =
        b.par_iter().map(|q| a.iter().map(|p| distance.between(p, q)).collect()).collect();
    DMatrix::from_vec(a.len(), b.len(), entries.concat())
}
