//! The model of a column: its text, its parameters, given or fitted.

use posterior::kalman::learning::{MarginalTarget, MaximizeOptions, Parameter, Status, fit};
use posterior::kalman::structural::Structural;
use posterior::kalman::{Error, Series, StateSpace};
use posterior::math::iteration::Silent;
use posterior::math::optimize::LbfgsOptions;
use serde::Serialize;

use super::analysis::Analysis;
use super::series_input::Column;
use super::timeline::Timeline;
use crate::dist::text_input;
use crate::failure::Failure;
use crate::output::significant;

/// Searches for the parameters, from different starts.
const STARTS: usize = 3;

/// The proportion of ln p by which the last step of a search may still raise it: some 10⁻⁹ nats a value.
const TOLERANCE: f64 = 1e-9;

/// Components whose parameters are in units of time, also where steps are regular.
const IN_TIME: [&str; 6] =
    ["matern", "ou", "wiener", "integrated-wiener", "constant-velocity", "constant-acceleration"];

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

/// The model of a column, and what is given of its parameters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Recipe<'a> {
    pub(super) model: &'a str,
    /// `NAME=NUMBER`.
    pub(super) parameters: &'a [String],
    /// Whether the others are learned even where some are given.
    pub(super) fit: bool,
    pub(super) seed: u64,
    /// What parameters are that are given: "fixed", if nobody has estimated them.
    pub(super) given: &'static str,
}

/// A column, its model, and what they say.
#[derive(Debug, Clone)]
pub(super) struct Smoothing {
    pub(super) column: String,
    /// At all times, NaN where missing.
    pub(super) values: Vec<f64>,
    pub(super) analysis: Analysis,
    pub(super) parameters: Vec<ParameterValue>,
    /// How many directions of the start are diffuse.
    pub(super) diffuse: usize,
    /// What the parameters are measured in.
    pub(super) units: &'static str,
    pub(super) warnings: Vec<String>,
}

impl Smoothing {
    /// Reads the model, learns what is not given, and smooths.
    pub(super) fn new(
        recipe: Recipe<'_>,
        source: &str,
        timeline: &Timeline,
        column: &Column,
    ) -> Result<Self, Failure> {
        let (model, units) = structure(recipe, source, timeline)?;
        let given = given(recipe, &model)?;
        let fits = recipe.fit || given.is_empty() && !recipe.model.contains('(');
        let model = given.iter().try_fold(model, |model, (name, value)| {
            model
                .with_parameter(name, *value)
                .map_err(|error| text_input::failure("--params", name, &error, 0))
        })?;
        let values = timeline.spread(&column.values);
        let wrong = |error: Error| Failure::data(format!("{source}: column {}: {error}", column.name));
        let (states, parameters, warnings) = if fits {
            learn(recipe, &started(&model, &values[..timeline.seen], timeline), &given, &values)
                .map_err(wrong)?
        } else {
            (model.state_space().map_err(wrong)?, known(recipe, &model, &given)?, Vec::new())
        };
        Ok(Self {
            column: column.name.clone(),
            analysis: Analysis::new(&model, &states, &values).map_err(wrong)?,
            values,
            parameters,
            diffuse: states.initial().diffuse_directions().ncols(),
            units,
            warnings,
        })
    }
}

/// The model that the text names, in steps or at the times, and what its parameters are measured in.
fn structure(
    recipe: Recipe<'_>,
    source: &str,
    timeline: &Timeline,
) -> Result<(Structural, &'static str), Failure> {
    let model: Structural =
        recipe.model.parse().map_err(|error| text_input::failure("--model", recipe.model, &error, 0))?;
    let in_time =
        recipe.model.split('+').any(|term| IN_TIME.iter().any(|name| term.trim().starts_with(name)));
    let at_times = || model.clone().at_times(&timeline.times);
    let in_units = if timeline.dates.is_some() { "per year" } else { "per unit of time" };
    match (timeline.step, in_time) {
        (Some(_), false) => Ok((model, "per step")),
        (Some(_), true) => match at_times() {
            Ok(model) => Ok((model, in_units)),
            Err(_) => Ok((model, "per step")),
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

/// What --params gives: `level=3` is `level.variance=3` where nothing else begins so.
fn given(recipe: Recipe<'_>, model: &Structural) -> Result<Vec<(String, f64)>, Failure> {
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
    recipe: Recipe<'_>,
    model: &Structural,
    given: &[(String, f64)],
) -> Result<Vec<ParameterValue>, Failure> {
    let all = model.parameters();
    let is_given = |name: &str| given.iter().any(|(own, _)| own == name);
    let missing: Vec<&str> = all.iter().map(Parameter::name).filter(|name| !is_given(name)).collect();
    if !missing.is_empty() && !recipe.model.contains('(') {
        let message = format!("--params does not give {}", missing.join(", "));
        return Err(Failure::Usage(format!("{message}: give all, or say --fit to learn the rest")));
    }
    let zeros = given.iter().filter(|(name, _)| all.iter().all(|own| own.name() != name));
    let value = |name: &str, value: f64| ParameterValue::given(name, value, recipe.given);
    let parameters = all.iter().map(|own| value(own.name(), own.start()));
    let parameters = parameters.chain(zeros.map(|(name, own)| value(name, *own)));
    Ok(parameters.collect())
}

impl Smoothing {
    /// Whether a parameter was estimated from the values.
    pub(super) fn is_learned(&self) -> bool {
        self.parameters.iter().any(|own| own.status != "fixed")
    }
}

/// The model with parameters where a search may start: those that are at their defaults get the scale of the
/// data.
fn started(model: &Structural, values: &[f64], timeline: &Timeline) -> Structural {
    let there: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let differences: Vec<f64> = there.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let count = differences.len().max(1) as f64;
    let spread = differences.iter().map(|difference| difference * difference).sum::<f64>() / count;
    let spread = if spread > 0.0 && spread.is_finite() { spread } else { 1.0 };
    let reach = timeline.times[timeline.seen - 1] - timeline.times[0];
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

type Learned = (StateSpace, Vec<ParameterValue>, Vec<String>);

/// Maximum likelihood, with the given ones fixed.
fn learn(
    recipe: Recipe<'_>,
    model: &Structural,
    given: &[(String, f64)],
    values: &[f64],
) -> Result<Learned, Error> {
    let observed: Vec<Option<f64>> =
        values.iter().map(|&value| Some(value).filter(|v| !v.is_nan())).collect();
    let series = [Series::univariate_with_missing(&observed)?];
    let mut likelihood = MarginalTarget::new(model, &series)?;
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
        Status::Inside => "learned",
        Status::AtBoundary => "at its boundary",
        _ => "fixed",
    };
    let estimates = &fitted.model.parameters;
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
        .map(|own| ParameterValue {
            name: own.name.clone(),
            value: own.value,
            standard_error: own.standard_error,
            status: status(own.status),
        })
        .chain(zeros.map(|(name, value)| ParameterValue::given(name, *value, recipe.given)))
        .collect();
    Ok((fitted.model.model, parameters, warnings))
}
