//! What makes a point worth a trial.

mod confidence;
mod entropy;
mod improvement;
mod thompson;

use posterior_gp::GaussianProcessPosterior;
use posterior_math::linalg::DMatrix;
use rand_pcg::Pcg64;

pub use self::confidence::{BetaSchedule, GpUcb};
pub use self::entropy::MaxValueEntropy;
pub use self::improvement::{expected_improvement, ln_expected_improvement, probability_of_improvement};
pub use self::thompson::ThompsonAcquisition;
use crate::Error;

/// What is known before a trial, in units of the surrogate: inputs in the unit cube, standardised outputs.
#[derive(Debug)]
#[non_exhaustive]
pub struct TrialState<'a> {
    /// What is known of the function.
    pub posterior: &'a GaussianProcessPosterior,
    /// The least value so far; under noise, the least posterior mean of a point that was tried.
    pub best: f64,
    /// The number of the trial, from 1.
    pub trial: u64,
    /// Points all over the space, a row for each.
    pub candidates: &'a DMatrix<f64>,
}

/// How much a trial at each row of some inputs is worth: the largest is taken.
pub type AcquisitionScore<'a> = Box<dyn Fn(&DMatrix<f64>) -> Result<Vec<f64>, Error> + 'a>;

/// A rule by which the next point is chosen: that with the largest score. Values are minimised.
///
/// A rule of your own implements [`score`](Self::score); those of one mean and one deviation need no more
/// than `moments`:
///
/// ```
/// use posterior_decision::Error;
/// use posterior_decision::optimization::{Acquisition, TrialState, AcquisitionScore, moments};
/// use rand_pcg::Pcg64;
///
/// /// Wherever least is known.
/// #[derive(Debug)]
/// struct Explore;
///
/// impl Acquisition for Explore {
///     fn score<'a>(&self, round: &TrialState<'a>, _: &mut Pcg64) -> Result<AcquisitionScore<'a>, Error> {
///         Ok(moments(round, |_, sd| sd))
///     }
/// }
/// ```
pub trait Acquisition: std::fmt::Debug {
    /// The score of this round. What is random is drawn here, so that one round has one function.
    ///
    /// # Errors
    /// If the posterior is none that the rule can take.
    fn score<'a>(&self, round: &TrialState<'a>, rng: &mut Pcg64) -> Result<AcquisitionScore<'a>, Error>;
}

/// A score that is a function of posterior mean and standard deviation.
pub fn moments<'a>(round: &TrialState<'a>, of: impl Fn(f64, f64) -> f64 + 'a) -> AcquisitionScore<'a> {
    let posterior = round.posterior;
    Box::new(move |inputs| {
        let prediction = posterior.latent(inputs)?;
        Ok(prediction.mean.iter().zip(&prediction.variance).map(|(&mean, v)| of(mean, v.sqrt())).collect())
    })
}

/// Expected improvement, [`expected_improvement`]. Far from anything good it is zero to rounding and cannot
/// be climbed there: [`LnExpectedImprovement`] has its maximum at the same place and can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedImprovement;

impl Acquisition for ExpectedImprovement {
    fn score<'a>(&self, round: &TrialState<'a>, _: &mut Pcg64) -> Result<AcquisitionScore<'a>, Error> {
        let best = round.best;
        Ok(moments(round, move |mean, sd| expected_improvement(mean, sd, best)))
    }
}

/// The logarithm of expected improvement, [`ln_expected_improvement`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LnExpectedImprovement;

impl Acquisition for LnExpectedImprovement {
    fn score<'a>(&self, round: &TrialState<'a>, _: &mut Pcg64) -> Result<AcquisitionScore<'a>, Error> {
        let best = round.best;
        Ok(moments(round, move |mean, sd| ln_expected_improvement(mean, sd, best)))
    }
}

/// The probability to improve by a margin, in standard deviations of the outputs: without one it looks hardly
/// beyond what is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProbabilityOfImprovement {
    margin: f64,
}

impl ProbabilityOfImprovement {
    /// With this margin.
    ///
    /// # Errors
    /// If it is negative or not finite.
    pub fn new(margin: f64) -> Result<Self, Error> {
        Ok(Self {
            margin: posterior_math::check::non_negative("ProbabilityOfImprovement", "margin", margin)?,
        })
    }
}

impl Acquisition for ProbabilityOfImprovement {
    fn score<'a>(&self, round: &TrialState<'a>, _: &mut Pcg64) -> Result<AcquisitionScore<'a>, Error> {
        let goal = round.best - self.margin;
        Ok(moments(round, move |mean, sd| improvement::ln_probability_of_improvement(mean, sd, goal)))
    }
}
