//! Containers: sizes, making, joining, cutting.

use super::{Group, count, int, int_of, real};
use crate::fault::Fault;
use crate::value::{Elem, Num, Pick, Shape, Value, select};

use super::arithmetic::extent;

pub(crate) const GROUP: Group = &[
    ("rows", |_, values| Ok(Value::Int(int_of(extent(&values[0]).0)))),
    ("cols", |_, values| Ok(Value::Int(int_of(extent(&values[0]).1)))),
    ("num_elements", |_, values| Ok(Value::Int(int_of(values[0].shape().len())))),
    ("dims", |_, values| {
        let sizes = values[0].shape().sizes();
        Ok(Value::ints(vec![sizes.len()], sizes.into_iter().map(int_of).collect()))
    }),
    ("rep_vector", |_, values| Ok(Value::vector(vec![real(&values[0])?; count(&values[1])?]))),
    ("rep_row_vector", |_, values| Ok(Value::row(vec![real(&values[0])?; count(&values[1])?]))),
    ("rep_matrix", |_, values| match (values, values[0].shape().elem) {
        ([x, r, c], _) => {
            let (r, c) = (count(r)?, count(c)?);
            Ok(Value::matrix(r, c, vec![real(x)?; r * c]))
        }
        ([x, n], Elem::Row(c)) => {
            let n = count(n)?;
            Ok(Value::matrix(n, c, x.nums().into_iter().flat_map(|x| std::iter::repeat_n(x, n)).collect()))
        }
        ([x, n], _) => {
            let (x, n) = (x.nums(), count(n)?);
            Ok(Value::matrix(x.len(), n, x.repeat(n)))
        }
        _ => Err(Fault::new("two or three arguments are wanted")),
    }),
    ("rep_array", |_, values| {
        let sizes = values[1..].iter().map(count).collect::<Result<Vec<_>, _>>()?;
        let total: usize = sizes.iter().product();
        if let Value::Tuple(_) | Value::List(_) = values[0] {
            return Ok(Value::List(vec![values[0].clone(); total]));
        }
        let Shape { dims, elem } = values[0].shape();
        let dims = sizes.into_iter().chain(dims).collect();
        if values[0].is_int() {
            return Ok(Value::ints(dims, values[0].int_list().repeat(total)));
        }
        Ok(Value::tensor(Shape { dims, elem }, values[0].nums().repeat(total)))
    }),
    ("zeros_vector", |_, values| Ok(Value::vector(vec![Num::C(0.0); count(&values[0])?]))),
    ("ones_vector", |_, values| Ok(Value::vector(vec![Num::C(1.0); count(&values[0])?]))),
    ("zeros_row_vector", |_, values| Ok(Value::row(vec![Num::C(0.0); count(&values[0])?]))),
    ("ones_row_vector", |_, values| Ok(Value::row(vec![Num::C(1.0); count(&values[0])?]))),
    ("zeros_array", |_, values| Ok(Value::array(vec![Num::C(0.0); count(&values[0])?]))),
    ("ones_array", |_, values| Ok(Value::array(vec![Num::C(1.0); count(&values[0])?]))),
    ("zeros_int_array", |_, values| count(&values[0]).map(|n| Value::ints(vec![n], vec![0; n]))),
    ("ones_int_array", |_, values| count(&values[0]).map(|n| Value::ints(vec![n], vec![1; n]))),
    ("uniform_simplex", |_, values| {
        let n = count(&values[0])?;
        Ok(Value::vector(vec![Num::C(1.0 / n as f64); n]))
    }),
    ("one_hot_vector", |_, values| one_hot(values).map(Value::vector)),
    ("one_hot_row_vector", |_, values| one_hot(values).map(Value::row)),
    ("one_hot_array", |_, values| one_hot(values).map(Value::array)),
    ("linspaced_vector", |_, values| linspaced(values).map(Value::vector)),
    ("linspaced_row_vector", |_, values| linspaced(values).map(Value::row)),
    ("linspaced_array", |_, values| linspaced(values).map(Value::array)),
    ("linspaced_int_array", |_, values| {
        let (n, low, high) = (count(&values[0])?, int(&values[1])?, int(&values[2])?);
        let step = if n > 1 { (high - low) / (int_of(n) - 1) } else { 0 };
        let first = if n == 1 { high } else { low };
        Ok(Value::ints(vec![n], (0..int_of(n)).map(|i| first + i * step).collect()))
    }),
    ("identity_matrix", |_, values| {
        let n = count(&values[0])?;
        let data = (0..n * n).map(|at| Num::C(f64::from(at % n == at / n))).collect();
        Ok(Value::matrix(n, n, data))
    }),
    ("to_vector", |_, values| Ok(flat(&values[0], |n| Shape::plain(Elem::Vector(n))))),
    ("to_row_vector", |_, values| Ok(flat(&values[0], |n| Shape::plain(Elem::Row(n))))),
    ("to_array_1d", |_, values| match &values[0] {
        Value::Ints(ints) => Ok(Value::ints(vec![ints.data.len()], ints.data.to_vec())),
        other => Ok(flat(other, |n| Shape { dims: vec![n], elem: Elem::Scalar })),
    }),
    ("to_array_2d", |_, values| {
        let (r, c) = extent(&values[0]);
        let all = values[0].nums();
        let data = (0..r).flat_map(|i| (0..c).map(move |j| i + j * r)).map(|at| all[at]).collect();
        Ok(Value::tensor(Shape { dims: vec![r, c], elem: Elem::Scalar }, data))
    }),
    ("to_matrix", to_matrix),
    ("append_row", |_, values| {
        let (a, b) = (&values[0], &values[1]);
        let ((r1, c1), (r2, c2)) = (extent(a), extent(b));
        if c1 == 1
            && c2 == 1
            && !matches!((a.shape().elem, b.shape().elem), (Elem::Matrix(..), Elem::Matrix(..)))
        {
            return Ok(Value::vector(a.nums().into_iter().chain(b.nums()).collect()));
        }
        if c1 != c2 {
            return Err(Fault::new(format!("{c1} and {c2} columns")));
        }
        let (x, y) = (a.nums(), b.nums());
        let data = (0..c1)
            .flat_map(|j| {
                x[j * r1..(j + 1) * r1].iter().chain(&y[j * r2..(j + 1) * r2]).copied().collect::<Vec<_>>()
            })
            .collect();
        Ok(Value::matrix(r1 + r2, c1, data))
    }),
    ("append_col", |_, values| {
        let (a, b) = (&values[0], &values[1]);
        let ((r1, c1), (r2, c2)) = (extent(a), extent(b));
        let data: Vec<Num> = a.nums().into_iter().chain(b.nums()).collect();
        let row = |value: &Value| matches!(value.shape().elem, Elem::Row(_) | Elem::Scalar);
        if row(a) && row(b) {
            return Ok(Value::row(data));
        }
        if r1 != r2 {
            return Err(Fault::new(format!("{r1} and {r2} rows")));
        }
        Ok(Value::matrix(r1, c1 + c2, data))
    }),
    ("append_array", |_, values| {
        let (a, b) = (&values[0], &values[1]);
        if a.is_int() && b.is_int() {
            let mut dims = a.shape().dims;
            dims[0] += b.shape().dims[0];
            return Ok(Value::ints(dims, a.int_list().into_iter().chain(b.int_list()).collect()));
        }
        let (one, other) = (a.shape(), b.shape());
        let mut dims = if one.len() == 0 { other.dims.clone() } else { one.dims.clone() };
        dims[0] = one.dims[0] + other.dims[0];
        let elem = if one.len() == 0 { other.elem } else { one.elem };
        Ok(Value::tensor(Shape { dims, elem }, a.nums().into_iter().chain(b.nums()).collect()))
    }),
    ("head", |_, values| first_axis(&values[0], 0, count(&values[1])?)),
    ("tail", |_, values| {
        let (n, take) = (values[0].shape().sizes()[0], count(&values[1])?);
        first_axis(
            &values[0],
            n.checked_sub(take).ok_or_else(|| Fault::reject("a tail that is too long"))?,
            take,
        )
    }),
    ("segment", |_, values| first_axis(&values[0], place(&values[1])?, count(&values[2])?)),
    ("reverse", |_, values| {
        let n = values[0].shape().sizes()[0];
        take(&values[0], &[Pick::Many((0..n).rev().collect())])
    }),
    ("row", |_, values| take(&values[0], &[Pick::One(place(&values[1])?)])),
    ("col", |_, values| {
        let r = extent(&values[0]).0;
        take(&values[0], &[Pick::Many((0..r).collect()), Pick::One(place(&values[1])?)])
    }),
    ("sub_col", |_, values| {
        let (i, j, n) = (place(&values[1])?, place(&values[2])?, count(&values[3])?);
        take(&values[0], &[Pick::Many((i..i + n).collect()), Pick::One(j)])
    }),
    ("sub_row", |_, values| {
        let (i, j, n) = (place(&values[1])?, place(&values[2])?, count(&values[3])?);
        take(&values[0], &[Pick::One(i), Pick::Many((j..j + n).collect())])
    }),
    ("block", |_, values| {
        let (i, j) = (place(&values[1])?, place(&values[2])?);
        let (r, c) = (count(&values[3])?, count(&values[4])?);
        take(&values[0], &[Pick::Many((i..i + r).collect()), Pick::Many((j..j + c).collect())])
    }),
    ("transpose", |_, values| super::arithmetic::transpose(&values[0])),
    ("num_chains", |_, _| Ok(Value::Int(1))),
];

fn flat(value: &Value, shape: impl Fn(usize) -> Shape) -> Value {
    let n = value.shape().len();
    value.reshaped(shape(n))
}

/// A place from 1, counted from 0.
fn place(value: &Value) -> Result<usize, Fault> {
    count(value)?.checked_sub(1).ok_or_else(|| Fault::reject("index 0 is out of range"))
}

fn first_axis(value: &Value, from: usize, n: usize) -> Result<Value, Fault> {
    take(value, &[Pick::Many((from..from + n).collect())])
}

fn take(value: &Value, picks: &[Pick]) -> Result<Value, Fault> {
    let shape = value.shape();
    for (pick, size) in picks.iter().zip(shape.sizes()) {
        let largest = match pick {
            Pick::One(at) => Some(*at),
            Pick::Many(all) => all.iter().copied().max(),
        };
        if largest.is_some_and(|at| at >= size) {
            return Err(Fault::reject(format!(
                "index {} is out of range: there are {size}",
                largest.unwrap_or(0) + 1
            )));
        }
    }
    let (positions, part) = select(&shape, picks);
    if value.is_int() {
        let all = value.int_list();
        return Ok(Value::ints(part.dims, positions.into_iter().map(|at| all[at]).collect()));
    }
    let all = value.nums();
    Ok(Value::tensor(part, positions.into_iter().map(|at| all[at]).collect()))
}

fn one_hot(values: &[Value]) -> Result<Vec<Num>, Fault> {
    let (n, at) = (count(&values[0])?, place(&values[1])?);
    Ok((0..n).map(|i| Num::C(f64::from(i == at))).collect())
}

fn linspaced(values: &[Value]) -> Result<Vec<Num>, Fault> {
    let n = count(&values[0])?;
    let (Num::C(low), Num::C(high)) = (real(&values[1])?, real(&values[2])?) else {
        return Err(Fault::new("data are wanted"));
    };
    let step = (high - low) / (n as f64 - 1.0);
    Ok((0..n).map(|i| Num::C(if i + 1 == n { high } else { low + step * i as f64 })).collect())
}

fn to_matrix(_: &mut crate::machine::Machine, values: &[Value]) -> Result<Value, Fault> {
    let all = values[0].nums();
    let shape = values[0].shape();
    if values.len() >= 3 {
        let (r, c) = (count(&values[1])?, count(&values[2])?);
        if r * c != all.len() {
            return Err(Fault::new(format!("{} numbers for {r} × {c}", all.len())));
        }
        if values.get(3).is_some_and(|by| int(by).is_ok_and(|by| by == 0)) {
            let data = (0..c).flat_map(|j| (0..r).map(move |i| i * c + j)).map(|at| all[at]).collect();
            return Ok(Value::matrix(r, c, data));
        }
        return Ok(Value::matrix(r, c, all));
    }
    let sizes = shape.sizes();
    match (shape.dims.len(), shape.elem) {
        (0, Elem::Matrix(..)) => Ok(values[0].clone()),
        (0, _) => {
            let (r, c) = extent(&values[0]);
            Ok(Value::matrix(r, c, all))
        }
        _ if sizes.len() == 2 => {
            let (r, c) = (sizes[0], sizes[1]);
            let data = (0..c).flat_map(|j| (0..r).map(move |i| i * c + j)).map(|at| all[at]).collect();
            Ok(Value::matrix(r, c, data))
        }
        _ => Err(Fault::new("a container of two sizes is wanted")),
    }
}
