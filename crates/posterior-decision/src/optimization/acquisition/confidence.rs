//! Optimism: the lower end of a confidence band.

use std::f64::consts::PI;

use posterior_math::check;
use rand_pcg::Pcg64;

use super::{Acquisition, AcquisitionScore, TrialState, moments};
use crate::Error;

/// The square of the half width of the band, in standard deviations, at trial t.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum BetaSchedule {
    /// The same at all trials.
    Constant(f64),
    /// 2 ln(points t² π²/(6 delta)): with probability 1 - delta the function stays in the band at all of
    /// finitely many points and at all trials (theorem 1).
    Finite {
        /// How many points the space has.
        points: f64,
        /// The probability to fail.
        delta: f64,
    },
    /// 2 ln(2 t² π²/(3 delta)) + 2 d ln(t² d b √ln(4 d a/delta)) in the unit cube, for a kernel whose sample
    /// paths have a slope above L anywhere with probability at most a exp(-(L/b)²) in each coordinate
    /// (theorem 2).
    Cube {
        /// a.
        a: f64,
        /// b.
        b: f64,
        /// The probability to fail.
        delta: f64,
    },
}

impl BetaSchedule {
    /// β of trial `trial`, from 1, in `dimension` coordinates. Never negative.
    pub fn beta(&self, trial: u64, dimension: usize) -> f64 {
        let square = (trial.max(1) as f64).powi(2);
        let beta = match *self {
            Self::Constant(beta) => beta,
            Self::Finite { points, delta } => 2.0 * (points * square * PI * PI / (6.0 * delta)).ln(),
            Self::Cube { a, b, delta } => {
                let d = dimension as f64;
                // Below e the root says nothing about the slope; the bound holds with a larger a.
                let root = (4.0 * d * a / delta).ln().max(1.0).sqrt();
                2.0 * (2.0 * square * PI * PI / (3.0 * delta)).ln() + 2.0 * d * (square * d * b * root).ln()
            }
        };
        beta.max(0.0)
    }
}

/// GP-UCB: minus the lower end of the band, √β s - mean.
///
/// The schedules of theory explore far more than practice likes: its authors divide their β by 5, and
/// `Constant(4.0)` is two standard deviations.
///
/// # References
/// N. Srinivas, A. Krause, S. Kakade, M. Seeger, Gaussian process optimization in the bandit setting,
/// ICML 2010.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GpUcb {
    schedule: BetaSchedule,
}

impl GpUcb {
    /// With this schedule.
    ///
    /// # Errors
    /// If β is negative or not finite, there is less than one point, a or b is not positive, or delta not
    /// strictly between 0 and 1.
    pub fn new(schedule: BetaSchedule) -> Result<Self, Error> {
        const NAME: &str = "GpUcb";
        match schedule {
            BetaSchedule::Constant(beta) => {
                check::non_negative(NAME, "beta", beta)?;
            }
            BetaSchedule::Finite { points, delta } => {
                check::finite(NAME, "points", points)?;
                check::require(points >= 1.0, NAME, "points", points, "at least 1")?;
                check::open_probability(NAME, "delta", delta)?;
            }
            BetaSchedule::Cube { a, b, delta } => {
                check::positive(NAME, "a", a)?;
                check::positive(NAME, "b", b)?;
                check::open_probability(NAME, "delta", delta)?;
            }
        }
        Ok(Self { schedule })
    }
}

impl Acquisition for GpUcb {
    fn score<'a>(&self, round: &TrialState<'a>, _: &mut Pcg64) -> Result<AcquisitionScore<'a>, Error> {
        let width = self.schedule.beta(round.trial, round.candidates.ncols()).sqrt();
        Ok(moments(round, move |mean, sd| width * sd - mean))
    }
}
