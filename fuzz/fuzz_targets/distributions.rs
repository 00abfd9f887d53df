//! Every univariate distribution at parameters of any bits: refused, or a distribution that keeps the
//! distributions at numbers of any bits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_dist::text::{Argument, Call, Form, UNIVARIATE, Value};
use posterior_fuzz::{Input, line, rereads};

/// A parameter: a number, a list of some, or a distribution.
fn value(input: &mut Input<'_>, depth: usize) -> Value {
    match input.byte() {
        0..30 => {
            let count = input.size(0, 4);
            Value::from(Form::List(
                input.numbers(count).into_iter().map(|x| Value::from(Form::Number(x))).collect(),
            ))
        }
        30..40 if depth < 2 => {
            let count = input.size(0, 3);
            Value::from(Form::List(
                (0..count).map(|_| Value::from(Form::Distribution(call(input, depth + 1)))).collect(),
            ))
        }
        40..50 if depth < 2 => Value::from(Form::Distribution(call(input, depth + 1))),
        _ => Value::from(Form::Number(input.number())),
    }
}

fn call(input: &mut Input<'_>, depth: usize) -> Call {
    let entry = &UNIVARIATE[input.size(0, UNIVARIATE.len() - 1)];
    let argument = |_: &&str| Argument { name: None, column: 0, value: value(input, depth) };
    Call {
        name: entry.name.to_owned(),
        column: 0,
        arguments: entry.parameters.iter().map(argument).collect(),
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let Ok(distribution) = posterior_dist::text::AnyUnivariate::try_from(&call(&mut input, 0)) else { return };
    rereads(&distribution);
    let numbers = input.numbers(6);
    line::keeps_its_distributions(&*distribution, &numbers, input.word());
});
