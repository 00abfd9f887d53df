//! Probabilities that come true: maps that are learned from rows which the model has not seen.

use posterior::evaluation::{CalibratedRow, CalibrationMethod, ClassCalibration};

use super::bayes::Said;
use super::recipe::{Recipe, row_weights};
use crate::failure::{Failure, refused};

/// The map of all held-out rows, and each fold of them mapped by the others.
pub(super) struct Calibrated {
    pub(super) map: ClassCalibration,
    pub(super) held_out: Vec<Said>,
}

/// Learns a map from what the models of the other folds say of each row. Rows that no class explains have no
/// probabilities and are left out.
pub(super) fn by_folds(
    method: CalibrationMethod,
    said: &[Said],
    (labels, classes): (&[usize], usize),
    recipe: &Recipe,
) -> Result<Calibrated, Failure> {
    if classes < 2 {
        return Err(Failure::data("one class: nothing to calibrate"));
    }
    let weights = row_weights(&recipe.weights, labels, classes)?;
    let map_of = |keep: &dyn Fn(usize) -> bool| {
        let there = said.iter().zip(labels).enumerate().filter(|(row, _)| keep(*row));
        let rows: Vec<CalibratedRow<'_>> = there
            .filter_map(|(row, (said, &class))| {
                let probabilities = said.as_deref()?;
                Some(CalibratedRow { probabilities, class, weight: weights[row] })
            })
            .collect();
        if rows.is_empty() {
            return Err(Failure::data("no row has probabilities to calibrate"));
        }
        ClassCalibration::fit(method, classes, &rows).map_err(refused)
    };
    let mut held_out = vec![None; said.len()];
    for fold in 0..recipe.folds {
        let map = map_of(&|row| row % recipe.folds != fold)?;
        for row in (fold..said.len()).step_by(recipe.folds) {
            held_out[row] = calibrated_row(&map, &said[row])?;
        }
    }
    Ok(Calibrated { map: map_of(&|_| true)?, held_out })
}

/// Each row as it is mapped.
pub(super) fn calibrated(map: &ClassCalibration, said: &[Said]) -> Result<Vec<Said>, Failure> {
    said.iter().map(|own| calibrated_row(map, own)).collect()
}

fn calibrated_row(map: &ClassCalibration, said: &Said) -> Result<Said, Failure> {
    said.as_deref().map(|own| map.calibrated(own)).transpose().map_err(refused)
}
