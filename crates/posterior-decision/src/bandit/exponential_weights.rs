//! Exponential weights: for rewards that nobody promises anything about.

use posterior_dist::choose;
use posterior_math::check::{self, ParamError};
use posterior_math::log_space::softmax_in_place;
use rand::{Rng, RngExt};

use super::policy::{Advice, Agent, Policy, Reason, unit_reward};
use super::rewards::Rewards;

/// EXP3: the arm k with probability (1 - γ) w_k/Σw + γ/K, where ln w_k grows by γ r/(K p_k) when it gave r.
///
/// Against any rewards in [0, 1], fixed beforehand by an adversary, the expected regret is at most (e - 1) γ
/// n + K ln K/γ (Auer, Cesa-Bianchi, Freund, Schapire, SIAM J. Computing 32, 2002, theorem 3.1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exp3 {
    /// γ: in (0, 1]; 0.1 by default.
    pub gamma: f64,
}

impl Default for Exp3 {
    fn default() -> Self {
        Self { gamma: 0.1 }
    }
}

impl Exp3 {
    /// With the γ that has the least bound for so many arms and plays: min(1, √(K ln K/((e - 1) n))).
    pub fn for_horizon(arms: usize, plays: u64) -> Self {
        let k = arms.max(2) as f64;
        Self { gamma: (k * k.ln() / ((std::f64::consts::E - 1.0) * plays.max(1) as f64)).sqrt().min(1.0) }
    }
}

/// EXP3-IX: the arm k with probability in proportion to exp(-η L_k), where L_k grows by (1 - r)/(p_k + η/2)
/// when it gave r.
///
/// The η/2 below, implicit exploration, keeps the regret small with high probability, not only on average;
/// rewards are in [0, 1] (Neu, NIPS 2015).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exp3Ix {
    /// η: positive; 0.1 by default.
    pub rate: f64,
}

impl Default for Exp3Ix {
    fn default() -> Self {
        Self { rate: 0.1 }
    }
}

impl Exp3Ix {
    /// With the η of the theorem for so many arms and plays: √(2 ln(K + 1)/(K n)).
    pub fn for_horizon(arms: usize, plays: u64) -> Self {
        let k = arms.max(1) as f64;
        Self { rate: (2.0 * k.ln_1p() / (k * plays.max(1) as f64)).sqrt() }
    }
}

impl Policy for Exp3 {
    fn name(&self) -> String {
        format!("exp3:{}", self.gamma)
    }

    fn start(&self, arms: usize) -> Result<Box<dyn Agent>, ParamError> {
        let usable = self.gamma > 0.0 && self.gamma <= 1.0;
        check::require(usable, "Exp3", "gamma", self.gamma, "in (0, 1]")?;
        Running::start(Rule::Mixed { gamma: self.gamma }, arms)
    }
}

impl Policy for Exp3Ix {
    fn name(&self) -> String {
        format!("exp3-ix:{}", self.rate)
    }

    fn start(&self, arms: usize) -> Result<Box<dyn Agent>, ParamError> {
        check::positive("Exp3Ix", "rate", self.rate)?;
        Running::start(Rule::Implicit { rate: self.rate }, arms)
    }
}

#[derive(Debug, Clone, Copy)]
enum Rule {
    Mixed { gamma: f64 },
    Implicit { rate: f64 },
}

#[derive(Debug)]
struct Running {
    rule: Rule,
    rewards: Rewards,
    ln_weights: Vec<f64>,
    /// Of each arm at the next play.
    probabilities: Vec<f64>,
}

impl Running {
    fn start(rule: Rule, arms: usize) -> Result<Box<dyn Agent>, ParamError> {
        let rewards = Rewards::new(arms)?;
        let probabilities = vec![1.0 / arms as f64; arms];
        Ok(Box::new(Self { rule, rewards, ln_weights: vec![0.0; arms], probabilities }))
    }

    fn renew(&mut self) {
        self.probabilities.copy_from_slice(&self.ln_weights);
        softmax_in_place(&mut self.probabilities);
        if let Rule::Mixed { gamma } = self.rule {
            let proportion = gamma / self.probabilities.len() as f64;
            for probability in &mut self.probabilities {
                *probability = (1.0 - gamma) * *probability + proportion;
            }
        }
    }
}

impl Agent for Running {
    fn choose(&mut self, rng: &mut dyn Rng) -> usize {
        choose(&self.probabilities, rng.random()).unwrap_or_default()
    }

    fn observe(&mut self, arm: usize, reward: f64) -> Result<(), ParamError> {
        unit_reward(reward)?;
        self.rewards.push(arm, reward)?;
        let probability = self.probabilities[arm];
        self.ln_weights[arm] += match self.rule {
            Rule::Mixed { gamma } => gamma * reward / (probability * self.probabilities.len() as f64),
            Rule::Implicit { rate } => -rate * (1.0 - reward) / (probability + 0.5 * rate),
        };
        self.renew();
        Ok(())
    }

    fn advise(&mut self, rng: &mut dyn Rng) -> Advice {
        let each = self.rewards.arms.iter().zip(&self.probabilities).enumerate();
        let reasons =
            each.map(|(arm, (known, &probability))| Reason::of_sample(arm, known, probability)).collect();
        Advice { reasons, choice: self.choose(rng), notes: vec!["chosen at random by the index".to_owned()] }
    }
}
