//! Cycles and mixtures of kernels.

use posterior_sampling::composite::{Cycle, KernelMixture};
use posterior_sampling::metropolis::{AdaptiveLangevin, AdaptiveWalk, Langevin, RandomWalk};
use posterior_sampling::slice::{AdaptiveSlice, Slice};
use posterior_sampling::{Adapt, Info, Run, Start, Transition, Untuned};
use posterior_testkit::significance::LEVEL;
use rand::{Rng, RngExt};

#[cfg(feature = "serde")]
use crate::invariance::resumes_to_the_bit;
use crate::invariance::{Skewed, estimate, p_value_of};

/// A step to the right only: no kernel of this distribution.
struct Drift;

impl posterior_sampling::metropolis::Proposal for Drift {
    fn propose<R: Rng + ?Sized>(&self, from: &[f64], to: &mut [f64], rng: &mut R) -> f64 {
        to.copy_from_slice(from);
        to[0] += rng.random::<f64>();
        0.0
    }
}

#[test]
fn composites_of_composites_leave_the_distribution_alone() {
    let (walk, langevin) = (RandomWalk::new(1.5).unwrap(), Langevin::new(1.0).unwrap());
    let slice = Slice::new(&[1.0, 2.0]).unwrap();
    let cycle = Cycle::new(walk.clone(), Cycle::new(langevin.clone(), slice));
    assert!(p_value_of(&Skewed, &cycle, 2, 31) > LEVEL);
    let mixture = KernelMixture::new(0.3, Untuned(langevin), Untuned(walk.clone())).unwrap();
    let mut rng = posterior_dist::stream::stream(1, &[]);
    let blend = mixture.begin(&Skewed, &[0.0, 0.0], 0, &mut rng).unwrap().tuned;
    assert!(p_value_of(&Skewed, &blend, 5, 32) > LEVEL);
    assert!(p_value_of(&Skewed, &Cycle::new(walk, Drift), 2, 31) < LEVEL);
}

#[test]
fn both_parts_are_tuned_and_their_numbers_are_kept() {
    let run = Run { warm_up: 1500, draws: 3000, seed: 8, ..Run::default() };
    let cycle = Cycle::new(AdaptiveWalk::default(), AdaptiveSlice::default());
    let sampled = run.sample(&Skewed, &cycle, &Start::default()).unwrap();
    let names =
        ["lp", "acceptance_rate", "accepted", "no_value", "evaluations", "expansions", "contractions"];
    assert_eq!(sampled.draws.statistic_names(), names);
    let chain = &sampled.chains[0].tuned;
    assert!(chain.first.scale() != 2.38 / 2.0_f64.sqrt() && chain.second.widths()[0] != 1.0);
    let mixture = KernelMixture::new(0.25, AdaptiveLangevin::default(), AdaptiveWalk::default()).unwrap();
    let mixed = run.sample(&Skewed, &mixture, &Start::default()).unwrap();
    let tuned = &mixed.chains[0].tuned;
    // Each was tuned for the whole warm-up: the same proportion is accepted as when it is alone.
    assert!((0.6..2.5).contains(&tuned.first().step_size()), "{tuned:?}");
    for sampled in [&sampled.draws, &mixed.draws] {
        let (mean, error) = estimate(&sampled.parameter(0), |x| x);
        assert!((mean - 0.577_215_664_9).abs() < 4.0 * error, "{mean} {error}");
    }
}

#[test]
fn a_mixture_takes_each_kernel_with_its_proportion() {
    let walk = |scale| Untuned(RandomWalk::new(scale).unwrap());
    // A step of 10⁻⁹ is always accepted, one of 10⁹ never.
    let mixture = KernelMixture::new(0.25, walk(1e-9), walk(1e9)).unwrap();
    let run = Run { draws: 4000, warm_up: 10, seed: 3, ..Run::default() };
    let draws = run.sample(&Skewed, &mixture, &Start::default()).unwrap().draws;
    let accepted = draws.statistic("accepted").unwrap().concat();
    let proportion = accepted.iter().sum::<f64>() / accepted.len() as f64;
    // Four standard errors of 16,000 draws.
    assert!((proportion - 0.25).abs() < 0.014, "{proportion}");
    assert!(KernelMixture::new(1.5, walk(1.0), walk(1.0)).is_err());
}

#[test]
fn a_number_that_both_have_is_their_mean() {
    type OfWalks = Cycle<RandomWalk, RandomWalk>;
    let cycle = Cycle::new(RandomWalk::new(1e-9).unwrap(), RandomWalk::new(1e9).unwrap());
    let mut state = cycle.init(&Skewed, &[0.0, 0.0]).unwrap();
    let info = cycle.step(&Skewed, &mut state, &mut posterior_dist::stream::stream(1, &[])).unwrap();
    let mut numbers = vec![0.0; <OfWalks as Transition<Skewed>>::Info::NAMES.len()];
    info.write(&mut numbers);
    assert!((numbers[0] - 0.5).abs() < 1e-6 && numbers[1..] == [0.5, 0.0], "{numbers:?}");
}

#[cfg(feature = "serde")]
#[test]
fn chains_resume_to_the_bit() {
    let start = Start::default();
    resumes_to_the_bit(&Skewed, &Cycle::new(AdaptiveWalk::default(), AdaptiveSlice::default()), &start);
    let mixture = KernelMixture::new(0.5, AdaptiveWalk::default(), AdaptiveLangevin::default()).unwrap();
    resumes_to_the_bit(&Skewed, &mixture, &start);
}
