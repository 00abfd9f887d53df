//! The best path: messages with the maximum in place of the sum.

use std::ops::Range;

use posterior_math::streaming::NeumaierSum;
use pulp::{Arch, Simd, WithSimd};

use super::lanes::{self, ByWidth, LANES, Lane, Matrix, MaxPlus, panel_product, width};
use super::vectors::{Portable, Vectors, Wide, with_vectors};
use super::{Edges, LinearChain, Nodes, Path};

/// Positions after which the largest score is taken off all, so that differences keep their digits.
const BLOCK: usize = 256;

/// Numbers that are kept at most; of longer chains every message is made twice.
const KEPT: usize = 1 << 24;

/// What cannot be.
const NEVER: Lane = [f64::NEG_INFINITY; LANES];

impl LinearChain<'_> {
    /// The path with the largest score (Viterbi's), None if no path is possible.
    ///
    /// Of equally good paths, the one whose last state is lowest, of these the one whose last but one is
    /// lowest, and so on; equal means equal after rounding. K² T additions, and no pointers back: the path is
    /// found again in the messages. These are T K numbers, √T K in a long chain, for which they are made
    /// twice.
    ///
    /// ```
    /// use posterior_math::linalg::DMatrix;
    /// use posterior_sequence::chain::{LinearChain, Edges, Transitions};
    ///
    /// let transitions = Transitions::from_ln(&DMatrix::from_row_slice(2, 2, &[0.5, -0.5, -0.5, 0.5]))?;
    /// let nodes = [1.0, 0.0, 0.2, 0.5, 0.0, 1.5];
    /// let chain = LinearChain::new(&[0.0, 0.0], Edges::Same(&transitions), &nodes)?;
    /// // (1, 1, 1) is as good.
    /// let best = chain.best_path().expect("every path is possible");
    /// assert_eq!((&best.states[..], best.score), (&[0, 1, 1][..], 3.0));
    /// # Ok::<(), posterior_sequence::Error>(())
    /// ```
    pub fn best_path(&self) -> Option<Path> {
        let length = self.length();
        let whole = length <= KEPT / self.states();
        best_path(self, if whole { length } else { length.isqrt() })
    }

    /// The score of a path, the sum of what it meets; -∞ if it is not possible.
    ///
    /// # Panics
    /// If the path has another length than the chain, or a state is none.
    #[track_caller]
    pub fn path_score(&self, path: &[usize]) -> f64 {
        assert_eq!(path.len(), self.length(), "a state for each position");
        let mut sum = NeumaierSum::new();
        let mut pending = 0.0;
        for (t, &state) in path.iter().enumerate() {
            pending += match t {
                0 => self.ln_initial[state],
                _ => self.edge_row(t - 1, path[t - 1])[state],
            };
            pending += self.node(t)[state];
            if t.is_multiple_of(32) {
                sum.push(pending);
                pending = 0.0;
            }
        }
        sum.push(pending);
        sum.value()
    }
}

/// The best path, with the messages of so many positions at a time, or a few more.
fn best_path(chain: &LinearChain<'_>, kept: usize) -> Option<Path> {
    let length = chain.length();
    let mut states = vec![0; length];
    if length == 0 {
        return Some(Path { states, score: 0.0 });
    }
    let block = kept.max(1);
    let mut pass = Pass::new(chain);
    let width = pass.width;
    // The last messages of all blocks, and all of the block.
    let mut borders: Vec<Lane> = Vec::with_capacity(length.div_ceil(block) * width);
    let mut messages = vec![NEVER; block.min(length) * width];
    let mut current = 0..0;
    for first in (0..length).step_by(block) {
        current = first..length.min(first + block);
        pass.fill(current.clone(), &borders, &mut messages);
        borders.extend_from_slice(&messages[(current.len() - 1) * width..][..width]);
    }
    let last = &borders[borders.len() - width..];
    let (last, best) = first_largest(&last.as_flattened()[..chain.states()]);
    if best == f64::NEG_INFINITY {
        return None;
    }
    states[length - 1] = last;
    loop {
        // Including the first state of the block after, which is known.
        let Range { start, end } = current;
        let known = length.min(end + 1);
        pass.descend(start, &messages, &mut states[start..known]);
        if start == 0 {
            break;
        }
        current = start - block..start;
        pass.fill(current.clone(), &borders[..(start / block - 1) * width], &mut messages);
    }
    let score = chain.path_score(&states);
    Some(Path { states, score })
}

/// The lowest index of the largest number, and the number.
pub(crate) fn first_largest(numbers: &[f64]) -> (usize, f64) {
    let mut largest = f64::NEG_INFINITY;
    for &number in numbers {
        largest = if number > largest { number } else { largest };
    }
    (numbers.iter().position(|&number| number == largest).unwrap_or(0), largest)
}

/// Makes messages δ_t(j) = max_i (δ_{t-1}(i) + e_ij) + n_t(j).
struct Pass<'a> {
    chain: &'a LinearChain<'a>,
    arch: Arch,
    width: usize,
    /// The scores that a state can be come to by.
    terms: Vec<f64>,
}

impl<'a> Pass<'a> {
    fn new(chain: &'a LinearChain<'a>) -> Self {
        let states = chain.states();
        Self { chain, arch: Arch::new(), width: width(states), terms: vec![0.0; states] }
    }

    /// The messages of these positions, after the last row of those before.
    fn fill(&self, range: Range<usize>, before: &[Lane], out: &mut [Lane]) {
        let (states, width) = (self.chain.states(), self.width);
        let out = &mut out[..range.len() * width];
        match self.chain.nodes {
            Nodes::Ln(_) => {
                for (t, row) in range.clone().zip(out.chunks_exact_mut(width)) {
                    row[width - 1] = NEVER;
                    row.as_flattened_mut()[..states].copy_from_slice(self.chain.node(t));
                }
            }
            Nodes::Table(table, kinds) => {
                for (&kind, row) in kinds[range.clone()].iter().zip(out.chunks_exact_mut(width)) {
                    row.copy_from_slice(table.ln_lanes(kind));
                }
            }
        }
        let mut message = vec![NEVER; width];
        let mut rows = range;
        let mut rest = out;
        if rows.start == 0 {
            let (row, after) = rest.split_at_mut(width);
            for (score, initial) in row.as_flattened_mut().iter_mut().zip(self.chain.ln_initial) {
                *score += initial;
            }
            message.copy_from_slice(row);
            rest = after;
            rows.start = 1;
        } else {
            message.copy_from_slice(&before[before.len() - width..]);
        }
        match self.chain.edges {
            Edges::Same(transitions) => self.arch.dispatch(ByWidth(Climb {
                matrix: transitions.ln_matrix(),
                first: rows.start,
                message: &mut message,
                out: rest,
            })),
            Edges::Each(_) => self.arch.dispatch(|| {
                for (t, row) in rows.zip(rest.chunks_exact_mut(width)) {
                    self.step(t, &message, row);
                    message.copy_from_slice(row);
                }
            }),
        }
    }

    /// One message, where steps differ.
    #[inline(always)]
    fn step(&self, t: usize, before: &[Lane], row: &mut [Lane]) {
        let mut largest = vec![NEVER; row.len()];
        for (i, &score) in before.as_flattened()[..self.chain.states()].iter().enumerate() {
            for (largest, edge) in largest.as_flattened_mut().iter_mut().zip(self.chain.edge_row(t - 1, i)) {
                let term = score + edge;
                *largest = if term > *largest { term } else { *largest };
            }
        }
        finish(t, &largest, row);
    }

    /// The path from its last state back to the first position of messages.
    fn descend(&mut self, first: usize, messages: &[Lane], path: &mut [usize]) {
        if let Edges::Same(transitions) = self.chain.edges {
            let columns = transitions.ln_columns();
            self.arch.dispatch(Descend { columns, width: self.width, messages, path });
            return;
        }
        for t in (0..path.len() - 1).rev() {
            let message = messages[t * self.width..][..self.width].as_flattened();
            for (i, (term, score)) in self.terms.iter_mut().zip(message).enumerate() {
                *term = score + self.chain.edge_row(first + t, i)[path[t + 1]];
            }
            path[t] = first_largest(&self.terms).0;
        }
    }
}

/// Finds the states before the last one of a path, each the lowest of the best.
struct Descend<'a> {
    columns: &'a [Lane],
    width: usize,
    messages: &'a [Lane],
    path: &'a mut [usize],
}

impl WithSimd for Descend<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        with_vectors!(simd, S, |f| self.descend(f));
    }
}

impl Descend<'_> {
    #[inline(always)]
    fn descend<F: Vectors>(self, f: F) {
        let Self { columns, width, messages, path } = self;
        let Some((&mut mut state, before)) = path.split_last_mut() else { return };
        for (before, message) in before.iter_mut().zip(messages.chunks_exact(width)).rev() {
            state = first_largest_sum(f, message, &columns[state * width..][..width]);
            *before = state;
        }
    }
}

/// The lowest index at which the sum of two rows is largest.
#[inline(always)]
fn first_largest_sum<F: Vectors>(f: F, message: &[Lane], column: &[Lane]) -> usize {
    let mut largest = f.splat(f64::NEG_INFINITY);
    let (mut indices, mut index) = (f.load([0.0, 1.0, 2.0, 3.0]), f.load([0.0, 1.0, 2.0, 3.0]));
    let four = f.splat(LANES as f64);
    for (&message, &score) in message.iter().zip(column) {
        let term = f.add(f.load(message), f.load(score));
        indices = f.select_less(largest, term, index, indices);
        largest = f.max(largest, term);
        index = f.add(index, four);
    }
    let (largest, indices) = (f.lane(largest), f.lane(indices));
    let mut best = (largest[0], indices[0]);
    for l in 1..LANES {
        let equal_and_lower = largest[l] == best.0 && indices[l] < best.1;
        if largest[l] > best.0 || equal_and_lower {
            best = (largest[l], indices[l]);
        }
    }
    best.1 as usize
}

/// Adds the scores of nodes, which are in the row, to those of coming there.
#[inline(always)]
fn finish(t: usize, reached: &[Lane], row: &mut [Lane]) {
    for (score, reached) in row.iter_mut().zip(reached) {
        for l in 0..LANES {
            score[l] += reached[l];
        }
    }
    if t.is_multiple_of(BLOCK) {
        let (_, largest) = first_largest(row.as_flattened());
        if largest > f64::NEG_INFINITY {
            for score in row.as_flattened_mut() {
                *score -= largest;
            }
        }
    }
}

/// Makes the messages of consecutive positions, where all steps have the same scores.
struct Climb<'a> {
    matrix: &'a Matrix,
    first: usize,
    message: &'a mut [Lane],
    /// The scores of nodes, -∞ behind the last state.
    out: &'a mut [Lane],
}

impl lanes::Pass for Climb<'_> {
    type Output = ();

    #[inline(always)]
    fn width(&self) -> usize {
        self.matrix.width()
    }

    #[inline(always)]
    fn narrow<F: Vectors, const P: usize, const SETS: usize>(self, f: F) {
        let Self { matrix, first, message, out } = self;
        let mut before = [NEVER; P];
        before.copy_from_slice(message);
        let panel = matrix.panels();
        for (t, row) in out.as_chunks_mut::<P>().0.iter_mut().enumerate() {
            let reached = panel_product::<F, MaxPlus, P, SETS>(f, panel, &before);
            finish(first + t, &reached, row);
            before = *row;
        }
    }

    #[inline(always)]
    fn wide<F: Vectors>(self, f: F) {
        let Self { matrix, first, message, out } = self;
        let width = matrix.width();
        let mut reached = vec![NEVER; width];
        for (t, row) in out.chunks_exact_mut(width).enumerate() {
            matrix.multiply::<F, MaxPlus>(f, message, &mut reached);
            finish(first + t, &reached, row);
            message.copy_from_slice(row);
        }
    }
}

#[cfg(test)]
mod tests;
