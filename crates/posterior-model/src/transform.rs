//! From unconstrained numbers to constrained values and back: Stan's maps, with their ln |Jacobian|.

use posterior_stan::{Element, SizedType};

use crate::fault::Fault;
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

/// Unconstrained numbers of a constrained value: the inverse of [`constrain`].
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
