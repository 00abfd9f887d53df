//! Linear algebra.

use super::arithmetic::{extent, product, transpose};
use super::{Group, real};
use crate::fault::Fault;
use crate::op::{Op, Un};
use crate::trace::Trace;
use crate::transform::self_product;
use crate::value::{Elem, Num, Value};

pub(crate) const GROUP: Group = &[
    ("cholesky_decompose", |machine, values| {
        let n = square(&values[0])?;
        let data = cholesky(&mut machine.trace, &values[0].nums(), n);
        Ok(Value::matrix(n, n, data))
    }),
    ("mdivide_left_tri_low", |machine, values| {
        let data = solve(
            &mut machine.trace,
            Op::SolveLower,
            &values[0].nums(),
            &values[1].nums(),
            square(&values[0])?,
        );
        Ok(values[1].with(data))
    }),
    ("mdivide_right_tri_low", |machine, values| {
        // b / L = (L⁻ᵀ bᵀ)ᵀ
        let b = transpose(&values[0])?;
        let n = square(&values[1])?;
        let data = solve(&mut machine.trace, Op::SolveLowerTransposed, &values[1].nums(), &b.nums(), n);
        transpose(&b.with(data))
    }),
    ("mdivide_left_spd", |machine, values| {
        let n = square(&values[0])?;
        let l = cholesky(&mut machine.trace, &values[0].nums(), n);
        let half = solve(&mut machine.trace, Op::SolveLower, &l, &values[1].nums(), n);
        Ok(values[1].with(solve(&mut machine.trace, Op::SolveLowerTransposed, &l, &half, n)))
    }),
    ("mdivide_right_spd", |machine, values| {
        let n = square(&values[1])?;
        let b = transpose(&values[0])?;
        let l = cholesky(&mut machine.trace, &values[1].nums(), n);
        let half = solve(&mut machine.trace, Op::SolveLower, &l, &b.nums(), n);
        transpose(&b.with(solve(&mut machine.trace, Op::SolveLowerTransposed, &l, &half, n)))
    }),
    ("inverse", |machine, values| {
        let n = square(&values[0])?;
        let inputs: Vec<Num> = values[0].nums().into_iter().chain(identity(n)).collect();
        Ok(Value::matrix(n, n, machine.trace.many(Op::Solve(n as u32, n as u32), &inputs, n * n)))
    }),
    ("inverse_spd", |machine, values| {
        let n = square(&values[0])?;
        let l = cholesky(&mut machine.trace, &values[0].nums(), n);
        let half = solve(&mut machine.trace, Op::SolveLower, &l, &identity(n), n);
        Ok(Value::matrix(n, n, solve(&mut machine.trace, Op::SolveLowerTransposed, &l, &half, n)))
    }),
    ("chol2inv", |machine, values| {
        let n = square(&values[0])?;
        let l = values[0].nums();
        let half = solve(&mut machine.trace, Op::SolveLower, &l, &identity(n), n);
        Ok(Value::matrix(n, n, solve(&mut machine.trace, Op::SolveLowerTransposed, &l, &half, n)))
    }),
    ("log_determinant", |machine, values| {
        let n = square(&values[0])?;
        Ok(Value::Real(machine.trace.one(Op::LogDet(n as u32), &values[0].nums())))
    }),
    ("log_determinant_spd", |machine, values| {
        let n = square(&values[0])?;
        let l = cholesky(&mut machine.trace, &values[0].nums(), n);
        let half = ln_diagonal(&mut machine.trace, &l, n);
        Ok(Value::Real(machine.trace.mul(Num::C(2.0), half)))
    }),
    ("trace", |machine, values| {
        let n = square(&values[0])?;
        let all = values[0].nums();
        let diagonal: Vec<Num> = (0..n).map(|i| all[i * (n + 1)]).collect();
        Ok(Value::Real(machine.trace.sum(&diagonal)))
    }),
    ("diagonal", |_, values| {
        let (r, c) = extent(&values[0]);
        let all = values[0].nums();
        Ok(Value::vector((0..r.min(c)).map(|i| all[i * (r + 1)]).collect()))
    }),
    ("diag_matrix", |_, values| {
        let diagonal = values[0].nums();
        let n = diagonal.len();
        let data = (0..n * n).map(|at| if at % n == at / n { diagonal[at / n] } else { Num::C(0.0) });
        Ok(Value::matrix(n, n, data.collect()))
    }),
    ("add_diag", |machine, values| {
        let (r, c) = extent(&values[0]);
        let mut all = values[0].nums();
        let extra = values[1].nums();
        for i in 0..r.min(c) {
            all[i * (r + 1)] =
                machine.trace.add(all[i * (r + 1)], extra[if extra.len() == 1 { 0 } else { i }]);
        }
        Ok(Value::matrix(r, c, all))
    }),
    ("diag_pre_multiply", |machine, values| {
        let (r, c) = extent(&values[1]);
        Ok(Value::matrix(r, c, scale(&mut machine.trace, &values[1].nums(), &values[0].nums(), |at| at % r)))
    }),
    ("diag_post_multiply", |machine, values| {
        let (r, c) = extent(&values[0]);
        Ok(Value::matrix(r, c, scale(&mut machine.trace, &values[0].nums(), &values[1].nums(), |at| at / r)))
    }),
    ("quad_form_diag", |machine, values| {
        let n = square(&values[0])?;
        let (all, d) = (values[0].nums(), values[1].nums());
        let mut data = Vec::with_capacity(n * n);
        for at in 0..n * n {
            let both = machine.trace.mul(d[(at % n).max(at / n)], d[(at % n).min(at / n)]);
            data.push(machine.trace.mul(all[at], both));
        }
        Ok(Value::matrix(n, n, data))
    }),
    ("multiply_lower_tri_self_transpose", |machine, values| {
        let (r, c) = extent(&values[0]);
        if r != c {
            let turned = transpose(&values[0])?;
            return product(&mut machine.trace, &values[0], &turned);
        }
        let data = self_product(&mut machine.trace, &values[0].nums(), r);
        Ok(Value::matrix(r, r, data))
    }),
    ("tcrossprod", |machine, values| {
        let turned = transpose(&values[0])?;
        product(&mut machine.trace, &values[0], &turned)
    }),
    ("crossprod", |machine, values| {
        let turned = transpose(&values[0])?;
        product(&mut machine.trace, &turned, &values[0])
    }),
    ("quad_form", quad_form),
    ("quad_form_sym", quad_form),
    ("trace_quad_form", |machine, values| {
        let form = quad_form(machine, values)?;
        let (n, all) = (extent(&form).0, form.nums());
        let diagonal: Vec<Num> = (0..n).map(|i| all[i * (n + 1)]).collect();
        Ok(Value::Real(machine.trace.sum(&diagonal)))
    }),
    ("eigenvalues_sym", |machine, values| {
        let n = square(&values[0])?;
        let all = machine.trace.many(Op::EigenSym(n as u32), &values[0].nums(), n + n * n);
        Ok(Value::vector(all[..n].to_vec()))
    }),
    ("eigenvectors_sym", |machine, values| {
        let n = square(&values[0])?;
        let all = machine.trace.many(Op::EigenSym(n as u32), &values[0].nums(), n + n * n);
        Ok(Value::matrix(n, n, all[n..].to_vec()))
    }),
    ("gp_exp_quad_cov", |machine, values| {
        covariance(&mut machine.trace, values, |trace, square, length| {
            let squared = trace.un(Un::Square, length);
            let factor = trace.div(Num::C(-0.5), squared);
            let exponent = trace.mul(square, factor);
            trace.un(Un::Exp, exponent)
        })
    }),
    ("gp_exponential_cov", |machine, values| {
        covariance(&mut machine.trace, values, |trace, square, length| {
            let distance = trace.un(Un::Sqrt, square);
            let ratio = trace.div(distance, length);
            let exponent = trace.un(Un::Minus, ratio);
            trace.un(Un::Exp, exponent)
        })
    }),
    ("gp_matern32_cov", |machine, values| {
        covariance(&mut machine.trace, values, |trace, square, length| {
            let scaled = root_ratio(trace, square, length, 3.0);
            let down = trace.un(Un::Minus, scaled);
            let e = trace.un(Un::Exp, down);
            let factor = trace.add(scaled, Num::C(1.0));
            trace.mul(factor, e)
        })
    }),
    ("gp_matern52_cov", |machine, values| {
        covariance(&mut machine.trace, values, |trace, square, length| {
            let scaled = root_ratio(trace, square, length, 5.0);
            let down = trace.un(Un::Minus, scaled);
            let e = trace.un(Un::Exp, down);
            let own = trace.un(Un::Square, scaled);
            let third = trace.div(own, Num::C(3.0));
            let factor = trace.add(scaled, third);
            let factor = trace.add(factor, Num::C(1.0));
            trace.mul(factor, e)
        })
    }),
];

fn root_ratio(trace: &mut Trace, square: Num, length: Num, by: f64) -> Num {
    let distance = trace.un(Un::Sqrt, square);
    let scaled = trace.mul(Num::C(by.sqrt()), distance);
    trace.div(scaled, length)
}

pub(super) fn square(value: &Value) -> Result<usize, Fault> {
    match value.shape().elem {
        Elem::Matrix(r, c) if r == c => Ok(r),
        Elem::Matrix(r, c) => Err(Fault::new(format!("a square matrix is wanted, not {r} × {c}"))),
        _ => Err(Fault::new("a matrix is wanted")),
    }
}

pub(super) fn identity(n: usize) -> Vec<Num> {
    (0..n * n).map(|at| Num::C(f64::from(at % n == at / n))).collect()
}

pub(super) fn cholesky(trace: &mut Trace, a: &[Num], n: usize) -> Vec<Num> {
    trace.many(Op::Cholesky(n as u32), a, n * n)
}

pub(super) fn solve(trace: &mut Trace, op: fn(u32, u32) -> Op, l: &[Num], b: &[Num], n: usize) -> Vec<Num> {
    if n == 0 {
        return vec![];
    }
    let inputs: Vec<Num> = l.iter().chain(b).copied().collect();
    trace.many(op(n as u32, (b.len() / n) as u32), &inputs, b.len())
}

/// The sum of the logarithms of the diagonal.
pub(super) fn ln_diagonal(trace: &mut Trace, l: &[Num], n: usize) -> Num {
    let terms: Vec<Num> = (0..n).map(|i| trace.un(Un::Log, l[i * (n + 1)])).collect();
    trace.sum(&terms)
}

fn scale(trace: &mut Trace, all: &[Num], by: &[Num], of: impl Fn(usize) -> usize) -> Vec<Num> {
    all.iter()
        .enumerate()
        .map(|(at, &x)| if matches!(x, Num::C(0.0)) { x } else { trace.mul(x, by[of(at)]) })
        .collect()
}

fn quad_form(machine: &mut crate::machine::Machine, values: &[Value]) -> Result<Value, Fault> {
    let right = product(&mut machine.trace, &values[0], &values[1])?;
    let turned = transpose(&values[1])?;
    product(&mut machine.trace, &turned, &right)
}

/// A covariance of points: a scale times a function of squared distance and length.
/// The points of an array of numbers or of vectors.
pub(super) fn points(value: &Value) -> Vec<Vec<Num>> {
    value.nums().chunks(value.shape().elem.len().max(1)).map(<[Num]>::to_vec).collect()
}

fn covariance(
    trace: &mut Trace,
    values: &[Value],
    kernel: impl Fn(&mut Trace, Num, Num) -> Num,
) -> Result<Value, Fault> {
    let cross = values.len() > 3 && values[1].shape().sizes() == values[0].shape().sizes()
        || values.len() > 3 && !matches!(values[1], Value::Real(_) | Value::Int(_));
    let x = points(&values[0]);
    let other = if cross { points(&values[1]) } else { x.clone() };
    let rest = &values[if cross { 2 } else { 1 }..];
    let scale = real(&rest[0])?;
    let lengths = rest[1].nums();
    let square = trace.un(Un::Square, scale);
    let (r, c) = (x.len(), other.len());
    let mut data = vec![square; r * c];
    for j in 0..c {
        for i in 0..r {
            if !cross && i == j {
                continue;
            }
            if !cross && i < j {
                continue;
            }
            let (distance, length) = if lengths.len() == 1 {
                let gaps: Vec<Num> = x[i].iter().zip(&other[j]).map(|(a, b)| trace.sub(*a, *b)).collect();
                (trace.dot(&gaps, &gaps), lengths[0])
            } else {
                let mut gaps = vec![];
                for ((a, b), length) in x[i].iter().zip(&other[j]).zip(&lengths) {
                    let gap = trace.sub(*a, *b);
                    gaps.push(trace.div(gap, *length));
                }
                (trace.dot(&gaps, &gaps), Num::C(1.0))
            };
            let part = kernel(trace, distance, length);
            data[i + j * r] = trace.mul(square, part);
            if !cross {
                data[j + i * r] = data[i + j * r];
            }
        }
    }
    Ok(Value::matrix(r, c, data))
}
