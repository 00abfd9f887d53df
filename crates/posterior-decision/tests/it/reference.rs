//! The tables of 30 digits.

use posterior_decision::bandit::{Arm, ArmModel, History, MeanPlusSd, Policy, Ucb1, Width, advise};
use posterior_dist::Beta;
use posterior_dist::stream::stream;
use posterior_testkit::accuracy::Worst;
use posterior_testkit::reference::{count, counts, list, load, number, numbers};
use serde_json::Value;

/// Arms with these plays and successes, and what a policy says of them.
fn reasons(policy: &dyn Policy, pulls: &[u64], sums: &[u64]) -> (Vec<f64>, usize) {
    let mut history = History::new(pulls.len()).unwrap();
    for (arm, (&pulls, &successes)) in pulls.iter().zip(sums).enumerate() {
        for pull in 0..pulls {
            history.push(arm, f64::from(u8::from(pull < successes))).unwrap();
        }
    }
    let advice = advise(policy, &history, &mut stream(0, &[])).unwrap();
    (advice.reasons.iter().map(|reason| reason.index).collect(), advice.choice)
}

#[test]
fn indices_of_ucb1() {
    let table = load("bandits");
    let (mut worst, mut choices) = (Worst::of("UCB1"), 0);
    for case in list(&table["ucb"]) {
        let (pulls, sums) = (counts(&case["pulls"]), counts(&case["reward_sums"]));
        assert_eq!(pulls.iter().sum::<u64>(), count(&case["t"]));
        let check = |policy: Ucb1, expected: &Value, worst: &mut Worst| {
            let (indices, choice) = reasons(&policy, &pulls, &sums);
            for (index, expected) in indices.iter().zip(numbers(expected)) {
                worst.see(*index, expected, &pulls);
            }
            choice
        };
        let choice = check(Ucb1::default(), &case["ucb1"], &mut worst);
        if !case["argmax"].is_null() {
            assert_eq!(choice as u64, count(&case["argmax"]));
            choices += 1;
        }
        check(Ucb1 { width: number(&case["c"]), ..Ucb1::default() }, &case["ucb_c"], &mut worst);
    }
    assert!(choices > 20);
    worst.assert_at_most(4e-16);
}

#[test]
fn posteriors_of_arms() {
    let table = load("bandits");
    let mut worst = Worst::of("mean and sd");
    for case in list(&table["beta_posteriors"]) {
        let prior = numbers(&case["prior"]);
        let belief = ArmModel::Bernoulli(Beta::new(prior[0], prior[1]).unwrap());
        let arms = counts(&case["pulls"]).into_iter().zip(counts(&case["successes"]));
        for ((pulls, successes), expected) in arms.zip(list(&case["posterior"])) {
            let rewards = (0..pulls).map(|pull| f64::from(u8::from(pull < successes)));
            let distribution = belief.marginal(&rewards.collect::<Arm>()).unwrap();
            worst.see(distribution.mean(), number(&expected["mean"]), &pulls);
            worst.see(distribution.sd(), number(&expected["sd"]), &pulls);
        }
    }
    worst.assert_at_most(6e-16);
    let rule = MeanPlusSd { width: Width::Constant(2.0), ..MeanPlusSd::default() };
    let (indices, _) = reasons(&rule, &[3], &[1]);
    assert!((indices[0] - 0.8).abs() < 1e-15);
}
