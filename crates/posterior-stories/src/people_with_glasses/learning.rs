//! The posterior after more and more people.

use std::io::Write;

use posterior::dist::{Bernoulli, Beta, Conjugate, Univariate};
use posterior::report::{Figure, Page, PageTable, density};

use super::{curve, first, ln_fair_against, mean_and_sd};
use crate::Outcome;

pub(super) fn learning(out: &mut dyn Write, prior: &Beta, page: &mut Page) -> Outcome<()> {
    writeln!(
        out,
        "What is known of the proportion of people with glasses, from 0 to 1, with a uniform prior\n"
    )?;
    writeln!(
        out,
        "{:>6} {:>5}  {:41} {:>6} {:>6}  {:^16} {:>8} {:>9}",
        "people", "with", "posterior", "mean", "sd", "95 % interval", "P(> 1/2)", "fair : ?"
    )?;
    let mut table = PageTable::with_columns(&[
        "people",
        "with glasses",
        "mean",
        "sd",
        "95 % interval",
        "P(> 1/2)",
        "fair against unknown",
    ]);
    let mut figures = Vec::new();
    for n in [0, 1, 2, 5, 10, 100, 1000] {
        let people = first(n)?;
        let posterior = Bernoulli::posterior(prior, &people)?;
        let (mean, sd) = mean_and_sd(&posterior);
        let interval = [posterior.quantile(0.025), posterior.upper_quantile(0.025)];
        let (more, fair) = (posterior.sf(0.5), ln_fair_against(prior, &people)?.exp());
        writeln!(
            out,
            "{n:6} {:5}  {:41} {mean:6.4} {sd:6.4}  [{:.4}, {:.4}] {more:8.4} {fair:9.3e}",
            people.sum()[0],
            cells(&posterior, 41),
            interval[0],
            interval[1],
        )?;
        table.rows.push(vec![
            n.to_string(),
            people.sum()[0].to_string(),
            format!("{mean:.4}"),
            format!("{sd:.4}"),
            format!("{:.4} to {:.4}", interval[0], interval[1]),
            format!("{more:.4}"),
            format!("{fair:.3e}"),
        ]);
        let caption = format!("After {n} people, {} with glasses.", people.sum()[0]);
        figures.push(Figure::new(density("proportion with glasses", &[curve(&posterior)]), caption));
    }
    page.section(
        "From nobody to a thousand people",
        "The posterior with a uniform prior: each has its own scale upwards.",
        figures,
    );
    let text = "The last column is by how much a fair coin explains the people better than a coin of which nothing is known.";
    page.section("In numbers", text, table);
    Ok(())
}

/// The density on [0, 1] in so many cells, each as high as its probability is next to the largest.
fn cells(distribution: &Beta, cells: u32) -> String {
    const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let edge = |i: u32| f64::from(i) / f64::from(cells);
    let masses: Vec<f64> =
        (0..cells).map(|i| distribution.cdf(edge(i + 1)) - distribution.cdf(edge(i))).collect();
    let largest = masses.iter().copied().fold(0.0, f64::max);
    masses.iter().map(|mass| HEIGHTS[(8.0 * mass / largest).round() as usize]).collect()
}
