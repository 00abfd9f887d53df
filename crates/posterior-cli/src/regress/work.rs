//! What a regression takes of the memory, known before it begins.

use crate::args::{Family, RegressFit};
use crate::failure::Failure;
use crate::output::grouped;
use crate::table::Table;

/// Designs that are held at a time: as read, of the places, in standard units, of the fit and of its parts.
const DESIGNS: u64 = 6;

/// Square matrices of the coefficients that are held at a time.
const SQUARES: u64 = 6;

/// The bytes of what is said of one row, besides its design.
const OF_ROW: u64 = 160;

const NUMBER: u64 = 8;

const WAY_OUT: &str = "take fewer columns with --x, or their principal components (`posterior pca fit`)";

/// The most columns that features are made of.
const MOST_COLUMNS: usize = 100_000;

/// Refuses more columns than features are made of: the header says how many there are.
pub(super) fn few_columns(source: &str, columns: usize) -> Result<(), Failure> {
    if columns <= MOST_COLUMNS {
        return Ok(());
    }
    let (columns, most) = (grouped(columns as u64), grouped(MOST_COLUMNS as u64));
    let message = format!("{source}: {columns} columns that explain: expected at most {most}");
    Err(Failure::data(message).with_hint(WAY_OUT))
}

/// The memory for so many rows and features: the least that any family takes.
pub(super) fn of_rows(rows: usize, features: usize) -> u64 {
    let (rows, features) = (rows as u64, features as u64);
    rows.saturating_mul(features.saturating_add(1).saturating_mul(NUMBER * DESIGNS) + OF_ROW)
}

/// Refuses a fit that takes more than `--memory` allows.
pub(super) fn check(args: &RegressFit, table: &Table, features: usize, places: usize) -> Result<(), Failure> {
    let coefficients = match args.family {
        // A hidden unit has a weight for each feature.
        Family::Mlp => (features + 2).saturating_mul(usize::from(args.hidden)),
        _ => features + 1,
    } as u64;
    // In closed form the smaller side of the design decides.
    let coefficients = match args.family {
        Family::Gaussian => coefficients.min(table.len() as u64),
        _ => coefficients,
    };
    let square = coefficients.saturating_mul(coefficients).saturating_mul(NUMBER * SQUARES);
    let needed = of_rows(table.len().saturating_add(places), features).saturating_add(square);
    let (rows, columns) = (grouped(table.len() as u64), grouped(features as u64));
    table.memory.check(
        &format!("{}: a fit of {columns} features to {rows} rows takes", table.source),
        needed,
        WAY_OUT,
    )
}
