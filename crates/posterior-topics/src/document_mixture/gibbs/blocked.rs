//! The sampler that draws the parameters too.

use posterior_math::log_space::softmax_in_place;
use rand::Rng;

use super::counts::Counts;
use super::options::DocumentMixtureGibbsOptions;
use crate::Corpus;
use crate::distributions::draw_ln_dirichlet;
use crate::document_mixture::problem::pick;
use crate::factor_rows::FactorRows;
use crate::term_matrix::TermMatrix;

/// Draws the parameters given the topics of the documents, and these given the parameters.
pub(super) fn sweep<R: Rng + ?Sized>(
    corpus: &Corpus,
    matrix: &TermMatrix,
    options: &DocumentMixtureGibbsOptions,
    counts: &Counts,
    rng: &mut R,
) -> Counts {
    let documents = counts.documents.iter().map(|&n| n as f64);
    let ln_weights = draw_ln(documents, options.weight_concentration, rng);
    let words = counts.word_topic.rows();
    let mut ln_word_topic = FactorRows::zeros(words, options.topics);
    for k in 0..options.topics {
        let column = (0..words).map(|w| counts.word_topic.numbers(w)[k]);
        for (w, ln) in draw_ln(column, options.word_concentration, rng).into_iter().enumerate() {
            ln_word_topic.numbers_mut(w)[k] = ln;
        }
    }
    let mut ln_joints = matrix.times(&ln_word_topic);
    let mut labels = Vec::with_capacity(corpus.documents());
    for d in 0..corpus.documents() {
        let row = ln_joints.numbers_mut(d);
        row.iter_mut().zip(&ln_weights).for_each(|(ln, weight)| *ln += weight);
        softmax_in_place(row);
        labels.push(pick(row, rng));
    }
    Counts::of(corpus, &labels, options.topics)
        .expect("invariant: there is a label for each document, and a topic")
}

/// ln of probabilities drawn from Dir(concentration + counts).
fn draw_ln<R: Rng + ?Sized>(counts: impl Iterator<Item = f64>, concentration: f64, rng: &mut R) -> Vec<f64> {
    let alpha: Vec<f64> = counts.map(|n| n + concentration).collect();
    draw_ln_dirichlet(&alpha, rng)
}
