//! Distribution functions, their complements and logarithms.

use super::broadcast;
use crate::density::Tail;
use crate::fault::Fault;
use crate::op::{Op, Un};
use crate::trace::Trace;
use crate::value::{Num, Value};

/// What the name of a distribution function ends in: whether it is of the upper tail, and no logarithm.
pub(crate) const SUFFIXES: [(&str, bool, bool); 3] =
    [("cdf", false, true), ("lcdf", false, false), ("lccdf", true, false)];

/// The sum of the logarithms over all elements, or the product.
pub(crate) fn tails(
    trace: &mut Trace,
    tail: Tail,
    upper: bool,
    plain: bool,
    values: &[Value],
) -> Result<Value, Fault> {
    let (rows, n) = broadcast(values)?;
    let mut x = vec![Num::C(0.0); rows.len()];
    let mut terms = Vec::with_capacity(n);
    for i in 0..n {
        for (x, row) in x.iter_mut().zip(&rows) {
            *x = row[if row.len() == 1 { 0 } else { i }];
        }
        terms.push(trace.one(Op::Tail(tail, upper), &x));
    }
    let sum = trace.sum(&terms);
    Ok(Value::Real(if plain { trace.un(Un::Exp, sum) } else { sum }))
}
