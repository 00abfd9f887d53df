//! The times of a model: those of the data, those that a regular series leaves out, and those to come.

use posterior::table::{DatePrecision, TimeStep, date_ticks, decimal_year, moment_of_year};
use serde::Serialize;

use super::series_input::Input;
use crate::output::significant;

/// Steps may miss the usual one by this proportion.
const UNEVEN: f64 = 0.05;
/// A series that leaves out more than this many steps for each that it has is not regular.
const GAPS: usize = 20;

/// Times at which the model is asked.
#[derive(Debug, Clone)]
pub(super) struct Timeline {
    pub(super) times: Vec<f64>,
    /// So many of them are not after the last row.
    pub(super) seen: usize,
    /// The length of a step, if all are alike.
    pub(super) step: Option<Step>,
    /// How fine the times are if they are dates.
    pub(super) dates: Option<DatePrecision>,
    /// The place of each row.
    places: Vec<usize>,
}

/// From time to time.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Number(f64),
    /// Of the calendar.
    Date(TimeStep),
}

/// A time in an answer.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub(super) enum Time {
    Number(f64),
    /// A date in the form of ISO 8601.
    Date(String),
}

impl Timeline {
    /// The times of the rows, filled up if they are regular, and `ahead` more.
    pub(super) fn new(input: &Input, ahead: usize) -> Self {
        let dates = input.dates.as_ref().map(|own| own.precision);
        let axis = input.dates.as_ref().and_then(|own| own.axis.as_ref());
        let axis = axis.filter(|(_, places)| places.last().is_some_and(|last| last / GAPS <= places.len()));
        if let Some((axis, places)) = axis {
            let seen = places.last().map_or(0, |place| place + 1);
            let times = (0..seen + ahead).map(|place| decimal_year(axis.at(place))).collect();
            return Self { times, seen, step: Some(Step::Date(axis.step)), dates, places: places.clone() };
        }
        let (times, usual) = (&input.times, input.step());
        let last = times.last().copied().unwrap_or(0.0);
        let grid = if dates.is_some() { None } else { regular(times, usual) };
        let (mut all, places, step) = match grid {
            Some((places, step)) => {
                let count = places.last().map_or(0, |place| place + 1);
                let mut grid: Vec<f64> = (0..count).map(|i| times[0] + step * i as f64).collect();
                places.iter().zip(times).for_each(|(&place, &time)| grid[place] = time);
                (grid, places, Some(step))
            }
            None => (times.clone(), (0..times.len()).collect(), None),
        };
        let seen = all.len();
        all.extend((1..=ahead).map(|i| last + step.unwrap_or(usual) * i as f64));
        Self { times: all, seen, step: step.map(Step::Number), dates, places }
    }

    /// The values of the rows at their places, NaN elsewhere.
    pub(super) fn spread(&self, values: &[f64]) -> Vec<f64> {
        let mut all = vec![f64::NAN; self.times.len()];
        self.places.iter().zip(values).for_each(|(&place, &value)| all[place] = value);
        all
    }

    /// A time as text.
    pub(super) fn label(&self, t: usize) -> String {
        match self.time(t) {
            Time::Date(text) => text,
            Time::Number(time) => {
                let text = format!("{time:.4}");
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            }
        }
    }

    /// A time as it is answered.
    pub(super) fn time(&self, t: usize) -> Time {
        let time = self.times[t];
        let date = self.dates.and_then(|precision| Some(precision.text(moment_of_year(time)?)));
        date.map_or(Time::Number(time), Time::Date)
    }

    /// Marks of an axis of dates.
    pub(super) fn ticks(&self) -> Option<Vec<(f64, String)>> {
        let (first, last) = (self.times.first()?, self.times.last()?);
        self.dates.map(|_| date_ticks(*first, *last))
    }

    /// What the times are like.
    pub(super) fn kind(&self) -> String {
        let apart = match self.step {
            Some(Step::Number(step)) => significant(step),
            Some(Step::Date(step)) => step.to_string(),
            None => return "irregular".to_owned(),
        };
        format!("regular, {apart} apart; {} left out", self.left_out())
    }

    fn left_out(&self) -> usize {
        self.seen - self.places.len()
    }
}

/// The number of the step of each time, and the length of a step, if the times are on a grid.
fn regular(times: &[f64], usual: f64) -> Option<(Vec<usize>, f64)> {
    let mut places: Vec<usize> = vec![0];
    for pair in times.windows(2) {
        let steps = (pair[1] - pair[0]) / usual;
        let whole = steps.round();
        if whole < 1.0 || (steps - whole).abs() > UNEVEN * whole.max(1.0) {
            return None;
        }
        let next = places[places.len() - 1].saturating_add(whole as usize);
        if next > GAPS.saturating_mul(times.len()) {
            return None;
        }
        places.push(next);
    }
    let count = places[places.len() - 1];
    let step = if count == 0 { usual } else { (times[times.len() - 1] - times[0]) / count as f64 };
    let near = |(&place, &time): (&usize, &f64)| {
        (time - times[0] - step * place as f64).abs() <= UNEVEN * step * 2.0
    };
    places.iter().zip(times).all(near).then_some((places, step))
}
