//! The most probable state of each position.

use posterior_math::linalg::DMatrix;

use super::best_path::first_largest;
use super::{Edges, LinearChain, SmoothedChain, Transitions};

impl SmoothedChain<'_> {
    /// The most probable state at each position, the lowest of equals: as many right as can be expected. The
    /// path that they make may be impossible. None if no path is possible.
    pub fn posterior_decoding(&self) -> Option<Vec<usize>> {
        if self.score.impossible.is_some() {
            return None;
        }
        let rows = self.marginals().chunks_exact(self.chain.states());
        Some(rows.map(|row| first_largest(row).0).collect())
    }

    /// The possible path with as many right states as can be expected, the sum of the probabilities of its
    /// states; ties as in [`best_path`](LinearChain::best_path). None if no path is possible.
    ///
    /// As costly as the best path.
    pub fn possible_posterior_decoding(&self) -> Option<Vec<usize>> {
        if self.score.impossible.is_some() {
            return None;
        }
        let chain = &self.chain;
        let states = chain.states();
        let allowed = |score: f64| if score > f64::NEG_INFINITY { 0.0 } else { score };
        let initial: Vec<f64> = chain.ln_initial.iter().map(|&score| allowed(score)).collect();
        let nodes: Vec<f64> = (0..chain.length())
            .flat_map(|t| chain.node(t).iter().zip(self.at(t)).map(|(&score, &p)| p + allowed(score)))
            .collect();
        let (same, each);
        let edges = match chain.edges {
            Edges::Same(transitions) => {
                let mask = DMatrix::from_fn(states, states, |i, j| allowed(transitions.ln_row(i)[j]));
                same = Transitions::from_ln(&mask).ok()?;
                Edges::Same(&same)
            }
            Edges::Each(scores) => {
                each = scores.iter().map(|&score| allowed(score)).collect::<Vec<f64>>();
                Edges::Each(&each)
            }
        };
        LinearChain::new(&initial, edges, &nodes).ok()?.best_path().map(|path| path.states)
    }
}
