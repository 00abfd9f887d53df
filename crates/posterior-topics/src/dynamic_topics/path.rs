//! The path of one word of a topic through the periods: a random walk, seen through counts.

use posterior_math::log_space::{ln_1p_exp, logistic};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, StandardNormal};

/// Newton's steps to the mode at most, halvings of one, and the move at which they end.
const STEPS: usize = 50;
const HALVINGS: usize = 30;
const SMALL: f64 = 1e-9;

/// A random walk: the variance of its first place, and of each step that of a step of length one times its
/// length.
#[derive(Debug, Clone)]
pub(super) struct Walk {
    pub(super) first: f64,
    pub(super) gaps: Vec<f64>,
}

/// A symmetric matrix with one diagonal beside the main one.
#[derive(Debug, Clone)]
pub(super) struct Tridiagonal {
    diagonal: Vec<f64>,
    beside: Vec<f64>,
}

/// What the counts of a topic say of one of its words, given the other words.
#[derive(Debug)]
pub(super) struct Seen<'a> {
    /// Tokens of the word in each period.
    pub(super) own: &'a [f64],
    /// Tokens of the topic.
    pub(super) all: &'a [f64],
    /// ln of the sum of e^x over the other words.
    pub(super) ln_others: &'a [f64],
}

impl Walk {
    /// The precision of the path for steps of this variance.
    pub(super) fn precision(&self, drift: f64) -> Tridiagonal {
        let steps: Vec<f64> = self.gaps.iter().map(|gap| (drift * gap).recip()).collect();
        let mut diagonal = vec![0.0; self.gaps.len() + 1];
        diagonal[0] = self.first.recip();
        for (t, step) in steps.iter().enumerate() {
            diagonal[t] += step;
            diagonal[t + 1] += step;
        }
        Tridiagonal { diagonal, beside: steps.iter().map(|step| -step).collect() }
    }

    /// The sum of the squares of steps, each divided by its length.
    pub(super) fn squares(&self, path: &[f64]) -> f64 {
        path.windows(2).zip(&self.gaps).map(|(pair, gap)| (pair[1] - pair[0]).powi(2) / gap).sum()
    }
}

impl Tridiagonal {
    fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut product: Vec<f64> = self.diagonal.iter().zip(x).map(|(d, x)| d * x).collect();
        for (t, beside) in self.beside.iter().enumerate() {
            product[t] += beside * x[t + 1];
            product[t + 1] += beside * x[t];
        }
        product
    }

    fn square(&self, x: &[f64]) -> f64 {
        self.times(x).iter().zip(x).map(|(a, b)| a * b).sum()
    }

    /// With more on the diagonal.
    fn plus(&self, more: impl Iterator<Item = f64>) -> Self {
        let diagonal = self.diagonal.iter().zip(more).map(|(d, more)| d + more).collect();
        Self { diagonal, beside: self.beside.clone() }
    }

    /// The Cholesky factor: its diagonal, and what is below.
    fn factor(&self) -> (Vec<f64>, Vec<f64>) {
        let mut diagonal = vec![self.diagonal[0].sqrt()];
        let mut below = Vec::with_capacity(self.beside.len());
        for (t, beside) in self.beside.iter().enumerate() {
            below.push(beside / diagonal[t]);
            diagonal.push((self.diagonal[t + 1] - below[t] * below[t]).sqrt());
        }
        (diagonal, below)
    }

    fn solve(&self, b: &[f64]) -> Vec<f64> {
        let (diagonal, below) = self.factor();
        let mut x = b.to_vec();
        for t in 0..x.len() {
            if t > 0 {
                x[t] -= below[t - 1] * x[t - 1];
            }
            x[t] /= diagonal[t];
        }
        back(&diagonal, &below, &mut x);
        x
    }

    /// A draw of the normal distribution of mean zero with this precision.
    fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        let (diagonal, below) = self.factor();
        let mut x: Vec<f64> = (0..diagonal.len()).map(|_| StandardNormal.sample(rng)).collect();
        back(&diagonal, &below, &mut x);
        x
    }
}

/// Divides by the transpose of a Cholesky factor.
fn back(diagonal: &[f64], below: &[f64], x: &mut [f64]) {
    for t in (0..x.len()).rev() {
        if t + 1 < x.len() {
            x[t] -= below[t] * x[t + 1];
        }
        x[t] /= diagonal[t];
    }
}

impl Seen<'_> {
    /// ln p(counts | path) p(path) up to a constant.
    fn ln_density(&self, precision: &Tridiagonal, path: &[f64]) -> f64 {
        let mut ln = -0.5 * precision.square(path);
        for (t, x) in path.iter().enumerate() {
            ln += self.own[t] * x - self.all[t] * ln_1p_exp(x - self.ln_others[t]);
        }
        ln
    }

    /// The mode of the path, which does not depend on where the path is, and the curvature there.
    fn mode(&self, precision: &Tridiagonal) -> (Vec<f64>, Tridiagonal) {
        let mut path = vec![0.0; self.own.len()];
        let mut density = self.ln_density(precision, &path);
        let mut curvature = precision.clone();
        for _ in 0..STEPS {
            let p: Vec<f64> =
                path.iter().zip(self.ln_others).map(|(x, others)| logistic(x - others)).collect();
            curvature = precision.plus(p.iter().zip(self.all).map(|(p, all)| all * p * (1.0 - p)));
            let pulled = precision.times(&path);
            let slope: Vec<f64> =
                (0..path.len()).map(|t| self.own[t] - self.all[t] * p[t] - pulled[t]).collect();
            let mut step = curvature.solve(&slope);
            let moved = |step: &[f64]| -> Vec<f64> { path.iter().zip(step).map(|(x, s)| x + s).collect() };
            let mut next = moved(&step);
            let mut ahead = self.ln_density(precision, &next);
            for _ in 0..HALVINGS {
                if ahead >= density {
                    break;
                }
                for s in &mut step {
                    *s *= 0.5;
                }
                next = moved(&step);
                ahead = self.ln_density(precision, &next);
            }
            if ahead < density {
                break;
            }
            let far = step.iter().fold(0.0_f64, |far, s| far.max(s.abs()));
            path = next;
            density = ahead;
            if far < SMALL {
                break;
            }
        }
        (path, curvature)
    }

    /// Moves the path by a proposal of the normal distribution at the mode, accepted or not by the ratio of
    /// Metropolis and Hastings; whether it was.
    pub(super) fn draw<R: Rng + ?Sized>(
        &self,
        precision: &Tridiagonal,
        path: &mut [f64],
        rng: &mut R,
    ) -> bool {
        let (mode, curvature) = self.mode(precision);
        let proposal: Vec<f64> = curvature.draw(rng).iter().zip(&mode).map(|(d, m)| d + m).collect();
        let weight = |path: &[f64]| {
            let away: Vec<f64> = path.iter().zip(&mode).map(|(x, m)| x - m).collect();
            self.ln_density(precision, path) + 0.5 * curvature.square(&away)
        };
        let ratio = weight(&proposal) - weight(path);
        let accepted = ratio >= 0.0 || rng.random::<f64>() < ratio.exp();
        if accepted {
            path.copy_from_slice(&proposal);
        }
        accepted
    }
}

#[cfg(test)]
mod tests;
