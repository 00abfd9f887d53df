//! Which clique holds a scope.

use super::CliqueTree;
use crate::cells::{cells, check_states};
use crate::{Error, VarId};

impl CliqueTree {
    /// For each scope the clique with fewest cells that holds all of it, the first among equals: where a
    /// factor with this scope goes. An empty scope goes to the smallest clique of all. `states[i]` is the
    /// number of states of variable i.
    ///
    /// O(k) for a scope of one variable, if the least frequent of its variables is in k cliques, and O(k w)
    /// for others.
    ///
    /// # Errors
    /// A scope that no clique holds, or with a variable that does not exist; numbers of states that are not
    /// one for each variable, or zero.
    pub fn assign<S: AsRef<[VarId]>>(
        &self,
        scopes: impl IntoIterator<Item = S>,
        states: &[usize],
    ) -> Result<Vec<usize>, Error> {
        check_states(self.names(), states)?;
        let sizes: Vec<u128> = self.cliques().map(|clique| cells(clique, states)).collect();
        scopes
            .into_iter()
            .map(|scope| {
                let scope = scope.as_ref();
                self.holding(scope)?.min_by_key(|&c| sizes[c]).ok_or_else(|| self.no_clique(scope))
            })
            .collect()
    }

    /// The cliques that hold all variables of `scope`, sorted.
    ///
    /// # Errors
    /// A variable that does not exist.
    pub fn holding(&self, scope: &[VarId]) -> Result<impl Iterator<Item = usize>, Error> {
        let len = self.variable_count();
        if let Some(v) = scope.iter().find(|v| v.index() >= len) {
            return Err(Error::UnknownVariable { index: v.index(), len });
        }
        let rarest = scope.iter().copied().min_by_key(|&v| self.cliques_of(v).len());
        let candidates: Box<dyn Iterator<Item = usize>> = match rarest {
            Some(v) => Box::new(self.cliques_of(v)),
            None => Box::new(0..self.clique_count()),
        };
        Ok(candidates.filter(|&c| scope.iter().all(|v| self.clique(c).binary_search(v).is_ok())))
    }

    fn no_clique(&self, scope: &[VarId]) -> Error {
        Error::NotInOneClique { names: scope.iter().map(|&v| self.names().get(v).to_owned()).collect() }
    }
}
