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
    /// The elimination of all variables of `part` but `kept`, which are sorted ids of the model.
    pub(crate) fn program(&self, part: &Relevant, kept: &[VarId]) -> Result<Program, Error> {
        self.program_in_turns(part, kept, &[])
    }

    /// As [`program`](Self::program), where the variables of `last` go after all others.
    pub(crate) fn program_in_turns(
        &self,
        part: &Relevant,
        kept: &[VarId],
        last: &[VarId],
    ) -> Result<Program, Error> {
        let cards = part.cards_in_model();
        let program = |order: &[VarId]| Program::new(part.scopes(), order, kept, &cards);
        let heuristics: &[Heuristic] = match self {
            Self::Given(order) => return Ok(program(&Self::given(order, part, kept, last)?)),
            Self::Heuristic(heuristic) => std::slice::from_ref(heuristic),
            Self::Cheapest => &[Heuristic::MinFill, Heuristic::MinWeight],
        };
        let graph = part.graph();
        let mut best: Option<Program> = None;
        for &heuristic in heuristics {
            let next = program(&proposal(part, &graph, heuristic, [last, kept])?);
            if best.as_ref().is_none_or(|best| cheaper(&next.cost(), &best.cost())) {
                best = Some(next);
            }
        }
        Ok(best.expect("invariant: there is a heuristic"))
    }

    fn given(
        order: &EliminationOrder,
        part: &Relevant,
        kept: &[VarId],
        last: &[VarId],
    ) -> Result<Vec<VarId>, Error> {
        if order.len() != part.model_len() {
            return Err(Error::OtherModel {
                reason: "the elimination order has another number of variables",
            });
        }
        let needed = |v: &&VarId| part.place(**v).is_some() && !kept.contains(v);
        let (late, mut early): (Vec<VarId>, Vec<VarId>) =
            order.as_slice().iter().filter(needed).partition(|v| last.contains(v));
        early.extend(late);
        Ok(early)
    }
}

/// What a heuristic proposes, without the variables that are kept.
fn proposal(
    part: &Relevant,
    graph: &UnGraph,
    heuristic: Heuristic,
    [last, kept]: [&[VarId]; 2],
) -> Result<Vec<VarId>, Error> {
    let places = |ids: &[VarId]| ids.iter().filter_map(|&v| part.place(v)).collect::<Vec<_>>();
    // The end of an order is as good a place as any for what is kept; what goes last stands before it.
    let mut end = places(last);
    end.extend(places(kept));
    let options = GreedyOptions::default().with_heuristic(heuristic).with_last(end);
    let order = greedy_order(graph, part.cards(), &options).map_err(posterior_pgm::Error::from)?;
    let ids = order.as_slice().iter().map(|v| part.variables()[v.index()]);
    Ok(ids.filter(|v| !kept.contains(v)).collect())
}

fn cheaper(a: &Cost, b: &Cost) -> bool {
    (a.operations, a.cells) < (b.operations, b.cells)
}
