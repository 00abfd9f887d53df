//! How probable it is that what an interval is of lies in it: one number for all intervals of a run.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// The probability of every interval of a run, with as much below an interval as above it. The widest
/// intervals are the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Level {
    /// What is below an interval, in units of 10⁻¹⁵: so that ends have the digits of the level.
    below: u64,
}

/// One, in those units.
const ONE: u64 = 1_000_000_000_000_000;

impl Default for Level {
    fn default() -> Self {
        Self { below: ONE / 40 }
    }
}

impl fmt::Display for Level {
    /// As in "intervals of 95 %".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", percents(ONE - 2 * self.below))
    }
}

impl Serialize for Level {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.probability())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "expected a probability between 0 and 1, such as 0.9".to_owned();
        let value: f64 = text.parse().map_err(|_| wrong())?;
        if !(value > 0.0 && value < 1.0) {
            return Err(wrong());
        }
        match (0.5 * (1.0 - value) * ONE as f64).round() as u64 {
            0 => Err("nearer to 1 than intervals have digits".to_owned()),
            below => Ok(Self { below }),
        }
    }
}

impl Level {
    pub(crate) const HALF: Self = Self { below: ONE / 4 };
    pub(crate) const EIGHTY_PERCENT: Self = Self { below: ONE / 10 };

    /// A level whose ends are beyond the quartiles, which predictions have besides.
    pub(crate) fn beyond_quartiles(text: &str) -> Result<Self, String> {
        let level: Self = text.parse()?;
        if 4 * level.below < ONE {
            Ok(level)
        } else {
            Err("expected a probability above 0.5 and below 1, such as 0.9: the quartiles are there without it".to_owned())
        }
    }

    /// The probability of an interval.
    pub(crate) fn probability(self) -> f64 {
        (ONE - 2 * self.below) as f64 / ONE as f64
    }

    /// The probabilities of its two ends.
    pub(crate) fn ends(self) -> [f64; 2] {
        self.both(|end| end as f64 / ONE as f64)
    }

    /// The interval of a distribution with such quantiles.
    pub(crate) fn interval(self, quantile: impl FnMut(f64) -> f64) -> [f64; 2] {
        self.ends().map(quantile)
    }

    /// The names of the columns of its ends: q025 and q975.
    pub(crate) fn names(self) -> [String; 2] {
        self.both(|end| format!("q{}", digits(end)))
    }

    /// Its ends for people: "2.5 %" and "97.5 %".
    pub(crate) fn percents(self) -> [String; 2] {
        self.both(|end| format!("{} %", percents(end)))
    }

    /// The name of the proportion of outcomes in their intervals: `coverage_95`.
    pub(crate) fn coverage(self) -> String {
        format!("coverage_{}", digits(ONE - 2 * self.below))
    }

    fn both<T>(self, of: impl Fn(u64) -> T) -> [T; 2] {
        [of(self.below), of(ONE - self.below)]
    }
}

/// The decimals of a probability, two at least.
fn digits(probability: u64) -> String {
    let all = format!("{probability:015}");
    let short = all.trim_end_matches('0');
    format!("{short:0<2}")
}

fn percents(probability: u64) -> f64 {
    probability as f64 / (ONE / 100) as f64
}

/// The ends of an interval, which JSON has by the names of their level.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ends {
    level: Level,
    pub(crate) ends: [f64; 2],
}

impl Ends {
    /// Those of a distribution with such quantiles.
    pub(crate) fn of(level: Level, quantile: impl FnMut(f64) -> f64) -> Self {
        Self { level, ends: level.interval(quantile) }
    }
}

impl Serialize for Ends {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.level.names().iter().zip(&self.ends))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_level() {
        let of = |text: &str| text.parse::<Level>().unwrap();
        let names = ["0.95", "0.9", "0.99", "0.8", "0.5", "0.999", "0.6827", "9e-1"]
            .map(|own| of(own).names().join(" "));
        let expected = [
            "q025 q975",
            "q05 q95",
            "q005 q995",
            "q10 q90",
            "q25 q75",
            "q0005 q9995",
            "q15865 q84135",
            "q05 q95",
        ];
        assert_eq!(names, expected);
        assert_eq!(of("0.95"), Level::default());
        assert_eq!(of("0.95").ends().map(f64::to_bits), [0.025, 0.975].map(f64::to_bits));
        assert_eq!(of("0.9").ends().map(f64::to_bits), [0.05, 0.95].map(f64::to_bits));
        assert_eq!(of("0.9").probability().to_bits(), 0.9_f64.to_bits());
        assert_eq!([of("0.95").to_string(), of("0.999").to_string()], ["95 %", "99.9 %"]);
        assert_eq!(of("0.95").percents(), ["2.5 %", "97.5 %"]);
        assert_eq!([of("0.95").coverage(), of("0.9").coverage()], ["coverage_95", "coverage_90"]);
    }

    #[test]
    fn a_level_is_a_probability() {
        for text in ["0", "1", "95", "-0.5", "nan", "x", "", "0.9999999999999999"] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
        assert!(Level::beyond_quartiles("0.5").is_err() && Level::beyond_quartiles("0.51").is_ok());
    }
}
