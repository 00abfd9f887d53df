//! What a structural topic model knows of documents: a formula of proportions, and a column of words.

use std::collections::BTreeMap;

use posterior::math::linalg::DMatrix;
use posterior::regression::Error;
use posterior::regression::formula::{FormulaData, FormulaMap, ModelFormula};
use posterior::topics::corpus::Metadata;
use posterior::topics::structural_topics::DocumentCovariates;
use serde::{Deserialize, Serialize};

use crate::args::TopicsFit;
use crate::dist::text_input;
use crate::failure::Failure;

/// The most different names in a column of words.
const MOST_LEVELS: usize = 100;

/// What was learned of the table of a fit.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Covariates {
    pub(super) prevalence: Option<Prevalence>,
    pub(super) content: Option<Content>,
}

/// A formula, and where its columns are.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Prevalence {
    map: FormulaMap,
    pub(super) inputs: Vec<Input>,
}

/// A column of the formula.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Input {
    /// The least and the largest number, and the quartiles between.
    Number { column: String, quartiles: [f64; 5] },
    /// Names in their order, and the place of the most frequent one.
    Names { column: String, names: Vec<String>, typical: usize },
}

/// A column of names that change the words of topics.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Content {
    column: String,
    pub(super) names: Vec<String>,
}

/// A value of a column.
#[derive(Debug, Clone, Copy)]
pub(super) enum Setting<'a> {
    Number(f64),
    Name(&'a str),
}

impl Covariates {
    /// Of the columns that the command line names.
    pub(super) fn of(args: &TopicsFit, table: &Metadata) -> Result<(Self, DocumentCovariates), Failure> {
        let prevalence = args.prevalence.as_deref().map(|text| Prevalence::learn(text, table)).transpose()?;
        let content = args.content.as_deref().map(|column| Content::learn(column, table)).transpose()?;
        let own = Self { prevalence, content };
        let documents = own.documents(table)?;
        Ok((own, documents))
    }

    /// What is known of the documents of a table that has the columns.
    pub(super) fn documents(&self, table: &Metadata) -> Result<DocumentCovariates, Failure> {
        let prevalence = match &self.prevalence {
            Some(own) => own.design(&own.data(table)?)?,
            None => DMatrix::zeros(table.rows(), 0),
        };
        let content = self.content.as_ref().map(|own| own.levels(table)).transpose()?;
        Ok(DocumentCovariates { prevalence, content })
    }

    /// The columns that a table must have.
    pub(super) fn columns(&self) -> Vec<&str> {
        let inputs = self.prevalence.iter().flat_map(|own| own.inputs.iter().map(Input::column));
        inputs.chain(self.content.iter().map(|own| own.column.as_str())).collect()
    }

    pub(super) fn formula(&self) -> String {
        self.prevalence.as_ref().map_or_else(|| "none".to_owned(), |own| own.map.formula().to_string())
    }

    pub(super) fn content_column(&self) -> String {
        self.content.as_ref().map_or_else(|| "none".to_owned(), |own| own.column.clone())
    }
}

/// A formula without an outcome, which may be written without its `~`.
fn one_sided(text: &str) -> String {
    if text.contains('~') { text.to_owned() } else { format!("~ {text}") }
}

impl Prevalence {
    /// A formula of terms that are columns of a design: the topics have a constant.
    pub(super) fn parsed(text: &str) -> Result<ModelFormula, Failure> {
        let text = &one_sided(text);
        let formula: ModelFormula =
            text.parse().map_err(|error| text_input::failure("--prevalence", text, &error, 0))?;
        if formula.outcome().is_some() {
            let message = format!(
                "--prevalence \"{text}\": proportions are what is explained: write nothing before the `~`"
            );
            return Err(Failure::Usage(message));
        }
        match formula.effects().first() {
            None => Ok(formula),
            Some(effect) => Err(Failure::Usage(format!(
                "--prevalence \"{text}\": `{effect}` is a latent effect, which topics do not have"
            ))),
        }
    }

    fn learn(text: &str, table: &Metadata) -> Result<Self, Failure> {
        let text = &one_sided(text);
        let formula = Self::parsed(text)?;
        let columns = formula
            .inputs(table.columns())
            .map_err(|error| text_input::failure("--prevalence", text, &error, 0))?;
        let inputs: Vec<Input> =
            columns.iter().map(|column| Input::learn(column, table)).collect::<Result<_, _>>()?;
        let map = formula.learn(&data(&inputs, table)?).map_err(|error| refused(text, error))?;
        if !map.has_intercept() || map.has_offset() {
            let message = format!(
                "--prevalence \"{text}\": topics always have a constant, and no offset: leave `- 1`, `0 +` and `offset` out"
            );
            return Err(Failure::Usage(message));
        }
        Ok(Self { map, inputs })
    }

    fn data(&self, table: &Metadata) -> Result<FormulaData, Failure> {
        data(&self.inputs, table)
    }

    /// Rows x features, without the constant.
    fn design(&self, data: &FormulaData) -> Result<DMatrix<f64>, Failure> {
        let design =
            self.map.design(data).map_err(|error| refused(&self.map.formula().to_string(), error))?;
        Ok(design.remove_column(0))
    }

    /// The features of a document that has this in a column, and elsewhere the median and the most frequent
    /// name.
    pub(super) fn typical_but(&self, at: usize, setting: Setting<'_>) -> Result<Vec<f64>, Failure> {
        let mut all = FormulaData::new(1);
        for (place, input) in self.inputs.iter().enumerate() {
            let own = if place == at { setting } else { input.typical() };
            all = match own {
                Setting::Number(x) => all.with_numbers(input.column(), vec![x]),
                Setting::Name(name) => all.with_labels(input.column(), &[name]),
            }
            .map_err(|error| refused(&self.map.formula().to_string(), error))?;
        }
        Ok(self.design(&all)?.row(0).iter().copied().collect())
    }
}

impl Input {
    fn learn(column: &str, table: &Metadata) -> Result<Self, Failure> {
        let Ok(numbers) = table.optional_numbers(column) else {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            table.text(column)?.into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
            if counts.contains_key("") {
                return Err(Failure::data(format!(
                    "column {column:?}: --prevalence needs a name in each row"
                )));
            }
            let names: Vec<String> = counts.keys().map(|name| (*name).to_owned()).collect();
            let typical = (0..names.len()).max_by_key(|&at| (counts[names[at].as_str()], names.len() - at));
            return Ok(Self::Names { column: column.to_owned(), names, typical: typical.unwrap_or(0) });
        };
        let mut there: Vec<f64> = numbers.iter().copied().flatten().collect();
        if there.len() < numbers.len() {
            let missing = numbers.len() - there.len();
            let message =
                format!("column {column:?}: {missing} numbers are missing, and --prevalence needs them all");
            return Err(Failure::data(message));
        }
        there.sort_by(f64::total_cmp);
        let at = |p: f64| posterior::math::streaming::quantile_of_sorted(&there, p);
        Ok(Self::Number { column: column.to_owned(), quartiles: [0.0, 0.25, 0.5, 0.75, 1.0].map(at) })
    }

    pub(super) fn column(&self) -> &str {
        match self {
            Self::Number { column, .. } | Self::Names { column, .. } => column,
        }
    }

    fn typical(&self) -> Setting<'_> {
        match self {
            Self::Number { quartiles, .. } => Setting::Number(quartiles[2]),
            Self::Names { names, typical, .. } => Setting::Name(&names[*typical]),
        }
    }
}

impl Content {
    fn learn(column: &str, table: &Metadata) -> Result<Self, Failure> {
        let mut names: Vec<String> = table.text(column)?.into_iter().map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        if !(2..=MOST_LEVELS).contains(&names.len()) {
            let found = names.len();
            let message =
                format!("column {column:?}: expected 2 to {MOST_LEVELS} different names, found {found}");
            return Err(Failure::data(message));
        }
        Ok(Self { column: column.to_owned(), names })
    }

    fn levels(&self, table: &Metadata) -> Result<Vec<usize>, Failure> {
        let level = |name: &&str| {
            self.names.iter().position(|own| own == name).ok_or_else(|| {
                let message = format!("column {:?}: {name:?} is none of the names of the fit", self.column);
                Failure::data(message).with_hint(format!("there are: {}", self.names.join(", ")))
            })
        };
        table.text(&self.column)?.iter().map(level).collect()
    }
}

/// Columns as a formula takes them.
fn data(inputs: &[Input], table: &Metadata) -> Result<FormulaData, Failure> {
    let mut all = FormulaData::new(table.rows());
    for input in inputs {
        let column = input.column();
        all = match input {
            Input::Number { .. } => all.with_numbers(column, table.numbers(column)?),
            Input::Names { .. } => all.with_labels(column, &table.text(column)?),
        }
        .map_err(|error| refused(column, error))?;
    }
    Ok(all)
}

/// What is wrong with a formula or a row.
fn refused(formula: &str, error: Error) -> Failure {
    match error {
        Error::Formula(error) => text_input::failure("--prevalence", formula, &error, 0),
        Error::Term { term, row, found, expected, .. } => {
            let message = format!("document {}: {term} is {found}", row + 1);
            Failure::data(message).with_hint(format!("it must be {expected}; --prevalence \"{formula}\""))
        }
        other => Failure::data(format!("--prevalence \"{formula}\": {other}")),
    }
}
