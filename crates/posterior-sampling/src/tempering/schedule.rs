//! The temperatures of a path.

use posterior_math::check::{self, ParamError};

/// Inverse temperatures from 0 to 1, ascending.
#[derive(Debug, Clone, PartialEq)]
pub struct TemperatureSchedule(Vec<f64>);

impl TemperatureSchedule {
    /// With these inverse temperatures.
    ///
    /// # Errors
    /// Unless they begin with 0, end with 1 and ascend strictly.
    pub fn new(betas: Vec<f64>) -> Result<Self, ParamError> {
        let at = |index: usize| betas.get(index).copied().unwrap_or(f64::NAN);
        check::require(at(0) == 0.0, "Schedule", "first beta", at(0), "0")?;
        let last = betas.len().saturating_sub(1);
        check::require(at(last) == 1.0, "Schedule", "last beta", at(last), "1")?;
        for index in 1..=last {
            let ascends = at(index) > at(index - 1);
            check::require(ascends, "Schedule", "beta", at(index), "above the one before it")
                .map_err(|error| error.at(index))?;
        }
        Ok(Self(betas))
    }

    /// (t / steps)^power for t = 0, …, steps. Powers of 3 to 5 have short steps near the prior, where the
    /// distributions change most.
    ///
    /// # Errors
    /// No steps; a power that is not positive and finite, or so large that two temperatures are the same
    /// number.
    pub fn power(steps: usize, power: f64) -> Result<Self, ParamError> {
        check::require(steps > 0, "Schedule", "steps", steps as f64, "positive")?;
        check::positive("Schedule", "power", power)?;
        Self::new((0..=steps).map(|t| (t as f64 / steps as f64).powf(power)).collect())
    }

    /// The inverse temperatures.
    pub fn betas(&self) -> &[f64] {
        &self.0
    }
}
