//! Draws of a number by slice sampling.

use posterior_dist::target::FromFn;
use posterior_sampling::slice::{Expansion, Slice};
use posterior_sampling::{State as _, Transition as _};
use rand::Rng;

/// The width of a first interval, and how many of them a slice may have.
const WIDTH: f64 = 1.0;
const MOST_WIDTHS: u32 = 64;

/// Numbers, or logarithms of positive ones, stay within this and its negative.
const BOUND: f64 = 69.0;

/// A positive number after one step from `at` in its logarithm, of which `ln_density` is the density, at the
/// number. It is finite from e^-69 to e^69, and the number stays there.
///
/// Cost: some ten densities.
pub(crate) fn draw_positive<R: Rng + ?Sized>(
    at: f64,
    ln_density: impl Fn(f64) -> f64,
    rng: &mut R,
) -> f64 {
    draw_real(at.ln(), |ln: f64| ln_density(ln.exp()), rng).exp()
}

/// A number after one step from `at`, from -69 to 69. The density is finite at the first.
///
/// Cost: some ten densities.
pub(crate) fn draw_real<R: Rng + ?Sized>(at: f64, ln_density: impl Fn(f64) -> f64, rng: &mut R) -> f64 {
    let target =
        FromFn::new(1, |x: &[f64]| if x[0].abs() <= BOUND { ln_density(x[0]) } else { f64::NEG_INFINITY });
    let expansion = Expansion::SteppingOut { limit: Some(MOST_WIDTHS) };
    let slice = Slice::new(&[WIDTH])
        .and_then(|slice| slice.with_expansion(expansion))
        .expect("invariant: width and limit are positive");
    let moved = slice.init(&target, &[at.clamp(-BOUND, BOUND)]).and_then(|mut state| {
        slice.step(&target, &mut state, rng)?;
        Ok(state.position()[0])
    });
    moved.expect("invariant: the density of a number within its range is finite")
}
