//! Distances of topics.

use posterior_math::linalg::DMatrix;
use rayon::prelude::*;

use crate::Topics;
use crate::similarity::hellinger;

/// How far two distributions over words are apart: a metric from 0, equal, to 1, no word in common.
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
            Self::TotalVariation => p.iter().zip(q).map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0,
            Self::Hellinger => hellinger(p, q),
            Self::JensenShannon => jensen_shannon(p, q).sqrt(),
        }
    }
}

/// `sum_w [p ln (p / m) + q ln (q / m)] / 2` with `m = (p + q) / 2`, in bits.
///
/// With p = m (1 + x) and q = m (1 - x) a word adds `m [(1 + x) ln (1 + x) + (1 - x) ln (1 - x)] / 2 >= 0`: nothing cancels between words.
fn jensen_shannon(p: &[f64], q: &[f64]) -> f64 {
    let term = |y: f64, ln: f64| if y > 0.0 { y * ln } else { 0.0 };
    let nats: f64 = p
        .iter()
        .zip(q)
        .filter(|(p, q)| p != q)
        .map(|(p, q)| {
            let m = f64::midpoint(*p, *q);
            let x = (p - q) / (p + q);
            let sum = if x.abs() < 1e-3 {
                // Its series: rounding of the two terms would be as large as their sum.
                x * x * (1.0 + x * x / 6.0)
            } else {
                term(1.0 + x, x.ln_1p()) + term(1.0 - x, (-x).ln_1p())
            };
            m * sum / 2.0
        })
        .sum();
    nats.max(0.0) / std::f64::consts::LN_2
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
