//! Times and values from a table.

use std::path::Path;

use posterior::datasets::series::NILE;
use posterior::table::{
    ColumnKind, DataFrame, DatePrecision, TableFile, TimeAxis, decimal_year, moment_of_year,
};

use super::calendar::Calendar;
use crate::args::{SeriesData, TableArgs};
use crate::failure::Failure;
use crate::output::{cell, shortest};

/// The memory for so many rows of so many columns: values, and their moments of the filter and the smoother.
fn work(rows: usize, columns: usize) -> u64 {
    (rows as u64).saturating_mul(400 * columns as u64 + 40)
}

impl SeriesData {
    /// What is asked of the calendar.
    pub(super) fn calendar(&self) -> Result<Calendar, Failure> {
        Calendar::read(&self.calendar, self.holidays.as_deref(), &self.table)
    }
}

/// Columns of values at rising times.
#[derive(Debug)]
pub(super) struct Input {
    /// Where it is from.
    pub(super) source: String,
    /// What the times are called.
    pub(super) time: String,
    /// They never fall; several rows may have one time. Dates are years with a fraction.
    pub(super) times: Vec<f64>,
    /// What is known of the times if they are dates.
    pub(super) dates: Option<Dates>,
    pub(super) columns: Vec<Column>,
    /// What is known beside the series, in every row.
    pub(super) regressors: Vec<Column>,
    /// Of binomial values.
    pub(super) trials: Option<Trials>,
    /// The times as the table has them.
    pub(super) time_cells: Vec<String>,
}

/// One number at each time, NaN where missing.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) values: Vec<f64>,
}

/// How many trials binomial values are successes of.
#[derive(Debug)]
pub(super) enum Trials {
    /// The same number at all times.
    Always(u64),
    Of(Column),
}

impl Trials {
    /// As the option has it.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Always(number) => number.to_string(),
            Self::Of(column) => column.name.clone(),
        }
    }
}

/// What is known beside the values: the names of its columns, and how the trials are given.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) regressors: &'a [String],
    /// A number or a column.
    pub(super) trials: Option<&'a str>,
}

impl Known<'_> {
    /// The column of the trials, if there is one.
    fn column(&self) -> Option<&str> {
        self.trials.filter(|own| own.parse::<u64>().is_err())
    }

    fn has(&self, name: &String) -> bool {
        self.regressors.contains(name) || self.column() == Some(name)
    }
}

/// Times that are dates.
#[derive(Debug)]
pub(super) struct Dates {
    pub(super) precision: DatePrecision,
    /// The steps of the calendar, and the place of each row; none where the dates are irregular.
    pub(super) axis: Option<(TimeAxis, Vec<usize>)>,
}

impl Input {
    pub(super) fn read(args: &SeriesData, trials: Option<&str>) -> Result<Self, Failure> {
        let Some(path) = &args.data else { return Self::embedded(args, trials) };
        let opened = TableFile::open(path, &args.table.options()?)?;
        let (source, header) = (opened.source.clone(), opened.header());
        if header.len() < 2 {
            let message =
                format!("{source}: line 1: expected a column of times and one of values, found {header:?}");
            return Err(
                Failure::data(message).with_hint("a table has a header, and commas between its columns")
            );
        }
        let time = args.time.clone().unwrap_or_else(|| header[0].clone());
        let regressors = &args.regressors;
        let known = Known { regressors, trials };
        let other = |name: &&String| **name != time && !known.has(name);
        let last = header.iter().rev().find(other).cloned().unwrap_or_default();
        let names = if args.y.is_empty() { vec![last] } else { args.y.clone() };
        if names.contains(&time) {
            return Err(Failure::Usage(format!("--y {time}: that is the column of the times")));
        }
        if let Some(name) = regressors.iter().find(|name| names.contains(name) || **name == time) {
            return Err(Failure::Usage(format!(
                "--regressors {name}: that is the column of --y or of the times"
            )));
        }
        let column = known.column().map(str::to_owned);
        if let Some(name) = column.as_ref().filter(|name| names.contains(name) || **name == time) {
            let message = format!("--trials {name}: that is the column of --y or of the times");
            return Err(Failure::Usage(message));
        }
        let all: Vec<&String> = names.iter().chain(regressors).chain(&column).chain([&time]).collect();
        let table = opened.read(&all, |rows| work(rows, names.len()))?;
        Self::of_table(&table, time, names, known, args.date_form.as_deref())
    }

    /// More rows of the columns that these rows have: those of the table in `path`.
    pub(super) fn followed_by(
        before: DataFrame,
        path: &Path,
        args: &TableArgs,
        known: Known<'_>,
        date_form: Option<&str>,
    ) -> Result<Self, Failure> {
        let opened = TableFile::open(path, &args.options()?)?;
        let names = before.header().to_vec();
        let more = opened.read(&names, |rows| work(rows, names.len()))?;
        Self::of_cells(&before.followed_by(&more)?, known, date_form)
    }

    /// The first column are the times, the others are the values, but for the regressors.
    pub(super) fn of_cells(
        table: &DataFrame,
        known: Known<'_>,
        date_form: Option<&str>,
    ) -> Result<Self, Failure> {
        match table.header() {
            [time, names @ ..] => {
                let names = names.iter().filter(|name| !known.has(name)).cloned().collect();
                Self::of_table(table, time.clone(), names, known, date_form)
            }
            [] => Err(Failure::data(format!("{}: no column of times", table.source))),
        }
    }

    fn of_table(
        table: &DataFrame,
        time: String,
        names: Vec<String>,
        known: Known<'_>,
        date_form: Option<&str>,
    ) -> Result<Self, Failure> {
        let source = table.source.clone();
        let (times, dates) = times(table, &time, date_form)?;
        if let Some(row) = (1..times.len()).find(|&row| times[row] < times[row - 1]) {
            let date = |row: usize| Some(dates.as_ref()?.precision.text(moment_of_year(times[row])?));
            let cell = |row: usize| date(row).unwrap_or_else(|| times[row].to_string());
            let message = format!(
                "{source}: line {}, column {time}: expected a time from {} on, as in the row before, found {}",
                table.line(row),
                cell(row - 1),
                cell(row)
            );
            return Err(Failure::data(message).with_hint("sort the rows by their time"));
        }
        let column = |name: String| {
            let values = table.numbers(&name)?;
            if values.iter().all(|value| value.is_nan()) {
                return Err(Failure::data(format!(
                    "{source}: column {name}: expected numbers, all cells are empty"
                )));
            }
            Ok(Column { name, values })
        };
        let columns = names.into_iter().map(column).collect::<Result<Vec<_>, _>>()?;
        let regressor = |name: &String| {
            let values = table.complete_numbers(name)?;
            Ok(Column { name: name.clone(), values })
        };
        let regressors = known.regressors.iter().map(regressor).collect::<Result<Vec<_>, Failure>>()?;
        let trials = match (known.trials, known.column()) {
            (_, Some(name)) => Some(trials_of(table, name)?),
            (Some(number), None) => number.parse().ok().map(Trials::Always),
            (None, None) => None,
        };
        let time_cells = table.cells(&time)?.map(str::to_owned).collect();
        Ok(Self { source, time, times, dates, columns, regressors, trials, time_cells })
    }

    /// The rows as texts, behind the names of their columns: for [`of_cells`](Self::of_cells).
    pub(super) fn cells(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let trials = if let Some(Trials::Of(column)) = &self.trials { Some(column) } else { None };
        let columns = || self.columns.iter().chain(&self.regressors).chain(trials);
        let names = columns().map(|column| column.name.clone());
        let row = |row: usize| {
            let values = columns().map(|column| cell(column.values[row]));
            std::iter::once(self.time_cells[row].clone()).chain(values).collect()
        };
        let names = std::iter::once(self.time.clone()).chain(names).collect();
        (names, (0..self.times.len()).map(row).collect())
    }

    fn embedded(args: &SeriesData, trials: Option<&str>) -> Result<Self, Failure> {
        let strange =
            args.time.iter().any(|name| name != "time") || args.y.iter().any(|name| name != "value");
        if args.date_form.is_some() {
            return Err(Failure::Usage("--date-form wants a table: the embedded times are years".to_owned()));
        }
        if !args.regressors.is_empty() {
            return Err(Failure::Usage("--regressors wants a table".to_owned()));
        }
        if strange {
            let message = "the embedded series has the columns time and value".to_owned();
            return Err(Failure::Usage(format!("--time and --y want a table: {message}")));
        }
        let trials = match trials.map(str::parse) {
            None => None,
            Some(Ok(number)) => Some(Trials::Always(number)),
            Some(Err(_)) => return Err(Failure::Usage("--trials COLUMN wants a table".to_owned())),
        };
        let column = Column { name: "value".to_owned(), values: NILE.values.to_vec() };
        Ok(Self {
            source: format!("{} ({})", NILE.title, NILE.unit),
            time: "time".to_owned(),
            times: NILE.times().collect(),
            dates: None,
            columns: vec![column],
            regressors: Vec::new(),
            trials,
            time_cells: NILE.times().map(shortest).collect(),
        })
    }

    /// The usual distance of two neighbours: the median of the distances that are not zero, 1 if there are
    /// none.
    pub(super) fn step(&self) -> f64 {
        let mut steps: Vec<f64> =
            self.times.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0.0).collect();
        steps.sort_by(f64::total_cmp);
        steps.get(steps.len() / 2).copied().unwrap_or(1.0)
    }
}

/// A column of trials: whole numbers, in each row that has a value.
fn trials_of(table: &DataFrame, name: &str) -> Result<Trials, Failure> {
    let values = table.numbers(name)?;
    let is_wrong = |own: &f64| !(own.is_nan() || own.fract() == 0.0 && (0.0..=9e15).contains(own));
    match values.iter().position(is_wrong) {
        Some(row) => Err(table.refused(row, name, "a whole number of trials from 0").into()),
        None => Ok(Trials::Of(Column { name: name.to_owned(), values })),
    }
}

/// The times of the rows as numbers, and what is known of them if they are dates: those of a column of dates,
/// or of any column whose form is given.
fn times(table: &DataFrame, name: &str, form: Option<&str>) -> Result<(Vec<f64>, Option<Dates>), Failure> {
    if form.is_none() && table.kind(name)? != ColumnKind::Date {
        let either =
            "times are numbers, such as 1959.25, or dates, such as 1959-04-01, whose form --date-form gives";
        let times = table.complete_numbers(name).map_err(|error| Failure::from(error).or(either))?;
        return Ok((times, None));
    }
    let column = table.dates(name, form)?;
    let moments = column.values.iter().enumerate().map(|(row, moment)| {
        moment
            .ok_or_else(|| table.refused(row, name, "a date").with_hint("a row without a time has no place"))
    });
    let moments = moments.collect::<Result<Vec<_>, _>>()?;
    let times = moments.iter().map(|&moment| decimal_year(moment)).collect();
    let axis = TimeAxis::of(&moments, column.precision).ok();
    Ok((times, Some(Dates { precision: column.precision, axis })))
}
