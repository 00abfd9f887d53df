//! The generalised Pareto distribution of what exceeds a threshold.

use posterior_math::log_space::softmax_in_place;

/// The distribution on x > 0 with P(X > x) = (1 + k x / σ)^(-1 / k): for k > 0 moments of order 1 / k and
/// above are infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeneralizedPareto {
    /// The shape k.
    pub shape: f64,
    /// The scale σ.
    pub scale: f64,
}

impl GeneralizedPareto {
    /// Fitted to positive numbers in ascending order by the nearly Bayesian estimator of Zhang and Stephens,
    /// O(n^1.5); `None` of fewer than five, or if they are too close to zero to have quotients.
    ///
    /// The estimate is consistent for every k. It is without the prior on k that smoothing uses.
    ///
    /// # References
    /// J. Zhang, M. Stephens, A new and efficient estimation method for the generalized Pareto distribution,
    /// Technometrics 51, 2009.
    pub fn fit(ascending: &[f64]) -> Option<Self> {
        const FEWEST: usize = 5;
        let n = ascending.len();
        let largest = *ascending.last()?;
        if n < FEWEST || ascending.iter().any(|&x| !(x > 0.0 && x < f64::INFINITY)) {
            return None;
        }
        let quartile = ascending[(n as f64 / 4.0 + 0.5) as usize - 1];
        let points = 30 + n.isqrt();
        let candidates: Vec<f64> = (0..points)
            .map(|j| {
                let spread = 1.0 - (points as f64 / (j as f64 + 0.5)).sqrt();
                largest.recip() + spread / (3.0 * quartile)
            })
            .collect();
        let mut weights: Vec<f64> = candidates.iter().map(|&b| profile(b, ascending)).collect();
        softmax_in_place(&mut weights);
        let b: f64 = candidates.iter().zip(&weights).map(|(b, w)| b * w).sum();
        let shape = shape_given(b, ascending);
        let distribution = Self { shape, scale: scale_given(b, shape, ascending) };
        (distribution.shape.is_finite() && distribution.scale > 0.0 && distribution.scale < f64::INFINITY)
            .then_some(distribution)
    }

    /// The x that is exceeded with probability 1 - p.
    pub fn quantile(&self, p: f64) -> f64 {
        let exponential = -(-p).ln_1p();
        if self.shape == 0.0 {
            self.scale * exponential
        } else {
            self.scale * (self.shape * exponential).exp_m1() / self.shape
        }
    }
}

/// The log-likelihood at b = -k / σ, with k the best for this b.
fn profile(b: f64, points: &[f64]) -> f64 {
    let shape = shape_given(b, points);
    -(points.len() as f64) * (scale_given(b, shape, points).ln() + shape + 1.0)
}

/// k = mean ln(1 - b x).
fn shape_given(b: f64, points: &[f64]) -> f64 {
    points.iter().map(|x| (-b * x).ln_1p()).sum::<f64>() / points.len() as f64
}

/// σ = -k / b, whose limit at b = 0 is the mean.
fn scale_given(b: f64, shape: f64, points: &[f64]) -> f64 {
    if b == 0.0 { points.iter().sum::<f64>() / points.len() as f64 } else { -shape / b }
}
