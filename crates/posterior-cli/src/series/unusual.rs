//! Values that do not fit, and times at which a level, a slope or a season breaks.

use posterior::kalman::diagnostics::AuxiliaryResiduals;
use posterior::kalman::structural::Structural;
use serde::Serialize;

/// Beyond so many standard deviations a noise is unusual: one of 370 is, if the model is right.
pub(super) const BEYOND: f64 = 3.0;

/// A noise that is larger than it should be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Unusual {
    /// The place of its time: of a break, the first time after it.
    #[serde(skip)]
    pub(super) t: usize,
    /// `value`, or the part of the model that breaks.
    pub(super) what: String,
    /// In standard deviations.
    pub(super) residual: f64,
}

impl Unusual {
    /// The same in words.
    pub(super) fn sentence(&self, time: &str) -> String {
        let Self { what, residual, .. } = self;
        match what.as_str() {
            "value" => format!("unusual at {time}: the value, {residual:+.1} sd"),
            what => format!("break at {time}: of the {what}, {residual:+.1} sd"),
        }
    }
}

/// All that is unusual, the first time first. Of a run of neighbours that all are, the farthest out stands
/// for them: noises that the data suggest are alike from time to time.
pub(super) fn of(structure: &Structural, residuals: &AuxiliaryResiduals, seen: usize) -> Vec<Unusual> {
    let values: Vec<f64> = residuals.observations.iter().take(seen).map(|own| own[0]).collect();
    let mut all = outstanding("value", 0, &values);
    for (state, name) in states(structure).into_iter().enumerate() {
        let Some(name) = name else { continue };
        let steps = residuals.states.iter().take(seen.saturating_sub(1)).map(|own| own[state]);
        all.extend(outstanding(name, 1, &steps.collect::<Vec<_>>()));
    }
    all.sort_by(|a, b| a.t.cmp(&b.t).then_with(|| a.what.cmp(&b.what)));
    all
}

fn outstanding(what: &str, later: usize, residuals: &[f64]) -> Vec<Unusual> {
    let mut found: Vec<Unusual> = Vec::new();
    let mut last = usize::MAX;
    for (t, &residual) in residuals.iter().enumerate().filter(|(_, own)| own.abs() > BEYOND) {
        let own = Unusual { t: t + later, what: what.to_owned(), residual };
        match found.last_mut() {
            Some(before) if last.wrapping_add(1) == t && before.residual * residual > 0.0 => {
                if residual.abs() > before.residual.abs() {
                    *before = own;
                }
            }
            _ => found.push(own),
        }
        last = t;
    }
    found
}

/// What each state of a model is, as far as its noise is a break of something: the level and the slope of a
/// trend, the first dummy of a season. Waves, cycles and processes have many states for one thing.
fn states(structure: &Structural) -> Vec<Option<&'static str>> {
    let text = structure.to_string();
    let mut names = vec![None; structure.places().last().map_or(0, |place| place.end)];
    for (term, place) in text.split(" + ").zip(structure.places()) {
        let of: &[&str] = match term.split(['(', ':']).next().unwrap_or("") {
            "local-level" => &["level"],
            "local-linear-trend" | "smooth-trend" | "damped-trend" => &["level", "slope"],
            "seasonal" => &["season"],
            _ => &[],
        };
        names[place].iter_mut().zip(of).for_each(|(state, name)| *state = Some(*name));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_break_and_states_have_names() {
        let found = outstanding("level", 1, &[0.0, 3.1, 3.4, f64::NAN, -3.2, -1.0, 5.0]);
        let places: Vec<(usize, f64)> = found.iter().map(|own| (own.t, own.residual)).collect();
        assert_eq!(places, [(3, 3.4), (5, -3.2), (7, 5.0)]);
        let model: Structural = "smooth-trend + seasonal:4 + cycle:9 + local-level".parse().unwrap();
        let names: Vec<&str> = states(&model).iter().map(|own| own.unwrap_or("")).collect();
        assert_eq!(names, ["level", "slope", "season", "", "", "", "", "level"]);
    }
}
