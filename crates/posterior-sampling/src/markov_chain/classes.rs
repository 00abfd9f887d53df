//! Which states reach which, and in how many steps they return.

use super::TransitionMatrix;

/// States that all reach each other.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Class {
    /// The states, ascending.
    pub states: Vec<usize>,
    /// Whether the chain stays here for ever: the states are recurrent, those of other classes transient.
    pub closed: bool,
    /// The greatest common divisor of the lengths of all ways back; none for a state that never returns.
    pub period: Option<usize>,
}

impl TransitionMatrix {
    /// The communicating classes, in the order of their least states. O(n²).
    ///
    /// A probability of zero is no way; one of 1e-300 is.
    pub fn classes(&self) -> Vec<Class> {
        let component = self.components();
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut place = vec![None; self.size()];
        for (state, &component) in component.iter().enumerate() {
            let at = *place[component].get_or_insert_with(|| {
                members.push(Vec::new());
                members.len() - 1
            });
            members[at].push(state);
        }
        let class = |states: Vec<usize>| {
            let inside = |to: usize| component[to] == component[states[0]];
            let closed = states.iter().all(|&from| self.successors(from).all(inside));
            let period = self.period_of(&states, inside);
            Class { states, closed, period }
        };
        members.into_iter().map(class).collect()
    }

    /// The gcd of level(u) + 1 - level(v) over the edges u → v of a class, with levels of a breadth-first
    /// search.
    fn period_of(&self, states: &[usize], inside: impl Fn(usize) -> bool) -> Option<usize> {
        let mut level = vec![None; self.size()];
        level[states[0]] = Some(0_usize);
        let mut queue = vec![states[0]];
        let mut divisor = 0;
        let mut next = 0;
        while let Some(&from) = queue.get(next) {
            next += 1;
            let beyond = level[from].map_or(1, |level| level + 1);
            for to in self.successors(from).filter(|&to| inside(to)) {
                if let Some(level) = level[to] {
                    divisor = gcd(divisor, beyond.abs_diff(level));
                } else {
                    level[to] = Some(beyond);
                    queue.push(to);
                }
            }
        }
        (divisor > 0).then_some(divisor)
    }

    /// The strongly connected component of each state, by Tarjan's algorithm without recursion.
    fn components(&self) -> Vec<usize> {
        let n = self.size();
        let mut search = Search {
            order: vec![usize::MAX; n],
            low: vec![0; n],
            component: vec![usize::MAX; n],
            ..Search::default()
        };
        for root in 0..n {
            if search.order[root] == usize::MAX {
                search.explore(self, root);
            }
        }
        search.component
    }
}

/// The state of Tarjan's search: when each state was found, the earliest state its subtree reaches, and those
/// not yet in a component.
#[derive(Default)]
struct Search {
    found: usize,
    order: Vec<usize>,
    low: Vec<usize>,
    open: Vec<usize>,
    components: usize,
    component: Vec<usize>,
}

impl Search {
    fn explore(&mut self, chain: &TransitionMatrix, root: usize) {
        let mut calls = vec![(root, 0)];
        self.enter(root);
        while let Some((state, next)) = calls.pop() {
            let Some(to) = (next..chain.size()).find(|&to| chain.probability(state, to) > 0.0) else {
                self.leave(state);
                if let Some(&(parent, _)) = calls.last() {
                    self.low[parent] = self.low[parent].min(self.low[state]);
                }
                continue;
            };
            calls.push((state, to + 1));
            if self.order[to] == usize::MAX {
                self.enter(to);
                calls.push((to, 0));
            } else if self.component[to] == usize::MAX {
                self.low[state] = self.low[state].min(self.order[to]);
            }
        }
    }

    fn enter(&mut self, state: usize) {
        self.order[state] = self.found;
        self.low[state] = self.found;
        self.found += 1;
        self.open.push(state);
    }

    /// Closes the component whose first state this is.
    fn leave(&mut self, state: usize) {
        if self.low[state] != self.order[state] {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.component[member] = self.components;
            if member == state {
                break;
            }
        }
        self.components += 1;
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
