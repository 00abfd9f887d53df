//! Training on all data at a time.

use std::cell::RefCell;
use std::ops::ControlFlow;

use posterior_math::check;
use posterior_math::iteration::{Fitted, Observer, Step};
use posterior_math::optimize::{self, LbfgsOptions, Minimum, minimize, minimize_l1};

use crate::error::Error;

use super::dataset::Dataset;
use super::features::Features;
use super::model::ConditionalRandomField;
use super::objective::CrfObjective;

/// Options of training on all data at a time.
///
/// ```
/// use posterior_sequence::crf::TrainingOptions;
///
/// let options = TrainingOptions { l1: 0.5, l2: 0.1, ..TrainingOptions::default() };
/// assert_eq!((options.l1, options.l2), (0.5, 0.1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrainingOptions {
    /// The penalty of Σ |w|, which makes weights exactly 0. 0 by default.
    pub l1: f64,
    /// The penalty of Σ w², without a factor 1/2: a normal prior of variance 1/(2 l2). 1 by default.
    pub l2: f64,
    /// The number of steps that the minimiser remembers. 6 by default.
    pub memory: usize,
    /// The run converges when no component of the gradient is larger than this, times max(1, |objective|).
    /// 10^-6 by default.
    pub gradient_tolerance: f64,
    /// The run also converges when a step lowers the objective by no more than this proportion of it. 0,
    /// never, by default.
    pub value_tolerance: f64,
    /// The largest number of steps. 1000 by default.
    pub max_iterations: usize,
}

impl Default for TrainingOptions {
    fn default() -> Self {
        Self {
            l1: 0.0,
            l2: 1.0,
            memory: 6,
            gradient_tolerance: 1e-6,
            value_tolerance: 0.0,
            max_iterations: 1000,
        }
    }
}

/// Trains a model from weights 0: the minimum of -Σ weight · ln p(y | x) + l2 Σ w² + l1 Σ |w|, by L-BFGS, or
/// OWL-QN if there is an l1.
///
/// The objective is convex, and strictly so with an l2: there is one minimum, and the start does not matter.
/// The trace is of the objective. What a step costs says [`CrfObjective`]; beside it, the minimiser keeps 2 ·
/// memory + 5 numbers for each weight.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_sequence::crf::{Dataset, FeatureOptions, Features, TrainingOptions, fit};
///
/// let mut data = Dataset::new();
/// for (words, labels) in [(["the", "dog"], ["DET", "NOUN"]), (["dog", "barks"], ["NOUN", "VERB"])] {
///     let mut sentence = data.sequence();
///     sentence.present([words[0]])?.present([words[1]])?;
///     let sentence = sentence.finish();
///     data.push(sentence, labels)?;
/// }
/// let features = Features::select(&data, &FeatureOptions::default())?;
/// let fitted = fit(&data, features, &TrainingOptions { l2: 0.1, ..TrainingOptions::default() }, &mut
/// Silent)?; assert!(fitted.report.converged());
/// let p = fitted.model.ln_probability(&data.sequences()[0], &data.labels()[0])?.exp();
/// assert!(p > 0.5);
/// # Ok::<(), posterior_sequence::Error>(())
/// ```
///
/// # Errors
/// If a penalty is negative or not finite, or the data have another number of dense features than the
/// features, or more or fewer labels.
pub fn fit(
    data: &Dataset,
    features: Features,
    options: &TrainingOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<ConditionalRandomField>, Error> {
    let start = vec![0.0; features.len()];
    run(data, features, &start, options, observer)
}

/// Trains on from the weights of a model: on more data, or with other penalties.
///
/// # Errors
/// As [`fit`].
pub fn train_from(
    model: ConditionalRandomField,
    data: &Dataset,
    options: &TrainingOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<ConditionalRandomField>, Error> {
    let (_, features, start) = model.into_parts();
    run(data, features, &start, options, observer)
}

/// Trains until `patience` steps in a row have not made the held-out sequences more probable, and returns the
/// weights that made them most probable.
///
/// The report is that of all steps taken; [`Stop::Observer`](posterior_math::iteration::Stop::Observer) says
/// that it was the held-out sequences, or the observer, that ended it. A step costs one evaluation of ln p of
/// the held-out sequences more.
///
/// # Errors
/// As [`fit`], and if no sequence is held out, or patience is 0.
pub fn train_until(
    held_out: &Dataset,
    patience: usize,
    data: &Dataset,
    features: Features,
    options: &TrainingOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<ConditionalRandomField>, Error> {
    check::require(patience > 0, "train_until", "patience", patience as f64, "positive")?;
    let mut judge = CrfObjective::new(held_out, &features, 0.0)?;
    if judge.skipped() == held_out.len() {
        return Err(Error::TooFew { what: "early stopping", needed: "a sequence with known labels" });
    }
    let mut objective = CrfObjective::new(data, &features, options.l2)?;
    let start = vec![0.0; features.len()];
    let latest = RefCell::new(start.clone());
    let mut best = (judge.ln_likelihood(&start), start.clone());
    let mut since = 0;
    let mut watch = |step: &Step| {
        let weights = latest.borrow();
        let reached = judge.ln_likelihood(&weights);
        if reached > best.0 {
            best.0 = reached;
            best.1.copy_from_slice(&weights);
            since = 0;
        } else {
            since += 1;
        }
        let output = observer.step(step);
        if since >= patience { ControlFlow::Break(()) } else { output }
    };
    // The point of a step is the one evaluated last.
    let recorded = |weights: &[f64], gradient: &mut [f64]| {
        latest.borrow_mut().copy_from_slice(weights);
        optimize::Objective::evaluate(&mut objective, weights, gradient)
    };
    let report = descend(recorded, &start, options, &mut watch)?.report;
    let model = ConditionalRandomField::new(data.vocabulary().clone().frozen(), features, best.1)?;
    Ok(Fitted { model, report })
}

fn run(
    data: &Dataset,
    features: Features,
    start: &[f64],
    options: &TrainingOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<ConditionalRandomField>, Error> {
    let found = descend(CrfObjective::new(data, &features, options.l2)?, start, options, observer)?;
    let model = ConditionalRandomField::new(data.vocabulary().clone().frozen(), features, found.model.point)?;
    Ok(Fitted { model, report: found.report })
}

/// The minimum of the objective plus l1 Σ |w|.
fn descend(
    objective: impl optimize::Objective,
    start: &[f64],
    options: &TrainingOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<Minimum>, Error> {
    let l1 = check::non_negative("TrainingOptions", "l1", options.l1)?;
    let search = LbfgsOptions {
        memory: options.memory,
        gradient_tolerance: options.gradient_tolerance,
        value_tolerance: options.value_tolerance,
        max_iterations: options.max_iterations,
        ..LbfgsOptions::default()
    };
    if l1 == 0.0 {
        Ok(minimize(objective, start, &search, observer))
    } else {
        Ok(minimize_l1(objective, &vec![l1; start.len()], start, &search, observer)?)
    }
}
