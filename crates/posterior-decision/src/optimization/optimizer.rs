//! Asking and telling.

mod candidates;
#[cfg(feature = "serde")]
mod state;
mod trial;

use posterior_dist::stream::stream;
use posterior_math::check;
use posterior_sampling::estimate::Sobol;
use rand_pcg::Pcg64;

use self::candidates::candidates;
pub use self::trial::{Recommendation, Trial, TrialOutcome};
use super::search::maximize;
use super::surrogate::encoded;
use super::{Acquisition, OptimizerOptions, OutcomeNoise, Space, Surrogate, TrialState};
use crate::Error;

/// Points closer than this in every coordinate, in units of the space, are the same.
const SAME: f64 = 1e-7;

/// Outcomes may be this large: their differences are numbers then.
const LARGEST: f64 = 1e300;

/// After so many points of the even design that were tried before or violate constraints, none is left.
const DESIGN_TRIALS: usize = 1 << 16;

/// The seeds of design and rounds.
const DESIGN: u64 = 0;
const ROUND: u64 = 1;

/// Looks for the least value of a function: ask for a point, try it, tell what came out.
///
/// The first points are spread evenly (a scrambled Sobol sequence); then a [`Surrogate`] is fitted and an
/// [`Acquisition`] chooses. Points that were asked for and not reported are pending: the surrogate believes
/// that they come out as it expects (the "kriging believer"), so asking several times gives points for
/// parallel trials. Trials that failed count as the worst value so far. Points may be reported that were not
/// asked for.
///
/// It is a value: the same seed and the same outcomes give the same points, and with the feature `serde` one
/// that was written and read goes on as if nothing had happened.
///
/// # Cost
/// O(n³) for n trials, some hundred times when hyperparameters are fitted.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "state::Unchecked")
)]
pub struct Optimizer {
    space: Space,
    options: OptimizerOptions,
    trials: Vec<Trial>,
    pending: Vec<Vec<f64>>,
    /// How many points were asked for.
    asked: u64,
    /// How many points of the even design were used up.
    designed: u64,
    learned: Option<Learned>,
}

/// Hyperparameters, and how many trials there were when they were fitted.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Learned {
    trials: usize,
    values: Vec<f64>,
}

impl Optimizer {
    /// Before any trial.
    ///
    /// # Errors
    /// If an option can't be: see [`OptimizerOptions`].
    pub fn new(space: Space, options: OptimizerOptions) -> Result<Self, Error> {
        options.check()?;
        let (trials, pending) = (Vec::new(), Vec::new());
        Ok(Self { space, options, trials, pending, asked: 0, designed: 0, learned: None })
    }

    /// The next point to try. It is pending until it is reported.
    ///
    /// # Errors
    /// [`Error::Exhausted`] if outcomes are exact and every point was tried; a surrogate that cannot be
    /// fitted, or not be taken by the acquisition.
    pub fn ask(&mut self, acquisition: &dyn Acquisition) -> Result<Vec<f64>, Error> {
        let point = if self.has_begun() { self.choose(acquisition)? } else { self.design()? };
        self.asked += 1;
        self.pending.push(point.clone());
        Ok(point)
    }

    /// A point is being tried, as if it had been asked for: by another program, or before a pause.
    ///
    /// ```
    /// # use posterior_decision::optimization::{Axis, LnExpectedImprovement, Optimizer, OptimizerOptions, Space};
    /// let space = Space::new(&[Axis::Real { lower: 0.0, upper: 1.0 }])?;
    /// let mut optimizer = Optimizer::new(space.clone(), OptimizerOptions::default())?;
    /// let point = optimizer.ask(&LnExpectedImprovement)?;
    /// // Another one with the same trials goes on where this one is.
    /// let mut other = Optimizer::new(space, OptimizerOptions::default())?;
    /// other.add_pending(&point)?;
    /// assert_eq!(other.ask(&LnExpectedImprovement)?, optimizer.ask(&LnExpectedImprovement)?);
    /// # Ok::<(), posterior_decision::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the point does not belong to the space.
    pub fn add_pending(&mut self, point: &[f64]) -> Result<(), Error> {
        self.space.check(point)?;
        if !self.has_begun() {
            // A request of one's own would have taken the next point of the design, whichever that is.
            let _ = self.design();
        }
        self.asked += 1;
        self.pending.push(point.to_vec());
        Ok(())
    }

    /// Whether the surrogate chooses.
    fn has_begun(&self) -> bool {
        let initial = self.options.initial.unwrap_or(2 * (self.space.axes().len() + 1));
        self.trials.len() + self.pending.len() >= initial
            && self.trials.iter().any(|trial| trial.value().is_some())
    }

    /// A point has this value.
    ///
    /// # Errors
    /// If the point does not belong to the space, or the value is above 10³⁰⁰ in size or not finite.
    pub fn tell(&mut self, point: &[f64], value: f64) -> Result<(), Error> {
        self.space.check(point)?;
        check::require(
            value.abs() <= LARGEST,
            "Optimizer",
            "value",
            value,
            "finite, and at most 1e300 in size",
        )?;
        self.push(point, TrialOutcome::Value(value));
        Ok(())
    }

    /// A point gave no value.
    ///
    /// # Errors
    /// If it does not belong to the space.
    pub fn tell_failure(&mut self, point: &[f64]) -> Result<(), Error> {
        self.space.check(point)?;
        self.push(point, TrialOutcome::Failed);
        Ok(())
    }

    fn push(&mut self, point: &[f64], outcome: TrialOutcome) {
        if let Some(index) = self.pending.iter().position(|pending| pending == point) {
            self.pending.remove(index);
        }
        self.trials.push(Trial { point: point.to_vec(), outcome });
    }

    /// The space.
    pub const fn space(&self) -> &Space {
        &self.space
    }

    /// All trials, in the order in which they were reported.
    pub fn trials(&self) -> &[Trial] {
        &self.trials
    }

    /// Points that were asked for and not reported.
    pub fn pending(&self) -> &[Vec<f64>] {
        &self.pending
    }

    /// The point with the least value so far, and the value; none before the first.
    pub fn best(&self) -> Option<(&[f64], f64)> {
        let values = self.trials.iter().filter_map(|trial| Some((trial.point.as_slice(), trial.value()?)));
        values.reduce(|best, next| if next.1 < best.1 { next } else { best })
    }

    /// The least value after each trial; infinite before the first that did not fail.
    pub fn trace(&self) -> Vec<f64> {
        let mut best = f64::INFINITY;
        let after = |trial: &Trial| {
            best = best.min(trial.value().unwrap_or(f64::INFINITY));
            best
        };
        self.trials.iter().map(after).collect()
    }

    /// The point that was tried and has the least posterior mean: under noise, the one with the least value
    /// was lucky.
    ///
    /// # Errors
    /// As [`surrogate`](Self::surrogate).
    pub fn recommend(&self) -> Result<Recommendation, Error> {
        let surrogate = self.surrogate()?;
        let points: Vec<Vec<f64>> = self
            .trials
            .iter()
            .filter(|trial| trial.value().is_some())
            .map(|trial| trial.point.clone())
            .collect();
        let prediction = surrogate.predict(&points)?;
        let mut least = 0;
        for (index, mean) in prediction.mean.iter().enumerate() {
            if *mean < prediction.mean[least] {
                least = index;
            }
        }
        let (mean, sd) = (prediction.mean[least], prediction.variance[least].sqrt());
        Ok(Recommendation { point: points[least].clone(), mean, sd })
    }

    /// What is believed of the function after the trials so far, without pending ones; with the
    /// hyperparameters that the last choice had, if there was one.
    ///
    /// # Errors
    /// [`Error::NoValue`] if there is no value yet; or the process cannot be fitted.
    pub fn surrogate(&self) -> Result<Surrogate, Error> {
        self.fitted(self.learned.as_ref().map(|learned| learned.values.as_slice()))
    }

    fn fitted(&self, hyperparameters: Option<&[f64]>) -> Result<Surrogate, Error> {
        let worst = self.trials.iter().filter_map(Trial::value).reduce(f64::max).ok_or(Error::NoValue)?;
        let points: Vec<&[f64]> = self.trials.iter().map(|trial| trial.point.as_slice()).collect();
        let values: Vec<f64> = self.trials.iter().map(|trial| trial.value().unwrap_or(worst)).collect();
        Surrogate::new(&self.space, &points, &values, hyperparameters, &self.options)
    }

    /// The next new point of the even design.
    fn design(&mut self) -> Result<Vec<f64>, Error> {
        let seed = rand::RngExt::random(&mut stream(self.options.seed, &[DESIGN]));
        let net = Sobol::scrambled(self.space.axes().len(), seed)?;
        let from = usize::try_from(self.designed).unwrap_or(usize::MAX);
        for unit in net.skip(from).take(DESIGN_TRIALS) {
            self.designed += 1;
            let point = self.space.at(&unit);
            if self.space.allows(&point) && self.is_new(&point) {
                return Ok(point);
            }
        }
        Err(Error::Exhausted)
    }

    fn choose(&mut self, acquisition: &dyn Acquisition) -> Result<Vec<f64>, Error> {
        let due = |learned: &Learned| self.trials.len() >= learned.trials + self.options.refit_every;
        let kept =
            self.learned.as_ref().filter(|learned| !due(learned)).map(|learned| learned.values.clone());
        let surrogate = self.fitted(kept.as_deref())?;
        if kept.is_none() {
            self.learned = Some(Learned { trials: self.trials.len(), values: surrogate.hyperparameters() });
        }
        let pending: Vec<&[f64]> = self.pending.iter().map(Vec::as_slice).collect();
        let surrogate = surrogate.believing(&pending)?;
        let rng: &mut Pcg64 = &mut stream(self.options.seed, &[ROUND, self.asked]);
        let good: Vec<&[f64]> = self.best().map(|(point, _)| point).into_iter().collect();
        let points = candidates(&self.space, self.options.candidates, &good, rng)?;
        let rows: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
        let inputs = encoded(&self.space, &rows);
        let round = TrialState {
            posterior: &surrogate.posterior,
            best: self.incumbent(&surrogate)?,
            trial: self.asked + 1,
            candidates: &inputs,
        };
        let score = acquisition.score(&round, rng)?;
        let is_new = |point: &[f64]| self.is_new(point);
        let found = maximize(&self.space, &score, &points, self.options.starts, is_new)?;
        found.ok_or(Error::Exhausted)
    }

    /// What is to be improved upon, standardised: the least value, or the least mean under noise.
    fn incumbent(&self, surrogate: &Surrogate) -> Result<f64, Error> {
        let posterior = &surrogate.posterior;
        let least = match self.options.noise {
            OutcomeNoise::None => posterior.outputs().min(),
            OutcomeNoise::Variance(_) | OutcomeNoise::Learned => posterior.mean(posterior.inputs())?.min(),
        };
        Ok(least)
    }

    /// Whether a trial there could tell anything: under noise always.
    fn is_new(&self, point: &[f64]) -> bool {
        if self.options.noise != OutcomeNoise::None {
            return true;
        }
        let place = self.space.encode(point);
        let tried = self.trials.iter().map(|trial| &trial.point).chain(&self.pending);
        !tried
            .into_iter()
            .any(|other| self.space.encode(other).iter().zip(&place).all(|(a, b)| (a - b).abs() <= SAME))
    }
}
