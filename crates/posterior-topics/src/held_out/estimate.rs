//! Estimates of all documents of a corpus, in parallel.

use posterior_dist::stream::stream;
use posterior_math::check;
use posterior_sampling::estimate::ln_mean_exp;
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::tokens::Tokens;
use crate::checks::size;
use crate::{Corpus, Error, Topics};

/// The likelihood of each held-out document.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct HeldOutEstimate {
    /// `ln p(w)` of each document; zero for one without words, -inf where a word has no topic.
    pub ln_likelihood: Vec<f64>,
    /// The Monte Carlo standard error of each; zero where nothing is random, infinite where all runs gave
    /// zero.
    pub standard_errors: Vec<f64>,
    /// The tokens of all documents.
    pub tokens: u64,
}

impl HeldOutEstimate {
    /// `ln p(w)` of all documents.
    pub fn total(&self) -> f64 {
        self.ln_likelihood.iter().sum()
    }

    /// The standard error of [`total`](Self::total): documents have independent errors.
    pub fn total_standard_error(&self) -> f64 {
        self.standard_errors.iter().map(|error| error * error).sum::<f64>().sqrt()
    }

    /// `exp(-ln p(w) / tokens)`.
    pub fn perplexity(&self) -> f64 {
        (-self.total() / self.tokens as f64).exp()
    }
}

/// Checks that prior and corpus go with the topics.
pub(super) fn check_inputs(topics: &Topics, alpha: &[f64], corpus: &Corpus) -> Result<(), Error> {
    size("concentrations of topics", topics.len(), alpha.len())?;
    for (k, &concentration) in alpha.iter().enumerate() {
        check::positive("held_out", "alpha", concentration).map_err(|error| error.at(k))?;
    }
    check::positive("held_out", "sum of alpha", alpha.iter().sum())?;
    if corpus.vocabulary() != topics.vocabulary() {
        let error =
            Error::Corpus("the held-out documents have another vocabulary than the topics".to_owned());
        return Err(error.with_hint("Corpus::in_vocabulary reads documents in the words of a model"));
    }
    Ok(())
}

/// The averages of `runs` independent estimates of `ln p(w)` a document; `run` is given its document and its
/// random stream.
pub(super) fn by_runs(
    (topics, alpha): (&Topics, &[f64]),
    corpus: &Corpus,
    (runs, seed): (usize, u64),
    run: impl Fn(&Tokens<'_>, &mut Pcg64) -> f64 + Sync,
) -> Result<HeldOutEstimate, Error> {
    check_inputs(topics, alpha, corpus)?;
    check::require(runs > 1, "held_out", "runs", runs as f64, "at least 2, for a standard error")?;
    let documents: Vec<(f64, f64)> = (0..corpus.documents())
        .into_par_iter()
        .with_max_len(1)
        .map(|d| {
            let tokens = Tokens::new(topics, alpha, corpus.document(d));
            if tokens.is_empty() || tokens.impossible() {
                return Ok((tokens.ln_scale(), 0.0));
            }
            let runs = (0..runs as u64).map(|r| run(&tokens, &mut stream(seed, &[d as u64, r])));
            let estimate = ln_mean_exp(&runs.collect::<Vec<f64>>())?;
            Ok((estimate.ln_value + tokens.ln_scale(), estimate.standard_error))
        })
        .collect::<Result<_, Error>>()?;
    let (ln_likelihood, standard_errors) = documents.into_iter().unzip();
    Ok(HeldOutEstimate { ln_likelihood, standard_errors, tokens: corpus.tokens() })
}
