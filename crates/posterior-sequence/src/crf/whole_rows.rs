//! Weights in rows that vectors take.

use std::borrow::Cow;

use super::features::{Features, Targets};

/// An attribute with weights of at least this proportion of all labels, one in so many, gets a row of all.
const ONE_IN: usize = 3;

/// Features in which attributes with many labels have a weight for each, so that a row is added at once; the
/// weights that there are not stay 0.
#[derive(Debug)]
pub(super) struct WholeRows<'a> {
    pub(super) features: Cow<'a, Features>,
    /// Where each weight stands; empty if that is where it stood.
    places: Vec<u32>,
    weights: Vec<f64>,
}

impl<'a> WholeRows<'a> {
    pub(super) fn new(features: &'a Features) -> Self {
        let as_it_is = || Self { features: Cow::Borrowed(features), places: Vec::new(), weights: Vec::new() };
        let k = features.labels;
        let labels = |row: usize| features.nodes.targets(features.nodes.range(row));
        let is_whole = |labels: &[u32]| labels.len() * ONE_IN >= k;
        let rows = 0..features.nodes.rows();
        if rows.clone().all(|row| labels(row).len() == k || !is_whole(labels(row))) {
            return as_it_is();
        }
        let filled = rows
            .clone()
            .map(|row| if is_whole(labels(row)) { (0..k as u32).collect() } else { labels(row).to_vec() });
        let Ok(nodes) = Targets::new(k, filled) else { return as_it_is() };
        let Ok(added) = u32::try_from(nodes.len() - features.nodes.len() + features.len()) else {
            return as_it_is();
        };
        let shift = added - features.len() as u32;
        let mut places = Vec::with_capacity(features.len());
        for row in rows {
            let begin = nodes.range(row).start as u32;
            if is_whole(labels(row)) {
                places.extend(labels(row).iter().map(|label| begin + label));
            } else {
                places.extend((begin..).take(labels(row).len()));
            }
        }
        places.extend((features.nodes.len()..features.len()).map(|weight| weight as u32 + shift));
        let features = Features { nodes, ..features.clone() };
        let weights = vec![0.0; features.len()];
        Self { features: Cow::Owned(features), places, weights }
    }

    /// The features, and the weights, each where it stands here.
    pub(super) fn spread<'w>(&'w mut self, weights: &'w [f64]) -> (&'w Features, &'w [f64]) {
        if self.places.is_empty() {
            return (&self.features, weights);
        }
        for (&place, &weight) in self.places.iter().zip(weights) {
            self.weights[place as usize] = weight;
        }
        (&self.features, &self.weights)
    }

    /// Adds what stands here for the weights from `first` on.
    pub(super) fn add_back(&self, first: usize, here: &[f64], out: &mut [f64]) {
        if self.places.is_empty() {
            super::scores::add(out, &here[first..first + out.len()]);
        } else {
            for (&place, out) in self.places[first..].iter().zip(out) {
                *out += here[place as usize];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_find_their_places_and_back() {
        let rows = vec![vec![1], vec![0, 2], vec![], vec![0, 1, 2, 3], vec![1, 3, 4]];
        let features = Features {
            labels: 5,
            nodes: Targets::new(5, rows).expect("few weights"),
            steps: Targets::new(25, [vec![7, 9]]).expect("few weights"),
            transitions: vec![0, 6, 12],
            ends: true,
            width: 1,
        };
        let mut whole = WholeRows::new(&features);
        let weights: Vec<f64> = (1..=features.len()).map(|i| i as f64).collect();
        let kinds: Vec<_> = whole.features.iter().collect();
        let spread = whole.spread(&weights).1.to_vec();
        for (weight, kind) in weights.iter().zip(features.iter()) {
            let place = kinds.iter().position(|&own| own == kind).expect("a weight of each kind");
            assert_eq!(spread[place], *weight);
        }
        assert_eq!(spread.iter().sum::<f64>(), weights.iter().sum::<f64>());
        // The second, fourth and fifth attribute are whole now, and the first is not.
        assert_eq!(spread.len(), features.len() + 3 + 1 + 2);
        let mut back = vec![1.0; features.len() - 2];
        whole.add_back(2, &spread, &mut back);
        assert!(back.iter().zip(&weights[2..]).all(|(back, weight)| *back == weight + 1.0));
    }
}
