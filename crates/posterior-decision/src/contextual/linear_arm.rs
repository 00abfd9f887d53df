//! The regression of an arm's reward on the context.

use posterior_math::check;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

use crate::Error;

/// The posterior of an arm's weights: r = xᵀw + noise, w ~ N(0, τ² I), with the variance of the noise known.
///
/// The factor of the precision I/τ² + Σ xxᵀ/σ² is renewed by a rank-one update for each play: O(d²), as are
/// predictions. The batch form of the same distribution is [`posterior_regression::linear::known_noise`].
#[derive(Debug, Clone, PartialEq)]
pub struct LinearArm {
    plays: u64,
    noise_sd: f64,
    /// Of the precision.
    factor: Cholesky,
    /// Σ x r/σ².
    pull: DVector<f64>,
}

impl LinearArm {
    /// An arm of which nothing was seen: weights have the standard deviation `prior_sd`, rewards `noise_sd`
    /// about their expectation.
    ///
    /// # Errors
    /// If there are no features, or a standard deviation is not positive and finite, or its square is not.
    pub fn new(features: usize, prior_sd: f64, noise_sd: f64) -> Result<Self, Error> {
        check::at_least_one("LinearArm", "features", features)?;
        check::positive("LinearArm", "noise_sd", noise_sd)?;
        let precision = check::positive("LinearArm", "prior precision", (prior_sd * prior_sd).recip())?;
        check::positive("LinearArm", "prior_sd", prior_sd)?;
        let factor = Cholesky::from_factor(DMatrix::identity(features, features) * precision.sqrt());
        let factor = factor.map_err(posterior_regression::Error::from)?;
        Ok(Self { plays: 0, noise_sd, factor, pull: DVector::zeros(features) })
    }

    /// Adds a reward.
    ///
    /// # Errors
    /// If the context has another number of features, or a number is not finite. The arm is then as before.
    pub fn observe(&mut self, context: &[f64], reward: f64) -> Result<(), Error> {
        let context = self.checked(context)?;
        check::finite("LinearArm", "reward", reward)?;
        let white = context / self.noise_sd;
        let pull = &self.pull + &white * (reward / self.noise_sd);
        for &entry in &pull {
            check::finite("LinearArm", "sum of rewards times contexts", entry)?;
        }
        self.factor.rank_one_update(&white).map_err(posterior_regression::Error::from)?;
        self.pull = pull;
        self.plays += 1;
        Ok(())
    }

    /// How often the arm was played.
    pub const fn plays(&self) -> u64 {
        self.plays
    }

    /// The number of features.
    pub fn features(&self) -> usize {
        self.pull.len()
    }

    /// The posterior mean of the weights.
    pub fn weights(&self) -> DVector<f64> {
        self.factor.solve_vector(&self.pull)
    }

    /// Mean and standard deviation of the expected reward xᵀw in a context.
    ///
    /// # Errors
    /// If the context has another number of features, or a number is not finite.
    pub fn predict(&self, context: &[f64]) -> Result<[f64; 2], Error> {
        let half = self.factor.half_solve_vector(&self.checked(context)?);
        Ok([half.dot(&self.factor.half_solve_vector(&self.pull)), half.norm()])
    }

    /// Weights drawn from the posterior, whose standard deviations are `scale` times as large.
    pub fn draw<R: Rng + ?Sized>(&self, scale: f64, rng: &mut R) -> DVector<f64> {
        let noise = DVector::from_fn(self.features(), |_, _| scale * rng.sample::<f64, _>(StandardNormal));
        let half = self.factor.half_solve_vector(&self.pull) + noise;
        self.factor.half_solve_transpose_vector(&half)
    }

    fn checked(&self, context: &[f64]) -> Result<DVector<f64>, Error> {
        check::dimension("features of a context", self.features(), context.len())?;
        for (place, &feature) in context.iter().enumerate() {
            check::finite("LinearArm", "feature", feature).map_err(|error| error.at(place))?;
        }
        Ok(DVector::from_column_slice(context))
    }
}
