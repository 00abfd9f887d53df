//! Simulated annealing for the most probable joint state.

use posterior_dist::stream::stream;
use posterior_inference::{Error, Explanation, MapEngine, Need, relevant};
use posterior_math::check::{self, ParamError};
use posterior_pgm::{Evidence, GraphicalModel, MarkovRandomField};
use rand::{Rng, RngExt};

use super::blocking::{Blocking, BlocksWanted, blocks};
use super::each;
use super::sites::{Position, Sites, accumulate, exponentiate};
use super::support::Support;

/// Simulated annealing: Gibbs sampling of p(x)^(1/T) while the temperature T falls geometrically, and at last
/// the climb to a state that no change of one block betters; the best state that was met, of several starts.
///
/// The answer is not proven to be the best, and says so ([`Explanation::optimal`] is false). For models whose
/// tables are too large for exact engines. Each sweep is O(cells of the blocks × their factors).
///
/// # References
/// S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, Optimization by simulated annealing, Science 220, 1983; S.
/// Geman and D. Geman, IEEE PAMI 6, 1984.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedAnnealing {
    /// Sweeps from each start, at least 1.
    pub sweeps: usize,
    /// Random starts, at least 1.
    pub starts: usize,
    /// The temperature of the first sweep: 1 is the model itself.
    pub hottest: f64,
    /// The temperature of the last sweep.
    pub coldest: f64,
    /// Which variables are moved together.
    pub blocking: Blocking,
    /// The seed.
    pub seed: u64,
}

impl Default for SimulatedAnnealing {
    /// 4 starts with 2,000 sweeps each from temperature 5 to 0.05.
    fn default() -> Self {
        Self { sweeps: 2000, starts: 4, hottest: 5.0, coldest: 0.05, blocking: Blocking::default(), seed: 0 }
    }
}

/// The best state that annealing met, and how it went.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AnnealedState {
    /// The best state; not proven to be.
    pub best: Explanation,
    /// ln of the best product of factors that each start led to: starts that agree make it likelier that
    /// there is no better.
    pub ln_values: Vec<f64>,
}

impl SimulatedAnnealing {
    /// From this temperature to that one.
    #[must_use]
    pub const fn with_temperatures(mut self, hottest: f64, coldest: f64) -> Self {
        self.hottest = hottest;
        self.coldest = coldest;
        self
    }

    fn check(&self) -> Result<(), ParamError> {
        const NAME: &str = "SimulatedAnnealing";
        check::require(self.sweeps > 0, NAME, "sweeps", self.sweeps as f64, "positive")?;
        check::require(self.starts > 0, NAME, "starts", self.starts as f64, "positive")?;
        check::positive(NAME, "hottest", self.hottest)?;
        check::positive(NAME, "coldest", self.coldest)?;
        check::require(self.coldest <= self.hottest, NAME, "coldest", self.coldest, "at most the hottest")?;
        Ok(())
    }

    /// The temperature of each sweep.
    fn temperatures(&self) -> impl Iterator<Item = f64> {
        let ratio = (self.coldest / self.hottest).ln() / (self.sweeps.max(2) - 1) as f64;
        (0..self.sweeps).map(move |sweep| self.hottest * (ratio * sweep as f64).exp())
    }

    /// The best joint state that was met, with what each start led to.
    ///
    /// # Errors
    /// As [`MapEngine::most_probable`]; options that can't be; no state to start from.
    pub fn anneal(&self, model: &dyn GraphicalModel, evidence: &Evidence) -> Result<AnnealedState, Error> {
        self.check()?;
        let part = relevant(model, &[], evidence, Need::BestState)?;
        let field = part.field(model, evidence)?;
        let support = Support::new(&field)?;
        let cards = field.variables().cards();
        let wanted = BlocksWanted::new(&self.blocking, model.variables(), cards.len(), |v| part.place(v))?;
        let sites = Sites::new(&field, &blocks(&support, &field, &wanted).0, 0);
        let starts: Vec<u64> = (0..self.starts as u64).collect();
        let found = each(&starts, |&start| {
            let mut rng = stream(self.seed, &[start]);
            let states = support.random_state(&mut rng)?;
            Ok(self.run_from(&field, &sites, &states, &mut rng))
        });
        let found: Vec<(Vec<usize>, f64)> = found.into_iter().collect::<Result<_, Error>>()?;
        let ln_values: Vec<f64> = found.iter().map(|own| own.1).collect();
        let best = (0..found.len()).fold(0, |best, i| if ln_values[i] > ln_values[best] { i } else { best });
        let mut states: Vec<usize> =
            model.variables().ids().map(|v| evidence.state(v).unwrap_or(0)).collect();
        for (v, &state) in part.variables().iter().zip(&found[best].0) {
            states[v.index()] = state;
        }
        Ok(AnnealedState { best: Explanation::new(states, ln_values[best], false), ln_values })
    }

    /// The best state from one start, with the logarithm of its score.
    fn run_from<R: Rng + ?Sized>(
        &self,
        field: &MarkovRandomField,
        sites: &Sites,
        states: &[usize],
        rng: &mut R,
    ) -> (Vec<usize>, f64) {
        let mut position = sites.position(states);
        let mut line = Vec::new();
        // The score of where the chain is, less that of its start.
        let (mut gain, mut best_gain, mut best) = (0.0, 0.0, position.clone());
        for temperature in self.temperatures() {
            for site in 0..sites.len() {
                sites.ln_conditional(&position, site, &mut line);
                let now = line[position.joint(site) as usize];
                let mut heated: Vec<f64> = line.iter().map(|ln| ln / temperature).collect();
                exponentiate(&mut heated);
                accumulate(&mut heated);
                let u: f64 = rng.random();
                let Some(drawn) = heated.iter().position(|&c| u < c) else { continue };
                gain += line[drawn] - now;
                sites.put(&mut position, site, drawn as u32);
            }
            if gain > best_gain {
                best_gain = gain;
                best.clone_from(&position);
            }
        }
        climb(sites, &mut best, &mut line);
        let states = sites.states(&best);
        let ln_value = field.ln_score(&states);
        (states, ln_value)
    }
}

/// Puts one block after another in its best state, until none changes (iterated conditional modes, Besag
/// 1986).
fn climb(sites: &Sites, position: &mut Position, line: &mut Vec<f64>) {
    let mut settled = false;
    while !settled {
        settled = true;
        for site in 0..sites.len() {
            sites.ln_conditional(position, site, line);
            let now = position.joint(site) as usize;
            let best = (0..line.len())
                .fold(now, |best, state| if gains(line[state], line[best]) { state } else { best });
            if best != now {
                settled = false;
                sites.put(position, site, best as u32);
            }
        }
    }
}

/// Whether a sum of logarithms is larger by more than its rounding, so that blocks with equal states do not
/// chase each other for ever.
fn gains(value: f64, best: f64) -> bool {
    value - best > 1e-12 * (1.0 + best.abs()) || best == f64::NEG_INFINITY && value > best
}

impl MapEngine for SimulatedAnnealing {
    fn most_probable(&self, model: &dyn GraphicalModel, evidence: &Evidence) -> Result<Explanation, Error> {
        Ok(self.anneal(model, evidence)?.best)
    }
}
