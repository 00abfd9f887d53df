//! Does the chain look the same backwards in time?

use super::TransitionMatrix;
use crate::Error;

/// A cycle that the chain walks more often in one direction than in the other.
#[derive(Debug, Clone, PartialEq)]
pub struct IrreversibleCycle {
    /// The states; from the last the cycle returns to the first.
    pub states: Vec<usize>,
    /// ln of the probability of the cycle forwards over that backwards; +∞ if it has no way back.
    pub ln_ratio: f64,
}

impl TransitionMatrix {
    /// The largest |π(i) T(i, j) - π(j) T(j, i)|: zero where π and T are in detailed balance, and then π is
    /// stationary. (Not conversely: a stationary distribution may have a current.)
    ///
    /// # Errors
    /// π of another length, or no distribution.
    pub fn detailed_balance_residual(&self, distribution: &[f64]) -> Result<f64, Error> {
        self.check_distribution(distribution)?;
        let flow = |i: usize, j: usize| distribution[i] * self.probability(i, j);
        let residuals = (0..self.size()).flat_map(|i| (0..i).map(move |j| (flow(i, j) - flow(j, i)).abs()));
        Ok(residuals.fold(0.0, f64::max))
    }

    /// The largest |π T - π|.
    ///
    /// # Errors
    /// π of another length, or no distribution.
    pub fn stationary_residual(&self, distribution: &[f64]) -> Result<f64, Error> {
        let next = self.step(distribution)?;
        Ok(next.iter().zip(distribution).map(|(next, p)| (next - p).abs()).fold(0.0, f64::max))
    }

    /// Kolmogorov's criterion: a chain is reversible if and only if every cycle is as probable forwards as
    /// backwards. A cycle where ln of the ratio is beyond ±`tolerance` for each of its steps, if there is
    /// one.
    ///
    /// No stationary distribution is needed. The cycles of a spanning tree and one more edge are enough.
    /// O(n²), and O(n²) memory.
    pub fn irreversible_cycle(&self, tolerance: f64) -> Option<IrreversibleCycle> {
        let one_way = |i: usize, j: usize| self.probability(i, j) > 0.0 && self.probability(j, i) == 0.0;
        let n = self.size();
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|&(i, j)| one_way(i, j)) {
            // From here the chain never comes back the way it went, but it may on another one.
            if let Some(mut states) = self.way(j, i) {
                states.rotate_right(1);
                return Some(IrreversibleCycle { states, ln_ratio: f64::INFINITY });
            }
        }
        let tree = self.two_way_tree();
        for i in 0..n {
            for j in self.successors(i).filter(|&j| self.probability(j, i) > 0.0) {
                let ln_ratio = tree[i].ln_weight + self.ln_ratio(i, j) - tree[j].ln_weight;
                let states = tree_cycle(&tree, i, j);
                if ln_ratio.abs() > tolerance * states.len() as f64 {
                    return Some(IrreversibleCycle { states, ln_ratio });
                }
            }
        }
        None
    }

    fn ln_ratio(&self, i: usize, j: usize) -> f64 {
        self.probability(i, j).ln() - self.probability(j, i).ln()
    }

    /// A shortest way.
    fn way(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let mut before = vec![usize::MAX; self.size()];
        before[from] = from;
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            for next in self.successors(state) {
                if before[next] == usize::MAX {
                    before[next] = state;
                    queue.push_back(next);
                }
            }
        }
        let mut way = vec![to];
        while way[way.len() - 1] != from {
            let last = before[way[way.len() - 1]];
            if last == usize::MAX {
                return None;
            }
            way.push(last);
        }
        way.reverse();
        Some(way)
    }

    /// A tree of each piece that two-way steps connect, with the ln of the weights that detailed balance
    /// gives along it.
    fn two_way_tree(&self) -> Vec<Node> {
        let mut tree = vec![Node { parent: usize::MAX, depth: 0, ln_weight: 0.0 }; self.size()];
        for root in 0..self.size() {
            if tree[root].parent != usize::MAX {
                continue;
            }
            tree[root].parent = root;
            let mut queue = std::collections::VecDeque::from([root]);
            while let Some(state) = queue.pop_front() {
                for next in self.successors(state).filter(|&next| self.probability(next, state) > 0.0) {
                    if tree[next].parent == usize::MAX {
                        let ln_weight = tree[state].ln_weight + self.ln_ratio(state, next);
                        tree[next] = Node { parent: state, depth: tree[state].depth + 1, ln_weight };
                        queue.push_back(next);
                    }
                }
            }
        }
        tree
    }
}

#[derive(Debug, Clone, Copy)]
struct Node {
    parent: usize,
    depth: usize,
    ln_weight: f64,
}

/// The cycle i → j, and from j along the tree back to i.
fn tree_cycle(tree: &[Node], i: usize, j: usize) -> Vec<usize> {
    let (mut up, mut down) = (vec![j], vec![i]);
    loop {
        let (&a, &b) = (&up[up.len() - 1], &down[down.len() - 1]);
        if a == b {
            break;
        }
        if tree[a].depth >= tree[b].depth {
            up.push(tree[a].parent);
        } else {
            down.push(tree[b].parent);
        }
    }
    // Both end where the branches meet, and the cycle starts at i.
    down.pop();
    up.extend(down.into_iter().rev());
    up.rotate_right(1);
    up
}
