//! The collapsed sampler: a document at a time, the parameters integrated out.

use posterior_math::log_space::softmax_in_place;
use posterior_math::special::ln_rising_factorial;
use rand::Rng;

use super::counts::Counts;
use super::options::DocumentMixtureGibbsOptions;
use crate::Corpus;
use crate::corpus::Document;
use crate::document_mixture::problem::pick;
use crate::lanes::{LANES, Lane, ZERO};

/// Factors that are multiplied before a logarithm is taken of their product: none is below 1e-30 or above
/// 1e38.
const FACTORS: usize = 8;

/// Counts up to here are multiplied factor by factor.
const SMALL: u32 = 16;

/// Room for the weights of the topics of a document, by topic.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Weights {
    products: Vec<Lane>,
    ln: Vec<Lane>,
}

impl Weights {
    pub(super) fn new(counts: &Counts) -> Self {
        let lanes = counts.word_topic.lanes();
        Self { products: vec![[1.0; LANES]; lanes], ln: vec![ZERO; lanes] }
    }

    /// Draws the topic of each document in turn.
    pub(super) fn sweep<R: Rng + ?Sized>(
        &mut self,
        corpus: &Corpus,
        options: &DocumentMixtureGibbsOptions,
        counts: &mut Counts,
        rng: &mut R,
    ) {
        for (d, document) in corpus.iter().enumerate() {
            counts.take(document, d);
            self.weigh(document, options, counts);
            let proportions = &mut self.ln.as_flattened_mut()[..options.topics];
            softmax_in_place(proportions);
            let label = pick(proportions, rng);
            counts.put(document, d, label);
        }
    }

    /// ln p(z_d = k, words of d | the others) into `ln`, up to a constant.
    fn weigh(&mut self, document: Document<'_>, options: &DocumentMixtureGibbsOptions, counts: &Counts) {
        let Self { products, ln } = self;
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
        let (length, words) = (document.tokens(), counts.word_topic.rows() as f64);
        for ((ln, &documents), &tokens) in
            ln.as_flattened_mut().iter_mut().zip(&counts.documents).zip(&counts.tokens)
        {
            *ln += (documents as f64 + options.weight_concentration).ln()
                - ln_rising_factorial(words * beta + tokens as f64, length);
        }
    }
}

fn take_logarithms(products: &mut [Lane], ln: &mut [Lane]) {
    for (product, ln) in products.as_flattened_mut().iter_mut().zip(ln.as_flattened_mut()) {
        *ln += product.ln();
        *product = 1.0;
    }
}
