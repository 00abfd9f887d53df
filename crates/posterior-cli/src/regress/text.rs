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
        let error =
            answer.ln_evidence_error.map_or_else(String::new, |own| format!(" ± {}", significant(own)));
        let _ = writeln!(text, "ln evidence  {}{error}", significant(ln_evidence));
    }
    if let Some(k) = answer.pareto_k {
        let _ = writeln!(text, "Pareto k  {} (weights can be trusted up to 0.7)", significant(k));
    }
    if let Some(noise_sd) = answer.noise_sd {
        let _ = writeln!(text, "noise  {} (standard deviation)", significant(noise_sd));
    }
    for warning in &answer.warnings {
        let _ = writeln!(text, "note  {warning}");
    }
    text.push('\n');
    coefficients(&mut text, answer);
    predictions(&mut text, answer);
    if let Some(coverage) = answer.fitted.coverage_90 {
        let how = answer.fitted.predicted_by.words();
        let _ = writeln!(text, "\n{} of the outcomes are in their intervals, {how}", percent(coverage));
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
    let names: Vec<String> = match (&answer.positive_class, &answer.classes[..]) {
        (Some(class), _) => vec![format!("p({class})"), "5 %".to_owned(), "95 %".to_owned()],
        (None, []) => ["mean", "new 5 %", "new 95 %", "mean 5 %", "mean 95 %"].map(str::to_owned).to_vec(),
        (None, classes) => classes.iter().map(|class| format!("p({class})")).collect(),
    };
    let names: Vec<String> = names.iter().map(|name| format!("{name:>10}")).collect();
    let label = if answer.classes.is_empty() { "" } else { "  label" };
    let _ = writeln!(text, "{:>6}  {}{label}", "row", names.join("  "));
    for (row, own) in answer.predictions.iter().enumerate().step_by(step) {
        let mut cells: Vec<String> =
            own.numbers().map(|&value| format!("{:>10}", significant(value))).collect();
        cells.extend(own.label(&answer.classes).map(str::to_owned));
        let _ = writeln!(text, "{:>6}  {}", row + 1, cells.join("  "));
    }
    if step > 1 {
        let count = answer.predictions.len();
        let _ = writeln!(text, "(every {} of {count} rows; all with --format json or --out)", ordinal(step));
    }
    let _ = writeln!(text, "{}", legend(answer));
}

/// What the intervals are of.
pub(super) fn legend(answer: &Answer) -> String {
    let of = match (answer.intervals.interval_90, &answer.positive_class) {
        (Some(new), _) => {
            let mean = answer.intervals.mean_interval_90.unwrap_or_default();
            format!("Intervals of 90 %: new, of {new}; mean, of {mean}. ")
        }
        (None, Some(class)) => format!("Intervals of 90 %: of the probability of {class}. "),
        (None, None) => "Intervals of the probabilities: with --format json. ".to_owned(),
    };
    let coefficients =
        answer.intervals.coefficients.map_or_else(String::new, |own| format!("Coefficients are {own}. "));
    of + &coefficients + &answer.intervals.known()
}
