//! How sharply the data say what the parameters are: the second derivatives of the evidence.

use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector, SymmetricEigen, symmetrize};

use super::Learnable;
use crate::Error;

/// The step of central differences of the gradient, on the free scale: rounding and curvature of third order
/// meet here.
const STEP: f64 = 1e-4;

/// A direction is flat if the ln evidence falls by less than this at a unit step.
const FLAT: f64 = 1e-3;

/// The curvature of the ln evidence at some parameters, on the free scales.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EvidenceCurvature {
    /// The second derivatives.
    pub hessian: DMatrix<f64>,
    /// The standard error of each parameter on its free scale, which is a relative one for those on a
    /// logarithmic scale; none where a flat or rising direction touches it.
    pub standard_errors: Vec<Option<f64>>,
    /// Unit directions in which the evidence hardly falls, or rises: the data do not say.
    pub flat_directions: Vec<DVector<f64>>,
}

/// The curvature of the ln evidence at `free`, by central differences of its gradient: two gradients for each
/// parameter.
///
/// Priors are left out: it shows what the data say.
///
/// # Errors
/// If there is not one number for each parameter, or no model at a place this close.
pub fn curvature(problem: &impl Learnable, free: &[f64]) -> Result<EvidenceCurvature, Error> {
    let count = free.len();
    check::dimension("free parameters", problem.parameters().len(), count)?;
    let mut hessian = DMatrix::zeros(count, count);
    let mut place = free.to_vec();
    let (mut above, mut below) = (vec![0.0; count], vec![0.0; count]);
    for (j, scale) in problem.scales().into_iter().enumerate() {
        let step = STEP * scale;
        place[j] = free[j] + step;
        problem.ln_evidence(&place, &mut above)?;
        place[j] = free[j] - step;
        problem.ln_evidence(&place, &mut below)?;
        place[j] = free[j];
        for i in 0..count {
            hessian[(i, j)] = (above[i] - below[i]) / (2.0 * step);
        }
    }
    symmetrize(&mut hessian);
    let information = SymmetricEigen::new(&-&hessian)?;
    let mut variances = vec![Some(0.0); count];
    let mut flat_directions = Vec::new();
    for (value, direction) in information.values().iter().zip(information.vectors().column_iter()) {
        if *value > FLAT {
            for (variance, entry) in variances.iter_mut().zip(&direction) {
                *variance = variance.map(|variance: f64| variance + entry * entry / value);
            }
        } else {
            for (variance, entry) in variances.iter_mut().zip(&direction) {
                if entry.abs() > 1e-2 {
                    *variance = None;
                }
            }
            flat_directions.push(direction.into_owned());
        }
    }
    let standard_errors = variances.into_iter().map(|variance| variance.map(f64::sqrt)).collect();
    Ok(EvidenceCurvature { hessian, standard_errors, flat_directions })
}
