//! Classes in an order: the cumulative logit or probit, by draws of Laplace's approximation.

use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;
use posterior::regression::Error;
use posterior::regression::coefficients::Coefficient;
use posterior::regression::glm::{
    CoefficientPrior, GlmFitOptions, OrdinalDraws, OrdinalLink, OrdinalRegression,
};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::answer::{Answer, Fitted, Intervals, Predicted, PredictedBy};
use super::data_input::Data;
use super::estimate::Estimate;
use super::generalized::{PRIOR_SD, affordable, no_link};
use super::new_rows::Wanted;
use super::standard::Standard;
use crate::args::{Link, RegressEngine, RegressFit};
use crate::failure::{Failure, refused};
use crate::level::Level;
use crate::outcome::OutcomeKind;

/// The answer for the classes of the rows, of which there are so many.
pub(super) fn answer(
    args: &RegressFit,
    data: &Data,
    of_row: &[usize],
    classes: usize,
) -> Result<(Answer, Known), Failure> {
    if !matches!(args.engine, None | Some(RegressEngine::Laplace)) {
        return Err(Failure::Usage("--engine: the family ordinal is approximated by laplace".to_owned()));
    }
    let link = match args.link {
        None | Some(Link::Logit) => OrdinalLink::Logit,
        Some(Link::Probit) => OrdinalLink::Probit,
        Some(_) => return Err(no_link("ordinal", "logit or probit")),
    };
    affordable(args, data, data.design.values.ncols() + classes)?;
    if data.design.values.ncols() == 0 {
        let message = format!("{}: an ordinal regression needs a column that explains", data.source);
        return Err(Failure::data(message));
    }
    fitted(args, data, link, of_row, classes).map_err(refused)
}

fn fitted(
    args: &RegressFit,
    data: &Data,
    link: OrdinalLink,
    of_row: &[usize],
    classes: usize,
) -> Result<(Answer, Known), Error> {
    let standard = Standard::of(&data.design.values, true);
    let design = standard.rows(&data.design.values);
    let prior_sd = args.prior_sd.unwrap_or(PRIOR_SD);
    let prior = CoefficientPrior::isotropic(design.ncols(), prior_sd)?;
    let mut model = OrdinalRegression::new(link, &design, of_row, classes)?.with_prior(prior)?;
    if let Some(weights) = &data.weights {
        model = model.with_weights(weights)?;
    }
    let fitted = model.fit(&GlmFitOptions::default(), &mut Silent)?;
    let mut warnings = Vec::new();
    if !fitted.report.converged() {
        warnings.push("the search for the most probable coefficients did not converge".to_owned());
    }
    let draws = fitted.model.draws(&data.coding.names, args.common.seed)?;
    let known = Known { standard, draws };
    let predictions = data.predicted(args, |design, wanted| known.predict(design, wanted))?;
    let probabilities = predictions.here.iter().map(Predicted::of_classes).collect();
    let answer = Answer {
        intervals: intervals(&data.outcome.kind(), data.level),
        coefficients: known.coefficients(data.level)?,
        prior_sd: Some(prior_sd),
        link: Some(match link {
            OrdinalLink::Probit => "probit",
            _ => "logit",
        }),
        deviance: Some(-2.0 * fitted.model.ln_likelihood),
        null_deviance: Some(null_deviance(data, of_row, classes)),
        predictions: predictions.asked_for(),
        fitted: Fitted { probabilities, ..Fitted::by(PredictedBy::InSample) },
        warnings,
        ..Answer::new("ordinal", "laplace", data, PredictedBy::InSample)
    };
    Ok((answer, known))
}

/// What the intervals are of: one coefficient serves all classes.
pub(super) fn intervals(outcome: &OutcomeKind, level: Level) -> Intervals {
    Intervals { coefficients: None, ..Intervals::of(outcome, &[], level) }
}

/// That of the proportions of the classes.
fn null_deviance(data: &Data, of_row: &[usize], classes: usize) -> f64 {
    let mut counts = vec![0.0; classes];
    for (row, &class) in of_row.iter().enumerate() {
        counts[class] += data.weight(row);
    }
    let rows: f64 = counts.iter().sum();
    counts.into_iter().filter(|own| *own > 0.0).map(|own| -2.0 * own * (own / rows).ln()).sum()
}

/// What is known of thresholds and coefficients, in standard units.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Known {
    standard: Standard,
    draws: OrdinalDraws,
}

impl Known {
    /// The prediction of each row.
    pub(super) fn predict(&self, design: &DMatrix<f64>, wanted: Wanted<'_>) -> Result<Vec<Predicted>, Error> {
        let design = self.standard.rows(design);
        let row = |row: usize| -> Result<Predicted, Error> {
            let x: Vec<f64> = design.row(row).iter().copied().collect();
            let levels = self.draws.response(&x)?;
            let interval = |own: &Coefficient| wanted.level.interval(|p| own.quantile(p));
            if let [_, second] = &levels[..] {
                return Ok(Predicted::probability(second.mean, interval(second)));
            }
            let ends = wanted.details.then(|| levels.iter().map(interval).collect());
            Ok(Predicted::classes(levels.iter().map(|own| own.mean).collect(), ends))
        };
        (0..design.nrows()).into_par_iter().map(row).collect()
    }

    /// Thresholds and coefficients in the units of the table.
    fn coefficients(&self, level: Level) -> Result<Vec<Estimate>, Error> {
        let (draws, thresholds) = (self.draws.draws(), self.draws.thresholds());
        let features = draws.names.len() - thresholds;
        let shift = self.standard.shift();
        let one = |(place, name): (usize, &String)| match place.checked_sub(thresholds) {
            Some(feature) => draws.marginal(name, |own| own[place] / self.standard.unit(feature)),
            // c - (x - m)/s b = c + m/s b - x b/s.
            None => draws.marginal(name, |own| {
                own[place] - (0..features).map(|j| shift[j] * own[thresholds + j]).sum::<f64>()
            }),
        };
        draws.names.iter().enumerate().map(|own| Ok(Estimate::of(one(own)?, level))).collect()
    }
}
