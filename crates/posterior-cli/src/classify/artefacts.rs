//! The files of a run, but for the model.

use super::answer::Answer;
use super::report::report;
use crate::failure::Failure;
use crate::output_folder::OutputFolder;

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] =
    &["confusion.csv", "top_words.csv", "confusion.svg", "calibration.svg", "report.html"];

/// Writes the tables, the report and its pictures.
pub(super) fn write(folder: &OutputFolder, answer: &Answer) -> Result<(), Failure> {
    let scores = &answer.scores;
    let names = scores.classes.iter().map(|own| own.class.as_str());
    let rows = scores
        .classes
        .iter()
        .zip(&scores.confusion)
        .map(|(own, row)| std::iter::once(own.class.clone()).chain(row.iter().map(u64::to_string)));
    folder.put_table("confusion.csv", std::iter::once("truth").chain(names), rows)?;
    if !answer.top_words.is_empty() {
        let words = answer.top_words.iter().flat_map(|own| own.words.iter().map(|word| (&own.class, word)));
        let rows = words.map(|(class, word)| {
            let numbers = [word.ln_odds, word.sd, word.q05, word.q95].map(|number| number.to_string());
            [class.clone(), word.word.clone()].into_iter().chain(numbers)
        });
        folder.put_table("top_words.csv", ["class", "word", "ln_odds", "sd", "q05", "q95"], rows)?;
    }
    let (pictures, page) = report(answer);
    folder.put_report(&pictures, &page)
}
