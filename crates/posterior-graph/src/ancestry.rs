//! Who stands above and below whom in a directed acyclic graph.

use crate::marks::Marks;
use crate::{Dag, Error, VarId};

impl Dag {
    /// The variables without parents.
    pub fn roots(&self) -> impl Iterator<Item = VarId> {
        self.variables().filter(|&v| self.parents(v).is_empty())
    }

    /// The variables without children.
    pub fn leaves(&self) -> impl Iterator<Item = VarId> {
        self.variables().filter(|&v| self.children(v).is_empty())
    }

    /// The variables from which arrows lead, in one step or more, to one of `of`. A member of `of` is among
    /// them if it is above another member. O(V + E).
    ///
    /// ```
    /// use posterior_graph::Dag;
    ///
    /// let dag = Dag::named(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("d", "c")])?;
    /// let ids = |names: &[&str]| dag.names().require_all(names.iter().copied());
    /// assert_eq!(dag.ancestors(&ids(&["c"])?)?, ids(&["a", "b", "d"])?);
    /// assert_eq!(dag.ancestors(&ids(&["b", "c"])?)?, ids(&["a", "b", "d"])?);
    /// assert_eq!(dag.ancestral_set(&ids(&["b"])?)?, ids(&["a", "b"])?);
    /// # Ok::<(), posterior_graph::Error>(())
    /// ```
    ///
    /// # Errors
    /// A variable that does not exist.
    pub fn ancestors(&self, of: &[VarId]) -> Result<Vec<VarId>, Error> {
        self.beyond(of, |v| self.parents(v))
    }

    /// The variables to which arrows lead, in one step or more, from one of `of`. O(V + E).
    ///
    /// # Errors
    /// A variable that does not exist.
    pub fn descendants(&self, of: &[VarId]) -> Result<Vec<VarId>, Error> {
        self.beyond(of, |v| self.children(v))
    }

    /// `of` and all ancestors: the least set around `of` that holds the parents of each member. O(V + E).
    ///
    /// Everything outside can be left out of a sum over all variables, because the conditional probabilities
    /// of each add to one.
    ///
    /// # Errors
    /// A variable that does not exist.
    pub fn ancestral_set(&self, of: &[VarId]) -> Result<Vec<VarId>, Error> {
        Ok(self.above(Marks::of(self.names(), of)?).sorted())
    }

    /// The graph of the [ancestral set](Self::ancestral_set) of `of`, with ids as in [`Dag::induced`]. O(V +
    /// E log E).
    ///
    /// # Errors
    /// A variable that does not exist.
    pub fn ancestral_graph(&self, of: &[VarId]) -> Result<Self, Error> {
        self.induced(&self.ancestral_set(of)?)
    }

    /// These variables and all that is above them.
    pub(crate) fn above(&self, set: Marks) -> Marks {
        set.close(|v| self.parents(v))
    }

    /// What is one step or more away from `of`.
    fn beyond<'a>(&self, of: &[VarId], next: impl Fn(VarId) -> &'a [VarId]) -> Result<Vec<VarId>, Error> {
        let mut first = Marks::none(self.len());
        for v in Marks::of(self.names(), of)?.sorted() {
            for &w in next(v) {
                first.insert(w);
            }
        }
        Ok(first.close(next).sorted())
    }
}
