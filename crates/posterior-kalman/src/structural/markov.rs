//! Processes in continuous time as components.

use posterior_math::autodiff::Real;
use posterior_math::check::ParamError;

use super::part::{Blocks, Part, Start, Timing};
use crate::continuous::Process;
use crate::continuous::block::Block;
use crate::learning::ParameterScale;

/// A Gauss-Markov process.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Markov {
    pub(super) name: &'static str,
    pub(super) process: Process,
    /// Names of the parameters, where those of the process say too little.
    pub(super) parameter: Option<&'static str>,
    /// Names of the states, as far as they have one.
    pub(super) signals: &'static [&'static str],
    /// Whether its states start anywhere, or with the distribution that the process has at the first time.
    pub(super) start: Start,
}

/// The last words of the names, if they tell the parameters apart.
fn short_names(process: &Process) -> Vec<String> {
    let names: Vec<String> = process.parameters().into_iter().map(|parameter| parameter.name).collect();
    let last = |name: &String| name.rsplit('.').next().unwrap_or(name).to_owned();
    let short: Vec<String> = names.iter().map(last).collect();
    let is_new = |(i, name): (usize, &String)| !short[..i].contains(name);
    if short.iter().enumerate().all(is_new) { short } else { names }
}

impl Part for Markov {
    fn name(&self) -> &'static str {
        self.name
    }

    fn parameters(&self) -> Vec<(String, ParameterScale)> {
        let named = |name: String| (name, ParameterScale::Positive);
        match self.parameter {
            Some(name) => vec![named(name.to_owned())],
            None => short_names(&self.process).into_iter().map(named).collect(),
        }
    }

    fn states(&self, _: Timing) -> usize {
        self.process.states()
    }

    fn write_row(&self, _: usize, row: &mut [f64]) {
        row.copy_from_slice(&self.process.observation());
    }

    fn signals(&self, _: usize) -> Vec<(String, Option<usize>)> {
        if self.signals.is_empty() {
            return vec![(self.name.to_owned(), None)];
        }
        self.signals.iter().enumerate().map(|(state, &name)| (name.to_owned(), Some(state))).collect()
    }

    fn check(&self, timing: Timing) -> Result<(), ParamError> {
        if timing == Timing::Irregular || self.has_even_steps() {
            return Ok(());
        }
        let requirement = "given times, because what a step does depends on when it is";
        Err(ParamError::new("Structural", "process", f64::NAN, requirement))
    }

    fn origin(&self) -> f64 {
        match self.start {
            Start::Known => self.process.origin(),
            Start::Diffuse | Start::DiffuseFrom(_) => f64::NEG_INFINITY,
        }
    }

    fn has_even_steps(&self) -> bool {
        self.process.has_even_steps()
    }

    fn step<R: Real>(&self, values: &[R], _: Timing, step: (f64, f64), mut to: Blocks<'_, R>) {
        self.process.write_step(values, step, &mut to.transition, &mut to.noise);
    }

    fn start<R: Real>(&self, values: &[R], time: f64, mut covariance: Block<'_, R>) -> Start {
        if self.start == Start::Known {
            self.process.write_covariance(values, time, &mut covariance);
        }
        self.start
    }
}
