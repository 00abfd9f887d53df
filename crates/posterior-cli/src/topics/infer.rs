//! `posterior topics infer`.

use std::fmt::Write as _;

use posterior::math::linalg::DMatrix;
use posterior::table::MemoryLimit;
use posterior::topics::corpus::VocabularyOptions;
use posterior::topics::{TopicModel as _, Topics, top_words};
use rayon::prelude::*;
use serde::Serialize;

use super::corpus_input::{self, Reading};
use super::saved_model;
use crate::args::TopicsInfer;
use crate::failure::Failure;
use crate::npy;
use crate::output::grouped;
use crate::report::RELEVANCE;
use crate::run::Run;

/// Bytes of one proportion: it is held twice, and written.
const COPIES: u64 = 24;

/// Topics shown for a document in text.
const LEADING: usize = 3;

#[derive(Serialize)]
struct Inferred<'a> {
    documents: &'a [String],
    /// A row a document, a column a topic.
    doc_topic: &'a [Vec<f64>],
    /// Tokens that the model has no word for.
    unknown_tokens: u64,
}

/// Runs the verb.
pub(crate) fn run(args: &TopicsInfer) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let (reading, model) = saved_model::read(&args.model)?;
    // A model that a program saved by itself: its vocabulary decides.
    let reading = reading.unwrap_or_else(Reading::every_word);
    let read = corpus_input::read(&args.corpus, &args.texts, &reading, &VocabularyOptions::default())?;
    let (corpus, unknown) =
        read.corpus.in_vocabulary(model.topics().vocabulary().to_vec()).map_err(|_| {
            Failure::data(format!("{}: no word is in the vocabulary of the model", args.corpus.display()))
        })?;
    let unknown_tokens = unknown.tokens;
    let (documents, topics) = (corpus.documents() as u64, model.topics().len() as u64);
    MemoryLimit::new(args.texts.memory).check(
        &format!("{}: proportions of {topics} topics in {documents} documents take", args.corpus.display()),
        COPIES.saturating_mul(documents).saturating_mul(topics),
        "take fewer documents",
    )?;
    run.claim(args.out.as_deref(), &["doc_topic.npy"])?;
    let proportions = |d: usize| model.proportions(corpus.document(d));
    let doc_topic: Vec<Vec<f64>> = (0..corpus.documents()).into_par_iter().map(proportions).collect();
    run.write("doc_topic.npy", |folder| {
        let matrix = DMatrix::from_fn(doc_topic.len(), model.topics().len(), |d, k| doc_topic[d][k]);
        folder.put("doc_topic.npy", |out| npy::write(out, &matrix))
    })?;
    let proportion = 100.0 * unknown_tokens as f64 / read.corpus.tokens() as f64;
    let unknown = grouped(unknown_tokens);
    run.note(&format!("{unknown} words ({proportion:.1} %) are not in the model and left out"));
    let inferred = Inferred { documents: corpus.names(), doc_topic: &doc_topic, unknown_tokens };
    run.print(|| inferred, || text(model.topics(), corpus.names(), &doc_topic))
}

/// A line a document: its leading topics, named by their words.
fn text(topics: &Topics, names: &[String], doc_topic: &[Vec<f64>]) -> String {
    let label = |k: usize| {
        let words = top_words::by_relevance(topics, k, 3, RELEVANCE);
        let words: Vec<&str> = words.iter().map(|w| topics.vocabulary()[w.word].as_str()).collect();
        words.join(" ")
    };
    let labels: Vec<String> = (0..topics.len()).map(label).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, theta) in names.iter().zip(doc_topic) {
        let mut order: Vec<usize> = (0..theta.len()).collect();
        order.sort_by(|&a, &b| theta[b].total_cmp(&theta[a]));
        let leading: Vec<String> = order
            .iter()
            .take(LEADING)
            .map(|&k| format!("{:>4.1} % {k} ({})", 100.0 * theta[k], labels[k]))
            .collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:width$}  {}", leading.join("  "));
    }
    text
}
