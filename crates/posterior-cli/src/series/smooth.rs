//! `posterior series smooth`.

use std::fmt::Write as _;

use posterior::kalman::diagnostics::ResidualChecks;
use serde::Serialize;

use super::analysis::Moments;
use super::report::{self, p_value};
use super::saved_model::{AREA, Model};
use super::series_input::Input;
use super::specification::{ParameterValue, Recipe, Smoothing};
use super::timeline::{Time, Timeline};
use crate::args::SeriesSmooth;
use crate::failure::Failure;
use crate::model_file;
use crate::output::{PARAMETERS_KNOWN, grouped, significant};
use crate::rows_input::{never_changes, note_of_constant};
use crate::run::Run;
use crate::text_table;

/// Rows of the last times in text.
const LAST: usize = 5;

#[derive(Serialize)]
struct Output<'a> {
    model: &'a str,
    ln_likelihood: f64,
    /// Bands do not hold what is not known of the parameters.
    parameters_known: bool,
    parameters: Vec<OfColumn<'a, ParameterValue>>,
    filtered: Vec<At<'a>>,
    smoothed: Vec<At<'a>>,
    forecast: Vec<At<'a>>,
    components: Vec<Component<'a>>,
    residuals: Vec<OfColumn<'a, ResidualChecks>>,
    warnings: Vec<String>,
}

/// A parameter of a column, or what its residuals look like.
#[derive(Serialize)]
struct OfColumn<'a, T> {
    column: &'a str,
    #[serde(flatten)]
    own: &'a T,
}

/// What is known of a column at a time; null before the model has seen enough.
#[derive(Serialize)]
struct At<'a> {
    time: Time,
    column: &'a str,
    mean: Option<f64>,
    variance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signal_variance: Option<f64>,
    /// Of the signal, and of a value with its noise.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    bands: Option<Bands>,
}

/// Standard deviations, and bands of 95 %.
#[derive(Serialize)]
struct Bands {
    signal_sd: f64,
    signal_q025: f64,
    signal_q975: f64,
    observation_sd: f64,
    observation_q025: f64,
    observation_q975: f64,
}

impl Bands {
    fn of(own: &Smoothing, t: usize) -> Self {
        let (signal, value) = (own.analysis.smoothed[t], own.analysis.value(t));
        let ([signal_q025, signal_q975], [observation_q025, observation_q975]) =
            (signal.band(), value.band());
        let (signal_sd, observation_sd) = (signal.sd(), value.sd());
        Self { signal_sd, signal_q025, signal_q975, observation_sd, observation_q025, observation_q975 }
    }
}

#[derive(Serialize)]
struct Component<'a> {
    column: &'a str,
    name: &'a str,
    times: Vec<Time>,
    mean: Vec<f64>,
    variance: Vec<f64>,
}

/// Runs the verb.
pub(crate) fn run(args: &SeriesSmooth) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let input = Input::read(args)?;
    run.claim(args.out.as_deref(), report::NAMES)?;
    let recipe = Recipe {
        model: &args.model,
        parameters: &args.params,
        fit: args.fit,
        seed: args.common.seed,
        given: "fixed",
    };
    let recipes = vec![recipe; input.columns.len()];
    finish(&run, &recipes, &input, args.forecast as usize, args.date_form.as_deref())
}

/// Smooths each column by its recipe, and says and writes what was found.
pub(super) fn finish(
    run: &Run<'_>,
    recipes: &[Recipe<'_>],
    input: &Input,
    ahead: usize,
    date_form: Option<&str>,
) -> Result<(), Failure> {
    let model = recipes.first().map_or("", |own| own.model);
    let timeline = Timeline::new(input, ahead);
    let columns = input.columns.iter().zip(recipes);
    let all = columns.map(|(column, recipe)| Smoothing::new(*recipe, &input.source, &timeline, column));
    let all = all.collect::<Result<Vec<_>, _>>()?;
    let constant = input.columns.iter().filter(|column| never_changes(&column.values));
    let constant = note_of_constant(&constant.map(|column| column.name.as_str()).collect::<Vec<_>>());
    let own = all.iter().flat_map(|own| own.warnings.iter().cloned());
    let warnings: Vec<String> = constant.into_iter().chain(own).collect();
    run.notes(&warnings);
    run.write("report.html", |folder| {
        model_file::put(folder, AREA, &Model::of(model, date_form, input, &all))?;
        report::write(folder, run, model, input, &timeline, &all)
    })?;
    let output = || Output {
        model,
        ln_likelihood: all.iter().map(|own| own.analysis.ln_likelihood).sum(),
        parameters_known: true,
        parameters: parameters(&all),
        filtered: all.iter().flat_map(|own| filtered(&timeline, own)).collect(),
        smoothed: all.iter().flat_map(|own| smoothed(&timeline, own)).collect(),
        forecast: all.iter().flat_map(|own| forecast(&timeline, own)).collect(),
        components: all.iter().flat_map(|own| components(&timeline, own)).collect(),
        residuals: all.iter().filter_map(residuals).collect(),
        warnings,
    };
    run.print(output, || text(model, input, &timeline, &all))
}

fn parameters(all: &[Smoothing]) -> Vec<OfColumn<'_, ParameterValue>> {
    let each = all.iter().flat_map(|own| own.parameters.iter().map(move |parameter| (own, parameter)));
    each.map(|(smoothing, own)| OfColumn { column: &smoothing.column, own }).collect()
}

fn at(time: Time, column: &str, moments: Option<Moments>) -> At<'_> {
    let (mean, variance) = (moments.map(|own| own.mean), moments.map(|own| own.variance));
    At { time, column, mean, variance, signal_variance: None, bands: None }
}

fn filtered<'a>(timeline: &'a Timeline, own: &'a Smoothing) -> impl Iterator<Item = At<'a>> {
    let each = own.analysis.filtered.iter().enumerate().take(timeline.seen);
    each.map(|(t, &moments)| at(timeline.time(t), &own.column, moments))
}

fn smoothed<'a>(timeline: &'a Timeline, own: &'a Smoothing) -> impl Iterator<Item = At<'a>> {
    (0..timeline.seen).map(|t| At {
        bands: Some(Bands::of(own, t)),
        ..at(timeline.time(t), &own.column, Some(own.analysis.smoothed[t]))
    })
}

/// Of observations, with their noise.
fn forecast<'a>(timeline: &'a Timeline, own: &'a Smoothing) -> impl Iterator<Item = At<'a>> {
    (timeline.seen..timeline.times.len()).map(|t| {
        let (signal, bands) = (own.analysis.smoothed[t], Some(Bands::of(own, t)));
        let value = Some(own.analysis.value(t));
        At { signal_variance: Some(signal.variance), bands, ..at(timeline.time(t), &own.column, value) }
    })
}

fn components<'a>(timeline: &'a Timeline, own: &'a Smoothing) -> impl Iterator<Item = Component<'a>> {
    own.analysis.parts.iter().map(|part| Component {
        column: &own.column,
        name: &part.name,
        times: (0..timeline.times.len()).map(|t| timeline.time(t)).collect(),
        mean: part.moments.iter().map(|moments| moments.mean).collect(),
        variance: part.moments.iter().map(|moments| moments.variance).collect(),
    })
}

fn residuals(own: &Smoothing) -> Option<OfColumn<'_, ResidualChecks>> {
    Some(OfColumn { column: &own.column, own: own.analysis.checks.as_ref().ok()? })
}

fn text(model: &str, input: &Input, timeline: &Timeline, all: &[Smoothing]) -> String {
    let mut text = format!("{}: {model}\n", input.source);
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
        text += "Bands of 95 %: of the signal behind the values, and of an observation, with its noise.\n";
        if own.is_learned() {
            let _ = writeln!(text, "{PARAMETERS_KNOWN}.");
        }
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
        let (signal, value) = (own.analysis.smoothed[t], own.analysis.value(t));
        let kind = if t < timeline.seen { "smoothed" } else { "forecast" };
        let ([signal_low, signal_high], [low, high]) = (signal.band(), value.band());
        let numbers = [signal.mean, signal.sd(), signal_low, signal_high, value.sd(), low, high];
        [kind.to_owned(), timeline.label(t)].into_iter().chain(numbers.map(significant)).collect()
    };
    let from = timeline.seen.saturating_sub(LAST);
    let header =
        ["", &input.time, "mean", "signal sd", "2.5 %", "97.5 %", "observation sd", "2.5 %", "97.5 %"];
    text_table::aligned(&header, (from..timeline.times.len()).map(row).collect())
}
