//! Small linear programs by the simplex method.

use posterior_math::linalg::DMatrix;

/// Pivots below this proportion of the largest entry are rounding.
const ROUNDING: f64 = 1e-12;

/// A solution of max ⟨c, z⟩ under A z ≤ b, z ≥ 0, and of its dual.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Optimum {
    /// z.
    pub(super) primal: Vec<f64>,
    /// The price of each constraint.
    pub(super) dual: Vec<f64>,
    /// ⟨c, z⟩.
    pub(super) value: f64,
}

/// The maximum of ⟨c, z⟩ under A z ≤ b, z ≥ 0, for b ≥ 0, so that zero is a solution to start from.
///
/// A dense tableau with Bland's rule, which cannot cycle. `None` if there is no bound.
pub(super) fn maximize(objective: &[f64], constraints: &DMatrix<f64>, bounds: &[f64]) -> Option<Optimum> {
    let (rows, columns) = constraints.shape();
    let width = columns + rows + 1;
    // The last row is the objective, the last column the bounds.
    let mut tableau = DMatrix::zeros(rows + 1, width);
    tableau.view_mut((0, 0), (rows, columns)).copy_from(constraints);
    for row in 0..rows {
        tableau[(row, columns + row)] = 1.0;
        tableau[(row, width - 1)] = bounds[row];
    }
    for (column, &gain) in objective.iter().enumerate() {
        tableau[(rows, column)] = -gain;
    }
    let mut basis: Vec<usize> = (columns..columns + rows).collect();
    let small = ROUNDING * tableau.amax().max(f64::MIN_POSITIVE);
    while let Some(entering) = (0..width - 1).find(|&column| tableau[(rows, column)] < -small) {
        let leaving = leaving_row(&tableau, &basis, entering, small)?;
        pivot(&mut tableau, leaving, entering);
        basis[leaving] = entering;
    }
    let mut primal = vec![0.0; columns];
    for (row, &variable) in basis.iter().enumerate() {
        if variable < columns {
            primal[variable] = tableau[(row, width - 1)].max(0.0);
        }
    }
    let dual = (columns..columns + rows).map(|column| tableau[(rows, column)].max(0.0)).collect();
    Some(Optimum { primal, dual, value: tableau[(rows, width - 1)] })
}

/// The row that bounds the entering variable first; of several, that of the first variable.
fn leaving_row(tableau: &DMatrix<f64>, basis: &[usize], entering: usize, small: f64) -> Option<usize> {
    let last = tableau.ncols() - 1;
    let ratio = |row: usize| tableau[(row, last)].max(0.0) / tableau[(row, entering)];
    (0..basis.len())
        .filter(|&row| tableau[(row, entering)] > small)
        .min_by(|&a, &b| ratio(a).total_cmp(&ratio(b)).then(basis[a].cmp(&basis[b])))
}

fn pivot(tableau: &mut DMatrix<f64>, row: usize, column: usize) {
    let scale = tableau[(row, column)].recip();
    for entry in &mut tableau.row_mut(row) {
        *entry *= scale;
    }
    let pivot_row = tableau.row(row).into_owned();
    for other in (0..tableau.nrows()).filter(|&other| other != row) {
        let factor = tableau[(other, column)];
        if factor != 0.0 {
            for (entry, pivot) in tableau.row_mut(other).iter_mut().zip(&pivot_row) {
                *entry -= factor * pivot;
            }
            tableau[(other, column)] = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use posterior_math::linalg::DMatrix;

    use super::maximize;

    #[test]
    fn the_textbook_program_is_solved() {
        // Dantzig: 3x + 5y under x <= 4, 2y <= 12, 3x + 2y <= 18: (2, 6), 36, prices (0, 3/2, 1).
        let constraints = DMatrix::from_row_slice(3, 2, &[1.0, 0.0, 0.0, 2.0, 3.0, 2.0]);
        let found = maximize(&[3.0, 5.0], &constraints, &[4.0, 12.0, 18.0]).unwrap();
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-14);
        assert!(near(&found.primal, &[2.0, 6.0]) && near(&found.dual, &[0.0, 1.5, 1.0]));
        assert!((found.value - 36.0).abs() < 1e-13);
    }

    #[test]
    fn beales_program_does_not_cycle() {
        let constraints = DMatrix::from_row_slice(
            3,
            4,
            &[0.25, -60.0, -0.04, 9.0, 0.5, -90.0, -0.02, 3.0, 0.0, 0.0, 1.0, 0.0],
        );
        let found = maximize(&[0.75, -150.0, 0.02, -6.0], &constraints, &[0.0, 0.0, 1.0]).unwrap();
        assert!((found.value - 0.05).abs() < 1e-14);
    }

    #[test]
    fn what_has_no_bound_is_reported() {
        assert!(maximize(&[1.0], &DMatrix::from_element(1, 1, -1.0), &[1.0]).is_none());
    }
}
