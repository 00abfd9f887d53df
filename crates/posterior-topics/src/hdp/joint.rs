//! The joint log-likelihood of words and topics given the weights of the topics.

use posterior_math::special::ln_rising_factorial;

use super::kernel::Sticks;
use super::topic_counts::{Tokens, TopicCounts};

/// `sum_d [ln B(α₀ b + n_d) - ln B(α₀ b)] + sum_k [ln B(beta + n_k) - ln B(beta)]`, the topics without tokens
/// being one of weight `b_u`.
pub(super) fn ln_joint(
    tokens: &Tokens,
    topics: &[u32],
    counts: &TopicCounts,
    sticks: &Sticks,
    alpha: f64,
) -> f64 {
    let mut ln = counts.ln_words();
    for_document_counts(tokens, topics, counts.slots, |_, own| {
        let mut length = 0;
        for (&n, weight) in own.iter().zip(&sticks.weights).filter(|&(&n, _)| n > 0) {
            ln += ln_rising_factorial(alpha * weight, u64::from(n));
            length += u64::from(n);
        }
        // The weights of topics held from before may leave something out.
        let all = sticks.weights.iter().sum::<f64>() + sticks.rest;
        ln -= ln_rising_factorial(alpha * all, length);
    });
    ln
}

/// In how many documents each topic has tokens.
pub(super) fn documents_of_topics(tokens: &Tokens, topics: &[u32], slots: usize) -> Vec<u32> {
    let mut documents = vec![0; slots];
    for_document_counts(tokens, topics, slots, |_, own| {
        for (documents, &n) in documents.iter_mut().zip(own) {
            *documents += u32::from(n > 0);
        }
    });
    documents
}

/// Calls `see` with each document and the tokens that the topics have in it.
pub(super) fn for_document_counts(
    tokens: &Tokens,
    topics: &[u32],
    slots: usize,
    mut see: impl FnMut(usize, &[u32]),
) {
    let mut own = vec![0_u32; slots];
    for (d, range) in tokens.starts.windows(2).enumerate() {
        own.fill(0);
        for &topic in &topics[range[0]..range[1]] {
            own[topic as usize] += 1;
        }
        see(d, &own);
    }
}
