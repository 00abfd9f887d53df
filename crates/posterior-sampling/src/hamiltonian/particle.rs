//! Where a Hamiltonian chain is, and its scratch memory.

use posterior_dist::target::GradTarget;

use super::leapfrog::Phase;
use crate::evaluation::at_start_grad;
use crate::{Error, State};

/// Where a Hamiltonian chain is, with its gradient; and the memory of a trajectory, which is taken once.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Particle {
    pub(super) place: Place,
    /// Carries nothing from step to step.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) scratch: Scratch,
}

/// A place, and what the density is there.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Place {
    pub(super) position: Vec<f64>,
    pub(super) gradient: Vec<f64>,
    pub(super) ln_density: f64,
}

/// The memory of a trajectory.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    /// The first point in time and the last.
    pub(super) ends: [Phase; 2],
    /// The point that a step writes; afterwards the one before.
    pub(super) next: Phase,
    /// The sum of the momenta of all points.
    pub(super) sum: Vec<f64>,
    /// Zeros.
    pub(super) nothing: Vec<f64>,
    /// The end that grows, as it was before it grew.
    pub(super) near: Mark,
    /// The first points of unfinished pieces.
    pub(super) firsts: Vec<Mark>,
    /// The last points of the first halves of unfinished pieces.
    pub(super) halves: Vec<Mark>,
    /// What was drawn from the whole trajectory.
    pub(super) chosen: Place,
    /// What was drawn from the half that grows.
    pub(super) candidate: Place,
}

/// A point of a trajectory: its momentum, and the sum of those before it.
#[derive(Debug, Clone, Default)]
pub(super) struct Mark {
    pub(super) momentum: Vec<f64>,
    pub(super) before: Vec<f64>,
}

impl Particle {
    pub(super) fn new<T: GradTarget + ?Sized>(target: &T, position: &[f64]) -> Result<Self, Error> {
        let mut place = Place::zeros(position.len());
        place.position.copy_from_slice(position);
        place.ln_density = at_start_grad(target, position, &mut place.gradient)?;
        Ok(Self { place, scratch: Scratch::default() })
    }
}

impl State for Particle {
    fn position(&self) -> &[f64] {
        &self.place.position
    }

    fn ln_density(&self) -> f64 {
        self.place.ln_density
    }
}

impl Place {
    pub(super) fn zeros(dim: usize) -> Self {
        Self { position: vec![0.0; dim], gradient: vec![0.0; dim], ln_density: 0.0 }
    }

    pub(super) fn copy_from(&mut self, phase: &Phase) {
        self.position.copy_from_slice(&phase.position);
        self.gradient.copy_from_slice(&phase.gradient);
        self.ln_density = phase.ln_density;
    }

    /// Writes the place, without a momentum.
    pub(super) fn write_to(&self, phase: &mut Phase) {
        phase.position.copy_from_slice(&self.position);
        phase.gradient.copy_from_slice(&self.gradient);
        phase.ln_density = self.ln_density;
    }
}

impl Scratch {
    /// Memory for so many coordinates and trajectories of 2^depth points, unless it is there.
    pub(super) fn fit(&mut self, dim: usize, depth: usize) {
        if self.nothing.len() != dim || self.ends[0].position.len() != dim {
            let phase = Phase::zeros(dim);
            *self = Self {
                ends: [phase.clone(), phase.clone()],
                next: phase,
                sum: vec![0.0; dim],
                nothing: vec![0.0; dim],
                near: Mark::zeros(dim),
                firsts: Vec::new(),
                halves: Vec::new(),
                chosen: Place::zeros(dim),
                candidate: Place::zeros(dim),
            };
        }
        if self.firsts.len() < depth {
            self.firsts.resize_with(depth, || Mark::zeros(dim));
            self.halves.resize_with(depth, || Mark::zeros(dim));
        }
    }
}

impl Mark {
    fn zeros(dim: usize) -> Self {
        Self { momentum: vec![0.0; dim], before: vec![0.0; dim] }
    }

    /// Of a point whose momentum is the last term of `sum`.
    pub(super) fn set(&mut self, momentum: &[f64], sum: &[f64]) {
        self.momentum.copy_from_slice(momentum);
        for ((before, sum), momentum) in self.before.iter_mut().zip(sum).zip(momentum) {
            *before = sum - momentum;
        }
    }
}
