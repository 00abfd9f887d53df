//! Features of documents, from columns of what is known of them.

use std::collections::BTreeSet;

use posterior_math::linalg::DMatrix;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::checks::size;

/// The most different names in a column of names.
const MOST_LEVELS: usize = 100;

/// A column of what is known of documents, a value a document.
#[derive(Debug, Clone, PartialEq)]
pub enum FeatureColumn {
    /// Numbers, NaN where one is missing.
    Numbers(Vec<f64>),
    /// Names.
    Names(Vec<String>),
}

/// What features are made of: numbers of mean zero and standard deviation one over the documents of the fit,
/// and for each name in a column of names one where the document has it.
///
/// ```
/// use posterior_topics::dirichlet_regression::{FeatureColumn, FeatureRecipe};
///
/// let year = FeatureColumn::Numbers(vec![1790.0, 1800.0, 1810.0]);
/// let place = FeatureColumn::Names(["hall", "park", "hall"].map(str::to_owned).to_vec());
/// let (recipe, features) = FeatureRecipe::learn(&[("year".to_owned(), year), ("place".to_owned(), place)])?;
/// assert_eq!(recipe.names(), ["year", "place=hall", "place=park"]);
/// assert_eq!(features.column(1).as_slice(), [1.0, 0.0, 1.0]);
/// # Ok::<(), posterior_topics::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeatureRecipe(Vec<Feature>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Feature {
    Number { column: String, mean: f64, sd: f64 },
    Level { column: String, level: String },
}

impl FeatureColumn {
    const fn len(&self) -> usize {
        match self {
            Self::Numbers(own) => own.len(),
            Self::Names(own) => own.len(),
        }
    }
}

impl FeatureRecipe {
    /// Of columns with their names, and the features of their documents: documents x features.
    ///
    /// # Errors
    /// Columns of different lengths; numbers that are missing or all the same; one name only, or more than
    /// 100.
    pub fn learn(columns: &[(String, FeatureColumn)]) -> Result<(Self, DMatrix<f64>), Error> {
        let mut features = Vec::new();
        for (name, column) in columns {
            match column {
                FeatureColumn::Numbers(numbers) => features.push(number(name, numbers)?),
                FeatureColumn::Names(names) => features.extend(levels(name, names)?),
            }
        }
        let recipe = Self(features);
        let matrix = recipe.features(columns)?;
        Ok((recipe, matrix))
    }

    /// The features by name: the column, or `column=name`.
    pub fn names(&self) -> Vec<String> {
        let name = |feature: &Feature| match feature {
            Feature::Number { column, .. } => column.clone(),
            Feature::Level { column, level } => format!("{column}={level}"),
        };
        self.0.iter().map(name).collect()
    }

    /// The columns that documents must have, and whether each is of numbers.
    pub fn columns(&self) -> Vec<(&str, bool)> {
        let mut columns: Vec<(&str, bool)> = Vec::new();
        for feature in &self.0 {
            columns.push(match feature {
                Feature::Number { column, .. } => (column, true),
                Feature::Level { column, .. } => (column, false),
            });
        }
        columns.dedup();
        columns
    }

    /// Documents x features, from columns among which are those of the recipe.
    ///
    /// # Errors
    /// A column that is not there, or of the other kind, or of another length than the others; a number that
    /// is missing, a name that the fit has not seen.
    pub fn features(&self, columns: &[(String, FeatureColumn)]) -> Result<DMatrix<f64>, Error> {
        let documents = columns.first().map_or(0, |(_, own)| own.len());
        let mut values = Vec::with_capacity(self.0.len());
        for feature in &self.0 {
            let (Feature::Number { column: name, .. } | Feature::Level { column: name, .. }) = feature;
            let found = columns.iter().find(|(own, _)| own == name).map(|(_, own)| own);
            let found = found.ok_or_else(|| refused(name, "features depend on it, and it is not there"))?;
            size("rows of a column of features", documents, found.len())?;
            values.push(self.of(feature, found)?);
        }
        Ok(DMatrix::from_fn(documents, values.len(), |d, j| values[j][d]))
    }

    fn of(&self, feature: &Feature, column: &FeatureColumn) -> Result<Vec<f64>, Error> {
        match (feature, column) {
            (Feature::Number { column, mean, sd }, FeatureColumn::Numbers(numbers)) => {
                check_numbers(column, numbers)?;
                Ok(numbers.iter().map(|x| (x - mean) / sd).collect())
            }
            (Feature::Level { column, level }, FeatureColumn::Names(names)) => {
                self.check_levels(column, names)?;
                Ok(names.iter().map(|name| f64::from(u8::from(name == level))).collect())
            }
            (Feature::Number { column, .. }, _) => {
                Err(refused(column, "expected numbers, as in the fit, found names"))
            }
            (Feature::Level { column, .. }, _) => {
                Err(refused(column, "expected names, as in the fit, found numbers"))
            }
        }
    }

    /// Refuses names that the fit has not seen.
    fn check_levels(&self, of: &str, names: &[String]) -> Result<(), Error> {
        let known: Vec<&str> = self
            .0
            .iter()
            .filter_map(|feature| match feature {
                Feature::Level { column, level } if column == of => Some(level.as_str()),
                _ => None,
            })
            .collect();
        match names.iter().find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => {
                let error = refused(of, &format!("{name:?} is none of the names of the fit"));
                Err(error.with_hint(format!("there are: {}", known.join(", "))))
            }
        }
    }
}

fn refused(column: &str, message: &str) -> Error {
    Error::Corpus(format!("column {column:?}: {message}"))
}

fn check_numbers(column: &str, numbers: &[f64]) -> Result<(), Error> {
    let missing = numbers.iter().filter(|own| !own.is_finite()).count();
    if missing == 0 {
        return Ok(());
    }
    Err(refused(column, &format!("{missing} numbers are missing, and features need them all")))
}

/// A column of numbers, none of them missing, which are not all the same.
fn number(column: &str, numbers: &[f64]) -> Result<Feature, Error> {
    check_numbers(column, numbers)?;
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let sd = (numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
    if sd > 0.0 {
        Ok(Feature::Number { column: column.to_owned(), mean, sd })
    } else {
        Err(refused(column, "all numbers are the same, and say nothing of a document"))
    }
}

/// A column of names.
fn levels(column: &str, names: &[String]) -> Result<Vec<Feature>, Error> {
    let different: BTreeSet<&String> = names.iter().collect();
    if !(2..=MOST_LEVELS).contains(&different.len()) {
        let found = different.len();
        return Err(refused(column, &format!("expected 2 to {MOST_LEVELS} different names, found {found}")));
    }
    let level = |level: &String| Feature::Level { column: column.to_owned(), level: level.clone() };
    Ok(different.into_iter().map(level).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(years: &[f64], places: &[&str]) -> Vec<(String, FeatureColumn)> {
        let places = places.iter().map(|own| (*own).to_owned()).collect();
        vec![
            ("year".to_owned(), FeatureColumn::Numbers(years.to_vec())),
            ("place".to_owned(), FeatureColumn::Names(places)),
        ]
    }

    #[test]
    fn numbers_are_standardised_and_names_are_indicators() {
        let known = table(&[1.0, 3.0, 5.0], &["hall", "park", "hall"]);
        let (recipe, features) = FeatureRecipe::learn(&known).unwrap();
        assert_eq!(recipe.names(), ["year", "place=hall", "place=park"]);
        assert_eq!(recipe.columns(), [("year", true), ("place", false)]);
        // Mean 3, variance 8/3.
        let far = 2.0 / (8.0_f64 / 3.0).sqrt();
        assert!((features[(0, 0)] + far).abs() < 1e-15 && features[(1, 0)] == 0.0);
        assert_eq!(features.column(1).as_slice(), [1.0, 0.0, 1.0]);
        let mut other = table(&[7.0], &["park"]);
        other.reverse();
        let new = recipe.features(&other).unwrap();
        assert!((new[(0, 0)] - 2.0 * far).abs() < 1e-15 && new[(0, 2)] == 1.0);
        let text = |found: Result<DMatrix<f64>, Error>| found.unwrap_err().to_string();
        assert!(text(recipe.features(&table(&[7.0], &["moon"]))).contains("none of the names"));
        assert!(text(recipe.features(&known[..1])).contains("not there"));
        assert!(text(recipe.features(&table(&[f64::NAN], &["hall"]))).contains("missing"));
        let swapped = [("year".to_owned(), known[1].1.clone()), ("place".to_owned(), known[1].1.clone())];
        assert!(text(recipe.features(&swapped)).contains("expected numbers"));
        for refused in [
            table(&[1.0, 1.0], &["a", "b"]),
            table(&[1.0, f64::NAN], &["a", "b"]),
            table(&[1.0, 2.0], &["a", "a"]),
            table(&[1.0, 2.0, 3.0], &["a", "b"]),
        ] {
            assert!(FeatureRecipe::learn(&refused).is_err());
        }
    }
}
