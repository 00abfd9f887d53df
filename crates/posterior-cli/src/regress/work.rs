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
    let square = coefficients.saturating_mul(coefficients).saturating_mul(NUMBER * SQUARES);
    let needed = of_rows(table.len().saturating_add(places), features).saturating_add(square);
    let (rows, columns) = (grouped(table.len() as u64), grouped(features as u64));
    table.memory.check(
        &format!("{}: a fit of {columns} features to {rows} rows takes", table.source),
        needed,
        "take fewer columns with --x, or their principal components (`posterior pca fit`)",
    )
}
