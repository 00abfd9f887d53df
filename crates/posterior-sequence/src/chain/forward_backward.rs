//! Sums over all paths, for many chains one after the other.

use std::ops::Range;

use posterior_math::elementwise;
use pulp::Arch;

use super::edge_sums::AddEdgeSums;
use super::lanes::{ByWidth, Lane, Matrix, ZERO, width};
use super::log_domain::{Keep, Messages};
use super::scaled::{Advance, LnProduct, Lost, Message, NodeRows, Retreat, Watch};
use super::{Edges, LinearChain, Nodes, Score, weights};

/// Positions whose weights are made at a time where only ln Z is wanted.
const BLOCK: usize = 256;

/// Room for messages, used again for one chain after the other: nothing is allocated for a chain no longer
/// than those before.
///
/// Messages are weights, of which K²/4 products with vectors are made for each position and direction; a
/// chain for which underflow may have made a difference is done again with logarithms, K² exponentials for
/// each position and direction. Results are never NaN, and within 1e-18 of what exact arithmetic on the
/// rounded weights gives.
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_sequence::chain::{LinearChain, Edges, ForwardBackward, Transitions};
///
/// let transitions = Transitions::from_ln(&DMatrix::from_row_slice(2, 2, &[0.5, -0.5, -0.5, 0.5]))?;
/// let nodes = [1.0, 0.0, 0.2, 0.5, 0.0, 1.5];
/// let chain = LinearChain::new(&[0.0, 0.0], Edges::Same(&transitions), &nodes)?;
/// let mut work = ForwardBackward::new();
/// let smoothed = work.smooth(&chain);
/// assert!((smoothed.score().ln_z - 4.257149359456737).abs() < 1e-14);
/// assert!((smoothed.marginals()[0] - 0.646367746326).abs() < 1e-12);
/// # Ok::<(), posterior_sequence::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ForwardBackward {
    arch: Arch,
    initial: Vec<Lane>,
    message: Message,
    /// Weights of nodes, then messages backwards.
    messages: Vec<Lane>,
    filtered: Vec<Lane>,
    marginals: Vec<f64>,
    step: Step,
    pub(super) logs: Messages,
}

/// The weights of one step, where steps differ.
#[derive(Debug, Clone, Default)]
pub(super) struct Step {
    weights: Vec<Lane>,
    matrix: Matrix,
}

/// Which way a message goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Backward,
}

impl Step {
    /// The weights of the step from t to t + 1, and the ln of what they are to be multiplied by.
    pub(super) fn load(
        &mut self,
        scores: &[f64],
        states: usize,
        t: usize,
        direction: Direction,
    ) -> (&Matrix, f64) {
        let size = states * states;
        let ln_scale = weights::of_scores(&scores[t * size..][..size], &mut self.weights);
        let weights = self.weights.as_flattened();
        match direction {
            Direction::Forward => self.matrix.fill(states, |i, j| weights[i * states + j]),
            Direction::Backward => self.matrix.fill(states, |j, i| weights[i * states + j]),
        }
        (&self.matrix, ln_scale)
    }
}

impl Default for ForwardBackward {
    fn default() -> Self {
        Self::new()
    }
}

impl ForwardBackward {
    /// No room yet.
    pub fn new() -> Self {
        Self {
            arch: Arch::new(),
            initial: Vec::new(),
            message: Message::default(),
            messages: Vec::new(),
            filtered: Vec::new(),
            marginals: Vec::new(),
            step: Step::default(),
            logs: Messages::default(),
        }
    }

    /// ln Z, with room for one message.
    pub fn score(&mut self, chain: &LinearChain<'_>) -> Score {
        match self.forward(chain, Keep::Last) {
            Ok(ln_z) => Score { ln_z, impossible: None },
            Err(Lost) => self.logs.forward(chain, Keep::Last),
        }
    }

    /// Messages forward: ln Z, and p(z_t | scores up to t).
    pub fn filter<'a>(&'a mut self, chain: &LinearChain<'a>) -> FilteredChain<'a> {
        let (score, arithmetic) = match self.forward(chain, Keep::All) {
            Ok(ln_z) => (Score { ln_z, impossible: None }, Arithmetic::Scaled),
            Err(Lost) => (self.filter_with_logarithms(chain), Arithmetic::Logarithms),
        };
        FilteredChain { chain: *chain, score, arithmetic, work: self }
    }

    /// Messages forward and back: ln Z, p(z_t), and p(z_t, z_{t+1}).
    pub fn smooth<'a>(&'a mut self, chain: &LinearChain<'a>) -> SmoothedChain<'a> {
        let size = chain.length() * chain.states();
        self.marginals.clear();
        self.marginals.resize(size, 0.0);
        let forward = self.forward(chain, Keep::All);
        let mut arithmetic = Arithmetic::Scaled;
        if forward.is_err() || self.backward(chain).is_err() {
            arithmetic = Arithmetic::Logarithms;
        }
        let mut score = Score { ln_z: forward.unwrap_or_default(), impossible: None };
        if arithmetic == Arithmetic::Logarithms {
            let with_logarithms = self.filter_with_logarithms(chain);
            if with_logarithms.impossible.is_some() {
                self.marginals.fill(0.0);
            } else {
                self.logs.backward(chain, &mut self.marginals);
            }
            if forward.is_err() {
                score = with_logarithms;
            }
        }
        SmoothedChain { chain: *chain, score, arithmetic, work: self }
    }

    /// Fills `filtered` by the log domain; zeros where the chain is impossible.
    fn filter_with_logarithms(&mut self, chain: &LinearChain<'_>) -> Score {
        let score = self.logs.forward(chain, Keep::All);
        let (states, width) = (chain.states(), width(chain.states()));
        self.filtered.clear();
        self.filtered.resize(chain.length() * width, ZERO);
        if score.impossible.is_none() {
            let rows = self.filtered.chunks_exact_mut(width).zip(self.logs.forward.chunks_exact(states));
            for (row, ln) in rows {
                let row = &mut row.as_flattened_mut()[..states];
                row.copy_from_slice(ln);
                elementwise::exp(row);
            }
        }
        score
    }

    /// ln Z by scaled messages forward; the weights of nodes and the messages of all positions are kept where
    /// wanted.
    fn forward(&mut self, chain: &LinearChain<'_>, keep: Keep) -> Result<f64, Lost> {
        let (states, length, width) = (chain.states(), chain.length(), width(chain.states()));
        if length == 0 {
            self.filtered.clear();
            return Ok(0.0);
        }
        let mut z = LnProduct::one();
        weights::rows(chain.ln_initial, states, &mut self.initial, |ln| z.add_ln(ln));
        if keep == Keep::All {
            self.filtered.resize(length * width, ZERO);
        }
        let block = if keep == Keep::All { length } else { BLOCK };
        for first in (0..length).step_by(block) {
            let end = length.min(first + block);
            let nodes = match chain.nodes {
                Nodes::Ln(ln) => {
                    let ln = &ln[first * states..end * states];
                    weights::rows(ln, states, &mut self.messages, |ln| z.add_ln(ln));
                    NodeRows::Each(&self.messages)
                }
                Nodes::Table(table, kinds) => {
                    let kinds = &kinds[first..end];
                    for &kind in kinds {
                        z.add_ln(table.ln_scale(kind));
                    }
                    NodeRows::Table(table, kinds)
                }
            };
            let mut out = match keep {
                Keep::All => &mut self.filtered[..length * width],
                Keep::Last => &mut [],
            };
            let mut done = first;
            if first == 0 {
                let watch = match chain.edges {
                    Edges::Same(transitions) => Watch::over(transitions.smallest()),
                    Edges::Each(_) => Watch::Components,
                };
                let total = self.message.start(&self.initial, nodes.row(0, width), &mut z, watch)?;
                if !out.is_empty() {
                    let (row, rest) = out.split_at_mut(width);
                    for ((out, a), b) in row.iter_mut().zip(&self.initial).zip(nodes.row(0, width)) {
                        *out = std::array::from_fn(|l| a[l] * b[l] / total);
                    }
                    out = rest;
                }
                done = 1;
            }
            let range = done - first..end - first;
            match chain.edges {
                Edges::Same(transitions) => {
                    z.add_ln(transitions.ln_scale() * range.len() as f64);
                    self.arch.dispatch(ByWidth(Advance {
                        matrix: transitions.forward(),
                        nodes,
                        range,
                        watch: Watch::over(transitions.smallest()),
                        message: &mut self.message,
                        z: &mut z,
                        out,
                    }))?;
                }
                Edges::Each(scores) => {
                    for t in range {
                        let (matrix, ln_scale) =
                            self.step.load(scores, states, first + t - 1, Direction::Forward);
                        z.add_ln(ln_scale);
                        let (row, rest) = out.split_at_mut(if out.is_empty() { 0 } else { width });
                        out = rest;
                        self.arch.dispatch(ByWidth(Advance {
                            matrix,
                            nodes,
                            range: t..t + 1,
                            watch: Watch::Components,
                            message: &mut self.message,
                            z: &mut z,
                            out: row,
                        }))?;
                    }
                }
            }
        }
        Ok(z.ln())
    }

    /// Scaled messages back, after those forward of all positions, and the probabilities of states.
    fn backward(&mut self, chain: &LinearChain<'_>) -> Result<(), Lost> {
        let (states, length, width) = (chain.states(), chain.length(), width(chain.states()));
        if length == 0 {
            return Ok(());
        }
        let table = match chain.nodes {
            Nodes::Ln(_) => None,
            Nodes::Table(table, kinds) => {
                self.messages.resize(length * width, ZERO);
                Some((table, kinds))
            }
        };
        let last = (length - 1) * width;
        let node = match table {
            Some((table, kinds)) => table.row(kinds[length - 1]),
            None => &self.messages[last..],
        };
        let ones = vec![[1.0; super::lanes::LANES]; width];
        let watch = match chain.edges {
            Edges::Same(transitions) => Watch::over(transitions.smallest()),
            Edges::Each(_) => Watch::Components,
        };
        self.message.start(&ones, node, &mut LnProduct::one(), watch)?;
        self.marginals[(length - 1) * states..]
            .copy_from_slice(&self.filtered[last..last + width].as_flattened()[..states]);
        let Self { arch, message, messages, filtered, marginals, step, .. } = self;
        let mut retreat = |matrix: &Matrix, range: Range<usize>| {
            arch.dispatch(ByWidth(Retreat {
                matrix,
                table,
                range,
                watch,
                message,
                messages,
                filtered,
                states,
                marginals,
            }))
        };
        match chain.edges {
            Edges::Same(transitions) => retreat(transitions.backward(), 0..length - 1),
            Edges::Each(scores) => (0..length - 1).rev().try_for_each(|t| {
                let (matrix, _) = step.load(scores, states, t, Direction::Backward);
                retreat(matrix, t..t + 1)
            }),
        }
    }
}

/// How messages were represented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Scaled,
    Logarithms,
}

/// Probabilities given what came before.
#[derive(Debug)]
pub struct FilteredChain<'a> {
    pub(super) chain: LinearChain<'a>,
    pub(super) score: Score,
    pub(super) arithmetic: Arithmetic,
    pub(super) work: &'a ForwardBackward,
}

impl FilteredChain<'_> {
    /// ln Z, or where no path is left.
    pub const fn score(&self) -> Score {
        self.score
    }

    /// p(z_t = ·), given the scores up to position t; all 0 where the chain is impossible.
    ///
    /// # Panics
    /// If there is no such position.
    #[track_caller]
    pub fn at(&self, t: usize) -> &[f64] {
        let width = width(self.chain.states());
        let row = &self.work.filtered[..self.chain.length() * width][t * width..][..width];
        &row.as_flattened()[..self.chain.states()]
    }
}

/// Probabilities given everything.
#[derive(Debug)]
pub struct SmoothedChain<'a> {
    pub(super) chain: LinearChain<'a>,
    pub(super) score: Score,
    arithmetic: Arithmetic,
    work: &'a ForwardBackward,
}

impl SmoothedChain<'_> {
    /// ln Z, or where no path is left.
    pub const fn score(&self) -> Score {
        self.score
    }

    /// ln β of the first position, but for a constant.
    pub(super) fn write_ln_beta(&self, out: &mut [f64]) {
        let node = self.chain.node(0);
        match self.arithmetic {
            Arithmetic::Logarithms => {
                for ((out, ln), node) in out.iter_mut().zip(&self.work.logs.backward).zip(node) {
                    *out = if *node > f64::NEG_INFINITY { ln - node } else { *node };
                }
            }
            Arithmetic::Scaled => {
                let message = self.work.message.lanes.as_flattened();
                for ((out, y), node) in out.iter_mut().zip(message).zip(node) {
                    *out = if *node > f64::NEG_INFINITY { y.ln() - node } else { *node };
                }
            }
        }
    }

    /// p(z_t = k) at index t K + k; all 0 where the chain is impossible.
    pub fn marginals(&self) -> &[f64] {
        &self.work.marginals
    }

    /// p(z_t = ·); all 0 where the chain is impossible.
    ///
    /// # Panics
    /// If there is no such position.
    #[track_caller]
    pub fn at(&self, t: usize) -> &[f64] {
        &self.work.marginals[t * self.chain.states()..][..self.chain.states()]
    }

    /// Adds Σ_t p(z_t = i, z_{t+1} = j) to the sum at index i K + j, nothing where the chain is impossible.
    ///
    /// # Panics
    /// If there are not K² sums.
    #[track_caller]
    pub fn add_edge_sums(&self, sums: &mut [f64]) {
        let states = self.chain.states();
        assert_eq!(sums.len(), states * states, "one sum for each pair of states");
        let length = self.chain.length();
        if self.score.impossible.is_some() || length < 2 {
            return;
        }
        if let (Arithmetic::Scaled, Edges::Same(transitions)) = (self.arithmetic, self.chain.edges) {
            let size = length * width(states);
            self.work.arch.dispatch(AddEdgeSums {
                weights: transitions.forward(),
                filtered: &self.work.filtered[..size],
                messages: &self.work.messages[..size],
                states,
                sums,
            });
            return;
        }
        let mut pair = vec![0.0; states * states];
        for t in 0..length - 1 {
            self.pairwise(t, &mut pair);
            for (sum, p) in sums.iter_mut().zip(&pair) {
                *sum += p;
            }
        }
    }

    /// Writes p(z_t = i, z_{t+1} = j) at index i K + j; zeros where the chain is impossible.
    ///
    /// # Panics
    /// If t is the last position or none, or there is not room for K² numbers.
    #[track_caller]
    pub fn pairwise(&self, t: usize, out: &mut [f64]) {
        let states = self.chain.states();
        assert_eq!(out.len(), states * states, "one probability for each pair of states");
        assert!(t + 1 < self.chain.length(), "a step from position {t} of {}", self.chain.length());
        if self.score.impossible.is_some() {
            out.fill(0.0);
            return;
        }
        if self.arithmetic == Arithmetic::Logarithms {
            self.work.logs.pairwise(&self.chain, t, out);
            return;
        }
        let width = width(states);
        let before = self.work.filtered[t * width..][..width].as_flattened();
        let after = self.work.messages[(t + 1) * width..][..width].as_flattened();
        let mut fill = |weights: &Matrix| {
            for (i, row) in out.chunks_exact_mut(states).enumerate() {
                for (j, p) in row.iter_mut().enumerate() {
                    *p = before[i] * weights.entry(i, j) * after[j];
                }
            }
        };
        match self.chain.edges {
            Edges::Same(transitions) => fill(transitions.forward()),
            Edges::Each(scores) => fill(Step::default().load(scores, states, t, Direction::Forward).0),
        }
    }
}
