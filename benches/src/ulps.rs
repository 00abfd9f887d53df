//! Errors in units in the last place.

use std::fmt;

/// |actual - expected| in steps of f64 at `expected`, or at `least` where that is larger; infinite if one of them is infinite or
/// NaN and the other is not the same.
pub fn ulps(actual: f64, expected: f64, least: f64) -> f64 {
    if actual == expected || (actual.is_nan() && expected.is_nan()) {
        return 0.0;
    }
    let scale = expected.abs().max(least);
    let step = if scale < f64::MAX { scale.next_up() - scale } else { scale - scale.next_down() };
    let error = (actual - expected).abs() / step;
    if error.is_nan() { f64::INFINITY } else { error }
}

/// The errors of a function over a table.
#[derive(Debug, Default, Clone)]
pub struct Errors {
    points: usize,
    lost: usize,
    sum: f64,
    largest: f64,
}

impl Errors {
    /// One point; `None` for a call that panicked or did not return.
    pub fn see(&mut self, actual: Option<f64>, expected: f64, least: f64) {
        self.points += 1;
        let error = actual.map_or(f64::INFINITY, |actual| ulps(actual, expected, least));
        if error.is_finite() {
            self.sum += error;
            self.largest = self.largest.max(error);
        } else {
            self.lost += 1;
        }
    }

    /// The number of points.
    pub const fn points(&self) -> usize {
        self.points
    }

    /// The points without any right digit to speak of: infinite or NaN where the value is a number, a panic,
    /// no return.
    pub const fn lost(&self) -> usize {
        self.lost
    }

    /// The largest error of the points that are not lost.
    pub const fn largest(&self) -> f64 {
        self.largest
    }
}

/// "largest / mean", and how many points were lost.
impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.points - self.lost;
        if found > 0 {
            write!(f, "{} / {}", short(self.largest), short(self.sum / found as f64))?;
        }
        match (found, self.lost) {
            (_, 0) => Ok(()),
            (0, lost) => write!(f, "{lost} lost"),
            (_, lost) => write!(f, ", {lost} lost"),
        }
    }
}

fn short(value: f64) -> String {
    if value < 9.95 {
        format!("{value:.1}")
    } else if value < 1e5 {
        format!("{value:.0}")
    } else {
        format!("{value:.0e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ulp_is_a_step_of_f64_at_the_value() {
        assert_eq!(ulps(1.0 + f64::EPSILON, 1.0, 0.0), 1.0);
        assert_eq!(ulps(1.0 - f64::EPSILON, 1.0, 0.0), 1.0);
        assert_eq!(ulps(f64::EPSILON, 0.0, 1.0), 1.0);
        assert_eq!(ulps(5e-324, 1e-323, 0.0), 1.0);
        assert_eq!(ulps(f64::NAN, 1.0, 0.0), f64::INFINITY);
        assert_eq!(ulps(1.0, f64::INFINITY, 0.0), f64::INFINITY);
        assert_eq!(ulps(f64::INFINITY, f64::INFINITY, 0.0), 0.0);
    }

    #[test]
    fn lost_points_are_counted_and_not_averaged() {
        let mut errors = Errors::default();
        errors.see(Some(1.0 + 4.0 * f64::EPSILON), 1.0, 0.0);
        errors.see(None, 1.0, 0.0);
        errors.see(Some(1.0), 1.0, 0.0);
        assert_eq!(errors.to_string(), "4.0 / 2.0, 1 lost");
    }
}
