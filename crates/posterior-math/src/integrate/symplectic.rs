//! Symplectic integrators of H(q, p) = U(q) + K(p).

use crate::vector::add_multiple;

/// A Hamiltonian that is the sum of a function of the position and one of the momentum.
pub trait SeparableHamiltonian {
    /// Writes ∇U(q).
    fn potential_gradient(&mut self, position: &[f64], gradient: &mut [f64]);

    /// Writes ∇K(p), the velocity. By default the momentum: unit masses.
    fn velocity(&mut self, momentum: &[f64], velocity: &mut [f64]) {
        velocity.copy_from_slice(momentum);
    }
}

/// Every `FnMut(&[f64], &mut [f64])` that writes ∇U is a Hamiltonian with unit masses.
impl<F: FnMut(&[f64], &mut [f64])> SeparableHamiltonian for F {
    fn potential_gradient(&mut self, position: &[f64], gradient: &mut [f64]) {
        self(position, gradient);
    }
}

/// Moves position and momentum by `steps` leapfrog steps (of Störmer and Verlet): order 2, symplectic,
/// reversible.
///
/// It takes `steps` + 1 gradients. On U = ω²q²/2 it is stable for `step` < 2/ω, and the energy stays within a
/// band of relative width (ω step)² / 4.
///
/// # Panics
/// If position and momentum differ in length.
///
/// ```
/// use posterior_math::integrate::leapfrog;
///
/// let mut spring = |q: &[f64], gradient: &mut [f64]| gradient.copy_from_slice(q);
/// let (mut q, mut p) = ([1.0], [0.0]);
/// leapfrog(&mut spring, &mut q, &mut p, 0.01, 314);
/// assert!((q[0] - 3.14_f64.cos()).abs() < 1e-5);
/// ```
#[track_caller]
pub fn leapfrog(
    system: &mut (impl SeparableHamiltonian + ?Sized),
    position: &mut [f64],
    momentum: &mut [f64],
    step: f64,
    steps: usize,
) {
    compose(system, position, momentum, (0..steps).map(|_| step));
}

/// Moves position and momentum by `steps` steps of Yoshida's: order 4, symplectic, reversible.
///
/// A step is three leapfrog steps, of which the middle one goes back: it takes 3 `steps` + 1 gradients.
///
/// # References
/// H. Yoshida, Construction of higher order symplectic integrators, Physics Letters A 150, 1990.
///
/// # Panics
/// If position and momentum differ in length.
#[track_caller]
pub fn yoshida(
    system: &mut (impl SeparableHamiltonian + ?Sized),
    position: &mut [f64],
    momentum: &mut [f64],
    step: f64,
    steps: usize,
) {
    let outer = (2.0 - 2_f64.cbrt()).recip();
    let inner = 1.0 - 2.0 * outer;
    let lengths = (0..steps).flat_map(|_| [outer * step, inner * step, outer * step]);
    compose(system, position, momentum, lengths);
}

/// Leapfrog steps of these lengths, in which the kicks between two steps are one.
#[track_caller]
fn compose(
    system: &mut (impl SeparableHamiltonian + ?Sized),
    position: &mut [f64],
    momentum: &mut [f64],
    lengths: impl Iterator<Item = f64>,
) {
    assert_eq!(position.len(), momentum.len(), "position and momentum of different lengths");
    let mut slope = vec![0.0; position.len()];
    let mut last = None;
    for length in lengths {
        system.potential_gradient(position, &mut slope);
        add_multiple(momentum, -0.5 * (last.unwrap_or(0.0) + length), &slope);
        system.velocity(momentum, &mut slope);
        add_multiple(position, length, &slope);
        last = Some(length);
    }
    if let Some(length) = last {
        system.potential_gradient(position, &mut slope);
        add_multiple(momentum, -0.5 * length, &slope);
    }
}
