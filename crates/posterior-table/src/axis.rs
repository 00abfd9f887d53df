//! Regular steps of time: months, days or seconds between moments, with gaps.

use std::fmt;

use jiff::civil::{Date, DateTime};
use jiff::{Span, ToSpan as _, Unit};

use crate::dates::DatePrecision;

/// The most places of an axis for each moment on it: where more are empty, the moments have no step.
const SPARSEST: usize = 100;

/// The time between two places of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeStep {
    /// So many months.
    Months(i64),
    /// So many days.
    Days(i64),
    /// A day from Monday to Friday.
    Weekdays,
    /// So many seconds.
    Seconds(i64),
}

impl TimeStep {
    /// Places after which a season may come round, the likeliest first: 12 for months, 4 for quarters, 7 for
    /// days, 5 for weekdays, 52 for weeks, 24 and 168 for hours.
    pub fn seasons(self) -> Vec<usize> {
        let of_day = |seconds: i64| (86_400 % seconds == 0).then(|| (86_400 / seconds) as usize);
        let all = match self {
            Self::Months(months) => vec![(12 % months == 0).then(|| (12 / months) as usize)],
            Self::Days(1) => vec![Some(7)],
            Self::Days(7) => vec![Some(52)],
            Self::Days(_) => Vec::new(),
            Self::Weekdays => vec![Some(5)],
            Self::Seconds(seconds) => vec![of_day(seconds), of_day(seconds).map(|day| 7 * day)],
        };
        all.into_iter().flatten().filter(|&season| season > 1).collect()
    }

    /// So many steps; none beyond the years that dates may have.
    fn span(self, places: i64) -> Option<Span> {
        let span = Span::new();
        let span = match self {
            Self::Months(months) => span.try_months(months.checked_mul(places)?),
            Self::Days(days) => span.try_days(days.checked_mul(places)?),
            Self::Weekdays => span.try_days((places / 5).checked_mul(7)? + places % 5),
            Self::Seconds(seconds) => span.try_seconds(seconds.checked_mul(places)?),
        };
        span.ok()
    }
}

impl fmt::Display for TimeStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, unit) = match *self {
            Self::Months(months) if months % 12 == 0 => (months / 12, "year"),
            Self::Months(3) => (1, "quarter"),
            Self::Months(months) => (months, "month"),
            Self::Days(7) => (1, "week"),
            Self::Days(days) => (days, "day"),
            Self::Weekdays => (1, "weekday"),
            Self::Seconds(seconds) if seconds % 3600 == 0 => (seconds / 3600, "hour"),
            Self::Seconds(seconds) if seconds % 60 == 0 => (seconds / 60, "minute"),
            Self::Seconds(seconds) => (seconds, "second"),
        };
        if count == 1 { write!(f, "one {unit}") } else { write!(f, "{count} {unit}s") }
    }
}

/// Why moments are no axis.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoAxis {
    /// There are fewer than two.
    Few,
    /// The moment of this index is not after the one before it.
    Order(usize),
    /// No step of whole seconds divides all distances, or far more places than moments come out.
    Irregular,
}

impl fmt::Display for NoAxis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Few => f.write_str("a step needs two moments"),
            Self::Order(at) => write!(f, "the moments must rise, and that of row {} does not", at + 1),
            Self::Irregular => f.write_str("the moments have no regular step"),
        }
    }
}

impl std::error::Error for NoAxis {}

/// Places at equal steps of time, the first of which is 0.
///
/// ```
/// use jiff::civil::date;
/// use posterior_table::{DatePrecision, TimeAxis, TimeStep};
///
/// // The ends of months, one of which is missing.
/// let moments = [date(2024, 1, 31), date(2024, 2, 29), date(2024, 4, 30)].map(|own| own.at(0, 0, 0, 0));
/// let (axis, places) = TimeAxis::of(&moments, DatePrecision::Day)?;
/// assert_eq!(axis.step, TimeStep::Months(1));
/// assert_eq!(places, [0, 1, 3]);
/// assert_eq!(axis.text(4), "2024-05-31");
/// # Ok::<(), posterior_table::NoAxis>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeAxis {
    /// The moment of the place 0.
    pub start: DateTime,
    /// From place to place.
    pub step: TimeStep,
    /// How fine the moments are written.
    pub precision: DatePrecision,
    /// Whether each moment is the last day of its month.
    ends_of_months: bool,
}

impl TimeAxis {
    /// The step of rising moments, and the place of each.
    ///
    /// The step is the largest number of months that divides all distances, if all moments are the same day
    /// of a month or the last one; weekdays, if there are none on weekends and gaps over weekends only; else
    /// days, else seconds.
    ///
    /// # Errors
    /// There are fewer than two moments, they do not rise, they are not whole seconds apart, or the step
    /// leaves more than 99 of 100 places empty.
    pub fn of(moments: &[DateTime], precision: DatePrecision) -> Result<(Self, Vec<usize>), NoAxis> {
        let (&start, rest) = moments.split_first().filter(|(_, rest)| !rest.is_empty()).ok_or(NoAxis::Few)?;
        if let Some(at) = moments.windows(2).position(|pair| pair[1] <= pair[0]) {
            return Err(NoAxis::Order(at + 1));
        }
        // Places are whole seconds apart.
        if moments.iter().any(|own| own.subsec_nanosecond() != start.subsec_nanosecond()) {
            return Err(NoAxis::Irregular);
        }
        let ends_of_months = moments.iter().all(|own| own.day() == own.days_in_month());
        let same_day = moments.iter().all(|own| own.day() == start.day());
        let same_time = moments.iter().all(|own| own.time() == start.time());
        let days = |own: &DateTime| i64::from(days_between(start, *own));
        let step = if same_time && (same_day || ends_of_months) {
            TimeStep::Months(divisor(rest.iter().map(|own| months_between(start, *own))))
        } else if same_time && is_weekdays(moments) {
            TimeStep::Weekdays
        } else if same_time {
            TimeStep::Days(divisor(rest.iter().map(days)))
        } else {
            TimeStep::Seconds(divisor(rest.iter().map(|own| seconds_between(start, *own))))
        };
        let place = |own: &DateTime| match step {
            TimeStep::Months(months) => months_between(start, *own) / months,
            TimeStep::Days(every) => days(own) / every,
            TimeStep::Weekdays => weekdays_between(start, *own),
            TimeStep::Seconds(seconds) => seconds_between(start, *own) / seconds,
        };
        let places: Vec<usize> = moments.iter().map(|own| place(own) as usize).collect();
        let last = places.last().copied().unwrap_or_default();
        if last / SPARSEST > moments.len() {
            return Err(NoAxis::Irregular);
        }
        let axis = Self { start, step, precision, ends_of_months: ends_of_months && !same_day };
        Ok((axis, places))
    }

    /// The moment of a place; beyond the year 9999 the last moment of that year.
    pub fn at(&self, place: usize) -> DateTime {
        let weekday = i64::from(self.start.weekday().to_monday_zero_offset());
        let place = i64::try_from(place).unwrap_or(i64::MAX);
        let (from, places) = match self.step {
            // From a Monday, so that weekends lie between five places and the next five.
            TimeStep::Weekdays => (self.start.saturating_sub(weekday.days()), place.saturating_add(weekday)),
            _ => (self.start, place),
        };
        let moment = self.step.span(places).map_or(DateTime::MAX, |span| from.saturating_add(span));
        if !self.ends_of_months {
            return moment;
        }
        moment.with().day(moment.days_in_month()).build().unwrap_or(moment)
    }

    /// The days of a place: those of its months, which begin at its moment unless that is their end; those
    /// from its moment to the next; the one day of a shorter step.
    pub fn days(&self, place: usize) -> impl Iterator<Item = Date> + use<> {
        let moment = self.at(place);
        let (first, count) = match self.step {
            TimeStep::Months(months) => {
                let last = if self.ends_of_months { 0 } else { months - 1 };
                let month = |ahead: i64| moment.date().first_of_month().saturating_add(ahead.months());
                let [first, end] = [month(last + 1 - months), month(last + 1)];
                (first, (end - first).get_days().into())
            }
            TimeStep::Days(days) => (moment.date(), days),
            TimeStep::Weekdays | TimeStep::Seconds(_) => (moment.date(), 1),
        };
        (0..count).map(move |day| first.saturating_add(day.days()))
    }

    /// The moment of a place as text, as fine as the moments that made the axis.
    pub fn text(&self, place: usize) -> String {
        self.precision.text(self.at(place))
    }
}

/// The greatest common divisor of positive numbers.
fn divisor(numbers: impl Iterator<Item = i64>) -> i64 {
    numbers.fold(0, |mut a, mut b| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    })
}

fn months_between(from: DateTime, to: DateTime) -> i64 {
    12 * (i64::from(to.year()) - i64::from(from.year())) + i64::from(to.month()) - i64::from(from.month())
}

fn days_between(from: DateTime, to: DateTime) -> i32 {
    from.date().until(to.date()).map_or(0, |span| span.get_days())
}

/// Whole seconds.
pub(crate) fn seconds_between(from: DateTime, to: DateTime) -> i64 {
    from.until((Unit::Second, to)).map_or(0, |span| span.get_seconds())
}

/// Days from Monday to Friday between two such days.
fn weekdays_between(from: DateTime, to: DateTime) -> i64 {
    let monday = |own: DateTime| i64::from(own.weekday().to_monday_zero_offset());
    let weeks = (i64::from(days_between(from, to)) - monday(to) + monday(from)) / 7;
    5 * weeks + monday(to) - monday(from)
}

/// Whether moments are days from Monday to Friday that follow each other but over weekends and holidays: no
/// more than one place in five is empty.
fn is_weekdays(moments: &[DateTime]) -> bool {
    let (Some(&first), Some(&last)) = (moments.first(), moments.last()) else { return false };
    let inside = moments.iter().all(|own| own.weekday().to_monday_zero_offset() < 5);
    let follow = moments.windows(2).any(|pair| days_between(pair[0], pair[1]) == 1);
    inside
        && follow
        && moments.len() > 5
        && weekdays_between(first, last).unsigned_abs() < moments.len() as u64 * 5 / 4
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    fn axis(texts: &[&str]) -> Result<(TimeAxis, Vec<usize>), NoAxis> {
        let moments: Vec<DateTime> = texts.iter().map(|text| text.parse().unwrap()).collect();
        TimeAxis::of(&moments, DatePrecision::Time)
    }

    #[test]
    fn steps_are_recognised() {
        for (texts, step, places, words) in [
            (
                &["2020-01-01", "2020-02-01", "2020-04-01"][..],
                TimeStep::Months(1),
                &[0, 1, 3][..],
                "one month",
            ),
            (&["2020-01-01", "2020-04-01", "2020-07-01"], TimeStep::Months(3), &[0, 1, 2], "one quarter"),
            (&["2000-01-01", "2001-01-01", "2003-01-01"], TimeStep::Months(12), &[0, 1, 3], "one year"),
            (&["2020-01-31", "2020-02-29", "2020-03-31"], TimeStep::Months(1), &[0, 1, 2], "one month"),
            (&["2020-02-28", "2020-02-29", "2020-03-02"], TimeStep::Days(1), &[0, 1, 3], "one day"),
            (&["2020-02-20", "2020-02-27", "2020-03-12"], TimeStep::Days(7), &[0, 1, 3], "one week"),
            (
                &["2020-02-20T00:00:00", "2020-02-20T01:00:00", "2020-02-21T00:00:00"],
                TimeStep::Seconds(3600),
                &[0, 1, 24],
                "one hour",
            ),
            (
                &[
                    "2024-01-02",
                    "2024-01-03",
                    "2024-01-04",
                    "2024-01-05",
                    "2024-01-08",
                    "2024-01-10",
                    "2024-01-11",
                ],
                TimeStep::Weekdays,
                &[0, 1, 2, 3, 4, 6, 7],
                "one weekday",
            ),
        ] {
            let (axis, found) = axis(texts).unwrap();
            assert_eq!(
                (axis.step, &found[..], axis.step.to_string().as_str()),
                (step, places, words),
                "{texts:?}"
            );
            for (text, place) in texts.iter().zip(found) {
                assert_eq!(axis.at(place), text.parse().unwrap(), "{texts:?}");
            }
        }
        assert_eq!(axis(&["2020-01-02", "2020-01-01"]), Err(NoAxis::Order(1)));
        assert_eq!(axis(&["2020-01-02"]), Err(NoAxis::Few));
        assert_eq!(axis(&["2020-01-01", "2021-01-01"]).unwrap().0.at(usize::MAX), DateTime::MAX);
        let irregular = axis(&["2020-01-02T00:00:00", "2020-01-03T00:00:01", "2020-04-03T07:00:00"]);
        assert_eq!(irregular, Err(NoAxis::Irregular));
        let fractions = axis(&["2020-01-01T00:00:00.1", "2020-01-01T00:00:00.2", "2020-01-01T00:00:00.4"]);
        assert_eq!(fractions, Err(NoAxis::Irregular));
        let (halves, places) = axis(&["2020-01-01T00:00:00.5", "2020-01-01T00:00:01.5"]).unwrap();
        assert_eq!(
            (halves.step, places, halves.text(2)),
            (TimeStep::Seconds(1), vec![0, 1], "2020-01-01T00:00:02.5".to_owned())
        );
    }

    #[test]
    fn seasons_belong_to_steps() {
        let of = |step: TimeStep| step.seasons();
        assert_eq!(of(TimeStep::Months(1)), [12]);
        assert_eq!(of(TimeStep::Months(3)), [4]);
        assert_eq!(of(TimeStep::Months(12)), [0; 0]);
        assert_eq!(of(TimeStep::Days(7)), [52]);
        assert_eq!(of(TimeStep::Seconds(3600)), [24, 168]);
    }

    proptest! {
        #[test]
        fn places_and_moments_undo_each_other(
            day in 0_i64..20_000,
            every in 1_i64..40,
            unit in 0..4,
            gaps in prop::collection::vec(1_usize..4, 8..20),
        ) {
            let mut start = date(1970, 1, 1).at(0, 0, 0, 0) + day.days();
            let step = match unit {
                0 => TimeStep::Months(every),
                1 => TimeStep::Days(every),
                2 => TimeStep::Seconds(every),
                _ => TimeStep::Weekdays,
            };
            if unit == 0 {
                start = start.with().day(1).build().unwrap();
            }
            if unit == 3 {
                start = start + (7 - i64::from(start.weekday().to_monday_zero_offset())).days();
            }
            let whole = TimeAxis { start, step, precision: DatePrecision::Time, ends_of_months: false };
            let mut place = 0;
            let mut places = vec![0, 1];
            for gap in gaps {
                place += if unit == 3 { 1 } else { gap };
                places.push(place + 1);
            }
            let moments: Vec<DateTime> = places.iter().map(|&place| whole.at(place)).collect();
            let (found, back) = TimeAxis::of(&moments, DatePrecision::Time).unwrap();
            let again: Vec<DateTime> = back.iter().map(|&place| found.at(place)).collect();
            prop_assert_eq!(again, moments);
        }
    }
}
