//! What a hidden unit does with the sum of its inputs.

use posterior_math::elementwise;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::{ln_1p_exp, logistic};
use pulp::{Arch, Simd, WithSimd};

/// The function of a hidden unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Activation {
    /// tanh z, in (-1, 1): smooth networks, which saturate far from the data.
    #[default]
    Tanh,
    /// max(0, z), the ReLU: piecewise linear networks, which go on along lines far from the data. Its slope
    /// at 0 counts as 0.
    Rectifier,
    /// 1 / (1 + e⁻ᶻ), in (0, 1).
    Sigmoid,
    /// ln(1 + eᶻ), the smooth relative of [`Rectifier`](Self::Rectifier).
    Softplus,
    /// z: the network is a linear function, whatever its layers.
    Linear,
}

impl Activation {
    /// The value at z.
    ///
    /// ```
    /// use posterior_regression::network::Activation;
    ///
    /// assert_eq!(Activation::Rectifier.value(-2.0), 0.0);
    /// assert!((Activation::Tanh.value(0.5) - 0.5_f64.tanh()).abs() < 1e-15);
    /// ```
    pub fn value(self, z: f64) -> f64 {
        match self {
            Self::Tanh => z.tanh(),
            Self::Rectifier => rectified(z),
            Self::Sigmoid => logistic(z),
            Self::Softplus => ln_1p_exp(z),
            Self::Linear => z,
        }
    }

    /// Replaces each z by its value.
    pub(super) fn apply(self, numbers: &mut [f64]) {
        match self {
            Self::Tanh => tanh(numbers),
            Self::Rectifier => numbers.iter_mut().for_each(|z| *z = rectified(*z)),
            Self::Sigmoid => sigmoid(numbers),
            Self::Softplus => numbers.iter_mut().for_each(|z| *z = ln_1p_exp(*z)),
            Self::Linear => {}
        }
    }

    /// The slopes at the z of which the values are given.
    pub(super) fn slopes(self, values: &[f64], slopes: &mut [f64]) {
        let each = slopes.iter_mut().zip(values);
        match self {
            Self::Tanh => each.for_each(|(slope, a)| *slope = (1.0 - a) * (1.0 + a)),
            Self::Rectifier => each.for_each(|(slope, a)| *slope = if *a > 0.0 { 1.0 } else { 0.0 }),
            Self::Sigmoid => each.for_each(|(slope, a)| *slope = a * (1.0 - a)),
            Self::Softplus => each.for_each(|(slope, a)| *slope = -(-a).exp_m1()),
            Self::Linear => slopes.fill(1.0),
        }
    }

    /// The second derivatives, from values and slopes.
    pub(super) fn bends(self, values: &[f64], slopes: &DMatrix<f64>) -> DMatrix<f64> {
        let mut bends = slopes.clone();
        let each = bends.as_mut_slice().iter_mut().zip(values);
        match self {
            Self::Tanh => each.for_each(|(bend, a)| *bend *= -2.0 * a),
            Self::Sigmoid => each.for_each(|(bend, a)| *bend *= 1.0 - 2.0 * a),
            Self::Softplus => each.for_each(|(bend, _)| *bend *= 1.0 - *bend),
            Self::Rectifier | Self::Linear => bends.fill(0.0),
        }
        bends
    }

    /// How the variance of a unit's inputs shrinks: the weights start as if it were so much smaller than
    /// their number.
    pub(super) const fn halves(self) -> bool {
        matches!(self, Self::Rectifier | Self::Softplus)
    }
}

/// max(0, z), and NaN where z is.
fn rectified(z: f64) -> f64 {
    if z < 0.0 { 0.0 } else { z }
}

/// Numbers at a time: they stay in the fastest cache between the passes.
const CHUNK: usize = 256;

/// Below this |z| the series is used, where 1 - e^(-2z) cancels.
const SERIES_BELOW: f64 = 0.25;

/// (tanh z)/z in powers of z², the tenth first: within 3e-18 for |z| ≤ 1/4.
const SERIES: [f64; 11] = [
    18888466084.0 / 194896477400625.0,
    -443861162.0 / 1856156927625.0,
    6404582.0 / 10854718875.0,
    -929569.0 / 638512875.0,
    21844.0 / 6081075.0,
    -1382.0 / 155925.0,
    62.0 / 2835.0,
    -17.0 / 315.0,
    2.0 / 15.0,
    -1.0 / 3.0,
    1.0,
];

/// Replaces each z by tanh z.
fn tanh(numbers: &mut [f64]) {
    let mut powers = [0.0; CHUNK];
    for chunk in numbers.chunks_mut(CHUNK) {
        let powers = &mut powers[..chunk.len()];
        for (power, z) in powers.iter_mut().zip(&*chunk) {
            *power = -2.0 * z.abs();
        }
        elementwise::exp(powers);
        Arch::new().dispatch(Ratios { numbers: chunk, powers });
    }
}

/// tanh z from z and e^(-2|z|), by the vectors of the machine.
struct Ratios<'a> {
    numbers: &'a mut [f64],
    powers: &'a [f64],
}

impl WithSimd for Ratios<'_> {
    type Output = ();

    #[expect(
        clippy::inline_always,
        reason = "only what is inlined is compiled for the vectors of the machine"
    )]
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (z, power) in self.numbers.iter_mut().zip(self.powers) {
            let square = *z * *z;
            let mut series = 0.0;
            for c in SERIES {
                series = series * square + c;
            }
            let ratio = ((1.0 - power) / (1.0 + power)).copysign(*z);
            *z = if z.abs() < SERIES_BELOW { series * *z } else { ratio };
        }
    }
}

/// Replaces each z by 1 / (1 + e⁻ᶻ).
fn sigmoid(numbers: &mut [f64]) {
    let mut powers = [0.0; CHUNK];
    for chunk in numbers.chunks_mut(CHUNK) {
        let powers = &mut powers[..chunk.len()];
        for (power, z) in powers.iter_mut().zip(&*chunk) {
            *power = -z.abs();
        }
        elementwise::exp(powers);
        for (z, power) in chunk.iter_mut().zip(&*powers) {
            let numerator = if *z < 0.0 { *power } else { 1.0 };
            *z = numerator / (1.0 + power);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Activation; 5] = [
        Activation::Tanh,
        Activation::Rectifier,
        Activation::Sigmoid,
        Activation::Softplus,
        Activation::Linear,
    ];

    #[test]
    fn values_of_a_slice_are_those_of_the_library() {
        let numbers: Vec<f64> = (-4000..=4000).map(|i| f64::from(i) * 0.01).collect();
        for activation in ALL {
            let mut values = numbers.clone();
            activation.apply(&mut values);
            for (z, value) in numbers.iter().zip(values) {
                let expected = activation.value(*z);
                assert!((value - expected).abs() <= 1e-15 * expected.abs(), "{activation:?} at {z}: {value}");
            }
        }
    }

    #[test]
    fn extremes_and_nan() {
        for activation in [Activation::Tanh, Activation::Sigmoid] {
            let mut values = [f64::NEG_INFINITY, -1e300, -1e-300, 0.0, 1e300, f64::INFINITY, f64::NAN];
            let expected = values.map(|z| activation.value(z));
            activation.apply(&mut values);
            assert_eq!(values[..6], expected[..6], "{activation:?}");
            assert!(values[6].is_nan());
        }
        let mut values = [f64::NAN];
        Activation::Rectifier.apply(&mut values);
        assert!(values[0].is_nan());
    }

    /// Central differences of step 1e-5: their error is 1e-10 and rounding 1e-11.
    #[test]
    fn slopes_and_bends_are_derivatives() {
        let numbers: Vec<f64> = (-30..30).map(|i| f64::from(i) * 0.2 + 0.1).collect();
        for activation in ALL {
            let of = |shift: f64| {
                let mut values: Vec<f64> = numbers.iter().map(|z| z + shift).collect();
                activation.apply(&mut values);
                let mut slopes = DMatrix::zeros(numbers.len(), 1);
                activation.slopes(&values, slopes.as_mut_slice());
                (values, slopes)
            };
            let (values, slopes) = of(0.0);
            let bends = activation.bends(&values, &slopes);
            let ((above, steep), (below, flat)) = (of(1e-5), of(-1e-5));
            for i in 0..numbers.len() {
                assert!((slopes[i] - (above[i] - below[i]) / 2e-5).abs() < 1e-9, "{activation:?}");
                assert!((bends[i] - (steep[i] - flat[i]) / 2e-5).abs() < 1e-9, "{activation:?}");
            }
        }
    }
}
