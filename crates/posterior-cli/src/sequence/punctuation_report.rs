//! The page about punctuation: losses by length of context, and how many contexts were never seen.

use posterior_report::{Body, Column, Figure, Page, Picture, Ribbon, Section, Table, ribbons};

use super::punctuation::Told;
use crate::output::{called, grouped, percent, significant};

/// The loss by the length of contexts, a line for each way of smoothing that has one everywhere.
pub(super) fn losses(told: &Told) -> Picture {
    let mut lines: Vec<Ribbon> = Vec::new();
    for row in told.results.iter().filter(|row| row.ln_loss.is_finite()) {
        let point = (row.n as f64, row.ln_loss);
        match lines.iter_mut().find(|line| line.name == row.smoothing) {
            Some(line) => line.line.push(point),
            None => {
                lines.push(Ribbon { name: row.smoothing.to_owned(), line: vec![point], bands: Vec::new() });
            }
        }
    }
    ribbons(("characters before the last one", "-ln p of the next class, mean"), &lines, &[], None)
}

/// The page.
pub(super) fn page(source: &str, told: &Told, seed: u64) -> Page {
    let best = told.results.iter().find(|row| row.n == told.best.n && row.smoothing == told.best.smoothing);
    let accuracy = best.and_then(|row| row.accuracy).unwrap_or(f64::NAN);
    let mut page = Page::new(
        "Punctuation",
        format!("{} characters of context predict best, {} right", told.best.n + 1, percent(accuracy)),
    );
    page.standfirst.push(format!(
        "{} characters were counted, and {} at the ends of texts predicted from those before them.",
        grouped(told.counted as u64),
        grouped(told.held_out as u64)
    ));
    page.lead = Some(Figure::new(
        losses(told),
        "What each way of smoothing loses on what was held out. Relative frequencies are not there: they hold for impossible what happens.",
    ));
    page.facts = vec![
        ("Different characters".to_owned(), told.different_characters.to_string()),
        ("Least loss".to_owned(), best.map_or_else(String::new, |row| significant(row.ln_loss))),
        (
            "Macro F1".to_owned(),
            best.and_then(|row| row.macro_f1).map_or_else(|| "-".to_owned(), significant),
        ),
    ];
    page.sections.push(contexts(told));
    page.sections.push(learning(told));
    page.sections.push(results(told));
    if let Some(restored) = &told.restored {
        page.sections.push(Section {
            title: "Restored".to_owned(),
            text: restored.clone(),
            body: Body::List(Vec::new()),
        });
    }
    page.command = called();
    page.settings = vec![("seed".to_owned(), seed.to_string())];
    page.source = format!("{source}, read by posterior {}.", env!("CARGO_PKG_VERSION"));
    page
}

fn contexts(told: &Told) -> Section {
    let rows = told.contexts.iter().map(|row| {
        vec![
            row.n.to_string(),
            significant(row.free_parameters),
            grouped(row.seen as u64),
            percent(row.held_out_unseen),
        ]
    });
    Section {
        title: "A table that no text fills".to_owned(),
        text: "Free numbers of the table of all contexts, the contexts that the text has, and how many of the predictions meet a new one."
            .to_owned(),
        body: Body::Table(Table {
            columns: numbers(&["n", "free parameters", "contexts seen", "held out unseen"]),
            rows: rows.collect(),
        }),
    }
}

fn learning(told: &Told) -> Section {
    let line = |name: &str, value: &dyn Fn(usize) -> f64| {
        let points = told.learning_curve.iter().enumerate();
        let line = points.map(|(i, point)| ((point.characters as f64).log10(), value(i))).collect();
        Ribbon { name: name.to_owned(), line, bands: Vec::new() }
    };
    let picture = |name: &str, value: &dyn Fn(usize) -> f64| {
        Figure::new(ribbons(("log10 of the characters counted", name), &[line("", value)], &[], None), "")
    };
    Section {
        title: "More text".to_owned(),
        text: format!(
            "Kneser-Ney with contexts of {} characters, on ever longer beginnings of the texts.",
            told.best.n + 1
        ),
        body: Body::Figures(vec![
            picture("share unseen", &|i| told.learning_curve[i].unseen),
            picture("loss", &|i| told.learning_curve[i].ln_loss),
        ]),
    }
}

fn results(told: &Told) -> Section {
    let maybe = |value: Option<f64>, tell: &dyn Fn(f64) -> String| value.map_or_else(|| "-".to_owned(), tell);
    let rows = told.results.iter().map(|row| {
        vec![
            row.smoothing.to_owned(),
            row.n.to_string(),
            maybe(row.accuracy, &percent),
            maybe(row.macro_f1, &significant),
            significant(row.ln_loss),
            grouped(row.undefined),
            grouped(row.impossible),
        ]
    });
    let mut columns = vec![Column::Text("smoothing".to_owned())];
    columns.extend(numbers(&["n", "accuracy", "macro F1", "ln loss", "undefined", "impossible"]));
    Section {
        title: "All ways".to_owned(),
        text: String::new(),
        body: Body::Table(Table { columns, rows: rows.collect() }),
    }
}

fn numbers(names: &[&str]) -> Vec<Column> {
    names.iter().map(|&name| Column::Number(name.to_owned())).collect()
}
