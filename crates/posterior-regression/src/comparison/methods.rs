//! The compare.

use posterior_dist::stream::stream;
use posterior_dist::target::Unconstrained;
use posterior_gaussian::{Gaussian, MultivariateT};
use posterior_math::bijection::{Elementwise, Identity};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::streaming::MeanVariance;
use posterior_sampling::Start;
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::importance::{WeightedDraws, importance_sampling, reliable_shape};
use posterior_sampling::variational::{Advi, GaussianFamily as Gaussians};

use super::answer::{ComparisonOptions, Method, MethodAnswer, MethodComparison};
use crate::Error;
use crate::glm::{CoefficientPrior, Glm, GlmFitOptions, GlmPosterior, ResponseDistribution};
use crate::propagation::{SiteOptions, propagate};

/// Degrees of freedom of the t distribution that importance sampling proposes: its tails are heavier than any
/// log-concave posterior's.
const DEGREES_OF_FREEDOM: f64 = 7.0;

/// Agreement: of means in standard deviations, and of standard deviations in ratio.
const AGREEMENT: f64 = 0.1;

/// Takes the model through all methods.
///
/// # Errors
/// A prior that is flat somewhere, or a dispersion that is not known: there is no posterior distribution.
/// Anything else that stops the methods from the most probable coefficients on. That there are no most likely
/// coefficients, or no moments for expectation propagation, is no error: the method is among the refused.
pub fn compare<L: ResponseDistribution + Sync>(
    model: &Glm<'_, L>,
    options: &ComparisonOptions,
) -> Result<MethodComparison, Error> {
    if !model.prior().is_proper() {
        return Err(Error::NoFit { why: "a comparison needs a proper prior of every coefficient" });
    }
    let fit = GlmFitOptions::default();
    let (mut answers, mut refused) = (Vec::new(), Vec::new());
    match most_likely(model, &fit) {
        Ok(answer) => answers.push(answer),
        Err(error) => refused.push((Method::MaximumLikelihood, error)),
    }
    let laplace = model.laplace(&fit)?;
    let mode = laplace.distribution.mean().as_slice().to_vec();
    let at_mode = model.fit(&fit, &mut Silent)?.model;
    answers.push(MethodAnswer {
        method: Method::MaximumPosterior,
        mean: mode.clone(),
        sd: at_mode.standard_errors(),
        ln_evidence: None,
        pareto_shape: None,
    });
    answers.push(by_laplace(model, &laplace, options)?);
    match by_propagation(model, options) {
        Ok(answer) => answers.push(answer),
        Err(error) => refused.push((Method::Propagation, error)),
    }
    answers.push(by_variation(model, &mode, options)?);
    answers.push(by_importance(model, &laplace, options)?);
    answers.push(by_chains(model, mode, options)?);
    let sufficient = sufficient(&answers, options.weighted_draws);
    Ok(MethodComparison { answers, refused, sufficient })
}

fn most_likely<L: ResponseDistribution + Sync>(
    model: &Glm<'_, L>,
    fit: &GlmFitOptions,
) -> Result<MethodAnswer, Error> {
    let data = model.data();
    let mut flat =
        Glm::new(model.distribution(), data.clone())?.with_prior(CoefficientPrior::flat(data.columns()))?;
    if let Some(dispersion) = model.dispersion() {
        flat = flat.with_dispersion(dispersion)?;
    }
    let fitted = flat.fit(fit, &mut Silent)?.model;
    Ok(MethodAnswer {
        method: Method::MaximumLikelihood,
        sd: fitted.standard_errors(),
        mean: fitted.coefficients,
        ln_evidence: None,
        pareto_shape: None,
    })
}

/// A distribution of all real vectors, as something to propose from.
macro_rules! proposal {
    ($distribution:expr, $dim:expr) => {
        Unconstrained::new($distribution, Elementwise::new(Identity, $dim), $dim)?
    };
}

fn by_laplace<L: ResponseDistribution + Sync>(
    model: &Glm<'_, L>,
    laplace: &GlmPosterior,
    options: &ComparisonOptions,
) -> Result<MethodAnswer, Error> {
    by_gaussian(model, Method::Laplace, (&laplace.distribution, laplace.ln_evidence), options)
}

fn by_propagation<L: ResponseDistribution + Sync>(
    model: &Glm<'_, L>,
    options: &ComparisonOptions,
) -> Result<MethodAnswer, Error> {
    let propagated = propagate(model, &SiteOptions::default(), &mut Silent)?.model;
    by_gaussian(model, Method::Propagation, (&propagated.distribution, propagated.ln_evidence), options)
}

/// The answer of a method whose distribution is Gaussian.
fn by_gaussian<L: ResponseDistribution + Sync>(
    model: &Glm<'_, L>,
    method: Method,
    (distribution, ln_evidence): (&Gaussian, f64),
    options: &ComparisonOptions,
) -> Result<MethodAnswer, Error> {
    let proposal = proposal!(distribution.clone(), distribution.dimension());
    let mut rng = stream(options.seed, &[method as u64]);
    let weighted = importance_sampling(model, &proposal, options.weighted_draws, &mut rng)?;
    Ok(MethodAnswer {
        method,
        mean: distribution.mean().as_slice().to_vec(),
        sd: covariance(distribution).diagonal().iter().map(|variance| variance.sqrt()).collect(),
        ln_evidence: Some(ln_evidence),
        pareto_shape: Some(weighted.smoothed(1.0)?.shape),
    })
}

fn by_variation<L: ResponseDistribution + Sync>(
    model: &Glm<'_, L>,
    mode: &[f64],
    options: &ComparisonOptions,
) -> Result<MethodAnswer, Error> {
    let mut rng = stream(options.seed, &[Method::Variational as u64]);
    let advi = Advi { family: Gaussians::FullRank, tolerance: 0.01, ..Advi::default() };
    let closest = advi.fit(model, mode, &mut rng, &mut Silent)?.model;
    let assessed = closest.assess(model, options.weighted_draws, &mut rng)?;
    Ok(MethodAnswer {
        method: Method::Variational,
        mean: closest.mean().to_vec(),
        sd: closest.sds(),
        ln_evidence: Some(assessed.elbo.value),
        pareto_shape: Some(assessed.smoothed.shape),
    })
}

fn by_importance<L: ResponseDistribution + Sync>(
    model: &Glm<'_, L>,
    laplace: &GlmPosterior,
    options: &ComparisonOptions,
) -> Result<MethodAnswer, Error> {
    let dim = laplace.distribution.dimension();
    let distribution = MultivariateT::new(
        DEGREES_OF_FREEDOM,
        laplace.distribution.mean().as_slice(),
        &covariance(&laplace.distribution),
    )?;
    let proposal = proposal!(distribution, dim);
    let mut rng = stream(options.seed, &[Method::ImportanceSampling as u64]);
    let weighted = importance_sampling(model, &proposal, options.weighted_draws, &mut rng)?;
    let ln_evidence = weighted.weights().ln_mean()?.ln_value;
    let smoothed = weighted.smoothed(1.0)?;
    let shape = smoothed.shape;
    let (mean, sd) = weighted_moments(&weighted.with_weights(smoothed.weights)?, dim);
    let (ln_evidence, pareto_shape) = (Some(ln_evidence), Some(shape));
    Ok(MethodAnswer { method: Method::ImportanceSampling, mean, sd, ln_evidence, pareto_shape })
}

/// Means and standard deviations under the weights.
fn weighted_moments(weighted: &WeightedDraws, dim: usize) -> (Vec<f64>, Vec<f64>) {
    let proportions = weighted.weights().normalised();
    let mean_of = |f: &dyn Fn(&[f64]) -> f64| -> f64 {
        weighted.points().zip(proportions).map(|(point, proportion)| proportion * f(point)).sum()
    };
    let mean: Vec<f64> = (0..dim).map(|j| mean_of(&|point| point[j])).collect();
    let sd = (0..dim).map(|j| mean_of(&|point| (point[j] - mean[j]).powi(2)).sqrt()).collect();
    (mean, sd)
}

fn by_chains<L: ResponseDistribution + Sync>(
    model: &Glm<'_, L>,
    mode: Vec<f64>,
    options: &ComparisonOptions,
) -> Result<MethodAnswer, Error> {
    let dim = mode.len();
    let run = posterior_sampling::Run { seed: options.seed, ..options.run.clone() };
    let sampled = run.sample(model, &Nuts::default(), &Start::At(mode))?;
    let moments = |j: usize| -> MeanVariance { sampled.draws.parameter(j).concat().into_iter().collect() };
    let all: Vec<MeanVariance> = (0..dim).map(moments).collect();
    Ok(MethodAnswer {
        method: Method::Nuts,
        mean: all.iter().map(MeanVariance::mean).collect(),
        sd: all.iter().map(|moments| moments.sample_variance().sqrt()).collect(),
        ln_evidence: None,
        pareto_shape: None,
    })
}

fn covariance(distribution: &Gaussian) -> DMatrix<f64> {
    distribution.cholesky().reconstruct()
}

/// The lowest method that is reliable and agrees with those above.
fn sufficient(answers: &[MethodAnswer], draws: usize) -> Method {
    let reliable =
        |answer: &MethodAnswer| answer.pareto_shape.is_none_or(|shape| shape < reliable_shape(draws));
    let best = answers.iter().rfind(|answer| answer.method == Method::ImportanceSampling && reliable(answer));
    let Some(best) = best.or(answers.last()) else { return Method::Nuts };
    let agrees = |answer: &MethodAnswer| {
        (0..best.mean.len()).all(|j| {
            let shift = (answer.mean[j] - best.mean[j]).abs() / best.sd[j];
            shift <= AGREEMENT && (answer.sd[j] / best.sd[j] - 1.0).abs() <= AGREEMENT
        })
    };
    let distributions = answers.iter().filter(|answer| answer.method >= Method::Laplace);
    distributions
        .filter(|answer| reliable(answer) && agrees(answer))
        .map(|answer| answer.method)
        .min()
        .unwrap_or(best.method)
}
