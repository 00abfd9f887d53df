//! Which variable goes first.

use posterior_graph::{EliminationOrder, GreedyOptions, Heuristic, SearchOptions, best_order, greedy_order};
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
        self.build(part, kept, program, Program::cost)
    }

    /// The elimination of all variables of `part` but `last`, which leaves tables, and the elimination of
    /// `last` from these.
    pub(crate) fn programs_in_turns(&self, part: &Relevant, last: &[VarId]) -> Result<[Program; 2], Error> {
        let cards = part.cards_in_model();
        let inputs: Vec<&[VarId]> = part.scopes().collect();
        let programs = |early: &[VarId], late: &[VarId]| {
            let first = Program::new(inputs.iter().copied(), early, None, &cards);
            let left = first.rest_scopes(&inputs);
            let second = Program::new(left.into_iter(), late, None, &cards);
            [first, second]
        };
        self.build(part, last, programs, |[first, second]| first.cost().then(second.cost_of_keeping()))
    }

    /// What `build` makes of the order: without the variables of `late`, and with them alone.
    fn build<T>(
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
        let split = |order: Vec<VarId>| {
            let (last, first): (Vec<VarId>, Vec<VarId>) = order.iter().partition(|v| marks[v.index()]);
            build(&first, &last)
        };
        let late: Vec<VarId> = late.iter().filter_map(|&v| part.place(v)).collect();
        let search = match self {
            Self::Given(order) => return Ok(split(given(order, part)?)),
            Self::Heuristic(heuristic) => {
                let options = GreedyOptions { heuristic: *heuristic, last: late, ..GreedyOptions::default() };
                let order = greedy_order(&part.graph(), part.cards(), &options);
                return Ok(split(in_model(part, &order.map_err(posterior_pgm::Error::from)?)));
            }
            Self::Cheapest => SearchOptions { last: late, ..SearchOptions::default() },
        };
        let graph = part.graph();
        let best = |search: &SearchOptions| {
            let best = best_order(&graph, part.cards(), search).map_err(posterior_pgm::Error::from)?;
            Ok::<T, Error>(split(in_model(part, &best.order)))
        };
        let quick =
            SearchOptions { heuristics: vec![Heuristic::MinFill, Heuristic::MinWeight], ..search.clone() };
        let mut chosen = best(&SearchOptions { restarts: 0, ..quick })?;
        if WORTH_A_SEARCH.contains(&cost(&chosen).operations) {
            let other = best(&search)?;
            if cost(&other).operations < cost(&chosen).operations {
                chosen = other;
            }
        }
        Ok(chosen)
    }
}

/// So many operations are worth a longer search for a better order, and not beyond saving.
const WORTH_A_SEARCH: std::ops::Range<u64> = 1_000_000..1_000_000_000_000;

/// The variables of `part` in the given order.
fn given(order: &EliminationOrder, part: &Relevant) -> Result<Vec<VarId>, Error> {
    if order.len() != part.model_len() {
        return Err(Error::OtherModel { reason: "the elimination order has another number of variables" });
    }
    Ok(order.as_slice().iter().copied().filter(|&v| part.place(v).is_some()).collect())
}

/// The order in ids of the model.
fn in_model(part: &Relevant, order: &EliminationOrder) -> Vec<VarId> {
    order.as_slice().iter().map(|v| part.variables()[v.index()]).collect()
}
