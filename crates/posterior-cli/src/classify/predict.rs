//! `posterior classify predict`.

use std::collections::BTreeMap;

use posterior::text::naive_bayes::ClassPosterior;
use serde::Serialize;

use super::data_input;
use super::model_file::ModelFile;
use crate::args::ClassifyPredict;
use crate::failure::Failure;
use crate::output::{percent, shortest};
use crate::predictions_file::{NAME, RowKeys};
use crate::run::Run;
use crate::text_table;

#[derive(Serialize)]
struct Prediction {
    line: u64,
    /// None if no class explains the row.
    class: Option<String>,
    probability: Option<f64>,
    probabilities: BTreeMap<String, f64>,
    /// Words that the model does not know, or values that are missing.
    unknown: u64,
}

#[derive(Serialize)]
struct Answer {
    predictions: Vec<Prediction>,
}

/// Runs the verb.
pub(crate) fn run(args: &ClassifyPredict) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    run.claim(args.out.as_deref(), &[NAME])?;
    let file = ModelFile::read(&args.model)?;
    let table = data_input::read(&args.data, &args.file, |_| file.classifier.columns(&args.file))?;
    let said = file.classifier.predict(&table, &args.file)?;
    let prediction = |(row, (said, unknown)): (usize, (Option<ClassPosterior>, u64))| {
        let probabilities = said.iter().flat_map(|said| &said.probabilities).copied();
        Prediction {
            line: table.line(row),
            class: said.as_ref().map(|said| file.classes[said.class()].clone()),
            probability: said.as_ref().map(ClassPosterior::confidence),
            probabilities: file.classes.iter().cloned().zip(probabilities).collect(),
            unknown,
        }
    };
    let answer = Answer { predictions: said.into_iter().enumerate().map(prediction).collect() };
    run.write(NAME, |folder| {
        let p = file.classes.iter().map(|name| format!("p_{name}"));
        let header = std::iter::once("predicted".to_owned()).chain(p);
        let cells = |own: &Prediction| {
            let class = own.class.clone().unwrap_or_default();
            let probability =
                |name: &String| own.probabilities.get(name).copied().map_or_else(String::new, shortest);
            let beside = [own.unknown.to_string(), own.line.to_string()];
            std::iter::once(class).chain(file.classes.iter().map(probability)).chain(beside).collect()
        };
        let header = header.chain(["unknown", "line"].map(str::to_owned));
        RowKeys::default().put(folder, NAME, header, answer.predictions.iter().map(cells))
    })?;
    run.print(|| &answer, || text(&answer))
}

fn text(answer: &Answer) -> String {
    let row = |own: &Prediction| {
        let class = own.class.clone().unwrap_or_else(|| "(none)".to_owned());
        let probability = own.probability.map_or_else(|| "-".to_owned(), percent);
        vec![own.line.to_string(), class, probability, own.unknown.to_string()]
    };
    let rows: Vec<Vec<String>> = answer.predictions.iter().map(row).collect();
    text_table::right(&["line", "class", "probability", "unknown"], rows)
}
