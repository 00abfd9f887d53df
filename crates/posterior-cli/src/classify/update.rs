//! `posterior classify update`: a naive Bayes model learns more rows.

mod merge;

use posterior::table::{DataFrame, distinct_labels};

use super::answer::Answer;
use super::features::Features;
use super::labels;
use super::model::{Fitted, Model};
use super::model_file::{AREA, ModelFile};
use super::recipe::SmoothingBy;
use super::report;
use crate::args::ClassifyUpdate;
use crate::failure::Failure;
use crate::model_file;
use crate::run::Run;

/// Runs the verb.
pub(crate) fn run(args: &ClassifyUpdate) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let file = ModelFile::read(&args.model)?;
    let model = args.model.display().to_string();
    check(&file).map_err(|why| {
        let message = format!("{model}: cannot be updated: {why}");
        Failure::data(message).with_hint("fit again, to the rows of both tables")
    })?;
    let table = file.rows(&args.data, &args.file)?;
    if table.is_empty() {
        return Err(Failure::data(format!("{}: no rows", table.source)));
    }
    let evaluated_on = format!("{} before it was learned", table.source);
    if let Some(separator) = file.separator.clone() {
        let sets = labels::sets(&table, &file.label, &separator)?;
        run.claim(args.out.as_deref(), labels::NAMES)?;
        let before =
            labels::Answer::of_table(&file, &table, (&sets, &args.file), (evaluated_on, args.level.level))?;
        let merged = merge::labels(file, &table, (&sets, &args.file))?;
        return labels::tell(&before.of_model(&merged)?, Some(&merged), &run);
    }
    run.claim(args.out.as_deref(), report::NAMES)?;
    let before = Answer::of_table(&file, &table, (&file.label, &args.file), evaluated_on, args.level.level)?;
    let merged = merge::classes(file, &table, &args.file)?;
    let answer = before.of_model(&merged)?;
    run.notes(&answer.warnings);
    run.write("report.html", |folder| {
        model_file::put(folder, AREA, &merged)?;
        report::write(folder, &answer)
    })?;
    run.print(|| &answer, || answer.text())
}

/// Why a model cannot learn more rows, if it cannot.
fn check(file: &ModelFile) -> Result<(), &'static str> {
    let one = |Fitted { model, calibration }: &Fitted| match model {
        Model::Logistic(_) => Err("a logistic regression is fitted to all rows at once"),
        _ if calibration.is_some() => Err("its calibration was learned by folds of the old rows"),
        Model::TextBayes(own) if own.smoothing == SmoothingBy::Folds => {
            Err("its pseudocount was chosen by folds of the old rows")
        }
        Model::TextBayes(_) | Model::RowBayes(_) => Ok(()),
    };
    match &file.features {
        Features::Texts(own) if own.min_documents > 1 => {
            Err("it was fitted with --min-df, and has forgotten the words that were too rare")
        }
        _ => file.models.iter().try_for_each(one),
    }
}

/// The place of each of some names among others.
fn places(names: &[String], all: &[String]) -> Vec<usize> {
    let place = |own: &String| all.iter().position(|other| other == own).unwrap_or(all.len());
    names.iter().map(place).collect()
}

/// The classes of rows, and of a model.
fn all_classes(file: &ModelFile, table: &DataFrame) -> Result<(Vec<String>, Vec<usize>), Failure> {
    let of_rows = table.labels(&file.label)?;
    let all = distinct_labels(of_rows.iter().copied().chain(file.classes.iter().map(String::as_str)));
    let labels = of_rows.iter().map(|own| all.iter().position(|name| name == own).unwrap_or(all.len()));
    let labels = labels.collect();
    Ok((all, labels))
}
