//! What explains and what is explained, from a table; the same columns of rows to predict.

use posterior::datasets::tables::OLD_FAITHFUL;
use posterior::math::linalg::DMatrix;
use posterior::regression::features::{FeatureMap, FeaturePlan};

use crate::args::{Family, RegressFit};
use crate::dist::text_input;
use crate::failure::Failure;
use crate::table::Table;

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
    pub(super) places: Design,
    /// The one numeric input, where there is one and nothing else.
    pub(super) line: Option<Line>,
}

/// A design without an intercept, and the names of its columns.
#[derive(Debug, Clone)]
pub(super) struct Design {
    pub(super) values: DMatrix<f64>,
}

/// The one input that explains, at the data and at the places.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) data: Vec<f64>,
    pub(super) places: Vec<f64>,
}

/// What was seen.
#[derive(Debug)]
pub(super) enum Outcome {
    Numbers(Vec<f64>),
    /// The place of each row's class among the labels.
    Classes {
        labels: Vec<String>,
        of_row: Vec<usize>,
    },
    Counts(Vec<u64>),
}

/// How columns of a table become columns of a design.
#[derive(Debug)]
pub(super) struct Coding {
    numeric: Vec<String>,
    map: Option<FeatureMap>,
    /// Columns of labels with their levels; the first level is the base.
    categories: Vec<(String, Vec<String>)>,
    /// The names of the columns of the design.
    pub(super) names: Vec<String>,
}

impl Data {
    /// Reads what the options ask for, or takes the embedded table.
    pub(super) fn read(args: &RegressFit) -> Result<Self, Failure> {
        let table = match &args.data {
            Some(path) => Table::read(path)?,
            None => embedded(args)?,
        };
        let y_name = match (&args.y, table.header().last()) {
            (Some(name), _) => name.clone(),
            (None, Some(last)) => last.clone(),
            (None, None) => {
                return Err(Failure::data(format!("{}: the header names no column", table.source)));
            }
        };
        let x: Vec<String> = if args.x.is_empty() {
            table.header().iter().filter(|name| **name != y_name).cloned().collect()
        } else {
            args.x.clone()
        };
        if x.contains(&y_name) {
            let message = format!("{}: the column {y_name:?} explains and is explained", table.source);
            return Err(Failure::data(message).with_hint("name them with --x and --y"));
        }
        let coding = Coding::learn(args, &table, &x)?;
        let design = coding.design(&table)?;
        let outcome = outcome(args.family, &table, &y_name)?;
        let (places, at) = match &args.predict {
            Some(path) => {
                let rows = Table::read(path)?;
                (coding.design(&rows)?, coding.line(&rows)?)
            }
            None => (design.clone(), coding.line(&table)?),
        };
        let line =
            coding.line(&table)?.zip(at).map(|(data, places)| Line { name: x[0].clone(), data, places });
        Ok(Self { source: table.source, y_name, coding, design, outcome, places, line })
    }

    /// How many rows.
    pub(super) fn rows(&self) -> usize {
        self.design.values.nrows()
    }
}

/// The waits of Old Faithful by the length of the eruption before.
fn embedded(args: &RegressFit) -> Result<Table, Failure> {
    if args.family != Family::Gaussian {
        let message = "--family speaks of a table: name it after `regress fit`";
        return Err(Failure::Usage(message.to_owned()));
    }
    Ok(Table::embedded(OLD_FAITHFUL.title, OLD_FAITHFUL.columns, OLD_FAITHFUL.rows()))
}

impl Coding {
    fn learn(args: &RegressFit, table: &Table, x: &[String]) -> Result<Self, Failure> {
        let mut categories = Vec::new();
        let mut numeric = Vec::new();
        for name in x {
            if table.is_numeric(name) {
                numeric.push(name.clone());
            } else {
                categories.push((name.clone(), table.classes(name)?.0));
            }
        }
        let text = format!("0 + {}", args.features);
        let plan: FeaturePlan =
            text.parse().map_err(|error| text_input::failure("--features", &args.features, &error, 4))?;
        let map = if numeric.is_empty() {
            None
        } else {
            let refused = |error: posterior::regression::Error| Failure::data(format!("--features: {error}"));
            Some(plan.learn(&numbers(table, &numeric)?, &numeric).map_err(refused)?)
        };
        let mut names: Vec<String> = map.as_ref().map_or_else(Vec::new, |map| map.columns().to_vec());
        for (name, levels) in &categories {
            names.extend(levels.iter().skip(1).map(|level| format!("{name}={level}")));
        }
        Ok(Self { numeric, map, categories, names })
    }

    fn design(&self, table: &Table) -> Result<Design, Failure> {
        let mut columns = Vec::with_capacity(table.len() * self.names.len());
        if let Some(map) = &self.map {
            let design = map.design(&numbers(table, &self.numeric)?);
            let design = design.map_err(|error| Failure::data(format!("{}: {error}", table.source)))?;
            columns.extend_from_slice(design.as_slice());
        }
        for (name, levels) in &self.categories {
            let of_row = table.labels(name)?;
            for (row, label) in of_row.iter().enumerate() {
                if !levels.contains(label) {
                    let line = table.line(row);
                    let message =
                        format!("{}: line {line}, column {name}: the data have no {label:?}", table.source);
                    return Err(Failure::data(message).with_hint(format!("there are: {}", levels.join(", "))));
                }
            }
            for level in &levels[1..] {
                columns.extend(of_row.iter().map(|label| f64::from(u8::from(label == level))));
            }
        }
        Ok(Design { values: DMatrix::from_vec(table.len(), self.names.len(), columns) })
    }

    /// The input, if there is one and it is a number.
    fn line(&self, table: &Table) -> Result<Option<Vec<f64>>, Failure> {
        match (&self.numeric[..], &self.categories[..]) {
            ([only], []) => table.complete_numbers(only).map(Some),
            _ => Ok(None),
        }
    }
}

fn numbers(table: &Table, names: &[String]) -> Result<DMatrix<f64>, Failure> {
    let columns = names.iter().map(|name| table.complete_numbers(name)).collect::<Result<Vec<_>, _>>()?;
    Ok(DMatrix::from_vec(table.len(), names.len(), columns.concat()))
}

fn outcome(family: Family, table: &Table, name: &str) -> Result<Outcome, Failure> {
    match family {
        Family::Gaussian => Ok(Outcome::Numbers(table.complete_numbers(name)?)),
        Family::Poisson => table.counts(name).map(Outcome::Counts),
        Family::Bernoulli => classes(table, name, 2),
        Family::Mlp if table.is_numeric(name) => {
            let values = table.complete_numbers(name)?;
            if values.iter().all(|&value| value == 0.0 || value == 1.0) {
                return classes(table, name, 2);
            }
            Ok(Outcome::Numbers(values))
        }
        Family::Softmax | Family::Mlp => classes(table, name, 100),
    }
}

fn classes(table: &Table, name: &str, most: usize) -> Result<Outcome, Failure> {
    let (labels, of_row) = table.classes(name)?;
    if (2..=most).contains(&labels.len()) {
        return Ok(Outcome::Classes { labels, of_row });
    }
    let message = format!("{}: column {name} has {} classes", table.source, labels.len());
    Err(Failure::data(message).with_hint(match (labels.len(), most) {
        (1, _) => "a classifier needs rows of two classes at least",
        (_, 2) => "for more than two classes say --family softmax",
        _ => "is this column one of classes?",
    }))
}
