//! The page of `posterior dist fit`: the densities over the values, and quantiles beside quantiles.

use posterior::dist::text::AnyUnivariate;
use posterior::dist::{Density as _, Univariate as _};
use posterior_report::{Page, PageTable, Picture, Ribbon, TableColumn, histogram, ribbons};

use super::fitted::{Fit, Found, parameters};
use super::sample_input::Input;
use crate::failure::Failure;
use crate::output::{grouped, shortest, significant};
use crate::output_folder::OutputFolder;
use crate::pictures::{Pictures, bins, heights};
use crate::run::{Run, read_by_posterior};

/// Distributions whose densities are drawn.
const DRAWN: usize = 3;

/// Points of a picture of quantiles.
const POINTS: usize = 500;

/// What a run writes.
pub(super) const NAMES: &[&str] =
    &["families.csv", "parameters.csv", "densities.svg", "histogram.svg", "quantiles.svg", "report.html"];

/// Writes the tables, the report and its pictures.
pub(super) fn write(
    folder: &OutputFolder,
    run: &Run<'_>,
    input: &Input,
    found: &Found,
) -> Result<(), Failure> {
    let header = ["family", "distribution", "ln_likelihood", "aic", "bic", "behind"].map(str::to_owned);
    let rows = found.fits.iter().map(|fit| {
        let numbers = [fit.own.ln_likelihood, fit.own.aic, fit.own.bic, fit.behind].map(shortest);
        [fit.family.to_owned(), fit.own.distribution.to_string()]
            .into_iter()
            .chain(numbers)
            .collect::<Vec<_>>()
    });
    folder.put_table("families.csv", header, rows)?;
    let [low, high] = found.level.names();
    let header =
        ["family", "parameter", "value", "standard_error"].map(str::to_owned).into_iter().chain([low, high]);
    let rows = parameters(found, shortest).into_iter().map(|mut row| {
        // The name of the parameter alone.
        row[1] = row[1].split_once(' ').map_or_else(String::new, |(_, name)| name.to_owned());
        row
    });
    folder.put_table("parameters.csv", header, rows)?;
    let (pictures, page) = report(run, input, found);
    folder.put_report(&pictures, &page)
}

fn report(run: &Run<'_>, input: &Input, found: &Found) -> (Pictures, Page) {
    let best = &found.fits[0];
    let mut page = Page::new("Fitted distributions", format!("{} fits {} best", best.family, input.y));
    let count = grouped(input.sample.observations().len() as u64);
    let censored = match input.censored {
        0 => String::new(),
        some => format!(", of which {} are known to be more than the table says", grouped(some as u64)),
    };
    page.standfirst.push(format!(
        "{count} values{censored}. By maximum likelihood; {}.",
        match found.fits.get(1) {
            Some(next) =>
                format!("{} is {} behind by Akaike's criterion", next.family, significant(next.behind)),
            None => "no other distribution was fitted".to_owned(),
        }
    ));
    page.standfirst.extend(found.test.as_ref().map(|test| capital(&test.sentence()) + "."));
    page.standfirst.extend(input.notes.iter().map(|note| format!("Note: {note}.")));
    let densities = densities(input, found);
    page.figure(
        "Densities",
        "",
        &densities,
        "The densities, or the probabilities of counts, of the distributions that fit best.",
    );
    let bars = input.values.as_ref().map(|values| bars_of(input, values, &best.own.distribution));
    if let Some(bars) = &bars {
        page.figure(
            "Values",
            "",
            bars,
            format!("How often values lie where, and the density of {}.", written(best)),
        );
    }
    let quantiles = input.values.as_ref().map(|values| quantiles(&input.y, values, &best.own.distribution));
    if let Some(quantiles) = &quantiles {
        let caption = "Each value beside the one that the best distribution expects at its place; where it fits, they lie on the line.";
        page.figure("Quantiles", "", quantiles, caption);
    }
    page.facts = vec![
        ("Values".to_owned(), count),
        ("Best distribution".to_owned(), written(best)),
        ("ln likelihood".to_owned(), format!("{:.4}", best.own.ln_likelihood)),
    ];
    if let Some(Ok(answer)) = found.test.as_ref().map(|test| &test.answer) {
        page.facts.push(("p-value of its fit".to_owned(), significant(answer.p_value)));
    }
    let rows = found.fits.iter().map(|fit| {
        let numbers =
            [fit.own.ln_likelihood, fit.own.aic, fit.behind, fit.own.bic].map(|own| format!("{own:.2}"));
        std::iter::once(fit.family.to_owned()).chain(numbers).collect()
    });
    let table = PageTable::new(["distribution", "ln likelihood", "AIC", "behind", "BIC"], rows);
    let text = "AIC and BIC are low where a distribution fits well for its number of parameters; behind is the distance from the lowest AIC.";
    page.section("Distributions", text, table);
    let [low, high] = found.level.names();
    let rows = parameters(found, significant).into_iter().map(|row| row[1..].to_vec());
    let table = PageTable::new(["parameter", "value", "standard error", &low, &high], rows);
    page.section("Parameters", "Intervals are those of the profile likelihood.", table);
    if !found.refused.is_empty() {
        let rows = found.refused.iter().map(|own| vec![own.family.to_owned(), own.reason.clone()]);
        page.section(
            "Not fitted",
            "",
            PageTable {
                columns: ["distribution", "why"].map(TableColumn::text).to_vec(),
                rows: rows.collect(),
            },
        );
    }
    run.sign(&mut page, read_by_posterior(&input.source), &[("column", &input.y)]);
    (Pictures::of([("densities", Some(densities)), ("histogram", bars), ("quantiles", quantiles)]), page)
}

/// The sentence with a capital.
fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The distribution with its parameters to four digits.
fn written(fit: &Fit) -> String {
    let parameters: Vec<String> = fit.own.parameters.iter().map(|own| significant(own.value)).collect();
    format!("{}({})", fit.family, parameters.join(", "))
}

/// What the picture shows of a distribution: the range of the values, and some more.
fn shown(input: &Input) -> (f64, f64) {
    let (low, high) = input.range;
    let more = 0.1 * (high - low).max(1e-3 * high.abs());
    let start = if low >= 0.0 { (low - more).max(0.0) } else { low - more };
    (start, high + more)
}

/// The density at points of a range; at the whole numbers for counts.
fn curve(distribution: &AnyUnivariate, (low, high): (f64, f64)) -> Vec<(f64, f64)> {
    let points: Vec<f64> = if distribution.is_discrete() {
        let step = ((high - low) / 400.0).ceil().max(1.0);
        let last = ((high - low.ceil()) / step).max(0.0) as u32;
        (0..=last).map(|i| low.ceil() + step * f64::from(i)).collect()
    } else {
        (0..=400).map(|i| low + (high - low) * (f64::from(i) + 0.5) / 401.0).collect()
    };
    let density = |x: f64| (x, distribution.ln_pdf(&x).exp());
    points.into_iter().map(density).filter(|point| point.1.is_finite()).collect()
}

fn densities(input: &Input, found: &Found) -> Picture {
    let line =
        |distribution: &AnyUnivariate, name: &str| Ribbon::line(name, curve(distribution, shown(input)));
    let lines: Vec<Ribbon> =
        found.fits.iter().take(DRAWN).map(|fit| line(&fit.own.distribution, fit.family)).collect();
    ribbons((&input.y, "density"), &lines, &[], None)
}

/// A histogram of the values as a density, and the density of the distribution over it.
fn bars_of(input: &Input, values: &[f64], distribution: &AnyUnivariate) -> Picture {
    let (low, high) = input.range;
    let edges: Vec<f64> = if distribution.is_discrete() {
        let width = ((high - low + 1.0) / 40.0).ceil().max(1.0);
        let bins = ((high - low + 1.0) / width).ceil() as usize;
        (0..=bins).map(|i| low - 0.5 + width * i as f64).collect()
    } else {
        let bins = bins(values.len());
        let width = (high - low).max(1e-9 * high.abs()).max(f64::MIN_POSITIVE) / bins as f64;
        (0..=bins).map(|i| low + width * i as f64).collect()
    };
    let ends = (edges[0], edges[edges.len() - 1]);
    histogram(&input.y, &edges, &heights(values, &edges), &[curve(distribution, ends)])
}

/// Values beside quantiles of the distribution, for at most so many of them.
fn quantiles(name: &str, values: &[f64], distribution: &AnyUnivariate) -> Picture {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let every = n.div_ceil(POINTS);
    let points: Vec<(f64, f64)> = (0..n)
        .step_by(every)
        .map(|i| (distribution.quantile((i as f64 + 0.5) / n as f64), sorted[i]))
        .filter(|point| point.0.is_finite())
        .collect();
    let ends = [sorted[0], sorted[n - 1]];
    let line = Ribbon::line("", ends.map(|x| (x, x)));
    ribbons(("expected", name), &[line], &points, None)
}
