//! What another policy would have earned, from the records of the one that was played.
//!
//! Each estimate is the mean of one number per record, with its standard error. With w = target/propensity of
//! the arm that was played:
//!
//! | function | number | without bias if |
//! |---|---|---|
//! | [`inverse_propensity`] | w r | the propensities are right |
//! | [`self_normalized`] | w r/mean of w | about, for many records; never leaves the range of the rewards |
//! | [`doubly_robust`] | q(target) + w (r - q(arm)) | the propensities or the model are right |
//!
//! ```
//! use posterior_decision::contextual::off_policy::{Record, inverse_propensity};
//!
//! // A coin chose between two arms; what if the first had always been played?
//! let records = [Record::new(1.0, 0.5, 1.0)?, Record::new(0.0, 0.5, 0.0)?, Record::new(0.0, 0.5, 1.0)?,
//! Record::new(1.0, 0.5, 0.0)?]; assert_eq!(inverse_propensity(&records)?.value, 0.5);
//! # Ok::<(), posterior_decision::Error>(())
//! ```
//!
//! # References
//! D. Horvitz, D. Thompson, JASA 47 (1952); A. Swaminathan, T. Joachims, The self-normalized estimator for
//! counterfactual learning, NIPS 2015; M. Dudík, J. Langford, L. Li, Doubly robust policy evaluation and
//! learning, ICML 2011.

use posterior_dist::{StudentT, Univariate};
use posterior_math::check;
use posterior_math::streaming::MeanVariance;

use crate::Error;

/// Effective records without which there is no interval: with fewer, those of rare rewards are far too short.
pub const FEWEST: f64 = 10.0;

/// One play of the policy that was played.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Record {
    /// What the arm gave.
    pub reward: f64,
    /// The probability with which it was chosen.
    pub propensity: f64,
    /// The probability with which the other policy chooses it in the same context.
    pub target: f64,
    /// The reward that a model predicts for the arm.
    pub predicted: f64,
    /// The reward that the model predicts for the other policy: Σ target(a) q(a) over all arms.
    pub predicted_target: f64,
}

impl Record {
    /// A record without a model.
    ///
    /// # Errors
    /// If the reward is not finite, the propensity is not in (0, 1], or the target's probability is not in
    /// [0, 1].
    pub fn new(reward: f64, propensity: f64, target: f64) -> Result<Self, Error> {
        check::finite("Record", "reward", reward)?;
        check::require(
            propensity > 0.0 && propensity <= 1.0,
            "Record",
            "propensity",
            propensity,
            "in (0, 1]",
        )?;
        check::probability("Record", "target", target)?;
        Ok(Self { reward, propensity, target, predicted: 0.0, predicted_target: 0.0 })
    }

    /// The same record with what a model predicts for the arm, and for the other policy.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn with_model(self, predicted: f64, predicted_target: f64) -> Result<Self, Error> {
        check::finite("Record", "predicted", predicted)?;
        check::finite("Record", "predicted_target", predicted_target)?;
        Ok(Self { predicted, predicted_target, ..self })
    }

    fn weight(&self) -> f64 {
        self.target / self.propensity
    }
}

/// What the other policy would have earned per play.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PolicyValue {
    /// The estimate.
    pub value: f64,
    /// Its standard error; NaN of one record.
    pub standard_error: f64,
    /// (Σ w)²/Σ w²: to how many records of the other policy itself they come; 0 if it does nothing that was
    /// done.
    pub effective_records: f64,
}

impl PolicyValue {
    /// The interval that holds the value of the other policy with this probability, by Student's t with one
    /// degree of freedom less than effective records; none below [`FEWEST`] of them, where what was seen says
    /// too little of its own scatter.
    ///
    /// # Errors
    /// If the level is not strictly between 0 and 1.
    pub fn interval(&self, level: f64) -> Result<Option<[f64; 2]>, Error> {
        check::open_probability("PolicyValue", "level", level)?;
        if self.effective_records < FEWEST {
            return Ok(None);
        }
        let t = StudentT::new(self.effective_records - 1.0, 0.0, 1.0)?;
        let width = t.upper_quantile(0.5 * (1.0 - level)) * self.standard_error;
        Ok(Some([self.value - width, self.value + width]))
    }
}

/// The mean of w r (Horvitz and Thompson).
///
/// # Errors
/// If there are no records.
pub fn inverse_propensity(records: &[Record]) -> Result<PolicyValue, Error> {
    estimate(records, |record| record.weight() * record.reward)
}

/// Σ w r/Σ w, with the standard error of a ratio, for as many plays as the effective records are.
///
/// # Errors
/// If there are no records, or the other policy does nothing that was done.
pub fn self_normalized(records: &[Record]) -> Result<PolicyValue, Error> {
    let plain = inverse_propensity(records)?;
    let weight = records.iter().map(Record::weight).collect::<MeanVariance>().mean();
    check::positive("self_normalized", "sum of weights", weight)?;
    let value = plain.value / weight;
    let residual = estimate(records, |record| record.weight() * (record.reward - value) / weight)?;
    let effective = residual.effective_records;
    let few = (effective / (effective - 1.0)).sqrt();
    Ok(PolicyValue { value, standard_error: few * residual.standard_error, ..residual })
}

/// The mean of q(target) + w (r - q(arm)).
///
/// # Errors
/// If there are no records.
pub fn doubly_robust(records: &[Record]) -> Result<PolicyValue, Error> {
    estimate(records, |record| record.predicted_target + record.weight() * (record.reward - record.predicted))
}

fn estimate(records: &[Record], number: impl Fn(&Record) -> f64) -> Result<PolicyValue, Error> {
    check::at_least_one("off_policy", "records", records.len())?;
    let moments: MeanVariance = records.iter().map(number).collect();
    let largest = records.iter().map(Record::weight).fold(0.0, f64::max);
    // In units of the largest weight, whose square may overflow.
    let proportions =
        || records.iter().map(|record| if largest > 0.0 { record.weight() / largest } else { 0.0 });
    let (sum, squares) =
        (proportions().sum::<f64>(), proportions().map(|proportion| proportion * proportion).sum::<f64>());
    Ok(PolicyValue {
        value: moments.mean(),
        standard_error: (moments.sample_variance() / moments.weight()).sqrt(),
        effective_records: if squares > 0.0 { sum * sum / squares } else { 0.0 },
    })
}
