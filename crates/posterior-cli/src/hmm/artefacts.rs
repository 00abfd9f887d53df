//! The files of a run: model, tables, plots, report.

use std::fs::File;
use std::io::{self, BufWriter};

use super::answer::Answer;
use super::kind::Stored;
use super::observations::Observations;
use super::report::{Shown, page};
use crate::failure::Failure;
use crate::output_folder::OutputFolder;

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] =
    &["states.csv", "model.json", "values.svg", "probabilities.svg", "trace.svg", "report.html"];

/// Writes everything that a fit leaves in `folder`.
pub(super) fn write(
    folder: &OutputFolder,
    data: &Observations,
    stored: &Stored,
    answer: &Answer,
    shown: &Shown,
) -> Result<(), Failure> {
    folder.put("states.csv", |out| write_states(out, data, &answer.states, &answer.probabilities))?;
    folder.put("model.json", |out| serde_json::to_writer(out, stored).map_err(io::Error::other))?;
    for (name, picture) in shown.pictures() {
        folder.put_text(&format!("{name}.svg"), &picture.standalone())?;
    }
    folder.put_text("report.html", &page(data, answer, shown).html())
}

/// A line for each row: its sequence, its state, and the probability of each state.
pub(super) fn write_states(
    out: &mut BufWriter<File>,
    data: &Observations,
    states: &[Vec<usize>],
    probabilities: &[Vec<f64>],
) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let count = states.iter().zip(probabilities).find(|(states, _)| !states.is_empty());
    let count = count.map_or(0, |(states, probabilities)| probabilities.len() / states.len());
    let header = ["sequence", "row", "state"].map(str::to_owned).into_iter();
    csv.write_record(header.chain((0..count).map(|state| format!("probability of {state}"))))?;
    for (sequence, (states, probabilities)) in states.iter().zip(probabilities).enumerate() {
        let distributions = probabilities.chunks_exact(count.max(1));
        for ((&state, &row), distribution) in states.iter().zip(&data.rows[sequence]).zip(distributions) {
            let first = [data.name(sequence), (row + 1).to_string(), state.to_string()];
            csv.write_record(first.into_iter().chain(distribution.iter().map(f64::to_string)))?;
        }
    }
    csv.flush()
}
