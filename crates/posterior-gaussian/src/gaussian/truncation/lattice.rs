//! Points that fill the cube evenly: multiples of the square roots of primes (Richtmyer), shifted at random
//! and folded.

use posterior_dist::stream::stream;
use rand::RngExt;

/// The fractions of the square roots of the first primes.
pub(super) fn generators(dimension: usize) -> Vec<f64> {
    let mut primes: Vec<u32> = Vec::with_capacity(dimension);
    let mut candidate = 2;
    while primes.len() < dimension {
        if primes.iter().take_while(|&&p| p * p <= candidate).all(|p| candidate % p != 0) {
            primes.push(candidate);
        }
        candidate += 1;
    }
    primes.into_iter().map(|p| f64::from(p).sqrt().fract()).collect()
}

/// The shift of one copy of the lattice.
pub(super) fn shift(dimension: usize, seed: u64, copy: u64) -> Vec<f64> {
    let mut rng = stream(seed, &[copy]);
    (0..dimension).map(|_| rng.random()).collect()
}

/// A coordinate of a point, inside of (0, 1).
pub(super) fn coordinate(generator: f64, shift: f64, index: usize) -> f64 {
    let place = (index as f64 * generator + shift).fract();
    (2.0 * place - 1.0).abs().clamp(f64::EPSILON, 1.0 - f64::EPSILON)
}
