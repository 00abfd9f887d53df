//! How the levels of a factor become columns.

use posterior_dist::text::TextError;
use posterior_math::linalg::DMatrix;

use super::arguments::Arguments;
use super::expression::Form;
use crate::Error;
use crate::features::Basis;

/// The contrasts of R by the last part of their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Contrasts {
    /// Of the levels but the first.
    Treatment,
    /// The same, with a base that was asked for, counted from 0.
    Base(usize),
    /// Of the levels but the last.
    Sas,
    Sum,
    Helmert,
    Polynomial,
}

const NAMES: [&str; 5] = ["treatment", "SAS", "sum", "helmert", "poly"];

impl Contrasts {
    /// Those of `C(g, sum)`.
    pub(super) fn of(arguments: &Arguments<'_>) -> Result<Self, TextError> {
        let Some(value) = arguments.get(1) else { return Ok(Self::Treatment) };
        let (Form::Name(name) | Form::Text(name)) = &value.form else {
            return Err(TextError::expected(value.place, "the name of contrasts", &format!("`{value}`")));
        };
        let own = match name.strip_prefix("contr.").unwrap_or(name) {
            "treatment" => {
                let base = arguments.whole(2, 1)?;
                return Ok(base.map_or(Self::Treatment, |base| Self::Base(base - 1)));
            }
            "SAS" => Self::Sas,
            "sum" => Self::Sum,
            "helmert" => Self::Helmert,
            "poly" => Self::Polynomial,
            other => {
                return Err(TextError::unknown(
                    value.place,
                    format!("there are no contrasts {other:?}: there are {}", NAMES.join(", ")),
                    other,
                    &NAMES,
                ));
            }
        };
        match arguments.get(2) {
            Some(base) => Err(TextError::new(base.place, "only contrasts of treatment have a base")),
            None => Ok(own),
        }
    }

    /// A row for each of these levels, of which there are two at least, and the names of the columns behind
    /// the factor's.
    pub(super) fn coded(self, levels: &[String], place: usize) -> Result<(DMatrix<f64>, Vec<String>), Error> {
        let count = levels.len();
        let numbered = || (1..count).map(|own| own.to_string()).collect();
        let without = |base: usize| -> (DMatrix<f64>, Vec<usize>) {
            let kept: Vec<usize> = (0..count).filter(|own| *own != base).collect();
            (DMatrix::from_fn(count, count - 1, |level, own| f64::from(u8::from(kept[own] == level))), kept)
        };
        let by_level = |base: usize| {
            let (matrix, kept) = without(base);
            (matrix, kept.into_iter().map(|own| levels[own].clone()).collect())
        };
        Ok(match self {
            Self::Treatment => by_level(0),
            Self::Sas => by_level(count - 1),
            Self::Base(base) if base < count => {
                // R gives such a matrix the numbers of the levels for names.
                let (matrix, kept) = without(base);
                (matrix, kept.into_iter().map(|own| (own + 1).to_string()).collect())
            }
            Self::Base(base) => {
                let message = format!("the base is level {}: there are {count} levels", base + 1);
                return Err(TextError::new(place, message).into());
            }
            Self::Sum => (
                DMatrix::from_fn(count, count - 1, |level, own| match level {
                    level if level == own => 1.0,
                    level if level == count - 1 => -1.0,
                    _ => 0.0,
                }),
                numbered(),
            ),
            Self::Helmert => (
                DMatrix::from_fn(count, count - 1, |level, own| match level {
                    level if level <= own => -1.0,
                    level if level == own + 1 => level as f64,
                    _ => 0.0,
                }),
                numbered(),
            ),
            Self::Polynomial => {
                let scores: Vec<f64> = (0..count).map(|own| own as f64).collect();
                let values = Basis::orthogonal(count - 1, &scores)?.values(&scores)?;
                let name = |degree: usize| match degree {
                    1 => ".L".to_owned(),
                    2 => ".Q".to_owned(),
                    3 => ".C".to_owned(),
                    _ => format!("^{degree}"),
                };
                (values / (count as f64).sqrt(), (1..count).map(name).collect())
            }
        })
    }
}

/// A column for each level.
pub(super) fn all_levels(levels: &[String]) -> (DMatrix<f64>, Vec<String>) {
    (DMatrix::identity(levels.len(), levels.len()), levels.to_vec())
}
