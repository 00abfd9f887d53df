//! Messages as weights: fast, and certain to be right or to say that they may not be.
//!
//! # What underflow can lose
//! Weights of steps and of nodes are at most about 1, and at least η = 1e-304 where they stand for anything
//! possible. Messages are sums of products of numbers that are not negative, so that rounding costs each a
//! few units in the last place per step. What else is lost is what underflows: a message â_t, normalised to Σ
//! â = 1 before, comes from at most K products, of which each loses at most η times the reciprocal of a sum
//! that is at least `POSTPONED`: together Kη' with η' = η/`POSTPONED` = 1e-284. Two arguments bound what this
//! does to Z and to probabilities.
//!
//! **Every step is possible.** Let w > 0 be the smallest weight of a step, the largest being 1. Let Z_t be
//! what Z would be if messages were exact after t. Z_{t-1} - Z_t = Σ_j lost_t(j) β_t(j), in proportion to
//! Z_t = Σ_j c_t â_t(j) β_t(j). As β_t(j) = Σ_k w_jk b_k β_{t+1}(k), no two of the β_t(j) have a ratio above
//! 1/w. So each step loses at most the proportion K·Kη'/(w c_t) of all paths. With w ≥ `DENSE` and c_t ≥
//! `SMALLEST_SUM`, both 1e-120, that is K² 1e-44. Messages backwards have no component below w times their
//! sum, which bounds their loss in the same way.
//!
//! **Some steps are impossible.** Then a state that weighs nothing now may be the only one that explains what
//! comes. Let ρ_t be the largest relative loss of a component of a message. What is lost before does not add
//! to it: a sum of terms of which each lost at most the proportion ρ has lost at most the proportion ρ. A
//! component that is not below `FAINT` = 1e-250 loses at most the proportion K 1e-34 in its step. A component
//! below that has to be 0 because no step leads there, or the sequence is given up. So nothing loses more
//! than T K 1e-34.
//!
//! What is given up is done with logarithms.

use std::ops::Range;

use posterior_math::streaming::NeumaierSum;

use super::lanes::{LANES, Lane, Matrix, Pass, SumProduct, ZERO, panel_product, scale, sum, weigh};
use super::node_table::NodeTable;
use super::vectors::{Portable, Vectors};

/// Components that may not be smaller, unless they are 0 for a reason.
const FAINT: f64 = 1e-250;

/// Weights of steps from which on every step counts as possible.
const DENSE: f64 = 1e-120;

/// The smallest sum of a message.
const SMALLEST_SUM: f64 = 1e-120;

/// Sums below this are divided by at once.
const POSTPONED: f64 = 1e-20;

/// Sums of products of both messages below this have lost too much.
const SMALLEST_OVERLAP: f64 = 1e-220;

/// Products are turned into logarithms when they leave [1/this, this].
const LARGEST_PRODUCT: f64 = 1e120;

/// Underflow may have made a difference.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lost;

/// A product of many numbers in [1e-120, 1e120].
#[derive(Debug, Clone, Copy)]
pub(super) struct LnProduct {
    product: f64,
    /// Logarithms that are not yet in the sum.
    pending: f64,
    count: u32,
    ln: NeumaierSum,
}

/// Logarithms that are added up before they go into the compensated sum.
const PENDING: u32 = 32;

impl LnProduct {
    pub(super) const fn one() -> Self {
        Self { product: 1.0, pending: 0.0, count: 0, ln: NeumaierSum::new() }
    }

    #[inline(always)]
    fn multiply(&mut self, factor: f64) {
        self.product *= factor;
        if !(LARGEST_PRODUCT.recip()..LARGEST_PRODUCT).contains(&self.product) {
            self.flush();
        }
    }

    #[cold]
    #[inline(never)]
    fn flush(&mut self) {
        self.ln.push(self.product.ln());
        self.product = 1.0;
    }

    /// Multiplies by e to the power of this.
    #[inline(always)]
    pub(super) fn add_ln(&mut self, ln: f64) {
        self.pending += ln;
        self.count += 1;
        if self.count == PENDING {
            self.ln.push(self.pending);
            (self.pending, self.count) = (0.0, 0);
        }
    }

    pub(super) fn ln(&self) -> f64 {
        let mut ln = self.ln;
        ln.push(self.pending);
        ln.push(self.product.ln());
        ln.value()
    }
}

/// The weights of the nodes of some positions.
#[derive(Debug, Clone, Copy)]
pub(super) enum NodeRows<'a> {
    /// Row after row.
    Each(&'a [Lane]),
    /// The rows of these kinds.
    Table(&'a NodeTable, &'a [usize]),
}

impl<'a> NodeRows<'a> {
    #[inline(always)]
    pub(super) fn row(&self, t: usize, width: usize) -> &'a [Lane] {
        match self {
            Self::Each(rows) => &rows[t * width..][..width],
            Self::Table(table, kinds) => &table.row(kinds[t])[..width],
        }
    }
}

/// Whether a loss is possible that only components show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Watch {
    /// Every step is possible, and sums tell.
    Sums,
    /// Each component is looked at.
    Components,
}

impl Watch {
    /// What steps of which the smallest weighs this need.
    pub(super) fn over(smallest: f64) -> Self {
        if smallest >= DENSE { Self::Sums } else { Self::Components }
    }
}

/// A message, which is to be divided by the sum of its components.
#[derive(Debug, Clone, Default)]
pub(super) struct Message {
    pub(super) lanes: Vec<Lane>,
    pub(super) reciprocal: f64,
    /// Room.
    product: Vec<Lane>,
}

impl Message {
    /// Begins with the products of two rows of weights, and returns their sum.
    pub(super) fn start(
        &mut self,
        first: &[Lane],
        second: &[Lane],
        z: &mut LnProduct,
        watch: Watch,
    ) -> Result<f64, Lost> {
        self.product.clear();
        self.product.resize(first.len(), ZERO);
        self.lanes.clear();
        for (first, second) in first.iter().zip(second) {
            let mut lane = ZERO;
            for l in 0..LANES {
                lane[l] = first[l] * second[l];
                let possible = first[l] > 0.0 && second[l] > 0.0;
                if watch == Watch::Components && possible && lane[l] < FAINT {
                    return Err(Lost);
                }
            }
            self.lanes.push(lane);
        }
        let total = sum(Portable, &self.lanes);
        if !(total >= SMALLEST_SUM) {
            return Err(Lost);
        }
        z.multiply(total);
        self.reciprocal = total.recip();
        if total < POSTPONED {
            scale(Portable, &mut self.lanes, self.reciprocal);
            self.reciprocal = 1.0;
        }
        Ok(total)
    }
}

/// Whether a component is faint for which there is a way.
#[inline(always)]
fn is_faint<F: Vectors>(f: F, message: &[Lane], node: &[Lane]) -> bool {
    let (zero, one) = (f.splat(0.0), f.splat(1.0));
    let mut least = one;
    for (&message, &node) in message.iter().zip(node) {
        least = f.min(least, f.select_less(zero, f.load(node), f.load(message), one));
    }
    f.lane(least).iter().any(|&least| least < FAINT)
}

/// Whether all faint components are 0 because no step leads there.
#[cold]
#[inline(never)]
fn all_faint_are_impossible(before: &[Lane], matrix: &Matrix, message: &[Lane], node: &[Lane]) -> bool {
    let (before, message, node) = (before.as_flattened(), message.as_flattened(), node.as_flattened());
    (0..message.len())
        .filter(|&j| node[j] > 0.0 && message[j] < FAINT)
        .all(|j| before.iter().enumerate().all(|(i, &before)| before == 0.0 || matrix.entry(i, j) == 0.0))
}

/// Takes a message along some positions: α_t(j) = Σ_i α_{t-1}(i) w_ij b_t(j).
pub(super) struct Advance<'a> {
    pub(super) matrix: &'a Matrix,
    pub(super) nodes: NodeRows<'a>,
    pub(super) range: Range<usize>,
    pub(super) watch: Watch,
    pub(super) message: &'a mut Message,
    pub(super) z: &'a mut LnProduct,
    /// Where the normalised messages of the positions go; nowhere, if empty.
    pub(super) out: &'a mut [Lane],
}

impl Pass for Advance<'_> {
    type Output = Result<(), Lost>;

    #[inline(always)]
    fn width(&self) -> usize {
        self.matrix.width()
    }

    #[inline(always)]
    fn narrow<F: Vectors, const P: usize, const SETS: usize>(self, f: F) -> Result<(), Lost> {
        let Self { matrix, nodes, range, watch, message, z, out } = self;
        let mut a = [ZERO; P];
        a.copy_from_slice(&message.lanes);
        let mut reciprocal = message.reciprocal;
        let mut product = *z;
        let panel = matrix.panels();
        let mut out = out.as_chunks_mut::<P>().0.iter_mut();
        for t in range {
            let mut next = panel_product::<F, SumProduct, P, SETS>(f, panel, &a);
            weigh(f, &mut next, nodes.row(t, P), reciprocal);
            if watch == Watch::Components {
                check(f, &a, matrix, &next, nodes.row(t, P))?;
            }
            let total = sum(f, &next);
            if !(total >= SMALLEST_SUM) {
                return Err(Lost);
            }
            product.multiply(total);
            reciprocal = total.recip();
            a = next;
            if let Some(out) = out.next() {
                scale(f, &mut next, reciprocal);
                *out = next;
            }
            if total < POSTPONED {
                scale(f, &mut a, reciprocal);
                reciprocal = 1.0;
            }
        }
        *z = product;
        message.reciprocal = reciprocal;
        message.lanes.copy_from_slice(&a);
        Ok(())
    }

    #[inline(always)]
    fn wide<F: Vectors>(self, f: F) -> Result<(), Lost> {
        let Self { matrix, nodes, range, watch, message, z, out } = self;
        let Message { lanes, reciprocal, product } = message;
        let width = matrix.width();
        let mut out = out.chunks_exact_mut(width);
        for t in range {
            let node = nodes.row(t, width);
            matrix.multiply::<F, SumProduct>(f, lanes, product);
            weigh(f, product, node, *reciprocal);
            if watch == Watch::Components {
                check(f, lanes, matrix, product, node)?;
            }
            let total = sum(f, product);
            if !(total >= SMALLEST_SUM) {
                return Err(Lost);
            }
            z.multiply(total);
            *reciprocal = total.recip();
            std::mem::swap(lanes, product);
            if let Some(out) = out.next() {
                out.copy_from_slice(lanes);
                scale(f, out, *reciprocal);
            }
            if total < POSTPONED {
                scale(f, lanes, *reciprocal);
                *reciprocal = 1.0;
            }
        }
        Ok(())
    }
}

#[inline(always)]
fn check<F: Vectors>(
    f: F,
    before: &[Lane],
    matrix: &Matrix,
    message: &[Lane],
    node: &[Lane],
) -> Result<(), Lost> {
    if is_faint(f, message, node) && !all_faint_are_impossible(before, matrix, message, node) {
        Err(Lost)
    } else {
        Ok(())
    }
}

/// Takes a message back along some positions, the last first: v_t(i) = Σ_j w_ij y_{t+1}(j) and y_t(i) =
/// b_t(i) v_t(i), and multiplies it with the messages that came forward.
pub(super) struct Retreat<'a> {
    /// Of the transposed weights.
    pub(super) matrix: &'a Matrix,
    /// None if weights are in the messages' place.
    pub(super) table: Option<(&'a NodeTable, &'a [usize])>,
    pub(super) range: Range<usize>,
    pub(super) watch: Watch,
    /// y of the position after the range.
    pub(super) message: &'a mut Message,
    /// The weights of nodes for each position, which are replaced by y, divided by Σ_i â_{t-1}(i) v_{t-1}(i),
    /// of the positions after those of the range.
    pub(super) messages: &'a mut [Lane],
    /// â.
    pub(super) filtered: &'a [Lane],
    pub(super) states: usize,
    pub(super) marginals: &'a mut [f64],
}

impl Pass for Retreat<'_> {
    type Output = Result<(), Lost>;

    #[inline(always)]
    fn width(&self) -> usize {
        self.matrix.width()
    }

    #[inline(always)]
    fn narrow<F: Vectors, const P: usize, const SETS: usize>(self, f: F) -> Result<(), Lost> {
        let Self { matrix, table, range, watch, message, messages, filtered, states, marginals } = self;
        let mut y = [ZERO; P];
        y.copy_from_slice(&message.lanes);
        let mut reciprocal = message.reciprocal;
        let panel = matrix.panels();
        let (messages, _) = messages.as_chunks_mut::<P>();
        let (filtered, _) = filtered.as_chunks::<P>();
        for t in range.rev() {
            let mut product = panel_product::<F, SumProduct, P, SETS>(f, panel, &y);
            let mut both = filtered[t];
            weigh(f, &mut both, &product, 1.0);
            let overlap = sum(f, &both);
            if !(overlap >= SMALLEST_OVERLAP) {
                return Err(Lost);
            }
            let proportion = overlap.recip();
            scale(f, &mut both, proportion);
            write(&both, &mut marginals[t * states..][..states]);
            let mut after = y;
            scale(f, &mut after, proportion);
            messages[t + 1] = after;
            let mut node = [ZERO; P];
            match table {
                Some((table, kinds)) => node.copy_from_slice(table.row(kinds[t])),
                None => node = messages[t],
            }
            weigh(f, &mut product, &node, reciprocal);
            if watch == Watch::Components {
                check(f, &y, matrix, &product, &node)?;
            }
            let total = sum(f, &product);
            if !(total >= SMALLEST_SUM) {
                return Err(Lost);
            }
            reciprocal = total.recip();
            y = product;
            if total < POSTPONED {
                scale(f, &mut y, reciprocal);
                reciprocal = 1.0;
            }
        }
        message.reciprocal = reciprocal;
        message.lanes.copy_from_slice(&y);
        Ok(())
    }

    #[inline(always)]
    fn wide<F: Vectors>(self, f: F) -> Result<(), Lost> {
        let Self { matrix, table, range, watch, message, messages, filtered, states, marginals } = self;
        let Message { lanes: y, reciprocal, product } = message;
        let width = matrix.width();
        for t in range.rev() {
            matrix.multiply::<F, SumProduct>(f, y, product);
            let (before, after) = messages.split_at_mut((t + 1) * width);
            let after = &mut after[..width];
            // The place after is free: it takes the products of both messages first.
            after.copy_from_slice(&filtered[t * width..][..width]);
            weigh(f, after, product, 1.0);
            let overlap = sum(f, after);
            if !(overlap >= SMALLEST_OVERLAP) {
                return Err(Lost);
            }
            let proportion = overlap.recip();
            scale(f, after, proportion);
            write(after, &mut marginals[t * states..][..states]);
            after.copy_from_slice(y);
            scale(f, after, proportion);
            let node = match table {
                Some((table, kinds)) => table.row(kinds[t]),
                None => &before[t * width..],
            };
            weigh(f, product, node, *reciprocal);
            if watch == Watch::Components {
                check(f, y, matrix, product, node)?;
            }
            let total = sum(f, product);
            if !(total >= SMALLEST_SUM) {
                return Err(Lost);
            }
            *reciprocal = total.recip();
            std::mem::swap(y, product);
            if total < POSTPONED {
                scale(f, y, *reciprocal);
                *reciprocal = 1.0;
            }
        }
        Ok(())
    }
}

/// Copies without what fills the last lane.
#[inline(always)]
fn write(row: &[Lane], out: &mut [f64]) {
    let (whole, rest) = out.as_chunks_mut::<LANES>();
    for (out, lane) in whole.iter_mut().zip(row) {
        *out = *lane;
    }
    if let Some(lane) = row.get(whole.len()) {
        for (out, number) in rest.iter_mut().zip(lane) {
            *out = *number;
        }
    }
}
