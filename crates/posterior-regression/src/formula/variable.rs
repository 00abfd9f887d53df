//! A variable of a formula: what is learned of it, and its columns.

use std::borrow::Cow;
use std::collections::BTreeMap;

use posterior_dist::text::TextError;
use posterior_math::linalg::DMatrix;

use super::arguments::Arguments;
use super::contrasts::{Contrasts, all_levels};
use super::curve::{self, Curve};
use super::data::{Content, FormulaData, Labels};
use super::evaluate;
use super::expression::{Expression, Form, number_text};
use crate::Error;

/// What was learned of a variable.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub(super) enum Learned {
    /// Nothing: arithmetic.
    Number,
    Curve(Curve),
    Levels(Vec<String>),
}

/// What a variable is, as far as the formula says it.
enum Recipe<'a> {
    /// A column, of numbers or labels.
    Column,
    Number,
    Curve {
        function: &'a str,
        arguments: Arguments<'a>,
    },
    Factor(Factor<'a>),
}

/// Labels, the level that comes first, and their contrasts.
struct Factor<'a> {
    source: &'a Expression,
    reference: Option<(&'a str, usize)>,
    contrasts: Contrasts,
}

/// The columns of a variable for some rows.
pub(super) enum Columns {
    Numbers(DMatrix<f64>),
    /// A row of the matrix for each row.
    Levels {
        coded: DMatrix<f64>,
        of_row: Vec<usize>,
    },
}

impl Columns {
    pub(super) fn width(&self) -> usize {
        let (Self::Numbers(matrix) | Self::Levels { coded: matrix, .. }) = self;
        matrix.ncols()
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        match self {
            Self::Numbers(matrix) => matrix[(row, column)],
            Self::Levels { coded, of_row } => coded[(of_row[row], column)],
        }
    }
}

/// Refuses a variable that no table can have.
pub(super) fn check(own: &Expression) -> Result<(), TextError> {
    match recipe(own)? {
        Recipe::Column => Ok(()),
        Recipe::Number => evaluate::check(own),
        Recipe::Curve { arguments, .. } => evaluate::check(arguments.required(0)?),
        Recipe::Factor(Factor { source, .. }) => evaluate::check(source),
    }
}

fn recipe(own: &Expression) -> Result<Recipe<'_>, TextError> {
    let Form::Call(function, given) = &own.form else {
        return Ok(match &own.form {
            Form::Name(_) => Recipe::Column,
            _ if is_truth(own) => Recipe::Factor(factor(own)?),
            _ => Recipe::Number,
        });
    };
    if let Some(names) = curve::arguments(function) {
        let arguments = Arguments::of(own.place, function, given, names)?;
        return Ok(Recipe::Curve { function, arguments });
    }
    match function.as_str() {
        "factor" | "as.factor" | "relevel" | "C" => Ok(Recipe::Factor(factor(own)?)),
        "I" if is_truth(own) => Ok(Recipe::Factor(factor(own)?)),
        _ => Ok(Recipe::Number),
    }
}

/// Whether it is TRUE or FALSE in each row.
fn is_truth(own: &Expression) -> bool {
    match &own.form {
        Form::Call(name, given) => name == "I" && given.len() == 1 && is_truth(&given[0].value),
        Form::Binary(operator, ..) => operator.compares(),
        Form::Group(inner) => is_truth(inner),
        _ => false,
    }
}

fn factor(own: &Expression) -> Result<Factor<'_>, TextError> {
    let Form::Call(function, given) = &own.form else {
        return Ok(Factor { source: own, reference: None, contrasts: Contrasts::Treatment });
    };
    let names: &[&str] = match function.as_str() {
        "C" => &["object", "contr", "base"],
        "relevel" => &["x", "ref"],
        "factor" | "as.factor" => &["x"],
        _ => return Ok(Factor { source: own, reference: None, contrasts: Contrasts::Treatment }),
    };
    let arguments = Arguments::of(own.place, function, given, names)?;
    let inner = factor(arguments.required(0)?.bare())?;
    match function.as_str() {
        "C" => Ok(Factor { contrasts: Contrasts::of(&arguments)?, ..inner }),
        "relevel" => {
            let value = arguments.required(1)?;
            let Form::Text(level) = &value.form else {
                return Err(TextError::expected(
                    value.place,
                    "a level, as in ref = \"b\"",
                    &format!("`{value}`"),
                ));
            };
            Ok(Factor { reference: Some((level, value.place)), ..inner })
        }
        _ => Ok(inner),
    }
}

impl Factor<'_> {
    /// The levels in the rows of a table, in the order of the table or of the numbers.
    fn labels<'a>(&self, data: &'a FormulaData) -> Result<Cow<'a, Labels>, Error> {
        if let Form::Name(name) = &self.source.form
            && let Content::Labels(labels) = data.required(name, self.source.place)?
        {
            return Ok(Cow::Borrowed(labels));
        }
        let numbers = evaluate::finite(self.source, data)?;
        if is_truth(self.source) {
            let levels = ["FALSE", "TRUE"].map(str::to_owned).to_vec();
            return Ok(Cow::Owned(Labels {
                levels,
                of_row: numbers.iter().map(|own| *own as usize).collect(),
            }));
        }
        let mut sorted = numbers.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.dedup();
        // What is printed alike is one level.
        let mut levels: Vec<String> = sorted.iter().map(|own| number_text(*own)).collect();
        levels.dedup();
        let places: BTreeMap<&str, usize> =
            levels.iter().enumerate().map(|(place, level)| (level.as_str(), place)).collect();
        let of_row = numbers.iter().map(|own| places[number_text(*own).as_str()]).collect();
        Ok(Cow::Owned(Labels { levels, of_row }))
    }

    fn learn(&self, data: &FormulaData) -> Result<Vec<String>, Error> {
        let mut levels = self.labels(data)?.levels.clone();
        if let Some((reference, place)) = self.reference {
            let Some(own) = levels.iter().position(|level| level == reference) else {
                let names: Vec<&str> = levels.iter().map(String::as_str).collect();
                let message = format!("there is no level {reference:?}");
                return Err(TextError::unknown(place, message, reference, &names).into());
            };
            levels[..=own].rotate_right(1);
        }
        Ok(levels)
    }

    /// The place of each row's level among those that were learned.
    fn places(&self, own: &Expression, levels: &[String], data: &FormulaData) -> Result<Vec<usize>, Error> {
        let labels = self.labels(data)?;
        let known: Vec<Option<usize>> =
            labels.levels.iter().map(|level| levels.iter().position(|known| known == level)).collect();
        let place = |(row, level): (usize, &usize)| {
            known[*level].ok_or_else(|| Error::Term {
                column: own.place,
                term: own.to_string(),
                row,
                found: format!("{:?}", labels.levels[*level]),
                expected: format!("one of {}", levels.join(", ")),
            })
        };
        labels.of_row.iter().enumerate().map(place).collect()
    }
}

impl Learned {
    /// What a variable has in a table.
    pub(super) fn of(own: &Expression, data: &FormulaData) -> Result<Self, Error> {
        match recipe(own)? {
            Recipe::Column => {
                let (Form::Name(name), place) = (&own.form, own.place) else { return Ok(Self::Number) };
                match data.required(name, place)? {
                    Content::Numbers(_) => Ok(Self::Number),
                    Content::Labels(labels) => Ok(Self::Levels(labels.levels.clone())),
                }
            }
            Recipe::Number => Ok(Self::Number),
            Recipe::Curve { function, arguments } => {
                let x = evaluate::finite(arguments.required(0)?, data)?;
                Ok(Self::Curve(Curve::learn(function, &arguments, &x)?))
            }
            Recipe::Factor(factor) => Ok(Self::Levels(factor.learn(data)?)),
        }
    }

    /// Whether it can be what a variable has in some table.
    #[cfg(feature = "serde")]
    pub(super) fn fits(&self, own: &Expression) -> bool {
        let levels = |levels: &[String]| {
            let mut sorted: Vec<&String> = levels.iter().collect();
            sorted.sort_unstable();
            !levels.is_empty() && sorted.windows(2).all(|pair| pair[0] != pair[1])
        };
        match (recipe(own), self) {
            (Ok(Recipe::Column | Recipe::Number), Self::Number) => true,
            (Ok(Recipe::Column | Recipe::Factor(_)), Self::Levels(own)) => levels(own),
            (Ok(Recipe::Curve { .. }), Self::Curve(curve)) => curve.is_whole(),
            _ => false,
        }
    }

    pub(super) const fn is_factor(&self) -> bool {
        matches!(self, Self::Levels(_))
    }

    /// The names of its columns.
    pub(super) fn names(&self, own: &Expression, all: bool) -> Result<Vec<String>, Error> {
        let endings = match self {
            Self::Number => vec![String::new()],
            Self::Curve(curve) => match &own.form {
                Form::Call(function, _) => curve.endings(function),
                _ => Vec::new(),
            },
            Self::Levels(levels) => coded(own, levels, all)?.1,
        };
        Ok(endings.into_iter().map(|ending| format!("{own}{ending}")).collect())
    }

    /// Its columns; of labels one for each level, or their contrasts.
    pub(super) fn columns(&self, own: &Expression, all: bool, data: &FormulaData) -> Result<Columns, Error> {
        match (self, recipe(own)?) {
            (Self::Curve(curve), Recipe::Curve { arguments, .. }) => {
                let x = evaluate::finite(arguments.required(0)?, data)?;
                Ok(Columns::Numbers(curve.values(&x)?))
            }
            (Self::Levels(levels), recipe) => {
                let factor = match recipe {
                    Recipe::Factor(factor) => factor,
                    _ => Factor { source: own, reference: None, contrasts: Contrasts::Treatment },
                };
                let of_row = factor.places(own, levels, data)?;
                Ok(Columns::Levels { coded: coded(own, levels, all)?.0, of_row })
            }
            _ => Ok(Columns::Numbers(DMatrix::from_vec(data.rows(), 1, evaluate::finite(own, data)?))),
        }
    }
}

/// The columns of levels, and what stands behind the factor in their names.
fn coded(own: &Expression, levels: &[String], all: bool) -> Result<(DMatrix<f64>, Vec<String>), Error> {
    if all {
        return Ok(all_levels(levels));
    }
    if levels.len() < 2 {
        let message =
            format!("`{own}` has one level, {:?}: nothing can be compared with it", levels.concat());
        return Err(TextError::new(own.place, message).into());
    }
    match recipe(own)? {
        Recipe::Factor(factor) => factor.contrasts.coded(levels, own.place),
        _ => Contrasts::Treatment.coded(levels, own.place),
    }
}
