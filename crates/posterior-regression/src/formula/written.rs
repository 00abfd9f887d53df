//! A formula as it was written.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use posterior_dist::text::TextError;

use super::data::{FormulaData, no_column};
use super::effects::{self, EffectTerm};
use super::evaluate;
use super::expression::{Expression, Form, each_once};
use super::parse;
use super::terms::{Terms, is_offset};
use super::variable;
use crate::Error;

/// A formula: an outcome, and the terms that explain it. See the [module](super) for what can be written.
///
/// ```
/// use posterior_regression::formula::ModelFormula;
///
/// let formula: ModelFormula = "log(price) ~ area * site + offset(tax)".parse()?;
/// assert_eq!(formula.outcome().as_deref(), Some("log(price)"));
/// let header = ["price", "area", "site", "tax", "year"];
/// assert_eq!(formula.inputs(&header)?, ["area", "site", "tax"]);
/// # Ok::<(), posterior_dist::text::TextError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ModelFormula {
    text: String,
    outcome: Option<Expression>,
    /// What explains, but for the effects.
    right: Expression,
    effects: Vec<EffectTerm>,
}

impl FromStr for ModelFormula {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let (outcome, right) = parse::formula(text)?;
        Self::of(text.to_owned(), outcome, right)
    }
}

impl fmt::Display for ModelFormula {
    /// As it was written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl ModelFormula {
    /// Of its two sides, as a text wrote them.
    pub(super) fn of(
        text: String,
        outcome: Option<Expression>,
        right: Expression,
    ) -> Result<Self, TextError> {
        if let Some(outcome) = &outcome {
            evaluate::check(outcome)?;
        }
        let (right, effects) = effects::split(right)?;
        // What does not depend on a table; `.` is one variable here.
        let terms = Terms::of(outcome.as_ref(), &right, &[".".to_owned()])?;
        terms.variables.iter().filter(|own| !is_offset(own)).try_for_each(variable::check)?;
        terms.offsets.iter().try_for_each(evaluate::check)?;
        Ok(Self { text, outcome, right, effects })
    }

    /// The left side; None where there is none.
    pub fn outcome(&self) -> Option<String> {
        self.outcome.as_ref().map(ToString::to_string)
    }

    /// The column that is the outcome; None where it is a function of columns.
    pub fn outcome_column(&self) -> Option<&str> {
        match self.outcome.as_ref().map(|own| &own.bare().form) {
            Some(Form::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// The columns in the outcome.
    pub fn outcome_inputs(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.outcome.iter().for_each(|own| own.names(&mut names));
        each_once(names.into_iter().map(|(name, _)| name))
    }

    /// The terms that are latent effects, such as `(1 + x | g)`; the other methods are of the other terms,
    /// unless they say so.
    pub fn effects(&self) -> &[EffectTerm] {
        &self.effects
    }

    /// Every name of a column on the right side, the effects' too, with its place.
    pub(super) fn names<'a>(&'a self, all: &mut Vec<(&'a str, usize)>) {
        self.right.names(all);
        self.effects.iter().for_each(|own| own.names(all));
    }

    /// The columns that the right side names, effects included, each where it is first.
    pub fn named(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.names(&mut names);
        each_once(names.into_iter().map(|(name, _)| name).filter(|name| *name != "."))
    }

    /// The columns that the terms of the right side need, of a table with this header: those that are named,
    /// and those that `.` stands for, without those that are taken away; and those of the effects.
    ///
    /// # Errors
    /// A column that is not there, with its place.
    pub fn inputs<S: AsRef<str>>(&self, header: &[S]) -> Result<Vec<String>, TextError> {
        let header: Vec<&str> = header.iter().map(AsRef::as_ref).collect();
        let there: BTreeSet<&str> = header.iter().copied().collect();
        let mut named = Vec::new();
        self.outcome.iter().for_each(|own| own.names(&mut named));
        self.names(&mut named);
        for (name, place) in named {
            if name != "." && !there.contains(name) {
                return Err(no_column(name, place, &header));
            }
        }
        // A term that is taken away needs no column.
        let terms = self.terms(&self.others(header.iter().copied()))?;
        let mut inputs = Vec::new();
        terms.used().into_iter().for_each(|own| terms.variables[own].names(&mut inputs));
        terms.offsets.iter().for_each(|own| own.names(&mut inputs));
        self.effects.iter().for_each(|own| own.names(&mut inputs));
        let inputs = each_once(inputs.into_iter().map(|(name, _)| name));
        Ok(inputs.into_iter().map(str::to_owned).collect())
    }

    /// Whether `.` is in it.
    pub fn takes_all(&self) -> bool {
        let mut names = Vec::new();
        self.right.names(&mut names);
        names.iter().any(|(name, _)| *name == ".")
    }

    /// What `.` stands for in a table with these columns: neither the outcome nor what an effect is of.
    pub(super) fn others<'a>(&self, header: impl Iterator<Item = &'a str>) -> Vec<String> {
        let mut taken = self.outcome_inputs();
        self.effects.iter().for_each(|own| taken.extend(own.inputs()));
        header.filter(|name| !taken.contains(name)).map(str::to_owned).collect()
    }

    /// The outcome of each row, where it is a number; NaN or infinite where it has no value. None where the
    /// formula has no left side.
    ///
    /// # Errors
    /// A column that is not there, or holds labels.
    pub fn outcomes(&self, data: &FormulaData) -> Result<Option<Vec<f64>>, Error> {
        self.outcome.as_ref().map(|own| evaluate::numbers(own, data)).transpose()
    }

    pub(super) fn terms(&self, others: &[String]) -> Result<Terms, TextError> {
        Terms::of(self.outcome.as_ref(), &self.right, others)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for ModelFormula {
    /// As the text.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for ModelFormula {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <String as serde::Deserialize>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
