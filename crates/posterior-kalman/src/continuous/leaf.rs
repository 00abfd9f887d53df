//! Processes that are not made of others.

use std::ops::Deref;

use posterior_math::autodiff::Real;

use super::block::Block;
use super::dynamics::Dynamics;
use super::linear_system::LinearSystem;
use super::matern::Matern;
use super::polynomial::{Constant, IntegratedWiener, Linear};
use super::resonators::{Cosine, Periodic};
use super::squared_exponential::SquaredExponential;

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

    /// As [`Dynamics::step`].
    pub(super) fn step<R: Real>(
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

    /// As [`Dynamics::covariance`].
    pub(super) fn covariance<R: Real>(&self, parameters: &[R], time: f64, covariance: &mut Block<'_, R>) {
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
}

impl Deref for Leaf {
    type Target = dyn Dynamics;

    fn deref(&self) -> &(dyn Dynamics + 'static) {
        match self {
            Self::Constant(leaf) => leaf,
            Self::Linear(leaf) => leaf,
            Self::Wiener(leaf) => leaf,
            Self::Matern(leaf) => leaf,
            Self::Cosine(leaf) => leaf,
            Self::Periodic(leaf) => leaf,
            Self::SquaredExponential(leaf) => leaf,
            Self::System(leaf) => leaf,
        }
    }
}
