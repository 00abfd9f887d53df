//! Regression on a smooth function of two coordinates with noise, which Gaussian processes are timed on.

use std::path::Path;

use nalgebra::DMatrix;
use posterior::gp::{GaussianProcess, Kernel, Noise};
use rand::SeedableRng;
use rand_distr::{Distribution, StandardNormal, StandardUniform};
use rand_pcg::Pcg64;

use crate::comparison::Outcome;
use crate::peers::read_matrix;

/// Places with values, and places without.
#[derive(Debug, Clone)]
pub struct Workload {
    /// Inputs with a value, one per row: n x 2.
    pub inputs: DMatrix<f64>,
    /// Values at the inputs, n of them.
    pub outputs: Vec<f64>,
    /// Inputs of the predictions, one per row: 1000 x 2.
    pub places: DMatrix<f64>,
}

impl Workload {
    /// What the peers' program left in `folder`.
    ///
    /// # Errors
    /// If a file can't be read or has something else in it.
    pub fn read(folder: &Path, n: usize) -> Outcome<Self> {
        let data = read_matrix(&folder.join(format!("gp_{n}.csv")))?;
        let places = read_matrix(&folder.join("gp_test.csv"))?;
        Ok(Self {
            inputs: data.columns(0, 2).into_owned(),
            outputs: data.column(2).iter().copied().collect(),
            places,
        })
    }

    /// As many observations of the same function, from a generator of our own.
    pub fn generate(n: usize) -> Self {
        let mut rng = Pcg64::seed_from_u64(1000 + n as u64);
        let mut uniform = |rows| {
            DMatrix::from_fn(rows, 2, |_, _| {
                let u: f64 = StandardUniform.sample(&mut rng);
                5.0 * u
            })
        };
        let (inputs, places) = (uniform(n), uniform(1000));
        let outputs = inputs.row_iter().map(|x| {
            let noise: f64 = StandardNormal.sample(&mut rng);
            x[0].sin() * (1.3 * x[1]).cos() + 0.3 * x[0] + 0.1 * noise
        });
        Self { outputs: outputs.collect(), inputs, places }
    }
}

/// The process and the noise that all programs evaluate: variance 1.5, length scales 0.9 and 1.1, noise 0.02.
///
/// # Errors
/// Never.
pub fn process() -> Outcome<(GaussianProcess, Noise)> {
    let kernel = 1.5 * Kernel::rbf_ard(&[0.9, 1.1])?;
    Ok((GaussianProcess::new(kernel), Noise::variance(0.02)?))
}

/// Where fits begin: all parameters 1, and noise 0.1.
///
/// # Errors
/// Never.
pub fn start() -> Outcome<(GaussianProcess, Noise)> {
    let kernel = 1.0 * Kernel::rbf_ard(&[1.0, 1.0])?;
    Ok((GaussianProcess::new(kernel), Noise::variance(0.1)?))
}
