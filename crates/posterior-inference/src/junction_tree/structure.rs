//! What the zeros of a model say about its structure.

use posterior_pgm::{GraphicalModel, Table, VarId};

/// The states that variables are in for certain, and the free variables of each factor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Structure {
    pub(super) known: Vec<Option<usize>>,
    /// Empty for a factor that is the same for all states of its free variables.
    pub(super) scopes: Vec<Vec<VarId>>,
}

impl Structure {
    /// Of a model some of whose variables are given: others may follow from them, or from zeros alone.
    /// O(values of the factors).
    pub(super) fn new(model: &dyn GraphicalModel, given: &[Option<usize>]) -> Self {
        let mut possible: Vec<Vec<bool>> = model
            .variables()
            .cards()
            .iter()
            .zip(given)
            .map(|(&card, state)| (0..card).map(|s| state.is_none_or(|only| only == s)).collect())
            .collect();
        match model.dag() {
            // Parents first: then one pass is enough.
            Some(dag) => {
                for v in dag.topological_order() {
                    narrow(&model.factors()[v.index()], &mut possible);
                }
            }
            None => model.factors().iter().for_each(|factor| narrow(factor, &mut possible)),
        }
        let only = |(possible, given): (&Vec<bool>, &Option<usize>)| {
            let mut states = possible.iter().enumerate().filter(|(_, possible)| **possible);
            let first = states.next().map(|(state, _)| state);
            given.or(if states.next().is_none() { first } else { None })
        };
        let known: Vec<Option<usize>> = possible.iter().zip(given).map(only).collect();
        let scopes = model.factors().iter().map(|factor| free(factor, &known)).collect();
        Self { known, scopes }
    }
}

/// Takes away the states that have no possible cell in this factor, unless that leaves none.
fn narrow(factor: &Table, possible: &mut [Vec<bool>]) {
    if !factor.values().contains(&0.0) {
        return;
    }
    let (scope, cards) = (factor.scope(), factor.cards());
    let (Some((last, outer)), Some(&card)) = (scope.split_last(), cards.last()) else { return };
    let mut seen: Vec<Vec<bool>> = cards.iter().map(|&card| vec![false; card]).collect();
    let mut states = vec![0; outer.len()];
    for row in factor.values().chunks_exact(card) {
        if outer.iter().zip(&states).all(|(v, &state)| possible[v.index()][state]) {
            let mut any = false;
            for (state, &value) in row.iter().enumerate() {
                if value != 0.0 && possible[last.index()][state] {
                    seen[outer.len()][state] = true;
                    any = true;
                }
            }
            if any {
                states.iter().enumerate().for_each(|(axis, &state)| seen[axis][state] = true);
            }
        }
        for axis in (0..outer.len()).rev() {
            states[axis] += 1;
            if states[axis] < cards[axis] {
                break;
            }
            states[axis] = 0;
        }
    }
    if seen.iter().all(|states| states.contains(&true)) {
        for (v, states) in scope.iter().zip(seen) {
            possible[v.index()] = states;
        }
    }
}

/// The variables of a factor that are not known: none if all values that are left are the same.
fn free(factor: &Table, known: &[Option<usize>]) -> Vec<VarId> {
    let free: Vec<VarId> = factor.scope().iter().copied().filter(|v| known[v.index()].is_none()).collect();
    if free.len() == factor.scope().len() || free.is_empty() {
        return free;
    }
    let findings: Vec<(VarId, usize)> =
        factor.scope().iter().filter_map(|&v| known[v.index()].map(|state| (v, state))).collect();
    match factor.reduce(&findings) {
        Ok(part) if part.values().iter().all(|&value| value == part.values()[0]) => Vec::new(),
        _ => free,
    }
}
