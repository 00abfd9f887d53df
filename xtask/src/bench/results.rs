//! What criterion writes about one benchmark, and how it reads in a table.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// One benchmark.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Measurement {
    pub(super) name: String,
    /// The median time of one iteration, in nanoseconds.
    pub(super) median: f64,
    /// Half of the confidence interval of the median.
    pub(super) error: f64,
    /// What one iteration works on: amounts and their units.
    pub(super) throughput: Vec<(f64, &'static str)>,
}

impl Measurement {
    /// Reads `estimates.json` and the `benchmark.json` beside it.
    pub(super) fn read(estimates: &Path) -> Result<Self, String> {
        let benchmark = estimates.with_file_name("benchmark.json");
        Self::parse(&json(estimates)?, &json(&benchmark)?)
            .ok_or_else(|| format!("{}: not in the format of criterion 0.8", estimates.display()))
    }

    fn parse(estimates: &Value, benchmark: &Value) -> Option<Self> {
        let median = &estimates["median"];
        let interval = &median["confidence_interval"];
        Some(Self {
            name: benchmark["full_id"].as_str()?.to_owned(),
            median: median["point_estimate"].as_f64()?,
            error: (interval["upper_bound"].as_f64()? - interval["lower_bound"].as_f64()?) / 2.0,
            throughput: throughput(&benchmark["throughput"])?,
        })
    }

    /// The cells of the table.
    pub(super) fn row(&self) -> Vec<String> {
        let per_second = 1e9 / self.median;
        let rates: Vec<String> =
            self.throughput.iter().map(|&(amount, unit)| rate(amount * per_second, unit)).collect();
        vec![self.name.clone(), time(self.median), time(self.error), rates.join(", ")]
    }
}

fn json(path: &Path) -> Result<Value, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Amounts and units; none of a benchmark that states no throughput, `None` for an unknown format.
fn throughput(value: &Value) -> Option<Vec<(f64, &'static str)>> {
    if value.is_null() {
        return Some(Vec::new());
    }
    let (kind, amount) = value.as_object()?.iter().next()?;
    match kind.as_str() {
        "Bits" => Some(vec![(amount.as_f64()?, "bit")]),
        "Bytes" | "BytesDecimal" => Some(vec![(amount.as_f64()?, "B")]),
        "Elements" => Some(vec![(amount.as_f64()?, "elem")]),
        "ElementsAndBytes" => {
            Some(vec![(amount["elements"].as_f64()?, "elem"), (amount["bytes"].as_f64()?, "B")])
        }
        _ => None,
    }
}

/// A time in the unit that leaves one to three digits before the point.
fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        ns if ns < 1e3 => format!("{} ns", digits(ns)),
        ns if ns < 1e6 => format!("{} µs", digits(ns / 1e3)),
        ns if ns < 1e9 => format!("{} ms", digits(ns / 1e6)),
        ns => format!("{} s", digits(ns / 1e9)),
    }
}

fn rate(per_second: f64, unit: &str) -> String {
    let (scaled, prefix) = match per_second {
        x if x < 1e3 => (x, ""),
        x if x < 1e6 => (x / 1e3, "k"),
        x if x < 1e9 => (x / 1e6, "M"),
        x => (x / 1e9, "G"),
    };
    format!("{} {prefix}{unit}/s", digits(scaled))
}

/// Three significant digits of a number from 1 to 1000; smaller ones get two decimals.
fn digits(x: f64) -> String {
    let decimals = if x >= 100.0 {
        0
    } else if x >= 10.0 {
        1
    } else {
        2
    };
    format!("{x:.decimals$}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn estimates() -> Value {
        let interval = json!({"confidence_level": 0.95, "lower_bound": 1900.0, "upper_bound": 2100.0});
        json!({"median": {"confidence_interval": interval, "point_estimate": 2000.0, "standard_error": 50.0}})
    }

    fn row(throughput: &Value) -> Option<Vec<String>> {
        let benchmark = json!({"full_id": "lda/dense", "throughput": throughput});
        Measurement::parse(&estimates(), &benchmark).map(|measurement| measurement.row())
    }

    #[test]
    fn a_row_has_the_median_half_its_interval_and_the_rates() {
        let cells = |rate: &str| Some(["lda/dense", "2.00 µs", "100 ns", rate].map(str::to_owned).to_vec());
        assert_eq!(row(&Value::Null), cells(""));
        assert_eq!(row(&json!({"Elements": 500})), cells("250 Melem/s"));
        assert_eq!(row(&json!({"Bytes": 2})), cells("1.00 MB/s"));
        assert_eq!(
            row(&json!({"ElementsAndBytes": {"elements": 1, "bytes": 20_000}})),
            cells("500 kelem/s, 10.0 GB/s")
        );
    }

    #[test]
    fn an_unknown_format_is_refused() {
        assert_eq!(row(&json!({"Parsecs": 1})), None);
        assert_eq!(Measurement::parse(&json!({}), &json!({"full_id": "a"})), None);
    }

    #[test]
    fn times_have_three_digits() {
        let times = [0.5, 12.34, 999.0, 1234.0, 5.6e7, 2e9].map(time);
        assert_eq!(times, ["0.50 ns", "12.3 ns", "999 ns", "1.23 µs", "56.0 ms", "2.00 s"]);
    }
}
