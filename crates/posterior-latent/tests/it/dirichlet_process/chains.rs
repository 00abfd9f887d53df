//! Chains: streams of their own, stopped and resumed to the bit, and what they say together.

use posterior_dist::{Gamma, PitmanYor};
use posterior_gaussian::NormalInverseWishart;
use posterior_latent::dirichlet_process::{AuxiliaryGibbs, HyperPrior, ProcessGibbs};
use posterior_latent::gibbs::{
    BlockedGibbs, ClusterSampler, ClusterState, ConjugateGaussians, MixtureWeights, PartitionChains, sample,
};
use posterior_latent::partition::PartitionPrior;
use posterior_math::linalg::DMatrix;
use posterior_sampling::Run;

fn components() -> ConjugateGaussians {
    let rows = DMatrix::from_fn(40, 2, |i, j| {
        let wave = ((17 * i + 5 * j + 3) as f64 * 0.7).sin();
        6.0 * (i % 3) as f64 * if j == 0 { 1.0 } else { -0.5 } + wave
    });
    let prior = NormalInverseWishart::new(&[5.0, -2.0], 0.1, &DMatrix::identity(2, 2), 4.0).unwrap();
    ConjugateGaussians::new(&rows, &prior).unwrap()
}

fn sampler(components: &ConjugateGaussians) -> ProcessGibbs<'_, ConjugateGaussians> {
    let learned = HyperPrior::concentration(Gamma::shape_rate(1.0, 1.0).unwrap());
    ProcessGibbs::new(components, PitmanYor::chinese_restaurant(1.0).unwrap()).with_hyper_prior(learned)
}

fn run() -> Run {
    Run { warm_up: 100, draws: 400, seed: 5, ..Run::default() }
}

#[test]
fn a_chain_does_not_know_how_many_there_are_nor_where_it_was_stopped() {
    let components = components();
    let sampler = sampler(&components);
    let all = sample(&sampler, &Run { draws: 30, ..run() }).unwrap();
    let two = sample(&sampler, &Run { draws: 30, chains: 2, ..run() }).unwrap();
    assert_eq!(all.partitions()[..2], *two.partitions());
    let mut chains = PartitionChains::start(&sampler, &Run { draws: 30, ..run() }).unwrap();
    for sweeps in [1, 7, 100, usize::MAX] {
        chains.advance(&sampler, sweeps).unwrap();
    }
    assert_eq!(chains.states().count(), 4);
    assert_eq!(chains.finish().unwrap(), all);
    assert_ne!(all.partitions()[0], all.partitions()[1]);
}

#[cfg(feature = "serde")]
#[test]
fn chains_are_written_down_and_resumed_to_the_bit() {
    use posterior_latent::gibbs::Clusterings;

    fn resumed<K: ClusterSampler<State: serde::Serialize + serde::de::DeserializeOwned>>(
        sampler: &K,
    ) -> Clusterings {
        let mut chains = PartitionChains::start(sampler, &Run { draws: 20, ..run() }).unwrap();
        chains.advance(sampler, 63).unwrap();
        let text = serde_json::to_string(&chains).unwrap();
        let mut chains: PartitionChains<K::State> = serde_json::from_str(&text).unwrap();
        chains.advance(sampler, 41).unwrap();
        let text = serde_json::to_string(&chains).unwrap();
        let mut chains: PartitionChains<K::State> = serde_json::from_str(&text).unwrap();
        chains.advance(sampler, usize::MAX).unwrap();
        chains.finish().unwrap()
    }
    let components = components();
    let collapsed = sampler(&components);
    assert_eq!(resumed(&collapsed), sample(&collapsed, &Run { draws: 20, ..run() }).unwrap());
}

/// Three groups far apart: chains that begin anywhere find them, and agree.
#[test]
fn chains_agree_about_quantities_without_labels() {
    let components = components();
    let run = Run { draws: 1500, ..run() };
    let sampled = sample(&sampler(&components), &run).unwrap();
    let blocks = sampled.blocks();
    assert!(blocks[3].probability > 0.5, "{blocks:?}");
    assert!((blocks.iter().map(|count| count.probability).sum::<f64>() - 1.0).abs() < 1e-12);
    let summary = sampled.summary();
    let names: Vec<&str> = summary.parameters.iter().map(|parameter| &parameter.name[..]).collect();
    assert_eq!(names, ["blocks", "largest", "entropy", "ln_joint", "concentration", "discount"]);
    for parameter in &summary.parameters[..5] {
        assert!(parameter.rhat.as_ref().is_ok_and(|&rhat| rhat < 1.03), "{summary}");
    }
    let drawn = sample(
        &AuxiliaryGibbs::new(&components, PitmanYor::chinese_restaurant(1.0).unwrap())
            .with_hyper_prior(HyperPrior::concentration(Gamma::shape_rate(1.0, 1.0).unwrap())),
        &run,
    );
    let other = drawn.unwrap().co_clustering().unwrap();
    let difference = sampled.co_clustering().unwrap().largest_difference(&other).unwrap();
    assert!(difference < 0.1, "{difference}");
}

/// The predictive density integrates to one, and is higher where the data are.
#[test]
fn the_next_point_has_a_distribution() {
    let components = components();
    let sampled = sample(&sampler(&components), &Run { draws: 5, chains: 2, ..run() }).unwrap();
    let step = 0.5;
    let grid: Vec<[f64; 2]> =
        (-80..120).flat_map(|i| (-90..80).map(move |j| [f64::from(i) * step, f64::from(j) * step])).collect();
    let points: Vec<&[f64]> = grid.iter().map(|point| &point[..]).collect();
    let distribution = |partition: &_, chain, draw| {
        let seats: PartitionPrior = sampled.process(chain, draw).unwrap();
        components.predictive(partition, &seats)
    };
    let ln_density = sampled.ln_predictive(&points, distribution).unwrap();
    let total: f64 = ln_density.iter().map(|ln| ln.exp() * step * step).sum();
    // The distribution of a new block has tails beyond the grid.
    assert!((0.985..1.001).contains(&total), "{total}");
    assert!(sampled.process(2, 0).is_none() && sampled.process(0, 5).is_none());
}

#[test]
fn states_of_other_data_are_refused() {
    fn refused<K: ClusterSampler>(sampler: &K, other: &K) {
        let mut chains = PartitionChains::start(sampler, &Run { draws: 20, ..run() }).unwrap();
        chains.advance(sampler, 2).unwrap();
        assert!(chains.advance(other, 1).is_err());
        chains.advance(sampler, 1).unwrap();
    }
    let all = components();
    let rows = DMatrix::from_fn(7, 2, |i, j| (i + 2 * j) as f64);
    let few = ConjugateGaussians::new(&rows, all.prior()).unwrap();
    let process = PitmanYor::chinese_restaurant(1.0).unwrap();
    let weights = |components| MixtureWeights::sticks(components, process).unwrap();
    for (one, other) in [(&all, &few), (&few, &all)] {
        refused(&sampler(one), &sampler(other));
        refused(&AuxiliaryGibbs::new(one, process), &AuxiliaryGibbs::new(other, process));
        refused(&BlockedGibbs::new(one, weights(4)), &BlockedGibbs::new(other, weights(4)));
        refused(&BlockedGibbs::new(one, weights(4)), &BlockedGibbs::new(one, weights(3)));
        refused(&BlockedGibbs::new(one, weights(3)), &BlockedGibbs::new(one, weights(4)));
    }
}

#[test]
fn states_say_where_they_are() {
    let components = components();
    let sampler = sampler(&components);
    let mut rng = posterior_dist::stream::stream(1, &[]);
    let mut state = sampler.start(&mut rng).unwrap();
    for _ in 0..50 {
        sampler.sweep(&mut state, &mut rng).unwrap();
    }
    let mut numbers = Vec::new();
    state.write(&mut numbers);
    assert_eq!(numbers, [state.ln_joint(), state.process().unwrap().concentration(), 0.0]);
    let again = sampler.start_at(
        &posterior_latent::partition::Partition::from_labels(state.labels()),
        &state.process().unwrap(),
    );
    assert!((again.unwrap().ln_joint() - state.ln_joint()).abs() < 1e-9);
    let (proposed, accepted) = state.split_merges();
    assert!(proposed == 50 && accepted <= 50);
}
