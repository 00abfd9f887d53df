//! `posterior series smooth`.

use std::fmt::Write as _;

use posterior::kalman::diagnostics::ResidualChecks;
use posterior::table::MemoryLimit;
use serde::Serialize;

use super::accuracy::{self, Accuracy};
use super::calendar::Calendar;
use super::candidates::{CANDIDATES, Candidate, Choice, Chooser, candidate_rows, season};
use super::mixture::Figures;
use super::recipe::{ParameterValue, Recipe};
use super::report::{self, p_value};
use super::saved_model::{AREA, Model};
use super::series_input::Input;
use super::specification::Smoothing;
use super::timeline::{Time, Timeline};
use super::unusual::Unusual;
use crate::args::{SeriesLikelihood, SeriesSmooth, TransformChoice};
use crate::failure::Failure;
use crate::json::Pairs;
use crate::level::Level;
use crate::model_file;
use crate::output::{PARAMETERS_KNOWN, grouped, significant};
use crate::rows_input::{never_changes, note_of_constant};
use crate::run::Run;
use crate::text_table;

/// Rows of the last times in text.
const LAST: usize = 5;

#[derive(Serialize)]
struct Output<'a> {
    model: String,
    ln_likelihood: f64,
    /// The probability of bands.
    level: Level,
    /// The parameters are given, or taken as known: bands average over none.
    parameters_known: bool,
    /// Of each column.
    models: Vec<OfColumn<'a, Choice>>,
    parameters: Vec<OfColumn<'a, ParameterValue>>,
    filtered: Vec<At<'a>>,
    smoothed: Vec<At<'a>>,
    forecast: Vec<At<'a>>,
    components: Vec<Component<'a>>,
    residuals: Vec<OfColumn<'a, ResidualChecks>>,
    /// Outliers and breaks.
    unusual: Vec<UnusualAt<'a>>,
    /// Of the values that were held out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scores: Vec<OfColumn<'a, Accuracy>>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct UnusualAt<'a> {
    column: &'a str,
    time: Time,
    #[serde(flatten)]
    own: &'a Unusual,
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
    bands: Option<Pairs<f64>>,
}

/// Standard deviations, medians and bands of the signal and of a value with its noise.
fn bands(own: &Smoothing, t: usize) -> Pairs<f64> {
    let both = [("signal", own.analysis.smoothed[t]), ("observation", own.analysis.values[t])];
    let figures = |(of, own): (&str, Figures)| {
        let ([low, high], [low_name, high_name]) = (own.band, own.level.names());
        let [sd, median] = ["sd", "q50"].map(str::to_owned);
        let all = [(sd, own.sd()), (low_name, low), (median, own.q50), (high_name, high)];
        all.map(|(name, number)| (format!("{of}_{name}"), number))
    };
    Pairs(both.into_iter().flat_map(figures).collect())
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
    let is_given = |option: &str| Failure::Usage(format!("--{option}: `--model auto` has no use for it"));
    match args.model.model.as_str() {
        "auto" if !args.params.is_empty() => return Err(is_given("params")),
        "auto" if args.fit => return Err(is_given("fit")),
        "auto" => {}
        _ if args.model.season.is_some() && args.held_out_after.is_none() => {
            let message =
                "--season: the model has no use for it; it is for --model auto and for --held-out-after";
            return Err(Failure::Usage(message.to_owned()));
        }
        _ if args.model.transform == Some(TransformChoice::BoxCoxEstimated) && !args.params.is_empty() => {
            let message = "--transform boxcox: the exponent is estimated beside all other parameters, not beside --params";
            return Err(Failure::Usage(format!("{message}: give it, as boxcox:0.5")));
        }
        _ => {}
    }
    args.model.check()?;
    let input = Input::read(&args.data, args.model.trials.as_deref())?;
    run.claim(args.out.as_deref(), report::NAMES)?;
    let calendar = args.data.calendar()?;
    let whole = Timeline::new(&input, args.forecast as usize, &calendar)?;
    let date_form = args.data.date_form.as_deref();
    let cut = args.held_out_after.as_deref().map(|time| whole.up_to(time, date_form)).transpose()?;
    let timeline = cut.map_or_else(|| whole.clone(), |seen| whole.until(seen, whole.times.len()));
    let trials = whole.trials(&input);
    let recipe = Recipe {
        parameters: &args.params,
        fit: args.fit,
        knowledge: args.model.parameters,
        points: Vec::new(),
        trials,
        seed: args.common.seed,
        given: "fixed",
        memory: MemoryLimit::new(args.data.table.memory),
        level: args.level.level,
    };
    let work = run.work(input.columns.len(), "choosing models");
    let choose = |column: &super::series_input::Column| {
        let values = timeline.spread(&column.values);
        let chooser =
            Chooser { source: &input.source, timeline: &timeline, column: &column.name, values: &values };
        let choice = chooser.choose(&args.model)?;
        work.step();
        Ok((choice, recipe.clone()))
    };
    let recipes = input.columns.iter().map(choose).collect::<Result<Vec<_>, Failure>>()?;
    drop(work);
    let season = season(&args.model, &whole).unwrap_or(1);
    let held_out = cut.map(|_| (&whole, season));
    finish(&run, &recipes, (&input, &timeline, &calendar), held_out, date_form)
}

/// Smooths each column by its recipe, and says and writes what was found. Values of the whole timeline that
/// were held out are scored, beside forecasts by the last season.
pub(super) fn finish(
    run: &Run<'_>,
    recipes: &[(Choice, Recipe<'_>)],
    (input, timeline, calendar): (&Input, &Timeline, &Calendar),
    held_out: Option<(&Timeline, usize)>,
    date_form: Option<&str>,
) -> Result<(), Failure> {
    let mut all = Vec::with_capacity(recipes.len());
    let mut scores: Vec<Vec<Accuracy>> = Vec::with_capacity(recipes.len());
    let work = run.work(recipes.len(), "fitting");
    for (column, (choice, recipe)) in input.columns.iter().zip(recipes) {
        let values = timeline.spread(&column.values);
        let mut own = Smoothing::new(choice, recipe, (&input.source, timeline), &column.name, values)?;
        if let Some((whole, season)) = held_out {
            own.values = whole.spread(&column.values);
            scores.push(scored(&own, timeline.seen, season));
        }
        all.push(own);
        work.step();
    }
    drop(work);
    let models = names(&all);
    let constant = input.columns.iter().filter(|column| never_changes(&column.values));
    let constant = note_of_constant(&constant.map(|column| column.name.as_str()).collect::<Vec<_>>());
    let own = all.iter().flat_map(|own| own.warnings.iter().cloned());
    let warnings: Vec<String> = constant.into_iter().chain(own).collect();
    run.notes(&warnings);
    let choices: Vec<&Choice> = recipes.iter().map(|(choice, _)| choice).collect();
    run.write("report.html", |folder| {
        let model = Model::of(date_form, input, timeline.rows_seen(), calendar, &all);
        model_file::put(folder, AREA, &model)?;
        let found =
            report::Found { model: &models, input, timeline, all: &all, choices: &choices, scores: &scores };
        report::write(folder, run, found)
    })?;
    let output = || Output {
        model: models.clone(),
        ln_likelihood: all.iter().map(|own| own.analysis.ln_likelihood).sum(),
        level: recipes.first().map_or_else(Level::default, |(_, own)| own.level),
        parameters_known: all.iter().any(|own| own.points.is_empty()),
        models: all
            .iter()
            .zip(&choices)
            .map(|(own, choice)| OfColumn { column: &own.column, own: *choice })
            .collect(),
        parameters: parameters(&all),
        filtered: all.iter().flat_map(|own| filtered(timeline, own)).collect(),
        smoothed: all.iter().flat_map(|own| smoothed(timeline, own)).collect(),
        forecast: all.iter().flat_map(|own| forecast(timeline, own)).collect(),
        components: all.iter().flat_map(|own| components(timeline, own)).collect(),
        residuals: all.iter().filter_map(residuals).collect(),
        unusual: all.iter().flat_map(|own| unusual(timeline, own)).collect(),
        scores: all
            .iter()
            .zip(&scores)
            .flat_map(|(own, scores)| scores.iter().map(|score| OfColumn { column: &own.column, own: score }))
            .collect(),
        warnings,
    };
    run.print(output, || text(&models, (input, timeline), &all, &choices, &scores))
}

/// The models of all columns, on their scales.
fn names(all: &[Smoothing]) -> String {
    let name = |own: &Smoothing| match own.transform {
        super::transform::Transform::None if own.likelihood != SeriesLikelihood::Gaussian => {
            format!("{} seen as {}", own.model, own.likelihood.name())
        }
        super::transform::Transform::None => own.model.clone(),
        transform => format!("{} of {}", own.model, transform.of(&own.column)),
    };
    let mut names: Vec<String> = all.iter().map(name).collect();
    names.dedup();
    names.join("; ")
}

/// Scores of the values that were held out: of the model, and of forecasts by the last season and by a line.
fn scored(own: &Smoothing, seen: usize, season: usize) -> Vec<Accuracy> {
    let ahead = own.values.len() - seen;
    let before = &own.values[..seen];
    let simple = [accuracy::seasonal_naive(before, season, ahead), accuracy::drift(before, ahead)];
    let model = Accuracy::of(
        own.model.clone(),
        &accuracy::score(&own.values, seen, season, &own.analysis.ahead, own.level),
    );
    let simple = accuracy::SIMPLE.iter().zip(simple).filter_map(|(name, forecasts)| {
        Accuracy::of(*name, &accuracy::score(&own.values, seen, season, &forecasts?, own.level))
    });
    model.into_iter().chain(simple).collect()
}

fn unusual<'a>(timeline: &'a Timeline, own: &'a Smoothing) -> impl Iterator<Item = UnusualAt<'a>> {
    let each = own.analysis.unusual.iter();
    each.map(|unusual| UnusualAt { column: &own.column, time: timeline.time(unusual.t), own: unusual })
}

fn parameters(all: &[Smoothing]) -> Vec<OfColumn<'_, ParameterValue>> {
    let each = all.iter().flat_map(|own| own.parameters.iter().map(move |parameter| (own, parameter)));
    each.map(|(smoothing, own)| OfColumn { column: &smoothing.column, own }).collect()
}

fn at(time: Time, column: &str, moments: Option<Figures>) -> At<'_> {
    let (mean, variance) = (moments.map(|own| own.mean), moments.map(|own| own.variance));
    At { time, column, mean, variance, signal_variance: None, bands: None }
}

fn filtered<'a>(timeline: &'a Timeline, own: &'a Smoothing) -> impl Iterator<Item = At<'a>> {
    let each = own.analysis.filtered.iter().enumerate().take(timeline.seen);
    each.map(|(t, &moments)| at(timeline.time(t), &own.column, moments))
}

fn smoothed<'a>(timeline: &'a Timeline, own: &'a Smoothing) -> impl Iterator<Item = At<'a>> {
    (0..timeline.seen).map(|t| At {
        bands: Some(bands(own, t)),
        ..at(timeline.time(t), &own.column, Some(own.analysis.smoothed[t]))
    })
}

/// Of observations, with their noise.
fn forecast<'a>(timeline: &'a Timeline, own: &'a Smoothing) -> impl Iterator<Item = At<'a>> {
    (timeline.seen..timeline.times.len()).map(|t| {
        let (signal, bands) = (own.analysis.smoothed[t], Some(bands(own, t)));
        let value = Some(own.analysis.values[t]);
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

fn text(
    model: &str,
    (input, timeline): (&Input, &Timeline),
    all: &[Smoothing],
    choices: &[&Choice],
    scores: &[Vec<Accuracy>],
) -> String {
    let mut text = format!("{}: {model}\n", input.source);
    for (place, own) in all.iter().enumerate() {
        let (analysis, missing) = (&own.analysis, timeline.seen - own.analysis.observed);
        let (observed, missing) = (grouped(analysis.observed as u64), grouped(missing as u64));
        let ln_likelihood = analysis.ln_likelihood;
        let column = &own.column;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "\n{column}: {observed} values, {missing} missing, ln likelihood {ln_likelihood:.4}\n"
        );
        if !choices[place].candidates.is_empty() {
            text += &candidate_table(&choices[place].candidates);
            text += "ln score: the mean of ln p of a value given those before it; weight: by Akaike's criterion.\n\n";
        }
        text += &parameter_table(own);
        text.push('\n');
        text += &table_of_times(input, timeline, own);
        let level = own.level;
        let _ = writeln!(
            text,
            "Bands of {level}: of the signal behind the values, and of an observation, with its noise."
        );
        if own.takes_as_known() {
            let _ = writeln!(text, "{PARAMETERS_KNOWN}.");
        } else if !own.points.is_empty() {
            let _ = writeln!(
                text,
                "They hold what is not known of the parameters: averages over {} points.",
                own.points.len()
            );
        }
        text.push('\n');
        if let Some(scores) = scores.get(place).filter(|own| !own.is_empty()) {
            text += "Held out:\n";
            text += &accuracy::table(scores);
            text.push('\n');
        }
        for unusual in &analysis.unusual {
            let time = timeline.label(unusual.t);
            let _ = writeln!(text, "{}", unusual.sentence(&time));
        }
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

fn candidate_table(all: &[Candidate]) -> String {
    text_table::aligned(&CANDIDATES, candidate_rows(all))
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
        let (signal, value) = (own.analysis.smoothed[t], own.analysis.values[t]);
        let kind = if t < timeline.seen { "smoothed" } else { "forecast" };
        let ([signal_low, signal_high], [low, high]) = (signal.band, value.band);
        let numbers = [signal.mean, signal.sd(), signal_low, signal_high, value.sd(), low, high];
        [kind.to_owned(), timeline.label(t)].into_iter().chain(numbers.map(significant)).collect()
    };
    let from = timeline.seen.saturating_sub(LAST);
    let [low, high] = own.level.percents();
    let header = ["", &input.time, "mean", "signal sd", &low, &high, "observation sd", &low, &high];
    text_table::aligned(&header, (from..timeline.times.len()).map(row).collect())
}
