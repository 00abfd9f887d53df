//! The likelihood of counts, proportions and heavy tails, as a function of the parameters of a model.
//!
//! A search climbs Laplace's approximation, for Student's t, which has none that is good, an estimate by
//! importance sampling whose draws are the same at all points. What is weighted is that estimate for all.

use posterior::dist::stream::stream;
use posterior::kalman::learning::{MarginalTarget, Parameter};
use posterior::kalman::non_gaussian::{ImportanceSmoother, SignalLikelihood, SignalModeOptions, mode};
use posterior::kalman::structural::Structural;
use posterior::kalman::{Error, Series, StateSpace};
use posterior::math::iteration::Silent;
use posterior::math::optimize::{LbfgsOptions, minimize};
use rayon::prelude::*;

use super::parameter_points::ParameterTarget;
use crate::args::SeriesLikelihood;

/// Draws for an estimate of the likelihood.
const DRAWS: usize = 100;
/// The step of differences.
const STEP: f64 = 1e-3;
/// Where the second search begins of variances, in units of the first.
const SMALLER: f64 = 0.03;

/// The likelihood of one series that is seen in such a way.
#[derive(Debug)]
pub(super) struct SignalTarget<'a> {
    states: MarginalTarget<'a, Structural>,
    series: &'a Series,
    kind: SeriesLikelihood,
    trials: &'a [u64],
    /// Those of the states, and those of what is seen.
    parameters: Vec<Parameter>,
    /// The free values of the last ones that do not move.
    fixed: Vec<Option<f64>>,
    seed: u64,
}

impl<'a> SignalTarget<'a> {
    /// With these parameters fixed, each at a value.
    pub(super) fn new(
        structure: &'a Structural,
        series: &'a [Series; 1],
        (kind, trials): (SeriesLikelihood, &'a [u64]),
        (spread, given): (f64, &[(String, f64)]),
        seed: u64,
    ) -> Result<Self, Error> {
        let mut states = MarginalTarget::new(structure, series)?;
        let own = kind.parameters(spread);
        let is_own = |name: &str| own.iter().any(|own| own.name() == name);
        for (name, value) in given {
            if !is_own(name) && states.parameters().iter().any(|own| own.name() == name) {
                states = states.with_fixed(name, *value)?;
            }
        }
        let fixed = |own: &Parameter| {
            given.iter().find(|(name, _)| own.name() == name).map(|(_, value)| own.scale().free(*value))
        };
        let fixed = own.iter().map(fixed).collect();
        let parameters = states.parameters().iter().cloned().chain(own).collect();
        Ok(Self { states, series: &series[0], kind, trials, parameters, fixed, seed })
    }

    /// Where a search begins: the free values of the parameters that are not fixed.
    fn start(&self) -> Vec<f64> {
        self.unknown().into_iter().map(|place| self.parameters[place].start_free()).collect()
    }

    fn at(&self, unknown: &[f64]) -> Result<(StateSpace, SignalLikelihood), Error> {
        let of_states = self.states.unknown().len();
        let model = self.states.at(&unknown[..of_states])?;
        let all = self.complete(unknown);
        let first = self.states.parameters().len();
        let own: Vec<f64> = self
            .parameters
            .iter()
            .zip(&all)
            .skip(first)
            .map(|(own, free)| own.scale().natural(*free))
            .collect();
        // There is one for each number of parameters that it has.
        let likelihood = self.kind.with(&own, self.trials).ok_or(Error::Undetermined)?;
        Ok((model, likelihood))
    }

    fn estimate(&self, unknown: &[f64]) -> Result<f64, Error> {
        let (model, likelihood) = self.at(unknown)?;
        let smoother = ImportanceSmoother { draws: DRAWS, ..ImportanceSmoother::default() };
        let found = smoother.run(&model, &likelihood, self.series, &mut stream(self.seed, &[2]))?;
        Ok(found.ln_likelihood().ln_value)
    }

    /// What a search climbs.
    fn height(&self, unknown: &[f64]) -> Result<f64, Error> {
        if self.kind == SeriesLikelihood::StudentT {
            return self.estimate(unknown);
        }
        let (model, likelihood) = self.at(unknown)?;
        let found = mode(&model, &likelihood, self.series, &SignalModeOptions::default())?;
        Ok(found.laplace_ln_likelihood)
    }

    /// The free values where the likelihood is largest, and whether the search got there.
    pub(super) fn maximize(&self) -> (Vec<f64>, bool) {
        let start = self.start();
        if start.is_empty() {
            return (start, true);
        }
        let is_variance: Vec<bool> = self
            .unknown()
            .into_iter()
            .map(|place| super::parameter_points::is_variance(&self.parameters[place]))
            .collect();
        let smaller =
            start.iter().zip(&is_variance).map(|(own, is)| if *is { own + SMALLER.ln() } else { *own });
        let starts = [start.clone(), smaller.collect()];
        let search = |start: &Vec<f64>| {
            let negative = |u: &[f64], gradient: &mut [f64]| -> f64 {
                let Ok(value) = self.ln_likelihood(u, gradient) else { return f64::NAN };
                for slope in gradient {
                    *slope = -*slope;
                }
                -value
            };
            let options = LbfgsOptions { value_tolerance: 1e-9, ..LbfgsOptions::default() };
            minimize(negative, start, &options, &mut Silent)
        };
        let found = starts.iter().map(search).filter(|own| own.model.value.is_finite());
        let best = found.reduce(|a, b| if b.model.value < a.model.value { b } else { a });
        best.map_or((start, false), |own| (own.model.point.clone(), own.report.converged()))
    }
}

impl ParameterTarget for SignalTarget<'_> {
    fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    fn unknown(&self) -> Vec<usize> {
        let first = self.states.parameters().len();
        let own = self.fixed.iter().enumerate().filter(|(_, fixed)| fixed.is_none());
        self.states.unknown().into_iter().chain(own.map(|(place, _)| first + place)).collect()
    }

    fn complete(&self, unknown: &[f64]) -> Vec<f64> {
        let (of_states, own) = unknown.split_at(self.states.unknown().len());
        let mut rest = own.iter();
        let own = self.fixed.iter().map(|own| own.or_else(|| rest.next().copied()).unwrap_or(f64::NAN));
        self.states.complete(of_states).into_iter().chain(own).collect()
    }

    /// By differences.
    fn ln_likelihood(&self, unknown: &[f64], gradient: &mut [f64]) -> Result<f64, Error> {
        let beside = |place: usize| {
            let mut at = unknown.to_vec();
            if let Some(coordinate) = place.checked_sub(1) {
                at[coordinate / 2] += if coordinate % 2 == 0 { STEP } else { -STEP };
            }
            self.height(&at)
        };
        let all = (0..=2 * unknown.len()).into_par_iter().map(beside).collect::<Result<Vec<_>, Error>>()?;
        for (slope, pair) in gradient.iter_mut().zip(all[1..].chunks_exact(2)) {
            *slope = (pair[0] - pair[1]) / (2.0 * STEP);
        }
        Ok(all[0])
    }

    fn weighed(&self, unknown: &[f64]) -> Result<f64, Error> {
        self.estimate(unknown)
    }
}
