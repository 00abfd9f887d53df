//! Discrete draws, Dirichlet draws and the fit of a Dirichlet-multinomial.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use posterior::dist::stream::stream;
use posterior::dist::{
    AliasTable, ConcentrationOptions, CountHistograms, CumulativeTable, Dirichlet, DirichletMultinomial,
};
use posterior::math::iteration::Silent;
use rand::distr::Distribution;

pub(super) fn discrete_draws(criterion: &mut Criterion) {
    let weights: Vec<f64> = (1..=1000_u32).map(|i| 1.0 / f64::from(i)).collect();
    let alias = AliasTable::from_weights(&weights).expect("positive weights");
    let table = CumulativeTable::from_weights(&weights).expect("positive weights");
    let peer = rand_distr::weighted::WeightedAliasIndex::new(weights).expect("positive weights");
    let mut group = criterion.benchmark_group("draw one of 1000");
    group.throughput(Throughput::Elements(1));
    let mut rng = stream(1, &[]);
    group.bench_function("alias table", |bencher| bencher.iter(|| alias.sample(&mut rng)));
    group.bench_function("cumulative table", |bencher| bencher.iter(|| table.sample(&mut rng)));
    group.bench_function("rand_distr alias", |bencher| bencher.iter(|| peer.sample(&mut rng)));
    group.finish();
}

pub(super) fn dirichlet(criterion: &mut Criterion) {
    let distribution = Dirichlet::symmetric(20, 0.25).expect("a positive concentration");
    let mut rng = stream(2, &[]);
    let mut group = criterion.benchmark_group("Dirichlet of 20");
    group.bench_function("draw", |bencher| bencher.iter(|| black_box(distribution.sample(&mut rng))));
    let mut counts = CountHistograms::new(20);
    for _ in 0..1000 {
        let proportions: Vec<f64> = distribution.sample(&mut rng);
        let row: Vec<u64> = proportions.iter().map(|proportion| (100.0 * proportion) as u64).collect();
        counts.push(&row).expect("rows of one length");
    }
    group.bench_function("fit to 1000 count vectors", |bencher| {
        bencher.iter(|| DirichletMultinomial::fit(&counts, &ConcentrationOptions::default(), &mut Silent));
    });
    group.finish();
}
