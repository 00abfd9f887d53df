//! Change points: one kernel before, another one after.

use std::fmt;

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::logistic;

use super::sum::{rebuild, split};
use super::{CovarianceFunction, Kernel, KernelParameter};
use crate::Error;

/// (1 - σ) k₁ (1 - σ') + σ k₂ σ' with σ = logistic((x - location)/width).
#[derive(Debug)]
struct ChangePoint {
    /// Before and after.
    sides: [Kernel; 2],
    location: f64,
    width: f64,
}

impl Kernel {
    /// (1 - σ(x)) k₁(x, x') (1 - σ(x')) + σ(x) k₂(x, x') σ(x') with σ(x) = 1/(1 + exp(-(x -
    /// location)/width)): a function that is of one kind before the location and of another kind after it; of
    /// one coordinate.
    ///
    /// # Errors
    /// If the location is not finite, or the width not positive and finite.
    pub fn change_point(before: Self, after: Self, location: f64, width: f64) -> Result<Self, ParamError> {
        let location = check::finite("change_point", "location", location)?;
        let width = check::positive("change_point", "width", width)?;
        Ok(Self::new(ChangePoint { sides: [before, after], location, width }))
    }
}

impl ChangePoint {
    /// (x - location)/width of an input, never NaN for finite inputs.
    fn steps(&self, x: &[f64]) -> f64 {
        (x.first().copied().unwrap_or(0.0) - self.location) / self.width
    }

    /// How much of an input is on each side.
    fn proportions(&self, x: &[f64]) -> [f64; 2] {
        [logistic(-self.steps(x)), logistic(self.steps(x))]
    }
}

impl CovarianceFunction for ChangePoint {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        let (left, right) = (self.proportions(x), self.proportions(y));
        (0..2).map(|side| left[side] * self.sides[side].value(x, y) * right[side]).sum()
    }

    fn gradient(&self, x: &[f64], y: &[f64], gradient: &mut [f64]) {
        let (left, right) = (self.proportions(x), self.proportions(y));
        let (own, others) = gradient.split_at_mut(2);
        let mut side = 0;
        split(&self.sides, others, |kernel, gradient| {
            kernel.covariance().gradient(x, y, gradient);
            for entry in gradient {
                *entry *= left[side] * right[side];
            }
            side += 1;
        });
        // d(σσ')/ds = σσ' ((1 - σ) + (1 - σ')) per step of both, and the negative on the other side.
        let slope = |steps: [f64; 2]| {
            let [before, after] = [0, 1].map(|side| left[side] * right[side] * self.sides[side].value(x, y));
            let after = after * (left[0] * steps[0] + right[0] * steps[1]);
            let before = before * (left[1] * steps[0] + right[1] * steps[1]);
            after - before
        };
        own[0] = slope([-self.width.recip(); 2]);
        // Beyond 1000 steps a proportion is 0 or 1 and does not change.
        own[1] = slope([x, y].map(|x| -self.steps(x).clamp(-1000.0, 1000.0)));
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        let mut parameters = vec![
            KernelParameter::real("change_point.location", self.location),
            KernelParameter::positive("change_point.width", self.width),
        ];
        parameters.extend(self.sides.iter().flat_map(|side| side.covariance().parameters()));
        parameters
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        let mut sides = rebuild(&self.sides, &values[2..])?.into_iter();
        match (sides.next(), sides.next()) {
            (Some(before), Some(after)) => Kernel::change_point(before, after, values[0], values[1]),
            _ => Err(ParamError::new("change_point", "number of sides", 0.0, "2")),
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [before, after] = &self.sides;
        write!(f, "change_point({before}, {after}, {}, {})", self.location, self.width)
    }

    fn function_name(&self) -> Option<String> {
        self.sides.iter().find_map(Kernel::function_name)
    }

    fn dimension(&self) -> Option<usize> {
        Some(1)
    }

    fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        self.sides.iter().try_for_each(|side| side.check(inputs))
    }
}
