//! Log-quadratic functions of a state, and how they move through the equations of a model.

use posterior_gaussian::{InformationGaussian, LinearGaussian};
use posterior_math::linalg::{Cholesky, DMatrix, DVector, MatrixError, congruence, symmetrize};

use crate::{Error, StateSpace};

/// ∫ f(x - F e) N(e; 0, I) de: what is known of x + noise, or by it of x.
pub(super) fn blurred(f: &InformationGaussian, root: &DMatrix<f64>) -> Result<InformationGaussian, Error> {
    let (eta, precision) = (f.eta(), f.precision());
    let pulled = precision * root;
    let mut inner = root.tr_mul(&pulled);
    for i in 0..inner.nrows() {
        inner[(i, i)] += 1.0;
    }
    let factor = Cholesky::new(&inner)?;
    let toward = root.tr_mul(eta);
    let gain = factor.solve(&pulled.transpose()).transpose();
    let kept = DMatrix::identity(eta.len(), eta.len()) - &gain * root.transpose();
    let blurred = congruence(&kept, precision) + &gain * gain.transpose();
    let ln_scale = f.ln_scale() - 0.5 * factor.ln_determinant() + 0.5 * factor.quadratic_form(&toward);
    function(&(eta - &gain * toward), blurred, ln_scale)
}

/// x ↦ f(A x + b).
pub(super) fn pulled_back(
    f: &InformationGaussian,
    matrix: &DMatrix<f64>,
    offset: &[f64],
) -> Result<InformationGaussian, Error> {
    let moved = DVector::from_column_slice(offset);
    let eta = matrix.tr_mul(&(f.eta() - f.precision() * &moved));
    function(&eta, congruence(&matrix.transpose(), f.precision()), f.ln_value(offset))
}

/// z ↦ f(A⁻¹ (z - b)) / |det A|.
pub(super) fn pushed_forward(
    f: &InformationGaussian,
    matrix: &DMatrix<f64>,
    offset: &[f64],
) -> Result<InformationGaussian, Error> {
    let factors = matrix.clone().lu();
    let inverse = factors.try_inverse().ok_or(MatrixError::Singular)?;
    let volume = factors.determinant().abs();
    if !(volume > 0.0 && volume.is_finite()) {
        return Err(MatrixError::Singular.into());
    }
    let back: DVector<f64> = -(&inverse * DVector::from_column_slice(offset));
    let moved = pulled_back(f, &inverse, back.as_slice())?;
    function(moved.eta(), moved.precision().clone(), moved.ln_scale() - volume.ln())
}

/// What the observations at time `t` say of the state; one where all are missing.
pub(super) fn seen(model: &StateSpace, values: &[f64], t: usize) -> Result<InformationGaussian, Error> {
    let there: Vec<usize> = (0..values.len()).filter(|&i| !values[i].is_nan()).collect();
    if there.is_empty() {
        return Ok(InformationGaussian::flat(model.states()));
    }
    let observation = model.observation();
    let offset: Vec<f64> = there.iter().map(|&i| observation.offset().at(t)[i]).collect();
    let noise = observation.noise().matrix(t).select_rows(&there).select_columns(&there);
    let equation = LinearGaussian::new(&observation.matrix().matrix(t).select_rows(&there), &offset, &noise)?;
    let values: Vec<f64> = there.iter().map(|&i| values[i]).collect();
    Ok(equation.likelihood(&values)?)
}

/// The function with this η, Λ (made symmetric) and logarithm of its scale.
pub(super) fn function(
    eta: &DVector<f64>,
    mut precision: DMatrix<f64>,
    ln_scale: f64,
) -> Result<InformationGaussian, Error> {
    symmetrize(&mut precision);
    Ok(InformationGaussian::new(eta.as_slice(), &precision, ln_scale)?)
}
