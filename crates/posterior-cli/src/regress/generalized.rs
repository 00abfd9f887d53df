//! Two classes and counts: Laplace's approximation, or sampling.

use posterior::dist::{Gaussian, Normal, Univariate as _};
use posterior::math::linalg::{DMatrix, DVector};
use posterior::math::quadrature::GaussHermite;
use posterior::regression::Error;
use posterior::regression::coefficients::Coefficient;
use posterior::regression::glm::{
    CoefficientPrior, CountMixture, Family as Law, FitOptions, Glm, GlmPosterior, Observations, Predictor,
    ResponseLaw as _,
};
use posterior::sampling::hamiltonian::Nuts;
use posterior::sampling::{Run, Start};

use super::answer::{Answer, Fitted, Intervals, Predicted, PredictedBy};
use super::data_input::Data;
use super::fit::refused;
use super::standard::Standard;
use crate::args::{RegressEngine, RegressFit};
use crate::failure::Failure;

/// The prior standard deviations of coefficients and of the intercept where no other is given.
const PRIOR_SD: f64 = 2.5;
const INTERCEPT_SD: f64 = 10.0;

/// Nodes of the quadrature over the predictor.
const NODES: usize = 32;

/// The answer for two classes or counts as numbers.
pub(super) fn answer(args: &RegressFit, data: &Data, law: Law, y: &[f64]) -> Result<Answer, Failure> {
    let engine = args.engine.unwrap_or(RegressEngine::Laplace);
    if engine == RegressEngine::Exact {
        let message = "--engine exact: only the family gaussian has its posterior in closed form";
        return Err(Failure::Usage(message.to_owned()));
    }
    let standard = Standard::of(&data.design.values);
    let design = standard.with_intercept(&data.design.values);
    let prior_sd = args.prior_sd.unwrap_or(PRIOR_SD);
    let fit = || -> Result<(Glm<'_>, GlmPosterior), Error> {
        let names = std::iter::once("intercept".to_owned()).chain(data.coding.names.iter().cloned());
        let rows = Observations::new(&design, y)?.with_names(names)?;
        let mut sds = vec![prior_sd; design.ncols()];
        sds[0] = INTERCEPT_SD;
        let prior = CoefficientPrior::diagonal(vec![0.0; design.ncols()], &sds)?;
        let model = Glm::new(law, rows)?.with_prior(prior)?;
        let posterior = model.laplace(&FitOptions::default())?;
        Ok((model, posterior))
    };
    let (model, posterior) = fit().map_err(refused)?;
    let known = match engine {
        RegressEngine::Nuts => Known::sampled(&model, args)?,
        _ => Known::Gaussian(posterior.law.clone()),
    };
    let mut warnings = known.warnings();
    if !posterior.report.converged() {
        warnings.push("the search for the most probable coefficients did not converge".to_owned());
    }
    let told = || -> Result<Answer, Error> {
        let places = standard.with_intercept(&data.places.values);
        Ok(Answer {
            family: if law == Law::Poisson { "poisson" } else { "bernoulli" },
            engine: known.name(),
            rows: y.len(),
            coefficients: known.coefficients(&standard, &data.coding.names)?,
            ln_evidence: Some(posterior.ln_evidence),
            prior_sd,
            noise_sd: None,
            classes: Vec::new(),
            positive_class: None,
            intervals: Intervals::of(&data.outcome, &[]),
            predictions: known.predict(law, &places)?,
            fitted: fitted(law, &known.predict(law, &design)?, y),
            warnings,
            seed: args.common.seed,
            seconds: 0.0,
        })
    };
    told().map_err(refused)
}

/// The posterior of the coefficients, in standard units.
enum Known {
    Gaussian(Gaussian),
    /// Draws, one a row.
    Draws {
        draws: DMatrix<f64>,
        warnings: Vec<String>,
    },
}

impl Known {
    fn sampled(model: &Glm<'_>, args: &RegressFit) -> Result<Self, Failure> {
        let run = Run::default().with_seed(args.common.seed);
        let sampled = run.sample(model, &Nuts::default(), &Start::default());
        let sampled = sampled.map_err(|error| Failure::data(error.to_string()))?;
        let draws = &sampled.draws;
        let warnings = draws.summary().warnings.iter().map(ToString::to_string).collect();
        let rows = (0..draws.chains()).flat_map(|chain| (0..draws.len()).map(move |draw| (chain, draw)));
        let numbers: Vec<f64> = rows.flat_map(|(chain, draw)| draws.draw(chain, draw).to_vec()).collect();
        let columns = draws.names().len();
        Ok(Self::Draws {
            draws: DMatrix::from_row_slice(numbers.len() / columns, columns, &numbers),
            warnings,
        })
    }

    fn warnings(&self) -> Vec<String> {
        match self {
            Self::Gaussian(_) => Vec::new(),
            Self::Draws { warnings, .. } => warnings.clone(),
        }
    }

    const fn name(&self) -> &'static str {
        match self {
            Self::Gaussian(_) => "laplace",
            Self::Draws { .. } => "nuts",
        }
    }

    fn coefficients(&self, standard: &Standard, names: &[String]) -> Result<Vec<Coefficient>, Error> {
        let names = std::iter::once("intercept").chain(names.iter().map(String::as_str));
        match self {
            Self::Gaussian(law) => {
                let means = standard.coefficients(law.mean().as_slice());
                let deviations = standard.deviations(&law.cholesky().reconstruct());
                let rows = names.zip(means.iter().zip(&deviations));
                rows.map(|(name, (mean, sd))| Ok(Coefficient::normal(name, *mean, *sd)?)).collect()
            }
            Self::Draws { draws, .. } => {
                let rows: Vec<Vec<f64>> = draws
                    .row_iter()
                    .map(|row| standard.coefficients(&row.iter().copied().collect::<Vec<_>>()))
                    .collect();
                let column = |place: usize| rows.iter().map(|row| row[place]).collect::<Vec<_>>();
                names
                    .enumerate()
                    .map(|(place, name)| Ok(Coefficient::of_draws(name, &column(place))?))
                    .collect()
            }
        }
    }

    /// The mean response at each row, and where it is nine times in ten.
    fn predict(&self, law: Law, design: &DMatrix<f64>) -> Result<Vec<Predicted>, Error> {
        match self {
            Self::Gaussian(coefficients) => {
                let rule = GaussHermite::new(NODES)?;
                let predictors = Predictor::of_rows(coefficients, design)?;
                let row = |own: &Predictor| -> Result<Predicted, Error> {
                    let spread = Normal::mean_sd(own.mean, own.variance.sqrt().max(f64::MIN_POSITIVE))?;
                    let ends = [0.05, 0.95].map(|p| law.mean(spread.quantile(p)));
                    let mean = own.averaged(&law, &rule);
                    Ok(predicted(law, mean, ends, || CountMixture::of_predictor(own)))
                };
                predictors.iter().map(row).collect()
            }
            Self::Draws { draws, .. } => {
                let row = |row: usize| -> Result<Predicted, Error> {
                    let x: DVector<f64> = design.row(row).transpose();
                    let responses: Vec<f64> =
                        (draws * x).iter().map(|&predictor| law.mean(predictor)).collect();
                    let own = Coefficient::of_draws("", &responses)?;
                    let count =
                        || CountMixture::of_rates(responses.iter().map(|&rate| (rate, 1.0)).collect());
                    Ok(predicted(law, own.mean, [own.q05, own.q95], count))
                };
                (0..design.nrows()).map(row).collect()
            }
        }
    }
}

/// A probability, or a count with the interval of a new one.
fn predicted(
    law: Law,
    mean: f64,
    mean_interval: [f64; 2],
    count: impl FnOnce() -> CountMixture,
) -> Predicted {
    if law != Law::Poisson {
        return Predicted::probability(mean, mean_interval);
    }
    let count = count();
    Predicted::number(mean, [0.05, 0.95].map(|p| count.quantile(p)), mean_interval)
}

/// How the data are predicted: probabilities of two classes, or Pearson residuals of counts.
fn fitted(law: Law, predictions: &[Predicted], y: &[f64]) -> Fitted {
    let means = predictions.iter().map(|own| own.mean.unwrap_or(f64::NAN));
    let fitted = Fitted::by(PredictedBy::InSample);
    if law == Law::Poisson {
        let residuals = means.zip(y).map(|(mean, count)| (count - mean) / mean.sqrt()).collect();
        return Fitted { residuals, ..fitted.with_coverage(predictions, y) };
    }
    Fitted { probabilities: means.map(|p| vec![1.0 - p, p]).collect(), ..fitted }
}
