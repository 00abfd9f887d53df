//! The times of a model: those of the data, those that a regular series leaves out, and those to come.

use posterior::math::linalg::DMatrix;
use posterior::table::{DataFrame, DatePrecision, TimeStep, date_ticks, decimal_year, moment_of_year};
use serde::Serialize;

use super::calendar::Calendar;
use super::series_input::{Input, Trials};
use crate::failure::Failure;
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
    /// What is known beside the series: names, and a column of numbers for each.
    pub(super) regressors: Option<(Vec<String>, DMatrix<f64>)>,
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
    /// The times of the rows, filled up if they are regular, and `ahead` more. With regressors, rows behind
    /// the last value are to be forecast, and no others.
    pub(super) fn new(input: &Input, ahead: usize, calendar: &Calendar) -> Result<Self, Failure> {
        let timeline = Self::of_times(input, ahead);
        let timeline =
            if input.regressors.is_empty() { timeline } else { timeline.regressed(input, ahead)? };
        if calendar.is_empty() {
            return Ok(timeline);
        }
        let axis = input.dates.as_ref().and_then(|own| own.axis.as_ref());
        let Some((axis, _)) = axis.filter(|_| matches!(timeline.step, Some(Step::Date(_)))) else {
            let message = format!("{}: --calendar and --holidays need dates in regular steps", input.source);
            return Err(Failure::data(message).with_hint("--time names the column of the dates"));
        };
        let columns = calendar.columns(axis, (timeline.seen, timeline.times.len()))?;
        let (mut names, mut numbers) = timeline
            .regressors
            .clone()
            .unwrap_or_else(|| (Vec::new(), DMatrix::zeros(timeline.times.len(), 0)));
        for (name, column) in columns {
            let last = numbers.ncols();
            numbers = numbers.insert_column(last, 0.0);
            numbers.column_mut(last).copy_from_slice(&column);
            names.push(name);
        }
        Ok(Self { regressors: Some((names, numbers)), ..timeline })
    }

    /// With the regressors of the table.
    fn regressed(self, input: &Input, ahead: usize) -> Result<Self, Failure> {
        let timeline = self;
        let wrong =
            |message: &str, hint: &str| Failure::data(format!("{}: {message}", input.source)).with_hint(hint);
        if ahead > 0 {
            let hint = "add rows with the coming times and regressors, and empty cells of the observations";
            return Err(wrong(
                "--forecast has no use with --regressors: it does not know those to come",
                hint,
            ));
        }
        let places = timeline.places.windows(2).find(|pair| pair[1] > pair[0] + 1);
        if let Some(pair) = places {
            let message = format!(
                "there is no row for {}: regressors have a number at each time",
                timeline.label(pair[0] + 1)
            );
            return Err(wrong(&message, "add the row; its cells of the observations may be empty"));
        }
        let names = input.regressors.iter().map(|own| own.name.clone()).collect();
        let numbers = DMatrix::from_fn(input.times.len(), input.regressors.len(), |row, column| {
            input.regressors[column].values[row]
        });
        let is_seen = |row: &usize| input.columns.iter().any(|column| !column.values[*row].is_nan());
        let seen = (0..input.times.len()).rfind(is_seen).map_or(0, |row| row + 1);
        Ok(Self { seen, regressors: Some((names, numbers)), ..timeline })
    }

    /// As if nothing after the first `seen` times had been seen, and `ahead` times at most are asked for.
    pub(super) fn until(&self, seen: usize, ahead: usize) -> Self {
        let count = (seen + ahead).min(self.times.len());
        Self {
            times: self.times[..count].to_vec(),
            seen,
            regressors: self
                .regressors
                .as_ref()
                .map(|(names, own)| (names.clone(), own.rows(0, count).into_owned())),
            places: self.places.iter().copied().filter(|&place| place < seen).collect(),
            ..*self
        }
    }

    /// The steps of a season by the calendar, and by decimal years that go in months or quarters.
    pub(super) fn season(&self) -> Option<usize> {
        match self.step? {
            Step::Date(step) => step.seasons().into_iter().next(),
            Step::Number(step) => {
                let years = self.times.iter().all(|time| (1000.0..3000.0).contains(time));
                [12, 4].into_iter().find(|&season| years && (step * season as f64 - 1.0).abs() < 0.01)
            }
        }
    }

    fn of_times(input: &Input, ahead: usize) -> Self {
        let dates = input.dates.as_ref().map(|own| own.precision);
        let axis = input.dates.as_ref().and_then(|own| own.axis.as_ref());
        let axis = axis.filter(|(_, places)| places.last().is_some_and(|last| last / GAPS <= places.len()));
        if let Some((axis, places)) = axis {
            let seen = places.last().map_or(0, |place| place + 1);
            let times = (0..seen + ahead).map(|place| decimal_year(axis.at(place))).collect();
            let (step, places) = (Some(Step::Date(axis.step)), places.clone());
            return Self { times, seen, step, dates, regressors: None, places };
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
        Self { times: all, seen, step: step.map(Step::Number), dates, regressors: None, places }
    }

    /// The values of the rows at their places, NaN elsewhere.
    pub(super) fn spread(&self, values: &[f64]) -> Vec<f64> {
        let mut all = vec![f64::NAN; self.times.len()];
        self.places.iter().zip(values).for_each(|(&place, &value)| all[place] = value);
        all
    }

    /// The trials of binomial values at each time: those before where there are none, and at first those
    /// after.
    pub(super) fn trials(&self, input: &Input) -> Vec<u64> {
        let column = match &input.trials {
            None => return Vec::new(),
            Some(Trials::Always(number)) => return vec![*number; self.times.len()],
            Some(Trials::Of(column)) => column,
        };
        let spread = self.spread(&column.values);
        let mut last = spread.iter().copied().find(|own| !own.is_nan()).unwrap_or(0.0);
        let mut filled = |own: f64| {
            last = if own.is_nan() { last } else { own };
            last as u64
        };
        spread.into_iter().map(&mut filled).collect()
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

    /// How many rows are seen.
    pub(super) fn rows_seen(&self) -> usize {
        self.places.iter().filter(|&&place| place < self.seen).count()
    }

    /// How many times there are up to this one, which is written as those of the rows are.
    pub(super) fn up_to(&self, text: &str, date_form: Option<&str>) -> Result<usize, Failure> {
        let time = if self.dates.is_some() {
            let table = DataFrame::of_cells("--held-out-after", &["time"], [[text]]);
            let date = table.dates("time", date_form)?.values.first().copied().flatten();
            date.map(decimal_year)
        } else {
            text.trim().parse().ok()
        };
        let Some(time) = time else {
            let message = format!("--held-out-after {text}: expected a time as {}", self.label(0));
            return Err(Failure::Usage(message));
        };
        let place = self.times[..self.seen].partition_point(|own| *own <= time + 1e-9);
        if place == 0 || place == self.seen {
            let (first, last) = (self.label(0), self.label(self.seen.saturating_sub(1)));
            let message =
                format!("--held-out-after {text}: expected a time from {first} on and before {last}");
            return Err(Failure::Usage(message));
        }
        Ok(place)
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
