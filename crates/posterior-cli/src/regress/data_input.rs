//! What explains and what is explained, from a table; the same columns of rows to predict.

use std::collections::BTreeSet;
use std::path::Path;

use posterior::datasets::tables::OLD_FAITHFUL;
use posterior::math::linalg::DMatrix;
use posterior::regression::Error;
use posterior::regression::formula::{FormulaData, ModelFormula};
use posterior::regression::glm::GlmData;
use posterior::regression::linear::LinearData;
use posterior::table::{ColumnKind, DataFrame, TableFile, listed};

use super::changes::{Change, changes};
use super::coding::{self, Coding};
use super::naming::{Naming, kind};
use super::new_rows::NewRows;
use super::work;
use crate::args::{Family, RegressFit, RobustKind, TableArgs};
use crate::complete_rows::complete;
use crate::dist::text_input;
use crate::failure::Failure;
use crate::level::Level;
use crate::outcome::Outcome;
use crate::rows_input::{row_events, row_weights};

/// An error lists the columns of a table if there are no more.
const MOST_LISTED: usize = 20;

/// Rows as a design matrix, and the outcome.
#[derive(Debug)]
pub(super) struct Data {
    /// How the data are called in messages.
    pub(super) source: String,
    pub(super) y_name: String,
    /// How rows become features.
    pub(super) coding: Coding,
    pub(super) design: Design,
    /// The columns of a formula with effects, where there is one.
    pub(super) effects: Option<FormulaData>,
    /// Whether the event of each row was seen, of times.
    pub(super) events: Option<Vec<bool>>,
    /// Pairs of neighbours on the map of `car` and `bym2`.
    pub(super) neighbours: Vec<(String, String)>,
    /// What is added to the predictor of each row.
    pub(super) offsets: Option<Vec<f64>>,
    /// How much each row counts.
    pub(super) weights: Option<Vec<f64>>,
    /// The cluster of each row, where errors go by clusters.
    pub(super) clusters: Option<Vec<usize>>,
    /// The rows as they are with each column changed, where effects are asked for.
    pub(super) changes: Vec<Change>,
    pub(super) outcome: Outcome,
    /// The rows of the data that are predicted themselves: all, or for text some at equal distances.
    pub(super) looked_at: Vec<usize>,
    /// The rows to predict; those of the data that are looked at if none were given.
    pub(super) places: NewRows,
    /// The one numeric input, where there is one and nothing else.
    pub(super) line: Option<Line>,
    /// The probability of intervals.
    pub(super) level: Level,
}

/// Rows that text shows of predictions, and rows whose coverage it states: a proportion of .95 has a standard
/// error of .01.
pub(super) const SHOWN: usize = 24;
const COVERED: usize = 21 * SHOWN;

/// One of so many rows of the data is predicted itself: all of them where they are written, and of fits that
/// sum over them.
fn step(args: &RegressFit, outcome: &Outcome, rows: usize) -> usize {
    let most = match outcome {
        _ if args.writes_all() || args.is_sparse() => return 1,
        Outcome::Classes { .. } => SHOWN,
        _ => COVERED,
    };
    rows.div_ceil(most).max(1)
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

impl Data {
    /// The rows of a table: those to fit, and those to predict, which are others if some are held out.
    pub(super) fn of(
        args: &RegressFit,
        source: &Source,
        table: &DataFrame,
        held_out: Option<&DataFrame>,
    ) -> Result<Self, Failure> {
        let Source { y, x, .. } = source;
        let y = y.as_str();
        // Nearly each column is a feature at least.
        work::check(args, table, x.len(), 0)?;
        let coding = Coding::learn(args, table, source.formula.as_ref(), &source.x)?;
        let outcome = outcome(args, table, source)?;
        let kind = outcome.kind();
        let places = match (held_out, &args.predict) {
            (Some(rows), _) => Some(coding.new_rows(rows, y, &kind)?),
            (None, Some(path)) => Some(coding.open(path, &args.table, args.missing_rows.na, y, &kind)?),
            (None, None) => None,
        };
        let at = places.as_ref().map_or(0, |rows| rows.values.nrows());
        work::check(args, table, coding.names.len(), at)?;
        let values = coding.design(table)?;
        let offsets = coding.offsets(table)?;
        let weights = args.weights.as_ref().map(|name| row_weights(table, name)).transpose()?;
        let effects = coding.effects(table)?;
        if effects.is_some() {
            work::check_effects(args, table, at)?;
        }
        let events = args.event.as_ref().map(|name| row_events(table, name)).transpose()?;
        let neighbours = source.neighbours.clone();
        let clusters = match &args.errors {
            Some(RobustKind::Cluster(name)) => Some(table.classes(name)?.1),
            _ => None,
        };
        let changes = if args.effects { changes(&coding, table)? } else { Vec::new() };
        let line = coding.line(table)?;
        let step = step(args, &outcome, table.len());
        let looked_at: Vec<usize> = (0..table.len()).step_by(step).collect();
        let places = match places {
            Some(rows) => rows,
            None => NewRows {
                source: table.source.clone(),
                values: values.select_rows(&looked_at),
                offsets: offsets.as_ref().map(|own| looked_at.iter().map(|&row| own[row]).collect()),
                effects: None,
                keys: coding.keys(table, y)?.at(&looked_at),
                outcomes: None,
                are_new: false,
                line: line.clone().map(|(_, values)| values),
                left_out: None,
            },
        };
        let line = line.zip(places.line.clone());
        let line = line.map(|((name, data), places)| Line { name, data, places });
        let (source, y_name, design) = (table.source.clone(), y.to_owned(), Design { values });
        let level = args.level.level;
        Ok(Self {
            source,
            y_name,
            coding,
            design,
            effects,
            events,
            neighbours,
            offsets,
            weights,
            clusters,
            changes,
            outcome,
            looked_at,
            places,
            line,
            level,
        })
    }

    /// The rows of a design of these rows, for generalised linear models.
    pub(super) fn glm<'a>(&'a self, design: &'a DMatrix<f64>, y: &'a [f64]) -> Result<GlmData<'a>, Error> {
        let mut rows = GlmData::new(design, y)?;
        if let Some(offsets) = &self.offsets {
            rows = rows.with_offset(offsets)?;
        }
        if let Some(weights) = &self.weights {
            rows = rows.with_weights(weights)?;
        }
        Ok(rows)
    }

    /// The same for linear ones.
    pub(super) fn linear<'a>(
        &'a self,
        design: &'a DMatrix<f64>,
        y: &'a [f64],
    ) -> Result<LinearData<'a>, Error> {
        let mut rows = LinearData::new(design, y)?;
        if let Some(offsets) = &self.offsets {
            rows = rows.with_offset(offsets)?;
        }
        if let Some(weights) = &self.weights {
            rows = rows.with_weights(weights)?;
        }
        Ok(rows)
    }

    /// The weight of a row.
    pub(super) fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |all| all[row])
    }

    /// What is added to the predictor of a row.
    pub(super) fn offset(&self, row: usize) -> f64 {
        self.offsets.as_ref().map_or(0.0, |all| all[row])
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
    pub(super) x: Vec<String>,
    pub(super) formula: Option<ModelFormula>,
    /// Pairs of neighbours, where a map is given.
    neighbours: Vec<(String, String)>,
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

    /// Whether the formula has effects, or the family is of those that are fitted as if it had.
    pub(super) fn has_effects(&self, args: &RegressFit) -> bool {
        let effects = |formula: &ModelFormula| !formula.effects().is_empty() || args.family.takes_formula();
        self.formula.as_ref().is_some_and(effects)
    }

    /// What was seen in each row.
    pub(super) fn outcome(&self, args: &RegressFit) -> Result<Outcome, Failure> {
        outcome(args, &self.table, self)
    }
}

/// The columns that the options ask for.
fn open(args: &RegressFit, path: &Path) -> Result<Source, Failure> {
    let formula = args.formula.as_deref().map(coding::parsed).transpose()?;
    let opened = TableFile::open(path, &args.table.options()?)?;
    let cluster = match &args.errors {
        Some(RobustKind::Cluster(name)) => Some(name),
        _ => None,
    };
    let beside = args.weights.iter().chain(&args.offset).chain(&args.event).chain(cluster);
    let beside: Vec<String> = beside.cloned().collect();
    if let Some(formula) = formula {
        return of_formula(args, opened, formula, &beside);
    }
    let y_name = args.y.clone().map_or_else(|| opened.last(), Ok)?;
    let others = |name: &&String| **name != y_name && !beside.contains(name);
    let x: Vec<String> = if args.x.is_empty() {
        opened.header().iter().filter(others).cloned().collect()
    } else {
        args.x.clone()
    };
    if x.contains(&y_name) {
        let message = format!("{}: the column {y_name:?} explains and is explained", opened.source);
        return Err(Failure::data(message).with_hint("name them with --x and --y"));
    }
    work::few_columns(&opened.source, x.len(), Naming::of(args))?;
    if let Some(other) = args.categorical.iter().find(|name| **name != y_name && !x.contains(name)) {
        let message = format!("--categorical {other}: expected one of the columns of --x or --y");
        return Err(Failure::Usage(message));
    }
    let numeric = !matches!(args.family, Family::Bernoulli | Family::Ordinal | Family::Softmax | Family::Mlp);
    if numeric && args.categorical.contains(&y_name) {
        let message = format!("--categorical {y_name}: the outcome of this family is a number");
        return Err(Failure::Usage(message));
    }
    let names = each_once(x.iter().chain([&y_name]).chain(&beside));
    let table = opened.read(&names, |rows| work::of_rows(rows, x.len()))?;
    let named = |name: &String| !args.x.is_empty() || *name == y_name || beside.contains(name);
    let (table, left_out) = needed(args, table, &names, named)?;
    Ok(Source { table, y: y_name, x, formula: None, neighbours: Vec::new(), left_out })
}

/// The columns that a formula names, and some beside; `.` in it stands for none of these.
fn of_formula(
    args: &RegressFit,
    opened: TableFile,
    formula: ModelFormula,
    beside: &[String],
) -> Result<Source, Failure> {
    let y = formula.outcome_column().map_or_else(|| formula.outcome(), |own| Some(own.to_owned()));
    let y = y.ok_or_else(|| coding::no_outcome(&formula))?;
    let header = opened.header();
    let wrong = |error| text_input::failure("--formula", &formula.to_string(), &error, 0);
    let x = formula.inputs(header).map_err(|error| {
        let failure = wrong(error);
        if header.len() <= MOST_LISTED {
            failure.or(&format!("there are: {}", listed(header)))
        } else {
            failure
        }
    })?;
    let named = formula.named();
    let x: Vec<String> =
        x.into_iter().filter(|own| !beside.contains(own) || named.contains(&own.as_str())).collect();
    work::few_columns(&opened.source, x.len(), Naming::of(args))?;
    let outcome: Vec<String> = formula.outcome_inputs().into_iter().map(str::to_owned).collect();
    let names = each_once(x.iter().chain(&outcome).chain(beside));
    let table = opened.read(&names, |rows| work::of_rows(rows, x.len()))?;
    let named: BTreeSet<String> = named.into_iter().map(str::to_owned).collect();
    let is_named = |name: &String| named.contains(name) || outcome.contains(name) || beside.contains(name);
    let (table, left_out) = needed(args, table, &names, is_named)?;
    let neighbours =
        args.neighbours.as_deref().map_or_else(|| Ok(Vec::new()), |path| pairs(path, &args.table))?;
    Ok(Source { table, y, x, formula: Some(formula), neighbours, left_out })
}

/// The rows in which nothing is missing that a model needs, with a note about the others: a column that names
/// rows is needed only if it was named itself.
fn needed(
    args: &RegressFit,
    table: DataFrame,
    names: &[String],
    is_named: impl Fn(&String) -> bool,
) -> Result<(DataFrame, Option<String>), Failure> {
    let needed: Vec<&String> = names
        .iter()
        .filter(|name| is_named(name) || !table.kind(name).is_ok_and(ColumnKind::names_rows))
        .collect();
    complete(table, &needed, args.missing_rows.na).map_err(|failure| match (failure, Naming::of(args)) {
        (Failure::Data { message, .. }, Naming::Formula) => {
            Failure::data(message).with_hint("leave the emptiest column out of the formula")
        }
        (failure, _) => failure,
    })
}

/// Pairs of neighbours: the first two columns of a table.
fn pairs(path: &Path, args: &TableArgs) -> Result<Vec<(String, String)>, Failure> {
    let opened = TableFile::open(path, &args.options()?)?;
    let [one, other] = opened.header() else {
        let message = format!("{}: expected two columns, found {}", opened.source, opened.header().len());
        return Err(Failure::data(message).with_hint("each row names two areas that are neighbours"));
    };
    let names = [one.clone(), other.clone()];
    let table = opened.read(&names, |_| 0)?;
    let [one, other] = [&names[0], &names[1]].map(|name| table.labels(name));
    Ok(one?.into_iter().zip(other?).map(|(a, b)| (a.to_owned(), b.to_owned())).collect())
}

fn each_once<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    names.filter(|own| seen.insert(*own)).cloned().collect()
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
        [x @ .., y] => Ok(Source {
            table,
            y: y.clone(),
            x: x.to_vec(),
            formula: None,
            neighbours: Vec::new(),
            left_out: None,
        }),
        [] => Err(Failure::data("the embedded table has no column")),
    }
}

fn outcome(args: &RegressFit, table: &DataFrame, source: &Source) -> Result<Outcome, Failure> {
    let name = source.y.as_str();
    if let Some(formula) = source.formula.as_ref().filter(|own| own.outcome_column().is_none()) {
        return computed(args, table, formula);
    }
    match args.family {
        Family::Poisson | Family::NegativeBinomial | Family::ZeroInflatedPoisson => {
            Ok(Outcome::Counts(table.counts(name)?))
        }
        Family::Gaussian
        | Family::Student
        | Family::Gamma
        | Family::LogNormal
        | Family::Weibull
        | Family::Exponential
        | Family::Beta => {
            let values = table.complete_numbers(name)?;
            let (allowed, expected) = numbers_of(args.family);
            match values.iter().position(|own| !allowed(*own)) {
                None => Ok(Outcome::Numbers(values)),
                Some(row) => Err(table.refused(row, name, expected).into()),
            }
        }
        Family::Bernoulli => Outcome::classes(table, name, 2, "--family"),
        Family::Mlp
            if !args.categorical.iter().any(|own| own == name)
                && kind(table, name, Naming::of(args))?.is_numeric() =>
        {
            let values = table.complete_numbers(name)?;
            if values.iter().all(|&value| value == 0.0 || value == 1.0) {
                return Outcome::classes(table, name, 2, "--family");
            }
            Ok(Outcome::Numbers(values))
        }
        Family::Ordinal => Outcome::ordered(table, name, &args.levels),
        Family::Softmax | Family::Mlp => Outcome::classes(table, name, 100, "--family"),
    }
}

/// Which numbers a family has, and what they must be.
fn numbers_of(family: Family) -> (fn(f64) -> bool, &'static str) {
    let positive: fn(f64) -> bool = |own| own > 0.0;
    match family {
        Family::Gamma => (positive, "a positive number, for the family gamma"),
        Family::LogNormal => (positive, "a positive number, for the family log-normal"),
        Family::Weibull | Family::Exponential => (positive, "a positive time"),
        Family::Beta => (|own| own > 0.0 && own < 1.0, "a proportion strictly between 0 and 1"),
        _ => (f64::is_finite, "a finite number"),
    }
}

/// An outcome that is a function of columns.
fn computed(args: &RegressFit, table: &DataFrame, formula: &ModelFormula) -> Result<Outcome, Failure> {
    let values = coding::values(formula, table)?;
    let first = |wrong: &dyn Fn(f64) -> bool, expected: &str| match values.iter().position(|own| wrong(*own))
    {
        None => Ok(()),
        Some(row) => {
            let line = table.line(row);
            let term = formula.outcome().unwrap_or_default();
            let message = format!("{}: line {line}: {term} is {}", table.source, values[row]);
            Err(Failure::data(message).with_hint(format!("it must be {expected}")))
        }
    };
    first(&|own| !own.is_finite(), "a finite number")?;
    match args.family {
        Family::Poisson | Family::NegativeBinomial | Family::ZeroInflatedPoisson => {
            first(&|own| own < 0.0 || own.fract() != 0.0, "a count")?;
            Ok(Outcome::Counts(values.into_iter().map(|own| own as u64).collect()))
        }
        Family::Gaussian
        | Family::Student
        | Family::Mlp
        | Family::Gamma
        | Family::LogNormal
        | Family::Weibull
        | Family::Exponential
        | Family::Beta => {
            let (allowed, expected) = numbers_of(args.family);
            first(&|own| !allowed(own), expected)?;
            Ok(Outcome::Numbers(values))
        }
        Family::Bernoulli | Family::Softmax | Family::Ordinal => {
            let message = "--formula: the outcome of this family is a column of classes, by its name";
            Err(Failure::Usage(message.to_owned()))
        }
    }
}
