//! What was seen.

use std::collections::BTreeMap;

use posterior_graph::VarId;

use crate::{Error, Variables};

/// What was seen of one variable.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Finding {
    /// It is in this state: hard evidence.
    State(usize),
    /// What was seen has these probabilities, up to a factor, in each of its states: virtual evidence (Pearl
    /// 1988).
    Likelihood(Vec<f64>),
}

/// What was seen: at most one finding for each variable.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    findings: BTreeMap<VarId, Finding>,
}

impl Evidence {
    /// Nothing was seen.
    pub const fn none() -> Self {
        Self { findings: BTreeMap::new() }
    }

    /// These variables are in these states.
    pub fn of(states: impl IntoIterator<Item = (VarId, usize)>) -> Self {
        states.into_iter().map(|(v, state)| (v, Finding::State(state))).collect()
    }

    /// These variables are in these states, by their names.
    ///
    /// # Errors
    /// A name or a state that does not exist, or a variable that comes twice.
    pub fn named<'a>(
        variables: &Variables,
        states: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, Error> {
        let mut evidence = Self::none();
        for (name, state) in states {
            let v = variables.require(name)?;
            let state = variables.require_state(v, state)?;
            if evidence.findings.insert(v, Finding::State(state)).is_some() {
                return Err(Error::Evidence {
                    name: name.to_owned(),
                    reason: "it is given twice".to_owned(),
                });
            }
        }
        Ok(evidence)
    }

    /// Puts a finding in, in place of an earlier one of this variable.
    pub fn insert(&mut self, v: VarId, finding: Finding) {
        self.findings.insert(v, finding);
    }

    /// With the variable in this state.
    #[must_use]
    pub fn with(mut self, v: VarId, state: usize) -> Self {
        self.insert(v, Finding::State(state));
        self
    }

    /// With what was seen of the variable this likely in each of its states.
    #[must_use]
    pub fn with_likelihood(mut self, v: VarId, likelihood: Vec<f64>) -> Self {
        self.insert(v, Finding::Likelihood(likelihood));
        self
    }

    /// Takes the finding of a variable out.
    pub fn remove(&mut self, v: VarId) -> Option<Finding> {
        self.findings.remove(&v)
    }

    /// What was seen of `v`.
    pub fn get(&self, v: VarId) -> Option<&Finding> {
        self.findings.get(&v)
    }

    /// The state of `v`, if it was seen.
    pub fn state(&self, v: VarId) -> Option<usize> {
        match self.findings.get(&v) {
            Some(&Finding::State(state)) => Some(state),
            _ => None,
        }
    }

    /// All findings, in the order of their variables.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (VarId, &Finding)> {
        self.findings.iter().map(|(&v, finding)| (v, finding))
    }

    /// The variables whose states were seen, with them, in the order of the ids.
    pub fn states(&self) -> impl Iterator<Item = (VarId, usize)> {
        self.iter().filter_map(|(v, _)| self.state(v).map(|state| (v, state)))
    }

    /// How many findings there are.
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// Whether nothing was seen.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// That every finding is about one of these variables and can be.
    ///
    /// # Errors
    /// A variable or state that does not exist; likelihoods that are negative, infinite, all zero, or not one
    /// for each state.
    pub fn check(&self, variables: &Variables) -> Result<(), Error> {
        for (v, finding) in self.iter() {
            variables.check(v)?;
            let card = variables.card(v);
            let refuse = |reason: String| Err(Error::Evidence { name: variables.name(v).to_owned(), reason });
            match finding {
                &Finding::State(state) if state >= card => {
                    return refuse(format!("state {state}, but it has {card} states, from 0"));
                }
                Finding::State(_) => {}
                Finding::Likelihood(likelihood) if likelihood.len() != card => {
                    return refuse(format!("{} likelihoods for {card} states", likelihood.len()));
                }
                Finding::Likelihood(likelihood) => {
                    if let Some(bad) = likelihood.iter().find(|l| !(**l >= 0.0 && l.is_finite())) {
                        return refuse(format!("the likelihood {bad} is not finite and at least 0"));
                    }
                    if likelihood.iter().all(|&l| l == 0.0) {
                        return refuse("all likelihoods are 0".to_owned());
                    }
                }
            }
        }
        Ok(())
    }
}

impl FromIterator<(VarId, Finding)> for Evidence {
    fn from_iter<I: IntoIterator<Item = (VarId, Finding)>>(findings: I) -> Self {
        Self { findings: findings.into_iter().collect() }
    }
}
