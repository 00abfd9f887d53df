//! The model of a column: its text, its parameters, given or fitted.

use posterior::kalman::Error;
use posterior::kalman::learning::{MarginalTarget, MaximizeOptions, Parameter, Status, fit};
use posterior::kalman::structural::Structural;
use posterior::math::iteration::Silent;
use posterior::math::optimize::LbfgsOptions;
use posterior::table::MemoryLimit;
use serde::Serialize;

use super::analysis::{self, Analysis, series};
use super::candidates::Choice;
use super::parameter_points::{ParameterPoint, natural, points};
use super::structure::{PER_STEP, spread, started, structure};
use super::timeline::Timeline;
use super::transform::Transform;
use crate::args::ParameterKnowledge;
use crate::dist::text_input;
use crate::failure::Failure;
use crate::level::Level;
use crate::output::significant;

/// Searches for the parameters, from different starts.
const STARTS: usize = 3;

/// The proportion of ln p by which the last step of a search may still raise it: some 10⁻⁹ nats a value.
const TOLERANCE: f64 = 1e-9;

/// A parameter with its value.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ParameterValue {
    pub(super) name: String,
    pub(super) value: f64,
    pub(super) standard_error: Option<f64>,
    /// `fitted`, `fixed`, or `at its boundary`.
    pub(super) status: &'static str,
}

impl ParameterValue {
    fn given(name: &str, value: f64, status: &'static str) -> Self {
        Self { name: name.to_owned(), value, standard_error: None, status }
    }
}

/// What is given of the parameters of a column, and how the others are fitted.
#[derive(Debug, Clone)]
pub(super) struct Recipe<'a> {
    /// `NAME=NUMBER`.
    pub(super) parameters: &'a [String],
    /// Whether the others are fitted even where some are given.
    pub(super) fit: bool,
    pub(super) knowledge: ParameterKnowledge,
    /// Points of the parameters of a fitted model.
    pub(super) points: Vec<ParameterPoint>,
    pub(super) seed: u64,
    /// What parameters are that are given: "fixed", if nobody has estimated them.
    pub(super) given: &'static str,
    pub(super) memory: MemoryLimit,
    /// The probability of intervals.
    pub(super) level: Level,
}

/// A column, its model, and what they say.
#[derive(Debug, Clone)]
pub(super) struct Smoothing {
    pub(super) column: String,
    pub(super) model: String,
    pub(super) transform: Transform,
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
        let (text, transform) = (&choice.model, choice.transform);
        transform.check(source, timeline, column, &values)?;
        let (model, units) = structure(text, source, timeline)?;
        let given = given(recipe, &model)?;
        let fits = recipe.fit || given.is_empty() && !text.contains('(');
        let model = given.iter().try_fold(model, |model, (name, value)| {
            model
                .with_parameter(name, *value)
                .map_err(|error| text_input::failure("--params", name, &error, 0))
        })?;
        let wrong = |error: Error| Failure::data(format!("{source}: column {column}: {error}"));
        let seen: Vec<f64> = values[..timeline.seen].to_vec();
        let found = if fits {
            fitted(recipe, &model, &given, (timeline, units, transform), &seen).map_err(wrong)?
        } else {
            let (parameters, points) = (known(recipe, text, &model, &given)?, recipe.points.clone());
            FittedStructure { structure: model, parameters, points, warnings: Vec::new() }
        };
        let FittedStructure { structure, parameters, points, mut warnings } = found;
        warnings.extend(choice.note.clone());
        let at_point = |point: &ParameterPoint| {
            let model = structure.with_parameters(&point.values).map_err(|error| wrong(error.into()))?;
            Ok((point.weight, model))
        };
        let needed = analysis::memory(&structure, points.len(), values.len());
        let what = format!("{source}: column {column}: smoothing takes");
        recipe.memory.check(&what, needed, "take fewer rows, or a model with fewer states")?;
        let models = points.iter().map(at_point).collect::<Result<Vec<_>, Failure>>()?;
        let diffuse = structure.state_space().map_err(wrong)?.initial().diffuse_directions().ncols();
        let mut analysis =
            Analysis::new(&structure, &models, transform, &values, timeline.seen, recipe.level)
                .map_err(wrong)?;
        name_coefficients(&mut analysis, timeline);
        let (column, model) = (column.to_owned(), text.clone());
        let level = recipe.level;
        Ok(Self {
            column,
            model,
            transform,
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
fn given(recipe: &Recipe<'_>, model: &Structural) -> Result<Vec<(String, f64)>, Failure> {
    let names: Vec<String> = model.parameters().iter().map(|parameter| parameter.name().to_owned()).collect();
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
) -> Result<Vec<ParameterValue>, Failure> {
    let all = model.parameters();
    let is_given = |name: &str| given.iter().any(|(own, _)| own == name);
    let missing: Vec<&str> = all.iter().map(Parameter::name).filter(|name| !is_given(name)).collect();
    if !missing.is_empty() && !text.contains('(') {
        let message = format!("--params does not give {}", missing.join(", "));
        return Err(Failure::Usage(format!("{message}: give all, or say --fit to estimate the rest")));
    }
    let zeros = given.iter().filter(|(name, _)| all.iter().all(|own| own.name() != name));
    let value = |name: &str, value: f64| ParameterValue::given(name, value, recipe.given);
    let parameters = all.iter().map(|own| value(own.name(), own.start()));
    let parameters = parameters.chain(zeros.map(|(name, own)| value(name, *own)));
    Ok(parameters.collect())
}

/// What a fit says: the model at its estimates, and what is not known of them.
struct FittedStructure {
    structure: Structural,
    parameters: Vec<ParameterValue>,
    points: Vec<ParameterPoint>,
    warnings: Vec<String>,
}

/// Maximum likelihood, with the given ones fixed, and points of the posterior around it.
fn fitted(
    recipe: &Recipe<'_>,
    model: &Structural,
    given: &[(String, f64)],
    (timeline, units, transform): (&Timeline, &str, Transform),
    seen: &[f64],
) -> Result<FittedStructure, Error> {
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
    let best = natural(&likelihood, &fitted.model.free);
    let step = (timeline.times[seen.len() - 1] - timeline.times[0]) / (seen.len().max(2) - 1) as f64;
    let rate = if units == PER_STEP || step <= 0.0 { spread } else { spread / step };
    let (points, rough) = match recipe.knowledge {
        ParameterKnowledge::Known => (Vec::new(), None),
        ParameterKnowledge::Integrated => {
            points(&likelihood, &series[0], &fitted.model.free, [spread, rate], recipe.seed)?
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
    Ok(FittedStructure { structure, parameters, points, warnings })
}
