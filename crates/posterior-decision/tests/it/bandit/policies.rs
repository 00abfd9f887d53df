//! Indices by hand, and what policies promise.

use posterior_decision::bandit::{
    Arm, ArmModel, BayesUcb, DiscountedUcb, Exp3, Exp3Ix, ExploreThenCommit, History, KlUcb, MeanPlusSd,
    Moss, Policy, Scaled, SlidingWindowUcb, SuccessiveElimination, Thompson, Ucb1, Ucb1Tuned, UcbV, Width,
    advise, parse_policy, theory,
};
use posterior_decision::concentration::bernoulli_divergence;
use posterior_dist::stream::stream;
use posterior_dist::{Beta, Normal, NormalInverseGamma, Univariate};
use posterior_testkit::significance::{LEVEL, chi_square_p_value};
use proptest::prelude::*;

use super::{advice, history, indices};

fn near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < tolerance, "{found} {expected}");
    }
}

const ALL: [&str; 18] = [
    "ucb1",
    "ucb1-tuned",
    "ucb-v",
    "kl-ucb",
    "moss",
    "ucb-sd:1",
    "ucb-sd-ln:1",
    "ucb-sd-power:1:0.25",
    "bayes-ucb",
    "thompson",
    "gittins:0.5",
    "epsilon-greedy:0.1",
    "epsilon-decreasing:5:0.5",
    "explore-then-commit:3",
    "successive-elimination:0.05",
    "exp3:0.1",
    "discounted-ucb:0.9",
    "sliding-window-ucb:20",
];

#[test]
fn ucb1_has_the_indices_of_the_example() {
    let found = advice(&Ucb1::default(), &[(10, 6), (6, 3), (4, 1)]);
    let expected = [1.374045512041, 1.499288459114, 1.473873415340];
    near(&found.reasons.iter().map(|reason| reason.index).collect::<Vec<_>>(), &expected, 1e-12);
    assert_eq!((found.choice, found.reasons[1].plays, found.reasons[1].mean), (1, 6, Some(0.5)));
    // √(Σ (r - mean)²/(n(n - 1))).
    assert!((found.reasons[1].sd.unwrap() - 0.05_f64.sqrt()).abs() < 1e-15);
}

#[test]
fn mean_plus_sd_has_the_indices_of_the_example() {
    near(
        &indices(&MeanPlusSd::default(), &[(10, 6), (6, 3), (4, 1)]),
        &[0.72006878, 2.0 / 3.0, 0.51150749],
        5e-9,
    );
    // The limit without a prior, and Beta(1, 1): 3 of 10.
    let of = |belief: ArmModel| {
        let distribution = belief.marginal(&[1.0; 3].into_iter().chain([0.0; 7]).collect::<Arm>()).unwrap();
        [distribution.mean(), distribution.sd().powi(2)]
    };
    near(&of(ArmModel::BernoulliLimit), &[0.3, 0.019090909090909090], 1e-16);
    near(&of(ArmModel::default()), &[1.0 / 3.0, 0.017094017094017094], 1e-16);
    let wide = MeanPlusSd { width: Width::Power { factor: 2.0, exponent: 0.25 }, ..MeanPlusSd::default() };
    let by_hand = 7.0 / 12.0 + 2.0 * 20_f64.powf(0.25) * (35.0 / 1872_f64).sqrt();
    near(&indices(&wide, &[(10, 6), (6, 3), (4, 1)])[..1], &[by_hand], 1e-14);
}

/// Without a prior one failure ends the exploration of an arm for ever; with one it comes back.
#[test]
fn the_limit_of_the_prior_locks_in_and_says_so() {
    let limit =
        MeanPlusSd { belief: ArmModel::BernoulliLimit, width: Width::RootLn(1.0), ..MeanPlusSd::default() };
    let found = advice(&limit, &[(1, 0), (100_000, 1000)]);
    assert_eq!(found.choice, 1);
    assert!(
        found.notes.len() == 1 && found.notes[0].starts_with("arm 0: all rewards alike"),
        "{:?}",
        found.notes
    );
    let proper = advice(
        &MeanPlusSd { width: Width::RootLn(1.0), ..MeanPlusSd::default() },
        &[(1, 0), (100_000, 1000)],
    );
    assert_eq!((proper.choice, proper.notes.len()), (0, 0));
    // What was never played is tried first, whatever the belief.
    for policy in
        [&limit as &dyn Policy, &(BayesUcb { belief: ArmModel::BernoulliLimit, ..BayesUcb::default() })]
    {
        assert_eq!(advice(policy, &[(5, 5), (0, 0)]).choice, 1);
    }
}

#[test]
fn indices_are_those_of_the_papers() {
    let (n, arms) = (20_f64, [(10, 6), (6, 3), (4, 1)]);
    let of = |index: &dyn Fn(f64, f64) -> f64| {
        arms.map(|(plays, wins)| index(f64::from(plays), f64::from(wins) / f64::from(plays)))
    };
    let arms = arms.map(|(plays, wins)| (u64::try_from(plays).unwrap(), u64::try_from(wins).unwrap()));
    let tuned = of(&|k, p| {
        let variance = p - p * p + (2.0 * n.ln() / k).sqrt();
        p + (n.ln() / k * variance.min(0.25)).sqrt()
    });
    near(&indices(&Ucb1Tuned, &arms), &tuned, 1e-14);
    let bernstein = of(&|k, p| {
        let e = 1.2 * n.ln();
        p + (2.0 * (p - p * p) * e / k).sqrt() + 3.0 * e / k
    });
    near(&indices(&UcbV::default(), &arms), &bernstein, 1e-14);
    let minimax = of(&|k, p| p + ((1000.0 / (3.0 * k)).ln() / k).sqrt());
    near(&indices(&Moss { horizon: Some(1000), ..Moss::default() }, &arms), &minimax, 1e-14);
    near(&indices(&Moss::default(), &arms)[..1], &[0.6], 1e-15);
    let quantiles = arms.map(|(plays, wins)| {
        Beta::new(wins as f64 + 1.0, (plays - wins) as f64 + 1.0).unwrap().quantile(1.0 - 1.0 / 21.0)
    });
    near(&indices(&BayesUcb::default(), &arms), &quantiles, 1e-13);
    for (index, (plays, wins)) in indices(&KlUcb::default(), &arms).into_iter().zip(arms) {
        let budget = plays as f64 * bernoulli_divergence(wins as f64 / plays as f64, index);
        assert!((budget - n.ln()).abs() < 1e-12 && index > wins as f64 / plays as f64);
    }
    let budget = n.ln() + 3.0 * n.ln().ln();
    let index = indices(&KlUcb { c: 3.0, ..KlUcb::default() }, &arms)[0];
    assert!((10.0 * bernoulli_divergence(0.6, index) - budget).abs() < 1e-12);
}

#[test]
fn policies_that_forget_have_the_indices_of_their_paper() {
    let mut played = History::new(2).unwrap();
    for (arm, reward) in [(0, 1.0), (1, 1.0), (0, 0.5), (1, 0.0), (1, 1.0)] {
        played.push(arm, reward).unwrap();
    }
    let of = |policy: &dyn Policy| {
        let advice = advise(policy, &played, &mut stream(0, &[])).unwrap();
        advice.reasons.iter().map(|reason| reason.index).collect::<Vec<_>>()
    };
    let g = 0.5_f64;
    let weights = [g.powi(4) + g.powi(2), g.powi(3) + g + 1.0];
    let totals = [g.powi(4) + 0.5 * g.powi(2), g.powi(3) + 1.0];
    let memory = (weights[0] + weights[1]).ln();
    let expected = [0, 1].map(|k| totals[k] / weights[k] + 2.0 * (0.6 * memory / weights[k]).sqrt());
    near(&of(&DiscountedUcb { discount: 0.5, ..DiscountedUcb::default() }), &expected, 1e-14);
    let expected = [0.5 + 2.0 * (0.6 * 3_f64.ln()).sqrt(), 0.5 + 2.0 * (0.6 * 3_f64.ln() / 2.0).sqrt()];
    near(&of(&SlidingWindowUcb { window: 3, ..SlidingWindowUcb::default() }), &expected, 1e-14);
    // What left the window is unknown again.
    assert_eq!(of(&SlidingWindowUcb { window: 1, ..SlidingWindowUcb::default() }), [f64::INFINITY, 1.0]);
}

#[test]
fn exponential_weights_are_those_of_their_papers() {
    let mut played = History::new(3).unwrap();
    played.push(0, 1.0).unwrap();
    played.push(2, 0.25).unwrap();
    let of = |policy: &dyn Policy| indices_of(policy, &played);
    // EXP3 with γ = 0.3: each arm has 1/3; then w_0 = exp(0.3 · 3/3).
    let w = 0.3_f64.exp();
    let second = 0.7 / (w + 2.0) + 0.1;
    let weights = [w, 1.0, (0.3 * (0.25 / second) / 3.0).exp()];
    let sum: f64 = weights.iter().sum();
    near(
        &of(&Exp3 { gamma: 0.3, ..Exp3::default() }),
        &weights.map(|weight| 0.7 * weight / sum + 0.1),
        1e-15,
    );
    // EXP3-IX with η = 0.2: the first reward was no loss, the second a loss of 3/4 at probability 1/3.
    let weights = [1.0, 1.0, (-0.2 * 0.75 / (1.0 / 3.0 + 0.1_f64)).exp()];
    let sum: f64 = weights.iter().sum();
    near(&of(&Exp3Ix { rate: 0.2, ..Exp3Ix::default() }), &weights.map(|weight| weight / sum), 1e-15);
    let gamma = Exp3::for_horizon(2, 10_000).gamma;
    assert!((gamma * gamma * (std::f64::consts::E - 1.0) * 10_000.0 - 2.0 * 2_f64.ln()).abs() < 1e-12);
    assert!((Exp3Ix::for_horizon(2, 10_000).rate - (2.0 * 3_f64.ln() / 20_000.0).sqrt()).abs() < 1e-15);
}

fn indices_of(policy: &dyn Policy, played: &History) -> Vec<f64> {
    let advice = advise(policy, played, &mut stream(0, &[])).unwrap();
    advice.reasons.iter().map(|reason| reason.index).collect()
}

#[test]
fn gaussian_arms_are_known_by_their_posteriors() {
    let mut played = History::new(2).unwrap();
    for (arm, reward) in [(0, 1.0), (0, 3.0), (0, 5.0), (1, -2.0)] {
        played.push(arm, reward).unwrap();
    }
    let known =
        ArmModel::NormalKnownVariance { prior: Normal::mean_variance(0.0, 4.0).unwrap(), variance: 2.0 };
    // Precisions 1/4 and n/2 add: (1.5 · 3)/1.75, and 0.5 · (-2)/0.75.
    let by_hand = [4.5 / 1.75 + 1.75_f64.recip().sqrt(), -1.0 / 0.75 + 0.75_f64.recip().sqrt()];
    near(&indices_of(&MeanPlusSd { belief: known, ..MeanPlusSd::default() }, &played), &by_hand, 1e-14);
    // κ = 1, α = 3, β = 2: after (1, 3, 5) κ = 4, μ = 9/4, α = 4.5, β = 2 + 4 + 3/4 · 9/2; variance
    // β/((α - 1) κ).
    let unknown = ArmModel::Normal(NormalInverseGamma::new(0.0, 1.0, 3.0, 2.0).unwrap());
    let beta = 6.0 + 0.75 * 4.5_f64;
    let by_hand = 2.25 + (beta / (3.5 * 4.0)).sqrt();
    near(
        &indices_of(&MeanPlusSd { belief: unknown, ..MeanPlusSd::default() }, &played)[..1],
        &[by_hand],
        1e-14,
    );
    let bayes =
        advise(&BayesUcb { belief: unknown, ..BayesUcb::default() }, &played, &mut stream(0, &[])).unwrap();
    assert!((bayes.reasons[0].mean.unwrap() - 2.25).abs() < 1e-15);
    assert!(advise(&Ucb1::default(), &played, &mut stream(0, &[])).is_err());
}

/// How often Thompson chooses an arm is how probably it is the best: 445/494 for 6 of 10 against 3 of 10.
#[test]
fn thompson_chooses_as_often_as_an_arm_is_best() {
    let played = history(&[(10, 6), (10, 3)]);
    let mut agent = Thompson::default().start(2).unwrap();
    for play in played.plays() {
        agent.observe(play.arm, play.reward).unwrap();
    }
    let mut rng = stream(3, &[0]);
    let draws = 100_000;
    let first = (0..draws).filter(|_| agent.choose(&mut rng) == 0).count() as u64;
    let proportion = 445.0 / 494.0 * draws as f64;
    let p_value = chi_square_p_value(&[first, draws - first], &[proportion, draws as f64 - proportion]);
    assert!(p_value > LEVEL, "{first} of {draws}");
}

#[test]
fn explorers_commit_and_eliminators_eliminate() {
    let commit = ExploreThenCommit { plays_each: 2, ..ExploreThenCommit::default() };
    assert_eq!(advice(&commit, &[(2, 0), (1, 1)]).choice, 1);
    // Committed for good to the arm that led after two plays each, though it fails later.
    let mut played = history(&[(2, 1), (2, 0)]);
    for _ in 0..20 {
        played.push(0, 0.0).unwrap();
    }
    played.push(1, 1.0).unwrap();
    assert_eq!(advise(&commit, &played, &mut stream(0, &[])).unwrap().choice, 0);
    let eliminate = SuccessiveElimination::default();
    let found = advice(&eliminate, &[(60, 60), (60, 0)]);
    assert_eq!((found.choice, found.reasons[1].index), (0, f64::NEG_INFINITY));
    let found = advice(&eliminate, &[(5, 5), (4, 0), (4, 4)]);
    assert_eq!(found.choice, 1);
    // √(ln(4 · 3 · 25/0.05)/10).
    assert!((found.reasons[0].index - (1.0 + (6000_f64.ln() / 10.0).sqrt())).abs() < 1e-14);
}

#[test]
fn scaled_rewards_are_those_of_the_unit_interval() {
    let scaled = Scaled::new(Ucb1::default(), -1.0, 3.0).unwrap();
    let mut played = History::new(2).unwrap();
    for (arm, reward) in [(0, 3.0), (0, -1.0), (1, 1.0)] {
        played.push(arm, reward).unwrap();
    }
    let found = advise(&scaled, &played, &mut stream(0, &[])).unwrap();
    assert!((found.reasons[1].index - (0.5 + (2.0 * 3_f64.ln()).sqrt())).abs() < 1e-15);
    assert_eq!((found.reasons[0].mean, found.reasons[0].sd, found.choice), (Some(1.0), Some(2.0), 1));
    played.push(0, 3.1).unwrap();
    assert!(advise(&scaled, &played, &mut stream(0, &[])).is_err());
    assert!(Scaled::new(Ucb1::default(), 1.0, 1.0).is_err());
}

#[test]
fn names_read_back() {
    for name in ALL.into_iter().chain([
        "exp3-ix:0.2",
        "ucb1:2",
        "kl-ucb:3",
        "moss:100",
        "ucb-v:1:2",
        "bayes-ucb:5:100",
    ]) {
        assert_eq!(parse_policy(name).unwrap().name(), name);
    }
    for wrong in [
        "",
        "ucb",
        "ucb1:",
        "ucb1:x",
        "ucb1:0",
        "ucb1:NaN",
        "ucb-sd:-1",
        "moss:0",
        "moss:1.5",
        "epsilon-greedy:2",
        "ucb-sd-power:1:0.5",
        "exp3:0",
        "gittins:1",
        "discounted-ucb:1.1",
        "sliding-window-ucb:0",
        "explore-then-commit:0",
        "successive-elimination:1",
        "thompson:1",
        "exp3-ix:-1",
        "epsilon-decreasing:1:0",
        "bayes-ucb:1:2",
    ] {
        assert!(parse_policy(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn what_is_no_game_is_refused() {
    assert!(History::new(0).is_err());
    let mut played = History::new(2).unwrap();
    assert!(played.push(2, 1.0).is_err() && played.push(0, f64::NAN).is_err());
    played.push(0, 1.5).unwrap();
    for name in ALL {
        let policy = parse_policy(name).unwrap();
        assert!(policy.start(0).is_err(), "{name}");
        let mut agent = policy.start(2).unwrap();
        assert!(agent.observe(2, 1.0).is_err(), "{name}");
        assert!(agent.observe(0, f64::NAN).is_err(), "{name}");
    }
    assert!(advise(&Ucb1::default(), &played, &mut stream(0, &[])).is_err());
}

#[test]
fn theory_refuses_what_are_no_means() {
    assert!(theory::lai_robbins(&[]).is_err() && theory::lai_robbins(&[1.1]).is_err());
    assert!(theory::ucb1_bound(&[0.5], 0).is_err() && theory::proportion_of_best(0, 1).is_err());
    assert!(theory::pseudo_regret(&[0.5], &[1, 2]).is_err());
    assert_eq!(theory::lai_robbins(&[0.5, 1.0]).unwrap(), 0.0);
    assert_eq!(theory::lai_robbins(&[0.5, 0.5]).unwrap(), 0.0);
    assert!((theory::ucb1_bound(&[0.9, 0.8, 0.5], 10_000).unwrap() - 923.178971265).abs() < 1e-9);
    assert!((theory::proportion_of_best(2, 1000).unwrap() - 0.98618448944).abs() < 1e-11);
}

#[cfg(feature = "serde")]
#[test]
fn histories_are_kept_as_json_and_checked() {
    let played = history(&[(2, 1), (1, 0)]);
    let text = serde_json::to_string(&played).unwrap();
    assert_eq!(serde_json::from_str::<History>(&text).unwrap(), played);
    assert!(serde_json::from_str::<History>(r#"{"arms":1,"plays":[{"arm":1,"reward":0.0}]}"#).is_err());
    assert!(serde_json::from_str::<History>(r#"{"arms":0,"plays":[]}"#).is_err());
}

proptest! {
    /// At equal means and more plays of its own, an arm's index falls; ties go to the first arm.
    #[test]
    fn an_index_falls_with_its_own_plays(plays in 1..40_u64, more in 1..40_u64, rate in 0..=4_u64) {
        let arms = [(4 * (plays + more), rate * (plays + more)), (4 * plays, rate * plays)];
        for name in ["ucb1", "ucb1-tuned", "ucb-v", "kl-ucb", "successive-elimination"] {
            let found = indices(parse_policy(name).unwrap().as_ref(), &arms);
            prop_assert!(found[0] <= found[1], "{} {:?}", name, found);
        }
        prop_assert_eq!(advice(&Ucb1::default(), &[arms[0], arms[0], arms[0]]).choice, 0);
    }

    /// Every arm is played again and again, the worst one too.
    #[test]
    fn no_arm_is_forgotten(means in proptest::collection::vec(0..=1_u8, 2..4)) {
        for name in ["ucb1", "ucb1-tuned", "ucb-v", "kl-ucb", "ucb-sd-ln:1", "bayes-ucb"] {
            let mut agent = parse_policy(name).unwrap().start(means.len()).unwrap();
            let mut plays = vec![0; means.len()];
            let mut rng = stream(0, &[]);
            for _ in 0..600 {
                let arm = agent.choose(&mut rng);
                plays[arm] += 1;
                // Every fourth play of a good arm fails, every fourth of a bad one succeeds.
                let fourth = plays[arm] % 4 == 0;
                agent.observe(arm, f64::from(u8::from(fourth != (means[arm] == 1)))).unwrap();
            }
            prop_assert!(plays.iter().all(|&plays| plays >= 2), "{} {:?}", name, plays);
        }
    }

    /// What advises chooses the same as what plays.
    #[test]
    fn advice_is_the_choice(rewards in proptest::collection::vec((0..3_usize, 0..=1_u8), 0..40), seed in 0..9_u64) {
        for name in ALL {
            let mut agent = parse_policy(name).unwrap().start(3).unwrap();
            for &(arm, reward) in &rewards {
                agent.observe(arm, f64::from(reward)).unwrap();
            }
            let advice = agent.advise(&mut stream(seed, &[]));
            prop_assert_eq!(advice.choice, agent.choose(&mut stream(seed, &[])));
            prop_assert_eq!(advice.reasons.len(), 3);
        }
    }
}

/// An arm that left and was played on, as a history may have it, drives out nobody: one arm always stays.
#[test]
fn successive_elimination_keeps_an_arm() {
    let mut played = History::new(2).unwrap();
    for _ in 0..130 {
        played.push(0, 0.5).unwrap();
        played.push(1, 0.0).unwrap();
    }
    for _ in 0..4000 {
        played.push(1, 1.0).unwrap();
    }
    let advice = advise(&SuccessiveElimination::default(), &played, &mut stream(0, &[])).unwrap();
    assert!(advice.choice == 0 && advice.reasons[0].index.is_finite(), "{advice:?}");
    assert_eq!(advice.reasons[1].index, f64::NEG_INFINITY);
}

/// Before the first play nothing is known of an arm, and so nothing is amiss.
#[test]
fn an_arm_that_was_not_played_is_not_locked_in() {
    let distribution = ArmModel::BernoulliLimit.marginal(&Arm::new()).unwrap();
    assert!(distribution.mean().is_nan() && distribution.sd().is_nan());
    let policy = MeanPlusSd { belief: ArmModel::BernoulliLimit, ..MeanPlusSd::default() };
    let mut played = History::new(2).unwrap();
    assert!(advise(&policy, &played, &mut stream(0, &[])).unwrap().notes.is_empty());
    played.push(1, 1.0).unwrap();
    let advice = advise(&policy, &played, &mut stream(0, &[])).unwrap();
    assert!(
        advice.choice == 0 && advice.notes.len() == 1 && advice.notes[0].starts_with("arm 1"),
        "{advice:?}"
    );
}
