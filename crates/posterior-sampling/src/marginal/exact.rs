//! A block that is Gaussian given the rest.

use posterior_dist::target::{EvalError, GradTarget};

use super::{Conditional, IntegratedTarget};

/// How far the mean slope of the block may be from zero, as a squared distance in standard deviations: what
/// rounding leaves is far less, and a block that is not Gaussian far more.
const STRAY: f64 = 1e-8;

impl<T: GradTarget> IntegratedTarget<T> {
    /// The mode and the factor; the density there is not computed.
    pub(super) fn gaussian(&self, point: &mut [f64]) -> Result<Conditional, EvalError> {
        let (_, base) = self.gradient(point, |i| self.centre[i])?;
        let mut differences = Vec::with_capacity(self.structure.depths.len());
        for depth in 0..self.structure.depths.len() {
            let direction = self.structure.direction(depth, &self.steps);
            let (_, mut gradient) = self.gradient(point, |i| self.centre[i] + direction[i])?;
            gradient.iter_mut().zip(&base).for_each(|(own, base)| *own -= base);
            differences.push(gradient);
        }
        let (factor, _) = self.structure.factor(&differences, &self.steps, 0.0)?;
        let mut mode = self.slopes(&base);
        factor.solve_slice_in_place(&mut mode);
        mode.iter_mut().zip(&self.centre).for_each(|(own, centre)| *own += centre);
        Ok(Conditional { mode, ln_density: f64::NAN, factor })
    }

    /// ln of the marginal density, and the gradient of the target averaged over the block.
    pub(super) fn gaussian_gradient(&self, point: &mut [f64]) -> Result<(f64, Vec<f64>), EvalError> {
        let mut found = self.gaussian(point)?;
        let vectors = self.structure.vectors(&found.factor);
        let count = (vectors.len() + 1) as f64;
        let (mut mean, mut gradient) = (0.0, vec![0.0; point.len()]);
        for corner in 0..=vectors.len() {
            let moved = |i: usize| {
                let along = vectors.iter().enumerate();
                found.mode[i]
                    + along.map(|(axis, vector)| simplex(axis, corner, count) * vector[i]).sum::<f64>()
            };
            let (value, slopes) = self.gradient(point, moved)?;
            mean += value / count;
            gradient.iter_mut().zip(slopes).for_each(|(own, slope)| *own += slope / count);
        }
        // The mean of a quadratic function over the Gaussian is half a unit for each coordinate below its
        // top.
        found.ln_density = mean + 0.5 * found.mode.len() as f64;
        let mut stray = self.slopes(&gradient);
        found.factor.solve_slice_in_place(&mut stray);
        let distance: f64 = stray.iter().zip(self.slopes(&gradient)).map(|(step, slope)| step * slope).sum();
        if distance > STRAY {
            let why = "the coordinates that are integrated out are not Gaussian given the others here";
            return Err(EvalError::reject(why));
        }
        Ok((found.ln_integral(), gradient))
    }
}

/// A coordinate of a corner of the regular simplex of `count` corners around zero whose second moments are
/// those of the identity.
fn simplex(axis: usize, corner: usize, count: f64) -> f64 {
    let next = axis as f64 + 1.0;
    let unit = (count / (next * (next + 1.0))).sqrt();
    match corner.cmp(&(axis + 1)) {
        std::cmp::Ordering::Less => unit,
        std::cmp::Ordering::Equal => -next * unit,
        std::cmp::Ordering::Greater => 0.0,
    }
}
