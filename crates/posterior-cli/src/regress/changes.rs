//! The rows with one column changed.

use posterior::math::linalg::DMatrix;
use posterior::math::streaming::MeanVariance;
use posterior::table::DataFrame;

use super::coding::Coding;
use crate::failure::Failure;
use crate::output::shortest;

/// Steps of a number for its slope, in standard deviations of its column: the first that the terms allow.
const STEPS: [f64; 3] = [1e-4, 1e-6, 1e-8];

/// So many different numbers are levels, where no step is possible.
const MOST_LEVELS: usize = 20;

/// All rows with one column changed, down and up.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) name: String,
    pub(super) low: Rows,
    pub(super) high: Rows,
    /// How far it is from one to the other; 1 of labels.
    pub(super) width: f64,
}

/// A design with what is added to the predictor.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) design: DMatrix<f64>,
    pub(super) offsets: Option<Vec<f64>>,
}

impl Rows {
    fn of<S: AsRef<str>>(
        coding: &Coding,
        table: &DataFrame,
        name: &str,
        cells: &[S],
    ) -> Result<Self, Failure> {
        let table = table.with_cells(name, cells)?;
        Ok(Self { design: coding.design(&table)?, offsets: coding.offsets(&table)? })
    }
}

/// The changes of each column: a little of numbers, and each label instead of the first one.
pub(super) fn changes(coding: &Coding, table: &DataFrame) -> Result<Vec<Change>, Failure> {
    let mut changes = Vec::new();
    for (name, is_number) in coding.inputs() {
        if is_number {
            changes.extend(slope(coding, table, &name)?);
        } else {
            let levels = table.classes(&name)?.0;
            changes.extend(contrasts(coding, table, &name, &levels)?);
        }
    }
    Ok(changes)
}

fn slope(coding: &Coding, table: &DataFrame, name: &str) -> Result<Vec<Change>, Failure> {
    let numbers = table.complete_numbers(name)?;
    let sd = numbers.iter().copied().collect::<MeanVariance>().variance().sqrt();
    let unit = if sd > 0.0 { sd } else { 1.0 };
    let moved = |step: f64| {
        let cells: Vec<String> = numbers.iter().map(|own| shortest(own + step)).collect();
        Rows::of(coding, table, name, &cells)
    };
    let mut refused = None;
    for step in STEPS.map(|step| step * unit) {
        match (moved(-step), moved(step)) {
            (Ok(low), Ok(high)) => {
                return Ok(vec![Change { name: name.to_owned(), low, high, width: 2.0 * step }]);
            }
            (Err(failure), _) | (_, Err(failure)) => refused = Some(failure),
        }
    }
    // Numbers as levels.
    let levels = table.classes(name)?.0;
    match refused {
        Some(failure) if levels.len() > MOST_LEVELS => Err(failure),
        _ => contrasts(coding, table, name, &levels),
    }
}

fn contrasts(
    coding: &Coding,
    table: &DataFrame,
    name: &str,
    levels: &[String],
) -> Result<Vec<Change>, Failure> {
    let all = |level: &String| Rows::of(coding, table, name, &vec![level.as_str(); table.len()]);
    let Some((first, others)) = levels.split_first() else { return Ok(Vec::new()) };
    let contrast = |level: &String| {
        let name = format!("{name}: {level} less {first}");
        Ok(Change { name, low: all(first)?, high: all(level)?, width: 1.0 })
    };
    others.iter().map(contrast).collect()
}
