//! What a regression takes of the memory, known before it begins.

use posterior::table::DataFrame;

use super::naming::Naming;
use crate::args::{Family, RegressEngine, RegressFit};
use crate::failure::Failure;
use crate::output::grouped;

/// Designs that are held at a time: as read, of the places, in standard units, of the fit and of its parts.
const DESIGNS: u64 = 6;

/// Square matrices of the coefficients that are held at a time.
const SQUARES: u64 = 6;

/// The bytes of what is said of one row, besides its design.
const OF_ROW: u64 = 160;

const NUMBER: u64 = 8;

/// What helps where there are too many columns.
fn way_out(naming: Naming) -> String {
    format!("{}, or principal components of the columns (`posterior pca fit`)", naming.fewer())
}

/// The most columns that features are made of.
const MOST_COLUMNS: usize = 100_000;

/// Refuses more columns than features are made of: the header says how many there are.
pub(super) fn few_columns(source: &str, columns: usize, naming: Naming) -> Result<(), Failure> {
    if columns <= MOST_COLUMNS {
        return Ok(());
    }
    let (columns, most) = (grouped(columns as u64), grouped(MOST_COLUMNS as u64));
    let message = format!("{source}: {columns} columns that explain: expected at most {most}");
    Err(Failure::data(message).with_hint(way_out(naming)))
}

/// The memory for so many rows and features: the least that any family takes.
pub(super) fn of_rows(rows: usize, features: usize) -> u64 {
    let (rows, features) = (rows as u64, features as u64);
    rows.saturating_mul(features.saturating_add(1).saturating_mul(NUMBER * DESIGNS) + OF_ROW)
}

/// Operations a second, of two threads or so.
const SPEED: f64 = 2e9;

/// A fit that takes longer than so many seconds says so before it begins.
const LONG: f64 = 10.0;

/// Steps to the mode; draws that are weighted, and of those that a coefficient is made of; gradients of the
/// sampler.
const STEPS: f64 = 15.0;
const WEIGHTED: f64 = 12_400.0;
const DRAWS: f64 = 8_000.0;
const GRADIENTS: f64 = 50_000.0;

/// How long a fit of two classes or counts takes, where that is long: a rough guess, of its size alone.
pub(super) fn long(args: &RegressFit, rows: usize, features: usize) -> Option<String> {
    let (n, p) = (rows as f64, features as f64);
    // More columns than rows are as many as rows, and each coefficient is a combination of them.
    let d = p.min(n) + 1.0;
    let basis = if p > n { 4.0 * p * n * n } else { 0.0 };
    let mode = basis + STEPS * (n * d * d + d * d * d);
    let draws = if p > n { DRAWS * p * d } else { DRAWS * p };
    let weighted = mode + draws + 2.0 * WEIGHTED * n * d + 2.0 * DRAWS * d * d;
    let sampled = mode + draws + 4.0 * GRADIENTS * n * d;
    let (least, most) = match args.engine {
        Some(RegressEngine::Laplace) => (mode, mode),
        Some(RegressEngine::Nuts) => (sampled, sampled),
        _ => (weighted, weighted + sampled),
    };
    let [least, most] = [least, most].map(|operations| operations / SPEED);
    let (columns, rows) = (grouped(features as u64), grouped(rows as u64));
    let what = format!("a fit of {columns} features to {rows} rows takes about {}", seconds(least));
    if most < LONG {
        None
    } else if most < 2.0 * least {
        Some(what)
    } else {
        Some(format!("{what}, and {} where it has to be sampled; --engine laplace is faster", seconds(most)))
    }
}

/// A length of time with one digit.
fn seconds(seconds: f64) -> String {
    let one_digit = |number: f64| {
        let unit = 10_f64.powf(number.max(1.0).log10().floor());
        grouped(((number / unit).round().max(1.0) * unit) as u64)
    };
    match seconds {
        few if few < 90.0 => format!("{} s", one_digit(few)),
        some if some < 5400.0 => format!("{} minutes", one_digit(some / 60.0)),
        many => format!("{} hours", one_digit(many / 3600.0)),
    }
}

/// Points of the hyperparameters at which rows are kept, of a long table, and the bytes of a row there.
const POINTS: u64 = 90;
const OF_POINT: u64 = 40;

/// Refuses a fit with effects that takes more than `--memory` allows.
pub(super) fn check_effects(args: &RegressFit, table: &DataFrame, places: usize) -> Result<(), Failure> {
    let points =
        if matches!(args.engine, Some(RegressEngine::Reml | RegressEngine::Ml)) { 1 } else { POINTS };
    let rows = (table.len() + places) as u64;
    let what = format!("{}: a fit with effects to {} rows takes", table.source, grouped(rows));
    let way_out = "--engine reml or ml keeps one point of the variances";
    Ok(table.memory.check(&what, rows.saturating_mul(points * OF_POINT), way_out)?)
}

/// Refuses a fit that takes more than `--memory` allows.
pub(super) fn check(
    args: &RegressFit,
    table: &DataFrame,
    features: usize,
    places: usize,
) -> Result<(), Failure> {
    let coefficients = match args.family {
        // A hidden unit has a weight for each feature.
        Family::Mlp => (features + 2).saturating_mul(usize::from(args.hidden)),
        _ => features + 1,
    } as u64;
    // Under a normal prior the smaller side of the design decides.
    let coefficients = match args.family {
        Family::Gaussian => coefficients.min(table.len() as u64),
        Family::Bernoulli | Family::Poisson | Family::NegativeBinomial | Family::Gamma => {
            coefficients.min(table.len() as u64 + 2)
        }
        _ => coefficients,
    };
    let square = coefficients.saturating_mul(coefficients).saturating_mul(NUMBER * SQUARES);
    let needed = of_rows(table.len().saturating_add(places), features).saturating_add(square);
    let (rows, columns) = (grouped(table.len() as u64), grouped(features as u64));
    Ok(table.memory.check(
        &format!("{}: a fit of {columns} features to {rows} rows takes", table.source),
        needed,
        &way_out(Naming::of(args)),
    )?)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Area, Cli, RegressVerb};

    fn output(engine: &[&str], rows: usize, features: usize) -> Option<String> {
        let words = ["posterior", "regress", "fit", "a.csv"].iter().chain(engine);
        let Some(Area::Regress(RegressVerb::Fit(args))) = Cli::parse_from(words).area else {
            panic!("another verb")
        };
        long(&args, rows, features)
    }

    #[test]
    fn only_long_fits_are_announced() {
        assert_eq!(output(&[], 500, 5), None);
        assert_eq!(output(&["--engine", "laplace"], 200, 20_000), None);
        let wide = output(&[], 200, 20_000).unwrap();
        assert!(wide.starts_with("a fit of 20,000 features to 200 rows takes about 20 s"), "{wide}");
        assert!(output(&["--engine", "nuts"], 100_000, 1000).unwrap().ends_with("3 hours"));
    }

    #[test]
    fn times_have_one_digit() {
        assert_eq!([0.2, 14.0, 100.0, 7000.0].map(seconds), ["1 s", "10 s", "2 minutes", "2 hours"]);
    }
}
