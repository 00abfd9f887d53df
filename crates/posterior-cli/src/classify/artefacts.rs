//! The files of a run: model, report, plots, tables.

use std::fs::File;
use std::io::{self, BufWriter};

use super::answer::Answer;
use super::model_file::ModelFile;
use super::report;
use crate::failure::Failure;
use crate::output_folder::OutputFolder;

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] =
    &["confusion.csv", "top_words.csv", "confusion.svg", "calibration.svg", "report.html"];

/// Writes everything that a run leaves in `folder`.
pub(super) fn write(
    folder: &OutputFolder,
    answer: &Answer,
    model: Option<&ModelFile>,
) -> Result<(), Failure> {
    if let Some(model) = model {
        folder.put("model.json", |out| model.write(out))?;
    }
    folder.put("confusion.csv", |out| write_confusion(out, answer))?;
    if !answer.top_words.is_empty() {
        folder.put("top_words.csv", |out| write_words(out, answer))?;
    }
    let pictures = report::pictures(answer);
    for (name, picture) in &pictures {
        folder.put_text(&format!("{name}.svg"), &picture.standalone())?;
    }
    let page = report::page(answer, &pictures);
    folder.put_text("report.html", &page.html())
}

fn write_confusion(out: &mut BufWriter<File>, answer: &Answer) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let scores = &answer.scores;
    let names = scores.classes.iter().map(|own| own.class.clone());
    csv.write_record(std::iter::once("truth".to_owned()).chain(names))?;
    for (own, row) in scores.classes.iter().zip(&scores.confusion) {
        csv.write_record(std::iter::once(own.class.clone()).chain(row.iter().map(u64::to_string)))?;
    }
    csv.flush()
}

fn write_words(out: &mut BufWriter<File>, answer: &Answer) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["class", "word", "ln_odds", "sd", "q05", "q95"])?;
    for class in &answer.top_words {
        for word in &class.words {
            let numbers = [word.ln_odds, word.sd, word.q05, word.q95].map(|number| number.to_string());
            csv.write_record([class.class.clone(), word.word.clone()].into_iter().chain(numbers))?;
        }
    }
    csv.flush()
}
