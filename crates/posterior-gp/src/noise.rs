//! Noise of observations: one variance to be fitted, known variances, or both.

use posterior_math::check::{self, DimensionError, ParamError};

use crate::Error;
use crate::kernel::KernelParameter;

/// Independent Gaussian noise on outputs: the variance of each is a known one, plus one that all share and a
/// fit may move.
///
/// ```
/// use posterior_gp::Noise;
///
/// let unknown = Noise::variance(0.1)?; // one variance, to be fitted
/// let instrument = Noise::known_each(&[0.01, 0.04])?; // errors that the instrument states
/// let both = instrument.plus_variance(0.1)?;
/// assert_eq!(both.variances(2)?, [0.11, 0.14]);
/// assert_eq!((unknown.parameters().len(), both.parameters().len()), (1, 1));
/// # Ok::<(), posterior_gp::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Noise {
    known: Known,
    learned: Option<f64>,
}

/// The part that a fit leaves alone.
#[derive(Debug, Clone, PartialEq)]
enum Known {
    Same(f64),
    Each(Vec<f64>),
}

impl Noise {
    /// No noise: outputs are values of the function.
    pub const fn none() -> Self {
        Self { known: Known::Same(0.0), learned: None }
    }

    /// One variance for all, which a fit may move.
    ///
    /// # Errors
    /// Unless it is positive and finite.
    pub fn variance(variance: f64) -> Result<Self, ParamError> {
        Self::none().plus_variance(variance)
    }

    /// One variance for all, which is known.
    ///
    /// # Errors
    /// If it is negative or not finite.
    pub fn known(variance: f64) -> Result<Self, ParamError> {
        Ok(Self { known: Known::Same(check::non_negative("Noise", "variance", variance)?), learned: None })
    }

    /// A known variance for each observation: heteroscedastic noise.
    ///
    /// # Errors
    /// If one is negative or not finite.
    pub fn known_each(variances: &[f64]) -> Result<Self, ParamError> {
        for (index, &variance) in variances.iter().enumerate() {
            check::non_negative("Noise", "variances", variance).map_err(|error| error.at(index))?;
        }
        Ok(Self { known: Known::Each(variances.to_vec()), learned: None })
    }

    /// The same noise, and a variance on top that all observations share and a fit may move; in the place of
    /// the one that it has, if there is one.
    ///
    /// # Errors
    /// Unless it is positive and finite.
    pub fn plus_variance(self, variance: f64) -> Result<Self, ParamError> {
        Ok(Self { learned: Some(check::positive("Noise", "variance", variance)?), ..self })
    }

    /// The variance that a fit may move, if there is one.
    pub const fn learned(&self) -> Option<f64> {
        self.learned
    }

    /// The variance of an observation that is yet to come; none if known variances differ.
    pub fn of_new_observation(&self) -> Option<f64> {
        match &self.known {
            Known::Same(known) => Some(known + self.learned.unwrap_or(0.0)),
            Known::Each(_) => None,
        }
    }

    /// The variances of `count` observations.
    ///
    /// # Errors
    /// If there are known variances, and not as many.
    pub fn variances(&self, count: usize) -> Result<Vec<f64>, Error> {
        let learned = self.learned.unwrap_or(0.0);
        match &self.known {
            Known::Same(known) => Ok(vec![known + learned; count]),
            Known::Each(known) if known.len() == count => {
                Ok(known.iter().map(|known| known + learned).collect())
            }
            Known::Each(known) => {
                Err(DimensionError::new("known noise variances", count, known.len()).into())
            }
        }
    }

    /// The noise of these observations alone.
    pub(crate) fn of_rows(&self, rows: &[usize]) -> Self {
        let known = match &self.known {
            Known::Same(known) => Known::Same(*known),
            Known::Each(known) => Known::Each(rows.iter().map(|&row| known[row]).collect()),
        };
        Self { known, learned: self.learned }
    }

    /// What a fit may move: one parameter, or none.
    pub fn parameters(&self) -> Vec<KernelParameter> {
        self.learned
            .map(|variance| KernelParameter::positive("noise.variance", variance))
            .into_iter()
            .collect()
    }

    /// The same noise with other values of its parameters.
    ///
    /// # Errors
    /// If there is not one value for each parameter, or it can't be.
    pub fn with_parameters(&self, values: &[f64]) -> Result<Self, ParamError> {
        match (self.learned, values) {
            (None, []) => Ok(self.clone()),
            (Some(_), &[variance]) => self.clone().plus_variance(variance),
            _ => Err(ParamError::new(
                "Noise",
                "number of values",
                values.len() as f64,
                "as many as the noise has parameters",
            )),
        }
    }
}
