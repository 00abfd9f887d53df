//! Is what is said of the arms right as often as it says?

use posterior::decision::bandit::History;
use posterior::dist::stream::stream;
use posterior::dist::{Beta, Normal};
use rand::distr::Distribution;
use rand::{Rng, RngExt};

use super::Standing;

/// How many games.
const GAMES: u64 = 300;

/// What happened less what was said, over all games.
#[derive(Debug, Clone, Copy, Default)]
struct Surplus {
    sum: f64,
    variance: f64,
}

impl Surplus {
    /// An event that was given this probability: its variance is that of a coin, which counts the rare ones
    /// that did not happen.
    fn event(&mut self, happened: bool, p: f64) {
        self.sum += f64::from(u8::from(happened)) - p;
        self.variance += p * (1.0 - p);
    }

    fn z(self) -> f64 {
        if self.variance > 0.0 { self.sum / self.variance.sqrt() } else { 0.0 }
    }
}

/// Three arms of so many plays, whose means are uniform in a range; `reward` draws one of an arm with this
/// mean.
///
/// P(best) is right in three ranges, and the loss of the leader is what is said: each within 3.5 standard
/// errors, a false alarm in five hundred seeds for the four of them.
fn is_reliable<R: Fn(f64, &mut dyn Rng) -> f64>(name: &str, plays: usize, means: [f64; 2], reward: R) {
    let mut surplus = [Surplus::default(); 3];
    let mut losses = Vec::new();
    for game in 0..GAMES {
        let rng = &mut stream(game, &[plays as u64]);
        let truth: Vec<f64> =
            (0..3).map(|_| means[0] + (means[1] - means[0]) * rng.random::<f64>()).collect();
        let mut history = History::new(3).unwrap();
        for play in 0..3 * plays {
            history.push(play % 3, reward(truth[play % 3], rng)).unwrap();
        }
        let judgement = Standing::of(&history, [0.0, 1.0]).unwrap().judgement;
        let best = truth.iter().copied().fold(0.0, f64::max);
        for (&p, &mean) in judgement.probability_best.iter().zip(&truth) {
            let range = if p < 0.1 { 0 } else { 1 + usize::from(p > 0.9) };
            surplus[range].event(mean == best, p.clamp(0.0, 1.0));
        }
        losses.push(best - truth[judgement.leader] - judgement.expected_loss[judgement.leader]);
    }
    let n = losses.len() as f64;
    let mean = losses.iter().sum::<f64>() / n;
    let variance = losses.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let mut z = surplus.map(Surplus::z).to_vec();
    z.push(mean * n.sqrt() / variance.sqrt());
    println!("{name}: z of P(best) below 0.1, between, above 0.9, and of the loss: {z:.2?}");
    assert!(z.iter().all(|z| z.abs() < 3.5), "{name}: {z:?}");
}

#[test]
fn what_is_said_of_arms_is_reliable() {
    is_reliable("coins", 20, [0.0, 1.0], |mean, rng| f64::from(u8::from(rng.random::<f64>() < mean)));
    for plays in [4, 10] {
        is_reliable("normal rewards of sd 0.05", plays, [0.35, 0.65], |mean, rng| {
            Normal::mean_sd(mean, 0.05).unwrap().sample(rng)
        });
    }
    is_reliable("skewed rewards", 40, [0.1, 0.5], |mean, rng| {
        Beta::new(4.0 * mean, 4.0 * (1.0 - mean)).unwrap().sample(rng)
    });
}

/// Rewards that hardly vary settle what coins of the same means would not, after a few plays; and arms of one
/// play, or of none, are judged too.
#[test]
fn small_noise_is_seen() {
    let mut history = History::new(2).unwrap();
    for play in 0..20 {
        let noise = 0.01 * f64::from(play % 5);
        history.push(play as usize % 2, 0.5 + noise + 0.1 * f64::from(play % 2)).unwrap();
    }
    let standing = Standing::of(&history, [0.0, 1.0]).unwrap();
    assert!(
        !standing.coins && standing.judgement.leader == 1 && standing.judgement.settled(0.001),
        "{standing:?}"
    );
    for rewards in [&[(0, 0.3)][..], &[(0, 0.3), (1, 0.3)], &[(0, 0.3), (0, 0.3), (1, 0.7), (1, 0.7)]] {
        let mut history = History::new(3).unwrap();
        for &(arm, reward) in rewards {
            history.push(arm, reward).unwrap();
        }
        let judgement = Standing::of(&history, [0.0, 1.0]).unwrap().judgement;
        let sum: f64 = judgement.probability_best.iter().sum();
        assert!((sum - 1.0).abs() < 1e-6, "{judgement:?}");
        // The third arm was not played: its mean is anywhere.
        assert!(judgement.probability_best[2] > 0.1 && !judgement.settled(0.001), "{judgement:?}");
    }
}
