//! `--model auto`: a family of models, compared by the values that they predict.

use posterior::kalman::learning::MarginalTarget;
use posterior::kalman::{FilterOptions, filter};
use posterior::math::iteration::Silent;
use posterior::math::optimize::{LbfgsOptions, ScalarOptions, minimize, minimize_scalar};
use rayon::prelude::*;
use serde::Serialize;

use super::analysis::series;
use super::parameter_points::natural;
use super::structure::{spread, started, structure};
use super::timeline::Timeline;
use super::transform::Transform;
use crate::args::{SeriesLikelihood, SeriesModel, TransformChoice};
use crate::failure::Failure;
use crate::json::Number;
use crate::output::significant;

/// The word for all of them.
const AUTO: &str = "auto";
const TRENDS: [&str; 4] = ["local-level", "local-linear-trend", "smooth-trend", "damped-trend"];
/// The longest season by dummies and by waves; beyond the first, waves of a few harmonics.
const LONGEST: usize = 26;
const HARMONICS: usize = 4;

/// A model with what is said for it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Candidate {
    pub(super) model: String,
    #[serde(serialize_with = "as_name")]
    pub(super) transform: Transform,
    /// How many parameters are fitted.
    pub(super) parameters: usize,
    /// The mean of ln p of a value given those before it.
    pub(super) ln_score: Number,
    /// Akaike's criterion of the values with the correction for small numbers of them: the less the better.
    pub(super) aic: Number,
    /// exp(-½ AIC), over the sum of all.
    pub(super) weight: f64,
    #[serde(skip)]
    terms: Vec<f64>,
    /// How many values fix the start of the model.
    #[serde(skip)]
    diffuse: usize,
}

fn as_name<S: serde::Serializer>(transform: &Transform, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&transform.name())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
pub(super) fn is_gaussian(likelihood: &SeriesLikelihood) -> bool {
    *likelihood == SeriesLikelihood::Gaussian
}

/// The model of a column, and what it was compared with.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Choice {
    pub(super) model: String,
    #[serde(serialize_with = "as_name")]
    pub(super) transform: Transform,
    #[serde(skip_serializing_if = "is_gaussian")]
    pub(super) likelihood: SeriesLikelihood,
    /// The best first; none where the model was given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) candidates: Vec<Candidate>,
    /// What was left out of the family.
    #[serde(skip)]
    pub(super) note: Option<String>,
}

/// A column whose model is to be chosen: its values as far as they are seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chooser<'a> {
    pub(super) source: &'a str,
    pub(super) timeline: &'a Timeline,
    pub(super) column: &'a str,
    pub(super) values: &'a [f64],
}

impl Chooser<'_> {
    /// By what the options say.
    pub(super) fn choose(self, options: &SeriesModel) -> Result<Choice, Failure> {
        let seen = &self.values[..self.timeline.seen];
        if options.model != AUTO {
            // What is wrong with the text is said before anything is computed.
            structure(&options.model, self.source, self.timeline)?;
            let transform = self.transform(options.transform, &options.model)?;
            let model = options.model.clone();
            let likelihood = options.likelihood;
            return Ok(Choice { model, transform, likelihood, candidates: Vec::new(), note: None });
        }
        if self.timeline.step.is_none() {
            let message = format!("{}: --model auto: the times are irregular", self.source);
            return Err(Failure::data(message).with_hint("name a model of a process, such as matern32"));
        }
        let count = seen.iter().filter(|value| !value.is_nan()).count();
        let season = season(options, self.timeline);
        let fits = |season: &usize| count >= 2 * season + 3;
        let few = season.filter(|own| !fits(own)).map(|season| {
            let least = 2 * season + 3;
            format!(
                "column {}: {count} values are too few for a season of {season}: it takes {least}",
                self.column
            )
        });
        if let Some(few) = few.as_ref().filter(|_| options.season.is_some()) {
            let hint = "without --season, or with --season 1, no model has a season";
            return Err(Failure::data(format!("{}: {few}", self.source)).with_hint(hint));
        }
        let texts = texts(season.filter(fits));
        let richest = &texts[texts.len() - 1];
        let positive = seen.iter().all(|&value| value > 0.0 || value.is_nan());
        let mut all = match options.transform {
            None if positive => [Transform::None, Transform::Log]
                .par_iter()
                .filter_map(|&transform| self.candidate(richest, transform))
                .collect(),
            None => Vec::from_iter(self.candidate(richest, Transform::None)),
            Some(choice) => Vec::from_iter(self.candidate(richest, self.transform(Some(choice), richest)?)),
        };
        compare(&mut all);
        let Some(transform) = all.first().map(|own| own.transform) else {
            let message = format!("{}: column {}: no model could be fitted", self.source, self.column);
            return Err(Failure::data(message).with_hint("name a model, and its parameters by --params"));
        };
        let others = texts.par_iter().take(texts.len() - 1);
        let others: Vec<Candidate> = others.filter_map(|text| self.candidate(text, transform)).collect();
        all.extend(others);
        compare(&mut all);
        if !all[0].aic.0.is_finite() {
            let message = format!(
                "{}: column {}: --model auto: {count} values are too few to choose by",
                self.source, self.column
            );
            return Err(Failure::data(message).with_hint("name a model, such as local-level"));
        }
        let (model, transform) = (all[0].model.clone(), all[0].transform);
        Ok(Choice { model, transform, likelihood: options.likelihood, candidates: all, note: few })
    }

    /// The scale that is asked for; a power that is not given is the one under which this model is likeliest.
    fn transform(self, choice: Option<TransformChoice>, model: &str) -> Result<Transform, Failure> {
        let given = match choice {
            None | Some(TransformChoice::None) => return Ok(Transform::None),
            Some(TransformChoice::Log) => Transform::Log,
            Some(TransformChoice::BoxCox(exponent)) => Transform::BoxCox(exponent),
            Some(TransformChoice::BoxCoxEstimated) => Transform::BoxCox(1.0),
        };
        given.check(self.source, self.timeline, self.column, self.values)?;
        if choice != Some(TransformChoice::BoxCoxEstimated) {
            return Ok(given);
        }
        let deviance = |exponent: f64| {
            let candidate = self.candidate(model, Transform::BoxCox(exponent));
            candidate.map_or(f64::INFINITY, |own| -own.terms.iter().sum::<f64>())
        };
        let options = ScalarOptions { absolute: 0.01, max_evaluations: 20, ..ScalarOptions::default() };
        let found = minimize_scalar(deviance, 0.0, 2.0, &options);
        if !found.value.is_finite() {
            let message =
                format!("{}: column {}: no exponent of --transform boxcox fits", self.source, self.column);
            return Err(Failure::data(message).with_hint("give one, as boxcox:0.5"));
        }
        Ok(Transform::BoxCox((100.0 * found.point).round() / 100.0))
    }

    /// Fitted to the values; none where that fails.
    fn candidate(self, text: &str, transform: Transform) -> Option<Candidate> {
        let seen = &self.values[..self.timeline.seen];
        let timeline = self.timeline.until(seen.len(), 0);
        let (model, _) = structure(text, self.source, &timeline).ok()?;
        let on_scale: Vec<f64> = seen.iter().map(|&y| transform.forward(y)).collect();
        // Parameters that the text gives stay.
        let given = text.contains('(');
        let model = if given { model } else { started(&model, spread(&on_scale), &timeline) };
        let series = [series(transform, seen).ok()?];
        let likelihood = MarginalTarget::new(&model, &series).ok()?;
        let start = likelihood.start();
        let negative = |u: &[f64], gradient: &mut [f64]| match likelihood.ln_likelihood(u, gradient) {
            Ok(value) => {
                for slope in gradient {
                    *slope = -*slope;
                }
                -value
            }
            Err(_) => f64::NAN,
        };
        let free = if given || start.is_empty() {
            start
        } else {
            minimize(negative, &start, &LbfgsOptions::default(), &mut Silent).model.point
        };
        let states = model
            .with_parameters(&natural(likelihood.parameters(), &likelihood.complete(&free)))
            .ok()?
            .state_space()
            .ok()?;
        let filtered = filter(&states, &series[0], &FilterOptions::default()).ok()?;
        let terms = filtered
            .ln_likelihood_terms()
            .iter()
            .zip(seen)
            .map(|(term, &y)| if y.is_nan() { f64::NAN } else { term + transform.ln_slope(y) });
        Some(Candidate {
            model: text.to_owned(),
            transform,
            parameters: if given { 0 } else { free.len() },
            ln_score: Number(f64::NAN),
            aic: Number(f64::NAN),
            weight: 0.0,
            terms: terms.collect(),
            diffuse: filtered.diffuse_times(),
        })
        .filter(|own| own.terms.iter().all(|term| term.is_nan() || term.is_finite()))
    }
}

/// Steps of a season: as given, or those of the dates; none of one step.
pub(super) fn season(options: &SeriesModel, timeline: &Timeline) -> Option<usize> {
    options.season.map(usize::from).or_else(|| timeline.season()).filter(|&season| season > 1)
}

/// The family, the richest model last.
fn texts(season: Option<usize>) -> Vec<String> {
    let seasons = match season {
        None => Vec::new(),
        Some(season @ ..=LONGEST) => vec![format!("+trigonometric:{season}"), format!("+seasonal:{season}")],
        Some(season) => vec![format!("+trigonometric:{season},{HARMONICS}")],
    };
    let all = std::iter::once(String::new()).chain(seasons);
    let mut texts: Vec<String> =
        all.flat_map(|season| TRENDS.map(|trend| format!("{trend}{season}"))).collect();
    // The local linear trend holds the others, but for the damping.
    let last = texts.len() - 3;
    let richest = texts.remove(last);
    texts.push(richest);
    texts
}

/// Scores of the values that all of them predict, which are those after the longest start; the best first.
fn compare(all: &mut [Candidate]) {
    let start = all.iter().map(|own| own.diffuse).max().unwrap_or(0);
    for own in all.iter_mut() {
        let terms: Vec<f64> = own.terms[start..].iter().copied().filter(|term| !term.is_nan()).collect();
        let (n, k, sum) = (terms.len() as f64, own.parameters as f64, terms.iter().sum::<f64>());
        let correction = if n > k + 1.0 { n / (n - k - 1.0) } else { f64::INFINITY };
        own.ln_score = Number(sum / n);
        own.aic = Number(2.0 * k * correction - 2.0 * sum);
    }
    all.sort_by(|a, b| a.aic.0.total_cmp(&b.aic.0));
    let Some(best) = all.first().map(|own| own.aic.0) else { return };
    let total: f64 = all.iter().map(|own| (0.5 * (best - own.aic.0)).exp()).sum();
    for own in all.iter_mut() {
        own.weight = (0.5 * (best - own.aic.0)).exp() / total;
    }
}

/// What the models of a family are worth.
pub(super) fn candidate_rows(all: &[Candidate]) -> Vec<Vec<String>> {
    let row = |own: &Candidate| {
        vec![
            own.model.clone(),
            own.transform.name(),
            own.parameters.to_string(),
            significant(own.ln_score.0),
            format!("{:.2}", own.aic.0),
            format!("{:.3}", own.weight),
        ]
    };
    all.iter().map(row).collect()
}

/// The head of these rows.
pub(super) const CANDIDATES: [&str; 6] = ["model", "transform", "parameters", "ln score", "AICc", "weight"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_richest_model_is_last() {
        assert_eq!(texts(None), ["local-level", "smooth-trend", "damped-trend", "local-linear-trend"]);
        let all = texts(Some(12));
        assert_eq!(all.len(), 12);
        assert_eq!(all[11], "local-linear-trend+seasonal:12");
        assert_eq!(texts(Some(52))[7], "local-linear-trend+trigonometric:52,4");
    }
}
