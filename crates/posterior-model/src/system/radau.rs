//! Stiff differential equations: the method of Radau of three stages and order 5.
//!
//! E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd edition, Springer 1996, section
//! IV.8.

use posterior_math::linalg::{DMatrix, DVector};

use super::System;
use crate::graph::Kept;

const ROOT: f64 = 2.449_489_742_783_178;
const NODES: [f64; 3] = [(4.0 - ROOT) / 10.0, (4.0 + ROOT) / 10.0, 1.0];
const A: [[f64; 3]; 3] = [
    [(88.0 - 7.0 * ROOT) / 360.0, (296.0 - 169.0 * ROOT) / 1800.0, (-2.0 + 3.0 * ROOT) / 225.0],
    [(296.0 + 169.0 * ROOT) / 1800.0, (88.0 + 7.0 * ROOT) / 360.0, (-2.0 - 3.0 * ROOT) / 225.0],
    [(16.0 - ROOT) / 36.0, (16.0 + ROOT) / 36.0, 1.0 / 9.0],
];
/// The weights of the stages in the error, and the real eigenvalue of A⁻¹.
const ERROR: [f64; 3] = [-(13.0 + 7.0 * ROOT) / 3.0, (-13.0 + 7.0 * ROOT) / 3.0, -1.0 / 3.0];
const EIGENVALUE: f64 = 3.637_834_252_744_496;

/// Newton's steps for the stages of a step, and how small the last one is beside the tolerance.
const NEWTON_STEPS: usize = 12;
const CONVERGED: f64 = 1e-3;

/// The right side and its derivatives by the state and by the parameters.
struct Slopes {
    value: DVector<f64>,
    by_state: DMatrix<f64>,
    by_parameters: DMatrix<f64>,
}

/// Where a step begins.
#[derive(Clone, Copy)]
struct Begin<'a> {
    t: f64,
    dt: f64,
    y: &'a DVector<f64>,
    theta: &'a [f64],
}

/// A step whose stages were found.
struct Step {
    /// The stages less the start, one after another.
    stages: DVector<f64>,
    /// The error in units of the tolerance.
    error: f64,
}

impl System {
    /// The solution and its sensitivities at each time; the derivatives are those of the steps that are
    /// taken.
    pub(super) fn solve_stiff(
        &self,
        kept: &mut Kept,
        x: &[f64],
        mut observe: impl FnMut(usize, &[f64]),
    ) -> Result<(), ()> {
        let n = self.n;
        let (start, theta) = x.split_at(n);
        if x.iter().any(|x| !x.is_finite()) {
            return Err(());
        }
        let directions = self.directions();
        let mut y = DVector::from_column_slice(start);
        let mut sensitivities = DMatrix::zeros(n, directions);
        if self.active.0 {
            (0..n).for_each(|i| sensitivities[(i, i)] = 1.0);
        }
        let (mut t, mut dt, mut steps) = (self.t0, 0.1 * (self.times[0] - self.t0), 0);
        for (at, &target) in self.times.iter().enumerate() {
            while t < target {
                steps += 1;
                if steps > self.most_steps || t + 1e-3 * dt.min(target - t) == t {
                    return Err(());
                }
                let rest = target - t;
                // No sliver is left for the next step.
                let used = if dt >= rest {
                    rest
                } else if 2.0 * dt > rest {
                    0.5 * rest
                } else {
                    dt
                };
                let begin = Begin { t, dt: used, y: &y, theta };
                let Some(step) = self.step(kept, &begin) else {
                    dt = 0.25 * used;
                    continue;
                };
                let factor = (0.9 * step.error.max(1e-8).powf(-0.25)).clamp(0.2, 8.0);
                if step.error > 1.0 {
                    dt = used * factor.min(0.9);
                    continue;
                }
                if directions > 0 {
                    sensitivities = self.moved(kept, &begin, &step, &sensitivities).ok_or(())?;
                }
                y += step.stages.rows(2 * n, n);
                t = if used == rest { target } else { t + used };
                // A step that was cut short says little of the next.
                dt = if used < dt { dt.max(used * factor) } else { used * factor };
            }
            let mut state = y.as_slice().to_vec();
            state.extend_from_slice(sensitivities.as_slice());
            observe(at, &state);
        }
        Ok(())
    }

    fn slopes(&self, kept: &mut Kept, t: f64, y: &[f64], theta: &[f64], derivatives: bool) -> Slopes {
        let (n, count) = (self.n, theta.len());
        let mut value = DVector::zeros(n);
        let (mut by_state, mut by_parameters) = (DMatrix::zeros(0, 0), DMatrix::zeros(0, 0));
        if derivatives {
            (by_state, by_parameters) = (DMatrix::zeros(n, n), DMatrix::zeros(n, count));
        }
        self.right_side_at(kept, (t, y, theta), derivatives, |i, own, row| {
            value[i] = own;
            if let Some(row) = row {
                (0..n).for_each(|j| by_state[(i, j)] = row[1 + j]);
                (0..count).for_each(|j| by_parameters[(i, j)] = row[1 + n + j]);
            }
        });
        Slopes { value, by_state, by_parameters }
    }

    /// One step; none where its stages are not found.
    fn step(&self, kept: &mut Kept, begin: &Begin<'_>) -> Option<Step> {
        let (n, Begin { t, dt, y, theta }) = (self.n, *begin);
        let first = self.slopes(kept, t, y.as_slice(), theta, true);
        let scale = y.map(|y| self.absolute + self.relative * y.abs());
        let newton = coupled(&[&first.by_state; 3], dt).lu();
        let mut stages = DVector::zeros(3 * n);
        let mut last = f64::INFINITY;
        for _ in 0..NEWTON_STEPS {
            let mut residual = -&stages;
            for j in 0..3 {
                let there = y + stages.rows(j * n, n);
                let slopes = self.slopes(kept, t + NODES[j] * dt, there.as_slice(), theta, false);
                for (i, row) in A.iter().enumerate() {
                    residual.rows_mut(i * n, n).axpy(dt * row[j], &slopes.value, 1.0);
                }
            }
            if !newton.solve_mut(&mut residual) {
                return None;
            }
            stages += &residual;
            let size = (0..3 * n).map(|i| (residual[i] / scale[i % n]).powi(2)).sum::<f64>();
            let size = (size / (3 * n) as f64).sqrt();
            if size <= CONVERGED {
                let error = self.error(kept, begin, &first, &stages, &scale)?;
                return error.is_finite().then_some(Step { stages, error });
            }
            if size.is_nan() || size > 2.0 * last {
                return None;
            }
            last = size;
        }
        None
    }

    /// The error of a step, in units of the tolerance.
    fn error(
        &self,
        kept: &mut Kept,
        begin: &Begin<'_>,
        first: &Slopes,
        stages: &DVector<f64>,
        scale: &DVector<f64>,
    ) -> Option<f64> {
        let (n, dt) = (self.n, begin.dt);
        let filter = (DMatrix::identity(n, n) * (EIGENVALUE / dt) - &first.by_state).lu();
        let weighted = (0..3).fold(DVector::zeros(n), |sum, j| sum + stages.rows(j * n, n) * (ERROR[j] / dt));
        let size = |error: &DVector<f64>| (error.component_div(scale).norm_squared() / n as f64).sqrt();
        let error = filter.solve(&(&weighted + &first.value))?;
        if size(&error) < 1.0 {
            return Some(size(&error));
        }
        // A large one may be that of the stiff parts alone.
        let there = begin.y + error;
        let slopes = self.slopes(kept, begin.t, there.as_slice(), begin.theta, false);
        Some(size(&filter.solve(&(weighted + slopes.value))?))
    }

    /// The sensitivities behind a step.
    fn moved(
        &self,
        kept: &mut Kept,
        begin: &Begin<'_>,
        step: &Step,
        before: &DMatrix<f64>,
    ) -> Option<DMatrix<f64>> {
        let (n, dt, of_start) = (self.n, begin.dt, if self.active.0 { self.n } else { 0 });
        let slopes: Vec<Slopes> = (0..3)
            .map(|j| {
                let there = begin.y + step.stages.rows(j * n, n);
                self.slopes(kept, begin.t + NODES[j] * dt, there.as_slice(), begin.theta, true)
            })
            .collect();
        let mut sides = DMatrix::zeros(3 * n, before.ncols());
        for (j, own) in slopes.iter().enumerate() {
            let mut change = &own.by_state * before;
            if self.active.1 {
                let mut of_parameters = change.columns_mut(of_start, self.parameters);
                of_parameters += &own.by_parameters;
            }
            for (i, row) in A.iter().enumerate() {
                let mut side = sides.rows_mut(i * n, n);
                side += &change * (dt * row[j]);
            }
        }
        let found = coupled(&[&slopes[0].by_state, &slopes[1].by_state, &slopes[2].by_state], dt)
            .lu()
            .solve(&sides)?;
        Some(before + found.rows(2 * n, n))
    }
}

/// The identity less dt times A with the derivatives of each stage.
fn coupled(by_state: &[&DMatrix<f64>; 3], dt: f64) -> DMatrix<f64> {
    let n = by_state[0].nrows();
    let mut matrix = DMatrix::identity(3 * n, 3 * n);
    for (i, row) in A.iter().enumerate() {
        for (j, own) in by_state.iter().enumerate() {
            let mut block = matrix.view_mut((i * n, j * n), (n, n));
            block -= *own * (dt * row[j]);
        }
    }
    matrix
}
