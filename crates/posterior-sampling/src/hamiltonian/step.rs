//! What happened in a step, for both kinds of trajectories.

use crate::{DivergentTransition, Info};

/// What happened on a trajectory.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Travelled {
    /// The mean of min(1, e^-ΔH) over the points of the trajectory, the start not counted.
    pub acceptance_rate: f64,
    /// The mean of 2 min(1, e^-ΔH) / (1 + e^-ΔH) over the same points, which punishes errors of either sign.
    pub symmetric_acceptance_rate: f64,
    /// The step size.
    pub step_size: f64,
    /// How often the trajectory was doubled, the last time counted even where it was given up; 0 on a path of
    /// given length.
    pub tree_depth: usize,
    /// Leapfrog steps, which is gradients.
    pub n_steps: usize,
    /// The energy of the draw, with the momentum it came with.
    pub energy: f64,
    /// That, less the energy at the start.
    pub energy_error: f64,
    /// The largest error by size on the trajectory, divergences not counted.
    pub max_energy_error: f64,
    /// Whether the trajectory ended only because it may not be longer.
    pub reached_max_depth: bool,
    /// The steps from the start to the draw, negative for back in time.
    pub moved: i64,
    /// The divergence, if the trajectory ended in one.
    pub divergence: Option<DivergentTransition>,
    pub(super) diverging: bool,
}

impl Info for Travelled {
    const NAMES: &'static [&'static str] = &[
        "acceptance_rate",
        "step_size",
        "tree_depth",
        "n_steps",
        "diverging",
        "energy",
        "energy_error",
        "max_energy_error",
        "reached_max_treedepth",
    ];

    fn write(&self, numbers: &mut [f64]) {
        numbers.copy_from_slice(&[
            self.acceptance_rate,
            self.step_size,
            self.tree_depth as f64,
            self.n_steps as f64,
            f64::from(u8::from(self.diverging)),
            self.energy,
            self.energy_error,
            self.max_energy_error,
            f64::from(u8::from(self.reached_max_depth)),
        ]);
    }

    fn take_divergence(&mut self) -> Option<DivergentTransition> {
        self.divergence.take()
    }
}

/// The acceptance of a trajectory, point by point.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Acceptance {
    rate: f64,
    symmetric: f64,
    pub(super) steps: usize,
    pub(super) max_error: f64,
}

impl Acceptance {
    /// A point with the weight e^-ΔH.
    pub(super) fn add(&mut self, error: f64, weight: f64) {
        self.steps += 1;
        let rate = weight.min(1.0);
        self.rate += rate;
        // Both tend to 0 where the weight overflows.
        self.symmetric += 2.0 * rate / (1.0 + weight);
        if error.abs() > self.max_error.abs() {
            self.max_error = error;
        }
    }

    /// A point that can't be.
    pub(super) const fn add_divergence(&mut self) {
        self.steps += 1;
    }

    /// Both rates.
    pub(super) fn rates(&self) -> [f64; 2] {
        [self.rate, self.symmetric].map(|sum| if self.steps == 0 { 1.0 } else { sum / self.steps as f64 })
    }
}
