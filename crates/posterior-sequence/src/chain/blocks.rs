//! Smoothing of chains too long for all messages at once.

use std::convert::Infallible;
use std::ops::Range;

use posterior_math::streaming::NeumaierSum;

use super::forward_backward::{Arithmetic, FilteredChain, ForwardBackward, SmoothedChain};
use super::{Edges, LinearChain, Nodes, Score};

impl FilteredChain<'_> {
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

/// Writes the scores of some nodes, K numbers below infinity for each.
pub(crate) trait WriteLnNodes<E>: Fn(Range<usize>, &mut [f64]) -> Result<(), E> {}

impl<E, F: Fn(Range<usize>, &mut [f64]) -> Result<(), E>> WriteLnNodes<E> for F {}

/// A chain whose scores of nodes are made where they are wanted.
#[derive(Debug)]
pub(crate) struct LongChain<'a, N> {
    pub(crate) ln_initial: &'a [f64],
    pub(crate) edges: Edges<'a>,
    pub(crate) length: usize,
    pub(crate) ln_nodes: N,
}

impl<N> LongChain<'_, N> {
    const fn states(&self) -> usize {
        self.ln_initial.len()
    }

    /// The blocks: the first position of each, and how many there are before the next.
    fn firsts(&self) -> (Vec<usize>, usize) {
        let size = self.length.isqrt().max(64);
        ((0..self.length.saturating_sub(1).max(1)).step_by(size).collect(), size)
    }

    /// The block of these positions as a chain that begins with a message in place of what came before and of
    /// its first node.
    fn block<'b, E>(
        &'b self,
        positions: Range<usize>,
        message: &'b [f64],
        ln_beta: &[f64],
        nodes: &'b mut Vec<f64>,
    ) -> Result<LinearChain<'b>, E>
    where
        N: WriteLnNodes<E>,
    {
        let states = self.states();
        nodes.resize(positions.len() * states, 0.0);
        (self.ln_nodes)(positions.clone(), nodes)?;
        if positions.start > 0 {
            nodes[..states].fill(0.0);
        }
        let last = nodes.len() - states;
        for (node, beta) in nodes[last..].iter_mut().zip(ln_beta) {
            *node += beta;
        }
        let edges = match self.edges {
            Edges::Same(transitions) => Edges::Same(transitions),
            Edges::Each(scores) => {
                let size = states * states;
                Edges::Each(&scores[positions.start * size..(positions.end - 1) * size])
            }
        };
        Ok(LinearChain { ln_initial: message, edges, nodes: Nodes::Ln(nodes) })
    }
}

impl ForwardBackward {
    /// Smooths a long chain in blocks of about √T positions, with room for √T K numbers; half again as much
    /// work as [`smooth`](Self::smooth).
    ///
    /// `visit` is called for the blocks, the last one first, with the positions that it is for and what is
    /// known of them: position t of the chain is position t - start of what it gets. That may have one
    /// position more, which the next block has visited; the steps of what it gets, and their sums, are each
    /// of them visited once. Of an impossible chain nothing is visited.
    pub fn smooth_in_blocks(
        &mut self,
        chain: &LinearChain<'_>,
        mut visit: impl FnMut(Range<usize>, &SmoothedChain<'_>),
    ) -> Score {
        let ln_nodes = |positions: Range<usize>, out: &mut [f64]| {
            for (row, t) in out.chunks_exact_mut(chain.states()).zip(positions) {
                row.copy_from_slice(chain.node(t));
            }
            Ok(())
        };
        let (ln_initial, edges, length) = (chain.ln_initial, chain.edges, chain.length());
        let long = LongChain { ln_initial, edges, length, ln_nodes };
        let score: Result<Score, Infallible> = self.smooth_long(&long, |range, smoothed| {
            visit(range, smoothed);
            Ok(())
        });
        match score {
            Ok(score) => score,
            Err(never) => match never {},
        }
    }

    /// As [`smooth_in_blocks`](Self::smooth_in_blocks), with room for √T K scores of nodes too, each of which
    /// is made twice.
    pub(crate) fn smooth_long<E>(
        &mut self,
        chain: &LongChain<'_, impl WriteLnNodes<E>>,
        mut visit: impl FnMut(Range<usize>, &SmoothedChain<'_>) -> Result<(), E>,
    ) -> Result<Score, E> {
        let (score, messages) = self.filter_long(chain)?;
        if score.impossible.is_some() || chain.length == 0 {
            return Ok(score);
        }
        let (states, length, (firsts, size)) = (chain.states(), chain.length, chain.firsts());
        let mut ln_beta = vec![0.0; states];
        let mut nodes = Vec::new();
        for (number, &first) in firsts.iter().enumerate().rev() {
            let positions = first..length.min(first + size + 1);
            let new = if positions.end == length { positions.clone() } else { first..positions.end - 1 };
            let message = &messages[number * states..][..states];
            let smoothed = self.smooth(&chain.block(positions, message, &ln_beta, &mut nodes)?);
            visit(new, &smoothed)?;
            smoothed.write_ln_beta(&mut ln_beta);
        }
        Ok(score)
    }

    /// ln Z, with room for √T K scores of nodes.
    pub(crate) fn score_long<E>(&mut self, chain: &LongChain<'_, impl WriteLnNodes<E>>) -> Result<Score, E> {
        Ok(self.filter_long(chain)?.0)
    }

    /// ln Z, and what is known at the first position of each block from those up to it: ln p(z).
    fn filter_long<E>(
        &mut self,
        chain: &LongChain<'_, impl WriteLnNodes<E>>,
    ) -> Result<(Score, Vec<f64>), E> {
        let (states, length, (firsts, size)) = (chain.states(), chain.length, chain.firsts());
        let mut messages = chain.ln_initial.to_vec();
        if length == 0 {
            return Ok((Score { ln_z: 0.0, impossible: None }, messages));
        }
        let mut ln_z = NeumaierSum::new();
        let (mut nodes, mut next) = (Vec::new(), vec![0.0; states]);
        for &first in &firsts {
            let positions = first..length.min(first + size + 1);
            let last = positions.len() - 1;
            let message = &messages[messages.len() - states..];
            let filtered = self.filter(&chain.block(positions, message, &[], &mut nodes)?);
            let score = filtered.score();
            if let Some(position) = score.impossible {
                return Ok((Score { ln_z: score.ln_z, impossible: Some(first + position) }, messages));
            }
            ln_z.push(score.ln_z);
            filtered.write_ln(last, &mut next);
            messages.extend_from_slice(&next);
        }
        Ok((Score { ln_z: ln_z.value(), impossible: None }, messages))
    }
}
