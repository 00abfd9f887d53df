//! What the rows outside of a group say about its predictors.

use std::iter::zip;

use posterior_math::linalg::{Cholesky, DMatrix, DVector, SymmetricEigen};

use super::{At, SHORT, STEPS};
use crate::Error;
use crate::response::ResponseTerm;

/// Directions of a group's predictors with less variance than this part of the largest are rounding.
const NOTHING: f64 = 1e-13;
/// Where the other rows say less than this part of what all say, they say nothing.
const UNDETERMINED: f64 = 1e-10;

/// The predictors of the group are `mean + root z` for standard normal z.
pub(super) struct Others {
    pub(super) mean: DVector<f64>,
    pub(super) root: DMatrix<f64>,
    /// z where the predictors are in the fit.
    pub(super) start: DVector<f64>,
}

impl At<'_> {
    /// With S = L Lᵀ the covariance of the group's predictors, W its curvatures and g its slopes, the others
    /// say N(η - C g, C), C = L (I - Lᵀ W L)⁻¹ Lᵀ; L is turned so that Lᵀ W L is diagonal: the parts of the
    /// information along each direction that are the group's own.
    pub(super) fn others(&self, group: &[usize]) -> Result<Others, Error> {
        let engine = &self.fit.engine;
        let of_group = |value: fn(&ResponseTerm) -> f64| {
            DVector::from_iterator(group.len(), group.iter().map(|&row| value(&self.laplace.terms[row])))
        };
        // The covariances of all predictors with those of the group, a column for each row of the group.
        let mut across = DMatrix::zeros(engine.rows.count(), group.len());
        for (j, &row) in group.iter().enumerate() {
            let mut combination = vec![0.0; engine.rows.width()];
            self.laplace.rows.row(row).for_each(|(place, factor)| combination[place] += factor);
            across
                .column_mut(j)
                .copy_from_slice(&self.laplace.rows.times(&self.laplace.factor.solve(&combination)));
        }
        let covariance = across.select_rows(group);
        let eigen = SymmetricEigen::new(&(0.5 * (&covariance + covariance.transpose())))?;
        let least = NOTHING * eigen.values().amax();
        let kept: Vec<usize> = (0..group.len()).filter(|&k| eigen.values()[k] > least).collect();
        let scaled = |power: f64| {
            let entry =
                |i: usize, k: usize| eigen.vectors()[(i, kept[k])] * eigen.values()[kept[k]].powf(power);
            DMatrix::from_fn(group.len(), kept.len(), entry)
        };
        let root = scaled(0.5);
        let curvature = DMatrix::from_diagonal(&of_group(|term| term.curvature));
        let turned = SymmetricEigen::new(&root.tr_mul(&(curvature * &root)))?;
        if turned.values().iter().any(|part| 1.0 - part < UNDETERMINED) {
            return Err(Error::Undetermined { row: group[0], others: group.len() - 1 });
        }
        let rest = turned.values().map(|part| 1.0 - part);
        let stretch = DMatrix::from_diagonal(&rest.map(|rest| rest.sqrt().recip()));
        let root = root * turned.vectors() * &stretch;
        let centre = -root.tr_mul(&of_group(|term| term.slope));
        let along = across * scaled(-0.5) * turned.vectors() * stretch;
        let seen = DVector::from_iterator(group.len(), group.iter().map(|&row| self.laplace.predictor[row]));
        let plain = Others { mean: &seen + &root * &centre, root: root.clone(), start: -&centre };
        // Leave-one-out of all rows does without the shift, which is small for a single row.
        if group.len() == 1 && engine.model.is_seen(group[0]) {
            return Ok(plain);
        }
        let shifted = self.shifted(group, &along, &rest, &centre);
        Ok(shifted.map_or(plain, |(centre, factor)| Others {
            mean: seen + &root * &centre,
            root: factor.half_solve(&root.transpose()).transpose(),
            start: -factor.into_factor().tr_mul(&centre),
        }))
    }

    /// What the other rows say once the group does not hold them where they are: mean and precision of t, by
    /// which their predictors move as `along` t, where t is standard normal around `centre` as long as their
    /// curvatures stay. To third order beside these directions; nothing if there is no such precision.
    fn shifted(
        &self,
        group: &[usize],
        along: &DMatrix<f64>,
        rest: &DVector<f64>,
        centre: &DVector<f64>,
    ) -> Option<(DVector<f64>, Cholesky)> {
        let model = self.fit.engine.model;
        let mut inside = vec![false; along.nrows()];
        for &row in group {
            inside[row] = true;
        }
        let moved: Vec<(usize, DVector<f64>, f64)> = (0..along.nrows())
            .filter(|&row| model.is_seen(row) && !inside[row])
            .map(|row| (row, along.row(row).transpose()))
            .filter(|(_, own)| own.amax() > 0.0)
            .map(|(row, own)| {
                let within: f64 = zip(own.iter(), rest.iter()).map(|(k, rest)| k * k * rest).sum();
                (row, own, (self.row_variances[row] - within).max(0.0))
            })
            .collect();
        let mut t = centre.clone();
        let identity = DMatrix::identity(t.len(), t.len());
        let mut factor = Cholesky::decompose(identity.clone()).ok()?;
        for _ in 0..STEPS {
            let (mut slope, mut precision) = (centre - &t, identity.clone());
            for (row, own, beside) in &moved {
                let (mode, off) = (&self.laplace.terms[*row], own.dot(&t));
                let term = self.term(*row, self.laplace.predictor[*row] + off);
                let change = term.curvature - mode.curvature;
                if change == 0.0 && term.third == 0.0 {
                    continue;
                }
                let variance = beside + factor.half_solve_vector(own).norm_squared();
                let pull = term.slope - mode.slope + mode.curvature * off + 0.5 * variance * term.third;
                slope.axpy(pull, own, 1.0);
                precision.ger(change, own, own, 1.0);
            }
            factor = Cholesky::decompose(precision).ok()?;
            let step = factor.solve_vector(&slope);
            t += &step;
            if step.norm_squared() < SHORT {
                return Some((t, factor));
            }
        }
        None
    }
}
