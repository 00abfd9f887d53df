//! The concentrations, given the weights and the steps.

use posterior_dist::target::FromFn;
use posterior_math::log_space::{logistic, logit};
use posterior_math::special::{ln_gamma, ln_pochhammer};
use posterior_sampling::slice::Slice;
use posterior_sampling::{State, Transition};
use rand::Rng;

use super::model::{LARGEST_PROPORTION, Stickiness, StickyConcentration, StickyHdp, StickyWeights};
use super::tables::Row;
use crate::error::Error;

/// The width of the slices, in ln of a concentration and in the logit of the proportion.
const WIDTH: f64 = 2.0;

/// The range of ln of a concentration.
const LN_RANGE: f64 = 500.0;

/// ln P(steps | weights), the transitions integrated out.
pub(super) fn ln_steps<'a>(weights: &StickyWeights, rows: impl Iterator<Item = Row<'a>>) -> f64 {
    let mut sum = 0.0;
    for (own, counts) in rows {
        let total = weights.alpha() + if own.is_some() { weights.kappa() } else { 0.0 };
        sum -= ln_pochhammer(total, counts.iter().sum());
        for (k, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0.0) {
            let sticky = if own == Some(k) { weights.kappa() } else { 0.0 };
            sum += ln_pochhammer(weights.alpha_beta(k) + sticky, count);
        }
    }
    sum
}

/// Moves α + κ and κ / (α + κ) by a slice of each that is fitted.
pub(super) fn update_rows<'a, F, P, R>(
    model: &StickyHdp<F, P>,
    weights: &mut StickyWeights,
    rows: &(impl Iterator<Item = Row<'a>> + Clone),
    rng: &mut R,
) -> Result<(), Error>
where
    F: posterior_dist::Conjugate<P>,
    R: Rng + ?Sized,
{
    let learns_total = matches!(model.total, StickyConcentration::Learned(_));
    let learns_proportion = matches!(model.proportion, Stickiness::Learned(_));
    let mut start = Vec::new();
    if learns_total {
        start.push(weights.total.ln());
    }
    if learns_proportion {
        start.push(logit(weights.proportion.max(f64::MIN_POSITIVE)));
    }
    let at = |x: &[f64]| {
        let mut moved = weights.clone();
        if learns_total {
            moved.total = x[0].exp();
        }
        if learns_proportion && let Some(&x) = x.last() {
            moved.proportion = logistic(x).min(LARGEST_PROPORTION);
        }
        moved
    };
    let ln_density = |x: &[f64]| {
        if learns_total && x[0].abs() > LN_RANGE {
            return f64::NEG_INFINITY;
        }
        let moved = at(x);
        let prior = model.total.ln_density(moved.total) + model.proportion.ln_density(moved.proportion);
        below_nan(prior + ln_steps(&moved, rows.clone()))
    };
    let moved = slice(&start, ln_density, rng)?.map(|x| at(&x));
    if let Some(moved) = moved {
        *weights = moved;
    }
    Ok(())
}

/// Moves γ, given β: p(γ) Γ(γ) / Γ(γ/L)^L Π β^(γ/L).
pub(super) fn update_gamma<R: Rng + ?Sized>(
    distribution: &StickyConcentration,
    weights: &mut StickyWeights,
    rng: &mut R,
) -> Result<(), Error> {
    if matches!(distribution, StickyConcentration::Known(_)) {
        return Ok(());
    }
    let states = weights.ln_beta.len() as f64;
    let sum: f64 = weights.ln_beta.iter().sum();
    let ln_density = |x: &[f64]| {
        if x[0].abs() > LN_RANGE {
            return f64::NEG_INFINITY;
        }
        let gamma = x[0].exp();
        let proportion = gamma / states;
        below_nan(
            distribution.ln_density(gamma) + ln_gamma(gamma) - states * ln_gamma(proportion)
                + proportion * sum,
        )
    };
    if let Some(x) = slice(&[weights.gamma.ln()], ln_density, rng)? {
        weights.gamma = x[0].exp();
    }
    Ok(())
}

/// A slice of each coordinate in turn; `None` where there is none.
fn slice<R: Rng + ?Sized>(
    start: &[f64],
    ln_density: impl Fn(&[f64]) -> f64,
    rng: &mut R,
) -> Result<Option<Vec<f64>>, Error> {
    if start.is_empty() {
        return Ok(None);
    }
    let kernel = Slice::new(&vec![WIDTH; start.len()])?;
    let target = FromFn::new(start.len(), ln_density);
    let mut state = kernel.init(&target, start)?;
    kernel.step(&target, &mut state, rng)?;
    Ok(Some(state.position().to_vec()))
}

fn below_nan(ln_density: f64) -> f64 {
    if ln_density.is_nan() { f64::NEG_INFINITY } else { ln_density }
}
