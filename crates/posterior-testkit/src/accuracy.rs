//! The error of a computed number against its reference, and the worst one of a table.

use std::fmt::{self, Debug};

/// |actual - expected| / |expected|.
///
/// Zero if both are the same number, infinities included, or both are NaN; infinite if one of them is NaN or
/// infinite and the other is not, or if `expected` is zero and `actual` is not.
pub fn relative_error(actual: f64, expected: f64) -> f64 {
    conditioned_error(actual, expected, 0.0)
}

/// |actual - expected| / (|expected| + sensitivity): the relative error, in units that allow for the rounding of the
/// input. The sensitivity of f at x is |x f'(x)|: how far f moves when x moves by its own size.
///
/// A sensitivity that is infinite or NaN excuses nothing: the error is infinite then, unless the numbers
/// agree.
///
/// Below the smallest normal number f64 has fewer digits: a difference of one step between two subnormal
/// numbers counts as one step of a normal one.
pub fn conditioned_error(actual: f64, expected: f64, sensitivity: f64) -> f64 {
    if actual == expected || (actual.is_nan() && expected.is_nan()) {
        return 0.0;
    }
    let error = (actual - expected).abs();
    if !(error.is_finite() && sensitivity.is_finite()) {
        return f64::INFINITY;
    }
    if expected.abs() < f64::MIN_POSITIVE && sensitivity == 0.0 && expected != 0.0 {
        return error / f64::MIN_POSITIVE;
    }
    error / (expected.abs() + sensitivity)
}

/// Fails unless `actual` is within `tolerance` of `expected`, relative.
///
/// # Panics
/// With both numbers and the error.
#[track_caller]
pub fn assert_close(actual: f64, expected: f64, tolerance: f64) {
    let error = relative_error(actual, expected);
    assert!(
        error <= tolerance,
        "{actual:e} should be {expected:e}: relative error {error:.2e} > {tolerance:.0e}"
    );
}

/// As [`assert_close`], coordinate by coordinate.
///
/// # Panics
/// With the first coordinate that is too far off, or the two lengths.
#[track_caller]
pub fn assert_all_close(actual: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len(), "lengths of {actual:?} and {expected:?}");
    for (index, (&a, &e)) in actual.iter().zip(expected).enumerate() {
        let error = relative_error(a, e);
        assert!(
            error <= tolerance,
            "[{index}] {a:e} should be {e:e}: relative error {error:.2e} > {tolerance:.0e}"
        );
    }
}

/// Fails unless |actual - expected| <= tolerance: for numbers that may be zero by cancellation, and for Monte
/// Carlo.
///
/// # Panics
/// With both numbers and the error.
#[track_caller]
pub fn assert_within(actual: f64, expected: f64, tolerance: f64) {
    let error = (actual - expected).abs();
    assert!(
        error <= tolerance || actual == expected,
        "{actual:e} should be {expected:e}: error {error:.2e} > {tolerance:.0e}"
    );
}

/// The worst error over the rows of a table.
#[derive(Debug, Clone)]
pub struct Worst {
    table: String,
    rows: usize,
    error: f64,
    description: String,
}

impl Worst {
    /// No rows yet.
    pub fn of(table: &str) -> Self {
        Self { table: table.to_owned(), rows: 0, error: 0.0, description: String::new() }
    }

    /// One row: what was computed, what it should be, and its input for the message.
    pub fn see(&mut self, actual: f64, expected: f64, input: &dyn Debug) {
        self.see_conditioned(actual, expected, 0.0, input);
    }

    /// One row whose value moves by `sensitivity` when the input moves by its own size (see
    /// [`conditioned_error`]).
    pub fn see_conditioned(&mut self, actual: f64, expected: f64, sensitivity: f64, input: &dyn Debug) {
        self.rows += 1;
        let error = conditioned_error(actual, expected, sensitivity);
        if !(error <= self.error) {
            self.error = error;
            self.description = format!("at {input:?}: {actual:e} should be {expected:e}");
        }
    }

    /// The largest error seen.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// Prints the worst row, and fails if it is beyond `bound` or if there was no row.
    ///
    /// # Panics
    /// With the worst row.
    #[track_caller]
    #[expect(clippy::print_stdout, reason = "`--nocapture` shows the measured accuracy of each table")]
    pub fn assert_at_most(&self, bound: f64) {
        println!("{self}");
        assert!(self.rows > 0, "{}: no rows were compared", self.table);
        assert!(self.error <= bound, "{self}, which is more than {bound:.0e}");
    }
}

impl fmt::Display for Worst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, rows, error, description } = self;
        write!(f, "{table}: largest error {error:.2e} in {rows} rows, {description}")
    }
}

#[cfg(test)]
mod tests {
    use super::{Worst, conditioned_error};

    #[test]
    fn a_sensitivity_that_is_not_a_number_excuses_no_error() {
        for sensitivity in [f64::INFINITY, f64::NAN] {
            assert_eq!(conditioned_error(1.0, 2.0, sensitivity), f64::INFINITY);
            assert_eq!(conditioned_error(2.0, 2.0, sensitivity), 0.0);
        }
    }

    #[test]
    fn the_worst_row_is_kept_whatever_comes_after_it() {
        for (actual, sensitivity) in [(f64::NAN, 0.0), (f64::INFINITY, 0.0), (1.5, f64::NAN)] {
            let mut worst = Worst::of("example");
            worst.see_conditioned(actual, 1.0, sensitivity, &"bad");
            worst.see(1.0, 1.0, &"good");
            assert_eq!(worst.error(), f64::INFINITY, "{worst}");
        }
    }
}
