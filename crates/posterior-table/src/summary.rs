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
        let (present, content) = if kind.is_numeric() {
            let mut numbers: Vec<f64> = self.numbers(name)?.into_iter().filter(|own| !own.is_nan()).collect();
            numbers.sort_by(f64::total_cmp);
            (numbers.len(), numbers_of(&numbers))
        } else if kind == ColumnKind::Date {
            let column = self.dates(name, None)?;
            let mut moments: Vec<DateTime> = column.values.into_iter().flatten().collect();
            moments.sort_unstable();
            (moments.len(), dates_of(&moments, column.precision))
        } else {
            let cells: Vec<&str> = self.texts_or_missing(name)?.into_iter().flatten().collect();
            let words: usize = cells.iter().map(|cell| cell.split_whitespace().count()).sum();
            let content = match kind {
                ColumnKind::Missing => ColumnContent::Nothing,
                ColumnKind::Text => ColumnContent::Texts(words as f64 / cells.len() as f64),
                _ => ColumnContent::Labels(counts_of(&cells)),
            };
            (cells.len(), content)
        };
        let mut distinct: Vec<&str> = self.texts_or_missing(name)?.into_iter().flatten().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let missing = self.len() - present;
        Ok(ColumnSummary { name: name.to_owned(), kind, missing, distinct: distinct.len(), content })
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
fn dates_of(sorted: &[DateTime], precision: DatePrecision) -> ColumnContent {
    let mut different = sorted.to_vec();
    different.dedup();
    let step = TimeAxis::of(&different, precision).ok().map(|(axis, places)| {
        let last = places.last().copied().unwrap_or_default();
        (axis.step, last + 1 - places.len())
    });
    let day = |own: &DateTime| sorted[0].duration_until(*own).as_secs_f64();
    let histogram = histogram(&sorted.iter().map(day).collect::<Vec<f64>>());
    ColumnContent::Dates { range: [sorted[0], sorted[sorted.len() - 1]], precision, step, histogram }
}

/// Labels by falling counts, and of equal counts by the alphabet.
fn counts_of(cells: &[&str]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for cell in cells {
        *counts.entry(cell).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> =
        counts.into_iter().map(|(cell, count)| (cell.to_owned(), count)).collect();
    counts.sort_by_key(|own| std::cmp::Reverse(own.1));
    counts
}
