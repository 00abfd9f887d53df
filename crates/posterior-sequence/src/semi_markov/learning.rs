//! Learning by EM: initial distribution, steps, durations with their parameters, emissions.

use posterior_inference::em::{EmOptions, Expected, Problem, expectation_maximization};
use posterior_latent::mixture::Happened;
use posterior_math::iteration::{Fitted, Observer};
use posterior_math::log_space::ln_add_exp;

use super::backward::backward;
use super::durations::Durations;
use super::forward::Distributions;
use super::model::{Begin, End, SemiMarkovModel};
use super::posterior::{begin_probabilities, possible, state_probabilities};
use crate::emission::{Emissions, LearnEmissions, Sequence, Sequences};
use crate::error::Error;

/// Sequences, and how the emissions of a [`SemiMarkovModel`] are learned from them: a problem of EM.
///
/// Zeros of the initial distribution and of the steps stay zero. Durations keep their family; a segment that
/// is cut off by the end counts as what it may have become. A state that is not visited keeps its
/// distributions. Sequences that begin inside of a segment are not learned from: what they say about
/// durations is no sum of counts.
#[derive(Debug)]
pub struct SemiMarkovProblem<'a, E: Emissions, L> {
    sequences: &'a Sequences<'a, E::Data>,
    learner: L,
}

/// The statistics of the M step: expected numbers of beginnings, steps and durations, and statistics of the
/// emissions.
#[derive(Debug, Clone)]
pub struct SegmentStatistics<S> {
    initial: Vec<f64>,
    /// Row after row.
    steps: Vec<f64>,
    /// Of durations 1, 2, … of each state.
    durations: Vec<Vec<f64>>,
    emissions: S,
}

/// A model, and what happened to the emissions of its states in the last step.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FittedSemiMarkov<E> {
    /// The model.
    pub model: SemiMarkovModel<E>,
    /// The states whose emissions could not be estimated in the last step, and why.
    pub incidents: Happened,
}

impl<'a, E: Emissions + Clone, L: LearnEmissions<E>> SemiMarkovProblem<'a, E, L> {
    /// The problem of these sequences.
    pub const fn new(sequences: &'a Sequences<'a, E::Data>, learner: L) -> Self {
        Self { sequences, learner }
    }

    /// Fits a model by EM from `start`: the likelihood (with the prior of the emissions) never falls.
    ///
    /// # Errors
    /// If the emissions do not take the data; [`Error::Impossible`] with the first sequence that no
    /// segmentation explains; a start with [`Begin::Running`].
    pub fn fit(
        &self,
        start: SemiMarkovModel<E>,
        options: &EmOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<FittedSemiMarkov<E>>, Error> {
        if start.window.begin == Begin::Running {
            let (what, needed) = ("learning of durations", "sequences that begin with a segment");
            return Err(Error::TooFew { what, needed });
        }
        let start = FittedSemiMarkov { model: start, incidents: Happened::new() };
        expectation_maximization(self, start, options, observer)
    }

    fn nothing(&self, model: &SemiMarkovModel<E>) -> SegmentStatistics<L::Statistics> {
        let states = model.states();
        SegmentStatistics {
            initial: vec![0.0; states],
            steps: vec![0.0; states * states],
            durations: model.durations.iter().map(|distribution| vec![0.0; distribution.longest()]).collect(),
            emissions: self.learner.nothing(&model.emissions),
        }
    }

    /// Adds what a sequence says, and returns its log-likelihood.
    fn add(
        &self,
        model: &SemiMarkovModel<E>,
        data: &Sequence<'_, E::Data>,
        sums: &mut SegmentStatistics<L::Statistics>,
    ) -> Result<f64, Error> {
        let distributions = Distributions::of(model);
        let states = distributions.states;
        let pass = possible(&distributions, &model.ln_nodes(data)?)?;
        let positions = pass.positions;
        // Of segments that are cut off, by what is seen of them.
        let mut cut: Vec<Vec<f64>> = sums.durations.iter().map(|own| vec![0.0; own.len()]).collect();
        let after = backward(&distributions, &pass, |j, s, ln_after, proportions| {
            let begins = (pass.begins[j * positions + s] + ln_after - pass.ln_scaled).exp();
            let whole = if distributions.end == End::Running && s + proportions.len() == positions {
                cut[j][proportions.len() - 1] += begins * proportions[proportions.len() - 1];
                proportions.len() - 1
            } else {
                proportions.len()
            };
            for (sum, proportion) in sums.durations[j].iter_mut().zip(&proportions[..whole]) {
                *sum += begins * proportion;
            }
        });
        for ((distribution, cut), sums) in distributions.durations.iter().zip(&cut).zip(&mut sums.durations) {
            add_completed(distribution, cut, sums);
        }
        let begins = begin_probabilities(&pass, &after, states);
        for (sum, begin) in sums.initial.iter_mut().zip(&begins) {
            *sum += begin;
        }
        for t in 1..positions {
            for (step, sum) in sums.steps.iter_mut().enumerate() {
                let (i, j) = (step / states, step % states);
                let ends = pass.ends[i * (positions + 1) + t] + distributions.ln_transitions[step];
                *sum += (ends + after.after_begin[j * positions + t] - pass.ln_scaled).exp();
            }
        }
        let mut proportions = state_probabilities(&pass, &after, &begins, states);
        for (row, _) in proportions
            .chunks_exact_mut(states)
            .zip(data.missing().unwrap_or_default())
            .filter(|(_, gap)| **gap)
        {
            row.fill(0.0);
        }
        self.learner.add(&mut sums.emissions, &model.emissions, data.data(), 0..positions, &proportions)?;
        Ok(pass.ln_z)
    }
}

/// Segments of which so much was seen before the end, as what they may have become: p(d) / P(at least as long
/// as was seen).
fn add_completed(distribution: &Durations, cut: &[f64], sums: &mut [f64]) {
    let mut ln_odds = f64::NEG_INFINITY;
    for (index, (sum, cut)) in sums.iter_mut().zip(cut).enumerate() {
        if *cut > 0.0 {
            ln_odds = ln_add_exp(ln_odds, cut.ln() - distribution.ln_survival(index + 1));
        }
        *sum += (ln_odds + distribution.ln_pdf(index + 1)).exp();
    }
}

impl<E: Emissions + Clone, L: LearnEmissions<E>> Problem for SemiMarkovProblem<'_, E, L> {
    type Model = FittedSemiMarkov<E>;
    type Statistics = SegmentStatistics<L::Statistics>;
    type Error = Error;

    fn e_step(&self, fitted: &FittedSemiMarkov<E>) -> Result<Expected<Self::Statistics>, Error> {
        let mut sums = self.nothing(&fitted.model);
        let mut ln_likelihood = 0.0;
        for (sequence, data) in self.sequences.as_slice().iter().enumerate() {
            ln_likelihood +=
                self.add(&fitted.model, data, &mut sums).map_err(|error| error.of_sequence(sequence))?;
        }
        Ok(Expected::new(sums, ln_likelihood))
    }

    fn m_step(
        &self,
        statistics: &Self::Statistics,
        previous: &FittedSemiMarkov<E>,
    ) -> Result<FittedSemiMarkov<E>, Error> {
        let mut model = previous.model.clone();
        let states = model.states();
        normalize(&statistics.initial, &mut model.ln_initial);
        for (counts, ln) in
            statistics.steps.chunks_exact(states).zip(model.ln_transitions.chunks_exact_mut(states))
        {
            normalize(counts, ln);
        }
        for (distribution, counts) in model.durations.iter_mut().zip(&statistics.durations) {
            *distribution = distribution.fitted(counts)?;
        }
        let (emissions, incidents) =
            self.learner.estimate(&statistics.emissions, &previous.model.emissions)?;
        model.emissions = emissions;
        Ok(FittedSemiMarkov { model, incidents })
    }

    fn ln_prior(&self, fitted: &FittedSemiMarkov<E>) -> f64 {
        self.learner.ln_prior(&fitted.model.emissions)
    }
}

/// ln of the proportions of counts; as it was without counts.
fn normalize(counts: &[f64], ln: &mut [f64]) {
    let total: f64 = counts.iter().sum();
    if total > 0.0 {
        for (ln, count) in ln.iter_mut().zip(counts) {
            *ln = (count / total).ln();
        }
    }
}
