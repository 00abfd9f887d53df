//! The disturbance smoother: how ln p(y) changes with the mean of the state at each time, and with that of
//! each observation.
//!
//! A forward pass of the filter (covariances by Joseph's form) remembers innovations and gains; a backward
//! pass gives the adjoints r = ∂ ln p(y) / ∂ E[x] and N = -∂² ln p(y) / ∂ E[x]², from which follow the
//! smoothed states and noises, without the inverse of any covariance of states or noises. A diffuse start
//! x(0) = μ + D β + ξ is carried along exactly: all means are functions of β, whose distribution given y is
//! found at the end of the forward pass.
//!
//! # References
//! J. Durbin, S. J. Koopman, Time Series Analysis by State Space Methods, 2nd ed., sections 4.5 and 5.7.
//! P. de Jong, The diffuse Kalman filter, Annals of Statistics 19, 1991.

mod adjoint;
mod directions;
mod forward;

pub(crate) use adjoint::Adjoint;
pub(crate) use directions::Directions;
pub(crate) use forward::{Forward, Update, ahead};
