//! Operations on matrices, held by columns, and their adjoints.

use posterior_math::linalg::DMatrix;

use super::Op;

/// Writes the values; NaN where a matrix has no factor.
pub(crate) fn forward(op: Op, x: &[f64], out: &mut [f64]) {
    match op {
        Op::MatMul(m, k, n) => {
            let (a, b) = x.split_at((m * k) as usize);
            multiply(a, b, m as usize, k as usize, n as usize, out);
        }
        Op::Cholesky(n) => cholesky(x, n as usize, out),
        Op::SolveLower(n, _) => {
            let (l, b) = x.split_at((n * n) as usize);
            out.copy_from_slice(b);
            solve_lower(l, n as usize, out);
        }
        Op::SolveLowerTransposed(n, _) => {
            let (l, b) = x.split_at((n * n) as usize);
            out.copy_from_slice(b);
            solve_lower_transposed(l, n as usize, out);
        }
        Op::Solve(n, m) => {
            let (a, b) = x.split_at((n * n) as usize);
            let a = DMatrix::from_column_slice(n as usize, n as usize, a);
            match a.lu().solve(&DMatrix::from_column_slice(n as usize, m as usize, b)) {
                Some(solution) => out.copy_from_slice(solution.as_slice()),
                None => out.fill(f64::NAN),
            }
        }
        Op::LogDet(n) => out[0] = ln_abs_det(x, n as usize),
        Op::Det(n) => out[0] = DMatrix::from_column_slice(n as usize, n as usize, x).lu().determinant(),
        Op::MatrixExp(n) => exponential(x, n as usize, out),
        Op::EigenSym(n) => eigen(x, n as usize, out),
        _ => out.fill(f64::NAN),
    }
}

/// Adds to the adjoints of the inputs.
pub(crate) fn backward(op: Op, x: &[f64], y: &[f64], dy: &[f64], dx: &mut [f64]) {
    match op {
        Op::MatMul(m, k, n) => {
            let (m, k, n) = (m as usize, k as usize, n as usize);
            let (a, b) = x.split_at(m * k);
            let (da, db) = dx.split_at_mut(m * k);
            multiply_left_adjoint(b, dy, (m, k, n), da);
            multiply_right_adjoint(a, dy, (m, k, n), db);
        }
        Op::Cholesky(n) => cholesky_adjoint(y, dy, n as usize, dx),
        Op::SolveLower(n, m) => {
            let (n, m) = (n as usize, m as usize);
            let mut g = dy.to_vec();
            solve_lower_transposed(&x[..n * n], n, &mut g);
            for c in 0..m {
                for j in 0..n {
                    for i in j..n {
                        dx[i + j * n] -= g[i + c * n] * y[j + c * n];
                    }
                }
            }
            add(&mut dx[n * n..], &g);
        }
        Op::SolveLowerTransposed(n, m) => {
            let (n, m) = (n as usize, m as usize);
            let mut g = dy.to_vec();
            solve_lower(&x[..n * n], n, &mut g);
            for c in 0..m {
                for j in 0..n {
                    for i in j..n {
                        dx[i + j * n] -= y[i + c * n] * g[j + c * n];
                    }
                }
            }
            add(&mut dx[n * n..], &g);
        }
        Op::Solve(n, m) => {
            let (n, m) = (n as usize, m as usize);
            let a = DMatrix::from_column_slice(n, n, &x[..n * n]).transpose();
            let Some(g) = a.lu().solve(&DMatrix::from_column_slice(n, m, dy)) else {
                dx.fill(f64::NAN);
                return;
            };
            let product = -&g * DMatrix::from_column_slice(n, m, y).transpose();
            add(&mut dx[..n * n], product.as_slice());
            add(&mut dx[n * n..], g.as_slice());
        }
        Op::LogDet(n) => {
            let n = n as usize;
            match DMatrix::from_column_slice(n, n, x).try_inverse() {
                Some(inverse) => {
                    let inverse = inverse.transpose();
                    dx.iter_mut().zip(inverse.as_slice()).for_each(|(d, a)| *d += dy[0] * a);
                }
                None => dx.fill(f64::NAN),
            }
        }
        Op::Det(n) => det_adjoint(x, dy[0], n as usize, dx),
        Op::MatrixExp(n) => exponential_adjoint(x, dy, n as usize, dx),
        Op::EigenSym(n) => eigen_adjoint(y, dy, n as usize, dx),
        _ => dx.fill(f64::NAN),
    }
}

fn add(to: &mut [f64], what: &[f64]) {
    to.iter_mut().zip(what).for_each(|(to, what)| *to += what);
}

/// a b, of m × k and k × n.
pub(crate) fn multiply(a: &[f64], b: &[f64], m: usize, k: usize, n: usize, out: &mut [f64]) {
    out.fill(0.0);
    if m == 1 {
        for j in 0..n {
            out[j] = dot(a, &b[j * k..(j + 1) * k]);
        }
        return;
    }
    for j in 0..n {
        let column = &mut out[j * m..(j + 1) * m];
        let mut p = 0;
        while p + 4 <= k {
            let (b0, b1, b2, b3) = (b[p + j * k], b[p + 1 + j * k], b[p + 2 + j * k], b[p + 3 + j * k]);
            let (a0, rest) = a[p * m..(p + 4) * m].split_at(m);
            let (a1, rest) = rest.split_at(m);
            let (a2, a3) = rest.split_at(m);
            for i in 0..m {
                column[i] += (a0[i] * b0 + a1[i] * b1) + (a2[i] * b2 + a3[i] * b3);
            }
            p += 4;
        }
        for p in p..k {
            let factor = b[p + j * k];
            column.iter_mut().zip(&a[p * m..]).for_each(|(c, a)| *c += a * factor);
        }
    }
}

/// Adds dy bᵀ.
pub(crate) fn multiply_left_adjoint(b: &[f64], dy: &[f64], size: (usize, usize, usize), da: &mut [f64]) {
    let (m, k, n) = size;
    for j in 0..n {
        for p in 0..k {
            let factor = b[p + j * k];
            let column = &dy[j * m..(j + 1) * m];
            da[p * m..(p + 1) * m].iter_mut().zip(column).for_each(|(d, g)| *d += g * factor);
        }
    }
}

/// Adds aᵀ dy.
pub(crate) fn multiply_right_adjoint(a: &[f64], dy: &[f64], size: (usize, usize, usize), db: &mut [f64]) {
    let (m, k, n) = size;
    for j in 0..n {
        let column = &dy[j * m..(j + 1) * m];
        for p in 0..k {
            db[p + j * k] += dot(&a[p * m..(p + 1) * m], column);
        }
    }
}

/// The sum of products, in four partial sums.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (quads, others) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = quads.remainder().iter().zip(others.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in quads.zip(others) {
        for i in 0..4 {
            sums[i] += a[i] * b[i];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

fn cholesky(a: &[f64], n: usize, l: &mut [f64]) {
    l.fill(0.0);
    for j in 0..n {
        for i in j..n {
            l[i + j * n] = a[i + j * n];
        }
    }
    for j in 0..n {
        for p in 0..j {
            let factor = l[j + p * n];
            if factor != 0.0 {
                let (before, column) = l.split_at_mut(j * n);
                let source = &before[p * n + j..p * n + n];
                column[j..n].iter_mut().zip(source).for_each(|(c, s)| *c -= s * factor);
            }
        }
        let pivot = l[j + j * n];
        if !(pivot > 0.0) {
            l.fill(f64::NAN);
            return;
        }
        let root = pivot.sqrt();
        l[j * n + j..j * n + n].iter_mut().for_each(|x| *x /= root);
    }
}

/// Adds to the lower triangle of A, as if A had no other.
fn cholesky_adjoint(l: &[f64], dl: &[f64], n: usize, da: &mut [f64]) {
    // Backwards through the columns, in place.
    let mut g = dl.to_vec();
    for j in (0..n).rev() {
        let pivot = l[j + j * n];
        let mut on_pivot = g[j + j * n];
        for i in j + 1..n {
            g[i + j * n] /= pivot;
            on_pivot -= g[i + j * n] * l[i + j * n];
        }
        g[j + j * n] = 0.5 * on_pivot / pivot;
        for p in 0..j {
            let mut sum = 0.0;
            let factor = l[j + p * n];
            for i in j..n {
                sum += g[i + j * n] * l[i + p * n];
                g[i + p * n] -= g[i + j * n] * factor;
            }
            g[j + p * n] -= sum;
        }
        for i in j..n {
            da[i + j * n] += g[i + j * n];
        }
    }
}

fn solve_lower(l: &[f64], n: usize, b: &mut [f64]) {
    for column in b.chunks_exact_mut(n.max(1)) {
        for j in 0..n {
            column[j] /= l[j + j * n];
            let x = column[j];
            for i in j + 1..n {
                column[i] -= l[i + j * n] * x;
            }
        }
    }
}

fn solve_lower_transposed(l: &[f64], n: usize, b: &mut [f64]) {
    for column in b.chunks_exact_mut(n.max(1)) {
        for j in (0..n).rev() {
            let sum: f64 = (j + 1..n).map(|i| l[i + j * n] * column[i]).sum();
            column[j] = (column[j] - sum) / l[j + j * n];
        }
    }
}

fn ln_abs_det(x: &[f64], n: usize) -> f64 {
    let lu = DMatrix::from_column_slice(n, n, x).lu();
    let u = lu.u();
    (0..n).map(|i| u[(i, i)].abs().ln()).sum()
}

fn eigen(x: &[f64], n: usize, out: &mut [f64]) {
    if x.iter().any(|x| !x.is_finite()) {
        out.fill(f64::NAN);
        return;
    }
    let parts = DMatrix::from_column_slice(n, n, x).symmetric_eigen();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| parts.eigenvalues[i].total_cmp(&parts.eigenvalues[j]));
    for (to, &from) in order.iter().enumerate() {
        out[to] = parts.eigenvalues[from];
        let column = parts.eigenvectors.column(from);
        out[n + to * n..n + (to + 1) * n].iter_mut().zip(column.iter()).for_each(|(o, v)| *o = *v);
    }
}

fn eigen_adjoint(y: &[f64], dy: &[f64], n: usize, dx: &mut [f64]) {
    let (w, v) = y.split_at(n);
    let (dw, dv) = dy.split_at(n);
    let vectors = DMatrix::from_column_slice(n, n, v);
    let mut inner = vectors.transpose() * DMatrix::from_column_slice(n, n, dv);
    for i in 0..n {
        for j in 0..n {
            inner[(i, j)] = if i == j { dw[i] } else { inner[(i, j)] / (w[j] - w[i]) };
        }
    }
    let gradient = &vectors * inner * vectors.transpose();
    add(dx, gradient.as_slice());
}

fn exponential(x: &[f64], n: usize, out: &mut [f64]) {
    match posterior_math::linalg::exponential(&DMatrix::from_column_slice(n, n, x)) {
        Ok(e) => out.copy_from_slice(e.as_slice()),
        Err(_) => out.fill(f64::NAN),
    }
}

/// The derivative in the direction of the adjoint, at the transpose: a block of the exponential of twice the
/// size (Mathias 1996).
fn exponential_adjoint(x: &[f64], dy: &[f64], n: usize, dx: &mut [f64]) {
    let turned = DMatrix::from_column_slice(n, n, x).transpose();
    let mut both = DMatrix::zeros(2 * n, 2 * n);
    both.view_mut((0, 0), (n, n)).copy_from(&turned);
    both.view_mut((n, n), (n, n)).copy_from(&turned);
    both.view_mut((0, n), (n, n)).copy_from(&DMatrix::from_column_slice(n, n, dy));
    match posterior_math::linalg::exponential(&both) {
        Ok(e) => add(dx, e.view((0, n), (n, n)).into_owned().as_slice()),
        Err(_) => dx.fill(f64::NAN),
    }
}

/// Cofactors: the determinants of what is left without a row and a column, where there is no inverse.
fn det_adjoint(x: &[f64], dy: f64, n: usize, dx: &mut [f64]) {
    let a = DMatrix::from_column_slice(n, n, x);
    let det = a.clone().lu().determinant();
    match a.clone().try_inverse().filter(|_| det != 0.0) {
        Some(inverse) => {
            let inverse = inverse.transpose();
            dx.iter_mut().zip(inverse.as_slice()).for_each(|(d, a)| *d += dy * det * a);
        }
        None => {
            for j in 0..n {
                for i in 0..n {
                    let minor = a.clone().remove_row(i).remove_column(j).lu().determinant();
                    dx[i + j * n] += dy * if (i + j) % 2 == 0 { minor } else { -minor };
                }
            }
        }
    }
}
