//! Sticky hidden Markov models with as many states as the data need, by Gibbs sampling.

use std::borrow::Borrow;

use posterior::dist::{Categorical, Conjugate, Dirichlet, Gamma, Moments as _, Poisson, Stats};
use posterior::gaussian::{Gaussian, NormalInverseWishart};
use posterior::latent::gibbs::sample;
use posterior::latent::partition::PartitionSearch;
use posterior::math::linalg::DMatrix;
use posterior::sampling::Run;
use posterior::sequence::Error;
use posterior::sequence::bayesian::Observed;
use posterior::sequence::emission::{CategoricalEmissions, Distributions, Emissions};
use posterior::sequence::hmm::HiddenMarkovModel;
use posterior::sequence::sticky::{StickyGibbs, StickyHdp};
use serde::Serialize;

use super::chain::Chain;
use super::families::{mean_count, pooled, vector_prior};
use super::kind::AnyModel;
use super::learned::Learned;
use super::observations::{Observations, Values};
use crate::args::HmmFit;

/// Draws of a chain that are kept: the paths that stand for all are searched among them.
const KEPT: usize = 500;

/// States that the prior of vectors is made for.
const EXPECTED: usize = 5;

/// What the sampler found, beside the model.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Sticky {
    /// How probable each number of states is.
    pub(super) posterior_of_states: Vec<CountProbability>,
    /// Means over the draws: γ of the weights of states, α of a row on them, κ for staying.
    pub(super) gamma: f64,
    pub(super) alpha: f64,
    pub(super) kappa: f64,
}

/// How probable a number of states is.
#[derive(Debug, Clone, Serialize)]
pub(super) struct CountProbability {
    pub(super) states: usize,
    pub(super) probability: f64,
}

/// Samples a model of the kind of these observations.
pub(super) fn fit(args: &HmmFit, data: &Observations) -> Result<(AnyModel, Learned, Sticky), Error> {
    match &data.values {
        Values::Symbols(values) => {
            let count = data.symbols.len();
            let mean_of = |posterior: &Dirichlet| Categorical::from_weights(posterior.concentration());
            let prior = Dirichlet::symmetric(count, 1.0)?;
            let found = sampled(args, (values, &data.missing), prior, count, mean_of)?;
            let emissions = CategoricalEmissions::from_distributions(found.emissions.clone())?;
            found.finished(emissions, AnyModel::Categorical)
        }
        Values::Vectors(values) => {
            let (mean, variances) = pooled(values, &data.missing);
            let columns = mean.len();
            let mean_of = |posterior: &NormalInverseWishart| {
                let divisor = posterior.degrees_of_freedom() - columns as f64 - 1.0;
                Gaussian::new(posterior.location().as_slice(), &(posterior.scale() / divisor))
            };
            let prior = vector_prior(&mean, &variances, EXPECTED)?;
            let found = sampled(args, (values, &data.missing), prior, columns, mean_of)?;
            let emissions = Distributions::new(found.emissions.clone())?;
            found.finished(emissions, AnyModel::Gaussian)
        }
        Values::Counts(values) => {
            let mean = mean_count(values, &data.missing);
            let prior = Gamma::shape_rate(1.0, 1.0 / mean.max(f64::MIN_POSITIVE.sqrt()))?;
            let mean_of = |posterior: &Gamma| Poisson::new(posterior.mean().unwrap_or(mean));
            let found = sampled(args, (values, &data.missing), prior, (), mean_of)?;
            let emissions = Distributions::new(found.emissions.clone())?;
            found.finished(emissions, AnyModel::Poisson)
        }
    }
}

/// The paths that stand for all draws, and the mean parameters given them.
struct Found<F> {
    initial: Vec<f64>,
    transition: DMatrix<f64>,
    emissions: Vec<F>,
    learned: Learned,
    sticky: Sticky,
}

impl<F> Found<F> {
    fn finished<E: Emissions>(
        self,
        emissions: E,
        kind: impl Fn(Chain<E>) -> AnyModel,
    ) -> Result<(AnyModel, Learned, Sticky), Error> {
        let model = HiddenMarkovModel::new(&self.initial, &self.transition, emissions)?;
        Ok((kind(Chain::Markov(model)), self.learned, self.sticky))
    }
}

fn sampled<F, P, X>(
    args: &HmmFit,
    (values, missing): (&[Vec<X>], &[Vec<bool>]),
    prior: P,
    fixed: F::Fixed,
    mean_of: impl Fn(&P) -> Result<F, posterior::math::ParamError>,
) -> Result<Found<F>, Error>
where
    F: Conjugate<P> + Send + Sync,
    F::Point: Sync,
    F::Fixed: Sync + Clone,
    P: Sync + Clone,
    X: Clone + Borrow<F::Point>,
{
    let seen = |(values, missing): (&Vec<X>, &Vec<bool>)| -> Vec<Option<X>> {
        let cells = values.iter().zip(missing);
        cells.map(|(value, missing)| (!missing).then(|| value.clone())).collect()
    };
    let points: Vec<Vec<Option<X>>> = values.iter().zip(missing).map(seen).collect();
    let data = Observed::with_gaps(&points);
    let model = StickyHdp::<F, P>::new(args.most_states(), prior.clone(), fixed.clone())?;
    let sweeps = args.iterations as usize;
    let warm_up = sweeps / 3;
    let thin = ((sweeps - warm_up) / KEPT).max(1);
    let draws = ((sweeps - warm_up) / thin).max(1);
    let run = Run { warm_up, draws, thin, seed: args.common.seed, ..Run::default() };
    let sampled = sample(&StickyGibbs::new(&model, &data)?, &run)?;
    let estimate = PartitionSearch::default().run(sampled.partitions())?.partition;
    let states = estimate.sizes().len();
    let all = |name: &str| sampled.draws().named(name).unwrap_or_default().concat();
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
    let (total, sticky) = (all("total"), all("stickiness"));
    let kappas: Vec<f64> = total.iter().zip(&sticky).map(|(total, own)| total * own).collect();
    let (gamma, kappa) = (mean(&all("gamma")), mean(&kappas));
    let alpha = mean(&total) - kappa;

    // Mean parameters given the paths, by conjugacy; weights of states are equal.
    let share = alpha / states as f64;
    let mut initial = vec![share; states];
    let mut steps = DMatrix::from_fn(states, states, |i, j| if i == j { share + kappa } else { share });
    let mut statistics = vec![Stats::<F>::new(fixed.clone()); states];
    let mut labels = estimate.labels().iter().map(|&label| label as usize);
    for sequence in &points {
        let path: Vec<usize> = labels.by_ref().take(sequence.len()).collect();
        if let Some(&first) = path.first() {
            initial[first] += 1.0;
        }
        for pair in path.windows(2) {
            steps[(pair[0], pair[1])] += 1.0;
        }
        for (point, &state) in sequence.iter().zip(&path) {
            if let Some(point) = point {
                statistics[state].push(point.borrow())?;
            }
        }
    }
    let whole: f64 = initial.iter().sum();
    for weight in &mut initial {
        *weight /= whole;
    }
    for mut row in steps.row_iter_mut() {
        let whole = row.sum();
        row /= whole;
    }
    let emissions = statistics.iter().map(|own| Ok(mean_of(&F::posterior(&prior, own)?)?));
    let trace = sampled.draws().named("ln_likelihood").and_then(|chains| chains.into_iter().next());
    let warnings: Vec<String> = sampled.summary().warnings.iter().map(ToString::to_string).collect();
    let counts = sampled.blocks().into_iter().filter(|own| own.probability > 0.0);
    let posterior_of_states =
        counts.map(|own| CountProbability { states: own.blocks, probability: own.probability }).collect();
    Ok(Found {
        initial,
        transition: steps,
        emissions: emissions.collect::<Result<Vec<F>, Error>>()?,
        learned: Learned { trace: trace.unwrap_or_default(), converged: warnings.is_empty(), warnings },
        sticky: Sticky { posterior_of_states, gamma, alpha, kappa },
    })
}
