//! Gaussian mixtures by EM, with a prior or without, and by variational Bayes.

use posterior::dist::Conjugate;
use posterior::gaussian::{Gaussian, NormalInverseWishart};
use posterior::inference::em::EmOptions;
use posterior::inference::variational::AscentOptions;
use posterior::latent::gaussian_mixture::{
    CovarianceKind, GaussianMixture, GaussianMixtureOptions, GaussianMixtureProblem, fraley_raftery_prior,
};
use posterior::latent::mixture::FittedMixture;
use posterior::latent::selection::Criteria;
use posterior::latent::variational::{BayesianMixture, MixtureAscent, VariationalMixture};
use posterior::latent::{Error, Observations};
use posterior::math::iteration::Fitted;
use posterior::math::linalg::DMatrix;

use super::answer::{Answer, Candidate, best_of, rows_of};
use super::incident;
use super::model::{Groups, most_probable};
use crate::args::{ClusterFit, ClusterMethod, Counts, CovarianceShape};
use crate::failure::{Failure, refused};
use crate::rows_input::Rows;

/// The proportion of ln p by which the last step of EM may still raise it: some 10⁻⁶ nats a row.
const TOLERANCE: f64 = 1e-7;

/// A mixture by EM; of a range of numbers of components that with the highest BIC.
pub(super) fn by_em(args: &ClusterFit, data: &Rows, counts: Counts) -> Result<(Answer, Groups), Failure> {
    let rows = observations(data)?;
    let best = best_of(counts.least..=counts.most, "-BIC", args.common.quiet, |k| {
        let options = em_options(args, &rows, k)?;
        let problem = GaussianMixtureProblem::new(&rows, options).map_err(refused)?;
        let found =
            problem.fit_short_runs(k, usize::from(args.restarts), args.common.seed).map_err(refused)?;
        let criteria = Criteria::of(&found.best.model.mixture, &rows).map_err(refused)?;
        Ok((2.0 * data.ln_jacobian() - criteria.bic(), found.best))
    })?;
    let Some((_, best, selection)) = best else {
        return Err(Failure::Usage("--k: an empty range".to_owned()));
    };
    reported_em(args, data, &rows, best, selection).map_err(refused)
}

fn observations(data: &Rows) -> Result<Observations, Failure> {
    let rows = if data.incomplete() {
        Observations::with_missing(&data.values)
    } else {
        Observations::new(&data.values)
    };
    rows.map_err(refused)
}

fn em_options(args: &ClusterFit, rows: &Observations, k: usize) -> Result<GaussianMixtureOptions, Failure> {
    let kind = match args.covariance {
        CovarianceShape::Full => CovarianceKind::Full,
        CovarianceShape::Tied => CovarianceKind::Tied,
        CovarianceShape::Diag => CovarianceKind::Diagonal,
        CovarianceShape::Spherical => CovarianceKind::Spherical,
    };
    let max_iterations = args.iterations.unwrap_or(500) as usize;
    let steps = EmOptions { tolerance: TOLERANCE, max_iterations };
    let options = GaussianMixtureOptions { covariance: kind, em: steps, ..GaussianMixtureOptions::default() };
    if args.method == ClusterMethod::MapGmm {
        return Ok(GaussianMixtureOptions {
            prior: Some(fraley_raftery_prior(rows, k).map_err(refused)?),
            ..options
        });
    }
    Ok(options)
}

fn reported_em(
    args: &ClusterFit,
    data: &Rows,
    rows: &Observations,
    found: Fitted<FittedMixture<GaussianMixture>>,
    selection: Vec<Candidate>,
) -> Result<(Answer, Groups), Error> {
    let mixture = &found.model.mixture;
    let ln_likelihood: f64 = mixture.ln_pdf_rows(rows)?.iter().sum();
    let (assignments, certainty) = most_probable(&mixture.responsibilities(rows)?);
    let incidents = found.model.incidents.iter();
    let answer = Answer {
        weights: mixture.weights().probabilities().to_vec(),
        means: rows_of(mixture.means()),
        covariances: (0..mixture.components()).map(|k| rows_of(&mixture.covariance(k))).collect(),
        ln_likelihood: Some(ln_likelihood + data.ln_jacobian()),
        converged: Some(found.report.converged()),
        warnings: incidents
            .map(|own| incident("group", own, "lost all its rows", "the distribution that it had"))
            .collect(),
        trace: found.report.trace,
        assignments,
        certainty,
        selection,
        ..Answer::new(args, data)
    };
    Ok((answer.in_units(data), Groups::Mixture(found.model.mixture)))
}

/// A mixture by variational Bayes; of a range of numbers of components that with the highest bound.
pub(super) fn by_variational_bayes(
    args: &ClusterFit,
    data: &Rows,
    counts: Counts,
) -> Result<(Answer, Groups), Failure> {
    let rows = observations(data)?;
    let options =
        AscentOptions { max_iterations: args.iterations.unwrap_or(500) as usize, ..AscentOptions::default() };
    let best = best_of(counts.least..=counts.most, "evidence lower bound", args.common.quiet, |k| {
        let alpha = args.alpha.unwrap_or(1.0 / k as f64);
        let prior = fraley_raftery_prior(&rows, k).map_err(refused)?;
        let model = BayesianMixture::finite(k, alpha, prior, data.values.ncols())
            .map_err(|error| Failure::Usage(format!("--alpha: {error}")))?;
        let problem = MixtureAscent::new(&model, &rows).map_err(refused)?;
        // Every other one begins from clusters.
        let starts = 2 * usize::from(args.restarts);
        let found = problem.fit_best(starts, args.common.seed, &options).map_err(refused)?.best;
        let responsibilities = problem.responsibilities(&found.model).map_err(refused)?;
        let bound = found.report.trace.last().copied().unwrap_or(f64::NEG_INFINITY);
        Ok((bound + data.ln_jacobian(), (found, responsibilities)))
    })?;
    let Some((elbo, (best, responsibilities), selection)) = best else {
        return Err(Failure::Usage("--k: an empty range".to_owned()));
    };
    let predictive = best.model.predictive().map_err(refused)?;
    let (weights, components) = (predictive.weights().probabilities(), predictive.components());
    let groups = Groups::Predictive(weights.to_vec(), components.to_vec());
    let found = reported_variational(args, data, best, &responsibilities).map_err(refused)?;
    Ok((Answer { elbo: Some(elbo), selection, ..found }, groups))
}

type Posterior = VariationalMixture<Gaussian, NormalInverseWishart>;

fn reported_variational(
    args: &ClusterFit,
    data: &Rows,
    found: Fitted<Posterior>,
    responsibilities: &DMatrix<f64>,
) -> Result<Answer, Error> {
    let (assignments, certainty) = most_probable(responsibilities);
    let distributions = found.model.components().iter().map(|own| {
        let distribution = <Gaussian as Conjugate<NormalInverseWishart>>::most_probable(
            own.posterior(),
            &data.values.ncols(),
        )?;
        Ok(distribution.map(|own| (own.mean().as_slice().to_vec(), rows_of(own.covariance()))))
    });
    let distributions: Vec<_> = distributions.collect::<Result<Option<Vec<_>>, Error>>()?.unwrap_or_default();
    let (means, covariances) = distributions.into_iter().unzip();
    let all = found.model.components().len();
    let empty = all - found.model.occupied(1.0).len();
    let empty = (empty > 0)
        .then(|| format!("{empty} of {all} components are not needed: they have less than one row"));
    let answer = Answer {
        weights: found.model.weights().expected(),
        means,
        covariances,
        converged: Some(found.report.converged()),
        trace: found.report.trace,
        assignments,
        certainty,
        warnings: empty.into_iter().collect(),
        ..Answer::new(args, data)
    };
    Ok(answer.in_units(data))
}
