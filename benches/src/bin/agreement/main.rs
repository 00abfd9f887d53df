//! Writes `docs/agreement.md` to the standard output: engines held against each other, each row computed as
//! the program runs.

mod decisions;
mod distributions;
mod gaussian_processes;
mod mathematics;
mod mixtures;
mod networks;
mod regression;
mod row;
mod samplers;
mod sequences;
mod state_space;
mod topics;

use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, Write as _};

use row::{Measure, Row, Rows};

/// A heading, and what computes the rows below it.
type Part = (&'static str, fn() -> Rows);

/// Parts of the page, from the lowest layer up.
const PARTS: [Part; 11] = [
    ("Derivatives and optimisers", mathematics::rows),
    ("Conjugacy and Gaussian algebra", distributions::rows),
    ("Message passing", networks::rows),
    ("Monte Carlo", samplers::rows),
    ("State space", state_space::rows),
    ("Mixtures", mixtures::rows),
    ("Regression", regression::rows),
    ("Gaussian processes", gaussian_processes::rows),
    ("Sequences", sequences::rows),
    ("Decisions", decisions::rows),
    ("Topics", topics::rows),
];

const INTRODUCTION: &str = "# Agreement

Which engines were held against which, on what, and how far apart they came out. Every row is computed by `cargo xtask agreement`,
which writes this page, through the public interface and from fixed seeds; the bounds in the last column are asserted by the tests of
the crate, on more cases than here.
";

const LEGEND: &str = "
*Numbers* counts what was compared. A *difference* is relative above 1 and absolute below; a *gap* is between a bound and what it
bounds, in nats, and is never negative where the bound holds; *s.e.* are Monte Carlo standard errors, of which the largest of many
numbers is shown; *p* is the p-value of a chi-square test, of which small ones are bad.
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut parts = Vec::new();
    for (title, rows) in PARTS {
        parts.push((title, rows().map_err(|error| format!("{title}: {error}"))?));
    }
    let mut page = INTRODUCTION.to_owned();
    page.push_str(&summary(&parts));
    page.push_str(LEGEND);
    for (title, rows) in &parts {
        write!(
            page,
            "\n## {title}\n\n| what | one way | the other way | on | numbers | largest difference | asserted by the tests |\n\
             |---|---|---|---|--:|--:|---|\n"
        )?;
        for row in rows {
            write!(page, "{row}")?;
        }
    }
    io::stdout().write_all(page.as_bytes())?;
    Ok(())
}

/// How many pairs there are of each kind, and the worst of them.
fn summary(parts: &[(&str, Vec<Row>)]) -> String {
    let rows: Vec<&Row> = parts.iter().flat_map(|(_, rows)| rows).collect();
    let numbers: usize = rows.iter().map(|row| row.numbers).sum();
    let count = |of: fn(&Measure) -> bool| rows.iter().filter(|row| of(&row.measure)).count();
    let mut worst: Option<(f64, &Row)> = None;
    let (mut gap, mut errors, mut p) = (f64::INFINITY, 0.0_f64, 1.0_f64);
    for &row in &rows {
        match row.measure {
            Measure::Exact(value) if worst.is_none_or(|(most, _)| value > most) => worst = Some((value, row)),
            Measure::Gap(least, _) => gap = gap.min(least),
            Measure::StandardErrors(value) => errors = errors.max(value),
            Measure::PValue(value) => p = p.min(value),
            _ => {}
        }
    }
    let exact = worst.map_or(String::new(), |(value, row)| format!(": {value:.0e} ({})", row.what));
    format!(
        "\n**{} pairs, {numbers} numbers.**\n\n\
         - {} pairs of exact engines; the largest difference among them{exact}.\n\
         - {} pairs in which one route is a quadrature, a difference quotient or a search with a tolerance.\n\
         - {} pairs of a bound and what it bounds; {}.\n\
         - {} pairs in which one route is drawn: at most {errors:.1} standard errors, and no p-value below {p:.0e}.\n\
         - {} approximations, shown with their error.\n",
        rows.len(),
        count(|measure| matches!(measure, Measure::Exact(_))),
        count(|measure| matches!(measure, Measure::Numerical(_))),
        count(|measure| matches!(measure, Measure::Gap(..))),
        if gap > -1e-9 { "every bound holds" } else { "A BOUND IS BROKEN" },
        count(|measure| matches!(measure, Measure::StandardErrors(_) | Measure::PValue(_))),
        count(|measure| matches!(measure, Measure::Approximate(_))),
    )
}
