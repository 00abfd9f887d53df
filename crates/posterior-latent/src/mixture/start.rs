//! Where EM begins: responsibilities, labels, or components that differ at random.

use std::borrow::Borrow;

use posterior_dist::{Categorical, ExponentialFamily, Mixture, Stats};
use posterior_math::check;
use posterior_math::linalg::DMatrix;
use rand::Rng;
use rand::distr::Distribution;
use rand_distr::Exp1;

use super::estimate::MaximizationStep;
use super::problem::MixtureProblem;
use crate::error::Error;

/// How far from one the responsibilities of an observation may add up to.
const SUM_TOLERANCE: f64 = 1e-9;

impl<F, X, E> MixtureProblem<'_, F, X, E>
where
    F: ExponentialFamily,
    X: Borrow<F::Point>,
    E: MaximizationStep<F>,
{
    /// The mixture that an M step makes of these responsibilities: observations as rows, components as
    /// columns.
    ///
    /// # Errors
    /// If there is not a row for each observation, an entry is negative or NaN, or a row does not add up to
    /// one; with its index, if a component can't be estimated.
    pub fn start_from_responsibilities(&self, responsibilities: &DMatrix<f64>) -> Result<Mixture<F>, Error> {
        let points = self.points.as_slice();
        check_responsibilities(responsibilities, points.len())?;
        let mut stats = vec![Stats::new(self.fixed.clone()); responsibilities.ncols()];
        for (row, x) in points.iter().enumerate() {
            for (stats, proportion) in stats.iter_mut().zip(responsibilities.row(row).iter()) {
                stats.push_weighted(x.borrow(), self.points.weight(row) * proportion)?;
            }
        }
        Ok(self.estimated(&stats, None)?.0)
    }

    /// The mixture of components that know their observations: of a supervised fit, of k-means, of a simpler
    /// model.
    ///
    /// # Errors
    /// If there is not a label below `components` for each observation, or a component can't be estimated
    /// from its own.
    pub fn start_from_labels(&self, labels: &[usize], components: usize) -> Result<Mixture<F>, Error> {
        self.start_from_responsibilities(&one_hot(labels, components, self.points.as_slice().len())?)
    }

    /// Components with weights from the flat Dirichlet distribution, each estimated from all data, scaled to
    /// the weight of one observation, and one observation of its own. The first is drawn at random; each
    /// further one with a probability in proportion to how much better a component of its own would explain
    /// it than those before do, as in k-means++.
    ///
    /// n estimates of a component, and n densities for each component.
    ///
    /// # Errors
    /// If there is no component, or a component can't be estimated.
    pub fn random_start<R: Rng + ?Sized>(&self, components: usize, rng: &mut R) -> Result<Mixture<F>, Error> {
        check::positive("MixtureProblem", "components", components as f64)?;
        let points = self.points.as_slice();
        let mut pooled = Stats::new(self.fixed.clone());
        for (row, x) in points.iter().enumerate() {
            pooled.push_weighted(x.borrow(), self.points.weight(row))?;
        }
        pooled.scale(pooled.weight().recip())?;
        let own: Vec<F> = points
            .iter()
            .map(|x| {
                let mut stats = pooled.clone();
                stats.push(x.borrow())?;
                self.estimate.distribution(&stats)
            })
            .collect::<Result<_, _>>()?;
        let mut explained = vec![f64::NEG_INFINITY; points.len()];
        let mut distributions: Vec<F> = Vec::with_capacity(components);
        for k in 0..components {
            let gain = |row: usize| {
                let gain = own[row].ln_pdf(points[row].borrow()) - explained[row];
                self.points.weight(row) * if k == 0 { 1.0 } else { gain.clamp(0.0, f64::MAX) }
            };
            let mut gains: Vec<f64> = (0..points.len()).map(gain).collect();
            if gains.iter().all(|&gain| !(gain > 0.0)) {
                // Every observation has a component of its own: equal ones.
                gains = (0..points.len()).map(|row| self.points.weight(row)).collect();
            }
            let distribution = own[Categorical::from_weights(&gains)?.sample(rng)].clone();
            for (explained, x) in explained.iter_mut().zip(points) {
                *explained = explained.max(distribution.ln_pdf(x.borrow()));
            }
            distributions.push(distribution);
        }
        // At least the smallest number, so that they are not all 0.
        let weights: Vec<f64> =
            distributions.iter().map(|_| f64::MIN_POSITIVE.max(Exp1.sample(rng))).collect();
        Ok(Mixture::from_weights(&weights, distributions)?)
    }
}

/// Whether these are responsibilities of so many observations.
pub(crate) fn check_responsibilities(responsibilities: &DMatrix<f64>, rows: usize) -> Result<(), Error> {
    for (what, expected, found) in [
        ("rows of responsibilities", rows, responsibilities.nrows()),
        ("columns of responsibilities", responsibilities.ncols().max(1), responsibilities.ncols()),
    ] {
        check::dimension(what, expected, found)?;
    }
    for (row, proportions) in responsibilities.row_iter().enumerate() {
        for &proportion in &proportions {
            check::non_negative("responsibilities", "proportion", proportion)
                .map_err(|error| error.at(row))?;
        }
        let (total, wanted) = (proportions.sum(), "1 within 1e-9");
        let fits = (total - 1.0).abs() <= SUM_TOLERANCE;
        check::require(fits, "responsibilities", "sum", total, wanted).map_err(|error| error.at(row))?;
    }
    Ok(())
}

/// Labels as responsibilities.
pub(crate) fn one_hot(labels: &[usize], components: usize, rows: usize) -> Result<DMatrix<f64>, Error> {
    check::dimension("labels", rows, labels.len())?;
    let mut responsibilities = DMatrix::zeros(rows, components);
    for (row, &label) in labels.iter().enumerate() {
        check::require(label < components, "labels", "label", label as f64, "below the number of components")
            .map_err(|error| error.at(row))?;
        responsibilities[(row, label)] = 1.0;
    }
    Ok(responsibilities)
}
