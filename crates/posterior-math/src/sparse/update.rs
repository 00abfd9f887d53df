//! Changes of a sparse factor by one vector: A ± v vᵀ.

use super::cholesky::SparseCholesky;
use crate::linalg::MatrixError;

impl SparseCholesky {
    /// A := A + v vᵀ for a sparse v, given as (index, value). On an error the factor is as before.
    ///
    /// Only the columns on the path of v to the root of the elimination tree change: time in proportion to
    /// their entries.
    ///
    /// # Errors
    /// An index that is not below the number of rows, a square that is not finite; or
    /// [`MatrixError::OtherPattern`] if the factor has no room for v vᵀ: analyse a matrix with stored zeros
    /// there.
    ///
    /// # References
    /// T. A. Davis, W. W. Hager, Modifying a sparse Cholesky factorization, SIAM J. Matrix Anal. Appl. 20
    /// (1999).
    pub fn rank_one_update(&mut self, v: &[(usize, f64)]) -> Result<(), MatrixError> {
        let (mut w, path) = self.path_of(v)?;
        for &column in &path {
            let (rows, column) = self.column_mut(column);
            let (head, lost) = (column[0], w[rows[0] as usize]);
            let length = head.hypot(lost);
            let (cosine, sine) = (head / length, lost / length);
            for (&row, entry) in rows.iter().zip(column.iter_mut()) {
                let w = &mut w[row as usize];
                let rotated = cosine * *entry + sine * *w;
                *w = cosine * *w - sine * *entry;
                *entry = rotated;
            }
            column[0] = length;
        }
        Ok(())
    }

    /// A := A - v vᵀ for a sparse v, given as (index, value), by the rotations of LINPACK (`dchdd`). On an
    /// error the factor is as before.
    ///
    /// # Errors
    /// As [`SparseCholesky::rank_one_update`]; or A - v vᵀ is not positive definite: the value is then
    /// 1 - vᵀ A⁻¹ v, and the pivot the column eliminated last.
    pub fn rank_one_downdate(&mut self, v: &[(usize, f64)]) -> Result<(), MatrixError> {
        let (mut p, path) = self.path_of(v)?;
        for &column in &path {
            let (rows, column) = self.column_mut(column);
            let head = p[rows[0] as usize] / column[0];
            p[rows[0] as usize] = head;
            for (&row, entry) in rows[1..].iter().zip(&column[1..]) {
                p[row as usize] -= head * entry;
            }
        }
        let norm = path.iter().fold(0.0_f64, |norm, &column| norm.hypot(p[column as usize]));
        let value = (1.0 - norm) * (1.0 + norm);
        if !(value > 0.0) {
            let last = path.last().map_or(0, |&column| self.symbolic().order[column as usize] as usize);
            return Err(MatrixError::NotPositiveDefinite { pivot: last, value });
        }
        let mut removed = vec![0.0; self.size()];
        let mut left = value.sqrt();
        for &k in path.iter().rev() {
            let (rows, column) = self.column_mut(k);
            let next = left.hypot(p[k as usize]);
            let (cosine, sine) = (left / next, p[k as usize] / next);
            left = next;
            for (&row, entry) in rows.iter().zip(column) {
                let removed = &mut removed[row as usize];
                let rotated = cosine * *removed + sine * *entry;
                *entry = cosine * *entry - sine * *removed;
                *removed = rotated;
            }
        }
        Ok(())
    }

    /// v in the order of elimination, and the columns from its first entry to the root of the tree.
    fn path_of(&self, v: &[(usize, f64)]) -> Result<(Vec<f64>, Vec<u32>), MatrixError> {
        let symbolic = self.symbolic();
        let mut w = vec![0.0; self.size()];
        let mut first = u32::MAX;
        for &(index, value) in v {
            let &place = symbolic.place.get(index).ok_or(MatrixError::OutOfRange { index, size: w.len() })?;
            w[place as usize] += value;
            if !(w[place as usize] * w[place as usize]).is_finite() {
                return Err(MatrixError::NotFinite);
            }
            first = first.min(place);
        }
        if first == u32::MAX {
            return Ok((w, Vec::new()));
        }
        let room = symbolic.panel_rows(symbolic.panel_of[first as usize] as usize);
        let fits = |&(index, _): &(usize, f64)| room.binary_search(&symbolic.place[index]).is_ok();
        if !v.iter().all(fits) {
            return Err(MatrixError::OtherPattern);
        }
        let mut path = Vec::new();
        let mut column = Some(first);
        while let Some(k) = column {
            path.push(k);
            let panel = symbolic.panel_of[k as usize] as usize;
            let local = (k - symbolic.columns[panel]) as usize;
            column = symbolic.panel_rows(panel).get(local + 1).copied();
        }
        Ok((w, path))
    }

    /// The rows and values of a column of L from the diagonal on.
    fn column_mut(&mut self, column: u32) -> (&[u32], &mut [f64]) {
        let symbolic = &*self.panels.symbolic;
        let panel = symbolic.panel_of[column as usize] as usize;
        let local = (column - symbolic.columns[panel]) as usize;
        let rows = symbolic.panel_rows(panel);
        let start = symbolic.value_starts[panel] + local * rows.len();
        (&rows[local..], &mut self.panels.values[start + local..start + rows.len()])
    }
}
