//! The structural model that a text names, and where a search for its parameters begins.

use posterior::kalman::Error;
use posterior::kalman::structural::{SeriesComponent, Structural};

use super::timeline::Timeline;
use crate::dist::text_input;
use crate::failure::Failure;

/// Units of parameters where steps are regular.
pub(super) const PER_STEP: &str = "per step";

/// Components whose parameters are in units of time, also where steps are regular.
const IN_TIME: [&str; 6] =
    ["matern", "ou", "wiener", "integrated-wiener", "constant-velocity", "constant-acceleration"];

/// The model that the text names, in steps or at the times, with the regressors, and what its parameters are
/// measured in.
pub(super) fn structure(
    text: &str,
    source: &str,
    timeline: &Timeline,
) -> Result<(Structural, &'static str), Failure> {
    let model: Structural = text.parse().map_err(|error| text_input::failure("--model", text, &error, 0))?;
    let model = match &timeline.regressors {
        None => model,
        Some((_, numbers)) => {
            let wrong = |error: Error| Failure::data(format!("{source}: {error}"));
            let regression = SeriesComponent::regression(numbers, 0.0).map_err(wrong)?;
            let components = model.components().iter().cloned().chain([regression]).collect();
            Structural::new(components, model.noise()).map_err(wrong)?
        }
    };
    let in_time = text.split('+').any(|term| IN_TIME.iter().any(|name| term.trim().starts_with(name)));
    let at_times = || model.clone().at_times(&timeline.times);
    let in_units = if timeline.dates.is_some() { "per year" } else { "per unit of time" };
    match (timeline.step, in_time) {
        (Some(_), false) => Ok((model, PER_STEP)),
        (Some(_), true) => match at_times() {
            Ok(model) => Ok((model, in_units)),
            Err(_) => Ok((model, PER_STEP)),
        },
        (None, _) => {
            let wrong = |error: Error| {
                let hint = "the times are irregular; a model in regular steps wants rows of one distance, empty cells where a value is missing";
                Failure::data(format!("{source}: {error}")).with_hint(hint)
            };
            Ok((at_times().map_err(wrong)?, in_units))
        }
    }
}

/// The mean square of the steps of a series; 1 if there are none.
pub(super) fn spread(values: &[f64]) -> f64 {
    let there: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let count = there.len().saturating_sub(1).max(1) as f64;
    let spread = there.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum::<f64>() / count;
    if spread > 0.0 && spread.is_finite() { spread } else { 1.0 }
}

/// The model with parameters where a search may start: those that are at their defaults get the scale of the
/// data.
pub(super) fn started(model: &Structural, spread: f64, timeline: &Timeline) -> Structural {
    let reach = timeline.times[timeline.seen.saturating_sub(1)] - timeline.times[0];
    let start = |name: &str, default: f64| match name {
        _ if default != 1.0 => default,
        "noise.variance" => 0.4 * spread,
        name if name.ends_with("variance") || name.ends_with("intensity") => 0.1 * spread,
        name if name.contains("length") && reach > 0.0 => 0.1 * reach,
        _ => default,
    };
    let all = model.parameters();
    let starts: Vec<f64> = all.iter().map(|parameter| start(parameter.name(), parameter.start())).collect();
    model.with_parameters(&starts).unwrap_or_else(|_| model.clone())
}
