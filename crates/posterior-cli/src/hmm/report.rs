//! The page about states: when the sequence is in which, what they show, and how one follows another.

use std::fmt::Write as _;

use posterior_report::{Figure, Page, PageTable, Picture, Ribbon, Section, TableColumn, ribbons};

use super::answer::{Answer, named};
use super::kind::{AREA, Shows, Stored};
use super::observations::{Observations, Values};
use super::said::WholePath;
use super::text::{runs, state_rows, transition_header, transition_rows};
use crate::failure::Failure;
use crate::model_file;
use crate::output::{PARAMETERS_KNOWN, grouped, percent, shortest, significant};
use crate::output_folder::OutputFolder;
use crate::pictures::{Pictures, course};
use crate::run::{MADE, Run};

/// Points that a picture shows; a longer sequence is shown up to there.
const MOST_POINTS: usize = 3000;

/// States that have a line of their own.
const MOST_STATES: usize = 8;

/// Stretches and sequences that are listed.
const MOST_ROWS: usize = 40;

/// The page of a fit, and its pictures: those of its first sequence.
pub(super) fn report(run: &Run<'_>, data: &Observations, answer: &Answer) -> (Pictures, Page) {
    let pictures = Pictures::of([
        ("values", values(data, answer)),
        ("probabilities", probabilities(answer)),
        ("trace", course(("step", "objective"), &answer.trace)),
    ]);
    let page = page(run, data, answer, &pictures);
    (pictures, page)
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
        Shows::Mixture { weights, means, covariances } => {
            let mean: f64 = weights.iter().zip(means).map(|(weight, mean)| weight * mean[0]).sum();
            let square =
                |part: usize| weights[part] * (covariances[part][0][0] + (means[part][0] - mean).powi(2));
            (mean, (0..weights.len()).map(square).sum::<f64>().sqrt())
        }
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
        let line = distributions.map(|(row, distribution)| ((row + 1) as f64, distribution[state]));
        let name = if answer.labels.is_empty() { format!("state {state}") } else { answer.name(state) };
        Ribbon::line(name, line)
    };
    // Of two, one says it all.
    let first = usize::from(count == 2);
    let lines: Vec<Ribbon> = (first..count.min(MOST_STATES)).map(line).collect();
    Some(ribbons(("row", "probability"), &lines, &[], None))
}

fn page(run: &Run<'_>, data: &Observations, answer: &Answer, pictures: &Pictures) -> Page {
    let mut page = Page::new("Hidden states", headline(data, answer));
    page.standfirst.push(standfirst(data, answer));
    page.standfirst.push(format!("{PARAMETERS_KNOWN}."));
    let (values, probabilities) = (pictures.get("values"), pictures.get("probabilities"));
    page.lead = values
        .or(probabilities)
        .map(|picture| Figure::new(picture.clone(), caption(data, answer, values.is_some())));
    page.facts = facts(answer);
    page.cautions(&answer.warnings);
    let shown = match answer.emission_kind.as_str() {
        "gaussian" => "Means with standard deviations.",
        "mixture" => "Means with standard deviations, of each part of the mixture.",
        "categorical" => "The most frequent symbols with their probabilities.",
        _ => "",
    };
    let numbers = ["state", "rows", "stays for rows", "comes first"].map(TableColumn::number);
    let columns = numbers.into_iter().chain([TableColumn::text("shows")]).collect();
    page.section("States", shown, PageTable { columns, rows: state_rows(answer) });
    let columns = transition_header(answer).into_iter().map(TableColumn::number).collect();
    let steps = PageTable { columns, rows: transition_rows(answer) };
    page.section("Transition probabilities", "Probabilities of the next state.", steps);
    if let (Some(picture), true) = (probabilities, values.is_some()) {
        let text = "Given the whole sequence, past and future. Near 0 and 1 there is no doubt.";
        page.figure("State probabilities", text, picture, "The probability of a state at each row.");
    }
    page.sections.push(stretches(data, answer));
    if let Some(picture) = pictures.get("trace") {
        let (text, caption) = if answer.sampled.is_some() {
            ("The draws of the first chain.", "ln p of the rows given the parameters of each draw.")
        } else {
            ("Each step of the best start; it never gets worse.", "The objective after each step.")
        };
        page.figure("Convergence", text, picture, caption);
    }
    run.sign(
        &mut page,
        MADE,
        &[
            ("data", &data.source),
            ("columns", &answer.columns.join(", ")),
            ("emission", &answer.emission_kind),
            ("states", &answer.initial.len()),
        ],
    );
    page
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
        (false, 2) => format!("The probability of state {} at each row.", answer.name(1)),
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
    if let Some(sampled) = &answer.sampled {
        for own in &sampled.posterior_of_states {
            facts.push((format!("Probability of {} states", own.states), percent(own.probability)));
        }
    }
    if let Some(agreement) = &answer.agreement {
        facts.push(("Rows with a label in its state".to_owned(), percent(agreement.accuracy)));
    }
    if let Some(held_out) = &answer.held_out {
        facts.push(("ln likelihood of what was held out".to_owned(), significant(held_out.ln_likelihood)));
        let agreement = held_out.agreement.iter();
        let right = agreement
            .map(|own| ("Held-out rows with a label in its state".to_owned(), percent(own.accuracy)));
        facts.extend(right);
    }
    facts
}

/// Where states change, or of several sequences how probable each is.
fn stretches(data: &Observations, answer: &Answer) -> Section {
    if let [states] = &answer.states[..] {
        let runs = runs(states);
        let rows = runs.iter().take(MOST_ROWS).map(|(state, rows)| {
            let [start, end, count] = [rows.start + 1, rows.end, rows.len()].map(|own| grouped(own as u64));
            vec![start, end, count, answer.name(*state)]
        });
        let text = if runs.len() > MOST_ROWS {
            format!("The first {MOST_ROWS} of {}; all rows are in states.csv.", grouped(runs.len() as u64))
        } else {
            String::new()
        };
        let columns = ["from row", "to row", "rows", "state"].map(TableColumn::number).to_vec();
        return Section::new("Stretches", text, PageTable { columns, rows: rows.collect() });
    }
    let each = |at: usize| answer.ln_likelihoods[at] / data.rows[at].len() as f64;
    let mut order: Vec<usize> = (0..data.rows.len()).collect();
    order.sort_by(|&a, &b| each(a).total_cmp(&each(b)));
    let row = |&at: &usize| vec![data.name(at), grouped(data.rows[at].len() as u64), significant(each(at))];
    let rows = order.iter().take(MOST_ROWS).map(row);
    let table = PageTable::new(["sequence", "rows", "ln likelihood a row"], rows);
    Section::new("Sequences", "The least probable for their length first.", table)
}

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] =
    &["states.csv", "model.json", "values.svg", "probabilities.svg", "trace.svg", "report.html"];

/// Writes everything that a run leaves in `folder`.
pub(super) fn write(
    folder: &OutputFolder,
    run: &Run<'_>,
    data: &Observations,
    stored: &Stored,
    answer: &Answer,
) -> Result<(), Failure> {
    write_states(folder, data, &answer.labels, (&answer.states, &answer.probabilities))?;
    model_file::put(folder, AREA, stored)?;
    let (pictures, page) = report(run, data, answer);
    folder.put_report(&pictures, &page)
}

/// The most probable states, and how probable each is.
pub(super) fn write_states(
    folder: &OutputFolder,
    data: &Observations,
    labels: &[String],
    (states, probabilities): (&[Vec<usize>], &[Vec<f64>]),
) -> Result<(), Failure> {
    let count = states.iter().zip(probabilities).find(|(states, _)| !states.is_empty());
    let count = count.map_or(0, |(states, probabilities)| probabilities.len() / states.len());
    let header = ["sequence", "row", "state"].map(str::to_owned).into_iter();
    let header = header.chain((!labels.is_empty()).then(|| "label".to_owned()));
    let header = header.chain((0..count).map(|state| format!("p_{}", named(labels, state))));
    let rows =
        states.iter().zip(probabilities).enumerate().flat_map(|(sequence, (states, probabilities))| {
            let distributions = probabilities.chunks_exact(count.max(1));
            let rows = states.iter().zip(&data.rows[sequence]).zip(distributions);
            rows.map(move |((&state, &row), distribution)| {
                let first = [data.name(sequence), (row + 1).to_string(), state.to_string()].into_iter();
                let first = first.chain(labels.get(state).cloned());
                first.chain(distribution.iter().copied().map(shortest))
            })
        });
    folder.put_table("states.csv", header, rows)
}

/// The states of the most probable paths.
pub(super) fn write_paths(
    folder: &OutputFolder,
    data: &Observations,
    labels: &[String],
    best: &[Vec<WholePath>],
) -> Result<(), Failure> {
    let header = ["sequence", "path", "probability", "row", "state"];
    let rows = best.iter().enumerate().flat_map(|(sequence, paths)| {
        paths.iter().enumerate().flat_map(move |(rank, path)| {
            path.states.iter().zip(&data.rows[sequence]).map(move |(&state, &row)| {
                let (name, rank) = (data.name(sequence), (rank + 1).to_string());
                [name, rank, shortest(path.probability), (row + 1).to_string(), named(labels, state)]
            })
        })
    });
    folder.put_table("paths.csv", header.map(str::to_owned), rows)
}
