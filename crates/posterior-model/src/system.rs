//! Differential equations whose right side is a function of the program, with sensitivities.

mod radau;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::equation::Equation;
use crate::graph::{Courses, Graph, Kept};

/// Makes the graph of a function of the program at a point; none where the program refuses it.
pub(crate) type Recorder = Box<dyn Fn(&[f64]) -> Option<Graph> + Send + Sync>;

/// dy/dt = f(t, y, θ) from y₀ at t₀, wanted at times.
///
/// Inputs are y₀, then θ; outputs are y at each time, one time after another. The method is that of Dormand
/// and Prince with its continuous output and the step control that Stan's `ode_rk45` has, so that the numbers
/// agree with Stan's far beyond the tolerance; or that of Radau where the equation may be stiff and turns out
/// to be. Sensitivities are integrated along.
pub(crate) struct System {
    /// From t, y and θ to dy/dt.
    pub(crate) right_side: Courses,
    pub(crate) recorder: Recorder,
    pub(crate) n: usize,
    pub(crate) parameters: usize,
    /// Whether steps are implicit where explicit ones are limited by their stability.
    pub(crate) stiff: bool,
    pub(crate) t0: f64,
    pub(crate) times: Vec<f64>,
    pub(crate) relative: f64,
    pub(crate) absolute: f64,
    pub(crate) most_steps: usize,
    /// Whether y₀ and θ depend on parameters of the program.
    pub(crate) active: (bool, bool),
    /// The latest inputs with the states at all times, sensitivities behind each: the gradient at a point
    /// follows its value.
    pub(crate) solved: Mutex<VecDeque<Solved>>,
}

/// Inputs, and the states at all times.
type Solved = (Vec<f64>, Arc<[f64]>);

/// How many solutions are kept: one for each of so many threads.
const KEPT: usize = 16;

/// How an explicit solution ended.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Explicit {
    Done,
    /// Its steps are limited by stability.
    Stiff,
}

/// Beyond this product of step and slope of the slope the method is not stable, and so many steps there, with
/// fewer than six elsewhere between them, tell of a stiff equation (E. Hairer, G. Wanner, Solving Ordinary
/// Differential Equations II, section IV.2).
const STABLE: f64 = 3.25;
const STIFF_STEPS: usize = 15;

/// More explicit steps are not taken where there are others.
const MANY_STEPS: usize = 20_000;

const A: [&[f64]; 6] = [
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
const NODES: [f64; 6] = [1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];
const ERROR: [f64; 7] = [
    35.0 / 384.0 - 5179.0 / 57600.0,
    0.0,
    500.0 / 1113.0 - 7571.0 / 16695.0,
    125.0 / 192.0 - 393.0 / 640.0,
    -2187.0 / 6784.0 + 92097.0 / 339200.0,
    11.0 / 84.0 - 187.0 / 2100.0,
    -1.0 / 40.0,
];

impl System {
    /// Sensitivities are by so many numbers.
    fn directions(&self) -> usize {
        (if self.active.0 { self.n } else { 0 }) + (if self.active.1 { self.parameters } else { 0 })
    }

    /// dy/dt of each coordinate, with its derivatives by t, y and θ where they are wanted.
    fn right_side_at(
        &self,
        kept: &mut Kept,
        (t, y, theta): (f64, &[f64], &[f64]),
        derivatives: bool,
        mut take: impl FnMut(usize, f64, Option<&[f64]>),
    ) {
        let inputs = [&[t], y, theta].concat();
        let Ok((graph, workspace)) = kept.at(&inputs, |x| (self.recorder)(x).ok_or(())) else {
            let none = vec![f64::NAN; inputs.len()];
            return (0..self.n).for_each(|i| take(i, f64::NAN, derivatives.then_some(&none)));
        };
        let mut seeds = vec![0.0; self.n];
        for i in 0..self.n {
            let value = graph.output(i, workspace);
            if derivatives {
                seeds[i] = 1.0;
                graph.backward(&seeds, workspace);
                seeds[i] = 0.0;
            }
            take(i, value, derivatives.then_some(&workspace.adjoints));
        }
    }

    /// The derivatives of y and of its sensitivities.
    fn slope(&self, kept: &mut Kept, t: f64, state: &[f64], theta: &[f64], out: &mut [f64]) {
        let (n, directions) = (self.n, self.directions());
        let of_start = if self.active.0 { n } else { 0 };
        self.right_side_at(kept, (t, &state[..n], theta), directions > 0, |i, value, row| {
            out[i] = value;
            let Some(row) = row else { return };
            for j in 0..directions {
                let s = &state[n + j * n..n + (j + 1) * n];
                let mut sum: f64 = s.iter().zip(&row[1..=n]).map(|(s, d)| s * d).sum();
                if j >= of_start {
                    sum += row[1 + n + j - of_start];
                }
                out[n + j * n + i] = sum;
            }
        });
    }

    /// The solution at all times, each with its sensitivities behind it.
    fn solution(&self, x: &[f64]) -> Result<Arc<[f64]>, ()> {
        let kept = || self.solved.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, states)) = kept().iter().find(|(own, _)| own == x) {
            return Ok(Arc::clone(states));
        }
        let size = self.n * (1 + self.directions());
        let mut states = vec![0.0; size * self.times.len()];
        let mut observe = |at: usize, state: &[f64]| states[at * size..][..size].copy_from_slice(state);
        self.right_side.with(|kept| match self.solve_explicitly(kept, x, &mut observe) {
            Ok(Explicit::Stiff) => self.solve_stiff(kept, x, &mut observe),
            other => other.map(|_| ()),
        })?;
        let states: Arc<[f64]> = states.into();
        let mut kept = kept();
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back((x.to_vec(), Arc::clone(&states)));
        Ok(states)
    }

    fn solve_explicitly(
        &self,
        kept: &mut Kept,
        x: &[f64],
        mut observe: impl FnMut(usize, &[f64]),
    ) -> Result<Explicit, ()> {
        let n = self.n;
        let (start, theta) = x.split_at(n);
        let size = n * (1 + self.directions());
        let mut state = vec![0.0; size];
        state[..n].copy_from_slice(start);
        if self.active.0 {
            (0..n).for_each(|i| state[n + i * n + i] = 1.0);
        }
        if x.iter().any(|x| !x.is_finite()) {
            return Err(());
        }
        let last = self.times.last().copied().unwrap_or(self.t0);
        let (mut t, mut dt) = (self.t0, 0.1);
        let mut k = vec![vec![0.0; size]; 7];
        let (mut next, mut between) = (vec![0.0; size], vec![0.0; size]);
        self.slope(kept, t, &state, theta, &mut k[0]);
        let (mut at, mut steps) = (0, 0);
        let given_up = if self.stiff { Ok(Explicit::Stiff) } else { Err(()) };
        // Steps that were nearly not stable, and stable ones since the last of them.
        let (mut near, mut since, mut sixth) = (0, 0, vec![0.0; n]);
        let below = |a: f64, b: f64| a - b <= f64::EPSILON;
        while at < self.times.len() {
            if !below(t + dt, last) {
                dt = last - t;
            }
            // One step; smaller ones until the error is small enough.
            let before = t;
            let used = loop {
                steps += 1;
                if steps > self.most_steps.min(if self.stiff { MANY_STEPS } else { usize::MAX }) {
                    return given_up;
                }
                for stage in 0..6 {
                    for i in 0..size {
                        let sum: f64 = A[stage].iter().zip(&k).map(|(a, k)| a * k[i]).sum();
                        next[i] = state[i] + dt * sum;
                    }
                    if stage == 4 {
                        sixth.copy_from_slice(&next[..n]);
                    }
                    let (_, rest) = k.split_at_mut(stage + 1);
                    self.slope(kept, t + NODES[stage] * dt, &next, theta, &mut rest[0]);
                }
                let mut error = 0.0_f64;
                for i in 0..size {
                    let e: f64 = dt * ERROR.iter().zip(&k).map(|(e, k)| e * k[i]).sum::<f64>();
                    let scale = state[i].abs() + dt.abs() * k[0][i].abs();
                    let ratio = e.abs() / (self.absolute + self.relative * scale);
                    if !ratio.is_finite() {
                        return given_up;
                    }
                    error = error.max(ratio);
                }
                if error > 1.0 {
                    dt *= (0.9 * error.powf(-1.0 / 3.0)).max(0.2);
                    continue;
                }
                let used = dt;
                if error < 0.5 {
                    dt *= 0.9 * error.max(5.0_f64.powi(-5)).powf(-0.2);
                }
                break used;
            };
            if self.stiff {
                let norm =
                    |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
                let slopes = norm(&k[6][..n], &k[5][..n]);
                (near, since) = match slopes * used * used > STABLE * STABLE * norm(&next[..n], &sixth) {
                    true => (near + 1, 0),
                    false if since >= 5 => (0, 0),
                    false => (near, since + 1),
                };
                if near == STIFF_STEPS {
                    return Ok(Explicit::Stiff);
                }
            }
            t = before + used;
            while at < self.times.len() && below(self.times[at], t) {
                interpolate(&state, &k, used, (self.times[at] - before) / (t - before), &mut between);
                observe(at, &between);
                at += 1;
            }
            std::mem::swap(&mut state, &mut next);
            k.swap(0, 6);
        }
        Ok(Explicit::Done)
    }
}

/// The solution within a step, at the share `theta` of it.
fn interpolate(old: &[f64], k: &[Vec<f64>], dt: f64, theta: f64, out: &mut [f64]) {
    let x1 = 5.0 * (2558722523.0 - 31403016.0 * theta) / 11282082432.0;
    let x3 = 100.0 * (882725551.0 - 15701508.0 * theta) / 32700410799.0;
    let x4 = 25.0 * (443332067.0 - 31403016.0 * theta) / 1880347072.0;
    let x5 = 32805.0 * (23143187.0 - 3489224.0 * theta) / 199316789632.0;
    let x6 = 55.0 * (29972135.0 - 7076736.0 * theta) / 822651844.0;
    let x7 = 10.0 * (7414447.0 - 829305.0 * theta) / 29380423.0;
    let less = theta - 1.0;
    let square = theta * theta;
    let a = square * (3.0 - 2.0 * theta);
    let b = square * less;
    let c = square * less * less;
    let d = theta * less * less;
    let weights = [
        a * (35.0 / 384.0) - c * x1 + d,
        0.0,
        a * (500.0 / 1113.0) + c * x3,
        a * (125.0 / 192.0) - c * x4,
        a * (-2187.0 / 6784.0) + c * x5,
        a * (11.0 / 84.0) - c * x6,
        b + c * x7,
    ];
    for (i, out) in out.iter_mut().enumerate() {
        *out = old[i] + dt * weights.iter().zip(k).map(|(w, k)| w * k[i]).sum::<f64>();
    }
}

impl std::fmt::Debug for System {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("System").field("n", &self.n).field("times", &self.times).finish_non_exhaustive()
    }
}

impl Equation for System {
    fn forward(&self, x: &[f64], out: &mut [f64]) {
        let n = self.n;
        let Ok(states) = self.solution(x) else { return out.fill(f64::NAN) };
        let states = states.chunks_exact(n * (1 + self.directions()));
        for (out, state) in out.chunks_exact_mut(n).zip(states) {
            out.copy_from_slice(&state[..n]);
        }
    }

    fn backward(&self, x: &[f64], dy: &[f64], dx: &mut [f64]) {
        let (n, directions) = (self.n, self.directions());
        let first = if self.active.0 { 0 } else { n };
        let Ok(states) = self.solution(x) else { return dx.fill(f64::NAN) };
        for (dy, state) in dy.chunks_exact(n).zip(states.chunks_exact(n * (1 + directions))) {
            for (dx, column) in dx[first..].iter_mut().zip(state[n..].chunks_exact(n)) {
                *dx += column.iter().zip(dy).map(|(s, d)| s * d).sum::<f64>();
            }
        }
    }
}
