//! The texts of distributions whose parameters are vectors.

use crate::dirichlet::Dirichlet;
use crate::discrete::Categorical;
use crate::grammar::{Arguments, ParameterNumber, TextError, Value, Written, parametric_text, written};
use crate::multivariate::{DirichletMultinomial, Multinomial};

/// A number of trials.
fn trials(arguments: &Arguments<'_>, type_name: &'static str) -> Result<u64, TextError> {
    arguments.checked(ParameterNumber::read(type_name, "trials", arguments.number(0)?))
}

parametric_text!(DirichletMultinomial, Multinomial);

written!(Categorical, "categorical", from_written(probabilities: numbers));

impl Written for Multinomial {
    const NAME: &'static str = "multinomial";
    const PARAMETERS: &'static [&'static str] = &["trials", "probabilities"];

    fn values(&self) -> Vec<Value> {
        vec![(self.trials() as f64).into(), self.categories().probabilities().into()]
    }

    fn from_arguments(arguments: &Arguments<'_>) -> Result<Self, TextError> {
        let trials = trials(arguments, "Multinomial")?;
        let categories = arguments.checked(Categorical::from_written(&arguments.numbers(1)?))?;
        Ok(Self::new(trials, categories))
    }
}

written!(Dirichlet, "dirichlet", new(concentration: numbers));

impl Written for DirichletMultinomial {
    const NAME: &'static str = "dirichlet_multinomial";
    const PARAMETERS: &'static [&'static str] = &["trials", "concentration"];

    fn values(&self) -> Vec<Value> {
        vec![(self.trials() as f64).into(), self.prior().concentration().into()]
    }

    fn from_arguments(arguments: &Arguments<'_>) -> Result<Self, TextError> {
        let trials = trials(arguments, "DirichletMultinomial")?;
        Ok(Self::new(trials, arguments.checked(Dirichlet::new(&arguments.numbers(1)?))?))
    }
}
