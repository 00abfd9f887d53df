//! Rows that are held out: a fit to the others predicts them, and is scored.

use posterior::dist::stream::stream;
use rand::seq::SliceRandom as _;

use crate::failure::Failure;

/// The rows in an order in which parts at equal distances are alike: random, but class after class where the
/// rows have classes.
pub(crate) fn order(rows: usize, classes: Option<&[usize]>, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows).collect();
    order.shuffle(&mut stream(seed, &[0]));
    if let Some(classes) = classes {
        order.sort_by_key(|&row| classes[row]);
    }
    order
}

/// Rows to fit and rows to predict, both ascending.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) fitted: Vec<usize>,
    pub(crate) predicted: Vec<usize>,
}

/// This proportion of the rows held out.
pub(crate) fn held_out(order: &[usize], proportion: f64) -> Result<Parts, Failure> {
    let before = |position: usize| (position as f64 * proportion + 0.5).floor();
    Parts::of(order, "--held-out", |position| before(position + 1) > before(position))
}

/// This proportion of so many sequences held out, at least one; `None` if none is left to fit.
pub(crate) fn sequences_held_out(count: usize, proportion: f64, seed: u64) -> Option<Parts> {
    let out = ((proportion * count as f64).round() as usize).max(1);
    let kept = count.checked_sub(out).filter(|&kept| kept > 0)?;
    let mut fitted = order(count, None, seed);
    let mut predicted = fitted.split_off(kept);
    fitted.sort_unstable();
    predicted.sort_unstable();
    Some(Parts { fitted, predicted })
}

/// One of so many parts held out.
pub(crate) fn fold(order: &[usize], folds: usize, fold: usize) -> Result<Parts, Failure> {
    Parts::of(order, "--folds", |position| position % folds == fold)
}

impl Parts {
    fn of(order: &[usize], option: &str, is_predicted: impl Fn(usize) -> bool) -> Result<Self, Failure> {
        let (mut fitted, mut predicted) = (Vec::new(), Vec::new());
        for (position, &row) in order.iter().enumerate() {
            if is_predicted(position) { predicted.push(row) } else { fitted.push(row) }
        }
        if fitted.is_empty() || predicted.is_empty() {
            let rows = order.len();
            let message = format!("{option}: of {rows} rows no row is left to fit, or none to predict");
            return Err(Failure::Usage(message));
        }
        fitted.sort_unstable();
        predicted.sort_unstable();
        Ok(Self { fitted, predicted })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_predicted_once_and_classes_are_spread() {
        let classes: Vec<usize> = (0..40).map(|row| usize::from(row < 8)).collect();
        let order = order(40, Some(&classes), 3);
        let mut all = Vec::new();
        for own in 0..4 {
            let parts = fold(&order, 4, own).unwrap();
            assert_eq!((parts.fitted.len(), parts.predicted.len()), (30, 10));
            assert_eq!(parts.predicted.iter().filter(|&&row| row < 8).count(), 2);
            all.extend(parts.predicted);
        }
        all.sort_unstable();
        assert_eq!(all, (0..40).collect::<Vec<_>>());
    }

    #[test]
    fn a_proportion_is_held_out_of_every_class() {
        let classes: Vec<usize> = (0..50).map(|row| row % 2).collect();
        let parts = held_out(&order(50, Some(&classes), 1), 0.2).unwrap();
        assert_eq!((parts.fitted.len(), parts.predicted.len()), (40, 10));
        assert_eq!(parts.predicted.iter().filter(|&&row| row % 2 == 0).count(), 5);
        assert_ne!(parts, held_out(&order(50, Some(&classes), 2), 0.2).unwrap());
        assert!(held_out(&order(2, None, 1), 0.01).is_err() && fold(&[0], 2, 1).is_err());
    }
}
