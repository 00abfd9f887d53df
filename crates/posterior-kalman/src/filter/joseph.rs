//! The recursion of covariances in the form of Joseph.

#![expect(clippy::inline_always, reason = "with sizes that are known, only what is inlined is unrolled")]

use super::exact;
use super::recursion::{Recursion, Scratch};
use crate::reflection::{product, product_transposed};
use crate::{Error, Matrices, ObservationEquation, StateSpace, TransitionEquation};

/// Distributions as covariances.
#[derive(Debug)]
pub(crate) struct Joseph;

impl Recursion for Joseph {
    fn transition_noise(equation: &TransitionEquation) -> &Matrices {
        equation.noise()
    }

    fn observation_noise(equation: &ObservationEquation) -> &Matrices {
        equation.noise()
    }

    fn initial(model: &StateSpace) -> Result<Vec<f64>, Error> {
        Ok(model.initial().distribution().covariance().as_slice().to_vec())
    }

    #[inline(always)]
    fn predict(
        n: usize,
        transition: &[f64],
        noise: &[f64],
        distribution: &mut [f64],
        scratch: &mut Scratch<'_>,
    ) {
        // P Aᵀ, turned to A P since P is symmetric: both products pass over the zeros of A.
        product_transposed(n, n, n, distribution, transition, scratch.square);
        for j in 0..n {
            for i in 0..n {
                scratch.other[j * n + i] = scratch.square[i * n + j];
            }
        }
        product_transposed(n, n, n, scratch.other, transition, distribution);
        for (entry, noise) in distribution.iter_mut().zip(noise) {
            *entry += noise;
        }
        symmetrize(n, distribution);
    }

    #[inline(always)]
    fn update(
        (n, m): (usize, usize),
        (observation, noise): (&[f64], &[f64]),
        distribution: &mut [f64],
        (s, gain): (&mut [f64], &mut [f64]),
        scratch: &mut Scratch<'_>,
    ) -> bool {
        product_transposed(n, n, m, distribution, observation, gain);
        product(m, n, m, observation, gain, s);
        for (entry, noise) in s.iter_mut().zip(noise) {
            *entry += noise;
        }
        let exact = exact::any(m, noise);
        if exact {
            for (i, size) in scratch.sizes[..n].iter_mut().enumerate() {
                *size = distribution[i * n + i].max(0.0).sqrt();
            }
        }
        if !factor(m, s) || exact && is_known((n, m), (observation, noise), s, scratch.sizes) {
            return false;
        }
        divide_by_transpose(n, m, s, gain);
        let optimal = &mut scratch.tall[..n * m];
        optimal.copy_from_slice(gain);
        divide(n, m, s, optimal);
        // (I - K H) P = P - G Gᵀ =: X, then X (I - K H)ᵀ = X - (X Hᵀ) Kᵀ: by vectors, of which there are m.
        subtract_outer(n, m, gain, gain, distribution);
        let moved = &mut scratch.wide[..n * m];
        product_transposed(n, n, m, distribution, observation, moved);
        subtract_outer(n, m, moved, optimal, distribution);
        let weighted = &mut scratch.wide[..n * m];
        product(n, m, m, optimal, noise, weighted);
        for j in 0..n {
            for l in 0..m {
                let factor = optimal[l * n + j];
                for i in 0..n {
                    distribution[j * n + i] += weighted[l * n + i] * factor;
                }
            }
        }
        symmetrize(n, distribution);
        if exact {
            settle(n, distribution, scratch.sizes);
        }
        true
    }

    fn select(m: usize, noise: &[f64], which: &[usize], _: &mut Scratch<'_>, out: &mut [f64]) {
        let places = which.iter().flat_map(|&column| which.iter().map(move |&row| column * m + row));
        for (entry, place) in out.iter_mut().zip(places) {
            *entry = noise[place];
        }
    }

    fn change(n: usize, before: &[f64], after: &[f64]) -> f64 {
        let mut most = 0.0;
        for j in 0..n {
            for i in j..n {
                let change = after[j * n + i] - before[j * n + i];
                let size = after[j * n + j] * after[i * n + i];
                if change * change > most * size {
                    most = change * change / size;
                }
            }
        }
        most
    }
}

/// X := X - A Bᵀ, for A and B (n x m).
#[inline(always)]
fn subtract_outer(n: usize, m: usize, a: &[f64], b: &[f64], x: &mut [f64]) {
    for j in 0..n {
        for l in 0..m {
            let factor = b[l * n + j];
            for i in 0..n {
                x[j * n + i] -= a[l * n + i] * factor;
            }
        }
    }
}

/// The mean of a matrix and its transpose.
#[inline(always)]
fn symmetrize(n: usize, matrix: &mut [f64]) {
    for j in 0..n {
        for i in j + 1..n {
            let mean = 0.5 * (matrix[j * n + i] + matrix[i * n + j]);
            matrix[j * n + i] = mean;
            matrix[i * n + j] = mean;
        }
    }
}

/// The lower Cholesky factor in place; whether all pivots are positive beyond rounding.
#[inline(always)]
fn factor(m: usize, s: &mut [f64]) -> bool {
    for j in 0..m {
        let before = s[j * m + j];
        for k in 0..j {
            let along = s[k * m + j];
            for i in j..m {
                s[j * m + i] -= s[k * m + i] * along;
            }
        }
        let pivot = s[j * m + j];
        if pivot <= 4.0 * f64::EPSILON * m as f64 * before.abs() {
            return false;
        }
        let root = pivot.sqrt();
        for i in j..m {
            s[j * m + i] /= root;
        }
        for i in 0..j {
            s[j * m + i] = 0.0;
        }
    }
    true
}

/// X := X L⁻ᵀ, for X (n x m) and L lower triangular.
#[inline(always)]
fn divide_by_transpose(n: usize, m: usize, l: &[f64], x: &mut [f64]) {
    for j in 0..m {
        for k in 0..j {
            let factor = l[k * m + j];
            for i in 0..n {
                x[j * n + i] -= x[k * n + i] * factor;
            }
        }
        for i in 0..n {
            x[j * n + i] /= l[j * m + j];
        }
    }
}

/// X := X L⁻¹, for X (n x m) and L lower triangular.
#[inline(always)]
fn divide(n: usize, m: usize, l: &[f64], x: &mut [f64]) {
    for j in (0..m).rev() {
        for k in j + 1..m {
            let factor = l[j * m + k];
            for i in 0..n {
                x[j * n + i] -= x[k * n + i] * factor;
            }
        }
        for i in 0..n {
            x[j * n + i] /= l[j * m + j];
        }
    }
}

/// Whether a component without noise is known beforehand, up to rounding; of the states, `sizes` are the
/// standard deviations.
#[cold]
fn is_known(
    (n, m): (usize, usize),
    (observation, noise): (&[f64], &[f64]),
    s: &[f64],
    sizes: &[f64],
) -> bool {
    let mut exact = (0..m).filter(|&i| noise[i * m + i] == 0.0);
    exact.any(|i| s[i * m + i] <= exact::rounding(n).sqrt() * exact::reach(m, i, observation, sizes))
}

/// After components without noise: the variances that are but rounding of what they were are zero.
#[cold]
fn settle(n: usize, distribution: &mut [f64], sizes: &[f64]) {
    for (i, size) in sizes[..n].iter().enumerate() {
        if distribution[i * n + i] <= exact::rounding(n) * size * size {
            distribution[i * n..(i + 1) * n].fill(0.0);
            distribution.iter_mut().skip(i).step_by(n).for_each(|entry| *entry = 0.0);
        }
    }
}
