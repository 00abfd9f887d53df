//! The answer as text.

use std::fmt::Write as _;

use super::answer::{Answer, Predicted};
use super::data_input::{Data, SHOWN};
use super::estimate::table;
use crate::output::{ordinal, percent, significant};
use crate::scores::Coverage;
use crate::text_table;

// Writing to a string cannot fail, hence the results that are dropped.

/// Coefficients, then predictions.
pub(super) fn of(data: &Data, answer: &Answer) -> String {
    let mut text = format!("{}: {} over {} rows\n", data.source, data.y_name, answer.rows);
    let prior = answer.prior.map_or_else(String::new, |own| format!(", prior {own}"));
    let _ = writeln!(text, "family  {}{prior}, engine {}", answer.family, answer.engine);
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
    if let Some(own) = &answer.penalty {
        let _ = writeln!(text, "penalty  {}", own.words());
    }
    for (name, value) in figures(answer) {
        let _ = writeln!(text, "{name}  {value}");
    }
    for warning in &answer.warnings {
        let _ = writeln!(text, "note  {warning}");
    }
    text.push('\n');
    if !answer.coefficients.is_empty() {
        text.push_str(&text_table::aligned(&coefficient_columns(answer), coefficient_rows(answer)));
        text.push('\n');
    }
    if let Some(own) = &answer.hierarchical {
        let _ = writeln!(text, "{}", own.text(answer.intervals.level));
    }
    if let Some(effects) = &answer.effects {
        let _ = writeln!(text, "{}", text_table::aligned(&effect_columns(answer), table(effects)));
    }
    if let Some(checks) = &answer.checks {
        let _ = writeln!(text, "{}", checks.text());
    }
    if let Some(errors) = &answer.errors {
        let _ = writeln!(text, "{}", errors.text());
    }
    predictions(&mut text, answer);
    if let Some(Coverage { proportion, .. }) = answer.fitted.coverage {
        let how = answer.fitted.predicted_by.words();
        let of = if data.every().is_some() {
            format!("of {} outcomes, at equal distances,", data.looked_at.len())
        } else {
            "of the outcomes".to_owned()
        };
        let _ = writeln!(text, "\n{} {of} are in their intervals, {how}", percent(proportion));
    }
    text
}

/// Figures of the family, and how much the columns explain.
pub(super) fn figures(answer: &Answer) -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    all.extend(answer.link.map(|own| ("link", own.to_owned())));
    all.extend(
        answer.size.map(|own| ("size", format!("{} (variance: mean + mean²/size)", significant(own)))),
    );
    all.extend(
        answer
            .dispersion
            .map(|own| ("dispersion", format!("{} (variance: dispersion · mean²)", significant(own)))),
    );
    all.extend(answer.deviance.map(|own| {
        let null = answer
            .null_deviance
            .map_or_else(String::new, |null| format!(", {} without the columns", significant(null)));
        ("deviance", format!("{}{null}", significant(own)))
    }));
    all.extend(answer.r2.as_ref().map(|own| {
        let [low, high] = own.interval.map(significant);
        let mean = significant(own.mean);
        ("R²", format!("{mean} ({low} to {high}): the proportion of variance that the columns explain"))
    }));
    all
}

/// The names of the cells of [`coefficient_rows`].
pub(super) fn coefficient_columns(answer: &Answer) -> Vec<String> {
    if answer.penalty.is_some() {
        return ["coefficient", "estimate"].map(str::to_owned).to_vec();
    }
    let names = ["coefficient", "mean", "sd"].map(str::to_owned);
    names.into_iter().chain(answer.intervals.level.percents()).collect()
}

/// The names of the cells of effects.
pub(super) fn effect_columns(answer: &Answer) -> Vec<String> {
    let names = ["average effect", "mean", "sd"].map(str::to_owned);
    names.into_iter().chain(answer.intervals.level.percents()).collect()
}

/// A row for each coefficient; of estimates one for each that is not 0.
pub(super) fn coefficient_rows(answer: &Answer) -> Vec<Vec<String>> {
    if answer.penalty.is_none() {
        return table(&answer.coefficients);
    }
    let left = answer.coefficients.iter().filter(|own| own.mean != 0.0);
    left.map(|own| vec![own.name.clone(), significant(own.mean)]).collect()
}

/// The predictions of new rows, and how well they did.
pub(super) fn of_predictions(source: &str, y: &str, answer: &Answer) -> String {
    let mut text = format!("{source}: {y} of {} rows\n\n", answer.rows);
    predictions(&mut text, answer);
    text
}

fn predictions(text: &mut String, answer: &Answer) {
    let step = answer.predictions.len().div_ceil(SHOWN).max(1);
    let (count, every) =
        answer.every.map_or((answer.predictions.len(), step), |every| (answer.rows, every * step));
    let of_means = answer.intervals.mean_interval.is_some();
    let ends = answer.intervals.level.percents();
    let names: Vec<String> = match (&answer.positive_class, &answer.classes[..]) {
        (Some(class), _) if !of_means => vec![format!("p({class})")],
        (None, []) if !of_means => {
            ["mean".to_owned()].into_iter().chain(ends.map(|end| format!("new {end}"))).collect()
        }
        (Some(class), _) => [format!("p({class})")].into_iter().chain(ends).collect(),
        (None, []) => {
            let both =
                ["new", "mean"].into_iter().flat_map(|of| ends.each_ref().map(|end| format!("{of} {end}")));
            ["mean".to_owned()].into_iter().chain(both).collect()
        }
        (None, classes) => classes.iter().map(|class| format!("p({class})")).collect(),
    };
    let label = (!answer.classes.is_empty()).then_some("label");
    let header: Vec<&str> =
        std::iter::once("row").chain(names.iter().map(String::as_str)).chain(label).collect();
    let row = |(row, own): (usize, &Predicted)| {
        let numbers = own.numbers().map(|&value| significant(value));
        let label = own.label(&answer.classes).map(str::to_owned);
        let number = answer.row_numbers.as_ref().map_or(row + 1, |numbers| numbers[row]);
        std::iter::once(number.to_string()).chain(numbers).chain(label).collect()
    };
    let rows = answer.predictions.iter().enumerate().step_by(step).map(row);
    text.push_str(&text_table::right(&header, rows.collect()));
    if every > 1 {
        let _ = writeln!(text, "(every {} of {count} rows; all with --format json or --out)", ordinal(every));
    }
    let _ = writeln!(text, "{}", legend(answer));
    if let Some(scores) = &answer.scores {
        let _ = write!(text, "\n{}", text_table::pairs(&scores.facts()));
    }
    if let Some(own) = &answer.cross_validation {
        let _ = write!(text, "\n{}", own.text());
    }
}

/// What the intervals are of.
pub(super) fn legend(answer: &Answer) -> String {
    let level = answer.intervals.level;
    let of = match (answer.intervals.interval, &answer.positive_class) {
        (Some(new), _) => {
            let mean = answer.intervals.mean_interval;
            let mean = mean.map_or_else(String::new, |mean| format!("; mean, of {mean}"));
            format!("Intervals of {level}: new, of {new}{mean}. ")
        }
        (None, Some(_)) if answer.intervals.mean_interval.is_none() => String::new(),
        (None, Some(class)) => format!("Intervals of {level}: of the probability of {class}. "),
        (None, None) => "Intervals of the probabilities: with --format json. ".to_owned(),
    };
    let coefficients =
        answer.intervals.coefficients.map_or_else(String::new, |own| format!("Coefficients are {own}. "));
    of + &coefficients + &answer.intervals.known()
}
