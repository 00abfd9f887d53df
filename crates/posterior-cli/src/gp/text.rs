//! The answer as text.

use std::fmt::Write as _;

use super::answer::{Answer, Predicted, short};
use super::data_input::Data;
use crate::output::{ordinal, significant};

/// Rows of the table of predictions.
const ROWS: usize = 24;

// Writing to a string cannot fail, hence the results that are dropped.

/// Parameters, then predictions.
pub(super) fn of(data: &Data, answer: &Answer) -> String {
    let mut text =
        format!("{} over {}, {} rows\n", data.y_name, data.x_names.join(", "), data.inputs.nrows());
    let _ = writeln!(text, "kernel  {}", short(&answer.kernel));
    let _ = writeln!(text, "mean    {}", answer.mean_function);
    let _ = writeln!(text, "method  {}: {}", answer.method, answer.reason);
    let _ = writeln!(text, "ln marginal likelihood  {}\n", significant(answer.ln_marginal_likelihood));
    let width =
        answer.hyperparameters.iter().map(|own| own.name.len()).max().unwrap_or(0).max("parameter".len());
    let _ = writeln!(text, "{:width$}  {:>10}  {:>14}", "parameter", "value", "standard error");
    for own in &answer.hyperparameters {
        let error = own.standard_error.map_or_else(|| "-".to_owned(), significant);
        let _ = writeln!(text, "{:width$}  {:>10}  {error:>14}", own.name, significant(own.value));
    }
    if answer.hyperparameters.iter().any(|own| own.of_logarithm && own.standard_error.is_some()) {
        text.push_str("(the standard error of a positive parameter is that of its logarithm)\n");
    }
    text.push('\n');
    predictions(&mut text, data, answer);
    text
}

fn predictions(text: &mut String, data: &Data, answer: &Answer) {
    let first = answer.predictions.first();
    let count = |count: fn(&Predicted) -> usize| first.map_or(0, count);
    let mut header: Vec<String> = data.x_names.clone();
    header.extend(answer.named("mean", " ", count(|own| own.mean.all().len())));
    header.extend(answer.named("sd", " ", count(|own| own.variance.all().len())));
    let classes = count(|own| own.probability.as_ref().map_or(0, |p| p.all().len()));
    header.extend(answer.named("p", " ", classes));
    header.extend(first.and_then(|own| own.response).map(|_| "response".to_owned()));
    if first.is_some_and(|own| own.interval_90.is_some()) {
        header.extend(["q05".to_owned(), "q95".to_owned()]);
    }
    let widths: Vec<usize> = header.iter().map(|name| name.len().max(10)).collect();
    let line = |cells: Vec<String>| {
        let padded = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
        padded.collect::<Vec<_>>().join("  ") + "\n"
    };
    text.push_str(&line(header.clone()));
    let step = answer.predictions.len().div_ceil(ROWS).max(1);
    for own in answer.predictions.iter().step_by(step) {
        let sd = own.variance.all().iter().map(|variance| variance.sqrt());
        let probability = own.probability.iter().flat_map(|p| p.all().iter().copied());
        let numbers = own
            .x
            .iter()
            .copied()
            .chain(own.mean.all().iter().copied())
            .chain(sd)
            .chain(probability)
            .chain(own.response)
            .chain(own.interval_90.into_iter().flatten());
        text.push_str(&line(numbers.map(significant).collect()));
    }
    if step > 1 {
        let _ = writeln!(
            text,
            "(every {} of {} places; all with --format json or --out)",
            ordinal(step),
            answer.predictions.len()
        );
    }
    let _ = writeln!(text, "({})", answer.what_they_are());
}
