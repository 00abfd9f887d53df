//! Smoothed covariances in square-root form, without a solve.
//!
//! After the observation at time t the state is m + F z, z standard normal. The filter rotates (z, noise of
//! the state) into the coordinates of the predicted state and a rest, and those, with the noise of the
//! observation, into the innovation and the z of time t + 1. So z(t) = B z(t+1) + Z e(t+1) + E ε with parts
//! of orthogonal matrices, and with Cov z(t+1) = V Vᵀ given all observations, [B V, E] is a root of Cov z(t).

use posterior_math::linalg::DMatrix;

use super::SmoothedCovariances;
use super::diffuse;
use crate::dimension::{Dimension, SizedWork};
use crate::filter::{Convergence, Covariances, Recursion, ScratchMemory, SquareRoot};
use crate::reflection::{Array, product, product_transposed};
use crate::{Error, Filtered, StateSpace};

/// All smoothed covariances, as work for sizes that are known.
pub(super) struct Backwards<'a> {
    pub(super) model: &'a StateSpace,
    pub(super) filtered: &'a Filtered,
    pub(super) filter: &'a Covariances,
    pub(super) found: SmoothedCovariances,
}

/// Room for the numbers of one step backwards.
struct Room {
    /// Θ, then B.
    response: Vec<f64>,
    shift: Vec<f64>,
    spread: Vec<f64>,
    predicted: Vec<f64>,
    /// V.
    root: Vec<f64>,
    before: Vec<f64>,
    /// B V.
    moved: Vec<f64>,
    stacked: Vec<f64>,
    distribution: Vec<f64>,
    later: Vec<f64>,
    innovation: Vec<f64>,
    observation: Vec<f64>,
    noise: Vec<f64>,
    which: Vec<usize>,
    scratch: ScratchMemory,
}

impl Room {
    fn new(n: usize, m: usize) -> Self {
        let square = || vec![0.0; n * n];
        Self {
            response: square(),
            shift: vec![0.0; n * m],
            spread: square(),
            predicted: square(),
            root: DMatrix::identity(n, n).as_slice().to_vec(),
            before: square(),
            moved: square(),
            stacked: vec![0.0; 2 * n * n],
            distribution: square(),
            later: square(),
            innovation: vec![0.0; m * m],
            observation: vec![0.0; n * m],
            noise: vec![0.0; m * m],
            which: Vec::with_capacity(m),
            scratch: ScratchMemory::new(n, m),
        }
    }
}

impl SizedWork for Backwards<'_> {
    type Output = Result<SmoothedCovariances, Error>;

    fn run<N: Dimension, M: Dimension>(mut self, n: N, m: M) -> Self::Output {
        let (n, m) = (n.get(), m.get());
        let (length, covariances) = (self.filtered.len(), self.filter);
        if length == 0 {
            return Ok(self.found);
        }
        let steps = &covariances.steps;
        let mut room = Room::new(n, m);
        let (mut convergence, mut steady) = (Convergence::default(), false);
        self.found.numbers.push(0);
        self.found.links.push(0);
        self.found.distributions.extend_from_slice(steps.filtered(length - 1));
        self.found.lag_ones.resize(n * n, 0.0);
        room.later.copy_from_slice(steps.filtered(length - 1));
        let from = covariances.diffuse.len().saturating_sub(1);
        let mut links = 0;
        for t in (from..length - 1).rev() {
            // Only a filter that has stopped repeats a number: then the model is constant and nothing is
            // missing.
            let repeats = steps.numbers[t] == steps.numbers[t + 1];
            let again = repeats && t + 2 < length && steps.numbers[t + 1] == steps.numbers[t + 2];
            if again && steady {
                let number = self.found.numbers[self.found.numbers.len() - 1];
                self.found.numbers.push(number);
                self.found.links.push(links - 1);
                continue;
            }
            if !again {
                steady = false;
                convergence.restart();
                self.link(&mut room, (n, m), t);
                self.found.responses.extend_from_slice(&room.response);
                self.found.shifts.extend_from_slice(&room.shift);
                links += 1;
            }
            self.found.links.push(links - 1);
            room.before.copy_from_slice(&room.root);
            self.distribution(&mut room, n, t);
            if again {
                steady = convergence.is_over(SquareRoot::change(n, &room.before, &room.root));
            }
        }
        let root = DMatrix::from_column_slice(n, n, &room.root);
        diffuse::covariances(self.filter, root, &mut self.found);
        self.found.numbers.reverse();
        self.found.links.reverse();
        Ok(self.found)
    }
}

impl Backwards<'_> {
    /// B, Z and E from time `t` to the next.
    #[inline]
    fn link(&self, room: &mut Room, (n, m): (usize, usize), t: usize) {
        let (transition, steps) = (self.model.transition(), &self.filter.steps);
        let scratch = room.scratch.parts();
        product(n, n, n, transition.matrix().at(t), steps.filtered(t), scratch.square);
        room.predicted.copy_from_slice(transition.noise_root().at(t));
        room.response.fill(0.0);
        for (place, entry) in room.spread.iter_mut().enumerate() {
            *entry = f64::from(u8::from(place % (n + 1) == 0));
        }
        Array {
            pivots: n,
            block: n,
            below: n,
            t: &mut room.predicted,
            b: scratch.square,
            u: &mut room.response,
            c: &mut room.spread,
            products: scratch.states,
            products_below: scratch.other,
        }
        .reduce();
        let row = &self.filtered.means().whitened[(t + 1) * m..(t + 2) * m];
        room.which.clear();
        room.which.extend((0..m).filter(|&i| !row[i].is_nan()));
        let observation = self.model.observation();
        let (matrix, noise) = (observation.matrix().at(t + 1), observation.noise_root().at(t + 1));
        room.shift.fill(0.0);
        if room.which.len() == m {
            room.innovation.copy_from_slice(noise);
            observe(room, matrix, (n, m));
        } else if !room.which.is_empty() {
            let count = room.which.len();
            let mut some = std::mem::take(&mut room.observation);
            for (place, entry) in some[..n * count].iter_mut().enumerate() {
                *entry = matrix[place / count * m + room.which[place % count]];
            }
            let mut scratch = room.scratch.parts();
            SquareRoot::select(m, noise, &room.which, &mut scratch, &mut room.noise[..count * count]);
            room.innovation[..count * count].copy_from_slice(&room.noise[..count * count]);
            observe(room, &some[..n * count], (n, count));
            room.observation = some;
        }
    }

    /// V at time `t`, the distribution and the covariance with the next time.
    #[inline]
    fn distribution(&mut self, room: &mut Room, n: usize, t: usize) {
        product(n, n, n, &room.response, &room.root, &mut room.moved);
        let (first, second) = room.stacked.split_at_mut(n * n);
        first.copy_from_slice(&room.moved);
        second.copy_from_slice(&room.spread);
        room.root.fill(0.0);
        Array {
            pivots: n,
            block: 2 * n,
            below: 0,
            t: &mut room.root,
            b: &mut room.stacked,
            u: &mut [],
            c: &mut [],
            products: room.scratch.parts().states,
            products_below: &mut [],
        }
        .reduce();
        let root = self.filter.steps.filtered(t);
        // The part of the root of x(t) that x(t+1) proportions.
        product(n, n, n, root, &room.moved, &mut room.distribution);
        let from = self.found.lag_ones.len();
        self.found.lag_ones.resize(from + n * n, 0.0);
        product_transposed(n, n, n, &room.later, &room.distribution, &mut self.found.lag_ones[from..]);
        product(n, n, n, root, &room.root, &mut room.distribution);
        let number = self.found.distributions.len() / (n * n);
        self.found.distributions.extend_from_slice(&room.distribution);
        self.found.numbers.push(number as u32);
        room.later.copy_from_slice(&room.distribution);
    }
}

/// Takes `count` components of time t + 1: the response of the coordinates of the predicted state becomes
/// that of the filtered one.
#[inline]
fn observe(room: &mut Room, matrix: &[f64], (n, count): (usize, usize)) {
    let scratch = room.scratch.parts();
    product(count, n, n, matrix, &room.predicted, scratch.wide);
    Array {
        pivots: count,
        block: n,
        below: n,
        t: &mut room.innovation[..count * count],
        b: &mut scratch.wide[..count * n],
        u: &mut room.shift[..n * count],
        c: &mut room.response,
        products: scratch.components,
        products_below: scratch.states,
    }
    .reduce();
}
