//! What explains and what is explained, from a table; the same columns of rows to predict.

use std::collections::BTreeMap;
use std::path::Path;

use posterior::datasets::tables::OLD_FAITHFUL;
use posterior::math::linalg::DMatrix;
use posterior::regression::features::{FeatureMap, FeaturePlan};
use posterior::table::{ColumnKind, DataFrame, TableFile, listed};
use serde::{Deserialize, Serialize};

use super::work;
use crate::args::{Family, MissingRows, RegressFit, TableArgs};
use crate::complete_rows::complete;
use crate::dist::text_input;
use crate::failure::Failure;
use crate::outcome::{Outcome, OutcomeKind, matrix};
use crate::predictions_file::RowKeys;
use crate::rows_input::note_of_row_names;

/// So many levels of a column are not many, whatever the number of rows.
const FEW_LEVELS: usize = 20;

/// Rows as a design matrix, and the outcome.
#[derive(Debug)]
pub(super) struct Data {
    /// How the data are called in messages.
    pub(super) source: String,
    pub(super) y_name: String,
    /// How rows become features.
    pub(super) coding: Coding,
    pub(super) design: Design,
    pub(super) outcome: Outcome,
    /// The rows to predict; those of the data if none were given.
    pub(super) places: NewRows,
    /// The one numeric input, where there is one and nothing else.
    pub(super) line: Option<Line>,
}

/// A design without an intercept, and the names of its columns.
#[derive(Debug, Clone)]
pub(super) struct Design {
    pub(super) values: DMatrix<f64>,
}

/// What is wanted of predictions besides means and intervals of 90 %.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Wanted<'a> {
    /// The standard deviations and quantiles of new outcomes, and the intervals of several classes.
    pub(super) details: bool,
    /// ln p of these outcomes, one for each row; NaN where one is not known.
    pub(super) outcomes: Option<&'a [f64]>,
}

impl Wanted<'_> {
    /// What is wanted where everything is written.
    pub(super) const fn details(details: bool) -> Self {
        Self { details, outcomes: None }
    }
}

/// Rows to predict.
#[derive(Debug)]
pub(super) struct NewRows {
    /// How they are called in messages.
    pub(super) source: String,
    /// Their design.
    pub(super) values: DMatrix<f64>,
    pub(super) keys: RowKeys,
    /// Their outcomes where the table has them, a class by its place among the classes; NaN where one is
    /// missing.
    pub(super) outcomes: Option<Vec<f64>>,
    /// Whether they are other rows than those of the fit.
    pub(super) are_new: bool,
    /// The one numeric input, where there is one and nothing else.
    line: Option<Vec<f64>>,
    /// A note about rows that were left out.
    pub(super) left_out: Option<String>,
}

impl NewRows {
    /// What is wanted of their predictions.
    pub(super) fn wanted(&self, details: bool) -> Wanted<'_> {
        Wanted { details, outcomes: self.outcomes.as_deref() }
    }
}

/// The one input that explains, at the data and at the places.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) data: Vec<f64>,
    pub(super) places: Vec<f64>,
}

/// How columns of a table become columns of a design.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Coding {
    numeric: Vec<String>,
    map: Option<FeatureMap>,
    /// Columns of labels with their levels; the first level is the base.
    categories: Vec<(String, Vec<String>)>,
    /// The names of the columns of the design.
    pub(super) names: Vec<String>,
    /// Columns that name rows, and were left out.
    row_names: Vec<String>,
}

impl Data {
    /// The rows of a table: those to fit, and those to predict, which are others if some are held out.
    pub(super) fn of(
        args: &RegressFit,
        source: &Source,
        table: &DataFrame,
        held_out: Option<&DataFrame>,
    ) -> Result<Self, Failure> {
        let Source { y, x, .. } = source;
        // Nearly each column is a feature at least.
        work::check(args, table, x.len(), 0)?;
        let coding = Coding::learn(args, table, x)?;
        let outcome = outcome(args, table, y)?;
        let kind = outcome.kind();
        let places = match (held_out, &args.predict) {
            (Some(rows), _) => Some(coding.new_rows(rows, y, &kind)?),
            (None, Some(path)) => Some(coding.open(path, &args.table, args.missing_rows.na, y, &kind)?),
            (None, None) => None,
        };
        let at = places.as_ref().map_or(0, |rows| rows.values.nrows());
        work::check(args, table, coding.names.len(), at)?;
        let design = coding.design(table)?;
        let places = match places {
            Some(rows) => rows,
            None => NewRows {
                source: table.source.clone(),
                values: design.values.clone(),
                keys: coding.keys(table, y)?,
                outcomes: None,
                are_new: false,
                line: coding.line(table)?,
                left_out: None,
            },
        };
        let line = coding.line(table)?.zip(places.line.clone());
        let line = line.map(|(data, places)| Line { name: coding.numeric[0].clone(), data, places });
        let (source, y_name) = (table.source.clone(), y.clone());
        Ok(Self { source, y_name, coding, design, outcome, places, line })
    }

    /// How many rows.
    pub(super) fn rows(&self) -> usize {
        self.design.values.nrows()
    }
}

/// A table, its column of the outcome, and those that explain it.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) table: DataFrame,
    y: String,
    x: Vec<String>,
    /// A note about rows that were left out.
    pub(super) left_out: Option<String>,
}

impl Source {
    /// The table of the options, or the embedded one.
    pub(super) fn open(args: &RegressFit) -> Result<Self, Failure> {
        match &args.data {
            Some(path) => open(args, path),
            None => embedded(args),
        }
    }

    /// What was seen in each row.
    pub(super) fn outcome(&self, args: &RegressFit) -> Result<Outcome, Failure> {
        outcome(args, &self.table, &self.y)
    }
}

/// The columns that the options ask for.
fn open(args: &RegressFit, path: &Path) -> Result<Source, Failure> {
    let opened = TableFile::open(path, &args.table.options()?)?;
    let y_name = args.y.clone().map_or_else(|| opened.last(), Ok)?;
    let x: Vec<String> = if args.x.is_empty() {
        opened.header().iter().filter(|name| **name != y_name).cloned().collect()
    } else {
        args.x.clone()
    };
    if x.contains(&y_name) {
        let message = format!("{}: the column {y_name:?} explains and is explained", opened.source);
        return Err(Failure::data(message).with_hint("name them with --x and --y"));
    }
    work::few_columns(&opened.source, x.len())?;
    if let Some(other) = args.categorical.iter().find(|name| **name != y_name && !x.contains(name)) {
        let message = format!("--categorical {other}: expected one of the columns of --x or --y");
        return Err(Failure::Usage(message));
    }
    let numeric = matches!(args.family, Family::Gaussian | Family::Poisson);
    if numeric && args.categorical.contains(&y_name) {
        let message = format!("--categorical {y_name}: the outcome of this family is a number");
        return Err(Failure::Usage(message));
    }
    let names = [&x[..], std::slice::from_ref(&y_name)].concat();
    let table = opened.read(&names, |rows| work::of_rows(rows, x.len()))?;
    // Columns that name rows are left out themselves.
    let needed: Vec<&String> = names
        .iter()
        .filter(|name| !args.x.is_empty() || !table.kind(name).is_ok_and(ColumnKind::names_rows))
        .collect();
    let (table, left_out) = complete(table, &needed, args.missing_rows.na)?;
    Ok(Source { table, y: y_name, x, left_out })
}

/// The waits of Old Faithful by the length of the eruption before.
fn embedded(args: &RegressFit) -> Result<Source, Failure> {
    if args.family != Family::Gaussian {
        let message = "--family speaks of a table: name it after `regress fit`";
        return Err(Failure::Usage(message.to_owned()));
    }
    let names: Vec<String> = OLD_FAITHFUL.columns.iter().map(|&name| name.to_owned()).collect();
    let table = DataFrame::embedded(OLD_FAITHFUL.title, OLD_FAITHFUL.columns, OLD_FAITHFUL.rows());
    match &names[..] {
        [x @ .., y] => Ok(Source { table, y: y.clone(), x: x.to_vec(), left_out: None }),
        [] => Err(Failure::data("the embedded table has no column")),
    }
}

impl Coding {
    fn learn(args: &RegressFit, table: &DataFrame, x: &[String]) -> Result<Self, Failure> {
        let mut categories = Vec::new();
        let mut numeric = Vec::new();
        let mut left_out = Vec::new();
        for name in x {
            let labels = args.categorical.contains(name);
            let kind = if labels { ColumnKind::Category } else { kind(table, name)? };
            match kind {
                _ if kind.names_rows() && args.x.is_empty() => left_out.push(name.clone()),
                ColumnKind::Date => return Err(dates(table, name)),
                ColumnKind::Missing => {
                    let message = format!("{}: column {name}: all cells are missing", table.source);
                    return Err(
                        Failure::data(message).with_hint("leave it out: --x names the columns that explain")
                    );
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
        let mut names: Vec<String> = map.as_ref().map_or_else(Vec::new, |map| map.columns().to_vec());
        for (name, levels) in &categories {
            names.extend(levels.iter().skip(1).map(|level| format!("{name}={level}")));
        }
        Ok(Self { numeric, map, categories, names, row_names: left_out })
    }

    /// A note about columns that were left out.
    pub(super) fn left_out(&self) -> Option<String> {
        note_of_row_names(&self.row_names, "--x")
    }

    fn design(&self, table: &DataFrame) -> Result<Design, Failure> {
        let mut columns = Vec::with_capacity(table.len() * self.names.len());
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
        Ok(Design { values: DMatrix::from_vec(table.len(), self.names.len(), columns) })
    }

    /// Rows to predict: the columns that explain, and of those that name rows and of the outcome `y` the ones
    /// that the table has.
    pub(super) fn open(
        &self,
        path: &Path,
        args: &TableArgs,
        missing_rows: MissingRows,
        y: &String,
        outcome: &OutcomeKind,
    ) -> Result<NewRows, Failure> {
        let opened = TableFile::open(path, &args.options()?)?;
        let beside = self.row_names.iter().chain([y]).filter(|name| opened.header().contains(name));
        let explain: Vec<&String> =
            self.numeric.iter().chain(self.categories.iter().map(|(name, _)| name)).collect();
        let names: Vec<&String> = explain.iter().copied().chain(beside).collect();
        let table = opened.read(&names, |rows| work::of_rows(rows, self.names.len()))?;
        let (table, left_out) = complete(table, &explain, missing_rows)?;
        Ok(NewRows { left_out, ..self.new_rows(&table, y, outcome)? })
    }

    fn new_rows(&self, table: &DataFrame, y: &String, outcome: &OutcomeKind) -> Result<NewRows, Failure> {
        Ok(NewRows {
            values: self.design(table)?.values,
            keys: self.keys(table, y)?,
            outcomes: table.header().contains(y).then(|| outcome.of_new(table, y)).transpose()?,
            are_new: true,
            line: self.line(table)?,
            left_out: None,
            source: table.source.clone(),
        })
    }

    /// The names and the outcomes of rows, where the table has them.
    fn keys(&self, table: &DataFrame, y: &String) -> Result<RowKeys, Failure> {
        RowKeys::of(table, self.row_names.iter().chain([y]))
    }

    /// The input, if there is one and it is a number.
    fn line(&self, table: &DataFrame) -> Result<Option<Vec<f64>>, Failure> {
        match (&self.numeric[..], &self.categories[..]) {
            ([only], []) => Ok(Some(table.complete_numbers(only)?)),
            _ => Ok(None),
        }
    }
}

fn outcome(args: &RegressFit, table: &DataFrame, name: &str) -> Result<Outcome, Failure> {
    match args.family {
        Family::Gaussian => Ok(Outcome::Numbers(table.complete_numbers(name)?)),
        Family::Poisson => Ok(Outcome::Counts(table.counts(name)?)),
        Family::Bernoulli => Outcome::classes(table, name, 2, "--family"),
        Family::Mlp if !args.categorical.iter().any(|own| own == name) && kind(table, name)?.is_numeric() => {
            let values = table.complete_numbers(name)?;
            if values.iter().all(|&value| value == 0.0 || value == 1.0) {
                return Outcome::classes(table, name, 2, "--family");
            }
            Ok(Outcome::Numbers(values))
        }
        Family::Softmax | Family::Mlp => Outcome::classes(table, name, 100, "--family"),
    }
}

/// The type of a column, which may hold categories or be left out.
fn kind(table: &DataFrame, name: &str) -> Result<ColumnKind, Failure> {
    let instead = format!("if the column holds categories, say --categorical {name}; --x leaves it out");
    table.kind(name).map_err(|error| Failure::from(error).or(&instead))
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

fn dates(table: &DataFrame, name: &str) -> Failure {
    let error = table.refused(0, name, "numbers or categories, not dates");
    Failure::from(error).with_hint(format!(
        "make numbers of them, as the days since the first one, or the month; or leave the column out with --x, or say --categorical {name}"
    ))
}
