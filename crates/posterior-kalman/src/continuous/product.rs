//! The product of two independent processes: the state is the Kronecker product of the states.

use posterior_math::autodiff::Real;

use super::block::Block;
use super::expression::Expression;

/// The matrices of one factor, column by column.
struct Factor<R> {
    n: usize,
    transition: Vec<R>,
    noise: Vec<R>,
    before: Vec<R>,
    after: Vec<R>,
}

impl<R: Real> Factor<R> {
    fn new(factor: &Expression, parameters: &mut &[R], (from, dt): (f64, f64)) -> Self {
        let n = factor.states();
        let zeros = || vec![R::constant(0.0); n * n];
        let mut matrices = Self { n, transition: zeros(), noise: zeros(), before: zeros(), after: zeros() };
        let mut step = *parameters;
        let (a, q) = (&mut matrices.transition, &mut matrices.noise);
        factor.step(&mut step, (from, dt), &mut Block::whole(a, n), &mut Block::whole(q, n));
        let mut before = *parameters;
        factor.covariance(&mut before, from, &mut Block::whole(&mut matrices.before, n));
        factor.covariance(parameters, from + dt, &mut Block::whole(&mut matrices.after, n));
        matrices
    }

    /// A P Aᵀ: what is left of the distribution before the step.
    fn remembered(&self) -> Vec<R> {
        let n = self.n;
        let zero = R::constant(0.0);
        let (a, p) = (&self.transition, &self.before);
        let mut half = vec![zero; n * n];
        let mut moved = vec![zero; n * n];
        for j in 0..n {
            for i in 0..n {
                half[j * n + i] = (0..n).map(|k| a[k * n + i] * p[j * n + k]).sum();
            }
        }
        for j in 0..n {
            for i in 0..n {
                moved[j * n + i] = (0..n).map(|k| half[k * n + i] * a[k * n + j]).sum();
            }
        }
        moved
    }
}

impl Expression {
    /// A = A₁ ⊗ A₂ and Q = Q₁ ⊗ P₂(t + dt) + (A₁ P₁(t) A₁ᵀ) ⊗ Q₂, a sum in which nothing cancels.
    pub(super) fn write_product_step<R: Real>(
        (left, right): (&Self, &Self),
        parameters: &mut &[R],
        step: (f64, f64),
        transition: &mut Block<'_, R>,
        noise: &mut Block<'_, R>,
    ) {
        let left = Factor::new(left, parameters, step);
        let right = Factor::new(right, parameters, step);
        let remembered = left.remembered();
        let size = (left.n, right.n);
        write_kronecker(size, |i, j| left.transition[i] * right.transition[j], transition);
        write_kronecker(size, |i, j| left.noise[i] * right.after[j] + remembered[i] * right.noise[j], noise);
    }

    /// P₁ ⊗ P₂.
    pub(super) fn write_product_covariance<R: Real>(
        (left, right): (&Self, &Self),
        parameters: &mut &[R],
        time: f64,
        covariance: &mut Block<'_, R>,
    ) {
        let size = (left.states(), right.states());
        let mut p = vec![R::constant(0.0); size.0 * size.0];
        let mut q = vec![R::constant(0.0); size.1 * size.1];
        left.covariance(parameters, time, &mut Block::whole(&mut p, size.0));
        right.covariance(parameters, time, &mut Block::whole(&mut q, size.1));
        write_kronecker(size, |i, j| p[i] * q[j], covariance);
    }
}

/// Entry by entry, from the places of the entries of the factors.
fn write_kronecker<R: Real>(
    (n, m): (usize, usize),
    entry: impl Fn(usize, usize) -> R,
    block: &mut Block<'_, R>,
) {
    for (j, l) in (0..n).flat_map(|j| (0..m).map(move |l| (j, l))) {
        for (i, k) in (0..n).flat_map(|i| (0..m).map(move |k| (i, k))) {
            block.set(i * m + k, j * m + l, entry(j * n + i, l * m + k));
        }
    }
}
