//! Which variable goes first.

use posterior_graph::{
    EliminationOrder, GreedyOptions, Heuristic, SearchOptions, UnGraph, best_order, greedy_order,
};
use posterior_pgm::VarId;

use crate::{Error, Relevant};

use super::Program;

/// How the order is chosen in which variables are eliminated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OrderChoice {
    /// The cheapest of those that several heuristics propose.
    #[default]
    Cheapest,
    /// What this heuristic proposes.
    Heuristic(Heuristic),
    /// This order of all variables of the model; those that a query does not need are passed over.
    Given(EliminationOrder),
}

impl OrderChoice {
    /// The elimination of all variables of `part` but `kept`, whose joint table is the answer.
    pub(crate) fn program(&self, part: &Relevant, kept: &[VarId]) -> Result<Program, Error> {
        let cards = part.cards_in_model();
        let program = |early: &[VarId], _: &[VarId]| Program::new(part.scopes(), early, Some(kept), &cards);
        self.build(part, kept, program)
    }

    /// The elimination of all variables of `part` but `last`, which leaves tables, and the elimination of `last` from these.
    pub(crate) fn programs_in_turns(&self, part: &Relevant, last: &[VarId]) -> Result<[Program; 2], Error> {
        let cards = part.cards_in_model();
        let inputs: Vec<&[VarId]> = part.scopes().collect();
        let programs = |early: &[VarId], late: &[VarId]| {
            let first = Program::new(inputs.iter().copied(), early, None, &cards);
            let left = first.rest_scopes(&inputs);
            let second = Program::new(left.into_iter(), late, None, &cards);
            [first, second]
        };
        self.build(part, last, programs)
    }

    /// What `build` makes of the order: without the variables of `late`, and with them alone.
    fn build<T>(
        &self,
        part: &Relevant,
        late: &[VarId],
        build: impl FnOnce(&[VarId], &[VarId]) -> T,
    ) -> Result<T, Error> {
        let mut marks = vec![false; part.model_len()];
        for v in late {
            marks[v.index()] = true;
        }
        let order = match self {
            Self::Given(order) => given(order, part)?,
            Self::Heuristic(heuristic) => proposal(part, late, |graph, late| {
                let options = GreedyOptions::default().with_heuristic(*heuristic).with_last(late);
                greedy_order(graph, part.cards(), &options)
            })?,
            Self::Cheapest => proposal(part, late, |graph, late| {
                let options = SearchOptions::default().with_last(late);
                Ok(best_order(graph, part.cards(), &options)?.order)
            })?,
        };
        let (last, first): (Vec<VarId>, Vec<VarId>) = order.iter().partition(|v| marks[v.index()]);
        Ok(build(&first, &last))
    }
}

/// The variables of `part` in the given order.
fn given(order: &EliminationOrder, part: &Relevant) -> Result<Vec<VarId>, Error> {
    if order.len() != part.model_len() {
        return Err(Error::OtherModel { reason: "the elimination order has another number of variables" });
    }
    Ok(order.as_slice().iter().copied().filter(|&v| part.place(v).is_some()).collect())
}

/// What `choose` says of the graph of `part`, with these variables after all others.
fn proposal(
    part: &Relevant,
    late: &[VarId],
    choose: impl FnOnce(&UnGraph, Vec<VarId>) -> Result<EliminationOrder, posterior_graph::Error>,
) -> Result<Vec<VarId>, Error> {
    let late = late.iter().filter_map(|&v| part.place(v)).collect();
    let order = choose(&part.graph(), late).map_err(posterior_pgm::Error::from)?;
    Ok(order.as_slice().iter().map(|v| part.variables()[v.index()]).collect())
}
