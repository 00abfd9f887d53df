//! A path of penalties: what each leaves of the coefficients, and which was taken.

use posterior_report::{BandPoint, Picture, Ribbon, ribbons};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{cell, shortest, significant};
use crate::output_folder::OutputFolder;

/// Coefficients whose paths are drawn.
const MOST_DRAWN: usize = 8;

/// The penalty that was taken, and what others would have left.
#[derive(Debug, Serialize)]
pub(super) struct PenaltyAnswer {
    /// Least deviance of held-out rows, the largest within one standard error of it, or given.
    pub(super) chosen_by: &'static str,
    /// λ, per standard deviation of a column.
    pub(super) value: f64,
    /// The proportion that is of absolute values.
    pub(super) mixing: f64,
    /// Coefficients that are not 0, but for the intercept, and of how many.
    pub(super) nonzero: usize,
    pub(super) columns: usize,
    pub(super) folds: usize,
    /// Of all penalties that were tried, from the largest on.
    pub(super) path: Vec<Step>,
    #[serde(skip)]
    pub(super) names: Vec<String>,
}

/// What a penalty leaves, and how it predicts.
#[derive(Debug, Serialize)]
pub(super) struct Step {
    pub(super) penalty: f64,
    pub(super) nonzero: usize,
    pub(super) deviance: f64,
    /// The mean deviance of held-out rows, and its standard error.
    pub(super) held_out_deviance: f64,
    pub(super) held_out_error: f64,
    /// Per standard deviation of a column, without the intercept.
    #[serde(skip)]
    pub(super) coefficients: Vec<f64>,
}

impl PenaltyAnswer {
    /// In one line.
    pub(super) fn words(&self) -> String {
        let how = match self.chosen_by {
            "best" => format!("the least deviance of held-out rows, {} folds", self.folds),
            "one-se" => format!("the largest within one standard error of the best, {} folds", self.folds),
            _ => "given".to_owned(),
        };
        format!(
            "{} ({how}): {} of {} coefficients are not 0",
            significant(self.value),
            self.nonzero,
            self.columns
        )
    }

    /// Standardised coefficients over the logarithm of the penalty.
    pub(super) fn paths(&self) -> Option<Picture> {
        let chosen = self.path.iter().find(|own| own.penalty == self.value)?;
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| chosen.coefficients[b].abs().total_cmp(&chosen.coefficients[a].abs()));
        let line = |&column: &usize| {
            let points = self.path.iter().rev().map(|own| (own.penalty.ln(), own.coefficients[column]));
            Ribbon::line(self.names[column].clone(), points)
        };
        let lines: Vec<Ribbon> = order.iter().take(MOST_DRAWN).map(line).collect();
        let names = ("ln penalty", "coefficient per standard deviation");
        (self.path.len() > 1).then(|| ribbons(names, &lines, &[], Some(self.value.ln())))
    }

    /// The deviance of held-out rows over the logarithm of the penalty.
    pub(super) fn held_out(&self) -> Option<Picture> {
        let point = |own: &Step| BandPoint {
            x: own.penalty.ln(),
            low: own.held_out_deviance - own.held_out_error,
            high: own.held_out_deviance + own.held_out_error,
        };
        let ribbon = Ribbon {
            name: String::new(),
            line: self.path.iter().rev().map(|own| (own.penalty.ln(), own.held_out_deviance)).collect(),
            bands: vec![self.path.iter().rev().map(point).collect()],
        };
        let names = ("ln penalty", "deviance of held-out rows");
        (self.path.len() > 1).then(|| ribbons(names, &[ribbon], &[], Some(self.value.ln())))
    }

    /// Writes `path.csv`: a row for each penalty, a column for each coefficient that is ever not 0.
    pub(super) fn put(&self, folder: &OutputFolder) -> Result<(), Failure> {
        let ever = |column: &usize| self.path.iter().any(|own| own.coefficients[*column] != 0.0);
        let columns: Vec<usize> = (0..self.names.len()).filter(ever).collect();
        let fixed = ["penalty", "nonzero", "deviance", "held_out_deviance", "held_out_error"];
        let header = fixed.map(str::to_owned).into_iter();
        let header = header.chain(columns.iter().map(|column| self.names[*column].clone()));
        let row = |own: &Step| {
            let numbers = [own.penalty, own.nonzero as f64, own.deviance, own.held_out_deviance];
            let numbers = numbers.map(shortest).into_iter().chain([cell(own.held_out_error)]);
            numbers
                .chain(columns.iter().map(|column| shortest(own.coefficients[*column])))
                .collect::<Vec<_>>()
        };
        folder.put_table("path.csv", header, self.path.iter().map(row))
    }
}
