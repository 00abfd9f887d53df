//! A tree that stays calibrated while evidence comes and goes.

use posterior_pgm::{Evidence, Finding, GraphicalModel, Table, VarId};
use rand::Rng;

use super::core::Core;
use super::structure::Structure;
use super::{JunctionTree, JunctionTreePlan, LARGE, beliefs, check_scope, explain};
use crate::{Beliefs, Cost, Engine, Error, Explanation};

/// A model, the potentials of its tree, and messages: evidence is set and taken back, and only what it
/// changes is computed again.
#[derive(Clone)]
pub struct Propagation<'m> {
    engine: JunctionTree,
    model: &'m dyn GraphicalModel,
    plan: JunctionTreePlan,
    evidence: Evidence,
    whole: Core,
    /// A smaller tree, without the observed variables, where that pays.
    sliced: Option<Core>,
}

impl std::fmt::Debug for Propagation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Propagation").field("evidence", &self.evidence).finish_non_exhaustive()
    }
}

impl JunctionTree {
    /// Multiplies the factors of each clique: what many queries about one model share. O(cells of the
    /// cliques).
    ///
    /// # Errors
    /// A plan of another model.
    pub fn prepare<'m>(
        &self,
        model: &'m dyn GraphicalModel,
        plan: &JunctionTreePlan,
    ) -> Result<Propagation<'m>, Error> {
        let evidence = Evidence::none();
        let whole = self.core(model, plan, &evidence)?;
        Ok(Propagation { engine: self.clone(), model, plan: plan.clone(), evidence, whole, sliced: None })
    }
}

impl Propagation<'_> {
    /// What was seen.
    pub const fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// What a propagation costs as things are.
    pub fn cost(&self) -> Cost {
        self.engine.cost(&self.plan)
    }

    /// Replaces all that was seen.
    ///
    /// # Errors
    /// Evidence that does not fit the model; then nothing changes.
    pub fn set_evidence(&mut self, evidence: &Evidence) -> Result<(), Error> {
        evidence.check(self.model.variables())?;
        self.sliced = self.slice(evidence)?;
        match &mut self.sliced {
            Some(core) => core.set_evidence(evidence),
            None => self.whole.set_evidence(evidence),
        }
        self.evidence = evidence.clone();
        Ok(())
    }

    /// A finding about `v`, in place of an earlier one.
    ///
    /// # Errors
    /// A finding that does not fit the variable; then nothing changes.
    pub fn observe(&mut self, v: VarId, finding: Finding) -> Result<(), Error> {
        let mut evidence = self.evidence.clone();
        evidence.insert(v, finding);
        self.set_evidence(&evidence)
    }

    /// Takes back what was seen of `v`.
    ///
    /// # Errors
    /// A variable that does not exist.
    pub fn retract(&mut self, v: VarId) -> Result<(), Error> {
        self.model.variables().check(v)?;
        let mut evidence = self.evidence.clone();
        evidence.remove(v);
        self.set_evidence(&evidence)
    }

    /// The posterior marginals of the targets of the plan, and ln Z.
    ///
    /// # Errors
    /// [`Error::ImpossibleEvidence`].
    pub fn beliefs(&mut self) -> Result<Beliefs, Error> {
        let core = self.sliced.as_mut().unwrap_or(&mut self.whole);
        beliefs(core, self.model, &self.plan.targets)
    }

    /// The posterior marginal of `v`: only the messages on the way to it are computed.
    ///
    /// # Errors
    /// A variable that does not exist, or [`Error::ImpossibleEvidence`].
    pub fn marginal(&mut self, v: VarId) -> Result<&[f64], Error> {
        self.model.variables().check(v)?;
        self.active().marginal(v)
    }

    /// ln Z, or ln p(evidence) of a Bayesian network.
    ///
    /// # Errors
    /// [`Error::ImpossibleEvidence`].
    pub fn ln_z(&mut self) -> Result<f64, Error> {
        self.active().ln_z()
    }

    /// p(variables | evidence), as a table over them in this order.
    ///
    /// # Errors
    /// Variables that do not exist or come twice, a table that is too large, or
    /// [`Error::ImpossibleEvidence`].
    pub fn joint(&mut self, variables: &[VarId]) -> Result<Table, Error> {
        check_scope(self.model, variables, self.engine.budget)?;
        let budget = self.engine.budget;
        let cards = self.model.variables().cards();
        self.active().joint(variables, cards, budget)
    }

    /// For each factor of the model p(its variables | evidence), in the layout of the factor.
    ///
    /// # Errors
    /// [`Error::ImpossibleEvidence`].
    pub fn factor_marginals(&mut self) -> Result<Vec<Table>, Error> {
        let scopes: Vec<&[VarId]> = self.model.factors().iter().map(Table::scope).collect();
        let cards = self.model.variables().cards();
        let budget = self.engine.budget;
        self.active().factor_marginals(&scopes, cards, budget)
    }

    /// The joint state of all variables of greatest probability. Of several, the same one every time.
    ///
    /// # Errors
    /// [`Error::ImpossibleEvidence`].
    pub fn most_probable(&mut self) -> Result<Explanation, Error> {
        let model = self.model;
        let evidence = self.evidence.clone();
        explain(self.active(), model, &evidence)
    }

    /// Draws a joint state of all variables from the posterior, exactly. O(cells) for each draw.
    ///
    /// # Errors
    /// [`Error::ImpossibleEvidence`].
    pub fn draw<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Result<Vec<usize>, Error> {
        let core = self.active();
        let mut states = core.tree.known_states();
        core.draw(rng, &mut states)?;
        Ok(states)
    }

    fn active(&mut self) -> &mut Core {
        self.sliced.as_mut().unwrap_or(&mut self.whole)
    }

    /// A tree without the observed variables, if that saves more than it costs to make.
    fn slice(&self, evidence: &Evidence) -> Result<Option<Core>, Error> {
        let tree = &self.whole.tree;
        if tree.cost.operations < LARGE || evidence.states().next().is_none() {
            return Ok(None);
        }
        let mut given = self.plan.structure.known.clone();
        for (v, state) in evidence.states() {
            given[v.index()] = Some(state);
        }
        // Even with the cliques as they are: a tree of its own is smaller still.
        if tree.operations_given(&given) > tree.cost.operations / 4 {
            return Ok(None);
        }
        let structure = Structure::new(self.model, &given);
        let tree = self.engine.tree(self.model, &structure)?;
        Ok(Some(Core::new(self.model, tree, &structure)))
    }
}
