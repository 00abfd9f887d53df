//! The periodic kernel: functions that repeat themselves.

use std::f64::consts::PI;
use std::fmt;

use posterior_kalman::continuous::Process;
use posterior_math::check::{self, ParamError};
use posterior_math::elementwise::{exp, sin_pi};

use super::{CovarianceFunction, InputTile, Kernel, KernelParameter, ProcessOptions, Tile};

/// exp(-2 Σ sin²(π (xᵢ - x'ᵢ)/p)/l²)
#[derive(Debug)]
struct Periodic {
    length_scale: f64,
    period: f64,
}

impl Kernel {
    /// exp(-2 sin²(π (x - x')/p)/l²): functions of period p, which change over distances of l p/(2π); over
    /// several coordinates the product.
    ///
    /// # Errors
    /// If the length scale or the period is not positive and finite.
    ///
    /// ```
    /// use posterior_gp::Kernel;
    ///
    /// let kernel = Kernel::periodic(1.0, 2.0)?;
    /// assert!((kernel.value(&[0.0], &[0.5]) - (-1_f64).exp()).abs() < 1e-15);
    /// assert_eq!(kernel.value(&[0.0], &[200.0]), 1.0);
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    ///
    /// Source: D. J. C. MacKay, Introduction to Gaussian processes, 1998.
    pub fn periodic(length_scale: f64, period: f64) -> Result<Self, ParamError> {
        let length_scale = check::positive("periodic", "length_scale", length_scale)?;
        Ok(Self::new(Periodic { length_scale, period: check::positive("periodic", "period", period)? }))
    }
}

/// sin/l and distances beyond these are as these: the kernel is 0 there, and no sum overflows.
const LARGEST: f64 = 1e150;

impl Periodic {
    /// Replaces differences by (sin(π d/p)/l)² and adds them to `sums`.
    fn add_squares(&self, differences: &mut [f64], sums: &mut [f64]) {
        let inverse = self.length_scale.recip();
        for difference in differences.iter_mut() {
            *difference /= self.period;
        }
        sin_pi(differences);
        for (sum, sine) in sums.iter_mut().zip(differences) {
            let scaled = if *sine == 0.0 { 0.0 } else { (*sine * inverse).clamp(-LARGEST, LARGEST) };
            *sum += scaled * scaled;
        }
    }

    /// Adds π d/p sin(2π d/p) to `sums`.
    fn add_slopes(&self, differences: &[f64], sums: &mut [f64]) {
        let mut sines: Vec<f64> =
            differences.iter().map(|difference| 2.0 * (difference / self.period)).collect();
        sin_pi(&mut sines);
        for ((sum, sine), difference) in sums.iter_mut().zip(sines).zip(differences) {
            *sum += PI * (difference / self.period) * sine;
        }
    }

    /// Σ (sin/l)² for all pairs of a tile, and what makes the slope if it is wanted.
    fn squares(&self, tile: &Tile<'_>, mut slopes: Option<&mut [f64]>) -> Vec<f64> {
        let mut sums = vec![0.0; tile.len()];
        let mut differences = vec![0.0; tile.len()];
        for coordinate in 0..tile.rows.dimension() {
            let (x, y) = (tile.rows.coordinate(coordinate), tile.columns.coordinate(coordinate));
            for (column, y) in differences.chunks_exact_mut(x.len().max(1)).zip(y) {
                for (difference, x) in column.iter_mut().zip(x) {
                    *difference = x - y;
                }
            }
            if let Some(slopes) = &mut slopes {
                self.add_slopes(&differences, slopes);
            }
            self.add_squares(&mut differences, &mut sums);
        }
        sums
    }

    /// ∂k/∂ ln l and ∂k/∂ ln p from the value, Σ (sin/l)² and Σ π d/p sin(2π d/p).
    fn derivatives(&self, value: f64, square: f64, slope: f64) -> [f64; 2] {
        if value == 0.0 {
            return [0.0; 2];
        }
        [4.0 * square * value, 2.0 * (slope / self.length_scale / self.length_scale) * value]
    }
}

impl CovarianceFunction for Periodic {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        let mut value = [0.0];
        for (x, y) in x.iter().zip(y) {
            self.add_squares(&mut [x - y], &mut value);
        }
        value[0] *= -2.0;
        exp(&mut value);
        value[0]
    }

    fn gradient(&self, x: &[f64], y: &[f64], gradient: &mut [f64]) {
        let (mut square, mut slope) = ([0.0], [0.0]);
        for (x, y) in x.iter().zip(y) {
            self.add_slopes(&[x - y], &mut slope);
            self.add_squares(&mut [x - y], &mut square);
        }
        gradient.copy_from_slice(&self.derivatives(self.value(x, y), square[0], slope[0]));
    }

    fn input_slope(&self, x: &[f64], y: &[f64]) -> Option<Vec<f64>> {
        let mut sines: Vec<f64> = x.iter().zip(y).map(|(x, y)| 2.0 * ((x - y) / self.period)).collect();
        sin_pi(&mut sines);
        let factor = -2.0 * PI / self.period / self.length_scale / self.length_scale * self.value(x, y);
        Some(sines.into_iter().map(|sine| factor * sine).collect())
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        vec![
            KernelParameter::positive("periodic.length_scale", self.length_scale),
            KernelParameter::positive("periodic.period", self.period),
        ]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        Kernel::periodic(values[0], values[1])
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "periodic({}, {})", self.length_scale, self.period)
    }

    fn process(&self, options: &ProcessOptions) -> Option<Process> {
        let terms = Process::periodic_terms(self.length_scale, options.periodic_error).ok()?;
        Process::periodic(self.length_scale, self.period, terms).ok()
    }

    fn fill(&self, tile: &Tile<'_>, values: &mut [f64]) {
        for (value, square) in values.iter_mut().zip(self.squares(tile, None)) {
            *value = -2.0 * square;
        }
        exp(values);
    }

    fn pull_back(&self, tile: &Tile<'_>, weights: &[f64], gradient: &mut [f64]) {
        self.fill_and_pull_back(tile, weights, &mut vec![0.0; tile.len()], gradient);
    }

    fn fill_and_pull_back(&self, tile: &Tile<'_>, weights: &[f64], values: &mut [f64], gradient: &mut [f64]) {
        let mut slopes = vec![0.0; tile.len()];
        let squares = self.squares(tile, Some(&mut slopes));
        for (value, square) in values.iter_mut().zip(&squares) {
            *value = -2.0 * square;
        }
        exp(values);
        for (((value, square), slope), weight) in values.iter().zip(squares).zip(slopes).zip(weights) {
            let [length_scale, period] = self.derivatives(*value, square, slope);
            gradient[0] += weight * length_scale;
            gradient[1] += weight * period;
        }
    }

    fn diagonal(&self, _points: &InputTile<'_>, values: &mut [f64]) {
        values.fill(1.0);
    }

    fn pull_back_diagonal(&self, _points: &InputTile<'_>, _weights: &[f64], _gradient: &mut [f64]) {}
}
