//! Policies played against each other, on the same luck.

mod curve;
mod environment;

pub use curve::{Curve, SimulatedGames};
pub use environment::{Environment, RewardDistribution};

use posterior_dist::stream::stream;
use posterior_math::check;
use rand_pcg::Pcg64;
#[cfg(feature = "rayon")]
use rayon::prelude::*;

use super::policy::Policy;
use crate::Error;

/// The streams of a run: rewards of an arm, and the policy's own coin.
const REWARDS: u64 = 0;
const COIN: u64 = 1;

/// How to simulate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimulationOptions {
    /// Plays of a game: positive; 1000 by default.
    pub horizon: u64,
    /// Games of each policy: positive; 200 by default.
    pub runs: u64,
    /// The seed; 0 by default.
    pub seed: u64,
    /// How many times of a game are recorded, spread evenly over ln n and over n, the last play always; 200
    /// by default.
    pub points: usize,
}

impl Default for SimulationOptions {
    fn default() -> Self {
        Self { horizon: 1000, runs: 200, seed: 0, points: 200 }
    }
}

impl SimulationOptions {
    /// The recorded times: half of them evenly over ln n, half over n.
    fn times(&self) -> Vec<u64> {
        let (half, n) = (self.points.div_ceil(2).max(1) as u64, self.horizon);
        let over_ln = (0..half).map(|k| ((n as f64).powf(k as f64 / half as f64)).round() as u64);
        let over_n = (1..=half).map(|k| (u128::from(n) * u128::from(k) / u128::from(half)) as u64);
        let mut times: Vec<u64> = over_ln.chain(over_n).map(|time| time.clamp(1, n)).collect();
        times.sort_unstable();
        times.dedup();
        times
    }
}

/// One game: at each recorded time what was lost and how often the best arm was played; and the plays of each
/// arm.
struct Game {
    regret: Vec<f64>,
    best: Vec<u64>,
    plays: Vec<u64>,
}

/// Plays every policy in `options.runs` games of the same luck.
///
/// In a run, the j-th play of an arm has the same luck under every policy (common random numbers), so that
/// differences of policies are those of their choices. Every run has its own streams: the result depends on
/// the seed, and on nothing that runs beside it, other policies and the number of threads included. With the
/// feature `rayon` runs are spread over threads.
///
/// ```
/// use posterior_decision::bandit::{Environment, SimulationOptions, Thompson, Ucb1, simulate};
///
/// let arms = Environment::bernoulli(&[0.9, 0.6])?;
/// let options = SimulationOptions { horizon: 500, runs: 50, ..SimulationOptions::default() };
/// let simulated = simulate(&[&Ucb1::default(), &Thompson::default()], &arms, &options)?;
/// let [ucb1, thompson] = &simulated.curves[..] else { unreachable!() };
/// assert!(thompson.final_regret() < ucb1.final_regret());
/// # Ok::<(), posterior_decision::Error>(())
/// ```
///
/// # Errors
/// If there is no policy, the horizon or the number of runs is 0, or a policy refuses its parameters or a
/// reward.
pub fn simulate(
    policies: &[&dyn Policy],
    environment: &Environment,
    options: &SimulationOptions,
) -> Result<SimulatedGames, Error> {
    check::at_least_one("simulate", "policies", policies.len())?;
    check::at_least_one("simulate", "horizon", options.horizon)?;
    check::at_least_one("simulate", "runs", options.runs)?;
    let times = options.times();
    let of_run = |run: u64| -> Result<Vec<Game>, Error> {
        policies.iter().map(|policy| play(*policy, environment, options, run, &times)).collect()
    };
    #[cfg(feature = "rayon")]
    let games = (0..options.runs).into_par_iter().map(of_run).collect::<Result<Vec<_>, _>>()?;
    #[cfg(not(feature = "rayon"))]
    let games = (0..options.runs).map(of_run).collect::<Result<Vec<_>, _>>()?;
    let curve =
        |place: usize| Curve::of_games(policies[place].name(), &times, &games.iter().map(|run| &run[place]));
    let curves = (0..policies.len()).map(curve).collect();
    Ok(SimulatedGames { times, runs: options.runs, curves })
}

fn play(
    policy: &dyn Policy,
    environment: &Environment,
    options: &SimulationOptions,
    run: u64,
    times: &[u64],
) -> Result<Game, Error> {
    let arms = environment.arms();
    let mut agent = policy.start(arms)?;
    let mut luck: Vec<Pcg64> =
        (0..arms as u64).map(|arm| stream(options.seed, &[run, REWARDS, arm])).collect();
    let mut coin = stream(options.seed, &[run, COIN]);
    let mut game = Game {
        regret: Vec::with_capacity(times.len()),
        best: Vec::with_capacity(times.len()),
        plays: vec![0; arms],
    };
    let (mut regret, mut best) = (0.0, 0);
    let mut epochs = environment.epochs();
    let mut epoch = epochs.next();
    let mut following = epochs.next();
    let mut recorded = times.iter().copied().peekable();
    for time in 1..=options.horizon {
        while let Some(next) = following.filter(|next| next.start < time) {
            epoch = Some(next);
            following = epochs.next();
        }
        let now = epoch.expect("invariant: an environment has a first epoch");
        let arm = agent.choose(&mut coin);
        agent.observe(arm, now.distributions[arm].draw(&mut luck[arm]))?;
        let gap = now.best - now.distributions[arm].mean();
        regret += gap;
        best += u64::from(gap == 0.0);
        game.plays[arm] += 1;
        if recorded.next_if_eq(&time).is_some() {
            game.regret.push(regret);
            game.best.push(best);
        }
    }
    Ok(game)
}
