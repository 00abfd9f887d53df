//! What many games of a policy came to.

use posterior_math::streaming::{MeanVariance, quantile_of_sorted};

use super::Game;

/// The levels of [`Curve::quantiles`].
const LEVELS: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// The games of all policies.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SimulatedGames {
    /// The recorded times, in plays.
    pub times: Vec<u64>,
    /// How many games of each policy.
    pub runs: u64,
    /// What became of each policy, in their order.
    pub curves: Vec<Curve>,
}

/// The games of one policy.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Curve {
    /// The name of the policy.
    pub policy: String,
    /// The mean regret (by expectations, not by luck) at each recorded time.
    pub regret: Vec<f64>,
    /// The standard error of each; NaN for one game.
    pub standard_errors: Vec<f64>,
    /// The 5, 25, 50, 75 and 95 % quantiles of the regret over games, at each recorded time.
    pub quantiles: Vec<[f64; 5]>,
    /// The mean proportion of the plays so far that went to a best arm, at each recorded time.
    pub proportion_of_best: Vec<f64>,
    /// The mean number of plays of each arm, in the end.
    pub plays: Vec<f64>,
    /// The regret of each game, in the end.
    pub final_regrets: Vec<f64>,
}

impl Curve {
    /// From games of one policy, in the order of the runs.
    pub(super) fn of_games<'a>(
        policy: String,
        times: &[u64],
        games: &(impl Iterator<Item = &'a Game> + Clone),
    ) -> Self {
        let moments = |place: usize| games.clone().map(|game| game.regret[place]).collect::<MeanVariance>();
        let regret: Vec<MeanVariance> = (0..times.len()).map(moments).collect();
        let quantiles = |place: usize| {
            let mut sorted: Vec<f64> = games.clone().map(|game| game.regret[place]).collect();
            sorted.sort_by(f64::total_cmp);
            LEVELS.map(|level| quantile_of_sorted(&sorted, level))
        };
        let proportion = |(place, &time): (usize, &u64)| {
            games.clone().map(|game| game.best[place] as f64 / time as f64).collect::<MeanVariance>().mean()
        };
        let arms = games.clone().next().map_or(0, |game| game.plays.len());
        let plays =
            |arm: usize| games.clone().map(|game| game.plays[arm] as f64).collect::<MeanVariance>().mean();
        Self {
            policy,
            standard_errors: regret.iter().map(|own| (own.sample_variance() / own.weight()).sqrt()).collect(),
            regret: regret.iter().map(MeanVariance::mean).collect(),
            quantiles: (0..times.len()).map(quantiles).collect(),
            proportion_of_best: times.iter().enumerate().map(proportion).collect(),
            plays: (0..arms).map(plays).collect(),
            final_regrets: games.clone().filter_map(|game| game.regret.last().copied()).collect(),
        }
    }

    /// The mean regret in the end.
    pub fn final_regret(&self) -> f64 {
        self.regret.last().copied().unwrap_or(f64::NAN)
    }

    /// By how much the mean regret grew per unit of ln n since the recorded time nearest to √n: what is
    /// compared with the constant of Lai and Robbins. NaN of games of one play.
    pub fn slope(&self, times: &[u64]) -> f64 {
        let (Some(&last), Some(regret)) = (times.last(), self.regret.last()) else { return f64::NAN };
        let middle = 0.5 * (last as f64).ln();
        let from = times.iter().take_while(|&&time| (time as f64).ln() < middle).count();
        match (times.get(from), self.regret.get(from)) {
            (Some(&time), Some(before)) if time < last => {
                (regret - before) / (last as f64 / time as f64).ln()
            }
            _ => f64::NAN,
        }
    }
}
