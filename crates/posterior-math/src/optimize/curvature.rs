//! What steps tell of the curvature: the memory of L-BFGS.

use std::collections::VecDeque;

use crate::vector::add_multiple;
use crate::vector::dot;

/// One remembered step s and change of the gradient y.
struct Pair {
    s: Vec<f64>,
    y: Vec<f64>,
    /// sᵀy.
    product: f64,
    /// Scratch of the recursion.
    alpha: f64,
}

/// The remembered steps, and the direction that they give.
pub(super) struct Curvature {
    pairs: VecDeque<Pair>,
    limit: usize,
    direction: Vec<f64>,
}

impl Curvature {
    /// Nothing remembered of n variables yet; at least one step will be.
    pub(super) fn new(limit: usize, n: usize) -> Self {
        Self { pairs: VecDeque::new(), limit: limit.max(1), direction: vec![0.0; n] }
    }

    /// The direction that was written last.
    pub(super) fn direction(&self) -> &[f64] {
        &self.direction
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.pairs.clear();
    }

    /// Remembers a step, unless it met no positive curvature.
    pub(super) fn push(&mut self, x: &[f64], next: &[f64], gradient: &[f64], next_gradient: &[f64]) {
        let recycled = if self.pairs.len() == self.limit { self.pairs.pop_front() } else { None };
        let mut pair = recycled.unwrap_or_else(|| Pair {
            s: vec![0.0; x.len()],
            y: vec![0.0; x.len()],
            product: 0.0,
            alpha: 0.0,
        });
        for (s, (new, old)) in pair.s.iter_mut().zip(next.iter().zip(x)) {
            *s = new - old;
        }
        for (y, (new, old)) in pair.y.iter_mut().zip(next_gradient.iter().zip(gradient)) {
            *y = new - old;
        }
        pair.product = dot(&pair.s, &pair.y);
        if pair.product > f64::EPSILON * dot(&pair.y, &pair.y) * 1e-4 {
            self.pairs.push_back(pair);
        }
    }

    /// Writes the direction -H g by the two-loop recursion (algorithm 7.4), and returns its slope.
    pub(super) fn direct(&mut self, gradient: &[f64]) -> f64 {
        let d = &mut self.direction;
        for (d, g) in d.iter_mut().zip(gradient) {
            *d = -g;
        }
        for pair in self.pairs.iter_mut().rev() {
            pair.alpha = dot(&pair.s, d) / pair.product;
            add_multiple(d, -pair.alpha, &pair.y);
        }
        if let Some(last) = self.pairs.back() {
            let scale = last.product / dot(&last.y, &last.y);
            for d in d.iter_mut() {
                *d *= scale;
            }
        }
        for pair in &self.pairs {
            let beta = dot(&pair.y, d) / pair.product;
            add_multiple(d, pair.alpha - beta, &pair.s);
        }
        dot(d, gradient)
    }

    /// [`Self::direct`] in the subspace of the variables that are not fixed: the steps and changes of the
    /// others are left out.
    pub(super) fn direct_within(&mut self, gradient: &[f64], fixed: &[bool]) -> f64 {
        let d = &mut self.direction;
        let free = |v: &mut [f64]| v.iter_mut().zip(fixed).filter(|own| *own.1).for_each(|own| *own.0 = 0.0);
        for (d, g) in d.iter_mut().zip(gradient) {
            *d = -g;
        }
        free(d);
        let mut scale = None;
        for pair in self.pairs.iter_mut().rev() {
            let mut s = pair.s.clone();
            free(&mut s);
            pair.product = dot(&s, &pair.y);
            pair.alpha = f64::NAN;
            let square: f64 = pair.y.iter().zip(fixed).filter(|own| !own.1).map(|own| own.0 * own.0).sum();
            if !(pair.product > f64::EPSILON * square * 1e-4) {
                continue;
            }
            pair.alpha = dot(&s, d) / pair.product;
            add_multiple(d, -pair.alpha, &pair.y);
            free(d);
            scale = scale.or(Some(pair.product / square));
        }
        for d in d.iter_mut() {
            *d *= scale.unwrap_or(1.0);
        }
        for pair in self.pairs.iter().filter(|pair| !pair.alpha.is_nan()) {
            let beta = dot(&pair.y, d) / pair.product;
            add_multiple(d, pair.alpha - beta, &pair.s);
            free(d);
        }
        dot(d, gradient)
    }

    /// Takes from the direction what does not go down these slopes, of variables with a penalty, and returns
    /// the slope of what is left.
    pub(super) fn keep_descent(&mut self, slopes: &[f64], penalties: &[f64]) -> f64 {
        for ((d, slope), penalty) in self.direction.iter_mut().zip(slopes).zip(penalties) {
            if *penalty > 0.0 && *d * slope >= 0.0 {
                *d = 0.0;
            }
        }
        dot(&self.direction, slopes)
    }
}
