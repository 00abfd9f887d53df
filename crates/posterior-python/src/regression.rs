//! Regressions by formulas, with groups, curves, times and areas: nested Laplace approximation, or maximum
//! likelihood.

use posterior_hierarchical::{
    BetaResponse, Error, FamilyResponse, FormulaSettings, HierarchicalFit, HierarchicalFormula,
    HierarchicalModel, HierarchicalOptions, HyperEstimate, LatentMarginal, LogNormalResponse,
    StudentResponse, SurvivalResponse, ZeroInflatedResponse,
};
use posterior_regression::formula::{FormulaData, ModelFormula};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::watched::{invalid, left_behind};

/// A column of a frame.
#[derive(Debug, FromPyObject)]
pub(crate) enum Column {
    Numbers(Vec<f64>),
    Labels(Vec<String>),
}

/// A frame: the number of its rows, and its columns by name.
#[derive(Debug, FromPyObject)]
pub(crate) struct Frame {
    rows: usize,
    columns: Vec<(String, Column)>,
}

impl Frame {
    /// The columns of these names.
    fn data(&self, names: &[String]) -> PyResult<FormulaData> {
        let columns = self.columns.iter().filter(|(name, _)| names.contains(name));
        columns.into_iter().try_fold(FormulaData::new(self.rows), |data, (name, column)| {
            match column {
                Column::Numbers(numbers) => data.with_numbers(name, numbers.clone()),
                Column::Labels(labels) => data.with_labels(name, labels),
            }
            .map_err(invalid)
        })
    }

    fn header(&self) -> Vec<String> {
        self.columns.iter().map(|(name, _)| name.clone()).collect()
    }
}

/// Rows of a table: what each is of, and the mean, the standard deviation and an interval.
#[derive(Debug, Default, IntoPyObject)]
pub(crate) struct Estimates {
    /// Of effects: their names.
    effect: Vec<String>,
    name: Vec<String>,
    mean: Vec<f64>,
    sd: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
}

impl Estimates {
    fn push(&mut self, name: String, mean: f64, sd: f64, [low, high]: [f64; 2]) {
        self.name.push(name);
        self.mean.push(mean);
        self.sd.push(sd);
        self.low.push(low);
        self.high.push(high);
    }
}

/// A fitted regression.
#[derive(Debug, IntoPyObject)]
pub(crate) struct Fitted {
    coefficients: Estimates,
    components: Estimates,
    effects: Estimates,
    /// The mean of the response of each row, and an interval of a new one.
    means: Estimates,
    responses: Estimates,
    ln_evidence: f64,
    /// Of a posterior: the sum of the log densities of rows left out, WAIC and DIC.
    criteria: Option<[f64; 3]>,
}

/// What is asked for beside formula and frame.
#[derive(Debug, FromPyObject)]
pub(crate) struct Settings {
    family: String,
    engine: String,
    level: f64,
    prior_sd: Option<f64>,
}

/// What has the responses of a family.
fn model(
    family: &str,
    formula: &HierarchicalFormula,
    y: &[f64],
    data: &FormulaData,
    scale: f64,
) -> Result<HierarchicalModel, Error> {
    match family {
        "bernoulli" => formula.model(FamilyResponse::binomial(), y, data),
        "probit" => formula.model(FamilyResponse::probit(), y, data),
        "cloglog" => formula.model(FamilyResponse::complementary_log_log(), y, data),
        "poisson" => formula.model(FamilyResponse::poisson(), y, data),
        "negative_binomial" => formula.model(FamilyResponse::negative_binomial(), y, data),
        "gamma" => formula.model(FamilyResponse::gamma(), y, data),
        "student" => formula.model(StudentResponse::new(scale)?, y, data),
        "lognormal" => formula.model(LogNormalResponse::new(scale)?, y, data),
        "beta" => formula.model(BetaResponse::new(), y, data),
        "weibull" => formula.model(SurvivalResponse::weibull(), y, data),
        "exponential" => formula.model(SurvivalResponse::exponential(), y, data),
        "zero_inflated_poisson" => formula.model(ZeroInflatedResponse::poisson(), y, data),
        _ => formula.model(FamilyResponse::gaussian(scale)?, y, data),
    }
}

/// The families that there are.
pub(crate) const FAMILIES: [&str; 13] = [
    "gaussian",
    "bernoulli",
    "probit",
    "cloglog",
    "poisson",
    "negative_binomial",
    "gamma",
    "student",
    "lognormal",
    "beta",
    "weibull",
    "exponential",
    "zero_inflated_poisson",
];

fn estimate(engine: &str) -> PyResult<HyperEstimate> {
    match engine {
        "laplace" => Ok(HyperEstimate::Posterior),
        "reml" => Ok(HyperEstimate::RestrictedLikelihood),
        "ml" => Ok(HyperEstimate::Likelihood),
        _ => Err(PyValueError::new_err(format!("engine: expected laplace, reml or ml, found {engine:?}"))),
    }
}

/// Fits a regression, and predicts the rows of another frame if there is one.
///
/// Such rows are part of the model: new groups and times have values, too.
#[pyfunction]
#[pyo3(signature = (formula, frame, settings, new=None))]
pub(crate) fn regression_fit(
    py: Python<'_>,
    formula: &str,
    frame: Frame,
    settings: Settings,
    new: Option<Frame>,
) -> PyResult<Fitted> {
    let text = |error| invalid(format!("formula {formula:?}: {error}"));
    let parsed: Result<ModelFormula, _> = formula.parse();
    let formula: ModelFormula = parsed.map_err(text)?;
    if !FAMILIES.contains(&settings.family.as_str()) {
        let families = FAMILIES.join(", ");
        return Err(PyValueError::new_err(format!(
            "family: expected one of {families}, found {:?}",
            settings.family
        )));
    }
    let options =
        HierarchicalOptions { estimate: estimate(&settings.engine)?, ..HierarchicalOptions::default() };
    if !(settings.level > 0.5 && settings.level < 1.0) {
        return Err(PyValueError::new_err(format!(
            "level: expected more than 0.5 and less than 1, found {}",
            settings.level
        )));
    }
    let header = frame.header();
    let y = formula.outcomes(&frame.data(&header)?).map_err(invalid)?;
    let y = y.ok_or_else(|| PyValueError::new_err("formula: expected an outcome, as in \"y ~ x\""))?;
    // New rows have no outcome.
    let inputs = formula.inputs(&header).map_err(text)?;
    let (data, new) = (frame.data(&inputs)?, new.map(|own| own.data(&inputs)).transpose()?);
    left_behind(py, move |_| fitted(&formula, &data, new.as_ref(), &y, &settings, &options))
}

fn fitted(
    formula: &ModelFormula,
    data: &FormulaData,
    new: Option<&FormulaData>,
    y: &[f64],
    settings: &Settings,
    options: &HierarchicalOptions,
) -> Result<Fitted, Error> {
    let size = match settings.family.as_str() {
        "gaussian" | "student" => FormulaSettings::of_numbers(y),
        "lognormal" => FormulaSettings::of_numbers(&y.iter().map(|y| y.ln()).collect::<Vec<_>>()),
        _ => FormulaSettings::default(),
    };
    let size = FormulaSettings { coefficient_sd: settings.prior_sd, ..size };
    let also: Vec<&FormulaData> = new.into_iter().collect();
    let learned = HierarchicalFormula::learn(formula, data, &also, &size)?;
    let all = match new {
        Some(new) => data.followed_by(new)?,
        None => data.clone(),
    };
    let padded = [y, &vec![f64::NAN; all.rows() - y.len()]].concat();
    let model = model(&settings.family, &learned, &padded, &all, size.scale)?;
    let fit = model.fit(options)?;
    let mut rows = fit.predictors();
    let rows = if new.is_some() { rows.split_off(y.len()) } else { rows };
    let (means, responses) = predictions(&model, &fit, &rows[..], settings)?;
    let integrated = fit.estimate() == HyperEstimate::Posterior;
    let criteria = (integrated && new.is_none()).then(|| fit.criteria()).transpose()?;
    Ok(Fitted {
        coefficients: coefficients(&fit, &learned, settings.level)?,
        components: components(&fit, settings.level)?,
        effects: effects(&fit, &learned, settings.level)?,
        means,
        responses,
        ln_evidence: fit.ln_marginal_likelihood(),
        criteria: criteria.map(|own| [own.elpd_loo, own.waic, own.dic]),
    })
}

fn coefficients(
    fit: &HierarchicalFit<'_>,
    formula: &HierarchicalFormula,
    level: f64,
) -> Result<Estimates, Error> {
    let mut table = Estimates::default();
    for name in formula.columns() {
        let own = fit.fixed(&name)?;
        table.push(name, own.mean(), own.sd(), own.interval(level));
    }
    Ok(table)
}

/// The hyperparameters; of an estimate nothing is known but its value.
fn components(fit: &HierarchicalFit<'_>, level: f64) -> Result<Estimates, Error> {
    let mut table = Estimates::default();
    for name in fit.hyperparameter_names() {
        let own = fit.hyperparameter(&name)?;
        if fit.estimate() == HyperEstimate::Posterior {
            table.push(name, own.mean(), own.sd(), own.interval(level));
        } else {
            table.push(name, own.mean(), f64::NAN, [f64::NAN; 2]);
        }
    }
    Ok(table)
}

fn effects(fit: &HierarchicalFit<'_>, formula: &HierarchicalFormula, level: f64) -> Result<Estimates, Error> {
    let mut table = Estimates::default();
    for effect in formula.effects() {
        let marginals = fit.effect(&effect.name)?;
        let width = effect.columns.len().max(1);
        for column in 0..width {
            let column_name = effect.columns.get(column);
            let shown =
                column_name.map_or_else(|| effect.name.clone(), |own| format!("{}: {own}", effect.name));
            for (label, own) in effect.labels.iter().zip(marginals.iter().skip(column).step_by(width)) {
                table.effect.push(shown.clone());
                table.push(label.clone(), own.mean(), own.sd(), own.interval(level));
            }
        }
    }
    Ok(table)
}

/// Families whose mean is a function of the predictor alone.
const PLAIN: [&str; 5] = ["gaussian", "bernoulli", "probit", "cloglog", "poisson"];

fn predictions(
    model: &HierarchicalModel,
    fit: &HierarchicalFit<'_>,
    rows: &[LatentMarginal],
    settings: &Settings,
) -> Result<(Estimates, Estimates), Error> {
    let (mut means, mut responses) = (Estimates::default(), Estimates::default());
    let tail = 0.5 * (1.0 - settings.level);
    let plain = PLAIN.contains(&settings.family.as_str());
    for (row, predictor) in rows.iter().enumerate() {
        let own = fit.new_response(predictor)?;
        let interval = [tail, 1.0 - tail]
            .map(|p| if plain { model.mean(predictor.quantile(p), &[]) } else { own.mean_quantile(p) });
        means.push(row.to_string(), own.mean(), own.mean_sd(), interval);
        responses.push(row.to_string(), own.mean(), own.sd(), own.interval(settings.level));
    }
    Ok((means, responses))
}

/// The columns that a formula needs, of those that there are.
#[pyfunction]
pub(crate) fn formula_inputs(formula: &str, header: Vec<String>) -> PyResult<Vec<String>> {
    let text = |error| invalid(format!("formula {formula:?}: {error}"));
    let parsed: ModelFormula = formula.parse().map_err(text)?;
    let mut inputs = parsed.inputs(&header).map_err(text)?;
    inputs.extend(parsed.outcome_inputs().into_iter().map(str::to_owned));
    inputs.sort();
    inputs.dedup();
    Ok(inputs)
}
