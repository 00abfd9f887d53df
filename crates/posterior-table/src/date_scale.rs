//! Dates as numbers: so many days, months or years since the first one.

use std::fmt;
use std::str::FromStr;

use jiff::Span;
use jiff::civil::{DateTime, Time};

use crate::axis::seconds_between;
use crate::calendar::{decimal_year, moment_of_year};
use crate::dates::{self, DateColumn, DatePrecision};

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeUnit {
    /// Of 24 hours.
    Days,
    /// Of the calendar, whatever their length: half of a month is half of its days.
    Months,
    /// Of the calendar, leap years or not.
    Years,
}

impl fmt::Display for TimeUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Days => "days",
            Self::Months => "months",
            Self::Years => "years",
        })
    }
}

impl FromStr for TimeUnit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = [Self::Days, Self::Months, Self::Years];
        all.into_iter()
            .find(|own| own.to_string() == text)
            .ok_or_else(|| "expected days, months or years".to_owned())
    }
}

/// A scale of numbers for dates: so many units since an origin. It prints as `days since 1973-07-25`, and is
/// read from that.
///
/// ```
/// use posterior_table::DateScale;
///
/// let scale: DateScale = "months since 2023-11".parse()?;
/// assert_eq!(scale.read("2024-03"), Some(4.0));
/// assert_eq!(scale.text(4.0), "2024-03");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateScale {
    unit: TimeUnit,
    origin: DateTime,
    precision: DatePrecision,
}

impl DateScale {
    /// Since the first of these dates; in days, or in months where they are months or quarters, unless a unit
    /// is given. None without dates.
    pub fn of(column: &DateColumn, unit: Option<TimeUnit>) -> Option<Self> {
        let origin = column.values.iter().flatten().min().copied()?;
        let precision = column.precision;
        let own = if precision < DatePrecision::Day { TimeUnit::Months } else { TimeUnit::Days };
        Some(Self { unit: unit.unwrap_or(own), origin, precision })
    }

    /// The unit.
    pub const fn unit(&self) -> TimeUnit {
        self.unit
    }

    /// How many units a moment is after the origin.
    pub fn number(&self, moment: DateTime) -> f64 {
        match self.unit {
            TimeUnit::Days => seconds_between(self.origin, moment) as f64 / DAY,
            TimeUnit::Months => months(moment) - months(self.origin),
            TimeUnit::Years => decimal_year(moment) - decimal_year(self.origin),
        }
    }

    /// The moment at a number, to the millisecond. None of NaN, and beyond the years that dates may have.
    pub fn moment(&self, number: f64) -> Option<DateTime> {
        match self.unit {
            TimeUnit::Days => after(self.origin, number * DAY),
            TimeUnit::Months => {
                let number = number + months(self.origin);
                let whole = number.floor();
                let (year, month) = ((whole / 12.0).floor(), whole.rem_euclid(12.0));
                let start = DateTime::new(in_range(year)?, month as i8 + 1, 1, 0, 0, 0, 0).ok()?;
                after(start, (number - whole) * month_length(start))
            }
            TimeUnit::Years => moment_of_year(number + decimal_year(self.origin)),
        }
    }

    /// The date at a number, as fine as the dates of the column; empty where there is none.
    pub fn text(&self, number: f64) -> String {
        self.moment(number).map_or_else(String::new, |moment| self.precision.text(moment))
    }

    /// The number of a date in one of the known forms; none of other texts.
    pub fn read(&self, text: &str) -> Option<f64> {
        let column = dates::read([Some(text)].into_iter(), None).ok()?;
        Some(self.number((*column.values.first()?)?))
    }
}

impl fmt::Display for DateScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} since {}", self.unit, self.precision.text(self.origin))
    }
}

impl FromStr for DateScale {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!("expected a unit of time and an origin, as in `days since 1973-07-25`, found {text:?}")
        };
        let (unit, origin) = text.split_once(" since ").ok_or_else(wrong)?;
        let column = dates::read([Some(origin)].into_iter(), None).map_err(|_| wrong())?;
        Self::of(&column, Some(unit.parse()?)).ok_or_else(wrong)
    }
}

/// Seconds of a day.
const DAY: f64 = 86_400.0;

/// Months since the year 0.
fn months(moment: DateTime) -> f64 {
    let start = moment.date().first_of_month().to_datetime(Time::midnight());
    let since = seconds_between(start, moment) as f64 / month_length(start);
    12.0 * f64::from(moment.year()) + f64::from(moment.month() - 1) + since
}

/// Seconds of a month.
fn month_length(moment: DateTime) -> f64 {
    f64::from(moment.date().days_in_month()) * DAY
}

/// So many seconds later, to the millisecond.
fn after(start: DateTime, seconds: f64) -> Option<DateTime> {
    let milliseconds = (1e3 * seconds).round();
    // Twenty thousand years.
    if !(milliseconds.abs() < 6.3e14) {
        return None;
    }
    start.checked_add(Span::new().milliseconds(milliseconds as i64)).ok()
}

/// A year that a date may have.
fn in_range(year: f64) -> Option<i16> {
    (year.abs() <= 9999.0).then_some(year as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_so_many_units_after_the_first() {
        for (scale, date, number) in [
            ("days since 2023-12-31", "2024-03-01", 61.0),
            ("days since 2024-03-01", "2023-12-31", -61.0),
            ("days since 2024-03-01T06:00:00", "2024-03-01T18:00:00", 0.5),
            ("months since 2023-11", "2024-03", 4.0),
            ("months since 2023-Q4", "2024-Q2", 6.0),
            ("months since 2024-02-15", "2024-03-16T12:00:00", 1.0 + 0.5 - 14.0 / 29.0),
            ("years since 2023-01-01", "2024-07-02", 1.5),
            ("years since 2024-01-01", "1924-01-01", -100.0),
        ] {
            let scale: DateScale = scale.parse().unwrap();
            let found = scale.read(date).unwrap();
            assert!((found - number).abs() < 1e-10, "{scale} {date}: {found}");
            let moment = scale.moment(number).unwrap();
            assert!((scale.number(moment) - number).abs() < 1e-8, "{scale} {date}: {moment}");
            assert_eq!(scale.to_string().parse(), Ok(scale));
        }
    }

    #[test]
    fn beyond_the_calendar_there_is_no_date() {
        for scale in ["days since 2024-01-01", "months since 2024-01", "years since 2024-01-01"] {
            let scale: DateScale = scale.parse().unwrap();
            assert_eq!(scale.moment(f64::NAN), None, "{scale}");
            assert_eq!(scale.read("next week"), None);
        }
        let scale: DateScale = "months since 2024-01".parse().unwrap();
        assert_eq!(scale.text(1e9), "");
        assert!("weeks since 2024-01".parse::<DateScale>().is_err());
        assert!("days after 2024-01".parse::<DateScale>().is_err());
    }
}
