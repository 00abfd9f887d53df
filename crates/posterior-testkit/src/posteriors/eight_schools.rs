//! Coaching in schools: a small hierarchy.

use posterior_dist::formula::{half_cauchy, normal};
use posterior_dist::target::{EvalError, GradTarget, Joint, JointModel, Target};
use posterior_math::autodiff::Real;

use super::model::{Parameters, checked};
use super::scale_prior::ScalePrior;

const MEAN_SD: f64 = 5.0;
const TAU_PRIOR: ScalePrior = ScalePrior::HalfCauchy(5.0);

/// y ~ N(θ, s²) with θ = μ + τ z, z ~ N(0, 1), μ ~ N(0, 5²), τ ~ half-Cauchy(5); the free coordinates are (μ,
/// ln τ, z), not centred.
#[derive(Debug, Clone, PartialEq)]
pub struct EightSchools {
    effects: Vec<f64>,
    sds: Vec<f64>,
}

impl EightSchools {
    /// The posterior of these measured effects with their standard errors.
    ///
    /// # Panics
    /// If there are more of the one than of the other.
    #[track_caller]
    pub fn new(effects: Vec<f64>, sds: Vec<f64>) -> Self {
        assert_eq!(effects.len(), sds.len(), "effects and their standard errors");
        Self { effects, sds }
    }

    /// The data of Rubin (1981).
    pub fn rubin() -> Self {
        let effects = [28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0];
        let sds = [15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0];
        Self::new(effects.to_vec(), sds.to_vec())
    }

    fn schools(&self) -> impl Iterator<Item = (f64, f64)> {
        self.effects.iter().copied().zip(self.sds.iter().copied())
    }
}

impl Target for EightSchools {
    fn dim(&self) -> usize {
        self.effects.len() + 2
    }

    fn ln_density(&self, free: &[f64]) -> Result<f64, EvalError> {
        self.ln_density_grad(free, &mut vec![0.0; free.len()])
    }
}

impl GradTarget for EightSchools {
    fn ln_density_grad(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let (mu, tau) = (free[0], free[1].exp());
        let (hyper, slopes) = gradient.split_at_mut(2);
        let mut sum = free[1] + TAU_PRIOR.ln_density(tau) - 0.5 * (mu / MEAN_SD).powi(2);
        let (mut by_mu, mut by_tau) = (-mu / MEAN_SD.powi(2), 0.0);
        for (((y, s), z), slope) in self.schools().zip(&free[2..]).zip(slopes) {
            let residual = (y - mu - tau * z) / s;
            sum -= 0.5 * (z * z + residual * residual);
            let pull = residual / s;
            by_mu += pull;
            by_tau += pull * z;
            *slope = tau * pull - z;
        }
        hyper[0] = by_mu;
        hyper[1] = tau * by_tau + TAU_PRIOR.ln_derivative(tau) + 1.0;
        checked(sum)
    }
}

impl JointModel for EightSchools {
    fn write<R: Real>(&self, joint: &mut Joint<'_, R>) {
        let mu = joint.real("mu");
        let tau = joint.positive("tau");
        let z = joint.reals("z", self.effects.len());
        joint.add(normal(mu, 0.0, MEAN_SD));
        joint.add(half_cauchy(tau, 5.0));
        for ((effect, error), &z) in self.schools().zip(&z) {
            joint.add(normal(z, 0.0, 1.0));
            joint.add(normal(effect, mu + tau * z, error));
        }
    }
}

/// θ, μ, τ.
impl Parameters for EightSchools {
    fn constrain(&self, free: &[f64], parameters: &mut [f64]) {
        let (mu, tau) = (free[0], free[1].exp());
        let schools = self.effects.len();
        for (theta, z) in parameters.iter_mut().zip(&free[2..]) {
            *theta = mu + tau * z;
        }
        parameters[schools..].copy_from_slice(&[mu, tau]);
    }

    fn unconstrain(&self, parameters: &[f64]) -> Vec<f64> {
        let (theta, hyper) = parameters.split_at(self.effects.len());
        let (mu, tau) = (hyper[0], hyper[1]);
        [mu, tau.ln()].into_iter().chain(theta.iter().map(|theta| (theta - mu) / tau)).collect()
    }
}
