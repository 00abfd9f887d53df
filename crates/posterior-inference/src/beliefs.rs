//! The answer of every engine.

use posterior_pgm::{VarId, Variables};

use crate::{Cost, Error};

/// ln Z = ln ∑ₓ ∏ₛ fₛ(xₛ) over the states that agree with the evidence, and how far it can be trusted.
///
/// Of a Bayesian network it is ln p(evidence).
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum LnZ {
    /// Exact but for rounding.
    Exact(f64),
    /// At most the true value.
    Lower(f64),
    /// At least the true value.
    Upper(f64),
    /// Near the true value, on either side: how near, is not known.
    Approximate(f64),
    /// Near the true value, which lies between two bounds.
    Between {
        /// At most the true value; −∞ if nothing better is known.
        lower: f64,
        /// At least the true value.
        upper: f64,
        /// The approximation, within the bounds.
        value: f64,
    },
    /// From random draws.
    Estimate {
        /// The estimate.
        value: f64,
        /// Its standard error.
        standard_error: f64,
    },
    /// It was not asked for.
    Unknown,
}

impl LnZ {
    /// The number, whatever it is worth; NaN if it was not asked for.
    pub const fn value(&self) -> f64 {
        match *self {
            Self::Exact(value)
            | Self::Lower(value)
            | Self::Upper(value)
            | Self::Approximate(value)
            | Self::Between { value, .. }
            | Self::Estimate { value, .. } => value,
            Self::Unknown => f64::NAN,
        }
    }

    /// The number, if it is exact.
    pub const fn exact(&self) -> Option<f64> {
        match *self {
            Self::Exact(value) => Some(value),
            _ => None,
        }
    }
}

/// How an engine came to its answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RunReport {
    /// The name of the engine: junction tree, belief propagation, ….
    pub engine: &'static str,
    /// Why this engine, where it was chosen for the user.
    pub reason: Option<String>,
    /// What it cost.
    pub cost: Cost,
    /// Sweeps, of engines that iterate; 1 of those that do not.
    pub iterations: usize,
    /// Whether the engine reached its tolerance; true of exact ones.
    pub converged: bool,
    /// The last change of a message or marginal, of engines that iterate.
    pub residual: Option<f64>,
    /// After how many sweeps the messages come back to what they were, of engines that go in circles instead
    /// of converging.
    pub period: Option<usize>,
    /// What was drawn, of engines that draw.
    pub sampling: Option<Sampling>,
    /// What to know before trusting the numbers: sentences, without a full stop.
    pub warnings: Vec<String>,
}

/// What an engine that draws did, and what its draws are worth.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Sampling {
    /// Draws that answers could be made of, those refused among them; those of a warm-up are not.
    pub draws: usize,
    /// Draws that answers were made of.
    pub kept: usize,
    /// Chains; 1 of independent draws.
    pub chains: usize,
    /// How many independent draws of the posterior would be worth as much, of the number that is known worst.
    pub effective_size: f64,
    /// The largest R-hat, of several chains.
    pub rhat: Option<f64>,
    /// The shape of the tail of the weights (k-hat, Vehtari et al. 2024), of weighted draws: above 0.7
    /// standard errors may be too small. None if the largest weights are equal.
    pub tail_shape: Option<f64>,
}

impl Sampling {
    /// Independent draws, all kept.
    pub const fn independent(draws: usize) -> Self {
        Self { draws, kept: draws, chains: 1, effective_size: draws as f64, rhat: None, tail_shape: None }
    }
}

impl RunReport {
    /// The report of an exact engine.
    pub const fn exact(engine: &'static str, cost: Cost) -> Self {
        Self {
            engine,
            reason: None,
            cost,
            iterations: 1,
            converged: true,
            residual: None,
            period: None,
            sampling: None,
            warnings: Vec::new(),
        }
    }

    /// The report of an engine that iterates.
    pub fn iterative(
        engine: &'static str,
        cost: Cost,
        iterations: usize,
        converged: bool,
        residual: f64,
    ) -> Self {
        let residual = Some(residual);
        Self { iterations, converged, residual, ..Self::exact(engine, cost) }
    }

    /// The report of an engine that draws: its draws are its iterations, and it converged if there is no
    /// warning.
    pub const fn sampled(
        engine: &'static str,
        cost: Cost,
        sampling: Sampling,
        warnings: Vec<String>,
    ) -> Self {
        let (iterations, converged) = (sampling.draws, warnings.is_empty());
        Self {
            engine,
            reason: None,
            cost,
            iterations,
            converged,
            residual: None,
            period: None,
            sampling: Some(sampling),
            warnings,
        }
    }
}

/// Posterior marginals of the targets of a query, ln Z and a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Beliefs {
    variables: Variables,
    /// All marginals, one variable after another; NaN where a variable is no target.
    probabilities: Vec<f64>,
    starts: Vec<usize>,
    standard_errors: Option<Vec<f64>>,
    ln_z: LnZ,
    report: RunReport,
}

impl Beliefs {
    /// p(v | evidence), one number for each state; `None` if v was no target.
    #[track_caller]
    pub fn marginal(&self, v: VarId) -> Option<&[f64]> {
        let own = &self.probabilities[self.starts[v.index()]..self.starts[v.index() + 1]];
        (!own[0].is_nan()).then_some(own)
    }

    /// p(variable | evidence) by the variable's name, in the order of its states.
    ///
    /// # Errors
    /// A name that does not exist, or that was no target.
    pub fn marginal_of(&self, name: &str) -> Result<&[f64], Error> {
        let v = self.variables.require(name)?;
        self.marginal(v).ok_or_else(|| Error::NotATarget { name: name.to_owned() })
    }

    /// p(variable = state | evidence), by names.
    ///
    /// # Errors
    /// A name or a state that does not exist, or a variable that was no target.
    pub fn probability(&self, name: &str, state: &str) -> Result<f64, Error> {
        let state = self.variables.require_state(self.variables.require(name)?, state)?;
        Ok(self.marginal_of(name)?[state])
    }

    /// How far p(v) moved since `before`: the total variation ½ ∑ |p − q|, from 0 to 1, which is the largest
    /// change of the probability of any set of states. `None` if v was no target of either.
    #[track_caller]
    pub fn change_since(&self, before: &Self, v: VarId) -> Option<f64> {
        let changes = self.marginal(v)?.iter().zip(before.marginal(v)?).map(|(p, q)| (p - q).abs());
        Some(0.5 * changes.sum::<f64>())
    }

    /// The standard errors of [`marginal`](Self::marginal), of engines that draw.
    #[track_caller]
    pub fn standard_errors(&self, v: VarId) -> Option<&[f64]> {
        let errors = self.standard_errors.as_ref()?;
        self.marginal(v)?;
        Some(&errors[self.starts[v.index()]..self.starts[v.index() + 1]])
    }

    /// ln Z, or ln p(evidence) of a Bayesian network.
    pub const fn ln_z(&self) -> LnZ {
        self.ln_z
    }

    /// How it was found.
    pub const fn report(&self) -> &RunReport {
        &self.report
    }

    /// The same, with the reason why this engine was chosen.
    #[must_use]
    pub(crate) fn with_reason(mut self, reason: String) -> Self {
        self.report.reason = Some(reason);
        self
    }
}

/// Beliefs in the making: an engine fills in the marginals of its targets.
#[derive(Debug, Clone)]
pub struct BeliefsBuilder {
    variables: Variables,
    probabilities: Vec<f64>,
    starts: Vec<usize>,
    standard_errors: Option<Vec<f64>>,
}

impl BeliefsBuilder {
    /// About these variables, of which nothing is known yet.
    pub fn new(variables: &Variables) -> Self {
        let mut starts = Vec::with_capacity(variables.len() + 1);
        starts.push(0);
        let mut end = 0;
        for &card in variables.cards() {
            end += card;
            starts.push(end);
        }
        Self {
            variables: variables.clone(),
            probabilities: vec![f64::NAN; end],
            starts,
            standard_errors: None,
        }
    }

    /// The place for p(v | evidence), one number for each state, to be filled with probabilities.
    #[track_caller]
    pub fn marginal_mut(&mut self, v: VarId) -> &mut [f64] {
        &mut self.probabilities[self.starts[v.index()]..self.starts[v.index() + 1]]
    }

    /// The place for the standard errors of v.
    #[track_caller]
    pub fn standard_errors_mut(&mut self, v: VarId) -> &mut [f64] {
        let len = self.probabilities.len();
        let errors = self.standard_errors.get_or_insert_with(|| vec![0.0; len]);
        &mut errors[self.starts[v.index()]..self.starts[v.index() + 1]]
    }

    /// v is in this state for certain.
    #[track_caller]
    pub fn set_state(&mut self, v: VarId, state: usize) {
        let own = self.marginal_mut(v);
        own.fill(0.0);
        own[state] = 1.0;
    }

    /// The beliefs.
    pub fn finish(self, ln_z: LnZ, report: RunReport) -> Beliefs {
        let Self { variables, probabilities, starts, standard_errors } = self;
        Beliefs { variables, probabilities, starts, standard_errors, ln_z, report }
    }
}
