//! Lasso and elastic net: estimates along a path of penalties, of which held-out rows choose one.

use posterior::math::linalg::DMatrix;
use posterior::regression::Error;
use posterior::regression::coefficients::Coefficient;
use posterior::regression::glm::{
    CountMixture, Family as GlmFamily, Glm, HeldOutDeviance, PenalizedFit, PenaltyOptions,
    ResponseDistribution as _,
};
use serde::{Deserialize, Serialize};

use super::super::answer::{Answer, Fitted, Predicted, PredictedBy};
use super::super::data_input::Data;
use super::super::estimate::Estimate;
use super::super::generalized;
use super::super::new_rows::Wanted;
use super::super::penalty_path::{PenaltyAnswer, Step};
use super::super::standard::Standard;
use crate::args::{Penalty, RegressFit, RegressPrior};
use crate::folds;
use crate::predictive::Predictive;

/// Parts of the rows, each of which the others predict.
const FOLDS: usize = 10;

/// The estimates, in standard units, and what a new outcome varies by.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::regress) struct Known {
    standard: Standard,
    distribution: GlmFamily,
    /// Of gaussian the mean square error of held-out rows, of gamma φ.
    dispersion: Option<f64>,
    coefficients: Vec<f64>,
}

/// The variance of the noise, by the held-out rows; the dispersion of a gamma distribution by Pearson's
/// residuals.
fn dispersion(
    model: &Glm<'_>,
    distribution: GlmFamily,
    fit: &PenalizedFit,
    data: &Data,
    held_out: f64,
) -> Option<f64> {
    match distribution {
        GlmFamily::Gaussian => Some(held_out),
        GlmFamily::GammaLog => {
            let total: f64 = (0..data.rows()).map(|row| data.weight(row)).sum();
            let square: f64 = model.pearson_residuals(&fit.coefficients).iter().map(|own| own * own).sum();
            Some(square / (total - fit.nonzero() as f64).max(1.0))
        }
        _ => None,
    }
}

pub(super) fn answer(
    args: &RegressFit,
    data: &Data,
    y: &[f64],
    distribution: GlmFamily,
) -> Result<(Answer, super::Known), Error> {
    let standard = Standard::of(&data.design.values, data.coding.has_intercept());
    let design = standard.with_intercept(&data.design.values);
    let model = Glm::new(distribution, data.glm(&design, y)?)?;
    let mixing = if args.prior == RegressPrior::Lasso { 1.0 } else { args.mixing };
    let options = PenaltyOptions { mixing, ..PenaltyOptions::default() };
    let (of_row, count) = parts(args, data);
    let (fits, held_out, place, chosen_by) = match args.penalty {
        Penalty::Given(penalty) => {
            let held_out = model.held_out_deviances(&of_row, &[penalty], &options)?;
            (vec![model.penalized(penalty, &options)?], held_out, 0, "given")
        }
        Penalty::Best | Penalty::OneError => {
            let path = model.penalty_by_folds(&of_row, &options)?;
            let (place, how) = match args.penalty {
                Penalty::OneError => (path.sparsest, "one-se"),
                _ => (path.best, "best"),
            };
            (path.fits, path.held_out, place, how)
        }
    };
    let fit = &fits[place];
    let mut warnings = Vec::new();
    if !fits.iter().all(|own| own.converged) {
        warnings.push("the descent to the most probable coefficients did not converge".to_owned());
    }
    let dispersion = dispersion(&model, distribution, fit, data, held_out[place].mean);
    let null_deviance = model.null_deviance().ok();
    let known = Known { standard, distribution, dispersion, coefficients: fit.coefficients.clone() };
    let names = known.standard.intercept().into_iter().chain(data.coding.names.iter().map(String::as_str));
    let estimates = known.standard.coefficients(&known.coefficients);
    let coefficients: Result<Vec<_>, Error> = names
        .zip(estimates)
        .map(|(name, own)| Ok(Estimate::of(Coefficient::estimate(name, own)?, data.level)))
        .collect();
    let predictions = data.predicted(args, |design, wanted| known.predict(design, wanted))?;
    let fitted = known.fitted(data, &predictions.here, y);
    let predictions = predictions.asked_for();
    let first = usize::from(known.standard.intercept().is_some());
    let step = |(fit, held_out): (&PenalizedFit, &HeldOutDeviance)| Step {
        penalty: fit.penalty,
        nonzero: fit.coefficients[first..].iter().filter(|own| **own != 0.0).count(),
        deviance: fit.deviance,
        held_out_deviance: held_out.mean,
        held_out_error: held_out.standard_error,
        coefficients: fit.coefficients[first..].to_vec(),
    };
    let path: Vec<Step> = fits.iter().zip(&held_out).map(step).collect();
    let penalty = PenaltyAnswer {
        chosen_by,
        value: fit.penalty,
        mixing,
        nonzero: path[place].nonzero,
        columns: data.coding.names.len(),
        folds: count,
        path,
        names: data.coding.names.clone(),
    };
    let deviance = Some(fit.deviance);
    let prior = if args.prior == RegressPrior::Lasso { "lasso" } else { "elastic-net" };
    let noise_sd = dispersion.filter(|_| distribution == GlmFamily::Gaussian).map(f64::sqrt);
    let dispersion = dispersion.filter(|_| distribution != GlmFamily::Gaussian);
    let family = generalized::family_name(args);
    let link = generalized::link(distribution);
    let known = super::Known::Penalized(known);
    let answer = Answer {
        coefficients: coefficients?,
        noise_sd,
        dispersion,
        link,
        deviance,
        null_deviance,
        prior: Some(prior),
        penalty: Some(penalty),
        intervals: known.intervals(&data.outcome.kind(), data.level),
        predictions,
        fitted,
        warnings,
        ..Answer::new(family, "coordinate-descent", data, PredictedBy::InSample)
    };
    Ok((answer, known))
}

/// The part of each row, and how many there are: every part has rows with a weight.
fn parts(args: &RegressFit, data: &Data) -> (Vec<usize>, usize) {
    let order = folds::order(data.rows(), data.outcome.classes_of_rows(), args.common.seed);
    let rows = order.into_iter().filter(|row| data.weight(*row) > 0.0);
    let mut of_row = vec![0; data.rows()];
    let mut informative = 0;
    for row in rows {
        of_row[row] = informative % FOLDS;
        informative += 1;
    }
    (of_row, informative.min(FOLDS))
}

impl Known {
    pub(super) fn predict(&self, design: &DMatrix<f64>, wanted: Wanted<'_>) -> Result<Vec<Predicted>, Error> {
        let predictors = self.standard.with_intercept(design)
            * posterior::math::linalg::DVector::from_column_slice(&self.coefficients);
        let row = |(row, own): (usize, &f64)| -> Result<Predicted, Error> {
            let mean = self.distribution.mean(own + wanted.offset(row));
            let new = match (self.distribution, self.dispersion) {
                (GlmFamily::Gaussian, Some(variance)) => Predictive::normal(mean, variance)?,
                (GlmFamily::GammaLog, Some(dispersion)) => Predictive::gamma(&[(mean, 1.0)], dispersion)?,
                (GlmFamily::Poisson, _) => Predictive::Count(CountMixture::of_rates(vec![(mean, 1.0)])),
                _ => return Ok(Predicted { mean: Some(mean), ..Predicted::default() }),
            };
            Ok(Predicted::around(row, &new, mean, wanted))
        };
        predictors.iter().enumerate().map(row).collect()
    }

    fn fitted(&self, data: &Data, predictions: &[Predicted], y: &[f64]) -> Fitted {
        let means = predictions.iter().map(|own| own.mean.unwrap_or(f64::NAN));
        let fitted = Fitted::by(PredictedBy::InSample);
        if data.outcome.classes_of_rows().is_some() {
            return Fitted { probabilities: means.map(|p| vec![1.0 - p, p]).collect(), ..fitted };
        }
        let sd = |mean: f64| match self.distribution {
            GlmFamily::Gaussian => self.dispersion.unwrap_or(1.0).sqrt(),
            own => generalized::variance(own, self.dispersion, mean).sqrt(),
        };
        let residuals = means.zip(y).map(|(mean, own)| (own - mean) / sd(mean)).collect();
        Fitted { residuals, ..fitted.with_coverage(predictions, y, data.level) }
    }

    pub(super) const fn taken_as_known(&self) -> &'static [&'static str] {
        match self.distribution {
            GlmFamily::Gaussian => {
                &["the coefficients", "the penalty", "the mean square error of held-out rows"]
            }
            GlmFamily::GammaLog => &["the coefficients", "the penalty", "the dispersion"],
            _ => &["the coefficients", "the penalty"],
        }
    }
}
