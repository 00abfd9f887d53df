//! The concentrations of the sweeps that were kept.

use posterior_sampling::Draws;
use serde::{Deserialize, Serialize};

use crate::lda::word_concentrations::WordConcentrations;

/// Concentrations as they were drawn: of each sweep those of the topics in the order of the chain, and that
/// of the words where it is drawn.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct KeptConcentrations(Vec<Vec<f64>>);

impl KeptConcentrations {
    /// Those of the topics, and that of the words where it is drawn.
    pub(super) fn push(&mut self, alpha: &[f64], beta: Option<f64>) {
        self.0.push(alpha.iter().copied().chain(beta).collect());
    }

    /// Whether each sweep has so many positive numbers.
    pub(super) fn fits(&self, numbers: usize) -> bool {
        let positive = |row: &Vec<f64>| row.iter().all(|x| *x > 0.0 && x.is_finite());
        self.0.iter().all(|row| row.len() == numbers && positive(row))
    }

    /// The means over the sweeps, if there are any.
    fn means(&self) -> Option<Vec<f64>> {
        let first = self.0.first()?;
        let mean = |i: usize| self.0.iter().map(|row| row[i]).sum::<f64>() / self.0.len() as f64;
        Some((0..first.len()).map(mean).collect())
    }

    /// The concentrations of the model: the means over the sweeps, or those of the chain where none was kept.
    /// That of the words comes into the prior.
    pub(super) fn concentrations(&self, alpha: &[f64], prior: &mut WordConcentrations) -> Vec<f64> {
        let mut all = self.means().unwrap_or_else(|| alpha.to_vec());
        if let Some(&beta) = all.get(alpha.len()) {
            prior.set_equal(beta);
            all.truncate(alpha.len());
        }
        all
    }

    /// The draws under their names, with topics in this order; those of the first topic alone where all have
    /// the same.
    pub(super) fn draws(&self, order: &[usize], asymmetric: bool) -> Option<Draws> {
        let first = self.0.first()?;
        let (mut names, topics) = if asymmetric {
            ((0..order.len()).map(|k| format!("alpha_{k}")).collect(), order)
        } else {
            (vec!["alpha".to_owned()], &order[..1])
        };
        names.extend((first.len() > order.len()).then(|| "beta".to_owned()));
        let row = |row: &Vec<f64>| -> Vec<f64> {
            topics.iter().map(|&k| row[k]).chain(row[order.len()..].iter().copied()).collect()
        };
        let draws = Draws::new(names, vec![self.0.iter().flat_map(row).collect()]);
        Some(draws.expect("invariant: names differ, and each draw has a number for each"))
    }
}
