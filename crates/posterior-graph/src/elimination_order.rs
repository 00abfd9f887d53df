//! Orders in which the variables of a graph are eliminated.

use crate::{Error, Names, UnGraph, VarId};

/// All variables of a graph, each once, in the order in which they are eliminated.
///
/// To eliminate a variable is to join its neighbours with each other and to take it away: what summing it out
/// does to the scopes of factors. The order decides which edges that adds, hence what inference costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EliminationOrder {
    order: Vec<VarId>,
    /// The position of each variable.
    positions: Vec<u32>,
}

impl EliminationOrder {
    /// This order of the variables that are called `names`. O(n).
    ///
    /// # Errors
    /// A variable that does not exist, that comes twice or that is missing.
    pub fn new(names: &Names, order: Vec<VarId>) -> Result<Self, Error> {
        let len = names.len();
        let mut positions = vec![u32::MAX; len];
        for (position, &v) in order.iter().enumerate() {
            let slot =
                positions.get_mut(v.index()).ok_or(Error::UnknownVariable { index: v.index(), len })?;
            if *slot != u32::MAX {
                return Err(Error::RepeatedVariable {
                    name: names.get(v).to_owned(),
                    context: "an elimination order",
                });
            }
            *slot = position as u32;
        }
        match positions.iter().position(|&position| position == u32::MAX) {
            Some(missing) => Err(Error::MissingVariable {
                name: names.get(VarId::new(missing)).to_owned(),
                context: "an elimination order",
            }),
            None => Ok(Self { order, positions }),
        }
    }

    /// From a permutation, which the algorithms of this crate make.
    pub(crate) fn from_permutation(order: Vec<VarId>) -> Self {
        let mut positions = vec![0; order.len()];
        for (position, v) in order.iter().enumerate() {
            positions[v.index()] = position as u32;
        }
        Self { order, positions }
    }

    /// Refuses an order for another number of variables than those of `graph`.
    pub(crate) fn check_len(&self, graph: &UnGraph) -> Result<(), Error> {
        let (expected, found) = (graph.len(), self.len());
        if expected == found {
            Ok(())
        } else {
            Err(Error::WrongLength { what: "the elimination order", expected, found })
        }
    }

    /// The number of variables.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is no variable.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The variables, the one that is eliminated first coming first.
    pub fn as_slice(&self) -> &[VarId] {
        &self.order
    }

    /// When `v` is eliminated: 0 is first.
    #[track_caller]
    pub fn position(&self, v: VarId) -> usize {
        self.positions[v.index()] as usize
    }
}
