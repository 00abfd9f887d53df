//! The texts of distributions made of distributions.

use super::any_univariate::AnyUnivariate;
use crate::discrete::Categorical;
use crate::grammar::{Arguments, Call, Form, TextError, Value, Written, parametric_text};
use crate::wrappers::{Mixture, Truncated};

parametric_text!(Mixture<AnyUnivariate>, Truncated<AnyUnivariate>);

/// A distribution with a density. What counts has other ends: an interval takes its low end in, or does not.
fn continuous(call: &Call) -> Result<AnyUnivariate, TextError> {
    let distribution = AnyUnivariate::try_from(call)?;
    if distribution.is_discrete() {
        return Err(TextError::expected(call.column, "a distribution with a density", distribution.name()));
    }
    Ok(distribution)
}

impl Written for Truncated<AnyUnivariate> {
    const NAME: &'static str = "truncated";
    const PARAMETERS: &'static [&'static str] = &["distribution", "low", "high"];

    fn values(&self) -> Vec<Value> {
        vec![self.distribution().call().by_place().into(), self.low().into(), self.high().into()]
    }

    fn from_arguments(arguments: &Arguments<'_>) -> Result<Self, TextError> {
        let (low, high) = (arguments.number(1)?, arguments.number(2)?);
        arguments.checked(Self::new(continuous(arguments.distribution(0)?)?, low, high))
    }
}

impl Written for Mixture<AnyUnivariate> {
    const NAME: &'static str = "mixture";
    const PARAMETERS: &'static [&'static str] = &["weights", "components"];

    fn values(&self) -> Vec<Value> {
        let distribution = |distribution: &AnyUnivariate| Value::from(distribution.call().by_place());
        let components = Form::List(self.components().iter().map(distribution).collect());
        vec![self.weights().probabilities().into(), components.into()]
    }

    fn from_arguments(arguments: &Arguments<'_>) -> Result<Self, TextError> {
        let weights = arguments.checked(Categorical::from_written(&arguments.numbers(0)?))?;
        let components = arguments.distributions(1)?.into_iter().map(continuous).collect::<Result<_, _>>()?;
        arguments.checked(Self::new(weights, components))
    }
}
