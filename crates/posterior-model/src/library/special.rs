//! Special functions of several numbers, and functions of data.

use posterior_stan::BinaryOp;

use super::arithmetic::binary;
use super::{Group, int, int_of, real};
use crate::density::Tail;
use crate::fault::Fault;
use crate::machine::Machine;
use crate::op::{Op, Quantile, Un};
use crate::trace::Trace;
use crate::value::{Num, Shape, Value};

pub(crate) const GROUP: Group = &[
    ("gamma_p", |machine, values| {
        elementwise(machine, values, |trace, x| tail(trace, Tail::Gamma, false, &[x[1], x[0], Num::C(1.0)]))
    }),
    ("gamma_q", |machine, values| {
        elementwise(machine, values, |trace, x| tail(trace, Tail::Gamma, true, &[x[1], x[0], Num::C(1.0)]))
    }),
    ("inc_beta", |machine, values| {
        elementwise(machine, values, |trace, x| tail(trace, Tail::Beta, false, &[x[2], x[0], x[1]]))
    }),
    ("inv_inc_beta", |machine, values| {
        elementwise(machine, values, |trace, x| trace.one(Op::Quantile(Quantile::Beta), &[x[2], x[0], x[1]]))
    }),
    ("student_t_qf", |machine, values| {
        elementwise(machine, values, |trace, x| trace.one(Op::Quantile(Quantile::StudentT), x))
    }),
    ("hypergeometric_1F0", |machine, values| {
        // (1 - z) to the power of -a.
        let ([a, z], trace) = ([real(&values[0])?, real(&values[1])?], &mut machine.trace);
        let ln = trace.un(Un::Log1m, z);
        let exponent = trace.mul(a, ln);
        let exponent = trace.un(Un::Minus, exponent);
        Ok(Value::Real(trace.un(Un::Exp, exponent)))
    }),
    ("hypergeometric_2F1", |machine, values| {
        let x = values.iter().map(real).collect::<Result<Vec<_>, _>>()?;
        Ok(Value::Real(machine.trace.one(Op::Hypergeometric(2), &x)))
    }),
    ("hypergeometric_3F2", hypergeometric),
    ("hypergeometric_pFq", hypergeometric),
    ("falling_factorial", |machine, values| factorial(machine, values, -1.0)),
    ("rising_factorial", |machine, values| factorial(machine, values, 1.0)),
    ("logical_eq", |machine, values| binary(&mut machine.trace, BinaryOp::Equal, &values[0], &values[1])),
    ("logical_neq", |machine, values| binary(&mut machine.trace, BinaryOp::NotEqual, &values[0], &values[1])),
    ("logical_lt", |machine, values| binary(&mut machine.trace, BinaryOp::Less, &values[0], &values[1])),
    ("logical_lte", |machine, values| {
        binary(&mut machine.trace, BinaryOp::LessEqual, &values[0], &values[1])
    }),
    ("logical_gt", |machine, values| binary(&mut machine.trace, BinaryOp::Greater, &values[0], &values[1])),
    ("logical_gte", |machine, values| {
        binary(&mut machine.trace, BinaryOp::GreaterEqual, &values[0], &values[1])
    }),
    ("logical_and", |machine, values| logical(machine, values, |a, b| a && b)),
    ("logical_or", |machine, values| logical(machine, values, |a, b| a || b)),
    ("one_hot_int_array", |_, values| {
        let (n, at) = (super::count(&values[0])?, int(&values[1])?);
        if at < 1 || at > int_of(n) {
            return Err(Fault::reject(format!("{at} is not one of {n} places")));
        }
        Ok(Value::ints(vec![n], (1..=int_of(n)).map(|i| i64::from(i == at)).collect()))
    }),
    ("quantile", |machine, values| {
        let mut all: Vec<f64> = values[0].nums().into_iter().map(|x| machine.trace.decide(x)).collect();
        if all.is_empty() || all.iter().any(|x| x.is_nan()) {
            return Err(Fault::reject("numbers are wanted, none of them NaN"));
        }
        all.sort_by(f64::total_cmp);
        let p: Vec<f64> = values[1].nums().into_iter().map(|x| machine.trace.decide(x)).collect();
        if p.iter().any(|p| !(0.0..=1.0).contains(p)) {
            return Err(Fault::reject("probabilities from 0 to 1 are wanted"));
        }
        let own = p.into_iter().map(|p| Num::C(posterior_math::streaming::quantile_of_sorted(&all, p)));
        let own: Vec<Num> = own.collect();
        Ok(if let Value::Real(_) | Value::Int(_) = values[1] {
            Value::Real(own[0])
        } else {
            Value::array(own)
        })
    }),
];

/// pFq of two lists and a number.
fn hypergeometric(machine: &mut Machine, values: &[Value]) -> Result<Value, Fault> {
    let (above, below) = (values[0].clone().promoted().nums(), values[1].clone().promoted().nums());
    let p = above.len() as u32;
    let x: Vec<Num> = above.into_iter().chain(below).chain([real(&values[2])?]).collect();
    Ok(Value::Real(machine.trace.one(Op::Hypergeometric(p), &x)))
}

/// A function of numbers for each element of the containers, which have one shape.
fn elementwise(
    machine: &mut Machine,
    values: &[Value],
    of: impl Fn(&mut Trace, &[Num]) -> Num,
) -> Result<Value, Fault> {
    let (rows, n) = super::broadcast(values)?;
    let scalar = |value: &&Value| !matches!(value, Value::Int(_) | Value::Real(_));
    let shape = values.iter().find(scalar).map(Value::shape);
    let mut all = Vec::with_capacity(n);
    for i in 0..n {
        let x: Vec<Num> = rows.iter().map(|row| row[if row.len() == 1 { 0 } else { i }]).collect();
        all.push(of(&mut machine.trace, &x));
    }
    Ok(shape.map_or_else(|| Value::Real(all[0]), |shape: Shape| Value::tensor(shape, all.clone())))
}

fn tail(trace: &mut Trace, tail: Tail, upper: bool, x: &[Num]) -> Num {
    let ln = trace.one(Op::Tail(tail, upper), x);
    trace.un(Un::Exp, ln)
}

/// x (x ± 1) (x ± 2) ..., of so many factors.
fn factorial(machine: &mut Machine, values: &[Value], step: f64) -> Result<Value, Fault> {
    elementwise(machine, values, |trace, x| {
        let count = trace.value(x[1]).max(0.0) as usize;
        let factors: Vec<Num> = (0..count).map(|k| trace.add(x[0], Num::C(step * k as f64))).collect();
        match factors.as_slice() {
            [] => Num::C(1.0),
            _ => trace.one(Op::Prod, &factors),
        }
    })
}

fn logical(machine: &mut Machine, values: &[Value], of: fn(bool, bool) -> bool) -> Result<Value, Fault> {
    let (a, b) = (real(&values[0])?, real(&values[1])?);
    let (a, b) = (!machine.trace.is_zero(a), !machine.trace.is_zero(b));
    Ok(Value::Int(i64::from(of(a, b))))
}
