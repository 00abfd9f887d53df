//! Numbers with normal noise of unknown size: in closed form, averaged over the scale of the coefficients.

use posterior::dist::stream::stream;
use posterior::dist::{Normal, Univariate as _};
use posterior::math::linalg::DMatrix;
use posterior::regression::Error;
use posterior::regression::coefficients::Coefficient;
use posterior::regression::glm::Family;
use posterior::regression::linear::{AveragedPosterior, CoefficientScale, StudentMixture, averaged_with};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::answer::{Answer, Fitted, MeanOutcome, Predicted, PredictedBy, PriorScale, constant};
use super::data_input::Data;
use super::estimate::Estimate;
use super::new_rows::Wanted;
use super::points::Points;
use crate::args::{RegressEngine, RegressFit};
use crate::failure::{Failure, refused};
use crate::level::Level;
use crate::predictive::Predictive;
use crate::scores::Coverage;

/// Draws of the proportion of variance that the columns explain.
const DRAWS: usize = 4000;

/// The answer for numbers.
pub(super) fn answer(args: &RegressFit, data: &Data, y: &[f64]) -> Result<(Answer, Known), Failure> {
    match args.engine {
        None | Some(RegressEngine::Exact) => fitted(args, data, y).map_err(refused),
        Some(_) => {
            let message = "--engine: the family gaussian has its posterior in closed form, --engine exact";
            Err(Failure::Usage(message.to_owned()))
        }
    }
}

fn fitted(args: &RegressFit, data: &Data, y: &[f64]) -> Result<(Answer, Known), Error> {
    let blank = Answer {
        prior_sd: args.prior_sd,
        prior_scale: PriorScale::averaged_unless(args.prior_sd),
        ..Answer::new("gaussian", "exact", data, PredictedBy::LeaveOneOut)
    };
    let rows = data.linear(&data.design.values, y)?;
    let intercept = data.coding.has_intercept();
    if constant(&data.outcome) && data.offsets.is_none() && intercept {
        // The mean is all that there is to say; `fit` warns.
        let known = Known::Constant(y[0]);
        let predictions = data.predicted(args, |design, wanted| known.predict(design, wanted))?;
        return Ok((Answer { predictions: predictions.asked_for(), ..blank }, known));
    }
    let design = &data.design.values;
    let scale = args.prior_sd.map_or(CoefficientScale::Averaged, CoefficientScale::Given);
    let posterior = averaged_with(&rows, intercept, scale)?;
    let means = posterior.means(&data.design.values)?;
    let residual = |(row, own): (usize, &f64)| y[row] - own - data.offset(row);
    let residuals: Vec<f64> = means.iter().enumerate().map(residual).collect();
    let estimate = |own| Estimate::of(own, data.level);
    let predictions = data.predicted(args, |design, wanted| predict(&posterior, design, wanted))?;
    let answer = Answer {
        coefficients: posterior.coefficients(&data.coding.names)?.into_iter().map(estimate).collect(),
        ln_evidence: posterior.ln_evidence(),
        prior_sd: Some(posterior.prior_sd()).filter(|_| design.ncols() > 0),
        noise_sd: Some(posterior.noise_sd()),
        deviance: Some(weighted(residuals, data)),
        null_deviance: Some(null_deviance(y, data)),
        r2: Some(estimate(Coefficient::of_draws(
            "R2",
            &posterior.explained(DRAWS, &mut stream(args.common.seed, &[])),
        )?)),
        predictions: predictions.asked_for(),
        fitted: posterior.leave_one_out_at(&rows, &data.looked_at).map_or_else(
            |_| Fitted::by(PredictedBy::LeaveOneOut),
            |distributions| left_out(&distributions, &data.looked_at(y), data.level),
        ),
        warnings: warnings(&posterior, y),
        ..blank
    };
    Ok((answer, Known::Averaged(Box::new(posterior))))
}

/// The weighted sum of squares.
pub(super) fn weighted(numbers: Vec<f64>, data: &Data) -> f64 {
    numbers.into_iter().enumerate().map(|(row, own)| data.weight(row) * own * own).sum()
}

/// The sum of squares around offsets, and the mean if there is an intercept.
pub(super) fn null_deviance(y: &[f64], data: &Data) -> f64 {
    let rest: Vec<f64> = y.iter().enumerate().map(|(row, own)| own - data.offset(row)).collect();
    let total: f64 = (0..y.len()).map(|row| data.weight(row)).sum();
    let sum: f64 = rest.iter().enumerate().map(|(row, own)| data.weight(row) * own).sum();
    let mean = if data.coding.has_intercept() { sum / total } else { 0.0 };
    weighted(rest.into_iter().map(|own| own - mean).collect(), data)
}

fn warnings(posterior: &AveragedPosterior, y: &[f64]) -> Vec<String> {
    let saturated = "there are as many independent features as rows less one, or more: what is said of the noise comes from the prior";
    let exact = "the outcome is a function of the features to a billionth of its range: what is said of the noise is rounding";
    let range =
        y.iter().copied().fold(f64::NEG_INFINITY, f64::max) - y.iter().copied().fold(f64::INFINITY, f64::min);
    let mut all = Vec::new();
    if posterior.is_saturated() {
        all.push(saturated.to_owned());
    } else if posterior.noise_sd() < 1e-9 * range {
        all.push(exact.to_owned());
    }
    all
}

/// What is known of the outcome, given the columns.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Known {
    /// It was the same in all rows.
    Constant(f64),
    Averaged(Box<AveragedPosterior>),
}

impl Known {
    /// Draws of the coefficients; none where the outcome is the same in all rows.
    pub(super) fn points(&self, intercept: bool, count: usize, seed: u64) -> Option<Points> {
        let Self::Averaged(posterior) = self else { return None };
        let mut rng = stream(seed, &[3]);
        let one = |_| {
            let own = posterior.draw(&mut rng);
            let first = intercept.then_some(own.intercept);
            (first.into_iter().chain(own.coefficients).collect(), own.noise_sd)
        };
        let all = (0..count).map(one).collect();
        Some(Points { family: Family::Gaussian, dispersion: None, intercept, all })
    }

    /// The prediction of each row.
    pub(super) fn predict(&self, design: &DMatrix<f64>, wanted: Wanted<'_>) -> Result<Vec<Predicted>, Error> {
        match self {
            Self::Constant(value) => {
                let row = |row: usize| Predicted::mean_only(value + wanted.offset(row));
                Ok((0..design.nrows()).map(row).collect())
            }
            Self::Averaged(posterior) => predict(posterior, design, wanted),
        }
    }
}

fn predict(
    posterior: &AveragedPosterior,
    design: &DMatrix<f64>,
    wanted: Wanted<'_>,
) -> Result<Vec<Predicted>, Error> {
    let (new, of_mean) = (posterior.predict(design)?, posterior.latent(design)?);
    let row = |(row, (new, of_mean)): (usize, (StudentMixture, StudentMixture))| {
        let (new, of_mean) = (new.shifted(wanted.offset(row)), of_mean.shifted(wanted.offset(row)));
        let interval = wanted.level.interval(|p| of_mean.quantile(p));
        let function = MeanOutcome { mean: of_mean.mean(), sd: of_mean.sd(), interval };
        Predicted::number(row, &Predictive::Student(new), function, wanted)
    };
    Ok(new.into_par_iter().zip(of_mean).enumerate().map(row).collect())
}

/// Each outcome against its distribution given all others; residuals as the standard normal quantiles of
/// their probabilities.
fn left_out(distributions: &[StudentMixture], y: &[f64], level: Level) -> Fitted {
    let [low, high] = level.ends();
    let places: Vec<f64> =
        distributions.iter().zip(y).map(|(distribution, y)| distribution.cdf(*y)).collect();
    let inside = places.iter().filter(|place| (low..=high).contains(*place)).count();
    let standard = Normal::mean_sd(0.0, 1.0).ok();
    let residual = |place: &f64| {
        standard.map_or(f64::NAN, |distribution| distribution.quantile(place.clamp(1e-12, 1.0 - 1e-12)))
    };
    Fitted {
        residuals: places.iter().map(residual).collect(),
        coverage: Some(Coverage { level, proportion: inside as f64 / y.len() as f64 }),
        ..Fitted::by(PredictedBy::LeaveOneOut)
    }
}
