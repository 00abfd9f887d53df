//! The ridge, and a round distribution around it.

use std::f64::consts::PI;

use posterior::dist::target::{EvalError, GradTarget, Target};
use posterior::sampling::gibbs::Conditionals;
use posterior::sampling::importance::NormalizedTarget;
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::RHO;

/// A normal distribution with variances 1 and correlation ρ.
pub(super) struct Ridge;

impl Target for Ridge {
    fn dim(&self) -> usize {
        2
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        Ok(-0.5 * (x[0] * x[0] - 2.0 * RHO * x[0] * x[1] + x[1] * x[1]) / (1.0 - RHO * RHO))
    }
}

impl GradTarget for Ridge {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let precision = 1.0 / (1.0 - RHO * RHO);
        gradient.copy_from_slice(&[(RHO * x[1] - x[0]) * precision, (RHO * x[0] - x[1]) * precision]);
        self.ln_density(x)
    }
}

/// Each coordinate given the other is normal with mean ρ times it and variance 1 - ρ².
impl Conditionals for Ridge {
    fn blocks(&self) -> usize {
        2
    }

    fn draw_block<R: Rng + ?Sized>(&self, block: usize, x: &mut [f64], rng: &mut R) -> Result<(), EvalError> {
        let noise: f64 = StandardNormal.sample(rng);
        x[block] = RHO * x[1 - block] + (1.0 - RHO * RHO).sqrt() * noise;
        Ok(())
    }
}

/// Independent normal coordinates: an envelope of the ridge if they are as wide as the ridge is long.
pub(super) struct Round {
    pub(super) dim: usize,
    pub(super) sd: f64,
}

impl Distribution<Vec<f64>> for Round {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        let mut x = vec![0.0; self.dim];
        self.draw(rng, &mut x);
        x
    }
}

impl Target for Round {
    fn dim(&self) -> usize {
        self.dim
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        Ok(self.ln_pdf(x))
    }
}

impl Round {
    pub(super) fn ln_pdf(&self, x: &[f64]) -> f64 {
        let squares: f64 = x.iter().map(|x| x * x).sum();
        -0.5 * squares / (self.sd * self.sd) - self.dim as f64 * (self.sd * (2.0 * PI).sqrt()).ln()
    }
}

impl NormalizedTarget for Round {
    fn draw<R: Rng + ?Sized>(&self, rng: &mut R, x: &mut [f64]) {
        for x in x {
            let z: f64 = StandardNormal.sample(rng);
            *x = self.sd * z;
        }
    }
}
