//! The answer as text.

use std::fmt::Write as _;

use super::answer::Answer;
use super::data_input::Data;
use crate::output::{ordinal, percent, significant};

/// Rows of the table of predictions.
const ROWS: usize = 24;

// Writing to a string cannot fail, hence the results that are dropped.

/// Coefficients, then predictions.
pub(super) fn of(data: &Data, answer: &Answer) -> String {
    let mut text = format!("{}: {} over {} rows\n", data.source, data.y_name, answer.rows);
    let _ = writeln!(text, "family  {}, engine {}", answer.family, answer.engine);
    if let Some(ln_evidence) = answer.ln_evidence {
        let _ = writeln!(text, "ln evidence  {}", significant(ln_evidence));
    }
    if let Some(noise_sd) = answer.noise_sd {
        let _ = writeln!(text, "noise  {} (standard deviation)", significant(noise_sd));
    }
    text.push('\n');
    coefficients(&mut text, answer);
    predictions(&mut text, answer);
    if let Some(coverage) = answer.fitted.coverage_90 {
        let _ = writeln!(text, "\n{} of the outcomes are in their intervals of 90 %", percent(coverage));
    }
    text
}

fn coefficients(text: &mut String, answer: &Answer) {
    if answer.coefficients.is_empty() {
        return;
    }
    let names = answer.coefficients.iter().map(|own| own.name.chars().count());
    let width = names.max().unwrap_or(0).max("coefficient".len());
    let _ = writeln!(
        text,
        "{:width$}  {:>10}  {:>10}  {:>10}  {:>10}",
        "coefficient", "mean", "sd", "5 %", "95 %"
    );
    for own in &answer.coefficients {
        let numbers = [own.mean, own.sd, own.q05, own.q95].map(|value| format!("{:>10}", significant(value)));
        let _ = writeln!(text, "{:width$}  {}", own.name, numbers.join("  "));
    }
    text.push('\n');
}

fn predictions(text: &mut String, answer: &Answer) {
    let step = answer.predictions.len().div_ceil(ROWS).max(1);
    let several = answer.predictions.iter().any(|own| own.probabilities.is_some());
    if several {
        let names: Vec<String> = answer.classes.iter().map(|class| format!("{class:>10}")).collect();
        let _ = writeln!(text, "{:>6}  {}", "row", names.join("  "));
    } else {
        let name =
            if answer.classes.len() == 2 { format!("p({})", answer.classes[1]) } else { "mean".to_owned() };
        let _ = writeln!(text, "{:>6}  {name:>10}  {:>10}  {:>10}", "row", "5 %", "95 %");
    }
    for (row, own) in answer.predictions.iter().enumerate().step_by(step) {
        let numbers = own.mean.iter().chain(own.interval_90.iter().flatten());
        let numbers = numbers.chain(own.probabilities.iter().flatten());
        let cells: Vec<String> = numbers.map(|&value| format!("{:>10}", significant(value))).collect();
        let _ = writeln!(text, "{:>6}  {}", row + 1, cells.join("  "));
    }
    if step > 1 {
        let count = answer.predictions.len();
        let _ = writeln!(text, "(every {} of {count} rows; all with --format json or --out)", ordinal(step));
    }
}
