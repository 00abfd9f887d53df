//! Diagnostics against tables, closed forms and an independent library, and what they do where they have no
//! value.

mod known_distributions;
mod policy;
mod reference;
mod summaries;

use posterior_dist::stream::stream;
use rand::RngExt;
use rand_distr::StandardNormal;

/// Chains of x_t = ρ x_(t-1) + √(1 - ρ²) e_t, with the standard normal distribution from the first draw on.
fn autoregressive(seed: u64, chains: u64, draws: usize, rho: f64) -> Vec<Vec<f64>> {
    let chain = |c: u64| {
        let mut rng = stream(seed, &[c]);
        let mut x: f64 = rng.sample(StandardNormal);
        let mut step = || {
            let noise: f64 = rng.sample(StandardNormal);
            let next = rho * x + (1.0 - rho * rho).sqrt() * noise;
            std::mem::replace(&mut x, next)
        };
        (0..draws).map(|_| step()).collect()
    };
    (0..chains).map(chain).collect()
}
