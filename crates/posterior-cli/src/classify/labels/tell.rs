//! Sets of labels as text, page and files.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use posterior::table::DataFrame;
use posterior_report::{Figure, Page, PageTable, reliability};
use serde::Serialize;

use super::scores::COLUMNS;
use super::{Answer, LabelScores, is_predicted, present, sets};
use crate::args::ClassifyPredict;
use crate::classify::model_file::{AREA, ModelFile, Predicted};
use crate::classify::{reliability as groups, report};
use crate::failure::Failure;
use crate::model_file;
use crate::output::{called, percent, shortest};
use crate::output_folder::OutputFolder;
use crate::pictures::{Pictures, reliability_points};
use crate::predictions_file::{NAME, RowKeys};
use crate::run::Run;
use crate::text_table;

/// What a run writes.
pub(in crate::classify) const NAMES: &[&str] =
    &["labels.csv", "top_words.csv", groups::NAME, "calibration.svg", "report.html"];

/// Writes the files, the model among them where there is one, and prints the answer.
pub(in crate::classify) fn tell(
    answer: &Answer,
    file: Option<&ModelFile>,
    run: &Run<'_>,
) -> Result<(), Failure> {
    run.notes(&answer.warnings);
    run.write("report.html", |folder| {
        if let Some(file) = file {
            model_file::put(folder, AREA, file)?;
        }
        write(folder, answer)
    })?;
    run.print(|| answer, || text(answer))
}

fn text(answer: &Answer) -> String {
    let facts: Vec<(String, String)> =
        answer.facts().into_iter().map(|(name, value)| (name.to_lowercase(), value)).collect();
    let mut text = text_table::pairs(&facts);
    text.push('\n');
    text += &text_table::aligned(&COLUMNS, answer.scores.cells());
    text += "\ncalibration\n";
    let (header, rows) = groups::table(&answer.reliability, answer.level);
    text += &text_table::aligned(&header, rows);
    for class in &answer.top_words {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\nwords that tell {}", class.class);
        let (header, rows) = class.table(answer.level);
        text += &text_table::aligned(&header, rows);
    }
    text
}

fn write(folder: &OutputFolder, answer: &Answer) -> Result<(), Failure> {
    folder.put_table("labels.csv", COLUMNS.map(str::to_lowercase), answer.scores.numbers())?;
    groups::put(folder, &answer.reliability, answer.level)?;
    report::put_top_words(folder, &answer.top_words, answer.level)?;
    let scores = &answer.scores;
    let points = reliability_points(&scores.reliability, answer.level);
    let calibration = reliability("Calibration", &points);
    let f1 = scores.micro_f1.map_or_else(|| "-".to_owned(), percent);
    let mut page = Page::new("Labels", format!("The F1 of all labels together is {f1}"));
    let level = answer.level;
    let caption = format!(
        "Of the labels with a probability, the proportion that is there, and where it would be with probability {level}. \
         Points below the diagonal are too sure."
    );
    page.lead = Some(Figure::new(calibration.clone(), caption));
    page.facts = answer.facts();
    page.section("Labels", "", PageTable::new(COLUMNS, scores.cells()));
    let text =
        format!("Of each group the proportion of labels that are there, with its interval of {level}.");
    page.section("Groups of like probability", text, groups::page_table(&answer.reliability, level));
    let mut pictures = vec![("calibration".to_owned(), Some(calibration))];
    pictures.extend(report::top_words(&mut page, &answer.top_words, answer.is_logistic(), level));
    page.cautions(&answer.warnings);
    page.command = called();
    folder.put_report(&Pictures::of(pictures), &page)
}

#[derive(Serialize)]
struct Prediction {
    line: u64,
    /// Those that are more probable than not.
    labels: Vec<String>,
    /// Of each label; none if no class explains the row.
    probabilities: BTreeMap<String, Option<f64>>,
    /// Words that the model does not know, or values that are missing.
    unknown: u64,
}

#[derive(Serialize)]
struct Predictions {
    predictions: Vec<Prediction>,
    /// How well the rows were predicted, where the table has the labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<LabelScores>,
}

/// Predicts the labels of a table.
pub(in crate::classify) fn predict(
    args: &ClassifyPredict,
    file: &ModelFile,
    separator: &str,
    table: &DataFrame,
    run: &Run<'_>,
) -> Result<(), Failure> {
    let Predicted { said, unknown } = file.predict_each(table, &args.file)?;
    let scores = if table.header().contains(&file.label) {
        Some(LabelScores::of(&file.classes, &said, &sets(table, &file.label, separator)?)?)
    } else {
        None
    };
    let prediction = |(row, unknown): (usize, u64)| {
        let each = || file.classes.iter().zip(said.iter().map(|own| &own[row]));
        Prediction {
            line: table.line(row),
            labels: each().filter(|(_, own)| is_predicted(own)).map(|(name, _)| name.clone()).collect(),
            probabilities: each().map(|(name, own)| (name.clone(), present(own))).collect(),
            unknown,
        }
    };
    let predictions = unknown.into_iter().enumerate().map(prediction).collect();
    let answer = Predictions { predictions, scores };
    run.write(NAME, |folder| {
        let p = file.classes.iter().map(|name| format!("p_{name}"));
        let header = std::iter::once("predicted".to_owned()).chain(p);
        let header = header.chain(["unknown", "line"].map(str::to_owned));
        let cells = |own: &Prediction| {
            let of = |name: &String| own.probabilities.get(name).copied().flatten();
            let p = file.classes.iter().map(|name| of(name).map_or_else(String::new, shortest));
            let beside = [own.unknown.to_string(), own.line.to_string()];
            std::iter::once(own.labels.join(separator)).chain(p).chain(beside).collect()
        };
        RowKeys::of(table, [&file.label])?.put(folder, NAME, header, answer.predictions.iter().map(cells))
    })?;
    run.print(|| &answer, || predictions_text(&answer, separator))
}

fn predictions_text(answer: &Predictions, separator: &str) -> String {
    let row = |own: &Prediction| {
        let most = own.probabilities.values().flatten().fold(0.0_f64, |most, p| most.max(*p));
        vec![own.line.to_string(), own.labels.join(separator), percent(most), own.unknown.to_string()]
    };
    let rows = answer.predictions.iter().map(row).collect();
    let mut text = text_table::right(&["line", "labels", "most probable", "unknown"], rows);
    if let Some(scores) = &answer.scores {
        text.push('\n');
        text += &text_table::pairs(&scores.facts());
    }
    text
}
