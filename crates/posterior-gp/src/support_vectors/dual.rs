//! The dual problem: maximise Σ αᵢ - ½ Σ αᵢ αⱼ yᵢ yⱼ Kᵢⱼ over 0 ≤ α ≤ cost, and Σ αᵢ yᵢ = 0 if there is a bias.

use posterior_math::linalg::{DMatrix, DVector};

use super::{Bias, hinge_loss};

/// Curvatures below this share of the largest are taken for it: of duplicates they are zero.
const FLAT: f64 = 1e-12;

/// Where the ascent stands, with f(xᵢ) without bias.
pub(super) struct Dual<'a> {
    gram: DMatrix<f64>,
    labels: &'a [f64],
    cost: f64,
    bias: Bias,
    alpha: Vec<f64>,
    latent: DVector<f64>,
    flat: f64,
}

impl<'a> Dual<'a> {
    pub(super) fn new(gram: DMatrix<f64>, labels: &'a [f64], cost: f64, bias: Bias) -> Self {
        let n = labels.len();
        let flat = FLAT * gram.diagonal().iter().fold(f64::MIN_POSITIVE, |largest, &k| largest.max(k));
        Self { gram, labels, cost, bias, alpha: vec![0.0; n], latent: DVector::zeros(n), flat }
    }

    /// As many moves as there are points, or fewer if all conditions hold; the largest violation left.
    pub(super) fn round(&mut self, tolerance: f64) -> f64 {
        let mut violation = 0.0;
        for _ in 0..self.labels.len().max(1) {
            violation = match self.bias {
                Bias::Zero => self.move_one(tolerance),
                Bias::Free => self.move_two(tolerance),
            };
            if !(violation > tolerance) {
                break;
            }
        }
        violation
    }

    /// yᵢ - f(xᵢ): what the bias would be if point i were on its margin.
    fn offset(&self, i: usize) -> f64 {
        self.labels[i] - self.latent[i]
    }

    /// Whether αᵢ yᵢ may rise.
    fn may_rise(&self, i: usize) -> bool {
        if self.labels[i] > 0.0 { self.alpha[i] < self.cost } else { self.alpha[i] > 0.0 }
    }

    /// Whether αᵢ yᵢ may fall.
    fn may_fall(&self, i: usize) -> bool {
        if self.labels[i] > 0.0 { self.alpha[i] > 0.0 } else { self.alpha[i] < self.cost }
    }

    /// The one weight that gains most; the violation before it moved.
    fn move_one(&mut self, tolerance: f64) -> f64 {
        let (mut best, mut gain, mut violation) = (None, 0.0, 0.0);
        for i in 0..self.labels.len() {
            let offset = self.offset(i);
            let free = if offset > 0.0 { self.may_rise(i) } else { self.may_fall(i) };
            if !free {
                continue;
            }
            if offset.is_nan() || offset.abs() > violation {
                violation = offset.abs();
            }
            let curvature = self.gram[(i, i)].max(self.flat);
            if offset * offset / curvature > gain {
                (best, gain) = (Some((i, offset / curvature)), offset * offset / curvature);
            }
        }
        if let Some((i, change)) = best.filter(|_| violation > tolerance) {
            let before = self.alpha[i] * self.labels[i];
            let (low, high) = self.range(i);
            self.set(i, (before + change).clamp(low, high));
        }
        violation
    }

    /// The pair that gains most, of those with the largest violation on one side; the violation before it moved.
    fn move_two(&mut self, tolerance: f64) -> f64 {
        let all = 0..self.labels.len();
        let largest = |best: Option<usize>, i: usize| match best {
            Some(b) if self.offset(b) >= self.offset(i) => Some(b),
            _ => Some(i),
        };
        let Some(i) = all.clone().filter(|&i| self.may_rise(i)).fold(None, largest) else { return 0.0 };
        let (mut best, mut gain, mut violation) = (None, 0.0, 0.0_f64);
        for j in all.filter(|&j| self.may_fall(j)) {
            let difference = self.offset(i) - self.offset(j);
            if difference.is_nan() {
                return f64::NAN;
            }
            violation = violation.max(difference);
            let curvature = (self.gram[(i, i)] + self.gram[(j, j)] - 2.0 * self.gram[(i, j)]).max(self.flat);
            if difference > 0.0 && difference * difference / curvature > gain {
                (best, gain) = (Some((j, difference / curvature)), difference * difference / curvature);
            }
        }
        if let Some((j, change)) = best.filter(|_| violation > tolerance) {
            let (rising, falling) = (self.alpha[i] * self.labels[i], self.alpha[j] * self.labels[j]);
            let change = change.min(self.range(i).1 - rising).min(falling - self.range(j).0);
            self.set(i, self.snapped(i, rising + change));
            self.set(j, self.snapped(j, falling - change));
        }
        violation
    }

    /// The least and the largest αᵢ yᵢ.
    fn range(&self, i: usize) -> (f64, f64) {
        if self.labels[i] > 0.0 { (0.0, self.cost) } else { (-self.cost, 0.0) }
    }

    /// A weight at its limit, if rounding has left it next to it: support is exact.
    fn snapped(&self, i: usize, weight: f64) -> f64 {
        let (low, high) = self.range(i);
        let near = 4.0 * f64::EPSILON * self.cost;
        if weight - low <= near {
            low
        } else if high - weight <= near {
            high
        } else {
            weight
        }
    }

    /// Sets αᵢ yᵢ.
    fn set(&mut self, i: usize, weight: f64) {
        let change = weight - self.alpha[i] * self.labels[i];
        self.alpha[i] = weight * self.labels[i];
        self.latent.axpy(change, &self.gram.column(i), 1.0);
    }

    /// r = α y.
    pub(super) fn weights(&self) -> DVector<f64> {
        DVector::from_fn(self.labels.len(), |i, _| match self.alpha[i] {
            0.0 => 0.0,
            alpha => alpha * self.labels[i],
        })
    }

    /// The bias: the mean of what points on their margins ask for, or the middle of what the others allow.
    pub(super) fn bias(&self) -> f64 {
        if self.bias == Bias::Zero || self.labels.is_empty() {
            return 0.0;
        }
        let on_margin: Vec<f64> = (0..self.labels.len())
            .filter(|&i| self.alpha[i] > 0.0 && self.alpha[i] < self.cost)
            .map(|i| self.offset(i))
            .collect();
        if !on_margin.is_empty() {
            return on_margin.iter().sum::<f64>() / on_margin.len() as f64;
        }
        let places = || 0..self.labels.len();
        let low = places().filter(|&i| self.may_rise(i)).map(|i| self.offset(i)).fold(f64::NEG_INFINITY, f64::max);
        let high = places().filter(|&i| self.may_fall(i)).map(|i| self.offset(i)).fold(f64::INFINITY, f64::min);
        match (low.is_finite(), high.is_finite()) {
            (true, true) => low.midpoint(high),
            (true, false) => low,
            _ => high,
        }
    }

    /// ½ rᵀ K r.
    fn norm(&self) -> f64 {
        let terms = self.alpha.iter().zip(self.labels).zip(self.latent.iter());
        0.5 * terms.map(|((alpha, label), f)| alpha * label * f).sum::<f64>()
    }

    /// The dual objective.
    pub(super) fn value(&self) -> f64 {
        self.alpha.iter().sum::<f64>() - self.norm()
    }

    /// The objective, with a bias.
    pub(super) fn primal(&self, bias: f64) -> f64 {
        let losses = self.labels.iter().zip(self.latent.iter()).map(|(label, f)| hinge_loss(label * (f + bias)));
        self.norm() + self.cost * losses.sum::<f64>()
    }
}
