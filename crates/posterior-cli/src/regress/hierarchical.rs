//! Formulas with effects: by nested Laplace approximation, or by maximum likelihood.

mod known;
mod parts;
mod verification;

use posterior::hierarchical::{FormulaEffect, HierarchicalFit, HyperEstimate, LatentMarginal};
use posterior::dist::stream::stream;
use serde::Serialize;

pub(super) use self::known::Known;
use self::known::Fitted;
pub(super) use self::verification::Verified;
use super::answer::{Answer, Estimate, PredictedBy, Fitted as FittedAnswer, Intervals};
use super::data_input::{Data, Source};
use crate::args::{Family, RegressEngine, RegressFit, RegressPrior};
use crate::failure::{Failure, refused};
use crate::level::Level;

/// Draws that tell how near the approximation is to the posterior.
const CHECK_DRAWS: usize = 1000;

/// What a fit says of its effects.
#[derive(Debug, Serialize)]
pub(super) struct Effects {
    /// Standard deviations, correlations and ranges of the effects, and what the family has of its own.
    pub(super) components: Vec<Estimate>,
    /// The proportion of the variance of the predictors, and of the noise where it is normal, that each part
    /// has.
    pub(super) explained: Vec<Part>,
    pub(super) values: Vec<EffectValues>,
    /// How well each row is predicted from the others. None where likelihoods are maximised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) criteria: Option<Criteria>,
    /// The logarithm of the maximum of the likelihood, restricted or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ln_likelihood: Option<f64>,
    /// The same numbers by a chain on the exact posterior.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) verified: Vec<Verified>,
}

/// A part of the variance.
#[derive(Debug, Serialize)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) proportion: f64,
}

/// The values of an effect: of groups, times, areas.
#[derive(Debug, Serialize)]
pub(super) struct EffectValues {
    pub(super) name: String,
    pub(super) term: String,
    /// Where each value is, on a line or in a plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) places: Option<Vec<Vec<f64>>>,
    pub(super) values: Vec<Estimate>,
}

/// Criteria of prediction.
#[derive(Debug, Serialize)]
pub(super) struct Criteria {
    /// The sum of ln p of each row given the others.
    pub(super) elpd_loo: f64,
    pub(super) waic: f64,
    pub(super) dic: f64,
    /// The effective numbers of parameters of WAIC and DIC.
    pub(super) waic_parameters: f64,
    pub(super) dic_parameters: f64,
}

/// Whether the formula has effects.
pub(super) fn is_asked_for(source: &Source) -> bool {
    source.formula.as_ref().is_some_and(|formula| !formula.effects().is_empty())
}

/// Refuses what a fit with effects does not have.
pub(super) fn refuse(args: &RegressFit) -> Result<(), Failure> {
    let usage = |message: &str| Err(Failure::Usage(format!("{message}, and the formula has effects")));
    match args.family {
        Family::Gaussian | Family::Bernoulli | Family::Poisson | Family::NegativeBinomial | Family::Gamma => {}
        Family::Ordinal | Family::Softmax | Family::Mlp => {
            return usage("--family: gaussian, bernoulli, poisson, negative-binomial and gamma have effects");
        }
    }
    match args.engine {
        None | Some(RegressEngine::Laplace | RegressEngine::Reml | RegressEngine::Ml) => {}
        Some(RegressEngine::Nuts) => return usage("--engine nuts: --verify runs the chain beside the fit"),
        Some(RegressEngine::Exact) => return usage("--engine exact: laplace is exact given the variances"),
    }
    if args.prior != RegressPrior::Normal {
        return usage("--prior: coefficients are flat, or normal with --prior-sd");
    }
    for (asked, option) in [(args.effects, "effects"), (args.checks, "checks"), (args.errors.is_some(), "errors")] {
        if asked {
            return usage(&format!("--{option} is for regressions without effects"));
        }
    }
    if args.verify && args.engine.is_some_and(|own| own != RegressEngine::Laplace) {
        return usage("--verify is for the posterior, not for maximum likelihood");
    }
    Ok(())
}

/// The answer for a formula with effects.
pub(super) fn answer(args: &RegressFit, data: &Data) -> Result<(Answer, Known), Failure> {
    let known = Known::of(args, data)?;
    let new = data.places.effects.as_ref().filter(|_| data.places.are_new);
    let fitted = known.fit(new, data.places.offsets.as_deref(), data.level).map_err(refused)?;
    let (fit, level) = (&fitted.fit, data.level);
    let integrated = fit.estimate() == HyperEstimate::Posterior;
    let rows = fit.predictors();
    let here: Vec<LatentMarginal> = data.looked_at.iter().map(|&row| rows[row].clone()).collect();
    let wanted = |there: bool| data.places.wanted(args.writes_all() || !there, level);
    let own = super::new_rows::Wanted { outcomes: None, ..wanted(false) };
    let here = known.predictions(fit, &here, own).map_err(refused)?;
    let predictions = match new {
        None => here.clone(),
        Some(_) => known.predictions(fit, &rows[data.rows()..], wanted(true)).map_err(refused)?,
    };
    let mut coefficients = Vec::new();
    for name in fitted.formula.columns() {
        let own = fit.fixed(&name).map_err(refused)?;
        let name = if name == "(Intercept)" { "intercept".to_owned() } else { name };
        coefficients.push(Estimate::by_quantiles(name, own.mean(), own.sd(), |p| own.quantile(p), level));
    }
    let pareto_k = if integrated {
        let mut rng = stream(args.common.seed, &[]);
        fit.check(CHECK_DRAWS, &mut rng).map_err(refused)?.weights.shape
    } else {
        None
    };
    let criteria = integrated.then(|| fit.criteria()).transpose().map_err(refused)?;
    let criteria = criteria.map(|own| Criteria {
        elpd_loo: own.elpd_loo,
        waic: own.waic,
        dic: own.dic,
        waic_parameters: own.waic_parameters,
        dic_parameters: own.dic_parameters,
    });
    let verified = if args.verify { verification::verified(&known, args.common.seed).map_err(refused)? } else { Vec::new() };
    let effects = Effects {
        components: components(fit, level).map_err(refused)?,
        explained: parts::explained(fit, &fitted.formula, args.common.seed).map_err(refused)?,
        values: values(fit, fitted.formula.effects(), level).map_err(refused)?,
        criteria,
        ln_likelihood: (!integrated).then(|| fit.ln_marginal_likelihood()),
        verified,
    };
    let outcome = data.outcome.kind();
    let heights = data.looked_at(&data.outcome.heights());
    let mut intervals = Intervals::of(&outcome, known.taken_as_known(), level);
    intervals.approximation = Some("by nested Laplace approximation").filter(|_| integrated);
    let answer = Answer {
        coefficients,
        pareto_k,
        prior_sd: args.prior_sd,
        prior: args.prior_sd.is_none().then_some("flat"),
        link: known.link(),
        intervals,
        fitted: FittedAnswer::by(PredictedBy::InSample).with_coverage(&here, &heights, level),
        predictions,
        hierarchical: Some(effects),
        ..Answer::new(super::generalized::family_name(args), known.engine(), data, PredictedBy::InSample)
    };
    Ok((answer, known))
}

/// The hyperparameters.
fn components(
    fit: &HierarchicalFit<'_>,
    level: Level,
) -> Result<Vec<Estimate>, posterior::hierarchical::Error> {
    let known = fit.estimate() != HyperEstimate::Posterior;
    let one = |name: String| {
        let own = fit.hyperparameter(&name)?;
        // An estimate has no interval.
        let (sd, quantile) = if known { (f64::NAN, None) } else { (own.sd(), Some(&own)) };
        let quantile = |p| quantile.map_or(f64::NAN, |own| own.quantile(p));
        Ok(Estimate::by_quantiles(name, own.mean(), sd, quantile, level))
    };
    fit.hyperparameter_names().into_iter().map(one).collect()
}

/// The values of the effects.
fn values(
    fit: &HierarchicalFit<'_>,
    effects: Vec<FormulaEffect>,
    level: Level,
) -> Result<Vec<EffectValues>, posterior::hierarchical::Error> {
    let one = |effect: FormulaEffect| {
        let marginals = fit.effect(&effect.name)?;
        let value = |(label, own): (String, LatentMarginal)| {
            Estimate::by_quantiles(label, own.mean(), own.sd(), |p| own.quantile(p), level)
        };
        let values = effect.labels.into_iter().zip(marginals).map(value).collect();
        Ok(EffectValues { name: effect.name, term: effect.term, places: effect.places, values })
    };
    effects.into_iter().map(one).collect()
}
