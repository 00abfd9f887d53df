//! The model of a column: its text, its parameters, given or fitted.

use posterior::kalman::Error;
use posterior::kalman::learning::{MarginalTarget, MaximizeOptions, Parameter, Status, fit};
use posterior::kalman::structural::Structural;
use posterior::math::iteration::Silent;
use posterior::math::optimize::LbfgsOptions;

use super::analysis::{self, Analysis, series};
use super::candidates::Choice;
use super::parameter_points::{GaussianTarget, ParameterPoint, natural, points};
use super::recipe::{Fitted, ParameterValue, Recipe};
use super::signal_analysis::{self, SignalPoint};
use super::signal_fit;
use super::structure::{PER_STEP, spread, started, structure};
use super::timeline::Timeline;
use super::transform::Transform;
use crate::args::{ParameterKnowledge, SeriesLikelihood};
use crate::dist::text_input;
use crate::failure::Failure;
use crate::level::Level;
use crate::output::significant;

/// Searches for the parameters, from different starts.
const STARTS: usize = 3;

/// The proportion of ln p by which the last step of a search may still raise it: some 10⁻⁹ nats a value.
const TOLERANCE: f64 = 1e-9;

/// A column, its model, and what they say.
#[derive(Debug, Clone)]
pub(super) struct Smoothing {
    pub(super) column: String,
    pub(super) model: String,
    pub(super) transform: Transform,
    pub(super) likelihood: SeriesLikelihood,
    /// At all times, NaN where missing.
    pub(super) values: Vec<f64>,
    pub(super) analysis: Analysis,
    pub(super) parameters: Vec<ParameterValue>,
    /// Points that were averaged over; none where the parameters are taken as known.
    pub(super) points: Vec<ParameterPoint>,
    /// How many directions of the start are diffuse.
    pub(super) diffuse: usize,
    /// What the parameters are measured in.
    pub(super) units: &'static str,
    pub(super) warnings: Vec<String>,
    /// The probability of intervals.
    pub(super) level: Level,
}

impl Smoothing {
    /// Reads the model, fits what is not given to the values that were seen, and smooths.
    pub(super) fn new(
        choice: &Choice,
        recipe: &Recipe<'_>,
        (source, timeline): (&str, &Timeline),
        column: &str,
        values: Vec<f64>,
    ) -> Result<Self, Failure> {
        let (text, transform, likelihood) = (&choice.model, choice.transform, choice.likelihood);
        transform.check(source, timeline, column, &values)?;
        likelihood.check((source, timeline), column, &values, &recipe.trials)?;
        let (model, units) = structure(text, source, timeline)?;
        let model = likelihood.states(model, text)?;
        let given = given(recipe, &model, likelihood)?;
        let fits = recipe.fit || given.is_empty() && !text.contains('(');
        let own = likelihood.parameters(1.0);
        let is_own = |name: &str| own.iter().any(|own| own.name() == name);
        let of_states = given.iter().filter(|(name, _)| !is_own(name));
        let model = of_states.clone().try_fold(model, |model, (name, value)| {
            model
                .with_parameter(name, *value)
                .map_err(|error| text_input::failure("--params", name, &error, 0))
        })?;
        let wrong = |error: Error| Failure::data(format!("{source}: column {column}: {error}"));
        let seen: Vec<f64> = values[..timeline.seen].to_vec();
        let found = if fits {
            let fitted = match likelihood {
                SeriesLikelihood::Gaussian => {
                    fitted(recipe, &model, &given, (timeline, units, transform), &seen)
                }
                _ => signal_fit::fitted((choice, recipe), &model, &given, (timeline, units), &seen),
            };
            fitted.map_err(wrong)?
        } else {
            let parameters = known(recipe, text, &model, &given, likelihood)?;
            let value = |own: &Parameter| parameters.iter().find(|given| given.name == own.name());
            let own = own.iter().filter_map(value).map(|own| own.value).collect();
            Fitted { structure: model, own, parameters, points: recipe.points.clone(), warnings: Vec::new() }
        };
        let Fitted { structure, own, parameters, points, mut warnings } = found;
        warnings.extend(choice.note.clone());
        let of_states = structure.parameters().len();
        let at_point = |point: &ParameterPoint| {
            let values = point.values.get(..of_states).unwrap_or_default();
            let model = structure.with_parameters(values).map_err(|error| wrong(error.into()))?;
            Ok((point.weight, model, point.values.get(of_states..).unwrap_or_default().to_vec()))
        };
        let of_draws =
            if likelihood == SeriesLikelihood::Gaussian { 0 } else { signal_analysis::memory(values.len()) };
        let needed = analysis::memory(&structure, points.len(), values.len()).saturating_add(of_draws);
        let what = format!("{source}: column {column}: smoothing takes");
        recipe.memory.check(&what, needed, "take fewer rows, or a model with fewer states")?;
        let models = points.iter().map(at_point).collect::<Result<Vec<_>, Failure>>()?;
        let diffuse = structure.state_space().map_err(wrong)?.initial().diffuse_directions().ncols();
        let seen_as = |own: &[f64]| likelihood.with(own, &recipe.trials).ok_or(Error::Undetermined);
        let mut analysis = if likelihood == SeriesLikelihood::Gaussian {
            let models: Vec<_> = models.into_iter().map(|(weight, model, _)| (weight, model)).collect();
            Analysis::new(&structure, &models, transform, &values, timeline.seen, recipe.level)
                .map_err(wrong)?
        } else {
            let best = (1.0, structure, seen_as(&own).map_err(wrong)?);
            let point =
                |(weight, model, own): (f64, Structural, Vec<f64>)| Ok((weight, model, seen_as(&own)?));
            let points: Vec<SignalPoint> =
                models.into_iter().map(point).collect::<Result<_, Error>>().map_err(wrong)?;
            let settings = (timeline.seen, recipe.level, recipe.seed);
            let found = signal_analysis::analysis(&best, &points, &values, settings);
            let (analysis, rough) = found.map_err(wrong)?;
            warnings.extend(rough);
            analysis
        };
        name_coefficients(&mut analysis, timeline);
        let (column, model) = (column.to_owned(), text.clone());
        let level = recipe.level;
        Ok(Self {
            column,
            model,
            transform,
            likelihood,
            values,
            analysis,
            parameters,
            points,
            diffuse,
            units,
            warnings,
            level,
        })
    }

    /// Whether a parameter was estimated from the values, and is taken as known.
    pub(super) fn takes_as_known(&self) -> bool {
        self.points.is_empty() && self.parameters.iter().any(|own| own.status != "fixed")
    }
}

/// Coefficients by the names of their columns.
fn name_coefficients(analysis: &mut Analysis, timeline: &Timeline) {
    let Some((names, _)) = &timeline.regressors else { return };
    let coefficients = analysis.parts.iter_mut().filter(|part| part.name.starts_with("coefficient["));
    coefficients.zip(names).for_each(|(part, name)| part.name = format!("coefficient of {name}"));
}

/// What --params gives: `level=3` is `level.variance=3` where nothing else begins so.
fn given(
    recipe: &Recipe<'_>,
    model: &Structural,
    likelihood: SeriesLikelihood,
) -> Result<Vec<(String, f64)>, Failure> {
    let own = likelihood.parameters(1.0);
    let all = model.parameters();
    let names: Vec<String> = all.iter().chain(&own).map(|parameter| parameter.name().to_owned()).collect();
    let plain = |text: &str| text.trim().to_lowercase().replace('-', "_");
    let read = |text: &String| {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| Failure::data(format!("--params {text:?}: expected NAME=NUMBER")))?;
        let number = value.trim().parse::<f64>().ok().filter(|value| value.is_finite());
        let value = number
            .ok_or_else(|| Failure::data(format!("--params {text:?}: expected a number, found {value:?}")))?;
        let wanted = plain(name);
        let exact = names.iter().find(|own| plain(own) == wanted);
        let mut beginning =
            names.iter().filter(|own| own.split('.').next().is_some_and(|head| plain(head) == wanted));
        let found = exact.or_else(|| beginning.next().filter(|_| beginning.next().is_none()));
        if let Some(own) = own.iter().find(|own| found.is_some_and(|name| own.name() == name))
            && !own.scale().free(value).is_finite()
        {
            let message = format!("--params {text:?}: expected a number above 0 as {}", own.name());
            return Err(Failure::data(message));
        }
        // An unknown name goes on, to the error that names all.
        Ok((found.cloned().unwrap_or_else(|| name.trim().to_owned()), value))
    };
    recipe.parameters.iter().map(read).collect()
}

/// The parameters as they are given.
fn known(
    recipe: &Recipe<'_>,
    text: &str,
    model: &Structural,
    given: &[(String, f64)],
    likelihood: SeriesLikelihood,
) -> Result<Vec<ParameterValue>, Failure> {
    let (all, own) = (model.parameters(), likelihood.parameters(1.0));
    let is_given = |name: &str| given.iter().any(|(own, _)| own == name);
    // A text with numbers gives those of the states.
    let asked = all.iter().filter(|_| !text.contains('(')).chain(&own);
    let missing: Vec<&str> = asked.map(Parameter::name).filter(|name| !is_given(name)).collect();
    if !missing.is_empty() {
        let message = format!("--params does not give {}", missing.join(", "));
        return Err(Failure::Usage(format!("{message}: give all, or say --fit to estimate the rest")));
    }
    let zeros = given.iter().filter(|(name, _)| all.iter().all(|own| own.name() != name));
    let value = |name: &str, value: f64| ParameterValue::given(name, value, recipe.given);
    let parameters = all.iter().map(|own| value(own.name(), own.start()));
    let parameters = parameters.chain(zeros.map(|(name, own)| value(name, *own)));
    Ok(parameters.collect())
}

/// Maximum likelihood, with the given ones fixed, and points of the posterior around it.
fn fitted(
    recipe: &Recipe<'_>,
    model: &Structural,
    given: &[(String, f64)],
    (timeline, units, transform): (&Timeline, &str, Transform),
    seen: &[f64],
) -> Result<Fitted, Error> {
    let steps: Vec<f64> = seen.iter().map(|&y| transform.forward(y)).collect();
    let spread = spread(&steps);
    let model = started(model, spread, timeline);
    let series = [series(transform, seen)?];
    let mut likelihood = MarginalTarget::new(&model, &series)?;
    let free = likelihood.parameters().to_vec();
    for (name, value) in given.iter().filter(|(name, _)| free.iter().any(|own| own.name() == name)) {
        likelihood = likelihood.with_fixed(name, *value)?;
    }
    let search = LbfgsOptions { value_tolerance: TOLERANCE, ..LbfgsOptions::default() };
    let options = MaximizeOptions { search, starts: STARTS, seed: recipe.seed, ..MaximizeOptions::default() };
    let fitted = fit(&likelihood, &options, &mut Silent)?;
    let mut warnings = Vec::new();
    if !fitted.report.converged() {
        warnings.push("the search for the parameters did not converge; give some by --params".to_owned());
    }
    let status = |status| match status {
        Status::Inside => "fitted",
        Status::AtBoundary => "at its boundary",
        _ => "fixed",
    };
    let estimates = &fitted.model.parameters;
    let best = natural(likelihood.parameters(), &likelihood.complete(&fitted.model.free));
    let step = (timeline.times[seen.len() - 1] - timeline.times[0]) / (seen.len().max(2) - 1) as f64;
    let rate = if units == PER_STEP || step <= 0.0 { spread } else { spread / step };
    let (points, rough) = match recipe.knowledge {
        ParameterKnowledge::Known => (Vec::new(), None),
        ParameterKnowledge::Integrated => {
            let target = GaussianTarget(&likelihood, &series[0]);
            points(&target, &fitted.model.free, [spread, rate], recipe.seed)?
        }
    };
    warnings.extend(rough);
    for own in estimates.iter().filter(|own| own.status == Status::AtBoundary) {
        let value = significant(own.value);
        warnings.push(format!(
            "{} went to its boundary ({value}): the data ask for none, or cannot tell",
            own.name
        ));
    }
    let zeros = given.iter().filter(|(name, _)| estimates.iter().all(|own| own.name != *name));
    let parameters = estimates
        .iter()
        .zip(&best)
        .map(|(own, &value)| ParameterValue {
            name: own.name.clone(),
            value,
            standard_error: own.standard_error,
            status: status(own.status),
        })
        .chain(zeros.map(|(name, value)| ParameterValue::given(name, *value, recipe.given)))
        .collect();
    let structure = model.with_parameters(&best)?;
    Ok(Fitted { structure, own: Vec::new(), parameters, points, warnings })
}
