//! Accelerated, hard, stochastic, incremental and online EM.

use posterior_inference::em::{
    EmOptions, Hard, OnlineOptions, Problem, accelerated_em, expectation_maximization, incremental_em,
    online_em, stochastic_em,
};
use posterior_inference::{best_of, best_of_short_runs};
use posterior_math::iteration::{Silent, Stop};
use posterior_math::optimize::StepSchedule;
use posterior_testkit::accuracy::{assert_close, assert_within};
use rand::RngExt;

use super::{HIGHEST, START, Tosses, Whole, assert_coins, assert_rises, coins, steps, tosses};

#[test]
fn acceleration_saves_steps_and_never_falls() {
    let problem = Tosses { prior: 1.1, ..tosses() };
    let start = coins(0.3, 0.8, 0.5);
    let options = EmOptions { tolerance: 1e-15, max_iterations: 100_000, ..EmOptions::default() };
    let plain = expectation_maximization(&problem, start, &options, &mut Silent).unwrap();
    let fast = accelerated_em(&problem, start, &options, &mut Silent).unwrap();
    assert!(plain.report.converged() && fast.report.converged());
    assert_rises(&fast.report.trace);
    assert!(fast.report.falls.is_empty());
    assert_coins(&fast.model, &plain.model, 1e-5);
    let (slow, quick) = (plain.report.iterations(), fast.report.iterations());
    assert!(5 * quick < slow, "{quick} steps against {slow}");
    let last = |trace: &[f64]| trace[trace.len() - 1];
    assert!(last(&fast.report.trace) >= last(&plain.report.trace) - 1e-13);
}

#[test]
fn acceleration_at_the_edge_is_em() {
    // A coin that always shows heads has no logit.
    let start = coins(0.1, 1.0, 0.5);
    let fast = accelerated_em(&tosses(), start, &steps(60), &mut Silent).unwrap();
    let plain = expectation_maximization(&tosses(), start, &steps(60), &mut Silent).unwrap();
    assert_eq!(fast, plain);
    assert_within(fast.report.trace[fast.report.iterations()], HIGHEST, 1e-11);
}

#[test]
fn hard_em_ends_at_a_fixed_point_of_its_own_objective() {
    let problem = Hard(tosses());
    let fitted = expectation_maximization(&problem, coins(0.4, 0.9, 0.2), &steps(100), &mut Silent).unwrap();
    assert!(fitted.report.converged());
    assert_rises(&fitted.report.trace);
    // Two and three heads to the first coin, single heads to the second.
    assert_coins(&fitted.model, &coins(0.4, 5.0 / 6.0, 1.0 / 3.0), 1e-15);
    let objective = 2.0 * 0.4_f64.ln()
        + 3.0 * 0.6_f64.ln()
        + 5.0 * (5.0_f64 / 6.0).ln()
        + (1.0_f64 / 6.0).ln()
        + 3.0 * (1.0_f64 / 3.0).ln()
        + 6.0 * (2.0_f64 / 3.0).ln();
    assert_close(fitted.report.trace[fitted.report.iterations()], objective, 1e-15);
}

#[test]
fn stochastic_em_returns_the_best_that_it_saw_and_repeats_by_seed() {
    let problem = Tosses { prior: 1.5, ..tosses() };
    let run = |seed: u64| {
        let mut rng = posterior_dist::stream::stream(seed, &[]);
        stochastic_em(&problem, START, &steps(200), &mut rng, &mut Silent).unwrap()
    };
    let fitted = run(1);
    assert_eq!(fitted, run(1));
    assert_ne!(fitted.report.trace, run(2).report.trace);
    assert_eq!((fitted.report.iterations(), fitted.report.stop), (200, Stop::MaxIterations));
    let highest = fitted.report.trace.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let objective = problem.e_step(&fitted.model).unwrap().ln_likelihood + problem.ln_prior(&fitted.model);
    assert_eq!(objective, highest);
    assert!(highest > fitted.report.trace[0]);
}

#[test]
fn incremental_em_has_the_limit_of_em() {
    let problem = Tosses { prior: 1.5, ..tosses() };
    let start = coins(0.3, 0.8, 0.5);
    let options = EmOptions { tolerance: 1e-15, ..steps(100_000) };
    let plain = expectation_maximization(&problem, start, &options, &mut Silent).unwrap();
    let parts = incremental_em(&problem, start, &options, &mut Silent).unwrap();
    assert!(parts.report.converged());
    assert_coins(&parts.model, &plain.model, 1e-5);
    assert_close(
        parts.report.trace[parts.report.iterations()],
        plain.report.trace[plain.report.iterations()],
        1e-12,
    );
    assert_eq!(parts.report.trace[0], plain.report.trace[0]);
    assert!(parts.report.iterations() < plain.report.iterations());
}

#[test]
fn with_one_batch_incremental_and_online_em_are_em() {
    let start = coins(0.3, 0.8, 0.5);
    let plain = expectation_maximization(&tosses(), start, &steps(40), &mut Silent).unwrap();
    let whole = Whole(tosses());
    assert_eq!(incremental_em(&whole, start, &steps(40), &mut Silent).unwrap(), plain);
    let options = OnlineOptions {
        schedule: StepSchedule::Constant(1.0),
        max_iterations: 40,
        ..OnlineOptions::default()
    };
    assert_eq!(online_em(&whole, start, &options, &mut Silent).unwrap(), plain);
}

#[test]
fn online_em_comes_near_the_limit_of_em() {
    let problem = Tosses { prior: 1.5, ..tosses() };
    let start = coins(0.3, 0.8, 0.5);
    let plain = expectation_maximization(&problem, start, &steps(100_000), &mut Silent).unwrap();
    let options = OnlineOptions {
        schedule: StepSchedule::Power { initial: 1.0, delay: 5.0, power: 0.9 },
        warm_up: 5,
        max_iterations: 50_000,
        ..OnlineOptions::default()
    };
    let online = online_em(&problem, start, &options, &mut Silent).unwrap();
    assert_coins(&online.model, &plain.model, 2e-3);
    assert_eq!(online.report.stop, Stop::MaxIterations);
}

#[test]
fn what_online_em_cannot_use_is_refused() {
    let problem = Tosses { prior: 1.5, ..tosses() };
    let start = coins(0.3, 0.8, 0.5);
    for rate in [-0.1, 1.1, f64::NAN] {
        let options = OnlineOptions { schedule: StepSchedule::Constant(rate), ..OnlineOptions::default() };
        assert!(online_em(&problem, start, &options, &mut Silent).is_err(), "rate {rate}");
    }
    let nothing = Tosses { heads: vec![], prior: 1.0 };
    assert!(online_em(&nothing, start, &OnlineOptions::default(), &mut Silent).is_err());
    assert!(incremental_em(&nothing, start, &EmOptions::default(), &mut Silent).is_err());
}

#[test]
fn the_best_of_several_starts_is_the_global_maximum() {
    let fit = |rng: &mut rand_pcg::Pcg64| {
        let start = coins(rng.random(), rng.random(), rng.random());
        expectation_maximization(&tosses(), start, &steps(5000), &mut Silent)
    };
    let found = best_of(8, 3, fit).unwrap();
    assert_within(found.outcomes[found.index].unwrap(), HIGHEST, 1e-9);
    assert!(found.outcomes.iter().any(|outcome| outcome.unwrap() < HIGHEST - 0.01), "all starts were lucky");
    assert_eq!(best_of(8, 3, fit).unwrap(), found);
    let fewer = best_of(4, 3, fit).unwrap();
    assert_eq!(fewer.outcomes[..], found.outcomes[..4]);
    let failing = best_of(3, 3, |_| Err::<posterior_math::iteration::Fitted<()>, _>("no"));
    assert_eq!(failing, Err("no"));
}

#[test]
fn the_best_of_short_runs_goes_on_alone() {
    let start = |rng: &mut rand_pcg::Pcg64| coins(rng.random(), rng.random(), rng.random());
    let run = |from, count| expectation_maximization(&tosses(), from, &steps(count), &mut Silent);
    let found = best_of_short_runs(8, 3, |rng| run(start(rng), 20), |best| run(best, 4980)).unwrap();
    let short = best_of(8, 3, |rng| run(start(rng), 20)).unwrap();
    assert_eq!((found.index, &found.outcomes), (short.index, &short.outcomes));
    assert_within(*found.best.report.trace.last().unwrap(), HIGHEST, 1e-9);
    // As if it had never stopped.
    let whole = best_of(8, 3, |rng| run(start(rng), 5000)).unwrap();
    assert_eq!(found.best.report.trace, whole.best.report.trace);
}
