//! Smoothing of chains too long for all messages at once.

use std::ops::Range;

use super::forward_backward::{Arithmetic, Filtered, ForwardBackward, Smoothed};
use super::{Chain, Edges, Score};

impl Filtered<'_> {
    /// ln p(z_t = ·), given the scores up to position t.
    fn write_ln(&self, t: usize, out: &mut [f64]) {
        match self.arithmetic {
            Arithmetic::Scaled => {
                for (out, p) in out.iter_mut().zip(self.at(t)) {
                    *out = p.ln();
                }
            }
            Arithmetic::Logarithms => {
                let states = self.chain.states();
                out.copy_from_slice(&self.work.logs.forward[t * states..][..states]);
            }
        }
    }
}

/// The scores of a block: positions of a chain, each but the last shared with the block after.
struct Block<'a> {
    chain: &'a Chain<'a>,
    positions: Range<usize>,
    nodes: Vec<f64>,
}

impl<'a> Block<'a> {
    /// The positions from this one on, the first of the next block included.
    fn new(chain: &'a Chain<'a>, first: usize, size: usize) -> Self {
        let positions = first..chain.length().min(first + size + 1);
        let nodes = positions.clone().flat_map(|t| chain.node(t).iter().copied()).collect();
        Self { chain, positions, nodes }
    }

    /// The block as a chain that begins with a message in place of what came before and of its first node.
    fn chain_after<'b>(&'b mut self, message: &'b [f64]) -> Chain<'b>
    where
        'a: 'b,
    {
        let states = self.chain.states();
        if self.positions.start > 0 {
            self.nodes[..states].fill(0.0);
        }
        let edges = match self.chain.edges {
            Edges::Same(transitions) => Edges::Same(transitions),
            Edges::Each(scores) => {
                let size = states * states;
                Edges::Each(&scores[self.positions.start * size..(self.positions.end - 1) * size])
            }
        };
        Chain { ln_initial: message, edges, nodes: super::Nodes::Ln(&self.nodes) }
    }
}

impl ForwardBackward {
    /// Smooths a long chain in blocks of about √T positions, with room for √T K numbers; half again as much work as
    /// [`smooth`](Self::smooth).
    ///
    /// `visit` is called for the blocks, the last one first, with the positions that it is for and what is known of them: position t of the
    /// chain is position t - start of what it gets. That may have one position more, which the next block has visited; the
    /// steps of what it gets, and their sums, are each of them visited once. Of an impossible chain nothing is visited.
    pub fn smooth_in_blocks(
        &mut self,
        chain: &Chain<'_>,
        mut visit: impl FnMut(Range<usize>, &Smoothed<'_>),
    ) -> Score {
        let (states, length) = (chain.states(), chain.length());
        if length == 0 {
            return Score { ln_z: 0.0, impossible: None };
        }
        let size = length.isqrt().max(64);
        let firsts: Vec<usize> = (0..length.saturating_sub(1).max(1)).step_by(size).collect();
        let mut messages = chain.ln_initial.to_vec();
        let mut ln_z = posterior_math::streaming::NeumaierSum::new();
        for &first in &firsts {
            let mut block = Block::new(chain, first, size);
            let last = block.positions.len() - 1;
            let start = messages.len() - states;
            let mut next = vec![0.0; states];
            let filtered = self.filter(&block.chain_after(&messages[start..]));
            let score = filtered.score();
            if let Some(position) = score.impossible {
                return Score { ln_z: score.ln_z, impossible: Some(first + position) };
            }
            ln_z.add(score.ln_z);
            filtered.write_ln(last, &mut next);
            messages.extend_from_slice(&next);
        }
        let mut ln_beta = vec![0.0; states];
        for (number, &first) in firsts.iter().enumerate().rev() {
            let mut block = Block::new(chain, first, size);
            let end = block.positions.end;
            let last = block.nodes.len() - states;
            for (node, beta) in block.nodes[last..].iter_mut().zip(&ln_beta) {
                *node += beta;
            }
            let new = if end == length { first..end } else { first..end - 1 };
            let smoothed = self.smooth(&block.chain_after(&messages[number * states..][..states]));
            visit(new, &smoothed);
            smoothed.write_ln_beta(&mut ln_beta);
        }
        Score { ln_z: ln_z.value(), impossible: None }
    }
}
