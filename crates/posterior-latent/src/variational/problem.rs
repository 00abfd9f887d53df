//! The ascent: model and data, factor after factor.

use std::borrow::Cow;

use posterior_dist::{Conjugate, KlDivergence};
use posterior_inference::variational::{AscentOptions, CoordinateAscent, coordinate_ascent};
use posterior_inference::{BestOf, best_of};
use posterior_math::iteration::{Fitted, Observer, Silent};
use posterior_math::linalg::DMatrix;

use super::expectation::Assignable;
use super::model::BayesianMixture;
use super::posterior::VariationalMixture;
use crate::error::Error;

/// A mixture and the data that it is to explain: what [`coordinate_ascent`] moves on.
///
/// The factors are the assignments, the weights, the components and, where it is fitted, the concentration. A
/// sweep costs one pass over the data, n K expected densities.
///
/// Sticks have an order. Before they are updated, components are sorted by size if that does not lower the
/// bound: a large component behind small ones would have to leave them unbroken.
#[derive(Debug)]
pub struct MixtureAscent<'a, F: Conjugate<P>, P, D> {
    model: &'a BayesianMixture<F, P>,
    data: &'a D,
}

impl<'a, F: Conjugate<P>, P, D: Assignable<F, P>> MixtureAscent<'a, F, P, D> {
    /// The problem of these data.
    ///
    /// # Errors
    /// If a point is none of the family, or vectors have another dimension than the prior.
    pub fn new(model: &'a BayesianMixture<F, P>, data: &'a D) -> Result<Self, Error> {
        data.check(model.fixed())?;
        Ok(Self { model, data })
    }

    /// The model.
    pub const fn model(&self) -> &'a BayesianMixture<F, P> {
        self.model
    }

    /// The data.
    pub const fn data(&self) -> &'a D {
        self.data
    }

    /// q(zᵢ = k) given the weights and components of `q`, a row for each point.
    ///
    /// # Errors
    /// If no component can have had a point, as numbers left the range of f64.
    pub fn responsibilities(&self, q: &VariationalMixture<F, P>) -> Result<DMatrix<f64>, Error> {
        self.data.responsibilities(&q.weights.expected_ln(), &q.components)
    }
}

impl<F: Conjugate<P>, P: KlDivergence + Clone, D: Assignable<F, P>> MixtureAscent<'_, F, P, D> {
    /// Ascends from a start until the bound stays: [`coordinate_ascent`] with this problem.
    ///
    /// # Errors
    /// If numbers leave the range of f64.
    pub fn fit(
        &self,
        start: VariationalMixture<F, P>,
        options: &AscentOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<VariationalMixture<F, P>>, Error> {
        coordinate_ascent(self, start, options, observer)
    }

    /// The best of several fits: from [random starts](Self::random_start) and, every other one, from
    /// [clusters](Self::clustered_start), two of them first, and one more each time up to the number of
    /// components.
    ///
    /// # Errors
    /// If all fits fail.
    pub fn fit_best(
        &self,
        starts: usize,
        seed: u64,
        options: &AscentOptions,
    ) -> Result<BestOf<VariationalMixture<F, P>, Error>, Error> {
        let mut numbers = 0..;
        best_of(starts, seed, |rng| {
            let number: usize = numbers.next().unwrap_or(0);
            let start = if number.is_multiple_of(2) {
                self.random_start(rng)?
            } else {
                self.clustered_start(1 + number.div_ceil(2) % self.model.components(), rng)?
            };
            self.fit(start, options, &mut Silent)
        })
    }
}

impl<F: Conjugate<P>, P: KlDivergence + Clone, D: Assignable<F, P>> CoordinateAscent
    for MixtureAscent<'_, F, P, D>
{
    type State = VariationalMixture<F, P>;
    type Error = Error;

    fn factors(&self) -> usize {
        if self.model.weights().learns_concentration() { 4 } else { 3 }
    }

    fn factor_name(&self, factor: usize) -> Cow<'static, str> {
        ["assignments", "weights", "components", "concentration"][factor.min(3)].into()
    }

    fn update(&self, q: &mut VariationalMixture<F, P>, factor: usize) -> Result<(), Error> {
        match factor {
            0 => {
                q.assigned = self.data.assign(&q.weights.expected_ln(), &q.components)?;
                (q.weights_current, q.components_current) = (false, false);
            }
            1 => q.update_weights()?,
            2 => q.update_components()?,
            _ => q.weights.update_concentration()?,
        }
        Ok(())
    }

    /// Right after any update. It costs no pass over the data.
    fn elbo(&self, q: &VariationalMixture<F, P>) -> Result<f64, Error> {
        q.bound()
    }
}
