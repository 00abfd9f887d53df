//! Topics that several fits have in common.

use posterior_math::linalg::DMatrix;

use super::{Distance, Matching, match_topics};
use crate::{Error, Topics};

/// The topics that several fits agree on.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Consensus {
    /// The fit in the middle: the one whose mean distance to the others is least, the first of several.
    pub center: usize,
    /// The pairing of the middle fit with each fit, itself included.
    pub matchings: Vec<Matching>,
    /// For each topic of the middle fit the mean overlap, one minus the distance, with its partners: near 1
    /// for one that comes back every time.
    pub stability: Vec<f64>,
    /// The topics of the middle fit, each averaged with its partners.
    pub topics: Topics,
}

/// The consensus of fits of one number of topics to one vocabulary, such as those of several seeds.
///
/// Cost: a pairing for each two fits.
///
/// # Errors
/// Fewer than two fits, or different vocabularies or numbers of topics.
pub fn consensus(fits: &[&Topics], distance: Distance) -> Result<Consensus, Error> {
    let [first, rest @ ..] = fits else {
        return Err(Error::Corpus("no fits to compare".to_owned()));
    };
    if rest.is_empty() || rest.iter().any(|fit| fit.len() != first.len()) {
        return Err(Error::Corpus("a consensus needs two fits or more, of one number of topics".to_owned()));
    }
    let mut all: Vec<Vec<Matching>> = Vec::with_capacity(fits.len());
    for a in fits {
        all.push(fits.iter().map(|b| match_topics(a, b, distance)).collect::<Result<_, _>>()?);
    }
    let spread: Vec<f64> =
        all.iter().map(|matchings| matchings.iter().map(Matching::mean_distance).sum()).collect();
    let center = (1..fits.len()).fold(0, |best, fit| if spread[fit] < spread[best] { fit } else { best });
    let matchings = all.swap_remove(center);
    let others = (fits.len() - 1) as f64;
    let stability = (0..first.len())
        .map(|k| 1.0 - matchings.iter().map(|matching| matching.distances[k]).sum::<f64>() / others)
        .collect();
    let topics = averaged(fits, &matchings)?;
    Ok(Consensus { center, matchings, stability, topics })
}

fn averaged(fits: &[&Topics], matchings: &[Matching]) -> Result<Topics, Error> {
    let (count, words) = fits[0].topic_word().shape();
    let proportion = 1.0 / fits.len() as f64;
    let mut topic_word = DMatrix::zeros(count, words);
    let (mut weights, mut word_proportions) = (vec![0.0; count], vec![0.0; words]);
    for (fit, matching) in fits.iter().zip(matchings) {
        for (k, partner) in matching.partners.iter().enumerate() {
            let partner = partner.expect("invariant: as many topics, so that all have partners");
            for word in 0..words {
                topic_word[(k, word)] += proportion * fit.topic_word()[(partner, word)];
            }
            weights[k] += proportion * fit.weights()[partner];
        }
        for (sum, word) in word_proportions.iter_mut().zip(fit.word_proportions()) {
            *sum += proportion * word;
        }
    }
    Topics::new(fits[0].vocabulary().to_vec(), topic_word, weights, word_proportions)
}
