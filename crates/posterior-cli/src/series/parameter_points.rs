//! What is not known of the parameters of a series: points of their posterior distribution, with weights.
//!
//! The posterior of the free values is nearly normal around its mode, but for a tail of variances that may be
//! zero. Quasi-random points of a normal distribution there, one in three of one that is three times as wide,
//! get the weights that make them points of the posterior; a few dozen of them, drawn by their weights, are
//! kept, and each is a Kalman smoother of its own. Of long series, whose posterior is narrow and normal, two
//! points a parameter do.

use posterior::dist::stream::stream;
use posterior::kalman::learning::{MarginalTarget, Parameter, ParameterScale};
use posterior::kalman::structural::Structural;
use posterior::kalman::{Error, FilterOptions, Series, ln_likelihood};
use posterior::math::iteration::Silent;
use posterior::math::linalg::{Cholesky, DMatrix, DVector, symmetrize};
use posterior::math::log_space::ln_sum_exp;
use posterior::math::optimize::{LbfgsOptions, minimize};
use posterior::math::special::normal_quantile;
use posterior::sampling::estimate::Sobol;
use posterior::sampling::importance::{Resampling, pareto_smoothed};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Points that are weighted, and how many of them are kept.
const WEIGHTED: usize = 256;
const KEPT: usize = 40;
/// How much wider the wide points are, and the proportion of them.
const WIDE: f64 = 3.0;
const PROPORTION_WIDE: f64 = 1.0 / 3.0;
/// Where no free value has a larger standard deviation, and ln p falls from the mode as that of a normal
/// distribution to so many nats, few points do.
const NARROW: f64 = 0.35;
const NORMAL: f64 = 0.5;
/// Where a search begins of a variance that the likelihood would have at zero, in units of its scale.
const SMALL: f64 = 1e-3;

/// A point of the parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ParameterPoint {
    pub(super) weight: f64,
    /// Of all parameters of the model, in their order.
    pub(super) values: Vec<f64>,
}

/// The priors: of standard deviations, half-Cauchy distributions with the scale of the steps of the series
/// (flat near zero); of correlations and dampings, uniform; of lengths and periods, wide around the estimate.
#[derive(Debug)]
struct Prior {
    scale: ParameterScale,
    /// ln of the variance that a variance is compared with; of others, their estimate.
    centre: f64,
    is_variance: bool,
}

impl Prior {
    /// ln of the density of the free value, and its slope.
    fn ln_density(&self, free: f64) -> (f64, f64) {
        match self.scale {
            ParameterScale::Positive if self.is_variance => {
                let excess = (free - self.centre).exp();
                (0.5 * free - excess.ln_1p(), 0.5 - excess / (1.0 + excess))
            }
            ParameterScale::Within(_) => {
                // Uniform: the slope of the logistic function.
                let p = 1.0 / (1.0 + (-free).exp());
                ((p * (1.0 - p)).ln(), 1.0 - 2.0 * p)
            }
            _ => {
                let away = (free - self.centre) / 3.0;
                (-0.5 * away * away, -away / 3.0)
            }
        }
    }
}

/// ln p(y) of one series as a function of the free values of parameters.
pub(super) trait ParameterTarget: Sync {
    /// All of them, fixed or not.
    fn parameters(&self) -> &[Parameter];

    /// The places of those that are not fixed.
    fn unknown(&self) -> Vec<usize>;

    /// The free values of all, from those that are not fixed.
    fn complete(&self, unknown: &[f64]) -> Vec<f64>;

    /// What a search climbs, with its gradient.
    fn ln_likelihood(&self, unknown: &[f64], gradient: &mut [f64]) -> Result<f64, Error>;

    /// By what points are weighted.
    fn weighed(&self, unknown: &[f64]) -> Result<f64, Error>;
}

/// The likelihood of a series with Gaussian noise.
pub(super) struct GaussianTarget<'a>(pub(super) &'a MarginalTarget<'a, Structural>, pub(super) &'a Series);

impl ParameterTarget for GaussianTarget<'_> {
    fn parameters(&self) -> &[Parameter] {
        self.0.parameters()
    }

    fn unknown(&self) -> Vec<usize> {
        self.0.unknown()
    }

    fn complete(&self, unknown: &[f64]) -> Vec<f64> {
        self.0.complete(unknown)
    }

    fn ln_likelihood(&self, unknown: &[f64], gradient: &mut [f64]) -> Result<f64, Error> {
        self.0.ln_likelihood(unknown, gradient)
    }

    fn weighed(&self, unknown: &[f64]) -> Result<f64, Error> {
        ln_likelihood(&self.0.at(unknown)?, self.1, &FilterOptions::default())
    }
}

/// Points of the posterior around the most probable `free` values, where steps of the series have the first
/// of these variances, and the second per unit of time; and what is to be said of them.
pub(super) fn points(
    likelihood: &impl ParameterTarget,
    free: &[f64],
    [spread, rate]: [f64; 2],
    seed: u64,
) -> Result<(Vec<ParameterPoint>, Option<String>), Error> {
    let dim = free.len();
    if dim == 0 {
        return Ok((Vec::new(), None));
    }
    let all = likelihood.parameters();
    let at = |u: &[f64]| natural(all, &likelihood.complete(u));
    let priors: Vec<Prior> = likelihood
        .unknown()
        .iter()
        .zip(free)
        .map(|(&place, &own)| {
            let is_variance = is_variance(&all[place]);
            let scale = if all[place].name() == "noise.variance" { spread } else { rate };
            let centre = if is_variance { scale.ln() } else { own };
            Prior { scale: *all[place].scale(), centre, is_variance }
        })
        .collect();
    let start: Vec<f64> = free
        .iter()
        .zip(&priors)
        .map(|(&own, prior)| match prior.scale {
            ParameterScale::Positive if prior.is_variance => own.max(prior.centre + SMALL.ln()),
            ParameterScale::Within(_) => own.clamp(-4.0, 4.0),
            _ => own,
        })
        .collect();
    // Less ln of the posterior density, and its gradient.
    let negative = |u: &[f64], gradient: &mut [f64]| -> f64 {
        let Ok(value) = likelihood.ln_likelihood(u, gradient) else { return f64::NAN };
        let prior = u.iter().zip(&priors).zip(gradient.iter_mut()).map(|((&own, prior), slope)| {
            let (ln_density, change) = prior.ln_density(own);
            *slope = -(*slope + change);
            ln_density
        });
        -(value + prior.sum::<f64>())
    };
    let mode = minimize(negative, &start, &LbfgsOptions::default(), &mut Silent).model.point;
    let root = root_of_covariance(negative, &mode)?;
    if let Some(points) = few_points(negative, &mode, &root) {
        let point = |(u, weight): (Vec<f64>, f64)| ParameterPoint { weight, values: at(&u) };
        return Ok((points.into_iter().map(point).collect(), None));
    }
    let directions = directions(dim, seed)?;
    let weigh = |(z, width): &(DVector<f64>, f64)| {
        let u = DVector::from_column_slice(&mode) + &root * z * *width;
        let u = u.as_slice().to_vec();
        let value = likelihood.weighed(&u).ok()?;
        let prior: f64 = u.iter().zip(&priors).map(|(&own, prior)| prior.ln_density(own).0).sum();
        // The density of the mixture of both widths, up to a factor; z is in units of its own width.
        let square = (z * *width).norm_squared();
        let ln_density = |width: f64, proportion: f64| {
            proportion.ln() - dim as f64 * width.ln() - 0.5 * square / (width * width)
        };
        let proposal =
            ln_sum_exp(&[ln_density(1.0, 1.0 - PROPORTION_WIDE), ln_density(WIDE, PROPORTION_WIDE)]);
        Some((u, value + prior - proposal)).filter(|(_, weight)| weight.is_finite())
    };
    let weighted: Vec<(Vec<f64>, f64)> = directions.par_iter().filter_map(weigh).collect();
    let why = || Some("the parameters could not be integrated over, and are taken as known".to_owned());
    if weighted.is_empty() {
        return Ok((Vec::new(), why()));
    }
    let ln_weights = weighted.iter().map(|(_, weight)| *weight).collect();
    let Ok(smoothed) = pareto_smoothed(ln_weights, 1.0) else { return Ok((Vec::new(), why())) };
    let rough = (!smoothed.is_reliable()).then(|| {
        "the posterior of the parameters is far from normal: intervals that hold it are rough".to_owned()
    });
    let weights = smoothed.weights.normalised();
    let mut counts = vec![0_usize; weights.len()];
    let drawn = Resampling::Systematic.indices(weights, KEPT, &mut stream(seed, &[1]))?;
    for place in drawn {
        counts[place] += 1;
    }
    let kept = weighted.iter().zip(counts).filter(|(_, count)| *count > 0);
    let point = |((u, _), count): (&(Vec<f64>, f64), usize)| ParameterPoint {
        weight: count as f64 / KEPT as f64,
        values: at(u),
    };
    Ok((kept.map(point).collect(), rough))
}

/// Whether it is the variance of a noise, or of a process.
pub(super) fn is_variance(parameter: &Parameter) -> bool {
    ["variance", "intensity"].iter().any(|ending| parameter.name().ends_with(ending))
}

/// The values of all parameters at these free values: inside of what their scales
/// allow, where a search went to the boundary.
pub(super) fn natural(parameters: &[Parameter], complete: &[f64]) -> Vec<f64> {
    let value = |(parameter, &free): (&Parameter, &f64)| match parameter.scale() {
        ParameterScale::Within(_) => parameter.scale().natural(free.clamp(-30.0, 30.0)),
        scale => scale.natural(free.clamp(-700.0, 700.0)),
    };
    parameters.iter().zip(complete).map(value).collect()
}

/// A root of the inverse of the Hessian by differences of the gradient. Where that has no inverse, directions
/// of small curvature are held to a standard deviation of a few units.
pub(super) fn root_of_covariance(
    mut negative: impl FnMut(&[f64], &mut [f64]) -> f64,
    mode: &[f64],
) -> Result<DMatrix<f64>, Error> {
    const STEP: f64 = 1e-3;
    let dim = mode.len();
    let mut hessian = DMatrix::zeros(dim, dim);
    let mut slopes = [vec![0.0; dim], vec![0.0; dim]];
    for k in 0..dim {
        for (slope, sign) in slopes.iter_mut().zip([1.0, -1.0]) {
            let mut point = mode.to_vec();
            point[k] += sign * STEP;
            if negative(&point, slope).is_nan() {
                slope.fill(0.0);
            }
        }
        for j in 0..dim {
            hessian[(j, k)] = (slopes[0][j] - slopes[1][j]) / (2.0 * STEP);
        }
    }
    symmetrize(&mut hessian);
    let mut ridge = 0.0;
    loop {
        let held = &hessian + DMatrix::from_diagonal_element(dim, dim, ridge);
        let inverse = Cholesky::new(&held).map(|own| own.inverse());
        match inverse.and_then(|own| Cholesky::new(&own)) {
            Ok(root) => return Ok(root.into_factor()),
            Err(error) if ridge > 1e6 => return Err(Error::Matrix(error)),
            Err(_) => ridge = if ridge == 0.0 { 0.05 } else { 4.0 * ridge },
        }
    }
}

/// Points with weights that have the moments of a normal distribution up to the third, times what the
/// posterior has there more or less of, which is how they hold its skewness; none where it is wide, or far
/// from normal.
fn few_points(
    mut negative: impl FnMut(&[f64], &mut [f64]) -> f64,
    mode: &[f64],
    root: &DMatrix<f64>,
) -> Option<Vec<(Vec<f64>, f64)>> {
    let dim = mode.len();
    let is_narrow = root.row_iter().all(|own| own.norm() <= NARROW);
    if !is_narrow {
        return None;
    }
    let radius = dim.max(3) as f64;
    let mut slope = vec![0.0; dim];
    let best = negative(mode, &mut slope);
    let mut points = Vec::with_capacity(2 * dim + 1);
    if dim < 3 {
        points.push((mode.to_vec(), 1.0 - dim as f64 / radius));
    }
    for direction in root.column_iter() {
        for sign in [1.0, -1.0] {
            let at = mode.iter().zip(direction.iter()).map(|(own, step)| own + sign * radius.sqrt() * step);
            let at: Vec<f64> = at.collect();
            let fall = negative(&at, &mut slope) - best;
            if !((fall - 0.5 * radius).abs() <= NORMAL) {
                return None;
            }
            points.push((at, 0.5 / radius * (0.5 * radius - fall).exp()));
        }
    }
    let sum: f64 = points.iter().map(|(_, weight)| weight).sum();
    for (_, weight) in &mut points {
        *weight /= sum;
    }
    Some(points)
}

/// A standard normal point, and its width.
type Direction = (DVector<f64>, f64);

/// As many as there are points.
fn directions(dim: usize, seed: u64) -> Result<Vec<Direction>, Error> {
    let mut sequence = Sobol::scrambled(dim, seed)?;
    let mut point = vec![0.0; dim];
    let mut all = Vec::with_capacity(WEIGHTED);
    while all.len() < WEIGHTED && sequence.next_point(&mut point) {
        let width = if all.len() % 3 == 2 { WIDE } else { 1.0 };
        let z = point.iter().map(|p| normal_quantile(p.clamp(1e-9, 1.0 - 1e-9)));
        all.push((DVector::from_iterator(dim, z), width));
    }
    Ok(all)
}
