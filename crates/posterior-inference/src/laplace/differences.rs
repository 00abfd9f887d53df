//! Second derivatives from differences of gradients.

use posterior_dist::target::{EvalError, GradTarget, HessianTarget, Target};
use posterior_math::linalg::{DMatrix, symmetrize};

/// The step along a coordinate, in standard deviations of the distribution at the mode: the fifth root of ε,
/// where truncation (fourth order) and rounding of the differences are alike.
const STEP: f64 = 7.4e-4;

/// How often a step is adjusted to the curvature that it finds.
const ADJUSTMENTS: usize = 4;

/// How often a step that leaves the support is quartered.
const RETREATS: usize = 20;

/// A target whose Hessian comes from four gradients along each coordinate: 8 n to 12 n gradients in all, to
/// about 10^-11 of its scale.
pub(super) struct Differences<'a, T: ?Sized>(pub(super) &'a T);

impl<T: GradTarget + ?Sized> Target for Differences<'_, T> {
    fn dim(&self) -> usize {
        self.0.dim()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.0.ln_density(x)
    }
}

impl<T: GradTarget + ?Sized> GradTarget for Differences<'_, T> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        self.0.ln_density_grad(x, gradient)
    }
}

impl<T: GradTarget + ?Sized> HessianTarget for Differences<'_, T> {
    fn ln_density_hessian(
        &self,
        x: &[f64],
        gradient: &mut [f64],
        hessian: &mut DMatrix<f64>,
    ) -> Result<f64, EvalError> {
        for i in 0..x.len() {
            let column = self.column(x, i)?;
            hessian.column_mut(i).copy_from_slice(&column);
        }
        symmetrize(hessian);
        self.ln_density_grad(x, gradient)
    }
}

impl<T: GradTarget + ?Sized> Differences<'_, T> {
    /// The derivative of the gradient along coordinate i.
    fn column(&self, x: &[f64], i: usize) -> Result<Vec<f64>, EvalError> {
        let mut step = STEP * x[i].abs().max(1.0);
        for _ in 0..ADJUSTMENTS {
            let (slope, length) = self.central(x, i, step)?;
            // One standard deviation of the distribution along the coordinate.
            let scale = (-slope[i]).sqrt().recip();
            let better = if scale.is_finite() { STEP * scale } else { length };
            step = better.min(length * 1e6).max(f64::EPSILON * x[i].abs());
            if (0.5..2.0).contains(&(step / length)) {
                break;
            }
        }
        let (narrow, length) = self.central(x, i, step)?;
        match self.central(x, i, 2.0 * length) {
            Ok((wide, wide_length)) if wide_length == 2.0 * length => {
                Ok(narrow.iter().zip(&wide).map(|(near, far)| (4.0 * near - far) / 3.0).collect())
            }
            Ok(_) => Ok(narrow),
            Err(error) => Err(error),
        }
    }

    /// The central difference of the gradient, with the step that was possible: at most `step`.
    fn central(&self, x: &[f64], i: usize, step: f64) -> Result<(Vec<f64>, f64), EvalError> {
        let mut step = step;
        let mut retreats = 0;
        loop {
            match (self.gradient_at(x, i, step), self.gradient_at(x, i, -step)) {
                (Ok((above, right)), Ok((below, left))) => {
                    let slope = above.iter().zip(&below).map(|(a, b)| (a - b) / (right - left)).collect();
                    return Ok((slope, step));
                }
                (Err(error), _) | (_, Err(error)) if error.is_fatal() || retreats == RETREATS => {
                    return Err(error);
                }
                _ => {
                    step *= 0.25;
                    retreats += 1;
                }
            }
        }
    }

    /// The gradient where coordinate i is moved, and that coordinate.
    fn gradient_at(&self, x: &[f64], i: usize, step: f64) -> Result<(Vec<f64>, f64), EvalError> {
        let mut moved = x.to_vec();
        moved[i] += step;
        let mut gradient = vec![0.0; x.len()];
        let value = self.0.ln_density_grad(&moved, &mut gradient)?;
        if value.is_finite() && gradient.iter().all(|slope| slope.is_finite()) {
            Ok((gradient, moved[i]))
        } else {
            Err(EvalError::reject(format!("ln p(x) = {value} beside the mode")))
        }
    }
}
