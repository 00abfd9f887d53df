//! The states of the chain that are kept: sums, and draws of the regression.

use posterior_math::linalg::DMatrix;

use super::chain::StructuralGibbs;
use crate::distributions::column_sums;
use crate::relabelling::nearest_topics;

/// Sums over states, and their regressions.
///
/// Topics of a state are taken in the order that is nearest, in words, to the states before.
#[derive(Debug)]
pub(super) struct Kept {
    topics: usize,
    /// Words x rows.
    pub(super) topic_words: Vec<f64>,
    /// Tokens by row.
    pub(super) tokens: Vec<u64>,
    /// Documents x topics.
    pub(super) proportions: Vec<f64>,
    pub(super) coefficients: Vec<DMatrix<f64>>,
    pub(super) covariances: Vec<DMatrix<f64>>,
}

impl Kept {
    pub(super) fn new(gibbs: &StructuralGibbs<'_>) -> Self {
        Self {
            topics: gibbs.topics,
            topic_words: vec![0.0; gibbs.word_topic.len()],
            tokens: vec![0; gibbs.words.rows],
            proportions: vec![0.0; gibbs.document_topic.len()],
            coefficients: Vec::new(),
            covariances: Vec::new(),
        }
    }

    pub(super) fn states(&self) -> usize {
        self.coefficients.len()
    }

    /// Adds a state.
    ///
    /// Cost: words x levels x topics².
    pub(super) fn add(&mut self, gibbs: &StructuralGibbs<'_>) {
        let topic_words = gibbs.words.expected(&gibbs.word_topic);
        let states = self.states() as f64;
        let order = nearest_topics(self.topics, (&self.topic_words, states), &topic_words);
        let tokens = column_sums(&gibbs.word_topic, gibbs.words.rows);
        add_in(&order, &mut self.topic_words, &topic_words);
        add_in(&order, &mut self.tokens, &tokens.into_iter().map(u64::from).collect::<Vec<u64>>());
        add_in(&order, &mut self.proportions, &gibbs.proportions().collect::<Vec<f64>>());
        let (coefficients, covariance) = gibbs.regression.relabelled(&order);
        self.coefficients.push(coefficients);
        self.covariances.push(covariance);
    }
}

/// Adds rows of topics whose order is another.
fn add_in<T: Copy + std::ops::AddAssign>(order: &[usize], sums: &mut [T], state: &[T]) {
    let topics = order.len();
    for (sums, state) in sums.chunks_exact_mut(topics).zip(state.chunks_exact(topics)) {
        sums.iter_mut().zip(order).for_each(|(sum, &k)| *sum += state[k]);
    }
}

#[cfg(test)]
mod tests;
