//! The answer as text.

use std::fmt::Write as _;

use super::answer::{Answer, short};
use super::data_input::Data;
use crate::output::{ordinal, significant};
use crate::text_table;

/// Rows of the table of predictions.
const ROWS: usize = 24;

// Writing to a string cannot fail, hence the results that are dropped.

/// Parameters, then predictions.
pub(super) fn of(data: &Data, answer: &Answer) -> String {
    let mut text = format!("{} over {}, {} rows\n", data.y_name, data.inputs_named(), data.inputs.nrows());
    let _ = writeln!(text, "kernel  {}", short(&answer.kernel));
    let _ = writeln!(text, "mean    {}", answer.mean_function);
    let _ = writeln!(text, "method  {}: {}", answer.method, answer.reason);
    let _ = writeln!(text, "ln marginal likelihood  {}\n", significant(answer.ln_marginal_likelihood));
    if let Some(path) = &answer.kernel_path {
        let (header, rows) = path.table();
        let _ =
            writeln!(text, "{}{}\n", text_table::aligned(&header, rows), path.summary(data.inputs.nrows()));
    }
    let rows = answer.hyperparameters.iter().map(|own| {
        let error = own.standard_error.map_or_else(|| "-".to_owned(), significant);
        vec![own.name.clone(), significant(own.value), error]
    });
    text.push_str(&text_table::aligned(&["parameter", "value", "standard error"], rows.collect()));
    if answer.hyperparameters.iter().any(|own| own.of_logarithm && own.standard_error.is_some()) {
        text.push_str("(the standard error of a positive parameter is that of its logarithm)\n");
    }
    text.push('\n');
    predictions(&mut text, data, answer);
    text
}

/// The predictions at new places, and how well they did.
pub(super) fn of_predictions(data: &Data, answer: &Answer) -> String {
    let mut text = format!("{} over {}\n\n", data.y_name, data.inputs_named());
    predictions(&mut text, data, answer);
    text
}

fn predictions(text: &mut String, data: &Data, answer: &Answer) {
    let header = answer.columns(&data.x_names, ["sd", "p"], " ");
    let step = answer.predictions.len().div_ceil(ROWS).max(1);
    let rows = answer.predictions.iter().step_by(step).map(|own| {
        let sd = own.variance.all().iter().map(|variance| variance.sqrt());
        let probability = own.probability.iter().flat_map(|p| p.all().iter().copied());
        let numbers = own.mean.all().iter().copied().chain(sd).chain(probability);
        let ends = own.interval.into_iter().flatten();
        let numbers = numbers.chain(own.response).chain(ends).map(significant);
        own.inputs(significant).into_iter().chain(numbers).collect()
    });
    text.push_str(&text_table::right(&header, rows.collect()));
    if step > 1 {
        let _ = writeln!(
            text,
            "(every {} of {} places; all with --format json or --out)",
            ordinal(step),
            answer.predictions.len()
        );
    }
    let _ = writeln!(text, "({})", answer.what_they_are());
    if let Some(scores) = &answer.scores {
        let _ = write!(text, "\n{}", text_table::pairs(&scores.facts()));
    }
    if let Some(own) = &answer.cross_validation {
        let _ = write!(text, "\n{}", own.text());
    }
}
