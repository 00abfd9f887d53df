//! The page about a model: how good its labels are, what follows what, what speaks for what.

use std::fmt::Write as _;

use posterior::sequence::crf::{ConditionalRandomField, Feature};
use posterior_report::{Figure, Page, PageTable, Picture, TableColumn, heat_map, reliability, trace};

use super::answer::{Answer, Top};
use super::scores::Scores;
use super::text::{mistakes, rows_by_kind};
use crate::failure::Failure;
use crate::level::Level;
use crate::output::{called, grouped, percent, significant};
use crate::output_folder::OutputFolder;
use crate::pictures::{Pictures, reliability_points};
use crate::run::Run;

/// How much each label speaks for the next one.
fn transitions(model: &ConditionalRandomField) -> Picture {
    let labels: Vec<String> = model.vocabulary().labels().iter().map(str::to_owned).collect();
    let k = labels.len();
    let mut transitions = vec![0.0; k * k];
    for (feature, weight) in model.features().iter().zip(model.weights()) {
        if let Feature::Transition { from, to } = feature {
            transitions[from * k + to] = *weight;
        }
    }
    heat_map("Weights of steps", ("label", "next label"), &labels, &labels, &transitions)
}

/// The page of a fit, and its pictures.
pub(super) fn of_fit(run: &Run<'_>, model: &ConditionalRandomField, answer: &Answer) -> (Pictures, Page) {
    let (on, top) = (&answer.evaluated_on, &answer.top_features);
    let (pictures, mut page) = of_scores(model, &answer.scores, on, &answer.objective_trace, top);
    page.fact("Weights", grouped(answer.weights as u64));
    page.fact("Not 0", grouped(answer.nonzero_weights as u64));
    page.fact("Algorithm", &answer.algorithm);
    run.sign(&mut page, "", &[("algorithm", &answer.algorithm), ("steps", &answer.iterations)]);
    (pictures, page)
}

/// The page of an evaluation, and its pictures; `objective` is the course of the fit, if there was one.
pub(super) fn of_scores(
    model: &ConditionalRandomField,
    scores: &Scores,
    counted_in: &str,
    objective: &[f64],
    top: &[Top],
) -> (Pictures, Page) {
    let points = reliability_points(&scores.reliability, Level::default());
    let pictures = Pictures::of([
        ("transitions", Some(transitions(model))),
        ("objective", (objective.len() > 1).then(|| trace("objective", &[objective]))),
        ("calibration", (!points.is_empty()).then(|| reliability("Probabilities of labels", &points))),
    ]);
    let mut page =
        Page::new("Labels of sequences", format!("{} of tokens are right", percent(scores.accuracy)));
    let mut standfirst = format!(
        "A linear-chain conditional random field, counted in {counted_in}: {} tokens in {} sequences, {} of which are without a mistake.",
        grouped(scores.tokens),
        grouped(scores.sequences as u64),
        percent(scores.sequence_accuracy)
    );
    if let (Some(f1), true) = (scores.f1, scores.f1_of == "chunks") {
        // Writing to a string cannot fail.
        let _ = write!(standfirst, " F1 of chunks, as conlleval counts them, is {}.", percent(f1));
    }
    page.standfirst = vec![standfirst];
    let caption = "How much a label speaks for the next one: orange for, blue against.";
    page.lead = pictures.get("transitions").map(|picture| Figure::new(picture.clone(), caption));
    page.facts = facts(scores);
    let chunks = !scores.chunks.is_empty();
    let first = if chunks { "chunk" } else { "label" };
    let table = PageTable::new([first, "precision", "recall", "F1", "in truth"], rows_by_kind(scores));
    page.section(if chunks { "Chunks" } else { "Labels" }, "", table);
    let table = |texts: &[&str], number: &str, rows: Vec<Vec<String>>| PageTable {
        columns: texts.iter().copied().map(TableColumn::text).chain([TableColumn::number(number)]).collect(),
        rows,
    };
    let mistakes = table(&["true label", "predicted"], "tokens", mistakes(scores));
    page.section("Confusion matrix", "The most frequent mistakes.", mistakes);
    let rows = top.iter().flat_map(|own| {
        own.features
            .iter()
            .map(|feature| vec![own.label.clone(), feature.attribute.clone(), significant(feature.weight)])
    });
    let text = "Of each label the attributes with the largest weights; negative ones speak against it.";
    page.section("Largest weights", text, table(&["label", "attribute"], "weight", rows.collect()));
    let rows = scores.doubtful.iter().map(|own| {
        let place = format!("{}:{}", own.sequence + 1, own.token + 1);
        vec![place, own.word.clone(), own.predicted.clone(), own.truth.clone(), percent(own.probability)]
    });
    let text = "Tokens, by sequence and place, whose label is least probable.";
    let doubtful = table(&["token", "word", "label", "truth"], "probability", rows.collect());
    page.section("Least certain tokens", text, doubtful);
    if let Some(picture) = pictures.get("calibration") {
        let caption = format!(
            "Of the labels given with a probability, the proportion that is right, and where it would be with probability {}.",
            Level::default()
        );
        page.figure("Calibration", "", picture, caption);
    }
    if let Some(picture) = pictures.get("objective") {
        page.figure("The fit", "", picture, "The objective of each step of the fit.");
    }
    page.command = called();
    (pictures, page)
}

fn facts(scores: &Scores) -> Vec<(String, String)> {
    let mut facts = vec![
        ("Accuracy".to_owned(), percent(scores.accuracy)),
        ("Sequences without a mistake".to_owned(), percent(scores.sequence_accuracy)),
    ];
    for (name, value) in [
        ("Known words", scores.known_accuracy),
        ("Unknown words", scores.unknown_accuracy),
        ("F1", scores.f1),
        ("Precision of chunks", scores.precision),
        ("Recall of chunks", scores.recall),
        ("Calibration error", scores.calibration_error),
    ] {
        facts.extend(value.map(|value| (name.to_owned(), percent(value))));
    }
    facts.extend(scores.ln_loss_fact());
    facts
}

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] =
    &["confusion.csv", "transitions.svg", "objective.svg", "calibration.svg", "report.html"];

/// Writes the table of mistakes, the report and its pictures.
pub(super) fn write(
    folder: &OutputFolder,
    scores: &Scores,
    (pictures, page): &(Pictures, Page),
) -> Result<(), Failure> {
    let names = scores.labels.iter().map(|own| own.label.as_str());
    let rows = scores
        .labels
        .iter()
        .zip(&scores.confusion)
        .map(|(own, row)| std::iter::once(own.label.clone()).chain(row.iter().map(u64::to_string)));
    folder.put_table("confusion.csv", std::iter::once("truth").chain(names), rows)?;
    folder.put_report(pictures, page)
}
