//! Arithmetic on columns.

use posterior_dist::text::TextError;

use super::arguments::Arguments;
use super::data::{Content, FormulaData};
use super::effects::FIELDS;
use super::expression::{Argument, Expression, Form, Operator, TERMS};
use crate::Error;

/// A function of one number, by its name in R.
type NamedFunction = (&'static str, fn(f64) -> f64);

const FUNCTIONS: [NamedFunction; 22] = [
    ("I", |x| x),
    ("log", f64::ln),
    ("log2", f64::log2),
    ("log10", f64::log10),
    ("log1p", f64::ln_1p),
    ("exp", f64::exp),
    ("expm1", f64::exp_m1),
    ("sqrt", f64::sqrt),
    ("abs", f64::abs),
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("tanh", f64::tanh),
    ("floor", f64::floor),
    ("ceiling", f64::ceil),
    ("sign", |x| if x == 0.0 { 0.0 } else { x.signum() }),
    ("plogis", |x| 1.0 / (1.0 + (-x).exp())),
];

/// Refuses what is not arithmetic.
pub(super) fn check(own: &Expression) -> Result<(), TextError> {
    match &own.form {
        Form::Number(_) | Form::Name(_) => Ok(()),
        Form::Text(text) => Err(TextError::expected(own.place, "a number", &format!("the text {text:?}"))),
        Form::Sign(_, inner) | Form::Group(inner) => check(inner),
        Form::Binary(
            operator @ (Operator::Colon | Operator::In | Operator::Bar | Operator::DoubleBar),
            _,
            right,
        ) => {
            let message = format!("`{}` stands between terms, not between numbers", operator.sign());
            Err(TextError::new(right.place, message))
        }
        Form::Binary(_, left, right) => {
            check(left)?;
            check(right)
        }
        Form::Call(name, arguments) => {
            function(own.place, name)?;
            let arguments = of_call(own.place, name, arguments)?;
            check(arguments.required(0)?)?;
            arguments.get(1).map_or(Ok(()), check)
        }
    }
}

fn of_call<'a>(place: usize, name: &'a str, given: &'a [Argument]) -> Result<Arguments<'a>, TextError> {
    let names: &[&str] = if name == "log" { &["x", "base"] } else { &["x"] };
    Arguments::of(place, name, given, names)
}

fn function(place: usize, name: &str) -> Result<fn(f64) -> f64, TextError> {
    if TERMS.contains(&name) || FIELDS.contains(&name) {
        return Err(TextError::new(
            place,
            format!("`{name}` is a term of its own, not a number to reckon with"),
        ));
    }
    let found = FUNCTIONS.iter().find_map(|(own, function)| (*own == name).then_some(*function));
    found.ok_or_else(|| {
        let names: Vec<&str> = FUNCTIONS.iter().map(|(own, _)| *own).chain(TERMS).chain(FIELDS).collect();
        TextError::unknown(place, format!("there is no function {name:?}"), name, &names)
    })
}

/// A finite number in each row.
pub(super) fn finite(own: &Expression, data: &FormulaData) -> Result<Vec<f64>, Error> {
    let numbers = numbers(own, data)?;
    match numbers.iter().position(|number| !number.is_finite()) {
        None => Ok(numbers),
        Some(row) => Err(Error::Term {
            column: own.place,
            term: own.to_string(),
            row,
            found: numbers[row].to_string(),
            expected: "a finite number".to_owned(),
        }),
    }
}

/// A number in each row, or NaN.
pub(super) fn numbers(own: &Expression, data: &FormulaData) -> Result<Vec<f64>, Error> {
    let constant = |number: f64| vec![number; data.rows()];
    Ok(match &own.form {
        Form::Number(number) => constant(*number),
        Form::Name(name) => match (data.column(name), name.as_str()) {
            (None, "TRUE") => constant(1.0),
            (None, "FALSE") => constant(0.0),
            _ => match data.required(name, own.place)? {
                Content::Numbers(numbers) => numbers.clone(),
                Content::Labels(_) => {
                    let message = format!("the column {name:?} holds labels: a number is expected here");
                    return Err(TextError::new(own.place, message).into());
                }
            },
        },
        Form::Sign(negative, inner) => {
            let sign = if *negative { -1.0 } else { 1.0 };
            numbers(inner, data)?.into_iter().map(|x| sign * x).collect()
        }
        Form::Group(inner) => numbers(inner, data)?,
        Form::Binary(operator, left, right) => {
            let (left, right) = (numbers(left, data)?, numbers(right, data)?);
            left.into_iter().zip(right).map(|(a, b)| operate(*operator, a, b)).collect()
        }
        Form::Call(name, arguments) => {
            let function = function(own.place, name)?;
            let arguments = of_call(own.place, name, arguments)?;
            let mut values = numbers(arguments.required(0)?, data)?;
            for x in &mut values {
                *x = function(*x);
            }
            if let Some(base) = arguments.get(1) {
                values.iter_mut().zip(numbers(base, data)?).for_each(|(x, base)| *x /= base.ln());
            }
            values
        }
        Form::Text(_) => {
            check(own)?;
            Vec::new()
        }
    })
}

fn operate(operator: Operator, a: f64, b: f64) -> f64 {
    let truth = |compares: bool| {
        if a.is_nan() || b.is_nan() { f64::NAN } else { f64::from(u8::from(compares)) }
    };
    match operator {
        Operator::Plus => a + b,
        Operator::Minus => a - b,
        Operator::Times => a * b,
        Operator::Over => a / b,
        Operator::Power => a.powf(b),
        Operator::Less => truth(a < b),
        Operator::Greater => truth(a > b),
        Operator::LessOrEqual => truth(a <= b),
        Operator::GreaterOrEqual => truth(a >= b),
        Operator::Equal => truth(a == b),
        Operator::Different => truth(a != b),
        // Refused by `check`.
        Operator::Colon | Operator::In | Operator::Bar | Operator::DoubleBar => f64::NAN,
    }
}
