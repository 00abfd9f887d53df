//! Each column by its features: numbers by a plan, labels by their levels.

use std::collections::BTreeMap;

use posterior::math::linalg::DMatrix;
use posterior::regression::features::{FeatureMap, FeaturePlan};
use posterior::table::{ColumnKind, DataFrame, listed};
use serde::{Deserialize, Serialize};

use super::super::naming::{Naming, kind};
use crate::args::RegressFit;
use crate::dist::text_input;
use crate::failure::Failure;
use crate::outcome::matrix;

/// So many levels of a column are not many, whatever the number of rows.
const FEW_LEVELS: usize = 20;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ColumnFeatures {
    numeric: Vec<String>,
    map: Option<FeatureMap>,
    /// Columns of labels with their levels; the first level is the base.
    categories: Vec<(String, Vec<String>)>,
}

impl ColumnFeatures {
    /// Of these columns; those that name rows are left out, unless they were asked for.
    pub(super) fn learn(
        args: &RegressFit,
        table: &DataFrame,
        x: &[String],
        row_names: &mut Vec<String>,
    ) -> Result<Self, Failure> {
        let mut categories = Vec::new();
        let mut numeric = Vec::new();
        for name in x {
            let labels = args.categorical.contains(name);
            let kind = if labels { ColumnKind::Category } else { kind(table, name, Naming::Options)? };
            match kind {
                _ if kind.names_rows() && args.x.is_empty() => row_names.push(name.clone()),
                ColumnKind::Date => return Err(dates(table, name, Naming::Options)),
                ColumnKind::Missing => {
                    let message = format!("{}: column {name}: all cells are missing", table.source);
                    return Err(Failure::data(message).with_hint(Naming::Options.without(name)));
                }
                ColumnKind::Number | ColumnKind::Count | ColumnKind::RowNumber => numeric.push(name.clone()),
                _ => categories.push((name.clone(), levels(table, name, labels)?)),
            }
        }
        let text = format!("0 + {}", args.features);
        let plan: FeaturePlan =
            text.parse().map_err(|error| text_input::failure("--features", &args.features, &error, 4))?;
        let map = if numeric.is_empty() {
            None
        } else {
            let refused = |error: posterior::regression::Error| Failure::data(format!("--features: {error}"));
            Some(plan.learn(&matrix(table, &numeric)?, &numeric).map_err(refused)?)
        };
        Ok(Self { numeric, map, categories })
    }

    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.map.as_ref().map_or_else(Vec::new, |map| map.columns().to_vec());
        for (name, levels) in &self.categories {
            names.extend(levels.iter().skip(1).map(|level| format!("{name}={level}")));
        }
        names
    }

    pub(super) fn inputs(&self) -> Vec<String> {
        self.numeric.iter().chain(self.categories.iter().map(|(name, _)| name)).cloned().collect()
    }

    pub(super) fn is_number(&self, name: &String) -> bool {
        self.numeric.contains(name)
    }

    /// The input, if there is one and it is a number.
    pub(super) fn only(&self) -> Option<String> {
        match (&self.numeric[..], &self.categories[..]) {
            ([only], []) => Some(only.clone()),
            _ => None,
        }
    }

    pub(super) fn design(&self, table: &DataFrame) -> Result<DMatrix<f64>, Failure> {
        let mut columns = Vec::new();
        if let Some(map) = &self.map {
            let design = map.design(&matrix(table, &self.numeric)?);
            let design = design.map_err(|error| Failure::data(format!("{}: {error}", table.source)))?;
            columns.extend_from_slice(design.as_slice());
        }
        for (name, levels) in &self.categories {
            let places: BTreeMap<&str, usize> =
                levels.iter().enumerate().map(|(place, level)| (level.as_str(), place)).collect();
            let mut of_row = Vec::with_capacity(table.len());
            for (row, label) in table.labels(name)?.into_iter().enumerate() {
                let Some(&place) = places.get(label) else {
                    let line = table.line(row);
                    let message =
                        format!("{}: line {line}, column {name}: the data have no {label:?}", table.source);
                    return Err(Failure::data(message).with_hint(format!("there are: {}", listed(levels))));
                };
                of_row.push(place);
            }
            for level in 1..levels.len() {
                columns.extend(of_row.iter().map(|&own| f64::from(u8::from(own == level))));
            }
        }
        let width = columns.len().checked_div(table.len()).unwrap_or_else(|| self.names().len());
        Ok(DMatrix::from_vec(table.len(), width, columns))
    }
}

/// The levels of a column of labels; refused where nearly each row has its own, unless it was named as one.
fn levels(table: &DataFrame, name: &str, named: bool) -> Result<Vec<String>, Failure> {
    let levels = table.classes(name)?.0;
    let (count, rows) = (levels.len(), table.len());
    if named || 2 * count <= rows || rows < 2 || count <= FEW_LEVELS && count < rows {
        return Ok(levels);
    }
    let message = format!(
        "{}: column {name}: expected numbers or categories, found {count} different words in {rows} rows, such as {:?}",
        table.source, levels[0]
    );
    Err(Failure::data(message).with_hint(format!(
        "leave the column out: --x names those that explain; or say --categorical {name} for {} columns of 0 and 1",
        count - 1
    )))
}

pub(super) fn dates(table: &DataFrame, name: &str, naming: Naming) -> Failure {
    let error = table.refused(0, name, "numbers or categories, not dates");
    let numbers = "make numbers of them, as the days since the first one, or the month";
    Failure::from(error).with_hint(match naming {
        Naming::Options => {
            format!("{numbers}; or leave the column out with --x, or say --categorical {name}")
        }
        Naming::Formula => format!("{numbers}; or {}", naming.without(name)),
    })
}
