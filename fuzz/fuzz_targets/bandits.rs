//! Policies of bandits with any parameters, in games of any rewards.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_decision::bandit::{History, advise, gittins_index, parse_policy};
use posterior_dist::stream::stream;
use posterior_fuzz::Input;

const POLICIES: [&str; 22] = [
    "ucb1",
    "ucb1-tuned",
    "ucb-v",
    "kl-ucb",
    "moss",
    "ucb-sd",
    "ucb-sd-ln",
    "ucb-sd-power",
    "bayes-ucb",
    "thompson",
    "gittins",
    "epsilon-greedy",
    "epsilon-decreasing",
    "explore-then-commit",
    "successive-elimination",
    "exp3",
    "exp3-ix",
    "discounted-ucb",
    "sliding-window-ucb",
    "moss",
    "bayes-ucb",
    "ucb-v",
];

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let mut text = input.one_of(&POLICIES).to_owned();
    for _ in 0..input.size(0, 2) {
        text = format!("{text}:{}", input.number());
    }
    let Ok(policy) = parse_policy(&text) else { return };
    let arms = input.size(1, 4);
    let Ok(mut agent) = policy.start(arms) else { return };
    let Ok(mut history) = History::new(arms) else { return };
    let mut rng = stream(1, &[]);
    for _ in 0..input.size(0, 20) {
        let arm = agent.choose(&mut rng);
        assert!(arm < arms, "{text}: arm {arm} of {arms}");
        let reward = if input.byte() < 200 { f64::from(input.byte() % 2) } else { input.number() };
        let _ = agent.observe(arm, reward);
        let _ = history.push(arm, reward);
    }
    let advice = agent.advise(&mut rng);
    let _ = advice;
    if let Ok(advice) = advise(&*policy, &history, &mut rng) {
        let _ = advice;
    }
    let _ = gittins_index;
});
