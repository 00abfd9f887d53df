//! How fast curves change and how much: the parameters of the kernels.

use posterior_gp::{GaussianProcess, Kernel, Mean, Noise};
use posterior_math::{ParamError, check};

/// The kernel of the smooth functions of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum TimeKernel {
    /// Functions with one derivative. The default: steep turns cost little.
    #[default]
    Matern32,
    /// Functions with two derivatives.
    Matern52,
    /// Functions with all derivatives.
    SquaredExponential,
}

/// Whether topics have parameters in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Sharing {
    /// All topics have the same, learned from all curves together.
    Shared,
    /// Each topic has its own. The default: wars come faster than industries.
    #[default]
    PerTopic,
}

/// The variance beforehand of a curve's level about the average of its observations.
const LEVEL_VARIANCE: f64 = 4.0;

/// The parameters of the kernel of one topic's curve.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Scales {
    /// The variance of the function of time.
    pub time_variance: f64,
    /// Over which time the function changes, in the unit of the times.
    pub length_scale: f64,
    /// The variance of the offsets of each kind of labels.
    pub label_variances: Vec<f64>,
    /// The variance between documents of which the same is known.
    pub noise_variance: f64,
}

impl Scales {
    /// Parameters from their values.
    ///
    /// # Errors
    /// If one is not positive and finite.
    pub fn new(
        time_variance: f64,
        length_scale: f64,
        label_variances: &[f64],
        noise_variance: f64,
    ) -> Result<Self, ParamError> {
        for (index, &variance) in label_variances.iter().enumerate() {
            check::positive("Scales", "label_variances", variance).map_err(|error| error.at(index))?;
        }
        Ok(Self {
            time_variance: check::positive("Scales", "time_variance", time_variance)?,
            length_scale: check::positive("Scales", "length_scale", length_scale)?,
            label_variances: label_variances.to_vec(),
            noise_variance: check::positive("Scales", "noise_variance", noise_variance)?,
        })
    }

    /// From the parameters of the kernel and the noise, in this order.
    pub(super) fn from_parameters(values: &[f64]) -> Result<Self, ParamError> {
        match values {
            [time_variance, length_scale, labels @ .., noise] => {
                Self::new(*time_variance, *length_scale, labels, *noise)
            }
            _ => Err(ParamError::new("Scales", "number of values", values.len() as f64, "at least 3")),
        }
    }

    /// The kernel: level, function of time, offsets of each kind of labels. With time alone it is one of
    /// time, not of places.
    pub(super) fn kernel(&self, time: TimeKernel) -> Result<Kernel, ParamError> {
        let smooth = match time {
            TimeKernel::Matern32 => Kernel::matern32(self.length_scale)?,
            TimeKernel::Matern52 => Kernel::matern52(self.length_scale)?,
            TimeKernel::SquaredExponential => Kernel::rbf(self.length_scale)?,
        };
        let smooth = smooth.scaled(self.time_variance)?;
        let smooth = if self.label_variances.is_empty() { smooth } else { smooth.on(&[0])? };
        let mut sum = Kernel::constant(LEVEL_VARIANCE)?.fixed() + smooth;
        for (kind, &variance) in self.label_variances.iter().enumerate() {
            sum = sum + Kernel::white().scaled(variance)?.on(&[1 + kind])?;
        }
        Ok(sum)
    }

    /// The process of a curve with this mean.
    pub(super) fn process(&self, time: TimeKernel, mean: f64) -> Result<GaussianProcess, ParamError> {
        Ok(GaussianProcess::new(self.kernel(time)?).with_mean(Mean::constant(mean)?.fixed()))
    }

    /// The noise of observations with these variances of their own.
    pub(super) fn noise(&self, variances: &[f64]) -> Result<Noise, ParamError> {
        Noise::known_each(variances)?.plus_variance(self.noise_variance)
    }
}
