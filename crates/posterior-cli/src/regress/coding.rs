//! How the columns of a table become the columns of a design: each by its features, or by a formula.

mod columns;
mod formula;

use std::path::Path;

use posterior::math::linalg::DMatrix;
use posterior::regression::formula::{FormulaData, ModelFormula};
use posterior::table::{DataFrame, TableFile};
use serde::{Deserialize, Serialize};

use self::columns::ColumnFeatures;
use super::new_rows::NewRows;
use super::work;
use crate::args::{MissingRows, RegressFit, TableArgs};
use crate::complete_rows::complete;
use crate::failure::Failure;
use crate::outcome::OutcomeKind;
use crate::predictions_file::RowKeys;
use crate::rows_input::{note_of_row_names, row_events};

pub(crate) use formula::{FormulaFeatures, no_outcome, parsed, values};

/// What was learned of a table, and is applied to new rows.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Coding {
    features: Features,
    /// The names of the columns of the design, without an intercept.
    pub(super) names: Vec<String>,
    /// Columns that name rows, and were left out.
    row_names: Vec<String>,
    /// The column that is added to the predictor.
    offset: Option<String>,
    /// The column that says whether an event was seen.
    #[serde(default)]
    event: Option<String>,
    /// Whether the columns of a formula are kept as they are even if it has no effects.
    #[serde(default)]
    as_effects: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Features {
    Columns(ColumnFeatures),
    Formula(Box<FormulaFeatures>),
}

/// A column of numbers, with its name.
type NamedColumn = (String, Vec<f64>);

impl Coding {
    /// Of these columns, by a formula or each by its features.
    pub(super) fn learn(
        args: &RegressFit,
        table: &DataFrame,
        formula: Option<&ModelFormula>,
        x: &[String],
    ) -> Result<Self, Failure> {
        let mut row_names = Vec::new();
        let (features, names) = if let Some(formula) = formula {
            let own = FormulaFeatures::learn(formula, table, x, &mut row_names)?;
            let names = own.names();
            (Features::Formula(Box::new(own)), names)
        } else {
            let own = ColumnFeatures::learn(args, table, x, &mut row_names)?;
            let names = own.names();
            (Features::Columns(own), names)
        };
        let (offset, event) = (args.offset.clone(), args.event.clone());
        Ok(Self { features, names, row_names, offset, event, as_effects: args.family.takes_formula() })
    }

    /// A note about columns that were left out.
    pub(super) fn left_out(&self) -> Option<String> {
        let option = match self.features {
            Features::Columns(_) => "--x",
            Features::Formula(_) => "their name in the formula",
        };
        note_of_row_names(&self.row_names, option)
    }

    /// Whether there is an intercept beside the columns.
    pub(super) fn has_intercept(&self) -> bool {
        match &self.features {
            Features::Columns(_) => true,
            Features::Formula(own) => own.has_intercept(),
        }
    }

    /// The design of the rows of a table, without the intercept.
    pub(super) fn design(&self, table: &DataFrame) -> Result<DMatrix<f64>, Failure> {
        match &self.features {
            Features::Columns(own) => own.design(table),
            Features::Formula(own) => own.design(table),
        }
    }

    /// The formula, where there is one.
    pub(super) fn formula(&self) -> Option<&ModelFormula> {
        match &self.features {
            Features::Columns(_) => None,
            Features::Formula(own) => Some(own.formula()),
        }
    }

    /// The columns of a formula, with effects or without.
    pub(super) fn formula_data(&self, table: &DataFrame) -> Result<Option<FormulaData>, Failure> {
        match &self.features {
            Features::Formula(own) => own.data(table).map(Some),
            Features::Columns(_) => Ok(None),
        }
    }

    /// The columns of a formula with effects.
    pub(super) fn effects(&self, table: &DataFrame) -> Result<Option<FormulaData>, Failure> {
        match &self.features {
            Features::Formula(own) if self.as_effects || !own.formula().effects().is_empty() => {
                own.data(table).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// What is added to the predictor of each row.
    pub(super) fn offsets(&self, table: &DataFrame) -> Result<Option<Vec<f64>>, Failure> {
        let own = match &self.features {
            Features::Columns(_) => None,
            Features::Formula(own) => own.offsets(table)?,
        };
        let Some(name) = &self.offset else { return Ok(own) };
        let mut column = table.complete_numbers(name)?;
        if let Some(own) = own {
            column.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        Ok(Some(column))
    }

    /// Whether something is added to the predictor.
    pub(super) fn has_offset(&self) -> bool {
        self.offset.is_some() || matches!(&self.features, Features::Formula(own) if own.has_offset())
    }

    /// The one numeric column that explains, and its name, where there is one and nothing else.
    pub(super) fn line(&self, table: &DataFrame) -> Result<Option<NamedColumn>, Failure> {
        let only = match &self.features {
            Features::Columns(own) => own.only(),
            Features::Formula(own) => own.only(),
        };
        let line = |name: String| {
            let values = table.complete_numbers(&name)?;
            Ok((name, values))
        };
        only.filter(|_| !self.has_offset()).map(line).transpose()
    }

    /// The columns that explain, and whether each holds numbers.
    pub(super) fn inputs(&self) -> Vec<(String, bool)> {
        match &self.features {
            Features::Columns(own) => own
                .inputs()
                .into_iter()
                .map(|name| {
                    let is_number = own.is_number(&name);
                    (name, is_number)
                })
                .collect(),
            Features::Formula(own) => own
                .inputs()
                .into_iter()
                .map(|name| {
                    let is_number = own.is_number(&name);
                    (name, is_number)
                })
                .collect(),
        }
    }

    /// The columns that the outcome is made of.
    fn outcome_inputs<'a>(&'a self, y: &'a str) -> Vec<&'a str> {
        match &self.features {
            Features::Columns(_) => vec![y],
            Features::Formula(own) => own.outcome_inputs(),
        }
    }

    /// Rows to predict: the columns that explain, and of those that name rows and of the outcome `y` the ones
    /// that the table has.
    pub(super) fn open(
        &self,
        path: &Path,
        args: &TableArgs,
        missing_rows: MissingRows,
        y: &str,
        outcome: &OutcomeKind,
    ) -> Result<NewRows, Failure> {
        let opened = TableFile::open(path, &args.options()?)?;
        let mut names: Vec<String> = match &self.features {
            Features::Columns(own) => own.inputs(),
            Features::Formula(own) => own.inputs(),
        };
        names.extend(self.offset.clone());
        let needed = names.clone();
        let beside = self.row_names.iter().chain(&self.event).map(String::as_str);
        let beside = beside.chain(self.outcome_inputs(y));
        let beside: Vec<String> =
            beside.map(str::to_owned).filter(|own| opened.header().contains(own)).collect();
        for own in beside {
            if !names.contains(&own) {
                names.push(own);
            }
        }
        let table = opened.read(&names, |rows| work::of_rows(rows, self.names.len()))?;
        let (table, left_out) = complete(table, &needed, missing_rows)?;
        Ok(NewRows { left_out, ..self.new_rows(&table, y, outcome)? })
    }

    pub(super) fn new_rows(
        &self,
        table: &DataFrame,
        y: &str,
        outcome: &OutcomeKind,
    ) -> Result<NewRows, Failure> {
        let scored =
            self.outcome_inputs(y).into_iter().all(|own| table.header().iter().any(|name| name == own));
        let outcomes = || match &self.features {
            Features::Formula(own) if !own.outcome_is_column() => own.outcomes(table, outcome),
            _ => outcome.of_new(table, y),
        };
        Ok(NewRows {
            values: self.design(table)?,
            offsets: self.offsets(table)?,
            effects: self.effects(table)?,
            keys: self.keys(table, y)?,
            outcomes: scored
                .then(outcomes)
                .transpose()?
                .map(|own| self.known_outcomes(table, own))
                .transpose()?,
            are_new: true,
            line: self.line(table)?.map(|(_, values)| values),
            left_out: None,
            source: table.source.clone(),
        })
    }

    /// Outcomes without those of events that were still to come.
    fn known_outcomes(&self, table: &DataFrame, mut outcomes: Vec<f64>) -> Result<Vec<f64>, Failure> {
        if let Some(event) = self.event.as_ref().filter(|own| table.header().contains(own)) {
            let seen = row_events(table, event)?;
            outcomes.iter_mut().zip(seen).filter(|(_, seen)| !seen).for_each(|(own, _)| *own = f64::NAN);
        }
        Ok(outcomes)
    }

    /// The names and the outcomes of rows, where the table has them.
    pub(super) fn keys(&self, table: &DataFrame, y: &str) -> Result<RowKeys, Failure> {
        let outcome: Vec<String> = self.outcome_inputs(y).into_iter().map(str::to_owned).collect();
        RowKeys::of(table, self.row_names.iter().chain(&outcome))
    }
}
