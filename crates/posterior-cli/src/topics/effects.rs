//! On what the proportions of a model depend: coefficients or effects, as a table and for the page.

use posterior::topics::structural_topics::{StructuralTopics, TopicIntervals};
use posterior::topics::{TopicModel as _, Topics, top_words};
use posterior_report::{PageTable, Section, TableColumn};

use super::features::Recipe;
use super::fitted_model::{FittedModel, Regression, Structural};
use crate::failure::Failure;
use crate::output::{cell, shortest};
use crate::output_folder::OutputFolder;
use crate::report::RELEVANCE;

/// Words by which a topic is called.
const LABEL: usize = 3;

/// The probability of the intervals of effects.
const INTERVAL: f64 = 0.9;

/// Writes `coefficients.csv` of a regression: a row for each topic and feature, and for the constant; or
/// `effects.csv` of a structural topic model.
pub(super) fn write(folder: &OutputFolder, model: &FittedModel) -> Result<(), Failure> {
    if let FittedModel::Structural(Structural { model, features: Some(features) }) = model {
        return write_effects(folder, model, features);
    }
    let FittedModel::Regression(Regression { model, features }) = model else { return Ok(()) };
    let names: Vec<String> = std::iter::once("constant".to_owned()).chain(features.names()).collect();
    let coefficients = model.coefficients();
    let rows = (0..coefficients.ncols()).flat_map(|k| {
        let row =
            move |(j, name): (usize, &String)| [k.to_string(), name.clone(), shortest(coefficients[(j, k)])];
        names.iter().enumerate().map(row).collect::<Vec<_>>()
    });
    folder.put_table("coefficients.csv", ["topic", "feature", "coefficient"], rows)
}

/// What the page says of a model with features: for each topic the feature that raises it most, and the one
/// that lowers it most.
pub(super) fn section(model: &FittedModel) -> Option<Section> {
    if let FittedModel::Structural(Structural { model, features: Some(features) }) = model {
        return Some(structural_section(model, features));
    }
    let FittedModel::Regression(Regression { model, features }) = model else { return None };
    let (names, coefficients) = (features.names(), model.coefficients());
    let row = |k: usize| {
        let effects = || (0..names.len()).map(|j| (j, coefficients[(1 + j, k)]));
        let most = effects().max_by(|a, b| a.1.total_cmp(&b.1)).filter(|own| own.1 > 0.0);
        let least = effects().min_by(|a, b| a.1.total_cmp(&b.1)).filter(|own| own.1 < 0.0);
        let cells = |end: Option<(usize, f64)>| {
            end.map_or([String::new(), String::new()], |(j, x)| [names[j].clone(), format!("{:.2}", x.exp())])
        };
        let mut row = vec![label(model.topics(), k)];
        row.extend([cells(most), cells(least)].concat());
        row
    };
    let columns = vec![
        TableColumn::text("Topic"),
        TableColumn::text("Raised by"),
        TableColumn::number("times"),
        TableColumn::text("Lowered by"),
        TableColumn::number("times "),
    ];
    let text = "By what the concentration of a topic is multiplied where a feature is one larger: of a number one standard deviation, of \
                a name from not having it to having it. The largest and the smallest factor; all coefficients are in coefficients.csv.";
    let table = PageTable { columns, rows: (0..coefficients.ncols()).map(row).collect() };
    Some(Section::new("What the proportions depend on", text, table))
}

fn label(topics: &Topics, k: usize) -> String {
    let words = top_words::by_relevance(topics, k, LABEL, RELEVANCE);
    let words: Vec<&str> = words.iter().map(|ranked| topics.vocabulary()[ranked.word].as_str()).collect();
    words.join(" · ")
}

/// The effect of each feature: of one larger, others at their averages.
fn effects(model: &StructuralTopics) -> Vec<TopicIntervals> {
    let average = model.mean_features();
    let effect = |j: usize| {
        let [mut from, mut to] = [average.to_vec(), average.to_vec()];
        // Numbers are of mean zero and standard deviation one, and names zero or one.
        (from[j], to[j]) = (0.0, 1.0);
        model.effect(&from, &to, INTERVAL).expect("invariant: the features are those of the fit")
    };
    (0..average.len()).map(effect).collect()
}

/// How many independent draws effects are worth, of a structural topic model with features.
pub(super) fn effective_draws(model: &FittedModel) -> Vec<f64> {
    let FittedModel::Structural(Structural { model, features: Some(_) }) = model else { return Vec::new() };
    effects(model).into_iter().flat_map(|own| own.effective_draws).collect()
}

fn write_effects(folder: &OutputFolder, model: &StructuralTopics, features: &Recipe) -> Result<(), Failure> {
    let (names, effects) = (features.names(), effects(model));
    let rows = (0..model.topics().len()).flat_map(|k| {
        let row = move |(name, own): (&String, &TopicIntervals)| {
            let numbers = [&own.mean, &own.low, &own.high, &own.effective_draws].map(|of| cell(of[k]));
            let [effect, low, high, draws] = numbers;
            [k.to_string(), name.clone(), effect, low, high, draws]
        };
        names.iter().zip(&effects).map(row).collect::<Vec<_>>()
    });
    folder.put_table("effects.csv", ["topic", "feature", "effect", "low", "high", "effective_draws"], rows)
}

fn structural_section(model: &StructuralTopics, features: &Recipe) -> Section {
    let (names, effects) = (features.names(), effects(model));
    let row = |k: usize| {
        let most = (0..names.len()).max_by(|&a, &b| effects[a].mean[k].total_cmp(&effects[b].mean[k]));
        let least = (0..names.len()).min_by(|&a, &b| effects[a].mean[k].total_cmp(&effects[b].mean[k]));
        let cells = |end: Option<usize>, sign: f64| {
            let end = end.filter(|&j| sign * effects[j].mean[k] > 0.0);
            end.map_or([String::new(), String::new()], |j| {
                let percent = |x: f64| format!("{:+.1}", 100.0 * x);
                let own = &effects[j];
                let interval =
                    format!("{} ({} to {})", percent(own.mean[k]), percent(own.low[k]), percent(own.high[k]));
                [names[j].clone(), interval]
            })
        };
        let mut row = vec![label(model.topics(), k)];
        row.extend([cells(most, 1.0), cells(least, -1.0)].concat());
        row
    };
    let columns = vec![
        TableColumn::text("Topic"),
        TableColumn::text("Raised by"),
        TableColumn::text("percentage points"),
        TableColumn::text("Lowered by"),
        TableColumn::text("percentage points "),
    ];
    let text = "By how much the expected proportion of a topic changes, with intervals of 90 %, where a feature is one larger than its average, of a \
                number one standard deviation, or where a document has a name instead of not having it; other features at their averages. The largest and \
                the smallest change; all are in effects.csv, with the number of independent draws that each is worth: where that is \
                below 20, more --iterations are needed.";
    let table = PageTable { columns, rows: (0..model.topics().len()).map(row).collect() };
    Section::new("What the proportions depend on", text, table)
}
