//! Columns by a formula.

use posterior::math::linalg::DMatrix;
use posterior::regression::Error;
use posterior::regression::formula::{EffectTerm, FormulaData, FormulaMap, ModelFormula};
use posterior::table::{ColumnKind, DataFrame};
use serde::{Deserialize, Serialize};

use super::super::naming::{Naming, kind};
use super::columns::dates;
use crate::dist::text_input;
use crate::failure::Failure;
use crate::outcome::OutcomeKind;

/// The formula of an option.
pub(crate) fn parsed(text: &str) -> Result<ModelFormula, Failure> {
    text.parse().map_err(|error| text_input::failure("--formula", text, &error, 0))
}

/// The outcome of each row, where it is a function of columns; NaN where it has no value.
pub(crate) fn values(formula: &ModelFormula, table: &DataFrame) -> Result<Vec<f64>, Failure> {
    let mut data = FormulaData::new(table.len());
    for name in formula.outcome_inputs() {
        data =
            data.with_numbers(name, table.numbers(name)?).map_err(|error| refused(formula, table, error))?;
    }
    let values = formula.outcomes(&data).map_err(|error| refused(formula, table, error))?;
    values.ok_or_else(|| no_outcome(formula))
}

pub(crate) fn no_outcome(formula: &ModelFormula) -> Failure {
    Failure::Usage(format!("--formula \"{formula}\": it has no outcome: write the column before the `~`"))
}

/// What is wrong with a formula or a row.
fn refused(formula: &ModelFormula, table: &DataFrame, error: Error) -> Failure {
    match error {
        Error::Formula(error) => text_input::failure("--formula", &formula.to_string(), &error, 0),
        Error::Term { term, row, found, expected, .. } => {
            let line = table.line(row);
            let message = format!("{}: line {line}: {term} is {found}", table.source);
            Failure::data(message).with_hint(format!("it must be {expected}; --formula \"{formula}\""))
        }
        other => Failure::data(format!("{}: --formula \"{formula}\": {other}", table.source)),
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FormulaFeatures {
    map: FormulaMap,
    /// Columns that hold labels.
    labels: Vec<String>,
}

impl FormulaFeatures {
    /// Of these columns; those that name rows are left out, unless the formula names them.
    pub(crate) fn learn(
        formula: &ModelFormula,
        table: &DataFrame,
        x: &[String],
        row_names: &mut Vec<String>,
    ) -> Result<Self, Failure> {
        let named = formula.named();
        let (mut columns, mut labels) = (Vec::new(), Vec::new());
        for name in x {
            let kind = kind(table, name, Naming::Formula)?;
            match kind {
                _ if kind.names_rows() && !named.contains(&name.as_str()) => {
                    row_names.push(name.clone());
                    continue;
                }
                ColumnKind::Date => return Err(dates(table, name, Naming::Formula)),
                ColumnKind::Missing => {
                    let message = format!("{}: column {name}: all cells are missing", table.source);
                    return Err(Failure::data(message).with_hint(Naming::Formula.without(name)));
                }
                kind if kind.is_numeric() || kind == ColumnKind::RowNumber => {}
                _ => labels.push(name.clone()),
            }
            columns.push(name.clone());
        }
        let data = data(table, &columns, &labels, formula)?;
        let map = formula.learn_fixed(&data).map_err(|error| refused(formula, table, error))?;
        let own = Self { map, labels };
        let used = own.inputs();
        let labels = own.labels.into_iter().filter(|name| used.contains(name)).collect();
        Ok(Self { map: own.map, labels })
    }

    /// The names of the columns but for the intercept.
    pub(crate) fn names(&self) -> Vec<String> {
        self.map.columns()[usize::from(self.map.has_intercept())..].to_vec()
    }

    pub(crate) const fn has_intercept(&self) -> bool {
        self.map.has_intercept()
    }

    pub(crate) const fn has_offset(&self) -> bool {
        self.map.has_offset()
    }

    /// The columns that a table needs, those of effects too.
    pub(crate) fn inputs(&self) -> Vec<String> {
        let mut all = self.map.inputs();
        for name in self.formula().effects().iter().flat_map(EffectTerm::inputs) {
            if !all.iter().any(|own| own == name) {
                all.push(name.to_owned());
            }
        }
        all
    }

    pub(super) const fn formula(&self) -> &ModelFormula {
        self.map.formula()
    }

    pub(super) fn outcome_inputs(&self) -> Vec<&str> {
        self.map.formula().outcome_inputs()
    }

    /// Whether the outcome is a column, and not a function of some.
    pub(super) fn outcome_is_column(&self) -> bool {
        self.map.formula().outcome_column().is_some()
    }

    /// The outcomes of new rows; NaN where one is missing.
    pub(super) fn outcomes(&self, table: &DataFrame, kind: &OutcomeKind) -> Result<Vec<f64>, Failure> {
        let values = values(self.map.formula(), table)?;
        let counts = matches!(kind, OutcomeKind::Count);
        let wrong = |own: &f64| own.is_infinite() || counts && (*own < 0.0 || own.fract() != 0.0);
        match values.iter().position(wrong) {
            None => Ok(values),
            Some(row) => {
                let expected = if counts { "a count" } else { "a finite number" }.to_owned();
                let term = self.map.formula().outcome().unwrap_or_default();
                let found = values[row].to_string();
                Err(refused(self.map.formula(), table, Error::Term { column: 1, term, row, found, expected }))
            }
        }
    }

    pub(super) fn is_number(&self, name: &String) -> bool {
        !self.labels.contains(name)
    }

    /// The input, if there is one and it is a number.
    pub(super) fn only(&self) -> Option<String> {
        match &self.inputs()[..] {
            _ if !self.formula().effects().is_empty() => None,
            [only] if self.labels.is_empty() => Some(only.clone()),
            _ => None,
        }
    }

    pub(super) fn data(&self, table: &DataFrame) -> Result<FormulaData, Failure> {
        data(table, &self.inputs(), &self.labels, self.map.formula())
    }

    pub(crate) fn design(&self, table: &DataFrame) -> Result<DMatrix<f64>, Failure> {
        let formula = self.map.formula();
        let design = self.map.design(&self.data(table)?).map_err(|error| refused(formula, table, error))?;
        Ok(if self.map.has_intercept() { design.remove_column(0) } else { design })
    }

    pub(super) fn offsets(&self, table: &DataFrame) -> Result<Option<Vec<f64>>, Failure> {
        if !self.has_offset() {
            return Ok(None);
        }
        self.map.offset(&self.data(table)?).map_err(|error| refused(self.map.formula(), table, error))
    }
}

/// Columns as a formula takes them, none of which has a missing value.
fn data(
    table: &DataFrame,
    columns: &[String],
    labels: &[String],
    formula: &ModelFormula,
) -> Result<FormulaData, Failure> {
    let mut data = FormulaData::new(table.len());
    for name in columns {
        let with = if labels.contains(name) {
            let (levels, of_row) = table.classes(name)?;
            data.with_levels(name, levels, of_row)
        } else {
            data.with_numbers(name, table.complete_numbers(name)?)
        };
        data = with.map_err(|error| refused(formula, table, error))?;
    }
    Ok(data)
}
