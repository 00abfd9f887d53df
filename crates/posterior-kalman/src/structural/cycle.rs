//! A cycle: a damped wave that noise keeps going.

use std::f64::consts::TAU;

use posterior_math::autodiff::Real;

use super::part::{Blocks, Part, Start, Timing};
use crate::continuous::block::Block;
use crate::learning::ParameterScale;

/// ψ(t+1) = ρ (rotation by 2π/period) ψ(t) + κ(t), from its stationary distribution, Cov ψ = σ²/(1 - ρ²).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cycle {
    /// The damping ρ is in (0, 1).
    pub(super) damping: ParameterScale,
}

impl Part for Cycle {
    fn name(&self) -> &'static str {
        "cycle"
    }

    fn parameters(&self) -> Vec<(String, ParameterScale)> {
        vec![
            ("period".to_owned(), ParameterScale::Positive),
            ("damping".to_owned(), self.damping),
            ("variance".to_owned(), ParameterScale::Positive),
        ]
    }

    fn states(&self, _: Timing) -> usize {
        2
    }

    /// ρ^dt, and σ² (1 - ρ^(2 dt)) / (1 - ρ²) for the noise: exact for steps of any length.
    fn step<R: Real>(&self, values: &[R], _: Timing, (_, dt): (f64, f64), mut to: Blocks<'_, R>) {
        let turns = values[0].recip() * dt;
        let whole = turns.value().floor();
        let angle = (turns - whole) * TAU;
        let ln_damping = values[1].ln();
        let damping = (ln_damping * dt).exp();
        to.transition.set(0, 0, damping * angle.cos());
        to.transition.set(1, 1, damping * angle.cos());
        to.transition.set(0, 1, damping * angle.sin());
        to.transition.set(1, 0, -(damping * angle.sin()));
        let proportion = (ln_damping * (2.0 * dt)).exp_m1() / (ln_damping * 2.0).exp_m1();
        to.noise.set(0, 0, values[2] * proportion);
        to.noise.set(1, 1, values[2] * proportion);
    }

    fn start<R: Real>(&self, values: &[R], _: f64, mut covariance: Block<'_, R>) -> Start {
        let variance = -(values[2] / (values[1].ln() * 2.0).exp_m1());
        covariance.set(0, 0, variance);
        covariance.set(1, 1, variance);
        Start::Known
    }
}
