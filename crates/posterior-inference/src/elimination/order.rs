//! Which variable goes first.

use posterior_graph::{EliminationOrder, GreedyOptions, Heuristic, UnGraph, greedy_order};
use posterior_pgm::VarId;

use crate::{Cost, Error, Relevant};

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
        self.cheapest(part, kept, program, Program::cost)
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
        self.cheapest(part, last, programs, |[first, second]| first.cost().then(second.cost_of_keeping()))
    }

    /// The cheapest of what `build` makes of the orders, given without and with the variables of `late` only.
    fn cheapest<T>(
        &self,
        part: &Relevant,
        late: &[VarId],
        build: impl Fn(&[VarId], &[VarId]) -> T,
        cost: impl Fn(&T) -> Cost,
    ) -> Result<T, Error> {
        let mut marks = vec![false; part.model_len()];
        for v in late {
            marks[v.index()] = true;
        }
        let split = |order: Vec<VarId>| -> T {
            let (last, first): (Vec<VarId>, Vec<VarId>) = order.iter().partition(|v| marks[v.index()]);
            build(&first, &last)
        };
        let others: &[Heuristic] = match self {
            Self::Given(order) => return Ok(split(given(order, part)?)),
            Self::Heuristic(heuristic) => return Ok(split(proposal(part, &part.graph(), *heuristic, late)?)),
            Self::Cheapest => &[Heuristic::MinWeight],
        };
        let graph = part.graph();
        let mut best = split(proposal(part, &graph, Heuristic::MinFill, late)?);
        for &heuristic in others {
            let next = split(proposal(part, &graph, heuristic, late)?);
            if (cost(&next).operations, cost(&next).cells) < (cost(&best).operations, cost(&best).cells) {
                best = next;
            }
        }
        Ok(best)
    }
}

/// The variables of `part` in the given order.
fn given(order: &EliminationOrder, part: &Relevant) -> Result<Vec<VarId>, Error> {
    if order.len() != part.model_len() {
        return Err(Error::OtherModel { reason: "the elimination order has another number of variables" });
    }
    Ok(order.as_slice().iter().copied().filter(|&v| part.place(v).is_some()).collect())
}

/// What a heuristic proposes.
fn proposal(
    part: &Relevant,
    graph: &UnGraph,
    heuristic: Heuristic,
    late: &[VarId],
) -> Result<Vec<VarId>, Error> {
    let late = late.iter().filter_map(|&v| part.place(v)).collect();
    let options = GreedyOptions::default().with_heuristic(heuristic).with_last(late);
    let order = greedy_order(graph, part.cards(), &options).map_err(posterior_pgm::Error::from)?;
    Ok(order.as_slice().iter().map(|v| part.variables()[v.index()]).collect())
}
