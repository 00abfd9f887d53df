//! Where a fit may start.

use posterior_inference::em::Problem;
use rand::{Rng, RngExt};

use super::model::DocumentMixture;
use super::options::DocumentMixtureOptions;
use super::problem::{OneTopic, State};
use crate::checks::labels_of_documents;
use crate::distributions::normalize;
use crate::factor_rows::FactorRows;
use crate::term_matrix::TermMatrix;
use crate::{Corpus, Error, TopicModel, Topics};

impl DocumentMixture {
    /// The model of documents whose topics are known: naive Bayes. The priors of the options count, the
    /// number of topics too.
    ///
    /// Of a topic that no document has, without a prior, nothing is known: it has the words' proportions.
    ///
    /// # Errors
    /// Options out of their range, another number of labels than documents, or a label that is none of the
    /// topics.
    pub fn from_labels(
        corpus: &Corpus,
        labels: &[usize],
        options: &DocumentMixtureOptions,
    ) -> Result<Self, Error> {
        options.check()?;
        labels_of_documents(corpus.documents(), labels, "topic", options.topics)?;
        let matrix = TermMatrix::counts(corpus);
        let problem = OneTopic::new(&matrix, options);
        let proportions =
            FactorRows::from_fn(labels.len(), options.topics, |d, k| f64::from(u8::from(labels[d] == k)));
        let ln_proportions = corpus.word_proportions().into_iter().map(f64::ln).collect::<Vec<f64>>();
        let before = State {
            ln_weights: vec![0.0; options.topics],
            ln_word_topic: FactorRows::from_fn(matrix.words(), options.topics, |w, _| ln_proportions[w]),
        };
        let Ok(state) = problem.m_step(&problem.counted(&proportions), &before);
        Ok(state.model(corpus, &proportions))
    }
}

impl State {
    pub(super) fn of(model: &DocumentMixture) -> Self {
        let mut ln_word_topic = FactorRows::of_transposed(model.topics().topic_word());
        ln_word_topic.for_each_row(|_, row| row.iter_mut().for_each(|p| *p = p.ln()));
        Self { ln_weights: model.weights().iter().map(|weight| weight.ln()).collect(), ln_word_topic }
    }

    /// The model, given the proportions of the topics in the documents.
    pub(super) fn model(&self, corpus: &Corpus, proportions: &FactorRows) -> DocumentMixture {
        let mut word_topic = self.ln_word_topic.clone();
        word_topic.for_each_row(|_, row| row.iter_mut().for_each(|p| *p = p.exp()));
        let matrix = TermMatrix::counts(corpus);
        let tokens = corpus.tokens() as f64;
        let mut weights = vec![0.0; proportions.columns()];
        for (d, total) in matrix.document_totals().into_iter().enumerate() {
            for (weight, proportion) in weights.iter_mut().zip(proportions.numbers(d)) {
                *weight += proportion * total / tokens;
            }
        }
        let (vocabulary, words) = (corpus.vocabulary().to_vec(), corpus.word_proportions());
        let topics = Topics::new(vocabulary, word_topic.to_transposed(), weights, words)
            .expect("invariant: the M step makes distributions");
        DocumentMixture::new(topics, self.ln_weights.iter().map(|ln| ln.exp()).collect())
            .expect("invariant: the M step makes a distribution")
    }
}

/// Equal weights, and topics half of which are the words of a document each, chosen at random and, as long as
/// there are enough, not twice; the other half are the words of the corpus.
///
/// The prior of the words is in both.
pub(super) fn random<R: Rng + ?Sized>(
    matrix: &TermMatrix,
    options: &DocumentMixtureOptions,
    rng: &mut R,
) -> State {
    let topics = options.topics;
    let mut proportions: Vec<f64> =
        matrix.word_totals().into_iter().map(|total| total + options.word_prior - 1.0).collect();
    normalize(&mut proportions);
    let totals = matrix.document_totals();
    let mut documents: Vec<usize> = (0..totals.len()).filter(|&d| totals[d] > 0.0).collect();
    let full = documents.len();
    let mut rows = FactorRows::from_fn(matrix.words(), topics, |w, _| 0.5 * proportions[w]);
    for k in 0..topics {
        let place = k % full;
        let other = rng.random_range(place as u64..full as u64) as usize;
        documents.swap(place, other);
        let d = documents[place];
        let (words, counts) = matrix.document(d);
        // Topics of the same document are distinguished by how much they have of it.
        let half = 0.5 / (1 + k / full) as f64;
        for (&word, count) in words.iter().zip(counts) {
            rows.numbers_mut(word as usize)[k] += half * count / totals[d];
        }
    }
    let sums = rows.column_sums();
    rows.for_each_row(|_, row| row.iter_mut().zip(&sums).for_each(|(p, sum)| *p = (*p / sum).ln()));
    State { ln_weights: vec![-(topics as f64).ln(); topics], ln_word_topic: rows }
}
