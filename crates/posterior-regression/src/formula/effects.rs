//! Terms of a formula that are latent effects: what varies between groups, and curves and fields.

use std::collections::BTreeMap;

use posterior_dist::text::TextError;

use super::data::{Content, FormulaData};
use super::evaluate;
use super::expression::{Argument, Expression, FIELDS, Form, Operator, each_once, number_text};
use crate::Error;

/// A term whose coefficients are a random vector with a distribution of its own: `(1 + x | g)`, `rw1(year)`.
/// A regression without such effects has none of them; `posterior-hierarchical` fits them.
///
/// ```
/// use posterior_regression::formula::{EffectKind, ModelFormula};
///
/// let formula: ModelFormula = "score ~ hours + (1 + hours | school) + rw1(year)".parse()?;
/// let [schools, years] = formula.effects() else { panic!("two effects") };
/// assert_eq!(schools.inputs(), ["hours", "school"]);
/// assert!(matches!(schools.kind(), EffectKind::Groups { correlated: true, .. }));
/// assert_eq!(years.to_string(), "rw1(year)");
/// # Ok::<(), posterior_dist::text::TextError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct EffectTerm {
    place: usize,
    own: Own,
}

#[derive(Debug, Clone, PartialEq)]
enum Own {
    Groups { columns: Expression, groups: Vec<Expression>, correlated: bool },
    Function { name: String, inputs: Vec<Expression>, options: Vec<(String, f64)> },
}

/// What an [`EffectTerm`] is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EffectKind<'a> {
    /// `(columns | groups)`: coefficients of its [columns](EffectTerm::columns) that each group has of its
    /// own.
    Groups {
        /// Whether the coefficients of a group are correlated: `|`, and not `||`.
        correlated: bool,
    },
    /// A function of columns, as `rw2(year)` or `matern(lon, lat, k = 20)`.
    Function {
        /// Its name.
        name: &'a str,
        /// Numbers that were given by names.
        options: &'a [(String, f64)],
    },
}

/// The right side without its effects, and these.
pub(super) fn split(right: Expression) -> Result<(Expression, Vec<EffectTerm>), TextError> {
    let mut effects = Vec::new();
    let place = right.place;
    let fixed = without(right, &mut effects)?;
    Ok((fixed.unwrap_or(Expression { place, form: Form::Number(1.0) }), effects))
}

/// Takes the effects out of a sum.
fn without(own: Expression, effects: &mut Vec<EffectTerm>) -> Result<Option<Expression>, TextError> {
    let Expression { place, form } = own;
    match form {
        Form::Binary(operator @ (Operator::Plus | Operator::Minus), left, right) => {
            let left = without(*left, effects)?;
            if operator == Operator::Minus {
                let left = left.unwrap_or(Expression { place, form: Form::Number(1.0) });
                return Ok(Some(Expression { place, form: Form::Binary(operator, Box::new(left), right) }));
            }
            let right = without(*right, effects)?;
            Ok(match (left, right) {
                (Some(left), Some(right)) => {
                    let form = Form::Binary(operator, Box::new(left), Box::new(right));
                    Some(Expression { place, form })
                }
                (left, right) => left.or(right),
            })
        }
        Form::Group(inner) => match inner.form {
            Form::Binary(bar @ (Operator::Bar | Operator::DoubleBar), columns, groups) => {
                effects.extend(grouped(place, &columns, &groups, bar == Operator::Bar)?);
                Ok(None)
            }
            form => Ok(Some(Expression {
                place,
                form: Form::Group(Box::new(Expression { place: inner.place, form })),
            })),
        },
        Form::Call(name, arguments) if FIELDS.contains(&name.as_str()) => {
            effects.push(EffectTerm { place, own: function(place, name, arguments)? });
            Ok(None)
        }
        form => Ok(Some(Expression { place, form })),
    }
}

/// `(columns | groups)`: `a/b` stands for `a` and `a:b`.
fn grouped(
    place: usize,
    columns: &Expression,
    groups: &Expression,
    correlated: bool,
) -> Result<Vec<EffectTerm>, TextError> {
    let term = |groups: Vec<Expression>| EffectTerm {
        place,
        own: Own::Groups { columns: columns.clone(), groups, correlated },
    };
    Ok(nested(groups)?.into_iter().map(term).collect())
}

/// The products of columns that a text of groups stands for.
fn nested(groups: &Expression) -> Result<Vec<Vec<Expression>>, TextError> {
    match &groups.bare().form {
        Form::Binary(Operator::Over, left, right) => {
            let mut all = nested(left)?;
            let outer = all.last().cloned().unwrap_or_default();
            all.extend(nested(right)?.into_iter().map(|inner| [outer.clone(), inner].concat()));
            Ok(all)
        }
        Form::Binary(Operator::Colon, left, right) => {
            let pair =
                |(a, b): (Vec<Vec<Expression>>, Vec<Vec<Expression>>)| [a.concat(), b.concat()].concat();
            Ok(vec![pair((nested(left)?, nested(right)?))])
        }
        Form::Name(_) => Ok(vec![vec![groups.bare().clone()]]),
        _ => {
            let found = format!("`{groups}`");
            Err(TextError::expected(groups.place, "groups: a column, a:b or a/b", &found))
        }
    }
}

fn function(place: usize, name: String, arguments: Vec<Argument>) -> Result<Own, TextError> {
    let (mut inputs, mut options) = (Vec::new(), Vec::new());
    for Argument { name: option, value } in arguments {
        let Some(option) = option else {
            evaluate::check(&value)?;
            inputs.push(value);
            continue;
        };
        let Form::Number(number) = value.form else {
            return Err(TextError::expected(value.place, "a number", &format!("`{value}`")));
        };
        options.push((option, number));
    }
    let (counts, expected) = match name.as_str() {
        "matern" => (1..=2, "one column, or two"),
        "measured" => (1..=2, "one column, and one of its errors"),
        "te" => (2..=2, "two columns"),
        _ => (1..=1, "one column"),
    };
    if !counts.contains(&inputs.len()) {
        return Err(TextError::new(place, format!("`{name}` is of {expected}")));
    }
    Ok(Own::Function { name, inputs, options })
}

impl EffectTerm {
    /// What is before the bar of `(columns | groups)`.
    pub(super) const fn before_bar(&self) -> Option<&Expression> {
        match &self.own {
            Own::Groups { columns, .. } => Some(columns),
            Own::Function { .. } => None,
        }
    }

    /// Where it is in the text of the formula, counted from 1.
    pub const fn place(&self) -> usize {
        self.place
    }

    /// What it is.
    pub fn kind(&self) -> EffectKind<'_> {
        match &self.own {
            Own::Groups { correlated, .. } => EffectKind::Groups { correlated: *correlated },
            Own::Function { name, options, .. } => EffectKind::Function { name, options },
        }
    }

    /// The columns of a table that it needs, each where it is first.
    pub fn inputs(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.names(&mut names);
        each_once(names.into_iter().map(|(name, _)| name))
    }

    pub(super) fn names<'a>(&'a self, all: &mut Vec<(&'a str, usize)>) {
        let own = match &self.own {
            Own::Groups { columns, groups, .. } => {
                columns.names(all);
                groups
            }
            Own::Function { inputs, .. } => inputs,
        };
        for own in own {
            own.names(all);
        }
    }

    /// The name of its groups, or of its first column: `school`, `school:class`, `year`.
    pub fn subject(&self) -> String {
        match &self.own {
            Own::Groups { groups, .. } => {
                groups.iter().map(ToString::to_string).collect::<Vec<_>>().join(":")
            }
            Own::Function { .. } => self.arguments().join(", "),
        }
    }

    /// The columns of a function as they are written, as `log(x)`; of groups none.
    pub fn arguments(&self) -> Vec<String> {
        match &self.own {
            Own::Groups { .. } => Vec::new(),
            Own::Function { inputs, .. } => inputs.iter().map(ToString::to_string).collect(),
        }
    }

    /// The group of each row, and the names of the groups: levels of labels in their order, numbers by size.
    /// Of `a:b` only pairs that there are.
    ///
    /// # Errors
    /// A column that is not there; a number that is not finite.
    pub fn groups(&self, data: &FormulaData) -> Result<(Vec<String>, Vec<usize>), Error> {
        let columns = match &self.own {
            Own::Groups { groups, .. } => groups,
            Own::Function { inputs, .. } => inputs,
        };
        let mut labels: Vec<(Vec<String>, Vec<usize>)> = Vec::with_capacity(columns.len());
        for column in columns {
            labels.push(levels(column, data)?);
        }
        if let [one] = &mut labels[..] {
            return Ok(std::mem::take(one));
        }
        let key = |row: usize| -> Vec<usize> { labels.iter().map(|(_, of_row)| of_row[row]).collect() };
        let mut places: BTreeMap<Vec<usize>, usize> = (0..data.rows()).map(|row| (key(row), 0)).collect();
        places.values_mut().enumerate().for_each(|(place, own)| *own = place);
        let name = |key: &Vec<usize>| {
            let parts: Vec<&str> =
                labels.iter().zip(key).map(|((levels, _), &own)| levels[own].as_str()).collect();
            parts.join(":")
        };
        let names = places.keys().map(name).collect();
        Ok((names, (0..data.rows()).map(|row| places[&key(row)]).collect()))
    }

    /// The number of each row in its column of this place.
    ///
    /// # Errors
    /// A column that is not there, or holds labels; a number that is not finite; no column of this place.
    pub fn numbers(&self, input: usize, data: &FormulaData) -> Result<Vec<f64>, Error> {
        let Own::Function { inputs, .. } = &self.own else {
            return Err(TextError::new(self.place, "groups have labels, not numbers").into());
        };
        match inputs.get(input) {
            Some(own) => evaluate::finite(own, data),
            None => Err(TextError::new(self.place, "a column is missing here").into()),
        }
    }

    /// How many columns a function takes here.
    pub fn width(&self) -> usize {
        match &self.own {
            Own::Groups { groups, .. } => groups.len(),
            Own::Function { inputs, .. } => inputs.len(),
        }
    }
}

impl std::fmt::Display for EffectTerm {
    /// As R prints it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.own {
            Own::Groups { columns, correlated, .. } => {
                let bar = if *correlated { "|" } else { "||" };
                write!(f, "({columns} {bar} {})", self.subject())
            }
            Own::Function { name, options, .. } => {
                write!(f, "{name}({}", self.subject())?;
                options
                    .iter()
                    .try_for_each(|(name, value)| write!(f, ", {name} = {}", number_text(*value)))?;
                f.write_str(")")
            }
        }
    }
}

/// The levels of a column and the place of each row's; numbers are levels too.
fn levels(column: &Expression, data: &FormulaData) -> Result<(Vec<String>, Vec<usize>), Error> {
    if let Form::Name(name) = &column.form
        && let Content::Labels(labels) = data.required(name, column.place)?
    {
        return Ok((labels.levels.clone(), labels.of_row.clone()));
    }
    // Zero has one sign.
    let numbers: Vec<f64> = evaluate::finite(column, data)?.into_iter().map(|own| own + 0.0).collect();
    let mut sorted = numbers.clone();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup();
    let place = |number: &f64| sorted.partition_point(|own| own.total_cmp(number).is_lt());
    let of_row = numbers.iter().map(place).collect();
    Ok((sorted.iter().map(|own| number_text(*own)).collect(), of_row))
}
