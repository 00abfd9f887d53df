//! Complex numbers: pairs of numbers, and functions of those of their parts.

use std::cmp::Ordering;
use std::f64::consts::TAU;

use posterior_stan::BinaryOp;

use super::arithmetic::{binary as real_binary, extent, lift, minus};
use super::{Builtin, Group, broadcast, call, real};
use crate::fault::Fault;
use crate::machine::Machine;
use crate::op::{Bin, Un};
use crate::trace::Trace;
use crate::value::{Elem, Num, Value};

/// A complex number.
type Pair = [Num; 2];

/// A function of one complex number.
type Map = fn(&mut Trace, Pair) -> Pair;

pub(crate) const GROUP: Group = &[
    ("get_real", |_, values| Ok(values[0].parts()[0].clone())),
    ("get_imag", |_, values| Ok(values[0].parts()[1].clone())),
    ("to_complex", |_, values| match values {
        [] => Ok(Value::complex(Value::constant(0.0), Value::constant(0.0))),
        [one] => Ok(Value::of_parts(one.parts())),
        [one, other, ..] => {
            let shape =
                if matches!(one, Value::Int(_) | Value::Real(_)) { other.shape() } else { one.shape() };
            let (rows, n) = broadcast(&[one.clone(), other.clone()])?;
            let part = |row: &Vec<Num>| (0..n).map(|i| row[if row.len() == 1 { 0 } else { i }]).collect();
            let [x, y] = [0, 1].map(|at| Value::tensor(shape.clone(), part(&rows[at])));
            Ok(Value::complex(x, y))
        }
    }),
    ("conj", |machine, values| {
        let [x, y] = values[0].parts();
        Ok(Value::complex(x, minus(&mut machine.trace, &y)))
    }),
    ("arg", |machine, values| {
        let [x, y] = values[0].parts();
        lift(&mut machine.trace, Bin::Atan2, &y, &x)
    }),
    ("norm", |machine, values| {
        let pair = number(&values[0])?;
        Ok(Value::Real(norm(&mut machine.trace, pair)))
    }),
    ("proj", |machine, values| {
        let [x, y] = number(&values[0])?;
        let trace = &mut machine.trace;
        if ![x, y].iter().any(|part| trace.decide(*part).is_infinite()) {
            return Ok(values[0].clone());
        }
        let sign = trace.decide(y);
        Ok(Value::complex(Value::constant(f64::INFINITY), Value::constant(0.0_f64.copysign(sign))))
    }),
    ("polar", |machine, values| {
        let (trace, r, angle) = (&mut machine.trace, real(&values[0])?, real(&values[1])?);
        let [cos, sin] = [Un::Cos, Un::Sin].map(|own| trace.un(own, angle));
        Ok(Value::complex(Value::Real(trace.mul(r, cos)), Value::Real(trace.mul(r, sin))))
    }),
    ("fft", |machine, values| Ok(transformed(&mut machine.trace, &values[0], -1.0, false))),
    ("inv_fft", |machine, values| Ok(transformed(&mut machine.trace, &values[0], 1.0, false))),
    ("fft2", |machine, values| Ok(transformed(&mut machine.trace, &values[0], -1.0, true))),
    ("inv_fft2", |machine, values| Ok(transformed(&mut machine.trace, &values[0], 1.0, true))),
];

/// Functions whose result has as real part that of the real parts, and as imaginary part that of the others.
const BY_PARTS: &[&str] = &[
    "add_diag",
    "append_array",
    "append_col",
    "append_row",
    "block",
    "col",
    "cumulative_sum",
    "diag_matrix",
    "diagonal",
    "head",
    "minus",
    "plus",
    "rep_array",
    "rep_matrix",
    "rep_row_vector",
    "rep_vector",
    "reverse",
    "row",
    "segment",
    "sub_col",
    "sub_row",
    "sum",
    "symmetrize_from_lower_tri",
    "tail",
    "to_array_1d",
    "to_array_2d",
    "to_matrix",
    "to_row_vector",
    "to_vector",
    "trace",
    "transpose",
];

/// Operators by their names as functions.
const OPERATORS: &[(&str, BinaryOp)] = &[
    ("add", BinaryOp::Add),
    ("divide", BinaryOp::Divide),
    ("elt_divide", BinaryOp::EltDivide),
    ("elt_multiply", BinaryOp::EltMultiply),
    ("logical_eq", BinaryOp::Equal),
    ("logical_neq", BinaryOp::NotEqual),
    ("mdivide_right", BinaryOp::Divide),
    ("multiply", BinaryOp::Multiply),
    ("pow", BinaryOp::EltPower),
    ("subtract", BinaryOp::Subtract),
];

/// Calls a function of which some arguments are complex.
pub(crate) fn call_complex(
    machine: &mut Machine,
    found: Builtin,
    name: &str,
    values: &[Value],
) -> Result<Value, Fault> {
    if GROUP.iter().any(|(own, _)| *own == name) {
        return call(machine, found, values);
    }
    if let Some((_, op)) = OPERATORS.iter().find(|(own, _)| *own == name) {
        return binary(&mut machine.trace, *op, &values[0], &values[1]);
    }
    if BY_PARTS.contains(&name) {
        let of_part = |at: usize| -> Vec<Value> {
            let part = |value: &Value| if value.is_int() { value.clone() } else { value.parts()[at].clone() };
            values.iter().map(part).collect()
        };
        let real = call(machine, found, &of_part(0))?;
        return Ok(Value::complex(real, call(machine, found, &of_part(1))?));
    }
    let trace = &mut machine.trace;
    match name {
        "cols" | "dims" | "num_elements" | "rows" | "size" => {
            call(machine, found, &[values[0].parts()[0].clone()])
        }
        "abs" => {
            let [x, y] = values[0].parts();
            lift(trace, Bin::Hypot, &x, &y)
        }
        "diag_pre_multiply" => scaled(trace, &values[0], &values[1], |row, _| row),
        "diag_post_multiply" => scaled(trace, &values[1], &values[0], |_, column| column),
        "prod" => {
            let one = [Num::C(1.0), Num::C(0.0)];
            let pairs = values[0].nums();
            let all = pairs.as_chunks::<2>().0.iter().fold(one, |all, own| multiply(trace, all, *own));
            Ok(value(all))
        }
        _ => match elementary(name) {
            Some(function) => {
                let pair = number(&values[0])?;
                Ok(value(function(trace, pair)))
            }
            None => Err(Fault::new("this function is not executed for complex numbers yet")),
        },
    }
}

/// An operator, of real and of complex numbers.
pub(crate) fn binary(trace: &mut Trace, op: BinaryOp, a: &Value, b: &Value) -> Result<Value, Fault> {
    if !a.is_complex() && !b.is_complex() {
        return real_binary(trace, op, a, b);
    }
    let (left, right) = (a.parts(), b.parts());
    match op {
        BinaryOp::Add | BinaryOp::Subtract => {
            let real = real_binary(trace, op, &left[0], &right[0])?;
            Ok(Value::complex(real, real_binary(trace, op, &left[1], &right[1])?))
        }
        BinaryOp::Multiply | BinaryOp::EltMultiply => bilinear(trace, op, a, b),
        BinaryOp::Divide if matches!(b.shape().elem, Elem::Matrix(..)) => divide(trace, a, b),
        BinaryOp::Divide | BinaryOp::EltDivide => element_by_element(trace, a, b, quotient),
        BinaryOp::Power | BinaryOp::EltPower => element_by_element(trace, a, b, power),
        BinaryOp::Equal | BinaryOp::NotEqual => {
            let ([x, y], [u, v]) = (number(a)?, number(b)?);
            let mut same = |x, y| trace.compare(x, y) == Some(Ordering::Equal);
            let equal = same(x, u) & same(y, v);
            Ok(Value::Int(i64::from(equal == (op == BinaryOp::Equal))))
        }
        _ => Err(Fault::new(format!("the operator {} of complex numbers", op.sign()))),
    }
}

/// (a + ib)(c + id) = (ac − bd) + i(ad + bc), for both products.
fn bilinear(trace: &mut Trace, op: BinaryOp, a: &Value, b: &Value) -> Result<Value, Fault> {
    let ([x, y], [u, v]) = (a.parts(), b.parts());
    let real = real_binary(trace, op, &x, &u)?;
    match (a.is_complex(), b.is_complex()) {
        (true, true) => {
            let both = real_binary(trace, op, &y, &v)?;
            let [one, other] = [(&x, &v), (&y, &u)].map(|(a, b)| real_binary(trace, op, a, b));
            let imaginary = lift(trace, Bin::Add, &one?, &other?)?;
            Ok(Value::complex(lift(trace, Bin::Sub, &real, &both)?, imaginary))
        }
        (true, false) => Ok(Value::complex(real, real_binary(trace, op, &y, &u)?)),
        _ => Ok(Value::complex(real, real_binary(trace, op, &x, &v)?)),
    }
}

/// A matrix whose elements are multiplied each by one of the vector's.
fn scaled(
    trace: &mut Trace,
    vector: &Value,
    matrix: &Value,
    place: fn(usize, usize) -> usize,
) -> Result<Value, Fault> {
    let (rows, columns) = extent(matrix);
    let numbers = Value::of_parts(vector.parts()).nums();
    let pairs = numbers.as_chunks::<2>().0;
    let each = (0..columns).flat_map(|j| (0..rows).map(move |i| place(i, j)));
    let each = each.map(|at| pairs.get(at).copied()).collect::<Option<Vec<_>>>();
    let each = each.ok_or_else(|| Fault::new(format!("{} elements for {rows} × {columns}", pairs.len())))?;
    binary(trace, BinaryOp::EltMultiply, &Value::of_pairs(&matrix.shape(), each.as_flattened()), matrix)
}

/// x b = a, as real equations of twice the size: (xr, xi) ((br, bi), (−bi, br)) = (ar, ai).
fn divide(trace: &mut Trace, a: &Value, b: &Value) -> Result<Value, Fault> {
    let ((rows, n), (m, _)) = (extent(a), extent(b));
    let ([ar, ai], [br, bi]) = (a.parts(), b.parts());
    let negative = minus(trace, &bi).nums();
    let (br, bi) = (br.nums(), bi.nums());
    let columns = [(&br, &negative), (&bi, &br)];
    let mut equations = Vec::with_capacity(4 * m * m);
    for (upper, lower) in columns {
        for (x, y) in upper.chunks(m.max(1)).zip(lower.chunks(m.max(1))) {
            equations.extend(x.iter().chain(y).copied());
        }
    }
    let sides = ar.nums().into_iter().chain(ai.nums()).collect();
    let equations = Value::matrix(2 * m, 2 * m, equations);
    let found = real_binary(trace, BinaryOp::Divide, &Value::matrix(rows, 2 * n, sides), &equations)?.nums();
    let (x, y) = found.split_at(rows * m);
    Ok(Value::complex(ar.with(x.to_vec()), ar.with(y.to_vec())))
}

/// A function of two complex numbers for each element; one number goes with all.
fn element_by_element(
    trace: &mut Trace,
    a: &Value,
    b: &Value,
    function: fn(&mut Trace, Pair, Pair) -> Pair,
) -> Result<Value, Fault> {
    let (left, right) = (Value::of_parts(a.parts()), Value::of_parts(b.parts()));
    let one = |value: &Value| matches!(value.parts()[0], Value::Real(_));
    let shape = if one(&left) { right.shape() } else { left.shape() };
    if !one(&left) && !one(&right) && left.shape().sizes() != right.shape().sizes() {
        let message = format!("sizes {:?} and {:?}", left.shape().sizes(), right.shape().sizes());
        return Err(Fault::new(message));
    }
    let (x, y) = (left.nums(), right.nums());
    let at = |pairs: &[Num], i: usize| pairs.as_chunks::<2>().0[if pairs.len() == 2 { 0 } else { i }];
    let pairs: Vec<Num> = (0..shape.len()).flat_map(|i| function(trace, at(&x, i), at(&y, i))).collect();
    Ok(Value::of_pairs(&shape, &pairs))
}

fn number(value: &Value) -> Result<Pair, Fault> {
    let [x, y] = value.parts();
    Ok([real(&x)?, real(&y)?])
}

fn value([x, y]: Pair) -> Value {
    Value::complex(Value::Real(x), Value::Real(y))
}

/// Functions of one complex number, those with branch cuts by the formulas of W. Kahan, "Branch cuts for
/// complex elementary functions", in The State of the Art in Numerical Analysis, 1987.
fn elementary(name: &str) -> Option<Map> {
    Some(match name {
        "acos" => |trace, [x, y]| {
            let [low, high] = roots(trace, [x, y]);
            let angle = trace.bin(Bin::Atan2, low[0], high[0]);
            let [.., part] = conjugate_product(trace, high, low);
            [trace.mul(Num::C(2.0), angle), trace.un(Un::Asinh, part)]
        },
        "acosh" => |trace, [x, y]| {
            let [below, above] = [Num::C(-1.0), Num::C(1.0)].map(|by| {
                let moved = trace.add(x, by);
                root(trace, [moved, y])
            });
            let [part, _] = conjugate_product(trace, below, above);
            let angle = trace.bin(Bin::Atan2, below[1], above[0]);
            [trace.un(Un::Asinh, part), trace.mul(Num::C(2.0), angle)]
        },
        "asin" => arcsine,
        "asinh" => |trace, z| turned(trace, z, arcsine),
        "atan" => |trace, z| turned(trace, z, area_tangent),
        "atanh" => area_tangent,
        "cos" => |trace, [x, y]| {
            let [cos, sin, cosh, sinh] = waves(trace, x, y);
            let part = trace.mul(sin, sinh);
            [trace.mul(cos, cosh), trace.un(Un::Minus, part)]
        },
        "cosh" => |trace, [x, y]| {
            let [cos, sin, cosh, sinh] = waves(trace, y, x);
            [trace.mul(cosh, cos), trace.mul(sinh, sin)]
        },
        "exp" => exponential,
        "log" => logarithm,
        "log10" => |trace, z| {
            let of_ten = Num::C(std::f64::consts::LN_10);
            logarithm(trace, z).map(|part| trace.bin(Bin::Div, part, of_ten))
        },
        "sin" => |trace, [x, y]| {
            let [cos, sin, cosh, sinh] = waves(trace, x, y);
            [trace.mul(sin, cosh), trace.mul(cos, sinh)]
        },
        "sinh" => |trace, [x, y]| {
            let [cos, sin, cosh, sinh] = waves(trace, y, x);
            [trace.mul(sinh, cos), trace.mul(cosh, sin)]
        },
        "sqrt" => root,
        "tan" => tangent,
        "tanh" => |trace, z| turned(trace, z, tangent),
        _ => return None,
    })
}

/// −i f(iz).
fn turned(trace: &mut Trace, [x, y]: Pair, function: Map) -> Pair {
    let turned = [trace.un(Un::Minus, y), x];
    let [u, v] = function(trace, turned);
    [v, trace.un(Un::Minus, u)]
}

/// Cosine and sine of x, hyperbolic ones of y.
fn waves(trace: &mut Trace, x: Num, y: Num) -> [Num; 4] {
    [(Un::Cos, x), (Un::Sin, x), (Un::Cosh, y), (Un::Sinh, y)].map(|(own, x)| trace.un(own, x))
}

fn multiply(trace: &mut Trace, [a, b]: Pair, [c, d]: Pair) -> Pair {
    let products = [(a, c), (b, d), (a, d), (b, c)].map(|(x, y)| trace.mul(x, y));
    [trace.sub(products[0], products[1]), trace.add(products[2], products[3])]
}

/// The product of the conjugate of the first with the second.
fn conjugate_product(trace: &mut Trace, [a, b]: Pair, other: Pair) -> Pair {
    let conjugate = [a, trace.un(Un::Minus, b)];
    multiply(trace, conjugate, other)
}

/// x² + y².
fn norm(trace: &mut Trace, pair: Pair) -> Num {
    let [x, y] = pair.map(|part| trace.un(Un::Square, part));
    trace.add(x, y)
}

/// By the divisor over its modulus: squares neither overflow nor vanish.
fn quotient(trace: &mut Trace, a: Pair, b: Pair) -> Pair {
    let size = trace.bin(Bin::Hypot, b[0], b[1]);
    let unit = b.map(|part| trace.bin(Bin::Div, part, size));
    conjugate_product(trace, unit, a).map(|part| trace.bin(Bin::Div, part, size))
}

fn exponential(trace: &mut Trace, [x, y]: Pair) -> Pair {
    let size = trace.un(Un::Exp, x);
    [Un::Cos, Un::Sin].map(|own| {
        let part = trace.un(own, y);
        trace.mul(size, part)
    })
}

fn logarithm(trace: &mut Trace, [x, y]: Pair) -> Pair {
    let size = trace.bin(Bin::Hypot, x, y);
    [trace.un(Un::Log, size), trace.bin(Bin::Atan2, y, x)]
}

/// exp(b ln a); zero where a is zero, unless b is.
fn power(trace: &mut Trace, a: Pair, b: Pair) -> Pair {
    let zero = |trace: &mut Trace, z: Pair| z.iter().all(|part| trace.is_zero(*part));
    if zero(trace, a) {
        return [Num::C(f64::from(zero(trace, b))), Num::C(0.0)];
    }
    let ln = logarithm(trace, a);
    let exponent = multiply(trace, b, ln);
    exponential(trace, exponent)
}

/// The root in the right half plane.
fn root(trace: &mut Trace, [x, y]: Pair) -> Pair {
    let [left, below] = [x, y].map(|part| trace.decide(part).is_sign_negative());
    let size = trace.bin(Bin::Hypot, x, y);
    if trace.is_zero(size) {
        return [Num::C(0.0), y];
    }
    let sum = if left { trace.sub(size, x) } else { trace.add(size, x) };
    let half = trace.mul(Num::C(0.5), sum);
    let large = trace.un(Un::Sqrt, half);
    let ratio = trace.bin(Bin::Div, y, large);
    let small = trace.mul(Num::C(0.5), ratio);
    if !left {
        return [large, small];
    }
    if below { [trace.un(Un::Minus, small), trace.un(Un::Minus, large)] } else { [small, large] }
}

/// √(1 − z) and √(1 + z).
fn roots(trace: &mut Trace, [x, y]: Pair) -> [Pair; 2] {
    let below = [trace.sub(Num::C(1.0), x), trace.un(Un::Minus, y)];
    let above = [trace.add(Num::C(1.0), x), y];
    [root(trace, below), root(trace, above)]
}

fn arcsine(trace: &mut Trace, z: Pair) -> Pair {
    let [low, high] = roots(trace, z);
    let [along, _] = multiply(trace, low, high);
    let [_, part] = conjugate_product(trace, low, high);
    [trace.bin(Bin::Atan2, z[0], along), trace.un(Un::Asinh, part)]
}

/// (ln(1 + 4x / ((1 − x)² + y²)) / 4, atan2(2y, (1 − x)(1 + x) − y²) / 2).
fn area_tangent(trace: &mut Trace, [x, y]: Pair) -> Pair {
    let [low, high] = [trace.sub(Num::C(1.0), x), trace.add(Num::C(1.0), x)];
    let away = norm(trace, [low, y]);
    let four = trace.mul(Num::C(4.0), x);
    let ratio = trace.bin(Bin::Div, four, away);
    let ln = trace.un(Un::Log1p, ratio);
    let product = trace.mul(low, high);
    let square = trace.un(Un::Square, y);
    let (twice, rest) = (trace.mul(Num::C(2.0), y), trace.sub(product, square));
    let angle = trace.bin(Bin::Atan2, twice, rest);
    [trace.mul(Num::C(0.25), ln), trace.mul(Num::C(0.5), angle)]
}

/// With t = tan x and h = tanh y: (t / cosh² y + i h (1 + t²)) / (1 + t² h²), which does not overflow.
fn tangent(trace: &mut Trace, [x, y]: Pair) -> Pair {
    let (t, h, cosh) = (trace.un(Un::Tan, x), trace.un(Un::Tanh, y), trace.un(Un::Cosh, y));
    let [tt, hh, cc] = [t, h, cosh].map(|own| trace.un(Un::Square, own));
    let both = trace.mul(tt, hh);
    let [over, of_t] = [both, tt].map(|own| trace.add(Num::C(1.0), own));
    let [real, imaginary] = [trace.bin(Bin::Div, t, cc), trace.mul(h, of_t)];
    [real, imaginary].map(|part| trace.bin(Bin::Div, part, over))
}

/// Fourier's transform with exponents of this sign, of a vector or along both axes of a matrix; that of +1 is
/// divided by the number of elements.
fn transformed(trace: &mut Trace, own: &Value, sign: f64, both: bool) -> Value {
    let shape = own.shape();
    let mut pairs = Value::of_parts(own.parts()).nums().as_chunks::<2>().0.to_vec();
    if both {
        let (rows, columns) = extent(own);
        for n in [rows, columns] {
            let along: Vec<Vec<Pair>> = pairs.chunks(n.max(1)).map(|own| fourier(trace, own, sign)).collect();
            pairs = (0..n).flat_map(|i| along.iter().map(move |own| own[i])).collect();
        }
    } else {
        pairs = fourier(trace, &pairs, sign);
    }
    if sign > 0.0 {
        let count = Num::C(pairs.len() as f64);
        pairs = pairs.into_iter().map(|pair| pair.map(|part| trace.bin(Bin::Div, part, count))).collect();
    }
    Value::of_pairs(&shape, pairs.as_flattened())
}

/// ∑ₖ xₖ exp(± 2πi jk / n), by the smallest factor of n and what is left.
fn fourier(trace: &mut Trace, x: &[Pair], sign: f64) -> Vec<Pair> {
    let n = x.len();
    if n < 2 {
        return x.to_vec();
    }
    let factor = (2..=n.isqrt()).find(|p| n.is_multiple_of(*p)).unwrap_or(n);
    let parts: Vec<Vec<Pair>> = (0..factor)
        .map(|first| {
            let part: Vec<Pair> = x.iter().skip(first).step_by(factor).copied().collect();
            fourier(trace, &part, sign)
        })
        .collect();
    (0..n)
        .map(|j| {
            let mut terms = [vec![], vec![]];
            for (k, part) in parts.iter().enumerate() {
                let (sin, cos) = (sign * TAU * (j * k % n) as f64 / n as f64).sin_cos();
                let turned = multiply(trace, [Num::C(cos), Num::C(sin)], part[j % part.len()]);
                terms.iter_mut().zip(turned).for_each(|(terms, part)| terms.push(part));
            }
            terms.map(|terms| trace.sum(&terms))
        })
        .collect()
}
