//! Operators, and functions element by element.

use std::cmp::Ordering;

use posterior_stan::BinaryOp;

use super::{Group, broadcast, int, int_of, real};
use crate::fault::Fault;
use crate::op::{Bin, Op, Un};
use crate::trace::Trace;
use crate::value::{Elem, Num, Shape, Value};

pub(crate) const GROUP: Group = &[
    ("log_mix", |machine, values| {
        let [p, rest @ ..] = values else { return Err(Fault::new("no arguments")) };
        if let [one, other] = rest {
            let inputs = [real(p)?, real(one)?, real(other)?];
            return Ok(Value::Real(machine.trace.one(Op::LogMix, &inputs)));
        }
        let weights = p.nums();
        let all = rest.first().map(Value::nums).unwrap_or_default();
        let mut total = vec![];
        for row in all.chunks(weights.len().max(1)) {
            let mut terms = vec![];
            for (p, x) in weights.iter().zip(row) {
                let ln = machine.trace.un(Un::Log, *p);
                terms.push(machine.trace.add(ln, *x));
            }
            total.push(machine.trace.log_sum_exp(&terms));
        }
        Ok(Value::Real(machine.trace.sum(&total)))
    }),
    ("fma", |machine, values| {
        let product = lift(&mut machine.trace, Bin::Mul, &values[0], &values[1])?;
        lift(&mut machine.trace, Bin::Add, &product, &values[2])
    }),
    ("multiply", |machine, values| binary(&mut machine.trace, BinaryOp::Multiply, &values[0], &values[1])),
    ("modulus", |machine, values| binary(&mut machine.trace, BinaryOp::Modulus, &values[0], &values[1])),
    ("mdivide_left", |machine, values| {
        binary(&mut machine.trace, BinaryOp::LeftDivide, &values[0], &values[1])
    }),
    ("mdivide_right", |machine, values| binary(&mut machine.trace, BinaryOp::Divide, &values[0], &values[1])),
    ("logical_negation", |machine, values| {
        let x = real(&values[0])?;
        Ok(Value::Int(i64::from(machine.trace.is_zero(x))))
    }),
    ("identity_constrain", |_, values| Ok(values[0].clone())),
    ("plus", |_, values| Ok(values[0].clone())),
    ("pi", |_, _| Ok(Value::constant(std::f64::consts::PI))),
    ("e", |_, _| Ok(Value::constant(std::f64::consts::E))),
    ("sqrt2", |_, _| Ok(Value::constant(std::f64::consts::SQRT_2))),
    ("negative_infinity", |_, _| Ok(Value::constant(f64::NEG_INFINITY))),
    ("positive_infinity", |_, _| Ok(Value::constant(f64::INFINITY))),
    ("not_a_number", |_, _| Ok(Value::constant(f64::NAN))),
    ("machine_precision", |_, _| Ok(Value::constant(f64::EPSILON))),
    ("log2", |machine, values| Ok(constant_or(machine, values, std::f64::consts::LN_2, Un::Log2))),
    ("log10", |machine, values| Ok(constant_or(machine, values, std::f64::consts::LN_10, Un::Log10))),
    ("int_step", |machine, values| {
        let x = real(&values[0])?;
        let order = machine.trace.compare(x, Num::C(0.0));
        Ok(Value::Int(i64::from(order == Some(Ordering::Greater))))
    }),
    ("is_nan", |machine, values| {
        let x = real(&values[0])?;
        Ok(Value::Int(i64::from(machine.trace.compare(x, x).is_none())))
    }),
    ("is_inf", |machine, values| {
        let x = real(&values[0])?;
        let ends = [f64::INFINITY, f64::NEG_INFINITY].map(Num::C);
        let infinite = ends.map(|end| machine.trace.compare(x, end) == Some(Ordering::Equal));
        Ok(Value::Int(i64::from(infinite != [false; 2])))
    }),
    ("to_int", |_, values| match real(&values[0])? {
        Num::C(x) => Ok(Value::Int(x.trunc() as i64)),
        Num::N(_) => Err(Fault::new("`to_int` takes data")),
    }),
    ("size", |_, values| {
        let sizes = values[0].shape().sizes();
        Ok(Value::Int(
            if matches!(values[0].shape().elem, Elem::Matrix(..)) && values[0].shape().dims.is_empty() {
                int_of(sizes.iter().product::<usize>())
            } else {
                int_of(sizes.first().copied().unwrap_or(1))
            },
        ))
    }),
    ("choose", |_, values| {
        let (n, k) = (int(&values[0])?, int(&values[1])?);
        let value = if k > n { 0.0 } else { crate::density::ln_choose(n as f64, k as f64).exp().round() };
        Ok(Value::Int(value as i64))
    }),
];

fn constant_or(machine: &mut crate::machine::Machine, values: &[Value], constant: f64, un: Un) -> Value {
    values.first().map_or(Value::constant(constant), |one| map(&mut machine.trace, un, one))
}

/// A function of one number for each element.
pub(crate) fn map(trace: &mut Trace, un: Un, value: &Value) -> Value {
    match value {
        Value::Real(x) => Value::Real(trace.un(un, *x)),
        other => {
            let data = other.nums().into_iter().map(|x| trace.un(un, x)).collect();
            Value::tensor(other.shape(), data)
        }
    }
}

pub(crate) fn minus(trace: &mut Trace, value: &Value) -> Value {
    match value {
        Value::Complex(parts) => Value::of_parts([0, 1].map(|at| minus(trace, &parts[at]))),
        Value::Int(i) => Value::Int(-i),
        Value::Ints(ints) => Value::ints(ints.dims.clone(), ints.data.iter().map(|i| -i).collect()),
        other => map(trace, Un::Minus, other),
    }
}

/// A function of two numbers, element by element; one number goes with all.
pub(crate) fn lift(trace: &mut Trace, bin: Bin, a: &Value, b: &Value) -> Result<Value, Fault> {
    if let (Value::Real(x), Value::Real(y)) = (a, b) {
        return Ok(Value::Real(trace.bin(bin, *x, *y)));
    }
    let scalar = |value: &Value| matches!(value, Value::Int(_) | Value::Real(_));
    let shape = if scalar(a) { b.shape() } else { a.shape() };
    if !scalar(a) && !scalar(b) && a.shape().sizes() != b.shape().sizes() {
        let message = format!("sizes {:?} and {:?}", a.shape().sizes(), b.shape().sizes());
        return Err(Fault::new(message));
    }
    let (rows, n) = broadcast(&[a.clone(), b.clone()])?;
    let at = |row: &Vec<Num>, i: usize| row[if row.len() == 1 { 0 } else { i }];
    let data = (0..n).map(|i| trace.bin(bin, at(&rows[0], i), at(&rows[1], i))).collect();
    Ok(Value::tensor(shape, data))
}

pub(crate) fn transpose(value: &Value) -> Result<Value, Fault> {
    if let Value::Complex(parts) = value {
        return Ok(Value::complex(transpose(&parts[0])?, transpose(&parts[1])?));
    }
    let Value::Reals(tensor) = value else { return Err(Fault::new("nothing to transpose")) };
    let elem = match tensor.shape.elem {
        Elem::Vector(n) => Elem::Row(n),
        Elem::Row(n) => Elem::Vector(n),
        Elem::Matrix(r, c) => {
            let data =
                (0..r).flat_map(|i| (0..c).map(move |j| i + j * r)).map(|at| tensor.data[at]).collect();
            return Ok(Value::matrix(c, r, data));
        }
        Elem::Scalar => return Err(Fault::new("nothing to transpose")),
    };
    Ok(value.reshaped(Shape::plain(elem)))
}

fn power(base: i64, exponent: i64) -> f64 {
    (base as f64).powf(exponent as f64)
}

/// An operator.
pub(crate) fn binary(trace: &mut Trace, op: BinaryOp, a: &Value, b: &Value) -> Result<Value, Fault> {
    if let (Value::Int(x), Value::Int(y)) = (a, b) {
        let (x, y) = (*x, *y);
        let zero = || Fault::reject("an integer is divided by zero");
        let too_large = || Fault::new("an integer that is too large");
        let logical = |holds: bool| Ok(Value::Int(i64::from(holds)));
        return match op {
            BinaryOp::Add => x.checked_add(y).map(Value::Int).ok_or_else(too_large),
            BinaryOp::Subtract => x.checked_sub(y).map(Value::Int).ok_or_else(too_large),
            BinaryOp::Multiply | BinaryOp::EltMultiply => {
                x.checked_mul(y).map(Value::Int).ok_or_else(too_large)
            }
            BinaryOp::Divide | BinaryOp::IntDivide | BinaryOp::EltDivide => {
                x.checked_div(y).map(Value::Int).ok_or_else(zero)
            }
            BinaryOp::Modulus => x.checked_rem(y).map(Value::Int).ok_or_else(zero),
            BinaryOp::Power | BinaryOp::EltPower => Ok(Value::constant(power(x, y))),
            BinaryOp::Equal => logical(x == y),
            BinaryOp::NotEqual => logical(x != y),
            BinaryOp::Less => logical(x < y),
            BinaryOp::LessEqual => logical(x <= y),
            BinaryOp::Greater => logical(x > y),
            BinaryOp::GreaterEqual => logical(x >= y),
            _ => Err(Fault::new("an operator that integers do not have")),
        };
    }
    let (left, right) = (a.shape().elem, b.shape().elem);
    let plain = a.shape().dims.is_empty() && b.shape().dims.is_empty();
    match op {
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => {
            let (x, y) = (real(a)?, real(b)?);
            let order = trace.compare(x, y);
            let holds = match op {
                BinaryOp::Equal => order == Some(Ordering::Equal),
                BinaryOp::NotEqual => order != Some(Ordering::Equal),
                BinaryOp::Less => order.is_some_and(Ordering::is_lt),
                BinaryOp::LessEqual => order.is_some_and(Ordering::is_le),
                BinaryOp::Greater => order.is_some_and(Ordering::is_gt),
                _ => order.is_some_and(Ordering::is_ge),
            };
            Ok(Value::Int(i64::from(holds)))
        }
        BinaryOp::Add => lift(trace, Bin::Add, a, b),
        BinaryOp::Subtract => lift(trace, Bin::Sub, a, b),
        BinaryOp::Power | BinaryOp::EltPower => lift(trace, Bin::Pow, a, b),
        BinaryOp::Multiply if plain && left != Elem::Scalar && right != Elem::Scalar => product(trace, a, b),
        BinaryOp::Multiply | BinaryOp::EltMultiply => lift(trace, Bin::Mul, a, b),
        BinaryOp::Divide if plain && right != Elem::Scalar => {
            let (a, b) = (transpose(a)?, transpose(b)?);
            let solution = left_divide(trace, &b, &a)?;
            transpose(&solution)
        }
        BinaryOp::Divide | BinaryOp::EltDivide => lift(trace, Bin::Div, a, b),
        BinaryOp::LeftDivide => left_divide(trace, a, b),
        _ => Err(Fault::new(format!("the operator {} of these", op.sign()))),
    }
}

/// Rows and columns of a matrix or vector.
pub(crate) fn extent(value: &Value) -> (usize, usize) {
    match value.shape().elem {
        Elem::Matrix(r, c) => (r, c),
        Elem::Vector(n) => (n, 1),
        Elem::Row(n) => (1, n),
        Elem::Scalar => (1, 1),
    }
}

pub(crate) fn product(trace: &mut Trace, a: &Value, b: &Value) -> Result<Value, Fault> {
    let ((m, k), (l, n)) = (extent(a), extent(b));
    if k != l {
        return Err(Fault::new(format!("a product of {m} × {k} and {l} × {n}")));
    }
    let data = trace.multiply(&a.nums(), &b.nums(), (m, k, n));
    Ok(match (a.shape().elem, b.shape().elem) {
        (Elem::Row(_), Elem::Vector(_)) => Value::Real(data[0]),
        (Elem::Matrix(..), Elem::Vector(_)) => Value::vector(data),
        (Elem::Row(_), Elem::Matrix(..)) => Value::row(data),
        _ => Value::matrix(m, n, data),
    })
}

fn left_divide(trace: &mut Trace, a: &Value, b: &Value) -> Result<Value, Fault> {
    let ((n, k), (rows, m)) = (extent(a), extent(b));
    if n != k || n != rows {
        return Err(Fault::new(format!("a division of {rows} × {m} by {n} × {k}")));
    }
    if n == 0 || m == 0 {
        return Ok(b.clone());
    }
    let inputs: Vec<Num> = a.nums().into_iter().chain(b.nums()).collect();
    let data = trace.many(Op::Solve(n as u32, m as u32), &inputs, n * m);
    Ok(b.reshaped(b.shape()).with(data))
}

impl Value {
    /// The same shape with other numbers.
    pub(crate) fn with(&self, data: Vec<Num>) -> Self {
        Self::tensor(self.shape(), data)
    }
}
