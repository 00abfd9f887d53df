//! The words of topics, which may depend on the level of a document.

use posterior_math::linalg::DMatrix;

use super::deviations::{Deviations, normalized};
use super::options::StructuralTopicsOptions;
use crate::Corpus;

/// Words of topics as a fit holds them.
#[derive(Debug, Clone)]
pub(super) struct TopicWords {
    /// (levels x topics) x words.
    pub(super) phi: DMatrix<f64>,
    /// With more than one level.
    deviations: Option<Deviations>,
    /// Square roots of the words' proportions in the corpus: what a word counts for in coordinates.
    roots: Vec<f64>,
    beta: f64,
}

impl TopicWords {
    /// All levels alike: `phi` is topics x words.
    pub(super) fn new(
        phi: &DMatrix<f64>,
        levels: usize,
        corpus: &Corpus,
        options: &StructuralTopicsOptions,
    ) -> Self {
        let topics = phi.nrows();
        let all = DMatrix::from_fn(levels * topics, phi.ncols(), |row, v| phi[(row % topics, v)]);
        let ln_proportions = ln_proportions(corpus);
        let roots = ln_proportions.iter().map(|ln| (0.5 * ln).exp()).collect();
        let deviations = (levels > 1).then(|| Deviations::new(phi, levels, ln_proportions, options));
        Self { phi: all, deviations, roots, beta: options.beta }
    }

    /// The words that are most probable given so many tokens of each, (levels x topics) x words; with
    /// levels, words that are more probable than these.
    pub(super) fn given(&self, counts: &DMatrix<f64>) -> Self {
        let mut next = self.clone();
        if let Some(deviations) = &mut next.deviations {
            next.phi = deviations.climb(counts);
        } else {
            for (k, mut row) in next.phi.row_iter_mut().enumerate() {
                let own = counts.row(k).add_scalar(self.beta);
                row.copy_from(&(&own / own.sum()));
            }
        }
        next
    }

    /// As a point, for steps that are extrapolated: logarithms or deviations, each by the root of its word.
    pub(super) fn coordinates(&self) -> Vec<f64> {
        let logs = self.deviations.is_none().then(|| self.phi.map(f64::ln));
        let logs = logs.iter().flat_map(|logs| logs.as_slice().chunks_exact(logs.nrows()));
        let deviations = self.deviations.iter().flat_map(Deviations::of_words);
        let words = logs.chain(deviations).zip(&self.roots);
        words.flat_map(|(own, root)| own.iter().map(move |x| x * root)).collect()
    }

    /// The words at a point.
    pub(super) fn at_coordinates(&self, coordinates: &[f64]) -> Self {
        let mut next = self.clone();
        let of_word = coordinates.chunks_exact(coordinates.len() / self.roots.len()).zip(&self.roots);
        let own = of_word.map(|(own, root)| own.iter().map(|x| x / root).collect());
        if let Some(deviations) = &mut next.deviations {
            next.phi = deviations.move_to(own.collect());
        } else {
            let logs: Vec<Vec<f64>> = own.collect();
            next.phi = normalized(DMatrix::from_fn(self.phi.nrows(), logs.len(), |k, v| logs[v][k]));
        }
        next
    }

    /// ln p(words of topics), up to a constant.
    pub(super) fn ln_prior(&self) -> f64 {
        match &self.deviations {
            Some(deviations) => deviations.ln_prior(),
            None => self.beta * self.phi.iter().map(|p| p.ln()).sum::<f64>(),
        }
    }
}

/// The logarithms of the words' proportions in the corpus.
fn ln_proportions(corpus: &Corpus) -> Vec<f64> {
    // A word of the vocabulary without a token counts as a small part of one.
    let counts: Vec<f64> = corpus.word_totals().iter().map(|&n| (n as f64).max(1e-3)).collect();
    let all: f64 = counts.iter().sum();
    counts.iter().map(|n| (n / all).ln()).collect()
}
