//! The dual problem: maximise Σ αᵢ - ½ Σ αᵢ αⱼ yᵢ yⱼ Kᵢⱼ over 0 ≤ α ≤ cost, and Σ αᵢ yᵢ = 0 if there is a
//! bias.

use posterior_math::linalg::{DMatrix, DVector};

use super::{Bias, hinge_loss};

/// Curvatures below this proportion of the largest are taken for it: of duplicates they are zero.
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
                Bias::Zero => self.move_without_bias(tolerance),
                Bias::Free => self.move_with_bias(tolerance),
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

    /// The weight that gains most alone, and the one that gains most with it: alone, points at one place with
    /// different labels would take turns in tiny steps. The violation before they moved.
    ///
    /// I. Steinwart, D. Hush, C. Scovel, Training SVMs without offset, JMLR 12, 2011.
    fn move_without_bias(&mut self, tolerance: f64) -> f64 {
        let (mut first, mut gain, mut violation) = (0, 0.0, 0.0);
        for i in 0..self.labels.len() {
            let offset = self.offset(i);
            if !(if offset > 0.0 { self.may_rise(i) } else { self.may_fall(i) }) {
                continue;
            }
            if offset.is_nan() || offset.abs() > violation {
                violation = offset.abs();
            }
            let change = self.clamped(i, offset / self.gram[(i, i)].max(self.flat));
            let gained = change * (offset - 0.5 * self.gram[(i, i)] * change);
            if gained > gain {
                (first, gain) = (i, gained);
            }
        }
        if !(violation > tolerance) {
            return violation;
        }
        let alone =
            (first, self.clamped(first, self.offset(first) / self.gram[(first, first)].max(self.flat)), 0.0);
        let (mut best, mut most) = (alone, gain);
        for j in (0..self.labels.len()).filter(|&j| j != first) {
            let (here, there, gained) = self.best_pair(first, j);
            if gained > most {
                (best, most) = ((j, here, there), gained);
            }
        }
        let (second, here, there) = best;
        self.set(first, self.snapped(first, self.alpha[first] * self.labels[first] + here));
        if second != first {
            self.set(second, self.snapped(second, self.alpha[second] * self.labels[second] + there));
        }
        violation
    }

    /// The best changes of two weights inside of their ranges, and what they gain.
    fn best_pair(&self, i: usize, j: usize) -> (f64, f64, f64) {
        let (a, b, c) = (self.gram[(i, i)], self.gram[(j, j)], self.gram[(i, j)]);
        let (p, q) = (self.offset(i), self.offset(j));
        let gain = |x: f64, y: f64| p * x + q * y - 0.5 * (a * x * x + b * y * y) - c * x * y;
        let (x_ends, y_ends) = (self.changes(i), self.changes(j));
        let given = |x: f64| (x, self.clamped(j, (q - c * x) / b.max(self.flat)));
        let determinant = a * b - c * c;
        let inside = ((p * b - q * c) / determinant, (q * a - p * c) / determinant);
        let fits = |value: f64, (low, high): (f64, f64)| (low..=high).contains(&value);
        let free = determinant > self.flat * self.flat && fits(inside.0, x_ends) && fits(inside.1, y_ends);
        let other = |y: f64| (self.clamped(i, (p - c * y) / a.max(self.flat)), y);
        let edges = [given(x_ends.0), given(x_ends.1), other(y_ends.0), other(y_ends.1)];
        let candidates = edges.into_iter().chain(free.then_some(inside));
        candidates.fold((0.0, 0.0, 0.0), |best, (x, y)| {
            let gained = gain(x, y);
            if gained > best.2 { (x, y, gained) } else { best }
        })
    }

    /// How far a weight may fall and rise.
    fn changes(&self, i: usize) -> (f64, f64) {
        let (weight, (low, high)) = (self.alpha[i] * self.labels[i], self.range(i));
        (low - weight, high - weight)
    }

    /// A change of a weight, as far as it may go.
    fn clamped(&self, i: usize, change: f64) -> f64 {
        let (low, high) = self.changes(i);
        change.max(low).min(high)
    }

    /// The pair that gains most, of those with the largest violation on one side; the violation before it
    /// moved.
    fn move_with_bias(&mut self, tolerance: f64) -> f64 {
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
        let low =
            places().filter(|&i| self.may_rise(i)).map(|i| self.offset(i)).fold(f64::NEG_INFINITY, f64::max);
        let high =
            places().filter(|&i| self.may_fall(i)).map(|i| self.offset(i)).fold(f64::INFINITY, f64::min);
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
        let losses =
            self.labels.iter().zip(self.latent.iter()).map(|(label, f)| hinge_loss(label * (f + bias)));
        self.norm() + self.cost * losses.sum::<f64>()
    }
}
