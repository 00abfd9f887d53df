//! Asking and telling.

mod candidates;
mod feasible;
#[cfg(feature = "serde")]
mod state;
mod trial;

use posterior_dist::stream::stream;
use posterior_math::check;
use posterior_sampling::estimate::Sobol;
use rand_pcg::Pcg64;

use self::candidates::candidates;
pub use self::trial::{Recommendation, Trial, TrialOutcome};
use super::options::{LARGEST, SIZE};
use super::search::maximize;
use super::surrogate::{encoded, kernel};
use super::{Acquisition, ConstraintState, OptimizerOptions, OutcomeNoise, Space, Surrogate, TrialState};
use crate::Error;

/// Points closer than this in every coordinate, in units of the space, are the same.
const SAME: f64 = 1e-7;

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
/// Further outcomes may have a bound ([`OptimizerOptions::constraints`]): each has a surrogate of its own,
/// and what counts is the least value where all are kept.
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
    /// Those of each constraint.
    #[cfg_attr(feature = "serde", serde(default))]
    constraints: Vec<Vec<f64>>,
}

impl Optimizer {
    /// Before any trial.
    ///
    /// # Errors
    /// If an option can't be: see [`OptimizerOptions`]; if the kernel does not take points of the space.
    pub fn new(space: Space, options: OptimizerOptions) -> Result<Self, Error> {
        options.check()?;
        let center = space.at(&vec![0.5; space.axes().len()]);
        kernel(&space, &options)?.check(&encoded(&space, &[&center]))?;
        let (trials, pending) = (Vec::new(), Vec::new());
        Ok(Self { space, options, trials, pending, asked: 0, designed: 0, learned: None })
    }

    /// The next point to try. It is pending until it is reported.
    ///
    /// # Errors
    /// [`Error::Exhausted`] if outcomes are exact and every point was tried; a surrogate that cannot be
    /// fitted, or not be taken by the acquisition; constraints of outcomes of which it does not know.
    pub fn ask(&mut self, acquisition: &dyn Acquisition) -> Result<Vec<f64>, Error> {
        if !self.options.constraints.is_empty() && !acquisition.knows_constraints() {
            let reason = "knows nothing of constraints of outcomes";
            return Err(Error::Acquisition { name: "this acquisition", reason });
        }
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
    /// If the point does not belong to the space, or the value is above 10³⁰⁰ in size or not finite; if there
    /// are constraints of outcomes.
    pub fn tell(&mut self, point: &[f64], value: f64) -> Result<(), Error> {
        self.tell_constrained(point, value, &[])
    }

    /// A point has this value, and the outcomes with a bound have these, one for each constraint.
    ///
    /// # Errors
    /// If the point does not belong to the space, there is not a number for each constraint, or one is above
    /// 10³⁰⁰ in size or not finite.
    pub fn tell_constrained(&mut self, point: &[f64], value: f64, constrained: &[f64]) -> Result<(), Error> {
        self.space.check(point)?;
        let constraints = self.options.constraints.len();
        check::dimension("outcomes with a bound", constraints, constrained.len())?;
        check::require(value.abs() <= LARGEST, "Optimizer", "value", value, SIZE)?;
        for (index, &own) in constrained.iter().enumerate() {
            check::require(own.abs() <= LARGEST, "Optimizer", "constrained", own, SIZE)
                .map_err(|error| error.at(index))?;
        }
        self.push(point, TrialOutcome::Value(value), constrained);
        Ok(())
    }

    /// A point gave no value.
    ///
    /// # Errors
    /// If it does not belong to the space.
    pub fn tell_failure(&mut self, point: &[f64]) -> Result<(), Error> {
        self.space.check(point)?;
        self.push(point, TrialOutcome::Failed, &[]);
        Ok(())
    }

    fn push(&mut self, point: &[f64], outcome: TrialOutcome, constrained: &[f64]) {
        if let Some(index) = self.pending.iter().position(|pending| pending == point) {
            self.pending.remove(index);
        }
        self.trials.push(Trial { point: point.to_vec(), outcome, constrained: constrained.to_vec() });
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

    /// The point with the least value so far of those whose outcomes keep their bounds, and the value; none
    /// before the first.
    pub fn best(&self) -> Option<(&[f64], f64)> {
        let kept = self.trials.iter().filter(|trial| self.keeps_bounds(trial));
        let values = kept.filter_map(|trial| Some((trial.point.as_slice(), trial.value()?)));
        values.reduce(|best, next| if next.1 < best.1 { next } else { best })
    }

    /// The least value after each trial, of those whose outcomes keep their bounds; infinite before the first
    /// that did not fail.
    pub fn trace(&self) -> Vec<f64> {
        let mut best = f64::INFINITY;
        let after = |trial: &Trial| {
            let value = trial.value().filter(|_| self.keeps_bounds(trial));
            best = best.min(value.unwrap_or(f64::INFINITY));
            best
        };
        self.trials.iter().map(after).collect()
    }

    /// The point that was tried and has the least posterior mean: under noise, the one with the least value
    /// was lucky. Of those that satisfy the constraints of outcomes as far as is known.
    ///
    /// # Errors
    /// As [`surrogate`](Self::surrogate); [`Error::NoFeasible`] if no point does.
    pub fn recommend(&self) -> Result<Recommendation, Error> {
        let surrogate = self.surrogate()?;
        let feasible = self.feasible(&self.constraint_surrogates()?)?;
        let points: Vec<Vec<f64>> = self
            .trials
            .iter()
            .zip(feasible)
            .filter(|(trial, feasible)| trial.value().is_some() && *feasible)
            .map(|(trial, _)| trial.point.clone())
            .collect();
        if points.is_empty() {
            return Err(Error::NoFeasible);
        }
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
        self.fitted(self.learned.as_ref())
    }

    fn fitted(&self, learned: Option<&Learned>) -> Result<Surrogate, Error> {
        let worst = self.trials.iter().filter_map(Trial::value).reduce(f64::max).ok_or(Error::NoValue)?;
        let points: Vec<&[f64]> = self.trials.iter().map(|trial| trial.point.as_slice()).collect();
        let values: Vec<f64> = self.trials.iter().map(|trial| trial.value().unwrap_or(worst)).collect();
        let learned = learned.map(|learned| learned.values.as_slice());
        Surrogate::new(&self.space, &points, &values, learned, self.options.noise, &self.options)
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
        let (surrogate, constraints) = self.refitted()?;
        let pending: Vec<&[f64]> = self.pending.iter().map(Vec::as_slice).collect();
        let surrogate = surrogate.believing(&pending)?;
        let constraints =
            constraints.into_iter().map(|own| own.believing(&pending)).collect::<Result<Vec<_>, _>>()?;
        let rng: &mut Pcg64 = &mut stream(self.options.seed, &[ROUND, self.asked]);
        let good: Vec<&[f64]> = self.best().map(|(point, _)| point).into_iter().collect();
        let points = candidates(&self.space, self.options.candidates, &good, rng)?;
        let rows: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
        let inputs = encoded(&self.space, &rows);
        let bounds = self.options.constraints.iter().zip(&constraints);
        let states: Vec<ConstraintState<'_>> = bounds
            .map(|(constraint, own)| ConstraintState {
                posterior: &own.posterior,
                bound: own.standardized(constraint.bound),
            })
            .collect();
        let round = TrialState {
            posterior: &surrogate.posterior,
            best: self.incumbent(&surrogate, &constraints)?,
            constraints: &states,
            trial: self.asked + 1,
            candidates: &inputs,
        };
        let score = acquisition.score(&round, rng)?;
        let is_new = |point: &[f64]| self.is_new(point);
        let found = maximize(&self.space, &score, &points, self.options.starts, is_new)?;
        found.ok_or(Error::Exhausted)
    }

    /// What is believed of the function and of the outcomes with a bound, with hyperparameters that are
    /// fitted anew when that is due.
    fn refitted(&mut self) -> Result<(Surrogate, Vec<Surrogate>), Error> {
        let due = |learned: &Learned| self.trials.len() >= learned.trials + self.options.refit_every;
        let kept = self.learned.as_ref().filter(|learned| !due(learned));
        let (surrogate, constraints) = (self.fitted(kept)?, self.fitted_constraints(kept)?);
        if kept.is_none() {
            self.learned = Some(Learned {
                trials: self.trials.len(),
                values: surrogate.hyperparameters(),
                constraints: constraints.iter().map(Surrogate::hyperparameters).collect(),
            });
        }
        Ok((surrogate, constraints))
    }

    /// What is to be improved upon, standardised: the least value, or the least mean under noise, of points
    /// that satisfy the constraints; infinite without any.
    fn incumbent(&self, surrogate: &Surrogate, constraints: &[Surrogate]) -> Result<f64, Error> {
        let posterior = &surrogate.posterior;
        let values = match self.options.noise {
            OutcomeNoise::None => posterior.outputs().clone(),
            OutcomeNoise::Variance(_) | OutcomeNoise::Learned => posterior.mean(posterior.inputs())?,
        };
        let feasible = self.feasible(constraints)?;
        let kept = values.iter().zip(feasible).filter_map(|(&value, feasible)| feasible.then_some(value));
        Ok(kept.fold(f64::INFINITY, f64::min))
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
