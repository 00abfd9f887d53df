//! The part of a model that a query needs.

use std::borrow::Cow;

use posterior_graph::{Names, UnGraph};
use posterior_pgm::{Evidence, Finding, GraphicalModel, MarkovRandomField, Table, VarId, Variables};

use crate::Error;

/// What a query wants to know, which decides how much of the model it needs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Need {
    /// Posteriors of the targets, and ln Z. Of a Bayesian network: the targets, what was seen, and all that
    /// is above them.
    #[default]
    PosteriorAndEvidence,
    /// Posteriors of the targets only: what the evidence separates from them is left out too.
    Posterior,
    /// A best joint state: every variable that was not seen.
    BestState,
}

/// The part of a model that a query needs: its unobserved variables with ids of their own, from 0, and its
/// factors without the variables that were seen.
///
/// It is made without touching a number of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relevant {
    /// The ids in the model, sorted.
    variables: Vec<VarId>,
    /// The new id of each variable of the model.
    places: Vec<Option<VarId>>,
    cards: Vec<usize>,
    /// Which factors of the model.
    factors: Vec<usize>,
    /// Their scopes without what was seen, in ids of the model. As long as `factors`.
    scopes: Vec<Vec<VarId>>,
    /// Variables with virtual evidence.
    uncertain: Vec<VarId>,
    /// Variables that no table holds.
    lonely: Vec<VarId>,
}

/// What a query about `targets` needs of a model, given evidence. O(size of the scopes of all factors).
///
/// - Of a Bayesian network, variables below which nothing was asked or seen sum to one and are left out
///   ("barren", Shachter 1986).
/// - Observed variables leave the scopes of all factors.
/// - With [`Need::Posterior`], only what then still hangs together with a target is kept: by the criterion of
///   the moral graph of the ancestors (Lauritzen et al. 1990), this leaves out everything that is
///   d-separated.
///
/// # Errors
/// Targets that do not exist, or evidence that does not fit.
pub fn relevant(
    model: &dyn GraphicalModel,
    targets: &[VarId],
    evidence: &Evidence,
    need: Need,
) -> Result<Relevant, Error> {
    let variables = model.variables();
    targets.iter().try_for_each(|&v| variables.check(v))?;
    evidence.check(variables)?;
    let mut kept_factors = vec![true; model.factors().len()];
    let mut kept = vec![true; variables.len()];
    if let Some(dag) = model.dag().filter(|_| need != Need::BestState) {
        kept.fill(false);
        mark_ancestors(&mut kept, dag, targets.iter().copied().chain(evidence.iter().map(|(v, _)| v)));
        // Factor i is p(xᵢ | parents).
        kept_factors.clone_from(&kept);
    }
    let free = |v: &VarId| evidence.state(*v).is_none();
    let scopes: Vec<Vec<VarId>> = model
        .factors()
        .iter()
        .zip(&kept_factors)
        .map(
            |(factor, &own)| {
                if own { factor.scope().iter().copied().filter(free).collect() } else { Vec::new() }
            },
        )
        .collect();
    if need == Need::Posterior {
        kept.fill(false);
        mark_connected(&mut kept, targets.iter().copied().filter(free), &scopes);
        for (own, scope) in kept_factors.iter_mut().zip(&scopes) {
            *own = *own && scope.first().is_some_and(|v| kept[v.index()]);
        }
    }
    let ids: Vec<VarId> = variables.ids().filter(|v| kept[v.index()] && free(v)).collect();
    let mut places = vec![None; variables.len()];
    for (place, v) in ids.iter().enumerate() {
        places[v.index()] = Some(VarId::new(place));
    }
    let uncertain: Vec<VarId> =
        evidence.iter().map(|(v, _)| v).filter(|v| places[v.index()].is_some()).collect();
    let mut held = vec![false; variables.len()];
    scopes.iter().flatten().chain(&uncertain).for_each(|v| held[v.index()] = true);
    let lonely = ids.iter().copied().filter(|v| !held[v.index()]).collect();
    let (factors, scopes) =
        scopes.into_iter().enumerate().filter(|(factor, _)| kept_factors[*factor]).unzip();
    let cards = ids.iter().map(|&v| variables.card(v)).collect();
    Ok(Relevant { variables: ids, places, cards, factors, scopes, uncertain, lonely })
}

/// The graph of n variables with scopes of tables.
fn graph(n: usize, scopes: impl Iterator<Item = Vec<VarId>>) -> UnGraph {
    UnGraph::from_scopes(Names::numbered(n), scopes).expect("invariant: tables have proper scopes")
}

/// Marks these variables and all that is above them.
fn mark_ancestors(marks: &mut [bool], dag: &posterior_graph::Dag, of: impl Iterator<Item = VarId>) {
    let mut waiting: Vec<VarId> = of.collect();
    while let Some(v) = waiting.pop() {
        if !std::mem::replace(&mut marks[v.index()], true) {
            waiting.extend_from_slice(dag.parents(v));
        }
    }
}

/// Marks these variables and all that scopes join to them.
fn mark_connected(marks: &mut [bool], of: impl Iterator<Item = VarId>, scopes: &[Vec<VarId>]) {
    let mut factors_of = vec![Vec::new(); marks.len()];
    for (factor, scope) in scopes.iter().enumerate() {
        for v in scope {
            factors_of[v.index()].push(factor);
        }
    }
    let mut waiting: Vec<VarId> = of.collect();
    while let Some(v) = waiting.pop() {
        if !std::mem::replace(&mut marks[v.index()], true) {
            for factor in std::mem::take(&mut factors_of[v.index()]) {
                waiting.extend(scopes[factor].iter().filter(|w| !marks[w.index()]));
            }
        }
    }
}

impl Relevant {
    /// Its variables, by their ids in the model, sorted.
    pub fn variables(&self) -> &[VarId] {
        &self.variables
    }

    /// The id that a variable of the model has here, if it is needed and was not seen.
    pub fn place(&self, v: VarId) -> Option<VarId> {
        self.places.get(v.index()).copied().flatten()
    }

    /// How many states each of its variables has.
    pub fn cards(&self) -> &[usize] {
        &self.cards
    }

    /// Which factors of the model are needed.
    pub fn factors(&self) -> &[usize] {
        &self.factors
    }

    /// The scope of each needed factor without what was seen, in ids of the model; after them the likelihoods
    /// of virtual evidence, and a table of ones for each variable that is in no factor.
    pub fn scopes(&self) -> impl Iterator<Item = &[VarId]> {
        let single = self.uncertain.iter().chain(&self.lonely).map(std::slice::from_ref);
        self.scopes.iter().map(Vec::as_slice).chain(single)
    }

    /// Which of its variables occur in a factor together, with the ids that they have here.
    pub fn graph(&self) -> UnGraph {
        graph(self.variables.len(), self.scopes.iter().map(|scope| self.renamed(scope)))
    }

    /// The tables with these [`scopes`](Self::scopes), in ids of the model. Nothing is copied but the parts
    /// of tables with observed variables.
    ///
    /// # Errors
    /// A model or evidence that is not the one this part was made of.
    pub fn tables<'a>(
        &self,
        model: &'a dyn GraphicalModel,
        evidence: &Evidence,
    ) -> Result<Vec<Cow<'a, Table>>, Error> {
        const OTHER: Error = Error::OtherModel { reason: "its factors have other scopes" };
        let mut tables = Vec::with_capacity(self.scopes.len() + self.uncertain.len());
        for (&factor, scope) in self.factors.iter().zip(&self.scopes) {
            let table = model.factors().get(factor).ok_or(OTHER)?;
            let seen: Vec<(VarId, usize)> =
                table.scope().iter().filter_map(|&v| Some((v, evidence.state(v)?))).collect();
            let part = if seen.is_empty() { Cow::Borrowed(table) } else { Cow::Owned(table.reduce(&seen)?) };
            if part.scope() != scope {
                return Err(OTHER);
            }
            tables.push(part);
        }
        for &v in &self.uncertain {
            let Some(Finding::Likelihood(likelihood)) = evidence.get(v) else { return Err(OTHER) };
            tables.push(Cow::Owned(Table::new(vec![v], vec![likelihood.len()], likelihood.clone())?));
        }
        for &v in &self.lonely {
            let card = model.variables().card(v);
            tables.push(Cow::Owned(Table::new(vec![v], vec![card], vec![1.0; card])?));
        }
        Ok(tables)
    }

    /// This part as a model of its own, with the ids that its variables have here and the names that they
    /// have in the model.
    ///
    /// # Errors
    /// As for [`tables`](Self::tables).
    pub fn field(&self, model: &dyn GraphicalModel, evidence: &Evidence) -> Result<MarkovRandomField, Error> {
        let all = model.variables();
        let named = self.variables.iter().map(|&v| (all.name(v), all.states(v).iter().map(String::as_str)));
        let variables = Variables::new(named)?;
        let tables = self.tables(model, evidence)?;
        let tables = tables.iter().map(|table| {
            Ok(Table::new(self.renamed(table.scope()), table.cards().to_vec(), table.values().to_vec())?)
        });
        Ok(MarkovRandomField::new(variables, tables.collect::<Result<_, Error>>()?)?)
    }

    /// How many variables the model has.
    pub(crate) const fn model_len(&self) -> usize {
        self.places.len()
    }

    /// How many states the variables have, by their ids in the model; 1 where they are not needed.
    pub(crate) fn cards_in_model(&self) -> Vec<usize> {
        let mut cards = vec![1; self.places.len()];
        for (v, &card) in self.variables.iter().zip(&self.cards) {
            cards[v.index()] = card;
        }
        cards
    }

    fn renamed(&self, scope: &[VarId]) -> Vec<VarId> {
        scope.iter().map(|v| self.places[v.index()].expect("invariant: scopes hold kept variables")).collect()
    }
}
