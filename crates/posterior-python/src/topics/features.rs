//! Features of documents, from columns of what is known of them.

use posterior_topics::dirichlet_regression::{FeatureColumn, FeatureRecipe};
use pyo3::prelude::*;

use crate::arrays;
use crate::corpora::{MetadataColumn, refused};
use crate::watched::invalid;

/// Columns with their names.
type Columns = Vec<(String, MetadataColumn)>;

fn columns(columns: Columns) -> Vec<(String, FeatureColumn)> {
    let own = |column| match column {
        MetadataColumn::Numbers(numbers) => FeatureColumn::Numbers(numbers),
        MetadataColumn::Texts(names) => FeatureColumn::Names(names),
    };
    columns.into_iter().map(|(name, column)| (name, own(column))).collect()
}

/// How columns become features, to be saved; the names of the features, and those of the documents.
#[pyfunction]
pub(crate) fn learn_features(
    py: Python<'_>,
    table: Columns,
) -> PyResult<(String, Vec<String>, Bound<'_, PyAny>)> {
    let (recipe, features) = FeatureRecipe::learn(&columns(table)).map_err(refused)?;
    let saved = serde_json::to_string(&recipe).map_err(invalid)?;
    Ok((saved, recipe.names(), arrays::rows(py, &features)?))
}

/// The features of other documents.
#[pyfunction]
pub(crate) fn apply_features<'py>(
    py: Python<'py>,
    recipe: &str,
    table: Columns,
) -> PyResult<Bound<'py, PyAny>> {
    let recipe: FeatureRecipe = serde_json::from_str(recipe).map_err(invalid)?;
    arrays::rows(py, &recipe.features(&columns(table)).map_err(refused)?)
}
