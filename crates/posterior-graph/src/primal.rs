//! Undirected graphs from the scopes of factors, and from the pattern of a matrix.

use crate::{Error, Names, UnGraph, VarId};

impl UnGraph {
    /// The primal graph of a factor graph: variables that one factor reads are joined.
    /// O(s log s), with s the squared sizes of the scopes added up.
    ///
    /// ```
    /// use posterior_graph::{FactorGraph, Names, UnGraph, VarId};
    ///
    /// let [a, b, c, d] = [0, 1, 2, 3].map(VarId::new);
    /// let factors = FactorGraph::new(Names::numbered(4), [vec![a, b, c], vec![c, d]])?;
    /// let scopes = (0..factors.factor_count()).map(|s| factors.scope(s));
    /// let primal = UnGraph::from_scopes(factors.names().clone(), scopes)?;
    /// assert_eq!(primal.edges().collect::<Vec<_>>(), [(a, b), (a, c), (b, c), (c, d)]);
    /// # Ok::<(), posterior_graph::Error>(())
    /// ```
    ///
    /// # Errors
    /// A variable that does not exist, or comes twice in a scope.
    pub fn from_scopes<S: AsRef<[VarId]>>(
        names: Names,
        scopes: impl IntoIterator<Item = S>,
    ) -> Result<Self, Error> {
        let len = names.len();
        let mut edges = Vec::new();
        for scope in scopes {
            for (place, &b) in scope.as_ref().iter().enumerate() {
                if b.index() >= len {
                    return Err(Error::UnknownVariable { index: b.index(), len });
                }
                for &a in &scope.as_ref()[..place] {
                    if a == b {
                        let name = names.get(a).to_owned();
                        return Err(Error::RepeatedVariable { name, context: "the scope of a factor" });
                    }
                    edges.push((a, b));
                }
            }
        }
        Ok(Self::of_valid(names, edges))
    }

    /// The graph of a symmetric pattern: `a` and `b` are joined if `joined(a, b)` or `joined(b, a)`.
    ///
    /// This is how a Gaussian Markov random field gets its graph: two of its variables are joined where the
    /// precision matrix (the inverse of the covariance) is not zero. The numbers stay with the caller. Asks
    /// for each pair of different variables in both directions: O(n²).
    ///
    /// ```
    /// use posterior_graph::{Names, UnGraph};
    ///
    /// // A chain x - y - z: given y, the ends are independent, although all three are correlated.
    /// let precision = [[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 2.0]];
    /// let graph = UnGraph::from_pattern(Names::new(["x", "y", "z"])?, |a, b| {
    ///     precision[a.index()][b.index()] != 0.0
    /// });
    /// let edges = graph.edges().map(|(a, b)| (graph.names().get(a), graph.names().get(b)));
    /// assert_eq!(edges.collect::<Vec<_>>(), [("x", "y"), ("y", "z")]);
    /// # Ok::<(), posterior_graph::Error>(())
    /// ```
    pub fn from_pattern(names: Names, joined: impl Fn(VarId, VarId) -> bool) -> Self {
        let variables = || (0..names.len()).map(VarId::new);
        let edges: Vec<(VarId, VarId)> = variables()
            .flat_map(|b| variables().take(b.index()).map(move |a| (a, b)))
            .filter(|&(a, b)| joined(a, b) || joined(b, a))
            .collect();
        Self::of_valid(names, edges)
    }
}
