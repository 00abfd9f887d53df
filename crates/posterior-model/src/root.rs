//! Roots of functions of the program, with derivatives by the theorem of implicit functions.

use posterior_math::linalg::{DMatrix, DVector};

use crate::equation::Equation;
use crate::graph::Courses;
use crate::system::Recorder;

/// f(y, θ) = 0 for y, from a guess: Newton's method with shorter steps where a whole one does not help.
///
/// Inputs are θ, outputs y.
pub(crate) struct Root {
    /// From y and θ to f.
    pub(crate) function: Courses,
    pub(crate) recorder: Recorder,
    pub(crate) guess: Vec<f64>,
    /// The largest component of f at a root.
    pub(crate) tolerance: f64,
    pub(crate) most_steps: usize,
}

/// How often a step is halved.
const HALVINGS: i32 = 40;

impl Root {
    /// f at a point, and its derivatives by y and θ.
    fn at(&self, point: &[f64]) -> Option<(DVector<f64>, DMatrix<f64>)> {
        let n = self.guess.len();
        self.function.with(|kept| {
            let (graph, workspace) = kept.at(point, |x| (self.recorder)(x).ok_or(())).ok()?;
            let value = DVector::from_fn(n, |i, _| graph.output(i, workspace));
            let mut slopes = DMatrix::zeros(n, point.len());
            let mut seeds = vec![0.0; n];
            for i in 0..n {
                seeds[i] = 1.0;
                graph.backward(&seeds, workspace);
                seeds[i] = 0.0;
                for j in 0..point.len() {
                    slopes[(i, j)] = workspace.adjoints[j];
                }
            }
            Some((value, slopes))
        })
    }

    fn solve(&self, theta: &[f64]) -> Option<Vec<f64>> {
        let n = self.guess.len();
        let mut point: Vec<f64> = self.guess.iter().chain(theta).copied().collect();
        let (mut value, mut slopes) = self.at(&point)?;
        for _ in 0..self.most_steps {
            let size = value.amax();
            if !size.is_finite() {
                return None;
            }
            if size <= f64::EPSILON {
                break;
            }
            let step = slopes.columns(0, n).into_owned().lu().solve(&value)?;
            let small = step.iter().zip(&point).all(|(s, y)| s.abs() <= 4.0 * f64::EPSILON * y.abs());
            let moved = |length: f64| -> Vec<f64> {
                let own = |(i, x): (usize, &f64)| if i < n { x - length * step[i] } else { *x };
                point.iter().enumerate().map(own).collect()
            };
            let next = (0..HALVINGS).find_map(|halvings| {
                let next = moved(0.5_f64.powi(halvings));
                let found = self.at(&next).filter(|(own, _)| own.norm() < value.norm())?;
                Some((next, found))
            });
            let Some((next, found)) = next else { break };
            point = next;
            (value, slopes) = found;
            if small {
                break;
            }
        }
        (value.amax() <= self.tolerance).then(|| point[..n].to_vec())
    }
}

impl std::fmt::Debug for Root {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Root").field("guess", &self.guess).finish_non_exhaustive()
    }
}

impl Equation for Root {
    fn forward(&self, x: &[f64], out: &mut [f64]) {
        match self.solve(x) {
            Some(y) => out.copy_from_slice(&y),
            None => out.fill(f64::NAN),
        }
    }

    fn backward(&self, x: &[f64], dy: &[f64], dx: &mut [f64]) {
        let n = self.guess.len();
        let adjoint = self.solve(x).and_then(|y| {
            let point: Vec<f64> = y.iter().chain(x).copied().collect();
            let (_, slopes) = self.at(&point)?;
            let of_y = slopes.columns(0, n).transpose();
            let multiplier = of_y.lu().solve(&DVector::from_column_slice(dy))?;
            Some(slopes.columns(n, x.len()).tr_mul(&multiplier))
        });
        match adjoint {
            Some(all) => dx.iter_mut().zip(all.iter()).for_each(|(d, a)| *d -= a),
            None => dx.fill(f64::NAN),
        }
    }
}
