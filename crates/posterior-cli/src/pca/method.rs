//! Each method, and what all of them tell.

use posterior::datasets::tables::IRIS;
use posterior::inference::variational::AscentOptions;
use posterior::latent::principal_components::{
    BayesianOptions, ComponentChoice, FactorModel, FactorOptions, NoiseModel, PcaOptions, bayesian, fit,
    fit_factors, probabilistic,
};
use posterior::latent::{Error, Observations};
use posterior::math::iteration::{Report, Silent};
use posterior::math::linalg::DMatrix;
use posterior::table::listed;

use super::transform::Components;
use crate::args::{PcaFit, PcaMethod};
use crate::failure::Failure;
use crate::rows_input::Rows;

/// Rows as they are read, and as a fit takes them.
#[derive(Debug)]
pub(super) struct Data {
    pub(super) rows: Rows,
    pub(super) observations: Observations,
}

impl Data {
    pub(super) fn read(args: &PcaFit) -> Result<Self, Failure> {
        let has_place = matches!(args.method, PcaMethod::Ppca | PcaMethod::Factor);
        let missing = args.missing.of_method(has_place);
        let rows = match &args.data {
            Some(path) => Rows::read(path, &args.table, &args.x, args.label.as_ref(), missing)?,
            None => Rows::embedded(&IRIS),
        };
        let constant = rows.constant();
        if args.method == PcaMethod::Factor && !constant.is_empty() {
            let message =
                format!("{}: expected columns that change, found {}", rows.source, listed(&constant));
            return Err(Failure::data(message).with_hint("--x names the columns to take"));
        }
        let rows = if args.scale { rows.scaled() } else { rows };
        let observations = Observations::with_missing(&rows.values)
            .map_err(|error| Failure::data(format!("{}: {error}", rows.source)))?;
        Ok(Self { rows, observations })
    }
}

/// What was found, in the units of the (scaled) columns.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) mean: Vec<f64>,
    /// Directions of length 1, or columns of loadings: one column each.
    pub(super) components: DMatrix<f64>,
    /// Along each component.
    pub(super) variances: Vec<f64>,
    /// The variance of all columns together.
    pub(super) total: f64,
    /// One number for all columns, or one for each.
    pub(super) noise: Vec<f64>,
    pub(super) ln_likelihood: Option<f64>,
    /// The bound, and how many components are on: Bayesian only.
    pub(super) bound: Option<(f64, usize)>,
    /// Of all rows: by components.
    pub(super) scores: DMatrix<f64>,
    /// The model itself.
    pub(super) model: Components,
    pub(super) warnings: Vec<String>,
}

impl Found {
    /// The proportion of each component in the variance of all columns.
    pub(super) fn proportions(&self) -> Vec<f64> {
        self.variances.iter().map(|variance| variance / self.total).collect()
    }
}

/// Runs the method that is asked for.
pub(super) fn run(args: &PcaFit, data: &Data) -> Result<Found, Failure> {
    let d = data.rows.names.len();
    let limit = if args.method == PcaMethod::Pca { d } else { d.saturating_sub(1) };
    if d < 2 && args.method != PcaMethod::Pca {
        return Err(Failure::data(format!("{}: expected at least two columns, found one", data.rows.source)));
    }
    if let Some(k) = args.k.map(usize::from).filter(|&k| k > limit && args.method != PcaMethod::Bayesian) {
        return Err(Failure::Usage(format!("--k {k}: expected at most {limit}, for {d} columns")));
    }
    let refused = |error: Error| {
        let failure = Failure::data(format!("{}: {error}", data.rows.source));
        match error {
            Error::NotFinite { .. } => {
                failure.with_hint("--method ppca and --method factor take missing cells")
            }
            _ => failure,
        }
    };
    match args.method {
        PcaMethod::Pca => analysis(args, &data.observations),
        PcaMethod::Ppca | PcaMethod::Factor => factors(args, data),
        PcaMethod::Bayesian => of_bayes(args, &data.observations),
    }
    .map_err(refused)
}

fn analysis(args: &PcaFit, data: &Observations) -> Result<Found, Error> {
    let choice = args.k.map_or(ComponentChoice::Evidence, |k| ComponentChoice::Count(usize::from(k)));
    let model = fit(data, &PcaOptions { choice, ..PcaOptions::default() })?;
    let left = data.dimension() - model.variances().len();
    let noise = if left == 0 { 0.0 } else { model.dropped_variance() / left as f64 };
    let mut warnings = Vec::new();
    if args.k.is_some_and(|k| usize::from(k) > model.variances().len()) {
        warnings.push(format!("only {} components have variance", model.variances().len()));
    }
    Ok(Found {
        mean: model.mean().to_vec(),
        components: model.components().clone(),
        variances: model.variances().to_vec(),
        total: model.variances().iter().sum::<f64>() + model.dropped_variance(),
        noise: vec![noise],
        ln_likelihood: None,
        bound: None,
        scores: model.scores(data)?,
        warnings,
        model: Components::Directions(model),
    })
}

/// The number of factors that is most probable for the rows with means in place of what is missing.
fn most_probable(data: &Observations) -> Result<usize, Error> {
    let mut filled = data.values().clone();
    for mut column in filled.column_iter_mut() {
        let seen: Vec<f64> = column.iter().copied().filter(|x| !x.is_nan()).collect();
        let mean = seen.iter().sum::<f64>() / seen.len().max(1) as f64;
        column.iter_mut().filter(|x| x.is_nan()).for_each(|x| *x = mean);
    }
    let model = fit(
        &Observations::new(&filled)?,
        &PcaOptions { choice: ComponentChoice::Evidence, ..PcaOptions::default() },
    )?;
    Ok(model.variances().len().max(1))
}

fn factors(args: &PcaFit, data: &Data) -> Result<Found, Error> {
    let rows = &data.observations;
    let k = args.k.map_or_else(|| most_probable(rows), |k| Ok(usize::from(k)))?;
    let mut warnings = Vec::new();
    let model = if args.method == PcaMethod::Ppca && rows.is_complete() {
        probabilistic(rows, k)?
    } else {
        let noise = if args.method == PcaMethod::Ppca { NoiseModel::Isotropic } else { NoiseModel::Diagonal };
        let found = fit_factors(rows, &FactorOptions { noise, ..FactorOptions::new(k) }, &mut Silent)?;
        warnings.extend(unfinished(&found.report));
        warnings.extend(found.heywood.iter().map(|&t| {
            format!(
                "the factors explain column {} entirely: its noise is held at a floor (a Heywood case)",
                data.rows.names[t]
            )
        }));
        found.model
    };
    let ln_likelihood = model.ln_likelihood(rows)?;
    Ok(Found { ln_likelihood: Some(ln_likelihood), warnings, ..of_model(args, &model, rows)? })
}

fn of_bayes(args: &PcaFit, data: &Observations) -> Result<Found, Error> {
    let most = args.k.map_or(10, usize::from);
    let ascent = AscentOptions { tolerance: 1e-10, max_iterations: 20_000, ..AscentOptions::default() };
    let found = bayesian(
        data,
        &BayesianOptions { components: most, ascent, ..BayesianOptions::default() },
        &mut Silent,
    )?;
    let bound = found.report.trace.last().map(|&bound| (bound, found.effective));
    Ok(Found { bound, warnings: unfinished(&found.report), ..of_model(args, &found.model, data)? })
}

fn unfinished(report: &Report) -> Vec<String> {
    let not = report.require_converged().err();
    not.map(|error| error.to_string()).into_iter().collect()
}

fn of_model(args: &PcaFit, model: &FactorModel, data: &Observations) -> Result<Found, Error> {
    let variances: Vec<f64> = model.loadings().column_iter().map(|column| column.norm_squared()).collect();
    let noise =
        if args.method == PcaMethod::Factor { model.noise().to_vec() } else { model.noise()[..1].to_vec() };
    Ok(Found {
        mean: model.mean().to_vec(),
        components: model.loadings().clone(),
        total: variances.iter().sum::<f64>() + model.noise().iter().sum::<f64>(),
        variances,
        noise,
        ln_likelihood: None,
        bound: None,
        scores: model.posterior_means(data)?,
        model: Components::Factors(model.clone()),
        warnings: Vec::new(),
    })
}
