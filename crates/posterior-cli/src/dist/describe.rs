//! What is said of a distribution: its name, parameters and moments.

use std::collections::BTreeMap;

use posterior::dist::text::{AnyUnivariate, Call, Value};
use posterior::gaussian::text::AnyMultivariate;
use serde::Serialize;

use crate::output::significant;

/// A number in JSON: infinite ones as text.
pub(super) fn number(x: f64) -> Value {
    x.into()
}

/// A list of numbers in JSON.
pub(super) fn numbers(x: &[f64]) -> Value {
    x.into()
}

/// A distribution in JSON.
#[derive(Debug, Default, Serialize)]
pub(super) struct Described {
    /// The distribution as one writes it.
    pub(super) distribution: String,
    pub(super) name: String,
    pub(super) parameters: BTreeMap<String, Value>,
    #[serde(flatten)]
    pub(super) moments: Moments,
}

/// What the distribution has in closed form; `null` for what it has not, or what does not exist.
#[derive(Debug, Default, Serialize)]
pub(super) struct Moments {
    pub(super) mean: Option<Value>,
    /// A matrix, for a distribution of vectors.
    pub(super) variance: Option<Value>,
    pub(super) sd: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skewness: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) excess_kurtosis: Option<Value>,
    pub(super) entropy: Option<Value>,
    pub(super) mode: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) median: Option<Value>,
    /// The 5 and the 95 percent quantile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) central_90: Option<Value>,
}

/// A distribution, whichever kind it is.
#[derive(Debug)]
pub(super) enum Shown {
    OnTheLine(AnyUnivariate),
    OfVectors(AnyMultivariate),
    /// A distribution of matrices, or of several parameters: its text only.
    Named,
}

impl Shown {
    pub(super) fn of(call: &Call) -> Self {
        match AnyUnivariate::try_from(call) {
            Ok(distribution) => Self::OnTheLine(distribution),
            Err(_) => AnyMultivariate::try_from(call).map_or(Self::Named, Self::OfVectors),
        }
    }

    pub(super) fn moments(&self) -> Moments {
        match self {
            Self::OnTheLine(distribution) => on_the_line(distribution),
            Self::OfVectors(distribution) => of_vectors(distribution),
            Self::Named => Moments::default(),
        }
    }
}

fn on_the_line(distribution: &AnyUnivariate) -> Moments {
    Moments {
        mean: distribution.mean().map(number),
        variance: distribution.variance().map(number),
        sd: distribution.variance().map(|variance| number(variance.sqrt())),
        skewness: distribution.skewness().map(number),
        excess_kurtosis: distribution.excess_kurtosis().map(number),
        entropy: distribution.entropy().map(number),
        mode: distribution.mode().map(number),
        median: Some(number(distribution.quantile(0.5))),
        central_90: Some(numbers(&[distribution.quantile(0.05), distribution.upper_quantile(0.05)])),
    }
}

fn of_vectors(distribution: &AnyMultivariate) -> Moments {
    let covariance = distribution.covariance();
    let deviations =
        covariance.as_ref().map(|matrix| matrix.diagonal().iter().map(|v| v.sqrt()).collect::<Vec<_>>());
    let rows = covariance.map(|matrix| {
        let row = |i| numbers(&matrix.row(i).iter().copied().collect::<Vec<_>>());
        posterior::dist::text::Form::List((0..matrix.nrows()).map(row).collect()).into()
    });
    Moments {
        mean: distribution.mean().map(|mean| numbers(&mean)),
        variance: rows,
        sd: deviations.map(|sd| numbers(&sd)),
        entropy: distribution.entropy().map(number),
        mode: distribution.mode().map(|mode| numbers(&mode)),
        ..Moments::default()
    }
}

/// A distribution in JSON, from a call whose arguments are named.
pub(super) fn described(call: &Call) -> Described {
    let parameters = call
        .arguments
        .iter()
        .filter_map(|argument| argument.name.clone().map(|name| (name, argument.value.clone())));
    Described {
        distribution: call.clone().by_place().to_string(),
        name: call.name.clone(),
        parameters: parameters.collect(),
        moments: Shown::of(call).moments(),
    }
}

/// A number with four significant digits; a whole one without zeros after the point.
pub(super) fn rounded(x: f64) -> String {
    if x == x.trunc() && x.abs() < 1e7 { (x + 0.0).to_string() } else { significant(x) }
}

/// A value with four significant digits.
pub(super) fn short(value: &Value) -> String {
    use posterior::dist::text::Form;
    match &value.form {
        Form::Number(number) => rounded(*number),
        Form::List(items) => {
            format!("[{}]", items.iter().map(short).collect::<Vec<_>>().join(", "))
        }
        Form::Distribution(_) | Form::Sum(_) | Form::Product(_) => value.to_string(),
    }
}

/// The moments as lines of a table.
pub(super) fn lines(moments: &Moments) -> Vec<(String, String)> {
    let rows = [
        ("mean", &moments.mean),
        ("variance", &moments.variance),
        ("standard deviation", &moments.sd),
        ("skewness", &moments.skewness),
        ("excess kurtosis", &moments.excess_kurtosis),
        ("entropy (nats)", &moments.entropy),
        ("mode", &moments.mode),
        ("median", &moments.median),
        ("90 % between", &moments.central_90),
    ];
    let line =
        |(name, value): (&str, &Option<Value>)| value.as_ref().map(|value| (name.to_owned(), short(value)));
    rows.into_iter().filter_map(line).collect()
}
