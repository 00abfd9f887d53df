//! Gaussian mixtures by Gibbs sampling: of so many components, or of a Dirichlet process.

use posterior::dist::{Conjugate, Gamma, PitmanYor, Stats};
use posterior::gaussian::{Gaussian, MultivariateT, NormalInverseWishart};
use posterior::latent::dirichlet_process::{HyperPrior, ProcessGibbs};
use posterior::latent::gaussian_mixture::fraley_raftery_prior;
use posterior::latent::gibbs::{Clusterings, CollapsedGibbs, ConjugateGaussians, sample};
use posterior::latent::partition::{Partition, PartitionPrior, PartitionSearch};
use posterior::latent::{Error, Observations};
use posterior::sampling::Run;
use posterior::sampling::diagnostics::Warning;

use super::answer::{Answer, CountProportion, rows_of};
use super::model::Groups;
use crate::args::{ClusterFit, Counts};
use crate::failure::{Failure, refused};
use crate::long_work::LongWork;
use crate::rows_input::Rows;

/// Sweeps in all, and the proportion of them that is left out.
const SWEEPS: u32 = 6000;

/// Draws of a chain that are kept: the partition that stands for all is searched among them.
const KEPT: usize = 500;

/// Components that the prior of a process is made for.
const EXPECTED: usize = 5;

/// A mixture with the number of components given.
pub(super) fn finite(args: &ClusterFit, data: &Rows, counts: Counts) -> Result<(Answer, Groups), Failure> {
    let components = components(data, counts.most)?;
    let seats = PartitionPrior::finite(counts.most, args.alpha.unwrap_or(1.0))
        .map_err(|error| Failure::Usage(format!("--alpha: {error}")))?;
    let shown = LongWork::of(1, "sampling", args.common.quiet);
    let sampled = sample(&CollapsedGibbs::new(&components, seats), &run(args)).map_err(refused)?;
    shown.say("summing up");
    output(args, data, &components, &sampled).map_err(refused)
}

/// A mixture of as many components as the data ask for.
pub(super) fn process(args: &ClusterFit, data: &Rows) -> Result<(Answer, Groups), Failure> {
    let components = components(data, EXPECTED)?;
    let process = PitmanYor::new(0.0, args.alpha.unwrap_or(1.0))
        .map_err(|error| Failure::Usage(format!("--alpha: {error}")))?;
    let mut sampler = ProcessGibbs::new(&components, process);
    if args.alpha.is_none() {
        let prior = Gamma::shape_rate(1.0, 1.0).map_err(refused)?;
        sampler = sampler.with_hyper_prior(HyperPrior::concentration(prior));
    }
    let shown = LongWork::of(1, "sampling", args.common.quiet);
    let sampled = sample(&sampler, &run(args)).map_err(refused)?;
    shown.say("summing up");
    output(args, data, &components, &sampled).map_err(refused)
}

fn components(data: &Rows, expected: usize) -> Result<ConjugateGaussians, Failure> {
    if data.incomplete() {
        let message = format!("{}: values are missing, which the samplers have no place for", data.source);
        return Err(Failure::data(message).with_hint("--method gmm takes rows with missing values"));
    }
    let rows = Observations::new(&data.values).map_err(refused)?;
    let prior = fraley_raftery_prior(&rows, expected).map_err(refused)?;
    ConjugateGaussians::new(&data.values, &prior).map_err(refused)
}

fn run(args: &ClusterFit) -> Run {
    let sweeps = args.iterations.unwrap_or(SWEEPS) as usize;
    let warm_up = sweeps / 3;
    let thin = ((sweeps - warm_up) / KEPT).max(1);
    let draws = ((sweeps - warm_up) / thin).max(1);
    Run { warm_up, draws, thin, seed: args.common.seed, ..Run::default() }
}

fn output(
    args: &ClusterFit,
    data: &Rows,
    components: &ConjugateGaussians,
    sampled: &Clusterings,
) -> Result<(Answer, Groups), Error> {
    let estimate = PartitionSearch::default().run(sampled.partitions())?.partition;
    let (means, covariances, predictive) = groups(data, components.prior(), &estimate)?;
    let weights: Vec<f64> =
        estimate.sizes().iter().map(|&size| f64::from(size) / estimate.len() as f64).collect();
    // Of the first chain: one line is easier to read than four.
    let trace =
        sampled.draws().named("ln_joint").and_then(|chains| chains.into_iter().next()).unwrap_or_default();
    let summary = sampled.summary();
    let output = summary.warnings.iter().filter(|own| !is_constant(own));
    let warnings = output.map(ToString::to_string).collect();
    let counts = sampled.blocks().into_iter().filter(|own| own.probability > 0.0);
    let posterior = counts.map(|own| CountProportion { k: own.blocks, probability: own.probability });
    let answer = Answer {
        weights: weights.clone(),
        means,
        covariances,
        trace,
        assignments: estimate.labels().iter().map(|&block| block as usize).collect(),
        certainty: sampled.membership(&estimate)?,
        posterior_of_k: Some(posterior.collect()),
        warnings,
        ..Answer::new(args, data)
    };
    Ok((answer.in_units(data), Groups::Predictive(weights, predictive)))
}

/// Whether a warning is about a quantity that is the same in all draws, as the discount of a Dirichlet
/// process is.
const fn is_constant(warning: &Warning) -> bool {
    matches!(warning, Warning::Undefined(_))
}

/// The mean and the covariance of the most probable distribution of each group, and the distribution of a new
/// row of it.
fn groups(data: &Rows, prior: &NormalInverseWishart, partition: &Partition) -> Result<Moments, Error> {
    let dimension = data.values.ncols();
    let (mut means, mut covariances, mut predictive) = (Vec::new(), Vec::new(), Vec::new());
    for members in partition.members() {
        let rows: Vec<Vec<f64>> =
            members.iter().map(|&row| data.values.row(row).iter().copied().collect()).collect();
        let stats = Stats::<Gaussian>::of(dimension, rows.iter().map(Vec::as_slice))?;
        let posterior = Gaussian::posterior(prior, &stats)?;
        predictive.push(<Gaussian as Conjugate<NormalInverseWishart>>::predictive(&posterior, &dimension)?);
        if let Some(distribution) =
            <Gaussian as Conjugate<NormalInverseWishart>>::most_probable(&posterior, &dimension)?
        {
            means.push(distribution.mean().as_slice().to_vec());
            covariances.push(rows_of(distribution.covariance()));
        }
    }
    Ok((means, covariances, predictive))
}

type Moments = (Vec<Vec<f64>>, Vec<Vec<Vec<f64>>>, Vec<MultivariateT>);
