//! The steps of EM on a mixture.

use std::borrow::Borrow;

use posterior_dist::{Categorical, ExponentialFamily, Mixture, Stats};
use posterior_inference::em::{
    Classify, EmOptions, Expected, Hard, Impute, Problem, expectation_maximization, stochastic_em,
};
use posterior_inference::{BestOf, best_of};
use posterior_math::iteration::{Fitted, Observer, Silent};
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::softmax_in_place;
use rand::Rng;
use rand::distr::Distribution;

use super::estimate::MaximizationStep;
use super::incident::{FittedMixture, Happened, IncidentKind};
use crate::error::Error;
use crate::variational::Points;

/// Observations of a family, and how the components of a mixture are estimated from them.
#[derive(Debug)]
pub struct MixtureProblem<'a, F: ExponentialFamily, X, E> {
    pub(super) points: &'a Points<'a, X>,
    pub(super) fixed: F::Fixed,
    pub(super) estimate: E,
}

impl<'a, F, X, E> MixtureProblem<'a, F, X, E>
where
    F: ExponentialFamily,
    X: Borrow<F::Point>,
    E: MaximizationStep<F>,
{
    /// The problem of these points of the family that holds `fixed` fixed.
    ///
    /// # Errors
    /// If there are no points, or with its index, if one is none of the family; if all weights are 0.
    pub fn new(points: &'a Points<'a, X>, fixed: F::Fixed, estimate: E) -> Result<Self, Error> {
        let count = points.as_slice().len();
        if count == 0 {
            return Err(Error::TooFew { what: "a mixture", needed: 1, found: 0 });
        }
        for (index, x) in points.as_slice().iter().enumerate() {
            F::check_point(&fixed, x.borrow()).map_err(|error| error.at(index))?;
        }
        let total = (0..count).map(|i| points.weight(i)).sum();
        posterior_math::check::positive("Points", "total weight", total)?;
        Ok(Self { points, fixed, estimate })
    }

    /// EM from `start`.
    ///
    /// # Errors
    /// If an observation is impossible under the mixture.
    pub fn fit(
        &self,
        start: Mixture<F>,
        options: &EmOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<FittedMixture<Mixture<F>>>, Error> {
        expectation_maximization(self, FittedMixture::start(start), options, observer)
    }

    /// Hard EM from `start`: every observation belongs to the component that has most of it. The objective is
    /// Σ ln π_z p(x | θ_z), plus the logarithm of the prior.
    ///
    /// # Errors
    /// If an observation is impossible under the mixture.
    pub fn fit_hard(
        &self,
        start: Mixture<F>,
        options: &EmOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<FittedMixture<Mixture<F>>>, Error>
    where
        E: Clone,
    {
        let (points, fixed, estimate) = (self.points, self.fixed.clone(), self.estimate.clone());
        let hard = Hard(Self { points, fixed, estimate });
        expectation_maximization(&hard, FittedMixture::start(start), options, observer)
    }

    /// Stochastic EM from `start`: components are drawn, `options.max_iterations` times. The best mixture
    /// that was visited.
    ///
    /// # Errors
    /// If an observation is impossible under a mixture.
    pub fn fit_sampled<R: Rng + ?Sized>(
        &self,
        start: Mixture<F>,
        options: &EmOptions,
        rng: &mut R,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<FittedMixture<Mixture<F>>>, Error> {
        stochastic_em(self, FittedMixture::start(start), options, rng, observer)
    }

    /// The best of several fits from [random starts](Self::random_start); fit s has the stream `[s]` of the
    /// seed.
    ///
    /// # Errors
    /// The first error, if all fits fail.
    pub fn fit_best(
        &self,
        components: usize,
        starts: usize,
        seed: u64,
        options: &EmOptions,
    ) -> Result<BestOf<FittedMixture<Mixture<F>>, Error>, Error> {
        best_of(starts, seed, |rng| self.fit(self.random_start(components, rng)?, options, &mut Silent))
    }

    /// r_ik, observations as rows.
    ///
    /// # Errors
    /// If an observation is impossible under the mixture.
    pub fn responsibilities(&self, mixture: &Mixture<F>) -> Result<DMatrix<f64>, Error> {
        let mut all = DMatrix::zeros(self.points.as_slice().len(), mixture.components().len());
        self.each_row(mixture, |row, proportions, _| {
            softmax_in_place(proportions);
            all.row_mut(row).iter_mut().zip(proportions).for_each(|(place, proportion)| *place = *proportion);
            Ok(())
        })?;
        Ok(all)
    }

    /// ln p(x) of all data.
    ///
    /// # Errors
    /// If an observation is impossible under the mixture.
    pub fn ln_likelihood(&self, mixture: &Mixture<F>) -> Result<f64, Error> {
        let mut sum = 0.0;
        self.each_row(mixture, |_, proportions, weight| {
            sum += weight * softmax_in_place(proportions);
            Ok(())
        })?;
        Ok(sum)
    }

    /// Calls `f` with each row, ln π_k p(x | θ_k) and the weight.
    fn each_row(
        &self,
        mixture: &Mixture<F>,
        mut f: impl FnMut(usize, &mut [f64], f64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let ln_weights = mixture.weights().ln_probabilities();
        let mut joint = vec![0.0; ln_weights.len()];
        for (row, x) in self.points.as_slice().iter().enumerate() {
            for ((joint, &ln_weight), distribution) in
                joint.iter_mut().zip(ln_weights).zip(mixture.components())
            {
                // A component without weight takes nothing, not even where its density is infinite.
                *joint = if ln_weight == f64::NEG_INFINITY {
                    ln_weight
                } else {
                    ln_weight + distribution.ln_pdf(x.borrow())
                };
            }
            let weight = self.points.weight(row);
            let possible = joint.iter().all(|joint| !joint.is_nan())
                && joint.iter().any(|&joint| joint > f64::NEG_INFINITY);
            if possible {
                f(row, &mut joint, weight)?;
            } else if weight > 0.0 {
                return Err(Error::NoBlock { observation: row });
            }
        }
        Ok(())
    }

    /// The statistics of the completed data, where `proportion` turns ln π_k p(x | θ_k) into proportions and
    /// returns what a row adds to the objective.
    fn complete(
        &self,
        mixture: &Mixture<F>,
        mut proportion: impl FnMut(&mut [f64]) -> Result<f64, Error>,
    ) -> Result<Expected<Vec<Stats<F>>>, Error> {
        let mut stats = vec![Stats::new(self.fixed.clone()); mixture.components().len()];
        let mut objective = 0.0;
        self.each_row(mixture, |row, proportions, weight| {
            objective += weight * proportion(proportions)?;
            for (stats, proportion) in stats.iter_mut().zip(proportions) {
                stats.push_weighted(self.points.as_slice()[row].borrow(), weight * *proportion)?;
            }
            Ok(())
        })?;
        Ok(Expected::new(stats, objective))
    }

    /// The mixture that fits these statistics, and what happened. `previous` has the distributions of
    /// components that none fits.
    pub(super) fn estimated(
        &self,
        stats: &[Stats<F>],
        previous: Option<&Mixture<F>>,
    ) -> Result<(Mixture<F>, Happened), Error> {
        let added = self.estimate.added_count();
        let weights: Vec<f64> = stats.iter().map(|stats| stats.weight() + added).collect();
        let (mut distributions, mut happened) = (Vec::with_capacity(stats.len()), Vec::new());
        for (k, stats) in stats.iter().enumerate() {
            match (self.estimate.distribution(stats), previous) {
                (Ok(distribution), _) => distributions.push(distribution),
                (Err(why), Some(previous)) => {
                    let kind =
                        if stats.weight() == 0.0 { IncidentKind::Died } else { IncidentKind::Kept(why) };
                    happened.push((k, kind));
                    distributions.push(previous.components()[k].clone());
                }
                (Err(why), None) => return Err(why.at(k).into()),
            }
        }
        Ok((Mixture::from_weights(&weights, distributions)?, happened))
    }
}

impl<F, X, E> Problem for MixtureProblem<'_, F, X, E>
where
    F: ExponentialFamily,
    X: Borrow<F::Point>,
    E: MaximizationStep<F>,
{
    type Model = FittedMixture<Mixture<F>>;
    /// Those of each component.
    type Statistics = Vec<Stats<F>>;
    type Error = Error;

    fn e_step(&self, model: &Self::Model) -> Result<Expected<Vec<Stats<F>>>, Error> {
        self.complete(&model.mixture, |proportions| Ok(softmax_in_place(proportions)))
    }

    fn m_step(&self, stats: &Vec<Stats<F>>, previous: &Self::Model) -> Result<Self::Model, Error> {
        let (mixture, happened) = self.estimated(stats, Some(&previous.mixture))?;
        Ok(previous.step(mixture, happened))
    }

    fn ln_prior(&self, model: &Self::Model) -> f64 {
        let distributions = model
            .mixture
            .components()
            .iter()
            .map(|distribution| self.estimate.ln_prior(distribution))
            .sum::<f64>();
        let added = self.estimate.added_count();
        let weights = model.mixture.weights().ln_probabilities().iter().sum::<f64>();
        if added == 0.0 { distributions } else { distributions + added * weights }
    }
}

impl<F, X, E> Classify for MixtureProblem<'_, F, X, E>
where
    F: ExponentialFamily,
    X: Borrow<F::Point>,
    E: MaximizationStep<F>,
{
    /// The first of equals.
    fn classify(&self, model: &Self::Model) -> Result<Expected<Vec<Stats<F>>>, Error> {
        self.complete(&model.mixture, |proportions| {
            let mut best = 0;
            for k in 1..proportions.len() {
                best = if proportions[k] > proportions[best] { k } else { best };
            }
            let ln_joint = proportions[best];
            proportions.fill(0.0);
            proportions[best] = 1.0;
            Ok(ln_joint)
        })
    }
}

impl<F, X, E> Impute for MixtureProblem<'_, F, X, E>
where
    F: ExponentialFamily,
    X: Borrow<F::Point>,
    E: MaximizationStep<F>,
{
    fn impute<R: Rng + ?Sized>(
        &self,
        model: &Self::Model,
        rng: &mut R,
    ) -> Result<Expected<Vec<Stats<F>>>, Error> {
        self.complete(&model.mixture, |proportions| {
            let drawn = Categorical::from_ln_weights(proportions)?.sample(rng);
            let ln_sum = softmax_in_place(proportions);
            proportions.fill(0.0);
            proportions[drawn] = 1.0;
            Ok(ln_sum)
        })
    }
}
