//! The arguments of a function, by name or by their order.

use posterior_dist::text::TextError;

use super::expression::{Argument, Expression, Form};

/// The arguments of a call, one place for each that the function takes.
pub(super) struct Arguments<'a> {
    /// Where the call is.
    pub(super) place: usize,
    function: &'a str,
    names: &'static [&'static str],
    values: Vec<Option<&'a Expression>>,
}

impl<'a> Arguments<'a> {
    /// Those with names first, and the others into the places that are left.
    pub(super) fn of(
        place: usize,
        function: &'a str,
        given: &'a [Argument],
        names: &'static [&'static str],
    ) -> Result<Self, TextError> {
        let mut values = vec![None; names.len()];
        for Argument { name, value } in given {
            let Some(name) = name else { continue };
            let Some(own) = names.iter().position(|own| own == name) else {
                let message = format!("`{function}` has no argument {name:?}");
                return Err(TextError::unknown(value.place, message, name, names));
            };
            if values[own].replace(value).is_some() {
                return Err(TextError::new(value.place, format!("`{name}` is there twice")));
            }
        }
        for Argument { name, value } in given {
            if name.is_some() {
                continue;
            }
            let Some(own) = values.iter().position(Option::is_none) else {
                let message = format!("`{function}` takes {} arguments: {}", names.len(), names.join(", "));
                return Err(TextError::new(value.place, message));
            };
            values[own] = Some(value);
        }
        let own = Self { place, function, names, values };
        own.required(0)?;
        Ok(own)
    }

    /// None where it was not given, or the function has none of this place.
    pub(super) fn get(&self, own: usize) -> Option<&'a Expression> {
        self.values.get(own).copied().flatten()
    }

    pub(super) fn required(&self, own: usize) -> Result<&'a Expression, TextError> {
        let missing = || {
            TextError::new(self.place, format!("`{}` needs its argument {}", self.function, self.names[own]))
        };
        self.get(own).ok_or_else(missing)
    }

    /// A whole number from `least` to 1000.
    pub(super) fn whole(&self, own: usize, least: usize) -> Result<Option<usize>, TextError> {
        let Some(value) = self.get(own) else { return Ok(None) };
        match value.form {
            Form::Number(number) if number.fract() == 0.0 && (least as f64..=1000.0).contains(&number) => {
                Ok(Some(number as usize))
            }
            _ => {
                let what = format!("{} as a whole number from {least} to 1000", self.names[own]);
                Err(TextError::expected(value.place, &what, &format!("`{value}`")))
            }
        }
    }

    /// `TRUE` or `FALSE`, which is the default.
    pub(super) fn flag(&self, own: usize) -> Result<bool, TextError> {
        let Some(value) = self.get(own) else { return Ok(false) };
        match &value.form {
            Form::Name(name) if matches!(name.as_str(), "TRUE" | "T") => Ok(true),
            Form::Name(name) if matches!(name.as_str(), "FALSE" | "F") => Ok(false),
            _ => Err(TextError::expected(value.place, "TRUE or FALSE", &format!("`{value}`"))),
        }
    }

    /// A number, or several as `c(1, 2)`.
    pub(super) fn numbers(&self, own: usize) -> Result<Option<Vec<f64>>, TextError> {
        let Some(value) = self.get(own) else { return Ok(None) };
        let one = |value: &Expression| match &value.form {
            Form::Number(number) => Ok(*number),
            Form::Sign(negative, inner) => match inner.form {
                Form::Number(number) => Ok(if *negative { -number } else { number }),
                _ => Err(TextError::expected(value.place, "a number", &format!("`{value}`"))),
            },
            _ => Err(TextError::expected(value.place, "numbers, as c(1, 2)", &format!("`{value}`"))),
        };
        match &value.form {
            Form::Call(name, all) if name == "c" => {
                all.iter().map(|own| one(&own.value)).collect::<Result<_, _>>().map(Some)
            }
            _ => Ok(Some(vec![one(value)?])),
        }
    }
}
