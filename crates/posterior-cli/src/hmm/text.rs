//! The answers as text.

use std::fmt::Write as _;

use super::answer::{Answer, Decoded, Scored, named};
use super::kind::Shows;
use super::labels::Agreement;
use super::observations::Observations;
use crate::output::{PARAMETERS_KNOWN, grouped, percent, significant};
use crate::text_table;

/// Sequences and runs of states that are listed.
const MOST_LINES: usize = 20;

/// Symbols of a state that are listed.
const MOST_SYMBOLS: usize = 5;

// Writing to a string cannot fail, hence the results that are dropped.

/// The states, what they show, and how one follows another.
pub(super) fn of_fit(data: &Observations, answer: &Answer) -> String {
    let mut text = format!("{}: {} rows", data.source, grouped(answer.rows as u64));
    if !answer.sequences.is_empty() {
        let _ = write!(text, " in {} sequences", answer.sequences.len());
    }
    if answer.missing > 0 {
        let _ = write!(text, ", {} missing", answer.missing);
    }
    let _ = writeln!(text, "\nln likelihood  {}", significant(answer.ln_likelihood));
    if let Some(sampled) = &answer.sampled {
        let counts = sampled.posterior_of_states.iter();
        let counts = counts.map(|own| format!("{} with {}", own.states, percent(own.probability)));
        let _ = writeln!(text, "states  {}", counts.collect::<Vec<_>>().join(", "));
    }
    if let Some(agreement) = &answer.agreement {
        text.push_str(&of_agreement(agreement));
    }
    if let Some(held_out) = &answer.held_out {
        let (rows, ln_p) = (grouped(held_out.rows as u64), significant(held_out.ln_likelihood));
        let _ = writeln!(text, "held out: {rows} rows, ln likelihood {ln_p}");
        if let Some(agreement) = &held_out.agreement {
            let _ = write!(text, "held out: {}", of_agreement(agreement));
        }
    }
    text.push('\n');
    text.push_str(&text_table::right(&["state", "rows", "stays", "starts", "shows"], state_rows(answer)));
    text.push('\n');
    text.push_str(&text_table::right(&transition_header(answer), transition_rows(answer)));
    if let [states] = &answer.states[..] {
        text.push('\n');
        text.push_str(&runs_table(states, &answer.labels));
    }
    let _ = writeln!(text, "\n{PARAMETERS_KNOWN}.");
    text
}

/// A row of cells for each state.
pub(super) fn state_rows(answer: &Answer) -> Vec<Vec<String>> {
    let sizes = answer.sizes();
    let row = |state: usize| {
        vec![
            answer.name(state),
            grouped(sizes[state] as u64),
            stay(answer.stay(state)),
            significant(answer.initial[state]),
            shown(&answer.emission[state], &answer.columns, &answer.symbols),
        ]
    };
    (0..answer.initial.len()).map(row).collect()
}

pub(super) fn transition_header(answer: &Answer) -> Vec<String> {
    let names = (0..answer.initial.len()).map(|state| format!("to {}", answer.name(state)));
    std::iter::once("from".to_owned()).chain(names).collect()
}

/// Which state follows each, with its probability.
pub(super) fn transition_rows(answer: &Answer) -> Vec<Vec<String>> {
    let rows = answer.transition.iter().enumerate();
    let cells = |(state, row): (usize, &Vec<f64>)| {
        std::iter::once(answer.name(state)).chain(row.iter().map(|&p| significant(p))).collect()
    };
    rows.map(cells).collect()
}

/// ln p of each sequence.
pub(super) fn of_score(data: &Observations, output: &Scored) -> String {
    let rows = grouped(output.rows as u64);
    let mut text =
        format!("{}: {rows} rows\nln likelihood  {}\n", data.source, significant(output.ln_likelihood));
    if let Some(agreement) = &output.agreement {
        text.push_str(&of_agreement(agreement));
    }
    if !output.sequences.is_empty() {
        let rows: Vec<Vec<String>> = output
            .ln_likelihoods
            .iter()
            .enumerate()
            .take(MOST_LINES)
            .map(|(at, &ln_p)| vec![data.name(at), data.rows[at].len().to_string(), significant(ln_p)])
            .collect();
        text.push('\n');
        text.push_str(&text_table::aligned(&["sequence", "rows", "ln likelihood"], rows));
        text.push_str(&rest(output.sequences.len(), "sequences"));
    }
    text
}

/// The states of each sequence.
pub(super) fn of_decoding(data: &Observations, output: &Decoded) -> String {
    let mut text = String::new();
    for (at, states) in output.states.iter().enumerate().take(MOST_LINES) {
        if !output.sequences.is_empty() {
            let _ = writeln!(text, "{}", data.name(at));
        }
        let Some(best) = output.best.as_ref().map(|best| &best[at]) else {
            text.push_str(&runs_table(states, &output.labels));
            continue;
        };
        for (rank, path) in best.iter().enumerate() {
            let _ = writeln!(text, "path {}, probability {}", rank + 1, significant(path.probability));
            text.push_str(&runs_table(&path.states, &output.labels));
        }
    }
    if let Some(agreement) = &output.agreement {
        text.push_str(&of_agreement(agreement));
    }
    text.push_str(&rest(output.states.len(), "sequences"));
    text
}

/// Stretches of rows in one state.
pub(super) fn runs(states: &[usize]) -> Vec<(usize, std::ops::Range<usize>)> {
    let mut runs: Vec<(usize, std::ops::Range<usize>)> = Vec::new();
    for (row, &state) in states.iter().enumerate() {
        match runs.last_mut() {
            Some((last, rows)) if *last == state => rows.end = row + 1,
            _ => runs.push((state, row..row + 1)),
        }
    }
    runs
}

fn of_agreement(own: &Agreement) -> String {
    let rows = grouped(own.labelled as u64);
    format!("{} of {rows} rows with a label are in its state\n", percent(own.accuracy))
}

fn runs_table(states: &[usize], labels: &[String]) -> String {
    let runs = runs(states);
    let rows: Vec<Vec<String>> = runs
        .iter()
        .take(MOST_LINES)
        .map(|(state, rows)| vec![(rows.start + 1).to_string(), rows.end.to_string(), named(labels, *state)])
        .collect();
    text_table::right(&["from row", "to row", "state"], rows) + &rest(runs.len(), "stretches")
}

fn rest(count: usize, what: &str) -> String {
    if count > MOST_LINES {
        format!("({MOST_LINES} of {} {what}; all with --format json or --out)\n", grouped(count as u64))
    } else {
        String::new()
    }
}

/// How many rows a stay lasts.
fn stay(rows: f64) -> String {
    if rows.is_finite() { significant(rows) } else { "for ever".to_owned() }
}

/// What a state shows, in a line.
fn shown(shows: &Shows, columns: &[String], symbols: &[String]) -> String {
    match shows {
        Shows::Count { rate } => format!("{} on average", significant(*rate)),
        Shows::Vector { mean, covariance } => vector(mean, covariance, columns),
        Shows::Mixture { weights, means, covariances } => {
            let parts = weights.iter().zip(means).zip(covariances).map(|((&weight, mean), covariance)| {
                format!("{} of {}", percent(weight), vector(mean, covariance, columns))
            });
            parts.collect::<Vec<_>>().join("; ")
        }
        Shows::Symbols { probabilities } => {
            let mut order: Vec<usize> = (0..probabilities.len()).collect();
            order.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]).then(a.cmp(&b)));
            let there = order.into_iter().take(MOST_SYMBOLS).filter(|&at| probabilities[at] > 0.0);
            let one = |at: usize| format!("{} {}", symbols[at], significant(probabilities[at]));
            there.map(one).collect::<Vec<_>>().join(", ")
        }
    }
}

/// The mean of each column with its standard deviation.
fn vector(mean: &[f64], covariance: &[Vec<f64>], columns: &[String]) -> String {
    let one = |(at, mean): (usize, &f64)| {
        let deviation = significant(covariance[at][at].sqrt());
        let number = format!("{} ± {deviation}", significant(*mean));
        if columns.len() == 1 { number } else { format!("{} {number}", columns[at]) }
    };
    mean.iter().enumerate().map(one).collect::<Vec<_>>().join(", ")
}
