//! Integrals of functions of one variable, and expectations under a normal distribution.
//!
//! | for | use |
//! |---|---|
//! | any interval, any integrand, an error estimate | [`gauss_kronrod`], with breakpoints [`gauss_kronrod_pieces`] |
//! | a smooth integrand on a finite interval, many times | [`GaussLegendre`] |
//! | E g(f) for a normal f | [`GaussHermite`] |
//! | an analytic integrand that decays on the real line, to all digits | [`trapezoid`] |
//! | singularities at the ends | [`tanh_sinh`] |
//!
//! The adaptive functions stop at a limit of evaluations, and say in the [`Integral`] whether they reached
//! the tolerance.

mod gauss;
mod gauss_kronrod;
mod integral;
mod trapezoid;

pub use gauss::{GaussHermite, GaussLegendre};
pub use gauss_kronrod::{gauss_kronrod, gauss_kronrod_pieces};
pub use integral::{Integral, QuadratureOptions};
pub use trapezoid::{tanh_sinh, trapezoid};
