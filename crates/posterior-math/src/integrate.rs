//! Integrators of Hamiltonian and of ordinary differential equations.
//!
//! | for | order | use |
//! |---|---|---|
//! | Hamiltonian Monte Carlo | 2 | [`leapfrog`] |
//! | Hamiltonian dynamics to more digits | 4 | [`yoshida`] |
//! | any ordinary differential equation | 4 | [`runge_kutta`] |
//!
//! The first two are symplectic and reversible: the energy stays within a band for ever, volume is kept, and
//! the momentum reversed leads back. The third is neither, and its energy drifts.

mod runge_kutta;
mod symplectic;

pub use runge_kutta::runge_kutta;
pub use symplectic::{SeparableHamiltonian, leapfrog, yoshida};
