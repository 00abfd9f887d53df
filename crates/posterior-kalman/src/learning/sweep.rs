//! The score by a sweep backwards over what a filter found, without memory from the heap in the loop.

#![expect(clippy::inline_always, reason = "with sizes that are known, only what is inlined is unrolled")]

use posterior_math::linalg::DMatrix;

use super::score::Wanted;
use super::{EquationScore, LikelihoodScore};
use crate::dimension::{Dimension, SizedWork, with_sizes};
use crate::filter::{Convergence, Joseph, Recursion};
use crate::reflection::product;
use crate::{Filtered, ObservationEquation, StateSpace};

/// The same recursions as those of [`Adjoint`](crate::disturbances::Adjoint), for times at which nothing is
/// diffuse. Where the filter has come to its steady state, so does the sweep.
struct Sweep<'a> {
    model: &'a StateSpace,
    /// In the form of Joseph.
    filtered: &'a Filtered,
    /// The first time.
    from: usize,
    wanted: Wanted,
    score: &'a mut LikelihoodScore,
}

/// The derivative of ln p(y) in the mean of the first state of a sweep, and the negative second derivative.
pub(super) struct Swept {
    pub(super) state: Vec<f64>,
    pub(super) precision: DMatrix<f64>,
}

impl LikelihoodScore {
    /// Adds what a sweep backwards to the time `from` finds.
    pub(super) fn sweep(
        &mut self,
        model: &StateSpace,
        filtered: &Filtered,
        from: usize,
        wanted: Wanted,
    ) -> Swept {
        with_sizes(model.states(), model.width(), Sweep { model, filtered, from, wanted, score: self })
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

    /// Back over the step to the next time; with the covariance after the observation also N A P.
    #[inline(always)]
    fn pull(&mut self, n: usize, matrix: &[f64], filtered: Option<&[f64]>) {
        product(n, n, n, &self.state, matrix, &mut self.room);
        for j in 0..n {
            for i in 0..n {
                self.other[j * n + i] = self.room[i * n + j];
            }
        }
        // N is symmetric: Aᵀ N, in `other`, times A.
        product(n, n, n, &self.other, matrix, &mut self.pulled);
        if let Some(filtered) = filtered {
            product(n, n, n, &self.room, filtered, &mut self.of_matrix);
        }
    }

    /// Back over the observation with the gain G, by which whitened innovations are added to the mean; with
    /// the covariance before it also what the score of H takes.
    #[inline(always)]
    fn see(&mut self, (n, k): (usize, usize), (root, gain): (&[f64], &[f64]), predicted: Option<&[f64]>) {
        // N G, then the curvature of the whitened observation: I + Gᵀ N G.
        product(n, n, k, &self.pulled, gain, &mut self.tall);
        transposed_product(k, n, k, gain, &self.tall, &mut self.observation);
        for i in 0..k {
            self.observation[i * k + i] += 1.0;
        }
        // N J = N - (N G) L⁻¹ H, for J = I - G L⁻¹ H.
        let white = &self.white[..k * n];
        self.state.copy_from_slice(&self.pulled);
        for j in 0..n {
            for l in 0..k {
                let factor = white[j * k + l];
                for i in 0..n {
                    self.state[j * n + i] -= self.tall[l * n + i] * factor;
                }
            }
        }
        // (L⁻¹ H)ᵀ - Jᵀ N G, transposed: L⁻¹ H - Gᵀ (N J), observed x n.
        transposed_product(k, n, n, gain, &self.state, &mut self.cross);
        for (entry, white) in self.cross[..k * n].iter_mut().zip(white) {
            *entry = white - *entry;
        }
        // (L⁻¹ H)ᵀ L⁻¹ H + Jᵀ (N J) = N J + (L⁻¹ H)ᵀ times that.
        for j in 0..n {
            for i in 0..n {
                for l in 0..k {
                    self.state[j * n + i] += white[i * k + l] * self.cross[j * k + l];
                }
            }
        }
        for j in 0..n {
            for i in j + 1..n {
                let mean = 0.5 * (self.state[j * n + i] + self.state[i * n + j]);
                self.state[j * n + i] = mean;
                self.state[i * n + j] = mean;
            }
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
        let Some(predicted) = predicted else { return };
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
        (seen, smoothed): (&[f64], Option<&[f64]>),
    ) {
        let (m, k) = (equation.width(), which.len());
        let offset = score.offset.block(equation.offset().number(t));
        let noise = score.noise.block(equation.noise().number(t));
        for (row, &i) in which.iter().enumerate() {
            offset[i] += seen[row];
            for (column, &j) in which.iter().enumerate() {
                noise[j * m + i] += 0.5 * (seen[row] * seen[column] - self.observation[column * k + row]);
            }
            let Some(smoothed) = smoothed else { continue };
            let matrix = score.matrix.block(equation.matrix().number(t));
            for (j, smoothed) in smoothed.iter().enumerate() {
                matrix[j * m + i] += seen[row] * smoothed - self.of_observed[j * k + row];
            }
        }
    }
}

impl SizedWork for Sweep<'_> {
    type Output = Swept;

    fn run<N: Dimension, M: Dimension>(self, n: N, m: M) -> Swept {
        let (n, m) = (n.get(), m.get());
        let all = self.wanted == Wanted::All;
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
        for t in (self.from..length).rev() {
            let again = t + 2 < length && key(t) == key(t + 1);
            if !again {
                (steady, convergence) = (false, Convergence::default());
            }
            smoothed.copy_from_slice(&means.filtered[t * n..(t + 1) * n]);
            if t + 1 < length {
                let (matrix, filtered) = (transition.matrix().at(t), all.then(|| steps.filtered(t)));
                transposed_product(n, n, 1, matrix, &adjoint, &mut pulled);
                let score = &mut self.score.transition;
                add_half_difference(
                    score.noise.block(transition.noise().number(t)),
                    (&adjoint, &curvature.state),
                );
                add(score.offset.block(transition.offset().number(t)), &adjoint);
                if !steady {
                    curvature.pull(n, matrix, filtered);
                }
                if let Some(filtered) = filtered {
                    for (j, &pulled) in pulled.iter().enumerate() {
                        for i in 0..n {
                            smoothed[i] += filtered[j * n + i] * pulled;
                        }
                    }
                    let block = score.matrix.block(transition.matrix().number(t));
                    add_outer(block, (&adjoint, &smoothed), &curvature.of_matrix);
                }
            }
            let white = &means.whitened[t * m..(t + 1) * m];
            which.clear();
            which.extend((0..m).filter(|&i| !white[i].is_nan()));
            let k = if which.len() == m { m } else { which.len() };
            let step = steps.stored(steps.numbers[t] as usize);
            let (root, gain) = (&step.root[..k * k], &step.gain[..n * k]);
            if !steady {
                curvature.before.copy_from_slice(&curvature.state);
                let rows = observation.matrix().at(t);
                for j in 0..n {
                    let column = &mut curvature.white[j * k..(j + 1) * k];
                    for (entry, &i) in column.iter_mut().zip(&which) {
                        *entry = rows[j * m + i];
                    }
                    divide_by(k, root, column);
                }
                curvature.see((n, k), (root, gain), all.then(|| steps.predicted(t)));
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
            curvature.score_of_observation(
                score,
                (observation, t),
                &which,
                (&seen, all.then_some(&smoothed[..])),
            );
        }
        Swept { state: adjoint, precision: DMatrix::from_column_slice(n, n, &curvature.state) }
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
