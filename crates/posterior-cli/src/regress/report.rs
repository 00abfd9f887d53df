//! The page about a regression: the function where it can be seen, coefficients, and whether the predictions
//! come true.

use posterior::evaluation::Reliability;
use posterior_report::{
    BandPoint, Figure, Interval, Page, PageTable, Picture, Ribbon, Section, histogram, intervals,
    reliability, ribbons,
};

use super::answer::{Answer, Predicted, PredictedBy};
use super::data_input::{Data, Line};
use super::effects_answer::EffectsAnswer;
use super::errors::RobustErrors;
use super::estimate::Estimate;
use super::estimate::table;
use super::penalty_path::PenaltyAnswer;
use super::text::{coefficient_columns, coefficient_rows, effect_columns, figures, legend};
use crate::failure::Failure;
use crate::level::Level;
use crate::outcome::Outcome;
use crate::output::{cell, grouped, percent, shortest, significant};
use crate::output_folder::OutputFolder;
use crate::pictures::{BINS, Pictures, reliability_points, residuals};
use crate::predictions_file::{NAME, RowKeys};
use crate::predictive::NewOutcome;
use crate::run::{MADE, Run};
use crate::scores::{CrossValidation, Scores};

/// Coefficients that the picture shows.
const MOST_SHOWN: usize = 40;

/// The page of a fit, and its pictures.
pub(super) fn report(run: &Run<'_>, data: &Data, answer: &Answer) -> (Pictures, Page) {
    let left = &answer.fitted.residuals;
    let of_effects = answer.hierarchical.iter().flat_map(EffectsAnswer::pictures);
    let own = [
        ("function", data.line.as_ref().and_then(|line| function(data, answer, line))),
        ("coefficients", coefficients(answer)),
        ("residuals", (!left.is_empty()).then(|| residuals(histogram, "standardised residual", left))),
        ("calibration", calibration_of(data, answer)),
        ("paths", answer.penalty.as_ref().and_then(PenaltyAnswer::paths)),
        ("held_out", answer.penalty.as_ref().and_then(PenaltyAnswer::held_out)),
        ("checks", answer.checks.as_ref().and_then(|own| own.picture(&data.y_name))),
    ];
    let own = own.into_iter().map(|(name, picture)| (name.to_owned(), picture));
    let pictures = Pictures::of(own.chain(of_effects));
    let page = page(run, data, answer, &pictures);
    (pictures, page)
}

/// The outcome over the one input.
fn function(data: &Data, answer: &Answer, line: &Line) -> Option<Picture> {
    let mut order: Vec<usize> = (0..line.places.len()).collect();
    order.sort_by(|&a, &b| line.places[a].total_cmp(&line.places[b]));
    order.dedup_by(|a, b| line.places[*a] == line.places[*b]);
    let x = |row: &usize| line.places[*row];
    let ribbons_of = if answer.predictions.iter().any(|own| own.probabilities.is_some()) {
        let class = |(place, name): (usize, &String)| {
            Ribbon::line(
                name.clone(),
                order.iter().filter_map(|row| {
                    Some((x(row), answer.predictions[*row].probabilities.as_ref()?[place]))
                }),
            )
        };
        answer.classes.iter().enumerate().map(class).collect::<Vec<_>>()
    } else {
        let at = |row: &usize| Some((x(row), answer.predictions[*row].mean?));
        let finite = |ends: &[f64; 2]| ends.iter().all(|end| end.is_finite());
        let band = |interval: fn(&Predicted) -> Option<[f64; 2]>| -> Vec<BandPoint> {
            let point = |row: &usize| {
                let [low, high] = interval(&answer.predictions[*row]).filter(finite)?;
                Some(BandPoint { x: x(row), low, high })
            };
            order.iter().filter_map(point).collect()
        };
        let bands = vec![band(|own| own.interval), band(|own| own.mean_interval)];
        let bands = bands.into_iter().filter(|band| !band.is_empty()).collect();
        vec![Ribbon { name: String::new(), line: order.iter().filter_map(at).collect(), bands }]
    };
    let dots: Vec<(f64, f64)> = line.data.iter().copied().zip(data.outcome.heights()).collect();
    let upwards = match &data.outcome {
        Outcome::Classes { labels, .. } if labels.len() == 2 => format!("probability of {}", labels[1]),
        Outcome::Classes { .. } => "probability".to_owned(),
        _ => data.y_name.clone(),
    };
    (order.len() > 1).then(|| ribbons((&line.name, &upwards), &ribbons_of, &dots, None))
}

fn coefficients(answer: &Answer) -> Option<Picture> {
    let row = |own: &Estimate| {
        let [low, high] = own.interval;
        Interval { name: own.name.clone(), low, middle: own.mean, high }
    };
    let output =
        answer.coefficients.iter().filter(|own| own.name != "intercept" && own.interval[0].is_finite());
    let rows: Vec<Interval> = output.take(MOST_SHOWN).map(row).collect();
    (!rows.is_empty()).then(|| intervals("Coefficients", &rows))
}

/// How many coefficients the picture leaves out.
fn drawn(answer: &Answer) -> String {
    let all = answer.coefficients.iter().filter(|own| own.name != "intercept").count();
    if all <= MOST_SHOWN {
        return String::new();
    }
    format!("The first {MOST_SHOWN} of {all} are drawn, the table below has them all.")
}

/// Whether predicted probabilities came true, class by class together.
fn calibration_of(data: &Data, answer: &Answer) -> Option<Picture> {
    let Outcome::Classes { labels, of_row } = &data.outcome else { return None };
    let classes = if labels.len() == 2 { 1..2 } else { 0..labels.len() };
    let mut found = Reliability::new(BINS);
    for (probabilities, &class) in answer.fitted.probabilities.iter().zip(of_row) {
        for own in classes.clone() {
            found.push(*probabilities.get(own)?, own == class).ok()?;
        }
    }
    Some(reliability("Calibration", &reliability_points(&found, answer.intervals.level)))
}

fn page(run: &Run<'_>, data: &Data, answer: &Answer, pictures: &Pictures) -> Page {
    let level = answer.intervals.level;
    let mut page = Page::new("Regression", headline(data, answer));
    page.standfirst.push(standfirst(data, answer));
    let (function, coefficients) = (pictures.get("function"), pictures.get("coefficients"));
    let calibration = pictures.get("calibration");
    page.lead = match (function, coefficients) {
        (Some(picture), _) => Some(Figure::new(picture.clone(), function_caption(data, level))),
        (None, Some(picture)) => {
            let caption = format!("Coefficients with their intervals of {level}. {}", drawn(answer));
            Some(Figure::new(picture.clone(), caption.trim_end()))
        }
        (None, None) => calibration.map(|picture| Figure::new(picture.clone(), calibration_caption(level))),
    };
    page.facts = facts(answer);
    page.cautions(&answer.warnings);
    page.section("Intervals", "", vec![legend(answer)]);
    page.sections.extend(answer.scores.as_ref().map(Scores::section));
    page.sections.extend(answer.cross_validation.as_ref().map(CrossValidation::section));
    if !answer.coefficients.is_empty() {
        page.sections.push(coefficient_table(answer));
    }
    if let Some(own) = &answer.hierarchical {
        own.show(&mut page, pictures, level);
    }
    if let (Some(picture), Some(_)) = (coefficients, function) {
        let caption = format!("The intercept is left out. {}", drawn(answer));
        page.figure("Coefficients", format!("Means and intervals of {level}."), picture, caption.trim_end());
    }
    if let Some(picture) = pictures.get("paths") {
        let caption = "The largest coefficients at the penalty taken, which the upright line marks.";
        page.figure("Coefficients by penalty", "", picture, caption);
    }
    if let Some(picture) = pictures.get("held_out") {
        let caption = "Line: the mean deviance of rows that a fit to the others predicts; band: one standard error to either side.";
        page.figure("Penalties and held-out rows", "", picture, caption);
    }
    if let Some(effects) = &answer.effects {
        let text = "How much the mean outcome changes, averaged over the rows: by one unit more of a number, by a label instead of the first one.";
        page.section("Average effects", text, PageTable::new(effect_columns(answer), table(effects)));
    }
    if let Some(checks) = &answer.checks {
        page.sections.push(checks.section());
    }
    if let Some(picture) = pictures.get("checks") {
        let caption = "Observed outcomes beside those that the fit makes anew: the median of their densities, and where nine of ten are.";
        page.figure("Outcomes made anew", "", picture, caption);
    }
    page.sections.extend(answer.errors.as_ref().map(RobustErrors::section));
    if let Some(picture) = pictures.get("residuals") {
        let how = answer.fitted.predicted_by.words();
        let covered = answer.fitted.coverage.map_or_else(String::new, |own| {
            format!(" {} of the outcomes are in their intervals of {level}.", percent(own.proportion))
        });
        let text = format!("Outcomes less their predictions, in standard deviations; {how}.{covered}");
        let caption = "Bars: the residuals; line: the standard normal distribution.";
        page.figure("Residuals", text, picture, caption);
    }
    if let (Some(picture), true) = (calibration, page.lead.is_some()) {
        let text = "Predictions of about one probability, and how often what they predict happened: in-sample, in the rows of the fit.";
        page.figure("Calibration", text, picture, calibration_caption(level));
    }
    let prior = answer.prior_sd.map_or_else(
        || "none".to_owned(),
        |sd| format!("{} ({})", significant(sd), answer.prior_scale.words()),
    );
    run.sign(
        &mut page,
        MADE,
        &[
            ("data", &data.source),
            ("family", &answer.family),
            ("engine", &answer.engine),
            ("prior", &answer.prior.unwrap_or("normal")),
            ("prior standard deviation", &prior),
        ],
    );
    page
}

fn calibration_caption(level: Level) -> String {
    format!(
        "Right probabilities are on the diagonal; lines: where the proportion is, with probability {level}, if they are right."
    )
}

fn headline(data: &Data, answer: &Answer) -> String {
    if let Some(own) = &answer.hierarchical {
        return format!("{} by {}", data.y_name, own.names(&data.coding.names).join(", "));
    }
    match (&data.line, answer.family.as_str()) {
        (Some(line), _) => format!("{} by {}", data.y_name, line.name),
        (None, "mlp") => format!("{} by a network over {} features", data.y_name, data.coding.names.len()),
        (None, _) => format!("{} by {} features", data.y_name, data.coding.names.len()),
    }
}

fn standfirst(data: &Data, answer: &Answer) -> String {
    let how = match answer.engine.as_str() {
        "exact" => {
            "The posterior is in closed form: coefficients and predictions have mixtures of Student's distributions, averaged over the size of the noise and the scale of the coefficients."
        }
        "nuts" => "The posterior is sampled.",
        "gibbs" => {
            "The posterior under the horseshoe prior is sampled: it pulls most coefficients next to 0 and leaves a few alone."
        }
        "evidence" => {
            "Each coefficient has a prior scale of its own, by the evidence; those that the data say nothing of are 0."
        }
        "coordinate-descent" => {
            "The coefficients are the most probable ones under the penalty; they have no intervals."
        }
        "nested-laplace" => {
            "Effects and coefficients are integrated over by Laplace's approximation, and their variances over a grid: the posterior without sampling."
        }
        "reml" => "The variances are the most likely ones after the coefficients were integrated out.",
        "ml" => "Variances and coefficients are the most likely ones.",
        "importance" => "The posterior is 8,000 draws around the mode, weighted.",
        _ if answer.family == "softmax" => {
            "The posterior is approximated by Gaussians, one at the most probable coefficients for each prior standard deviation."
        }
        _ => "The posterior is approximated by a Gaussian at the most probable coefficients.",
    };
    let sure = answer.coefficients.iter().filter(|own| own.name != "intercept");
    let (mut apart, mut all) = (0, 0);
    for own in sure {
        all += 1;
        apart += usize::from(own.interval[0] > 0.0 || own.interval[1] < 0.0);
    }
    let found = if let Some(own) = &answer.penalty {
        format!(" Penalty: {}.", own.words())
    } else if all > 0 {
        format!(
            " Coefficients whose interval of {} is without zero: {apart} of {all}.",
            answer.intervals.level
        )
    } else {
        String::new()
    };
    format!("{} rows of {}. {how}{found}", grouped(answer.rows as u64), data.source)
}

fn function_caption(data: &Data, level: Level) -> String {
    match &data.outcome {
        Outcome::Numbers(_) => {
            format!(
                "Dots: the data. Line: the mean. Bands of {level}: of a new outcome, and inside of it of the mean."
            )
        }
        Outcome::Counts(_) => {
            format!(
                "Dots: the data. Line: the mean count. Bands of {level}: of a new count, and inside of it of the mean."
            )
        }
        Outcome::Classes { labels, .. } if labels.len() == 2 => {
            format!(
                "Line: the probability, averaged over what is not known of the coefficients; band: its interval of {level}."
            )
        }
        Outcome::Classes { .. } => {
            "Probabilities, averaged over what is not known of the coefficients.".to_owned()
        }
    }
}

fn facts(answer: &Answer) -> Vec<(String, String)> {
    let mut facts = vec![
        ("Rows".to_owned(), grouped(answer.rows as u64)),
        ("Family".to_owned(), answer.family.clone()),
        ("Engine".to_owned(), answer.engine.clone()),
    ];
    facts.extend(answer.ln_evidence.map(|value| ("ln evidence".to_owned(), significant(value))));
    facts.extend(answer.prior.map(|own| ("Prior".to_owned(), own.to_owned())));
    facts.extend(answer.pareto_k.map(|k| ("Pareto k of the weights".to_owned(), significant(k))));
    facts.extend(
        answer.noise_sd.map(|value| ("Standard deviation of the noise".to_owned(), significant(value))),
    );
    facts.extend(figures(answer).into_iter().map(|(name, value)| (name.to_owned(), value)));
    let level = answer.intervals.level;
    let name = match answer.fitted.predicted_by {
        PredictedBy::LeaveOneOut => format!("Left-out outcomes in intervals of {level}"),
        PredictedBy::InSample => format!("Outcomes in intervals of {level}, in-sample"),
    };
    facts.extend(answer.fitted.coverage.map(|own| (name, percent(own.proportion))));
    facts.extend(answer.hierarchical.iter().flat_map(EffectsAnswer::facts));
    facts.extend(answer.prior_sd.map(|sd| {
        let name = format!("Prior standard deviation, {}", answer.prior_scale.words());
        (name, significant(sd))
    }));
    facts
}

fn coefficient_table(answer: &Answer) -> Section {
    let text = match answer.intervals.coefficients {
        Some(what) => format!("In the units of the table. {what}."),
        None if answer.penalty.is_some() => "In the units of the table; all others are 0.".to_owned(),
        None => "In the units of the table.".to_owned(),
    };
    Section::new("Coefficients", text, PageTable::new(coefficient_columns(answer), coefficient_rows(answer)))
}

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] = &[
    "coefficients.csv",
    "predictions.csv",
    "model.json",
    "function.svg",
    "coefficients.svg",
    "residuals.svg",
    "calibration.svg",
    "paths.svg",
    "held_out.svg",
    "checks.svg",
    "effect_1.svg",
    "effect_2.svg",
    "effect_3.svg",
    "effect_4.svg",
    "effect_5.svg",
    "effect_6.svg",
    "effect_7.svg",
    "effect_8.svg",
    "effect_9.svg",
    "components.csv",
    "effect_values.csv",
    "effect_grids.csv",
    "path.csv",
    "effects.csv",
    "report.html",
];

/// Writes everything that a run leaves in `folder`.
pub(super) fn write(
    folder: &OutputFolder,
    run: &Run<'_>,
    data: &Data,
    answer: &Answer,
) -> Result<(), Failure> {
    if !answer.coefficients.is_empty() {
        let sum_to_zero = answer.intervals.coefficients.is_some();
        let header = ["name", "mean", "sd"].map(str::to_owned).into_iter();
        let header = header.chain(answer.intervals.level.names());
        let header = header.chain(sum_to_zero.then(|| "constraint".to_owned()));
        let rows = answer.coefficients.iter().map(|own| {
            let [low, high] = own.interval;
            let numbers = [own.mean, own.sd, low, high].map(cell);
            let constraint = sum_to_zero.then(|| "sum-to-zero over the classes".to_owned());
            std::iter::once(own.name.clone()).chain(numbers).chain(constraint)
        });
        folder.put_table("coefficients.csv", header, rows)?;
    }
    if let Some(effects) = &answer.effects {
        let cells = |own: &Estimate| {
            let [low, high] = own.interval;
            let numbers = [own.mean, own.sd, low, high].map(cell);
            std::iter::once(own.name.clone()).chain(numbers).collect::<Vec<_>>()
        };
        let [low, high] = &answer.intervals.level.names();
        let header = ["name", "mean", "sd", low, high];
        folder.put_table("effects.csv", header, effects.iter().map(cells))?;
    }
    if let Some(own) = &answer.penalty {
        own.put(folder)?;
    }
    if let Some(own) = &answer.hierarchical {
        own.put(folder, answer.intervals.level)?;
    }
    put_predictions(folder, &data.places.keys, answer)?;
    let (pictures, page) = report(run, data, answer);
    folder.put_report(&pictures, &page)
}

/// Writes `predictions.csv`.
pub(super) fn put_predictions(folder: &OutputFolder, keys: &RowKeys, answer: &Answer) -> Result<(), Failure> {
    if answer.classes.is_empty() {
        let cells = |own: &Predicted| NewOutcome::cells(own.new, own.mean, own.sd_of_function);
        let header = NewOutcome::columns(answer.intervals.level);
        return keys.put(folder, NAME, header, answer.predictions.iter().map(cells));
    }
    let p = answer.classes.iter().map(|class| format!("p_{class}"));
    let names = answer.intervals.level.names();
    let of_class = |class: &String| names.each_ref().map(|end| format!("p_{class}_{end}"));
    let ends = answer.positive_class.iter().filter(|_| answer.intervals.mean_interval.is_some());
    let ends = ends.flat_map(of_class);
    let header = ["predicted".to_owned()].into_iter().chain(p).chain(ends);
    let cells = |own: &Predicted| {
        let label = own.label(&answer.classes).unwrap_or_default().to_owned();
        let ends = own.mean_interval.into_iter().flatten();
        std::iter::once(label).chain(own.of_classes().into_iter().chain(ends).map(shortest)).collect()
    };
    keys.put(folder, NAME, header, answer.predictions.iter().map(cells))
}
