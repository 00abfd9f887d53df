//! The natural gradient of the bound, by draws.

use posterior_dist::target::GradTarget;
use posterior_math::linalg::DMatrix;
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::GaussianApproximation;
use super::scale::Scale;
use crate::Error;

/// The gradient of the bound in the coordinates of q itself: x = μ + S (ε + a) and S (I + B).
///
/// With g = Sᵀ ∇ ln p(x) + ε, whose mean is the gradient of the bound by a, and g εᵀ by B. The term ε, that
/// of ln q, has no mean and cancels the noise where q is p. In these coordinates Fisher's information is 1
/// for a and below the diagonal of B, 2 on it, so that the steps do not depend on the coordinates of the
/// target. Draws come in pairs ±ε.
pub(super) struct NaturalGradient {
    /// a.
    pub(super) shift: Vec<f64>,
    /// B.
    pub(super) growth: Scale,
    pairs: usize,
    /// How much further than usual each mean may go, see [`within_reach`].
    reach: Vec<f64>,
    noise: Vec<f64>,
    offset: Vec<f64>,
    position: Vec<f64>,
    gradient: Vec<f64>,
    white: [Vec<f64>; 2],
}

impl NaturalGradient {
    pub(super) fn new(q: &GaussianApproximation, pairs: usize) -> Self {
        let zeros = || vec![0.0; q.mean.len()];
        Self {
            shift: zeros(),
            growth: q.scale.clone(),
            pairs,
            reach: zeros(),
            noise: zeros(),
            offset: zeros(),
            position: zeros(),
            gradient: zeros(),
            white: [zeros(), zeros()],
        }
    }

    /// Estimates it at q; the mean of ln p, NaN if no pair had a value.
    pub(super) fn estimate<T: GradTarget + ?Sized, R: Rng + ?Sized>(
        &mut self,
        target: &T,
        q: &GaussianApproximation,
        rng: &mut R,
    ) -> Result<f64, Error> {
        self.shift.fill(0.0);
        self.growth.numbers_mut().fill(0.0);
        let (mut sum, mut good) = (0.0, 0.0);
        for _ in 0..self.pairs {
            self.noise.fill_with(|| StandardNormal.sample(rng));
            q.scale.times(&self.noise, &mut self.offset);
            let (plus, minus) = (self.side(target, q, 1.0)?, self.side(target, q, -1.0)?);
            if let (Some(plus), Some(minus)) = (plus, minus) {
                sum += 0.5 * (plus + minus);
                good += 1.0;
                self.add();
            }
        }
        let unit = 0.5 / good;
        self.shift.iter_mut().for_each(|a| *a *= unit);
        self.growth.rescale(unit);
        Ok(sum / good)
    }

    /// Sᵀ ∇ ln p at μ ± S ε, and ln p; `None` if there is no value.
    fn side<T: GradTarget + ?Sized>(
        &mut self,
        target: &T,
        q: &GaussianApproximation,
        sign: f64,
    ) -> Result<Option<f64>, Error> {
        for ((x, mean), offset) in self.position.iter_mut().zip(&q.mean).zip(&self.offset) {
            *x = mean + sign * offset;
        }
        match target.ln_density_grad(&self.position, &mut self.gradient) {
            Ok(value) if value.is_finite() && self.gradient.iter().all(|g| g.is_finite()) => {
                q.scale.transpose_times(&self.gradient, &mut self.white[usize::from(sign < 0.0)]);
                Ok(Some(value))
            }
            Err(why) if why.is_fatal() => Err(why.into()),
            _ => Ok(None),
        }
    }

    /// Adds a pair to the sums over draws.
    fn add(&mut self) {
        let [plus, minus] = &self.white;
        for (a, (plus, minus)) in self.shift.iter_mut().zip(plus.iter().zip(minus)) {
            *a += plus + minus;
        }
        let odd = |i: usize| plus[i] - minus[i] + 2.0 * self.noise[i];
        match &mut self.growth {
            Scale::Diagonal(growth) => {
                for (i, b) in growth.iter_mut().enumerate() {
                    *b += 0.5 * odd(i) * self.noise[i];
                }
            }
            Scale::Triangular(growth) => {
                let n = growth.nrows();
                for (j, mut column) in growth.column_iter_mut().enumerate() {
                    column[j] += 0.5 * odd(j) * self.noise[j];
                    for i in j + 1..n {
                        column[i] += odd(i) * self.noise[j];
                    }
                }
            }
        }
    }

    /// Moves q by `rate` times the gradient, within limits, so that a draw far out does not throw q away: no
    /// mean by more than a standard deviation (but see [`within_reach`]), and no scale by more than the
    /// factor √e; of a full scale that holds for the norm. The shorter the steps, the fewer are cut.
    pub(super) fn step(&mut self, q: &mut GaussianApproximation, rate: f64) {
        const FURTHEST: f64 = 1.0;
        const MOST_GROWTH: f64 = 0.5;
        for (a, reach) in self.shift.iter_mut().zip(&mut self.reach) {
            *a = within_reach(rate * *a, FURTHEST, reach);
        }
        q.scale.times(&self.shift, &mut self.offset);
        for (mean, offset) in q.mean.iter_mut().zip(&self.offset) {
            *mean += offset;
        }
        self.growth.rescale(rate);
        match &mut self.growth {
            Scale::Diagonal(growth) => {
                for b in growth {
                    *b = b.clamp(-MOST_GROWTH, MOST_GROWTH);
                }
            }
            Scale::Triangular(growth) => {
                let norm = growth.norm();
                if norm > MOST_GROWTH {
                    let shorter: &mut DMatrix<f64> = growth;
                    *shorter *= MOST_GROWTH / norm;
                }
            }
        }
        q.scale.grow(&self.growth);
    }
}

/// The step of a mean, in standard deviations, cut to `furthest`; further by half for each cut before it on
/// the same side, so that a start far away is left soon. `reach` remembers by how much, with the sign of the
/// side.
fn within_reach(step: f64, furthest: f64, reach: &mut f64) -> f64 {
    const LARGEST: f64 = 1e6;
    let same_side = step * *reach > 0.0;
    let factor = if same_side { reach.abs() } else { 1.0 };
    let limit = furthest * factor;
    if step.abs() <= limit {
        *reach = 0.0;
        return step;
    }
    *reach = (1.5 * factor).min(LARGEST).copysign(step);
    limit.copysign(step)
}
