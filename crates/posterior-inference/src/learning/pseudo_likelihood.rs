//! Log-linear fields by pseudo-likelihood: each variable given the others, which needs no ln Z.

use posterior_math::iteration::{Fitted, Observer};
use posterior_math::log_space::softmax_in_place;
use posterior_math::optimize::minimize;
use posterior_pgm::{LogLinear, Records, Table, VarId};

use super::log_likelihood::LogLinearOptions;
use crate::Error;

/// The weights that maximise ∑ₙ ∑ᵥ ln p(xᵥ | all others), less the penalty: consistent like maximum
/// likelihood, less efficient, and as cheap for a wide graph as for a tree. O(records × variables × states ×
/// their features) a step.
///
/// # Errors
/// Records of other variables, or with a missing state; no record; a negative penalty.
///
/// # References
/// J. Besag, Statistical analysis of non-lattice data, The Statistician 24, 1975.
pub fn fit_pseudo_likelihood(
    start: LogLinear,
    records: &Records,
    options: &LogLinearOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<LogLinear>, Error> {
    options.check()?;
    start.check_records(records)?;
    let rows = records.distinct_states()?;
    let neighbourhood = Neighbourhoods::new(&start);
    let proportion = 1.0 / records.len() as f64;
    let objective = |weights: &[f64], gradient: &mut [f64]| {
        gradient.fill(0.0);
        let mut value = 0.0;
        for (states, count) in &rows {
            value -= neighbourhood.add(weights, states, count * proportion, gradient);
        }
        value + options.penalize(weights, gradient)
    };
    let found = minimize(objective, start.weights(), &options.lbfgs, observer);
    Ok(Fitted { model: start.with_weights(found.model.point)?, report: found.report })
}

/// The features that each variable takes part in.
struct Neighbourhoods<'a> {
    model: &'a LogLinear,
    /// For each variable: the feature, and how far apart its values are for neighbouring states of the
    /// variable.
    features: Vec<Vec<(usize, usize)>>,
}

impl<'a> Neighbourhoods<'a> {
    fn new(model: &'a LogLinear) -> Self {
        let mut features: Vec<Vec<(usize, usize)>> = vec![Vec::new(); model.variables().len()];
        for (k, feature) in model.features().iter().enumerate() {
            let mut stride = 1;
            for (v, card) in feature.scope().iter().zip(feature.cards()).rev() {
                features[v.index()].push((k, stride));
                stride *= card;
            }
        }
        Self { model, features }
    }

    /// Adds −`weight` ∂/∂w of ∑ᵥ ln p(xᵥ | others) at `states` to the gradient, and returns `weight` times
    /// the sum.
    fn add(&self, weights: &[f64], states: &[usize], weight: f64, gradient: &mut [f64]) -> f64 {
        let mut total = 0.0;
        for v in self.model.variables().ids() {
            let own = states[v.index()];
            let values = |&(k, stride): &(usize, usize)| {
                (k, Line::through(&self.model.features()[k], states, v, stride))
            };
            let lines: Vec<(usize, Line<'_>)> = self.features[v.index()].iter().map(values).collect();
            let energy = |state| lines.iter().map(|(k, line)| weights[*k] * line.at(state)).sum();
            let mut p: Vec<f64> = (0..self.model.variables().card(v)).map(energy).collect();
            let score = p[own];
            total += weight * (score - softmax_in_place(&mut p));
            for (k, line) in &lines {
                let mean: f64 = p.iter().enumerate().map(|(state, p)| p * line.at(state)).sum();
                gradient[*k] -= weight * (line.at(own) - mean);
            }
        }
        total
    }
}

/// The values of a feature along the states of one variable, the others as they are.
struct Line<'a> {
    values: &'a [f64],
    start: usize,
    stride: usize,
}

impl<'a> Line<'a> {
    fn through(feature: &'a Table, states: &[usize], v: VarId, stride: usize) -> Self {
        let place = |at: usize, (own, &card): (&VarId, &usize)| at * card + states[own.index()];
        let here = feature.scope().iter().zip(feature.cards()).fold(0, place);
        Self { values: feature.values(), start: here - states[v.index()] * stride, stride }
    }

    fn at(&self, state: usize) -> f64 {
        self.values[self.start + state * self.stride]
    }
}
