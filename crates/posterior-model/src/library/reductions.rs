//! Sums, means, products and the like.

use std::cmp::Ordering;

use super::{Group, count, int, int_of};
use crate::fault::Fault;
use crate::op::{Bin, Op, Un};
use crate::trace::Trace;
use crate::value::{Elem, Num, Value};

pub(crate) const GROUP: Group = &[
    ("sum", |machine, values| match &values[0] {
        Value::Ints(ints) => Ok(Value::Int(ints.data.iter().sum())),
        Value::Int(i) => Ok(Value::Int(*i)),
        other => Ok(Value::Real(machine.trace.sum(&other.nums()))),
    }),
    ("prod", |machine, values| match &values[0] {
        Value::Ints(ints) => Ok(Value::Int(ints.data.iter().product())),
        other => Ok(Value::Real(machine.trace.one(Op::Prod, &other.nums()))),
    }),
    ("mean", |machine, values| Ok(Value::Real(mean(&mut machine.trace, &values[0].nums())))),
    ("variance", |machine, values| Ok(Value::Real(variance(&mut machine.trace, &values[0].nums())))),
    ("sd", |machine, values| {
        let variance = variance(&mut machine.trace, &values[0].nums());
        Ok(Value::Real(machine.trace.un(Un::Sqrt, variance)))
    }),
    ("max", |machine, values| extreme(&mut machine.trace, values, true)),
    ("min", |machine, values| extreme(&mut machine.trace, values, false)),
    ("dot_product", |machine, values| {
        let (a, b) = (values[0].nums(), values[1].nums());
        if a.len() != b.len() {
            return Err(Fault::new(format!("{} and {} numbers", a.len(), b.len())));
        }
        Ok(Value::Real(machine.trace.dot(&a, &b)))
    }),
    ("dot_self", |machine, values| {
        let a = values[0].nums();
        Ok(Value::Real(machine.trace.dot(&a, &a)))
    }),
    ("norm2", |machine, values| {
        let a = values[0].nums();
        let square = machine.trace.dot(&a, &a);
        Ok(Value::Real(machine.trace.un(Un::Sqrt, square)))
    }),
    ("norm1", |machine, values| {
        let sizes: Vec<Num> = values[0].nums().into_iter().map(|x| machine.trace.un(Un::Abs, x)).collect();
        Ok(Value::Real(machine.trace.sum(&sizes)))
    }),
    ("squared_distance", |machine, values| Ok(Value::Real(squared_distance(&mut machine.trace, values)))),
    ("distance", |machine, values| {
        let square = squared_distance(&mut machine.trace, values);
        Ok(Value::Real(machine.trace.un(Un::Sqrt, square)))
    }),
    ("softmax", |machine, values| {
        let x = values[0].nums();
        Ok(Value::vector(machine.trace.many(Op::Softmax, &x, x.len())))
    }),
    ("log_softmax", |machine, values| {
        let x = values[0].nums();
        let total = machine.trace.log_sum_exp(&x);
        Ok(Value::vector(x.into_iter().map(|x| machine.trace.sub(x, total)).collect()))
    }),
    ("cumulative_sum", |machine, values| {
        if let Value::Ints(ints) = &values[0] {
            let mut sum = 0;
            let all = ints.data.iter().map(|i| {
                sum += i;
                sum
            });
            return Ok(Value::ints(ints.dims.clone(), all.collect()));
        }
        let mut sum = None;
        let mut all = vec![];
        for x in values[0].nums() {
            let next = sum.map_or(x, |sum| machine.trace.add(sum, x));
            sum = Some(next);
            all.push(next);
        }
        Ok(values[0].with(all))
    }),
    ("columns_dot_product", |machine, values| by_columns(&mut machine.trace, &values[0], &values[1])),
    ("columns_dot_self", |machine, values| by_columns(&mut machine.trace, &values[0], &values[0])),
    ("rows_dot_product", |machine, values| by_rows(&mut machine.trace, &values[0], &values[1])),
    ("rows_dot_self", |machine, values| by_rows(&mut machine.trace, &values[0], &values[0])),
    ("sort_asc", |machine, values| Ok(sorted(&mut machine.trace, &values[0], false))),
    ("sort_desc", |machine, values| Ok(sorted(&mut machine.trace, &values[0], true))),
    ("sort_indices_asc", |machine, values| {
        let order = order(&mut machine.trace, &values[0], false);
        Ok(Value::ints(vec![order.len()], order.iter().map(|i| int_of(*i) + 1).collect()))
    }),
    ("sort_indices_desc", |machine, values| {
        let order = order(&mut machine.trace, &values[0], true);
        Ok(Value::ints(vec![order.len()], order.iter().map(|i| int_of(*i) + 1).collect()))
    }),
    ("rank", |machine, values| {
        let at = count(&values[1])?;
        let all = values[0].nums();
        let own = *all.get(at.wrapping_sub(1)).ok_or_else(|| Fault::reject(format!("no number {at}")))?;
        let less = |x: &&Num| machine.trace.compare(**x, own) == Some(Ordering::Less);
        Ok(Value::Int(int_of(all.iter().filter(less).count())))
    }),
    ("log_inv_logit_diff", |machine, values| {
        let a = super::arithmetic::map(&mut machine.trace, Un::LogInvLogit, &values[0]);
        let b = super::arithmetic::map(&mut machine.trace, Un::LogInvLogit, &values[1]);
        super::arithmetic::lift(&mut machine.trace, Bin::LogDiffExp, &a, &b)
    }),
];

pub(super) fn mean(trace: &mut Trace, x: &[Num]) -> Num {
    let sum = trace.sum(x);
    trace.div(sum, Num::C(x.len() as f64))
}

fn variance(trace: &mut Trace, x: &[Num]) -> Num {
    if x.len() < 2 {
        return Num::C(0.0);
    }
    let mean = mean(trace, x);
    let gaps: Vec<Num> = x.iter().map(|&x| trace.sub(x, mean)).collect();
    let squares = trace.dot(&gaps, &gaps);
    trace.div(squares, Num::C(x.len() as f64 - 1.0))
}

fn extreme(trace: &mut Trace, values: &[Value], largest: bool) -> Result<Value, Fault> {
    match values {
        [Value::Int(a), other] => {
            let b = int(other)?;
            Ok(Value::Int(if largest { *a.max(&b) } else { *a.min(&b) }))
        }
        [Value::Ints(ints)] => {
            let found = if largest { ints.data.iter().max() } else { ints.data.iter().min() };
            found.map(|i| Value::Int(*i)).ok_or_else(|| Fault::reject("an array without members"))
        }
        [one] => Ok(Value::Real(trace.one(if largest { Op::Max } else { Op::Min }, &one.nums()))),
        _ => Err(Fault::new("one container or two integers are wanted")),
    }
}

fn squared_distance(trace: &mut Trace, values: &[Value]) -> Num {
    let pairs = values[0].nums().into_iter().zip(values[1].nums());
    let gaps: Vec<Num> = pairs.map(|(a, b)| trace.sub(a, b)).collect();
    trace.dot(&gaps, &gaps)
}

fn by_columns(trace: &mut Trace, a: &Value, b: &Value) -> Result<Value, Fault> {
    let (r, _) = super::arithmetic::extent(a);
    let (a, b) = (a.nums(), b.nums());
    if a.len() != b.len() {
        return Err(Fault::new("matrices of different sizes"));
    }
    let pairs = a.chunks(r.max(1)).zip(b.chunks(r.max(1)));
    Ok(Value::row(pairs.map(|(a, b)| trace.dot(a, b)).collect()))
}

fn by_rows(trace: &mut Trace, a: &Value, b: &Value) -> Result<Value, Fault> {
    let turn = |value: &Value| match value.shape().elem {
        Elem::Scalar => Ok(value.clone()),
        _ => super::arithmetic::transpose(value),
    };
    let (a, b) = (turn(a)?, turn(b)?);
    super::arithmetic::transpose(&by_columns(trace, &a, &b)?)
}

fn order(trace: &mut Trace, value: &Value, falling: bool) -> Vec<usize> {
    let all = value.nums();
    // Zeros of both signs are equal.
    let keys: Vec<f64> = all.iter().map(|x| trace.value(*x) + 0.0).collect();
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by(|&i, &j| if falling { keys[j].total_cmp(&keys[i]) } else { keys[i].total_cmp(&keys[j]) });
    for pair in order.windows(2) {
        if trace.compare(all[pair[0]], all[pair[1]]).is_none() {
            trace.once = true;
        }
    }
    order
}

fn sorted(trace: &mut Trace, value: &Value, falling: bool) -> Value {
    let order = order(trace, value, falling);
    if let Value::Ints(ints) = value {
        return Value::ints(ints.dims.clone(), order.into_iter().map(|i| ints.data[i]).collect());
    }
    let all = value.nums();
    value.with(order.into_iter().map(|i| all[i]).collect())
}
