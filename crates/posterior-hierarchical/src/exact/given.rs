//! Values that are independent given the others of their effect.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use posterior_math::check::ParamError;

use crate::Error;
use crate::effect::EffectPrecision;
use crate::engine::Engine;

/// Latent values u_i that the exact posterior has as z_i: u_i = z_i / √Q_ii - Σ_j Q_ij u_j / Q_ii, standard
/// normal a priori whatever the hyperparameters are.
#[derive(Debug)]
pub(super) struct GivenOthers {
    effect: usize,
    parameters: Range<usize>,
    place: usize,
    /// Q_ii among the entries of the effect.
    own: usize,
    /// Places of the others, with their entries Q_ij.
    others: Vec<(usize, usize)>,
}

/// Those of all effects; an error where one depends on another of them, or is held by a constraint.
pub(super) fn given_others(engine: &Engine<'_>) -> Result<Vec<GivenOthers>, Error> {
    let mut all = Vec::new();
    let rows = engine.constraints.rows().iter().flatten();
    let held: BTreeSet<usize> = rows.filter(|(_, value)| *value != 0.0).map(|(place, _)| *place).collect();
    let effects = engine.model.effects.iter().zip(&engine.of_effects).zip(&engine.places);
    for (effect, ((placed, parameters), places)) in effects.enumerate() {
        let mut own = BTreeMap::new();
        let mut others: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for (entry, (i, j)) in placed.effect.pattern().into_iter().enumerate() {
            if i == j {
                own.insert(i, entry);
            } else {
                others.entry(i).or_default().push((places.start + j, entry));
                others.entry(j).or_default().push((places.start + i, entry));
            }
        }
        let conditional = placed.effect.conditional();
        let among = |place: &usize| conditional.contains(&(place - places.start));
        for i in conditional.clone() {
            let (place, others) = (places.start + i, others.remove(&i).unwrap_or_default());
            let is_free = !held.contains(&place) && !others.iter().any(|(other, _)| among(other));
            let Some(&own) = own.get(&i).filter(|_| is_free) else {
                let requirement = "places with entries of their own, none between them, and no constraint";
                return Err(ParamError::new("LatentEffect", "conditional", i as f64, requirement).into());
            };
            all.push(GivenOthers { effect, parameters: parameters.clone(), place, own, others });
        }
    }
    Ok(all)
}

impl GivenOthers {
    /// Replaces z by u; the others are known.
    pub(super) fn put(&self, precisions: &[EffectPrecision], x: &mut [f64]) {
        let values = &precisions[self.effect].values;
        let q = values[self.own];
        let others: f64 = self.others.iter().map(|&(place, entry)| values[entry] * x[place]).sum();
        x[self.place] = x[self.place] / q.sqrt() - others / q;
    }

    /// Adds to the derivatives by the others and by the hyperparameters, and replaces that by u by that by z.
    /// Returns ln |du / dz|.
    pub(super) fn pull(
        &self,
        precisions: &[EffectPrecision],
        x: &[f64],
        by_x: &mut [f64],
        by_natural: &mut [f64],
    ) -> f64 {
        let EffectPrecision { values, derivatives, .. } = &precisions[self.effect];
        let (q, by_own) = (values[self.own], by_x[self.place]);
        let times = |values: &[f64]| self.others.iter().map(|&(place, entry)| values[entry] * x[place]).sum();
        let others: f64 = times(values);
        // z / √q.
        let own = x[self.place] + others / q;
        for (by, (values, _)) in by_natural[self.parameters.clone()].iter_mut().zip(derivatives) {
            let (slope, of_others): (f64, f64) = (values[self.own] / q, times(values));
            *by += by_own * ((others * slope - of_others) / q - 0.5 * own * slope) - 0.5 * slope;
        }
        for &(place, entry) in &self.others {
            by_x[place] -= by_own * values[entry] / q;
        }
        by_x[self.place] = by_own / q.sqrt();
        -0.5 * q.ln()
    }
}
