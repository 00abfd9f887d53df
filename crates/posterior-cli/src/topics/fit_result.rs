//! The result of a fit as JSON and as text.

use std::fmt::Write as _;

use posterior::topics::{Topics, top_words};
use serde::Serialize;

use super::held_out::HeldOutScore;
use super::posterior_draws::{self, DrawnParameter};
use super::predictions::Predicted;
use super::runs::Stability;
use super::structural_effects::TopicEffect;
use super::sweep::Sweep;
use crate::json;

use crate::output::{grouped, significant};
use crate::report::Coherence;

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
    /// What it was called, where it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    pub(super) coherence: json::Number,
    /// The most probable words.
    pub(super) words: Vec<Word>,
    /// The most relevant words.
    pub(super) relevant: Vec<String>,
}

impl Topic {
    pub(super) fn all(
        topics: &Topics,
        relevant: &[Vec<top_words::RankedWord>],
        names: &[String],
        coherence: &Coherence,
    ) -> Vec<Self> {
        let weights = topics.weights();
        let topic = |(id, weight)| {
            let spelt = |word: usize| topics.vocabulary()[word].clone();
            let words = top_words::by_probability(topics, id, WORDS);
            Self {
                id,
                weight,
                name: names.get(id).cloned(),
                coherence: coherence.topics[id],
                words: words.iter().map(|w| Word { word: spelt(w.word), p: w.probability }).collect(),
                relevant: relevant[id].iter().map(|w| spelt(w.word)).collect(),
            }
        };
        weights.iter().copied().enumerate().map(topic).collect()
    }
}

/// What `topics fit` found, in the fields of the command line's contract.
#[derive(Debug, Serialize)]
pub(super) struct FitResult<'a> {
    pub(super) documents: usize,
    pub(super) vocabulary: usize,
    pub(super) tokens: u64,
    pub(super) topics: Vec<Topic>,
    /// What `ln_likelihood_per_token` is.
    pub(super) objective: &'static str,
    /// What the fit climbs, at its end and per token: for Gibbs sampling ln p(W, Z | alpha, beta).
    pub(super) ln_likelihood_per_token: f64,
    pub(super) held_out_perplexity: Option<f64>,
    pub(super) held_out: Option<HeldOutScore>,
    pub(super) coherence: &'a Coherence,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sweep: Option<&'a Sweep>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stability: Option<&'a Stability>,
    /// Parameters that were drawn from their posterior distribution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parameters: Option<&'a [DrawnParameter]>,
    /// Documents whose response was not known to the fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) predictions: Option<&'a [Predicted]>,
    /// Changes of expected proportions with the columns of --prevalence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) effects: Option<&'a [TopicEffect]>,
    pub(super) iterations: usize,
    pub(super) tokens_per_second: f64,
    pub(super) alpha: Option<Vec<f64>>,
    pub(super) beta: Option<f64>,
    pub(super) seed: u64,
    pub(super) seconds: f64,
    pub(super) report: String,
}

impl FitResult<'_> {
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        if let Some(sweep) = self.sweep {
            text += &sweep.text();
            text.push('\n');
        }
        if let Some(stability) = self.stability {
            text += &stability.text();
            text.push('\n');
        }
        text.push_str("topic  proportion  words\n");
        // Writing to a string cannot fail.
        for topic in &self.topics {
            let words = topic.relevant[..topic.relevant.len().min(10)].join(" ");
            let words = topic.name.as_ref().map_or(words.clone(), |name| format!("{name}: {words}"));
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
        if let Some(held_out) = &self.held_out {
            let error = if held_out.standard_error.is_finite() {
                format!(" ± {}", significant(held_out.standard_error))
            } else {
                String::new()
            };
            let mean = significant(held_out.ln_per_token);
            let _ = writeln!(text, "ln p a held-out word {mean}{error} ({})", held_out.estimator);
        }
        if self.coherence.mean.is_finite() {
            let Coherence { measure, mean, .. } = self.coherence;
            let places = self.coherence.places();
            let _ = writeln!(text, "mean coherence       {} ({measure}, {places})", significant(*mean));
        }
        text += &self.parameters.map(posterior_draws::text).unwrap_or_default();
        let _ = writeln!(text, "report               {}", self.report);
        text
    }
}
