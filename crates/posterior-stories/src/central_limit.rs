//! How soon is a sum normal? The largest distance between the distribution function of a standardized sum and
//! the normal one, for more and more terms.
//!
//! Sums of uniform and of exponential numbers have closed distribution functions, so that nothing is drawn:
//! the distance falls with 1/n where the terms are symmetric and with 1/√n where they are skewed, with the
//! constants that Edgeworth's expansion has for both. Means of Cauchy numbers never come nearer. Prints the
//! distances, and how much less probable four standard deviations are in a sum of twelve uniform numbers.

use std::io::Write;

use posterior::dist::{Cauchy, Gamma, Normal, Univariate};
use posterior::report::{Figure, Page, PageTable, Ribbon, ribbons};

use crate::story::tell_table;
use crate::{Ending, Outcome, Sources};

const TERMS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written.
pub fn tell(out: &mut dyn Write, _: &Sources) -> Outcome<Ending> {
    let mut page = Page::new("Central limit theorem", "How soon is a sum normal?");
    distances(out, &mut page)?;
    tails(out, &mut page)?;
    let z = || (-350..=350).map(|i| f64::from(i) / 100.0);
    let density = |n: usize| {
        let sd = (n as f64 / 12.0).sqrt();
        let value = move |z: f64| sd * splines(n, n as f64 / 2.0 + z * sd).first().copied().unwrap_or(0.0);
        Ribbon::line(format!("{n}"), z().map(move |z| (z, value(z))))
    };
    let picture =
        ribbons(("standard deviations from the mean", "density"), &[1, 2, 3, 12].map(density), &[], None);
    page.section(
        "Boxes, triangles, bells",
        "Densities of standardized sums of one, two, three and twelve uniform numbers.",
        Figure::new(picture, "They are splines: pieces of polynomials that join smoothly."),
    );
    "Closed distribution functions; nothing is drawn.".clone_into(&mut page.source);
    Ok(Ending::Completed(page))
}

/// The B-splines of degree n - 1 on the integers, at x, x - 1, ... x - n: the density of a sum of n uniform
/// numbers there. All terms are positive, so that no digits cancel.
fn splines(n: usize, x: f64) -> Vec<f64> {
    let at = |shift: usize| x - shift as f64;
    let mut values: Vec<f64> =
        (0..=n).map(|shift| f64::from(u8::from((0.0..1.0).contains(&at(shift))))).collect();
    for order in 2..=n {
        for shift in 0..=n {
            let next = values.get(shift + 1).copied().unwrap_or(0.0);
            let sum = at(shift) * values[shift] + (order as f64 - at(shift)) * next;
            values[shift] = sum / (order - 1) as f64;
        }
    }
    values
}

/// The distribution function of a sum of n uniform numbers.
fn cdf_of_uniform_sum(n: usize, x: f64) -> f64 {
    if x >= n as f64 { 1.0 } else { splines(n + 1, x).iter().sum() }
}

/// The largest distance from the standard normal distribution function.
fn distance(cdf: impl Fn(f64) -> f64) -> Outcome<f64> {
    let normal = Normal::mean_sd(0.0, 1.0)?;
    let places = (-4000..=4000).map(|i| f64::from(i) / 1000.0);
    Ok(places.map(|z| (cdf(z) - normal.cdf(z)).abs()).fold(0.0, f64::max))
}

fn distances(out: &mut dyn Write, page: &mut Page) -> Outcome<()> {
    // The Cauchy distribution has no variance: it is scaled to the quartiles of the normal one.
    let cauchy = Cauchy::new(0.0, Normal::mean_sd(0.0, 1.0)?.quantile(0.75))?;
    let of_cauchy = distance(|z| cauchy.cdf(z))?;
    let names = ["terms", "uniform", "times n", "exponential", "times \u{221a}n", "Cauchy"];
    let mut table = PageTable::with_columns(&names);
    let (mut symmetric, mut skewed) = (Vec::new(), Vec::new());
    for n in TERMS {
        let (count, sd) = (n as f64, (n as f64 / 12.0).sqrt());
        let uniform = distance(|z| cdf_of_uniform_sum(n, count / 2.0 + z * sd))?;
        let sum = Gamma::shape_rate(count, 1.0)?;
        let exponential = distance(|z| sum.cdf(count + z * count.sqrt()))?;
        let cells = [uniform, uniform * count, exponential, exponential * count.sqrt(), of_cauchy];
        let cells = cells.iter().map(|value| format!("{value:.5}"));
        table.rows.push([n.to_string()].into_iter().chain(cells).collect());
        symmetric.push((count.log2(), uniform.log10()));
        skewed.push((count.log2(), exponential.log10()));
        if n == 64 {
            page.fact("distance of 64 uniform numbers", format!("{uniform:.5}"));
            page.fact("of 64 exponential ones", format!("{exponential:.5}"));
        }
    }
    let ends = TERMS.map(|n| ((n as f64).log2(), of_cauchy.log10()));
    let lines = [
        Ribbon::line("uniform", symmetric),
        Ribbon::line("exponential", skewed),
        Ribbon::line("Cauchy, the mean", ends),
    ];
    page.lead = Some(Figure::new(
        ribbons(("log2 of the number of terms", "log10 of the largest distance"), &lines, &[], None),
        "The largest distance between the distribution function of a standardized sum and the normal one.",
    ));
    let text = "Skewness costs most, and it falls with the root of the number of terms; without it the distance falls with the number itself. The mean of \
               Cauchy numbers has the distribution of one of them.";
    tell_table(out, page, "Largest distances from the normal distribution", text, table)
}

/// Twelve uniform numbers less six: once a way to draw normal numbers.
fn tails(out: &mut dyn Write, page: &mut Page) -> Outcome<()> {
    let normal = Normal::mean_sd(0.0, 1.0)?;
    let mut table = PageTable::with_columns(&[
        "standard deviations",
        "beyond, twelve uniform",
        "beyond, normal",
        "ratio",
    ]);
    for z in 1..=5 {
        let z = f64::from(z);
        let (sum, exact) = (cdf_of_uniform_sum(12, 6.0 - z), normal.cdf(-z));
        let cells = [format!("{sum:.3e}"), format!("{exact:.3e}"), format!("{:.3}", sum / exact)];
        table.rows.push([format!("{z}")].into_iter().chain(cells).collect());
    }
    let text = "The middle is normal long before the ends are: twelve uniform numbers less six were once drawn for normal ones, and are hardly ever far out.";
    tell_table(out, page, "The ends come last", text, table)
}
