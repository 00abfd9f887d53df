//! The sampler that draws the parameters too.

use posterior_math::log_space::softmax_in_place;
use rand::Rng;

use super::counts::Counts;
use super::options::DocumentMixtureGibbsOptions;
use crate::distributions::draw_ln_dirichlet;
use crate::document_mixture::problem::pick;
use crate::factor_rows::FactorRows;
use crate::term_matrix::TermMatrix;
use crate::{Corpus, Error};

/// A chain on the topics of documents and the parameters.
///
/// Cost: entries x topics for a sweep, and a gamma variate for each word and topic.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentBlockedGibbs<'a> {
    corpus: &'a Corpus,
    matrix: TermMatrix,
    options: DocumentMixtureGibbsOptions,
    pub(super) counts: Counts,
}

impl<'a> DocumentBlockedGibbs<'a> {
    /// A chain from random topics.
    ///
    /// # Errors
    /// Options out of their range.
    pub fn new<R: Rng + ?Sized>(
        corpus: &'a Corpus,
        options: &DocumentMixtureGibbsOptions,
        rng: &mut R,
    ) -> Result<Self, Error> {
        options.check()?;
        let counts = Counts::random(corpus, options.topics, rng);
        Ok(Self { corpus, matrix: TermMatrix::counts(corpus), options: *options, counts })
    }

    /// A chain from these topics.
    ///
    /// # Errors
    /// Options out of their range, another number of labels than documents, or a label that is none of the
    /// topics.
    pub fn from_labels(
        corpus: &'a Corpus,
        options: &DocumentMixtureGibbsOptions,
        labels: &[usize],
    ) -> Result<Self, Error> {
        options.check()?;
        let counts = Counts::of(corpus, labels, options.topics)?;
        Ok(Self { corpus, matrix: TermMatrix::counts(corpus), options: *options, counts })
    }

    /// Draws the parameters given the topics of the documents, and these given the parameters.
    #[expect(clippy::missing_panics_doc, reason = "labels are drawn for each document, among the topics")]
    pub fn sweep<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        let options = &self.options;
        let counts = self.counts.documents.iter().map(|&n| n as f64);
        let ln_weights = draw_ln(counts, options.weight_concentration, rng);
        let words = self.counts.word_topic.rows();
        let mut ln_word_topic = FactorRows::zeros(words, options.topics);
        for k in 0..options.topics {
            let counts = (0..words).map(|w| self.counts.word_topic.numbers(w)[k]);
            for (w, ln) in draw_ln(counts, options.word_concentration, rng).into_iter().enumerate() {
                ln_word_topic.numbers_mut(w)[k] = ln;
            }
        }
        let mut ln_joints = self.matrix.times(&ln_word_topic);
        let mut labels = Vec::with_capacity(self.corpus.documents());
        for d in 0..self.corpus.documents() {
            let row = ln_joints.numbers_mut(d);
            row.iter_mut().zip(&ln_weights).for_each(|(ln, weight)| *ln += weight);
            softmax_in_place(row);
            labels.push(pick(row, rng));
        }
        self.counts = Counts::of(self.corpus, &labels, options.topics)
            .expect("invariant: there is a label for each document, and a topic");
    }

    /// The topic of each document.
    pub fn labels(&self) -> &[u32] {
        &self.counts.labels
    }

    /// ln p(W, z), the parameters integrated out.
    pub fn ln_joint(&self) -> f64 {
        self.counts.ln_joint(&self.options)
    }
}

/// ln of probabilities drawn from Dir(concentration + counts).
fn draw_ln<R: Rng + ?Sized>(counts: impl Iterator<Item = f64>, concentration: f64, rng: &mut R) -> Vec<f64> {
    let alpha: Vec<f64> = counts.map(|n| n + concentration).collect();
    draw_ln_dirichlet(&alpha, rng)
}
