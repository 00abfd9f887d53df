//! Several chains: one stream each, resumable, and errors that name the start.

use posterior_dist::target::FromFn;
use posterior_sampling::metropolis::RandomWalk;
use posterior_sampling::{Error, Run, Start, Untuned};

#[test]
fn a_normal_distribution_is_recovered() {
    let target = FromFn::new(1, |x: &[f64]| -0.5 * (x[0] - 3.0).powi(2));
    let run = Run { draws: 20_000, seed: 5, ..Run::default() };
    let sampled = run.sample(&target, &Untuned(RandomWalk::new(2.4).unwrap()), &Start::default()).unwrap();
    let all: Vec<f64> = sampled.draws.parameter(0).concat();
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    // About 20,000 effective draws of standard deviation 1: four standard errors.
    assert!((mean - 3.0).abs() < 0.03, "{mean}");
}

#[test]
fn a_run_in_pieces_is_the_run_in_one() {
    let target = FromFn::new(2, |x: &[f64]| -0.5 * (x[0] * x[0] + x[1] * x[1]));
    let run = Run { warm_up: 10, draws: 50, thin: 3, seed: 1, ..Run::default() };
    let sampler = Untuned(RandomWalk::new(1.0).unwrap());
    let whole = run.sample(&target, &sampler, &Start::default()).unwrap();
    let mut chains = run.start(&target, &sampler, &Start::default()).unwrap();
    while !chains.is_done() {
        chains.advance(&target, &sampler, 7).unwrap();
    }
    assert_eq!(chains.finish().unwrap(), whole);
    assert_eq!((whole.draws.chains(), whole.draws.len()), (4, 50));
}

#[test]
fn a_density_that_is_zero_everywhere_names_the_start() {
    let target = FromFn::new(1, |_: &[f64]| f64::NEG_INFINITY);
    let sampler = Untuned(RandomWalk::new(1.0).unwrap());
    let refused = Run::default().sample(&target, &sampler, &Start::default()).unwrap_err();
    assert!(refused.is_start());
    assert_eq!(
        refused.to_string(),
        "no start for chain 0 in 100 tries uniform in [-2, 2]: ln p(x) is -inf; \
         give a start where the density is not zero (`Start::At`)"
    );
    let refused = Run::default().sample(&target, &sampler, &Start::At(vec![0.0])).unwrap_err();
    assert!(matches!(refused, Error::Start { .. }));
}

#[test]
fn chains_do_not_go_on_with_a_target_of_another_dimension() {
    let normal = |dim| FromFn::new(dim, |x: &[f64]| -0.5 * x.iter().map(|x| x * x).sum::<f64>());
    let sampler = Untuned(RandomWalk::new(1.0).unwrap());
    let mut chains = Run::default().start(&normal(2), &sampler, &Start::default()).unwrap();
    chains.advance(&normal(2), &sampler, 1).unwrap();
    let refused = chains.advance(&normal(3), &sampler, 1).unwrap_err();
    assert!(
        matches!(refused, Error::Dimension(posterior_math::DimensionError { expected: 3, found: 2, .. })),
        "{refused}"
    );
}
