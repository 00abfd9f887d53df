//! The files of a fit.

use std::io::Write as _;

use posterior::topics::{Topics, Trend, top_words};

use super::fitted_model::FittedModel;
use super::posterior_draws::{self, DrawnParameter};
use super::predictions::{self, Predicted};
use super::reading::Reading;
use super::runs::Stability;
use super::saved_model::{AREA, Written, WrittenModel};
use super::structural_effects::TopicEffect;
use super::sweep::Sweep;
use super::{effects, structural_effects, word_courses};
use crate::failure::Failure;
use crate::output::shortest;
use crate::output_folder::OutputFolder;
use crate::report::TopicReport;
use crate::{model_file, npy};

/// Words of each topic in `topics.csv`.
const WORDS: usize = 30;

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] = &[
    "model.json",
    "topic_word.npy",
    "doc_topic.npy",
    "vocab.txt",
    "topics.csv",
    "documents.csv",
    "sweep.csv",
    "stability.csv",
    "coefficients.csv",
    "effects.csv",
    "prevalence.csv",
    "words_by_content.csv",
    "topic_correlations.csv",
    "parameters.csv",
    "predictions.csv",
    "words_over_time.csv",
    "topics_over_time.csv",
    "topics_over_time.svg",
    "report.html",
];

/// Columns of `topics.csv`; of topics that were named, `name` comes last.
pub(super) const TOPIC_COLUMNS: [&str; 5] = ["topic", "weight", "rank", "word", "p"];

/// Rows of `topics.csv`.
pub(super) fn topic_rows(topics: &Topics, names: &[String]) -> impl Iterator<Item = Vec<String>> {
    topics.weights().iter().enumerate().flat_map(move |(k, weight)| {
        let words = top_words::by_probability(topics, k, WORDS).into_iter().enumerate();
        words.map(move |(rank, ranked)| {
            let word = topics.vocabulary()[ranked.word].clone();
            let mut row = vec![
                k.to_string(),
                weight.to_string(),
                (rank + 1).to_string(),
                word,
                ranked.probability.to_string(),
            ];
            if !names.is_empty() {
                row.push(names.get(k).cloned().unwrap_or_default());
            }
            row
        })
    })
}

/// Tables that are there after some fits only.
pub(super) struct Tables<'a> {
    pub(super) sweep: Option<&'a Sweep>,
    pub(super) stability: Option<&'a Stability>,
    pub(super) parameters: Option<&'a [DrawnParameter]>,
    pub(super) predictions: Option<&'a [Predicted]>,
    pub(super) effects: Option<&'a [TopicEffect]>,
}

/// Writes everything that a fit leaves in `folder`: the model as it is saved, and what the report shows.
pub(super) fn write(
    folder: &OutputFolder,
    model: &FittedModel,
    reading: &Reading,
    report: &TopicReport<'_>,
    tables: &Tables<'_>,
) -> Result<(), Failure> {
    let topics = report.topics;
    let written = Written { reading, names: report.names, model: WrittenModel::Topics(model) };
    model_file::put(folder, AREA, &written)?;
    if let Some(sweep) = tables.sweep {
        folder.put_table("sweep.csv", Sweep::COLUMNS, sweep.rows())?;
    }
    if let Some(stability) = tables.stability {
        folder.put_table("stability.csv", Stability::COLUMNS, stability.rows())?;
    }
    if let Some(parameters) = tables.parameters {
        posterior_draws::write(folder, parameters)?;
    }
    if let Some(predicted) = tables.predictions {
        predictions::write(folder, predicted)?;
    }
    effects::write(folder, model)?;
    structural_effects::write(folder, model, tables.effects)?;
    word_courses::write(folder, model)?;
    folder.put("topic_word.npy", |out| npy::write(out, topics.topic_word()))?;
    folder.put("doc_topic.npy", |out| npy::write(out, report.doc_topic))?;
    folder.put("vocab.txt", |out| topics.vocabulary().iter().try_for_each(|word| writeln!(out, "{word}")))?;
    let name = (!report.names.is_empty()).then_some("name");
    let header = TOPIC_COLUMNS.into_iter().chain(name);
    folder.put_table("topics.csv", header, topic_rows(topics, report.names))?;
    let rows = report.corpus.iter().enumerate().map(|(d, document)| {
        let row = report.doc_topic.row(d);
        let leading = (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b])).unwrap_or(0);
        let time = report.times.map(|times| times[d]).filter(|time| time.is_finite());
        let [tokens, topic, proportion] =
            [document.tokens().to_string(), leading.to_string(), row[leading].to_string()];
        let time = time.map_or_else(String::new, |time| time.to_string());
        [report.corpus.names()[d].clone(), time, tokens, topic, proportion]
    });
    folder.put_table("documents.csv", ["document", "time", "tokens", "topic", "proportion"], rows)?;
    if let Some(times) = report.times {
        let lengths: Vec<u64> = report.corpus.iter().map(|document| document.tokens()).collect();
        let trend = Trend::new(report.doc_topic, &lengths, times)?;
        let names = (0..trend.proportions.ncols()).map(|k| format!("topic_{k}"));
        let header = ["time", "tokens"].map(str::to_owned).into_iter().chain(names);
        let rows = trend.proportions.row_iter().enumerate().map(|(t, row)| {
            let first = [trend.times[t].to_string(), trend.tokens[t].to_string()].into_iter();
            first.chain(row.iter().copied().map(shortest)).collect::<Vec<_>>()
        });
        folder.put_table("topics_over_time.csv", header, rows)?;
    }
    let (page, over_time) = report.page()?;
    if let Some(svg) = over_time {
        folder.put_text("topics_over_time.svg", &svg)?;
    }
    folder.put_text("report.html", &page)
}
