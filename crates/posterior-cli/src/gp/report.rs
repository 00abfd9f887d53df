//! The page about a fit: the function with its band, what it is made of, its parameters, and whether the
//! residuals are as they should be.

use posterior::math::log_space::logistic;
use posterior::math::special::{normal_cdf, normal_quantile};
use posterior::math::streaming::MeanVariance;
use posterior::table::{date_ticks, decimal_year, moment_of_year};
use posterior_report::{
    BandPoint, Card, Figure, Page, PageTable, Picture, Ribbon, histogram, path, ribbons_marked,
};

use super::answer::{Answer, Predicted, short};
use super::data_input::Data;
use crate::failure::Failure;
use crate::json::Values;
use crate::outcome::Outcome;
use crate::output::{grouped, percent, shortest, significant};
use crate::output_folder::OutputFolder;
use crate::pictures::{Pictures, residuals};
use crate::predictions_file::{NAME, RowKeys};
use crate::predictive::NewOutcome;
use crate::run::{MADE, Run};
use crate::scores::{Coverage, CrossValidation, Scores, most_probable};

/// The page of a fit, and its pictures; `paths` are draws of the function at the places of the predictions.
pub(super) fn report(run: &Run<'_>, data: &Data, answer: &Answer, paths: &[Vec<f64>]) -> (Pictures, Page) {
    let one = data.inputs.ncols() == 1;
    let order = order(&answer.predictions);
    let parts = if one { components(data, answer, &order) } else { Vec::new() };
    let parts = parts.into_iter().enumerate();
    let parts = parts.map(|(place, picture)| (format!("component_{}", place + 1), Some(picture)));
    let residuals = answer
        .leave_one_out
        .as_ref()
        .map(|own| residuals(histogram, "standardised leave-one-out residual", &own.residuals));
    let others = [
        ("draws", (one && !paths.is_empty()).then(|| draws(data, answer, &order, paths))),
        ("function", one.then(|| function(data, answer, &order))),
        ("residuals", residuals),
    ];
    let pictures = Pictures::of(parts.chain(others.map(|(name, own)| (name.to_owned(), own))));
    let page = page(run, data, answer, &pictures);
    (pictures, page)
}

/// The places of the predictions by rising x.
fn order(predictions: &[Predicted]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..predictions.len()).collect();
    order.sort_by(|&a, &b| predictions[a].x[0].total_cmp(&predictions[b].x[0]));
    order
}

fn function(data: &Data, answer: &Answer, order: &[usize]) -> Picture {
    let x: Vec<f64> = order.iter().map(|&i| answer.predictions[i].x[0]).collect();
    let of = |value: &dyn Fn(&Predicted) -> f64| -> Vec<f64> {
        order.iter().map(|&i| value(&answer.predictions[i])).collect()
    };
    let last = data.inputs.max();
    let mark = (x.last().is_some_and(|&end| end > last)).then_some(last);
    let dots = dots(data);
    if answer.predictions.iter().any(|own| own.probability.is_some()) {
        let classes = answer.classes.len();
        let lines = (usize::from(classes == 2)..classes).map(|class| {
            let place = if classes == 2 { 0 } else { class };
            let line = x
                .iter()
                .copied()
                .zip(of(&|own| own.probability.as_ref().map_or(f64::NAN, |p| p.all()[place])));
            Ribbon::line(answer.classes[class].clone(), line)
        });
        return drawn(data, answer, "probability", &lines.collect::<Vec<_>>(), &dots, mark);
    }
    let counts = answer.predictions.iter().any(|own| own.response.is_some());
    let middle = |own: &Predicted| own.response.unwrap_or_else(|| first(&own.mean));
    let of_function = |own: &Predicted| {
        let ends = own.function_interval.all()[0];
        Some(if counts { ends.map(f64::exp) } else { ends })
    };
    let bands = [band(answer, order, |own| own.interval), band(answer, order, of_function)];
    let line = x.iter().copied().zip(of(&middle)).collect();
    let bands = bands.into_iter().filter(|band| !band.is_empty()).collect();
    let ribbon = Ribbon { name: String::new(), line, bands };
    drawn(data, answer, &data.y_name, &[ribbon], &dots, mark)
}

/// Over the one input, whose axis is marked by dates if it is one.
fn drawn(
    data: &Data,
    answer: &Answer,
    upwards: &str,
    lines: &[Ribbon],
    dots: &[(f64, f64)],
    mark: Option<f64>,
) -> Picture {
    let ticks = data.time.as_ref().map(|time| {
        let x = answer.predictions.iter().map(|own| own.x[0]).chain(data.inputs.iter().copied());
        let moments = x.filter_map(|x| time.scale.moment(x)).map(decimal_year);
        let (from, to) = moments.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        let ticks = date_ticks(from, to).into_iter();
        let place = |(year, text)| Some((time.scale.number(moment_of_year(year)?), text));
        ticks.filter_map(place).collect::<Vec<_>>()
    });
    ribbons_marked((&data.x_names[0], upwards), lines, dots, mark, ticks.as_deref())
}

/// The band between the ends of an interval at each place.
fn band(answer: &Answer, order: &[usize], ends: impl Fn(&Predicted) -> Option<[f64; 2]>) -> Vec<BandPoint> {
    let point = |&i: &usize| {
        let own = &answer.predictions[i];
        ends(own).map(|[low, high]| BandPoint { x: own.x[0], low, high })
    };
    order.iter().filter_map(point).collect()
}

fn draws(data: &Data, answer: &Answer, order: &[usize], paths: &[Vec<f64>]) -> Picture {
    let lines = paths.iter().map(|path| {
        let line = order.iter().map(|&i| (answer.predictions[i].x[0], path[i]));
        Ribbon::line("", line)
    });
    drawn(data, answer, &data.y_name, &lines.collect::<Vec<_>>(), &dots(data), None)
}

fn first(values: &Values) -> f64 {
    values.all()[0]
}

fn dots(data: &Data) -> Vec<(f64, f64)> {
    data.inputs.column(0).iter().copied().zip(data.outputs.heights()).collect()
}

fn components(data: &Data, answer: &Answer, order: &[usize]) -> Vec<Picture> {
    let x: Vec<f64> = order.iter().map(|&i| answer.predictions[i].x[0]).collect();
    let (last, reach) = (data.inputs.max(), normal_quantile(answer.level.ends()[1]));
    let picture = |part: &super::answer::Component| {
        let mean: Vec<f64> = order.iter().map(|&i| part.mean[i]).collect();
        let sd: Vec<f64> = order.iter().map(|&i| part.variance[i].sqrt()).collect();
        let ribbon = Ribbon::around("", &x, &mean, &sd, reach);
        drawn(data, answer, "its part", &[ribbon], &[], Some(last))
    };
    answer.components.iter().map(picture).collect()
}

fn page(run: &Run<'_>, data: &Data, answer: &Answer, pictures: &Pictures) -> Page {
    let mut page = Page::new("Gaussian process", headline(data, answer));
    page.standfirst.push(standfirst(data, answer));
    page.lead = match pictures.get("function") {
        Some(picture) => Some(Figure::new(picture.clone(), caption(data, answer))),
        None if data.inputs.ncols() == 2 => {
            let dots: Vec<(f64, f64)> = data.inputs.row_iter().map(|x| (x[0], x[1])).collect();
            let picture = path("places of the data", (&data.x_names[0], &data.x_names[1]), &dots, &[]);
            Some(Figure::new(picture, "Where the data are."))
        }
        None => None,
    };
    page.facts = facts(data, answer);
    page.cautions(&answer.warnings);
    let cards = answer.components.iter().enumerate().filter_map(|(place, part)| {
        let picture = pictures.get(&format!("component_{}", place + 1))?;
        let spread: MeanVariance = part.mean.iter().copied().collect();
        Some(Card {
            title: short(&part.kernel),
            meta: format!("deviation of its mean over the places: {}", significant(spread.variance().sqrt())),
            pictures: vec![picture.clone()],
        })
    });
    let cards: Vec<Card> = cards.collect();
    if !cards.is_empty() {
        let text = format!(
            "Each term of the kernel by itself, given all data, with bands of {} for the parameters of the table below. Terms depend on each other given the data: where \
             one is larger another one must be smaller, so that the band of the whole is narrower than the bands of the parts.",
            answer.level
        );
        page.section("Components", text, cards);
    }
    if let Some(path) = &answer.kernel_path {
        let (header, rows) = path.table();
        page.section("The kernel", path.summary(data.inputs.nrows()), PageTable::new(header, rows));
    }
    page.sections.extend(answer.scores.as_ref().map(Scores::section));
    page.sections.extend(answer.cross_validation.as_ref().map(CrossValidation::section));
    let text = "In the units of the data; a variance stands before its kernel. Where there is no standard error the data do not say what the \
                value is. Parameters that may be negative have a plain standard error.";
    page.section("Parameters", text, parameters(answer));
    if let Some(picture) = pictures.get("draws") {
        let text = "Functions that the data allow at the parameters of the table, drawn from the posterior.";
        page.figure("Draws", text, picture, "Lines: three draws; dots: the data.");
    }
    if let (Some(picture), Some(loo)) = (pictures.get("residuals"), &answer.leave_one_out) {
        let text = format!(
            "Each output against its prediction from all the others, in standard deviations: a standard normal distribution if the model holds. \
             {} of the outputs are in their intervals of {}.",
            percent(loo.coverage.proportion),
            loo.coverage.level
        );
        let caption = "Bars: the residuals; line: the standard normal distribution.";
        page.figure("Residuals", text, picture, caption);
    }
    let method = format!("{}: {}", answer.method, answer.reason);
    run.sign(&mut page, MADE, &[("data", &data.source), ("kernel", &answer.kernel), ("method", &method)]);
    page
}

fn headline(data: &Data, answer: &Answer) -> String {
    match &data.outputs {
        Outcome::Numbers(_) if !answer.components.is_empty() => {
            format!("{} as a sum of {} functions", data.y_name, answer.components.len())
        }
        Outcome::Classes { labels, .. } => {
            format!("{}: {} classes over {}", data.y_name, labels.len(), data.x_names.join(", "))
        }
        _ => format!("{} over {}", data.y_name, data.x_names.join(", ")),
    }
}

fn standfirst(data: &Data, answer: &Answer) -> String {
    let rows = grouped(data.inputs.nrows() as u64);
    let found = match &answer.search {
        Some(search) if search.converged => format!(
            "Its parameters were moved to where the data are most probable, in {} steps.",
            search.iterations
        ),
        Some(_) => "The search for the most probable parameters did not converge.".to_owned(),
        None => "Its parameters are those given.".to_owned(),
    };
    format!(
        "{rows} observations under the kernel {}{}; mean before the data: {}. {found} The logarithm of the marginal likelihood is {}. {}",
        short(&answer.kernel),
        answer.time.as_ref().map_or_else(String::new, |time| format!(", in {time}")),
        answer.mean_function,
        significant(answer.ln_marginal_likelihood),
        answer.known()
    )
}

fn caption(data: &Data, answer: &Answer) -> String {
    let beyond = match &data.outputs {
        _ if answer.predictions.iter().all(|own| own.x[0] <= data.inputs.max()) => "",
        Outcome::Classes { .. } => " Right of the dashed line there are no data.",
        _ => " Right of the dashed line there are no data: the band widens to what the kernel allows.",
    };
    let level = answer.level;
    match &data.outputs {
        Outcome::Classes { .. } => format!(
            "The probability of each class, averaged over what is not known about the function.{beyond}"
        ),
        Outcome::Counts(_) => {
            format!(
                "Line: the mean of a new count. Bands of {level}: of a new count, and inside of it of the rate.{beyond}"
            )
        }
        Outcome::Numbers(_) if answer.predictions.iter().any(|own| own.interval.is_none()) => {
            format!("Dots: the data. Line: the mean of the function, in its band of {level}.{beyond}")
        }
        Outcome::Numbers(_) => format!(
            "Dots: the data. Line: the mean of the function. Bands of {level}: of a new outcome, and inside of it of the function.{beyond}"
        ),
    }
}

fn facts(data: &Data, answer: &Answer) -> Vec<(String, String)> {
    let mut facts = vec![
        ("Observations".to_owned(), grouped(data.inputs.nrows() as u64)),
        ("ln marginal likelihood".to_owned(), significant(answer.ln_marginal_likelihood)),
        ("Parameters".to_owned(), answer.hyperparameters.len().to_string()),
        ("Method".to_owned(), answer.method.clone()),
    ];
    if let Some(loo) = &answer.leave_one_out {
        let Coverage { level, proportion } = loo.coverage;
        facts.push((format!("In leave-one-out intervals of {level}"), percent(proportion)));
    }
    if let Some(search) = &answer.search {
        facts.push((
            "Searches as high as the best".to_owned(),
            format!("{} of {}", search.agreeing, search.starts),
        ));
    }
    facts
}

fn parameters(answer: &Answer) -> PageTable {
    let rows = answer.hyperparameters.iter().enumerate().map(|(place, own)| {
        let limit = own.limit.map_or_else(String::new, |limit| format!(" (at its {limit} limit)"));
        vec![
            format!("{}{limit}", own.name),
            significant(own.value),
            own.standard_error.map_or_else(|| "-".to_owned(), significant),
            answer.gradient.get(place).copied().map_or_else(String::new, significant),
        ]
    });
    PageTable::new(["parameter", "value", "standard error of its logarithm", "gradient"], rows)
}

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] = &[
    "model.json",
    "predictions.csv",
    "hyperparameters.csv",
    "components.csv",
    "draws.svg",
    "function.svg",
    "residuals.svg",
    "report.html",
];

/// Writes everything that a run leaves in `folder`.
pub(super) fn write(
    folder: &OutputFolder,
    run: &Run<'_>,
    data: &Data,
    keys: &RowKeys,
    answer: &Answer,
    paths: &[Vec<f64>],
) -> Result<(), Failure> {
    put_predictions(folder, keys, answer)?;
    let rows = answer.hyperparameters.iter().map(|own| {
        let error = own.standard_error.map_or_else(String::new, shortest);
        [own.name.clone(), shortest(own.value), error]
    });
    folder.put_table("hyperparameters.csv", ["name", "value", "standard_error_of_free"], rows)?;
    if !answer.components.is_empty() {
        let parts = answer.components.iter();
        let both = parts.flat_map(|own| ["mean", "variance"].map(|what| format!("{what} of {}", own.kernel)));
        let rows = answer.predictions.iter().enumerate().map(|(row, own)| {
            let parts = answer.components.iter().flat_map(move |part| [part.mean[row], part.variance[row]]);
            own.inputs(shortest).into_iter().chain(parts.map(shortest))
        });
        folder.put_table("components.csv", data.x_names.iter().cloned().chain(both), rows)?;
    }
    let (pictures, page) = report(run, data, answer, paths);
    folder.put_report(&pictures, &page)
}

/// Writes `predictions.csv`.
pub(super) fn put_predictions(folder: &OutputFolder, keys: &RowKeys, answer: &Answer) -> Result<(), Failure> {
    let rows = answer.predictions.iter();
    if answer.classes.is_empty() {
        let cells = |own: &Predicted| {
            let (mean, sd) = match (&own.new, &own.mean, &own.variance) {
                (Some(new), ..) => (new.mean, new.sd_of_function),
                // Without a noise that is known, there is the function alone.
                (None, mean, variance) => (mean.all()[0], variance.all()[0].sqrt()),
            };
            let figures = own.new.as_ref().map(|new| new.figures);
            NewOutcome::cells(figures, Some(mean), Some(sd))
        };
        return keys.put(folder, NAME, NewOutcome::columns(answer.level), rows.map(cells));
    }
    let p = answer.classes.iter().map(|class| format!("p_{class}"));
    let second = Some(&answer.classes).filter(|all| all.len() == 2).map(|all| &all[1]);
    let names = answer.level.names();
    let ends = second.into_iter().flat_map(|class| names.each_ref().map(|end| format!("p_{class}_{end}")));
    let cells = |own: &Predicted| {
        let p = own.of_classes();
        let ends = match &own.function_interval {
            Values::One(ends) if answer.likelihood == "probit" => ends.map(normal_cdf).to_vec(),
            Values::One(ends) => ends.map(logistic).to_vec(),
            Values::Each(_) => Vec::new(),
        };
        let label = answer.classes.get(most_probable(&p)).cloned().unwrap_or_default();
        std::iter::once(label).chain(p.into_iter().chain(ends).map(shortest)).collect()
    };
    keys.put(folder, NAME, ["predicted".to_owned()].into_iter().chain(p).chain(ends), rows.map(cells))
}
