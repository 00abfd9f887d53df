//! Summaries of columns: range, levels, gaps.

use std::collections::BTreeMap;

use jiff::civil::DateTime;

use crate::axis::{TimeAxis, TimeStep};
use crate::dates::DatePrecision;
use crate::error::Error;
use crate::frame::DataFrame;
use crate::kind::ColumnKind;

/// Bars of a histogram.
const BARS: usize = 16;

/// A column at a glance.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnSummary {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: ColumnKind,
    /// The number of missing cells.
    pub missing: usize,
    /// The number of different cells, without those that are missing.
    pub distinct: usize,
    /// What the cells hold.
    pub content: ColumnContent,
}

/// What the cells of a column hold.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ColumnContent {
    /// Numbers.
    Numbers {
        /// The minimum, the quartiles and the maximum.
        quartiles: [f64; 5],
        /// How many are in each of 16 equal parts of the range; one part if there is no range.
        histogram: Vec<usize>,
    },
    /// Labels, the most frequent first, with their counts.
    Labels(Vec<(String, usize)>),
    /// Dates.
    Dates {
        /// The first and the last one.
        range: [DateTime; 2],
        /// How fine they are.
        precision: DatePrecision,
        /// The step between different dates, and how many of its places have no row; `None` without a step.
        step: Option<(TimeStep, usize)>,
        /// How many are in each of 16 equal parts of the range; one part if there is no range.
        histogram: Vec<usize>,
    },
    /// Texts: the mean number of their words.
    Texts(f64),
    /// Names of rows, which are all different: the first of them.
    Names(String),
    /// Nothing: all cells are missing.
    Nothing,
}

impl DataFrame {
    /// The summary of a column. It costs a sort of its cells.
    ///
    /// # Errors
    /// The column was not read, or has no type ([`DataFrame::kind`]), or its dates have no common form.
    pub fn summary(&self, name: &str) -> Result<ColumnSummary, Error> {
        let kind = self.kind(name)?;
        let summary = |present: usize, distinct: usize, content: ColumnContent| ColumnSummary {
            name: name.to_owned(),
            kind,
            missing: self.len() - present,
            distinct,
            content,
        };
        if kind.is_numeric() {
            let mut numbers: Vec<f64> = self.numbers(name)?.into_iter().filter(|own| !own.is_nan()).collect();
            numbers.sort_by(f64::total_cmp);
            let changes = numbers.windows(2).filter(|pair| pair[0] != pair[1]).count();
            return Ok(summary(numbers.len(), changes + 1, numbers_of(&numbers)));
        }
        if kind == ColumnKind::Date {
            let column = self.dates(name, None)?;
            let mut moments: Vec<DateTime> = column.values.into_iter().flatten().collect();
            moments.sort_unstable();
            let mut different = moments.clone();
            different.dedup();
            let content = dates_of(&moments, &different, column.precision);
            return Ok(summary(moments.len(), different.len(), content));
        }
        let cells: Vec<&str> = self.texts_or_missing(name)?.into_iter().flatten().collect();
        let levels = counts_of(&cells);
        let distinct = levels.len();
        let content = match (kind, cells.first()) {
            (_, None) => ColumnContent::Nothing,
            (ColumnKind::Text, _) => {
                let words: usize = cells.iter().map(|cell| cell.split_whitespace().count()).sum();
                ColumnContent::Texts(words as f64 / cells.len() as f64)
            }
            (_, Some(first)) if kind.names_rows() => ColumnContent::Names((*first).to_owned()),
            _ => {
                let owned = levels.into_iter().map(|(label, count)| (label.to_owned(), count));
                ColumnContent::Labels(owned.collect())
            }
        };
        Ok(summary(cells.len(), distinct, content))
    }
}

/// Of numbers in order, of which there is one at least.
fn numbers_of(sorted: &[f64]) -> ColumnContent {
    let quantile = |p: f64| {
        let place = p * (sorted.len() - 1) as f64;
        let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
        below + (above - below) * place.fract()
    };
    let quartiles = [0.0, 0.25, 0.5, 0.75, 1.0].map(quantile);
    ColumnContent::Numbers { quartiles, histogram: histogram(sorted) }
}

fn histogram(sorted: &[f64]) -> Vec<usize> {
    let (low, high) = (sorted[0], sorted[sorted.len() - 1]);
    if low == high {
        return vec![sorted.len()];
    }
    let mut bars = vec![0; BARS];
    for value in sorted {
        let place = (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0) * BARS as f64;
        bars[(place as usize).min(BARS - 1)] += 1;
    }
    bars
}

/// Of dates in order, of which there is one at least.
fn dates_of(sorted: &[DateTime], different: &[DateTime], precision: DatePrecision) -> ColumnContent {
    let step = TimeAxis::of(different, precision).ok().map(|(axis, places)| {
        let last = places.last().copied().unwrap_or_default();
        (axis.step, last + 1 - places.len())
    });
    let day = |own: &DateTime| sorted[0].duration_until(*own).as_secs_f64();
    let histogram = histogram(&sorted.iter().map(day).collect::<Vec<f64>>());
    ColumnContent::Dates { range: [sorted[0], sorted[sorted.len() - 1]], precision, step, histogram }
}

/// Labels by falling counts, and of equal counts by the alphabet.
fn counts_of<'a>(cells: &[&'a str]) -> Vec<(&'a str, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for cell in cells {
        *counts.entry(cell).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|own| std::cmp::Reverse(own.1));
    counts
}
