//! Factor graphs: which factor reads which variables.

use crate::adjacency::Adjacency;
use crate::{Error, Names, VarId};

/// A bipartite graph of variables and factors: factor s reads the variables of its scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactorGraph {
    names: Names,
    scopes: Vec<Vec<VarId>>,
    /// The factors of each variable, as ids.
    factors: Adjacency,
}

impl FactorGraph {
    /// Variables with these names, and the scope of each factor, in the order in which the factor reads it.
    /// O(e log e), with e the number of edges.
    ///
    /// # Errors
    /// A variable that does not exist, or comes twice in a scope.
    pub fn new(names: Names, scopes: impl IntoIterator<Item = Vec<VarId>>) -> Result<Self, Error> {
        let scopes: Vec<Vec<VarId>> = scopes.into_iter().collect();
        let len = names.len();
        let mut last_factor = vec![usize::MAX; len];
        for (factor, scope) in scopes.iter().enumerate() {
            for &v in scope {
                let last =
                    last_factor.get_mut(v.index()).ok_or(Error::UnknownVariable { index: v.index(), len })?;
                if std::mem::replace(last, factor) == factor {
                    return Err(Error::RepeatedVariable {
                        name: names.get(v).to_owned(),
                        context: "the scope of a factor",
                    });
                }
            }
        }
        Ok(Self::of_valid(names, scopes))
    }

    /// As [`FactorGraph::new`], for scopes of which it is known that they hold variables of `names`, each
    /// once.
    pub(crate) fn of_valid(names: Names, scopes: Vec<Vec<VarId>>) -> Self {
        let factors = scopes.iter().enumerate();
        let pairs = factors.flat_map(|(s, scope)| scope.iter().map(move |&v| (v, VarId::new(s))));
        Self { factors: Adjacency::new(names.len(), &pairs.collect::<Vec<_>>()), names, scopes }
    }

    /// The names of the variables.
    pub const fn names(&self) -> &Names {
        &self.names
    }

    /// The number of variables.
    pub fn variable_count(&self) -> usize {
        self.names.len()
    }

    /// The number of factors.
    pub fn factor_count(&self) -> usize {
        self.scopes.len()
    }

    /// The variables that factor `s` reads, in its order.
    #[track_caller]
    pub fn scope(&self, s: usize) -> &[VarId] {
        &self.scopes[s]
    }

    /// The factors that read `v`, in the order of their ids.
    #[track_caller]
    pub fn factors_of(&self, v: VarId) -> impl ExactSizeIterator<Item = usize> {
        self.factors.of(v).iter().map(|factor| factor.index())
    }

    /// The number of edges: the sizes of all scopes, added up.
    pub fn edge_count(&self) -> usize {
        self.factors.pairs()
    }
}
