//! Sweeps of collapsed Gibbs sampling on the State of the Union addresses, on one thread.
//!
//! The throughput is tokens per CPU second.

use criterion::{Criterion, Throughput};
use posterior::datasets::sotu::{self, Address};
use posterior::topics::Corpus;
use posterior::topics::lda::gibbs::{LdaGibbs, LdaGibbsOptions};

fn corpus() -> Corpus {
    let sotu = sotu::load();
    let names = sotu.addresses.iter().map(Address::title).collect();
    let rows = sotu.addresses.into_iter().map(|address| address.counts).collect();
    Corpus::from_rows(sotu.vocabulary, names, rows).expect("the embedded corpus is valid")
}

pub(super) fn sweeps(criterion: &mut Criterion) {
    let corpus = corpus();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    let mut group = criterion.benchmark_group("collapsed Gibbs sweep");
    group.throughput(Throughput::Elements(corpus.tokens())).sample_size(20);
    for topics in [20, 100, 1000] {
        let options = LdaGibbsOptions { topics, ..LdaGibbsOptions::default() };
        let mut chain = LdaGibbs::new(&corpus, &options).expect("valid options");
        // Later sweeps are what a fit consists of: topics are found, and tokens move less.
        pool.install(|| (0..20).for_each(|_| chain.sweep()));
        group.bench_function(format!("{topics} topics"), |bencher| {
            pool.install(|| bencher.iter(|| chain.sweep()));
        });
    }
    group.finish();
}

pub(super) fn joint(criterion: &mut Criterion) {
    let corpus = corpus();
    let chain = LdaGibbs::new(&corpus, &LdaGibbsOptions { topics: 20, ..LdaGibbsOptions::default() })
        .expect("valid options");
    criterion.bench_function("joint log-likelihood, 20 topics", |bencher| bencher.iter(|| chain.ln_joint()));
}
