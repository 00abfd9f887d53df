//! Changes of small Cholesky factors, in place: the lower triangle L of A = L Lᵀ, column after column.
//!
//! The same rotations as in `posterior_math::linalg::Cholesky`, without memory of their own.

/// How many entries the lower triangle of n rows has.
pub(super) const fn packed_len(size: usize) -> usize {
    size * (size + 1) / 2
}

/// A := A + v vᵀ by Givens rotations; v is used up.
pub(super) fn update(factor: &mut [f64], v: &mut [f64]) {
    let n = v.len();
    let mut rest = factor;
    for k in 0..n {
        let (column, after) = rest.split_at_mut(n - k);
        let length = column[0].hypot(v[k]);
        let (cosine, sine) = (column[0] / length, v[k] / length);
        for (entry, v) in column.iter_mut().zip(&mut v[k..]) {
            let rotated = cosine * *entry + sine * *v;
            *v = cosine * *v - sine * *entry;
            *entry = rotated;
        }
        column[0] = length;
        rest = after;
    }
}

/// A := A - v vᵀ by LINPACK's `dchdd`, where 1 - vᵀ A⁻¹ v is more than `least`; else says false, and leaves A
/// as it was. v is used up.
pub(super) fn downdate(factor: &mut [f64], v: &mut [f64], removed: &mut [f64], least: f64) -> bool {
    let n = v.len();
    half_solve(factor, v);
    let norm = v.iter().map(|v| v * v).sum::<f64>().sqrt();
    let value = (1.0 - norm) * (1.0 + norm);
    if !(value > least) {
        return false;
    }
    removed.fill(0.0);
    let mut left = value.sqrt();
    let mut end = factor.len();
    for k in (0..n).rev() {
        let begin = end - (n - k);
        let next = left.hypot(v[k]);
        let (cosine, sine) = (left / next, v[k] / next);
        left = next;
        for (entry, removed) in factor[begin..end].iter_mut().zip(&mut removed[k..]) {
            let rotated = cosine * *removed + sine * *entry;
            *entry = cosine * *entry - sine * *removed;
            *removed = rotated;
        }
        end = begin;
    }
    true
}

/// v := L⁻¹ v.
fn half_solve(factor: &[f64], v: &mut [f64]) {
    let n = v.len();
    let mut rest = factor;
    for k in 0..n {
        let (column, after) = rest.split_at(n - k);
        let (done, below) = v[k..].split_at_mut(1);
        done[0] /= column[0];
        for (v, entry) in below.iter_mut().zip(&column[1..]) {
            *v -= entry * done[0];
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use posterior_math::linalg::{Cholesky, DMatrix, DVector};

    use super::{downdate, packed_len, update};

    fn packed(cholesky: &Cholesky) -> Vec<f64> {
        let n = cholesky.size();
        let entries = (0..n).flat_map(|c| (c..n).map(move |r| (r, c)));
        entries.map(|place| cholesky.factor()[place]).collect()
    }

    #[test]
    fn changes_of_a_packed_factor_are_those_of_the_matrix() {
        for n in 1..6 {
            let root = DMatrix::from_fn(n, n, |i, j| ((3 * i + 7 * j + 1) as f64).sin());
            let a = &root * root.transpose() + DMatrix::identity(n, n);
            let v = DVector::from_fn(n, |i, _| (i as f64 + 0.5).cos());
            let mut factor = packed(&Cholesky::new(&a).unwrap());
            assert_eq!(factor.len(), packed_len(n));
            update(&mut factor, &mut v.as_slice().to_vec());
            let more = packed(&Cholesky::new(&(&a + &v * v.transpose())).unwrap());
            let distance =
                |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
            assert!(distance(&factor, &more) < 1e-14, "{n}: {factor:?} {more:?}");
            assert!(downdate(&mut factor, &mut v.as_slice().to_vec(), &mut vec![0.0; n], 1e-6));
            assert!(distance(&factor, &packed(&Cholesky::new(&a).unwrap())) < 1e-14);
        }
    }

    #[test]
    fn what_would_leave_nothing_is_not_taken() {
        let mut factor = vec![2.0];
        assert!(!downdate(&mut factor, &mut [2.0], &mut [0.0], 0.0));
        assert!(!downdate(&mut factor, &mut [3.0], &mut [0.0], 0.0));
        assert!(!downdate(&mut factor, &mut [f64::NAN], &mut [0.0], 0.0));
        assert_eq!(factor, [2.0]);
    }
}
