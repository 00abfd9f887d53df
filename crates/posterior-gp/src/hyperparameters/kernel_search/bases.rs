//! What expressions are made of.

use std::f64::consts::TAU;

use posterior_math::check::ParamError;
use posterior_math::linalg::DMatrix;

use crate::Kernel;

/// A kernel that expressions are made of, with the parameters to start from.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct KernelBase {
    /// The kernel.
    pub kernel: Kernel,
    /// The mean of its variance over the inputs: what a term is divided by, so that it begins as large as
    /// others.
    pub(super) size: f64,
    /// Two of one kind are no factors of one term.
    pub(super) kind: usize,
    /// Whether two terms of it may differ: by their length scales.
    pub(super) local: bool,
}

/// How many peaks of the spectrum periods begin at.
const PEAKS: usize = 2;

/// Frequencies of the spectrum at most.
const FREQUENCIES: usize = 2000;

/// The bases for these data: of each coordinate smooth functions, rough ones and lines, and with one
/// coordinate functions of the likeliest periods; with several, smooth functions of all too.
///
/// Periods are those of the highest peaks of the spectrum by least squares (Lomb and Scargle), of what a
/// parabola leaves of the outputs.
///
/// # Errors
/// If an input is not finite.
pub fn kernel_bases(inputs: &DMatrix<f64>, outputs: &[f64]) -> Result<Vec<KernelBase>, ParamError> {
    let mut bases = Vec::new();
    let several = inputs.ncols() > 1;
    let extents: Vec<f64> = inputs.column_iter().map(|own| extent(own.as_slice())).collect();
    if several {
        let lengths: Vec<f64> = extents.iter().map(|extent| 0.5 * extent).collect();
        bases.push(KernelBase { kernel: Kernel::rbf_ard(&lengths)?, size: 1.0, kind: 0, local: true });
        bases.push(KernelBase { kernel: Kernel::matern32_ard(&lengths)?, size: 1.0, kind: 0, local: true });
    }
    for (coordinate, column) in inputs.column_iter().enumerate() {
        let place = |kernel: Kernel| if several { kernel.on(&[coordinate]) } else { Ok(kernel) };
        let column = column.as_slice();
        let length = 0.2 * extents[coordinate];
        let mut add = |kernel: Kernel, size: f64, kind: usize, local: bool| -> Result<(), ParamError> {
            bases.push(KernelBase { kernel: place(kernel)?, size, kind: 1 + 3 * coordinate + kind, local });
            Ok(())
        };
        add(Kernel::rbf(length)?, 1.0, 0, true)?;
        add(Kernel::matern32(length)?, 1.0, 0, true)?;
        add(Kernel::matern12(length)?, 1.0, 0, true)?;
        let square = (column.iter().map(|x| x * x).sum::<f64>() / column.len() as f64).max(f64::MIN_POSITIVE);
        add(Kernel::polynomial(1, square)?, 2.0 * square, 1, false)?;
        if !several {
            for period in periods(column, outputs) {
                add(Kernel::periodic(1.0, period)?, 1.0, 2, false)?;
            }
        }
    }
    Ok(bases)
}

/// From the least to the largest; 1 where they are the same.
fn extent(values: &[f64]) -> f64 {
    let (low, high) =
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    if high > low { high - low } else { 1.0 }
}

/// The periods of the highest peaks of the spectrum, between two mean distances of inputs and half of their
/// extent.
fn periods(inputs: &[f64], outputs: &[f64]) -> Vec<f64> {
    let (extent, count) = (extent(inputs), inputs.len());
    if count < 8 {
        return Vec::new();
    }
    let residuals = without_a_parabola(inputs, outputs);
    // Four frequencies for each that the data can tell apart.
    let frequencies = (2 * count).min(FREQUENCIES);
    let frequency = |k: usize| (2.0 + 0.25 * k as f64) / extent;
    let power: Vec<f64> = (0..frequencies).map(|k| power(inputs, &residuals, frequency(k))).collect();
    let at = |k: usize| power.get(k).copied().unwrap_or(0.0);
    let mut peaks: Vec<usize> =
        (0..frequencies).filter(|&k| at(k) >= at(k + 1) && (k == 0 || at(k) > at(k - 1))).collect();
    peaks.sort_by(|&a, &b| at(b).total_cmp(&at(a)));
    peaks.iter().take(PEAKS).map(|&k| frequency(k).recip()).collect()
}

/// How much of the squares a sine of this frequency takes away.
fn power(inputs: &[f64], residuals: &[f64], frequency: f64) -> f64 {
    let columns: Vec<[f64; 2]> = inputs
        .iter()
        .map(|x| {
            let (sine, cosine) = (TAU * frequency * x).sin_cos();
            [sine, cosine]
        })
        .collect();
    explained(&columns, residuals).1
}

fn without_a_parabola(inputs: &[f64], outputs: &[f64]) -> Vec<f64> {
    let (low, extent) = (inputs.iter().copied().fold(f64::INFINITY, f64::min), extent(inputs));
    let columns: Vec<[f64; 3]> = inputs
        .iter()
        .map(|x| {
            let z = 2.0 * (x - low) / extent - 1.0;
            [1.0, z, z * z]
        })
        .collect();
    explained(&columns, outputs).0
}

/// What least squares leave of the outputs, and how much of the squares it takes away: by Gram and Schmidt.
fn explained<const N: usize>(columns: &[[f64; N]], outputs: &[f64]) -> (Vec<f64>, f64) {
    let mut rest = outputs.to_vec();
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(N);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut taken = 0.0;
    for column in 0..N {
        let mut own: Vec<f64> = columns.iter().map(|row| row[column]).collect();
        let before = dot(&own, &own);
        for other in &basis {
            let along = dot(&own, other);
            own.iter_mut().zip(other).for_each(|(own, other)| *own -= along * other);
        }
        let square = dot(&own, &own);
        // Of columns that depend on each other the later ones say nothing.
        if !(square > 1e-12 * before) {
            continue;
        }
        for own in &mut own {
            *own /= square.sqrt();
        }
        let along = dot(&rest, &own);
        taken += along * along;
        rest.iter_mut().zip(&own).for_each(|(rest, own)| *rest -= along * own);
        basis.push(own);
    }
    (rest, taken)
}
