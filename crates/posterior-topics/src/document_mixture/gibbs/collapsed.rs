//! The collapsed sampler: a document at a time, the parameters integrated out.

use posterior_math::log_space::softmax_in_place;
use posterior_math::special::ln_rising_factorial;
use rand::Rng;

use super::counts::Counts;
use super::options::DocumentMixtureGibbsOptions;
use crate::document_mixture::problem::pick;
use crate::lanes::{LANES, Lane, ZERO};
use crate::{Corpus, Error};

/// Factors that are multiplied before a logarithm is taken of their product: none is below 1e-30 or above
/// 1e38.
const FACTORS: usize = 8;

/// Counts up to here are multiplied factor by factor.
const SMALL: u32 = 16;

/// A chain on the topics of documents.
///
/// Cost: tokens x topics for a sweep, where words seldom repeat in a document.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentGibbs<'a> {
    corpus: &'a Corpus,
    options: DocumentMixtureGibbsOptions,
    pub(super) counts: Counts,
    products: Vec<Lane>,
    ln: Vec<Lane>,
}

impl<'a> DocumentGibbs<'a> {
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
        Ok(Self::with_counts(corpus, options, counts))
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
        Ok(Self::with_counts(corpus, options, counts))
    }

    fn with_counts(corpus: &'a Corpus, options: &DocumentMixtureGibbsOptions, counts: Counts) -> Self {
        let lanes = counts.word_topic.lanes();
        let (products, ln) = (vec![[1.0; LANES]; lanes], vec![ZERO; lanes]);
        Self { corpus, options: *options, counts, products, ln }
    }

    /// Draws the topic of each document in turn.
    pub fn sweep<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        for d in 0..self.corpus.documents() {
            let document = self.corpus.document(d);
            self.counts.take(document, d);
            self.weigh(d);
            let shares = &mut self.ln.as_flattened_mut()[..self.options.topics];
            softmax_in_place(shares);
            let label = pick(shares, rng);
            self.counts.put(document, d, label);
        }
    }

    /// ln p(z_d = k, words of d | the others) into `ln`, up to a constant.
    fn weigh(&mut self, d: usize) {
        let Self { corpus, options, counts, products, ln } = self;
        let document = corpus.document(d);
        let beta = options.word_concentration;
        ln.fill(ZERO);
        products.fill([1.0; LANES]);
        let mut factors = 0;
        for (&word, &count) in document.words.iter().zip(document.counts) {
            let row = counts.word_topic.row(word as usize);
            if count > SMALL {
                for (ln, n) in ln.as_flattened_mut().iter_mut().zip(row.as_flattened()) {
                    *ln += ln_rising_factorial(beta + n, u64::from(count));
                }
                continue;
            }
            for step in 0..count {
                let base = beta + f64::from(step);
                for (products, row) in products.iter_mut().zip(row) {
                    for (product, n) in products.iter_mut().zip(row) {
                        *product *= base + n;
                    }
                }
                factors += 1;
                if factors == FACTORS {
                    factors = 0;
                    take_logarithms(products, ln);
                }
            }
        }
        take_logarithms(products, ln);
        let (length, words) = (document.tokens(), corpus.vocabulary().len() as f64);
        for ((ln, &documents), &tokens) in
            ln.as_flattened_mut().iter_mut().zip(&counts.documents).zip(&counts.tokens)
        {
            *ln += (documents as f64 + options.weight_concentration).ln()
                - ln_rising_factorial(words * beta + tokens as f64, length);
        }
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

fn take_logarithms(products: &mut [Lane], ln: &mut [Lane]) {
    for (product, ln) in products.as_flattened_mut().iter_mut().zip(ln.as_flattened_mut()) {
        *ln += product.ln();
        *product = 1.0;
    }
}
