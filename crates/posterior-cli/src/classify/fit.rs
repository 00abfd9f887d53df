//! `posterior classify fit`.

use std::time::Instant;

use serde::Serialize;

use super::classifier::{Classifier, learn};
use super::model_file::ModelFile;
use super::scores::{Scores, TopWords, top_words};
use super::{artefacts, data_input, text};
use crate::args::{ClassifyFit, Format};
use crate::failure::Failure;
use crate::{atomic_file, output, threads};

/// What was found, in the fields of the command line's contract.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    pub(super) method: String,
    pub(super) smoothing: Option<f64>,
    /// Distinct words, or columns.
    pub(super) vocabulary: usize,
    /// The folds, or the file of the model.
    pub(super) evaluated_on: String,
    #[serde(flatten)]
    pub(super) scores: Scores,
    pub(super) top_words: Vec<TopWords>,
    pub(super) seed: u64,
    pub(super) seconds: f64,
}

/// Runs the verb.
pub(crate) fn run(args: &ClassifyFit) -> Result<(), Failure> {
    let start = Instant::now();
    threads::limit(&args.common)?;
    if let Some(folder) = &args.out {
        atomic_file::writable_folder(folder)?;
    }
    let table = data_input::read(&args.data, &args.file)?;
    let (names, labels) = table.classes(&args.label)?;
    let learnt = learn(&table, &args.label, &labels, names.len(), &args.file, &args.recipe)?;
    let folds = usize::from(args.recipe.folds).min(labels.len());
    let answer = Answer {
        method: method(args.recipe.method),
        smoothing: Some(learnt.smoothing),
        vocabulary: vocabulary(&learnt.classifier),
        evaluated_on: format!("{folds} folds"),
        scores: Scores::of(&names, &learnt.held_out, &labels)?,
        top_words: top_words(&names, &learnt.classifier)?,
        seed: args.common.seed,
        seconds: start.elapsed().as_secs_f64(),
    };
    if let Some(folder) = &args.out {
        artefacts::write(folder, &answer, Some(&ModelFile::new(names, learnt.classifier)))?;
        output::note(args.common.quiet, &format!("wrote {}", folder.join("report.html").display()));
    }
    match args.common.format {
        Format::Text => output::print(&text::of(&answer)),
        Format::Json => output::print_json(&answer),
    }
}

/// The method as it is called.
pub(super) fn method(method: crate::args::ClassifyMethod) -> String {
    use clap::ValueEnum as _;
    method.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

pub(super) fn vocabulary(classifier: &Classifier) -> usize {
    match classifier {
        Classifier::Text(own) => own.vocabulary.len(),
        Classifier::Rows(own) => own.columns.len(),
    }
}
