//! The files of a run: model, tables, plots, report.

use super::answer::Answer;
use super::kind::Stored;
use super::observations::Observations;
use super::report::report;
use crate::failure::Failure;
use crate::output_folder::OutputFolder;
use crate::run::Run;

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] =
    &["states.csv", "model.json", "values.svg", "probabilities.svg", "trace.svg", "report.html"];

/// Writes everything that a run leaves in `folder`.
pub(super) fn write(
    folder: &OutputFolder,
    run: &Run<'_>,
    data: &Observations,
    stored: &Stored,
    answer: &Answer,
) -> Result<(), Failure> {
    write_states(folder, data, &answer.states, &answer.probabilities)?;
    folder.put_json("model.json", stored)?;
    let (pictures, page) = report(run, data, answer);
    folder.put_report(&pictures, &page)
}

/// The most probable states, and how probable each is.
pub(super) fn write_states(
    folder: &OutputFolder,
    data: &Observations,
    states: &[Vec<usize>],
    probabilities: &[Vec<f64>],
) -> Result<(), Failure> {
    let count = states.iter().zip(probabilities).find(|(states, _)| !states.is_empty());
    let count = count.map_or(0, |(states, probabilities)| probabilities.len() / states.len());
    let header = ["sequence", "row", "state"].map(str::to_owned).into_iter();
    let header = header.chain((0..count).map(|state| format!("probability of {state}")));
    let rows =
        states.iter().zip(probabilities).enumerate().flat_map(|(sequence, (states, probabilities))| {
            let distributions = probabilities.chunks_exact(count.max(1));
            let rows = states.iter().zip(&data.rows[sequence]).zip(distributions);
            rows.map(move |((&state, &row), distribution)| {
                let first = [data.name(sequence), (row + 1).to_string(), state.to_string()];
                first.into_iter().chain(distribution.iter().map(f64::to_string))
            })
        });
    folder.put_table("states.csv", header, rows)
}
