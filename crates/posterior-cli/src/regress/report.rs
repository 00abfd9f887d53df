//! The page about a regression: the function where it can be seen, coefficients, and whether the predictions
//! come true.

use posterior::evaluation::Reliability;
use posterior_report::{
    BandPoint, Body, Column, Figure, Interval, Page, Picture, Ribbon, Section, Table, histogram, intervals,
    reliability, ribbons,
};

use super::answer::{Answer, Predicted, PredictedBy};
use super::data_input::{Data, Line, Outcome};
use crate::calibration::{self, BINS};
use crate::output::{called, grouped, percent, significant};
use crate::residuals;

/// Coefficients that the picture shows.
const MOST_SHOWN: usize = 40;

/// The plots of a fit.
pub(super) struct Shown {
    function: Option<Picture>,
    coefficients: Option<Picture>,
    residuals: Option<Picture>,
    calibration: Option<Picture>,
}

impl Shown {
    /// The plots of a fit.
    pub(super) fn new(data: &Data, answer: &Answer) -> Self {
        Self {
            function: data.line.as_ref().and_then(|line| function(data, answer, line)),
            coefficients: coefficients(answer),
            residuals: (!answer.fitted.residuals.is_empty())
                .then(|| residuals::picture(histogram, "standardised residual", &answer.fitted.residuals)),
            calibration: calibration_of(data, answer),
        }
    }

    /// The plots with their names.
    pub(super) fn pictures(&self) -> Vec<(&'static str, &Picture)> {
        let all = [
            ("function", &self.function),
            ("coefficients", &self.coefficients),
            ("residuals", &self.residuals),
            ("calibration", &self.calibration),
        ];
        all.into_iter().filter_map(|(name, picture)| Some((name, picture.as_ref()?))).collect()
    }
}

/// The outcome over the one input.
fn function(data: &Data, answer: &Answer, line: &Line) -> Option<Picture> {
    let mut order: Vec<usize> = (0..line.places.len()).collect();
    order.sort_by(|&a, &b| line.places[a].total_cmp(&line.places[b]));
    order.dedup_by(|a, b| line.places[*a] == line.places[*b]);
    let x = |row: &usize| line.places[*row];
    let ribbons_of = if answer.predictions.iter().any(|own| own.probabilities.is_some()) {
        let class = |(place, name): (usize, &String)| Ribbon {
            name: name.clone(),
            line: order
                .iter()
                .filter_map(|row| Some((x(row), answer.predictions[*row].probabilities.as_ref()?[place])))
                .collect(),
            bands: Vec::new(),
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
        let bands = vec![band(|own| own.interval_90), band(|own| own.mean_interval_90)];
        let bands = bands.into_iter().filter(|band| !band.is_empty()).collect();
        vec![Ribbon { name: String::new(), line: order.iter().filter_map(at).collect(), bands }]
    };
    let seen = |outcome: &Outcome| -> Vec<f64> {
        match outcome {
            Outcome::Numbers(values) => values.clone(),
            Outcome::Counts(counts) => counts.iter().map(|&count| count as f64).collect(),
            Outcome::Classes { labels, of_row } if labels.len() == 2 => {
                of_row.iter().map(|&class| class as f64).collect()
            }
            Outcome::Classes { .. } => Vec::new(),
        }
    };
    let dots: Vec<(f64, f64)> = line.data.iter().copied().zip(seen(&data.outcome)).collect();
    let upwards = match &data.outcome {
        Outcome::Classes { labels, .. } if labels.len() == 2 => format!("probability of {}", labels[1]),
        Outcome::Classes { .. } => "probability".to_owned(),
        _ => data.y_name.clone(),
    };
    (order.len() > 1).then(|| ribbons((&line.name, &upwards), &ribbons_of, &dots, None))
}

fn coefficients(answer: &Answer) -> Option<Picture> {
    let row = |own: &posterior::regression::coefficients::Coefficient| Interval {
        name: own.name.clone(),
        low: own.q05,
        middle: own.mean,
        high: own.q95,
    };
    let output = answer.coefficients.iter().filter(|own| own.name != "intercept");
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
    Some(reliability("Calibration", &calibration::points(&found)))
}

/// The page.
pub(super) fn page(data: &Data, answer: &Answer, shown: &Shown) -> Page {
    let mut page = Page::new("Regression", headline(data, answer));
    page.standfirst.push(standfirst(data, answer));
    page.lead = match (&shown.function, &shown.coefficients) {
        (Some(picture), _) => Some(Figure::new(picture.clone(), function_caption(data))),
        (None, Some(picture)) => {
            let caption = format!("Coefficients with their intervals of 90 %. {}", drawn(answer));
            Some(Figure::new(picture.clone(), caption.trim_end()))
        }
        (None, None) => shown.calibration.as_ref().map(|picture| Figure::new(picture.clone(), CALIBRATION)),
    };
    page.facts = facts(answer);
    if !answer.warnings.is_empty() {
        let body = Body::List(answer.warnings.clone());
        page.sections.push(Section { title: "To be aware of".to_owned(), text: String::new(), body });
    }
    page.sections.push(Section {
        title: "What the intervals are of".to_owned(),
        text: String::new(),
        body: Body::List(vec![super::text::legend(answer)]),
    });
    if !answer.coefficients.is_empty() {
        page.sections.push(coefficient_table(answer));
    }
    if let (Some(picture), Some(_)) = (&shown.coefficients, &shown.function) {
        page.sections.push(figure(
            "Coefficients, drawn",
            "Means and intervals of 90 %.",
            picture,
            format!("The intercept is left out. {}", drawn(answer)).trim_end(),
        ));
    }
    if let Some(picture) = &shown.residuals {
        let how = answer.fitted.predicted_by.words();
        let covered = answer.fitted.coverage_90.map_or_else(String::new, |coverage| {
            format!(" {} of the outcomes are in their intervals of 90 %.", percent(coverage))
        });
        let text = format!("Outcomes less their predictions, in standard deviations; {how}.{covered}");
        page.sections.push(figure(
            "Residuals",
            &text,
            picture,
            "Bars: the residuals; line: the standard normal distribution.",
        ));
    }
    if let (Some(picture), true) = (&shown.calibration, page.lead.is_some()) {
        let text = "Predictions of about one probability, and how often what they predict happened: in-sample, in the rows of the fit.";
        page.sections.push(figure("Calibration", text, picture, CALIBRATION));
    }
    page.command = called();
    page.settings = vec![
        ("data".to_owned(), data.source.clone()),
        ("family".to_owned(), answer.family.to_owned()),
        ("engine".to_owned(), answer.engine.to_owned()),
        (
            "prior standard deviation".to_owned(),
            answer.prior_sd.map_or_else(
                || "none".to_owned(),
                |sd| format!("{} ({})", significant(sd), answer.prior_scale.words()),
            ),
        ),
        ("seed".to_owned(), answer.seed.to_string()),
    ];
    page.source = format!("Made by posterior {}.", env!("CARGO_PKG_VERSION"));
    page
}

const CALIBRATION: &str =
    "Right probabilities are on the diagonal; lines: where the share is nine times in ten if they are right.";

fn figure(title: &str, text: &str, picture: &Picture, caption: &str) -> Section {
    let body = Body::Figure(Figure::new(picture.clone(), caption));
    Section { title: title.to_owned(), text: text.to_owned(), body }
}

fn headline(data: &Data, answer: &Answer) -> String {
    match (&data.line, answer.family) {
        (Some(line), _) => format!("{} by {}", data.y_name, line.name),
        (None, "mlp") => format!("{} by a network over {} features", data.y_name, data.coding.names.len()),
        (None, _) => format!("{} by {} features", data.y_name, data.coding.names.len()),
    }
}

fn standfirst(data: &Data, answer: &Answer) -> String {
    let how = match answer.engine {
        "exact" => {
            "The posterior is in closed form: coefficients and predictions have mixtures of Student's distributions, averaged over the size of the noise and the scale of the coefficients."
        }
        "nuts" => "The posterior is sampled.",
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
        apart += usize::from(own.q05 > 0.0 || own.q95 < 0.0);
    }
    let found = if all > 0 {
        format!(" Coefficients whose interval of 90 % is without zero: {apart} of {all}.")
    } else {
        String::new()
    };
    format!("{} rows of {}. {how}{found}", grouped(answer.rows as u64), data.source)
}

fn function_caption(data: &Data) -> String {
    match &data.outcome {
        Outcome::Numbers(_) => {
            "Dots: the data. Line: the mean; outer band: where a new outcome is nine times in ten; inner band: where the mean is."
        }
        Outcome::Counts(_) => {
            "Dots: the data. Line: the mean count; outer band: where a new count is nine times in ten; inner band: where the mean is."
        }
        Outcome::Classes { labels, .. } if labels.len() == 2 => {
            "Line: the probability, averaged over what is not known of the coefficients; band: its interval of 90 %."
        }
        Outcome::Classes { .. } => "Probabilities, averaged over what is not known of the coefficients.",
    }
    .to_owned()
}

fn facts(answer: &Answer) -> Vec<(String, String)> {
    let mut facts = vec![
        ("Rows".to_owned(), grouped(answer.rows as u64)),
        ("Family".to_owned(), answer.family.to_owned()),
        ("Engine".to_owned(), answer.engine.to_owned()),
    ];
    facts.extend(answer.ln_evidence.map(|value| ("ln evidence".to_owned(), significant(value))));
    facts.extend(answer.pareto_k.map(|k| ("Pareto k of the weights".to_owned(), significant(k))));
    facts.extend(
        answer.noise_sd.map(|value| ("Standard deviation of the noise".to_owned(), significant(value))),
    );
    let name = match answer.fitted.predicted_by {
        PredictedBy::LeaveOneOut => "Left-out outcomes in intervals of 90 %",
        PredictedBy::InSample => "Outcomes in intervals of 90 %, in-sample",
    };
    facts.extend(answer.fitted.coverage_90.map(|share| (name.to_owned(), percent(share))));
    facts.extend(answer.prior_sd.map(|sd| {
        let name = format!("Prior standard deviation, {}", answer.prior_scale.words());
        (name, significant(sd))
    }));
    facts
}

fn coefficient_table(answer: &Answer) -> Section {
    let rows = answer.coefficients.iter().map(|own| {
        let numbers = [own.mean, own.sd, own.q05, own.q95].map(significant);
        std::iter::once(own.name.clone()).chain(numbers).collect()
    });
    let columns = std::iter::once(Column::Text("coefficient".to_owned()))
        .chain(["mean", "sd", "5 %", "95 %"].map(|name| Column::Number(name.to_owned())));
    Section {
        title: "Coefficients".to_owned(),
        text: match answer.intervals.coefficients {
            Some(what) => format!("In the units of the table. {what}."),
            None => "In the units of the table.".to_owned(),
        },
        body: Body::Table(Table { columns: columns.collect(), rows: rows.collect() }),
    }
}
