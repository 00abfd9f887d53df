//! Features of documents, from the columns of their table.

use posterior::math::linalg::DMatrix;
use posterior::topics::corpus::Metadata;
use posterior::topics::dirichlet_regression::{FeatureColumn, FeatureRecipe};

use crate::failure::Failure;

/// Learns what features are made of from these columns: numbers where all of one are.
pub(super) fn learn(table: &Metadata, columns: &[String]) -> Result<(FeatureRecipe, DMatrix<f64>), Failure> {
    let column = |name: &String| {
        let own = match table.optional_numbers(name) {
            Ok(numbers) => {
                FeatureColumn::Numbers(numbers.into_iter().map(|own| own.unwrap_or(f64::NAN)).collect())
            }
            Err(_) => names(table, name)?,
        };
        Ok((name.clone(), own))
    };
    let columns = columns.iter().map(column).collect::<Result<Vec<_>, Failure>>()?;
    Ok(FeatureRecipe::learn(&columns)?)
}

/// Documents x features, from a table that has the columns.
pub(super) fn of(recipe: &FeatureRecipe, table: &Metadata) -> Result<DMatrix<f64>, Failure> {
    let column = |(name, is_number): (&str, bool)| {
        let own = if is_number { FeatureColumn::Numbers(table.numbers(name)?) } else { names(table, name)? };
        Ok((name.to_owned(), own))
    };
    let columns = recipe.columns().into_iter().map(column).collect::<Result<Vec<_>, Failure>>()?;
    Ok(recipe.features(&columns)?)
}

fn names(table: &Metadata, column: &str) -> Result<FeatureColumn, Failure> {
    Ok(FeatureColumn::Names(table.text(column)?.into_iter().map(str::to_owned).collect()))
}
