//! The chain, whichever of the two samplers moves it.

use rand::Rng;

use super::blocked;
use super::collapsed::Weights;
use super::counts::Counts;
use super::options::{DocumentMixtureGibbsOptions, DocumentSampler};
use crate::term_matrix::TermMatrix;
use crate::{Corpus, Error};

/// A chain on the topics of documents, and within a sweep of [`DocumentSampler::Blocked`] on the parameters.
///
/// Cost of a sweep: tokens x topics where words seldom repeat in a document; blocked, entries x topics and a
/// gamma variate for each word and topic.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentGibbs<'a> {
    corpus: &'a Corpus,
    options: DocumentMixtureGibbsOptions,
    pub(super) counts: Counts,
    sampler: Sampler,
}

/// A sampler with what it keeps from sweep to sweep.
#[derive(Debug, Clone, PartialEq)]
enum Sampler {
    Collapsed(Weights),
    Blocked(TermMatrix),
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
        Ok(Self::with_counts(corpus, options, Counts::random(corpus, options.topics, rng)))
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
        Ok(Self::with_counts(corpus, options, Counts::of(corpus, labels, options.topics)?))
    }

    fn with_counts(corpus: &'a Corpus, options: &DocumentMixtureGibbsOptions, counts: Counts) -> Self {
        let sampler = match options.sampler {
            DocumentSampler::Collapsed => Sampler::Collapsed(Weights::new(&counts)),
            DocumentSampler::Blocked => Sampler::Blocked(TermMatrix::counts(corpus)),
        };
        Self { corpus, options: *options, counts, sampler }
    }

    /// Draws the topic of each document: given those of all others, or all given parameters that are drawn
    /// before.
    pub fn sweep<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        let Self { corpus, options, counts, sampler } = self;
        match sampler {
            Sampler::Collapsed(weights) => weights.sweep(corpus, options, counts, rng),
            Sampler::Blocked(matrix) => *counts = blocked::sweep(corpus, matrix, options, counts, rng),
        }
    }

    /// The topic of each document.
    pub fn labels(&self) -> &[u32] {
        &self.counts.labels
    }

    /// ln p(W, z).
    pub fn ln_joint(&self) -> f64 {
        self.counts.ln_joint(&self.options)
    }
}
