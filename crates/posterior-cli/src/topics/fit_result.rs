//! The result of a fit as JSON and as text.

use std::fmt::Write as _;

use posterior::topics::{Topics, top_words};
use serde::Serialize;

use crate::output::{grouped, significant};

/// Words of a topic in JSON and on the terminal.
const WORDS: usize = 15;

#[derive(Debug, Serialize)]
pub(super) struct Word {
    pub(super) word: String,
    pub(super) p: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct Topic {
    /// The row of `topic_word.npy` and the column of `doc_topic.npy`.
    pub(super) id: usize,
    /// Its proportion of all tokens.
    pub(super) weight: f64,
    /// The most probable words.
    pub(super) words: Vec<Word>,
    /// The most relevant words.
    pub(super) relevant: Vec<String>,
}

impl Topic {
    pub(super) fn all(topics: &Topics, relevant: &[Vec<top_words::RankedWord>]) -> Vec<Self> {
        let weights = topics.weights();
        let topic = |(id, weight)| {
            let name = |word: usize| topics.vocabulary()[word].clone();
            let words = top_words::by_probability(topics, id, WORDS);
            Self {
                id,
                weight,
                words: words.iter().map(|w| Word { word: name(w.word), p: w.probability }).collect(),
                relevant: relevant[id].iter().map(|w| name(w.word)).collect(),
            }
        };
        weights.iter().copied().enumerate().map(topic).collect()
    }
}

/// What `topics fit` found, in the fields of the command line's contract.
#[derive(Debug, Serialize)]
pub(super) struct FitResult {
    pub(super) documents: usize,
    pub(super) vocabulary: usize,
    pub(super) tokens: u64,
    pub(super) topics: Vec<Topic>,
    /// What `ln_likelihood_per_token` is.
    pub(super) objective: &'static str,
    /// What the fit climbs, at its end and per token: for Gibbs sampling ln p(W, Z | alpha, beta).
    pub(super) ln_likelihood_per_token: f64,
    pub(super) held_out_perplexity: Option<f64>,
    pub(super) iterations: usize,
    pub(super) tokens_per_second: f64,
    pub(super) alpha: Option<Vec<f64>>,
    pub(super) beta: Option<f64>,
    pub(super) seed: u64,
    pub(super) seconds: f64,
    pub(super) report: String,
}

impl FitResult {
    pub(super) fn text(&self) -> String {
        let mut text = String::from("topic  proportion  words\n");
        // Writing to a string cannot fail.
        for topic in &self.topics {
            let words = topic.relevant[..topic.relevant.len().min(10)].join(" ");
            let _ = writeln!(text, "{:>5}  {:>8.1} %  {words}", topic.id, 100.0 * topic.weight);
        }
        let _ = writeln!(
            text,
            "\n{:<20} {}, after {} iterations",
            self.objective,
            significant(self.ln_likelihood_per_token),
            grouped(self.iterations as u64)
        );
        // A fit that was resumed at its end has drawn nothing.
        if self.tokens_per_second.is_finite() {
            let speed = significant(self.tokens_per_second / 1e6);
            let _ = writeln!(text, "speed                {speed} million words a second");
        }
        if let Some(perplexity) = self.held_out_perplexity {
            let _ = writeln!(text, "held-out perplexity  {}", significant(perplexity));
        }
        let _ = writeln!(text, "report               {}", self.report);
        text
    }
}
