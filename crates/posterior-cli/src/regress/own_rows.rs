//! Predictions of the rows of the data themselves, and of rows to predict.

use posterior::math::linalg::DMatrix;
use posterior::regression::Error;

use super::answer::Predicted;
use super::data_input::Data;
use super::new_rows::Wanted;
use crate::args::RegressFit;

/// Predictions from one fit.
#[derive(Debug)]
pub(super) struct Predictions {
    /// Of the rows of the data that are looked at.
    pub(super) here: Vec<Predicted>,
    /// Of rows to predict, where there are others.
    there: Option<Vec<Predicted>>,
}

impl Predictions {
    /// What the answer tells.
    pub(super) fn asked_for(self) -> Vec<Predicted> {
        self.there.unwrap_or(self.here)
    }
}

impl Data {
    /// How far apart the rows are that are looked at, if some are left out.
    pub(super) fn every(&self) -> Option<usize> {
        let [first, second, ..] = self.looked_at[..] else { return None };
        Some(second - first).filter(|step| *step > 1)
    }

    /// The predictions of a function of a design and of what is wanted.
    pub(super) fn predicted(
        &self,
        args: &RegressFit,
        predict: impl Fn(&DMatrix<f64>, Wanted<'_>) -> Result<Vec<Predicted>, Error>,
    ) -> Result<Predictions, Error> {
        let there = predict(&self.places.values, self.places.wanted(args.writes_all(), self.level))?;
        if !self.places.are_new {
            return Ok(Predictions { here: there, there: None });
        }
        let design = self.design.values.select_rows(&self.looked_at);
        let offsets: Option<Vec<f64>> =
            self.offsets.as_ref().map(|own| self.looked_at.iter().map(|&row| own[row]).collect());
        let wanted = Wanted {
            level: self.level,
            details: false,
            outcomes: None,
            offsets: offsets.as_deref(),
            effects: None,
        };
        Ok(Predictions { here: predict(&design, wanted)?, there: Some(there) })
    }

    /// The numbers of the rows that are looked at.
    pub(super) fn looked_at(&self, of_rows: &[f64]) -> Vec<f64> {
        self.looked_at.iter().map(|&row| of_rows[row]).collect()
    }
}
