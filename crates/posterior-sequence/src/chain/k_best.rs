//! The best paths, by lists of the best ways to each state.

use super::{LinearChain, Path};

/// A way to a state.
#[derive(Debug, Clone, Copy)]
struct Way {
    /// The state before.
    state: u32,
    /// Which of the ways there, counted from the best.
    rank: u32,
}

/// The ways to the states of one position, the best first.
#[derive(Debug, Clone, Default)]
struct Ways {
    /// Where the ways to each state begin.
    starts: Vec<usize>,
    ways: Vec<Way>,
}

impl LinearChain<'_> {
    /// The so many different paths with the largest scores, the best first; fewer if fewer are possible.
    ///
    /// Paths with equal scores come in the order of their last states, then of those before. T K k pointers
    /// are kept, and T K² k comparisons made (Seshadri and Sundberg's parallel list Viterbi algorithm).
    pub fn k_best_paths(&self, count: usize) -> Vec<Path> {
        let length = self.length();
        if count == 0 {
            return Vec::new();
        }
        if length == 0 {
            return vec![Path { states: Vec::new(), score: 0.0 }];
        }
        let mut scores: Vec<Vec<f64>> =
            self.ln_initial.iter().zip(self.node(0)).map(|(a, node)| possible(a + node)).collect();
        let mut history = Vec::with_capacity(length - 1);
        for t in 1..length {
            let mut ways = Ways::default();
            let next = (0..self.states())
                .map(|j| {
                    ways.starts.push(ways.ways.len());
                    let node = self.node(t)[j];
                    if node == f64::NEG_INFINITY {
                        return Vec::new();
                    }
                    let mut list = Vec::new();
                    merge(
                        &scores,
                        |i| self.edge_row(t - 1, i)[j],
                        count,
                        |score, way| {
                            list.push(score + node);
                            ways.ways.push(way);
                        },
                    );
                    list
                })
                .collect();
            scores = next;
            history.push(ways);
        }
        let mut paths = Vec::new();
        merge(
            &scores,
            |_| 0.0,
            count,
            |_, mut way| {
                let mut states = vec![0; length];
                for t in (0..length).rev() {
                    states[t] = way.state as usize;
                    if t > 0 {
                        let ways = &history[t - 1];
                        way = ways.ways[ways.starts[way.state as usize] + way.rank as usize];
                    }
                }
                let score = self.path_score(&states);
                paths.push(Path { states, score });
            },
        );
        paths
    }
}

fn possible(score: f64) -> Vec<f64> {
    if score > f64::NEG_INFINITY { vec![score] } else { Vec::new() }
}

/// The largest sums of a number of a list and what is added to its list, the largest first; of equals those
/// of the first list.
fn merge(lists: &[Vec<f64>], added: impl Fn(usize) -> f64, count: usize, mut found: impl FnMut(f64, Way)) {
    let added: Vec<f64> = (0..lists.len()).map(added).collect();
    let mut ranks = vec![0; lists.len()];
    for _ in 0..count {
        let mut best = (f64::NEG_INFINITY, 0);
        for (i, list) in lists.iter().enumerate() {
            if let Some(&score) = list.get(ranks[i]) {
                let sum = score + added[i];
                if sum > best.0 {
                    best = (sum, i);
                }
            }
        }
        let (score, i) = best;
        if score == f64::NEG_INFINITY {
            break;
        }
        found(score, Way { state: i as u32, rank: ranks[i] as u32 });
        ranks[i] += 1;
    }
}
