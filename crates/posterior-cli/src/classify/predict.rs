//! `posterior classify predict`.

use std::collections::BTreeMap;

use posterior::text::naive_bayes::ClassPosterior;
use serde::Serialize;

use super::data_input;
use super::model_file::ModelFile;
use crate::args::ClassifyPredict;
use crate::failure::Failure;
use crate::output::percent;
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
    run.claim(args.out.as_deref(), &["predictions.csv"])?;
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
    run.write("predictions.csv", |folder| {
        let header = ["line", "class", "unknown"].into_iter().map(str::to_owned);
        let header = header.chain(file.classes.iter().map(|name| format!("p({name})")));
        let rows = answer.predictions.iter().map(|own| {
            let class = own.class.clone().unwrap_or_default();
            let probability =
                |name: &String| own.probabilities.get(name).map_or_else(String::new, f64::to_string);
            let cells = [own.line.to_string(), class, own.unknown.to_string()].into_iter();
            cells.chain(file.classes.iter().map(probability)).collect::<Vec<_>>()
        });
        folder.put_table("predictions.csv", header, rows)
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
