//! From one kind of graph to another, and which independencies the new one cannot say.

use crate::moral::couples;
use crate::{Dag, EliminationOrder, Error, FactorGraph, Independence, UnGraph, VarId, triangulate};

/// How many more cliques than variables and edges together become factors.
const MOST_CLIQUES: usize = 1 << 20;

/// A graph of another kind over which the same distributions factorise.
///
/// It claims nothing that the first one did not claim, but in general less: between some variables it has an
/// edge that was not there. For all that was lost, on small graphs, compare the two lists of independencies
/// by [`MapCheck`](crate::MapCheck).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conversion<G> {
    /// The new graph.
    pub graph: G,
    /// For each edge that was added, sorted, an independence of its two ends that the first graph claims and
    /// the new one does not.
    pub lost: Vec<Independence>,
}

impl<G> Conversion<G> {
    /// The edges `(a, b)`, a < b, between variables that were not joined, sorted.
    pub fn added_edges(&self) -> impl ExactSizeIterator<Item = (VarId, VarId)> {
        self.lost.iter().map(|lost| (lost.a()[0], lost.b()[0]))
    }
}

impl Dag {
    /// The Markov random field: the [moral graph](Self::moral_graph), and what is lost by marrying parents.
    /// O(Σ parents² log).
    ///
    /// ```
    /// use posterior_graph::Dag;
    ///
    /// let student = Dag::named(["D", "I", "G", "S"], [("D", "G"), ("I", "G"), ("I", "S")])?;
    /// let field = student.to_un_graph();
    /// assert_eq!(field.lost[0].display(student.names()).to_string(), "D ⟂ I");
    /// # Ok::<(), posterior_graph::Error>(())
    /// ```
    pub fn to_un_graph(&self) -> Conversion<UnGraph> {
        let graph = self.moral_graph();
        let lost = self.lost_in(&graph);
        Conversion { graph, lost }
    }

    /// The factor graph of the conditional probabilities: factor v reads the parents of v and then v. O(V +
    /// E), and what is lost O(Σ parents² log), as for [`Dag::to_un_graph`].
    pub fn to_factor_graph(&self) -> Conversion<FactorGraph> {
        let scope = |v: VarId| self.parents(v).iter().copied().chain([v]).collect();
        let graph = FactorGraph::of_valid(self.names().clone(), self.variables().map(scope).collect());
        Conversion { graph, lost: self.lost_in(&self.moral_graph()) }
    }

    /// For each edge that the moral graph adds, that the later variable is independent of the earlier given
    /// its parents.
    fn lost_in(&self, moral: &UnGraph) -> Vec<Independence> {
        let mut places = vec![0; self.len()];
        for (place, v) in self.topological_order().iter().enumerate() {
            places[v.index()] = place;
        }
        let statement = |(a, b): (VarId, VarId)| {
            let later = if places[a.index()] < places[b.index()] { b } else { a };
            Independence::of_sorted(vec![a], vec![b], self.parents(later).to_vec())
        };
        moral.edges().filter(|&(a, b)| !self.is_adjacent(a, b)).map(statement).collect()
    }
}

impl UnGraph {
    /// The Bayesian network in which each variable comes before those that are eliminated before it: its
    /// parents are its neighbours at the time of its elimination. O(V + F log F), with F the number of edges
    /// and fill edges.
    ///
    /// The fill edges are needed: without them the network would claim independencies that do not hold. No
    /// arrow can be spared (it is a minimal I-map), but another order may need fewer.
    ///
    /// ```
    /// use posterior_graph::{EliminationOrder, UnGraph};
    ///
    /// let voters = UnGraph::named(["A", "B", "C", "D"], [("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")])?;
    /// let order = EliminationOrder::new(voters.names(), voters.variables().collect())?;
    /// let network = voters.to_dag(&order)?;
    /// assert_eq!(network.graph.arrow_count(), 5);
    /// assert_eq!(network.lost[0].display(voters.names()).to_string(), "B ⟂ D | A, C");
    /// # Ok::<(), posterior_graph::Error>(())
    /// ```
    ///
    /// # Errors
    /// An order of another number of variables.
    pub fn to_dag(&self, order: &EliminationOrder) -> Result<Conversion<Dag>, Error> {
        let chordal = triangulate(self, order)?;
        let arrow = |(a, b): (VarId, VarId)| {
            if order.position(a) > order.position(b) { (a, b) } else { (b, a) }
        };
        let fill = chordal.fill_edges();
        let graph = Dag::new(self.names().clone(), self.edges().chain(fill.iter().copied()).map(arrow))?;
        let statement = |&(a, b): &(VarId, VarId)| {
            let fewer = if self.neighbours(a).len() <= self.neighbours(b).len() { a } else { b };
            Independence::of_sorted(vec![a], vec![b], self.neighbours(fewer).to_vec())
        };
        Ok(Conversion { graph, lost: fill.iter().map(statement).collect() })
    }

    /// The factor graph with one factor for each maximal clique: no independence is lost.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if there are more cliques than variables, edges and 2²⁰ together.
    pub fn to_factor_graph(&self) -> Result<FactorGraph, Error> {
        let limit = MOST_CLIQUES + self.len() + self.edge_count();
        let cliques: Vec<Vec<VarId>> = self.maximal_cliques().take(limit + 1).collect();
        if cliques.len() > limit {
            return Err(Error::TooLarge { what: "or more maximal cliques", size: cliques.len(), limit });
        }
        Ok(FactorGraph::of_valid(self.names().clone(), cliques))
    }

    /// The factor graph with one factor for each edge, and one for each variable without neighbours. O(V +
    /// E).
    ///
    /// It shows the same independencies as that of the [cliques](Self::to_factor_graph), and says more about
    /// the distribution, which an undirected graph cannot show: that no three variables act together.
    pub fn to_pairwise_factor_graph(&self) -> FactorGraph {
        let lonely = self.variables().filter(|&v| self.neighbours(v).is_empty()).map(|v| vec![v]);
        let scopes = self.edges().map(|(a, b)| vec![a, b]).chain(lonely);
        FactorGraph::of_valid(self.names().clone(), scopes.collect())
    }
}

impl FactorGraph {
    /// The undirected graph in which variables that one factor reads are joined. No independence is lost, but
    /// the factors inside of cliques are: see [`FactorGraph::covers`]. O(Σ scope² log).
    pub fn to_un_graph(&self) -> UnGraph {
        let joined = (0..self.factor_count()).flat_map(|factor| couples(self.scope(factor)));
        UnGraph::of_valid(self.names().clone(), joined.collect())
    }

    /// Whether one factor reads all of these variables. O(factors of the first, times their scopes).
    ///
    /// A clique that is not covered is where the undirected graph says less than the factors do:
    /// ```
    /// use posterior_graph::{FactorGraph, Names, VarId};
    ///
    /// let [a, b, c] = [0, 1, 2].map(VarId::new);
    /// let pairs = FactorGraph::new(Names::numbered(3), [vec![a, b], vec![b, c], vec![c, a]])?;
    /// let undirected = pairs.to_un_graph();
    /// let blurred: Vec<_> = undirected.maximal_cliques().filter(|clique| !pairs.covers(clique)).collect();
    /// assert_eq!(blurred, [[a, b, c]]);
    /// # Ok::<(), posterior_graph::Error>(())
    /// ```
    #[track_caller]
    pub fn covers(&self, variables: &[VarId]) -> bool {
        let reads_all = |factor: usize| variables.iter().all(|v| self.scope(factor).contains(v));
        match variables.first() {
            None => self.factor_count() > 0,
            Some(&first) => self.factors_of(first).any(reads_all),
        }
    }
}
