//! Where the ascent begins.

use posterior_dist::{Conjugate, KlDivergence};
use posterior_math::check;
use posterior_math::linalg::DMatrix;
use rand::distr::Distribution;
use rand::seq::index::sample;
use rand::{Rng, RngExt};
use rand_distr::Exp1;

use super::expectation::{Assignable, Assigned};
use super::posterior::VariationalMixture;
use super::problem::MixtureAscent;
use crate::error::Error;

/// How far from one the responsibilities of a point may add up to.
const SUM_TOLERANCE: f64 = 1e-9;

impl<F: Conjugate<P>, P: KlDivergence + Clone, D: Assignable<F, P>> MixtureAscent<'_, F, P, D> {
    /// The factors that these responsibilities make: a row for each point, a column for each component.
    ///
    /// # Errors
    /// If the table has another shape, an entry is negative or NaN, or a row does not add up to one within
    /// 1e-9.
    pub fn start_from_responsibilities(
        &self,
        responsibilities: &DMatrix<f64>,
    ) -> Result<VariationalMixture<F, P>, Error> {
        let (rows, columns) = (self.data().points(), self.model().components());
        for (what, expected, found) in [
            ("rows of responsibilities", rows, responsibilities.nrows()),
            ("columns of responsibilities", columns, responsibilities.ncols()),
        ] {
            check::dimension(what, expected, found)?;
        }
        for (index, row) in responsibilities.row_iter().enumerate() {
            for &proportion in &row {
                check::non_negative("Problem", "responsibility", proportion)
                    .map_err(|error| error.at(index))?;
            }
            let total = row.sum();
            let fits = (total - 1.0).abs() <= SUM_TOLERANCE;
            check::require(fits, "Problem", "sum of responsibilities", total, "1 within 1e-9")
                .map_err(|error| error.at(index))?;
        }
        self.start_given(self.data().given(responsibilities, self.model().fixed())?)
    }

    /// The factors of points that are in component `labels[i]` each, with certainty.
    ///
    /// # Errors
    /// If there is not one label for each point, or one names no component.
    pub fn start_from_labels(&self, labels: &[usize]) -> Result<VariationalMixture<F, P>, Error> {
        let (rows, columns) = (self.data().points(), self.model().components());
        check::dimension("labels", rows, labels.len())?;
        let mut responsibilities = DMatrix::zeros(rows, columns);
        for (i, &label) in labels.iter().enumerate() {
            check::require(
                label < columns,
                "Problem",
                "label",
                label as f64,
                "below the number of components",
            )
            .map_err(|error| error.at(i))?;
            responsibilities[(i, label)] = 1.0;
        }
        self.start_given(self.data().given(&responsibilities, self.model().fixed())?)
    }

    /// Components that have seen one random point each, no point twice while there are others, and what they
    /// make of all points with random weights: so that components that saw equal points do not stay equal.
    ///
    /// # Errors
    /// If numbers leave the range of f64.
    pub fn random_start<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<VariationalMixture<F, P>, Error> {
        let (points, components) = (self.data().points(), self.model().components());
        let seeds = sample(rng, points, components.min(points));
        let mut responsibilities = DMatrix::zeros(points, components);
        for (k, i) in seeds.iter().enumerate() {
            responsibilities[(i, k)] = 1.0;
        }
        let q = self.start_given(self.data().given(&responsibilities, self.model().fixed())?)?;
        let ln_weights: Vec<f64> = (0..components)
            .map(|_| {
                let proportion: f64 = Exp1.sample(rng);
                proportion.max(f64::MIN_POSITIVE).ln()
            })
            .collect();
        self.start_given(self.data().assign(&ln_weights, &q.components)?)
    }

    /// The clusters of k-means, as many, but no more than components: those without a cluster begin as the
    /// prior. A [random start](Self::random_start) of points that have no distances, or where there are fewer
    /// different ones.
    ///
    /// # Errors
    /// If numbers leave the range of f64.
    pub fn clustered_start<R: Rng + ?Sized>(
        &self,
        clusters: usize,
        rng: &mut R,
    ) -> Result<VariationalMixture<F, P>, Error> {
        match self.data().clusters(clusters.clamp(1, self.model().components()), rng.random()) {
            Some(labels) => self.start_from_labels(&labels),
            None => self.random_start(rng),
        }
    }

    /// The factors given assignments.
    fn start_given(&self, assigned: Assigned<F>) -> Result<VariationalMixture<F, P>, Error> {
        let mut q = VariationalMixture {
            weights: self.model().weights().factor()?,
            components: vec![self.model().empty().clone(); self.model().components()],
            assigned,
            weights_current: false,
            components_current: false,
        };
        q.update_weights()?;
        q.update_components()?;
        Ok(q)
    }
}
