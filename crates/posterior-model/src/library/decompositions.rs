//! Decompositions of matrices, sparse matrices, exponentials and powers.

use posterior_math::linalg::DMatrix;

use super::arithmetic::{extent, product, transpose};
use super::matrices::{cholesky, identity, points, solve, square};
use super::{Group, count, int_of, real};
use crate::fault::Fault;
use crate::machine::Machine;
use crate::op::{Bin, Op, Un};
use crate::trace::Trace;
use crate::value::{Num, Value};

pub(crate) const GROUP: Group = &[
    ("determinant", |machine, values| {
        let n = square(&values[0])?;
        Ok(Value::Real(machine.trace.one(Op::Det(n as u32), &values[0].nums())))
    }),
    ("symmetrize_from_lower_tri", |_, values| {
        let (n, all) = (square(&values[0])?, values[0].nums());
        let place = |at: usize| (at % n).max(at / n) + (at % n).min(at / n) * n;
        Ok(Value::matrix(n, n, (0..n * n).map(|at| all[place(at)]).collect()))
    }),
    ("trace_gen_quad_form", |machine, values| {
        // tr(D Bᵀ A B) is the sum of the products of B Dᵀ and A B, element by element.
        let right = product(&mut machine.trace, &values[1], &values[2])?;
        let turned = transpose(&values[0])?;
        let left = product(&mut machine.trace, &values[2], &turned)?;
        Ok(Value::Real(machine.trace.dot(&left.nums(), &right.nums())))
    }),
    ("generalized_inverse", |machine, values| {
        let (r, c) = extent(&values[0]);
        let turned = transpose(&values[0])?;
        let tall = r >= c;
        let (a, at) = (&values[0], &turned);
        let gram =
            if tall { product(&mut machine.trace, at, a)? } else { product(&mut machine.trace, a, at)? };
        let n = r.min(c);
        let inputs: Vec<Num> = gram.nums().into_iter().chain(identity(n)).collect();
        let inverse = machine.trace.many(Op::Solve(n as u32, n as u32), &inputs, n * n);
        let inverse = Value::matrix(n, n, inverse);
        if tall {
            product(&mut machine.trace, &inverse, at)
        } else {
            product(&mut machine.trace, at, &inverse)
        }
    }),
    ("matrix_power", |machine, values| {
        let (n, power) = (square(&values[0])?, count(&values[1])?);
        let mut out = Value::matrix(n, n, identity(n));
        let (mut base, mut left) = (values[0].clone(), power);
        while left > 0 {
            if left % 2 == 1 {
                out = product(&mut machine.trace, &out, &base)?;
            }
            left /= 2;
            if left > 0 {
                base = product(&mut machine.trace, &base, &base)?;
            }
        }
        Ok(out)
    }),
    ("matrix_exp", |machine, values| matrix_exp(&mut machine.trace, &values[0])),
    ("matrix_exp_multiply", |machine, values| {
        let e = matrix_exp(&mut machine.trace, &values[0])?;
        product(&mut machine.trace, &e, &values[1])
    }),
    ("scale_matrix_exp_multiply", |machine, values| {
        let scaled = super::arithmetic::lift(&mut machine.trace, Bin::Mul, &values[0], &values[1])?;
        let e = matrix_exp(&mut machine.trace, &scaled)?;
        product(&mut machine.trace, &e, &values[2])
    }),
    ("qr_thin_Q", |machine, values| Ok(qr_thin(machine, &values[0])?.0)),
    ("qr_thin_R", |machine, values| Ok(qr_thin(machine, &values[0])?.1)),
    ("qr_thin", |machine, values| {
        let (q, r) = qr_thin(machine, &values[0])?;
        Ok(Value::Tuple(vec![q, r]))
    }),
    ("qr_Q", |machine, values| Ok(qr_fat(machine, &values[0])?.0)),
    ("qr_R", |machine, values| Ok(qr_fat(machine, &values[0])?.1)),
    ("qr", |machine, values| {
        let (q, r) = qr_fat(machine, &values[0])?;
        Ok(Value::Tuple(vec![q, r]))
    }),
    ("singular_values", |machine, values| Ok(svd(machine, &values[0])?.1)),
    ("svd_U", |machine, values| Ok(svd(machine, &values[0])?.0)),
    ("svd_V", |machine, values| Ok(svd(machine, &values[0])?.2)),
    ("svd", |machine, values| {
        let (u, s, v) = svd(machine, &values[0])?;
        Ok(Value::Tuple(vec![u, s, v]))
    }),
    ("eigendecompose_sym", |machine, values| {
        let n = square(&values[0])?;
        let all = machine.trace.many(Op::EigenSym(n as u32), &values[0].nums(), n + n * n);
        Ok(Value::Tuple(vec![Value::matrix(n, n, all[n..].to_vec()), Value::vector(all[..n].to_vec())]))
    }),
    ("csr_extract_w", |_, values| Ok(csr(&values[0]).0)),
    ("csr_extract_v", |_, values| Ok(csr(&values[0]).1)),
    ("csr_extract_u", |_, values| Ok(csr(&values[0]).2)),
    ("csr_extract", |_, values| {
        let (w, v, u) = csr(&values[0]);
        Ok(Value::Tuple(vec![w, v, u]))
    }),
    ("csr_matrix_times_vector", |machine, values| {
        let rows = compressed(&values[..5])?;
        let b = values[5].nums();
        if b.len() != count(&values[1])? {
            return Err(Fault::reject(format!("a vector of {} numbers", b.len())));
        }
        let mut out = vec![];
        for row in rows {
            let (w, own): (Vec<Num>, Vec<Num>) = row.into_iter().map(|(at, w)| (w, b[at])).unzip();
            out.push(machine.trace.dot(&w, &own));
        }
        Ok(Value::vector(out))
    }),
    ("csr_to_dense_matrix", |_, values| {
        let rows = compressed(&values[..5])?;
        let (m, n) = (count(&values[0])?, count(&values[1])?);
        let mut data = vec![Num::C(0.0); m * n];
        for (i, row) in rows.into_iter().enumerate() {
            for (j, w) in row {
                data[i + j * m] = w;
            }
        }
        Ok(Value::matrix(m, n, data))
    }),
    ("gp_dot_prod_cov", |machine, values| {
        let trace = &mut machine.trace;
        let (x, other) = (points(&values[0]), points(&values[values.len() - 2]));
        let sigma = real(&values[values.len() - 1])?;
        let square = trace.un(Un::Square, sigma);
        let mut data = vec![];
        for b in &other {
            for a in &x {
                let product = trace.dot(a, b);
                data.push(trace.add(square, product));
            }
        }
        Ok(Value::matrix(x.len(), other.len(), data))
    }),
    ("gp_periodic_cov", |machine, values| {
        let trace = &mut machine.trace;
        let [.., alpha, length, period] = values else { return Err(Fault::new("four arguments are wanted")) };
        let (x, other) = (points(&values[0]), points(&values[values.len() - 4]));
        let (alpha, length, period) = (real(alpha)?, real(length)?, real(period)?);
        let scale = trace.un(Un::Square, alpha);
        let squared = trace.un(Un::Square, length);
        let factor = trace.div(Num::C(-2.0), squared);
        let turn = trace.div(Num::C(std::f64::consts::PI), period);
        let mut data = vec![];
        for (j, b) in other.iter().enumerate() {
            for (i, a) in x.iter().enumerate() {
                // At a distance of zero the root has no derivative.
                if i == j && values.len() == 4 {
                    data.push(scale);
                    continue;
                }
                let gaps: Vec<Num> = a.iter().zip(b).map(|(a, b)| trace.sub(*a, *b)).collect();
                let square = trace.dot(&gaps, &gaps);
                let distance = trace.un(Un::Sqrt, square);
                let angle = trace.mul(turn, distance);
                let sine = trace.un(Un::Sin, angle);
                let own = trace.un(Un::Square, sine);
                let exponent = trace.mul(factor, own);
                let e = trace.un(Un::Exp, exponent);
                data.push(trace.mul(scale, e));
            }
        }
        Ok(Value::matrix(x.len(), other.len(), data))
    }),
];

fn matrix_exp(trace: &mut Trace, value: &Value) -> Result<Value, Fault> {
    let n = square(value)?;
    if n == 0 {
        return Ok(value.clone());
    }
    Ok(Value::matrix(n, n, trace.many(Op::MatrixExp(n as u32), &value.nums(), n * n)))
}

/// The numbers of a matrix, if all are known.
fn known(value: &Value) -> Option<DMatrix<f64>> {
    let (r, c) = extent(value);
    let numbers = value.nums().into_iter().map(|x| if let Num::C(x) = x { Some(x) } else { None });
    Some(DMatrix::from_vec(r, c, numbers.collect::<Option<Vec<f64>>>()?))
}

fn of_matrix(matrix: &DMatrix<f64>) -> Value {
    let data = matrix.iter().map(|x| Num::C(*x)).collect();
    Value::matrix(matrix.nrows(), matrix.ncols(), data)
}

/// Q with orthonormal columns and R with a positive diagonal. Of parameters by the Cholesky factor of AᵀA.
fn qr_thin(machine: &mut Machine, value: &Value) -> Result<(Value, Value), Fault> {
    let (r, c) = extent(value);
    if let Some(a) = known(value) {
        let (q, upper) = with_positive_diagonal(a.qr().unpack());
        return Ok((of_matrix(&q), of_matrix(&upper)));
    }
    if r < c {
        return Err(Fault::new(format!(
            "of parameters the matrix has no more columns than rows, not {r} × {c}"
        )));
    }
    let turned = transpose(value)?;
    let gram = product(&mut machine.trace, &turned, value)?;
    let lower = cholesky(&mut machine.trace, &gram.nums(), c);
    // Qᵀ = L⁻¹ Aᵀ.
    let q = solve(&mut machine.trace, Op::SolveLower, &lower, &turned.nums(), c);
    Ok((transpose(&turned.with(q))?, transpose(&Value::matrix(c, c, lower))?))
}

fn with_positive_diagonal((mut q, mut r): (DMatrix<f64>, DMatrix<f64>)) -> (DMatrix<f64>, DMatrix<f64>) {
    for i in 0..r.nrows().min(r.ncols()) {
        if r[(i, i)] < 0.0 {
            r.row_mut(i).neg_mut();
            q.column_mut(i).neg_mut();
        }
    }
    (q, r)
}

/// The whole Q, and R with zeros below.
fn qr_fat(machine: &mut Machine, value: &Value) -> Result<(Value, Value), Fault> {
    let (rows, cols) = extent(value);
    if rows <= cols && known(value).is_none() {
        return qr_thin(machine, value);
    }
    let Some(a) = known(value) else {
        return Err(Fault::new("the whole Q of a matrix of parameters is not executed: take `qr_thin`"));
    };
    // The columns of A, then those of the unit matrix: their Q begins with that of A.
    let mut wide = DMatrix::zeros(rows, cols + rows);
    wide.view_mut((0, 0), (rows, cols)).copy_from(&a);
    wide.view_mut((0, cols), (rows, rows)).fill_with_identity();
    let (q, _) = wide.qr().unpack();
    let r = q.tr_mul(&a).map_with_location(|i, j, x| if i > j { 0.0 } else { x });
    let (q, r) = with_positive_diagonal((q, r));
    Ok((of_matrix(&q), of_matrix(&r)))
}

/// U, the singular values in falling order, and V. Of parameters by the eigenvectors of the smaller of AᵀA
/// and AAᵀ.
fn svd(machine: &mut Machine, value: &Value) -> Result<(Value, Value, Value), Fault> {
    let (r, c) = extent(value);
    let n = r.min(c);
    if let Some(a) = known(value) {
        let parts = a.svd(true, true);
        let (Some(u), Some(v)) = (&parts.u, &parts.v_t) else {
            return Err(Fault::reject("no decomposition"));
        };
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&i, &j| parts.singular_values[j].total_cmp(&parts.singular_values[i]));
        let values = order.iter().map(|&i| Num::C(parts.singular_values[i])).collect();
        let (u, v) = (u.select_columns(&order), v.transpose().select_columns(&order));
        return Ok((of_matrix(&u), Value::vector(values), of_matrix(&v)));
    }
    let turned = transpose(value)?;
    let tall = r >= c;
    let (a, at) = if tall { (value, &turned) } else { (&turned, value) };
    let trace = &mut machine.trace;
    let gram = product(trace, at, a)?;
    let all = trace.many(Op::EigenSym(n as u32), &gram.nums(), n + n * n);
    let values: Vec<Num> = (0..n).rev().map(|i| trace.un(Un::Sqrt, all[i])).collect();
    let columns: Vec<Num> = (0..n).rev().flat_map(|i| all[n + i * n..n + (i + 1) * n].to_vec()).collect();
    let own = Value::matrix(n, n, columns);
    let image = product(trace, a, &own)?;
    let (rows, _) = extent(a);
    let mut other = image.nums();
    for (at, x) in other.iter_mut().enumerate() {
        *x = trace.div(*x, values[at / rows]);
    }
    let other = Value::matrix(rows, n, other);
    Ok(if tall { (other, Value::vector(values), own) } else { (own, Value::vector(values), other) })
}

/// Numbers that are not known to be zero, their columns, and where rows begin.
fn csr(value: &Value) -> (Value, Value, Value) {
    let (r, c) = extent(value);
    let all = value.nums();
    let (mut w, mut v, mut u) = (vec![], vec![], vec![1]);
    for i in 0..r {
        for j in 0..c {
            let x = all[i + j * r];
            if !matches!(x, Num::C(0.0)) {
                w.push(x);
                v.push(int_of(j) + 1);
            }
        }
        u.push(int_of(w.len()) + 1);
    }
    (Value::vector(w), Value::ints(vec![v.len()], v), Value::ints(vec![u.len()], u))
}

/// Columns of a row of a sparse matrix, and the numbers there.
type SparseRow = Vec<(usize, Num)>;

/// The rows of m, n, w, v, u.
fn compressed(values: &[Value]) -> Result<Vec<SparseRow>, Fault> {
    let (m, n, w) = (count(&values[0])?, count(&values[1])?, values[2].nums());
    let (v, u) = (values[3].int_list(), values[4].int_list());
    let wrong = |what: &str| Err(Fault::reject(format!("a sparse matrix whose {what}")));
    if u.len() != m + 1 || u.first() != Some(&1) || u.last() != Some(&(int_of(w.len()) + 1)) {
        return wrong("rows do not begin at 1 and end behind the last number");
    }
    if v.len() != w.len() || v.iter().any(|j| *j < 1 || *j > int_of(n)) {
        return wrong("columns are not those of its numbers");
    }
    if u.windows(2).any(|ends| ends[0] > ends[1]) {
        return wrong("rows are not in ascending order");
    }
    let row = |ends: &[i64]| {
        let range = ends[0] as usize - 1..ends[1] as usize - 1;
        range.map(|at| (v[at] as usize - 1, w[at])).collect()
    };
    Ok(u.windows(2).map(row).collect())
}
