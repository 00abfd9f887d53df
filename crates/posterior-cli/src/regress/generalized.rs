//! Two classes and counts: by weighted draws, Laplace's approximation, or sampling.

use posterior::dist::{Normal, Univariate as _};
use posterior::gaussian::Gaussian;
use posterior::math::linalg::{DMatrix, DVector};
use posterior::math::quadrature::GaussHermite;
use posterior::regression::Error;
use posterior::regression::coefficients::Coefficient;
use posterior::regression::glm::{
    CoefficientPrior, Corrected, DrawnBy, Family as GlmFamily, Glm, GlmData, GlmDraws, GlmFitOptions,
    Predictor, ResponseDistribution as _, RowSpace,
};
use posterior::sampling::Run;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::answer::{Answer, Fitted, MeanOutcome, Predicted, PredictedBy};
use super::data_input::{Data, Wanted};
use super::standard::Standard;
use super::work;
use crate::args::{Family, RegressEngine, RegressFit};
use crate::failure::{Failure, refused};
use crate::output;
use crate::predictive::Predictive;

/// The prior standard deviations of coefficients and of the intercept where no other is given.
const PRIOR_SD: f64 = 2.5;
const INTERCEPT_SD: f64 = 10.0;

/// Bytes for a pair of features: matrices of that size, at a time.
const MATRICES: f64 = 32.0;
const MOST_GIGABYTES: f64 = 4.0;

/// Nodes of the quadrature over the predictor.
const NODES: usize = 32;

/// The answer for two classes or counts as numbers.
pub(super) fn answer(
    args: &RegressFit,
    data: &Data,
    distribution: GlmFamily,
    y: &[f64],
) -> Result<(Answer, Known), Failure> {
    if args.engine == Some(RegressEngine::Exact) {
        let message = "--engine exact: only the family gaussian has its posterior in closed form";
        return Err(Failure::Usage(message.to_owned()));
    }
    // More columns than rows are as many as rows.
    let (rows, columns) = data.design.values.shape();
    affordable(data, columns.min(rows + 1))?;
    if let Some(text) = work::long(args, rows, columns) {
        output::note(args.common.quiet, &text);
    }
    fitted(args, data, distribution, y).map_err(refused)
}

/// Refuses so many coefficients that their matrices and draws take more memory than a fit is given.
pub(super) fn affordable(data: &Data, coefficients: usize) -> Result<(), Failure> {
    let coefficients = coefficients as f64;
    let gigabytes = (MATRICES * coefficients * coefficients + 16.0 * 8000.0 * coefficients) / 1e9;
    if gigabytes <= MOST_GIGABYTES {
        return Ok(());
    }
    let features = data.design.values.ncols();
    let message = format!("{}: {features} features need about {gigabytes:.0} GB of memory", data.source);
    let hint = format!("name those that matter with --x: at most {MOST_GIGABYTES} GB are taken");
    Err(Failure::data(message).with_hint(hint))
}

fn fitted(
    args: &RegressFit,
    data: &Data,
    distribution: GlmFamily,
    y: &[f64],
) -> Result<(Answer, Known), Error> {
    let units = Units::of(&data.design.values, data.coding.has_intercept())?;
    let design = units.with_intercept(&data.design.values)?;
    let prior_sd = args.prior_sd.unwrap_or(PRIOR_SD);
    let mut rows = GlmData::new(&design, y)?.with_names(units.names(&data.coding.names))?;
    if let Some(offsets) = &data.offsets {
        rows = rows.with_offset(offsets)?;
    }
    if let Some(weights) = &data.weights {
        rows = rows.with_weights(weights)?;
    }
    let mut sds = vec![prior_sd; design.ncols()];
    if data.coding.has_intercept() {
        sds[0] = INTERCEPT_SD;
    }
    let prior = CoefficientPrior::diagonal(vec![0.0; design.ncols()], &sds)?;
    let glm = Glm::new(distribution, rows)?.with_prior(prior)?;
    let laplace = glm.laplace(&GlmFitOptions::default())?;
    let converged = laplace.report.converged();
    let draws = match args.engine {
        Some(RegressEngine::Nuts) => Some(glm.by_nuts(&Run { seed: args.common.seed, ..Run::default() })?),
        None => match glm.corrected(&laplace, args.common.seed)? {
            Corrected::Draws(draws) => Some(draws),
            Corrected::Laplace => None,
        },
        Some(_) => None,
    };
    let ln_evidence = match &draws {
        // Chains have none of their own.
        Some(draws) => draws.ln_evidence.map(|own| own.ln_value),
        None => Some(laplace.ln_evidence),
    };
    let posterior = draws.map_or_else(|| Posterior::Gaussian(laplace.distribution), Posterior::Draws);
    let mut warnings = posterior.draws().map_or_else(Vec::new, |draws| draws.warnings.clone());
    if !converged {
        warnings.push("the search for the most probable coefficients did not converge".to_owned());
    }
    let wanted = data.wanted(args.writes_all() && !data.places.are_new);
    let here = posterior.predict(distribution, &design, wanted)?;
    let fitted = against(distribution, &here, y);
    let known = Known { units, distribution, posterior };
    let predictions = if data.places.are_new {
        known.predict(&data.places.values, data.places.wanted(args.writes_all()))?
    } else {
        here
    };
    let beyond = predictions.iter().filter(|own| own.is_beyond()).count();
    if beyond > 0 {
        let text = "rows have a mean outside of its own interval: their rates are so uncertain that rare huge ones make the mean";
        warnings.push(format!("{beyond} {text}"));
    }
    let family = match args.family {
        Family::Poisson => "poisson",
        // Of two classes.
        Family::Softmax => "softmax",
        _ => "bernoulli",
    };
    let Known { units, posterior, .. } = &known;
    let answer = Answer {
        coefficients: posterior.coefficients(units, &data.coding.names)?,
        ln_evidence,
        ln_evidence_error: posterior.draws().and_then(|draws| Some(draws.ln_evidence?.standard_error)),
        pareto_k: posterior.draws().and_then(|draws| draws.pareto_shape),
        prior_sd: Some(prior_sd),
        predictions,
        fitted,
        warnings,
        ..Answer::new(family, posterior.name(), data, PredictedBy::InSample)
    };
    Ok((answer, known))
}

/// What is known of the coefficients, and in which units.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Known {
    units: Units,
    distribution: GlmFamily,
    posterior: Posterior,
}

impl Known {
    /// The prediction of each row.
    pub(super) fn predict(&self, design: &DMatrix<f64>, wanted: Wanted<'_>) -> Result<Vec<Predicted>, Error> {
        self.posterior.predict(self.distribution, &self.units.with_intercept(design)?, wanted)
    }
}

/// The columns that a fit has: standard units, and the coordinates of the rows where there are more columns
/// than rows.
#[derive(Debug, Serialize, Deserialize)]
struct Units {
    standard: Standard,
    space: Option<RowSpace>,
}

impl Units {
    fn of(design: &DMatrix<f64>, intercept: bool) -> Result<Self, Error> {
        let standard = Standard::of(design, intercept);
        let wide = design.ncols() > design.nrows();
        let space = wide.then(|| RowSpace::of(&standard.rows(design))).transpose()?;
        Ok(Self { standard, space })
    }

    /// Rows in these units, behind a column of ones if there is an intercept.
    fn with_intercept(&self, design: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        let Some(space) = &self.space else { return Ok(self.standard.with_intercept(design)) };
        Ok(self.standard.behind_ones(space.coordinates(&self.standard.rows(design))?))
    }

    /// The names of these columns, the intercept first if there is one.
    fn names(&self, names: &[String]) -> Vec<String> {
        let own = match &self.space {
            None => names.to_vec(),
            Some(space) => (1..=space.dimension()).map(|place| format!("coordinate {place}")).collect(),
        };
        self.standard.intercept().map(str::to_owned).into_iter().chain(own).collect()
    }
}

/// The posterior of the coefficients, in standard units.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Posterior {
    Gaussian(Gaussian),
    Draws(GlmDraws),
}

impl Posterior {
    const fn draws(&self) -> Option<&GlmDraws> {
        match self {
            Self::Gaussian(_) => None,
            Self::Draws(draws) => Some(draws),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Gaussian(_) => "laplace",
            Self::Draws(draws) if draws.drawn_by == DrawnBy::Nuts => "nuts",
            Self::Draws(_) => "importance",
        }
    }

    fn coefficients(&self, units: &Units, names: &[String]) -> Result<Vec<Coefficient>, Error> {
        let Units { standard, space } = units;
        if let Some(space) = space {
            return self.many_coefficients(standard, space, names);
        }
        let names = standard.intercept().into_iter().chain(names.iter().map(String::as_str));
        match self {
            Self::Gaussian(posterior) => {
                let means = standard.coefficients(posterior.mean().as_slice());
                let deviations = standard.deviations(&posterior.cholesky().reconstruct());
                let rows = names.zip(means.iter().zip(&deviations));
                rows.map(|(name, (mean, sd))| Ok(Coefficient::normal(name, *mean, *sd)?)).collect()
            }
            Self::Draws(draws) => names
                .enumerate()
                .map(|(place, name)| draws.marginal(name, |own| standard.coefficient(own, place)))
                .collect(),
        }
    }

    /// The same of more columns than rows: each coefficient is a combination of the coordinates.
    fn many_coefficients(
        &self,
        standard: &Standard,
        space: &RowSpace,
        names: &[String],
    ) -> Result<Vec<Coefficient>, Error> {
        let of = |name: &str, own: &[f64]| -> Result<Coefficient, Error> {
            let dot = |point: &[f64]| own.iter().zip(point).map(|(a, b)| a * b).sum::<f64>();
            match self {
                Self::Draws(draws) => draws.marginal(name, dot),
                Self::Gaussian(posterior) => {
                    let factor = posterior.cholesky().factor();
                    let sd = factor.tr_mul(&DVector::from_column_slice(own)).norm();
                    Ok(Coefficient::normal(name, dot(posterior.mean().as_slice()), sd)?)
                }
            }
        };
        let first = standard.intercept().is_some();
        let coefficient = |column: usize| {
            let unit = standard.unit(column).recip();
            let own = space.of_coefficient(column).into_iter().map(|number| number * unit);
            of(&names[column], &first.then_some(0.0).into_iter().chain(own).collect::<Vec<_>>())
        };
        let rest: Result<Vec<_>, Error> = (0..names.len()).into_par_iter().map(coefficient).collect();
        let Some(name) = standard.intercept() else { return rest };
        let mut shift = space.coordinates(&standard.shift())?.row(0).iter().copied().collect::<Vec<_>>();
        shift.insert(0, 1.0);
        Ok(std::iter::once(of(name, &shift)?).chain(rest?).collect())
    }

    /// The prediction of each row of a design in these units.
    fn predict(
        &self,
        distribution: GlmFamily,
        design: &DMatrix<f64>,
        wanted: Wanted<'_>,
    ) -> Result<Vec<Predicted>, Error> {
        let counts = distribution == GlmFamily::Poisson;
        match self {
            Self::Gaussian(posterior) => {
                let rule = GaussHermite::new(NODES)?;
                let row = |(row, own): (usize, &Predictor)| -> Result<Predicted, Error> {
                    let own = Predictor { mean: own.mean + wanted.offset(row), ..*own };
                    let function = mean_outcome(&own, distribution, &rule)?;
                    Ok(predicted(row, function, counts.then_some(Predictive::LogRate(own)), wanted))
                };
                Predictor::of_rows(posterior, design)?.par_iter().enumerate().map(row).collect()
            }
            Self::Draws(draws) => {
                let row = |row: usize| -> Result<Predicted, Error> {
                    let x: Vec<f64> = design.row(row).iter().copied().collect();
                    let offset = wanted.offset(row);
                    let own = draws.response(&distribution, &x, offset)?;
                    let count = counts.then(|| draws.count(&x, offset)).transpose()?.map(Predictive::Count);
                    let function =
                        MeanOutcome { mean: own.mean, sd: own.sd, interval_90: [own.q05, own.q95] };
                    Ok(predicted(row, function, count, wanted))
                };
                (0..design.nrows()).into_par_iter().map(row).collect()
            }
        }
    }
}

/// The mean response at a predictor that is only known so well.
fn mean_outcome(own: &Predictor, distribution: GlmFamily, rule: &GaussHermite) -> Result<MeanOutcome, Error> {
    let spread = Normal::mean_sd(own.mean, own.variance.sqrt().max(f64::MIN_POSITIVE))?;
    let mean = own.exact(&distribution).unwrap_or_else(|| own.averaged(&distribution, rule));
    let sd = if distribution == GlmFamily::Poisson {
        // That of a log-normal distribution.
        mean * own.variance.exp_m1().sqrt()
    } else {
        let square = |predictor: f64| (distribution.mean(predictor) - mean).powi(2);
        rule.expectation(own.mean, own.variance, square).sqrt()
    };
    Ok(MeanOutcome { mean, sd, interval_90: [0.05, 0.95].map(|p| distribution.mean(spread.quantile(p))) })
}

/// A probability, or a count with the interval of a new one.
fn predicted(row: usize, function: MeanOutcome, count: Option<Predictive>, wanted: Wanted<'_>) -> Predicted {
    match count {
        None => Predicted::probability(function.mean, function.interval_90),
        Some(count) => Predicted::number(row, &count, function, wanted),
    }
}

/// How the data are predicted: probabilities of two classes, or Pearson residuals of counts.
fn against(distribution: GlmFamily, predictions: &[Predicted], y: &[f64]) -> Fitted {
    let means = predictions.iter().map(|own| own.mean.unwrap_or(f64::NAN));
    let fitted = Fitted::by(PredictedBy::InSample);
    if distribution == GlmFamily::Poisson {
        let residuals = means.zip(y).map(|(mean, count)| (count - mean) / mean.sqrt()).collect();
        return Fitted { residuals, ..fitted.with_coverage(predictions, y) };
    }
    Fitted { probabilities: means.map(|p| vec![1.0 - p, p]).collect(), ..fitted }
}
