//! Values of options that are a name with a number, or numbers.

use std::fmt;
use std::str::FromStr;

/// One number of topics, or several of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TopicCounts {
    least: usize,
    most: usize,
    /// How many of them are tried, at most.
    numbers: usize,
}

/// Numbers of a range that are tried, unless stated otherwise.
const NUMBERS: usize = 8;
/// The most numbers of a range.
const MOST_NUMBERS: usize = 50;

impl TopicCounts {
    /// The numbers to try, increasing: from the least to the most, each with about the same ratio to the
    /// next.
    pub(crate) fn grid(self) -> Vec<usize> {
        let (least, most) = (self.least as f64, self.most as f64);
        let last = self.numbers.max(2) - 1;
        let number = |i: usize| match i {
            0 => self.least,
            i if i == last => self.most,
            i => (least * (most / least).powf(i as f64 / last as f64)).round() as usize,
        };
        let mut grid: Vec<usize> = (0..=last).map(number).collect();
        grid.dedup();
        grid
    }

    /// The only number, where there is one.
    pub(crate) fn single(self) -> Option<usize> {
        (self.least == self.most).then_some(self.least)
    }

    pub(crate) fn most(self) -> usize {
        self.most
    }
}

impl FromStr for TopicCounts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Option<Vec<usize>> = text.split(':').map(|part| part.parse().ok()).collect();
        match parts.as_deref() {
            // The models say themselves which numbers they take.
            Some(&[only]) => Ok(Self { least: only, most: only, numbers: 1 }),
            Some(&[least, most]) if (1..most).contains(&least) => Ok(Self { least, most, numbers: NUMBERS }),
            Some(&[least, most, numbers])
                if (1..most).contains(&least) && (2..=MOST_NUMBERS).contains(&numbers) =>
            {
                Ok(Self { least, most, numbers })
            }
            _ => Err(format!(
                "expected a number, a range such as 5:100, or a range with the number of its numbers, from 2 to {MOST_NUMBERS}, such as 5:100:12"
            )),
        }
    }
}

/// The name and the number of `NAME:NUMBER`.
fn with_number(text: &str) -> Result<(&str, Option<usize>), String> {
    match text.split_once(':') {
        None => Ok((text, None)),
        Some((name, number)) => match number.parse() {
            Ok(number) if number > 0 => Ok((name, Some(number))),
            _ => Err(format!("expected a number from 1 behind {name:?}, found {number:?}")),
        },
    }
}

/// An estimator of the likelihood of documents that were held out, and its size where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EstimatorChoice {
    pub(crate) kind: EstimatorKind,
    pub(crate) size: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EstimatorKind {
    /// One half of each document by the proportions of the other.
    Completion,
    /// Particles that read a document from left to right; their number.
    LeftToRight,
    /// The posterior of one assignment; states of its chain.
    Chib,
    /// Importance sampling from prior to posterior; temperatures.
    Annealed,
    /// All assignments.
    Exact,
}

impl Default for EstimatorChoice {
    fn default() -> Self {
        Self { kind: EstimatorKind::Completion, size: 0 }
    }
}

impl FromStr for EstimatorChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, size) = with_number(text)?;
        let (kind, default) = match name {
            "completion" => (EstimatorKind::Completion, None),
            "left-to-right" => (EstimatorKind::LeftToRight, Some(10)),
            "chib" => (EstimatorKind::Chib, Some(100)),
            "annealed" => (EstimatorKind::Annealed, Some(100)),
            "exact" => (EstimatorKind::Exact, None),
            _ => return Err("expected completion, left-to-right, chib, annealed or exact".to_owned()),
        };
        match (default, size) {
            (None, Some(_)) => Err(format!("{name} has no number")),
            (Some(_), Some(1)) if kind == EstimatorKind::Annealed => {
                Err("annealed needs two temperatures or more".to_owned())
            }
            (default, size) => Ok(Self { kind, size: size.or(default).unwrap_or(0) }),
        }
    }
}

impl fmt::Display for EstimatorChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            EstimatorKind::Completion => f.write_str("document completion"),
            EstimatorKind::LeftToRight => write!(f, "left-to-right, {} particles", self.size),
            EstimatorKind::Chib => write!(f, "Chib's estimator, chains of {}", self.size),
            EstimatorKind::Annealed => write!(f, "annealed importance sampling, {} temperatures", self.size),
            EstimatorKind::Exact => f.write_str("exact"),
        }
    }
}

/// A measure of coherence, and the width of the windows that it is of; whole documents without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CoherenceChoice {
    pub(crate) kind: CoherenceKind,
    pub(crate) window: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CoherenceKind {
    UMass,
    Uci,
    Npmi,
    Cv,
}

impl CoherenceChoice {
    /// The measure as people write it.
    pub(crate) fn measure(self) -> &'static str {
        match self.kind {
            CoherenceKind::UMass => "UMass",
            CoherenceKind::Uci => "UCI",
            CoherenceKind::Npmi => "NPMI",
            CoherenceKind::Cv => "Cv",
        }
    }
}

impl FromStr for CoherenceChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, window) = with_number(text)?;
        let kind = match name {
            "umass" => CoherenceKind::UMass,
            "uci" => CoherenceKind::Uci,
            "npmi" => CoherenceKind::Npmi,
            "cv" => CoherenceKind::Cv,
            _ => return Err("expected umass, uci, npmi or cv, and :N for windows of N words".to_owned()),
        };
        Ok(Self { kind, window })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_equal_ratios() {
        let grid = |text: &str| text.parse::<TopicCounts>().unwrap().grid();
        assert_eq!(grid("20"), [20]);
        // 5 times 20^(i/7): 5, 7.67, 11.77, 18.05, 27.70, 42.49, 65.18, 100.
        assert_eq!(grid("5:100"), [5, 8, 12, 18, 28, 42, 65, 100]);
        assert_eq!(grid("2:8:3"), [2, 4, 8]);
        // Numbers that are the same are one.
        assert_eq!(grid("1:3"), [1, 2, 3]);
        for wrong in ["5:5", "8:3", "0:4", "2:8:1", "2:8:51", "a", "2:", "1:2:3:4"] {
            assert!(wrong.parse::<TopicCounts>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_with_numbers() {
        let chib: EstimatorChoice = "chib:20".parse().unwrap();
        assert_eq!((chib.kind, chib.size), (EstimatorKind::Chib, 20));
        assert_eq!("left-to-right".parse::<EstimatorChoice>().unwrap().size, 10);
        for wrong in ["exact:3", "chib:0", "chib:x", "magic", "annealed:1"] {
            assert!(wrong.parse::<EstimatorChoice>().is_err(), "{wrong}");
        }
        assert_eq!("npmi:10".parse::<CoherenceChoice>().unwrap().window, Some(10));
        assert_eq!("cv".parse::<CoherenceChoice>().unwrap().window, None);
        assert!("npmi:0".parse::<CoherenceChoice>().is_err());
    }
}
