//! The files of a run: model, report, plots, tables.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use posterior::sequence::crf::ConditionalRandomField;
use posterior_report::{Page, Picture};

use super::fit::Answer;
use super::recipe::Cook;
use super::scores::Scores;
use super::{model_file, report};
use crate::atomic_file;
use crate::failure::Failure;

/// Writes everything that a fit leaves in `folder`.
pub(super) fn write_fit(
    folder: &Path,
    cook: &Cook,
    words: &BTreeSet<String>,
    model: &ConditionalRandomField,
    answer: &Answer,
) -> Result<(), Failure> {
    atomic_file::write(&folder.join("model.json"), |out| model_file::write(out, cook, words, model))?;
    let pictures = report::pictures(model, &answer.scores, &answer.objective_trace);
    write(folder, &answer.scores, &pictures, &report::of_fit(answer, &pictures))
}

/// Writes everything that an evaluation leaves in `folder`.
pub(super) fn write_eval(
    folder: &Path,
    model: &ConditionalRandomField,
    scores: &Scores,
    source: &str,
) -> Result<(), Failure> {
    let pictures = report::pictures(model, scores, &[]);
    let page = report::of_scores(scores, source, &report::Top::all(model), &pictures);
    write(folder, scores, &pictures, &page)
}

fn write(
    folder: &Path,
    scores: &Scores,
    pictures: &[(&'static str, Picture)],
    page: &Page,
) -> Result<(), Failure> {
    let put = |name: &str, fill: &dyn Fn(&mut BufWriter<File>) -> io::Result<()>| {
        atomic_file::write(&folder.join(name), |out| fill(out))
    };
    put("confusion.csv", &|out| write_confusion(out, scores))?;
    for (name, picture) in pictures {
        put(&format!("{name}.svg"), &|out| out.write_all(picture.standalone().as_bytes()))?;
    }
    put("report.html", &|out| out.write_all(page.html().as_bytes()))
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
