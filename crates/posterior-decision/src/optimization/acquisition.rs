//! What makes a point worth a trial.

mod confidence;
mod entropy;
mod feasibility;
mod improvement;
mod knowledge;
mod thompson;

use posterior_gp::GaussianProcessPosterior;
use posterior_math::linalg::DMatrix;
use rand_pcg::Pcg64;

pub use self::confidence::{BetaSchedule, GpUcb};
pub use self::entropy::MaxValueEntropy;
pub use self::feasibility::ConstraintState;
pub use self::improvement::{expected_improvement, ln_expected_improvement, probability_of_improvement};
pub use self::knowledge::{KnowledgeGradient, knowledge_gradient, ln_knowledge_gradient};
pub use self::thompson::ThompsonAcquisition;
use crate::Error;

/// What is known before a trial, in units of the surrogate: inputs in the unit cube, standardised outputs.
#[derive(Debug)]
#[non_exhaustive]
pub struct TrialState<'a> {
    /// What is known of the function.
    pub posterior: &'a GaussianProcessPosterior,
    /// The least value so far; under noise, the least posterior mean of a point that was tried. Of points
    /// that satisfy all constraints of outcomes; infinite while there is none.
    pub best: f64,
    /// What is known of outcomes that have a bound; empty if none has.
    pub constraints: &'a [ConstraintState<'a>],
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

    /// Whether the score looks at [`TrialState::constraints`]. By default it does not, and an optimiser with
    /// constraints of outcomes refuses the rule.
    fn knows_constraints(&self) -> bool {
        false
    }
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
///
/// With constraints of outcomes it is what the improvement is expected to be if a point that violates one
/// gives none: times the probability that all are satisfied. While no point is known that satisfies them, it
/// is that probability.
///
/// # References
/// M. Schonlau, W. Welch, D. Jones, IMS Lecture Notes 34 (1998); J. Gardner et al., Bayesian optimization
/// with inequality constraints, ICML 2014, equation 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedImprovement;

impl Acquisition for ExpectedImprovement {
    fn score<'a>(&self, round: &TrialState<'a>, _: &mut Pcg64) -> Result<AcquisitionScore<'a>, Error> {
        let best = round.best;
        let gain = moments(round, move |mean, sd| expected_improvement(mean, sd, best));
        let ln_feasible = feasibility::ln_feasible(round);
        Ok(Box::new(move |inputs| {
            let gains = if best < f64::INFINITY { gain(inputs)? } else { vec![1.0; inputs.nrows()] };
            Ok(gains.iter().zip(ln_feasible(inputs)?).map(|(gain, ln_p)| gain * ln_p.exp()).collect())
        }))
    }

    fn knows_constraints(&self) -> bool {
        true
    }
}

/// The logarithm of expected improvement, [`ln_expected_improvement`]; with constraints of outcomes that of
/// [`ExpectedImprovement`] with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LnExpectedImprovement;

impl Acquisition for LnExpectedImprovement {
    fn score<'a>(&self, round: &TrialState<'a>, _: &mut Pcg64) -> Result<AcquisitionScore<'a>, Error> {
        let best = round.best;
        Ok(feasibility::weighted(round, move |mean, sd| ln_expected_improvement(mean, sd, best)))
    }

    fn knows_constraints(&self) -> bool {
        true
    }
}

/// The probability to improve by a margin, in standard deviations of the outputs: without one it looks hardly
/// beyond what is known. With constraints of outcomes, the probability to improve and to satisfy them.
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
        let ln_gain = move |mean, sd| improvement::ln_probability_of_improvement(mean, sd, goal);
        Ok(feasibility::weighted(round, ln_gain))
    }

    fn knows_constraints(&self) -> bool {
        true
    }
}
