//! `posterior series smooth`.

use std::fmt::Write as _;
use std::time::Instant;

use posterior::kalman::diagnostics::{ResidualChecks, ResidualTest};
use serde::Serialize;

use super::analysis::Moments;
use super::artefacts;
use super::report::p_value;
use super::series_input::Input;
use super::specification::Smoothing;
use super::timeline::Timeline;
use crate::args::{Format, SeriesSmooth};
use crate::failure::Failure;
use crate::output::{grouped, significant};
use crate::rows_input::{never_changes, note_of_constant};
use crate::{atomic_file, output, text_table, threads};

/// Rows of the last times in text.
const LAST: usize = 5;

#[derive(Serialize)]
struct Told<'a> {
    model: &'a str,
    ln_likelihood: f64,
    parameters: Vec<Parameter<'a>>,
    filtered: Vec<At<'a>>,
    smoothed: Vec<At<'a>>,
    forecast: Vec<At<'a>>,
    components: Vec<Component<'a>>,
    residuals: Vec<Residuals<'a>>,
    warnings: Vec<String>,
    seed: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Parameter<'a> {
    column: &'a str,
    name: &'a str,
    value: f64,
    standard_error: Option<f64>,
    status: &'static str,
}

/// What is known of a column at a time; null before the model has seen enough.
#[derive(Serialize)]
struct At<'a> {
    time: f64,
    column: &'a str,
    mean: Option<f64>,
    variance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signal_variance: Option<f64>,
}

#[derive(Serialize)]
struct Component<'a> {
    column: &'a str,
    name: &'a str,
    times: Vec<f64>,
    mean: Vec<f64>,
    variance: Vec<f64>,
}

#[derive(Serialize)]
struct Residuals<'a> {
    column: &'a str,
    count: usize,
    mean: f64,
    variance: f64,
    skewness: f64,
    excess_kurtosis: f64,
    autocorrelations: &'a [f64],
    independence: Test,
    normality: Test,
    equal_variance: Test,
}

#[derive(Serialize)]
struct Test {
    statistic: f64,
    degrees_of_freedom: usize,
    p_value: f64,
}

impl From<ResidualTest> for Test {
    fn from(test: ResidualTest) -> Self {
        let ResidualTest { statistic, degrees_of_freedom, p_value, .. } = test;
        Self { statistic, degrees_of_freedom, p_value }
    }
}

/// Runs the verb.
pub(crate) fn run(args: &SeriesSmooth) -> Result<(), Failure> {
    let start = Instant::now();
    threads::limit(&args.common)?;
    let input = Input::read(args)?;
    if let Some(folder) = &args.out {
        atomic_file::writable_folder(folder)?;
    }
    let timeline = Timeline::new(&input, args.forecast as usize);
    let all = input.columns.iter().map(|column| Smoothing::new(args, &input.source, &timeline, column));
    let all = all.collect::<Result<Vec<_>, _>>()?;
    let constant = input.columns.iter().filter(|column| never_changes(&column.values));
    let constant = note_of_constant(&constant.map(|column| column.name.as_str()).collect::<Vec<_>>());
    let own = all.iter().flat_map(|own| own.warnings.iter().cloned());
    let warnings: Vec<String> = constant.into_iter().chain(own).collect();
    for warning in &warnings {
        output::note(args.common.quiet, &format!("note: {warning}"));
    }
    if let Some(folder) = &args.out {
        artefacts::write(folder, args, &input, &timeline, &all)?;
        output::note(args.common.quiet, &format!("wrote {}", folder.join("report.html").display()));
    }
    match args.common.format {
        Format::Text => output::print(&text(args, &input, &timeline, &all)),
        Format::Json => output::print_json(&Told {
            model: &args.model,
            ln_likelihood: all.iter().map(|own| own.analysis.ln_likelihood).sum(),
            parameters: parameters(&all),
            filtered: all.iter().flat_map(|own| filtered(&timeline, own)).collect(),
            smoothed: all.iter().flat_map(|own| smoothed(&timeline, own)).collect(),
            forecast: all.iter().flat_map(|own| forecast(&timeline, own)).collect(),
            components: all.iter().flat_map(|own| components(&timeline, own)).collect(),
            residuals: all.iter().filter_map(residuals).collect(),
            warnings,
            seed: args.common.seed,
            seconds: start.elapsed().as_secs_f64(),
        }),
    }
}

fn parameters(all: &[Smoothing]) -> Vec<Parameter<'_>> {
    let each = all.iter().flat_map(|own| own.parameters.iter().map(move |parameter| (own, parameter)));
    each.map(|(own, parameter)| Parameter {
        column: &own.column,
        name: &parameter.name,
        value: parameter.value,
        standard_error: parameter.standard_error,
        status: parameter.status,
    })
    .collect()
}

fn at(time: f64, column: &str, moments: Option<Moments>) -> At<'_> {
    let (mean, variance) = (moments.map(|own| own.mean), moments.map(|own| own.variance));
    At { time, column, mean, variance, signal_variance: None }
}

fn filtered<'a>(timeline: &'a Timeline, own: &'a Smoothing) -> impl Iterator<Item = At<'a>> {
    let each = timeline.times.iter().zip(&own.analysis.filtered).take(timeline.seen);
    each.map(|(&time, &moments)| at(time, &own.column, moments))
}

fn smoothed<'a>(timeline: &'a Timeline, own: &'a Smoothing) -> impl Iterator<Item = At<'a>> {
    let each = timeline.times.iter().zip(&own.analysis.smoothed).take(timeline.seen);
    each.map(|(&time, &moments)| at(time, &own.column, Some(moments)))
}

/// Of observations, with their noise.
fn forecast<'a>(timeline: &'a Timeline, own: &'a Smoothing) -> impl Iterator<Item = At<'a>> {
    (timeline.seen..timeline.times.len()).map(|t| {
        let signal = own.analysis.smoothed[t];
        let seen = Moments { variance: signal.variance + own.analysis.noise[t], ..signal };
        At { signal_variance: Some(signal.variance), ..at(timeline.times[t], &own.column, Some(seen)) }
    })
}

fn components<'a>(timeline: &'a Timeline, own: &'a Smoothing) -> impl Iterator<Item = Component<'a>> {
    own.analysis.parts.iter().map(|part| Component {
        column: &own.column,
        name: &part.name,
        times: timeline.times.clone(),
        mean: part.moments.iter().map(|moments| moments.mean).collect(),
        variance: part.moments.iter().map(|moments| moments.variance).collect(),
    })
}

fn residuals(own: &Smoothing) -> Option<Residuals<'_>> {
    let checks: &ResidualChecks = own.analysis.checks.as_ref().ok()?;
    Some(Residuals {
        column: &own.column,
        count: checks.count,
        mean: checks.mean,
        variance: checks.variance,
        skewness: checks.skewness,
        excess_kurtosis: checks.excess_kurtosis,
        autocorrelations: &checks.autocorrelations,
        independence: checks.independence.into(),
        normality: checks.normality.into(),
        equal_variance: checks.equal_variance.into(),
    })
}

fn text(args: &SeriesSmooth, input: &Input, timeline: &Timeline, all: &[Smoothing]) -> String {
    let mut text = format!("{}: {}\n", input.source, args.model);
    for own in all {
        let (analysis, missing) = (&own.analysis, timeline.seen - own.analysis.observed);
        let (observed, missing) = (grouped(analysis.observed as u64), grouped(missing as u64));
        let ln_likelihood = analysis.ln_likelihood;
        let column = &own.column;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "\n{column}: {observed} values, {missing} missing, ln likelihood {ln_likelihood:.4}\n"
        );
        text += &parameter_table(own);
        text.push('\n');
        text += &table_of_times(input, timeline, own);
        text.push('\n');
        let _ = match &analysis.checks {
            Ok(checks) => writeln!(
                text,
                "residuals: independence {}, normality {}, equal variance {}",
                p_value(checks.independence),
                p_value(checks.normality),
                p_value(checks.equal_variance)
            ),
            Err(why) => writeln!(text, "residuals cannot be checked: {why}"),
        };
    }
    text
}

fn parameter_table(own: &Smoothing) -> String {
    let rows = own.parameters.iter().map(|parameter| {
        let error = parameter.standard_error.map_or_else(String::new, significant);
        vec![parameter.name.clone(), significant(parameter.value), error, parameter.status.to_owned()]
    });
    text_table::aligned(&["parameter", "value", "standard error", ""], rows.collect())
}

/// The last times with values, and those to come.
fn table_of_times(input: &Input, timeline: &Timeline, own: &Smoothing) -> String {
    let row = |t: usize| {
        let signal = own.analysis.smoothed[t];
        let (kind, noise) =
            if t < timeline.seen { ("smoothed", 0.0) } else { ("forecast", own.analysis.noise[t]) };
        let sd = (signal.variance + noise).sqrt();
        let numbers = [signal.mean, sd, signal.mean - 1.96 * sd, signal.mean + 1.96 * sd].map(significant);
        [kind.to_owned(), timeline.label(t)].into_iter().chain(numbers).collect()
    };
    let from = timeline.seen.saturating_sub(LAST);
    let header = ["", input.time.as_str(), "mean", "sd", "2.5 %", "97.5 %"];
    text_table::aligned(&header, (from..timeline.times.len()).map(row).collect())
}
