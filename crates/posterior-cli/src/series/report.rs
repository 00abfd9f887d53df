//! The page about a series: where it is, where it goes, what it is made of, and whether the model is right.

use posterior::kalman::diagnostics::{ResidualChecks, ResidualTest};
use posterior::math::special::normal_quantile;
use posterior_report::{
    BandPoint, Card, Figure, Page, PageTable, Picture, Ribbon, Section, TableColumn, correlogram,
    ribbons_marked, small_histogram,
};

use super::accuracy::{self, Accuracy};
use super::analysis::Part;
use super::candidates::{CANDIDATES, Choice, candidate_rows};
use super::mixture::Figures;
use super::series_input::Input;
use super::smoothed_file;
use super::specification::Smoothing;
use super::timeline::Timeline;
use super::transform::Transform;
use crate::args::SeriesLikelihood;
use crate::failure::Failure;
use crate::level::Level;
use crate::output::{PARAMETERS_KNOWN, grouped, significant};
use crate::output_folder::OutputFolder;
use crate::pictures;
use crate::run::{Run, read_by_posterior};

/// Rows of the table of forecasts and last values.
const ROWS: usize = 60;
/// A p-value below which a check speaks against the model.
const SUSPECT: f64 = 0.01;

/// What was found, of all columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) model: &'a str,
    pub(super) input: &'a Input,
    pub(super) timeline: &'a Timeline,
    pub(super) all: &'a [Smoothing],
    pub(super) choices: &'a [&'a Choice],
    /// Of values that were held out, if any were.
    pub(super) scores: &'a [Vec<Accuracy>],
}

/// Data, signal, and the fan of forecasts.
pub(super) fn course(input: &Input, timeline: &Timeline, own: &Smoothing) -> Picture {
    let (times, seen) = (&timeline.times, timeline.seen);
    let signal =
        Ribbon { name: "signal".to_owned(), ..band(times, &own.analysis.smoothed[..seen], &[MOST_OF]) };
    let mut all = vec![signal];
    if times.len() > seen {
        // From the last time on, so that the fan hangs on the signal.
        let from = seen.saturating_sub(1);
        let ahead = |t: usize| if t < seen { own.analysis.smoothed[t] } else { own.analysis.values[t] };
        let fan: Vec<Figures> = (from..times.len()).map(ahead).collect();
        all.push(Ribbon { name: "forecast".to_owned(), ..band(&times[from..], &fan, &BANDS) });
    }
    let dots: Vec<(f64, f64)> = times.iter().copied().zip(own.values.iter().copied()).collect();
    let mark = (times.len() > seen && seen > 0).then(|| times[seen - 1]);
    over_time(timeline, (&input.time, &own.column), &all, &dots, mark)
}

/// Ribbons over the times, with dates where the times are dates.
fn over_time(
    timeline: &Timeline,
    names: (&str, &str),
    all: &[Ribbon],
    dots: &[(f64, f64)],
    mark: Option<f64>,
) -> Picture {
    ribbons_marked(names, all, dots, mark, timeline.ticks().as_deref())
}

/// An interval of a normal distribution reaches so many standard deviations from its mean.
fn reach(level: Level) -> f64 {
    normal_quantile(level.ends()[1])
}

/// The two ends of a band.
type Ends = fn(&Figures) -> [f64; 2];

const MOST_OF: Ends = |own| own.band;
const HALF_OF: Ends = |own| own.half;

/// Bands of the level and of 50 %.
pub(super) const BANDS: [Ends; 2] = [MOST_OF, HALF_OF];

/// A line of medians with bands, the widest first.
pub(super) fn band(times: &[f64], figures: &[Figures], widths: &[Ends]) -> Ribbon {
    let line: Vec<(f64, f64)> = times.iter().zip(figures).map(|(&time, own)| (time, own.q50)).collect();
    let around = |ends: &Ends| {
        let point = |(&x, own): (&f64, &Figures)| {
            let [low, high] = ends(own);
            BandPoint { x, low, high }
        };
        times.iter().zip(figures).map(point).collect()
    };
    Ribbon { name: String::new(), line, bands: widths.iter().map(around).collect() }
}

/// The page.
fn page(run: &Run<'_>, found: Found<'_>) -> Page {
    let Found { model, input, timeline, all, choices, scores } = found;
    let mut page =
        Page::new("Time series", all.first().map_or_else(String::new, |own| headline(input, timeline, own)));
    for own in all {
        page.standfirst.push(standfirst(timeline, own));
        page.standfirst.extend(own.warnings.iter().map(|warning| format!("{}: {warning}.", own.column)));
    }
    if let Some(first) = all.first() {
        page.lead = Some(Figure::new(course(input, timeline, first), caption(timeline, first.level)));
        page.facts = facts(timeline, first);
    }
    for own in all.iter().skip(1) {
        page.section(
            own.column.clone(),
            headline(input, timeline, own),
            Figure::new(course(input, timeline, own), caption(timeline, own.level)),
        );
    }
    for (place, own) in all.iter().enumerate() {
        let of = if all.len() == 1 { String::new() } else { format!(" of {}", own.column) };
        if let Some(scores) = scores.get(place).filter(|own| !own.is_empty()) {
            let text = "Values after the upright line were not seen by the fit. MASE is the mean absolute error of medians in units of \
                        that of the last season repeated.";
            page.sections.push(accuracy::section(format!("What was held out{of}"), text, scores));
        }
        page.sections.extend(candidates(choices[place], &of));
        page.sections.extend(components(input, timeline, own, &of));
        page.sections.push(parameters(own, &of));
        page.sections.push(residuals(input, timeline, own, &of));
        page.sections.extend(unusual(timeline, own, &of));
        page.sections.push(values(input, timeline, own, &of));
    }
    let bands = if all.iter().any(Smoothing::takes_as_known) {
        page.standfirst.push(format!("{PARAMETERS_KNOWN}."));
        "with its parameters taken as known"
    } else if all.iter().any(|own| !own.points.is_empty()) {
        "averaged over what is not known of its parameters"
    } else {
        "with its parameters as given"
    };
    let is_gaussian = all.iter().all(|own| own.likelihood == SeriesLikelihood::Gaussian);
    let how = if is_gaussian {
        "Square-root Kalman filter with exact diffuse start, smoother of Rauch, Tung and Striebel"
    } else {
        "Draws of the signal from the Gaussian model with the same mode, weighted (Shephard and Pitt, Durbin and Koopman); the parts are those \
         of that model"
    };
    let source =
        format!("{} {how}; bands are those of the model, {bands}.", read_by_posterior(&input.source));
    let units = all.first().map_or("", |own| own.units);
    run.sign(&mut page, source, &[("model", &model), ("times", &timeline.kind()), ("parameters", &units)]);
    page
}

fn candidates(choice: &Choice, of: &str) -> Option<Section> {
    let text = "The family of --model auto. ln score: the mean of ln p of a value given those before it, over the values that all of them \
                predict. AICc: -2 times their sum, and a price for each parameter that is higher for few values; weight: how much evidence there is for it among these.";
    (!choice.candidates.is_empty()).then(|| {
        Section::new(
            format!("The models that were compared{of}"),
            text,
            PageTable::new(CANDIDATES, candidate_rows(&choice.candidates)),
        )
    })
}

fn unusual(timeline: &Timeline, own: &Smoothing, of: &str) -> Option<Section> {
    let text = "Noises that the data suggest (auxiliary residuals), beyond three standard deviations: of a value, an outlier; of a level, a \
                slope or a season, a break. One of 370 is, if the model is right.";
    let row = |unusual: &super::unusual::Unusual| {
        vec![timeline.label(unusual.t), unusual.what.clone(), format!("{:+.2}", unusual.residual)]
    };
    let rows = own.analysis.unusual.iter().map(row);
    let names = ["time", "what", "standard deviations"];
    (!own.analysis.unusual.is_empty())
        .then(|| Section::new(format!("Outliers and breaks{of}"), text, PageTable::new(names, rows)))
}

fn headline(input: &Input, timeline: &Timeline, own: &Smoothing) -> String {
    let said = |own: Figures| format!("{} ± {}", significant(own.q50), significant(own.reach()));
    let (last, end) = (timeline.seen.saturating_sub(1), timeline.times.len().saturating_sub(1));
    let at_last = said(own.analysis.smoothed[last]);
    let now = format!("{} at {} {}: {at_last}", own.column, input.time, timeline.label(last));
    if end == last {
        return now;
    }
    format!("{now}; at {} a value of {}", timeline.label(end), said(own.analysis.values[end]))
}

fn standfirst(timeline: &Timeline, own: &Smoothing) -> String {
    let missing = timeline.seen - own.analysis.observed;
    let gaps = if missing == 0 { String::new() } else { format!(", {} missing", grouped(missing as u64)) };
    let verdict = match &own.analysis.checks {
        Err(why) => format!("The residuals cannot be checked: {why}."),
        Ok(checks) => {
            let against: Vec<&str> = tests(checks)
                .into_iter()
                .filter(|(_, test, _)| test.p_value < SUSPECT)
                .map(|(name, ..)| name)
                .collect();
            if against.is_empty() {
                "Nothing in the residuals speaks against the model.".to_owned()
            } else {
                format!("The residuals speak against the model: they are {}.", against.join(", "))
            }
        }
    };
    let scale = match own.transform {
        Transform::None if own.likelihood != SeriesLikelihood::Gaussian => {
            format!(" of {}, seen as {}", own.likelihood.link(), own.likelihood.name())
        }
        Transform::None => String::new(),
        transform => format!(" of {}", transform.of(&own.column)),
    };
    format!(
        "{}: {} values{gaps}, as {}{scale}. Intervals hold {}. {verdict}",
        own.column,
        grouped(own.analysis.observed as u64),
        own.model,
        own.level
    )
}

fn caption(timeline: &Timeline, level: Level) -> String {
    let signal = format!(
        "Dots are the values, the line is the signal behind them given all values, with its {level} band."
    );
    if timeline.times.len() == timeline.seen {
        return signal;
    }
    format!("{signal} After the upright line come forecasts of values, with bands of 50 % and {level}.")
}

fn facts(timeline: &Timeline, own: &Smoothing) -> Vec<(String, String)> {
    let analysis = &own.analysis;
    let fitted = own.parameters.iter().filter(|parameter| parameter.status != "fixed").count();
    let aic = 2.0 * (fitted + own.diffuse) as f64 - 2.0 * analysis.ln_likelihood;
    vec![
        ("Values".to_owned(), grouped(analysis.observed as u64)),
        ("Missing".to_owned(), grouped((timeline.seen - analysis.observed) as u64)),
        ("ln likelihood".to_owned(), format!("{:.3}", analysis.ln_likelihood)),
        ("AIC".to_owned(), format!("{aic:.2}")),
        ("Parameters fitted".to_owned(), fitted.to_string()),
    ]
}

fn components(input: &Input, timeline: &Timeline, own: &Smoothing, of: &str) -> Option<Section> {
    if own.analysis.parts.len() < 2 {
        return None;
    }
    let card = |part: &Part| {
        let ribbon = band(&timeline.times, &part.figures, &[MOST_OF]);
        let mark = (timeline.times.len() > timeline.seen && timeline.seen > 0)
            .then(|| timeline.times[timeline.seen - 1]);
        let last = part.moments[timeline.seen.saturating_sub(1)];
        Card {
            title: part.name.clone(),
            meta: format!(
                "at {} {}: {} ± {}",
                input.time,
                timeline.label(timeline.seen.saturating_sub(1)),
                significant(last.mean),
                significant(reach(own.level) * last.sd())
            ),
            pictures: vec![over_time(timeline, (&input.time, &part.name), &[ribbon], &[], mark)],
        }
    };
    Some(Section::new(
        format!("The parts{of}"),
        format!(
            "{} is the sum of the parts; a slope is how a trend moves. Bands of parts may be wider than that of the sum: what one has, another lacks.",
            match (own.likelihood, own.transform) {
                (SeriesLikelihood::Gaussian | SeriesLikelihood::StudentT, Transform::None) => {
                    "The signal".to_owned()
                }
                (kind, Transform::None) => format!("The signal, {},", kind.link()),
                (_, transform) => transform.of("the signal"),
            }
        ),
        own.analysis.parts.iter().map(card).collect::<Vec<_>>(),
    ))
}

fn parameters(own: &Smoothing, of: &str) -> Section {
    let row = |parameter: &super::recipe::ParameterValue| {
        let error = parameter.standard_error.map_or_else(|| "–".to_owned(), significant);
        vec![parameter.name.clone(), significant(parameter.value), error, parameter.status.to_owned()]
    };
    let [name, value, error, status] = ["parameter", "value", "standard error", ""];
    let columns = [
        TableColumn::text(name),
        TableColumn::number(value),
        TableColumn::number(error),
        TableColumn::text(status),
    ];
    Section::new(
        format!("The parameters{of}"),
        "Fitted by maximum likelihood where they were not given; standard errors from the curvature of the likelihood.",
        PageTable { columns: columns.to_vec(), rows: own.parameters.iter().map(row).collect() },
    )
}

/// The tests with what they ask, and what to do if they speak against the model.
fn tests(checks: &ResidualChecks) -> [(&'static str, ResidualTest, &'static str); 3] {
    [
        ("not independent", checks.independence, "perhaps a part is missing: a trend, a season, a cycle"),
        (
            "not normal",
            checks.normality,
            "perhaps there are outliers or breaks, or the logarithm is a better scale",
        ),
        (
            "not of one variance",
            checks.equal_variance,
            "perhaps the logarithm is a better scale, or the noise changes",
        ),
    ]
}

fn residuals(input: &Input, timeline: &Timeline, own: &Smoothing, of: &str) -> Section {
    let title = format!("Is the model right{of}?");
    let checks = match &own.analysis.checks {
        Ok(checks) => checks,
        Err(why) => {
            return Section::new(title, "", vec![format!("The residuals cannot be checked: {why}.")]);
        }
    };
    let text = "Each value against its forecast from those before it, in standard deviations: if the model is right, these residuals are \
                independent, normal and of variance one.";
    let said = |(name, test, advice): (&str, ResidualTest, &str)| {
        let verdict = if test.p_value < SUSPECT { format!("{name}; {advice}") } else { "fine".to_owned() };
        format!("{}: {}, {verdict}", what(name), p_value(test))
    };
    let dots: Vec<(f64, f64)> = timeline
        .times
        .iter()
        .copied()
        .zip(own.analysis.residuals.iter().copied())
        .take(timeline.seen)
        .collect();
    let ends = [dots.first().map_or(0.0, |dot| dot.0), dots.last().map_or(1.0, |dot| dot.0)];
    let usual = Ribbon::around("", &ends, &[0.0, 0.0], &[1.0, 1.0], reach(own.level));
    Section::new(
        title,
        text,
        vec![Card {
            title: tests(checks).map(said).join(" · "),
            meta: format!(
                "{} residuals · mean {:.2} · variance {:.2} · skewness {:.2} · excess kurtosis {:.2}",
                grouped(checks.count as u64),
                checks.mean,
                checks.variance,
                checks.skewness,
                checks.excess_kurtosis
            ),
            pictures: vec![
                over_time(timeline, (&input.time, "residual"), &[usual], &dots, None),
                correlogram("residuals", &checks.autocorrelations, checks.band()),
                pictures::residuals(small_histogram, "residual", &own.analysis.residuals),
            ],
        }],
    )
}

/// `p = 0.034`, or that it is less than can be shown.
pub(super) fn p_value(test: ResidualTest) -> String {
    if test.p_value < 0.001 { "p < 0.001".to_owned() } else { format!("p = {:.3}", test.p_value) }
}

fn what(name: &str) -> &'static str {
    match name {
        "not independent" => "independence (Ljung-Box)",
        "not normal" => "normality (Bowman-Shenton)",
        _ => "equal variance (F)",
    }
}

fn values(input: &Input, timeline: &Timeline, own: &Smoothing, of: &str) -> Section {
    let ahead = timeline.times.len() - timeline.seen;
    let from = timeline.seen - timeline.seen.min(ROWS.saturating_sub(ahead).max(12));
    let row = |t: usize| {
        let (signal, value, seen) = (own.analysis.smoothed[t], own.analysis.values[t], own.values[t]);
        let bands = [signal, value].map(|own| [own.sd(), own.band[0], own.band[1]]);
        let first = [
            timeline.label(t),
            if t < timeline.seen { "signal".to_owned() } else { "forecast".to_owned() },
            if seen.is_nan() { "–".to_owned() } else { significant(seen) },
            significant(signal.mean),
        ];
        first.into_iter().chain(bands.concat().into_iter().map(significant)).collect()
    };
    let [low, high] = own.level.percents();
    let numbers = ["value", "mean", "signal sd", &low, &high, "observation sd", &low, &high];
    let columns =
        [&input.time, ""].map(TableColumn::text).into_iter().chain(numbers.map(TableColumn::number));
    let title = if from == 0 { format!("The figures{of}") } else { format!("The last figures{of}") };
    Section::new(
        title,
        format!(
            "Signal: what is behind the values, without their noise. Observation: a value at that time, with its noise; the band of a forecast is this \
             one. Bands hold {}. smoothed.csv has all.",
            own.level
        ),
        PageTable { columns: columns.collect(), rows: (from..timeline.times.len()).rev().map(row).collect() },
    )
}

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] = &["model.json", "report.html"];

/// Writes everything that a run leaves in `folder`.
pub(super) fn write(folder: &OutputFolder, run: &Run<'_>, found: Found<'_>) -> Result<(), Failure> {
    let Found { input, timeline, all, .. } = found;
    for (place, own) in all.iter().enumerate() {
        let suffix = if all.len() == 1 { String::new() } else { format!("_{}", place + 1) };
        smoothed_file::write(folder, &format!("smoothed{suffix}.csv"), input, timeline, own)?;
        folder.put_picture(&format!("series{suffix}"), &course(input, timeline, own))?;
    }
    folder.put_text("report.html", &page(run, found).html())
}
