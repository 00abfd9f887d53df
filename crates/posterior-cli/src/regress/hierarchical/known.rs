//! A fitted formula with effects: the rows and the settings, from which it is fitted again with new rows
//! beside them.

use posterior::dist::{Mixture, Normal};
use posterior::hierarchical::{
    AreaMap, BetaResponse, Component, Error, FamilyResponse, FormulaSettings, HierarchicalFit,
    HierarchicalFormula, HierarchicalModel, HierarchicalOptions, HyperEstimate, HyperparameterPrior,
    LatentMarginal, LogNormalResponse, OrdinalResponse, Skewness, StudentResponse, SurvivalResponse,
    ZeroInflatedResponse,
};
use posterior::regression::formula::{FormulaData, ModelFormula};
use posterior::regression::glm::Predictor;
use serde::{Deserialize, Serialize};

use super::super::answer::{Intervals, MeanOutcome, Predicted};
use super::super::data_input::Data;
use super::super::new_rows::Wanted;
use super::priors;
use crate::args::{Family, Link, RegressEngine, RegressFit};
use crate::failure::{Failure, refused};
use crate::level::Level;
use crate::outcome::OutcomeKind;
use crate::predictive::{Predictive, moments_of_rate};

/// With more latent values than this only fixed effects get their skewness.
const MANY: usize = 3000;
/// Parts that new outcomes are mixtures of.
const FEW: usize = 12;

/// What is kept of a fit: the rows it was fitted to, as of a Gaussian process.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Known {
    formula: ModelFormula,
    data: FormulaData,
    response: ResponseFamily,
    engine: Engine,
    y: Vec<f64>,
    weights: Option<Vec<f64>>,
    offsets: Option<Vec<f64>>,
    prior_sd: Option<f64>,
    /// Pairs of neighbours.
    neighbours: Vec<(String, String)>,
    /// Priors of variance components, as they are written.
    #[serde(default)]
    priors: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ResponseFamily {
    Gaussian,
    Logit,
    Probit,
    Cloglog,
    Poisson,
    NegativeBinomial,
    Gamma,
    Student,
    LogNormal,
    Beta,
    Weibull,
    Exponential,
    ZeroInflatedPoisson,
    /// Of so many levels.
    Ordinal(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Engine {
    NestedLaplace,
    Reml,
    Ml,
}

impl Known {
    pub(in super::super) fn of(args: &RegressFit, data: &Data) -> Result<Self, Failure> {
        let response = match (args.family, args.link) {
            (Family::Gaussian, None) => ResponseFamily::Gaussian,
            (Family::Poisson, None | Some(Link::Log)) => ResponseFamily::Poisson,
            (Family::NegativeBinomial, None | Some(Link::Log)) => ResponseFamily::NegativeBinomial,
            (Family::Gamma, None | Some(Link::Log)) => ResponseFamily::Gamma,
            (Family::Bernoulli, None | Some(Link::Logit)) => ResponseFamily::Logit,
            (Family::Bernoulli, Some(Link::Probit)) => ResponseFamily::Probit,
            (Family::Bernoulli, Some(Link::Cloglog)) => ResponseFamily::Cloglog,
            (Family::Student, None) => ResponseFamily::Student,
            (Family::LogNormal, None | Some(Link::Log)) => ResponseFamily::LogNormal,
            (Family::Beta, None | Some(Link::Logit)) => ResponseFamily::Beta,
            (Family::Weibull, None | Some(Link::Log)) => ResponseFamily::Weibull,
            (Family::Exponential, None | Some(Link::Log)) => ResponseFamily::Exponential,
            (Family::ZeroInflatedPoisson, None | Some(Link::Log)) => ResponseFamily::ZeroInflatedPoisson,
            (Family::Ordinal, None | Some(Link::Logit)) => {
                ResponseFamily::Ordinal(data.outcome.kind().classes().len())
            }
            _ => return Err(Failure::Usage("--link: this family has no such link".to_owned())),
        };
        let engine = match args.engine {
            Some(RegressEngine::Reml) => Engine::Reml,
            Some(RegressEngine::Ml) => Engine::Ml,
            _ => Engine::NestedLaplace,
        };
        let missing = || Failure::Usage("--formula: a fit with effects needs one".to_owned());
        let mut y = data.outcome.as_numbers();
        if let Some(events) = &data.events {
            y = SurvivalResponse::responses(&y, events).map_err(refused)?;
        }
        Ok(Self {
            formula: data.coding.formula().cloned().ok_or_else(missing)?,
            data: data.effects.clone().ok_or_else(missing)?,
            response,
            engine,
            y,
            weights: data.weights.clone(),
            offsets: data.offsets.clone(),
            prior_sd: args.prior_sd,
            neighbours: data.neighbours.clone(),
            priors: args.effect_priors.clone(),
        })
    }

    /// The model with new rows, whose outcomes are missing, after the rows of the data.
    pub(in super::super) fn model(
        &self,
        new: Option<&FormulaData>,
        offsets: Option<&[f64]>,
    ) -> Result<(HierarchicalFormula, HierarchicalModel), Failure> {
        let priors = self
            .priors
            .iter()
            .map(|text| priors::parsed("--effect-prior", text))
            .collect::<Result<_, _>>()?;
        self.model_with(priors, new, offsets).map_err(refused)
    }

    fn model_with(
        &self,
        priors: Vec<(String, HyperparameterPrior)>,
        new: Option<&FormulaData>,
        offsets: Option<&[f64]>,
    ) -> Result<(HierarchicalFormula, HierarchicalModel), Error> {
        // On the scale of the predictor: of positive numbers that is their logarithm.
        let settings = match self.response {
            ResponseFamily::Gaussian | ResponseFamily::Student => FormulaSettings::of_numbers(&self.y),
            ResponseFamily::LogNormal => {
                FormulaSettings::of_numbers(&self.y.iter().map(|y| y.ln()).collect::<Vec<_>>())
            }
            _ => FormulaSettings::default(),
        };
        let areas =
            (!self.neighbours.is_empty()).then(|| AreaMap::from_pairs(self.neighbours.iter().cloned()));
        let settings = FormulaSettings {
            areas,
            coefficient_sd: self.prior_sd,
            priors,
            intercept: !matches!(self.response, ResponseFamily::Ordinal(_)),
            ..settings
        };
        let also: Vec<&FormulaData> = new.into_iter().collect();
        let formula = HierarchicalFormula::learn(&self.formula, &self.data, &also, &settings)?;
        let all = match new {
            Some(new) => self.data.followed_by(new)?,
            None => self.data.clone(),
        };
        let more = all.rows() - self.y.len();
        let padded = |own: &[f64], rest: f64| [own, &vec![rest; more]].concat();
        let y = padded(&self.y, f64::NAN);
        let mut model = self.response.model(&formula, &y, &all, settings.scale)?;
        if let Some(own) = &self.offsets {
            let zeros = vec![0.0; more];
            model = model.offset_of(
                HierarchicalModel::RESPONSE,
                &[own.as_slice(), offsets.unwrap_or(&zeros)].concat(),
            )?;
        }
        if let Some(own) = &self.weights {
            model = model.weights_of(HierarchicalModel::RESPONSE, &padded(own, 1.0))?;
        }
        Ok((formula, model))
    }

    pub(super) fn options(&self, formula: &HierarchicalFormula) -> HierarchicalOptions {
        let latent: usize =
            formula.effects().iter().map(|own| own.labels.len() * own.columns.len().max(1)).sum();
        HierarchicalOptions {
            estimate: match self.engine {
                Engine::NestedLaplace => HyperEstimate::Posterior,
                Engine::Reml => HyperEstimate::RestrictedLikelihood,
                Engine::Ml => HyperEstimate::Likelihood,
            },
            skewness: if latent > MANY { Skewness::FixedEffects } else { Skewness::All },
            ..HierarchicalOptions::default()
        }
    }

    pub(super) const fn engine(&self) -> &'static str {
        match self.engine {
            Engine::NestedLaplace => "nested-laplace",
            Engine::Reml => "reml",
            Engine::Ml => "ml",
        }
    }

    pub(in super::super) const fn link(&self) -> Option<&'static str> {
        match self.response {
            ResponseFamily::Probit => Some("probit"),
            ResponseFamily::Cloglog => Some("cloglog"),
            ResponseFamily::Logit | ResponseFamily::Beta | ResponseFamily::Ordinal(_) => Some("logit"),
            ResponseFamily::Gamma
            | ResponseFamily::LogNormal
            | ResponseFamily::Weibull
            | ResponseFamily::Exponential
            | ResponseFamily::ZeroInflatedPoisson => Some("log"),
            _ => None,
        }
    }

    /// What the intervals are of, and how far they may be off.
    pub(crate) fn intervals(&self, outcome: &OutcomeKind, level: Level) -> Intervals {
        let (taken_as_known, approximation): (&[_], _) = match self.engine {
            Engine::NestedLaplace => (&[], Some("by nested Laplace approximation")),
            Engine::Reml => (&["the variances"], None),
            Engine::Ml => (&["the variances, and in predictions the coefficients"], None),
        };
        let own = Intervals::of(outcome, taken_as_known, level);
        match self.response {
            // One coefficient serves all levels.
            ResponseFamily::Ordinal(_) => Intervals { coefficients: None, approximation, ..own },
            _ => Intervals { approximation, ..own },
        }
    }

    /// Predictions of new rows.
    pub(crate) fn predict(&self, wanted: Wanted<'_>) -> Result<Vec<Predicted>, Failure> {
        let (formula, model) = self.model(wanted.effects, wanted.offsets)?;
        let fit = model.fit(&self.options(&formula)).map_err(refused)?;
        let rows = fit.predictors();
        let end = model.rows_of(HierarchicalModel::RESPONSE).map_err(refused)?.end;
        self.predictions(&model, &fit, &rows[self.y.len()..end], wanted).map_err(refused)
    }

    /// Predictions of rows with such predictors.
    pub(super) fn predictions(
        &self,
        model: &HierarchicalModel,
        fit: &HierarchicalFit<'_>,
        predictors: &[LatentMarginal],
        wanted: Wanted<'_>,
    ) -> Result<Vec<Predicted>, Error> {
        let one = |(row, predictor): (usize, &LatentMarginal)| {
            let mean_of = |predictor: f64| model.mean(predictor, &[]);
            match self.response {
                ResponseFamily::Logit | ResponseFamily::Probit | ResponseFamily::Cloglog => {
                    let interval = wanted.level.interval(|p| mean_of(predictor.quantile(p)));
                    Ok(Predicted::probability(predictor.expectation(mean_of), interval))
                }
                ResponseFamily::Ordinal(levels) => {
                    let new = fit.new_response(predictor)?;
                    let all = (0..levels).map(|level| new.ln_density(level as f64).exp());
                    let ends = |level: usize| new.probability_quantiles(level as f64, wanted.level.ends());
                    let intervals = wanted.details.then(|| (0..levels).map(ends).collect());
                    Ok(Predicted::classes(all.collect(), intervals))
                }
                ResponseFamily::Gaussian | ResponseFamily::Poisson => {
                    let interval = wanted.level.interval(|p| mean_of(predictor.quantile(p)));
                    let (mean, sd) = if self.response == ResponseFamily::Gaussian {
                        (predictor.mean(), predictor.sd())
                    } else {
                        let (mean, variance) = moments_of_rate(&rates(predictor.components()));
                        (mean, variance.sqrt())
                    };
                    let new = self.new_outcome(predictor, fit)?;
                    Ok(Predicted::number(row, &new, MeanOutcome { mean, sd, interval }, wanted))
                }
                _ => {
                    let new = fit.new_response(predictor)?;
                    let interval = wanted.level.interval(|p| new.mean_quantile(p));
                    let function = MeanOutcome { mean: new.mean(), sd: new.mean_sd(), interval };
                    Ok(Predicted::number(row, &Predictive::Response(new), function, wanted))
                }
            }
        };
        predictors.iter().enumerate().map(one).collect()
    }

    /// The distribution of a new number or count: normal parts, or counts whose rates have such logarithms.
    fn new_outcome(
        &self,
        predictor: &LatentMarginal,
        fit: &HierarchicalFit<'_>,
    ) -> Result<Predictive, Error> {
        let parts = predictor.components();
        if self.response != ResponseFamily::Gaussian {
            return Ok(Predictive::LogRates(rates(&Component::condensed(parts, FEW))));
        }
        // The parts of a predictor are those of the points, whose first number is the noise's.
        let points = fit.points();
        let noise = points.iter().map(|(_, values)| values.first().copied().unwrap_or(1.0));
        let noisy = |(part, sd): (&Component, f64)| Component { sd: part.sd.hypot(sd), ..*part };
        let parts = Component::condensed(&parts.iter().zip(noise).map(noisy).collect::<Vec<_>>(), FEW);
        let weights: Vec<f64> = parts.iter().map(|part| part.weight).collect();
        let normals = parts.iter().map(|part| Normal::mean_sd(part.mean, part.sd));
        Ok(Predictive::Normals(Mixture::from_weights(&weights, normals.collect::<Result<_, _>>()?)?))
    }
}

impl ResponseFamily {
    /// The model of these outcomes, of this size on the scale of the predictor.
    fn model(
        self,
        formula: &HierarchicalFormula,
        y: &[f64],
        data: &FormulaData,
        scale: f64,
    ) -> Result<HierarchicalModel, Error> {
        // Errors of a column may explain the outcomes, unless their own noise has a proper prior.
        let noise = HyperparameterPrior::deviation_with_mean(scale)?;
        let proper = !formula.measured().is_empty();
        let of = |response: FamilyResponse| formula.model(response, y, data);
        match self {
            Self::Gaussian if proper => of(FamilyResponse::gaussian(scale)?.with_prior(noise)),
            Self::Gaussian => of(FamilyResponse::gaussian(scale)?),
            Self::Logit => of(FamilyResponse::binomial()),
            Self::Probit => of(FamilyResponse::probit()),
            Self::Cloglog => of(FamilyResponse::complementary_log_log()),
            Self::Poisson => of(FamilyResponse::poisson()),
            Self::NegativeBinomial => of(FamilyResponse::negative_binomial()),
            Self::Gamma => of(FamilyResponse::gamma()),
            Self::Student => formula.model(StudentResponse::new(scale)?, y, data),
            Self::LogNormal => formula.model(LogNormalResponse::new(scale)?, y, data),
            Self::Beta => formula.model(BetaResponse::new(), y, data),
            Self::Weibull => formula.model(SurvivalResponse::weibull(), y, data),
            Self::Exponential => formula.model(SurvivalResponse::exponential(), y, data),
            Self::ZeroInflatedPoisson => formula.model(ZeroInflatedResponse::poisson(), y, data),
            Self::Ordinal(levels) => formula.model(OrdinalResponse::new(levels)?, y, data),
        }
    }
}

/// The logarithms of a rate as normal variables with weights.
fn rates(parts: &[Component]) -> Vec<(f64, Predictor)> {
    let rate = |part: &Component| (part.weight, Predictor { mean: part.mean, variance: part.sd * part.sd });
    parts.iter().map(rate).collect()
}
