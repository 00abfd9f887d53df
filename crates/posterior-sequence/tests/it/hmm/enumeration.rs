//! The model by brute force: all paths of states, one after the other.

use posterior_sequence::emission::Emissions;
use posterior_sequence::hmm::HiddenMarkovModel;

/// All paths of states that are not impossible, and their probabilities together with the data.
pub(super) struct Paths {
    states: usize,
    all: Vec<(Vec<usize>, f64)>,
}

impl Paths {
    /// Of `model` and `data`, nothing having been seen where `missing` says so.
    pub(super) fn new<E: Emissions>(model: &HiddenMarkovModel<E>, data: &E::Data, missing: &[bool]) -> Self {
        let (states, length) = (model.states(), E::length(data));
        let mut ln = vec![0.0; states * length];
        model.emissions().ln_densities(data, 0..length, &mut ln);
        let mut all = vec![(Vec::new(), 1.0)];
        for t in 0..length {
            let mut longer = Vec::new();
            for (path, p) in &all {
                for k in 0..states {
                    let step =
                        path.last().map_or(model.initial()[k], |&before| model.transition()[(before, k)]);
                    let shown = if missing.get(t) == Some(&true) { 1.0 } else { ln[t * states + k].exp() };
                    if p * step * shown > 0.0 {
                        longer.push(([&path[..], &[k]].concat(), p * step * shown));
                    }
                }
            }
            all = longer;
        }
        Self { states, all }
    }

    /// p(data).
    pub(super) fn total(&self) -> f64 {
        self.all.iter().map(|(_, p)| p).sum()
    }

    /// p(z_t | data).
    pub(super) fn marginal(&self, t: usize) -> Vec<f64> {
        let (mut distribution, total) = (vec![0.0; self.states], self.total());
        for (path, p) in &self.all {
            distribution[path[t]] += p / total;
        }
        distribution
    }

    /// Every path with its probability given the data.
    pub(super) fn given(&self) -> impl Iterator<Item = (&[usize], f64)> {
        let total = self.total();
        self.all.iter().map(move |(path, p)| (&path[..], p / total))
    }
}
