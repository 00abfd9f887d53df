//! Numbers with normal noise of unknown size: in closed form.

use posterior::dist::Univariate as _;
use posterior::math::streaming::MeanVariance;
use posterior::regression::Error;
use posterior::regression::coefficients::Coefficient;
use posterior::regression::linear::{
    LinearData, NoisePrior, StudentLaws, StudentPosterior, WeightPrior, unknown_noise,
};

use super::answer::{Answer, Fitted, Intervals, LEVEL, Predicted, PredictedBy};
use super::data_input::Data;
use super::fit::refused;
use super::standard::Standard;
use crate::args::{RegressEngine, RegressFit};
use crate::failure::Failure;

/// The prior standard deviation of the intercept, in units of the noise.
const FREE: f64 = 100.0;

/// What the prior says of the noise, as one row would: this share of the variance of the outcome.
const SMALL: f64 = 0.01;

/// Prior standard deviations that are tried: eight for a factor of ten.
const TRIED: std::ops::RangeInclusive<i32> = -24..=24;

/// The answer for numbers.
pub(super) fn answer(args: &RegressFit, data: &Data, y: &[f64]) -> Result<Answer, Failure> {
    if args.engine == Some(RegressEngine::Nuts) {
        let message = "--engine nuts: the family gaussian has its posterior in closed form, --engine exact";
        return Err(Failure::Usage(message.to_owned()));
    }
    fitted(args, data, y).map_err(refused)
}

fn fitted(args: &RegressFit, data: &Data, y: &[f64]) -> Result<Answer, Error> {
    let standard = Standard::of(&data.design.values);
    let design = standard.with_intercept(&data.design.values);
    let rows = LinearData::new(&design, y)?;
    let moments: MeanVariance = y.iter().copied().collect();
    let spread = moments.sample_variance();
    let variance = if spread > 0.0 { spread } else { 1.0 };
    let fit = |prior_sd: f64| -> Result<StudentPosterior, Error> {
        let mut variances = vec![prior_sd * prior_sd; design.ncols()];
        variances[0] = FREE * FREE;
        let mut mean = vec![0.0; design.ncols()];
        mean[0] = moments.mean();
        unknown_noise(
            &rows,
            &WeightPrior::independent(&mean, &variances)?,
            NoisePrior::inverse_gamma(0.5, 0.5 * SMALL * variance)?,
        )
    };
    let (prior_sd, posterior) = match args.prior_sd {
        Some(prior_sd) => (prior_sd, fit(prior_sd)?),
        None => by_evidence(fit)?,
    };
    let scale = (posterior.noise().scale() / posterior.noise().shape()).sqrt();
    let means = standard.coefficients(posterior.mean().as_slice());
    let deviations = standard.deviations(&posterior.relative_covariance());
    let names = std::iter::once("intercept").chain(data.coding.names.iter().map(String::as_str));
    let coefficients = names.zip(means.iter().zip(&deviations)).map(|(name, (mean, deviation))| {
        Coefficient::student_t(name, posterior.freedom(), *mean, deviation * scale)
    });
    let places = standard.with_intercept(&data.places.values);
    let (new, of_mean) = (posterior.predict(&places)?, posterior.function(&places)?);
    Ok(Answer {
        family: "gaussian",
        engine: "exact",
        rows: y.len(),
        coefficients: coefficients.collect::<Result<_, _>>()?,
        ln_evidence: posterior.ln_evidence(),
        prior_sd,
        noise_sd: Some(scale),
        classes: Vec::new(),
        positive_class: None,
        intervals: Intervals::of(&data.outcome, if args.prior_sd.is_some() { &[] } else { &["prior_sd"] }),
        predictions: predictions(&new, &of_mean),
        fitted: posterior
            .leave_one_out(&rows)
            .map_or_else(|_| Fitted::by(PredictedBy::LeaveOneOut), |laws| left_out(&laws, y)),
        warnings: Vec::new(),
        seed: args.common.seed,
        seconds: 0.0,
    })
}

/// The prior standard deviation under which the data are most probable, to an eighth of a decade: more digits say nothing.
fn by_evidence(
    fit: impl Fn(f64) -> Result<StudentPosterior, Error>,
) -> Result<(f64, StudentPosterior), Error> {
    let mut best: Option<(f64, StudentPosterior)> = None;
    for eighth in TRIED {
        let prior_sd = 10_f64.powf(f64::from(eighth) / 8.0);
        let posterior = fit(prior_sd)?;
        if best.as_ref().is_none_or(|(_, known)| posterior.ln_evidence() > known.ln_evidence()) {
            best = Some((prior_sd, posterior));
        }
    }
    match best {
        Some(best) => Ok(best),
        None => fit(1.0).map(|posterior| (1.0, posterior)),
    }
}

fn predictions(new: &StudentLaws, of_mean: &StudentLaws) -> Vec<Predicted> {
    let ends = |laws: &StudentLaws, row: usize| {
        laws.law(row)
            .map_or([f64::NAN; 2], |law| [0.5 * (1.0 - LEVEL), 0.5 * (1.0 + LEVEL)].map(|p| law.quantile(p)))
    };
    let law = |row: usize| Predicted::number(new.location[row], ends(new, row), ends(of_mean, row));
    (0..new.location.len()).map(law).collect()
}

/// Each outcome against its law given all others.
fn left_out(laws: &StudentLaws, y: &[f64]) -> Fitted {
    let residual = |row: usize| (y[row] - laws.location[row]) / laws.scale[row];
    let inside = |row: &usize| laws.law(*row).is_some_and(|law| (0.05..=0.95).contains(&law.cdf(y[*row])));
    let coverage = (0..y.len()).filter(inside).count() as f64 / y.len() as f64;
    Fitted {
        residuals: (0..y.len()).map(residual).collect(),
        coverage_90: Some(coverage),
        ..Fitted::by(PredictedBy::LeaveOneOut)
    }
}
