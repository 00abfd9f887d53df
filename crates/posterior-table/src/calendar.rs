//! Moments as numbers: years with a fraction, and where an axis of them is marked.

use jiff::Span;
use jiff::civil::{Date, DateTime, Time};

use crate::axis::seconds_between;
use crate::dates::DatePrecision;

/// The distances of marks on an axis of dates, the finest first; none is more than three and a half times the
/// one before it, so that there are two marks at least.
const DISTANCES: [Distance; 30] = [
    Distance::Seconds(1),
    Distance::Seconds(2),
    Distance::Seconds(5),
    Distance::Seconds(15),
    Distance::Seconds(30),
    Distance::Seconds(60),
    Distance::Seconds(120),
    Distance::Seconds(300),
    Distance::Seconds(900),
    Distance::Seconds(1800),
    Distance::Seconds(3600),
    Distance::Seconds(2 * 3600),
    Distance::Seconds(6 * 3600),
    Distance::Seconds(12 * 3600),
    Distance::Days(1),
    Distance::Days(2),
    Distance::Days(7),
    Distance::Days(14),
    Distance::Months(1),
    Distance::Months(3),
    Distance::Months(6),
    Distance::Years(1),
    Distance::Years(2),
    Distance::Years(5),
    Distance::Years(10),
    Distance::Years(20),
    Distance::Years(50),
    Distance::Years(100),
    Distance::Years(300),
    Distance::Years(1000),
];

/// The most distances of an axis.
const MARKS: f64 = 7.0;

#[derive(Debug, Clone, Copy)]
enum Distance {
    Seconds(i32),
    Days(i32),
    Months(i32),
    Years(i16),
}

impl Distance {
    /// In years, about.
    fn years(self) -> f64 {
        match self {
            Self::Seconds(count) => f64::from(count) / (365.0 * 86_400.0),
            Self::Days(count) => f64::from(count) / 365.0,
            Self::Months(count) => f64::from(count) / 12.0,
            Self::Years(count) => f64::from(count),
        }
    }

    fn span(self) -> Span {
        match self {
            Self::Seconds(count) => Span::new().seconds(count),
            Self::Days(count) => Span::new().days(count),
            Self::Months(count) => Span::new().months(count),
            Self::Years(count) => Span::new().years(count),
        }
    }

    /// How the date of a mark is written.
    fn text(self, mark: DateTime) -> String {
        match self {
            Self::Seconds(count) if count < 60 => mark.strftime("%H:%M:%S").to_string(),
            Self::Seconds(_) => mark.strftime("%m-%d %H:%M").to_string(),
            Self::Days(_) => DatePrecision::Day.text(mark),
            Self::Months(_) => DatePrecision::Month.text(mark),
            Self::Years(_) => mark.year().to_string(),
        }
    }

    /// The last mark that is not after a moment.
    fn mark_before(self, moment: DateTime) -> DateTime {
        let day = moment.date();
        let midnight = day.to_datetime(Time::midnight());
        match self {
            Self::Seconds(count) => {
                let since = seconds_between(midnight, moment);
                midnight.saturating_add(Span::new().seconds(since - since % i64::from(count)))
            }
            Self::Days(count) if count < 7 => midnight,
            Self::Days(_) => {
                let back = i32::from(day.weekday().to_monday_zero_offset());
                midnight.saturating_sub(Span::new().days(back))
            }
            Self::Months(_) => year(day.year()).0,
            Self::Years(count) => year((day.year().div_euclid(count) * count).max(-9999)).0,
        }
    }
}

/// A moment as a number of years: 2024.5 is the middle of the year 2024, a leap year or not.
///
/// ```
/// use jiff::civil::date;
/// use posterior_table::{decimal_year, moment_of_year};
///
/// let noon = date(2023, 7, 2).at(12, 0, 0, 0);
/// assert_eq!(decimal_year(noon), 2023.5);
/// assert_eq!(moment_of_year(2023.5), Some(noon));
/// ```
pub fn decimal_year(moment: DateTime) -> f64 {
    let (start, length) = year(moment.year());
    let since = seconds_between(start, moment) as f64 + f64::from(moment.subsec_nanosecond()) / 1e9;
    f64::from(moment.year()) + since / length
}

/// The moment of a number of years, to the millisecond; beyond the years -9999 to 9999 the first or the last
/// one. `None` of NaN.
pub fn moment_of_year(number: f64) -> Option<DateTime> {
    if number.is_nan() {
        return None;
    }
    let whole = number.floor().clamp(-9999.0, 9999.0);
    let (start, length) = year(whole as i16);
    let milliseconds = (1e3 * (number - whole) * length).round().clamp(0.0, 1e3 * length);
    Some(start.saturating_add(Span::new().milliseconds(milliseconds as i64)))
}

/// The first moment of a year, and its seconds.
fn year(number: i16) -> (DateTime, f64) {
    let first = Date::constant(number, 1, 1);
    (first.to_datetime(Time::midnight()), f64::from(first.days_in_year()) * 86_400.0)
}

/// Round dates between two numbers of years, some two to eight: where an axis of dates is marked, and with
/// which texts. There are none unless both are finite and in order.
pub fn date_ticks(from: f64, to: f64) -> Vec<(f64, String)> {
    if !(from.is_finite() && to.is_finite() && from < to) {
        return Vec::new();
    }
    let few = |own: &&Distance| (to - from) / own.years() <= MARKS;
    let distance = *DISTANCES.iter().find(few).unwrap_or(&DISTANCES[DISTANCES.len() - 1]);
    let first = moment_of_year(from).map(|moment| distance.mark_before(moment));
    std::iter::successors(first, |mark| mark.checked_add(distance.span()).ok())
        .map(|mark| (decimal_year(mark), distance.text(mark)))
        .skip_while(|mark| mark.0 < from)
        .take_while(|mark| mark.0 <= to)
        .collect()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn marks_are_round_dates() {
        let texts = |from: DateTime, to: DateTime| -> Vec<String> {
            let marks = date_ticks(decimal_year(from), decimal_year(to));
            marks.into_iter().map(|mark| mark.1).collect()
        };
        let day = |year, month, day| date(year, month, day).at(0, 0, 0, 0);
        assert_eq!(
            texts(day(1949, 1, 1), day(1962, 12, 1)),
            ["1950", "1952", "1954", "1956", "1958", "1960", "1962"]
        );
        assert_eq!(texts(day(2023, 11, 15), day(2024, 3, 2)), ["2023-12", "2024-01", "2024-02", "2024-03"]);
        assert_eq!(texts(day(2024, 2, 26), day(2024, 3, 2)).len(), 6);
        assert_eq!(
            texts(day(2024, 2, 26), day(2024, 3, 20)),
            ["2024-02-26", "2024-03-04", "2024-03-11", "2024-03-18"]
        );
        let hours = texts(day(2024, 2, 28), date(2024, 2, 28).at(5, 30, 0, 0));
        assert_eq!(hours[1], "02-28 01:00");
        assert!(date_ticks(2.0, 1.0).is_empty() && date_ticks(f64::NAN, 1.0).is_empty());
        assert_eq!(moment_of_year(f64::NAN), None);
        assert_eq!(moment_of_year(f64::INFINITY), moment_of_year(1e5));
    }

    proptest! {
        #[test]
        fn milliseconds_come_back(milliseconds in 0..3_000_000_000_000_i64) {
            let since = Span::new().milliseconds(milliseconds);
            let moment = date(1950, 1, 1).at(0, 0, 0, 0).checked_add(since).unwrap();
            prop_assert_eq!(moment_of_year(decimal_year(moment)), Some(moment));
        }

        #[test]
        fn marks_are_few_and_in_order(from in -9000.0..9000.0_f64, ln_length in -15.0..5.0_f64) {
            let to = from + ln_length.exp();
            let marks = date_ticks(from, to);
            prop_assert!((2..=8).contains(&marks.len()), "{marks:?}");
            prop_assert!(marks.windows(2).all(|pair| pair[0].0 < pair[1].0));
            prop_assert!(marks.iter().all(|mark| (from..=to).contains(&mark.0)));
        }
    }
}
