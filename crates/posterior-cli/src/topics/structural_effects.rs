//! What columns do to the proportions and the words of a structural topic model, as tables and for the page.

use posterior::topics::structural_topics::StructuralTopics;
use posterior::topics::top_words;
use posterior_report::{PageTable, Section, TableColumn};
use serde::Serialize;

use super::covariates::{Content, Input, Prevalence, Setting};
use super::effects::label;
use super::fitted_model::{FittedModel, Structural};
use crate::failure::{Failure, refused};
use crate::level::Level;
use crate::output::{shortest, significant};
use crate::output_folder::OutputFolder;

/// Numbers of a column at which expected proportions are tabled, from its least to its largest.
const PLACES: usize = 25;

/// Words of a topic at a level.
const WORDS: usize = 15;

/// The change of the expected proportion of a topic with a column.
#[derive(Debug, Serialize)]
pub(super) struct TopicEffect {
    pub(super) topic: usize,
    pub(super) column: String,
    /// From what the column changes, and to what: of numbers between their quartiles, of names from the
    /// first.
    pub(super) from: String,
    pub(super) to: String,
    pub(super) effect: f64,
    /// The ends of the interval that holds the change with a probability of 95 %.
    pub(super) q025: f64,
    pub(super) q975: f64,
}

/// The effects of all columns of a formula, if the model has one; other columns at their medians and at their
/// most frequent names.
pub(super) fn effects(model: &FittedModel) -> Result<Option<Vec<TopicEffect>>, Failure> {
    let FittedModel::Structural(Structural { model, covariates }) = model else { return Ok(None) };
    let Some(prevalence) = &covariates.prevalence else { return Ok(None) };
    let mut all = Vec::new();
    for (at, input) in prevalence.inputs.iter().enumerate() {
        let pairs: Vec<[Setting<'_>; 2]> = match input {
            Input::Number { quartiles, .. } => vec![[quartiles[1], quartiles[3]].map(Setting::Number)],
            Input::Names { names, .. } => {
                names[1..].iter().map(|name| [&names[0], name].map(|own| Setting::Name(own))).collect()
            }
        };
        for pair in pairs {
            let [from, to] = [prevalence.typical_but(at, pair[0])?, prevalence.typical_but(at, pair[1])?];
            let found = model.effect(&from, &to, Level::default().probability()).map_err(refused)?;
            all.extend((0..found.mean.len()).map(|topic| TopicEffect {
                topic,
                column: input.column().to_owned(),
                from: text(pair[0]),
                to: text(pair[1]),
                effect: found.mean[topic],
                q025: found.low[topic],
                q975: found.high[topic],
            }));
        }
    }
    Ok(Some(all))
}

fn text(setting: Setting<'_>) -> String {
    match setting {
        Setting::Number(x) => shortest(x),
        Setting::Name(name) => name.to_owned(),
    }
}

/// Writes `effects.csv`, `prevalence.csv`, `words_by_content.csv` and `topic_correlations.csv`.
pub(super) fn write(
    folder: &OutputFolder,
    model: &FittedModel,
    effects: Option<&[TopicEffect]>,
) -> Result<(), Failure> {
    let FittedModel::Structural(Structural { model, covariates }) = model else { return Ok(()) };
    if let Some(effects) = effects {
        let rows = effects.iter().map(|own| {
            let [effect, low, high] = [own.effect, own.q025, own.q975].map(shortest);
            [own.topic.to_string(), own.column.clone(), own.from.clone(), own.to.clone(), effect, low, high]
        });
        folder.put_table("effects.csv", ["topic", "column", "from", "to", "effect", "q025", "q975"], rows)?;
    }
    if let Some(prevalence) = &covariates.prevalence {
        let rows = expected(model, prevalence)?;
        folder.put_table("prevalence.csv", ["column", "value", "topic", "proportion"], rows)?;
    }
    if let Some(content) = &covariates.content {
        let rows = words(model, content)?;
        folder.put_table("words_by_content.csv", ["topic", "content", "rank", "word", "p"], rows)?;
    }
    let correlations = model.topic_correlations();
    let topics = (0..correlations.ncols()).map(|k| format!("topic_{k}"));
    let header = std::iter::once("topic".to_owned()).chain(topics);
    let rows = correlations.row_iter().enumerate().map(|(k, row)| {
        std::iter::once(k.to_string()).chain(row.iter().copied().map(shortest)).collect::<Vec<_>>()
    });
    folder.put_table("topic_correlations.csv", header, rows)
}

/// Expected proportions along each column.
fn expected(model: &StructuralTopics, prevalence: &Prevalence) -> Result<Vec<[String; 4]>, Failure> {
    let mut rows = Vec::new();
    for (at, input) in prevalence.inputs.iter().enumerate() {
        let settings: Vec<Setting<'_>> = match input {
            Input::Number { quartiles: [least, .., largest], .. } => {
                let part = |i: usize| i as f64 / (PLACES - 1) as f64;
                (0..PLACES).map(|i| Setting::Number(least + part(i) * (largest - least))).collect()
            }
            Input::Names { names, .. } => names.iter().map(|name| Setting::Name(name)).collect(),
        };
        for setting in settings {
            let found = model.prevalence(&prevalence.typical_but(at, setting)?).map_err(refused)?;
            let row =
                |(k, p): (usize, f64)| [input.column().to_owned(), text(setting), k.to_string(), shortest(p)];
            rows.extend(found.into_iter().enumerate().map(row));
        }
    }
    Ok(rows)
}

/// The most probable words of each topic at each level.
fn words(model: &StructuralTopics, content: &Content) -> Result<Vec<[String; 5]>, Failure> {
    let mut rows = Vec::new();
    for (level, name) in content.names.iter().enumerate() {
        let topics = model.topics_at(level)?;
        for k in 0..topics.len() {
            for (rank, own) in top_words::by_probability(&topics, k, WORDS).into_iter().enumerate() {
                let word = topics.vocabulary()[own.word].clone();
                let rank = (rank + 1).to_string();
                rows.push([k.to_string(), name.clone(), rank, word, shortest(own.probability)]);
            }
        }
    }
    rows.sort_by_key(|row| row[0].parse::<usize>().unwrap_or(0));
    Ok(rows)
}

/// What the page says of effects: of each topic the largest.
pub(super) fn section(model: &FittedModel, effects: &[TopicEffect]) -> Section {
    let row = |k: usize| {
        let own = effects.iter().filter(|own| own.topic == k);
        let largest = own.max_by(|a, b| a.effect.abs().total_cmp(&b.effect.abs()));
        let cells = largest.map_or_else(Default::default, |own| {
            let [effect, low, high] = [own.effect, own.q025, own.q975].map(|x| significant(100.0 * x));
            [own.column.clone(), format!("{} to {}", own.from, own.to), effect, format!("{low} to {high}")]
        });
        std::iter::once(label(model.topics(), k)).chain(cells).collect()
    };
    let columns = vec![
        TableColumn::text("Topic"),
        TableColumn::text("Column"),
        TableColumn::text("from, to"),
        TableColumn::number("percentage points"),
        TableColumn::text("95 %"),
    ];
    let text = "By how much the expected proportion of a topic changes with a column: with numbers from the lower to the upper quartile, \
                with names from the first to another; other columns at their medians and at their most frequent names. The largest \
                change of each topic; all are in effects.csv. Intervals are as wide as the replicates of the fit differ; without \
                replicates they take the words of topics as known, and are too short.";
    let table = PageTable { columns, rows: (0..model.topics().len()).map(row).collect() };
    Section::new("What the proportions depend on", text, table)
}
