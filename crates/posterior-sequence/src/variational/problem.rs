//! The ascent: model and data, factor after factor.

use std::borrow::Cow;

use posterior_dist::{Conjugate, KlDivergence};
use posterior_inference::variational::{AscentOptions, CoordinateAscent, coordinate_ascent};
use posterior_inference::{BestOf, best_of};
use posterior_math::iteration::{Fitted, Observer, Silent};

use super::expectation::expect;
use super::posterior::VariationalHmm;
use crate::bayesian::{BayesianHmm, Observed};
use crate::error::Error;

/// A hidden Markov model with priors and the data that it is to explain: what [`coordinate_ascent`] moves on.
///
/// The factors are the paths, the initial distribution with the transitions, and the emissions. A sweep costs
/// one forward-backward pass over the data, O(T K²), and T K expected densities. With the feature `rayon`
/// sequences are on several threads; sums are over blocks that are always the same, so that results do not
/// depend on the number of threads.
#[derive(Debug)]
pub struct VariationalProblem<'a, F: Conjugate<P>, P> {
    model: &'a BayesianHmm<F, P>,
    data: &'a Observed<'a, F::Point>,
}

impl<'a, F: Conjugate<P>, P> VariationalProblem<'a, F, P> {
    /// The problem of these data.
    ///
    /// # Errors
    /// If a point is none of the family: with its sequence and its position.
    pub fn new(model: &'a BayesianHmm<F, P>, data: &'a Observed<'a, F::Point>) -> Result<Self, Error> {
        data.check::<F>(model.fixed())?;
        Ok(Self { model, data })
    }

    /// The model.
    pub const fn model(&self) -> &'a BayesianHmm<F, P> {
        self.model
    }

    /// The data.
    pub const fn data(&self) -> &'a Observed<'a, F::Point> {
        self.data
    }
}

impl<F, P> VariationalProblem<'_, F, P>
where
    F: Conjugate<P> + Sync,
    F::Point: Sync,
    F::Fixed: Send + Sync,
    F::Summary: Send + Sync,
    P: KlDivergence + Clone + Sync,
{
    /// Ascends from a start until the bound stays: [`coordinate_ascent`] with this problem.
    ///
    /// # Errors
    /// If numbers leave the range of f64, or a sequence is impossible under the zeros of the model.
    pub fn fit(
        &self,
        start: VariationalHmm<F, P>,
        options: &AscentOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<VariationalHmm<F, P>>, Error> {
        coordinate_ascent(self, start, options, observer)
    }

    /// The best of several fits, from [the states of a mixture](Self::mixture_start) and, every other one,
    /// from [random points](Self::random_start).
    ///
    /// # Errors
    /// If all fits fail.
    pub fn fit_best(
        &self,
        starts: usize,
        seed: u64,
        options: &AscentOptions,
    ) -> Result<BestOf<VariationalHmm<F, P>, Error>, Error> {
        let mut numbers = 0_usize..;
        best_of(starts, seed, |rng| {
            let number = numbers.next().unwrap_or(0);
            let start =
                if number.is_multiple_of(2) { self.mixture_start(rng)? } else { self.random_start(rng)? };
            self.fit(start, options, &mut Silent)
        })
    }

    /// Updates q(z).
    pub(super) fn update_paths(&self, q: &mut VariationalHmm<F, P>) -> Result<(), Error> {
        q.paths = expect(self.data, &q.expected_ln_initial(), &q.expected_ln_rows(), &q.emissions)?;
        (q.steps_current, q.emissions_current) = (false, false);
        Ok(())
    }
}

impl<F, P> CoordinateAscent for VariationalProblem<'_, F, P>
where
    F: Conjugate<P> + Sync,
    F::Point: Sync,
    F::Fixed: Send + Sync,
    F::Summary: Send + Sync,
    P: KlDivergence + Clone + Sync,
{
    type State = VariationalHmm<F, P>;
    type Error = Error;

    fn factors(&self) -> usize {
        3
    }

    fn factor_name(&self, factor: usize) -> Cow<'static, str> {
        ["paths", "steps", "emissions"][factor.min(2)].into()
    }

    fn update(&self, q: &mut VariationalHmm<F, P>, factor: usize) -> Result<(), Error> {
        match factor {
            0 => self.update_paths(q),
            1 => q.update_steps(),
            _ => q.update_emissions(),
        }
    }

    /// Right after any update. It costs no pass over the data.
    fn elbo(&self, q: &VariationalHmm<F, P>) -> Result<f64, Error> {
        q.bound()
    }
}
