//! A linear stochastic differential equation, from one time to the next.

use nalgebra::DMatrix;

use super::error::MatrixError;
use super::exponential::{exponential, halvings, one_norm};
use super::product::{congruence, multiply, symmetrize};
use super::woodbury::agree;

/// The distribution of a step of dx = F x dt + L dβ: x(t + dt) = A x(t) + noise with covariance Q.
#[derive(Debug, Clone, PartialEq)]
pub struct Discretization {
    /// A = e^(F dt).
    pub transition: DMatrix<f64>,
    /// Q = ∫₀^dt e^(F s) D e^(Fᵀ s) ds, symmetric to the last bit.
    pub noise: DMatrix<f64>,
}

/// A and Q of a step of length `dt`, for the drift F and the diffusion D = L q Lᵀ (symmetric).
///
/// Van Loan's block exponential for a step so short that |F| h ≤ ½, then doubled: A(2h) = A(h)² and Q(2h) =
/// A(h) Q(h) A(h)ᵀ + Q(h). The block exponential alone contains e^(-F dt), which overflows for stiff systems.
///
/// # Errors
/// Sizes that do not agree, or a number that is not finite; `dt` is negative.
///
/// # References
/// C. F. Van Loan, Computing integrals involving the matrix exponential, IEEE Trans. Automatic Control 23
/// (1978).
///
/// ```
/// use posterior_math::linalg::{DMatrix, discretize};
///
/// // A Wiener process and its integral.
/// let drift = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 0.0]);
/// let diffusion = DMatrix::from_row_slice(2, 2, &[0.0, 0.0, 0.0, 1.0]);
/// let step = discretize(&drift, &diffusion, 0.5)?;
/// assert!((step.noise[(0, 0)] - 1.0 / 24.0).abs() < 1e-16);
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
pub fn discretize(
    drift: &DMatrix<f64>,
    diffusion: &DMatrix<f64>,
    dt: f64,
) -> Result<Discretization, MatrixError> {
    let n = drift.nrows();
    agree(n, drift.ncols())?;
    agree(n, diffusion.nrows())?;
    agree(n, diffusion.ncols())?;
    let norm = one_norm(drift) * dt;
    let size = diffusion.amax() * dt;
    if !(dt >= 0.0 && norm.is_finite() && size.is_finite()) {
        return Err(MatrixError::NotFinite);
    }
    let doublings = halvings(norm, 0.5);
    let shrink = (-f64::from(doublings)).exp2();
    // Q is linear in D: with entries of order one it does not decide the scaling of the exponential.
    let unit = if size >= f64::MIN_POSITIVE { 0.25 / size } else { 1.0 };
    let mut block = DMatrix::zeros(2 * n, 2 * n);
    block.view_mut((0, 0), (n, n)).copy_from(&(drift * dt * shrink));
    block.view_mut((0, n), (n, n)).copy_from(&(diffusion * dt * unit));
    block.view_mut((n, n), (n, n)).copy_from(&(drift.transpose() * (-dt * shrink)));
    let exponential = exponential(&block)?;
    let mut transition = exponential.view((0, 0), (n, n)).into_owned();
    let mut noise = multiply(&exponential.view((0, n), (n, n)).into_owned(), &transition.transpose());
    symmetrize(&mut noise);
    for _ in 0..doublings {
        noise += congruence(&transition, &noise);
        transition = multiply(&transition, &transition);
    }
    noise *= shrink;
    noise /= unit;
    if transition.iter().chain(noise.iter()).all(|entry| entry.is_finite()) {
        Ok(Discretization { transition, noise })
    } else {
        Err(MatrixError::NotFinite)
    }
}
