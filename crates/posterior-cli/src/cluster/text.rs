//! The answer as text.

use std::fmt::Write as _;

use super::answer::Answer;
use crate::output::{PARAMETERS_KNOWN, bar, grouped, significant};
use crate::rows_input::Rows;
use crate::text_table;

// Writing to a string cannot fail, hence the results that are dropped.

/// Groups with their sizes and centres, then how they agree with known ones.
pub(super) fn of(data: &Rows, answer: &Answer) -> String {
    let mut text = format!("{}: {} rows, {} columns\n", data.source, answer.rows, answer.columns.len());
    let shape = answer.covariance.as_ref().map_or_else(String::new, |shape| format!(", {shape} covariances"));
    let _ = writeln!(text, "method  {}{shape}, {} groups", answer.method, answer.k);
    for (name, value) in
        [("ln likelihood", answer.ln_likelihood), ("elbo", answer.elbo), ("inertia", answer.inertia)]
    {
        if let Some(value) = value {
            let _ = writeln!(text, "{name}  {}", significant(value));
        }
    }
    text.push('\n');
    groups(&mut text, answer);
    if answer.selection.len() > 1 {
        let _ = writeln!(text, "\n{:>4}  {}", "k", answer.selection[0].criterion);
        for own in &answer.selection {
            let best = if own.k == answer.k { "  <" } else { "" };
            let _ = writeln!(text, "{:>4}  {}{best}", own.k, significant(own.score));
        }
    }
    if let Some(posterior) = &answer.posterior_of_k {
        let _ = writeln!(text, "\n{:>4}  probability", "k");
        for own in posterior {
            let _ = writeln!(
                text,
                "{:>4}  {:<10}  {}",
                own.k,
                significant(own.probability),
                bar(own.probability)
            );
        }
    }
    if let Some(agreement) = &answer.agreement {
        let _ = writeln!(
            text,
            "\n{} against the groups (adjusted Rand index {})",
            agreement.label,
            significant(agreement.adjusted_rand)
        );
        let width = agreement.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for (name, row) in agreement.names.iter().zip(&agreement.table) {
            let cells: Vec<String> = row.iter().map(|count| format!("{count:>6}")).collect();
            let _ = writeln!(text, "{name:<width$}  {}", cells.join(" "));
        }
    }
    if answer.takes_parameters_as_known() {
        let _ = writeln!(text, "\n{PARAMETERS_KNOWN}.");
    }
    text
}

fn groups(text: &mut String, answer: &Answer) {
    // A line of more than a dozen columns is no line.
    let (all, shown) = (answer.columns.len(), answer.columns.len().min(12));
    let header: Vec<&str> = ["group", "rows", "weight"]
        .into_iter()
        .chain(answer.columns[..shown].iter().map(String::as_str))
        .collect();
    let sizes = answer.sizes();
    let row = |(group, mean): (usize, &Vec<f64>)| {
        let first = [group.to_string(), grouped(sizes[group] as u64), significant(answer.weights[group])];
        first.into_iter().chain(mean[..shown].iter().map(|&value| significant(value))).collect()
    };
    text.push_str(&text_table::right(&header, answer.means.iter().enumerate().map(row).collect()));
    if shown < all {
        let _ = writeln!(text, "({shown} of {all} columns; all with --format json or --out)");
    }
}
