//! Features in units of their standard deviations, which is where priors are the same for all.

use posterior::math::linalg::{DMatrix, DVector};
use posterior::math::streaming::MeanVariance;
use serde::{Deserialize, Serialize};

/// The mean and the standard deviation of each feature in the data; without an intercept, zero and the root
/// mean square.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Standard {
    means: Vec<f64>,
    sds: Vec<f64>,
    intercept: bool,
}

impl Standard {
    /// Of these rows; a feature that is constant, or zero, keeps its unit.
    pub(super) fn of(design: &DMatrix<f64>, intercept: bool) -> Self {
        if !intercept {
            let root = |own: f64| if own > 0.0 { own } else { 1.0 };
            let rows = (design.nrows() as f64).sqrt();
            let sds = design.column_iter().map(|column| root(column.norm() / rows)).collect();
            return Self { means: vec![0.0; design.ncols()], sds, intercept };
        }
        let moments = |column: usize| design.column(column).iter().copied().collect::<MeanVariance>();
        let of_columns: Vec<MeanVariance> = (0..design.ncols()).map(moments).collect();
        let sd = |own: &MeanVariance| match own.sample_variance().sqrt() {
            sd if sd > 0.0 => sd,
            _ => 1.0,
        };
        Self {
            means: of_columns.iter().map(MeanVariance::mean).collect(),
            sds: of_columns.iter().map(sd).collect(),
            intercept,
        }
    }

    /// Rows in these units.
    pub(super) fn rows(&self, design: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(design.nrows(), design.ncols(), |i, j| {
            (design[(i, j)] - self.means[j]) / self.sds[j]
        })
    }

    /// Rows in these units, behind a column of ones if there is an intercept.
    pub(super) fn with_intercept(&self, design: &DMatrix<f64>) -> DMatrix<f64> {
        self.behind_ones(self.rows(design))
    }

    /// These rows, behind a column of ones if there is an intercept.
    pub(super) fn behind_ones(&self, rows: DMatrix<f64>) -> DMatrix<f64> {
        if self.intercept { rows.insert_column(0, 1.0) } else { rows }
    }

    /// The name of the intercept, if there is one.
    pub(super) fn intercept(&self) -> Option<&'static str> {
        self.intercept.then_some("intercept")
    }

    /// How many features.
    pub(super) fn width(&self) -> usize {
        self.sds.len()
    }

    /// The unit of a feature.
    pub(super) fn unit(&self, feature: usize) -> f64 {
        self.sds[feature]
    }

    /// Coefficients in the units of the table, the intercept first if there is one.
    pub(super) fn coefficients(&self, standard: &[f64]) -> Vec<f64> {
        (0..standard.len()).map(|place| self.coefficient(standard, place)).collect()
    }

    /// One of them.
    pub(super) fn coefficient(&self, standard: &[f64], place: usize) -> f64 {
        let first = usize::from(self.intercept);
        let back = |j: usize| standard[j + first] / self.sds[j];
        match place.checked_sub(first) {
            Some(j) => back(j),
            None => standard[0] - self.means.iter().enumerate().map(|(j, mean)| mean * back(j)).sum::<f64>(),
        }
    }

    /// What the intercept in the units of the table has of each coefficient, as one row.
    pub(super) fn shift(&self) -> DMatrix<f64> {
        DMatrix::from_fn(1, self.means.len(), |_, j| -self.means[j] / self.sds[j])
    }

    /// Standard deviations of the coefficients in the units of the table, from a covariance in these.
    pub(super) fn deviations(&self, covariance: &DMatrix<f64>) -> Vec<f64> {
        let first = usize::from(self.intercept);
        let own = |(j, sd): (usize, &f64)| covariance[(j + first, j + first)].max(0.0).sqrt() / sd;
        let each = self.sds.iter().enumerate().map(own);
        if !self.intercept {
            return each.collect();
        }
        let shift = std::iter::once(1.0).chain(self.means.iter().zip(&self.sds).map(|(mean, sd)| -mean / sd));
        let shift = DVector::from_iterator(self.means.len() + 1, shift);
        let intercept = shift.dot(&(covariance * &shift)).max(0.0).sqrt();
        std::iter::once(intercept).chain(each).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_in_standard_units_is_the_line_in_the_units_of_the_table() {
        let design = DMatrix::from_column_slice(3, 2, &[1.0, 2.0, 6.0, 5.0, 5.0, 5.0]);
        let standard = Standard::of(&design, true);
        let own = [0.5, -2.0, 0.25];
        let there = standard.with_intercept(&design) * DVector::from_column_slice(&own);
        let back = standard.coefficients(&own);
        for (row, value) in there.iter().enumerate() {
            let here = back[0] + back[1] * design[(row, 0)] + back[2] * design[(row, 1)];
            assert!((here - value).abs() < 1e-14, "{here} {value}");
        }
        let covariance = DMatrix::from_diagonal(&DVector::from_column_slice(&[0.0, 0.0, 4.0]));
        assert_eq!(standard.deviations(&covariance), [10.0, 0.0, 2.0]);
        let through_zero = Standard::of(&DMatrix::from_column_slice(2, 1, &[3.0, 4.0]), false);
        let unit = through_zero.with_intercept(&DMatrix::from_element(1, 1, 12.5_f64.sqrt()));
        assert!((unit[(0, 0)] - 1.0).abs() < 1e-15 && unit.shape() == (1, 1));
        assert!((through_zero.coefficients(&[12.5_f64.sqrt()])[0] - 1.0).abs() < 1e-15);
    }
}
