//! Kernels of a distance: k(x, x') = ρ(r²), where r² = Σ ((xᵢ - x'ᵢ)/lᵢ)².

use std::fmt;

use posterior_kalman::continuous::Process;
use posterior_math::check::{self, ParamError};
use posterior_math::elementwise::{add_squared_differences, sum_squared_differences};

use super::SpectralDistribution;
use super::{CovarianceFunction, InputTile, Kernel, KernelParameter, ProcessOptions, Tile};

/// A function of a squared distance: what tells one stationary kernel from another.
pub(super) trait Profile: fmt::Debug + Clone + Send + Sync + 'static {
    /// What the kernel is called in an expression.
    const NAME: &'static str;

    /// Replaces each r² by ρ(r²); ρ(0) = 1, and r² is at most 1e300 for each coordinate.
    fn values(&self, squares: &mut [f64]);

    /// Replaces each r² by dρ/d(r²); any finite number where r² = 0 and the derivative does not exist.
    fn slopes(&self, squares: &mut [f64]);

    /// Replaces each r² by ρ(r²), and writes dρ/d(r²).
    fn values_and_slopes(&self, squares: &mut [f64], slopes: &mut [f64]) {
        slopes.copy_from_slice(squares);
        self.values(squares);
        self.slopes(slopes);
    }

    /// Arguments before the length scale that no fit moves.
    fn settings(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The process of one coordinate with this length scale, if there is one.
    fn process(&self, _length_scale: f64, _options: &ProcessOptions) -> Option<Process> {
        None
    }

    /// The distribution of frequencies for these length scales, if it is known.
    fn spectral_distribution(&self, _length_scales: &[f64]) -> Option<SpectralDistribution> {
        None
    }

    /// Parameters beside the length scales.
    fn parameters(&self) -> Vec<KernelParameter> {
        Vec::new()
    }

    /// Adds Σ wᵢ ∂ρ(r²ᵢ)/∂φ for the parameters beside the length scales.
    fn pull_back(&self, _squares: &[f64], _weights: &[f64], _gradient: &mut [f64]) {}

    /// The same with other values of the parameters beside the length scales.
    fn with_parameters(&self, _values: &[f64]) -> Result<Self, ParamError> {
        Ok(self.clone())
    }
}

/// A profile of a distance with one length scale, or with one for each coordinate.
#[derive(Debug, Clone)]
pub(super) struct Stationary<P> {
    profile: P,
    length_scales: LengthScales,
}

#[derive(Debug, Clone)]
enum LengthScales {
    /// The same for all coordinates.
    One(f64),
    /// One for each coordinate: automatic relevance determination.
    Each(Vec<f64>),
}

impl<P: Profile> Stationary<P> {
    /// The same length scale for all coordinates.
    pub(super) fn isotropic(profile: P, length_scale: f64) -> Result<Self, ParamError> {
        let length_scales = LengthScales::One(check::positive(P::NAME, "length_scale", length_scale)?);
        Ok(Self { profile, length_scales })
    }

    /// A length scale for each coordinate.
    pub(super) fn with_each(profile: P, length_scales: &[f64]) -> Result<Self, ParamError> {
        for (index, &length_scale) in length_scales.iter().enumerate() {
            check::positive(P::NAME, "length_scale", length_scale).map_err(|error| error.at(index))?;
        }
        Ok(Self { profile, length_scales: LengthScales::Each(length_scales.to_vec()) })
    }

    /// 1/l of a coordinate; finite, so that equal inputs have distance 0.
    fn inverse_scale(&self, coordinate: usize) -> f64 {
        let scale = match &self.length_scales {
            LengthScales::One(scale) => *scale,
            LengthScales::Each(scales) => scales[coordinate],
        };
        scale.recip().min(f64::MAX)
    }

    fn scales(&self) -> &[f64] {
        match &self.length_scales {
            LengthScales::One(scale) => std::slice::from_ref(scale),
            LengthScales::Each(scales) => scales,
        }
    }

    fn squares(&self, tile: &Tile<'_>, squares: &mut [f64]) {
        squares.fill(0.0);
        for coordinate in 0..tile.rows.dimension() {
            let (x, y) = (tile.rows.coordinate(coordinate), tile.columns.coordinate(coordinate));
            add_squared_differences(squares, x, y, self.inverse_scale(coordinate));
        }
    }

    /// Adds Σ wᵢⱼ ∂k/∂ ln l, where the slopes are dρ/d(r²) of all pairs.
    fn pull_back_slopes(&self, tile: &Tile<'_>, weights: &[f64], slopes: &mut [f64], gradient: &mut [f64]) {
        for (slope, weight) in slopes.iter_mut().zip(weights) {
            *slope *= weight;
        }
        for coordinate in 0..tile.rows.dimension() {
            let (x, y) = (tile.rows.coordinate(coordinate), tile.columns.coordinate(coordinate));
            let sum = sum_squared_differences(slopes, x, y, self.inverse_scale(coordinate));
            gradient[coordinate.min(self.scales().len() - 1)] -= 2.0 * sum;
        }
    }

    fn square(&self, x: &[f64], y: &[f64]) -> f64 {
        let mut square = [0.0];
        for (i, (&x, &y)) in x.iter().zip(y).enumerate() {
            add_squared_differences(&mut square, &[x], &[y], self.inverse_scale(i));
        }
        square[0]
    }
}

impl<P: Profile> CovarianceFunction for Stationary<P> {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        let mut value = [self.square(x, y)];
        self.profile.values(&mut value);
        value[0]
    }

    fn gradient(&self, x: &[f64], y: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        let square = [self.square(x, y)];
        let (scales, others) = gradient.split_at_mut(self.scales().len());
        self.profile.pull_back(&square, &[1.0], others);
        let mut slope = square;
        self.profile.slopes(&mut slope);
        for (i, (&x, &y)) in x.iter().zip(y).enumerate() {
            let sum = sum_squared_differences(&slope, &[x], &[y], self.inverse_scale(i));
            scales[i.min(self.scales().len() - 1)] -= 2.0 * sum;
        }
    }

    fn input_slope(&self, x: &[f64], y: &[f64]) -> Option<Vec<f64>> {
        let mut slope = [self.square(x, y)];
        self.profile.slopes(&mut slope);
        let of_coordinate = |(i, (x, y)): (usize, (&f64, &f64))| {
            let inverse = self.inverse_scale(i);
            2.0 * slope[0] * ((x - y) * inverse) * inverse
        };
        Some(x.iter().zip(y).enumerate().map(of_coordinate).collect())
    }

    fn dimension(&self) -> Option<usize> {
        match &self.length_scales {
            LengthScales::One(_) => None,
            LengthScales::Each(scales) => Some(scales.len()),
        }
    }

    fn fill(&self, tile: &Tile<'_>, values: &mut [f64]) {
        self.squares(tile, values);
        self.profile.values(values);
    }

    fn pull_back(&self, tile: &Tile<'_>, weights: &[f64], gradient: &mut [f64]) {
        let mut slopes = vec![0.0; tile.len()];
        self.squares(tile, &mut slopes);
        let (scales, others) = gradient.split_at_mut(self.scales().len());
        self.profile.pull_back(&slopes, weights, others);
        self.profile.slopes(&mut slopes);
        self.pull_back_slopes(tile, weights, &mut slopes, scales);
    }

    fn fill_and_pull_back(&self, tile: &Tile<'_>, weights: &[f64], values: &mut [f64], gradient: &mut [f64]) {
        self.squares(tile, values);
        let (scales, others) = gradient.split_at_mut(self.scales().len());
        self.profile.pull_back(values, weights, others);
        let mut slopes = vec![0.0; tile.len()];
        self.profile.values_and_slopes(values, &mut slopes);
        self.pull_back_slopes(tile, weights, &mut slopes, scales);
    }

    fn diagonal(&self, _points: &InputTile<'_>, values: &mut [f64]) {
        values.fill(1.0);
    }

    fn pull_back_diagonal(&self, _points: &InputTile<'_>, _weights: &[f64], _gradient: &mut [f64]) {}

    fn parameters(&self) -> Vec<KernelParameter> {
        let name = |suffix: &str| format!("{}.length_scale{suffix}", P::NAME);
        let mut parameters = match &self.length_scales {
            LengthScales::One(scale) => vec![KernelParameter::positive(name(""), *scale)],
            LengthScales::Each(scales) => scales
                .iter()
                .enumerate()
                .map(|(i, &scale)| KernelParameter::positive(name(&format!("[{i}]")), scale))
                .collect(),
        };
        parameters.extend(self.profile.parameters());
        parameters
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        let (scales, others) = values.split_at(self.scales().len());
        let profile = self.profile.with_parameters(others)?;
        Ok(Kernel::new(match &self.length_scales {
            LengthScales::One(_) => Self::isotropic(profile, scales[0])?,
            LengthScales::Each(_) => Self::with_each(profile, scales)?,
        }))
    }

    fn process(&self, options: &ProcessOptions) -> Option<Process> {
        match self.scales() {
            &[length_scale] => self.profile.process(length_scale, options),
            _ => None,
        }
    }

    fn spectral_distribution(&self) -> Option<SpectralDistribution> {
        self.profile.spectral_distribution(self.scales())
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", P::NAME)?;
        for setting in self.profile.settings() {
            write!(f, "{setting}, ")?;
        }
        match &self.length_scales {
            LengthScales::One(scale) => write!(f, "{scale}")?,
            LengthScales::Each(scales) => write_list(scales, f)?,
        }
        for parameter in self.profile.parameters() {
            write!(f, ", {}", parameter.value)?;
        }
        write!(f, ")")
    }
}

/// Writes `[1, 2]`.
pub(super) fn write_list(numbers: &[f64], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "[")?;
    for (index, number) in numbers.iter().enumerate() {
        write!(f, "{}{number}", if index == 0 { "" } else { ", " })?;
    }
    write!(f, "]")
}
