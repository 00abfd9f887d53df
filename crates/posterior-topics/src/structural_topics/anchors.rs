//! Words of topics to start from, by anchor words: words that (nearly) one topic has.
//!
//! Which words stand beside a word in documents is a mixture of what stands beside the anchors, and the
//! weights are the topics of the word. The anchors are the corners of the hull of all words.
//!
//! # References
//! S. Arora, R. Ge, Y. Halpern, D. Mimno, A. Moitra, D. Sontag, Y. Wu, M. Zhu, A practical algorithm for
//! topic modeling with provable guarantees, ICML 2013.

use posterior_math::linalg::{DMatrix, DVector, transpose_multiply};
use rayon::prelude::*;

use crate::{Corpus, Error};

/// The most frequent words by which words are compared.
const COMPARED: usize = 5000;

/// An anchor is in so many documents, and in this proportion of them, if there are enough such words.
const DOCUMENTS: usize = 5;
const PROPORTION: f64 = 0.01;

/// Steps towards the weights of a word, and the part of a topic that every word has a share of.
const STEPS: usize = 500;
const SMOOTHING: f64 = 0.01;

/// The part of its length that a new anchor has beside the others, at least.
const APART: f64 = 1e-8;

/// In each level of the documents an anchor has this part of its proportion in all, if there are enough such
/// words: what only one level says is no topic.
const EVEN: f64 = 0.25;

/// Bytes that the start of a [`fit`](super::fit) takes beside its topics and documents, for so many different
/// words: what stands beside each of them.
pub fn start_memory(words: usize) -> u64 {
    (words as u64).saturating_mul(words.min(COMPARED) as u64).saturating_mul(size_of::<f64>() as u64)
}

/// The words of so many topics, topics x words, by documents and their levels.
///
/// Cost: documents x distinct words² + words x compared words x topics. Memory: words x compared words.
///
/// # Errors
/// Fewer corners than topics.
pub(super) fn topic_words(corpus: &Corpus, levels: &[usize], topics: usize) -> Result<DMatrix<f64>, Error> {
    let proportions = corpus.word_proportions();
    let beside = words_beside(corpus, &proportions);
    let anchors = anchors(&beside, &candidates(corpus, levels, topics), topics)?;
    let corners = beside.select_columns(&anchors);
    let gram = transpose_multiply(&corners, &corners);
    let products = transpose_multiply(&corners, &beside);
    let largest = gram.diagonal().max();
    let weights: Vec<Vec<f64>> = (0..proportions.len())
        .into_par_iter()
        .map(|v| simplex_weights(&gram, &products.column(v).into_owned(), largest))
        .collect();
    let mut phi = DMatrix::from_fn(topics, proportions.len(), |k, v| weights[v][k] * proportions[v]);
    for mut row in phi.row_iter_mut() {
        let sum = row.sum();
        for (p, proportion) in row.iter_mut().zip(&proportions) {
            *p = (1.0 - SMOOTHING) * *p / sum + SMOOTHING * proportion.max(f64::MIN_POSITIVE);
        }
    }
    Ok(phi)
}

/// For each word (a column) how often a compared word stands beside it: of two tokens of a document, one the
/// word, the probabilities of the other. A document counts with its number of tokens less one.
fn words_beside(corpus: &Corpus, proportions: &[f64]) -> DMatrix<f64> {
    let mut order: Vec<usize> = (0..proportions.len()).collect();
    order.sort_by(|&a, &b| proportions[b].total_cmp(&proportions[a]));
    order.truncate(COMPARED);
    let mut place = vec![None; proportions.len()];
    order.iter().enumerate().for_each(|(at, &word)| place[word] = Some(at));
    let mut beside = DMatrix::zeros(order.len(), proportions.len());
    for document in corpus.iter() {
        let others = (document.tokens() as f64 - 1.0).max(1.0);
        for (&word, &count) in document.words.iter().zip(document.counts) {
            let mut column = beside.column_mut(word as usize);
            for (&other, &times) in document.words.iter().zip(document.counts) {
                if let Some(at) = place[other as usize] {
                    let times = f64::from(times) - f64::from(u8::from(other == word));
                    column[at] += f64::from(count) * times / others;
                }
            }
        }
    }
    for mut column in beside.column_iter_mut() {
        let sum = column.sum();
        if sum > 0.0 {
            column /= sum;
        }
    }
    beside
}

/// Words that are in enough documents, and in those of all levels; others where these are too few.
fn candidates(corpus: &Corpus, levels: &[usize], topics: usize) -> Vec<usize> {
    let mut documents = vec![0_usize; corpus.vocabulary().len()];
    corpus.iter().for_each(|document| document.words.iter().for_each(|&word| documents[word as usize] += 1));
    let least = DOCUMENTS.max((PROPORTION * corpus.documents() as f64) as usize);
    let enough: Vec<usize> = (0..documents.len()).filter(|&word| documents[word] >= least).collect();
    if enough.len() < 2 * topics {
        return (0..documents.len()).collect();
    }
    let least_part = least_parts(corpus, levels);
    let even: Vec<usize> = enough.iter().copied().filter(|&word| least_part[word] >= EVEN).collect();
    if even.len() >= 2 * topics { even } else { enough }
}

/// The smallest proportion of each word in a level, over that in all documents.
fn least_parts(corpus: &Corpus, levels: &[usize]) -> Vec<f64> {
    let count = 1 + levels.iter().copied().max().unwrap_or(0);
    let mut tokens = DMatrix::<f64>::zeros(corpus.vocabulary().len(), count);
    for (document, &level) in corpus.iter().zip(levels) {
        for (&word, &times) in document.words.iter().zip(document.counts) {
            tokens[(word as usize, level)] += f64::from(times);
        }
    }
    let (of_level, of_word, all) = (tokens.row_sum(), tokens.column_sum(), tokens.sum());
    let part = |word: usize, level: usize| tokens[(word, level)] * all / (of_level[level] * of_word[word]);
    let least = |word: usize| (0..count).map(|level| part(word, level)).fold(f64::INFINITY, f64::min);
    (0..tokens.nrows()).map(least).collect()
}

/// The words furthest from each other: each from the span of those before, then each once more from the span
/// of the others.
fn anchors(beside: &DMatrix<f64>, candidates: &[usize], topics: usize) -> Result<Vec<usize>, Error> {
    let mut found: Vec<usize> = Vec::new();
    for k in 0..2 * topics {
        let others: Vec<usize> = if k < topics {
            found.clone()
        } else {
            found.iter().copied().filter(|&word| word != found[k - topics]).collect()
        };
        let basis = orthonormal(&beside.select_columns(&others));
        let distance = |&word: &usize| {
            let column = beside.column(word);
            column.norm_squared() - basis.iter().map(|own| own.dot(&column).powi(2)).sum::<f64>()
        };
        let distances: Vec<f64> = candidates.par_iter().map(distance).collect();
        let furthest = (0..candidates.len()).max_by(|&a, &b| distances[a].total_cmp(&distances[b]));
        let word = furthest.map(|at| candidates[at]).filter(|&word| {
            let length = beside.column(word).norm_squared();
            length > 0.0 && distance(&word) > APART * length
        });
        match word {
            Some(word) if k < topics => found.push(word),
            Some(word) => found[k - topics] = word,
            None => {
                let message = format!("its words tell {} topics apart, fewer than {topics}", found.len());
                return Err(Error::Corpus(message));
            }
        }
    }
    Ok(found)
}

/// By the modified method of Gram and Schmidt.
fn orthonormal(columns: &DMatrix<f64>) -> Vec<DVector<f64>> {
    let mut basis: Vec<DVector<f64>> = Vec::new();
    for column in columns.column_iter() {
        let mut own = column.into_owned();
        for other in &basis {
            own -= other * other.dot(&own);
        }
        let length = own.norm();
        basis.push(own / length);
    }
    basis
}

/// The weights, which sum to one, whose mixture of corners is nearest: by exponentiated gradients.
fn simplex_weights(gram: &DMatrix<f64>, products: &DVector<f64>, largest: f64) -> Vec<f64> {
    let mut weights = DVector::from_element(products.len(), 1.0 / products.len() as f64);
    for _ in 0..STEPS {
        let slopes = products - gram * &weights;
        let highest = slopes.max();
        weights.iter_mut().zip(&slopes).for_each(|(weight, slope)| {
            *weight *= ((slope - highest) / largest).exp();
        });
        let sum = weights.sum();
        weights /= sum;
    }
    weights.as_slice().to_vec()
}

#[cfg(test)]
mod tests;
