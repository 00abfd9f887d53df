//! The files of a fit.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};

use posterior::topics::{Trend, top_words};
use serde::Serialize;

use crate::failure::Failure;
use crate::npy;
use crate::output_folder::OutputFolder;
use crate::report::TopicReport;

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
    "topics_over_time.csv",
    "topics_over_time.svg",
    "report.html",
];

/// Writes everything that a fit leaves in `folder`: the model as it is saved, and what the report shows.
pub(super) fn write(
    folder: &OutputFolder,
    model: &impl Serialize,
    report: &TopicReport<'_>,
) -> Result<(), Failure> {
    let topics = report.topics;
    folder.put("model.json", |out| Ok(serde_json::to_writer(out, model)?))?;
    folder.put("topic_word.npy", |out| npy::write(out, topics.topic_word()))?;
    folder.put("doc_topic.npy", |out| npy::write(out, report.doc_topic))?;
    folder.put("vocab.txt", |out| topics.vocabulary().iter().try_for_each(|word| writeln!(out, "{word}")))?;
    folder.put("topics.csv", |out| write_topics(out, report))?;
    folder.put("documents.csv", |out| write_documents(out, report))?;
    if let Some(times) = report.times {
        let lengths: Vec<u64> = report.corpus.iter().map(|document| document.tokens()).collect();
        let trend = Trend::new(report.doc_topic, &lengths, times)?;
        folder.put("topics_over_time.csv", |out| write_trend(out, &trend))?;
    }
    let (page, over_time) = report.page()?;
    if let Some(svg) = over_time {
        folder.put_text("topics_over_time.svg", &svg)?;
    }
    folder.put_text("report.html", &page)
}

/// A row a topic and word, by probability.
fn write_topics(out: &mut BufWriter<File>, report: &TopicReport<'_>) -> io::Result<()> {
    let topics = report.topics;
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["topic", "weight", "rank", "word", "p"])?;
    for (k, weight) in topics.weights().iter().enumerate() {
        for (rank, ranked) in top_words::by_probability(topics, k, WORDS).iter().enumerate() {
            let word = &topics.vocabulary()[ranked.word];
            csv.write_record([
                &k.to_string(),
                &weight.to_string(),
                &(rank + 1).to_string(),
                word,
                &ranked.probability.to_string(),
            ])?;
        }
    }
    csv.flush()
}

/// A row a document, in the order of `doc_topic.npy`: its leading topic.
fn write_documents(out: &mut BufWriter<File>, report: &TopicReport<'_>) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["document", "time", "tokens", "topic", "share"])?;
    for (d, document) in report.corpus.iter().enumerate() {
        let row = report.doc_topic.row(d);
        let leading = (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b])).unwrap_or(0);
        let time = report.times.map(|times| times[d]).filter(|time| time.is_finite());
        csv.write_record([
            &report.corpus.names()[d],
            &time.map_or_else(String::new, |time| time.to_string()),
            &document.tokens().to_string(),
            &leading.to_string(),
            &row[leading].to_string(),
        ])?;
    }
    csv.flush()
}

/// A row a time, a column a topic: shares as they are, without smoothing.
fn write_trend(out: &mut BufWriter<File>, trend: &Trend) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let topics = (0..trend.shares.ncols()).map(|k| format!("topic_{k}"));
    csv.write_record(["time", "tokens"].map(str::to_owned).into_iter().chain(topics))?;
    for (t, row) in trend.shares.row_iter().enumerate() {
        let shares = row.iter().map(f64::to_string);
        csv.write_record(
            [trend.times[t].to_string(), trend.tokens[t].to_string()].into_iter().chain(shares),
        )?;
    }
    csv.flush()
}
