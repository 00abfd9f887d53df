//! Gradients, chains and their diagnostics.

use criterion::{Criterion, Throughput};
use posterior_benches::mcmc::{LogisticData, five_targets};
use posterior_dist::target::GradTarget;
use posterior_sampling::diagnostics::{ess_bulk, ess_tail, mcse_mean, rhat};
use posterior_sampling::hamiltonian::{Hmc, MetricChoice, Nuts};
use posterior_sampling::metropolis::{AdaptiveLangevin, AdaptiveWalk};
use posterior_sampling::{Adapt, Run, Start, Transition};

type Density = dyn GradTarget + Send + Sync;

pub(super) fn gradients(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("gradient");
    for named in five_targets(&LogisticData::generate(1000, 25, 7)) {
        let x: Vec<f64> = (0..named.target.dim()).map(|i| (0.37 * i as f64).sin()).collect();
        let mut gradient = vec![0.0; x.len()];
        group.bench_function(named.name, |bencher| {
            bencher.iter(|| named.target.ln_density_grad(&x, &mut gradient));
        });
    }
    group.finish();
}

/// One chain, its warm-up counted.
fn chain<A>(target: &Density, sampler: &A) -> usize
where
    A: Adapt<Density, Progress: Send, Tuned: Transition<Density, State: Send> + Send> + Sync,
{
    let run = Run { chains: 1, ..Run::default() };
    run.sample(target, sampler, &Start::default()).map_or(0, |sampled| sampled.draws.len())
}

pub(super) fn chains(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("chain of 1,000 + 1,000");
    group.sample_size(10).throughput(Throughput::Elements(2000));
    for named in five_targets(&LogisticData::generate(1000, 25, 7)) {
        let target = &*named.target;
        for (name, metric) in [("", MetricChoice::Diagonal), (", low rank", MetricChoice::LOW_RANK)] {
            let nuts = Nuts { metric, ..Nuts::default() };
            let id = format!("{}, NUTS{name}", named.name);
            group.bench_function(id, |bencher| bencher.iter(|| chain(target, &nuts)));
        }
        let others = ["HMC", "Langevin", "random walk"].map(|name| format!("{}, {name}", named.name));
        let [hmc, langevin, walk] = others;
        group.bench_function(hmc, |bencher| bencher.iter(|| chain(target, &Hmc::default())));
        group
            .bench_function(langevin, |bencher| bencher.iter(|| chain(target, &AdaptiveLangevin::default())));
        group.bench_function(walk, |bencher| bencher.iter(|| chain(target, &AdaptiveWalk::default())));
    }
    group.finish();
}

pub(super) fn diagnostics(criterion: &mut Criterion) {
    let chains: Vec<Vec<f64>> =
        (0..4).map(|c| (0..1000).map(|i| f64::from((7919 * i + 271 * c) % 10_007).sin()).collect()).collect();
    let mut group = criterion.benchmark_group("diagnostics of 4 x 1,000 draws");
    group.bench_function("R-hat", |bencher| bencher.iter(|| rhat(&chains)));
    group.bench_function("bulk ESS", |bencher| bencher.iter(|| ess_bulk(&chains)));
    group.bench_function("tail ESS", |bencher| bencher.iter(|| ess_tail(&chains)));
    group.bench_function("error of the mean", |bencher| bencher.iter(|| mcse_mean(&chains)));
    group.finish();
}
