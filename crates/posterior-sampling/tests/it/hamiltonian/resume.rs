//! Draws to the bit: from JSON in the middle of a warm-up, on any number of threads, and as pinned.

#[cfg(feature = "serde")]
use posterior_sampling::hamiltonian::MetricChoice;
use posterior_sampling::hamiltonian::{Hmc, Nuts};
use posterior_sampling::{Run, Start};

use super::autoregression;

#[cfg(feature = "serde")]
#[test]
fn a_run_resumes_from_json_to_the_bit() {
    let target = autoregression(5, 0.7);
    let run = Run { chains: 2, warm_up: 200, draws: 50, seed: 6, ..Run::default() };
    for metric in [
        MetricChoice::Unit,
        MetricChoice::Diagonal,
        MetricChoice::DiagonalDraws,
        MetricChoice::Dense,
        MetricChoice::LowRank { cutoff: 1.1 },
    ] {
        let sampler = Nuts { metric: metric.clone(), ..Nuts::default() };
        let whole = run.sample(&target, &sampler, &Start::default()).unwrap();
        let mut chains = run.start(&target, &sampler, &Start::default()).unwrap();
        for steps in [0, 5, 31, 64, 90, 40] {
            chains.advance(&target, &sampler, steps).unwrap();
            let text = serde_json::to_string(&chains).unwrap();
            chains = serde_json::from_str(&text).unwrap();
        }
        chains.advance(&target, &sampler, usize::MAX).unwrap();
        assert_eq!(chains.finish().unwrap(), whole);

        let sampler = Hmc { metric, ..Hmc::default() };
        let whole = run.sample(&target, &sampler, &Start::default()).unwrap();
        let mut chains = run.start(&target, &sampler, &Start::default()).unwrap();
        chains.advance(&target, &sampler, 77).unwrap();
        let text = serde_json::to_string(&chains).unwrap();
        chains = serde_json::from_str(&text).unwrap();
        chains.advance(&target, &sampler, usize::MAX).unwrap();
        assert_eq!(chains.finish().unwrap(), whole);
    }
}

#[cfg(feature = "rayon")]
#[test]
fn the_number_of_threads_does_not_matter() {
    let target = autoregression(7, 0.7);
    let run = Run { warm_up: 100, draws: 50, seed: 6, ..Run::default() };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run.sample(&target, &Nuts::default(), &Start::default()).unwrap())
    };
    assert_eq!(on(1), on(2));
}

#[test]
fn first_draws_are_pinned() {
    const NUTS: [f64; 4] = [-0.3960213350559828, 0.8428921353631001, 0.24712265872778855, 1.0972250183792704];
    const HMC: [f64; 4] = [-0.2079742621937739, 0.43566422919407455, 0.8110320625685375, 0.44068269457834464];
    let run = Run { chains: 1, warm_up: 50, draws: 2, seed: 1, ..Run::default() };
    let draws = run.sample(&autoregression(2, 0.5), &Nuts::default(), &Start::default()).unwrap().draws;
    assert_eq!([draws.draw(0, 0), draws.draw(0, 1)].concat(), NUTS);
    let draws = run.sample(&autoregression(2, 0.5), &Hmc::default(), &Start::default()).unwrap().draws;
    assert_eq!([draws.draw(0, 0), draws.draw(0, 1)].concat(), HMC);
}
