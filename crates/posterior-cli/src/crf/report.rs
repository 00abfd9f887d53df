//! The page about a model: how good its labels are, what follows what, what speaks for what.

use std::fmt::Write as _;

use posterior::sequence::crf::{ConditionalRandomField, Feature};
use posterior_report::{Body, Column, Figure, Page, Picture, Section, Table, heat_map, reliability, trace};
use serde::Serialize;

use super::fit::Answer;
use super::scores::Scores;
use super::text::mistakes;
use crate::calibration;
use crate::output::{called, grouped, percent, significant};

/// Features of a label that are shown.
const TOP: usize = 6;

/// What speaks most for a label.
#[derive(Debug, Serialize)]
pub(super) struct Top {
    pub(super) label: String,
    pub(super) features: Vec<Weight>,
}

#[derive(Debug, Serialize)]
pub(super) struct Weight {
    pub(super) attribute: String,
    pub(super) weight: f64,
}

impl Top {
    /// Of each label.
    pub(super) fn all(model: &ConditionalRandomField) -> Vec<Self> {
        let vocabulary = model.vocabulary();
        let of_label = |(label, name): (usize, &str)| {
            let found = model.top_features(label, TOP).into_iter();
            let features = found.map(|(feature, weight)| {
                let attribute = match feature {
                    Feature::State { attribute, .. } => {
                        vocabulary.attributes().name(attribute).unwrap_or_default().to_owned()
                    }
                    other => format!("{other:?}"),
                };
                Weight { attribute, weight }
            });
            Self { label: name.to_owned(), features: features.collect() }
        };
        vocabulary.labels().iter().enumerate().map(of_label).collect()
    }
}

/// The plots of a model, with their names.
pub(super) fn pictures(
    model: &ConditionalRandomField,
    scores: &Scores,
    objective: &[f64],
) -> Vec<(&'static str, Picture)> {
    let labels: Vec<String> = model.vocabulary().labels().iter().map(str::to_owned).collect();
    let k = labels.len();
    let mut transitions = vec![0.0; k * k];
    for (feature, weight) in model.features().iter().zip(model.weights()) {
        if let Feature::Transition { from, to } = feature {
            transitions[from * k + to] = *weight;
        }
    }
    let heat = heat_map("Weights of steps", ("label", "next label"), &labels, &labels, &transitions);
    let mut pictures = vec![("transitions", heat)];
    if objective.len() > 1 {
        pictures.push(("objective", trace("objective", &[objective])));
    }
    let points = calibration::points(&scores.reliability);
    if !points.is_empty() {
        pictures.push(("calibration", reliability("Probabilities of labels", &points)));
    }
    pictures
}

/// The page of a fit.
pub(super) fn of_fit(answer: &Answer, pictures: &[(&'static str, Picture)]) -> Page {
    let mut page = of_scores(&answer.scores, &answer.evaluated_on, &answer.top_features, pictures);
    page.facts.extend([
        ("Weights".to_owned(), grouped(answer.weights as u64)),
        ("Not 0".to_owned(), grouped(answer.nonzero_weights as u64)),
        ("Algorithm".to_owned(), answer.algorithm.to_owned()),
    ]);
    page.settings = vec![
        ("algorithm".to_owned(), answer.algorithm.to_owned()),
        ("steps".to_owned(), answer.iterations.to_string()),
        ("seed".to_owned(), answer.seed.to_string()),
    ];
    page
}

/// The page of an evaluation.
pub(super) fn of_scores(
    scores: &Scores,
    counted_in: &str,
    top: &[Top],
    pictures: &[(&'static str, Picture)],
) -> Page {
    let mut page =
        Page::new("Labels of sequences", format!("{} of tokens are right", percent(scores.accuracy)));
    let mut standfirst = format!(
        "A linear-chain conditional random field, counted in {counted_in}: {} tokens in {} sequences, {} of which are without a mistake.",
        grouped(scores.tokens),
        grouped(scores.sequences as u64),
        percent(scores.sequence_accuracy)
    );
    if let (Some(f1), true) = (scores.f1, scores.f1_of == "chunks") {
        let _ = write!(standfirst, " F1 of chunks, as conlleval counts them, is {}.", percent(f1));
    }
    page.standfirst = vec![standfirst];
    let captions = [
        ("transitions", "How much a label speaks for the next one: orange for, blue against."),
        ("objective", "The objective of each step of the fit."),
        (
            "calibration",
            "Of the labels given with a probability, the share that is right, and where it would be nine times in ten.",
        ),
    ];
    let figure = |name: &str| {
        let picture = pictures.iter().find(|(own, _)| *own == name)?.1.clone();
        let caption = captions.iter().find(|(own, _)| *own == name)?.1;
        Some(Figure::new(picture, caption))
    };
    page.lead = figure("transitions");
    page.facts = facts(scores);
    page.sections.push(by_kind(scores));
    let numbers =
        |names: &[&str]| names.iter().map(|name| Column::Number((*name).to_owned())).collect::<Vec<_>>();
    let texts =
        |names: &[&str]| names.iter().map(|name| Column::Text((*name).to_owned())).collect::<Vec<_>>();
    page.sections.push(section(
        "What is taken for what",
        "The most frequent mistakes.",
        [texts(&["truth", "taken for"]), numbers(&["tokens"])].concat(),
        mistakes(scores),
    ));
    let rows = top.iter().flat_map(|own| {
        own.features
            .iter()
            .map(|feature| vec![own.label.clone(), feature.attribute.clone(), significant(feature.weight)])
    });
    page.sections.push(section(
        "What speaks for what",
        "Of each label the attributes with the largest weights; negative ones speak against it.",
        [texts(&["label", "attribute"]), numbers(&["weight"])].concat(),
        rows.collect(),
    ));
    let rows = scores.doubtful.iter().map(|own| {
        let place = format!("{}:{}", own.sequence + 1, own.token + 1);
        vec![place, own.word.clone(), own.predicted.clone(), own.truth.clone(), percent(own.probability)]
    });
    page.sections.push(section(
        "Where it is in doubt",
        "Tokens, by sequence and place, whose label is least probable.",
        [texts(&["token", "word", "label", "truth"]), numbers(&["probability"])].concat(),
        rows.collect(),
    ));
    for (name, title) in [("calibration", "Are probabilities what they say"), ("objective", "The fit")] {
        page.sections.extend(figure(name).map(|figure| Section {
            title: title.to_owned(),
            text: String::new(),
            body: Body::Figure(figure),
        }));
    }
    page.command = called();
    page
}

fn section(title: &str, text: &str, columns: Vec<Column>, rows: Vec<Vec<String>>) -> Section {
    Section { title: title.to_owned(), text: text.to_owned(), body: Body::Table(Table { columns, rows }) }
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

fn by_kind(scores: &Scores) -> Section {
    let maybe = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), percent);
    let chunks = !scores.chunks.is_empty();
    let rows: Vec<Vec<String>> = if chunks {
        let row = |own: &super::scores::ChunkScore| {
            vec![
                own.kind.clone(),
                percent(own.precision),
                percent(own.recall),
                percent(own.f1),
                grouped(own.truth),
            ]
        };
        scores.chunks.iter().map(row).collect()
    } else {
        let row = |own: &super::scores::LabelScore| {
            vec![
                own.label.clone(),
                maybe(own.precision),
                maybe(own.recall),
                maybe(own.f1),
                grouped(own.support),
            ]
        };
        scores.labels.iter().map(row).collect()
    };
    let mut columns = vec![Column::Text(if chunks { "chunk" } else { "label" }.to_owned())];
    columns.extend(["precision", "recall", "F1", "in truth"].map(|name| Column::Number(name.to_owned())));
    section(if chunks { "Chunks" } else { "Labels" }, "", columns, rows)
}
