//! Bochner: the distribution of frequencies of a stationary kernel.

use std::f64::consts::TAU;

use posterior_math::check::{self, ParamError};
use rand::{Rng, RngExt};
use rand_distr::{ChiSquared, Distribution, Gamma, StandardNormal};

/// The measure of which a stationary kernel is the Fourier transform: k(x, x + t) = m E cos(ωᵀ t), with the
/// mass m = k(0) and a distribution of the angular frequencies ω.
///
/// Distributions add as kernels add; the product of two kernels has the distribution of the sum of
/// independent frequencies.
#[derive(Debug, Clone, PartialEq)]
pub struct SpectralDistribution {
    mass: f64,
    shape: Shape,
}

/// The distribution of one frequency.
#[derive(Debug, Clone, PartialEq)]
enum Shape {
    /// z/l, z standard normal: radial basis functions.
    Normal(Vec<f64>),
    /// z/l √(2ν/χ²), χ² with 2ν degrees of freedom: Matérn's kernel of order ν.
    Student { order: f64, length_scales: Vec<f64> },
    /// z/l √g, g of the gamma distribution with shape and rate α: the rational quadratic kernel.
    Gamma { shape: f64, length_scales: Vec<f64> },
    /// Multiples of one frequency, with these weights: a periodic kernel of one coordinate.
    Multiples { frequency: f64, cumulative: Vec<f64> },
    /// One frequency.
    Point(Vec<f64>),
    /// One of several, with probability proportional to its mass.
    Mixture(Vec<SpectralDistribution>),
    /// The sum of independent ones.
    Convolution(Vec<SpectralDistribution>),
}

impl SpectralDistribution {
    /// That of exp(-|x - x'|²/2) with these length scales, one for each coordinate.
    ///
    /// # Errors
    /// If one of them is not positive and finite.
    pub fn rbf(length_scales: &[f64]) -> Result<Self, ParamError> {
        Ok(Self { mass: 1.0, shape: Shape::Normal(positive(length_scales)?) })
    }

    /// That of Matérn's kernel of order ν (1/2, 3/2, …) with these length scales: Student's t distribution
    /// with 2ν degrees of freedom.
    ///
    /// # Errors
    /// If a number is not positive and finite.
    pub fn matern(order: f64, length_scales: &[f64]) -> Result<Self, ParamError> {
        check::positive("SpectralDistribution", "order", order)?;
        Ok(Self { mass: 1.0, shape: Shape::Student { order, length_scales: positive(length_scales)? } })
    }

    /// That of (1 + |x - x'|²/(2α))^-α with these length scales.
    ///
    /// # Errors
    /// If a number is not positive and finite.
    pub fn rational_quadratic(alpha: f64, length_scales: &[f64]) -> Result<Self, ParamError> {
        check::positive("SpectralDistribution", "alpha", alpha)?;
        Ok(Self { mass: 1.0, shape: Shape::Gamma { shape: alpha, length_scales: positive(length_scales)? } })
    }

    /// That of exp(-2 sin²(π (x - x')/p)/l²): the frequencies 2πj/p with weights exp(-1/l²) Iⱼ(1/l²).
    ///
    /// # Errors
    /// If a number is not positive and finite, or the length scale below 10⁻⁶.
    pub fn periodic(length_scale: f64, period: f64) -> Result<Self, ParamError> {
        check::positive("SpectralDistribution", "length_scale", length_scale)?;
        check::positive("SpectralDistribution", "period", period)?;
        let requirement = "at least 10^-6: the weights of so many multiples are kept";
        check::require(
            length_scale >= 1e-6,
            "SpectralDistribution",
            "length_scale",
            length_scale,
            requirement,
        )?;
        let cumulative = bessel_weights(1.0 / (length_scale * length_scale));
        Ok(Self { mass: 1.0, shape: Shape::Multiples { frequency: TAU / period, cumulative } })
    }

    /// That of cos(ωᵀ(x - x')).
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn cosine(frequency: &[f64]) -> Result<Self, ParamError> {
        for (index, &value) in frequency.iter().enumerate() {
            check::finite("SpectralDistribution", "frequency", value).map_err(|error| error.at(index))?;
        }
        Ok(Self { mass: 1.0, shape: Shape::Point(frequency.to_vec()) })
    }

    /// That of this kernel times a variance.
    ///
    /// # Errors
    /// If the variance is not positive and finite.
    pub fn scaled(self, variance: f64) -> Result<Self, ParamError> {
        let mass = check::positive("SpectralDistribution", "mass", self.mass * variance)?;
        Ok(Self { mass, ..self })
    }

    /// That of a sum of kernels.
    pub fn sum(terms: Vec<Self>) -> Self {
        Self { mass: terms.iter().map(Self::mass).sum(), shape: Shape::Mixture(terms) }
    }

    /// That of a product of kernels.
    pub fn product(factors: Vec<Self>) -> Self {
        Self { mass: factors.iter().map(Self::mass).product(), shape: Shape::Convolution(factors) }
    }

    /// m = k(0).
    pub const fn mass(&self) -> f64 {
        self.mass
    }

    /// Adds a frequency drawn from the distribution to `frequency`, coordinate by coordinate.
    ///
    /// A distribution with one length scale is that of any number of coordinates; of one with several, or
    /// with a frequency for each, the coordinates beyond the shorter of the two stay as they are.
    pub fn add_draw<R: Rng + ?Sized>(&self, frequency: &mut [f64], rng: &mut R) {
        match &self.shape {
            Shape::Normal(scales) => add_normal(frequency, scales, 1.0, rng),
            Shape::Student { order, length_scales } => {
                let square =
                    ChiSquared::new(2.0 * order).map_or(f64::NAN, |distribution| distribution.sample(rng));
                add_normal(frequency, length_scales, (2.0 * order / square).sqrt(), rng);
            }
            Shape::Gamma { shape, length_scales } => {
                let precision = Gamma::new(*shape, shape.recip())
                    .map_or(f64::NAN, |distribution| distribution.sample(rng));
                add_normal(frequency, length_scales, precision.sqrt(), rng);
            }
            Shape::Multiples { frequency: base, cumulative } => {
                let place = rng.random::<f64>() * cumulative.last().copied().unwrap_or_default();
                let multiple = cumulative.partition_point(|&sum| sum <= place) as f64;
                if let Some(first) = frequency.first_mut() {
                    *first += base * if rng.random::<bool>() { multiple } else { -multiple };
                }
            }
            Shape::Point(point) => {
                let sign = if rng.random::<bool>() { 1.0 } else { -1.0 };
                for (frequency, point) in frequency.iter_mut().zip(point) {
                    *frequency += sign * point;
                }
            }
            Shape::Mixture(terms) => {
                let mut place = rng.random::<f64>() * terms.iter().map(Self::mass).sum::<f64>();
                let chosen = terms.iter().find(|term| {
                    place -= term.mass;
                    place < 0.0
                });
                if let Some(term) = chosen.or(terms.last()) {
                    term.add_draw(frequency, rng);
                }
            }
            Shape::Convolution(factors) => {
                for factor in factors {
                    factor.add_draw(frequency, rng);
                }
            }
        }
    }
}

fn positive(length_scales: &[f64]) -> Result<Vec<f64>, ParamError> {
    for (index, &length_scale) in length_scales.iter().enumerate() {
        check::positive("SpectralDistribution", "length_scale", length_scale)
            .map_err(|error| error.at(index))?;
    }
    Ok(length_scales.to_vec())
}

fn add_normal<R: Rng + ?Sized>(frequency: &mut [f64], length_scales: &[f64], factor: f64, rng: &mut R) {
    let scales: &mut dyn Iterator<Item = &f64> = match length_scales {
        [one] => &mut std::iter::repeat(one),
        several => &mut several.iter(),
    };
    for (frequency, scale) in frequency.iter_mut().zip(scales) {
        let normal: f64 = StandardNormal.sample(rng);
        *frequency += factor * normal / scale;
    }
}

/// The running sums of w₀, 2 w₁, 2 w₂, … with wⱼ = e⁻ᶻ Iⱼ(z), up to their last digit, by Miller's backward
/// recursion.
fn bessel_weights(z: f64) -> Vec<f64> {
    // Only w₀ = 1 - z is more than rounding; steps of the recursion would overflow.
    if z < 1e-50 {
        return vec![1.0];
    }
    // The weights are those of a distribution with variance z: beyond ten deviations and a constant nothing
    // is left.
    let start = (40.0 + 12.0 * z.sqrt()) as usize;
    let mut weights = vec![0.0; start];
    let (mut above, mut value) = (0.0, 1e-300_f64);
    for j in (0..start).rev() {
        weights[j] = value;
        let below = above + 2.0 * j as f64 / z * value;
        (above, value) = (value, below);
        if value > 1e250 {
            above *= 1e-250;
            value *= 1e-250;
            for weight in &mut weights[j..] {
                *weight *= 1e-250;
            }
        }
    }
    let mut sum = 0.0;
    for (j, weight) in weights.iter_mut().enumerate() {
        sum += if j == 0 { *weight } else { 2.0 * *weight };
        *weight = sum;
    }
    weights
}
