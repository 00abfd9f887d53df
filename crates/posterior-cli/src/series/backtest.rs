//! `posterior series backtest`: what a model would have forecast in the past, and how good that was.

use std::fmt::Write as _;

use posterior::table::MemoryLimit;
use posterior_report::{Figure, Page, PageTable, Picture, Ribbon, Section, ribbons_marked};
use rayon::prelude::*;
use serde::Serialize;

use super::accuracy::{self, Accuracy, SIMPLE, Scored};
use super::candidates::{Choice, Chooser, season};
use super::prediction::Prediction;
use super::recipe::Recipe;
use super::report::band;
use super::series_input::{Column, Input};
use super::specification::Smoothing;
use super::timeline::{Time, Timeline};
use crate::args::SeriesBacktest;
use crate::failure::Failure;
use crate::level::Level;
use crate::output::{cell, grouped, significant};
use crate::output_folder::OutputFolder;
use crate::run::{Run, read_by_posterior};
use crate::text_table;

/// The least horizon that is taken where none is given.
const SHORTEST: usize = 6;
/// The least number of values that a fit gets.
const FEWEST: usize = 8;

#[derive(Serialize)]
struct Output<'a> {
    model: &'a str,
    season: usize,
    horizon: usize,
    folds: usize,
    level: Level,
    columns: Vec<OfColumn<'a>>,
    warnings: Vec<String>,
}

/// The scores of a column.
#[derive(Serialize)]
struct OfColumn<'a> {
    column: &'a str,
    scores: Vec<Accuracy>,
    folds: Vec<OfFold>,
    /// For each number of steps ahead.
    by_step: Vec<OfStep>,
}

/// An origin: what was chosen there, and its error.
#[derive(Serialize)]
struct OfFold {
    origin: Time,
    #[serde(flatten)]
    choice: Choice,
    mase: Option<f64>,
}

/// Mean absolute scaled errors so many steps ahead.
#[derive(Serialize)]
struct OfStep {
    step: usize,
    forecasts: String,
    mase: f64,
}

/// The forecasts from one origin, of each method; empty where it has none.
struct Fold {
    seen: usize,
    choice: Choice,
    warnings: Vec<String>,
    by_method: Vec<(String, Vec<Scored>)>,
}

/// A plan that holds for all columns.
#[derive(Debug, Clone, Copy)]
struct Plan {
    season: usize,
    horizon: usize,
    folds: usize,
}

/// Runs the verb.
pub(crate) fn run(args: &SeriesBacktest) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    args.model.check()?;
    let input = Input::read(&args.data, args.model.trials.as_deref())?;
    let timeline = Timeline::new(&input, 0, &args.data.calendar()?)?;
    run.claim(args.out.as_deref(), &["report.html", "scores.csv", "forecasts.csv"])?;
    let season = season(&args.model, &timeline).unwrap_or(1);
    let horizon = args.horizon.map_or(season.max(SHORTEST), |own| own as usize);
    let plan = Plan { season, horizon, folds: usize::from(args.folds) };
    let first =
        timeline.seen.checked_sub(plan.horizon * plan.folds).filter(|&first| first >= FEWEST.max(season + 2));
    let Some(first) = first else {
        let (seen, Plan { horizon, folds, .. }) = (timeline.seen, plan);
        let message = format!("{}: {seen} times are too few for {folds} horizons of {horizon}", input.source);
        return Err(Failure::data(message).with_hint("a shorter --horizon, or fewer --folds"));
    };
    let origins: Vec<usize> = (0..plan.folds).map(|fold| first + fold * plan.horizon).collect();
    let work = run.work(origins.len() * input.columns.len(), "forecasts");
    let of_column = |column: &Column| {
        let whole = timeline.spread(&column.values);
        let trials = timeline.trials(&input);
        let fold = |&seen: &usize| {
            let own = fold(args, &input.source, &timeline, (&column.name, &whole, &trials), (seen, plan));
            work.step();
            own
        };
        origins.par_iter().map(fold).collect::<Result<Vec<Fold>, Failure>>()
    };
    let all = input.columns.iter().map(of_column).collect::<Result<Vec<_>, _>>()?;
    drop(work);
    let mut warnings: Vec<String> =
        all.iter().flatten().flat_map(|own| own.warnings.iter().cloned()).collect();
    warnings.sort();
    warnings.dedup();
    run.notes(&warnings);
    let columns = || {
        let each = input.columns.iter().zip(&all);
        each.map(|(column, folds)| of_folds(&column.name, &timeline, folds)).collect::<Vec<_>>()
    };
    let summaries = columns();
    run.write("report.html", |folder| {
        write_scores(folder, &summaries)?;
        write_forecasts(folder, (&input, &timeline), &all, args.level.level)?;
        folder
            .put_text("report.html", &page(&run, args, (&input, &timeline), (plan, &summaries), &all).html())
    })?;
    let output = || Output {
        model: &args.model.model,
        season: plan.season,
        horizon: plan.horizon,
        folds: plan.folds,
        level: args.level.level,
        columns: columns(),
        warnings,
    };
    run.print(output, || text(&input, plan, &summaries))
}

/// The forecasts from after the first `seen` values.
fn fold(
    args: &SeriesBacktest,
    source: &str,
    timeline: &Timeline,
    (column, whole, trials): (&str, &[f64], &[u64]),
    (seen, plan): (usize, Plan),
) -> Result<Fold, Failure> {
    let timeline = timeline.until(seen, plan.horizon);
    let values = &whole[..timeline.times.len()];
    let before: Vec<f64> =
        values.iter().enumerate().map(|(t, &value)| if t < seen { value } else { f64::NAN }).collect();
    let chooser = Chooser { source, timeline: &timeline, column, values: &before };
    let choice = chooser.choose(&args.model)?;
    let recipe = Recipe {
        parameters: &[],
        fit: !choice.model.contains('('),
        knowledge: args.model.parameters,
        points: Vec::new(),
        trials: trials.to_vec(),
        seed: args.common.seed,
        given: "fixed",
        memory: MemoryLimit::new(args.data.table.memory),
        level: args.level.level,
    };
    let smoothing = Smoothing::new(&choice, &recipe, (source, &timeline), column, before.clone())?;
    let score =
        |forecasts: &[Prediction]| accuracy::score(values, seen, plan.season, forecasts, recipe.level);
    let (known, ahead) = (&before[..seen], values.len() - seen);
    let simple = [accuracy::seasonal_naive(known, plan.season, ahead), accuracy::drift(known, ahead)];
    let mut by_method = vec![(args.model.model.clone(), score(&smoothing.analysis.ahead))];
    for (name, forecasts) in SIMPLE.iter().zip(simple) {
        by_method.push(((*name).to_owned(), forecasts.map_or_else(Vec::new, |own| score(&own))));
    }
    Ok(Fold { seen, choice, warnings: smoothing.warnings, by_method })
}

fn of_folds<'a>(column: &'a str, timeline: &Timeline, folds: &[Fold]) -> OfColumn<'a> {
    let methods = folds.first().map_or(0, |own| own.by_method.len());
    let (mut scores, mut by_step) = (Vec::new(), Vec::new());
    for method in 0..methods {
        let name = &folds[0].by_method[method].0;
        let mut all: Vec<Scored> =
            folds.iter().flat_map(|own| own.by_method[method].1.iter().cloned()).collect();
        scores.extend(Accuracy::of(name.clone(), &all));
        all.sort_by_key(|own| own.step);
        by_step.extend(all.chunk_by(|a, b| a.step == b.step).filter_map(|own| {
            let accuracy = Accuracy::of(name.clone(), own)?;
            Some(OfStep { step: own[0].step, mase: accuracy.mase(), forecasts: accuracy.forecasts })
        }));
    }
    by_step.sort_by_key(|own| own.step);
    let of_fold = |own: &Fold| OfFold {
        origin: timeline.time(own.seen - 1),
        choice: own.choice.clone(),
        mase: Accuracy::of("", &own.by_method[0].1).map(|own| own.mase()),
    };
    OfColumn { column, scores, by_step, folds: folds.iter().map(of_fold).collect() }
}

fn name(time: &Time) -> String {
    match time {
        Time::Date(text) => text.clone(),
        Time::Number(time) => significant(*time),
    }
}

/// What was chosen at each origin.
const FOLDS: [&str; 4] = ["fitted up to", "model", "transform", "MASE"];

fn fold_rows(all: &[OfFold]) -> Vec<Vec<String>> {
    let row = |own: &OfFold| {
        let mase = own.mase.map_or_else(|| "–".to_owned(), significant);
        vec![name(&own.origin), own.choice.model.clone(), own.choice.transform.name(), mase]
    };
    all.iter().map(row).collect()
}

fn text(input: &Input, plan: Plan, all: &[OfColumn<'_>]) -> String {
    let Plan { season, horizon, folds } = plan;
    let seasons = if season > 1 { format!("a season of {season}") } else { "no season".to_owned() };
    let mut text = format!("{}: {folds} times {horizon} steps ahead, {seasons}\n", input.source);
    for own in all {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{}\n\n{}", own.column, accuracy::table(&own.scores));
        let _ = write!(text, "\n{}", text_table::aligned(&FOLDS, fold_rows(&own.folds)));
    }
    text += "\nMASE: the mean absolute error of medians in units of that of the last season repeated, in the values of the fit.\n\
             ln score: the mean of ln p of a value, with its standard error as if values were independent.\n";
    text
}

fn write_scores(folder: &OutputFolder, all: &[OfColumn<'_>]) -> Result<(), Failure> {
    let first = all.iter().find_map(|own| own.scores.first());
    let names = first.into_iter().flat_map(Accuracy::numbers).map(|(name, _)| name);
    let header = ["column", "forecasts"].map(str::to_owned).into_iter().chain(names);
    let rows = all.iter().flat_map(|own| own.scores.iter().map(move |score| (own.column, score)));
    let rows = rows.map(|(column, score)| {
        let texts = [column.to_owned(), score.forecasts.clone()];
        texts.into_iter().chain(score.numbers().into_iter().map(|(_, number)| cell(number)))
    });
    folder.put_table("scores.csv", header, rows)
}

fn write_forecasts(
    folder: &OutputFolder,
    (input, timeline): (&Input, &Timeline),
    all: &[Vec<Fold>],
    level: Level,
) -> Result<(), Failure> {
    let names: Vec<[String; 2]> = accuracy::levels(level).into_iter().map(Level::names).collect();
    let fixed = ["column", "forecasts", "fitted_up_to", "step", &input.time, "value", "mean", "sd"];
    let below = names.iter().map(|own| own[0].clone());
    let above = names.iter().rev().map(|own| own[1].clone());
    let header = fixed.map(str::to_owned).into_iter().chain(below).chain(["q50".to_owned()]);
    let header = header.chain(above).chain(["ln_density".to_owned()]);
    let mut rows = Vec::new();
    for (column, folds) in input.columns.iter().zip(all) {
        for fold in folds {
            for (method, scored) in &fold.by_method {
                for own in scored {
                    let figures = own.figures;
                    let texts = [
                        column.name.clone(),
                        method.clone(),
                        timeline.label(fold.seen - 1),
                        own.step.to_string(),
                        timeline.label(own.t),
                    ];
                    let below = own.intervals.iter().map(|ends| ends[0]);
                    let above = own.intervals.iter().rev().map(|ends| ends[1]);
                    let numbers = [own.value, figures.mean, figures.sd()].into_iter().chain(below);
                    let numbers = numbers.chain([figures.q50]).chain(above).chain([own.ln_density]);
                    rows.push(texts.into_iter().chain(numbers.map(cell)).collect::<Vec<_>>());
                }
            }
        }
    }
    folder.put_table("forecasts.csv", header, rows)
}

fn page(
    run: &Run<'_>,
    args: &SeriesBacktest,
    (input, timeline): (&Input, &Timeline),
    (plan, summaries): (Plan, &[OfColumn<'_>]),
    all: &[Vec<Fold>],
) -> Page {
    let Plan { season, horizon, folds } = plan;
    let headline = summaries.first().map_or_else(String::new, |own| {
        let said = |own: &Accuracy| format!("{} {}", own.forecasts, significant(own.mase()));
        format!("MASE of {}: {}", own.column, own.scores.iter().map(said).collect::<Vec<_>>().join(", "))
    });
    let mut page = Page::new("Backtest of a time series", headline);
    page.standfirst.push(format!(
        "The last {} times are predicted from those before them: {folds} times, {horizon} steps ahead each time, by a model that is \
         chosen and fitted anew. MASE is the mean absolute error of medians in units of that of the last season repeated, in the values \
         of the fit; below that of the simple forecasts a model is worth its trouble.",
        grouped((folds * horizon) as u64)
    ));
    for (own, folds) in summaries.iter().zip(all) {
        let picture = course(input, timeline, own.column, folds);
        let caption = format!(
            "Dots are the values; lines are medians of the forecasts from each origin, with bands of 50 % and {}.",
            args.level.level
        );
        let figure = Figure::new(picture, caption);
        let of = if summaries.len() == 1 { String::new() } else { format!(" of {}", own.column) };
        if page.lead.is_none() {
            page.lead = Some(figure);
        } else {
            page.section(own.column, "", figure);
        }
        let text = "Proportions are of the values that are in intervals of so many percent; the ln score has its standard error as if \
                    values were independent.";
        page.sections.push(accuracy::section(format!("Scores{of}"), text, &own.scores));
        let text = "What was chosen and fitted at each origin, and its error in what followed.";
        let table = PageTable::new(FOLDS, fold_rows(&own.folds));
        page.sections.push(Section::new(format!("Origins{of}"), text, table));
        page.sections.push(by_step(own, &of));
    }
    let source = read_by_posterior(&input.source);
    run.sign(
        &mut page,
        source,
        &[("model", &args.model.model), ("season", &season), ("times", &timeline.kind())],
    );
    page
}

fn by_step(own: &OfColumn<'_>, of: &str) -> Section {
    let methods: Vec<&str> = own.scores.iter().map(|own| own.forecasts.as_str()).collect();
    let row = |all: &[OfStep]| {
        let mase = |method: &&str| {
            let found = all.iter().find(|own| own.forecasts == *method);
            found.map_or_else(|| "–".to_owned(), |own| significant(own.mase))
        };
        std::iter::once(all[0].step.to_string()).chain(methods.iter().map(mase)).collect()
    };
    let rows = own.by_step.chunk_by(|a, b| a.step == b.step).map(row);
    let header = std::iter::once("steps ahead").chain(methods.iter().copied());
    let text = "The mean absolute scaled error at each distance from the origin.";
    Section::new(format!("By steps ahead{of}"), text, PageTable::new(header, rows))
}

/// The values of the last origins and a stretch before them, with the forecasts.
fn course(input: &Input, timeline: &Timeline, column: &str, folds: &[Fold]) -> Picture {
    let first = folds.first().map_or(0, |own| own.seen);
    let from = first.saturating_sub(timeline.seen - first);
    let name = folds.first().map_or_else(String::new, |own| own.by_method[0].0.clone());
    let ribbon = |(place, own): (usize, &Fold)| {
        let scored = &own.by_method[0].1;
        let times: Vec<f64> = scored.iter().map(|own| timeline.times[own.t]).collect();
        let figures: Vec<_> = scored.iter().map(|own| own.figures).collect();
        let name = if place == 0 { name.clone() } else { String::new() };
        Ribbon { name, ..band(&times, &figures, &super::report::BANDS) }
    };
    let ribbons: Vec<Ribbon> = folds.iter().enumerate().map(ribbon).collect();
    let values = input.columns.iter().find(|own| own.name == column);
    let values = values.map_or_else(Vec::new, |own| timeline.spread(&own.values));
    let dots: Vec<(f64, f64)> = timeline.times.iter().copied().zip(values).skip(from).collect();
    let mark = (first > 0).then(|| timeline.times[first - 1]);
    ribbons_marked((&input.time, column), &ribbons, &dots, mark, timeline.ticks().as_deref())
}
