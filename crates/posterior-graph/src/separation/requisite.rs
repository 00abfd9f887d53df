//! What a query needs of a network: Bayes ball.

use crate::marks::Marks;
use crate::{Dag, Error, VarId};

/// The part of a network that can change the answer to a query.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Requisite {
    /// The variables whose conditional probabilities p(v | parents) are needed, sorted.
    pub probabilities: Vec<VarId>,
    /// The observed variables whose value is needed, sorted.
    pub observations: Vec<VarId>,
}

impl Dag {
    /// What p(targets | observed) depends on: Bayes ball (Shachter 1998, *Bayes-Ball: The Rational Pastime*).
    /// O(V + E).
    ///
    /// The product of the tables of `probabilities`, with the values of `observations` put in, summed over
    /// everything that is neither target nor observed, is the answer up to its constant; with other values
    /// outside, or other tables, it stays the same. A needed observation that is not among `probabilities`
    /// stands in the tables of its children only. (For the probability of the evidence everything that is not
    /// [barren](Self::barren) is needed.)
    ///
    /// A target may be observed: then it needs its own value.
    ///
    /// ```
    /// use posterior_graph::Dag;
    ///
    /// let student = Dag::named(["D", "I", "G", "S"], [("D", "G"), ("I", "G"), ("I", "S")])?;
    /// let ids = |names: &[&str]| student.names().require_all(names.iter().copied());
    /// let needed = student.requisite(&ids(&["D"])?, &ids(&["I", "S"])?)?;
    /// assert_eq!(needed.probabilities, ids(&["D"])?);
    /// assert!(needed.observations.is_empty());
    /// let needed = student.requisite(&ids(&["D"])?, &ids(&["G", "S"])?)?;
    /// assert_eq!(needed.probabilities.len(), 4);
    /// # Ok::<(), posterior_graph::Error>(())
    /// ```
    ///
    /// # Errors
    /// A variable that does not exist.
    pub fn requisite(&self, targets: &[VarId], observed: &[VarId]) -> Result<Requisite, Error> {
        let targets = Marks::of(self.names(), targets)?;
        let observed = Marks::of(self.names(), observed)?;
        let n = self.len();
        let mut ball = Ball { up: Marks::none(n), down: Marks::none(n), visited: Marks::none(n) };
        let mut visits: Vec<(VarId, Visit)> =
            targets.sorted().into_iter().map(|v| (v, Visit::FromChild)).collect();
        while let Some((v, visit)) = visits.pop() {
            ball.visited.insert(v);
            let is_observed = observed.contains(v);
            let bounces_up = is_observed == (visit == Visit::FromParent);
            if bounces_up && ball.up.insert(v) {
                visits.extend(self.parents(v).iter().map(|&p| (p, Visit::FromChild)));
            }
            if !is_observed && ball.down.insert(v) {
                visits.extend(self.children(v).iter().map(|&c| (c, Visit::FromParent)));
            }
        }
        let observations = self.variables().filter(|&v| observed.contains(v) && ball.visited.contains(v));
        Ok(Requisite { probabilities: ball.up.sorted(), observations: observations.collect() })
    }

    /// The variables that neither are in one of the sets nor have a descendant there: they sum to one in
    /// every query for `targets` and in the probability of `observed`. O(V + E).
    ///
    /// # Errors
    /// A variable that does not exist.
    pub fn barren(&self, targets: &[VarId], observed: &[VarId]) -> Result<Vec<VarId>, Error> {
        let mut needed = Marks::of(self.names(), targets)?;
        for v in Marks::of(self.names(), observed)?.sorted() {
            needed.insert(v);
        }
        Ok(self.above(needed).complement())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Visit {
    FromChild,
    FromParent,
}

/// The marks that the bouncing ball leaves.
struct Ball {
    /// It went on to the parents.
    up: Marks,
    /// It went on to the children.
    down: Marks,
    visited: Marks,
}
