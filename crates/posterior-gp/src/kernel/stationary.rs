//! Kernels of a distance: k(x, x') = ρ(r²), where r² = Σ ((xᵢ - x'ᵢ)/lᵢ)².

use std::fmt;

use posterior_math::check::{self, ParamError};

use super::{Covariance, Kernel, Parameter, Tile};

/// A function of a squared distance: what tells one stationary kernel from another.
pub(super) trait Profile: fmt::Debug + Clone + Send + Sync + 'static {
    /// What the kernel is called in an expression.
    const NAME: &'static str;

    /// Replaces each r² by ρ(r²).
    fn values(&self, squares: &mut [f64]);

    /// Replaces each r² by dρ/d(r²).
    fn slopes(&self, squares: &mut [f64]);

    /// Parameters beside the length scales.
    fn parameters(&self) -> Vec<Parameter> {
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

    fn scale(&self, coordinate: usize) -> f64 {
        match &self.length_scales {
            LengthScales::One(scale) => *scale,
            LengthScales::Each(scales) => scales[coordinate],
        }
    }

    fn scales(&self) -> &[f64] {
        match &self.length_scales {
            LengthScales::One(scale) => std::slice::from_ref(scale),
            LengthScales::Each(scales) => scales,
        }
    }

    fn squares(&self, tile: &Tile<'_>, squares: &mut [f64]) {
        squares.fill(0.0);
        let rows = tile.rows.len();
        for coordinate in 0..tile.rows.dimension() {
            let (x, y) = (tile.rows.coordinate(coordinate), tile.columns.coordinate(coordinate));
            let scale = self.scale(coordinate);
            for (column, &y) in squares.chunks_exact_mut(rows.max(1)).zip(y) {
                for (square, &x) in column.iter_mut().zip(x) {
                    let difference = (x - y) / scale;
                    *square += difference * difference;
                }
            }
        }
    }
}

impl<P: Profile> Covariance for Stationary<P> {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        let terms = x.iter().zip(y).enumerate();
        let square = terms.map(|(i, (x, y))| ((x - y) / self.scale(i)).powi(2)).sum();
        let mut value = [square];
        self.profile.values(&mut value);
        value[0]
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
        for (slope, weight) in slopes.iter_mut().zip(weights) {
            *slope *= weight;
        }
        let rows = tile.rows.len();
        for coordinate in 0..tile.rows.dimension() {
            let (x, y) = (tile.rows.coordinate(coordinate), tile.columns.coordinate(coordinate));
            let scale = self.scale(coordinate);
            let mut sum = 0.0;
            for (slopes, &y) in slopes.chunks_exact(rows.max(1)).zip(y) {
                sum += slopes.iter().zip(x).map(|(slope, x)| slope * ((x - y) / scale).powi(2)).sum::<f64>();
            }
            scales[coordinate.min(self.scales().len() - 1)] -= 2.0 * sum;
        }
    }

    fn diagonal(&self, _x: &[f64]) -> f64 {
        let mut value = [0.0];
        self.profile.values(&mut value);
        value[0]
    }

    fn parameters(&self) -> Vec<Parameter> {
        let name = |suffix: &str| format!("{}.length_scale{suffix}", P::NAME);
        let mut parameters = match &self.length_scales {
            LengthScales::One(scale) => vec![Parameter::positive(name(""), *scale)],
            LengthScales::Each(scales) => scales
                .iter()
                .enumerate()
                .map(|(i, &scale)| Parameter::positive(name(&format!("[{i}]")), scale))
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

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", P::NAME)?;
        match &self.length_scales {
            LengthScales::One(scale) => write!(f, "{scale}")?,
            LengthScales::Each(scales) => write!(f, "{scales:?}")?,
        }
        for parameter in self.profile.parameters() {
            write!(f, ", {}", parameter.value)?;
        }
        write!(f, ")")
    }
}
