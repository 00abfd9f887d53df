//! What is believed of the function: a Gaussian process on the unit cube, of standardised outcomes.

use posterior_dist::Gamma;
use posterior_gp::hyperparameters::{HyperparameterOptions, Learnable, Prior, Regression, fit};
use posterior_gp::kernel::KernelParameter;
use posterior_gp::regression::Prediction;
use posterior_gp::{GaussianProcess, GaussianProcessPosterior, Kernel, Noise};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::special::normal_quantile;
use posterior_sampling::estimate::Sobol;

use super::{OptimizerOptions, OutcomeNoise, Space};
use crate::Error;

/// Points at which the importance of axes is estimated.
const NET: usize = 1024;

/// The noise variance of exact outcomes, in units of their variance.
const NUGGET: f64 = 1e-10;

/// A Gaussian process with Matérn's kernel of order 5/2 and a length scale for each coordinate, or one of
/// your own ([`OptimizerOptions::kernel`]), fitted to the outcomes so far.
///
/// Length scales have the prior Gamma(3, 6) in units of the space, variances Gamma(2, 0.15) in units of that
/// of the outcomes: with a handful of outcomes the evidence alone has its maximum at infinity too often.
/// Other parameters of a kernel of your own are those of the largest evidence.
#[derive(Debug, Clone)]
pub struct Surrogate {
    space: Space,
    scale: Scale,
    pub(super) posterior: GaussianProcessPosterior,
}

/// Outcomes are `center` + `deviation` times standardised ones.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Scale {
    center: f64,
    deviation: f64,
}

impl Scale {
    fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let center: f64 = values.iter().map(|value| value / count).sum();
        // In units of the largest deviation, the squares neither overflow nor vanish.
        let largest = values.iter().map(|value| (value - center).abs()).fold(0.0, f64::max);
        // Equal outcomes differ from their mean by its rounding.
        if largest <= count * f64::EPSILON * center.abs() || largest < f64::MIN_POSITIVE {
            return Self { center, deviation: 1.0 };
        }
        let square: f64 = values.iter().map(|value| ((value - center) / largest).powi(2)).sum();
        Self { center, deviation: largest * (square / count).sqrt() }
    }

    fn standardize(self, value: f64) -> f64 {
        (value - self.center) / self.deviation
    }
}

impl Surrogate {
    /// Fitted to these outcomes, with these values of its hyperparameters or, without, with those that fit
    /// best.
    pub(super) fn new(
        space: &Space,
        points: &[&[f64]],
        values: &[f64],
        hyperparameters: Option<&[f64]>,
        noise: OutcomeNoise,
        options: &OptimizerOptions,
    ) -> Result<Self, Error> {
        let scale = Scale::of(values);
        let outputs: Vec<f64> = values.iter().map(|&value| scale.standardize(value)).collect();
        let inputs = encoded(space, points);
        let noise = match noise {
            OutcomeNoise::None => Noise::known(NUGGET)?,
            OutcomeNoise::Variance(variance) => Noise::known(variance / scale.deviation / scale.deviation)?,
            OutcomeNoise::Learned => Noise::variance(0.01)?,
        };
        let process = GaussianProcess::new(kernel(space, options)?);
        let problem = Regression::new(process, noise, &inputs, &outputs)?;
        let parameters = problem.parameters();
        let posterior = match hyperparameters {
            Some(values) if values.len() == parameters.len() => {
                let free: Vec<f64> = parameters
                    .iter()
                    .zip(values)
                    .map(|(parameter, &value)| parameter.scale.free(value))
                    .collect();
                problem.model(&free)?.0
            }
            _ => fit(&problem, &fit_options(&parameters, options)?, &mut Silent)?.model,
        };
        Ok(Self { space: space.clone(), scale, posterior })
    }

    /// An outcome in units of the process.
    pub(super) fn standardized(&self, outcome: f64) -> f64 {
        self.scale.standardize(outcome)
    }

    /// The values of its hyperparameters.
    pub(super) fn hyperparameters(&self) -> Vec<f64> {
        self.posterior.parameters().iter().map(|parameter| parameter.value).collect()
    }

    /// The same surrogate when points with unknown outcomes turn out as it believes: it is as sure there as
    /// it would be.
    pub(super) fn believing(mut self, points: &[&[f64]]) -> Result<Self, Error> {
        if points.is_empty() {
            return Ok(self);
        }
        let inputs = encoded(&self.space, points);
        let believed = self.posterior.mean(&inputs)?;
        self.posterior = self.posterior.condition(&inputs, believed.as_slice(), self.posterior.noise())?;
        Ok(self)
    }

    /// What is believed of the function at some points, in its units: means and variances.
    ///
    /// # Errors
    /// If a point does not belong to the space.
    pub fn predict(&self, points: &[Vec<f64>]) -> Result<Prediction, Error> {
        points.iter().try_for_each(|point| self.space.check(point))?;
        let points: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
        let Prediction { mean, variance } = self.posterior.latent(&encoded(&self.space, &points))?;
        let Scale { center, deviation } = self.scale;
        Ok(Prediction {
            mean: mean.map(|mean| center + deviation * mean),
            variance: variance.map(|variance| deviation * variance * deviation),
        })
    }

    /// The quantiles of what is believed of the function at some points, in its units: for each point one for
    /// each probability.
    ///
    /// # Errors
    /// If a point does not belong to the space.
    pub fn quantiles(&self, points: &[Vec<f64>], probabilities: &[f64]) -> Result<Vec<Vec<f64>>, Error> {
        let Prediction { mean, variance } = self.predict(points)?;
        let of = |(mean, variance): (&f64, &f64)| {
            probabilities.iter().map(|&p| mean + variance.sqrt() * normal_quantile(p)).collect()
        };
        Ok(mean.iter().zip(&variance).map(of).collect())
    }

    /// How much each axis matters: the part of the variance of the mean over the whole space that is left
    /// when all other coordinates are known (total effects). With interactions they sum to more than 1; zeros
    /// if the mean is constant to rounding. Constraints are not looked at.
    ///
    /// By Jansen's estimate on 1024 points of a Sobol sequence: good to about 0.01.
    ///
    /// # Errors
    /// If there are more than 256 axes.
    ///
    /// # References
    /// M. Jansen, Computer Physics Communications 117 (1999).
    pub fn importance(&self) -> Result<Vec<f64>, Error> {
        let axes = self.space.axes().len();
        let net: Vec<Vec<f64>> = Sobol::scrambled(2 * axes, 0)?.take(NET).collect();
        let mean = |replaced: Option<usize>| {
            let from = |unit: &Vec<f64>| {
                let mut place = unit[..axes].to_vec();
                if let Some(axis) = replaced {
                    place[axis] = unit[axes + axis];
                }
                self.space.at(&place)
            };
            let points: Vec<Vec<f64>> = net.iter().map(from).collect();
            let points: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
            self.posterior.mean(&encoded(&self.space, &points))
        };
        let whole = mean(None)?;
        let variance = whole.variance();
        let effect = |axis: usize| {
            let other = mean(Some(axis))?;
            let left = (&whole - other).norm_squared() / (2.0 * NET as f64);
            Ok(if variance > ROUNDING { left / variance } else { 0.0 })
        };
        (0..axes).map(effect).collect()
    }

    /// The process itself: inputs in the unit cube (a coordinate for each category), standardised outcomes.
    pub const fn posterior(&self) -> &GaussianProcessPosterior {
        &self.posterior
    }
}

/// Outcomes are in units of their standard deviation, and equal ones in their own: a variance of their mean
/// that is as small as this is rounding.
const ROUNDING: f64 = 1e-10;

/// The kernel before it is fitted.
pub(super) fn kernel(space: &Space, options: &OptimizerOptions) -> Result<Kernel, Error> {
    match &options.kernel {
        Some(kernel) => Ok(kernel.clone()),
        None => Ok(1.0 * Kernel::matern52_ard(&vec![0.5; space.width()])?),
    }
}

/// A row for each point.
pub(super) fn encoded(space: &Space, points: &[&[f64]]) -> DMatrix<f64> {
    let rows: Vec<f64> = points.iter().flat_map(|point| space.encode(point)).collect();
    DMatrix::from_row_slice(points.len(), space.width(), &rows)
}

fn fit_options(
    parameters: &[KernelParameter],
    options: &OptimizerOptions,
) -> Result<HyperparameterOptions, Error> {
    let length = Prior::distribution(Gamma::shape_rate(3.0, 6.0)?);
    let variance = Prior::distribution(Gamma::shape_rate(2.0, 0.15)?);
    let mut fit = HyperparameterOptions {
        restarts: options.restarts,
        seed: options.seed,
        ..HyperparameterOptions::default()
    };
    for KernelParameter { name, .. } in parameters {
        fit = if name.contains("length_scale") {
            fit.with_limits(name, 5e-3, 1e2).with_prior(name, length.clone())
        } else if name == "noise.variance" {
            fit.with_limits(name, 1e-8, 1e1)
        } else if name.ends_with("variance") {
            fit.with_limits(name, 1e-3, 1e3).with_prior(name, variance.clone())
        } else {
            fit
        };
    }
    Ok(fit)
}

#[cfg(test)]
mod tests;
