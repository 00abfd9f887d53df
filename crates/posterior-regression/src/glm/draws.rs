//! The posterior by draws: weighted ones around the mode, or those of the No-U-Turn sampler.

use posterior_dist::stream::stream;
use posterior_dist::target::Unconstrained;
use posterior_dist::{Density, MultivariateT};
use posterior_math::bijection::{Elementwise, Identity};
use posterior_math::linalg::DMatrix;
use posterior_math::streaming::MeanVariance;
use posterior_sampling::estimate::LnEstimate;
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::importance::{WeightedDraws, importance_sampling};
use posterior_sampling::{Run, Start};

use super::count_mixture::CountMixture;
use super::model::Glm;
use super::posterior::GlmPosterior;
use super::response_law::ResponseLaw;
use crate::Error;
use crate::coefficients::Coefficient;
use crate::linear::data::length;

/// Degrees of freedom of the t distributions that are proposed: their tails are heavier than those of any log-concave posterior.
const FREEDOM: f64 = 7.0;

/// Draws by which Laplace's approximation is judged.
const JUDGES: usize = 200;

/// Laplace's approximation is right if the logarithms of its weights have a smaller variance: then no mean is off by more than about the root of
/// it, 0.03 posterior standard deviations.
const RIGHT: f64 = 1e-3;

/// Rounds that move the proposal to the posterior, and draws of each.
const ROUNDS: u64 = 2;
const PILOTS: usize = 2000;

/// Draws that are weighted.
const DRAWS: usize = 8000;

/// Groups of draws of similar rates by which a count is predicted.
const GROUPS: usize = 256;

/// How the draws of a [`GlmDraws`] were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DrawnBy {
    /// Drawn around the mode, and weighted.
    ImportanceSampling,
    /// The No-U-Turn sampler.
    Nuts,
}

/// The posterior of the coefficients by weighted draws.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GlmDraws {
    /// How they were made.
    pub drawn_by: DrawnBy,
    /// The names of the columns.
    pub names: Vec<String>,
    /// k̂ of the weights, where they were made by importance sampling: up to 0.7 they can be trusted.
    pub pareto_shape: Option<f64>,
    /// How many independent draws of equal weight would say as much about the weights; none for chains.
    pub effective_draws: Option<f64>,
    /// ln p(y) with its standard error, by importance sampling alone.
    pub ln_evidence: Option<LnEstimate>,
    /// What the diagnostics of the chains warn of.
    pub warnings: Vec<String>,
    /// One column for each draw.
    points: DMatrix<f64>,
    /// They add up to 1.
    weights: Vec<f64>,
}

/// The best of the answers that were asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Corrected {
    /// Laplace's approximation, which is right as 200 weighted draws say.
    Laplace,
    /// Draws.
    Draws(GlmDraws),
}

impl<L: ResponseLaw + Sync> Glm<'_, L> {
    /// The posterior without the bias of Laplace's approximation, which centres a Gaussian at the mode and predicts too much of what is rare.
    ///
    /// Draws of a t distribution with the mean and the covariance of the posterior (found in two rounds that begin at Laplace's) are weighted, and
    /// the largest weights smoothed. Where their k̂ is above 0.7 the No-U-Turn sampler draws instead. Where the weights of 200 draws of Laplace's
    /// approximation are all but equal, it is right, and is the answer.
    ///
    /// # Errors
    /// As [`laplace`](Self::laplace), of which `laplace` has to be; a prior that is flat somewhere.
    ///
    /// # Cost
    /// A value of the log-likelihood, which is n p operations, for each of 200 draws if Laplace's approximation is right, and else of 12,200; some 50,000
    /// gradients if the sampler is needed.
    pub fn corrected(&self, laplace: &GlmPosterior, seed: u64) -> Result<Corrected, Error> {
        self.proper()?;
        let mut rng = stream(seed, &[0]);
        let gaussian = proposal(laplace.law.clone(), laplace.law.dimension())?;
        let judged = importance_sampling(self, &gaussian, JUDGES, &mut rng)?;
        let spread: MeanVariance = judged.weights().ln().iter().copied().collect();
        if spread.sample_variance() < RIGHT {
            return Ok(Corrected::Laplace);
        }
        let mut mean = laplace.law.mean().as_slice().to_vec();
        let mut covariance = laplace.law.cholesky().reconstruct();
        for round in 0..=ROUNDS {
            let law = MultivariateT::new(FREEDOM, &mean, &covariance)?;
            let proposal = proposal(law, mean.len())?;
            let mut rng = stream(seed, &[1, round]);
            let count = if round == ROUNDS { DRAWS } else { PILOTS };
            let weighted = importance_sampling(self, &proposal, count, &mut rng)?;
            let smoothed = weighted.smoothed(1.0)?;
            if round == ROUNDS {
                if !smoothed.is_reliable() {
                    break;
                }
                let ln_evidence = Some(weighted.weights().ln_mean()?);
                let (pareto_shape, effective) = (Some(smoothed.shape), smoothed.weights.ess());
                let weighted = weighted.with_weights(smoothed.weights)?;
                let weights = weighted.weights().normalised().to_vec();
                let points: Vec<f64> = weighted.points().flatten().copied().collect();
                return Ok(Corrected::Draws(GlmDraws {
                    drawn_by: DrawnBy::ImportanceSampling,
                    names: self.data().names().to_vec(),
                    pareto_shape,
                    effective_draws: Some(effective),
                    ln_evidence,
                    warnings: Vec::new(),
                    points: DMatrix::from_vec(mean.len(), weights.len(), points),
                    weights,
                }));
            }
            // So few draws count that their covariance would be noise: keep the proposal.
            if smoothed.weights.ess() > 20.0 * mean.len() as f64 {
                (mean, covariance) = moments(&weighted.with_weights(smoothed.weights)?, mean.len());
            }
        }
        self.by_nuts(&Run::default().with_seed(seed)).map(Corrected::Draws)
    }

    /// The posterior by chains of the No-U-Turn sampler.
    ///
    /// # Errors
    /// A prior that is flat somewhere; a sampler that ends.
    pub fn by_nuts(&self, run: &Run) -> Result<GlmDraws, Error> {
        self.proper()?;
        let sampled = run.sample(self, &Nuts::default(), &Start::default())?;
        let draws = &sampled.draws;
        let (columns, count) = (self.data().columns(), draws.chains() * draws.len());
        let places = (0..draws.chains()).flat_map(|chain| (0..draws.len()).map(move |draw| (chain, draw)));
        let points: Vec<f64> = places.flat_map(|(chain, draw)| draws.draw(chain, draw).to_vec()).collect();
        Ok(GlmDraws {
            drawn_by: DrawnBy::Nuts,
            names: self.data().names().to_vec(),
            pareto_shape: None,
            effective_draws: None,
            ln_evidence: None,
            warnings: draws.summary().warnings.iter().map(ToString::to_string).collect(),
            points: DMatrix::from_vec(columns, count, points),
            weights: vec![(count as f64).recip(); count],
        })
    }

    fn proper(&self) -> Result<(), Error> {
        if self.prior().is_proper() {
            return Ok(());
        }
        Err(Error::NoFit { why: "draws need a proper prior of every coefficient" })
    }
}

type Proposed<D> = Unconstrained<D, Elementwise<Identity>>;

fn proposal<D>(law: D, dim: usize) -> Result<Proposed<D>, Error>
where
    D: Density<Point = [f64]>,
{
    Ok(Unconstrained::new(law, Elementwise::new(Identity, dim), dim)?)
}

/// The mean and the covariance under the weights.
fn moments(weighted: &WeightedDraws, dim: usize) -> (Vec<f64>, DMatrix<f64>) {
    let weights = weighted.weights().normalised();
    let mut mean = vec![0.0; dim];
    for (point, weight) in weighted.points().zip(weights) {
        mean.iter_mut().zip(point).for_each(|(mean, x)| *mean += weight * x);
    }
    let mut covariance = DMatrix::zeros(dim, dim);
    for (point, weight) in weighted.points().zip(weights) {
        for j in 0..dim {
            for i in 0..dim {
                covariance[(i, j)] += weight * (point[i] - mean[i]) * (point[j] - mean[j]);
            }
        }
    }
    (mean, covariance)
}

impl GlmDraws {
    /// A number that coefficients determine: its mean, standard deviation and quantiles.
    ///
    /// # Errors
    /// A number that is not finite.
    pub fn marginal(&self, name: &str, number: impl Fn(&[f64]) -> f64) -> Result<Coefficient, Error> {
        let numbers: Vec<f64> = self.points.column_iter().map(|point| number(point.as_slice())).collect();
        Ok(Coefficient::of_weighted_draws(name, &numbers, &self.weights)?)
    }

    /// The mean response at a row of columns, without an offset.
    ///
    /// # Errors
    /// Another number of columns; a mean that is not finite.
    pub fn response<L: ResponseLaw>(&self, law: &L, row: &[f64]) -> Result<Coefficient, Error> {
        let means: Vec<f64> = self.predictors(row)?.iter().map(|predictor| law.mean(*predictor)).collect();
        Ok(Coefficient::of_weighted_draws("", &means, &self.weights)?)
    }

    /// A new Poisson count at a row of columns, with a logarithmic link: by the mean rates of 256 groups of draws.
    ///
    /// # Errors
    /// As [`response`](Self::response).
    pub fn count(&self, row: &[f64]) -> Result<CountMixture, Error> {
        let predictors = self.predictors(row)?;
        let mut rates: Vec<(f64, f64)> =
            predictors.iter().map(|own| own.exp()).zip(self.weights.iter().copied()).collect();
        rates.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let group = |rates: &[(f64, f64)]| {
            let weight: f64 = rates.iter().map(|(_, weight)| weight).sum();
            let mean: f64 = rates.iter().map(|(rate, weight)| rate * weight).sum();
            (if weight > 0.0 { mean / weight } else { rates[0].0 }, weight)
        };
        Ok(CountMixture::of_rates(rates.chunks(rates.len().div_ceil(GROUPS)).map(group).collect()))
    }

    fn predictors(&self, row: &[f64]) -> Result<Vec<f64>, Error> {
        length("columns of new rows", self.points.nrows(), row.len())?;
        let predictor = |point: &[f64]| point.iter().zip(row).map(|(own, x)| own * x).sum();
        Ok(self.points.column_iter().map(|point| predictor(point.as_slice())).collect())
    }
}
