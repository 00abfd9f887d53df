//! Two classes, counts and positive numbers: by weighted draws, Laplace's approximation, or sampling.

mod known;

use posterior::dist::stream::stream;
use posterior::gaussian::Gaussian;
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;
use posterior::math::streaming::MeanVariance;
use posterior::regression::Error;
use posterior::regression::coefficients::Coefficient;
use posterior::regression::glm::{
    CoefficientPrior, Corrected, Family as GlmFamily, Glm, GlmData, GlmDraws, GlmFitOptions,
    NegativeBinomialRegression, ResponseDistribution as _,
};
use posterior::regression::horseshoe;
use posterior::sampling::Run;
use rand::distr::Distribution as _;
use serde::{Deserialize, Serialize};

use self::known::{Posterior, Units};
use super::answer::{Answer, Fitted, Intervals, Predicted, PredictedBy};
use super::data_input::Data;
use super::estimate::Estimate;
use super::naming::Naming;
use super::new_rows::Wanted;
use super::points::{Points, thinned};
use super::work;
use crate::args::{Family, Link, RegressEngine, RegressFit, RegressPrior};
use crate::failure::{Failure, refused};
use crate::level::Level;
use crate::output;

/// The prior standard deviations of coefficients and of the intercept where no other is given.
pub(super) const PRIOR_SD: f64 = 2.5;
const INTERCEPT_SD: f64 = 10.0;

/// Bytes for a pair of features: matrices of that size, at a time.
const MATRICES: f64 = 32.0;
const MOST_GIGABYTES: f64 = 4.0;

/// Draws of the proportion of variance, and the operations that they are worth: of a Gaussian posterior,
/// which a table of more rows makes narrow, and of another one.
const DRAWS_OF_R2: usize = 2000;
const MOST_OF_GAUSSIAN: f64 = 1e8;
const MOST_WORK: f64 = 1e9;

/// The answer for two classes, counts or positive numbers.
pub(super) fn answer(args: &RegressFit, data: &Data, y: &[f64]) -> Result<(Answer, Known), Failure> {
    if args.prior == RegressPrior::Horseshoe && !matches!(args.link, None | Some(Link::Logit)) {
        return Err(Failure::Usage("--prior horseshoe: of two classes it is for the link logit".to_owned()));
    }
    if args.engine == Some(RegressEngine::Exact) {
        let message = "--engine exact: only the family gaussian has its posterior in closed form";
        return Err(Failure::Usage(message.to_owned()));
    }
    let distribution = distribution(args)?;
    // More columns than rows are as many as rows.
    let (rows, columns) = data.design.values.shape();
    affordable(args, data, columns.min(rows + 1))?;
    if let Some(text) = work::long(args, rows, columns) {
        output::note(args.common.quiet, &text);
    }
    fitted(args, data, distribution, y).map_err(refused)
}

/// The distribution that family and link name; the size of counts and the dispersion are not known yet.
pub(super) fn distribution(args: &RegressFit) -> Result<GlmFamily, Failure> {
    Ok(match (args.family, args.link) {
        (Family::Gaussian, _) => GlmFamily::Gaussian,
        (Family::Gamma, None | Some(Link::Log)) => GlmFamily::GammaLog,
        (Family::Gamma, Some(_)) => return Err(no_link("gamma", "log")),
        (Family::Poisson | Family::NegativeBinomial, _) => GlmFamily::Poisson,
        (_, None | Some(Link::Logit)) => GlmFamily::Logit,
        (_, Some(Link::Probit)) => GlmFamily::Probit,
        (_, Some(Link::Cloglog)) => GlmFamily::ComplementaryLogLog,
        (_, Some(Link::Log)) => return Err(no_link("bernoulli", "logit, probit or cloglog")),
    })
}

/// Chains of Gibbs sampling: coefficients next to 0 move slowly, so that of five sweeps one is kept.
pub(super) fn chains(seed: u64) -> Run {
    Run { warm_up: 2000, thin: 5, seed, ..Run::default() }
}

/// That a family has other links.
pub(super) fn no_link(family: &str, links: &str) -> Failure {
    Failure::Usage(format!("--link: the family {family} has {links}"))
}

/// Refuses so many coefficients that their matrices and draws take more memory than a fit is given.
pub(super) fn affordable(args: &RegressFit, data: &Data, coefficients: usize) -> Result<(), Failure> {
    let coefficients = coefficients as f64;
    let gigabytes = (MATRICES * coefficients * coefficients + 16.0 * 8000.0 * coefficients) / 1e9;
    if gigabytes <= MOST_GIGABYTES {
        return Ok(());
    }
    let features = data.design.values.ncols();
    let message = format!("{}: {features} features need about {gigabytes:.0} GB of memory", data.source);
    let hint = format!("{}: at most {MOST_GIGABYTES} GB are taken", Naming::of(args).fewer());
    Err(Failure::data(message).with_hint(hint))
}

fn fitted(
    args: &RegressFit,
    data: &Data,
    distribution: GlmFamily,
    y: &[f64],
) -> Result<(Answer, Known), Error> {
    let horseshoe = args.prior == RegressPrior::Horseshoe;
    // Coordinates of the rows have the prior of the columns if that is the same in all directions.
    let units = Units::of(&data.design.values, data.coding.has_intercept(), !horseshoe)?;
    let design = units.with_intercept(&data.design.values)?;
    let rows = data.glm(&design, y)?.with_names(units.names(&data.coding.names))?;
    let run = Run { seed: args.common.seed, ..Run::default() };
    let sampled = || horseshoe::logistic(&rows, INTERCEPT_SD, &chains(args.common.seed));
    let shrunk = horseshoe.then(sampled).transpose()?;
    let prior_sd = args.prior_sd.unwrap_or(PRIOR_SD);
    let mut sds = vec![prior_sd; design.ncols()];
    if data.coding.has_intercept() {
        sds[0] = INTERCEPT_SD;
    }
    let prior = CoefficientPrior::diagonal(vec![0.0; design.ncols()], &sds)?;
    let Noise { distribution, dispersion, mut warnings } = Noise::of(args, distribution, &rows, &prior)?;
    let mut glm = Glm::new(distribution, rows)?.with_prior(prior)?;
    if let Some(dispersion) = dispersion {
        glm = glm.with_dispersion(dispersion)?;
    }
    let laplace = glm.laplace(&GlmFitOptions::default())?;
    let converged = laplace.report.converged();
    let mode = laplace.distribution.mean().as_slice().to_vec();
    let by_laplace = (Some(laplace.ln_evidence), None);
    // ln of the evidence with its standard error where draws say it: chains have none of their own.
    let of_draws = |draws: &GlmDraws| draws.ln_evidence.map(|own| (own.ln_value, own.standard_error)).unzip();
    let (posterior, (ln_evidence, ln_evidence_error)) = match args.engine {
        None if shrunk.is_none() => match glm.corrected(&laplace, args.common.seed)? {
            Corrected::Draws(draws) => {
                let evidence = of_draws(&draws);
                (Posterior::Draws(draws), evidence)
            }
            Corrected::Moved { distribution, ln_evidence } => {
                let evidence = (Some(ln_evidence.ln_value), Some(ln_evidence.standard_error));
                (Posterior::Gaussian(distribution), evidence)
            }
            Corrected::Laplace => (Posterior::Gaussian(laplace.distribution), by_laplace),
        },
        engine => match shrunk {
            Some(draws) => (Posterior::Draws(draws), (None, None)),
            None if engine == Some(RegressEngine::Nuts) => {
                (Posterior::Draws(glm.by_nuts(&run)?), (None, None))
            }
            None => (Posterior::Gaussian(laplace.distribution), by_laplace),
        },
    };
    // The most probable coefficients of a horseshoe are all 0.
    let mode = posterior.draws().filter(|_| horseshoe).map_or(mode, GlmDraws::mean);
    let deviance: f64 = glm.deviance_residuals(&mode).iter().map(|own| own * own).sum();
    warnings.extend(posterior.draws().into_iter().flat_map(|draws| draws.warnings.clone()));
    if !converged {
        warnings.push("the search for the most probable coefficients did not converge".to_owned());
    }
    let known = Known { units, distribution, dispersion, posterior };
    let predictions = data.predicted(args, |design, wanted| known.predict(design, wanted))?;
    let fitted = known.against(&predictions.here, &data.looked_at(y), data.level);
    let predictions = predictions.asked_for();
    let beyond = predictions.iter().filter(|own| own.is_beyond()).count();
    if beyond > 0 {
        let text = "rows have a mean outside of its own interval: their rates are so uncertain that rare huge ones make the mean";
        warnings.push(format!("{beyond} {text}"));
    }
    let family = family_name(args);
    let Known { units, posterior, .. } = &known;
    let answer = Answer {
        coefficients: posterior.coefficients(units, &data.coding.names, data.level)?,
        ln_evidence,
        ln_evidence_error,
        pareto_k: posterior.draws().and_then(|draws| draws.pareto_shape),
        prior_sd: (!horseshoe).then_some(prior_sd),
        prior: horseshoe.then_some("horseshoe"),
        link: link(distribution),
        size: size(distribution),
        dispersion,
        deviance: Some(deviance),
        // None where no coefficient at all is no mean.
        null_deviance: glm.null_deviance().ok(),
        r2: Some(Estimate::of(known.explained(&glm, args.common.seed)?, data.level)),
        intervals: Intervals::of(&data.outcome.kind(), known.taken_as_known(), data.level),
        predictions,
        fitted,
        warnings,
        ..Answer::new(family, posterior.name(), data, PredictedBy::InSample)
    };
    Ok((answer, known))
}

/// The name of the family of two classes, counts and numbers.
pub(super) const fn family_name(args: &RegressFit) -> &'static str {
    match args.family {
        Family::Gaussian => "gaussian",
        Family::Poisson => "poisson",
        Family::NegativeBinomial => "negative-binomial",
        Family::Gamma => "gamma",
        Family::Student => "student",
        Family::LogNormal => "log-normal",
        Family::Beta => "beta",
        Family::Weibull => "weibull",
        Family::Exponential => "exponential",
        Family::ZeroInflatedPoisson => "zero-inflated-poisson",
        Family::Ordinal => "ordinal",
        // Of two classes.
        Family::Softmax => "softmax",
        _ => "bernoulli",
    }
}

/// What is known of the coefficients, and in which units.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Known {
    units: Units,
    distribution: GlmFamily,
    /// φ, where the distribution has one.
    dispersion: Option<f64>,
    posterior: Posterior,
}

impl Known {
    /// The prediction of each row.
    pub(super) fn predict(&self, design: &DMatrix<f64>, wanted: Wanted<'_>) -> Result<Vec<Predicted>, Error> {
        let noise = (self.distribution, self.dispersion);
        self.posterior.predict(noise, &self.units.with_intercept(design)?, wanted)
    }

    /// Draws of the coefficients; none where coordinates of the rows stand for the columns.
    pub(super) fn points(&self, count: usize, seed: u64) -> Option<Points> {
        let all = self.posterior.points(&self.units, count, seed)?;
        let (family, dispersion) = (self.distribution, self.dispersion);
        Some(Points { family, dispersion, intercept: self.units.has_intercept(), all })
    }

    /// What intervals take as known although it was estimated from the same data.
    pub(super) const fn taken_as_known(&self) -> &'static [&'static str] {
        match self.distribution {
            GlmFamily::NegativeBinomial { .. } => &["the size of the counts"],
            GlmFamily::GammaLog => &["the dispersion"],
            _ => &[],
        }
    }

    /// How the data are predicted: probabilities of two classes, or Pearson residuals.
    fn against(&self, predictions: &[Predicted], y: &[f64], level: Level) -> Fitted {
        let means = predictions.iter().map(|own| own.mean.unwrap_or(f64::NAN));
        let fitted = Fitted::by(PredictedBy::InSample);
        if of_two_classes(self.distribution) {
            return Fitted { probabilities: means.map(|p| vec![1.0 - p, p]).collect(), ..fitted };
        }
        let variance = |mean| variance(self.distribution, self.dispersion, mean);
        let residuals = means.zip(y).map(|(mean, own)| (own - mean) / variance(mean).sqrt()).collect();
        Fitted { residuals, ..fitted.with_coverage(predictions, y, level) }
    }

    /// Bayesian R²: the variance of the means over itself and the mean variance around them, where a row
    /// counts by its weight.
    fn explained(&self, glm: &Glm<'_>, seed: u64) -> Result<Coefficient, Error> {
        let data = glm.data();
        let work = (data.rows() * data.columns()) as f64 * DRAWS_OF_R2 as f64;
        let step = match &self.posterior {
            Posterior::Gaussian(_) => 1,
            // Of very many rows some are enough.
            Posterior::Draws(_) => (work / MOST_WORK).ceil().max(1.0) as usize,
        };
        let rows: Vec<usize> = (0..data.rows()).filter(|row| data.weight(*row) > 0.0).step_by(step).collect();
        // What an offset explains, no column does.
        let offset = rows.iter().map(|&row| data.offset(row)).sum::<f64>() / rows.len() as f64;
        let proportion = |point: &[f64]| {
            let mean = |&row: &usize| {
                let own: f64 = point.iter().enumerate().map(|(j, own)| own * data.design()[(row, j)]).sum();
                self.distribution.mean(own + offset)
            };
            let (mut means, mut around) = (MeanVariance::new(), MeanVariance::new());
            for row in &rows {
                let own = mean(row);
                means.push_weighted(own, data.weight(*row));
                let variance = variance(self.distribution, self.dispersion, own);
                around.push_weighted(variance, data.weight(*row));
            }
            let of_means = means.variance();
            match of_means / (of_means + around.mean()) {
                proportion if proportion.is_finite() => proportion,
                // Means beyond range, or all of them the same.
                _ => f64::from(u8::from(of_means > 0.0)),
            }
        };
        match &self.posterior {
            Posterior::Draws(draws) => {
                let draws = thinned(draws.weighted(), DRAWS_OF_R2, seed);
                Ok(Coefficient::of_draws("R2", &draws.into_iter().map(proportion).collect::<Vec<_>>())?)
            }
            Posterior::Gaussian(posterior) if work > MOST_OF_GAUSSIAN => {
                let (mean, sd) = propagated(posterior, proportion);
                Ok(Coefficient::normal("R2", mean, sd)?)
            }
            Posterior::Gaussian(posterior) => {
                let mut rng = stream(seed, &[]);
                let points = (0..DRAWS_OF_R2).map(|_| {
                    let point: Vec<f64> = posterior.sample(&mut rng);
                    proportion(&point)
                });
                Ok(Coefficient::of_draws("R2", &points.collect::<Vec<_>>())?)
            }
        }
    }
}

/// The mean and the standard deviation of a function of a narrow Gaussian vector, by its differences over one
/// standard deviation to either side, in independent directions.
fn propagated(posterior: &Gaussian, function: impl Fn(&[f64]) -> f64) -> (f64, f64) {
    let (centre, factor) = (posterior.mean(), posterior.cholesky().factor());
    let here = function(centre.as_slice());
    let (mut mean, mut variance) = (here, 0.0);
    for direction in factor.column_iter() {
        let at = |sign: f64| function((centre + sign * direction).as_slice());
        let (above, below) = (at(1.0), at(-1.0));
        mean += 0.5 * (above + below - 2.0 * here);
        variance += 0.25 * (above - below) * (above - below);
    }
    (mean, variance.sqrt())
}

/// The distribution with what was estimated of it.
struct Noise {
    distribution: GlmFamily,
    dispersion: Option<f64>,
    warnings: Vec<String>,
}

impl Noise {
    fn of(
        args: &RegressFit,
        distribution: GlmFamily,
        rows: &GlmData<'_>,
        prior: &CoefficientPrior,
    ) -> Result<Self, Error> {
        let options = GlmFitOptions::default();
        let known = Self { distribution, dispersion: None, warnings: Vec::new() };
        if args.family == Family::NegativeBinomial {
            let model = NegativeBinomialRegression::new(rows.clone())?.with_prior(prior.clone())?;
            return Ok(match model.fit(&options, &mut Silent)?.model.size {
                Some(size) => Self { distribution: GlmFamily::negative_binomial(size.value)?, ..known },
                None => Self { warnings: vec![POISSON.to_owned()], ..known },
            });
        }
        if distribution.known_dispersion().is_some() {
            return Ok(known);
        }
        let fit =
            Glm::new(distribution, rows.clone())?.with_prior(prior.clone())?.fit(&options, &mut Silent)?;
        match fit.model.dispersion {
            dispersion if dispersion > 0.0 => Ok(Self { dispersion: Some(dispersion), ..known }),
            _ => Err(Error::NoFit {
                why: "the columns have every outcome: nothing is left for the dispersion",
            }),
        }
    }
}

const POISSON: &str = "the counts vary no more than Poisson counts: the size is infinite, and the fit that of the family poisson";

const fn of_two_classes(distribution: GlmFamily) -> bool {
    matches!(distribution, GlmFamily::Logit | GlmFamily::Probit | GlmFamily::ComplementaryLogLog)
}

/// The variance of an outcome of this mean.
pub(super) fn variance(distribution: GlmFamily, dispersion: Option<f64>, mean: f64) -> f64 {
    match distribution {
        GlmFamily::Poisson => mean,
        GlmFamily::NegativeBinomial { size } => mean + mean * mean / size,
        GlmFamily::GammaLog => dispersion.unwrap_or(1.0) * mean * mean,
        _ => mean * (1.0 - mean),
    }
}

/// The link, where a family has several.
pub(super) const fn link(distribution: GlmFamily) -> Option<&'static str> {
    match distribution {
        GlmFamily::Logit => Some("logit"),
        GlmFamily::Probit => Some("probit"),
        GlmFamily::ComplementaryLogLog => Some("cloglog"),
        GlmFamily::GammaLog => Some("log"),
        _ => None,
    }
}

const fn size(distribution: GlmFamily) -> Option<f64> {
    match distribution {
        GlmFamily::NegativeBinomial { size } => Some(size),
        _ => None,
    }
}
