//! The files of a run: model, report, plots, tables.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter};

use posterior::sequence::crf::ConditionalRandomField;
use posterior_report::{Page, Picture};

use super::fit::Answer;
use super::recipe::Cook;
use super::scores::Scores;
use super::{model_file, report};
use crate::failure::Failure;
use crate::output_folder::OutputFolder;

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] =
    &["confusion.csv", "transitions.svg", "objective.svg", "calibration.svg", "report.html"];

/// Writes everything that a fit leaves in `folder`.
pub(super) fn write_fit(
    folder: &OutputFolder,
    cook: &Cook,
    words: &BTreeSet<String>,
    model: &ConditionalRandomField,
    answer: &Answer,
) -> Result<(), Failure> {
    folder.put("model.json", |out| model_file::write(out, cook, words, model))?;
    let pictures = report::pictures(model, &answer.scores, &answer.objective_trace);
    write(folder, &answer.scores, &pictures, &report::of_fit(answer, &pictures))
}

/// Writes everything that an evaluation leaves in `folder`.
pub(super) fn write_eval(
    folder: &OutputFolder,
    model: &ConditionalRandomField,
    scores: &Scores,
    source: &str,
) -> Result<(), Failure> {
    let pictures = report::pictures(model, scores, &[]);
    let page = report::of_scores(scores, source, &report::Top::all(model), &pictures);
    write(folder, scores, &pictures, &page)
}

fn write(
    folder: &OutputFolder,
    scores: &Scores,
    pictures: &[(&'static str, Picture)],
    page: &Page,
) -> Result<(), Failure> {
    folder.put("confusion.csv", |out| write_confusion(out, scores))?;
    for (name, picture) in pictures {
        folder.put_text(&format!("{name}.svg"), &picture.standalone())?;
    }
    folder.put_text("report.html", &page.html())
}

fn write_confusion(out: &mut BufWriter<File>, scores: &Scores) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let names = scores.labels.iter().map(|own| own.label.clone());
    csv.write_record(std::iter::once("truth".to_owned()).chain(names))?;
    for (own, row) in scores.labels.iter().zip(&scores.confusion) {
        csv.write_record(std::iter::once(own.label.clone()).chain(row.iter().map(u64::to_string)))?;
    }
    csv.flush()
}
