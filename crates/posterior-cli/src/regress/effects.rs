//! Average effects of the columns on the mean outcome.

use posterior::regression::Error;
use posterior::regression::coefficients::Coefficient;
use rayon::prelude::*;

use super::changes::{Change, Rows};
use super::data_input::Data;
use super::points::Points;

/// The effect of each change on the mean outcome, averaged over the rows by their weights.
pub(super) fn effects(points: &Points, data: &Data) -> Result<Vec<Coefficient>, Error> {
    let total: f64 = (0..data.rows()).map(|row| data.weight(row)).sum();
    let mean = |point: &[f64], rows: &Rows| -> f64 {
        let offset = |row: usize| rows.offsets.as_ref().map_or(0.0, |all| all[row]);
        let means = points.means(point, &rows.design, offset);
        means.into_iter().enumerate().map(|(row, own)| data.weight(row) * own).sum::<f64>() / total
    };
    let one = |change: &Change| {
        let effect = |(point, _): &(Vec<f64>, f64)| {
            (mean(point, &change.high) - mean(point, &change.low)) / change.width
        };
        let draws: Vec<f64> = points.all.par_iter().map(effect).collect();
        Ok(Coefficient::of_draws(change.name.as_str(), &draws)?)
    };
    data.changes.iter().map(one).collect()
}
