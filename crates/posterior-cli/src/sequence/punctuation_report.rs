//! The page about punctuation: losses by length of context, and how many contexts were never seen.

use posterior_report::{Figure, Page, PageTable, Picture, Ribbon, Section, TableColumn, ribbons};
use serde::Serialize;

use crate::output::{grouped, percent, significant};
use crate::run::{Run, read_by_posterior};

/// What a run tells.
#[derive(Serialize)]
pub(super) struct Output {
    pub(super) counted: usize,
    pub(super) held_out: usize,
    pub(super) different_characters: usize,
    pub(super) contexts: Vec<Contexts>,
    pub(super) results: Vec<Row>,
    pub(super) best: Best,
    pub(super) learning_curve: Vec<Point>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) restored: Option<String>,
}

/// How many contexts there could be and are.
#[derive(Serialize)]
pub(super) struct Contexts {
    pub(super) n: usize,
    pub(super) free_parameters: f64,
    pub(super) seen: usize,
    pub(super) held_out_unseen: f64,
}

/// What one way of smoothing reaches on what was held out.
#[derive(Serialize)]
pub(super) struct Row {
    pub(super) n: usize,
    pub(super) smoothing: &'static str,
    pub(super) accuracy: Option<f64>,
    pub(super) macro_f1: Option<f64>,
    #[serde(serialize_with = "crate::json::number")]
    pub(super) ln_loss: f64,
    pub(super) undefined: u64,
    pub(super) impossible: u64,
}

/// The way with the least loss.
#[derive(Serialize)]
pub(super) struct Best {
    pub(super) n: usize,
    pub(super) smoothing: &'static str,
    /// Rows are true classes.
    pub(super) confusion: Vec<Vec<u64>>,
}

/// What so many characters are worth.
#[derive(Serialize)]
pub(super) struct Point {
    pub(super) characters: usize,
    pub(super) unseen: f64,
    #[serde(serialize_with = "crate::json::number")]
    pub(super) ln_loss: f64,
}

/// The loss by the length of contexts, a line for each way of smoothing that has one everywhere.
pub(super) fn losses(output: &Output) -> Picture {
    let mut lines: Vec<Ribbon> = Vec::new();
    for row in output.results.iter().filter(|row| row.ln_loss.is_finite()) {
        let point = (row.n as f64, row.ln_loss);
        match lines.iter_mut().find(|line| line.name == row.smoothing) {
            Some(line) => line.line.push(point),
            None => lines.push(Ribbon::line(row.smoothing, [point])),
        }
    }
    ribbons(("characters before the last one", "-ln p of the next class, mean"), &lines, &[], None)
}

/// The page.
pub(super) fn page(run: &Run<'_>, source: &str, output: &Output, losses: Picture) -> Page {
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
        losses,
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
    let text = "Free numbers of the table of all contexts, the contexts that the text has, and how many of the predictions meet a new one.";
    let columns = CONTEXT_COLUMNS.map(TableColumn::number).to_vec();
    page.section("A table that no text fills", text, PageTable { columns, rows: context_rows(output) });
    page.sections.push(learning(output));
    let [n, smoothing, others @ ..] = RESULT_COLUMNS;
    let columns = [TableColumn::number(n), TableColumn::text(smoothing)].into_iter();
    let columns = columns.chain(others.map(TableColumn::number)).collect();
    page.section("All ways", "", PageTable { columns, rows: result_rows(output) });
    if let Some(restored) = &output.restored {
        page.section("Restored", restored, Vec::<String>::new());
    }
    run.sign(&mut page, read_by_posterior(source), &[]);
    page
}

/// The names of the cells of [`context_rows`].
pub(super) const CONTEXT_COLUMNS: [&str; 4] = ["n", "free parameters", "contexts seen", "held out unseen"];

/// A row for each length of contexts.
pub(super) fn context_rows(output: &Output) -> Vec<Vec<String>> {
    let row = |own: &Contexts| {
        let seen = [grouped(own.seen as u64), percent(own.held_out_unseen)];
        [own.n.to_string(), significant(own.free_parameters)].into_iter().chain(seen).collect()
    };
    output.contexts.iter().map(row).collect()
}

/// The names of the cells of [`result_rows`].
pub(super) const RESULT_COLUMNS: [&str; 7] =
    ["n", "smoothing", "accuracy", "macro F1", "ln loss", "undefined", "impossible"];

/// A row for each length of contexts and way of smoothing.
pub(super) fn result_rows(output: &Output) -> Vec<Vec<String>> {
    let maybe = |value: Option<f64>, tell: fn(f64) -> String| value.map_or_else(|| "-".to_owned(), tell);
    let row = |own: &Row| {
        vec![
            own.n.to_string(),
            own.smoothing.to_owned(),
            maybe(own.accuracy, percent),
            maybe(own.macro_f1, significant),
            significant(own.ln_loss),
            grouped(own.undefined),
            grouped(own.impossible),
        ]
    };
    output.results.iter().map(row).collect()
}

fn learning(output: &Output) -> Section {
    let picture = |name: &str, value: &dyn Fn(&Point) -> f64| {
        let points = output.learning_curve.iter();
        let line = Ribbon::line("", points.map(|point| ((point.characters as f64).log10(), value(point))));
        Figure::new(ribbons(("log10 of the characters counted", name), &[line], &[], None), "")
    };
    Section::new(
        "More text",
        format!(
            "Kneser-Ney with contexts of {} characters, on ever longer beginnings of the texts.",
            output.best.n + 1
        ),
        vec![picture("proportion unseen", &|point| point.unseen), picture("loss", &|point| point.ln_loss)],
    )
}
