//! `posterior topics fit`.

use std::time::Instant;

use posterior::math::linalg::DMatrix;
use posterior::table::MemoryLimit;
use posterior::topics::TopicModel;
use posterior::topics::corpus::{DocumentSplit, split_documents, split_tokens};
use posterior::topics::held_out::document_completion;

use super::corpus_input::Input;
use super::fit_result::{FitResult, Topic};
use super::methods::{self, Known, Outcome};
use super::saved_model::ModelFile;
use super::{artefacts, passages};
use crate::args::{Format, TopicsFit};
use crate::failure::Failure;
use crate::output_folder::{OutputFolder, never_an_input};
use crate::report::{Band, Shown, TopicReport, relevant_words};
use crate::run::limit_threads;
use crate::{atomic_file, output};

/// Runs the verb.
pub(crate) fn run(args: &TopicsFit) -> Result<(), Failure> {
    let start = Instant::now();
    limit_threads(args.common.threads)?;
    check(args)?;
    let mut input = Input::load(args)?;
    input.plan(args.topics, MemoryLimit::new(args.texts.memory))?;
    let named = named_documents(args, &input)?;
    let split = match args.held_out {
        Some(proportion) => Some(split_documents(&input.corpus, proportion, args.common.seed)?),
        None => None,
    };
    if let Some(path) = &args.checkpoint {
        never_an_input(path, &["checkpoint", "resume", "out"])?;
        atomic_file::writable_file(path)?;
    }
    let out = OutputFolder::at(&args.out, artefacts::NAMES)?;
    output::note(args.common.quiet, &input.summary());

    let training = split.as_ref().map_or(&input.corpus, |split| &split.train);
    let documents: Vec<usize> = match &split {
        Some(split) => split.train_documents.clone(),
        None => (0..input.corpus.documents()).collect(),
    };
    let times = input.times.as_ref().map(|times| documents.iter().map(|&d| times[d]).collect::<Vec<f64>>());
    let bands = input
        .bands
        .as_ref()
        .map(|bands| documents.iter().map(|&d| bands[d].clone()).collect::<Vec<String>>());
    let known = Known { times: times.as_deref(), bands: bands.as_deref() };
    let outcome = methods::fit(args, training, &known)?;
    let (doc_topic, held_out_perplexity) = match &split {
        None => (outcome.doc_topic.clone(), None),
        Some(split) => {
            (all_proportions(&outcome, split), Some(perplexity(&outcome, split, args.common.seed)?))
        }
    };

    let topics = outcome.model.topics();
    let relevant = relevant_words(topics);
    let shown = Shown::of(topics, &doc_topic)?;
    let passages = passages::passages(args, &input, topics, &doc_topic, shown.len())?;
    let report = TopicReport {
        model: outcome.model.name(),
        headline: input.headline(topics.len()),
        title: &input.title,
        corpus: &input.corpus,
        topics,
        shown,
        relevant: &relevant,
        kernel: outcome.kernel.as_ref(),
        doc_topic: &doc_topic,
        times: input.times.as_deref(),
        bands: input.bands.as_deref(),
        band: args.band.as_ref().map_or(Band::President, |column| Band::Column(column)),
        events: &input.events,
        passages: &passages,
        named,
        held_out_perplexity,
        trace: outcome.trace.clone(),
        settings: outcome.settings.clone(),
        source: &input.source,
    };
    artefacts::write(&out, &ModelFile::new(&input.reading, &outcome.model), &report)?;
    out.commit()?;
    let result = FitResult {
        documents: input.corpus.documents(),
        vocabulary: input.corpus.vocabulary().len(),
        tokens: input.corpus.tokens(),
        topics: Topic::all(topics, &relevant),
        objective: outcome.trace.fact,
        ln_likelihood_per_token: outcome.trace.points.last().map_or(f64::NAN, |&(_, value)| value),
        held_out_perplexity,
        iterations: outcome.iterations,
        tokens_per_second: outcome.tokens_per_second,
        alpha: outcome.model.alpha(),
        beta: outcome.beta,
        seed: args.common.seed,
        seconds: start.elapsed().as_secs_f64(),
        report: args.out.join("report.html").display().to_string(),
    };
    match args.common.format {
        Format::Json => output::print_json(&result),
        Format::Text => output::print(&result.text()),
    }
}

/// Refuses what is wrong with the command line on its own.
fn check(args: &TopicsFit) -> Result<(), Failure> {
    if let Some(proportion) = args.held_out.filter(|proportion| !(0.0 < *proportion && *proportion < 1.0)) {
        return Err(Failure::Usage(format!(
            "--held-out {proportion}: expected a proportion between 0 and 1"
        )));
    }
    if !(args.max_df > 0.0 && args.max_df <= 1.0) {
        return Err(Failure::Usage(format!("--max-df {}: expected a proportion from 0 to 1", args.max_df)));
    }
    methods::check(args)
}

/// The documents whose neighbours the report lists.
fn named_documents(args: &TopicsFit, input: &Input) -> Result<Vec<usize>, Failure> {
    if args.nearest.is_empty() {
        return Ok(vec![input.corpus.documents() - 1]);
    }
    args.nearest.iter().map(|name| input.find(name)).collect()
}

/// Topic proportions of all documents in their order: those of the fit, and those of the held-out ones given
/// the fitted topics.
fn all_proportions(outcome: &Outcome, split: &DocumentSplit) -> DMatrix<f64> {
    let documents = split.train_documents.len() + split.test_documents.len();
    let mut doc_topic = DMatrix::zeros(documents, outcome.doc_topic.ncols());
    for (row, &d) in split.train_documents.iter().enumerate() {
        doc_topic.set_row(d, &outcome.doc_topic.row(row));
    }
    for (document, &d) in split.test.iter().zip(&split.test_documents) {
        for (k, proportion) in outcome.model.proportions(document).into_iter().enumerate() {
            doc_topic[(d, k)] = proportion;
        }
    }
    doc_topic
}

fn perplexity(outcome: &Outcome, split: &DocumentSplit, seed: u64) -> Result<f64, Failure> {
    let halves = split_tokens(&split.test, seed)?;
    Ok(document_completion(&outcome.model, &halves.observed, &halves.scored)?.perplexity())
}
