//! What a calibration leaves: the ranks as a table, and a page with their histograms.

use posterior::sampling::calibration::{CalibrationReport, Ranks};
use posterior_report::{
    BandPoint, Card, Figure, Page, PageTable, Picture, ecdf_difference, small_ecdf_difference,
    small_histogram,
};

use crate::failure::{Failure, refused};
use crate::output::significant;
use crate::output_folder::OutputFolder;
use crate::run::{MADE, Run};

/// What a run writes.
pub(super) const NAMES: &[&str] = &["ranks.csv", "report.html"];

/// How often a right program with a right sampler is refused.
pub(super) const LEVEL: f64 = 0.01;

/// How many times as long a chain becomes whose draws are not yet independent.
pub(super) const LONGEST: usize = 32;

/// Quantities with pictures.
const SHOWN: usize = 24;

/// The probability that all ranks of a quantity are inside its band.
const BAND: f64 = 0.95;

/// Writes everything that a run leaves in `folder`.
pub(super) fn write(
    folder: &OutputFolder,
    run: &Run<'_>,
    report: &CalibrationReport,
    dependent: usize,
) -> Result<(), Failure> {
    let all = &report.quantities;
    let header = std::iter::once("simulation").chain(all.iter().map(Ranks::name));
    let simulations = all.first().map_or(0, Ranks::simulations);
    let rows = (0..simulations).map(|place| {
        let ranks = all.iter().map(|own| own.ranks()[place].to_string());
        std::iter::once((place + 1).to_string()).chain(ranks).collect::<Vec<_>>()
    });
    folder.put_table("ranks.csv", header, rows)?;
    folder.put_text("report.html", &page(run, report, dependent)?.html())
}

/// That chains did not get through some posteriors, and what it does to the ranks.
pub(super) fn dependent(count: usize, simulations: usize) -> String {
    format!(
        "in {count} of {simulations} simulations the draws stayed dependent in chains {LONGEST} times as long: their ranks pile up \
         at both ends, whatever the program is; more --num-samples, --adapt-delta nearer to 1, or other parameters"
    )
}

fn page(run: &Run<'_>, report: &CalibrationReport, dependent: usize) -> Result<Page, Failure> {
    let mut order: Vec<&Ranks> = report.quantities.iter().collect();
    order.sort_by(|a, b| a.p_value().total_cmp(&b.p_value()));
    let headline = match order.first() {
        Some(worst) if !report.passes(LEVEL) => format!("The ranks of {} are not uniform", worst.name()),
        _ => "Nothing speaks against the program and its sampler".to_owned(),
    };
    let mut page = Page::new("Simulation-based calibration", headline);
    let (simulations, draws) = order.first().map_or((0, 0), |own| (own.simulations(), own.draws()));
    page.standfirst.push(format!(
        "In each of {simulations} simulations parameters are drawn from the prior, data from the parameters, and {draws} draws from \
         the posterior of the data. The rank of the simulated parameter among them is uniform if the program is the model that \
         simulates, and its posterior is found."
    ));
    if dependent > 0 {
        page.standfirst.push(format!("But {}", self::dependent(dependent, simulations)));
    }
    let cards = order.iter().take(SHOWN).map(|own| card(own)).collect::<Result<Vec<_>, _>>()?;
    if let Some(worst) = order.first() {
        let caption = format!(
            "The distribution function of the ranks of {}, less that of uniform ones, in its band of {BAND}.",
            worst.name()
        );
        page.lead = Some(Figure::new(difference(ecdf_difference, worst)?, caption));
    }
    let text = "The histogram, with a line at what uniform ranks expect: a slope is a posterior that is too high or too low, a hill one \
                that is too wide, a valley one that is too narrow. Beside it the difference of the distribution functions.";
    page.section("The quantities, the worst first", text, cards);
    let columns =
        ["quantity", "mean rank", "in 50 %", "in 90 %", "p of the histogram", "p of the distribution"];
    let row = |own: &&Ranks| {
        let coverage =
            |level| own.coverage(level).map_or_else(|_| "–".to_owned(), |own| significant(own.rate()));
        vec![
            own.name().to_owned(),
            significant(own.mean()),
            coverage(0.5),
            coverage(0.9),
            significant(own.chi_square_p_value()),
            significant(own.ecdf_p_value()),
        ]
    };
    page.section("The figures", "Of all quantities.", PageTable::new(columns, order.iter().map(row)));
    run.sign(&mut page, MADE, &[("simulations", &simulations), ("draws", &draws)]);
    Ok(page)
}

fn card(own: &Ranks) -> Result<Card, Failure> {
    let coverage = own.coverage(0.9).map_or_else(|_| "–".to_owned(), |own| significant(own.rate()));
    Ok(Card {
        title: own.name().to_owned(),
        meta: format!(
            "mean rank {} · {coverage} in intervals of 90 % · p {}",
            significant(own.mean()),
            significant(own.p_value())
        ),
        pictures: vec![histogram(own)?, difference(small_ecdf_difference, own)?],
    })
}

/// Counts of as many bins as expect ten simulations, and what uniform ranks expect.
fn histogram(own: &Ranks) -> Result<Picture, Failure> {
    let bins = own.bins();
    let counts: Vec<f64> =
        own.histogram(bins).map_err(refused)?.into_iter().map(|count| count as f64).collect();
    let expected = own.expected_histogram(bins).map_err(refused)?;
    let edge = |bin: usize| bin as f64 / bins as f64;
    let edges: Vec<f64> = (0..=bins).map(edge).collect();
    let line: Vec<(f64, f64)> = expected
        .iter()
        .enumerate()
        .flat_map(|(bin, &count)| [(edge(bin), count), (edge(bin + 1), count)])
        .collect();
    Ok(small_histogram(own.name(), &edges, &counts, &[line]))
}

/// A way to draw differences of distribution functions in their band.
type Drawn = fn(&str, &[Vec<(f64, f64)>], &[BandPoint]) -> Picture;

fn difference(draw: Drawn, own: &Ranks) -> Result<Picture, Failure> {
    let band = own.band(BAND).map_err(refused)?;
    let points = |ends: (&f64, (&f64, &f64))| BandPoint { x: *ends.0, low: *ends.1.0, high: *ends.1.1 };
    let shown: Vec<BandPoint> =
        band.points.iter().zip(band.lower.iter().zip(&band.upper)).map(points).collect();
    let curve: Vec<(f64, f64)> = band.points.iter().copied().zip(own.ecdf_difference()).collect();
    Ok(draw(own.name(), &[curve], &shown))
}
