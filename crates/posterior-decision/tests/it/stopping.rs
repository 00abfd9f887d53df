//! When to stop: exact sums, exact crossing probabilities, equations of best allocations.

mod contrast;

use posterior_decision::bandit::{Arm, Policy};
use posterior_decision::concentration::{bernoulli_divergence, hoeffding_radius};
use posterior_decision::stopping::{
    TopTwoThompson, TrackAndStop, best_allocation, coin_confidence_sequence, evidence_for_leader,
    evidence_threshold, judge, least_plays, normal_mixture_radius, plays_per_arm, probability_greater,
    stitched_radius,
};
use posterior_dist::stream::stream;
use posterior_dist::{Beta, Normal};
use posterior_math::special::normal_cdf;
use proptest::prelude::*;
use rand::RngExt;

fn beta(alpha: f64, beta: f64) -> Beta {
    Beta::new(alpha, beta).unwrap()
}

#[test]
fn the_example_is_met_exactly() {
    let expected = 445.0 / 494.0;
    assert!((probability_greater(&beta(7.0, 5.0), &beta(4.0, 8.0)).unwrap() - expected).abs() < 1e-14);
    let found = judge(&[beta(4.0, 8.0), beta(7.0, 5.0)]).unwrap();
    assert!((found.probability_best[1] - expected).abs() < 1e-10 && found.leader == 1);
    // The two losses differ by the difference of the means.
    let difference = found.expected_loss[0] - found.expected_loss[1];
    assert!((difference - (7.0 / 12.0 - 1.0 / 3.0)).abs() < 1e-10);
    assert!(found.settled(found.expected_loss[1]) && !found.settled(0.0));
}

/// Uniform distributions: each of K is best with probability 1/K; E max = K/(K + 1), so that 1/2 loses
/// K/(K + 1) - 1/2.
#[test]
fn equal_arms_are_equally_good() {
    for count in [1_usize, 2, 3, 7] {
        let found = judge(&vec![beta(1.0, 1.0); count]).unwrap();
        let arms = count as f64;
        assert!(found.probability_best.iter().all(|p| (p - 1.0 / arms).abs() < 1e-11));
        assert!(found.expected_loss.iter().all(|loss| (loss - (arms / (arms + 1.0) - 0.5)).abs() < 1e-11));
        assert_eq!(found.leader, 0);
    }
}

/// Of two normal distributions: P = Φ(d/s), and the loss s (φ(z) - z Φ(-z)).
#[test]
fn normal_arms_have_closed_forms() {
    for (d, s) in [(0.3, 1.0), (3.0, 0.7), (-20.0, 5.0)] {
        let distributions = [Normal::mean_sd(d, 0.6 * s).unwrap(), Normal::mean_sd(0.0, 0.8 * s).unwrap()];
        let found = judge(&distributions).unwrap();
        let z: f64 = d / s;
        assert!((found.probability_best[0] - normal_cdf(z)).abs() < 1e-10, "{found:?}");
        let density = (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
        let loss = s * (density - z * normal_cdf(-z));
        assert!((found.expected_loss[0] / loss - 1.0).abs() < 1e-7, "{found:?} {loss}");
    }
}

/// Narrow distributions, and one that is far narrower than the others.
#[test]
fn narrow_distributions_are_not_overlooked() {
    let distributions = [beta(6e9, 4e9), beta(2.0, 2.0), beta(0.01, 0.01)];
    let found = judge(&distributions).unwrap();
    assert!((found.probability_best.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{found:?}");
    let sure = judge(&[beta(9e6, 1e6), beta(1e6, 9e6)]).unwrap();
    assert!((sure.probability_best[0] - 1.0).abs() < 1e-12 && sure.expected_loss[0] == 0.0);
    assert!((sure.expected_loss[1] - 0.8).abs() < 1e-10);
}

#[test]
fn sums_and_quadrature_agree() {
    for (x, y) in [
        (beta(3.0, 2.5), beta(0.7, 9.1)),
        (beta(3.5, 2.0), beta(0.7, 4.0)),
        (beta(3.5, 2.3), beta(5.0, 4.1)),
        (beta(2.5, 6.0), beta(2.2, 4.1)),
        (beta(600.0, 400.0), beta(581.0, 421.0)),
        (beta(50_000.0, 60_000.0), beta(50_100.0, 60_000.0)),
    ] {
        let by_sum = probability_greater(&x, &y).unwrap();
        let by_quadrature = judge(&[x, y]).unwrap().probability_best[0];
        assert!((by_sum - by_quadrature).abs() < 1e-9, "{by_sum} {by_quadrature}");
    }
}

/// As the tests of web pages have them: few successes among many. The sums in sixty digits.
#[test]
fn no_digits_are_lost_among_many_plays() {
    let cases = [
        (beta(1001.0, 99_001.0), beta(951.0, 99_051.0), 0.872_348_442_576_305_8),
        (beta(101.0, 1_000_001.0), beta(81.0, 1_000_021.0), 0.931_556_349_539_036_7),
        (beta(1.0, 1e8), beta(1.0, 1e8), 0.5),
        (beta(3.0, 1e7), beta(2.0, 12_345_678.0), 0.761_830_624_320_770_2),
        (beta(40.0, 1_000_000.5), beta(25.0, 1_000_000.25), 0.970_027_299_109_952_2),
    ];
    for (x, y, expected) in cases {
        let found = probability_greater(&x, &y).unwrap();
        assert!((found - expected).abs() < 1e-13, "{found} {expected}");
    }
}

/// P(some interval up to n misses a coin's probability), exactly: paths that were outside once are taken off.
fn misses(theta: f64, plays: usize, inside: impl Fn(u64, u64) -> bool) -> f64 {
    let mut distribution = vec![1.0];
    let mut missed = 0.0;
    for n in 1..=plays {
        let mut next = vec![0.0; n + 1];
        for (k, probability) in distribution.iter().enumerate() {
            next[k] += probability * (1.0 - theta);
            next[k + 1] += probability * theta;
        }
        for (k, probability) in next.iter_mut().enumerate() {
            if *probability > 0.0 && !inside(k as u64, n as u64) {
                missed += *probability;
                *probability = 0.0;
            }
        }
        distribution = next;
    }
    missed
}

#[test]
fn sequences_of_intervals_hold_at_all_times() {
    let plays = 1500;
    for theta in [0.5, 0.2] {
        let within = |radius: &dyn Fn(u64) -> f64| {
            let radii: Vec<f64> = (1..=plays as u64).map(radius).collect();
            misses(theta, plays, |k, n| (k as f64 / n as f64 - theta).abs() <= radii[n as usize - 1])
        };
        let stitched = within(&|n| stitched_radius(n, 0.5, 0.05).unwrap());
        let mixture = within(&|n| normal_mixture_radius(n, 0.5, 0.05, 200).unwrap());
        assert!(stitched <= 0.05 && mixture <= 0.05, "{stitched} {mixture}");
        // One that holds at each time is broken at some time by most.
        let fixed = within(&|n| hoeffding_radius(n, 0.025).unwrap());
        assert!(theta < 0.5 || fixed > 0.1, "{fixed}");
    }
    // The mixture is not loose: a coin of scale exactly 1/2 is missed about once in fifty times.
    let radius = |n: u64| normal_mixture_radius(n, 0.5, 0.05, 200).unwrap();
    let fair = misses(0.5, plays, |k, n| (k as f64 / n as f64 - 0.5).abs() <= radius(n));
    assert!(fair > 0.01, "{fair}");
}

#[test]
fn a_coins_sequence_holds_and_is_short() {
    let prior = beta(0.5, 0.5);
    for theta in [0.03, 0.5, 0.9] {
        let missed = misses(theta, 400, |k, n| {
            let [low, high] = coin_confidence_sequence(k, n, &prior, 0.1).unwrap();
            low <= theta && theta <= high
        });
        assert!(missed <= 0.1 && missed > 0.01, "{missed}");
    }
    let [low, high] = coin_confidence_sequence(2, 1000, &prior, 0.05).unwrap();
    assert!(high - low < 0.3 * stitched_radius(1000, 0.5, 0.05).unwrap());
    assert_eq!(coin_confidence_sequence(0, 0, &prior, 0.05).unwrap(), [0.0, 1.0]);
    // No success: θ ≤ 1 - (δ evidence)^(1/n), with evidence 1/(n + 1) for a uniform prior.
    let [low, high] = coin_confidence_sequence(0, 10, &beta(1.0, 1.0), 0.05).unwrap();
    assert!(low == 0.0 && (high - (1.0 - (0.05_f64 / 11.0).powf(0.1))).abs() < 1e-12);
    assert_eq!(coin_confidence_sequence(10, 10, &beta(1.0, 1.0), 0.05).unwrap()[1], 1.0);
}

/// For two arms the proportions come from Chernoff's information: KL(μ₁‖m) = KL(μ₂‖m) = 1/T*.
#[test]
fn two_arms_are_shared_by_chernoffs_information() {
    let found = best_allocation(&[0.6, 0.9]).unwrap();
    // With m: ln((1 - .6)/(1 - .9))/ln(.9 · .4/(.6 · .1)).
    let m = (0.4_f64 / 0.1).ln() / (0.9 * 0.4 / (0.6 * 0.1_f64)).ln();
    let information = bernoulli_divergence(m, 0.6);
    assert!((bernoulli_divergence(m, 0.9) - information).abs() < 1e-14);
    // T*⁻¹ = max_w min: the evidence w₁ KL(μ₁‖w) + w₂ KL(μ₂‖w) at the proportions that were found is that of
    // a grid search.
    let value = |proportion: f64| {
        let middle = 0.9 * proportion + 0.6 * (1.0 - proportion);
        proportion * bernoulli_divergence(0.9, middle)
            + (1.0 - proportion) * bernoulli_divergence(0.6, middle)
    };
    let best = (1..100_000).map(|k| value(f64::from(k) / 1e5)).fold(0.0, f64::max);
    assert!((1.0 / found.characteristic_time / best - 1.0).abs() < 1e-9);
    assert!(
        (value(found.proportions[1]) / best - 1.0).abs() < 1e-9
            && (found.proportions.iter().sum::<f64>() - 1.0).abs() < 1e-14
    );
}

/// No other proportions give more evidence against the nearest rival.
#[test]
fn proportions_are_the_best() {
    let means = [0.5, 0.45, 0.43, 0.4];
    let found = best_allocation(&means).unwrap();
    let value = |proportions: &[f64]| {
        (1..4)
            .map(|arm| {
                let middle = (proportions[0] * means[0] + proportions[arm] * means[arm])
                    / (proportions[0] + proportions[arm]);
                proportions[0] * bernoulli_divergence(means[0], middle)
                    + proportions[arm] * bernoulli_divergence(means[arm], middle)
            })
            .fold(f64::INFINITY, f64::min)
    };
    let best = value(&found.proportions);
    assert!((best * found.characteristic_time - 1.0).abs() < 1e-9);
    // Garivier and Kaufmann give (0.42, 0.39, 0.14, 0.06) after rounding.
    for (proportion, published) in found.proportions.iter().zip([0.42, 0.39, 0.14, 0.06]) {
        assert!((proportion - published).abs() < 0.0051, "{:?}", found.proportions);
    }
    let mut rng = stream(5, &[0]);
    for _ in 0..2000 {
        let other: Vec<f64> =
            found.proportions.iter().map(|proportion| proportion * (0.5 + rng.random::<f64>())).collect();
        let sum: f64 = other.iter().sum();
        assert!(
            value(&other.iter().map(|proportion| proportion / sum).collect::<Vec<_>>())
                <= best * (1.0 + 1e-12)
        );
    }
}

/// Plays until the evidence suffices: the choice, and the number of plays.
fn identify(policy: &dyn Policy, means: &[f64], delta: f64, seed: u64) -> (usize, u64) {
    let mut rng = stream(seed, &[1]);
    let mut agent = policy.start(means.len()).unwrap();
    let mut arms = vec![Arm::new(); means.len()];
    for plays in 1.. {
        let arm = agent.choose(&mut rng);
        let reward = f64::from(u8::from(rng.random::<f64>() < means[arm]));
        agent.observe(arm, reward).unwrap();
        arms[arm].push(reward);
        let threshold = evidence_threshold(means.len(), plays, delta).unwrap();
        if evidence_for_leader(&arms).unwrap() > threshold {
            let best = (0..means.len()).max_by(|&a, &b| arms[a].mean().total_cmp(&arms[b].mean())).unwrap();
            return (best, plays);
        }
    }
    unreachable!()
}

/// Wrong in far fewer than one of ten games, and not many more plays than the least that are needed.
#[test]
fn the_best_arm_is_found() {
    let means = [0.5, 0.8, 0.4];
    let least = least_plays(&means, 0.1).unwrap();
    for policy in [&TrackAndStop as &dyn Policy, &TopTwoThompson::default()] {
        let games: Vec<(usize, u64)> = (0..60).map(|seed| identify(policy, &means, 0.1, seed)).collect();
        let wrong = games.iter().filter(|(arm, _)| *arm != 1).count();
        let mean = games.iter().map(|(_, plays)| *plays as f64).sum::<f64>() / 60.0;
        // With an error of one in ten, 20 of 60 would be seen once in a million times.
        assert!(wrong < 20, "{} {wrong}", policy.name());
        assert!(mean > least && mean < 10.0 * least, "{} {mean} {least}", policy.name());
    }
}

#[test]
fn what_cannot_be_judged_is_refused() {
    assert!(judge::<Beta>(&[]).is_err());
    assert!(stitched_radius(0, 0.5, 0.05).is_err() && stitched_radius(1, 0.0, 0.05).is_err());
    assert!(stitched_radius(1, 0.5, 1.0).is_err() && stitched_radius(1, 0.5, 0.999).unwrap() > 0.0);
    assert!(normal_mixture_radius(1, 0.5, 0.05, 0).is_err());
    assert!(coin_confidence_sequence(2, 1, &beta(1.0, 1.0), 0.05).is_err());
    assert!(best_allocation(&[0.5]).is_err() && best_allocation(&[0.5, 0.5]).is_err());
    assert!(best_allocation(&[0.5, 1.0]).is_err() && least_plays(&[0.5, 0.6], 0.5).is_err());
    assert!(evidence_for_leader(&[Arm::new()]).is_err() && evidence_threshold(2, 0, 0.1).is_err());
    assert_eq!(evidence_for_leader(&[Arm::new(), Arm::new()]).unwrap(), 0.0);
    assert!(plays_per_arm(0.5, 0.5, 0.05, 0.8).is_err() && plays_per_arm(0.5, 0.6, 0.0, 0.8).is_err());
    // A power below α/2 needs no plays to speak of.
    assert_eq!(plays_per_arm(0.5, 0.501, 0.05, 0.01).unwrap(), 1);
    assert!(
        TrackAndStop.start(0).is_err()
            && TopTwoThompson { leader_proportion: 1.0, ..TopTwoThompson::default() }.start(2).is_err()
    );
    let mut agent = TrackAndStop.start(1).unwrap();
    assert!(agent.observe(0, 2.0).is_err() && agent.observe(1, 1.0).is_err());
    assert_eq!(agent.choose(&mut stream(0, &[])), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// One of the arms is best; the loss of the leader is the least; to settle for an arm loses more, the
    /// less there is to say for it.
    #[test]
    fn judgements_add_up(parameters in proptest::collection::vec((0.05..60.0_f64, 0.05..60.0_f64), 2..5)) {
        let distributions: Vec<Beta> = parameters.iter().map(|&(a, b)| beta(a, b)).collect();
        let found = judge(&distributions).unwrap();
        prop_assert!((found.probability_best.iter().sum::<f64>() - 1.0).abs() < 1e-7, "{:?}", found);
        let best: Vec<f64> = parameters.iter().zip(&found.expected_loss).map(|((a, b), loss)| a / (a + b) + loss).collect();
        // Mean and loss come to E max for every arm.
        prop_assert!(best.iter().all(|value| (value - best[0]).abs() < 1e-8), "{:?}", best);
    }

    /// X > Y or Y > X; and the sum does not mind which parameter is whole.
    #[test]
    fn one_is_greater(a in 1..30_u32, b in 0.1..30.0_f64, c in 1..30_u32, d in 0.1..30.0_f64) {
        let (x, y) = (beta(f64::from(a), b), beta(f64::from(c), d));
        let (first, second) = (probability_greater(&x, &y).unwrap(), probability_greater(&y, &x).unwrap());
        prop_assert!((first + second - 1.0).abs() < 1e-12);
        let mirrored = probability_greater(&beta(d, f64::from(c)), &beta(b, f64::from(a))).unwrap();
        prop_assert!((mirrored - first).abs() < 1e-12);
    }
}
