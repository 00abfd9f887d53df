//! The score by a sweep backwards over what a filter found, without memory from the heap in the loop.

#![expect(clippy::inline_always, reason = "with sizes that are known, only what is inlined is unrolled")]

use super::{EquationScore, LikelihoodScore};
use crate::dimension::{Dimension, SizedWork, with_sizes};
use crate::filter::{Convergence, Joseph, Recursion};
use crate::reflection::product;
use crate::{Filtered, ObservationEquation, StateSpace};

/// The same recursions as those of [`Adjoint`](crate::disturbances::Adjoint), for a start that is not
/// diffuse. Where the filter has come to its steady state, so does the sweep.
struct Sweep<'a> {
    model: &'a StateSpace,
    /// In the form of Joseph.
    filtered: &'a Filtered,
    score: LikelihoodScore,
}

impl LikelihoodScore {
    /// What a sweep backwards adds to it.
    pub(super) fn swept(self, model: &StateSpace, filtered: &Filtered) -> Self {
        with_sizes(model.states(), model.width(), Sweep { model, filtered, score: self })
    }
}

/// What does not depend on the observations, but for which of them are there. Matrices column by column.
struct Curvature {
    /// N of the next time, then of this one; n x n.
    state: Vec<f64>,
    before: Vec<f64>,
    /// Aᵀ N A.
    pulled: Vec<f64>,
    /// N A P, for P after the observation.
    of_matrix: Vec<f64>,
    /// L⁻¹ H, observed x n.
    white: Vec<f64>,
    /// The negative second derivative in the mean of the observation; observed x observed.
    observation: Vec<f64>,
    /// That in the means of observation and state, times P before the observation; observed x n.
    of_observed: Vec<f64>,
    room: Vec<f64>,
    other: Vec<f64>,
    tall: Vec<f64>,
    cross: Vec<f64>,
}

impl Curvature {
    fn new(n: usize, m: usize) -> Self {
        let (square, tall, small) = (|| vec![0.0; n * n], || vec![0.0; n * m], || vec![0.0; m * m]);
        Self {
            state: square(),
            before: square(),
            pulled: square(),
            of_matrix: square(),
            white: tall(),
            observation: small(),
            of_observed: tall(),
            room: square(),
            other: square(),
            tall: tall(),
            cross: tall(),
        }
    }

    /// Back over the step to the next time.
    #[inline(always)]
    fn pull(&mut self, n: usize, matrix: &[f64], filtered: &[f64]) {
        product(n, n, n, &self.state, matrix, &mut self.room);
        transposed_product(n, n, n, matrix, &self.room, &mut self.pulled);
        product(n, n, n, &self.room, filtered, &mut self.of_matrix);
    }

    /// Back over the observation with the gain G, by which whitened innovations are added to the mean.
    #[inline(always)]
    fn see(&mut self, (n, k): (usize, usize), (root, gain): (&[f64], &[f64]), predicted: &[f64]) {
        // N G, then the curvature of the whitened observation: I + Gᵀ N G.
        product(n, n, k, &self.pulled, gain, &mut self.tall);
        transposed_product(k, n, k, gain, &self.tall, &mut self.observation);
        for i in 0..k {
            self.observation[i * k + i] += 1.0;
        }
        // J = I - G L⁻¹ H, in `room`.
        product(n, k, n, gain, &self.white, &mut self.room);
        for (place, entry) in self.room[..n * n].iter_mut().enumerate() {
            *entry = f64::from(u8::from(place % (n + 1) == 0)) - *entry;
        }
        // (L⁻¹ H)ᵀ - Jᵀ N G, transposed: observed x n.
        transposed_product(k, n, n, &self.tall, &self.room, &mut self.cross);
        for (entry, white) in self.cross[..k * n].iter_mut().zip(&self.white) {
            *entry = white - *entry;
        }
        // (L⁻¹ H)ᵀ L⁻¹ H + Jᵀ N J.
        product(n, n, n, &self.pulled, &self.room, &mut self.other);
        transposed_product(n, n, n, &self.room, &self.other, &mut self.state);
        transposed_product(n, k, n, &self.white, &self.white, &mut self.other);
        for (entry, seen) in self.state.iter_mut().zip(&self.other) {
            *entry += seen;
        }
        // To the units of the observation: L⁻ᵀ · L⁻¹, and L⁻ᵀ · P.
        for column in 0..k {
            divide_by_transpose(k, root, &mut self.observation[column * k..(column + 1) * k]);
        }
        for row in 0..k {
            for column in 0..row {
                self.observation.swap(column * k + row, row * k + column);
            }
        }
        for column in 0..k {
            divide_by_transpose(k, root, &mut self.observation[column * k..(column + 1) * k]);
        }
        product(k, n, n, &self.cross, predicted, &mut self.of_observed);
        for column in 0..n {
            divide_by_transpose(k, root, &mut self.of_observed[column * k..(column + 1) * k]);
        }
    }

    /// Adds what the observation at time `t` says, of the components `which`: from the derivative in its
    /// mean, and E[x(t) | y].
    #[inline(always)]
    fn score_of_observation(
        &self,
        score: &mut EquationScore,
        (equation, t): (&ObservationEquation, usize),
        which: &[usize],
        (seen, smoothed): (&[f64], &[f64]),
    ) {
        let (m, k) = (equation.width(), which.len());
        let offset = score.offset.block(equation.offset().number(t));
        let noise = score.noise.block(equation.noise().number(t));
        let matrix = score.matrix.block(equation.matrix().number(t));
        for (row, &i) in which.iter().enumerate() {
            offset[i] += seen[row];
            for (column, &j) in which.iter().enumerate() {
                noise[j * m + i] += 0.5 * (seen[row] * seen[column] - self.observation[column * k + row]);
            }
            for (j, smoothed) in smoothed.iter().enumerate() {
                matrix[j * m + i] += seen[row] * smoothed - self.of_observed[j * k + row];
            }
        }
    }
}

impl SizedWork for Sweep<'_> {
    type Output = LikelihoodScore;

    fn run<N: Dimension, M: Dimension>(mut self, n: N, m: M) -> LikelihoodScore {
        let (n, m) = (n.get(), m.get());
        let (steps, means) = (&self.filtered.covariances().steps, self.filtered.means());
        let (transition, observation) = (self.model.transition(), self.model.observation());
        let length = self.filtered.len();
        let mut curvature = Curvature::new(n, m);
        let (mut adjoint, mut pulled, mut smoothed) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let (mut whitened, mut seen) = (vec![0.0; m], vec![0.0; m]);
        let mut which = Vec::with_capacity(m);
        let (mut convergence, mut steady) = (Convergence::default(), false);
        let key =
            |t: usize| (steps.numbers[t], transition.matrix().number(t), observation.matrix().number(t));
        for t in (0..length).rev() {
            let again = t + 2 < length && key(t) == key(t + 1);
            if !again {
                (steady, convergence) = (false, Convergence::default());
            }
            smoothed.copy_from_slice(&means.filtered[t * n..(t + 1) * n]);
            if t + 1 < length {
                let (matrix, filtered) = (transition.matrix().at(t), steps.filtered(t));
                transposed_product(n, n, 1, matrix, &adjoint, &mut pulled);
                for (j, &pulled) in pulled.iter().enumerate() {
                    for i in 0..n {
                        smoothed[i] += filtered[j * n + i] * pulled;
                    }
                }
                let score = &mut self.score.transition;
                add_half_difference(
                    score.noise.block(transition.noise().number(t)),
                    (&adjoint, &curvature.state),
                );
                add(score.offset.block(transition.offset().number(t)), &adjoint);
                if !steady {
                    curvature.pull(n, matrix, filtered);
                }
                let block = score.matrix.block(transition.matrix().number(t));
                add_outer(block, (&adjoint, &smoothed), &curvature.of_matrix);
            }
            let white = &means.whitened[t * m..(t + 1) * m];
            which.clear();
            which.extend((0..m).filter(|&i| !white[i].is_nan()));
            let k = if which.len() == m { m } else { which.len() };
            let step = steps.stored(steps.numbers[t] as usize);
            let (root, gain) = (&step.root[..k * k], &step.gain[..n * k]);
            if !steady {
                curvature.before.copy_from_slice(&curvature.state);
                let all = observation.matrix().at(t);
                for j in 0..n {
                    let column = &mut curvature.white[j * k..(j + 1) * k];
                    for (entry, &i) in column.iter_mut().zip(&which) {
                        *entry = all[j * m + i];
                    }
                    divide_by(k, root, column);
                }
                curvature.see((n, k), (root, gain), steps.predicted(t));
                if again {
                    steady = convergence.is_over(Joseph::change(n, &curvature.before, &curvature.state));
                }
            }
            for (row, &i) in which.iter().enumerate() {
                let along: f64 = (0..n).map(|l| gain[row * n + l] * pulled[l]).sum();
                whitened[row] = white[i] - along;
            }
            adjoint.copy_from_slice(&pulled);
            for (j, adjoint) in adjoint.iter_mut().enumerate() {
                for (white, whitened) in curvature.white[j * k..(j + 1) * k].iter().zip(&whitened) {
                    *adjoint += white * whitened;
                }
            }
            seen[..k].copy_from_slice(&whitened[..k]);
            divide_by_transpose(k, root, &mut seen[..k]);
            let score = &mut self.score.observation;
            curvature.score_of_observation(score, (observation, t), &which, (&seen, &smoothed));
        }
        self.score.initial_mean.copy_from_slice(&adjoint);
        let covariance = self.score.initial_covariance.as_mut_slice();
        if length > 0 {
            add_half_difference(covariance, (&adjoint, &curvature.state));
        }
        self.score
    }
}

/// sum += (a aᵀ - N) / 2.
#[inline(always)]
fn add_half_difference(sum: &mut [f64], (a, n): (&[f64], &[f64])) {
    let size = a.len();
    for j in 0..size {
        for i in 0..size {
            sum[j * size + i] += 0.5 * (a[i] * a[j] - n[j * size + i]);
        }
    }
}

/// sum += a bᵀ - N.
#[inline(always)]
fn add_outer(sum: &mut [f64], (a, b): (&[f64], &[f64]), n: &[f64]) {
    let size = a.len();
    for j in 0..b.len() {
        for i in 0..size {
            sum[j * size + i] += a[i] * b[j] - n[j * size + i];
        }
    }
}

#[inline(always)]
fn add(sum: &mut [f64], change: &[f64]) {
    for (sum, change) in sum.iter_mut().zip(change) {
        *sum += change;
    }
}

/// out := Aᵀ B, for A (k x n) and B (k x c), column by column.
#[inline(always)]
fn transposed_product(n: usize, k: usize, c: usize, a: &[f64], b: &[f64], out: &mut [f64]) {
    for j in 0..c {
        for i in 0..n {
            let mut sum = 0.0;
            for l in 0..k {
                sum += a[i * k + l] * b[j * k + l];
            }
            out[j * n + i] = sum;
        }
    }
}

/// x := L⁻¹ x.
#[inline(always)]
fn divide_by(k: usize, root: &[f64], x: &mut [f64]) {
    for j in 0..k {
        x[j] /= root[j * k + j];
        for i in j + 1..k {
            x[i] -= root[j * k + i] * x[j];
        }
    }
}

/// x := L⁻ᵀ x.
#[inline(always)]
fn divide_by_transpose(k: usize, root: &[f64], x: &mut [f64]) {
    for j in (0..k).rev() {
        for i in j + 1..k {
            x[j] -= root[j * k + i] * x[i];
        }
        x[j] /= root[j * k + j];
    }
}
