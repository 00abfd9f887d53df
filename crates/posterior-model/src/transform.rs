//! From unconstrained numbers to constrained values and back: Stan's maps, with their ln |Jacobian|.

mod free;

pub(crate) use free::free;

use posterior_stan::{Element, SizedType};

use crate::op::{Op, Un};
use crate::trace::Trace;
use crate::value::{Elem, Num, Shape, Value};

/// Bounds of a declaration, evaluated.
#[derive(Debug, Clone, Default)]
pub(crate) struct Limits {
    pub(crate) lower: Option<Value>,
    pub(crate) upper: Option<Value>,
    pub(crate) offset: Option<Value>,
    pub(crate) multiplier: Option<Value>,
}

/// How many unconstrained numbers one element of the type has.
pub(crate) fn free_len(element: &Element, elem: Elem) -> usize {
    let n = elem.len();
    match (element, elem) {
        (Element::Simplex | Element::SumToZeroVector, _) => n.saturating_sub(1),
        (Element::SumToZeroMatrix, Elem::Matrix(r, c)) => r.saturating_sub(1) * c.saturating_sub(1),
        (Element::CholeskyFactorCorr | Element::CorrMatrix, Elem::Matrix(k, _)) => {
            k * k.saturating_sub(1) / 2
        }
        (Element::CovMatrix, Elem::Matrix(k, _)) => k * (k + 1) / 2,
        (Element::CholeskyFactorCov, Elem::Matrix(m, k)) => k * (k + 1) / 2 + m.saturating_sub(k) * k,
        (Element::ColumnStochasticMatrix, Elem::Matrix(r, c)) => r.saturating_sub(1) * c,
        (Element::RowStochasticMatrix, Elem::Matrix(r, c)) => c.saturating_sub(1) * r,
        _ if is_complex(element) => 2 * n,
        _ => n,
    }
}

/// How many unconstrained numbers a variable has that is declared so, with the sizes of this value.
pub(crate) fn free_numbers(sized: &SizedType, like: &Value) -> usize {
    match (&sized.element, like) {
        (_, Value::List(all)) => all.iter().map(|one| free_numbers(sized, one)).sum(),
        (Element::Tuple(types), Value::Tuple(members)) => {
            types.iter().zip(members).map(|(of, one)| free_numbers(of, one)).sum()
        }
        _ => {
            let Shape { dims, elem } = like.shape();
            free_len(&sized.element, elem) * dims.iter().product::<usize>()
        }
    }
}

fn limit(value: Option<&Value>, at: usize) -> Option<Num> {
    let value = value?;
    match value {
        Value::Reals(tensor) => Some(tensor.data[at]),
        Value::Ints(ints) => Some(Num::C(ints.data[at] as f64)),
        Value::Int(i) => Some(Num::C(*i as f64)),
        Value::Real(x) => Some(*x),
        _ => None,
    }
}

const fn is(x: Option<Num>, what: f64) -> bool {
    matches!(x, Some(Num::C(c)) if c == what)
}

/// Whether the type has no structure beyond bounds.
pub(crate) const fn is_plain(element: &Element) -> bool {
    matches!(element, Element::Real | Element::Vector | Element::RowVector | Element::Matrix)
}

/// Whether the numbers of the type are pairs.
pub(crate) const fn is_complex(element: &Element) -> bool {
    matches!(
        element,
        Element::Complex | Element::ComplexVector | Element::ComplexRowVector | Element::ComplexMatrix
    )
}

/// A constrained value of the unconstrained numbers; terms of the ln |Jacobian| are added to `jacobian`.
pub(crate) fn constrain(
    trace: &mut Trace,
    element: &Element,
    shape: &Shape,
    limits: &Limits,
    free: &[Num],
    jacobian: &mut Vec<Num>,
) -> Value {
    if is_complex(element) {
        return Value::of_pairs(shape, free);
    }
    let mut data = Vec::with_capacity(shape.len());
    if is_plain(element) {
        for (at, &x) in free.iter().enumerate() {
            data.push(scalar(trace, limits, at, x, jacobian));
        }
        return Value::tensor(shape.clone(), data);
    }
    let len = free_len(element, shape.elem);
    let count: usize = shape.dims.iter().product();
    for i in 0..count {
        let y = &free[i * len..(i + 1) * len];
        data.extend(structured(trace, element, shape.elem, y, jacobian));
    }
    Value::tensor(shape.clone(), data)
}

fn scalar(trace: &mut Trace, limits: &Limits, at: usize, x: Num, jacobian: &mut Vec<Num>) -> Num {
    let lower = limit(limits.lower.as_ref(), at).filter(|x| !is(Some(*x), f64::NEG_INFINITY));
    let upper = limit(limits.upper.as_ref(), at).filter(|x| !is(Some(*x), f64::INFINITY));
    match (lower, upper) {
        (Some(low), Some(high)) => {
            let width = trace.sub(high, low);
            let share = trace.un(Un::InvLogit, x);
            jacobian.push(trace.un(Un::Log, width));
            jacobian.push(trace.un(Un::LogInvLogit, x));
            jacobian.push(trace.un(Un::Log1mInvLogit, x));
            let scaled = trace.mul(width, share);
            trace.add(scaled, low)
        }
        (Some(low), None) => {
            jacobian.push(x);
            let e = trace.un(Un::Exp, x);
            trace.add(e, low)
        }
        (None, Some(high)) => {
            jacobian.push(x);
            let e = trace.un(Un::Exp, x);
            trace.sub(high, e)
        }
        (None, None) => {
            let mut y = x;
            if let Some(by) = limit(limits.multiplier.as_ref(), at) {
                jacobian.push(trace.un(Un::Log, by));
                y = trace.mul(y, by);
            }
            match limit(limits.offset.as_ref(), at) {
                Some(offset) => trace.add(y, offset),
                None => y,
            }
        }
    }
}

fn structured(
    trace: &mut Trace,
    element: &Element,
    elem: Elem,
    y: &[Num],
    jacobian: &mut Vec<Num>,
) -> Vec<Num> {
    match (element, elem) {
        (Element::Ordered | Element::PositiveOrdered, _) => {
            let mut all: Vec<Num> = vec![];
            for (i, &y) in y.iter().enumerate() {
                if i == 0 && *element == Element::Ordered {
                    all.push(y);
                    continue;
                }
                jacobian.push(y);
                let e = trace.un(Un::Exp, y);
                let next = if i == 0 { e } else { trace.add(all[i - 1], e) };
                all.push(next);
            }
            all
        }
        (Element::Simplex, _) => simplex(trace, y, jacobian),
        (Element::UnitVector, _) => {
            let square = trace.dot(y, y);
            let norm = trace.un(Un::Sqrt, square);
            jacobian.push(trace.mul(Num::C(-0.5), square));
            y.iter().map(|&y| trace.div(y, norm)).collect()
        }
        (Element::SumToZeroVector, _) => sum_to_zero(trace, y),
        (Element::SumToZeroMatrix, Elem::Matrix(r, c)) => {
            let inner = r.saturating_sub(1);
            let columns: Vec<Vec<Num>> = (0..c.saturating_sub(1))
                .map(|j| sum_to_zero(trace, &y[j * inner..(j + 1) * inner]))
                .collect();
            let mut out = vec![Num::C(0.0); r * c];
            for i in 0..r {
                let row: Vec<Num> = columns.iter().map(|column| column[i]).collect();
                for (j, x) in sum_to_zero(trace, &row).into_iter().enumerate() {
                    out[i + j * r] = x;
                }
            }
            out
        }
        (Element::CholeskyFactorCorr, Elem::Matrix(k, _)) => cholesky_corr(trace, k, y, jacobian),
        (Element::CholeskyFactorCov, Elem::Matrix(m, k)) => {
            let l = lower_exp(trace, m, k, y);
            for i in 0..k.min(m) {
                jacobian.push(y[i * (i + 3) / 2]);
            }
            l
        }
        (Element::CovMatrix, Elem::Matrix(k, _)) => {
            let l = lower_exp(trace, k, k, y);
            jacobian.push(Num::C(k as f64 * std::f64::consts::LN_2));
            for i in 0..k {
                jacobian.push(trace.mul(Num::C((k - i + 1) as f64), y[i * (i + 3) / 2]));
            }
            self_product(trace, &l, k)
        }
        (Element::CorrMatrix, Elem::Matrix(k, _)) => {
            let l = corr_factor(trace, k, y, jacobian);
            let mut product = self_product(trace, &l, k);
            (0..k).for_each(|i| product[i + i * k] = Num::C(1.0));
            product
        }
        (Element::ColumnStochasticMatrix, Elem::Matrix(r, c)) => {
            let n = r.saturating_sub(1);
            (0..c).flat_map(|j| simplex(trace, &y[j * n..(j + 1) * n], jacobian)).collect()
        }
        (Element::RowStochasticMatrix, Elem::Matrix(r, c)) => {
            let n = c.saturating_sub(1);
            let mut out = vec![Num::C(0.0); r * c];
            for i in 0..r {
                let row: Vec<Num> = (0..n).map(|j| y[i + j * r]).collect();
                for (j, x) in simplex(trace, &row, jacobian).into_iter().enumerate() {
                    out[i + j * r] = x;
                }
            }
            out
        }
        _ => y.to_vec(),
    }
}

/// Sticks broken one after another.
fn simplex(trace: &mut Trace, y: &[Num], jacobian: &mut Vec<Num>) -> Vec<Num> {
    let mut all = trace.many(Op::Sticks, y, y.len() + 2);
    jacobian.extend(all.pop());
    all
}

fn sum_to_zero(trace: &mut Trace, y: &[Num]) -> Vec<Num> {
    let n = y.len();
    let mut z = vec![Num::C(0.0); n + 1];
    let mut sum = Num::C(0.0);
    for i in (1..=n).rev() {
        let k = i as f64;
        let w = trace.mul(y[i - 1], Num::C(1.0 / (k * (k + 1.0)).sqrt()));
        sum = trace.add(sum, w);
        z[i - 1] = trace.add(z[i - 1], sum);
        let taken = trace.mul(w, Num::C(k));
        z[i] = trace.sub(z[i], taken);
    }
    z
}

fn lower_exp(trace: &mut Trace, rows: usize, cols: usize, y: &[Num]) -> Vec<Num> {
    let mut l = vec![Num::C(0.0); rows * cols];
    let mut at = 0;
    for i in 0..rows {
        for j in 0..cols.min(i + 1) {
            l[i + j * rows] = if i == j { trace.un(Un::Exp, y[at]) } else { y[at] };
            at += 1;
        }
    }
    l
}

/// L Lᵀ, the halves equal.
pub(crate) fn self_product(trace: &mut Trace, l: &[Num], k: usize) -> Vec<Num> {
    let mut out = vec![Num::C(0.0); k * k];
    for i in 0..k {
        for j in 0..=i {
            let a: Vec<Num> = (0..=j).map(|p| l[i + p * k]).collect();
            let b: Vec<Num> = (0..=j).map(|p| l[j + p * k]).collect();
            let x = trace.dot(&a, &b);
            out[i + j * k] = x;
            out[j + i * k] = x;
        }
    }
    out
}

fn correlations(trace: &mut Trace, y: &[Num], jacobian: &mut Vec<Num>) -> Vec<Num> {
    y.iter()
        .map(|&y| {
            let z = trace.un(Un::Tanh, y);
            let square = trace.un(Un::Square, z);
            jacobian.push(trace.un(Un::Log1m, square));
            z
        })
        .collect()
}

fn cholesky_corr(trace: &mut Trace, k: usize, y: &[Num], jacobian: &mut Vec<Num>) -> Vec<Num> {
    let z = correlations(trace, y, jacobian);
    let mut l = vec![Num::C(0.0); k * k];
    let mut at = 0;
    for i in 0..k {
        let mut squares = Num::C(0.0);
        for j in 0..i {
            let x = if j == 0 {
                z[at]
            } else {
                let half = trace.un(Un::Log1m, squares);
                jacobian.push(trace.mul(Num::C(0.5), half));
                let left = trace.sub(Num::C(1.0), squares);
                let root = trace.un(Un::Sqrt, left);
                trace.mul(z[at], root)
            };
            at += 1;
            let square = trace.un(Un::Square, x);
            squares = trace.add(squares, square);
            l[i + j * k] = x;
        }
        let left = trace.sub(Num::C(1.0), squares);
        l[i + i * k] = trace.un(Un::Sqrt, left);
    }
    l
}

fn corr_factor(trace: &mut Trace, k: usize, y: &[Num], jacobian: &mut Vec<Num>) -> Vec<Num> {
    let z = correlations(trace, y, jacobian);
    let mut l = vec![Num::C(0.0); k * k];
    let mut left = vec![Num::C(1.0); k];
    let mut at = 0;
    for j in 0..k {
        l[j + j * k] = trace.un(Un::Sqrt, left[j]);
        for i in j + 1..k {
            let root = trace.un(Un::Sqrt, left[i]);
            l[i + j * k] = trace.mul(z[at], root);
            let square = trace.un(Un::Square, z[at]);
            let rest = trace.sub(Num::C(1.0), square);
            left[i] = trace.mul(left[i], rest);
            if j + 2 < k {
                let ln = trace.un(Un::Log1m, square);
                jacobian.push(trace.mul(Num::C(0.5 * (k - j - 2) as f64), ln));
            }
            at += 1;
        }
    }
    l
}
