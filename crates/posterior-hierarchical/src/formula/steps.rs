//! Times that are equal steps apart.

use posterior_dist::text::TextError;
use posterior_regression::Error as RegressionError;
use posterior_regression::formula::EffectTerm;

use crate::Error;

/// How far from a whole number of steps a time may be, in steps.
const OFF: f64 = 1e-6;
/// A walk has at most this many times.
const MOST: f64 = 200_000.0;

/// The times first, first + step, …
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Steps {
    first: f64,
    step: f64,
    pub(super) count: usize,
}

impl Steps {
    /// Those of these times: the step is the smallest gap, unless it is given.
    pub(super) fn learn(term: &EffectTerm, times: &[f64], step: Option<f64>) -> Result<Self, Error> {
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.dedup();
        let gap = sorted.array_windows().map(|[a, b]| b - a).fold(f64::INFINITY, f64::min);
        let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else { return Err(Error::NoRows) };
        let step = step.unwrap_or(if gap.is_finite() { gap } else { 1.0 });
        let span = (last - first) / step;
        if !(span < MOST) {
            let message = format!(
                "`{term}` has {span:.0} steps of {step}: at most {MOST} are taken; step = S makes them longer"
            );
            return Err(TextError::new(term.place(), message).into());
        }
        let own = Self { first: *first, step, count: span.round() as usize + 1 };
        own.places(term, times)?;
        Ok(own)
    }

    /// The step of each time.
    pub(super) fn places(&self, term: &EffectTerm, times: &[f64]) -> Result<Vec<usize>, Error> {
        let place = |(row, &time): (usize, &f64)| {
            let steps = (time - self.first) / self.step;
            let whole = steps.round();
            if (steps - whole).abs() <= OFF * steps.abs().max(1.0)
                && whole >= 0.0
                && whole < self.count as f64
            {
                return Ok(whole as usize);
            }
            let (column, term, found) = (term.place(), term.to_string(), time.to_string());
            let expected = format!(
                "{} and a whole number of steps of {}, up to {}; smooth and matern take any numbers",
                self.first,
                self.step,
                self.time(self.count - 1)
            );
            Err(RegressionError::Term { column, term, row, found, expected }.into())
        };
        times.iter().enumerate().map(place).collect()
    }

    /// The time of a step.
    pub(super) fn time(&self, place: usize) -> f64 {
        self.first + self.step * place as f64
    }
}
