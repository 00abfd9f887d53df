//! Times of observations and times of questions in one series.

use crate::{Error, Series};
use posterior_math::check;
use posterior_math::linalg::DMatrix;

/// Observations, with further times at which nothing was observed: what a smoother says there is
/// interpolation and extrapolation.
///
/// ```
/// use posterior_kalman::continuous::{Merged, Process};
/// use posterior_kalman::{FilterOptions, filter};
///
/// let merged = Merged::univariate(&[3.0, 1.0], &[0.5, -0.2], &[2.0, 4.0])?;
/// assert_eq!(merged.times(), [1.0, 2.0, 3.0, 4.0]);
/// let process = Process::matern12(1.0)?;
/// let model = process.state_space(merged.times(), &[0.1])?;
/// let smoothed = filter(&model, merged.series(), &FilterOptions::default())?.smooth(&model)?;
/// // Half way between, and one after the last.
/// let at: Vec<f64> = merged.questions().iter().map(|&t| smoothed.mean(t)[0]).collect();
/// assert!(at[0] > -0.2 && at[0] < 0.5 && at[1] > 0.0 && at[1] < 0.5);
/// # Ok::<(), posterior_kalman::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    times: Vec<f64>,
    series: Series,
    observations: Vec<usize>,
    questions: Vec<usize>,
}

impl Merged {
    /// Rows of observations at their times, in any order and with ties, and the times of the questions. NaN
    /// says that a number is missing.
    ///
    /// # Errors
    /// If there is not one row for each time, a time is not finite, or an observation is infinite.
    pub fn new(times: &[f64], observations: &DMatrix<f64>, questions: &[f64]) -> Result<Self, Error> {
        check::dimension("rows of observations", times.len(), observations.nrows())?;
        for (index, &time) in times.iter().chain(questions).enumerate() {
            check::finite("Merged", "times", time).map_err(|error| error.at(index))?;
        }
        let all: Vec<f64> = times.iter().chain(questions).copied().collect();
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by(|&i, &j| all[i].total_cmp(&all[j]));
        let mut places = vec![0; all.len()];
        for (place, &index) in order.iter().enumerate() {
            places[index] = place;
        }
        let mut rows = DMatrix::from_element(all.len(), observations.ncols(), f64::NAN);
        for (index, &place) in places[..times.len()].iter().enumerate() {
            rows.row_mut(place).copy_from(&observations.row(index));
        }
        let questions = places.split_off(times.len());
        let times = order.iter().map(|&index| all[index]).collect();
        Ok(Self { times, series: Series::with_missing(&rows)?, observations: places, questions })
    }

    /// As [`new`](Self::new), with one number at each time.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn univariate(times: &[f64], values: &[f64], questions: &[f64]) -> Result<Self, Error> {
        Self::new(times, &DMatrix::from_column_slice(values.len(), 1, values), questions)
    }

    /// All times, in order.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// What was observed at them.
    pub const fn series(&self) -> &Series {
        &self.series
    }

    /// The place of each observation, as they were given, among all times.
    pub fn observations(&self) -> &[usize] {
        &self.observations
    }

    /// The place of each question, as they were given, among all times.
    pub fn questions(&self) -> &[usize] {
        &self.questions
    }
}
