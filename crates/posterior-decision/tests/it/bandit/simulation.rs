//! The simulation: its books, its luck, and what theory says of long games.

use posterior_decision::bandit::{
    Curve, Environment, Policy, RewardDistribution, SimulatedGames, SimulationOptions, Thompson, Ucb1,
    parse_policy, simulate, theory,
};

fn run(policies: &[&str], arms: &[f64], horizon: u64, runs: u64) -> SimulatedGames {
    let policies: Vec<Box<dyn Policy>> = policies.iter().map(|name| parse_policy(name).unwrap()).collect();
    let policies: Vec<&dyn Policy> = policies.iter().map(AsRef::as_ref).collect();
    let options = SimulationOptions { horizon, runs, ..SimulationOptions::default() };
    simulate(&policies, &Environment::bernoulli(arms).unwrap(), &options).unwrap()
}

#[test]
fn the_books_are_in_order() {
    let found = run(&["ucb1", "thompson"], &[0.9, 0.6, 0.9], 300, 40);
    assert_eq!((found.runs, found.times[0], *found.times.last().unwrap()), (40, 1, 300));
    assert!(found.times.is_sorted() && found.times.len() > 100);
    for curve in &found.curves {
        assert!((curve.plays.iter().sum::<f64>() - 300.0).abs() < 1e-10);
        // Regret is the plays of the one arm that is not best, and the proportion the rest.
        assert!((curve.final_regret() - 0.3 * curve.plays[1]).abs() < 1e-10);
        let proportion = curve.proportion_of_best.last().unwrap();
        assert!((proportion - (1.0 - curve.plays[1] / 300.0)).abs() < 1e-12);
        let mean = curve.final_regrets.iter().sum::<f64>() / 40.0;
        assert!((mean - curve.final_regret()).abs() < 1e-10);
        assert!(curve.regret.is_sorted() && curve.quantiles.iter().all(|quantiles| quantiles.is_sorted()));
        assert_eq!(curve.regret.len(), found.times.len());
    }
}

/// A policy has the same games whatever runs beside it, and a second call repeats the first.
#[test]
fn games_depend_on_the_seed_and_nothing_else() {
    let together = run(&["ucb1", "thompson"], &[0.7, 0.5], 100, 20);
    let alone = run(&["thompson"], &[0.7, 0.5], 100, 20);
    assert_eq!(together.curves[1], alone.curves[0]);
    let options = SimulationOptions { horizon: 100, runs: 20, seed: 1, ..SimulationOptions::default() };
    let arms = Environment::bernoulli(&[0.7, 0.5]).unwrap();
    let other = simulate(&[&Thompson::default()], &arms, &options).unwrap();
    assert_ne!(other.curves[0].final_regrets, alone.curves[0].final_regrets);
}

#[cfg(feature = "rayon")]
#[test]
fn threads_change_nothing() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&["kl-ucb", "thompson", "exp3:0.1"], &[0.7, 0.5], 100, 33))
    };
    assert_eq!(on(1), on(3));
}

/// The first draws of a seed: a change is a change of value for every user.
#[test]
fn the_luck_of_a_seed_is_pinned() {
    let found = run(&["thompson", "ucb1"], &[0.9, 0.6], 50, 4);
    let plays: Vec<Vec<f64>> = found
        .curves
        .iter()
        .map(|curve| curve.final_regrets.iter().map(|regret| (regret / 0.3).round()).collect())
        .collect();
    assert_eq!(plays, PINNED);
}

const PINNED: [[f64; 4]; 2] = [[4.0, 8.0, 1.0, 1.0], [12.0, 19.0, 11.0, 15.0]];

/// Auer, Cesa-Bianchi and Fischer's first experiment: (0.9, 0.6). The bound holds with room to spare; KL-UCB,
/// Thompson and Bayes-UCB grow at Lai and Robbins' rate to within 40 % already between 100 and 10,000 plays,
/// UCB1 four to ten times as fast.
#[test]
fn regret_grows_as_theory_says() {
    let means = [0.9, 0.6];
    let found = run(&["ucb1", "kl-ucb", "thompson"], &means, 10_000, 200);
    let constant = theory::lai_robbins(&means).unwrap();
    let slopes: Vec<f64> = found.curves.iter().map(|curve| curve.slope(&found.times) / constant).collect();
    assert!(found.curves[0].final_regret() < theory::ucb1_bound(&means, 10_000).unwrap());
    assert!(slopes[0] > 4.0 && slopes[0] < 10.0, "{slopes:?}");
    for slope in &slopes[1..] {
        assert!((0.6..1.4).contains(slope), "{slopes:?}");
    }
    assert!(found.curves[2].proportion_of_best.last().unwrap() > &0.995);
}

#[test]
fn who_forgets_follows_a_change() {
    let arms = Environment::bernoulli(&[0.9, 0.5]).unwrap();
    let arms = arms
        .then(2000, vec![RewardDistribution::Bernoulli(0.1), RewardDistribution::Bernoulli(0.5)])
        .unwrap();
    let policies =
        ["sliding-window-ucb:200", "discounted-ucb:0.99", "kl-ucb"].map(|name| parse_policy(name).unwrap());
    let options = SimulationOptions { horizon: 4000, runs: 40, ..SimulationOptions::default() };
    let found = simulate(&policies.each_ref().map(AsRef::as_ref), &arms, &options).unwrap();
    let regrets: Vec<f64> = found.curves.iter().map(Curve::final_regret).collect();
    // Before the change 0.4 is lost per wrong play, after it as much.
    assert!(found.curves.iter().all(|curve| curve.final_regret() < 1600.0));
    assert!(regrets[0] < 0.8 * regrets[2] && regrets[1] < 0.8 * regrets[2], "{regrets:?}");
}

#[test]
fn nonsense_is_refused() {
    let arms = Environment::bernoulli(&[0.5, 0.6]).unwrap();
    let ucb1 = Ucb1::default();
    let policies: [&dyn Policy; 1] = [&ucb1];
    assert!(simulate(&[], &arms, &SimulationOptions::default()).is_err());
    assert!(
        simulate(&policies, &arms, &SimulationOptions { horizon: 0, ..SimulationOptions::default() })
            .is_err()
    );
    assert!(
        simulate(&policies, &arms, &SimulationOptions { runs: 0, ..SimulationOptions::default() }).is_err()
    );
    // UCB1 refuses what is not in [0, 1].
    let normal = Environment::normal(&[0.0, 1.0], 1.0).unwrap();
    assert!(simulate(&policies, &normal, &SimulationOptions::default()).is_err());
    assert!(Environment::bernoulli(&[]).is_err() && Environment::bernoulli(&[1.5]).is_err());
    assert!(Environment::normal(&[f64::NAN], 1.0).is_err() && Environment::normal(&[0.0], -1.0).is_err());
    assert!(
        arms.clone().then(0, arms.distributions().to_vec()).is_err()
            && arms.clone().then(5, Vec::new()).is_err()
    );
    // One play, one run, one recorded time.
    let one = SimulationOptions { horizon: 1, runs: 1, points: 0, ..SimulationOptions::default() };
    let found = simulate(&policies, &arms, &one).unwrap();
    assert_eq!(found.times, [1]);
    assert!(found.curves[0].standard_errors[0].is_nan() && found.curves[0].slope(&found.times).is_nan());
}
