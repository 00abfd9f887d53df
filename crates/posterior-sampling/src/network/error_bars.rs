//! What the draws of several chains say of a probability, and how well.

/// A probability by the draws of several chains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Estimate {
    /// The share of draws.
    pub(super) p: f64,
    /// How many independent draws would be worth as much; `None` if no chain ever changed.
    pub(super) effective_size: Option<f64>,
    /// Split R-hat; infinite if chains stand still in different places.
    pub(super) r_hat: f64,
}

/// The share of draws for which the indicator is 1. The chains are of the same length.
pub(super) fn estimate(chains: &[Vec<f64>]) -> Estimate {
    let draws = chains[0].len();
    let n = (draws * chains.len()) as f64;
    let p = chains.iter().flatten().sum::<f64>() / n;
    let batch = draws.isqrt().max(1);
    let means: Vec<f64> = chains.iter().flat_map(|c| c.chunks_exact(batch)).map(mean).collect();
    let between = variance_about(p, &means);
    let effective_size = (between > 0.0).then(|| (p * (1.0 - p) * means.len() as f64 / between).min(n));
    Estimate { p, effective_size, r_hat: split_r_hat(chains) }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance_about(centre: f64, values: &[f64]) -> f64 {
    values.iter().map(|x| (x - centre).powi(2)).sum::<f64>() / (values.len().max(2) - 1) as f64
}

fn split_r_hat(chains: &[Vec<f64>]) -> f64 {
    let half = chains[0].len() / 2;
    let parts: Vec<&[f64]> = chains.iter().flat_map(|c| [&c[..half], &c[c.len() - half..]]).collect();
    let means: Vec<f64> = parts.iter().map(|part| mean(part)).collect();
    let within =
        mean(&parts.iter().zip(&means).map(|(part, &m)| variance_about(m, part)).collect::<Vec<_>>());
    let between = variance_about(mean(&means), &means);
    match (within > 0.0, between > 0.0) {
        (false, false) => 1.0,
        (false, true) => f64::INFINITY,
        _ => ((half - 1) as f64 / half as f64 + between / within).sqrt(),
    }
}

/// The standard error of a share p of draws that are worth `size` independent ones. As if half a draw more had been seen on either side: a
/// state that was never drawn is not known to be impossible.
pub(super) fn standard_error(p: f64, size: f64) -> f64 {
    let p = (p * size + 0.5) / (size + 1.0);
    (p * (1.0 - p) / size).sqrt()
}
