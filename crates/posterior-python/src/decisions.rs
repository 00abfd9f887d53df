//! Bayesian optimisation by asking and telling, and bandits.

use std::sync::{Mutex, MutexGuard, PoisonError};

use posterior_decision::bandit::{
    Advice, Agent, Curve, Environment, Policy, Scaled, SimulationOptions, parse_policy, simulate,
};
use posterior_decision::optimization::{
    Acquisition, Axis, BetaSchedule, GpUcb, KnowledgeGradient, LnExpectedImprovement, MaxValueEntropy,
    Optimizer, OptimizerOptions, OutcomeNoise, ProbabilityOfImprovement, Space, ThompsonAcquisition,
};
use posterior_dist::stream::stream;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::watched::{invalid, left_behind};

/// A margin of improvement, in standard deviations of the outcomes.
const MARGIN: f64 = 0.01;

/// Half the width of a confidence band, in standard deviations.
const SDS: f64 = 2.0;

fn acquisition(name: &str) -> PyResult<Box<dyn Acquisition + Send + Sync>> {
    Ok(match name {
        "expected-improvement" => Box::new(LnExpectedImprovement),
        "probability-of-improvement" => Box::new(ProbabilityOfImprovement::new(MARGIN).map_err(invalid)?),
        "gp-ucb" => Box::new(GpUcb::new(BetaSchedule::Constant(SDS * SDS)).map_err(invalid)?),
        "thompson" => Box::new(ThompsonAcquisition::default()),
        "entropy-search" => Box::new(MaxValueEntropy::default()),
        "knowledge-gradient" => Box::new(KnowledgeGradient::default()),
        other => {
            let expected = "expected-improvement, probability-of-improvement, gp-ucb, thompson, \
                            entropy-search or knowledge-gradient";
            return Err(PyValueError::new_err(format!("acquisition: expected {expected}, found {other:?}")));
        }
    })
}

/// What may be tried along one input: a kind, and two bounds or a number of categories.
type Input = (String, f64, f64);

fn axis((kind, lower, upper): &Input) -> Axis {
    match kind.as_str() {
        "log" => Axis::Log { lower: *lower, upper: *upper },
        "integer" => Axis::Integer { lower: *lower as i64, upper: *upper as i64 },
        "category" => Axis::Category { count: *lower as usize },
        _ => Axis::Real { lower: *lower, upper: *upper },
    }
}

/// What `read` takes.
type Saved<'py> = (Bound<'py, PyBytes>,);

/// An optimiser that looks for the least value.
#[pyclass(module = "posterior_rs._core")]
#[derive(Debug)]
pub(crate) struct TrialOptimizer {
    optimizer: Optimizer,
}

#[pymethods]
impl TrialOptimizer {
    /// A noise below 0 is to be learned; it is a standard deviation else.
    #[new]
    fn new(inputs: Vec<Input>, noise: f64, initial: Option<usize>, seed: u64) -> PyResult<Self> {
        let axes: Vec<Axis> = inputs.iter().map(axis).collect();
        let noise = match noise {
            sd if sd > 0.0 => OutcomeNoise::Variance(sd * sd),
            0.0 => OutcomeNoise::None,
            _ => OutcomeNoise::Learned,
        };
        let options = OptimizerOptions { noise, initial, seed, ..OptimizerOptions::default() };
        let space = Space::new(&axes).map_err(invalid)?;
        Ok(Self { optimizer: Optimizer::new(space, options).map_err(invalid)? })
    }

    #[staticmethod]
    fn read(bytes: &[u8]) -> PyResult<Self> {
        Ok(Self { optimizer: serde_json::from_slice(bytes).map_err(invalid)? })
    }

    /// The next point to try.
    fn ask(&mut self, py: Python<'_>, rule: &str) -> PyResult<Vec<f64>> {
        let rule = acquisition(rule)?;
        // After a signal it is as before.
        let mut optimizer = self.optimizer.clone();
        let (point, optimizer) =
            left_behind(py, move |_| optimizer.ask(&*rule).map(|point| (point, optimizer)))?;
        self.optimizer = optimizer;
        Ok(point)
    }

    /// What came out at a point; nothing is a trial that failed.
    fn tell(&mut self, point: Vec<f64>, value: Option<f64>) -> PyResult<()> {
        match value {
            Some(value) => self.optimizer.tell(&point, value),
            None => self.optimizer.tell_failure(&point),
        }
        .map_err(invalid)
    }

    /// The point with the least value, and this.
    fn best(&self) -> Option<(Vec<f64>, f64)> {
        self.optimizer.best().map(|(point, value)| (point.to_vec(), value))
    }

    /// The point of the least mean of the surrogate, this mean and its standard deviation.
    fn recommend(&self, py: Python<'_>) -> PyResult<(Vec<f64>, f64, f64)> {
        let optimizer = self.optimizer.clone();
        let found = left_behind(py, move |_| optimizer.recommend())?;
        Ok((found.point, found.mean, found.sd))
    }

    /// Means and variances that the surrogate has at points.
    fn predict(&self, py: Python<'_>, points: Vec<Vec<f64>>) -> PyResult<(Vec<f64>, Vec<f64>)> {
        let optimizer = self.optimizer.clone();
        let found = left_behind(py, move |_| optimizer.surrogate()?.predict(&points))?;
        Ok((found.mean.as_slice().to_vec(), found.variance.as_slice().to_vec()))
    }

    /// How much each input matters, from 0 to 1.
    fn importance(&self, py: Python<'_>) -> PyResult<Vec<f64>> {
        let optimizer = self.optimizer.clone();
        left_behind(py, move |_| optimizer.surrogate()?.importance())
    }

    /// All trials: points, and values where they did not fail.
    fn trials(&self) -> Vec<(Vec<f64>, Option<f64>)> {
        self.optimizer.trials().iter().map(|own| (own.point.clone(), own.value())).collect()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Saved<'py>)> {
        let bytes = serde_json::to_vec(&self.optimizer).map_err(invalid)?;
        Ok((py.get_type::<Self>().getattr("read")?, (PyBytes::new(py, &bytes),)))
    }
}

/// A policy for rewards between two bounds.
fn policy(text: &str, [low, high]: [f64; 2]) -> PyResult<Scaled<Box<dyn Policy>>> {
    Scaled::new(parse_policy(text).map_err(invalid)?, low, high).map_err(invalid)
}

/// Arms that are tried one at a time; what is chosen depends on the seed and on what was seen.
#[pyclass(frozen, module = "posterior_rs._core")]
#[derive(Debug)]
pub(crate) struct BanditAgent {
    policy: String,
    arms: usize,
    bounds: [f64; 2],
    seed: u64,
    played: Mutex<Played>,
}

#[derive(Debug)]
struct Played {
    agent: Box<dyn Agent>,
    plays: Vec<(usize, f64)>,
}

/// Of each arm: plays, mean, standard deviation and index.
type Reasons = Vec<(u64, Option<f64>, Option<f64>, f64)>;

/// What makes a bandit again.
type Remade = (String, usize, [f64; 2], u64, Vec<(usize, f64)>);

impl BanditAgent {
    fn played(&self) -> MutexGuard<'_, Played> {
        self.played.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl BanditAgent {
    #[new]
    fn new(
        policy: String,
        arms: usize,
        bounds: [f64; 2],
        seed: u64,
        plays: Vec<(usize, f64)>,
    ) -> PyResult<Self> {
        let mut agent = self::policy(&policy, bounds)?.start(arms).map_err(invalid)?;
        for &(arm, reward) in &plays {
            agent.observe(arm, reward).map_err(invalid)?;
        }
        Ok(Self { policy, arms, bounds, seed, played: Mutex::new(Played { agent, plays }) })
    }

    /// The arm to play next.
    fn choose(&self) -> usize {
        let Played { agent, plays } = &mut *self.played();
        agent.choose(&mut stream(self.seed, &[plays.len() as u64]))
    }

    fn observe(&self, arm: usize, reward: f64) -> PyResult<()> {
        if arm >= self.arms {
            let arms = self.arms;
            return Err(PyValueError::new_err(format!("arm: expected one below {arms}, found {arm}")));
        }
        let Played { agent, plays } = &mut *self.played();
        agent.observe(arm, reward).map_err(invalid)?;
        plays.push((arm, reward));
        Ok(())
    }

    /// The choice, of each arm what speaks for it, and notes.
    fn advise(&self) -> (usize, Reasons, Vec<String>) {
        let Played { agent, plays } = &mut *self.played();
        let Advice { choice, reasons, notes, .. } =
            agent.advise(&mut stream(self.seed, &[plays.len() as u64]));
        let reasons = reasons.iter().map(|own| (own.plays, own.mean, own.sd, own.index)).collect();
        (choice, reasons, notes)
    }

    #[getter]
    fn plays(&self) -> Vec<(usize, f64)> {
        self.played().plays.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, Remade) {
        let parts = (self.policy.clone(), self.arms, self.bounds, self.seed, self.plays());
        (py.get_type::<Self>().into_any(), parts)
    }
}

/// The regret of a policy.
#[derive(Debug, IntoPyObject)]
pub(crate) struct Game {
    policy: String,
    regret: Vec<f64>,
    standard_errors: Vec<f64>,
    final_regrets: Vec<f64>,
    plays: Vec<f64>,
}

/// Regrets of policies in simulated games: the times, and a curve for each.
#[pyfunction]
pub(crate) fn bandit_simulate(
    py: Python<'_>,
    policies: Vec<String>,
    successes: Vec<f64>,
    games: (u64, u64, u64),
) -> PyResult<(Vec<u64>, Vec<Game>)> {
    let all: Vec<Box<dyn Policy>> =
        policies.iter().map(|text| parse_policy(text)).collect::<Result<_, _>>().map_err(invalid)?;
    let (horizon, runs, seed) = games;
    let found = left_behind::<_, posterior_decision::Error>(py, move |_| {
        let environment = Environment::bernoulli(&successes)?;
        let options = SimulationOptions { horizon, runs, seed, ..SimulationOptions::default() };
        let all: Vec<&dyn Policy> = all.iter().map(|own| &**own).collect();
        simulate(&all, &environment, &options)
    })?;
    let curve = |own: Curve| Game {
        policy: own.policy,
        regret: own.regret,
        standard_errors: own.standard_errors,
        final_regrets: own.final_regrets,
        plays: own.plays,
    };
    Ok((found.times, found.curves.into_iter().map(curve).collect()))
}
