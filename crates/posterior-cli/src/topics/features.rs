//! Features of documents, from the columns of their table.

use std::collections::BTreeSet;

use posterior::math::linalg::DMatrix;
use posterior::topics::corpus::Metadata;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// The most different names in a column of names.
const MOST_LEVELS: usize = 100;

/// What features are made of: numbers of mean zero and standard deviation one over the documents of the fit,
/// and for each name in a column of names one where the document has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Recipe(Vec<Feature>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Feature {
    Number { column: String, mean: f64, sd: f64 },
    Level { column: String, level: String },
}

impl Recipe {
    /// Of these columns, and the features of the documents of the table.
    pub(super) fn of(table: &Metadata, columns: &[String]) -> Result<(Self, DMatrix<f64>), Failure> {
        let mut features = Vec::new();
        for column in columns {
            match table.optional_numbers(column) {
                Ok(numbers) => features.push(number(column, &numbers)?),
                Err(_) => features.extend(levels(column, &table.text(column)?)?),
            }
        }
        let recipe = Self(features);
        let matrix = recipe.features(table)?;
        Ok((recipe, matrix))
    }

    /// The features by name: the column, or `column=name`.
    pub(super) fn names(&self) -> Vec<String> {
        let name = |feature: &Feature| match feature {
            Feature::Number { column, .. } => column.clone(),
            Feature::Level { column, level } => format!("{column}={level}"),
        };
        self.0.iter().map(name).collect()
    }

    /// Documents x features, from a table that has the columns.
    pub(super) fn features(&self, table: &Metadata) -> Result<DMatrix<f64>, Failure> {
        let mut columns = Vec::with_capacity(self.0.len());
        for feature in &self.0 {
            columns.push(match feature {
                Feature::Number { column, mean, sd } => {
                    table.numbers(column)?.into_iter().map(|x| (x - mean) / sd).collect::<Vec<f64>>()
                }
                Feature::Level { column, level } => {
                    let names = table.text(column)?;
                    self.check_levels(column, &names)?;
                    names.iter().map(|name| f64::from(u8::from(name == level))).collect()
                }
            });
        }
        Ok(DMatrix::from_fn(table.rows(), columns.len(), |d, j| columns[j][d]))
    }

    /// Refuses names that the fit has not seen.
    fn check_levels(&self, of: &str, names: &[&str]) -> Result<(), Failure> {
        let known: Vec<&str> = self
            .0
            .iter()
            .filter_map(|feature| match feature {
                Feature::Level { column, level } if column == of => Some(level.as_str()),
                _ => None,
            })
            .collect();
        match names.iter().find(|name| !known.contains(name)) {
            None => Ok(()),
            Some(name) => {
                let there = known.join(", ");
                let message = format!("column {of:?}: {name:?} is none of the names of the fit");
                Err(Failure::data(message).with_hint(format!("there are: {there}")))
            }
        }
    }
}

/// A column of numbers, none of them missing, which are not all the same.
fn number(column: &str, numbers: &[Option<f64>]) -> Result<Feature, Failure> {
    let there: Vec<f64> = numbers.iter().copied().flatten().collect();
    if there.len() < numbers.len() {
        let missing = numbers.len() - there.len();
        let message =
            format!("column {column:?}: {missing} numbers are missing, and --features needs them all");
        return Err(Failure::data(message));
    }
    let count = there.len() as f64;
    let mean = there.iter().sum::<f64>() / count;
    let sd = (there.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
    if sd > 0.0 {
        Ok(Feature::Number { column: column.to_owned(), mean, sd })
    } else {
        Err(Failure::data(format!(
            "column {column:?}: all numbers are the same, and say nothing of a document"
        )))
    }
}

/// A column of names.
fn levels(column: &str, names: &[&str]) -> Result<Vec<Feature>, Failure> {
    let different: BTreeSet<&str> = names.iter().copied().collect();
    if !(2..=MOST_LEVELS).contains(&different.len()) {
        let found = different.len();
        let message =
            format!("column {column:?}: expected 2 to {MOST_LEVELS} different names, found {found}");
        return Err(Failure::data(message));
    }
    let level = |level: &str| Feature::Level { column: column.to_owned(), level: level.to_owned() };
    Ok(different.into_iter().map(level).collect())
}

#[cfg(test)]
mod tests {
    use posterior::topics::corpus::Source;

    use super::*;

    fn table(text: &str) -> Metadata {
        Metadata::read_csv(Source::from_reader(std::io::Cursor::new(text.to_owned()), "t.csv").unwrap())
            .unwrap()
    }

    #[test]
    fn numbers_are_standardised_and_names_are_indicators() {
        let columns = ["year", "place"].map(str::to_owned);
        let known = table("year,place\n1,hall\n3,park\n5,hall\n");
        let (recipe, features) = Recipe::of(&known, &columns).unwrap();
        assert_eq!(recipe.names(), ["year", "place=hall", "place=park"]);
        // Mean 3, variance 8/3.
        let far = 2.0 / (8.0_f64 / 3.0).sqrt();
        assert!((features[(0, 0)] + far).abs() < 1e-15 && features[(1, 0)] == 0.0);
        assert_eq!(features.column(1).as_slice(), [1.0, 0.0, 1.0]);
        let new = recipe.features(&table("place,year\npark,7\n")).unwrap();
        assert!((new[(0, 0)] - 2.0 * far).abs() < 1e-15 && new[(0, 2)] == 1.0);
        assert!(recipe.features(&table("place,year\nmoon,7\n")).is_err());
        assert!(Recipe::of(&table("year,place\n1,a\n1,b\n"), &columns).is_err());
        assert!(Recipe::of(&table("year,place\n1,a\nNA,b\n"), &columns).is_err());
        assert!(Recipe::of(&table("year,place\n1,a\n2,a\n"), &columns).is_err());
    }
}
