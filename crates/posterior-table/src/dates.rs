//! Dates and times: the form that all cells of a column share, and what they are.

use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::strtime;
use jiff::{SignedDuration, tz::Offset};

/// Forms of dates without a time, as `strftime` has them. Those that read all cells of a column must agree on
/// every cell. Years of two digits are those from 1969 to 2068.
const DATES: [(&str, DatePrecision); 20] = [
    ("%Y-%m-%d", DatePrecision::Day),
    ("%Y/%m/%d", DatePrecision::Day),
    ("%Y.%m.%d", DatePrecision::Day),
    ("%d.%m.%Y", DatePrecision::Day),
    ("%m/%d/%Y", DatePrecision::Day),
    ("%d/%m/%Y", DatePrecision::Day),
    ("%m-%d-%Y", DatePrecision::Day),
    ("%d-%m-%Y", DatePrecision::Day),
    ("%d.%m.%y", DatePrecision::Day),
    ("%m/%d/%y", DatePrecision::Day),
    ("%d/%m/%y", DatePrecision::Day),
    ("%d %b %Y", DatePrecision::Day),
    ("%d-%b-%Y", DatePrecision::Day),
    ("%b %d, %Y", DatePrecision::Day),
    ("%G-W%V", DatePrecision::Day),
    ("%Y-%m", DatePrecision::Month),
    ("%Y/%m", DatePrecision::Month),
    ("%b %Y", DatePrecision::Month),
    ("%b-%Y", DatePrecision::Month),
    (QUARTER, DatePrecision::Quarter),
];

/// The most bytes of a date with a time: longer cells are texts.
const LONGEST: usize = 64;

/// Forms of times of a day.
const TIMES: [&str; 4] = ["%H:%M:%S%.f", "%H:%M", "%I:%M:%S %p", "%I:%M %p"];

/// 2024Q1, 2024-Q1, 2024 Q1; `strftime` has no name for it.
const QUARTER: &str = "%Y-Q%q";

/// The names of months; one of them has two abbreviations.
const MONTHS: [&str; 13] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
    "Sept",
];

/// How fine the dates of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DatePrecision {
    /// Quarters of years.
    Quarter,
    /// Months.
    Month,
    /// Days.
    Day,
    /// Times of a day.
    Time,
}

impl DatePrecision {
    /// A moment as text in the form of ISO 8601, as fine as this: `2024-Q1`, `2024-03`, `2024-03-31`,
    /// `2024-03-31T12:30:00`.
    pub fn text(self, moment: DateTime) -> String {
        match self {
            Self::Quarter => format!("{:04}-Q{}", moment.year(), (moment.month() - 1) / 3 + 1),
            Self::Month => format!("{:04}-{:02}", moment.year(), moment.month()),
            Self::Day => moment.date().to_string(),
            Self::Time => moment.to_string(),
        }
    }
}

/// The dates of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DateColumn {
    /// The moment of each row, the first one of its day, month or quarter; `None` where it is missing. Times
    /// with an offset from UTC are in UTC.
    pub values: Vec<Option<DateTime>>,
    /// How fine they are.
    pub precision: DatePrecision,
}

/// Why cells are not the dates of one form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Undated {
    /// No form is left at the cell of this row.
    Row(usize),
    /// Two forms read the cell of this row differently.
    Ambiguous { row: usize, forms: [String; 2] },
}

/// Reads cells that all have one form; `given` is that form, otherwise it is recognised. `None` is a missing
/// cell.
pub(crate) fn read<'a>(
    cells: impl Iterator<Item = Option<&'a str>> + Clone,
    given: Option<&str>,
) -> Result<DateColumn, Undated> {
    if let Some(form) = given {
        return read_as(cells, form);
    }
    let mut forms: Vec<(&str, DatePrecision)> = DATES.to_vec();
    let mut times: Option<Vec<&str>> = None;
    for (row, cell) in cells.clone().enumerate() {
        let Some(cell) = cell else { continue };
        let (date, time) = split(cell);
        forms.retain(|(form, _)| date_of(date, form).is_some());
        match (&mut times, time) {
            (None, time) => {
                let mut all = if time.is_some() { TIMES.to_vec() } else { Vec::new() };
                all.retain(|form| time.is_some_and(|time| time_of(time, form).is_some()));
                if all.is_empty() && time.is_some() {
                    return Err(Undated::Row(row));
                }
                times = Some(all);
            }
            (Some(all), time) => {
                let had = !all.is_empty();
                all.retain(|form| time.is_some_and(|time| time_of(time, form).is_some()));
                if had != time.is_some() || (had && all.is_empty()) {
                    return Err(Undated::Row(row));
                }
            }
        }
        if forms.is_empty() {
            return Err(Undated::Row(row));
        }
    }
    let time = times.and_then(|all| all.first().copied());
    for (row, cell) in cells.clone().enumerate() {
        let Some((date, _)) = cell.map(split) else { continue };
        let first = date_of(date, forms[0].0);
        if let Some(other) = forms.iter().find(|(form, _)| date_of(date, form) != first) {
            return Err(Undated::Ambiguous { row, forms: [forms[0].0.to_owned(), other.0.to_owned()] });
        }
    }
    let (form, precision) = forms[0];
    let value = |(row, cell): (usize, Option<&str>)| {
        let Some(cell) = cell else { return Ok(None) };
        moment(cell, form, time).map(Some).ok_or(Undated::Row(row))
    };
    let values: Result<_, _> = cells.enumerate().map(value).collect();
    Ok(DateColumn {
        values: values?,
        precision: if time.is_some() { DatePrecision::Time } else { precision },
    })
}

/// Reads cells of a given form of `strftime`.
fn read_as<'a>(cells: impl Iterator<Item = Option<&'a str>>, form: &str) -> Result<DateColumn, Undated> {
    let value = |(row, cell): (usize, Option<&str>)| {
        let Some(cell) = cell else { return Ok(None) };
        let read = if form == QUARTER { quarter(cell).map(midnight) } else { by_form(cell, form) };
        read.map(Some).ok_or(Undated::Row(row))
    };
    let values: Result<_, _> = cells.enumerate().map(value).collect();
    let has = |parts: &[&str]| parts.iter().any(|part| form.contains(part));
    let precision = if form == QUARTER {
        DatePrecision::Quarter
    } else if has(&["%H", "%I", "%M", "%S", "%T", "%s"]) {
        DatePrecision::Time
    } else if has(&["%d", "%e", "%j", "%V", "%F", "%D"]) {
        DatePrecision::Day
    } else {
        DatePrecision::Month
    };
    Ok(DateColumn { values: values?, precision })
}

/// A moment by a form of `strftime` that may have a time and an offset.
fn by_form(cell: &str, form: &str) -> Option<DateTime> {
    let parts = strtime::parse(form, cell).ok()?;
    if let Ok(moment) = parts.to_timestamp() {
        return Some(Offset::UTC.to_datetime(moment));
    }
    parts.to_datetime().ok().or_else(|| date_of(cell, form).map(midnight))
}

/// Whether a cell is a date of one of the known forms.
pub(crate) fn is_date(cell: &str) -> bool {
    if cell.len() > LONGEST || !cell.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let (date, time) = split(cell);
    DATES.iter().any(|(form, _)| date_of(date, form).is_some())
        && time.is_none_or(|time| TIMES.iter().any(|form| time_of(time, form).is_some()))
}

/// A date and the time behind it.
fn split(cell: &str) -> (&str, Option<&str>) {
    let bytes = cell.as_bytes();
    let starts_time = |&at: &usize| {
        matches!(bytes[at], b'T' | b' ')
            && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
            && bytes[at + 1..].iter().take(3).any(|&byte| byte == b':')
    };
    match (1..bytes.len()).find(starts_time) {
        Some(at) => (cell[..at].trim_end_matches(','), Some(&cell[at + 1..])),
        None => (cell, None),
    }
}

fn midnight(date: Date) -> DateTime {
    date.to_datetime(Time::midnight())
}

fn moment(cell: &str, form: &str, time_form: Option<&str>) -> Option<DateTime> {
    let (date, time) = split(cell);
    let date = date_of(date, form)?;
    let (Some(time), Some(time_form)) = (time, time_form) else { return Some(midnight(date)) };
    let (time, offset) = time_of(time, time_form)?;
    let ahead = offset.map_or(0, Offset::seconds);
    date.to_datetime(time).checked_sub(SignedDuration::from_secs(i64::from(ahead))).ok()
}

fn date_of(text: &str, form: &str) -> Option<Date> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    // `strptime` takes fewer digits of a year, and a sign, than anybody writes.
    let starts_with_year = form.starts_with("%Y") || form.starts_with("%G");
    if !text.is_ascii() || starts_with_year != (digits == 4) {
        return None;
    }
    match form {
        QUARTER => quarter(text),
        "%Y-%m" | "%Y/%m" => {
            let (year, month) = text.split_at_checked(5)?;
            let fits = month.len() <= 2 && year.as_bytes()[4] == form.as_bytes()[2];
            let date = Date::new(year[..4].parse().ok()?, month.parse().ok()?, 1).ok();
            date.filter(|_| fits && month.bytes().all(|byte| byte.is_ascii_digit()))
        }
        "%b %Y" => by_name("%d %b %Y", &format!("1 {text}")),
        "%b-%Y" => by_name("%d-%b-%Y", &format!("1-{text}")),
        _ if form.contains("%b") => by_name(form, text),
        "%G-W%V" => Date::strptime("%G-W%V-%u", format!("{text}-1")).ok(),
        _ if form.ends_with("%Y") && digits_at_end(text) != 4 => None,
        _ if form.ends_with("%y") && digits_at_end(text) != 2 => None,
        _ => Date::strptime(form, text).ok(),
    }
}

/// A date with the name of its month, whole or its first letters.
fn by_name(form: &str, text: &str) -> Option<Date> {
    let name: String = text.chars().filter(char::is_ascii_alphabetic).collect();
    let is_month =
        |month: &&'static str| name.eq_ignore_ascii_case(month) || name.eq_ignore_ascii_case(&month[..3]);
    let month = MONTHS.into_iter().find(is_month)?;
    let date = Date::strptime(form, text.replace(name.as_str(), &month[..3])).ok();
    date.filter(|_| digits_at_end(text) == 4)
}

fn digits_at_end(text: &str) -> usize {
    text.bytes().rev().take_while(u8::is_ascii_digit).count()
}

fn quarter(text: &str) -> Option<Date> {
    let (year, rest) = text.split_at_checked(4)?;
    let number = rest.trim_start_matches(['-', ' ']).strip_prefix(['Q', 'q'])?;
    let quarter: i8 = number.parse().ok().filter(|own| (1..=4).contains(own))?;
    Date::new(year.parse().ok()?, 3 * quarter - 2, 1).ok()
}

/// A time of a day, and its offset from UTC where there is one.
fn time_of(text: &str, form: &str) -> Option<(Time, Option<Offset>)> {
    let text = text.trim();
    if let Some(time) = text.strip_suffix(['Z', 'z']).or_else(|| text.strip_suffix(" UTC")) {
        return Time::strptime(form, time).ok().map(|time| (time, Some(Offset::UTC)));
    }
    let sign = text.rfind(['+', '-']).filter(|&at| at > 3);
    match sign {
        Some(at) => {
            let (time, offset) = text.split_at(at);
            let digits = offset[1..].replace(':', "");
            if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            let (hours, minutes) = match digits.len() {
                2 => (digits.parse::<i32>().ok()?, 0),
                4 => (digits[..2].parse().ok()?, digits[2..].parse::<i32>().ok()?),
                _ => return None,
            };
            let seconds = 3600 * hours + 60 * minutes;
            let offset =
                Offset::from_seconds(if offset.starts_with('-') { -seconds } else { seconds }).ok()?;
            Some((Time::strptime(form, time.trim_end()).ok()?, Some(offset)))
        }
        None => Time::strptime(form, text).ok().map(|time| (time, None)),
    }
}

/// The forms that are recognised, as `strftime` has them.
pub(crate) fn forms() -> String {
    DATES.map(|(form, _)| form).join("  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[&str]) -> Result<DateColumn, Undated> {
        read(cells.iter().map(|&cell| Some(cell).filter(|cell| !cell.is_empty())), None)
    }

    fn texts(cells: &[&str]) -> Vec<String> {
        let column = column(cells).unwrap();
        column.values.iter().flatten().map(|&moment| column.precision.text(moment)).collect()
    }

    #[test]
    fn each_form_is_read() {
        for (cells, expected) in [
            (["1973-07-25", "1973-7-5"], ["1973-07-25", "1973-07-05"]),
            (["1973/7/25", "1973/12/05"], ["1973-07-25", "1973-12-05"]),
            (["25.07.1973", "1.2.1974"], ["1973-07-25", "1974-02-01"]),
            (["7/25/1973", "2/1/1974"], ["1973-07-25", "1974-02-01"]),
            (["25/7/1973", "2/1/1974"], ["1973-07-25", "1974-01-02"]),
            (["25/7/73", "2/1/04"], ["1973-07-25", "2004-01-02"]),
            (["25 Jul 1973", "1 August 1973"], ["1973-07-25", "1973-08-01"]),
            (["Jul 25, 1973", "August 1, 1973"], ["1973-07-25", "1973-08-01"]),
            (["2020-W53", "2021-W01"], ["2020-12-28", "2021-01-04"]),
            (["1973-07", "1973-12"], ["1973-07", "1973-12"]),
            (["Jul 1973", "December 1973"], ["1973-07", "1973-12"]),
            (["1973Q3", "1973Q4"], ["1973-Q3", "1973-Q4"]),
            (["1973-Q3", "1973-Q4"], ["1973-Q3", "1973-Q4"]),
            (
                ["1973-07-25T12:30:00Z", "1973-07-25T12:30:00+02:00"],
                ["1973-07-25T12:30:00", "1973-07-25T10:30:00"],
            ),
            (["1973-07-25 12:30", "1973-07-25 23:59"], ["1973-07-25T12:30:00", "1973-07-25T23:59:00"]),
            (["7/25/1973 1:30 PM", "7/25/1973 12:30 AM"], ["1973-07-25T13:30:00", "1973-07-25T00:30:00"]),
            (
                ["1973-07-25 12:30:01.25", "1973-07-25 12:30:02"],
                ["1973-07-25T12:30:01.25", "1973-07-25T12:30:02"],
            ),
        ] {
            assert_eq!(texts(&cells), expected, "{cells:?}");
        }
    }

    #[test]
    fn days_and_months_that_may_be_exchanged_are_not_guessed() {
        let ambiguous = column(&["3/3/2021", "3/4/2021"]);
        let forms = ["%m/%d/%Y".to_owned(), "%d/%m/%Y".to_owned()];
        assert_eq!(ambiguous, Err(Undated::Ambiguous { row: 1, forms }));
        let cells = ["3/3/2021", "3/4/2021"].map(Some);
        let given = read(cells.into_iter(), Some("%d/%m/%Y")).unwrap();
        assert_eq!(given.values[1].unwrap().date(), Date::constant(2021, 4, 3));
        assert!(column(&["3/3/2021", "4/4/2021"]).is_ok());
    }

    #[test]
    fn other_cells_are_no_dates() {
        for cell in [
            "",
            "1",
            "1973",
            "1.2.3",
            "1-2",
            "192.168.0.1",
            "1973-13",
            "32.1.2000",
            "red",
            "12:30",
            "19730725",
            "٣/٤",
            "2020-01-01 12:30+€1",
        ] {
            assert!(!is_date(cell), "{cell}");
        }
        assert_eq!(column(&["2020-01-01", "2020-02-30"]), Err(Undated::Row(1)));
        assert_eq!(column(&["2020-01-01", "2020-01-02 10:00"]), Err(Undated::Row(1)));
        assert_eq!(column(&["2020-01-01 10:00", "2020-01-02"]), Err(Undated::Row(1)));
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_a_panic(start in "(2024-01-02[T ]12:30|1/2/24 1:30|)", end in "[-+:0-9aPM€é Z]{0,9}|.{0,9}") {
            let cell = start + &end;
            if is_date(&cell) {
                proptest::prop_assert!(read([Some(cell.as_str())].into_iter(), None) != Err(Undated::Row(0)));
            }
        }
    }

    #[test]
    fn missing_cells_stay_missing() {
        let column = column(&["", "2020-01-01", ""]).unwrap();
        assert_eq!(column.values.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, false]);
    }
}
