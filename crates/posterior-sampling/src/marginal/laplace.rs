//! A block whose density given the rest is nearly Gaussian.

use posterior_dist::target::{EvalError, GradTarget};
use posterior_math::sparse::{SparseCholesky, SparseSymmetric};

use super::{Conditional, IntegratedTarget};

const MAX_STEPS: usize = 100;

/// The squared distance to the mode, in standard deviations, of which one more step is the last.
const NEAR: f64 = 1e-10;

/// How far differences reach, in standard deviations of the block: second derivatives in the search, at the
/// mode, and the third.
const SECOND: f64 = 0.01;
const THIRD: f64 = 0.03;

/// Derivatives by differences: the places and their weights.
const ROUGH_SLOPE: &[(f64, f64)] = &[(1.0, 0.5), (-1.0, -0.5)];
const SLOPE: &[(f64, f64)] = &[(1.0, 2.0 / 3.0), (-1.0, -2.0 / 3.0), (2.0, -1.0 / 12.0), (-2.0, 1.0 / 12.0)];
const BEND: &[(f64, f64)] = &[(1.0, 4.0 / 3.0), (-1.0, 4.0 / 3.0), (2.0, -1.0 / 12.0), (-2.0, -1.0 / 12.0)];
/// The weight of the place itself, whose gradient is known.
const BEND_HERE: f64 = -2.5;

/// Multiples of the largest second derivative that are added to all until they are those of a hill.
const RIDGES: [f64; 8] = [0.0, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3];

/// The mode of the block, with the gradient of the target there.
pub(super) struct Mode {
    pub(super) conditional: Conditional,
    gradient: Vec<f64>,
}

impl<T: GradTarget> IntegratedTarget<T> {
    /// Newton's steps from the centre, shortened where the density does not rise.
    pub(super) fn mode(&self, point: &mut [f64]) -> Result<Mode, EvalError> {
        let mut block = self.centre.clone();
        let mut widths = self.steps.clone();
        let (mut value, mut gradient) = self.gradient(point, |i| block[i])?;
        for _ in 0..MAX_STEPS {
            let (factor, matrix) = self.hill(point, &block, &widths)?;
            narrow(&mut widths, &matrix);
            let slopes = self.slopes(&gradient);
            let mut step = slopes.clone();
            factor.solve_slice_in_place(&mut step);
            let rise: f64 = step.iter().zip(&slopes).map(|(step, slope)| step * slope).sum();
            let is_near = rise <= NEAR;
            let mut length = 1.0;
            loop {
                match self.gradient(point, |i| block[i] + length * step[i]) {
                    Ok(there) if is_near || there.0 >= value + 1e-4 * length * rise => {
                        (value, gradient) = there;
                        break;
                    }
                    Err(error) if error.is_fatal() => return Err(error),
                    _ if length < 1e-10 => return Err(no_mode()),
                    _ => length *= 0.5,
                }
            }
            block.iter_mut().zip(&step).for_each(|(own, step)| *own += length * step);
            if is_near {
                let (factor, _) = self.curvature(point, &block, &widths, SLOPE, 0.0)?;
                let conditional = Conditional { mode: block, ln_density: value, factor };
                return Ok(Mode { conditional, gradient });
            }
        }
        Err(no_mode())
    }

    /// ln of the approximate marginal density, and its gradient at the places of the rest.
    pub(super) fn laplace_gradient(&self, point: &mut [f64]) -> Result<(f64, Vec<f64>), EvalError> {
        let Mode { conditional, gradient } = self.mode(point)?;
        let Conditional { mode, factor, .. } = &conditional;
        // Half the sum of the second differences of all slopes is what ln |Q| adds to each.
        let mut all = gradient;
        let mut added = vec![0.0; all.len()];
        for vector in self.structure.vectors(factor) {
            let bend = self.stencil(point, mode, &vector, THIRD, BEND)?;
            let second =
                bend.iter().zip(&all).map(|(bend, here)| (bend + BEND_HERE * here) / (THIRD * THIRD));
            added.iter_mut().zip(second).for_each(|(own, second)| *own += 0.5 * second);
        }
        // The mode moves with the rest, and ln |Q| with the mode.
        let slopes = self.slopes(&added);
        let mut step = slopes.clone();
        factor.solve_slice_in_place(&mut step);
        let length = step.iter().zip(&slopes).map(|(step, slope)| step * slope).sum::<f64>().sqrt();
        all.iter_mut().zip(&added).for_each(|(own, added)| *own += added);
        if length > 0.0 {
            let reach = SECOND / length;
            let along = self.stencil(point, mode, &step, reach, SLOPE)?;
            all.iter_mut().zip(along).for_each(|(own, along)| *own += along / reach);
        }
        Ok((conditional.ln_integral(), all))
    }

    /// A weighted sum of gradients along a direction of the block.
    fn stencil(
        &self,
        point: &mut [f64],
        block: &[f64],
        direction: &[f64],
        reach: f64,
        places: &[(f64, f64)],
    ) -> Result<Vec<f64>, EvalError> {
        let mut sum = vec![0.0; point.len()];
        for (place, weight) in places {
            let (_, gradient) = self.gradient(point, |i| block[i] + place * reach * direction[i])?;
            sum.iter_mut().zip(gradient).for_each(|(own, slope)| *own += weight * slope);
        }
        Ok(sum)
    }

    /// The factor of the negative second derivatives, with a ridge on their diagonal.
    fn curvature(
        &self,
        point: &mut [f64],
        block: &[f64],
        widths: &[f64],
        places: &[(f64, f64)],
        ridge: f64,
    ) -> Result<(SparseCholesky, SparseSymmetric), EvalError> {
        let steps: Vec<f64> = widths.iter().map(|width| SECOND * width).collect();
        let along = |depth| {
            let direction = self.structure.direction(depth, &steps);
            self.stencil(point, block, &direction, 1.0, places)
        };
        let differences = (0..self.structure.depths.len()).map(along).collect::<Result<Vec<_>, _>>()?;
        self.structure.factor(&differences, &steps, ridge)
    }

    /// Second derivatives that are those of a hill, if need be with the smallest ridge that makes them so.
    fn hill(
        &self,
        point: &mut [f64],
        block: &[f64],
        widths: &[f64],
    ) -> Result<(SparseCholesky, SparseSymmetric), EvalError> {
        let mut last = no_mode();
        for ridge in RIDGES {
            match self.curvature(point, block, widths, ROUGH_SLOPE, ridge) {
                Err(error) if !error.is_fatal() => last = error,
                found => return found,
            }
        }
        Err(last)
    }
}

/// The widths of the coordinates given all others, where the density bends down along them.
fn narrow(widths: &mut [f64], matrix: &SparseSymmetric) {
    for (width, bend) in widths.iter_mut().zip(matrix.diagonal()) {
        if bend > 0.0 {
            *width = bend.sqrt().recip();
        }
    }
}

fn no_mode() -> EvalError {
    EvalError::reject("the coordinates that are integrated out have no mode given the others here")
}
