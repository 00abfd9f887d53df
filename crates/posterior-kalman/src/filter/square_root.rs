//! The recursion of roots F of the covariance P = F Fᵀ.
//!
//! T. Kailath, A. H. Sayed, B. Hassibi, Linear Estimation (2000), section 12.3.

#![expect(clippy::inline_always, reason = "with sizes that are known, only what is inlined is unrolled")]

use super::exact;
use super::recursion::{Recursion, Scratch};
use crate::reflection::{Array, product};
use crate::{Error, Matrices, ObservationEquation, StateSpace, TransitionEquation};

/// Distributions as roots of their covariances.
#[derive(Debug)]
pub(crate) struct SquareRoot;

impl Recursion for SquareRoot {
    fn transition_noise(equation: &TransitionEquation) -> &Matrices {
        equation.noise_root()
    }

    fn observation_noise(equation: &ObservationEquation) -> &Matrices {
        equation.noise_root()
    }

    fn initial(model: &StateSpace) -> Result<Vec<f64>, Error> {
        crate::equation::lower_root(model.initial().distribution()).map(|root| root.as_slice().to_vec())
    }

    /// [noise root, A F] becomes lower triangular.
    #[inline(always)]
    fn predict(
        n: usize,
        transition: &[f64],
        noise: &[f64],
        distribution: &mut [f64],
        scratch: &mut Scratch<'_>,
    ) {
        product(n, n, n, transition, distribution, scratch.square);
        distribution.copy_from_slice(noise);
        Array {
            pivots: n,
            block: n,
            below: 0,
            t: distribution,
            b: scratch.square,
            u: &mut [],
            c: &mut [],
            products: scratch.states,
            products_below: &mut [],
        }
        .reduce();
    }

    /// [noise root, H F; 0, F] becomes [S, 0; G, F'].
    #[inline(always)]
    fn update(
        (n, m): (usize, usize),
        (observation, noise): (&[f64], &[f64]),
        distribution: &mut [f64],
        (s, gain): (&mut [f64], &mut [f64]),
        scratch: &mut Scratch<'_>,
    ) -> bool {
        product(m, n, n, observation, distribution, scratch.wide);
        let exact = exact::any(m, noise);
        if exact {
            exact::sizes(n, distribution, scratch.sizes);
        }
        s.copy_from_slice(noise);
        gain.fill(0.0);
        Array {
            pivots: m,
            block: n,
            below: n,
            t: &mut *s,
            b: scratch.wide,
            u: gain,
            c: distribution,
            products: scratch.components,
            products_below: scratch.states,
        }
        .reduce();
        if exact && !settle((n, m), (observation, noise), distribution, s, scratch.sizes) {
            return false;
        }
        (0..m).all(|i| s[i * m + i] != 0.0)
    }

    fn select(m: usize, noise: &[f64], which: &[usize], scratch: &mut Scratch<'_>, out: &mut [f64]) {
        let rows = which.len();
        for column in 0..m {
            for (i, &component) in which.iter().enumerate() {
                scratch.wide[column * rows + i] = noise[column * m + component];
            }
        }
        out.fill(0.0);
        Array {
            pivots: rows,
            block: m,
            below: 0,
            t: out,
            b: scratch.wide,
            u: &mut [],
            c: &mut [],
            products: scratch.components,
            products_below: &mut [],
        }
        .reduce();
    }

    /// Of lower triangular roots.
    fn change(n: usize, before: &[f64], after: &[f64]) -> f64 {
        let mut most = 0.0;
        for i in 0..n {
            let (mut change, mut size) = (0.0, 0.0);
            for k in 0..=i {
                let (old, new) = (before[k * n + i], after[k * n + i]);
                change += (new - old) * (new - old);
                size += new * new;
            }
            if change > most * size {
                most = change / size;
            }
        }
        most
    }
}

/// After components without noise: takes rounding out of the root of the distribution. Whether none of the
/// components was known beforehand.
#[cold]
fn settle(
    (n, m): (usize, usize),
    (observation, noise): (&[f64], &[f64]),
    distribution: &mut [f64],
    s: &[f64],
    sizes: &[f64],
) -> bool {
    exact::settle(n, distribution, sizes);
    let mut exact = (0..m).filter(|&i| noise[i * m + i] == 0.0);
    exact.all(|i| s[i * m + i] > exact::rounding(n) * exact::reach(m, i, observation, sizes))
}
