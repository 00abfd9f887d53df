//! The limit of the covariances of a constant model, by doubling.

use posterior_math::check::DimensionError;
use posterior_math::linalg::{Cholesky, DMatrix, MatrixError, symmetrize};

use crate::{Error, StateSpace};

/// Doublings at most: 2⁶⁰ steps.
const DOUBLINGS: usize = 60;

/// What covariances and gain of a constant model come to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Stationary {
    /// P⁻ = A P Aᵀ + Q, before an observation.
    pub predicted_covariance: DMatrix<f64>,
    /// P, after it.
    pub covariance: DMatrix<f64>,
    /// S = H P⁻ Hᵀ + R.
    pub innovation_covariance: DMatrix<f64>,
    /// K = P⁻ Hᵀ S⁻¹ (n x m).
    pub gain: DMatrix<f64>,
}

/// The solution of the Riccati equation P⁻ = A (P⁻ - P⁻ Hᵀ (H P⁻ Hᵀ + R)⁻¹ H P⁻) Aᵀ + Q to which covariances
/// converge from a known state.
///
/// By doubling: each iteration composes the filter of 2ᵏ steps with itself, so that a few dozen suffice
/// however slow the convergence is. R may be singular if H Q Hᵀ + R is not. The matrices are those of the
/// first time.
///
/// # Errors
/// If the matrices change over time, H Q Hᵀ + R is singular, or the covariances do not converge (a state that
/// grows and is not seen).
///
/// # References
/// B. D. O. Anderson, J. B. Moore, Optimal Filtering (1979), section 6.7.
///
/// ```
/// use posterior_kalman::{Initial, ObservationEquation, StateSpace, TransitionEquation, steady_state};
/// use posterior_math::linalg::DMatrix;
///
/// let one = DMatrix::from_element(1, 1, 1.0);
/// let model = StateSpace::new(
///     TransitionEquation::constant(&one, &one)?,
///     ObservationEquation::constant(&one, &one)?,
///     Initial::known(&[0.0], &one)?,
/// )?;
/// let limit = steady_state(&model)?;
/// assert!((limit.predicted_covariance[(0, 0)] - (1.0 + 5f64.sqrt()) / 2.0).abs() < 1e-15);
/// assert!((limit.gain[(0, 0)] - 0.6180339887498949).abs() < 1e-15);
/// # Ok::<(), posterior_kalman::Error>(())
/// ```
pub fn steady_state(model: &StateSpace) -> Result<Stationary, Error> {
    let (transition, observation) = (model.transition(), model.observation());
    for matrices in [transition.matrix(), transition.noise(), observation.matrix(), observation.noise()] {
        if let Some(times) = matrices.times() {
            let what = "times at which the matrices change (they have to be constant)";
            return Err(DimensionError::new(what, 0, times).into());
        }
    }
    let (a, q) = (transition.matrix().matrix(0), transition.noise().matrix(0));
    let (h, r) = (observation.matrix().matrix(0), observation.noise().matrix(0));
    let covariance = filtered_limit(&a, &q, &h, &r)?;
    let predicted = symmetric(&a * &covariance * a.transpose() + &q);
    let across = &h * &predicted;
    let innovation = symmetric(&across * h.transpose() + &r);
    let gain = Cholesky::new(&innovation)?.solve(&across).transpose();
    // Once more through an observation, in the form of Joseph: the digits of P.
    let rest = DMatrix::identity(a.nrows(), a.nrows()) - &gain * &h;
    let covariance = symmetric(&rest * &predicted * rest.transpose() + &gain * &r * gain.transpose());
    if predicted.iter().all(|entry| entry.is_finite()) {
        Ok(Stationary {
            predicted_covariance: predicted,
            covariance,
            innovation_covariance: innovation,
            gain,
        })
    } else {
        Err(MatrixError::NoConvergence.into())
    }
}

/// The limit of the covariance after an observation.
///
/// The state is observed through the next observation, with noise H Q Hᵀ + R that is correlated with that of
/// the state; without the correlation the filter of one step is x ↦ Φ x with information G and covariance W,
/// and two of these compose.
fn filtered_limit(
    a: &DMatrix<f64>,
    q: &DMatrix<f64>,
    h: &DMatrix<f64>,
    r: &DMatrix<f64>,
) -> Result<DMatrix<f64>, Error> {
    let seen = h * a;
    let noise = Cholesky::new(&symmetric(h * q * h.transpose() + r))?;
    let across = h * q;
    let mut phi = a - across.tr_mul(&noise.solve(&seen));
    let mut information = symmetric(seen.tr_mul(&noise.solve(&seen)));
    let mut covariance = symmetric(q - across.tr_mul(&noise.solve(&across)));
    let identity = DMatrix::identity(a.nrows(), a.nrows());
    for _ in 0..DOUBLINGS {
        // (I + W G)⁻¹ exists, since both are positive semidefinite.
        let between = (&identity + &covariance * &information).lu();
        let through = between.solve(&phi).ok_or(MatrixError::Singular)?;
        let spread = between.solve(&(&covariance * phi.transpose())).ok_or(MatrixError::Singular)?;
        let added = symmetric(&phi * spread);
        information = symmetric(&information + phi.tr_mul(&information) * &through);
        phi = &phi * through;
        covariance += &added;
        if !covariance.iter().all(|entry| entry.is_finite()) {
            break;
        }
        let small = |i: usize| added[(i, i)] <= f64::EPSILON * covariance[(i, i)];
        if (0..a.nrows()).all(small) {
            return Ok(covariance);
        }
    }
    Err(MatrixError::NoConvergence.into())
}

fn symmetric(mut matrix: DMatrix<f64>) -> DMatrix<f64> {
    symmetrize(&mut matrix);
    matrix
}
