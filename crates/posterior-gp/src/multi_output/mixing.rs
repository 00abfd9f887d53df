//! Covariances between outputs: B = A Aᵀ + diag(κ), a kernel on the numbers of outputs.

use std::fmt;

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;

use crate::Error;
use crate::kernel::{CovarianceFunction, Kernel, KernelParameter, Tile};

/// How outputs are mixed of independent functions: B = A Aᵀ + diag(κ).
///
/// A fit may move A and κ. It starts where they are: if all of A is 0, its gradient is 0 too.
#[derive(Debug, Clone, PartialEq)]
pub struct Mixing {
    /// A: one row an output, one column a shared function.
    loadings: DMatrix<f64>,
    /// κ, or nothing if outputs have no functions of their own.
    own: Vec<f64>,
    /// B.
    covariance: DMatrix<f64>,
}

impl Mixing {
    /// A with a row for each output and a column for each shared function, and the variances κ of the
    /// function that each output has for itself; none for none.
    ///
    /// # Errors
    /// If a loading is not finite, a variance not positive and finite, or there is not one for each output.
    pub fn new(loadings: &DMatrix<f64>, own: &[f64]) -> Result<Self, ParamError> {
        for (index, &loading) in loadings.iter().enumerate() {
            check::finite("Mixing", "loadings", loading).map_err(|error| error.at(index))?;
        }
        for (index, &variance) in own.iter().enumerate() {
            check::positive("Mixing", "own variances", variance).map_err(|error| error.at(index))?;
        }
        let outputs = loadings.nrows();
        let fits = own.is_empty() || own.len() == outputs;
        check::require(
            fits,
            "Mixing",
            "number of own variances",
            own.len() as f64,
            "the number of outputs, or 0",
        )?;
        let mut covariance = loadings * loadings.transpose();
        for (p, variance) in own.iter().enumerate() {
            covariance[(p, p)] += variance;
        }
        Ok(Self { loadings: loadings.clone(), own: own.to_vec(), covariance })
    }

    /// The number of outputs.
    pub fn outputs(&self) -> usize {
        self.loadings.nrows()
    }

    /// The covariance B between the outputs.
    pub const fn covariance(&self) -> &DMatrix<f64> {
        &self.covariance
    }

    /// Bₚ_q as a kernel of one coordinate, the number of an output.
    pub fn kernel(&self) -> Kernel {
        Kernel::new(self.clone())
    }

    /// The output of this number; none if it is not one.
    fn output(&self, coordinate: f64) -> Option<usize> {
        let valid = coordinate >= 0.0 && coordinate < self.outputs() as f64 && coordinate.fract() == 0.0;
        valid.then_some(coordinate as usize)
    }

    /// Bₚ_q; NaN if one is no output, which [`Kernel::check`] finds before.
    fn between(&self, p: f64, q: f64) -> f64 {
        match (self.output(p), self.output(q)) {
            (Some(p), Some(q)) => self.covariance[(p, q)],
            _ => f64::NAN,
        }
    }

    /// The derivatives of Σ Sₚ_q Bₚ_q: (S + Sᵀ) A, and the diagonal of S.
    fn add_slopes(&self, sums: &DMatrix<f64>, gradient: &mut [f64]) {
        let slopes = (sums + sums.transpose()) * &self.loadings;
        let (loadings, own) = gradient.split_at_mut(self.loadings.len());
        for (gradient, slope) in loadings.iter_mut().zip(&slopes) {
            *gradient += slope;
        }
        for (p, (gradient, variance)) in own.iter_mut().zip(&self.own).enumerate() {
            *gradient += variance * sums[(p, p)];
        }
    }
}

impl CovarianceFunction for Mixing {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        self.between(x[0], y[0])
    }

    fn gradient(&self, x: &[f64], y: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        if let (Some(p), Some(q)) = (self.output(x[0]), self.output(y[0])) {
            let mut sums = DMatrix::zeros(self.outputs(), self.outputs());
            sums[(p, q)] = 1.0;
            self.add_slopes(&sums, gradient);
        }
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        let outputs = self.outputs();
        let loadings = self.loadings.iter().enumerate().map(|(i, &loading)| {
            KernelParameter::real(format!("mixing.loading[{}, {}]", i % outputs, i / outputs), loading)
        });
        let own = self.own.iter().enumerate();
        loadings.chain(own.map(|(p, &v)| KernelParameter::positive(format!("mixing.own[{p}]"), v))).collect()
    }

    fn number_of_parameters(&self) -> usize {
        self.loadings.len() + self.own.len()
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        let (loadings, own) = values.split_at(self.loadings.len());
        let loadings = DMatrix::from_column_slice(self.outputs(), self.loadings.ncols(), loadings);
        Ok(Self::new(&loadings, own)?.kernel())
    }

    fn dimension(&self) -> Option<usize> {
        Some(1)
    }

    fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        match inputs.iter().position(|&coordinate| self.output(coordinate).is_none()) {
            Some(row) => {
                Err(Error::Domain { row, value: inputs[row], requirement: "the number of an output, from 0" })
            }
            None => Ok(()),
        }
    }

    fn fill(&self, tile: &Tile<'_>, values: &mut [f64]) {
        let rows = tile.rows.coordinate(0);
        for (&q, column) in tile.columns.coordinate(0).iter().zip(values.chunks_exact_mut(rows.len().max(1)))
        {
            for (value, &p) in column.iter_mut().zip(rows) {
                *value = self.between(p, q);
            }
        }
    }

    fn pull_back(&self, tile: &Tile<'_>, weights: &[f64], gradient: &mut [f64]) {
        let rows = tile.rows.coordinate(0);
        let mut sums = DMatrix::zeros(self.outputs(), self.outputs());
        for (&q, column) in tile.columns.coordinate(0).iter().zip(weights.chunks_exact(rows.len().max(1))) {
            for (weight, &p) in column.iter().zip(rows) {
                if let (Some(p), Some(q)) = (self.output(p), self.output(q)) {
                    sums[(p, q)] += weight;
                }
            }
        }
        self.add_slopes(&sums, gradient);
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<Vec<f64>> = self.loadings.row_iter().map(|row| row.iter().copied().collect()).collect();
        write!(f, "mixing({rows:?}, {:?})", self.own)
    }
}
