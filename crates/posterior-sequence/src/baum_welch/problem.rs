//! The steps of expectation maximisation on a hidden Markov model.

use posterior_inference::em::{EmOptions, Expected, Problem, expectation_maximization};
use posterior_inference::{BestOf, best_of, best_of_short_runs};
use posterior_latent::mixture::{Happened, Incident};
use posterior_math::iteration::{Fitted, Observer, Silent, Stop};
use posterior_math::streaming::NeumaierSum;
use rand_pcg::Pcg64;

use super::counts::Counts;
use super::expect::{Room, add_sequence, ln_likelihood};
use super::options::BaumWelchOptions;
use super::shards::{each, groups};
use crate::emission::{Emissions, LearnEmissions, Sequences};
use crate::error::Error;
use crate::hmm::HiddenMarkovModel;

/// Steps of a short run.
const SHORT: usize = 10;

/// Sequences, and how a hidden Markov model is learned from them.
#[derive(Debug)]
pub struct BaumWelch<'a, E: Emissions, L> {
    pub(super) sequences: &'a Sequences<'a, E::Data>,
    pub(super) learn: L,
    pub(super) options: BaumWelchOptions,
}

/// A fitted model, and the incidents of its states during the fit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FittedHmm<E> {
    /// The model.
    pub hmm: HiddenMarkovModel<E>,
    /// The incidents of the distributions of states on the way; components are states. Empty, if all went
    /// well.
    pub incidents: Vec<Incident>,
    /// The states that the last M step saw no step from: their rows of A are as before.
    pub idle: Vec<usize>,
    steps: usize,
}

/// A model after an M step, what happened to states, and those without a step.
pub(super) type Estimated<E> = (HiddenMarkovModel<E>, Happened, Vec<usize>);

impl<E> FittedHmm<E> {
    /// A model that no step was taken from yet.
    pub(super) const fn start(hmm: HiddenMarkovModel<E>) -> Self {
        Self { hmm, incidents: Vec::new(), idle: Vec::new(), steps: 0 }
    }
}

impl<'a, E, L> BaumWelch<'a, E, L>
where
    E: Emissions<Data: Sync> + Clone + Sync,
    L: LearnEmissions<E, Statistics: Send> + Sync,
{
    /// The problem of these sequences.
    ///
    /// # Errors
    /// If they have no position.
    pub fn new(
        sequences: &'a Sequences<'a, E::Data>,
        learn: L,
        options: BaumWelchOptions,
    ) -> Result<Self, Error> {
        if sequences.positions::<E>() == 0 {
            return Err(Error::TooFew { what: "Baum-Welch", needed: "a position" });
        }
        Ok(Self { sequences, learn, options })
    }

    /// Expectation maximisation from `start`.
    ///
    /// A step costs O(K²) for each position, and the densities of the K states. The trace holds ln p(x), plus
    /// the logarithm of the prior.
    ///
    /// # Errors
    /// If options or observations do not go with the start, or a sequence is impossible under it.
    pub fn fit(
        &self,
        start: HiddenMarkovModel<E>,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<FittedHmm<E>>, Error> {
        self.check(&start)?;
        expectation_maximization(self, FittedHmm::start(start), &self.em(), observer)
    }

    /// The best of several fits, from what `start` makes of random numbers; fit s has the stream `[s]` of the
    /// seed.
    ///
    /// # Errors
    /// The first error, if all fits fail.
    pub fn fit_best(
        &self,
        starts: usize,
        seed: u64,
        mut start: impl FnMut(&mut Pcg64) -> Result<HiddenMarkovModel<E>, Error>,
    ) -> Result<BestOf<FittedHmm<E>, Error>, Error> {
        best_of(starts, seed, |rng| self.fit(start(rng)?, &mut Silent))
    }

    /// The best of several short runs, of 10 steps each, from what `start` makes of random numbers, carried
    /// on to the end; start s has the stream `[s]` of the seed. Short runs see the sequences of `few`: these,
    /// or a part of them where they are long.
    ///
    /// # Errors
    /// The first error, if all short runs fail; that of the long run.
    pub fn fit_short_runs(
        &self,
        few: &Self,
        starts: usize,
        seed: u64,
        mut start: impl FnMut(&mut Pcg64) -> Result<HiddenMarkovModel<E>, Error>,
    ) -> Result<BestOf<FittedHmm<E>, Error>, Error> {
        let (all, same) = (self.em(), std::ptr::eq(few, self));
        let steps = SHORT.min(all.max_iterations);
        let left = if same { all.max_iterations - steps } else { all.max_iterations };
        let short = EmOptions { max_iterations: steps, ..all };
        let long = EmOptions { max_iterations: left, ..all };
        let run = |rng: &mut Pcg64| {
            let start = start(rng)?;
            few.check(&start)?;
            let mut found = expectation_maximization(few, FittedHmm::start(start), &short, &mut Silent)?;
            if !same {
                // The others are still to be seen.
                found.report.stop = Stop::MaxIterations;
            }
            Ok(found)
        };
        best_of_short_runs(starts, seed, run, |best| {
            self.check(&best.hmm)?;
            expectation_maximization(self, best, &long, &mut Silent)
        })
    }

    /// ln p of all sequences; -∞ if one is impossible.
    ///
    /// # Errors
    /// If observations do not go with the model.
    pub fn ln_likelihood(&self, model: &HiddenMarkovModel<E>) -> Result<f64, Error> {
        self.sequences.check(model.emissions())?;
        let mut sum = NeumaierSum::new();
        let all = self.sequences.as_slice();
        let task = |room: &mut Room, group: std::ops::Range<usize>| {
            let mut sum = NeumaierSum::new();
            for sequence in group {
                let ln_p = ln_likelihood(model, &all[sequence], room);
                sum.push(ln_p.map_err(|error| error.of_sequence(sequence))?);
            }
            Ok::<f64, Error>(sum.value())
        };
        each(&self.groups(), Room::default, task, |ln_p| {
            sum.push(ln_p);
            Ok(())
        })?;
        // A compensated sum of -∞ is not a number.
        Ok(if sum.value().is_nan() { f64::NEG_INFINITY } else { sum.value() })
    }

    pub(super) fn em(&self) -> EmOptions {
        self.options.em
    }

    /// Whether options and observations go with the model.
    pub(super) fn check(&self, model: &HiddenMarkovModel<E>) -> Result<(), Error> {
        self.options.check(model.states())?;
        self.sequences.check(model.emissions())
    }

    pub(super) fn groups(&self) -> Vec<std::ops::Range<usize>> {
        groups(self.sequences.as_slice().iter().map(|part| E::length(part.data())))
    }

    /// The statistics of all sequences, where `add` adds those of one, and returns its part of the objective.
    pub(super) fn complete(
        &self,
        model: &HiddenMarkovModel<E>,
        add: impl Fn(usize, &mut Room, &mut Counts<L::Statistics>) -> Result<f64, Error> + Sync + Send,
    ) -> Result<Expected<Counts<L::Statistics>>, Error> {
        let nothing = || Counts::nothing(model.states(), self.learn.nothing(model.emissions()));
        let (mut total, mut objective) = (nothing(), NeumaierSum::new());
        let task = |room: &mut Room, group: std::ops::Range<usize>| {
            let (mut counts, mut ln_p) = (nothing(), NeumaierSum::new());
            for sequence in group {
                ln_p.push(add(sequence, room, &mut counts).map_err(|error| error.of_sequence(sequence))?);
            }
            Ok((counts, ln_p.value()))
        };
        each(&self.groups(), Room::default, task, |(counts, ln_p)| {
            total.add_chain(&counts);
            objective.push(ln_p);
            self.learn.merge(&mut total.emissions, &counts.emissions)
        })?;
        Ok(Expected::new(total, objective.value()))
    }

    /// The model that fits these counts, and what happened.
    pub(super) fn estimate(
        &self,
        counts: &Counts<L::Statistics>,
        before: &HiddenMarkovModel<E>,
    ) -> Result<Estimated<E>, Error> {
        let initial = counts.initial_distribution(before.initial(), &self.options);
        let (transition, idle) = counts.transition(before.transition(), &self.options);
        let (emissions, happened) = self.learn.estimate(&counts.emissions, before.emissions())?;
        Ok((HiddenMarkovModel::new(&initial, &transition, emissions)?, happened, idle))
    }

    fn ln_prior_of(&self, model: &HiddenMarkovModel<E>) -> f64 {
        let rows = model.transition().row_iter().enumerate();
        let of_rows = rows.map(|(i, row)| self.options.step_prior.ln_density(i, row.iter().copied()));
        self.options.initial_prior.ln_density(0, model.initial().iter().copied())
            + of_rows.sum::<f64>()
            + self.learn.ln_prior(model.emissions())
    }
}

impl<E, L> Problem for BaumWelch<'_, E, L>
where
    E: Emissions<Data: Sync> + Clone + Sync,
    L: LearnEmissions<E, Statistics: Send> + Sync,
{
    type Model = FittedHmm<E>;
    type Statistics = Counts<L::Statistics>;
    type Error = Error;

    fn e_step(&self, model: &FittedHmm<E>) -> Result<Expected<Self::Statistics>, Error> {
        let (hmm, all) = (&model.hmm, self.sequences.as_slice());
        self.complete(hmm, |sequence, room, counts| {
            add_sequence(hmm, &self.learn, &all[sequence], room, counts)
        })
    }

    fn m_step(&self, counts: &Self::Statistics, previous: &FittedHmm<E>) -> Result<FittedHmm<E>, Error> {
        let (hmm, happened, idle) = self.estimate(counts, &previous.hmm)?;
        let (mut incidents, steps) = (previous.incidents.clone(), previous.steps + 1);
        Incident::note(&mut incidents, steps, happened);
        Ok(FittedHmm { hmm, incidents, idle, steps })
    }

    fn ln_prior(&self, model: &FittedHmm<E>) -> f64 {
        self.ln_prior_of(&model.hmm)
    }
}
