//! The logistic curve through events.

use posterior_math::iteration::Silent;
use posterior_math::log_space::{ln_1p_exp, logistic};
use posterior_math::optimize::{LbfgsOptions, minimize};

use super::ScoredEvent;

/// Slope and intercept of the log-odds with the largest Σ w (t ln p + (1 - t) ln(1 - p)), for the targets t
/// of events that did not happen and of those that did. Without two scores the slope is 0.
pub(super) fn sigmoid(events: &[ScoredEvent], targets: [f64; 2]) -> (f64, f64) {
    let total: f64 = events.iter().map(|own| own.weight).sum();
    let mean = events.iter().map(|own| own.weight * own.score).sum::<f64>() / total;
    let square = |own: &ScoredEvent| own.weight * (own.score - mean).powi(2);
    let sd = (events.iter().map(square).sum::<f64>() / total).sqrt();
    let target = |own: &ScoredEvent| targets[usize::from(own.happened)];
    let rate = events.iter().map(|own| own.weight * target(own)).sum::<f64>() / total;
    let base = rate.ln() - (-rate).ln_1p();
    if !(sd > 0.0 && sd.is_finite()) {
        return (0.0, base);
    }
    // In standard units, so that both numbers are of one size: a convex function with one minimum.
    let loss = |x: &[f64], gradient: &mut [f64]| {
        gradient.fill(0.0);
        let mut loss = 0.0;
        for own in events {
            let (z, weight, target) = ((own.score - mean) / sd, own.weight / total, target(own));
            let eta = x[0] * z + x[1];
            loss += weight * (ln_1p_exp(eta) - target * eta);
            let residual = weight * (logistic(eta) - target);
            gradient[0] += residual * z;
            gradient[1] += residual;
        }
        loss
    };
    let options = LbfgsOptions { gradient_tolerance: 1e-12, ..LbfgsOptions::default() };
    let found = minimize(loss, &[0.0, base], &options, &mut Silent).model.point;
    let slope = found[0] / sd;
    (slope, found[1] - slope * mean)
}
