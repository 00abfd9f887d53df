//! A mixture of two normal distributions.

use posterior_dist::formula::{beta, half_normal, normal};
use posterior_dist::target::{EvalError, GradTarget, Joint, JointModel, Target};
use posterior_math::autodiff::{Real, ln_sum_exp};
use posterior_math::bijection::{Bijector, Elementwise, Exp, IntervalMap, Ordered, ProductMap};

use super::model::{Parameters, checked};

/// y ~ θ N(μ₁, σ₁²) + (1 - θ) N(μ₂, σ₂²) with μ₁ < μ₂, μ ~ N(0, 2²), σ ~ half-normal(2), θ ~ Beta(5, 5); the
/// free coordinates are (μ₁, ln(μ₂ - μ₁), ln σ₁, ln σ₂, logit θ).
#[derive(Debug)]
pub struct TwoNormals {
    observations: Vec<f64>,
    support: ProductMap,
}

impl TwoNormals {
    /// The posterior of these observations.
    pub fn new(observations: Vec<f64>) -> Self {
        let unit = IntervalMap::logit(0.0, 1.0).unwrap_or_else(|error| super::fail(&error.to_string()));
        let support = ProductMap::default()
            .and(Ordered::new(2))
            .and(Elementwise::new(Exp, 2))
            .and(Elementwise::new(unit, 1));
        Self { observations, support }
    }

    /// ln p of the parameters (μ₁, μ₂, σ₁, σ₂, θ) and its gradient in them.
    fn constrained(&self, x: &[f64; 5]) -> (f64, [f64; 5]) {
        let &[m1, m2, s1, s2, theta] = x;
        let (r1, r2) = (1.0 / s1, 1.0 / s2);
        let (ln_theta, ln_rest) = (theta.ln(), (-theta).ln_1p());
        let (first, second) = (ln_theta - s1.ln(), ln_rest - s2.ln());
        let mut sum = 4.0 * (ln_theta + ln_rest) - 0.125 * x[..4].iter().map(|x| x * x).sum::<f64>();
        let mut slope = [-0.25 * m1, -0.25 * m2, -0.25 * s1, -0.25 * s2, 4.0 / theta - 4.0 / (1.0 - theta)];
        let mut weight = 0.0;
        for &y in &self.observations {
            let (z1, z2) = ((y - m1) * r1, (y - m2) * r2);
            let (a, b) = (first - 0.5 * z1 * z1, second - 0.5 * z2 * z2);
            let small = (-(a - b).abs()).exp();
            sum += a.max(b) + small.ln_1p();
            let p = if a >= b { 1.0 / (1.0 + small) } else { small / (1.0 + small) };
            weight += p;
            slope[0] += p * z1 * r1;
            slope[1] += (1.0 - p) * z2 * r2;
            slope[2] += p * (z1 * z1 - 1.0) * r1;
            slope[3] += (1.0 - p) * (z2 * z2 - 1.0) * r2;
        }
        slope[4] += weight / theta - (self.observations.len() as f64 - weight) / (1.0 - theta);
        (sum, slope)
    }
}

impl Target for TwoNormals {
    fn dim(&self) -> usize {
        5
    }

    fn ln_density(&self, free: &[f64]) -> Result<f64, EvalError> {
        let mut x = [0.0; 5];
        let ln_jacobian = self.support.forward(free, &mut x);
        checked(self.constrained(&x).0 + ln_jacobian)
    }
}

impl GradTarget for TwoNormals {
    fn ln_density_grad(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let mut x = [0.0; 5];
        let ln_jacobian = self.support.forward(free, &mut x);
        let (sum, slope) = self.constrained(&x);
        self.support.pull_back(free, &slope, gradient);
        checked(sum + ln_jacobian)
    }
}

impl JointModel for TwoNormals {
    fn write<R: Real>(&self, joint: &mut Joint<'_, R>) {
        let mu = joint.ascending("mu", 2);
        let sigma = joint.positives("sigma", 2);
        let theta = joint.probability("theta");
        joint.add(beta(theta, 5.0, 5.0));
        for k in 0..2 {
            joint.add(normal(mu[k], 0.0, 2.0));
            joint.add(half_normal(sigma[k], 2.0));
        }
        for &y in &self.observations {
            let [first, second]: [R; 2] = [0, 1].map(|k| normal(y, mu[k], sigma[k]));
            joint.add(ln_sum_exp(&[theta.ln() + first, (-theta).ln_1p() + second]));
        }
    }
}

/// μ, σ, θ.
impl Parameters for TwoNormals {
    fn constrain(&self, free: &[f64], parameters: &mut [f64]) {
        self.support.forward(free, parameters);
    }

    fn unconstrain(&self, parameters: &[f64]) -> Vec<f64> {
        let mut free = vec![0.0; 5];
        self.support.inverse(parameters, &mut free);
        free
    }
}
