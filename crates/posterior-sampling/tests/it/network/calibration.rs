//! Error bars over many seeds: the errors divided by them are standard normal, near enough. And: the seed
//! decides, not the threads.

use posterior_inference::{Beliefs, Engine, Targets};
use posterior_pgm::Evidence;
#[cfg(feature = "rayon")]
use posterior_pgm::GraphicalModel;
use posterior_sampling::network::{ForwardSampling, NetworkGibbs};

use super::{alarm, network, var, voting};

/// The root of the mean square of (p − exact) / standard error over seeds.
fn spread(exact: f64, ask: impl Fn(u64) -> Beliefs) -> f64 {
    let seeds = 200;
    let squares = (0..seeds).map(|seed| {
        let beliefs = ask(seed);
        let (p, error) = (beliefs.marginal(var(0)).unwrap()[1], beliefs.standard_errors(var(0)).unwrap()[1]);
        ((p - exact) / error).powi(2)
    });
    (squares.sum::<f64>() / seeds as f64).sqrt()
}

/// √(χ²/200) is within 0.27 of 1 at the level of 10⁻⁶, and error bars of correlated draws are a tenth off.
#[track_caller]
fn calibrated(spread: f64) {
    assert!((0.7..1.35).contains(&spread), "{spread}");
}

#[test]
fn errors_are_as_large_as_their_bars() {
    let targets = Targets::These(vec![var(0)]);
    let none = Evidence::none();
    let vote = 10426.0 / 11327.0;
    calibrated(spread(vote, |seed| {
        (NetworkGibbs { draws: 1000, warm_up: 100, seed, ..NetworkGibbs::default() })
            .query(&voting(), &targets, &none)
            .unwrap()
    }));
    calibrated(spread(vote, |seed| {
        (ForwardSampling { draws: 2000, seed, ..ForwardSampling::default() })
            .query(&voting(), &targets, &none)
            .unwrap()
    }));
    let seen = Evidence::of([(var(2), 1)]);
    calibrated(spread(0.495_255_126_574_651, |seed| {
        (ForwardSampling { draws: 50_000, seed, ..ForwardSampling::default() })
            .query(&alarm(), &targets, &seen)
            .unwrap()
    }));
    let model = network(2, &[(&[0], &[0.4, 0.6]), (&[0, 1], &[0.7, 0.3, 0.2, 0.8])]);
    let seen = Evidence::of([(var(1), 1)]);
    calibrated(spread(0.8, |seed| {
        (ForwardSampling { draws: 1000, seed, ..ForwardSampling::logic_sampling() })
            .query(&model, &targets, &seen)
            .unwrap()
    }));
}

/// Marginals of all engines as bits.
#[cfg(feature = "rayon")]
fn answers() -> Vec<Vec<f64>> {
    let (none, all) = (Evidence::none(), Targets::All);
    let seen = Evidence::of([(var(2), 1)]);
    let gibbs = NetworkGibbs { chains: 7, draws: 50, ..NetworkGibbs::default() }
        .query(&voting(), &all, &none)
        .unwrap();
    let lw =
        ForwardSampling { draws: 30_000, ..ForwardSampling::default() }.query(&alarm(), &all, &seen).unwrap();
    let logic = ForwardSampling { draws: 30_000, ..ForwardSampling::logic_sampling() }
        .query(&alarm(), &all, &seen)
        .unwrap();
    [gibbs, lw, logic]
        .iter()
        .map(|beliefs| {
            voting().variables().ids().flat_map(|v| beliefs.marginal(v).unwrap().to_vec()).collect()
        })
        .collect()
}

#[cfg(feature = "rayon")]
#[test]
fn draws_are_the_same_on_any_number_of_threads() {
    let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(answers);
    assert_eq!(on(1), on(5));
}

/// The first draws of a seed: to change them is a change of value for every user.
#[test]
fn the_seed_decides() {
    let p = |seed| {
        let engine = NetworkGibbs { draws: 100, seed, ..NetworkGibbs::default() };
        engine.query(&voting(), &Targets::All, &Evidence::none()).unwrap().marginal(var(0)).unwrap().to_vec()
    };
    assert_eq!(p(3), p(3));
    assert_ne!(p(3), p(4));
}
