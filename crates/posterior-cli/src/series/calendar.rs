//! Regressors that the calendar gives, which are known of times to come too.

use std::collections::BTreeSet;
use std::path::Path;

use posterior::table::jiff::civil::{Date, Weekday};
use posterior::table::{DateColumn, DatePrecision, TableFile, TimeAxis};
use serde::{Deserialize, Serialize};

use crate::args::{CalendarEffect, TableArgs};
use crate::failure::Failure;

/// Days before Easter on which it is felt.
const BEFORE_EASTER: i32 = 8;

/// The days of a month on average.
const MONTH: f64 = 365.25 / 12.0;

/// The days of the week beside Sunday.
const WEEKDAYS: [(Weekday, &str); 6] = [
    (Weekday::Monday, "Mondays"),
    (Weekday::Tuesday, "Tuesdays"),
    (Weekday::Wednesday, "Wednesdays"),
    (Weekday::Thursday, "Thursdays"),
    (Weekday::Friday, "Fridays"),
    (Weekday::Saturday, "Saturdays"),
];

/// What of the calendar is part of a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Calendar {
    effects: Vec<CalendarEffect>,
    /// Days with the name of their holiday, as ISO 8601 has them.
    holidays: Vec<(String, String)>,
}

/// The name of an effect, and a number for each step.
type Effect = (String, Vec<f64>);

impl Calendar {
    /// What the options ask for; holidays from a table with a column of dates and one of names.
    pub(super) fn read(
        effects: &[CalendarEffect],
        holidays: Option<&Path>,
        args: &TableArgs,
    ) -> Result<Self, Failure> {
        let mut calendar = Self { effects: effects.to_vec(), holidays: Vec::new() };
        let Some(path) = holidays else { return Ok(calendar) };
        let opened = TableFile::open(path, &args.options()?)?;
        let header = opened.header().to_vec();
        let [dates, names] = &header[..] else {
            let message = format!(
                "{}: line 1: expected a column of dates and one of names of holidays, found {header:?}",
                opened.source
            );
            return Err(Failure::data(message));
        };
        let table = opened.read(&header, |rows| 200 * rows as u64)?;
        let DateColumn { values, precision } = table.dates(dates, None)?;
        if precision != DatePrecision::Day {
            return Err(Failure::data(format!("{}: column {dates}: expected days", table.source)));
        }
        for ((row, day), name) in values.iter().enumerate().zip(table.labels(names)?) {
            let Some(day) = day else { return Err(table.refused(row, dates, "a date").into()) };
            calendar.holidays.push((day.date().to_string(), name.to_owned()));
        }
        Ok(calendar)
    }

    /// Whether nothing is asked of the calendar.
    pub(super) fn is_empty(&self) -> bool {
        self.effects.is_empty() && self.holidays.is_empty()
    }

    /// Names and a number for each of so many steps. Refuses what is the same at all steps that are seen.
    pub(super) fn columns(
        &self,
        axis: &TimeAxis,
        (seen, count): (usize, usize),
    ) -> Result<Vec<Effect>, Failure> {
        let days: Vec<Vec<Date>> = (0..count).map(|place| axis.days(place).collect()).collect();
        let of = |number: &dyn Fn(&[Date]) -> f64| days.iter().map(|own| number(own)).collect::<Vec<f64>>();
        let mut columns = Vec::new();
        for effect in &self.effects {
            match effect {
                CalendarEffect::TradingDays => columns.extend(WEEKDAYS.map(|(weekday, name)| {
                    let less = |days: &[Date]| {
                        let many =
                            |own: Weekday| days.iter().filter(|day| day.weekday() == own).count() as f64;
                        many(weekday) - many(Weekday::Sunday)
                    };
                    (format!("{name} less Sundays"), of(&less))
                })),
                CalendarEffect::MonthLength => {
                    let months = |days: &[Date]| (days.len() as f64 / MONTH).round();
                    let longer = |days: &[Date]| days.len() as f64 - MONTH * months(days);
                    columns.push(("days of the month".to_owned(), of(&longer)));
                }
                CalendarEffect::Easter => {
                    let proportion = |days: &[Date]| {
                        let before = |day: &&Date| (1..=BEFORE_EASTER).contains(&days_to_easter(**day));
                        days.iter().filter(before).count() as f64 / f64::from(BEFORE_EASTER)
                    };
                    columns.push(("Easter".to_owned(), of(&proportion)));
                }
            }
        }
        let names: BTreeSet<&String> = self.holidays.iter().map(|(_, name)| name).collect();
        for name in names {
            let own: BTreeSet<Date> = self
                .holidays
                .iter()
                .filter(|own| own.1 == *name)
                .filter_map(|own| own.0.parse().ok())
                .collect();
            let many = |days: &[Date]| days.iter().filter(|day| own.contains(day)).count() as f64;
            columns.push((name.clone(), of(&many)));
        }
        for (name, numbers) in &columns {
            if numbers[..seen].iter().all(|own| *own == numbers[0]) {
                let message =
                    format!("{name}: the same at all times of the series: its effect cannot be known");
                return Err(Failure::data(message).with_hint("take it out of --calendar or --holidays"));
            }
        }
        Ok(columns)
    }
}

/// How many days later the Easter Sunday of the day's year is, in the Gregorian calendar.
fn days_to_easter(day: Date) -> i32 {
    (easter(day.year()) - day).get_days()
}

/// The Gregorian Easter Sunday of a year (Butcher's rule, 1876).
fn easter(year: i16) -> Date {
    let y = i32::from(year);
    let (golden, century, rest) = (y % 19, y / 100, y % 100);
    let correction = (century - (century + 8) / 25 + 1) / 3;
    let epact = (19 * golden + century - century / 4 - correction + 15) % 30;
    let weekday = (32 + 2 * (century % 4) + 2 * (rest / 4) - epact - rest % 4) % 7;
    let late = (golden + 11 * epact + 22 * weekday) / 451;
    let days = epact + weekday - 7 * late + 114;
    // Months 3 and 4, and days that they have.
    Date::new(year, (days / 31) as i8, (days % 31 + 1) as i8).unwrap_or(Date::MIN)
}

#[cfg(test)]
mod tests {
    use posterior::table::jiff::civil::{Time, date};

    use super::*;

    #[test]
    fn easter_sundays_are_those_of_the_almanac() {
        let known = [
            (1818, 3, 22),
            (1943, 4, 25),
            (1961, 4, 2),
            (1999, 4, 4),
            (2000, 4, 23),
            (2008, 3, 23),
            (2011, 4, 24),
            (2024, 3, 31),
            (2025, 4, 20),
            (2026, 4, 5),
            (2038, 4, 25),
            (2100, 3, 28),
        ];
        for (year, month, day) in known {
            assert_eq!(easter(year), date(year, month, day));
        }
    }

    #[test]
    fn months_have_their_days() {
        let months = |first: &str, second: &str| {
            let moments =
                [first, second].map(|own| own.parse::<Date>().unwrap().to_datetime(Time::default()));
            TimeAxis::of(&moments, DatePrecision::Day).unwrap().0
        };
        let all = [CalendarEffect::TradingDays, CalendarEffect::MonthLength, CalendarEffect::Easter];
        let holidays = vec![("2024-02-10".to_owned(), "carnival".to_owned())];
        let calendar = Calendar { effects: all.to_vec(), holidays };
        // January to April 2024, named by their first and by their last days: 5 Mondays and 4 Sundays in
        // January; 4 of each in February, and 29 days; Easter on March 31: 8 days before it in March.
        for axis in [months("2024-01-01", "2024-02-01"), months("2024-01-31", "2024-02-29")] {
            let columns = calendar.columns(&axis, (24, 24)).unwrap();
            let column = |name: &str| &columns.iter().find(|own| own.0 == name).unwrap().1;
            assert_eq!(column("Mondays less Sundays")[..2], [1.0, 0.0]);
            assert_eq!(column("Thursdays less Sundays")[..2], [0.0, 1.0]);
            assert_eq!(column("days of the month")[1], 29.0 - MONTH);
            assert_eq!(column("Easter")[..4], [0.0, 0.0, 1.0, 0.0]);
            assert_eq!(column("carnival")[..4], [0.0, 1.0, 0.0, 0.0]);
        }
        calendar.columns(&months("2024-05-01", "2024-06-01"), (4, 4)).unwrap_err();
    }
}
