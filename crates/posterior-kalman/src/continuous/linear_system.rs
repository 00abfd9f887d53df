//! A stochastic differential equation with matrices of your own.

use std::sync::Arc;

use posterior_math::autodiff::Real;
use posterior_math::check;
use posterior_math::linalg::{
    DMatrix, Discretization, MatrixError, congruence, discretize, eigenvalues, lyapunov, multiply,
};

use super::block::Block;
use super::dynamics::Dynamics;
use crate::Error;

/// dx = F x dt + L dβ with D = L q Lᵀ, of which h x is seen.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LinearSystem {
    parts: Arc<Parts>,
}

#[derive(Debug, PartialEq)]
struct Parts {
    drift: DMatrix<f64>,
    diffusion: DMatrix<f64>,
    row: Vec<f64>,
    start: Start,
}

/// Where the state starts.
#[derive(Debug, PartialEq)]
enum Start {
    /// It never did: this is its covariance at all times.
    Stationary(DMatrix<f64>),
    /// At time 0, with this covariance.
    Origin(DMatrix<f64>),
}

impl LinearSystem {
    pub(super) fn stationary(
        drift: &DMatrix<f64>,
        diffusion: &DMatrix<f64>,
        row: &[f64],
    ) -> Result<Self, Error> {
        check_sizes(drift, diffusion, row)?;
        let slowest =
            eigenvalues(drift)?.iter().map(|eigenvalue| eigenvalue.re).fold(f64::NEG_INFINITY, f64::max);
        let requirement = "negative in its largest real part: what does not settle has to start somewhere";
        check::require(slowest < 0.0, "Process", "eigenvalue of the drift", slowest, requirement)?;
        let covariance = lyapunov(drift, diffusion)?;
        Self::new(drift, diffusion, row, Start::Stationary(covariance))
    }

    pub(super) fn from_origin(
        drift: &DMatrix<f64>,
        diffusion: &DMatrix<f64>,
        row: &[f64],
        covariance: &DMatrix<f64>,
    ) -> Result<Self, Error> {
        check_sizes(drift, diffusion, row)?;
        check::dimension("rows of the covariance at the origin", drift.nrows(), covariance.nrows())?;
        check_covariance(covariance)?;
        Self::new(drift, diffusion, row, Start::Origin(covariance.clone()))
    }

    fn new(drift: &DMatrix<f64>, diffusion: &DMatrix<f64>, row: &[f64], start: Start) -> Result<Self, Error> {
        check_covariance(diffusion)?;
        let parts = Parts { drift: drift.clone(), diffusion: diffusion.clone(), row: row.to_vec(), start };
        Ok(Self { parts: Arc::new(parts) })
    }

    /// h P hᵀ of the stationary distribution, or of that at the origin.
    pub(super) fn variance(&self) -> f64 {
        let (Start::Stationary(covariance) | Start::Origin(covariance)) = &self.parts.start;
        let row = DMatrix::from_row_slice(1, self.parts.row.len(), &self.parts.row);
        congruence(&row, covariance)[(0, 0)]
    }

    /// A(t) and Q(t); not numbers where they are beyond the range of f64.
    fn discretized(&self, time: f64) -> Discretization {
        let Parts { drift, diffusion, .. } = &*self.parts;
        discretize(drift, diffusion, time).unwrap_or_else(|_| {
            let nothing = DMatrix::from_element(drift.nrows(), drift.nrows(), f64::NAN);
            Discretization { transition: nothing.clone(), noise: nothing }
        })
    }

    /// As [`step`](Dynamics::step), for a time that depends on parameters.
    ///
    /// dA/dt = F A and dQ/dt = A D Aᵀ.
    pub(super) fn step_of<R: Real>(&self, time: R, transition: &mut Block<'_, R>, noise: &mut Block<'_, R>) {
        let Discretization { transition: a, noise: q } = self.discretized(time.value());
        let a_slope = multiply(&self.parts.drift, &a);
        let q_slope = congruence(&a, &self.parts.diffusion);
        let moved = time - time.value();
        for j in 0..a.ncols() {
            for i in 0..a.nrows() {
                transition.set(i, j, moved * a_slope[(i, j)] + a[(i, j)]);
                noise.set(i, j, moved * q_slope[(i, j)] + q[(i, j)]);
            }
        }
    }
}

impl Dynamics for LinearSystem {
    fn states(&self) -> usize {
        self.parts.row.len()
    }

    fn observation(&self) -> Vec<f64> {
        self.parts.row.clone()
    }

    fn origin(&self) -> f64 {
        if self.is_stationary() { f64::NEG_INFINITY } else { 0.0 }
    }

    fn is_stationary(&self) -> bool {
        matches!(self.parts.start, Start::Stationary(_))
    }

    fn step<R: Real>(&self, _: &[R], dt: f64, transition: &mut Block<'_, R>, noise: &mut Block<'_, R>) {
        self.step_of(R::constant(dt), transition, noise);
    }

    fn covariance<R: Real>(&self, _: &[R], time: f64, covariance: &mut Block<'_, R>) {
        let distribution = match &self.parts.start {
            Start::Stationary(covariance) => covariance.clone(),
            Start::Origin(covariance) => {
                let Discretization { transition, noise } = self.discretized(time);
                congruence(&transition, covariance) + noise
            }
        };
        for j in 0..distribution.ncols() {
            for i in 0..distribution.nrows() {
                covariance.set(i, j, R::constant(distribution[(i, j)]));
            }
        }
    }
}

fn check_sizes(drift: &DMatrix<f64>, diffusion: &DMatrix<f64>, row: &[f64]) -> Result<(), Error> {
    let n = row.len();
    check::enough("states of the process", 1, n)?;
    check::dimension("rows of the drift", n, drift.nrows())?;
    check::dimension("columns of the drift", n, drift.ncols())?;
    check::dimension("rows of the diffusion", n, diffusion.nrows())?;
    let finite = |entry: &f64| entry.is_finite();
    if drift.iter().all(finite) && row.iter().all(finite) {
        Ok(())
    } else {
        Err(Error::Matrix(MatrixError::NotFinite))
    }
}

/// Refuses what is no covariance.
fn check_covariance(covariance: &DMatrix<f64>) -> Result<(), Error> {
    posterior_gaussian::MomentGaussian::new(&vec![0.0; covariance.nrows()], covariance)?;
    Ok(())
}
