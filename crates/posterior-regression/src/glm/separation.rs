//! Separated responses: where the likelihood rises for ever, and no finite coefficient is the most likely
//! one.

use super::observations::GlmData;
use super::response_distribution::{Ascent, ResponseDistribution};

/// A direction of the coefficients along which the likelihood never falls, and rises for some rows.
///
/// Of a logistic regression: a plane between successes and failures, with none on the wrong side. It is
/// *complete* if no row lies on the plane.
#[derive(Debug)]
pub(super) struct Separation {
    /// The direction, by its change of the linear predictor: the largest of a row is 1.
    pub(super) direction: Vec<f64>,
    /// Whether every row is on its side of the plane; otherwise some lie on it (quasi-complete).
    pub(super) complete: bool,
    /// How many rows lie off the plane.
    pub(super) rows: usize,
    /// The column that changes the predictors most from row to row along the direction: the one to look at.
    pub(super) column: usize,
}

/// A row lies on the plane if its predictor changes by less than this proportion of the largest change.
const ON_THE_PLANE: f64 = 1e-6;

/// Whether the likelihood rises for ever along this direction.
pub(super) fn along<L: ResponseDistribution + ?Sized>(
    distribution: &L,
    data: &GlmData<'_>,
    direction: &[f64],
) -> Option<Separation> {
    let changes = changes(data, direction);
    let largest = changes
        .iter()
        .enumerate()
        .filter(|(row, _)| data.weight(*row) > 0.0)
        .map(|(_, change)| change.abs())
        .fold(0.0, f64::max);
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let mut rows = 0;
    let mut informative = 0;
    for (row, change) in changes.iter().enumerate() {
        if data.weight(row) == 0.0 {
            continue;
        }
        informative += 1;
        if change.abs() <= ON_THE_PLANE * largest {
            continue;
        }
        match distribution.ascent(data.response()[row]) {
            Ascent::Up if *change > 0.0 => rows += 1,
            Ascent::Down if *change < 0.0 => rows += 1,
            _ => return None,
        }
    }
    let direction: Vec<f64> = direction.iter().map(|part| part / largest).collect();
    let spread = |column: usize| {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for (row, &x) in data.column(column).iter().enumerate() {
            if data.weight(row) > 0.0 {
                least = least.min(x);
                most = most.max(x);
            }
        }
        ((most - least) * direction[column].abs(), direction[column].abs())
    };
    let column = (0..data.columns()).max_by(|&a, &b| {
        let ((a, a_size), (b, b_size)) = (spread(a), spread(b));
        a.total_cmp(&b).then(a_size.total_cmp(&b_size))
    })?;
    Some(Separation { direction, complete: rows == informative, rows, column })
}

/// X d, without the offsets.
fn changes(data: &GlmData<'_>, direction: &[f64]) -> Vec<f64> {
    let mut changes = vec![0.0; data.rows()];
    for (column, &part) in direction.iter().enumerate() {
        for (change, x) in changes.iter_mut().zip(data.column(column)) {
            *change += part * x;
        }
    }
    changes
}
