//! Why a sampler was refused or ended.

use posterior_dist::target::EvalError;
use posterior_math::check::{DimensionError, ParamError};
use posterior_math::linalg::MatrixError;

/// Why a sampler was refused or ended.
///
/// Not errors: divergences, rejected points and chains that have not converged; those are in the reports.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An option that can't be.
    #[error(transparent)]
    Parameter(#[from] ParamError),
    /// A point where a chain can't start, for the density is zero or has no value there.
    #[error("no chain can start at {}: {why}", shown(.position))]
    Start {
        /// The point.
        position: Vec<f64>,
        /// What the density is there.
        why: String,
    },
    /// No start among many random ones.
    #[error(
        "no start for chain {chain} in {attempts} tries uniform in [-{radius}, {radius}]: {why}; \
         give a start where the density is not zero (`Start::At`)"
    )]
    NoStart {
        /// The chain.
        chain: usize,
        /// How many points were tried.
        attempts: usize,
        /// The half-width of the cube.
        radius: f64,
        /// What went wrong at the last one.
        why: String,
    },
    /// Things whose sizes do not go together.
    #[error(transparent)]
    Dimension(#[from] DimensionError),
    /// A name that two columns have.
    #[error("two columns are named {name:?}")]
    RepeatedName {
        /// The name.
        name: String,
    },
    /// A Markov chain that does not forget its start.
    #[error(transparent)]
    NotErgodic(#[from] NotErgodic),
    /// A matrix that an algorithm cannot take.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// A number that has to be one is NaN.
    #[error("{what} is NaN")]
    NotANumber {
        /// Which number.
        what: String,
    },
    /// Draws that depend on each other too much, or of which nobody can say how much.
    #[error("the draws of {parameter} are worth {} independent ones, and {needed} are needed", worth(*.effective))]
    TooDependent {
        /// Of which parameter.
        parameter: String,
        /// How many independent draws they are worth; `None` where that is not defined: too few, all the
        /// same, not finite.
        effective: Option<f64>,
        /// How many are needed.
        needed: usize,
    },
    /// A simulation of a calibration that went wrong.
    #[error("simulation {simulation}: {why}")]
    Simulation {
        /// Which one.
        simulation: usize,
        /// What went wrong in it.
        #[source]
        why: Box<Self>,
    },
    /// A slice of the density that does not end along a coordinate.
    #[error(
        "the slice along coordinate {coordinate} does not end within [{low}, {high}]: is the density improper along it? \
         (if not, take a larger width, doubling, or a limit)"
    )]
    EndlessSlice {
        /// The coordinate.
        coordinate: usize,
        /// How far down was looked.
        low: f64,
        /// How far up.
        high: f64,
    },
    /// Weights that are all zero: no draw fell where the target is positive.
    #[error("all {draws} weights are zero: no draw fell where the target is positive")]
    NoWeight {
        /// How many draws.
        draws: usize,
    },
    /// A log-likelihood that is not a number.
    #[error("ln p(y[{observation}]) of draw {draw} is {value}: it must be finite")]
    LnLikelihood {
        /// The draw, its row.
        draw: usize,
        /// The observation, its column.
        observation: usize,
        /// The logarithm.
        value: f64,
    },
    /// Temperatures that do not get from the prior to the posterior.
    #[error(
        "tempering stays at beta = {beta}: the next step has no number, or the most temperatures are taken; \
         allow more of them or a smaller proportion of effective particles, and look for a likelihood that is all but infinite"
    )]
    Tempering {
        /// How far it came.
        beta: f64,
    },
    /// A density above its envelope: draws would be wrong.
    #[error("at {at} the density is above its envelope, by exp({excess}); raise the bound")]
    Envelope {
        /// The point.
        at: String,
        /// ln of the density over the envelope.
        excess: f64,
    },
    /// A log-density that bends upwards, or whose derivative is not its derivative.
    #[error("the log-density is not concave at {at}, or its derivative is wrong: it is off by {by}")]
    NotLogConcave {
        /// The point.
        at: f64,
        /// How far the log-density is above what concavity allows, or below.
        by: f64,
    },
    /// A log-density that does not fall towards an infinite end of the support.
    #[error("the log-density does not fall from {from} towards {towards}: its integral is infinite")]
    NotIntegrable {
        /// The last point that was tried.
        from: f64,
        /// The end.
        towards: f64,
    },
    /// A function with no value.
    #[error("{what} is {value} at {at}")]
    NoValue {
        /// Which function.
        what: &'static str,
        /// The point.
        at: String,
        /// NaN or an infinity.
        value: f64,
    },
    /// Proposals that were all refused.
    #[error(
        "{what}: {attempts} proposals for a draw, and none was accepted, after {accepted} draws; find a closer envelope, or allow more"
    )]
    Attempts {
        /// Which sampler.
        what: &'static str,
        /// Proposals for the draw that did not come.
        attempts: usize,
        /// Draws that did come.
        accepted: usize,
    },
    /// A metric that can't be.
    #[error("the metric: {0}")]
    Metric(#[source] MatrixError),
    /// Chains of different lengths, by their labels.
    #[error("chain {other} has {found} draws, and chain {first} has {expected}")]
    UnequalChains {
        /// The first chain.
        first: String,
        /// Its draws.
        expected: usize,
        /// Another.
        other: String,
        /// Its draws.
        found: usize,
    },
    /// Draws to join whose columns are called otherwise.
    #[error("draws {draws} have the column {}, and the first have {}", named(.found.as_deref()), named(.expected.as_deref()))]
    OtherNames {
        /// The place of the draws among all, counted from 0.
        draws: usize,
        /// The name there of the first; `None` where they have no more columns.
        expected: Option<String>,
        /// Their own.
        found: Option<String>,
    },
    /// The target said that no other point will do better.
    #[error(transparent)]
    Target(#[from] EvalError),
}

/// Why a chain does not forget its start.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NotErgodic {
    /// The chain has pieces that it cannot leave.
    #[error("the chain is reducible: no way leads from state {from} to state {to}")]
    Reducible {
        /// A state of a closed class.
        from: usize,
        /// A state that is never reached from it.
        to: usize,
    },
    /// The chain goes in circles.
    #[error("the chain is periodic: it returns to a state only after multiples of {period} steps")]
    Periodic {
        /// The greatest common divisor of the lengths of all ways back.
        period: usize,
    },
    /// The chain has pieces that it leaves with probabilities below the range of f64.
    #[error("the chain is nearly reducible, beyond the range of f64: probabilities underflow")]
    Underflow,
    /// After 2⁶³ steps the chain still remembers its start.
    #[error("after 2^63 steps the distributions are still {distance} from the stationary one")]
    Slow {
        /// The largest total variation distance.
        distance: f64,
    },
}

impl Error {
    /// Whether a chain had no place to start from.
    pub const fn is_start(&self) -> bool {
        matches!(self, Self::Start { .. } | Self::NoStart { .. })
    }
}

fn named(column: Option<&str>) -> String {
    column.map_or_else(|| "no more".to_owned(), |name| format!("{name:?}"))
}

/// The first coordinates of a point.
fn shown(position: &[f64]) -> String {
    const MOST: usize = 6;
    let mut text: Vec<String> = position.iter().take(MOST).map(|x| format!("{x:.4}")).collect();
    if position.len() > MOST {
        text.push(format!("... ({} coordinates)", position.len()));
    }
    format!("({})", text.join(", "))
}

fn worth(effective: Option<f64>) -> String {
    effective.map_or_else(|| "nobody knows how many".to_owned(), |effective| format!("{effective:.0}"))
}
