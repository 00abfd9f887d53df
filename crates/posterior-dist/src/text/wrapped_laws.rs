//! The texts of laws made of laws.

use super::any_law::AnyLaw;
use super::arguments::Arguments;
use super::error::TextError;
use super::syntax::{Call, Form, Value};
use super::written::Written;
use crate::discrete::Categorical;
use crate::parametric::parametric_text;
use crate::wrappers::{Mixture, Truncated};

parametric_text!(Mixture<AnyLaw>, Truncated<AnyLaw>);

/// A law with a density. What counts has other ends: an interval takes its low end in, or does not.
fn continuous(call: &Call) -> Result<AnyLaw, TextError> {
    let law = AnyLaw::try_from(call)?;
    if law.law().is_discrete() {
        return Err(TextError::expected(call.column, "a law with a density", law.law().name()));
    }
    Ok(law)
}

impl Written for Truncated<AnyLaw> {
    const NAME: &'static str = "truncated";
    const PARAMETERS: &'static [&'static str] = &["law", "low", "high"];

    fn values(&self) -> Vec<Value> {
        vec![self.law().law().call().by_place().into(), self.low().into(), self.high().into()]
    }

    fn from_arguments(arguments: &Arguments<'_>) -> Result<Self, TextError> {
        let (low, high) = (arguments.number(1)?, arguments.number(2)?);
        arguments.checked(Self::new(continuous(arguments.law(0)?)?, low, high))
    }
}

impl Written for Mixture<AnyLaw> {
    const NAME: &'static str = "mixture";
    const PARAMETERS: &'static [&'static str] = &["weights", "components"];

    fn values(&self) -> Vec<Value> {
        let law = |law: &AnyLaw| Value::from(law.law().call().by_place());
        let components = Form::List(self.components().iter().map(law).collect());
        vec![self.weights().probabilities().into(), components.into()]
    }

    fn from_arguments(arguments: &Arguments<'_>) -> Result<Self, TextError> {
        let weights = arguments.checked(Categorical::from_written(&arguments.numbers(0)?))?;
        let components = arguments.laws(1)?.into_iter().map(continuous).collect::<Result<_, _>>()?;
        arguments.checked(Self::new(weights, components))
    }
}
