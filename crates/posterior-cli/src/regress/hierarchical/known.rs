//! A fitted formula with effects: the rows and the settings, from which it is fitted again with new rows
//! beside them.

use posterior::dist::{Gamma, Mixture, NegativeBinomial, Normal};
use posterior::hierarchical::{
    AreaMap, Error, FamilyResponse, FormulaSettings, HierarchicalFit, HierarchicalFormula, HierarchicalModel,
    HierarchicalOptions, HyperEstimate, LatentMarginal, Skewness,
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
/// Points of a predictor in standard deviations, to each side, for counts and positive numbers.
const POINTS: i32 = 6;
const STEP: f64 = 0.75;
/// Parts of a mixture that count less than this are left out of predictions of such outcomes.
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
        let areas = (!self.neighbours.is_empty()).then(|| AreaMap::from_pairs(self.neighbours.iter().cloned()));
        let settings = FormulaSettings { areas, scale, coefficient_sd: self.prior_sd, ..FormulaSettings::default() };
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
        let latent: usize = formula.effects().iter().map(|effect| effect.labels.len()).sum();
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
        self.predictions(&fit, &rows[self.y.len()..], wanted)
    }

    /// Predictions of rows with such predictors.
    pub(super) fn predictions(
        &self,
        fit: &HierarchicalFit<'_>,
        predictors: &[LatentMarginal],
        wanted: Wanted<'_>,
    ) -> Result<Vec<Predicted>, Error> {
        // The parts of each predictor are those of the points.
        let own: Vec<f64> =
            fit.points().into_iter().map(|(_, values)| values.first().copied().unwrap_or(1.0)).collect();
        let one = |(row, predictor): (usize, &LatentMarginal)| {
            let mean_of = |predictor: f64| self.mean(fit, predictor);
            let interval = wanted.level.interval(|p| mean_of(predictor.quantile(p)));
            if matches!(self.response, ResponseFamily::Logit | ResponseFamily::Probit | ResponseFamily::Cloglog) {
                return Ok(Predicted::probability(predictor.expectation(mean_of), interval));
            }
            let (mean, sd) = match self.response {
                ResponseFamily::Gaussian => (predictor.mean(), predictor.sd()),
                _ => {
                    let (mean, variance) = moments_of_rate(&rates(predictor));
                    (mean, variance.sqrt())
                }
            };
            let new = self.new_outcome(predictor, &own)?;
            Ok(Predicted::number(row, &new, MeanOutcome { mean, sd, interval }, wanted))
        };
        predictors.iter().enumerate().map(one).collect()
    }

    fn mean(&self, fit: &HierarchicalFit<'_>, predictor: f64) -> f64 {
        fit.model().mean(predictor)
    }

    /// The distribution of a new outcome; `own` is the hyperparameter of the family at each point.
    fn new_outcome(&self, predictor: &LatentMarginal, own: &[f64]) -> Result<Predictive, Error> {
        let parts = predictor.components().iter().zip(own);
        Ok(match self.response {
            ResponseFamily::Gaussian => {
                let weights: Vec<f64> = parts.clone().map(|(part, _)| part.weight).collect();
                let normal = |(part, sd): (&posterior::hierarchical::Component, &f64)| {
                    Normal::mean_sd(part.mean, part.sd.hypot(*sd))
                };
                Predictive::Normals(Mixture::from_weights(&weights, parts.map(normal).collect::<Result<_, _>>()?)?)
            }
            ResponseFamily::NegativeBinomial => {
                let points = spaced(predictor, own);
                let weights: Vec<f64> = points.iter().map(|(weight, ..)| *weight).collect();
                let count = |(_, rate, size): &(f64, f64, f64)| NegativeBinomial::mean_dispersion(rate.exp(), *size);
                let counts = points.iter().map(count).collect::<Result<_, _>>()?;
                Predictive::Counts(Mixture::from_weights(&weights, counts)?)
            }
            ResponseFamily::Gamma => {
                let points = spaced(predictor, own);
                let weights: Vec<f64> = points.iter().map(|(weight, ..)| *weight).collect();
                let positive = |(_, mean, shape): &(f64, f64, f64)| {
                    Gamma::shape_scale(*shape, (mean.exp() / shape).clamp(f64::MIN_POSITIVE, f64::MAX))
                };
                let all = points.iter().map(positive).collect::<Result<_, _>>()?;
                Predictive::Gammas(Mixture::from_weights(&weights, all)?)
            }
            _ => Predictive::LogRates(rates(predictor)),
        })
    }
}

/// The logarithms of a rate as normal variables with weights.
fn rates(predictor: &LatentMarginal) -> Vec<(f64, Predictor)> {
    let rate = |part: &posterior::hierarchical::Component| {
        (part.weight, Predictor { mean: part.mean, variance: part.sd * part.sd })
    };
    predictor.components().iter().map(rate).collect()
}

/// A predictor as points, each with its weight and the hyperparameter of the family.
fn spaced(predictor: &LatentMarginal, own: &[f64]) -> Vec<(f64, f64, f64)> {
    let parts = predictor.components().iter().zip(own).filter(|(part, _)| part.weight > LEAST);
    let each = |(part, own): (&posterior::hierarchical::Component, &f64)| {
        let (weight, mean, sd, own) = (part.weight, part.mean, part.sd, *own);
        (-POINTS..=POINTS).map(move |k| {
            let z = STEP * f64::from(k);
            (weight * (-0.5 * z * z).exp(), mean + sd * z, own)
        })
    };
    parts.flat_map(each).collect()
}

/// The standard deviation of the outcomes; 1 if they are all the same.
fn spread(y: &[f64]) -> f64 {
    let mut moments = posterior::math::streaming::MeanVariance::new();
    y.iter().for_each(|own| moments.push(*own));
    let sd = moments.variance().sqrt();
    if sd > 0.0 && sd.is_finite() { sd } else { 1.0 }
}
