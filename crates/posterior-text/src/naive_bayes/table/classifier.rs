//! A fitted classifier of rows.

use posterior_dist::{Conjugate, Normal, Stats};
use posterior_math::linalg::DMatrix;

use super::class_table::{Cell, ClassTable, check_row};
use super::column::{ColumnDistribution, FeatureDistribution, TableOptions};
use crate::Error;
use crate::checks::index;
use crate::naive_bayes::ClassPosterior;

/// Classes of rows: the distribution of each column in each class, and how frequent the classes are.
#[derive(Debug, Clone, PartialEq)]
pub struct TableClassifier {
    columns: Vec<ColumnDistribution>,
    ln_prior: Vec<f64>,
    /// Classes x columns.
    distributions: Vec<FeatureDistribution>,
}

impl TableClassifier {
    /// Learns from a table of so many classes; row `i` is of the class `labels[i]`. NaN stands for a missing
    /// value.
    ///
    /// # Errors
    /// As [`ClassTable::of`] and [`from_table`](Self::from_table).
    pub fn fit(
        columns: &[ColumnDistribution],
        table: &DMatrix<f64>,
        labels: &[usize],
        classes: usize,
        options: &TableOptions,
    ) -> Result<Self, Error> {
        Self::from_table(&ClassTable::of(columns, table, labels, classes)?, options)
    }

    /// The classifier of these statistics.
    ///
    /// # Errors
    /// An option is out of its range; a [`ColumnDistribution::Normal`] has no value in a class or only equal
    /// ones while nothing is added to variances; a category column has no value in a class and no smoothing.
    pub fn from_table(table: &ClassTable, options: &TableOptions) -> Result<Self, Error> {
        options.check()?;
        let factors = options.weights.factors(&table.rows)?;
        let table = &table.weighted(&factors);
        let ln_prior = options.prior.ln_probabilities(&table.rows)?;
        let added = options.variance_proportion * largest_variance(table);
        let width = table.columns.len();
        let distribution = |(place, cell): (usize, &Cell)| {
            let (class, column) = (place / width, place % width);
            let refuse = |why: &str| Error::Corpus(format!("column {column} in class {class}: {why}"));
            match (&table.columns[column], cell) {
                (ColumnDistribution::Normal, Cell::Moments(moments)) => {
                    if moments.weight() == 0.0 {
                        let error = refuse("no value to learn a normal distribution from");
                        return Err(error.with_hint("a predictive normal column keeps its prior"));
                    }
                    let variance = moments.variance() + added;
                    if !(variance > 0.0 && variance.is_finite()) {
                        return Err(refuse("all values are equal, or too large for a variance"));
                    }
                    Ok(FeatureDistribution::normal(moments.mean(), variance))
                }
                (ColumnDistribution::NormalPredictive(prior), Cell::Moments(moments)) => {
                    let stats = Stats::<Normal>::from_moments(
                        moments.weight(),
                        moments.mean(),
                        moments.sum_of_squares(),
                    )?;
                    let posterior = Normal::posterior(prior, &stats)?;
                    Ok(FeatureDistribution::StudentT(Normal::predictive(&posterior, &())?))
                }
                (ColumnDistribution::Categorical { levels }, Cell::Levels(counts)) => {
                    let all = counts.iter().sum::<f64>() + options.smoothing * *levels as f64;
                    if !(all > 0.0) {
                        return Err(refuse("no value, and no smoothing"));
                    }
                    let ln = |n: &f64| ((n + options.smoothing) / all).ln();
                    Ok(FeatureDistribution::Categorical(counts.iter().map(ln).collect()))
                }
                _ => Err(refuse("statistics of another column")),
            }
        };
        let distributions = table
            .cells
            .iter()
            .enumerate()
            .map(distribution)
            .collect::<Result<Vec<FeatureDistribution>, Error>>()?;
        Ok(Self { columns: table.columns.clone(), ln_prior, distributions })
    }

    /// The number of classes.
    pub const fn classes(&self) -> usize {
        self.ln_prior.len()
    }

    /// ln p(row, class) for each class, missing values summed out.
    ///
    /// # Errors
    /// The row has another length, a value is infinite, or a category is none.
    pub fn ln_joint(&self, row: &[f64]) -> Result<Vec<f64>, Error> {
        check_row(&self.columns, row)?;
        let score =
            |(prior, distributions): (&f64, &[FeatureDistribution])| prior + ln_row(distributions, row);
        Ok(self.ln_prior.iter().zip(self.distributions.chunks_exact(row.len())).map(score).collect())
    }

    /// The probabilities of the classes; `None` if no class explains the row.
    ///
    /// # Errors
    /// As [`ln_joint`](Self::ln_joint).
    pub fn posterior(&self, row: &[f64]) -> Result<Option<ClassPosterior>, Error> {
        let missing = row.iter().filter(|value| value.is_nan()).count() as u64;
        Ok(ClassPosterior::of_scores(self.ln_joint(row)?, missing))
    }

    /// The contribution of each column for `class` and against `against`: ln p(value | class) - ln p(value |
    /// against), 0 where it is missing. With the difference of the prior it is the log-odds of the classes.
    ///
    /// # Errors
    /// As [`ln_joint`](Self::ln_joint), or there is no such class.
    pub fn contributions(&self, row: &[f64], class: usize, against: usize) -> Result<Vec<f64>, Error> {
        check_row(&self.columns, row)?;
        index("class", class.max(against), self.classes())?;
        let distributions = |class: usize| &self.distributions[class * row.len()..][..row.len()];
        let said = |((own, other), value): ((&FeatureDistribution, &FeatureDistribution), &f64)| {
            if value.is_nan() { 0.0 } else { own.ln(*value) - other.ln(*value) }
        };
        Ok(distributions(class).iter().zip(distributions(against)).zip(row).map(said).collect())
    }

    /// ln p of each class before a row is seen.
    pub fn ln_prior(&self) -> &[f64] {
        &self.ln_prior
    }
}

fn ln_row(distributions: &[FeatureDistribution], row: &[f64]) -> f64 {
    let there = distributions.iter().zip(row).filter(|(_, value)| !value.is_nan());
    there.map(|(distribution, &value)| distribution.ln(value)).sum()
}

/// The largest variance of a normal column, all classes together.
fn largest_variance(table: &ClassTable) -> f64 {
    let width = table.columns.len();
    let variance = |column: usize| match table.moments(column) {
        Ok(Some(moments)) => moments.variance(),
        _ => 0.0,
    };
    let normal = |&column: &usize| matches!(table.columns[column], ColumnDistribution::Normal);
    (0..width).filter(normal).map(variance).fold(0.0, f64::max)
}
