//! What a field says once something is known.

use posterior_math::check::ParamError;
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::sparse::{Ordering, SparseMatrix};

use super::NAME;
use super::base::{Base, refused};
use super::field::{GaussianMarkovField, built};
use crate::{Gaussian, matrix_check};

impl GaussianMarkovField {
    /// The field of the other coordinates, in their order, given the values of some: precision Q_RR, and mean
    /// μ_R - Q_RR⁻¹ Q_RB (x_B - μ_B). Constraints stay, with what the values leave of them.
    ///
    /// # Errors
    /// If the lengths differ, a value is not finite, an index is not below n or there twice; or if Q_RR is
    /// singular: of an intrinsic field the values must decide along the null space.
    pub fn condition(&self, indices: &[usize], values: &[f64]) -> Result<Self, ParamError> {
        let (field, rest) = self.conditioned(indices, values)?;
        let Some((rows, targets)) = self.all_constraints() else { return Ok(field) };
        let part = DMatrix::from_fn(rows.nrows(), rest.len(), |i, j| rows[(i, rest[j])]);
        let mut known = DVector::zeros(self.dimension());
        indices.iter().zip(values).for_each(|(&index, &value)| known[index] = value);
        field.constrained(&part, (targets - rows * known).as_slice())
    }

    /// The field of the others without constraints, and their indices.
    fn conditioned(&self, indices: &[usize], values: &[f64]) -> Result<(Self, Vec<usize>), ParamError> {
        matrix_check::length(NAME, "values", values.len(), indices.len())?;
        matrix_check::finite(NAME, "values", values)?;
        matrix_check::indices(NAME, indices, self.dimension())?;
        self.base.decided_by(&self.base.null().select_rows(indices))?;
        let mut known = vec![None; self.dimension()];
        for (&index, &value) in indices.iter().zip(values) {
            known[index] = Some(value);
        }
        let rest: Vec<usize> = (0..self.dimension()).filter(|&i| known[i].is_none()).collect();
        let off: Vec<f64> = known
            .iter()
            .zip(self.centre.iter())
            .map(|(known, mean)| known.map_or(0.0, |x| x - mean))
            .collect();
        let pull = self.precision().multiply_slice(&off);
        let base = Base::proper(self.precision().principal(&rest), &Ordering::MinimumDegree)?;
        let right: Vec<f64> = rest.iter().map(|&i| -pull[i]).collect();
        let mean: Vec<f64> =
            base.apply(&right).iter().zip(&rest).map(|(change, &i)| self.centre[i] + change).collect();
        Ok((Self::centred(&mean, base)?, rest))
    }

    /// The field after observations y = A x + noise with independent noise of these precisions: precision
    /// Q + Aᵀ W A. Constraints stay.
    ///
    /// # Errors
    /// If the sizes do not agree, a number is not finite, a precision is not positive; or if the sum of the
    /// precisions is singular: of an intrinsic field the observations must decide along the null space.
    ///
    /// ```
    /// use posterior_gaussian::GaussianMarkovField;
    /// use posterior_gaussian::math::sparse::SparseMatrix;
    ///
    /// // A smooth curve through three of a hundred points.
    /// let prior = GaussianMarkovField::second_order_random_walk(100, 1e4)?.without_constraints();
    /// let seen = SparseMatrix::from_triplets(3, 100, [(0, 10, 1.0), (1, 50, 1.0), (2, 80, 1.0)])?;
    /// let curve = prior.observe(&seen, &[0.0, 1.0, 0.0], &[1e6; 3])?;
    /// assert!((curve.mean()[50] - 1.0).abs() < 1e-3);
    /// assert!(curve.marginal_variances()[99] > curve.marginal_variances()[81]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn observe(&self, map: &SparseMatrix, y: &[f64], precisions: &[f64]) -> Result<Self, ParamError> {
        let field = self.observed(map, y, precisions)?;
        match self.all_constraints() {
            Some((rows, values)) => field.constrained(&rows, values.as_slice()),
            None => Ok(field),
        }
    }

    /// The field after observations, without constraints.
    fn observed(&self, map: &SparseMatrix, y: &[f64], precisions: &[f64]) -> Result<Self, ParamError> {
        matrix_check::length(NAME, "columns of the map", map.columns(), self.dimension())?;
        matrix_check::length(NAME, "observations", y.len(), map.rows())?;
        matrix_check::length(NAME, "precisions", precisions.len(), map.rows())?;
        matrix_check::finite(NAME, "observations", y)?;
        posterior_math::check::each(precisions, |w| posterior_math::check::positive(NAME, "precisions", w))?;
        let seen: Vec<DVector<f64>> = self
            .base
            .null()
            .column_iter()
            .map(|column| DVector::from(map.multiply_slice(column.as_slice())))
            .collect();
        if !seen.is_empty() {
            self.base.decided_by(&DMatrix::from_columns(&seen))?;
        }
        let gained = map.gram(precisions).map_err(refused)?;
        let precision = built(self.precision().plus(1.0, &gained))?;
        let base = Base::proper(precision, &Ordering::MinimumDegree)?;
        // From the centre: Q'⁻¹ Aᵀ W (y - A μ), which keeps the digits of the mean.
        let predicted = map.multiply_slice(self.centre.as_slice());
        let weighted: Vec<f64> =
            y.iter().zip(&predicted).zip(precisions).map(|((y, fit), w)| w * (y - fit)).collect();
        let change = base.apply(&map.transpose_multiply_slice(&weighted));
        let mean: Vec<f64> = self.centre.iter().zip(&change).map(|(mean, change)| mean + change).collect();
        Self::centred(&mean, base)
    }

    /// The field without its constraints; an intrinsic one is improper then, and becomes a distribution by
    /// [`observe`](Self::observe) or [`condition`](Self::condition).
    pub fn without_constraints(&self) -> ImproperMarkovField {
        ImproperMarkovField { field: Self { constraint: None, mean: self.centre.clone(), ..self.clone() } }
    }

    /// Those that make an intrinsic field proper, and the others.
    fn all_constraints(&self) -> Option<(DMatrix<f64>, DVector<f64>)> {
        let (first, own) = (&self.base.identify, self.constraint.as_ref());
        let count = first.nrows() + own.map_or(0, |own| own.rows.nrows());
        if count == 0 {
            return None;
        }
        let mut rows = DMatrix::zeros(count, self.dimension());
        let mut values = DVector::zeros(count);
        rows.rows_mut(0, first.nrows()).copy_from(first);
        values.rows_mut(0, first.nrows()).copy_from(&(first * &self.centre));
        if let Some(own) = own {
            rows.rows_mut(first.nrows(), own.rows.nrows()).copy_from(&own.rows);
            values.rows_mut(first.nrows(), own.rows.nrows()).copy_from(&own.values);
        }
        Some((rows, values))
    }

    /// The distribution of some coordinates, dense: one solution for each.
    ///
    /// # Errors
    /// If an index is not below n or there twice, or the covariance of these coordinates is singular under
    /// the constraints.
    pub fn marginal(&self, indices: &[usize]) -> Result<Gaussian, ParamError> {
        matrix_check::indices(NAME, indices, self.dimension())?;
        let mean: Vec<f64> = indices.iter().map(|&i| self.mean()[i]).collect();
        let mut covariance = DMatrix::zeros(indices.len(), indices.len());
        for (j, &index) in indices.iter().enumerate() {
            let column = self.covariances(index);
            for (i, &other) in indices.iter().enumerate() {
                covariance[(i, j)] = column[other];
            }
        }
        Gaussian::new(&mean, &covariance)
    }

    /// The covariances of one coordinate with all: one solution.
    ///
    /// # Panics
    /// Unless the index is below n.
    #[track_caller]
    pub fn covariances(&self, index: usize) -> Vec<f64> {
        let mut unit = vec![0.0; self.dimension()];
        unit[index] = 1.0;
        let mut column = self.base.apply(&unit);
        if let Some(constraint) = &self.constraint {
            constraint.correct(&mut column, &DVector::zeros(constraint.values.len()));
        }
        column
    }

    /// The variance of each coordinate, by Takahashi's recursion: two to three times the time of the factor,
    /// and no dense inverse.
    pub fn marginal_variances(&self) -> Vec<f64> {
        let mut variances = self.base.variances();
        if let Some(constraint) = &self.constraint {
            variances.iter_mut().zip(constraint.explained()).for_each(|(variance, taken)| *variance -= taken);
        }
        // What is fixed by constraints may round to less than nothing.
        for variance in &mut variances {
            *variance = variance.max(0.0);
        }
        variances
    }

    /// The mean and variance of one coordinate given all others, without constraints: μᵢ - Σⱼ Qᵢⱼ (xⱼ - μⱼ) /
    /// Qᵢᵢ over its neighbours, and 1 / Qᵢᵢ.
    ///
    /// # Panics
    /// Unless the index is below n, and x has n coordinates.
    #[track_caller]
    pub fn full_conditional(&self, index: usize, x: &[f64]) -> (f64, f64) {
        assert_eq!(x.len(), self.dimension(), "coordinates of the point");
        let precision = self.precision();
        let own = precision.entry(index, index);
        let others = (0..x.len()).filter(|&j| j != index);
        let pull: f64 = others.map(|j| precision.entry(index, j) * (x[j] - self.centre[j])).sum();
        (self.centre[index] - pull / own, 1.0 / own)
    }

    /// The Markov random field without constraints: for each coordinate those with which it is dependent
    /// given all others, in order. They are the entries of the precision that are not zero.
    pub fn neighbours(&self) -> Vec<Vec<usize>> {
        let precision = self.precision();
        let mut lists = precision.neighbours();
        for (i, list) in lists.iter_mut().enumerate() {
            list.retain(|&j| precision.entry(i, j) != 0.0);
        }
        lists
    }

    /// The partial correlation -Qᵢⱼ / √(Qᵢᵢ Qⱼⱼ) of two coordinates given all others, without constraints; 1
    /// of a coordinate with itself.
    ///
    /// # Panics
    /// Unless both indices are below n.
    #[track_caller]
    pub fn partial_correlation(&self, i: usize, j: usize) -> f64 {
        let entry = |i, j| self.precision().entry(i, j);
        if i == j { 1.0 } else { -entry(i, j) / entry(i, i).sqrt() / entry(j, j).sqrt() }
    }
}

/// A field without the constraints that make it a distribution: a prior that says nothing along the null
/// space of its precision.
///
/// Made by [`GaussianMarkovField::without_constraints`].
#[derive(Debug, Clone, PartialEq)]
pub struct ImproperMarkovField {
    field: GaussianMarkovField,
}

impl ImproperMarkovField {
    /// As [`GaussianMarkovField::observe`].
    ///
    /// # Errors
    /// As there.
    pub fn observe(
        &self,
        map: &SparseMatrix,
        y: &[f64],
        precisions: &[f64],
    ) -> Result<GaussianMarkovField, ParamError> {
        self.field.observed(map, y, precisions)
    }

    /// As [`GaussianMarkovField::condition`].
    ///
    /// # Errors
    /// As there.
    pub fn condition(&self, indices: &[usize], values: &[f64]) -> Result<GaussianMarkovField, ParamError> {
        Ok(self.field.conditioned(indices, values)?.0)
    }
}
