//! Processes that are not made of others.

use posterior_math::autodiff::Real;

use super::block::Block;
use super::linear_system::LinearSystem;
use super::matern::Matern;
use super::polynomial::{Constant, IntegratedWiener, Linear};
use super::resonators::{Cosine, Periodic};
use super::squared_exponential::SquaredExponential;

/// What a process that is not made of others knows: its matrices, as functions of its parameters.
///
/// What is written must be the whole block.
pub(super) trait Dynamics {
    /// n.
    fn states(&self) -> usize;

    /// h.
    fn observation(&self) -> Vec<f64>;

    /// The first time at which there is such a process: -∞ or 0.
    fn origin(&self) -> f64 {
        f64::NEG_INFINITY
    }

    /// Whether the distribution of the state is the same at all times.
    fn is_stationary(&self) -> bool {
        true
    }

    /// A and Q of a step of length `dt`.
    fn step<R: Real>(
        &self,
        parameters: &[R],
        dt: f64,
        transition: &mut Block<'_, R>,
        noise: &mut Block<'_, R>,
    );

    /// The covariance of the state at a time.
    fn covariance<R: Real>(&self, parameters: &[R], time: f64, covariance: &mut Block<'_, R>);

    /// The largest error of the covariance function, if it is an approximation.
    fn error(&self, _parameters: &[f64]) -> f64 {
        0.0
    }
}

/// A process that is not made of others.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Leaf {
    Constant(Constant),
    Linear(Linear),
    Wiener(IntegratedWiener),
    Matern(Matern),
    Cosine(Cosine),
    Periodic(Periodic),
    SquaredExponential(SquaredExponential),
    System(LinearSystem),
}

impl Leaf {
    /// What it is called, and its parameters.
    pub(super) const fn names(&self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Constant(_) => ("constant", &[]),
            Self::Linear(_) => ("linear", &[]),
            Self::Wiener(wiener) => (wiener.name(), &[]),
            Self::Matern(matern) => (matern.name(), &["length_scale"]),
            Self::Cosine(_) => ("cosine", &["period"]),
            Self::Periodic(_) => ("periodic", &["length_scale", "period"]),
            Self::SquaredExponential(_) => ("rbf", &["length_scale"]),
            Self::System(_) => ("sde", &[]),
        }
    }
}

impl Dynamics for Leaf {
    fn states(&self) -> usize {
        match self {
            Self::Constant(leaf) => leaf.states(),
            Self::Linear(leaf) => leaf.states(),
            Self::Wiener(leaf) => leaf.states(),
            Self::Matern(leaf) => leaf.states(),
            Self::Cosine(leaf) => leaf.states(),
            Self::Periodic(leaf) => leaf.states(),
            Self::SquaredExponential(leaf) => leaf.states(),
            Self::System(leaf) => leaf.states(),
        }
    }

    fn observation(&self) -> Vec<f64> {
        match self {
            Self::Constant(leaf) => leaf.observation(),
            Self::Linear(leaf) => leaf.observation(),
            Self::Wiener(leaf) => leaf.observation(),
            Self::Matern(leaf) => leaf.observation(),
            Self::Cosine(leaf) => leaf.observation(),
            Self::Periodic(leaf) => leaf.observation(),
            Self::SquaredExponential(leaf) => leaf.observation(),
            Self::System(leaf) => leaf.observation(),
        }
    }

    fn origin(&self) -> f64 {
        match self {
            Self::Wiener(leaf) => leaf.origin(),
            Self::System(leaf) => leaf.origin(),
            _ => f64::NEG_INFINITY,
        }
    }

    fn is_stationary(&self) -> bool {
        match self {
            Self::Linear(leaf) => leaf.is_stationary(),
            Self::Wiener(leaf) => leaf.is_stationary(),
            Self::System(leaf) => leaf.is_stationary(),
            _ => true,
        }
    }

    fn step<R: Real>(
        &self,
        parameters: &[R],
        dt: f64,
        transition: &mut Block<'_, R>,
        noise: &mut Block<'_, R>,
    ) {
        match self {
            Self::Constant(leaf) => leaf.step(parameters, dt, transition, noise),
            Self::Linear(leaf) => leaf.step(parameters, dt, transition, noise),
            Self::Wiener(leaf) => leaf.step(parameters, dt, transition, noise),
            Self::Matern(leaf) => leaf.step(parameters, dt, transition, noise),
            Self::Cosine(leaf) => leaf.step(parameters, dt, transition, noise),
            Self::Periodic(leaf) => leaf.step(parameters, dt, transition, noise),
            Self::SquaredExponential(leaf) => leaf.step(parameters, dt, transition, noise),
            Self::System(leaf) => leaf.step(parameters, dt, transition, noise),
        }
    }

    fn covariance<R: Real>(&self, parameters: &[R], time: f64, covariance: &mut Block<'_, R>) {
        match self {
            Self::Constant(leaf) => leaf.covariance(parameters, time, covariance),
            Self::Linear(leaf) => leaf.covariance(parameters, time, covariance),
            Self::Wiener(leaf) => leaf.covariance(parameters, time, covariance),
            Self::Matern(leaf) => leaf.covariance(parameters, time, covariance),
            Self::Cosine(leaf) => leaf.covariance(parameters, time, covariance),
            Self::Periodic(leaf) => leaf.covariance(parameters, time, covariance),
            Self::SquaredExponential(leaf) => leaf.covariance(parameters, time, covariance),
            Self::System(leaf) => leaf.covariance(parameters, time, covariance),
        }
    }

    fn error(&self, parameters: &[f64]) -> f64 {
        match self {
            Self::Periodic(leaf) => leaf.error(parameters),
            Self::SquaredExponential(leaf) => leaf.error(parameters),
            _ => 0.0,
        }
    }
}
