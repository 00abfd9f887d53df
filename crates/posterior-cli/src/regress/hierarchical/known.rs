//! A fitted formula with effects: the rows and the settings, from which it is fitted again with new rows
//! beside them.

use posterior::dist::{Gamma, Mixture, NegativeBinomial, Normal};
use posterior::hierarchical::{
    AreaMap, Component, Error, FamilyResponse, FormulaSettings, HierarchicalFit, HierarchicalFormula,
    HierarchicalModel, HierarchicalOptions, HyperEstimate, LatentMarginal, Skewness,
};
use posterior::regression::formula::{FormulaData, ModelFormula};
use posterior::regression::glm::Predictor;
use serde::{Deserialize, Serialize};

use super::super::answer::{MeanOutcome, Predicted};
use super::super::data_input::Data;
use super::super::new_rows::Wanted;
use crate::args::{Family, Link, RegressEngine, RegressFit};
use crate::failure::Failure;
use crate::predictive::{Predictive, moments_of_rate};

/// With more latent values than this only fixed effects get their skewness.
const MANY: usize = 3000;
/// Parts that new outcomes are mixtures of.
const FEW: usize = 12;
/// Points of a predictor in standard deviations, to each side, for counts and positive numbers.
const POINTS: i32 = 6;
const STEP: f64 = 0.75;
/// Groups of parts by the family's own hyperparameter; those that count less than this are left out.
const GROUPS: usize = 8;
const LEAST: f64 = 1e-5;

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
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Engine {
    NestedLaplace,
    Reml,
    Ml,
}

impl Known {
    pub(super) fn of(args: &RegressFit, data: &Data) -> Result<Self, Failure> {
        let response = match (args.family, args.link) {
            (Family::Gaussian, None) => ResponseFamily::Gaussian,
            (Family::Poisson, None | Some(Link::Log)) => ResponseFamily::Poisson,
            (Family::NegativeBinomial, None | Some(Link::Log)) => ResponseFamily::NegativeBinomial,
            (Family::Gamma, None | Some(Link::Log)) => ResponseFamily::Gamma,
            (Family::Bernoulli, None | Some(Link::Logit)) => ResponseFamily::Logit,
            (Family::Bernoulli, Some(Link::Probit)) => ResponseFamily::Probit,
            (Family::Bernoulli, Some(Link::Cloglog)) => ResponseFamily::Cloglog,
            _ => return Err(Failure::Usage("--link: this family has no such link".to_owned())),
        };
        let engine = match args.engine {
            Some(RegressEngine::Reml) => Engine::Reml,
            Some(RegressEngine::Ml) => Engine::Ml,
            _ => Engine::NestedLaplace,
        };
        let missing = || Failure::Usage("--formula: a fit with effects needs one".to_owned());
        Ok(Self {
            formula: data.coding.formula().cloned().ok_or_else(missing)?,
            data: data.effects.clone().ok_or_else(missing)?,
            response,
            engine,
            y: data.outcome.heights(),
            weights: data.weights.clone(),
            offsets: data.offsets.clone(),
            prior_sd: args.prior_sd,
            neighbours: data.neighbours.clone(),
        })
    }

    /// The model with new rows, whose outcomes are missing, after the rows of the data.
    pub(super) fn model(
        &self,
        new: Option<&FormulaData>,
        offsets: Option<&[f64]>,
    ) -> Result<(HierarchicalFormula, HierarchicalModel), Error> {
        let scale = match self.response {
            ResponseFamily::Gaussian => spread(&self.y),
            _ => 1.0,
        };
        let areas =
            (!self.neighbours.is_empty()).then(|| AreaMap::from_pairs(self.neighbours.iter().cloned()));
        let settings =
            FormulaSettings { areas, scale, coefficient_sd: self.prior_sd, ..FormulaSettings::default() };
        let also: Vec<&FormulaData> = new.into_iter().collect();
        let formula = HierarchicalFormula::learn(&self.formula, &self.data, &also, &settings)?;
        let all = match new {
            Some(new) => self.data.followed_by(new)?,
            None => self.data.clone(),
        };
        let more = all.rows() - self.y.len();
        let padded = |own: &[f64], rest: f64| [own, &vec![rest; more]].concat();
        let response = match self.response {
            ResponseFamily::Gaussian => FamilyResponse::gaussian(scale)?,
            ResponseFamily::Logit => FamilyResponse::binomial(),
            ResponseFamily::Probit => FamilyResponse::probit(),
            ResponseFamily::Cloglog => FamilyResponse::complementary_log_log(),
            ResponseFamily::Poisson => FamilyResponse::poisson(),
            ResponseFamily::NegativeBinomial => FamilyResponse::negative_binomial(),
            ResponseFamily::Gamma => FamilyResponse::gamma(),
        };
        let mut model = formula.model(response, &padded(&self.y, f64::NAN), &all)?;
        if let Some(own) = &self.offsets {
            let zeros = vec![0.0; more];
            model = model.offset(&[own.as_slice(), offsets.unwrap_or(&zeros)].concat())?;
        }
        if let Some(own) = &self.weights {
            model = model.weights(&padded(own, 1.0))?;
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

    pub(super) const fn link(&self) -> Option<&'static str> {
        match self.response {
            ResponseFamily::Logit => Some("logit"),
            ResponseFamily::Probit => Some("probit"),
            ResponseFamily::Cloglog => Some("cloglog"),
            ResponseFamily::Gamma => Some("log"),
            _ => None,
        }
    }

    /// What intervals take as known although it was estimated from the same data.
    pub(crate) const fn taken_as_known(&self) -> &'static [&'static str] {
        match self.engine {
            Engine::NestedLaplace => &[],
            Engine::Reml => &["the variances"],
            Engine::Ml => &["the variances, and in predictions the coefficients"],
        }
    }

    /// Predictions of new rows.
    pub(crate) fn predict(&self, wanted: Wanted<'_>) -> Result<Vec<Predicted>, Error> {
        let (formula, model) = self.model(wanted.effects, wanted.offsets)?;
        let fit = model.fit(&self.options(&formula))?;
        let rows = fit.predictors();
        self.predictions(&model, &fit, &rows[self.y.len()..], wanted)
    }

    /// Predictions of rows with such predictors.
    pub(super) fn predictions(
        &self,
        model: &HierarchicalModel,
        fit: &HierarchicalFit<'_>,
        predictors: &[LatentMarginal],
        wanted: Wanted<'_>,
    ) -> Result<Vec<Predicted>, Error> {
        // The parts of each predictor are those of the points.
        let own: Vec<f64> =
            fit.points().into_iter().map(|(_, values)| values.first().copied().unwrap_or(1.0)).collect();
        let one = |(row, predictor): (usize, &LatentMarginal)| {
            let mean_of = |predictor: f64| model.mean(predictor, &[]);
            let interval = wanted.level.interval(|p| mean_of(predictor.quantile(p)));
            if matches!(
                self.response,
                ResponseFamily::Logit | ResponseFamily::Probit | ResponseFamily::Cloglog
            ) {
                return Ok(Predicted::probability(predictor.expectation(mean_of), interval));
            }
            let (mean, sd) = if self.response == ResponseFamily::Gaussian {
                (predictor.mean(), predictor.sd())
            } else {
                let (mean, variance) = moments_of_rate(&rates(predictor.components()));
                (mean, variance.sqrt())
            };
            let new = self.new_outcome(predictor, &own)?;
            Ok(Predicted::number(row, &new, MeanOutcome { mean, sd, interval }, wanted))
        };
        predictors.iter().enumerate().map(one).collect()
    }

    /// The distribution of a new outcome; `own` is the hyperparameter of the family at each point.
    fn new_outcome(&self, predictor: &LatentMarginal, own: &[f64]) -> Result<Predictive, Error> {
        let parts = predictor.components();
        Ok(match self.response {
            ResponseFamily::Gaussian => {
                let noisy = |(part, sd): (&Component, &f64)| Component { sd: part.sd.hypot(*sd), ..*part };
                let parts = Component::condensed(&parts.iter().zip(own).map(noisy).collect::<Vec<_>>(), FEW);
                let weights: Vec<f64> = parts.iter().map(|part| part.weight).collect();
                let normals = parts.iter().map(|part| Normal::mean_sd(part.mean, part.sd));
                Predictive::Normals(Mixture::from_weights(&weights, normals.collect::<Result<_, _>>()?)?)
            }
            ResponseFamily::NegativeBinomial => {
                let points = spaced(parts, own);
                let weights: Vec<f64> = points.iter().map(|(weight, ..)| *weight).collect();
                let count =
                    |(_, rate, size): &(f64, f64, f64)| NegativeBinomial::mean_dispersion(rate.exp(), *size);
                let counts = points.iter().map(count).collect::<Result<_, _>>()?;
                Predictive::Counts(Mixture::from_weights(&weights, counts)?)
            }
            ResponseFamily::Gamma => {
                let points = spaced(parts, own);
                let weights: Vec<f64> = points.iter().map(|(weight, ..)| *weight).collect();
                let positive = |(_, mean, shape): &(f64, f64, f64)| {
                    Gamma::shape_scale(*shape, (mean.exp() / shape).clamp(f64::MIN_POSITIVE, f64::MAX))
                };
                let all = points.iter().map(positive).collect::<Result<_, _>>()?;
                Predictive::Gammas(Mixture::from_weights(&weights, all)?)
            }
            _ => Predictive::LogRates(rates(&Component::condensed(parts, FEW))),
        })
    }
}

/// The logarithms of a rate as normal variables with weights.
fn rates(parts: &[Component]) -> Vec<(f64, Predictor)> {
    let rate = |part: &Component| (part.weight, Predictor { mean: part.mean, variance: part.sd * part.sd });
    parts.iter().map(rate).collect()
}

/// A predictor as points, each with its weight and the hyperparameter of the family: parts that are alike in
/// this are put together.
fn spaced(parts: &[Component], own: &[f64]) -> Vec<(f64, f64, f64)> {
    let mut pairs: Vec<(Component, f64)> = parts.iter().copied().zip(own.iter().copied()).collect();
    pairs.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut points = Vec::new();
    for like in pairs.chunks(pairs.len().div_ceil(GROUPS)) {
        let weight: f64 = like.iter().map(|(part, _)| part.weight).sum();
        if weight < LEAST {
            continue;
        }
        let own = like.iter().map(|(part, own)| part.weight * own).sum::<f64>() / weight;
        let parts: Vec<Component> = like.iter().map(|(part, _)| *part).collect();
        for part in Component::condensed(&parts, 2) {
            points.extend((-POINTS..=POINTS).map(|k| {
                let z = STEP * f64::from(k);
                (part.weight * (-0.5 * z * z).exp(), part.mean + part.sd * z, own)
            }));
        }
    }
    points
}

/// The standard deviation of the outcomes; 1 if they are all the same.
fn spread(y: &[f64]) -> f64 {
    let mut moments = posterior::math::streaming::MeanVariance::new();
    for own in y {
        moments.push(*own);
    }
    let sd = moments.variance().sqrt();
    if sd > 0.0 && sd.is_finite() { sd } else { 1.0 }
}
