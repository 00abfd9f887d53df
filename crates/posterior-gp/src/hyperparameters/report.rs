//! How a fit went.

use std::fmt;

use posterior_math::iteration::{Fitted, Report, Stop};
use posterior_math::optimize::Minimum;

use super::AtLimit;
use crate::kernel::KernelParameter;

/// A parameter after a fit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FittedParameter {
    /// What it is called.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Its value on the free scale.
    pub free: f64,
    /// The limit that it has run into: the data want it there or beyond, or do not care.
    pub limit: Option<AtLimit>,
}

/// One search.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StartReport {
    /// The values of the parameters at the start.
    pub start: Vec<f64>,
    /// The logarithm of what was maximised, at the end; not finite if there was no model at the start.
    pub objective: f64,
    /// Why it stopped.
    pub stop: Stop,
    /// How often the evidence was computed.
    pub evaluations: usize,
}

impl StartReport {
    pub(super) fn new(parameters: &[KernelParameter], start: &[f64], found: &Fitted<Minimum>) -> Self {
        Self {
            start: parameters
                .iter()
                .zip(start)
                .map(|(parameter, &free)| parameter.scale.value(free))
                .collect(),
            objective: -found.model.value,
            stop: found.report.stop,
            evaluations: found.model.evaluations,
        }
    }
}

/// How parameters were fitted. It prints as a table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FitReport {
    /// The chosen search: ln evidence + ln prior, step by step.
    pub search: Report,
    /// The parameters.
    pub parameters: Vec<FittedParameter>,
    /// ln p(y) at the parameters.
    pub ln_evidence: f64,
    /// The logarithm of the prior density of the parameters; 0 without priors.
    pub ln_prior: f64,
    /// How many outputs the evidence is the density of.
    pub observations: usize,
    /// All searches: first the one from the values that the model had.
    pub starts: Vec<StartReport>,
    /// Which of them was best.
    pub chosen: usize,
}

impl FitReport {
    /// Those parameters that have run into a limit.
    pub fn at_limits(&self) -> impl Iterator<Item = &FittedParameter> {
        self.parameters.iter().filter(|parameter| parameter.limit.is_some())
    }

    /// How many searches ended as high as the best one, up to 10⁻³: one of many says that others may be
    /// higher still.
    pub fn agreeing_starts(&self) -> usize {
        let best = self.starts[self.chosen].objective;
        self.starts.iter().filter(|start| best - start.objective <= 1e-3).count()
    }
}

impl fmt::Display for FitReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.parameters.iter().map(|parameter| parameter.name.len()).max().unwrap_or(0);
        for FittedParameter { name, value, limit, .. } in &self.parameters {
            let note = match limit {
                None => "",
                Some(AtLimit::Lower) => "  (at its lower limit)",
                Some(AtLimit::Upper) => "  (at its upper limit)",
            };
            writeln!(f, "{name:width$}  {value:.6e}{note}")?;
        }
        let reason = match self.search.require_converged() {
            Ok(()) => "converged".to_owned(),
            Err(error) => error.to_string(),
        };
        write!(
            f,
            "ln evidence {:.6}; {reason}; start {} of {}, {} ended as high",
            self.ln_evidence,
            self.chosen + 1,
            self.starts.len(),
            self.agreeing_starts()
        )
    }
}
