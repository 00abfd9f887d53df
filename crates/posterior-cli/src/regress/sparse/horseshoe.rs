//! Numbers under the horseshoe prior, by Gibbs sampling.

use posterior::dist::{Mixture, Normal};
use posterior::math::linalg::DMatrix;
use posterior::math::streaming::MeanVariance;
use posterior::regression::Error;
use posterior::regression::coefficients::Coefficient;
use posterior::regression::glm::Family;
use posterior::regression::horseshoe::{HorseshoePosterior, linear};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::super::answer::{Answer, Fitted, MeanOutcome, Predicted, PredictedBy};
use super::super::data_input::Data;
use super::super::estimate::Estimate;
use super::super::generalized::chains;
use super::super::linear as numbers;
use super::super::new_rows::Wanted;
use super::super::points::Points;
use super::super::standard::Standard;
use crate::args::RegressFit;
use crate::predictive::Predictive;

/// Draws that make a new outcome.
const COMPONENTS: usize = 250;

/// Draws by which R² is known.
const DRAWS_OF_R2: usize = 1000;

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::regress) struct Known {
    standard: Standard,
    posterior: HorseshoePosterior,
}

pub(super) fn answer(args: &RegressFit, data: &Data, y: &[f64]) -> Result<(Answer, super::Known), Error> {
    let standard = Standard::of(&data.design.values, data.coding.has_intercept());
    let design = standard.rows(&data.design.values);
    let rows = data.linear(&design, y)?.with_names(&data.coding.names)?;
    let posterior = linear(&rows, standard.intercept().is_some(), &chains(args.common.seed))?;
    let known = Known { standard, posterior };
    let Known { standard, posterior } = &known;
    let names = standard.intercept().into_iter().chain(data.coding.names.iter().map(String::as_str));
    let coefficient = |(place, name): (usize, &str)| {
        let own = posterior.coefficients.marginal(name, |own| standard.coefficient(own, place))?;
        Ok(Estimate::of(own, data.level))
    };
    let predictions = data.predicted(args, |design, wanted| known.predict(design, wanted))?;
    let here = &predictions.here;
    let noise = posterior.noise_sds.iter().copied().collect::<MeanVariance>().mean();
    let mean = |row: usize| here[row].mean.unwrap_or(f64::NAN);
    let residuals: Vec<f64> = (0..y.len()).map(|row| y[row] - mean(row)).collect();
    let of_row = |(row, own): (usize, &f64)| own * data.weight(row).sqrt() / noise;
    let standardised = residuals.iter().enumerate().map(of_row).collect();
    let fitted = Fitted { residuals: standardised, ..Fitted::by(PredictedBy::InSample) };
    let answer = Answer {
        coefficients: names.enumerate().map(coefficient).collect::<Result<_, Error>>()?,
        noise_sd: Some(noise),
        deviance: Some(numbers::weighted(residuals, data)),
        null_deviance: Some(numbers::null_deviance(y, data)),
        r2: Some(Estimate::of(known.explained(data)?, data.level)),
        prior: Some("horseshoe"),
        fitted: fitted.with_coverage(here, y, data.level),
        predictions: predictions.asked_for(),
        warnings: posterior.coefficients.warnings.clone(),
        ..Answer::new("gaussian", "gibbs", data, PredictedBy::InSample)
    };
    Ok((answer, super::Known::Horseshoe(Box::new(known))))
}

impl Known {
    pub(super) fn predict(&self, design: &DMatrix<f64>, wanted: Wanted<'_>) -> Result<Vec<Predicted>, Error> {
        let design = self.standard.with_intercept(design);
        let sds = &self.posterior.noise_sds;
        let step = sds.len().div_ceil(COMPONENTS).max(1);
        let row = |row: usize| -> Result<Predicted, Error> {
            let x: Vec<f64> = design.row(row).iter().copied().collect();
            let mean =
                |own: &[f64]| wanted.offset(row) + own.iter().zip(&x).map(|(own, x)| own * x).sum::<f64>();
            let function = self.posterior.coefficients.marginal("", mean)?;
            let draws = self.posterior.coefficients.weighted().zip(sds).step_by(step);
            let components = draws.map(|((own, _), sd)| Normal::mean_sd(mean(own), *sd));
            let components = components.collect::<Result<Vec<_>, _>>()?;
            let weights = vec![1.0; components.len()];
            let new = Predictive::Normals(Mixture::from_weights(&weights, components)?);
            let interval = wanted.level.interval(|p| function.quantile(p));
            let Coefficient { mean, sd, .. } = function;
            Ok(Predicted::number(row, &new, MeanOutcome { mean, sd, interval }, wanted))
        };
        (0..design.nrows()).into_par_iter().map(row).collect()
    }

    pub(super) fn points(&self, count: usize, _: u64) -> Points {
        let sds = &self.posterior.noise_sds;
        let step = (sds.len() / count).max(1);
        let draws = self.posterior.coefficients.weighted().zip(sds).step_by(step).take(count);
        let all = draws.map(|((own, _), sd)| (self.standard.coefficients(own), *sd)).collect();
        Points {
            family: Family::Gaussian,
            dispersion: None,
            intercept: self.standard.intercept().is_some(),
            all,
        }
    }

    /// The proportion of variance that the columns explain, as under a normal prior.
    fn explained(&self, data: &Data) -> Result<Coefficient, Error> {
        let points = self.points(DRAWS_OF_R2, 0);
        let centred = points.intercept;
        let one = |(point, sd): &(Vec<f64>, f64)| {
            let means = points.means(point, &data.design.values, |_| 0.0);
            let mut moments = MeanVariance::new();
            means.iter().enumerate().for_each(|(row, own)| moments.push_weighted(*own, data.weight(row)));
            let around_zero = if centred { 0.0 } else { moments.mean().powi(2) };
            // As many rows have a weight of 1 as rows say something.
            let unit = (0..data.rows()).map(|row| data.weight(row)).sum::<f64>()
                / (0..data.rows()).filter(|row| data.weight(*row) > 0.0).count() as f64;
            let explained = unit * (moments.variance() + around_zero);
            explained / (explained + sd * sd)
        };
        Ok(Coefficient::of_draws("R2", &points.all.par_iter().map(one).collect::<Vec<_>>())?)
    }
}
