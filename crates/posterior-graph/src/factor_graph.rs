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
    ///
    /// # Errors
    /// A variable that does not exist, or comes twice in a scope.
    pub fn new(names: Names, scopes: impl IntoIterator<Item = Vec<VarId>>) -> Result<Self, Error> {
        let scopes: Vec<Vec<VarId>> = scopes.into_iter().collect();
        let len = names.len();
        let mut pairs = Vec::new();
        for (factor, scope) in scopes.iter().enumerate() {
            for (place, &v) in scope.iter().enumerate() {
                if v.index() >= len {
                    return Err(Error::UnknownVariable { index: v.index(), len });
                }
                if scope[..place].contains(&v) {
                    return Err(Error::RepeatedVariable {
                        name: names.get(v).to_owned(),
                        context: "the scope of a factor",
                    });
                }
                pairs.push((v, VarId::new(factor)));
            }
        }
        Ok(Self { factors: Adjacency::new(len, &pairs), names, scopes })
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
