//! The page about components: where rows lie, how much is explained, what the components are made of.

use posterior_report::{Figure, Page, PageTable, Picture, bars, scatter};

use super::method::{Data, Found};
use super::transform::SCORES;
use crate::args::{PcaFit, PcaMethod, name};
use crate::failure::Failure;
use crate::output::{grouped, percent, shortest, significant};
use crate::output_folder::OutputFolder;
use crate::pictures::Pictures;
use crate::run::{Run, read_by_posterior};

/// Rows of the table of components.
const ROWS: usize = 200;

/// The proportion of each component, and their running sum.
fn scree(found: &Found) -> Picture {
    let proportions: Vec<f64> = found.proportions().iter().map(|proportion| 100.0 * proportion).collect();
    let sums: Vec<f64> = proportions
        .iter()
        .scan(0.0, |sum, proportion| {
            *sum += proportion;
            Some(*sum)
        })
        .collect();
    bars("explained variance", "component; upwards per cent of the variance", &proportions, &sums, "together")
}

/// The rows along the first two components, if there are two.
fn plane(data: &Data, found: &Found) -> Option<Picture> {
    if found.scores.ncols() < 2 {
        return None;
    }
    let points: Vec<(f64, f64)> = found.scores.row_iter().map(|row| (row[0], row[1])).collect();
    let groups = data.rows.groups.as_ref().map_or(&[][..], |groups| &groups.each);
    Some(scatter("scores", ("component 1", "component 2"), &points, groups, &[]))
}

/// The page of an analysis, and its pictures.
pub(super) fn report(run: &Run<'_>, args: &PcaFit, data: &Data, found: &Found) -> (Pictures, Page) {
    let mut page = Page::new("Principal components", headline(args, found));
    page.standfirst.push(standfirst(args, data, found));
    page.standfirst.extend(found.warnings.iter().map(|warning| format!("Note: {warning}.")));
    let (scree, plane) = (scree(found), plane(data, found));
    let of_scree = "The proportion of each component in the variance of all columns; the line is their sum.";
    match &plane {
        Some(picture) => {
            page.lead = Some(Figure::new(picture.clone(), caption(data)));
            page.figure("Explained variance", "", &scree, of_scree);
        }
        None => page.lead = Some(Figure::new(scree.clone(), of_scree)),
    }
    page.facts = facts(data, found);
    let text = "The part of each column in each component; the sign of a component is free, and its largest part is positive.";
    page.section("Loadings", text, components(data, found));
    let scaled = if args.scale { "yes" } else { "no" };
    run.sign(
        &mut page,
        read_by_posterior(&data.rows.source),
        &[("method", &name(args.method)), ("columns divided by their standard deviation", &scaled)],
    );
    (Pictures::of([("scree", Some(scree)), ("scores", plane)]), page)
}

fn headline(args: &PcaFit, found: &Found) -> String {
    let k = found.variances.len();
    let sum: f64 = found.proportions().iter().sum();
    let what = if args.method == PcaMethod::Factor { "factor" } else { "component" };
    match found.bound {
        Some((_, effective)) => format!("{effective} of {k} components are needed"),
        None if k == 1 => format!("One {what} explains {} of the variance", percent(sum)),
        None => format!("{k} {what}s explain {} of the variance", percent(sum)),
    }
}

fn standfirst(args: &PcaFit, data: &Data, found: &Found) -> String {
    let missing = data.observations.values().iter().filter(|x| x.is_nan()).count();
    let gaps =
        if missing == 0 { String::new() } else { format!(", {} cells missing", grouped(missing as u64)) };
    let method = match args.method {
        PcaMethod::Pca => "Directions of most variance, by singular values.",
        PcaMethod::Ppca => "Probabilistic components with noise of one variance, by maximum likelihood.",
        PcaMethod::Bayesian => {
            "Components under a prior that switches off those the data do not need, by variational inference."
        }
        PcaMethod::Factor => "Factors with noise of a variance for each column, by maximum likelihood.",
    };
    let chosen = if args.k.is_none() && found.bound.is_none() {
        " Their number is the most probable one (Minka)."
    } else {
        ""
    };
    let rows = grouped(data.observations.len() as u64);
    format!("{rows} rows of {} columns{gaps}. {method}{chosen}", data.rows.names.len())
}

fn caption(data: &Data) -> String {
    match &data.rows.groups {
        None => "Each point is a row, at its place along the first two components.".to_owned(),
        Some(groups) => format!(
            "Each point is a row, at its place along the first two components; colours are {}: {}.",
            groups.column,
            groups.names.join(", ")
        ),
    }
}

fn facts(data: &Data, found: &Found) -> Vec<(String, String)> {
    let mut facts = vec![
        ("Rows".to_owned(), grouped(data.observations.len() as u64)),
        ("Columns".to_owned(), data.rows.names.len().to_string()),
        ("Components".to_owned(), found.variances.len().to_string()),
    ];
    facts.extend(found.ln_likelihood.map(|value| ("ln likelihood".to_owned(), format!("{value:.4}"))));
    facts.extend(found.bound.map(|(value, _)| ("ln evidence, at least".to_owned(), format!("{value:.4}"))));
    if let [noise] = found.noise.as_slice() {
        facts.push(("Noise variance".to_owned(), significant(*noise)));
    }
    facts
}

fn components(data: &Data, found: &Found) -> PageTable {
    let each = found.noise.len() == data.rows.names.len() && data.rows.names.len() > 1;
    let names = (1..=found.components.ncols()).map(|j| j.to_string());
    let names = names.chain(each.then(|| "noise variance".to_owned()));
    let row = |(t, name): (usize, &String)| {
        let own = found.components.row(t).iter().map(|&x| significant(x)).collect::<Vec<_>>();
        let noise = each.then(|| significant(found.noise[t]));
        std::iter::once(name.clone()).chain(own).chain(noise).collect()
    };
    let rows = data.rows.names.iter().enumerate().take(ROWS).map(row);
    PageTable::new(std::iter::once("column".to_owned()).chain(names), rows)
}

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] =
    &["model.json", "scores.csv", "components.csv", "scree.svg", "scores.svg", "report.html"];

/// Writes the tables, the report and its pictures.
pub(super) fn write(
    folder: &OutputFolder,
    run: &Run<'_>,
    args: &PcaFit,
    data: &Data,
    found: &Found,
) -> Result<(), Failure> {
    let names = || (1..=found.scores.ncols()).map(|j| format!("component_{j}"));
    let rows = found.scores.row_iter().map(|row| row.iter().copied().map(shortest).collect());
    data.rows.keys.put(folder, SCORES, names(), rows)?;
    let rows = data.rows.names.iter().enumerate().map(|(t, column)| {
        let fixed = [column.clone(), shortest(found.mean[t]), shortest(data.rows.scales[t])];
        fixed.into_iter().chain(found.components.row(t).iter().copied().map(shortest)).collect::<Vec<_>>()
    });
    let fixed = ["column", "mean", "scale"].map(str::to_owned);
    folder.put_table("components.csv", fixed.into_iter().chain(names()), rows)?;
    let (pictures, page) = report(run, args, data, found);
    folder.put_report(&pictures, &page)
}
