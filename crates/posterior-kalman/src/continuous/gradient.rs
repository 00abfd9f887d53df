//! Derivatives of the matrices of a process with respect to its parameters.

use posterior_math::autodiff::{Dual, Real};
use posterior_math::linalg::{DMatrix, Discretization};

use super::Process;
use super::block::Block;

/// Pulls gradients with respect to the matrices of a process back to the logarithms of its parameters.
///
/// It owns what it needs to work, so that a million steps take no memory.
///
/// ```
/// use posterior_kalman::continuous::Process;
///
/// let process = Process::matern12(2.0)?;
/// let mut gradient = [0.0];
/// // The derivative of A = e^(-dt/l) with respect to ln l is A dt/l.
/// process.gradient().pull_back_step((0.0, 1.0), &[1.0], &[0.0], &mut gradient);
/// assert!((gradient[0] - 0.5 * (-0.5_f64).exp()).abs() < 1e-15);
/// # Ok::<(), posterior_kalman::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ProcessGradient {
    process: Process,
    values: Vec<f64>,
    parameters: Vec<Dual<1>>,
    transition: Vec<Dual<1>>,
    noise: Vec<Dual<1>>,
}

impl Process {
    /// What pulls gradients back to the parameters.
    pub fn gradient(&self) -> ProcessGradient {
        let entries = vec![Dual::constant(0.0); self.states() * self.states()];
        let values: Vec<f64> = self.expression.constants();
        ProcessGradient {
            process: self.clone(),
            parameters: values.iter().map(|&value| Dual::constant(value)).collect(),
            values,
            transition: entries.clone(),
            noise: entries,
        }
    }

    /// dA/d ln θ and dQ/d ln θ of a step, for each parameter.
    pub fn step_derivatives(&self, from: f64, dt: f64) -> Vec<Discretization> {
        let mut gradient = self.gradient();
        (0..gradient.values.len())
            .map(|index| {
                gradient.differentiate_step(index, (from, dt));
                Discretization {
                    transition: gradient.matrix(&gradient.transition),
                    noise: gradient.matrix(&gradient.noise),
                }
            })
            .collect()
    }

    /// dP(t)/d ln θ, for each parameter.
    pub fn covariance_derivatives(&self, time: f64) -> Vec<DMatrix<f64>> {
        let mut gradient = self.gradient();
        (0..gradient.values.len())
            .map(|index| {
                gradient.differentiate_covariance(index, time);
                gradient.matrix(&gradient.noise)
            })
            .collect()
    }
}

impl ProcessGradient {
    /// Adds Σ Uᵢⱼ dAᵢⱼ/d ln θ + Σ Vᵢⱼ dQᵢⱼ/d ln θ to `gradient`, for each parameter θ and the step from a
    /// time over a length. The weights U and V stand column by column.
    ///
    /// # Panics
    /// If `gradient` has not one number for each parameter. Weights that are missing are zero.
    #[track_caller]
    pub fn pull_back_step(
        &mut self,
        (from, dt): (f64, f64),
        transition_weights: &[f64],
        noise_weights: &[f64],
        gradient: &mut [f64],
    ) {
        assert_eq!(gradient.len(), self.values.len(), "one derivative for each parameter");
        for (index, sum) in gradient.iter_mut().enumerate() {
            self.differentiate_step(index, (from, dt));
            *sum += weighted(&self.transition, transition_weights) + weighted(&self.noise, noise_weights);
        }
    }

    /// Adds Σ Wᵢⱼ dPᵢⱼ(t)/d ln θ to `gradient`, for each parameter θ.
    ///
    /// # Panics
    /// If `gradient` has not one number for each parameter.
    #[track_caller]
    pub fn pull_back_covariance(&mut self, time: f64, weights: &[f64], gradient: &mut [f64]) {
        assert_eq!(gradient.len(), self.values.len(), "one derivative for each parameter");
        for (index, sum) in gradient.iter_mut().enumerate() {
            self.differentiate_covariance(index, time);
            *sum += weighted(&self.noise, weights);
        }
    }

    fn differentiate_step(&mut self, index: usize, step: (f64, f64)) {
        self.move_only(index);
        let n = self.process.states();
        let (a, q) = (&mut self.transition, &mut self.noise);
        self.process.expression.step(
            &mut &self.parameters[..],
            step,
            &mut Block::whole(a, n),
            &mut Block::whole(q, n),
        );
    }

    /// Into the place of the noise.
    fn differentiate_covariance(&mut self, index: usize, time: f64) {
        self.move_only(index);
        let n = self.process.states();
        let block = &mut Block::whole(&mut self.noise, n);
        self.process.expression.covariance(&mut &self.parameters[..], time, block);
    }

    /// Differentiates with respect to the logarithm of one parameter: dθ/d ln θ = θ.
    fn move_only(&mut self, index: usize) {
        for (place, (parameter, &value)) in self.parameters.iter_mut().zip(&self.values).enumerate() {
            *parameter = Dual::new(value, [if place == index { value } else { 0.0 }]);
        }
    }

    fn matrix(&self, entries: &[Dual<1>]) -> DMatrix<f64> {
        let n = self.process.states();
        DMatrix::from_iterator(n, n, entries.iter().map(|entry| entry.derivatives()[0]))
    }
}

fn weighted(entries: &[Dual<1>], weights: &[f64]) -> f64 {
    entries.iter().zip(weights).map(|(entry, weight)| entry.derivatives()[0] * weight).sum()
}
