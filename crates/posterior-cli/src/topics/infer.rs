//! `posterior topics infer`.

use std::borrow::Cow;
use std::fmt::Write as _;

use posterior::math::linalg::DMatrix;
use posterior::table::MemoryLimit;
use posterior::topics::corpus::{Metadata, ReadCorpus, Source, VocabularyOptions};
use posterior::topics::semantic_analysis::SemanticAnalysis;
use posterior::topics::{Corpus, Topics, top_words};
use rayon::prelude::*;
use serde::Serialize;

use super::corpus_input;
use super::documents::Documents;
use super::features;
use super::fitted_model::{FittedModel, Regression, Structural};
use super::predictions::{self, Predicted};
use super::reading::Reading;
use super::saved_model::{self, ModelFile, SavedModel};
use super::texts::{Place, without_order};
use crate::args::TopicsInfer;
use crate::failure::Failure;
use crate::npy;
use crate::output::{grouped, shortest, significant};
use crate::report::RELEVANCE;
use crate::run::Run;

/// Bytes of one proportion: it is held twice, and written.
const COPIES: u64 = 24;

/// Topics shown for a document in text.
const LEADING: usize = 3;

#[derive(Serialize)]
struct Inferred<'a> {
    documents: &'a [String],
    /// The columns of `doc_topic` by name.
    columns: &'a [String],
    /// A row a document, a column a topic.
    doc_topic: &'a [Vec<f64>],
    /// Of a supervised model.
    #[serde(skip_serializing_if = "Option::is_none")]
    predictions: Option<&'a [Predicted]>,
    /// Tokens that the model has no word for.
    unknown_tokens: u64,
}

/// Runs the verb.
pub(crate) fn run(args: &TopicsInfer) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let ModelFile { reading, names, model } = saved_model::read(&args.model)?;
    // A model that a program saved by itself: its vocabulary decides.
    let reading = reading.unwrap_or_else(Reading::every_word);
    let read = corpus_input::read(&args.corpus, &args.texts, &reading, &VocabularyOptions::default())?;
    let vocabulary = match &model {
        SavedModel::Topics(model) => model.topics().vocabulary(),
        SavedModel::Components(analysis) => analysis.vocabulary(),
    };
    let (corpus, unknown) = read.corpus.in_vocabulary(vocabulary.to_vec()).map_err(|_| {
        Failure::data(format!("{}: no word is in the vocabulary of the model", args.corpus.display()))
    })?;
    let unknown_tokens = unknown.tokens;
    let count = match &model {
        SavedModel::Topics(model) => model.topics().len(),
        SavedModel::Components(analysis) => analysis.components(),
    };
    let (documents, topics) = (corpus.documents() as u64, count as u64);
    MemoryLimit::new(args.texts.memory).check(
        &format!("{}: proportions of {topics} topics in {documents} documents take", args.corpus.display()),
        COPIES.saturating_mul(documents).saturating_mul(topics),
        "take fewer documents",
    )?;
    run.claim(args.out.as_deref(), &["doc_topic.csv", "doc_topic.npy", "predictions.csv"])?;
    let rows = match &model {
        SavedModel::Topics(model) => model.proportions(&known(args, &reading, model, &read, &corpus)?)?,
        SavedModel::Components(analysis) => {
            (0..corpus.documents()).into_par_iter().map(|d| analysis.project(corpus.document(d))).collect()
        }
    };
    let columns = columns(&model, &names, count);
    let predicted = match &model {
        SavedModel::Topics(model) => {
            let all: Vec<usize> = (0..corpus.documents()).collect();
            predictions::predictions(model, &corpus, &all, args.common.seed)?
        }
        SavedModel::Components(_) => None,
    };
    run.write("doc_topic.csv", |folder| {
        if let Some(predicted) = &predicted {
            predictions::write(folder, predicted)?;
        }
        let matrix = DMatrix::from_fn(rows.len(), count, |d, k| rows[d][k]);
        folder.put("doc_topic.npy", |out| npy::write(out, &matrix))?;
        let header =
            ["document", "tokens", "unknown"].map(str::to_owned).into_iter().chain(columns.iter().cloned());
        let row = |(d, theta): (usize, &Vec<f64>)| {
            let tokens = corpus.document(d).tokens();
            let unknown = read.corpus.document(d).tokens() - tokens;
            let first = [corpus.names()[d].clone(), tokens.to_string(), unknown.to_string()];
            first.into_iter().chain(theta.iter().copied().map(shortest)).collect::<Vec<_>>()
        };
        folder.put_table("doc_topic.csv", header, rows.iter().enumerate().map(row))
    })?;
    let proportion = 100.0 * unknown_tokens as f64 / read.corpus.tokens() as f64;
    let unknown = grouped(unknown_tokens);
    run.note(&format!("{unknown} words ({proportion:.1} %) are not in the model and left out"));
    let inferred = Inferred {
        documents: corpus.names(),
        columns: &columns,
        doc_topic: &rows,
        predictions: predicted.as_deref(),
        unknown_tokens,
    };
    let text = || match &model {
        SavedModel::Topics(model) => text(model.topics(), &names, corpus.names(), &rows),
        SavedModel::Components(analysis) => coordinates(analysis, corpus.names(), &rows),
    };
    run.print(|| inferred, text)
}

/// What the model needs to know of the documents beside their words.
fn known<'a>(
    args: &TopicsInfer,
    reading: &Reading,
    model: &FittedModel,
    read: &ReadCorpus,
    corpus: &'a Corpus,
) -> Result<Documents<'a>, Failure> {
    let mut documents = Documents::of_words(Cow::Borrowed(corpus));
    match model {
        FittedModel::Bigram(_) => {
            let name = args.texts.name.as_deref();
            let place = Place { path: Some(&args.corpus), format: Some(read.format), name };
            let mut reading = reading.clone();
            if let Some(text) = &args.texts.text {
                reading.text.clone_from(text);
            }
            let found = place.sequences(&reading, corpus)?;
            documents.sequences = Some(found.ok_or_else(|| without_order("a model of pairs of words"))?);
        }
        FittedModel::Regression(Regression { features: recipe, .. }) => {
            let table = table(args, read, &recipe.names().join(", "))?;
            documents.features = Some(features::of(recipe, &table)?);
        }
        FittedModel::Structural(Structural { covariates, .. }) if !covariates.columns().is_empty() => {
            let table = table(args, read, &covariates.columns().join(", "))?;
            documents.covariates = Some(covariates.documents(&table)?);
        }
        _ if args.meta.is_some() => {
            let message =
                "--meta: the model has no features: it is for models of `topics fit --model dmr` and stm";
            return Err(Failure::Usage(message.to_owned()));
        }
        _ => {}
    }
    Ok(documents)
}

/// The table of the documents, which must have some columns.
fn table(args: &TopicsInfer, read: &ReadCorpus, columns: &str) -> Result<Metadata, Failure> {
    let table = match &args.meta {
        Some(path) => Some(Metadata::read_csv(Source::open(path)?)?),
        None => read.metadata.clone(),
    };
    let Some(table) = table else {
        let failure = Failure::data(format!("the model depends on features of the documents: {columns}"));
        return Err(failure.with_hint("give a table with their columns by --meta"));
    };
    Ok(table.for_documents(read.corpus.names())?.0)
}

/// The names of the columns: those of topics that have names, else numbers.
fn columns(model: &SavedModel, names: &[String], count: usize) -> Vec<String> {
    let what = if matches!(model, SavedModel::Topics(_)) { "topic" } else { "component" };
    (0..count).map(|k| names.get(k).cloned().unwrap_or_else(|| format!("{what}_{k}"))).collect()
}

/// A line a document: its leading topics, named by their words.
fn text(topics: &Topics, called: &[String], names: &[String], doc_topic: &[Vec<f64>]) -> String {
    let label = |k: usize| {
        let words = top_words::by_relevance(topics, k, 3, RELEVANCE);
        let words: Vec<&str> = words.iter().map(|w| topics.vocabulary()[w.word].as_str()).collect();
        called.get(k).cloned().unwrap_or_else(|| words.join(" "))
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

/// A line a document: its coordinates of largest size.
fn coordinates(analysis: &SemanticAnalysis, names: &[String], rows: &[Vec<f64>]) -> String {
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, row) in names.iter().zip(rows) {
        let mut order: Vec<usize> = (0..analysis.components()).collect();
        order.sort_by(|&a, &b| row[b].abs().total_cmp(&row[a].abs()));
        let leading: Vec<String> =
            order.iter().take(LEADING).map(|&k| format!("component {k}: {}", significant(row[k]))).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:width$}  {}", leading.join("  "));
    }
    text
}
