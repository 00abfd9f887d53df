//! Draws of a chain, where weights are too uneven.

use posterior_dist::stream::stream;
use rand::{Rng, RngExt};
use rand_distr::Exp1;

use super::importance::Sample;
use super::{IntegrationMethod, IntegrationOptions, ParameterPosterior, Target, points};

/// Sweeps over all coordinates before the first draw is kept.
const WARM_UP: usize = 20;

/// Sweeps from one draw to the next.
const SWEEPS: usize = 3;

/// Steps out of a slice, on both sides together.
const STEPS: usize = 20;

/// Slice sampling, coordinate by coordinate, from the most probable of some draws.
///
/// R. M. Neal, Annals of Statistics 31 (2003), section 4: stepping out and shrinking.
pub(super) fn sample(target: &Target<'_>, from: &Sample, options: &IntegrationOptions) -> ParameterPosterior {
    let mut rng = stream(options.seed, &[options.rounds as u64, 1]);
    let best =
        (0..from.positions.len()).max_by(|&a, &b| from.ln_densities[a].total_cmp(&from.ln_densities[b]));
    let mut position = best.map_or_else(Vec::new, |place| from.positions[place].clone());
    let mut here = target.ln_density(&position);
    let (_, covariance) = from.moments();
    let widths: Vec<f64> =
        covariance.diagonal().iter().map(|own| (2.0 * own.sqrt()).clamp(0.1, 2.0)).collect();
    let kept = (options.draws / 2).max(1);
    let mut draws = Vec::with_capacity(kept);
    for sweep in 1..=WARM_UP + SWEEPS * kept {
        for (coordinate, width) in widths.iter().enumerate() {
            here = slice(target, &mut position, here, (coordinate, *width), &mut rng);
        }
        if sweep > WARM_UP && (sweep - WARM_UP).is_multiple_of(SWEEPS) {
            draws.push(position.clone());
        }
    }
    ParameterPosterior {
        points: points(target, &draws, &vec![(kept as f64).recip(); kept]),
        method: IntegrationMethod::Chain,
        effective: kept as f64,
        ln_evidence: None,
    }
}

/// Moves one coordinate, and returns ln p at the new place.
fn slice(
    target: &Target<'_>,
    position: &mut [f64],
    here: f64,
    (coordinate, width): (usize, f64),
    rng: &mut (impl Rng + ?Sized),
) -> f64 {
    let start = position[coordinate];
    let level = here - rng.sample::<f64, _>(Exp1);
    let mut at = |value: f64| {
        position[coordinate] = value;
        target.ln_density(position)
    };
    let mut low = start - width * rng.random::<f64>();
    let mut high = low + width;
    // The limit is split at random, so that the way back is as likely.
    let below = rng.random_range(0..STEPS);
    for _ in 0..below {
        if at(low) <= level {
            break;
        }
        low -= width;
    }
    for _ in 0..STEPS - 1 - below {
        if at(high) <= level {
            break;
        }
        high += width;
    }
    loop {
        let value = low + (high - low) * rng.random::<f64>();
        let there = at(value);
        // The interval may shrink to the start itself, where the density is above the level.
        if there > level || high - low < 1e-12 {
            return there;
        }
        if value < start { low = value } else { high = value }
    }
}
