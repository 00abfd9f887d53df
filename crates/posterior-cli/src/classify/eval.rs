//! `posterior classify eval`.

use std::time::Instant;

use super::classifier::learn;
use super::fit::{Answer, method, vocabulary};
use super::model_file::ModelFile;
use super::scores::{Scores, top_words};
use super::{artefacts, data_input, text};
use crate::args::{ClassifyEval, Format};
use crate::failure::Failure;
use crate::{atomic_file, output, threads};

/// Runs the verb.
pub(crate) fn run(args: &ClassifyEval) -> Result<(), Failure> {
    let start = Instant::now();
    threads::limit(&args.common)?;
    if let Some(folder) = &args.out {
        atomic_file::writable_folder(folder)?;
    }
    let answer = match &args.model {
        Some(path) => by_model(args, &ModelFile::read(path)?, &path.display().to_string(), start)?,
        None => by_folds(args, start)?,
    };
    if let Some(folder) = &args.out {
        artefacts::write(folder, &answer, None)?;
        output::note(args.common.quiet, &format!("wrote {}", folder.join("report.html").display()));
    }
    match args.common.format {
        Format::Text => output::print(&text::of(&answer)),
        Format::Json => output::print_json(&answer),
    }
}

fn by_folds(args: &ClassifyEval, start: Instant) -> Result<Answer, Failure> {
    let table = data_input::read(&args.data, &args.file)?;
    let (names, labels) = table.classes(&args.label)?;
    let learnt = learn(&table, &args.label, &labels, names.len(), &args.file, &args.recipe)?;
    let folds = usize::from(args.recipe.folds).min(labels.len());
    Ok(Answer {
        method: method(args.recipe.method),
        smoothing: Some(learnt.smoothing),
        vocabulary: vocabulary(&learnt.classifier),
        evaluated_on: format!("{folds} folds"),
        scores: Scores::of(&names, &learnt.held_out, &labels)?,
        top_words: top_words(&names, &learnt.classifier)?,
        seed: args.common.seed,
        seconds: start.elapsed().as_secs_f64(),
    })
}

fn by_model(args: &ClassifyEval, file: &ModelFile, path: &str, start: Instant) -> Result<Answer, Failure> {
    let table = data_input::read(&args.data, &args.file)?;
    // A label that the model does not know is the number after its classes: never foretold.
    let place =
        |label: &String| file.classes.iter().position(|own| own == label).unwrap_or(file.classes.len());
    let labels: Vec<usize> = table.labels(&args.label)?.iter().map(place).collect();
    let said: Vec<_> =
        file.classifier.predict(&table, &args.file)?.into_iter().map(|(said, _)| said).collect();
    Ok(Answer {
        method: "model".to_owned(),
        smoothing: None,
        vocabulary: vocabulary(&file.classifier),
        evaluated_on: format!("{} by {path}", table.source),
        scores: Scores::of(&file.classes, &said, &labels)?,
        top_words: top_words(&file.classes, &file.classifier)?,
        seed: args.common.seed,
        seconds: start.elapsed().as_secs_f64(),
    })
}
