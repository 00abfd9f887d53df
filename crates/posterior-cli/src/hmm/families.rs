//! A fit for each kind of observations.

use posterior::dist::stream::stream;
use posterior::dist::{Dirichlet, Poisson};
use posterior::gaussian::{Gaussian, NormalInverseWishart};
use posterior::latent::gaussian_mixture::Covariances;
use posterior::latent::mixture::{MaximumLikelihood, MostProbable};
use posterior::math::linalg::{DMatrix, DVector};
use posterior::math::streaming::MeanVariance;
use posterior::sequence::Error;
use posterior::sequence::emission::{
    CategoricalEmissions, Distributions, Emissions as _, GaussianEmissions, GaussianEstimate,
    GaussianMixtureEmissions, Sequences,
};
use posterior::sequence::hmm::Topology;
use rand::{Rng, RngExt as _};

use super::chain::Chain;
use super::kind::AnyModel;
use super::learned::Learned;
use super::learning::{Task, learn, of_windows, windows};
use super::observations::{Observations, Values, sequences, tables};
use super::windows::{Window, cut};
use crate::args::{CovarianceShape, EmissionKind, HmmFit};

/// How many rows the prior mean and covariance of a component of a mixture count for, beyond what makes them
/// a distribution (Fraley and Raftery 2007).
const PRIOR_ROWS: f64 = 0.01;

/// Fits a model of the kind that was asked for.
pub(super) fn fit(
    args: &HmmFit,
    data: &Observations,
    topology: &Topology,
) -> Result<(AnyModel, Learned), Error> {
    match &data.values {
        Values::Symbols(values) => symbols(args, data, values, topology)
            .map(|(model, learned)| (AnyModel::Categorical(model), learned)),
        Values::Vectors(values) if args.emission == EmissionKind::Mixture => {
            mixtures(args, data, values, topology).map(|(model, learned)| (AnyModel::Mixture(model), learned))
        }
        Values::Vectors(values) => vectors(args, data, values, topology)
            .and_then(|(model, learned)| Ok((AnyModel::Gaussian(of_distributions(&model)?), learned))),
        Values::Counts(values) => {
            counts(args, data, values, topology).map(|(model, learned)| (AnyModel::Poisson(model), learned))
        }
    }
}

fn symbols(
    args: &HmmFit,
    data: &Observations,
    values: &[Vec<usize>],
    topology: &Topology,
) -> Result<(Chain<CategoricalEmissions>, Learned), Error> {
    let count = data.symbols.len();
    let table = DMatrix::from_element(topology.states(), count, 1.0 / count as f64);
    let like = topology.uniform(CategoricalEmissions::new(&table)?)?;
    let all = sequences(values, &data.missing);
    let mut windows = windows(args, values);
    let mut seen = vec![false; count];
    for (own, range) in &windows {
        range.clone().filter(|&t| !data.missing[*own][t]).for_each(|t| seen[values[*own][t]] = true);
    }
    // A symbol that no window has would be impossible ever after.
    if args.pseudocount.is_none() && !seen.iter().all(|&seen| seen) {
        windows.clear();
    }
    let few = of_windows(&windows, values, &data.missing);
    let labels = data.labels.as_ref();
    let task = Task { args, topology, like: &like, draw: None, labels, is_counted: true };
    match args.pseudocount {
        None => learn(&task, (&all, &few), MaximumLikelihood),
        Some(added) => {
            let prior = MostProbable::new(Dirichlet::symmetric(count, 1.0 + added)?, 1.0)?;
            learn(&task, (&all, &few), prior)
        }
    }
}

fn counts(
    args: &HmmFit,
    data: &Observations,
    values: &[Vec<u64>],
    topology: &Topology,
) -> Result<(Chain<Distributions<Poisson>>, Learned), Error> {
    let distribution = Poisson::new(mean_count(values, &data.missing).max(f64::MIN_POSITIVE))?;
    let like = topology.uniform(Distributions::new(vec![distribution; topology.states()])?)?;
    let all = sequences(values, &data.missing);
    let mut windows = windows(args, values);
    let counted =
        |(own, range): &Window| range.clone().any(|t| !data.missing[*own][t] && values[*own][t] > 0);
    // Where no window has a count, none would be possible ever after.
    if !windows.iter().any(counted) {
        windows.clear();
    }
    let few = of_windows(&windows, values, &data.missing);
    let labels = data.labels.as_ref();
    let task = Task { args, topology, like: &like, draw: None, labels, is_counted: true };
    learn(&task, (&all, &few), MaximumLikelihood)
}

fn vectors(
    args: &HmmFit,
    data: &Observations,
    values: &[Vec<Vec<f64>>],
    topology: &Topology,
) -> Result<(Chain<GaussianEmissions>, Learned), Error> {
    let states = topology.states();
    let (mean, variances) = pooled(values, &data.missing);
    let means = DMatrix::from_fn(states, mean.len(), |_, column| mean[column]);
    let emissions = GaussianEmissions::new(&means, shaped(args.covariance, &variances, states))?;
    let like = topology.uniform(emissions)?;
    let (tables, parts) = both(args, data, values);
    let (all, few): (Sequences<'_, _>, Sequences<'_, _>) = (tables.iter().collect(), parts.iter().collect());
    let labels = data.labels.as_ref();
    let task = Task { args, topology, like: &like, draw: None, labels, is_counted: true };
    let (model, mut learned) = learn(&task, (&all, &few), MaximumLikelihood)?;
    let before = like.emissions();
    for (state, name) in labels.iter().flat_map(|labels| labels.names.iter().enumerate()) {
        let kept = model.emissions().covariance(state) == before.covariance(state);
        if kept && args.covariance != CovarianceShape::Tied {
            let why = "it has too few rows, or they do not vary";
            learned.warnings.push(format!("label {name}: its covariance is that of all rows, as {why}"));
        }
    }
    Ok((model, learned))
}

fn mixtures(
    args: &HmmFit,
    data: &Observations,
    values: &[Vec<Vec<f64>>],
    topology: &Topology,
) -> Result<(Chain<GaussianMixtureEmissions>, Learned), Error> {
    let (states, count) = (topology.states(), usize::from(args.components));
    let (mean, variances) = pooled(values, &data.missing);
    let columns = mean.len();
    let prior = vector_prior(&mean, &variances, states * count)?;
    // A component begins at a row; of a state with a label, at one with this label.
    let there: Vec<(usize, usize)> = (0..values.len())
        .flat_map(|own| (0..values[own].len()).map(move |t| (own, t)))
        .filter(|&(own, t)| !data.missing[own][t])
        .collect();
    let labels = data.labels.as_ref();
    let rows_of = |state: usize| -> Vec<(usize, usize)> {
        let is_own =
            |&(own, t): &(usize, usize)| labels.is_some_and(|labels| labels.known[own][t] == Some(state));
        let own: Vec<_> = there.iter().copied().filter(is_own).collect();
        if own.is_empty() { there.clone() } else { own }
    };
    let rows: Vec<Vec<(usize, usize)>> = (0..states).map(rows_of).collect();
    let weights = DMatrix::from_element(states, count, 1.0 / count as f64);
    let covariances = || shaped(args.covariance, &variances, states * count);
    let emissions = |rng: &mut dyn Rng| {
        let picked: Vec<(usize, usize)> = (0..states * count)
            .map(|component| rows[component / count][rng.random_range(0..rows[component / count].len())])
            .collect();
        let means = DMatrix::from_fn(states * count, columns, |component, column| {
            let (own, t) = picked[component];
            values[own][t][column]
        });
        GaussianMixtureEmissions::new(&weights, &means, covariances())
    };
    let draw = |rng: &mut dyn Rng| topology.uniform(emissions(rng)?);
    let like = draw(&mut stream(0, &[]))?;
    let (tables, parts) = both(args, data, values);
    let (all, few): (Sequences<'_, _>, Sequences<'_, _>) = (tables.iter().collect(), parts.iter().collect());
    let estimate = GaussianEstimate::with_floor(&all, 0.0)?.with_prior(prior);
    let task = Task { args, topology, like: &like, draw: Some(&draw), labels, is_counted: count == 1 };
    learn(&task, (&all, &few), estimate)
}

/// All rows as matrices, and those that short runs see.
fn both(
    args: &HmmFit,
    data: &Observations,
    values: &[Vec<Vec<f64>>],
) -> (Vec<DMatrix<f64>>, Vec<DMatrix<f64>>) {
    let windows = windows(args, values);
    (tables(values, &data.missing), tables(&cut(values, &windows), &cut(&data.missing, &windows)))
}

/// The prior of the mean and the covariance of each of so many components, which together fill the volume of
/// the data.
pub(super) fn vector_prior(
    mean: &DVector<f64>,
    variances: &DVector<f64>,
    components: usize,
) -> Result<NormalInverseWishart, Error> {
    let columns = mean.len() as f64;
    let scale = DMatrix::from_diagonal(&(variances / (components as f64).powf(2.0 / columns)));
    Ok(NormalInverseWishart::new(mean.as_slice(), PRIOR_ROWS, &scale, columns + 2.0)?)
}

/// Mean and variances of all rows: what a state begins with that has none of its own.
pub(super) fn pooled(values: &[Vec<Vec<f64>>], missing: &[Vec<bool>]) -> (DVector<f64>, DVector<f64>) {
    let there: Vec<&Vec<f64>> = values
        .iter()
        .flatten()
        .zip(missing.iter().flatten())
        .filter(|(_, missing)| !**missing)
        .map(|(row, _)| row)
        .collect();
    let columns = there.first().map_or(0, |row| row.len());
    let of = |column: usize| there.iter().map(|row| row[column]).collect::<MeanVariance>();
    let all: Vec<MeanVariance> = (0..columns).map(of).collect();
    // A column that never changes, or a single row, gives no width.
    let width = |own: &MeanVariance| {
        let variance = own.sample_variance();
        if variance > 0.0 { variance } else { 1.0 }
    };
    (
        DVector::from_iterator(columns, all.iter().map(MeanVariance::mean)),
        DVector::from_iterator(columns, all.iter().map(width)),
    )
}

/// The mean of the counts that were seen.
pub(super) fn mean_count(values: &[Vec<u64>], missing: &[Vec<bool>]) -> f64 {
    let all = values.iter().flatten().zip(missing.iter().flatten());
    let there = all.filter(|(_, missing)| !**missing).map(|(count, _)| *count as f64);
    there.collect::<MeanVariance>().mean()
}

/// These variances for each of so many components.
fn shaped(shape: CovarianceShape, variances: &DVector<f64>, components: usize) -> Covariances {
    match shape {
        CovarianceShape::Full => Covariances::Full(vec![DMatrix::from_diagonal(variances); components]),
        CovarianceShape::Tied => Covariances::Tied(DMatrix::from_diagonal(variances)),
        CovarianceShape::Diag => {
            Covariances::Diagonal(DMatrix::from_fn(components, variances.len(), |_, column| {
                variances[column]
            }))
        }
        CovarianceShape::Spherical => Covariances::Spherical(vec![variances.mean(); components]),
    }
}

/// The same model as files have it: a distribution for each state.
fn of_distributions(model: &Chain<GaussianEmissions>) -> Result<Chain<Distributions<Gaussian>>, Error> {
    let emissions = model.emissions();
    let distribution = |state: usize| {
        let mean: Vec<f64> = emissions.means().row(state).iter().copied().collect();
        Gaussian::new(&mean, &emissions.covariance(state))
    };
    let all = (0..emissions.states()).map(distribution).collect::<Result<Vec<_>, _>>()?;
    model.with(Distributions::new(all)?)
}
