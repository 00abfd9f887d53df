//! The Gaussian that the last steps of L-BFGS stand for.

use std::collections::VecDeque;

use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::special::HALF_LN_TAU;
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

/// A pair whose curvature is less than this, of its change of the gradient, is left out.
const LEAST_CURVATURE: f64 = 1e-12;

/// The last steps, and what they say of the diagonal of the inverse Hessian of -ln p.
#[derive(Debug)]
pub(super) struct Trail {
    memory: usize,
    diagonal: DVector<f64>,
    /// Steps s, and y: by how much the gradient of -ln p changed.
    pairs: VecDeque<(DVector<f64>, DVector<f64>)>,
}

/// N(μ, H) with H = A^½ (I + Q (L Lᵀ - I) Qᵀ) A^½: a diagonal A, columns Q that are orthonormal, and a lower
/// L.
#[derive(Debug, Clone)]
pub(super) struct PathGaussian {
    pub(super) mean: DVector<f64>,
    roots: DVector<f64>,
    directions: DMatrix<f64>,
    lower: DMatrix<f64>,
    ln_determinant: f64,
}

impl Trail {
    pub(super) fn new(dim: usize, memory: usize) -> Self {
        Self { memory, diagonal: DVector::from_element(dim, 1.0), pairs: VecDeque::new() }
    }

    /// Takes a step note of, if the density is curved along it; whether it is.
    pub(super) fn push(&mut self, s: DVector<f64>, y: DVector<f64>) -> bool {
        let curvature = s.dot(&y);
        let squared = y.norm_squared();
        if !(curvature > LEAST_CURVATURE * squared && squared > 0.0) {
            return false;
        }
        self.update_diagonal(&s, &y, curvature);
        if self.pairs.len() == self.memory {
            self.pairs.pop_front();
        }
        self.pairs.push_back((s, y));
        true
    }

    /// The diagonal of the BFGS update of a diagonal matrix (Gilbert and Lemaréchal 1989).
    fn update_diagonal(&mut self, s: &DVector<f64>, y: &DVector<f64>, b: f64) {
        let alpha = &self.diagonal;
        let a: f64 = y.iter().zip(alpha).map(|(y, alpha)| y * y * alpha).sum();
        let c: f64 = s.iter().zip(alpha).map(|(s, alpha)| s * s / alpha).sum();
        let next = DVector::from_fn(alpha.len(), |i, _| {
            (a / (b * alpha[i]) + y[i] * y[i] / b - a * s[i] * s[i] / (b * c * alpha[i] * alpha[i])).recip()
        });
        if next.iter().all(|alpha| alpha.is_finite() && *alpha > 0.0) {
            self.diagonal = next;
        }
    }

    /// The Gaussian of a Newton step from x, where ln p has this gradient; none where digits are used up.
    pub(super) fn gaussian(&self, x: &[f64], gradient: &[f64]) -> Option<PathGaussian> {
        let (n, pairs) = (x.len(), self.pairs.len());
        let roots = self.diagonal.map(f64::sqrt);
        let column = |j: usize| &self.pairs[j];
        let r =
            DMatrix::from_fn(pairs, pairs, |i, j| if i <= j { column(i).0.dot(&column(j).1) } else { 0.0 });
        let inverse = r.solve_upper_triangular(&DMatrix::identity(pairs, pairs))?;
        let scaled = DMatrix::from_fn(n, pairs, |i, j| roots[i] * column(j).1[i]);
        let mut middle = scaled.transpose() * &scaled;
        (0..pairs).for_each(|j| middle[(j, j)] += r[(j, j)]);
        let corner = inverse.transpose() * middle * &inverse;
        let mut gamma = DMatrix::zeros(2 * pairs, 2 * pairs);
        gamma.view_mut((0, pairs), (pairs, pairs)).copy_from(&(-&inverse));
        gamma.view_mut((pairs, 0), (pairs, pairs)).copy_from(&(-inverse.transpose()));
        gamma.view_mut((pairs, pairs), (pairs, pairs)).copy_from(&corner);
        let columns = DMatrix::from_fn(n, 2 * pairs, |i, j| {
            if j < pairs { scaled[(i, j)] } else { column(j - pairs).0[i] / roots[i] }
        });
        let (directions, upper) = columns.qr().unpack();
        let mut inner = &upper * gamma * upper.transpose();
        (0..inner.nrows()).for_each(|i| inner[(i, i)] += 1.0);
        let inner = (&inner + inner.transpose()) * 0.5;
        let lower = Cholesky::new(&inner).ok()?.factor().clone();
        let ln_determinant = roots.iter().chain(lower.diagonal().iter()).map(|root| 2.0 * root.ln()).sum();
        let mut own = PathGaussian { mean: DVector::zeros(n), roots, directions, lower, ln_determinant };
        let slope = DVector::from_fn(n, |i, _| own.roots[i] * gradient[i]);
        let turned = own.directions.tr_mul(&slope);
        let stretched = &own.lower * own.lower.tr_mul(&turned) - turned;
        let step = slope + &own.directions * stretched;
        own.mean = DVector::from_fn(n, |i, _| x[i] + own.roots[i] * step[i]);
        (own.mean.iter().all(|x| x.is_finite()) && own.ln_determinant.is_finite()).then_some(own)
    }
}

impl PathGaussian {
    /// A draw, and ln q there.
    pub(super) fn draw<R: Rng + ?Sized>(&self, rng: &mut R, x: &mut [f64]) -> f64 {
        let white = DVector::from_fn(x.len(), |_, _| StandardNormal.sample(rng));
        let turned = self.directions.tr_mul(&white);
        let step = &white + &self.directions * (&self.lower * &turned - &turned);
        for (i, x) in x.iter_mut().enumerate() {
            *x = self.mean[i] + self.roots[i] * step[i];
        }
        -0.5 * (self.ln_determinant + white.norm_squared()) - x.len() as f64 * HALF_LN_TAU
    }

    /// Standard deviations.
    pub(super) fn sds(&self) -> Vec<f64> {
        let stretched = &self.directions * &self.lower;
        let variance = |i: usize| {
            let (wide, plain) = (stretched.row(i).norm_squared(), self.directions.row(i).norm_squared());
            self.roots[i] * (1.0 + wide - plain).max(0.0).sqrt()
        };
        (0..self.roots.len()).map(variance).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BFGS as textbooks have it: H ← (I - s yᵀ / b) H (I - y sᵀ / b) + s sᵀ / b.
    fn recursion(diagonal: &DVector<f64>, pairs: &VecDeque<(DVector<f64>, DVector<f64>)>) -> DMatrix<f64> {
        let n = diagonal.len();
        let mut h = DMatrix::from_diagonal(diagonal);
        for (s, y) in pairs {
            let b = s.dot(y);
            let left = DMatrix::identity(n, n) - s * y.transpose() / b;
            h = &left * h * left.transpose() + s * s.transpose() / b;
        }
        h
    }

    fn numbers(n: usize, seed: usize) -> DVector<f64> {
        DVector::from_fn(n, |i, _| (1.3 * i as f64 + 2.1 * seed as f64 + 0.4).sin())
    }

    #[test]
    fn the_factor_is_that_of_the_updates() {
        for (n, memory, steps) in [(7, 2, 4), (4, 6, 5), (1, 3, 2)] {
            let precision = DMatrix::from_fn(n, n, |i, j| if i == j { 1.0 + i as f64 } else { 0.2 });
            let mut trail = Trail::new(n, memory);
            for step in 0..steps {
                let s = numbers(n, step);
                assert!(trail.push(s.clone(), &precision * s));
            }
            let (x, gradient) = (numbers(n, 20), numbers(n, 30));
            let own = trail.gaussian(x.as_slice(), gradient.as_slice()).unwrap();
            let h = recursion(&trail.diagonal, &trail.pairs);
            assert!((&own.mean - (&x + &h * &gradient)).amax() < 1e-10);
            let exact = h.diagonal().map(f64::sqrt);
            assert!((DVector::from_vec(own.sds()) - exact).amax() < 1e-10);
            let mut at = vec![0.0; n];
            let ln = own.draw(&mut posterior_dist::stream::stream(1, &[]), &mut at);
            let d = DVector::from_vec(at) - &own.mean;
            let chol = Cholesky::new(&h).unwrap();
            let expected =
                -0.5 * (chol.ln_determinant() + d.dot(&chol.solve_vector(&d))) - n as f64 * HALF_LN_TAU;
            assert!((ln - expected).abs() < 1e-9, "{ln} for {expected}");
        }
    }

    #[test]
    fn the_diagonal_of_a_round_target_is_exact_after_one_step() {
        let mut trail = Trail::new(5, 4);
        let s = numbers(5, 1);
        assert!(trail.push(s.clone(), &s * 4.0));
        assert!(trail.diagonal.iter().all(|alpha| (alpha - 0.25).abs() < 1e-15));
        assert!(!trail.push(s.clone(), &s * -1.0) && trail.pairs.len() == 1);
    }
}
