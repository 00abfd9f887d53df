//! Maximum likelihood where the noise of values is not Gaussian.

use posterior::kalman::structural::Structural;
use posterior::kalman::{Error, Series};

use super::candidates::Choice;
use super::parameter_points::{ParameterTarget, is_variance, natural, points, root_of_covariance};
use super::recipe::{Fitted, ParameterValue, Recipe};
use super::signal_target::SignalTarget;
use super::structure::{PER_STEP, started};
use super::timeline::Timeline;
use crate::args::ParameterKnowledge;
use crate::output::significant;

/// Variances below such a part of the mean square of the steps are at their boundary, and sizes and degrees
/// of freedom above so many.
const NOTHING: f64 = 1e-7;
const GAUSSIAN: f64 = 1e4;

/// The model at its estimates, with the given parameters fixed, and points of the posterior around them.
pub(super) fn fitted(
    (choice, recipe): (&Choice, &Recipe<'_>),
    model: &Structural,
    given: &[(String, f64)],
    (timeline, units): (&Timeline, &str),
    seen: &[f64],
) -> Result<Fitted, Error> {
    let kind = choice.likelihood;
    let trials = recipe.trials.get(..seen.len()).unwrap_or_default();
    let spread = kind.spread(seen, trials);
    let model = started(model, spread, timeline);
    let there = |&value: &f64| Some(value).filter(|value| !value.is_nan());
    let series = [Series::univariate_with_missing(&seen.iter().map(there).collect::<Vec<_>>())?];
    let target = SignalTarget::new(&model, &series, (kind, trials), (spread, given), recipe.seed)?;
    let (free, converged) = target.maximize();
    // What is wrong with the series at the best point is what is wrong with it.
    let mut slopes = vec![0.0; free.len()];
    target.ln_likelihood(&free, &mut slopes)?;
    let mut warnings = Vec::new();
    if !converged {
        warnings.push("the search for the parameters did not converge; give some by --params".to_owned());
    }
    let (all, unknown) = (target.parameters(), target.unknown());
    let best = natural(all, &target.complete(&free));
    let negative = |u: &[f64], gradient: &mut [f64]| -> f64 {
        let Ok(value) = target.ln_likelihood(u, gradient) else { return f64::NAN };
        for slope in gradient {
            *slope = -*slope;
        }
        -value
    };
    let root = if free.is_empty() { None } else { Some(root_of_covariance(negative, &free)?) };
    let is_at_boundary = |place: usize| match all[place].name() {
        "size" | "degrees" => best[place] > GAUSSIAN,
        _ => is_variance(&all[place]) && best[place] < NOTHING * spread,
    };
    let parameter = |place: usize| {
        let name = all[place].name().to_owned();
        let value = best[place];
        let Some(row) = unknown.iter().position(|own| *own == place) else {
            return ParameterValue { name, value, standard_error: None, status: "fixed" };
        };
        if is_at_boundary(place) {
            return ParameterValue { name, value, standard_error: None, status: "at its boundary" };
        }
        let sd = root.as_ref().map(|root| root.row(row).norm());
        let standard_error = sd.map(|sd| sd * all[place].scale().slope(free[row]));
        ParameterValue { name, value, standard_error, status: "fitted" }
    };
    let mut parameters: Vec<ParameterValue> = (0..all.len()).map(parameter).collect();
    for own in parameters.iter().filter(|own| own.status == "at its boundary") {
        let value = significant(own.value);
        warnings.push(format!(
            "{} went to its boundary ({value}): the data ask for none, or cannot tell",
            own.name
        ));
    }
    let step = (timeline.times[seen.len() - 1] - timeline.times[0]) / (seen.len().max(2) - 1) as f64;
    let rate = if units == PER_STEP || step <= 0.0 { spread } else { spread / step };
    let (points, rough) = match recipe.knowledge {
        ParameterKnowledge::Known => (Vec::new(), None),
        ParameterKnowledge::Integrated => points(&target, &free, [spread, rate], recipe.seed)?,
    };
    warnings.extend(rough);
    let of_states = model.parameters().len();
    let structure = model.with_parameters(&best[..of_states])?;
    let zeros = given.iter().filter(|(name, _)| all.iter().all(|own| own.name() != name));
    parameters.extend(zeros.map(|(name, value)| ParameterValue::given(name, *value, recipe.given)));
    Ok(Fitted { structure, own: best[of_states..].to_vec(), parameters, points, warnings })
}
