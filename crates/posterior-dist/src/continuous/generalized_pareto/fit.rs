//! The nearly Bayesian estimate of a generalised Pareto distribution.

use posterior_math::log_space::softmax_in_place;

use super::GeneralizedPareto;

impl GeneralizedPareto {
    /// Above the threshold 0, estimated from positive numbers in ascending order by the nearly Bayesian
    /// estimator of Zhang and Stephens, O(n^1.5); `None` of fewer than five, or if they are too close to zero
    /// to have quotients.
    ///
    /// The estimate is consistent for every ξ, and needs no maximum of a likelihood. It is without the prior
    /// on ξ that the smoothing of importance weights uses.
    ///
    /// # References
    /// J. Zhang, M. Stephens, A new and efficient estimation method for the generalized Pareto distribution,
    /// Technometrics 51, 2009.
    pub fn of_excesses(ascending: &[f64]) -> Option<Self> {
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
        Self::new(0.0, scale_given(b, shape, ascending), shape).ok()
    }
}

/// The log-likelihood at b = -ξ / σ, with ξ the best for this b.
fn profile(b: f64, points: &[f64]) -> f64 {
    let shape = shape_given(b, points);
    -(points.len() as f64) * (scale_given(b, shape, points).ln() + shape + 1.0)
}

/// ξ = mean ln(1 - b x).
fn shape_given(b: f64, points: &[f64]) -> f64 {
    points.iter().map(|x| (-b * x).ln_1p()).sum::<f64>() / points.len() as f64
}

/// σ = -ξ / b, whose limit at b = 0 is the mean.
fn scale_given(b: f64, shape: f64, points: &[f64]) -> f64 {
    if b == 0.0 { points.iter().sum::<f64>() / points.len() as f64 } else { -shape / b }
}
