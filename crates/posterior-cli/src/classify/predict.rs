//! `posterior classify predict`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter};
use std::time::Instant;

use serde::Serialize;

use super::data_input;
use super::model_file::ModelFile;
use crate::args::{ClassifyPredict, Format};
use crate::failure::Failure;
use crate::output::percent;
use crate::output_folder::OutputFolder;
use crate::{output, text_table, threads};

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
    seed: u64,
    seconds: f64,
}

/// Runs the verb.
pub(crate) fn run(args: &ClassifyPredict) -> Result<(), Failure> {
    let start = Instant::now();
    threads::limit(&args.common)?;
    let out = OutputFolder::claim(args.out.as_deref(), &["predictions.csv"])?;
    let file = ModelFile::read(&args.model)?;
    let table = data_input::read(&args.data, &args.file, |_| file.classifier.columns(&args.file))?;
    let said = file.classifier.predict(&table, &args.file)?;
    let prediction = |(row, (said, unknown)): (usize, (Option<_>, u64))| {
        let said: Option<posterior::text::naive_bayes::Posterior> = said;
        let probabilities = said.iter().flat_map(|said| &said.probabilities).copied();
        Prediction {
            line: table.line(row),
            class: said.as_ref().map(|said| file.classes[said.class()].clone()),
            probability: said.as_ref().map(posterior::text::naive_bayes::Posterior::confidence),
            probabilities: file.classes.iter().cloned().zip(probabilities).collect(),
            unknown,
        }
    };
    let predictions: Vec<Prediction> = said.into_iter().enumerate().map(prediction).collect();
    if let Some(folder) = out {
        folder.put("predictions.csv", |out| write_csv(out, &file.classes, &predictions))?;
        folder.finish(args.common.quiet, "predictions.csv")?;
    }
    match args.common.format {
        Format::Text => {
            let row = |own: &Prediction| {
                let class = own.class.clone().unwrap_or_else(|| "(none)".to_owned());
                let probability = own.probability.map_or_else(|| "-".to_owned(), percent);
                vec![own.line.to_string(), class, probability, own.unknown.to_string()]
            };
            let rows: Vec<Vec<String>> = predictions.iter().map(row).collect();
            output::print(&text_table::right(&["line", "class", "probability", "unknown"], &rows))
        }
        Format::Json => output::print_json(&Answer {
            predictions,
            seed: args.common.seed,
            seconds: start.elapsed().as_secs_f64(),
        }),
    }
}

fn write_csv(out: &mut BufWriter<File>, classes: &[String], predictions: &[Prediction]) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let header = ["line", "class", "unknown"].into_iter().map(str::to_owned);
    csv.write_record(header.chain(classes.iter().map(|name| format!("p({name})"))))?;
    for own in predictions {
        let cells = [own.line.to_string(), own.class.clone().unwrap_or_default(), own.unknown.to_string()];
        let probability =
            |name: &String| own.probabilities.get(name).map_or_else(String::new, f64::to_string);
        csv.write_record(cells.into_iter().chain(classes.iter().map(probability)))?;
    }
    csv.flush()
}
