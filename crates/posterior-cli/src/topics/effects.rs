//! On what the proportions of a regression depend: its coefficients, as a table and for the page.

use posterior::topics::{TopicModel as _, Topics, top_words};
use posterior_report::{PageTable, Section, TableColumn};

use super::fitted_model::{FittedModel, Regression};
use crate::failure::Failure;
use crate::output::shortest;
use crate::output_folder::OutputFolder;
use crate::report::RELEVANCE;

/// Words by which a topic is called.
const LABEL: usize = 3;

/// Writes `coefficients.csv` of a regression: a row for each topic and feature, and for the constant.
pub(super) fn write(folder: &OutputFolder, model: &FittedModel) -> Result<(), Failure> {
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

/// What the page says of a regression: for each topic the feature that raises it most, and the one that
/// lowers it most.
pub(super) fn section(model: &FittedModel) -> Option<Section> {
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

pub(super) fn label(topics: &Topics, k: usize) -> String {
    let words = top_words::by_relevance(topics, k, LABEL, RELEVANCE);
    let words: Vec<&str> = words.iter().map(|ranked| topics.vocabulary()[ranked.word].as_str()).collect();
    words.join(" · ")
}
