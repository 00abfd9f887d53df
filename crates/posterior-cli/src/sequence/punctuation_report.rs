//! The page about punctuation: losses by length of context, and how many contexts were never seen.

use posterior_report::{Body, Column, Figure, Page, Picture, Ribbon, Section, Table, ribbons};

use super::punctuation::Output;
use crate::output::{called, grouped, percent, significant};

/// The loss by the length of contexts, a line for each way of smoothing that has one everywhere.
pub(super) fn losses(output: &Output) -> Picture {
    let mut lines: Vec<Ribbon> = Vec::new();
    for row in output.results.iter().filter(|row| row.ln_loss.is_finite()) {
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
pub(super) fn page(source: &str, output: &Output, seed: u64) -> Page {
    let best =
        output.results.iter().find(|row| row.n == output.best.n && row.smoothing == output.best.smoothing);
    let accuracy = best.and_then(|row| row.accuracy).unwrap_or(f64::NAN);
    let mut page = Page::new(
        "Punctuation",
        format!("{} characters of context predict best, {} right", output.best.n + 1, percent(accuracy)),
    );
    page.standfirst.push(format!(
        "{} characters were counted, and {} at the ends of texts predicted from those before them.",
        grouped(output.counted as u64),
        grouped(output.held_out as u64)
    ));
    page.lead = Some(Figure::new(
        losses(output),
        "What each way of smoothing loses on what was held out. Relative frequencies are not there: they hold for impossible what happens.",
    ));
    page.facts = vec![
        ("Different characters".to_owned(), output.different_characters.to_string()),
        ("Least loss".to_owned(), best.map_or_else(String::new, |row| significant(row.ln_loss))),
        (
            "Macro F1".to_owned(),
            best.and_then(|row| row.macro_f1).map_or_else(|| "-".to_owned(), significant),
        ),
    ];
    page.sections.push(contexts(output));
    page.sections.push(learning(output));
    page.sections.push(results(output));
    if let Some(restored) = &output.restored {
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

fn contexts(output: &Output) -> Section {
    let rows = output.contexts.iter().map(|row| {
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

fn learning(output: &Output) -> Section {
    let line = |name: &str, value: &dyn Fn(usize) -> f64| {
        let points = output.learning_curve.iter().enumerate();
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
            output.best.n + 1
        ),
        body: Body::Figures(vec![
            picture("share unseen", &|i| output.learning_curve[i].unseen),
            picture("loss", &|i| output.learning_curve[i].ln_loss),
        ]),
    }
}

fn results(output: &Output) -> Section {
    let maybe = |value: Option<f64>, tell: &dyn Fn(f64) -> String| value.map_or_else(|| "-".to_owned(), tell);
    let rows = output.results.iter().map(|row| {
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
