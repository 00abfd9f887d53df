//! Three classes and more: by weighted draws, Laplace's approximation, or sampling.

use posterior::math::linalg::DMatrix;
use posterior::regression::Error;
use posterior::regression::glm::{DrawnBy, ScalePrior, SoftmaxDraws, SoftmaxRegression};
use posterior::sampling::Run;
use serde::{Deserialize, Serialize};

use super::answer::{Answer, Fitted, Predicted, PredictedBy, PriorScale};
use super::data_input::Data;
use super::estimate::Estimate;
use super::generalized::affordable;
use super::new_rows::Wanted;
use super::standard::Standard;
use crate::args::{RegressEngine, RegressFit};
use crate::failure::{Failure, refused};
use crate::level::Level;

/// The median of the prior standard deviation of the coefficients, where it is averaged over.
const MEDIAN: f64 = 0.5;

/// The prior standard deviation of an intercept.
const INTERCEPT_SD: f64 = 2.5;

/// Above so many coefficients the weights of draws cannot be trusted, and chains take minutes and may not
/// mix.
const MOST_DRAWN: usize = 100;

/// The answer for the classes of the rows, of which there are so many.
pub(super) fn answer(
    args: &RegressFit,
    data: &Data,
    of_row: &[usize],
    labels: &[String],
) -> Result<(Answer, Known), Failure> {
    if args.engine == Some(RegressEngine::Exact) {
        let message = "--engine exact: only the family gaussian has its posterior in closed form";
        return Err(Failure::Usage(message.to_owned()));
    }
    affordable(args, data, (labels.len() - 1) * (data.design.values.ncols() + 1))?;
    fitted(args, data, of_row, labels).map_err(refused)
}

fn fitted(
    args: &RegressFit,
    data: &Data,
    of_row: &[usize],
    labels: &[String],
) -> Result<(Answer, Known), Error> {
    let standard = Standard::of(&data.design.values, true);
    let design = standard.with_intercept(&data.design.values);
    let scale = args.prior_sd.map_or_else(|| ScalePrior::half_cauchy(MEDIAN), ScalePrior::known)?;
    let mut regression = SoftmaxRegression::new(&design, of_row, labels.len())?;
    if let Some(weights) = &data.weights {
        regression = regression.with_weights(weights)?;
    }
    let seed = args.common.seed;
    let many = (labels.len() - 1) * design.ncols() > MOST_DRAWN;
    let draws = match args.engine {
        Some(RegressEngine::Nuts) => {
            regression.by_nuts(&scale, INTERCEPT_SD, &Run { seed, ..Run::default() })?
        }
        None if !many => regression.corrected(&scale, INTERCEPT_SD, seed)?,
        _ => regression.laplace(&scale, INTERCEPT_SD, seed)?,
    };
    let mut warnings = draws.draws().warnings.clone();
    if many && args.engine.is_none() {
        warnings.push(format!(
            "more than {MOST_DRAWN} coefficients: the posterior is Laplace's approximation, which is not corrected; --engine nuts samples it"
        ));
    }
    let engine = match draws.draws().drawn_by {
        DrawnBy::Nuts => "nuts",
        DrawnBy::ImportanceSampling => "importance",
        _ => "laplace",
    };
    let known = Known { standard, draws };
    let predictions = data.predicted(args, |design, wanted| known.predict(design, wanted))?;
    let Known { standard, draws } = &known;
    let answer = Answer {
        coefficients: coefficients(draws, labels, &data.coding.names, standard, data.level)?,
        ln_evidence: draws.ln_evidence(),
        ln_evidence_error: draws.draws().ln_evidence.map(|own| own.standard_error),
        pareto_k: draws.draws().pareto_shape,
        prior_sd: Some(draws.median_scale()),
        prior_scale: PriorScale::averaged_unless(args.prior_sd),
        fitted: Fitted {
            probabilities: predictions.here.iter().map(Predicted::of_classes).collect(),
            ..Fitted::by(PredictedBy::InSample)
        },
        predictions: predictions.asked_for(),
        warnings,
        ..Answer::new("softmax", engine, data, PredictedBy::InSample)
    };
    Ok((answer, known))
}

/// The posterior of the coefficients, in standard units.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Known {
    standard: Standard,
    draws: SoftmaxDraws,
}

impl Known {
    /// The prediction of each row.
    pub(super) fn predict(&self, design: &DMatrix<f64>, wanted: Wanted<'_>) -> Result<Vec<Predicted>, Error> {
        let places = self.standard.with_intercept(design);
        let ends = if wanted.details {
            self.draws.response_quantiles(&places, &wanted.level.ends())?
        } else {
            Vec::new()
        };
        Ok(of_classes(&self.draws.response(&places)?, &ends))
    }
}

/// The probabilities of each row, with their intervals if there are any.
pub(super) fn of_classes(response: &DMatrix<f64>, ends: &[DMatrix<f64>]) -> Vec<Predicted> {
    let row = |i: usize| {
        let intervals = match ends {
            [low, high] => Some(low.row(i).iter().zip(high.row(i).iter()).map(|(a, b)| [*a, *b]).collect()),
            _ => None,
        };
        Predicted::classes(response.row(i).iter().copied().collect(), intervals)
    };
    (0..response.nrows()).map(row).collect()
}

/// In the units of the table; less the mean over the classes, which is what observations determine.
fn coefficients(
    known: &SoftmaxDraws,
    labels: &[String],
    names: &[String],
    standard: &Standard,
    level: Level,
) -> Result<Vec<Estimate>, Error> {
    let mut all = Vec::new();
    for (class, label) in labels.iter().enumerate() {
        for (feature, name) in names.iter().enumerate() {
            let name = format!("{label}: {name}");
            let own = known.sum_to_zero(&name, class, feature + 1, standard.unit(feature))?;
            all.push(Estimate::of(own, level));
        }
    }
    Ok(all)
}
