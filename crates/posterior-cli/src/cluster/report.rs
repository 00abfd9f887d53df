//! The page about groups: where they are, how many there should be, and how they agree with known ones.

use std::fmt::Write as _;

use posterior_report::{
    Ellipse, Figure, Page, PageTable, Picture, Ribbon, TableColumn, bars, histogram, pairs, ribbons, scatter,
};

use super::answer::{Agreement, Answer, Candidate, CountProportion};
use crate::failure::Failure;
use crate::output::{PARAMETERS_KNOWN, grouped, percent, shortest, significant};
use crate::output_folder::OutputFolder;
use crate::pictures::{Pictures, course};
use crate::rows_input::Rows;
use crate::run::{MADE, Run};

/// Coordinates that are shown against each other.
const MOST_PAIRS: usize = 5;

/// Points that a picture shows; more are thinned.
const MOST_POINTS: usize = 3000;

/// The page of a fit, and its pictures.
pub(super) fn report(run: &Run<'_>, data: &Rows, answer: &Answer) -> (Pictures, Page) {
    let columns = telling_columns(data, answer);
    let pictures = Pictures::of([
        ("groups", groups(data, answer, &columns)),
        ("trace", course(("step", objective(answer)), &answer.trace)),
        ("selection", (answer.selection.len() > 1).then(|| selection(&answer.selection))),
        ("number_of_groups", answer.posterior_of_k.as_deref().map(number_of_groups)),
    ]);
    let page = page(run, data, answer, &pictures, &columns);
    (pictures, page)
}

/// The posterior of the number of groups.
fn number_of_groups(posterior: &[CountProportion]) -> Picture {
    let mut heights = vec![0.0; posterior.last().map_or(0, |own| own.k)];
    for own in posterior.iter().filter(|own| own.k > 0) {
        heights[own.k - 1] = own.probability;
    }
    bars("Posterior of the number of groups", "groups; upwards their probability", &heights, &[], "")
}

/// The columns that tell the groups apart best: by the variance between them over that inside.
fn telling_columns(data: &Rows, answer: &Answer) -> Vec<usize> {
    let between = |column: usize| {
        let (mut inside, mut across, mut total) = (0.0, 0.0, 0.0);
        let all = data.values.column(column);
        let there = all.iter().enumerate().filter(|(_, value)| !value.is_nan());
        let (sum, count) =
            there.clone().fold((0.0, 0.0), |(sum, count), (_, value)| (sum + value, count + 1.0));
        let mean: f64 = sum / count;
        for (row, value) in there {
            let centre = answer.means[answer.assignments[row]][column] / data.scales[column];
            inside += (value - centre).powi(2);
            across += (centre - mean).powi(2);
            total += 1.0;
        }
        if total > 0.0 && inside > 0.0 { across / inside } else { 0.0 }
    };
    let mut order: Vec<(usize, f64)> =
        (0..data.names.len()).map(|column| (column, between(column))).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut columns: Vec<usize> = order.into_iter().take(MOST_PAIRS).map(|(column, _)| column).collect();
    columns.sort_unstable();
    columns
}

fn groups(data: &Rows, answer: &Answer, columns: &[usize]) -> Option<Picture> {
    let step = data.values.nrows().div_ceil(MOST_POINTS).max(1);
    let rows: Vec<usize> = (0..data.values.nrows()).step_by(step).collect();
    let of_row: Vec<usize> = rows.iter().map(|&row| answer.assignments[row]).collect();
    let column = |&column: &usize| -> Vec<f64> {
        rows.iter().map(|&row| data.values[(row, column)] * data.scales[column]).collect()
    };
    let values: Vec<Vec<f64>> = columns.iter().map(column).collect();
    let names: Vec<String> = columns.iter().map(|&column| data.names[column].clone()).collect();
    let ellipses = ellipses(answer, columns);
    match &values[..] {
        [] => None,
        [only] => Some(one_column(&names[0], only, answer)),
        [x, y] => {
            let points: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
            Some(scatter("Groups", (&names[0], &names[1]), &points, &of_row, &ellipses))
        }
        _ => Some(pairs("Groups", &names, &values, &of_row, &ellipses)),
    }
}

/// Of the groups that have rows.
fn ellipses(answer: &Answer, columns: &[usize]) -> Vec<Ellipse> {
    let sizes = answer.sizes();
    let shadow = |(group, covariance): (usize, &Vec<Vec<f64>>)| Ellipse {
        group,
        centre: columns.iter().map(|&column| answer.means[group][column]).collect(),
        covariance: columns.iter().map(|&i| columns.iter().map(|&j| covariance[i][j]).collect()).collect(),
    };
    answer.covariances.iter().enumerate().filter(|(group, _)| sizes[*group] > 0).map(shadow).collect()
}

/// A histogram, and the density of the mixture where there is one.
fn one_column(name: &str, values: &[f64], answer: &Answer) -> Picture {
    let (low, high) =
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
    let count = ((values.len() as f64).sqrt() * 2.0).ceil().clamp(8.0, 60.0) as usize;
    let width = if high > low { (high - low) / count as f64 } else { 1.0 };
    let edges: Vec<f64> = (0..=count).map(|i| low + width * i as f64).collect();
    let mut heights = vec![0.0; count];
    for value in values.iter().filter(|value| value.is_finite()) {
        let place = (((value - low) / width) as usize).min(count - 1);
        heights[place] += 1.0 / (values.len() as f64 * width);
    }
    let density = |x: f64| -> f64 {
        let parts = answer.covariances.iter().enumerate().map(|(group, covariance)| {
            let variance = covariance[0][0];
            let z = x - answer.means[group][0];
            answer.weights[group] * (-0.5 * z * z / variance).exp()
                / (std::f64::consts::TAU * variance).sqrt()
        });
        parts.sum()
    };
    let curve: Vec<(f64, f64)> =
        (0..=400).map(|i| low + (high - low) * f64::from(i) / 400.0).map(|x| (x, density(x))).collect();
    let lines = if answer.covariances.is_empty() { Vec::new() } else { vec![curve] };
    histogram(name, &edges, &heights, &lines)
}

/// What the trace shows.
fn objective(answer: &Answer) -> &'static str {
    match (answer.elbo, answer.inertia, answer.posterior_of_k.is_some()) {
        (Some(_), ..) => "evidence lower bound",
        (_, Some(_), _) => "sum of squared distances",
        (.., true) => "ln p of the state",
        _ => "ln likelihood",
    }
}

fn selection(candidates: &[Candidate]) -> Picture {
    let line = Ribbon::line("", candidates.iter().map(|own| (own.k as f64, own.score)));
    ribbons(("components", candidates[0].criterion), &[line], &[], None)
}

fn page(run: &Run<'_>, data: &Rows, answer: &Answer, pictures: &Pictures, columns: &[usize]) -> Page {
    let mut page = Page::new("Clusters", headline(answer));
    page.standfirst.push(standfirst(data, answer));
    if answer.takes_parameters_as_known() {
        page.standfirst.push(format!("{PARAMETERS_KNOWN}."));
    }
    let groups = pictures.get("groups");
    page.lead = groups.map(|picture| Figure::new(picture.clone(), caption(data, answer, columns)));
    page.facts = facts(answer);
    page.cautions(&answer.warnings);
    page.section("Groups", "With the mean of each column.", group_table(answer, columns));
    if let Some(agreement) = &answer.agreement {
        let text = format!("Rows of each {} in each group. The fit did not see them.", agreement.label);
        page.section("Against what was known", text, agreement_table(answer, agreement));
    }
    if let Some(picture) = pictures.get("selection") {
        let text = "Each number of components by itself, the best of its starts; the highest is taken.";
        page.figure("Number of components", text, picture, answer.selection[0].criterion);
    }
    if let Some(picture) = pictures.get("number_of_groups") {
        let text = "The proportion of the sampler's states with so many groups. A Dirichlet process favours a few small groups: read the number together with the sizes.";
        page.figure("Number of groups", text, picture, "Bars: posterior probabilities.");
    }
    if let Some(picture) = pictures.get("trace") {
        let text = if answer.posterior_of_k.is_some() {
            "It should look like noise around one level: a trend means that the sampler has not arrived."
        } else {
            "Each step of the best start; it never gets worse."
        };
        page.figure("Convergence", text, picture, "The objective after each step.");
    }
    let columns = answer.columns.join(", ");
    run.sign(&mut page, MADE, &[("data", &data.source), ("method", &answer.method), ("columns", &columns)]);
    page
}

fn headline(answer: &Answer) -> String {
    let groups = answer.sizes().iter().filter(|&&size| size > 0).count();
    format!("{groups} group{} in {} rows", if groups == 1 { "" } else { "s" }, grouped(answer.rows as u64))
}

// Writing to a string cannot fail, hence the results that are dropped.

fn standfirst(data: &Rows, answer: &Answer) -> String {
    let mut text = match answer.method.as_str() {
        "kmeans" => "Each row belongs to the nearest of the centres.".to_owned(),
        "dp" => "A Dirichlet process has as many components as the data ask for; the groups shown are the partition that is nearest to all that the sampler saw.".to_owned(),
        "gibbs-gmm" => "A Gaussian mixture by Gibbs sampling; the groups shown are the partition that is nearest to all that the sampler saw.".to_owned(),
        "vb-gmm" => "A Gaussian mixture by variational Bayes, in which components that the data do not need stay empty.".to_owned(),
        _ => "A mixture of Gaussian distributions: each row belongs to each component with a probability.".to_owned(),
    };
    if let Some(agreement) = &answer.agreement {
        let _ = write!(
            text,
            " Against the column {} the adjusted Rand index is {}: 1 for the same groups, 0 for what chance would do.",
            agreement.label,
            significant(agreement.adjusted_rand)
        );
    }
    if data.scales.iter().any(|&scale| scale != 1.0) {
        text.push_str(" Columns were divided by their standard deviations for the fit; numbers here are in their own units.");
    }
    text
}

fn caption(data: &Rows, answer: &Answer, columns: &[usize]) -> String {
    let mut text = match columns.len() {
        1 => "Bars: the data.".to_owned(),
        _ => "Dots: rows in the colours of their groups.".to_owned(),
    };
    if !answer.covariances.is_empty() {
        text.push_str(match columns.len() {
            1 => " Line: the density of the mixture.",
            _ => " Ellipses: two standard deviations of the components.",
        });
    }
    if columns.len() < data.names.len() {
        let _ = write!(
            text,
            " Of {} columns the {} are shown that tell the groups apart best.",
            data.names.len(),
            columns.len()
        );
    }
    if data.values.nrows() > MOST_POINTS {
        let _ = write!(text, " About {MOST_POINTS} of the rows are drawn.");
    }
    text
}

fn facts(answer: &Answer) -> Vec<(String, String)> {
    let mut facts = vec![
        ("Rows".to_owned(), grouped(answer.rows as u64)),
        ("Columns".to_owned(), answer.columns.len().to_string()),
        ("Method".to_owned(), answer.method.clone()),
    ];
    for (name, value) in [
        ("ln likelihood", answer.ln_likelihood),
        ("Evidence lower bound", answer.elbo),
        ("Sum of squared distances", answer.inertia),
    ] {
        facts.extend(value.map(|value| (name.to_owned(), significant(value))));
    }
    if let Some(agreement) = &answer.agreement {
        facts.push(("Adjusted Rand index".to_owned(), significant(agreement.adjusted_rand)));
    }
    let sure = answer.certainty.iter().filter(|&&p| p > 0.95).count() as f64 / answer.rows as f64;
    if answer.inertia.is_none() {
        facts.push(("Rows with more than 95 % in their group".to_owned(), percent(sure)));
    }
    facts
}

fn group_table(answer: &Answer, columns: &[usize]) -> PageTable {
    let names = columns.iter().map(|&column| answer.columns[column].as_str());
    let names = ["group", "rows", "weight"].into_iter().chain(names).map(TableColumn::number).collect();
    let sizes = answer.sizes();
    let rows = answer.means.iter().enumerate().map(|(group, mean)| {
        let first = [group.to_string(), grouped(sizes[group] as u64), significant(answer.weights[group])];
        first.into_iter().chain(columns.iter().map(|&column| significant(mean[column]))).collect()
    });
    PageTable { columns: names, rows: rows.collect() }
}

fn agreement_table(answer: &Answer, agreement: &Agreement) -> PageTable {
    let groups = (0..answer.means.len()).map(|group| format!("group {group}"));
    let rows =
        agreement.names.iter().zip(&agreement.table).map(|(name, row)| {
            std::iter::once(name.clone()).chain(row.iter().map(usize::to_string)).collect()
        });
    PageTable::new(std::iter::once(agreement.label.clone()).chain(groups), rows)
}

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] = &[
    "assignments.csv",
    "groups.csv",
    "model.json",
    "groups.svg",
    "trace.svg",
    "selection.svg",
    "number_of_groups.svg",
    "report.html",
];

/// Writes everything that a run leaves in `folder`.
pub(super) fn write(
    folder: &OutputFolder,
    run: &Run<'_>,
    data: &Rows,
    answer: &Answer,
) -> Result<(), Failure> {
    let label = data.groups.as_ref().map(|known| known.column.as_str());
    let rows = answer.assignments.iter().zip(&answer.certainty).enumerate();
    let rows = rows.map(|(row, (group, certainty))| {
        let known = data.groups.as_ref().map(|known| known.names[known.each[row]].clone());
        [data.keys.number(row).to_string(), group.to_string(), shortest(*certainty)].into_iter().chain(known)
    });
    folder.put_table("assignments.csv", ["row", "group", "probability"].into_iter().chain(label), rows)?;
    let names = answer.columns.iter().map(|name| format!("mean of {name}"));
    let sizes = answer.sizes();
    let groups = answer.means.iter().enumerate().map(|(group, mean)| {
        let first = [group.to_string(), sizes[group].to_string(), answer.weights[group].to_string()];
        first.into_iter().chain(mean.iter().copied().map(shortest))
    });
    let header = ["group", "rows", "weight"].map(str::to_owned).into_iter().chain(names);
    folder.put_table("groups.csv", header, groups)?;
    let (pictures, page) = report(run, data, answer);
    folder.put_report(&pictures, &page)
}
