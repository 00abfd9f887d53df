//! The page about states: when the sequence is in which, what they show, and how one follows another.

use std::fmt::Write as _;

use posterior_report::{Body, Column, Figure, Page, Picture, Ribbon, Section, Table, ribbons};

use super::answer::Answer;
use super::kind::Shows;
use super::observations::{Observations, Values};
use super::text::{runs, shown, stay};
use crate::output::{PARAMETERS_KNOWN, called, grouped, percent, significant};

/// Points that a picture shows; a longer sequence is shown up to there.
const MOST_POINTS: usize = 3000;

/// States that have a line of their own.
const MOST_STATES: usize = 8;

/// Stretches and sequences that are listed.
const MOST_ROWS: usize = 40;

/// The plots of a fit.
pub(super) struct Shown {
    values: Option<Picture>,
    probabilities: Option<Picture>,
    trace: Option<Picture>,
}

impl Shown {
    /// The plots of a fit: of its first sequence.
    pub(super) fn new(data: &Observations, answer: &Answer) -> Self {
        let trace: Vec<(f64, f64)> =
            answer.trace.iter().enumerate().map(|(step, &value)| (step as f64, value)).collect();
        Self {
            values: values(data, answer),
            probabilities: probabilities(answer),
            trace: (trace.len() > 1).then(|| curves(("step", "objective"), vec![(String::new(), trace)])),
        }
    }

    /// The plots with their names.
    pub(super) fn pictures(&self) -> Vec<(&'static str, &Picture)> {
        let all = [("values", &self.values), ("probabilities", &self.probabilities), ("trace", &self.trace)];
        all.into_iter().filter_map(|(name, picture)| Some((name, picture.as_ref()?))).collect()
    }
}

/// The first column over time, and what its states show: mean and two standard deviations.
fn values(data: &Observations, answer: &Answer) -> Option<Picture> {
    let of_row: Vec<f64> = match &data.values {
        Values::Symbols(_) => return None,
        Values::Vectors(values) => values.first()?.iter().map(|row| row[0]).collect(),
        Values::Counts(values) => values.first()?.iter().map(|&count| count as f64).collect(),
    };
    let (missing, states) = (data.missing.first()?, answer.states.first()?);
    let shown = 0..of_row.len().min(MOST_POINTS);
    let x: Vec<f64> = shown.clone().map(|row| (row + 1) as f64).collect();
    let (means, sds): (Vec<f64>, Vec<f64>) =
        shown.clone().map(|row| level(&answer.emission[states[row]])).unzip();
    let dots: Vec<(f64, f64)> =
        shown.filter(|&row| !missing[row]).map(|row| ((row + 1) as f64, of_row[row])).collect();
    let band = Ribbon::around("", &x, &means, &sds, 2.0);
    Some(ribbons(("row", &data.columns[0]), &[band], &dots, None))
}

/// The mean and the standard deviation of the first column in a state.
fn level(shows: &Shows) -> (f64, f64) {
    match shows {
        Shows::Vector { mean, covariance } => (mean[0], covariance[0][0].sqrt()),
        Shows::Count { rate } => (*rate, rate.sqrt()),
        Shows::Symbols { .. } => (f64::NAN, f64::NAN),
    }
}

/// The probability of each state over time.
fn probabilities(answer: &Answer) -> Option<Picture> {
    let count = answer.initial.len();
    let distributions =
        answer.probabilities.first().filter(|distributions| distributions.len() > count && count > 1)?;
    let line = |state: usize| {
        let distributions = distributions.chunks_exact(count).take(MOST_POINTS).enumerate();
        (
            format!("state {state}"),
            distributions.map(|(row, distribution)| ((row + 1) as f64, distribution[state])).collect(),
        )
    };
    // Of two, one says it all.
    let first = usize::from(count == 2);
    let lines = (first..count.min(MOST_STATES)).map(line).collect();
    Some(curves(("row", "probability"), lines))
}

/// Points in a row, and their name.
type Line = (String, Vec<(f64, f64)>);

fn curves(names: (&str, &str), lines: Vec<Line>) -> Picture {
    let all: Vec<Ribbon> =
        lines.into_iter().map(|(name, line)| Ribbon { name, line, bands: Vec::new() }).collect();
    ribbons(names, &all, &[], None)
}

/// The page.
pub(super) fn page(data: &Observations, answer: &Answer, shown: &Shown) -> Page {
    let mut page = Page::new("Hidden states", headline(data, answer));
    page.standfirst.push(standfirst(data, answer));
    page.standfirst.push(format!("{PARAMETERS_KNOWN}."));
    page.lead = shown
        .values
        .as_ref()
        .or(shown.probabilities.as_ref())
        .map(|picture| Figure::new(picture.clone(), caption(data, answer, shown.values.is_some())));
    page.facts = facts(answer);
    if !answer.warnings.is_empty() {
        let body = Body::List(answer.warnings.clone());
        page.sections.push(Section { title: "To be aware of".to_owned(), text: String::new(), body });
    }
    page.sections.push(states(answer));
    page.sections.push(steps(answer));
    if let (Some(picture), true) = (&shown.probabilities, shown.values.is_some()) {
        let text = "Given the whole sequence, past and future. Near 0 and 1 there is no doubt.";
        page.sections.push(figure("How sure", text, picture, "The probability of a state at each row."));
    }
    page.sections.push(stretches(data, answer));
    if let Some(picture) = &shown.trace {
        let text = "Each step of the best start; it never gets worse.";
        page.sections.push(figure("The way there", text, picture, "The objective after each step."));
    }
    page.command = called();
    page.settings = vec![
        ("data".to_owned(), data.source.clone()),
        ("columns".to_owned(), answer.columns.join(", ")),
        ("emission".to_owned(), answer.emission_kind.to_owned()),
        ("states".to_owned(), answer.initial.len().to_string()),
        ("seed".to_owned(), answer.seed.to_string()),
    ];
    page.source = format!("Made by posterior {}.", env!("CARGO_PKG_VERSION"));
    page
}

fn figure(title: &str, text: &str, picture: &Picture, caption: &str) -> Section {
    let body = Body::Figure(Figure::new(picture.clone(), caption));
    Section { title: title.to_owned(), text: text.to_owned(), body }
}

fn headline(data: &Observations, answer: &Answer) -> String {
    let (count, rows) = (answer.initial.len(), grouped(answer.rows as u64));
    let states = if count == 1 { "state" } else { "states" };
    match data.names.len() {
        0 | 1 => format!("{count} {states} behind {rows} rows"),
        sequences => {
            format!("{count} {states} behind {rows} rows in {} sequences", grouped(sequences as u64))
        }
    }
}

fn standfirst(data: &Observations, answer: &Answer) -> String {
    let mut text = "Each row was shown by a state that was not seen; a state follows another with the probabilities below.".to_owned();
    if let [states] = &answer.states[..] {
        let runs = runs(states);
        if let [(_, first), (_, second)] = &runs[..] {
            let changed = data.rows[0][second.start] + 1;
            let rows = grouped(first.len() as u64);
            let _ = write!(text, " There is one change: after {rows} rows, at row {changed}.");
        } else {
            let changes = grouped(runs.len().saturating_sub(1) as u64);
            let _ = write!(text, " The state changes {changes} times.");
        }
    }
    text
}

fn caption(data: &Observations, answer: &Answer, dots: bool) -> String {
    let mut text = match (dots, answer.initial.len()) {
        (true, _) => {
            "Dots: the rows. Line and band: the mean of the state at each row, and two standard deviations of what it shows.".to_owned()
        }
        (false, 2) => "The probability of state 1 at each row.".to_owned(),
        (false, _) => "The probability of each state at each row.".to_owned(),
    };
    if data.rows.len() > 1 {
        let _ = write!(text, " The first of {} sequences.", grouped(data.rows.len() as u64));
    }
    if data.rows.first().is_some_and(|rows| rows.len() > MOST_POINTS) {
        let _ = write!(text, " Its first {} rows.", grouped(MOST_POINTS as u64));
    }
    text
}

fn facts(answer: &Answer) -> Vec<(String, String)> {
    let count = answer.initial.len();
    let distributions =
        || answer.probabilities.iter().flat_map(|distributions| distributions.chunks_exact(count));
    let sure = distributions().filter(|distribution| distribution.iter().any(|&p| p > 0.95)).count() as f64
        / answer.rows as f64;
    let mut facts = vec![
        ("Rows".to_owned(), grouped(answer.rows as u64)),
        ("States".to_owned(), count.to_string()),
        ("ln likelihood".to_owned(), significant(answer.ln_likelihood)),
        ("Rows whose state is more than 95 % sure".to_owned(), percent(sure)),
    ];
    if answer.missing > 0 {
        facts.push(("Rows at which nothing was seen".to_owned(), grouped(answer.missing as u64)));
    }
    facts
}

fn states(answer: &Answer) -> Section {
    let columns = vec![
        Column::Number("state".to_owned()),
        Column::Number("rows".to_owned()),
        Column::Number("stays for rows".to_owned()),
        Column::Number("comes first".to_owned()),
        Column::Text("shows".to_owned()),
    ];
    let sizes = answer.sizes();
    let row = |state: usize| {
        vec![
            state.to_string(),
            grouped(sizes[state] as u64),
            stay(answer.stay(state)),
            significant(answer.initial[state]),
            shown(&answer.emission[state], &answer.columns, &answer.symbols),
        ]
    };
    Section {
        title: "States".to_owned(),
        text: match answer.emission_kind {
            "gaussian" => "Means with standard deviations.".to_owned(),
            "categorical" => "The most frequent symbols with their probabilities.".to_owned(),
            _ => String::new(),
        },
        body: Body::Table(Table { columns, rows: (0..answer.initial.len()).map(row).collect() }),
    }
}

fn steps(answer: &Answer) -> Section {
    let mut columns = vec![Column::Number("from".to_owned())];
    columns.extend((0..answer.initial.len()).map(|state| Column::Number(format!("to {state}"))));
    let rows = answer.transition.iter().enumerate().map(|(state, row)| {
        std::iter::once(state.to_string()).chain(row.iter().map(|&p| significant(p))).collect()
    });
    Section {
        title: "Which state follows".to_owned(),
        text: "Probabilities of the next state.".to_owned(),
        body: Body::Table(Table { columns, rows: rows.collect() }),
    }
}

/// Where states change, or of several sequences how probable each is.
fn stretches(data: &Observations, answer: &Answer) -> Section {
    if let [states] = &answer.states[..] {
        let columns = ["from row", "to row", "rows", "state"].map(|name| Column::Number(name.to_owned()));
        let runs = runs(states);
        let rows = runs.iter().take(MOST_ROWS).map(|(state, rows)| {
            vec![
                grouped(rows.start as u64 + 1),
                grouped(rows.end as u64),
                grouped(rows.len() as u64),
                state.to_string(),
            ]
        });
        let text = if runs.len() > MOST_ROWS {
            format!("The first {MOST_ROWS} of {}; all rows are in states.csv.", grouped(runs.len() as u64))
        } else {
            String::new()
        };
        let body = Body::Table(Table { columns: columns.to_vec(), rows: rows.collect() });
        return Section { title: "Stretches".to_owned(), text, body };
    }
    let columns = vec![
        Column::Text("sequence".to_owned()),
        Column::Number("rows".to_owned()),
        Column::Number("ln likelihood a row".to_owned()),
    ];
    let each = |at: usize| answer.ln_likelihoods[at] / data.rows[at].len() as f64;
    let mut order: Vec<usize> = (0..data.rows.len()).collect();
    order.sort_by(|&a, &b| each(a).total_cmp(&each(b)));
    let row = |&at: &usize| vec![data.name(at), grouped(data.rows[at].len() as u64), significant(each(at))];
    Section {
        title: "Sequences".to_owned(),
        text: "The least probable for their length first.".to_owned(),
        body: Body::Table(Table { columns, rows: order.iter().take(MOST_ROWS).map(row).collect() }),
    }
}
