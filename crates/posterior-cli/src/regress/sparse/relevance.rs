//! Automatic relevance determination: a prior scale of each coefficient, by the evidence.

use posterior::dist::stream::stream;
use posterior::dist::{Normal, Univariate as _};
use posterior::gaussian::Gaussian;
use posterior::math::iteration::Silent;
use posterior::math::linalg::{DMatrix, DVector};
use posterior::regression::Error;
use posterior::regression::coefficients::Coefficient;
use posterior::regression::evidence::{EvidenceOptions, relevance};
use posterior::regression::glm::{Family, Predictor};
use rand::distr::Distribution as _;
use serde::{Deserialize, Serialize};

use super::super::answer::{Answer, Fitted, MeanOutcome, Predicted, PredictedBy};
use super::super::data_input::Data;
use super::super::estimate::Estimate;
use super::super::linear;
use super::super::new_rows::Wanted;
use super::super::points::Points;
use super::super::standard::Standard;
use crate::args::RegressFit;
use crate::predictive::Predictive;

pub(super) const TAKEN_AS_KNOWN: &[&str] =
    &["the prior scale of each coefficient", "the columns that are left out", "the noise"];

/// The coefficients that are not 0, in standard units, and the noise.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::regress) struct Known {
    standard: Standard,
    /// Places of the columns in the design, an intercept first if there is one.
    columns: Vec<usize>,
    posterior: Gaussian,
    noise_variance: f64,
}

pub(super) fn answer(args: &RegressFit, data: &Data, y: &[f64]) -> Result<(Answer, super::Known), Error> {
    let standard = Standard::of(&data.design.values, data.coding.has_intercept());
    let design = standard.with_intercept(&data.design.values);
    let free: &[usize] = if standard.intercept().is_some() { &[0] } else { &[] };
    let rows = data.linear(&design, y)?;
    let found = relevance(&rows, free, &EvidenceOptions::default(), &mut Silent)?;
    let mut warnings = Vec::new();
    if !found.report.converged() {
        warnings.push("the search for the prior scales did not converge".to_owned());
    }
    let model = found.model;
    let posterior = Gaussian::new(model.posterior.mean().as_slice(), &model.posterior.covariance())?;
    let known = Known { standard, columns: model.columns, posterior, noise_variance: model.noise_variance };
    let coefficients = known.coefficients(&data.coding.names)?;
    let coefficients = coefficients.into_iter().map(|own| Estimate::of(own, data.level)).collect();
    let predictions = data.predicted(args, |design, wanted| known.predict(design, wanted))?;
    let here = &predictions.here;
    let mean = |row: usize| here[row].mean.unwrap_or(f64::NAN);
    let residuals: Vec<f64> = (0..y.len()).map(|row| y[row] - mean(row)).collect();
    let sd = |row: usize| (known.noise_variance / data.weight(row)).sqrt();
    let standardised = residuals.iter().enumerate().map(|(row, own)| own / sd(row)).collect();
    let fitted = Fitted { residuals: standardised, ..Fitted::by(PredictedBy::InSample) };
    let known = super::Known::Relevance(known);
    let answer = Answer {
        coefficients,
        ln_evidence: Some(model.ln_evidence),
        noise_sd: Some(model.noise_variance.sqrt()),
        deviance: Some(linear::weighted(residuals, data)),
        null_deviance: Some(linear::null_deviance(y, data)),
        prior: Some("ard"),
        intervals: known.intervals(&data.outcome.kind(), data.level),
        fitted: fitted.with_coverage(here, y, data.level),
        predictions: predictions.asked_for(),
        warnings,
        ..Answer::new("gaussian", "evidence", data, PredictedBy::InSample)
    };
    Ok((answer, known))
}

impl Known {
    fn coefficients(&self, names: &[String]) -> Result<Vec<Coefficient>, Error> {
        let first = usize::from(self.standard.intercept().is_some());
        let covariance = self.posterior.cholesky().reconstruct();
        let mean = self.posterior.mean();
        let mut all: Vec<Coefficient> = Vec::with_capacity(names.len() + first);
        if let Some(name) = self.standard.intercept() {
            let shift = self.standard.shift();
            let own = self.columns.iter().map(|column| column.checked_sub(1).map_or(1.0, |j| shift[j]));
            let own = DVector::from_iterator(self.columns.len(), own);
            let variance = own.dot(&(&covariance * &own)).max(0.0);
            all.push(Coefficient::normal(name, own.dot(mean), variance.sqrt())?);
        }
        for (feature, name) in names.iter().enumerate() {
            let unit = self.standard.unit(feature);
            all.push(match self.columns.iter().position(|own| *own == feature + first) {
                Some(place) => {
                    Coefficient::normal(name, mean[place] / unit, covariance[(place, place)].sqrt() / unit)?
                }
                None => Coefficient::normal(name, 0.0, 0.0)?,
            });
        }
        Ok(all)
    }

    pub(super) fn predict(&self, design: &DMatrix<f64>, wanted: Wanted<'_>) -> Result<Vec<Predicted>, Error> {
        let design = self.standard.with_intercept(design).select_columns(&self.columns);
        let row = |(row, own): (usize, Predictor)| -> Result<Predicted, Error> {
            let mean = own.mean + wanted.offset(row);
            let sd = own.variance.max(0.0).sqrt();
            let spread = Normal::mean_sd(mean, sd.max(f64::MIN_POSITIVE))?;
            let interval = wanted.level.interval(|p| spread.quantile(p));
            let new = Predictive::normal(mean, own.variance + self.noise_variance)?;
            Ok(Predicted::number(row, &new, MeanOutcome { mean, sd, interval }, wanted))
        };
        Predictor::of_rows(&self.posterior, &design)?.into_iter().enumerate().map(row).collect()
    }

    pub(super) fn points(&self, count: usize, seed: u64) -> Points {
        let mut rng = stream(seed, &[0]);
        let width = self.standard.width() + usize::from(self.standard.intercept().is_some());
        let one = |_| {
            let own: Vec<f64> = self.posterior.sample(&mut rng);
            let mut point = vec![0.0; width];
            self.columns.iter().zip(own).for_each(|(column, own)| point[*column] = own);
            (self.standard.coefficients(&point), self.noise_variance.sqrt())
        };
        let all = (0..count).map(one).collect();
        Points {
            family: Family::Gaussian,
            dispersion: None,
            intercept: self.standard.intercept().is_some(),
            all,
        }
    }
}
