//! Which coordinates of a block bend the density together, and in which sets they can be moved at once.

use std::collections::BTreeSet;
use std::sync::Arc;

use posterior_dist::target::{EvalError, GradTarget};
use posterior_math::linalg::MatrixError;
use posterior_math::sparse::{Ordering, SparseCholesky, SparseSymbolic, SparseSymmetric};

use crate::Error;

/// How far a coordinate is moved to see which derivatives change.
const MOVES: [f64; 4] = [1.0, -1.0, 0.125, -0.125];

/// A block of coordinates and the pattern of its second derivatives.
#[derive(Debug, Clone)]
pub(super) struct Structure {
    /// Coordinates of the target.
    pub(super) block: Vec<usize>,
    pattern: SparseSymmetric,
    symbolic: Arc<SparseSymbolic>,
    /// Places in the block.
    pub(super) depths: Vec<Vec<usize>>,
    /// Of each stored entry of the pattern: the depth of the row that is less deep, that row, and the other.
    reads: Vec<(usize, usize, usize)>,
}

impl Structure {
    /// Finds the pattern at two points, by moving each coordinate of the block.
    pub(super) fn new<T: GradTarget>(target: &T, block: Vec<usize>, point: &[f64]) -> Result<Self, Error> {
        let mut pairs: BTreeSet<(usize, usize)> = (0..block.len()).map(|i| (i, i)).collect();
        couples(target, &block, point, &mut pairs)?;
        couples(target, &block, &moved(target, point)?, &mut pairs)?;
        let n = block.len();
        let pattern = SparseSymmetric::from_triplets(n, pairs.into_iter().map(|(i, j)| (i, j, 1.0)))?;
        Ok(Self::of(block, pattern)?)
    }

    /// The order with the fewest depths of two: minimum degree, and dissection to the last coordinate.
    fn of(block: Vec<usize>, pattern: SparseSymmetric) -> Result<Self, MatrixError> {
        let mut order = vec![];
        dissect(&pattern.neighbours(), (0..block.len()).collect(), &mut order);
        let mut symbolic = SparseSymbolic::new(&pattern, &Ordering::MinimumDegree)?;
        let dissected = SparseSymbolic::new(&pattern, &Ordering::Given(order))?;
        if dissected.depths().len() < symbolic.depths().len() {
            symbolic = dissected;
        }
        let depths = symbolic.depths();
        let mut depth_of = vec![0; block.len()];
        for (depth, rows) in depths.iter().enumerate() {
            for &row in rows {
                depth_of[row] = depth;
            }
        }
        let read = |(i, j, _): (usize, usize, f64)| {
            let (shallow, deep) = if depth_of[i] <= depth_of[j] { (i, j) } else { (j, i) };
            (depth_of[shallow], shallow, deep)
        };
        let reads = pattern.triplets().map(read).collect();
        Ok(Self { block, pattern, symbolic: Arc::new(symbolic), depths, reads })
    }

    /// Without the groups of which each coordinate takes a depth of its own, if others are left.
    pub(super) fn without_alone(self, groups: &[Vec<usize>]) -> Result<Self, MatrixError> {
        let alone: BTreeSet<usize> = self
            .depths
            .iter()
            .filter_map(|rows| if let [row] = rows.as_slice() { Some(self.block[*row]) } else { None })
            .collect();
        let costly = groups.iter().filter(|group| group.iter().all(|own| alone.contains(own)));
        let left: BTreeSet<usize> = costly.flatten().copied().collect();
        if left.is_empty() || left.len() == self.block.len() {
            return Ok(self);
        }
        let kept: Vec<usize> = (0..self.block.len()).filter(|&i| !left.contains(&self.block[i])).collect();
        let block = kept.iter().map(|&i| self.block[i]).collect();
        Self::of(block, self.pattern.principal(&kept))
    }

    /// The number of coordinates.
    pub(super) const fn len(&self) -> usize {
        self.block.len()
    }

    /// Steps of the coordinates of one depth, zero elsewhere.
    pub(super) fn direction(&self, depth: usize, steps: &[f64]) -> Vec<f64> {
        let mut direction = vec![0.0; self.len()];
        for &row in &self.depths[depth] {
            direction[row] = steps[row];
        }
        direction
    }

    /// The factor of the negative second derivatives, of the differences of gradients along the directions of
    /// all depths; gradients are those of the target. `ridge` times the largest is added to the diagonal.
    pub(super) fn factor(
        &self,
        differences: &[Vec<f64>],
        steps: &[f64],
        ridge: f64,
    ) -> Result<(SparseCholesky, SparseSymmetric), EvalError> {
        let value = |&(depth, shallow, deep): &(usize, usize, usize)| {
            -differences[depth][self.block[deep]] / steps[shallow]
        };
        let mut values: Vec<f64> = self.reads.iter().map(value).collect();
        if ridge > 0.0 {
            let largest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
            let diagonal = values.iter_mut().zip(&self.reads).filter(|(_, read)| read.1 == read.2);
            diagonal.for_each(|(value, _)| *value += ridge * largest);
        }
        let mut matrix = self.pattern.clone();
        matrix.set_values(&values).map_err(EvalError::reject)?;
        let factor = SparseCholesky::with_symbolic(&self.symbolic, &matrix).map_err(EvalError::reject)?;
        Ok((factor, matrix))
    }

    /// One vector for each depth, whose outer products add up to the covariance of the block where its
    /// coordinates bend the density together.
    pub(super) fn vectors(&self, factor: &SparseCholesky) -> Vec<Vec<f64>> {
        let ones = vec![1.0; self.len()];
        let vector = |depth| {
            let indicator = self.direction(depth, &ones);
            let mut vector: Vec<f64> = self.symbolic.order().map(|row| indicator[row]).collect();
            factor.half_solve_transpose_slice_in_place(&mut vector);
            vector
        };
        (0..self.depths.len()).map(vector).collect()
    }
}

/// Adds the pairs of coordinates of which one changes the derivative by the other.
fn couples<T: GradTarget>(
    target: &T,
    block: &[usize],
    point: &[f64],
    pairs: &mut BTreeSet<(usize, usize)>,
) -> Result<(), Error> {
    let (mut base, mut gradient) = (vec![0.0; point.len()], vec![0.0; point.len()]);
    target.ln_density_grad(point, &mut base)?;
    let mut there = point.to_vec();
    for (j, &coordinate) in block.iter().enumerate() {
        let mut outcome = Ok(0.0);
        for step in MOVES {
            there[coordinate] = point[coordinate] + step;
            outcome = target.ln_density_grad(&there, &mut gradient);
            if outcome.is_ok() {
                break;
            }
        }
        outcome?;
        there[coordinate] = point[coordinate];
        let changed = block.iter().enumerate().filter(|(_, own)| gradient[**own] != base[**own]);
        pairs.extend(changed.map(|(i, _)| (i.max(j), i.min(j))));
    }
    Ok(())
}

/// A point near another with a density, at which no coordinate has a special value.
fn moved<T: GradTarget>(target: &T, point: &[f64]) -> Result<Vec<f64>, Error> {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let mut width = 0.5;
    loop {
        let near = point.iter().enumerate();
        let near: Vec<f64> = near.map(|(i, x)| x + width * (0.25 + (GOLDEN * i as f64).fract())).collect();
        match target.ln_density(&near) {
            Ok(value) if value.is_finite() => return Ok(near),
            Err(error) if error.is_fatal() || width < 1e-6 => return Err(error.into()),
            Ok(_) if width < 1e-6 => return Ok(point.to_vec()),
            _ => width *= 0.25,
        }
    }
}

/// Orders nodes so that those which part them come last: the nodes at the middle distance from an end.
fn dissect(neighbours: &[Vec<usize>], mut nodes: BTreeSet<usize>, order: &mut Vec<usize>) {
    while let Some(&first) = nodes.first() {
        let end = reached(neighbours, &nodes, first).last().map_or(first, |last| last.0);
        let part = reached(neighbours, &nodes, end);
        let middle = part[part.len() / 2].1;
        for (node, _) in &part {
            nodes.remove(node);
        }
        let (between, rest): (Vec<_>, Vec<_>) = part.into_iter().partition(|own| own.1 == middle);
        dissect(neighbours, rest.into_iter().map(|own| own.0).collect(), order);
        order.extend(between.into_iter().map(|own| own.0));
    }
}

/// The nodes that can be reached within a set, the nearest first, and in how many steps.
fn reached(neighbours: &[Vec<usize>], within: &BTreeSet<usize>, start: usize) -> Vec<(usize, usize)> {
    let (mut found, mut seen, mut at) = (vec![(start, 0)], BTreeSet::from([start]), 0);
    while let Some(&(node, steps)) = found.get(at) {
        at += 1;
        let new = neighbours[node].iter().filter(|next| within.contains(next) && seen.insert(**next));
        found.extend(new.map(|next| (*next, steps + 1)));
    }
    found
}
