//! Unconstrained numbers of constrained values.

use posterior_stan::Element;

use super::{Limits, is_complex, is_plain, limit};
use crate::fault::Fault;
use crate::op::{Op, Un};
use crate::trace::Trace;
use crate::value::{Elem, Num, Shape};

/// Unconstrained numbers of a constrained value: the inverse of [`constrain`](super::constrain).
///
/// # Errors
/// A known value outside its constraint.
pub(crate) fn free(
    trace: &mut Trace,
    element: &Element,
    shape: &Shape,
    limits: &Limits,
    x: &[Num],
) -> Result<Vec<Num>, Fault> {
    let none = |y: &Num| matches!(y, Num::C(y) if y.is_nan());
    if is_plain(element) {
        let finite = |x: &Num| !matches!(x, Num::C(x) if x.is_infinite());
        return x
            .iter()
            .enumerate()
            .map(|(at, &x)| {
                let lower = limit(limits.lower.as_ref(), at).filter(finite);
                let upper = limit(limits.upper.as_ref(), at).filter(finite);
                let y = match (lower, upper) {
                    (Some(low), Some(high)) => {
                        let (part, whole) = (trace.sub(x, low), trace.sub(high, low));
                        let share = trace.div(part, whole);
                        trace.un(Un::Logit, share)
                    }
                    (Some(low), None) => ln_gap(trace, x, low),
                    (None, Some(high)) => ln_gap(trace, high, x),
                    (None, None) => {
                        let offset = limit(limits.offset.as_ref(), at).unwrap_or(Num::C(0.0));
                        let multiplier = limit(limits.multiplier.as_ref(), at).unwrap_or(Num::C(1.0));
                        let gap = trace.sub(x, offset);
                        trace.div(gap, multiplier)
                    }
                };
                if none(&y) {
                    return Err(Fault::reject(format!("{} is outside its bounds", trace.value(x))));
                }
                Ok(y)
            })
            .collect();
    }
    if is_complex(element) {
        return Ok(x.to_vec());
    }
    let len = shape.elem.len().max(1);
    let all: Vec<Num> = x.chunks(len).flat_map(|x| free_one(trace, element, shape.elem, x)).collect();
    if all.iter().any(none) {
        return Err(Fault::reject(format!("a {} that does not fulfil its constraint", element.word())));
    }
    Ok(all)
}

fn ln_gap(trace: &mut Trace, high: Num, low: Num) -> Num {
    let gap = trace.sub(high, low);
    trace.un(Un::Log, gap)
}

fn free_simplex(trace: &mut Trace, x: &[Num]) -> Vec<Num> {
    let n = x.len() - 1;
    let mut stick = x[n];
    let mut y = vec![Num::C(0.0); n];
    for k in (0..n).rev() {
        stick = trace.add(stick, x[k]);
        let share = trace.div(x[k], stick);
        let logit = trace.un(Un::Logit, share);
        y[k] = trace.add(logit, Num::C(((n - k) as f64).ln()));
    }
    y
}

fn free_sum_to_zero(trace: &mut Trace, x: &[Num]) -> Vec<Num> {
    let n = x.len() - 1;
    let mut y = vec![Num::C(0.0); n];
    let mut sum = Num::C(0.0);
    for i in (1..=n).rev() {
        let k = i as f64;
        let gap = trace.sub(sum, x[i]);
        let w = trace.div(gap, Num::C(k));
        y[i - 1] = trace.mul(w, Num::C((k * (k + 1.0)).sqrt()));
        sum = trace.add(sum, w);
    }
    y
}

fn free_one(trace: &mut Trace, element: &Element, elem: Elem, x: &[Num]) -> Vec<Num> {
    match (element, elem) {
        (Element::Ordered | Element::PositiveOrdered, _) => (0..x.len())
            .map(|i| match (i, *element == Element::Ordered) {
                (0, true) => x[0],
                (0, false) => trace.un(Un::Log, x[0]),
                _ => ln_gap(trace, x[i], x[i - 1]),
            })
            .collect(),
        (Element::Simplex, _) => free_simplex(trace, x),
        (Element::SumToZeroVector, _) => free_sum_to_zero(trace, x),
        (Element::SumToZeroMatrix, Elem::Matrix(r, _)) => {
            let rows: Vec<Vec<Num>> = (0..r).map(|i| free_sum_to_zero(trace, &row(x, i, r))).collect();
            let columns = 0..rows.first().map_or(0, Vec::len);
            let column = |j: usize| rows.iter().map(|row| row[j]).collect::<Vec<Num>>();
            columns.flat_map(|j| free_sum_to_zero(trace, &column(j))).collect()
        }
        (Element::ColumnStochasticMatrix, Elem::Matrix(r, _)) => {
            x.chunks(r).flat_map(|column| free_simplex(trace, column)).collect()
        }
        (Element::RowStochasticMatrix, Elem::Matrix(r, c)) => {
            let rows: Vec<Vec<Num>> = (0..r).map(|i| free_simplex(trace, &row(x, i, r))).collect();
            (0..c - 1).flat_map(|j| rows.iter().map(move |row| row[j])).collect()
        }
        (Element::CovMatrix, Elem::Matrix(k, _)) => {
            let l = trace.many(Op::Cholesky(k as u32), x, k * k);
            free_one(trace, &Element::CholeskyFactorCov, elem, &l)
        }
        (Element::CholeskyFactorCov, Elem::Matrix(m, k)) => (0..m)
            .flat_map(|i| (0..k.min(i + 1)).map(move |j| (i, j)))
            .map(|(i, j)| if i == j { trace.un(Un::Log, x[i + j * m]) } else { x[i + j * m] })
            .collect(),
        (Element::CholeskyFactorCorr, Elem::Matrix(k, _)) => {
            let mut y = vec![];
            for i in 1..k {
                let mut left = Num::C(1.0);
                for j in 0..i {
                    let x = x[i + j * k];
                    y.push(atanh_of(trace, x, left));
                    let square = trace.un(Un::Square, x);
                    left = trace.sub(left, square);
                }
            }
            y
        }
        (Element::CorrMatrix, Elem::Matrix(k, _)) => {
            let l = trace.many(Op::Cholesky(k as u32), x, k * k);
            let mut left = vec![Num::C(1.0); k];
            let mut y = vec![];
            for j in 0..k {
                for i in j + 1..k {
                    let x = l[i + j * k];
                    y.push(atanh_of(trace, x, left[i]));
                    let square = trace.un(Un::Square, x);
                    left[i] = trace.sub(left[i], square);
                }
            }
            y
        }
        _ => x.to_vec(),
    }
}

/// A row of a matrix with so many.
fn row(x: &[Num], i: usize, rows: usize) -> Vec<Num> {
    x.iter().skip(i).step_by(rows).copied().collect()
}

/// The unconstrained number of a factor's number, which is a correlation times the root of what is left.
fn atanh_of(trace: &mut Trace, x: Num, left: Num) -> Num {
    let root = trace.un(Un::Sqrt, left);
    let correlation = trace.div(x, root);
    trace.un(Un::Atanh, correlation)
}
