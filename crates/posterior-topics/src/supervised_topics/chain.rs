//! The chain over topics, coefficients and noise.

use posterior_dist::stream::stream;
use rand::RngExt;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use super::options::{ResponseFamily, SupervisedTopicsOptions};
use super::response::Response;
use crate::chain::Chain;
use crate::checks::{sampleable, size};
use crate::lda::gibbs::PooledCounts;
use crate::token_topics::TokenTopics;
use crate::{Corpus, Error};

/// The chain, what is kept of its states, and their sums.
#[derive(Debug)]
pub(super) struct SupervisedChain<'a> {
    corpus: &'a Corpus,
    options: &'a SupervisedTopicsOptions,
    pub(super) alpha: Vec<f64>,
    rng: Pcg64,
    pub(super) gibbs: TokenTopics,
    pub(super) response: Response,
    /// The place of each document among those with a response.
    places: Vec<Option<usize>>,
    /// Coefficients and, of a number, the noise: a row for each sweep that is kept.
    pub(super) kept: Vec<Vec<f64>>,
    pub(super) states: Vec<ChainState>,
    pub(super) pooled: PooledCounts,
}

/// A state of the chain: all that predictions need.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChainState {
    pub(super) coefficients: Vec<f64>,
    pub(super) noise_sd: f64,
    /// For each word its topics with the number of its tokens in each.
    pub(super) words: Vec<Vec<(u16, u32)>>,
}

impl<'a> SupervisedChain<'a> {
    pub(super) fn new(
        corpus: &'a Corpus,
        responses: &[f64],
        options: &'a SupervisedTopicsOptions,
    ) -> Result<Self, Error> {
        options.check()?;
        sampleable(corpus)?;
        size("responses of documents", corpus.documents(), responses.len())?;
        let response = Response::new(responses, corpus.iter().map(|document| document.tokens()), options)?;
        let mut rng = stream(options.seed, &[]);
        let gibbs =
            TokenTopics::new(corpus, options.topics, options.beta, |_| rng.random_range(0..options.topics));
        Ok(Self {
            corpus,
            options,
            alpha: options.alpha.of_topics(options.topics)?,
            rng,
            gibbs,
            places: response.places(corpus.documents()),
            response,
            kept: Vec::new(),
            states: Vec::new(),
            pooled: PooledCounts::new(corpus, options.topics),
        })
    }

    /// Keeps the coefficients of this state.
    pub(super) fn keep(&mut self) {
        let noise = (self.options.family == ResponseFamily::Gaussian).then_some(self.response.noise_sd);
        self.kept.push(self.response.coefficients.iter().copied().chain(noise).collect());
    }
}

impl Chain for SupervisedChain<'_> {
    type State = ();

    fn corpus(&self) -> &Corpus {
        self.corpus
    }

    fn sweep(&mut self, _: usize) {
        let all = 0..self.options.topics;
        for (d, place) in self.places.iter().enumerate() {
            match place {
                None => self.gibbs.sweep_document(d, &all, &self.alpha, &mut (), &mut self.rng),
                Some(place) => {
                    let mut tilt = self.response.tilt(*place, self.gibbs.document_counts(d));
                    self.gibbs.sweep_document(d, &all, &self.alpha, &mut tilt, &mut self.rng);
                }
            }
        }
        self.response.draw(&self.gibbs, &mut self.rng);
    }

    fn fit_parameters(&mut self, iteration: usize) -> Result<(), Error> {
        if self.options.keeps_after(iteration) {
            self.keep();
        }
        Ok(())
    }

    fn ln_joint(&self) -> f64 {
        self.gibbs.ln_words() + self.gibbs.ln_topics(&self.alpha) + self.response.ln_likelihood(&self.gibbs)
    }

    fn state(&self) {}

    fn pool(&mut self) {
        self.pooled.add_tables(&self.gibbs.document_topic, &self.gibbs.word_topic);
        let row = |row: &[u32]| (0..).zip(row.iter().copied()).filter(|&(_, n)| n > 0).collect();
        self.states.push(ChainState {
            coefficients: self.response.coefficients.clone(),
            noise_sd: self.response.noise_sd,
            words: self.gibbs.word_topic.chunks_exact(self.options.topics).map(row).collect(),
        });
    }
}

#[cfg(test)]
mod tests;
