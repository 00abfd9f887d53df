//! Formulas with effects: by nested Laplace approximation, or by maximum likelihood.

mod drawings;
mod known;
pub(super) mod priors;
mod verification;

use posterior::dist::stream::stream;
use posterior::hierarchical::{
    FormulaEffect, HierarchicalFit, HierarchicalModel, HyperEstimate, HyperPoints, LatentMarginal,
};

pub(super) use self::known::Known;
use super::answer::{Answer, Fitted, Predicted, PredictedBy};
use super::data_input::Data;
use super::effects_answer::{Criteria, EffectValues, EffectsAnswer, Part, Prior};
use super::estimate::Estimate;
use crate::args::{Family, RegressEngine, RegressFit, RegressPrior};
use crate::failure::{Failure, refused};
use crate::level::Level;
use crate::outcome::Outcome;

/// Draws that tell how near the approximation is to the posterior.
const CHECK_DRAWS: usize = 1000;

/// Refuses what a fit with effects does not have.
pub(super) fn refuse(args: &RegressFit) -> Result<(), Failure> {
    let usage = |message: &str| Err(Failure::Usage(format!("{message}, and the formula has effects")));
    match args.family {
        Family::Softmax | Family::Mlp => {
            return usage("--family: of softmax and mlp there are no effects");
        }
        _ => {}
    }
    match args.engine {
        None | Some(RegressEngine::Laplace | RegressEngine::Reml | RegressEngine::Ml) => {}
        Some(RegressEngine::Nuts) => return usage("--engine nuts: --verify runs the chain beside the fit"),
        Some(RegressEngine::Exact) => return usage("--engine exact: laplace is exact given the variances"),
    }
    if args.prior != RegressPrior::Normal {
        return usage("--prior: coefficients are flat, or normal with --prior-sd");
    }
    for (asked, option) in
        [(args.effects, "effects"), (args.checks, "checks"), (args.errors.is_some(), "errors")]
    {
        if asked {
            return usage(&format!("--{option} is for regressions without effects"));
        }
    }
    if args.engine.is_some_and(|own| own != RegressEngine::Laplace) {
        for (asked, option) in [(args.verify, "verify"), (!args.effect_priors.is_empty(), "effect-prior")] {
            if asked {
                let message = format!("--{option} is for the posterior, not for maximum likelihood");
                return Err(Failure::Usage(message));
            }
        }
    }
    Ok(())
}

/// The answer for a formula with effects.
pub(super) fn answer(args: &RegressFit, data: &Data) -> Result<(Answer, Known), Failure> {
    let known = Known::of(args, data)?;
    if matches!((&data.outcome, args.family), (Outcome::Classes { labels, .. }, Family::Ordinal) if labels.len() == 2)
    {
        return Err(Failure::Usage("--family ordinal: two classes are of --family bernoulli".to_owned()));
    }
    let new = data.places.effects.as_ref().filter(|_| data.places.are_new);
    let offsets = data.places.offsets.as_deref().filter(|_| new.is_some());
    let (formula, model) = known.model(new, offsets)?;
    let fit = &model.fit(&known.options(&formula)).map_err(refused)?;
    let level = data.level;
    let integrated = fit.estimate() == HyperEstimate::Posterior;
    let rows = fit.predictors();
    let here: Vec<LatentMarginal> = data.looked_at.iter().map(|&row| rows[row].clone()).collect();
    let wanted = |there: bool| data.places.wanted(args.writes_all() || !there, level);
    let own = super::new_rows::Wanted { outcomes: None, ..wanted(false) };
    let here = known.predictions(&model, fit, &here, own).map_err(refused)?;
    let predictions = if new.is_none() {
        here.clone()
    } else {
        let end = model.rows_of(HierarchicalModel::RESPONSE).map_err(refused)?.end;
        known.predictions(&model, fit, &rows[data.rows()..end], wanted(true)).map_err(refused)?
    };
    let mut coefficients = Vec::new();
    for name in formula.columns() {
        let own = fit.fixed(&name).map_err(refused)?;
        coefficients.push(Estimate::by_quantiles(
            shown(&name),
            own.mean(),
            own.sd(),
            |p| own.quantile(p),
            level,
        ));
    }
    for name in formula.measured() {
        let own = fit.hyperparameter(&format!("coefficient({name})")).map_err(refused)?;
        coefficients.push(Estimate::by_quantiles(name, own.mean(), own.sd(), |p| own.quantile(p), level));
    }
    let pareto_k = if integrated {
        let mut rng = stream(args.common.seed, &[]);
        // Equal weights, of an exact fit, have no tail.
        let shape = fit.check(CHECK_DRAWS, &mut rng).map_err(refused)?.weights.shape;
        Some(shape).filter(|own| own.is_finite())
    } else {
        None
    };
    let criteria = integrated.then(|| fit.criteria()).transpose().map_err(refused)?;
    let verified = if args.verify {
        verification::verified(&model, fit, &formula.columns(), args.common.seed).map_err(refused)?
    } else {
        Vec::new()
    };
    let mut values = values(fit, formula.effects(), level).map_err(refused)?;
    if let Some(own) = data.effects.as_ref().filter(|_| args.out.is_some()) {
        drawings::draw(&mut values, &formula, fit, own, level).map_err(refused)?;
    }
    let effects = EffectsAnswer {
        components: components(fit, level).map_err(refused)?,
        priors: if integrated { component_priors(&model) } else { Vec::new() },
        explained: explained(fit, args.family).map_err(refused)?,
        values,
        criteria: criteria.as_ref().map(Criteria::of),
        ln_likelihood: (!integrated).then(|| fit.ln_marginal_likelihood()),
        verified,
    };
    let answer = Answer {
        coefficients,
        pareto_k,
        prior_sd: args.prior_sd,
        prior: args.prior_sd.is_none().then_some("flat"),
        link: known.link(),
        intervals: known.intervals(&data.outcome.kind(), level),
        fitted: fitted(data, &here),
        predictions,
        hierarchical: Some(effects),
        warnings: (fit.hyper_points() == Some(HyperPoints::Design))
            .then(|| COARSE.to_owned())
            .into_iter()
            .collect(),
        ..Answer::new(super::generalized::family_name(args), known.engine(), data, PredictedBy::InSample)
    };
    Ok((answer, known))
}

/// How the rows of the fit are predicted; where events were still to come, not which intervals hold them.
fn fitted(data: &Data, here: &[Predicted]) -> Fitted {
    let own = Fitted::by(PredictedBy::InSample);
    match &data.outcome {
        Outcome::Classes { labels, .. } if labels.len() > 2 => {
            Fitted { probabilities: here.iter().map(Predicted::of_classes).collect(), ..own }
        }
        _ if data.events.is_some() => own,
        outcome => own.with_coverage(here, &data.looked_at(&outcome.heights()), data.level),
    }
}

/// The priors of the variance components, as they are written.
fn component_priors(model: &HierarchicalModel) -> Vec<Prior> {
    let all = model.hyperparameters().into_iter().filter(|own| !is_coefficient(&own.name));
    all.map(|own| Prior { name: own.name, prior: own.prior.to_string() }).collect()
}

/// Whether a hyperparameter is the coefficient of a column with errors.
fn is_coefficient(name: &str) -> bool {
    name.starts_with("coefficient(")
}

const COARSE: &str = "the components of variance are many, or the table is long: they are integrated over at few points, and their own intervals are rough";

/// A coefficient's name as everywhere in an answer.
fn shown(name: &str) -> String {
    if name == "(Intercept)" { "intercept".to_owned() } else { name.to_owned() }
}

/// The proportion of the variance that each part has.
fn explained(fit: &HierarchicalFit<'_>, family: Family) -> Result<Vec<Part>, posterior::hierarchical::Error> {
    let mut parts = fit.variances_of_parts()?;
    if family == Family::Gaussian {
        let sd = fit.hyperparameter("sd")?;
        let variance = if fit.estimate() == HyperEstimate::Posterior { sd.sd().powi(2) } else { 0.0 };
        parts.push(("noise".to_owned(), sd.mean().powi(2) + variance));
    }
    let sum: f64 = parts.iter().map(|(_, variance)| variance).sum();
    // An intercept alone varies by rounding.
    let some = parts.into_iter().filter(|(_, variance)| *variance > 1e-12 * sum);
    Ok(some.map(|(name, variance)| Part { name, proportion: variance / sum }).collect())
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
    fit.hyperparameter_names().into_iter().filter(|name| !is_coefficient(name)).map(one).collect()
}

/// The values of the effects, of correlated coefficients one after another.
fn values(
    fit: &HierarchicalFit<'_>,
    effects: Vec<FormulaEffect>,
    level: Level,
) -> Result<Vec<EffectValues>, posterior::hierarchical::Error> {
    let mut all = Vec::new();
    for FormulaEffect { name, term, columns, labels, places, .. } in effects {
        let marginals = fit.effect(&name)?;
        let alone = if places.is_none() { fit.unpooled(&name)? } else { Vec::new() };
        let width = columns.len().max(1);
        for column in 0..width {
            let value = |(label, own): (&String, &LatentMarginal)| {
                Estimate::by_quantiles(label.clone(), own.mean(), own.sd(), |p| own.quantile(p), level)
            };
            let own = marginals.iter().skip(column).step_by(width);
            all.push(EffectValues {
                name: columns.get(column).map_or_else(|| name.clone(), |own| format!("{name}: {own}")),
                term: term.clone(),
                places: places.clone(),
                values: labels.iter().zip(own).map(value).collect(),
                alone: alone.iter().copied().skip(column).step_by(width).collect(),
                drawn: None,
            });
        }
    }
    Ok(all)
}
