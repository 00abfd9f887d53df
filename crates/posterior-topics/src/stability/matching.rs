//! The best pairing of two fits.

use posterior_math::optimize::minimum_cost_assignment;

use super::{Distance, distances};
use crate::{Error, Topics};

/// A partner for each topic.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Matching {
    /// For each topic of the first fit its topic in the second; `None` where the second has fewer topics.
    pub partners: Vec<Option<usize>>,
    /// The distance of each topic to its partner; NaN without one.
    pub distances: Vec<f64>,
}

impl Matching {
    /// The mean distance of partners.
    pub fn mean_distance(&self) -> f64 {
        let known = self.distances.iter().filter(|distance| !distance.is_nan());
        let (sum, count) = known.fold((0.0, 0), |(sum, count), distance| (sum + distance, count + 1));
        sum / f64::from(count)
    }

    /// One minus the mean distance: with [`Distance::TotalVariation`] the mean overlap of partners.
    pub fn mean_overlap(&self) -> f64 {
        1.0 - self.mean_distance()
    }
}

/// The pairing of topics with the least sum of distances: no topic has two partners, and as many as possible
/// have one.
///
/// Cost: the numbers of topics times the vocabulary for the distances, and their product times the smaller
/// one for the pairing.
///
/// # Errors
/// Different vocabularies.
#[expect(clippy::missing_panics_doc, reason = "all distances are finite, so that there is an assignment")]
pub fn match_topics(first: &Topics, second: &Topics, distance: Distance) -> Result<Matching, Error> {
    if first.vocabulary() != second.vocabulary() {
        return Err(Error::Corpus("topics over different vocabularies cannot be matched".to_owned()));
    }
    let costs = distances(first, second, distance);
    let turned = first.len() > second.len();
    let assignment = minimum_cost_assignment(&if turned { costs.transpose() } else { costs.clone() })?
        .expect("invariant: no pair is forbidden");
    let mut partners = vec![None; first.len()];
    for (row, column) in assignment.columns.into_iter().enumerate() {
        let (a, b) = if turned { (column, row) } else { (row, column) };
        partners[a] = Some(b);
    }
    let distances = partners.iter().enumerate().map(|(a, b)| b.map_or(f64::NAN, |b| costs[(a, b)])).collect();
    Ok(Matching { partners, distances })
}
