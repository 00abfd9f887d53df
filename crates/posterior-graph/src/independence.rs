//! Statements of independence, lists of them, and what a graph says too much or too little.

use std::collections::BTreeSet;
use std::fmt;

use crate::marks::Marks;
use crate::{Dag, Error, Names, UnGraph, VarId};

/// The largest number of variables whose independencies are listed: there can be 372,736.
const LARGEST: usize = 14;

/// "`a` is independent of `b` given `given`": three sets of variables, of which no two overlap.
///
/// In normal form: each set is sorted, and `a` comes before `b`, because the statement says the same of both.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Independence {
    a: Vec<VarId>,
    b: Vec<VarId>,
    given: Vec<VarId>,
}

impl Independence {
    /// The statement about these variables of `names`, which may come in any order.
    ///
    /// ```
    /// use posterior_graph::{Independence, Names, VarId};
    ///
    /// let names = Names::new(["rain", "sprinkler", "grass"])?;
    /// let [rain, sprinkler, grass] = [0, 1, 2].map(VarId::new);
    /// let statement = Independence::new(&names, &[sprinkler], &[rain], &[])?;
    /// assert_eq!(statement.display(&names).to_string(), "rain ⟂ sprinkler");
    /// let statement = Independence::new(&names, &[rain], &[sprinkler], &[grass])?;
    /// assert_eq!(statement.display(&names).to_string(), "rain ⟂ sprinkler | grass");
    /// # Ok::<(), posterior_graph::Error>(())
    /// ```
    ///
    /// # Errors
    /// A variable that does not exist, or is in two of the sets.
    pub fn new(names: &Names, a: &[VarId], b: &[VarId], given: &[VarId]) -> Result<Self, Error> {
        let [a, b, given] = Marks::disjoint(names, [a, b, given])?;
        Ok(Self::of_sorted(a.sorted(), b.sorted(), given.sorted()))
    }

    /// The statement about sorted sets of which no two overlap.
    pub(crate) fn of_sorted(a: Vec<VarId>, b: Vec<VarId>, given: Vec<VarId>) -> Self {
        if a <= b { Self { a, b, given } } else { Self { a: b, b: a, given } }
    }

    /// One of the two independent sets, sorted.
    pub fn a(&self) -> &[VarId] {
        &self.a
    }

    /// The other one, sorted.
    pub fn b(&self) -> &[VarId] {
        &self.b
    }

    /// What is known, sorted.
    pub fn given(&self) -> &[VarId] {
        &self.given
    }

    /// The statement with names: `A ⟂ B | C, D`.
    ///
    /// # Panics
    /// When printed, if `names` has no such variable.
    pub fn display<'a>(&'a self, names: &'a Names) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            write!(f, "{} ⟂ {}", list(names, &self.a), list(names, &self.b))?;
            if self.given.is_empty() { Ok(()) } else { write!(f, " | {}", list(names, &self.given)) }
        })
    }
}

/// `A, B, C`.
fn list(names: &Names, set: &[VarId]) -> String {
    set.iter().map(|&v| names.get(v)).collect::<Vec<_>>().join(", ")
}

impl Dag {
    /// All independencies between two single variables that the graph claims, sorted: its d-separations.
    /// Those between sets follow, because sets are d-separated when all pairs are. O(n 2ⁿ (V + E)).
    ///
    /// # Errors
    /// [`Error::TooLarge`] for more than 14 variables.
    pub fn independencies(&self) -> Result<Vec<Independence>, Error> {
        enumerate(self.len(), |v, given| self.d_connected_to(&[v], given))
    }
}

impl UnGraph {
    /// All independencies between two single variables that the graph claims, sorted: its separations. Those
    /// between sets follow, as for [`Dag::independencies`]. O(n 2ⁿ (V + E)).
    ///
    /// # Errors
    /// [`Error::TooLarge`] for more than 14 variables.
    pub fn independencies(&self) -> Result<Vec<Independence>, Error> {
        enumerate(self.len(), |v, given| self.connected_to(&[v], given))
    }
}

/// All pairs that are not connected, for every set of known variables; `connected` gives a sorted list.
fn enumerate(
    n: usize,
    connected: impl Fn(VarId, &[VarId]) -> Result<Vec<VarId>, Error>,
) -> Result<Vec<Independence>, Error> {
    if n > LARGEST {
        return Err(Error::TooLarge {
            what: "variables of a list of independencies",
            size: n,
            limit: LARGEST,
        });
    }
    let mut found = Vec::new();
    for code in 0..1_usize << n {
        let is_given = |i: usize| code >> i & 1 == 1;
        let given: Vec<VarId> = (0..n).filter(|&i| is_given(i)).map(VarId::new).collect();
        for a in (0..n).filter(|&i| !is_given(i)) {
            let reached = connected(VarId::new(a), &given)?;
            for b in (a + 1..n).filter(|&i| !is_given(i)).map(VarId::new) {
                if reached.binary_search(&b).is_err() {
                    found.push(Independence::of_sorted(vec![VarId::new(a)], vec![b], given.clone()));
                }
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// The independencies that a graph claims against those that hold.
///
/// ```
/// use posterior_graph::{Dag, MapCheck, UnGraph};
///
/// let collider = Dag::named(["a", "b", "c"], [("a", "b"), ("c", "b")])?;
/// let triangle = collider.moral_graph();
/// let check = MapCheck::new(&triangle.independencies()?, &collider.independencies()?);
/// assert!(check.is_independence_map() && !check.is_perfect());
/// assert_eq!(check.missing[0].display(collider.names()).to_string(), "a ⟂ c");
/// # Ok::<(), posterior_graph::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct MapCheck {
    /// What holds and the graph does not say, sorted.
    pub missing: Vec<Independence>,
    /// What the graph says and does not hold, sorted.
    pub extra: Vec<Independence>,
}

impl MapCheck {
    /// Compares what a graph claims with what holds: for a distribution, or for another graph. O(m log m).
    pub fn new(claimed: &[Independence], holding: &[Independence]) -> Self {
        let claimed: BTreeSet<&Independence> = claimed.iter().collect();
        let holding: BTreeSet<&Independence> = holding.iter().collect();
        let copies = |set: Vec<&Independence>| set.into_iter().cloned().collect();
        Self {
            missing: copies(holding.difference(&claimed).copied().collect()),
            extra: copies(claimed.difference(&holding).copied().collect()),
        }
    }

    /// Whether everything that the graph says holds (an I-map): the distribution factorises over it.
    pub const fn is_independence_map(&self) -> bool {
        self.extra.is_empty()
    }

    /// Whether the graph says everything that holds (a D-map).
    pub const fn is_dependence_map(&self) -> bool {
        self.missing.is_empty()
    }

    /// Whether it says what holds and nothing else (a P-map).
    pub const fn is_perfect(&self) -> bool {
        self.is_independence_map() && self.is_dependence_map()
    }
}
