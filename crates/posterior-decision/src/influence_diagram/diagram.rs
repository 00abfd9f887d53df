//! Chances, decisions, utilities, and the order in which things become known.

use posterior_graph::Dag;
use posterior_math::check;
use posterior_pgm::{BayesianNetwork, Evidence, Finding, GraphicalModel as _, Table, VarId, Variables};

use crate::error::Error;

/// A variable whose state somebody chooses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    variable: VarId,
    observed: Vec<VarId>,
}

impl Decision {
    /// The decision about `variable`, made when `observed` became known beside all that was known or decided
    /// before.
    pub fn new(variable: VarId, observed: &[VarId]) -> Self {
        Self { variable, observed: observed.to_vec() }
    }

    /// What is chosen.
    pub const fn variable(&self) -> VarId {
        self.variable
    }

    /// What became known since the decision before.
    pub fn observed(&self) -> &[VarId] {
        &self.observed
    }
}

/// What states of some variables bring; several utilities add up.
#[derive(Debug, Clone, PartialEq)]
pub struct Utility {
    name: String,
    table: Table,
}

impl Utility {
    /// A table of utilities, of any sign: costs are negative ones.
    pub fn new(name: impl Into<String>, table: Table) -> Self {
        Self { name: name.into(), table }
    }

    /// What it is.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The numbers.
    pub const fn table(&self) -> &Table {
        &self.table
    }
}

/// Chances, decisions in their order of time, and utilities.
#[derive(Debug, Clone, PartialEq)]
pub struct InfluenceDiagram {
    /// With decisions as roots, of whose tables nothing is read.
    network: BayesianNetwork,
    decisions: Vec<Decision>,
    utilities: Vec<Utility>,
    /// Likelihoods of what was seen before the first decision.
    findings: Vec<Table>,
}

impl InfluenceDiagram {
    /// The diagram of these conditional tables (the last variable of each scope is the child), decisions in
    /// the order in which they are made, and utilities.
    ///
    /// # Errors
    /// A variable without table or decision, or with both; tables that a [`BayesianNetwork`] refuses; a
    /// utility that is not finite or does not fit its variables; what is observed twice, or is a decision, or
    /// depends on a decision that it is known at.
    pub fn new(
        variables: Variables,
        chances: Vec<Table>,
        decisions: Vec<Decision>,
        utilities: Vec<Utility>,
    ) -> Result<Self, Error> {
        let chosen: Vec<VarId> = decisions.iter().map(|own| own.variable).collect();
        let mut tables = chances;
        for &v in &chosen {
            variables.check(v)?;
            if tables.iter().any(|table| table.scope().last() == Some(&v)) {
                return Err(Error::diagram(variables.name(v), "is a decision, and has a table of chances"));
            }
            let card = variables.card(v);
            tables.push(Table::new(vec![v], vec![card], vec![1.0 / card as f64; card])?);
        }
        let network = BayesianNetwork::new(variables, tables)?;
        let diagram = Self { network, decisions, utilities, findings: Vec::new() };
        diagram.check_observed(&chosen)?;
        diagram.check_time()?;
        diagram.utilities.iter().try_for_each(|own| diagram.check_utility(own))?;
        Ok(diagram)
    }

    /// The variables.
    pub fn variables(&self) -> &Variables {
        self.network.variables()
    }

    /// The decisions, the first one first.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// The utilities.
    pub fn utilities(&self) -> &[Utility] {
        &self.utilities
    }

    /// The conditional table of a chance variable.
    pub(super) fn chances(&self) -> impl Iterator<Item = &Table> {
        let chance = |v: &VarId| self.decisions.iter().all(|own| own.variable != *v);
        self.variables().ids().filter(chance).map(|v| self.network.cpt(v)).chain(&self.findings)
    }

    /// The diagram when this was seen before the first decision.
    ///
    /// # Errors
    /// Findings about decisions, or about what depends on one; states that there are not.
    pub fn given(&self, evidence: &Evidence) -> Result<Self, Error> {
        evidence.check(self.variables())?;
        let mut diagram = self.clone();
        for (v, finding) in evidence.iter() {
            let caused = self.decisions.iter().any(|own| self.depends(v, own.variable));
            if caused {
                return Err(Error::diagram(
                    self.variables().name(v),
                    "depends on a decision: it cannot be known before",
                ));
            }
            let card = self.variables().card(v);
            let likelihood = match finding {
                Finding::State(state) => (0..card).map(|s| f64::from(u8::from(s == *state))).collect(),
                Finding::Likelihood(likelihood) => likelihood.clone(),
                _ => {
                    return Err(Error::diagram(self.variables().name(v), "has a finding of an unknown kind"));
                }
            };
            diagram.findings.push(Table::new(vec![v], vec![card], likelihood)?);
        }
        Ok(diagram)
    }

    /// The diagram in which `variable` is known when `decision` is made, if not before.
    ///
    /// # Errors
    /// If `decision` is none, or `variable` depends on it.
    pub fn observing(&self, variable: VarId, decision: VarId) -> Result<Self, Error> {
        self.variables().check(variable)?;
        let position = self.decisions.iter().position(|own| own.variable == decision);
        let Some(position) = position else {
            self.variables().check(decision)?;
            return Err(Error::diagram(self.variables().name(decision), "is no decision"));
        };
        let known_by = self.decisions.iter().position(|own| own.observed.contains(&variable));
        if known_by.is_some_and(|known| known <= position) {
            return Ok(self.clone());
        }
        let mut diagram = self.clone();
        for own in &mut diagram.decisions {
            own.observed.retain(|&v| v != variable);
        }
        diagram.decisions[position].observed.push(variable);
        let chosen: Vec<VarId> = diagram.decisions.iter().map(|own| own.variable).collect();
        diagram.check_observed(&chosen)?;
        diagram.check_time()?;
        Ok(diagram)
    }

    /// Whether `v` is `cause`, or has it as an ancestor.
    fn depends(&self, v: VarId, cause: VarId) -> bool {
        let mut waiting = vec![v];
        let mut seen = vec![false; self.variables().len()];
        while let Some(next) = waiting.pop() {
            if next == cause {
                return true;
            }
            if !std::mem::replace(&mut seen[next.index()], true) {
                let scope = self.network.cpt(next).scope();
                waiting.extend(&scope[..scope.len() - 1]);
            }
        }
        false
    }

    fn check_observed(&self, chosen: &[VarId]) -> Result<(), Error> {
        let mut known = Vec::new();
        for decision in &self.decisions {
            for &v in &decision.observed {
                self.variables().check(v)?;
                let name = self.variables().name(v);
                if chosen.contains(&v) {
                    return Err(Error::diagram(
                        name,
                        "is a decision: it is known at all later ones by itself",
                    ));
                }
                if known.contains(&v) {
                    return Err(Error::diagram(name, "is observed twice: what is known stays known"));
                }
                known.push(v);
            }
        }
        for (place, v) in chosen.iter().enumerate() {
            if chosen[..place].contains(v) {
                return Err(Error::diagram(self.variables().name(*v), "is decided twice"));
            }
        }
        Ok(())
    }

    /// What is observed must not depend on the decision that it is known at, nor on a later one: no cycle
    /// with the arrows of information.
    fn check_time(&self) -> Result<(), Error> {
        let mut arrows: Vec<(VarId, VarId)> = Vec::new();
        for v in self.variables().ids() {
            let scope = self.network.cpt(v).scope();
            arrows.extend(scope[..scope.len() - 1].iter().map(|&parent| (parent, v)));
        }
        for (place, decision) in self.decisions.iter().enumerate() {
            arrows.extend(decision.observed.iter().map(|&v| (v, decision.variable)));
            arrows
                .extend(self.decisions[..place].iter().map(|earlier| (earlier.variable, decision.variable)));
        }
        Dag::new(self.variables().names().clone(), arrows).map_err(posterior_pgm::Error::from)?;
        Ok(())
    }

    fn check_utility(&self, utility: &Utility) -> Result<(), Error> {
        for (&v, &card) in utility.table.scope().iter().zip(utility.table.cards()) {
            self.variables().check(v)?;
            let expected = self.variables().card(v);
            check::dimension("states of a variable of a utility", expected, card)?;
        }
        match utility.table.values().iter().position(|value| !value.is_finite()) {
            None => Ok(()),
            Some(index) => Err(Error::Model(posterior_pgm::Error::Value {
                table: format!("utility {:?}", utility.name),
                index,
                value: utility.table.values()[index],
                requirement: "finite",
            })),
        }
    }
}
