//! Gaussian mixtures of many sizes and kinds.

use posterior_inference::best_of;
use posterior_math::check;
use posterior_math::iteration::{Fitted, Silent};

use super::criteria::{Criteria, Criterion};
use super::cross_validation::{CrossValidationScore, cross_validation};
use crate::error::Error;
use crate::gaussian_mixture::{
    CovarianceKind, GaussianMixture, GaussianMixtureOptions, GaussianMixtureProblem,
};
use crate::mixture::FittedMixture;
use crate::observations::Observations;

/// Which mixtures are tried, and how they are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct SelectionOptions {
    /// The numbers of components; 1 to 9 by default.
    pub components: Vec<usize>,
    /// The kinds of covariances; full ones by default.
    pub kinds: Vec<CovarianceKind>,
    /// By what the best is chosen; BIC by default.
    pub criterion: Criterion,
    /// The parts of the data of which each is held out once; 5 by default. Used where [`Criterion::HeldOut`]
    /// decides.
    pub folds: usize,
    /// The random starts of each fit; 5 by default.
    pub starts: usize,
    /// The seed of starts and folds; 0 by default.
    pub seed: u64,
    /// All else about fits. A prior is the same for all numbers of components.
    pub mixture: GaussianMixtureOptions,
}

impl Default for SelectionOptions {
    fn default() -> Self {
        Self {
            components: (1..=9).collect(),
            kinds: vec![CovarianceKind::Full],
            criterion: Criterion::Bic,
            folds: 5,
            starts: 5,
            seed: 0,
            mixture: GaussianMixtureOptions::default(),
        }
    }
}

/// A mixture that was fitted, with what the criteria say of it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FittedCandidate {
    /// The number of components.
    pub components: usize,
    /// The kind of covariances.
    pub kind: CovarianceKind,
    /// The best fit of several.
    pub fitted: Fitted<FittedMixture<GaussianMixture>>,
    /// Its criteria.
    pub criteria: Criteria,
    /// The score of held-out data, where that decides.
    pub held_out: Option<CrossValidationScore>,
}

impl FittedCandidate {
    /// The criterion, small where the candidate is good: held-out likelihoods are taken times -2 n, like the
    /// others.
    pub fn cost(&self, criterion: Criterion, observations: f64) -> f64 {
        match criterion {
            Criterion::Aic => self.criteria.aic(),
            Criterion::Bic => self.criteria.bic(),
            Criterion::Icl => self.criteria.icl(),
            Criterion::HeldOut => {
                self.held_out.as_ref().map_or(f64::INFINITY, |held| -2.0 * observations * held.mean)
            }
        }
    }
}

/// All candidates, and the best of them.
#[derive(Debug)]
#[non_exhaustive]
pub struct Selection {
    /// The candidates that could be fitted: kind by kind, in the order of the options.
    pub candidates: Vec<FittedCandidate>,
    /// Those that could not, with the reason: more components than distinct observations, for example.
    pub refused: Vec<(CovarianceKind, usize, Error)>,
    /// The place of the best candidate, the first of equals.
    pub index: usize,
}

impl Selection {
    /// The best candidate.
    pub fn best(&self) -> &FittedCandidate {
        &self.candidates[self.index]
    }
}

/// Fits mixtures of each kind with each number of components, and chooses.
///
/// # Errors
/// If there is nothing to try, or the first error, if nothing could be fitted.
pub fn select(data: &Observations, options: &SelectionOptions) -> Result<Selection, Error> {
    let tried = options.kinds.len() * options.components.len();
    check::positive("SelectionOptions", "mixtures to try", tried as f64)?;
    let (mut candidates, mut refused) = (Vec::new(), Vec::new());
    for &kind in &options.kinds {
        for &components in &options.components {
            match candidate(data, kind, components, options) {
                Ok(candidate) => candidates.push(candidate),
                Err(error) => refused.push((kind, components, error)),
            }
        }
    }
    if candidates.is_empty() {
        return Err(refused.swap_remove(0).2);
    }
    let n = data.total_weight();
    let cost = |index: usize| FittedCandidate::cost(&candidates[index], options.criterion, n);
    let index =
        (1..candidates.len()).fold(0, |best, other| if cost(other) < cost(best) { other } else { best });
    Ok(Selection { candidates, refused, index })
}

fn candidate(
    data: &Observations,
    kind: CovarianceKind,
    components: usize,
    options: &SelectionOptions,
) -> Result<FittedCandidate, Error> {
    let mixture = GaussianMixtureOptions { covariance: kind, ..options.mixture.clone() };
    let best = |data: &Observations| {
        let problem = GaussianMixtureProblem::new(data, mixture.clone())?;
        let fit =
            |rng: &mut rand_pcg::Pcg64| problem.fit(problem.random_start(components, rng)?, &mut Silent);
        Ok::<_, Error>(best_of(options.starts, options.seed, fit)?.best)
    };
    let fitted = best(data)?;
    let criteria = Criteria::of(&fitted.model.mixture, data)?;
    let held_out = if options.criterion == Criterion::HeldOut {
        let fit = |rest: &Observations, _| Ok(best(rest)?.model.mixture);
        Some(cross_validation(data, options.folds, options.seed, fit, GaussianMixture::ln_pdf_rows)?)
    } else {
        None
    };
    Ok(FittedCandidate { components, kind, fitted, criteria, held_out })
}
