//! Several outputs that depend on each other: linear coregionalisation.
//!
//! Output p is f_p(x) = Σᵣ aₚᵣ gᵣ(x) + hₚ(x) with independent functions g, h of the same kernel k: their
//! covariances are Bₚ_q k(x, x') with B = A Aᵀ + diag(κ). That is a kernel over pairs of an input and the
//! number of an output ([`coregionalized`]), so that everything that one can do with one output one can do
//! with several: missing outputs are pairs that are not there.
//!
//! ```
//! use posterior_gp::multi_output::{Mixing, at_output, coregionalized, stack};
//! use posterior_gp::{GaussianProcess, Kernel, Noise};
//! use posterior_math::linalg::DMatrix;
//!
//! // The second output follows the first with half of its size, and was not measured at the last place.
//! let x = DMatrix::from_column_slice(3, 1, &[0.0, 1.0, 2.0]);
//! let y = DMatrix::from_row_slice(3, 2, &[0.0, 0.1, 2.0, 0.9, 3.0, f64::NAN]);
//! let data = stack(&x, &y)?;
//! assert_eq!(data.outputs.len(), 5);
//!
//! let mixing = Mixing::new(&DMatrix::from_column_slice(2, 1, &[2.0, 1.0]), &[0.01, 0.01])?;
//! let prior = GaussianProcess::new(coregionalized(&[(Kernel::rbf(1.0)?, mixing)], 1)?);
//! let posterior = prior.condition(&data.inputs, &data.outputs, &Noise::variance(0.01)?)?;
//! let missing = posterior.latent(&at_output(&DMatrix::from_element(1, 1, 2.0), 1))?;
//! assert!((missing.mean[0] - 1.5).abs() < 0.1);
//! # Ok::<(), posterior_gp::Error>(())
//! ```
//!
//! The cost is that of one process with as many observations as there are numbers.
//!
//! # References
//! M. A. Álvarez, L. Rosasco, N. D. Lawrence, Kernels for vector-valued functions, Foundations and Trends in
//! Machine Learning 4 (2012), section 4.

mod mixing;
mod stacked;

pub use mixing::Mixing;
pub use stacked::{StackedOutputs, at_output, stack};

use crate::kernel::Kernel;
use posterior_math::check::ParamError;

/// Σ B k(x, x') over some kernels k of inputs with `dimension` coordinates, each with the covariances B of
/// the outputs: one kernel gives the intrinsic model of coregionalisation, several the linear one.
///
/// Its inputs have one coordinate more: the number of the output, from 0.
///
/// # Errors
/// If there is no kernel, or the mixings are of different numbers of outputs.
pub fn coregionalized(parts: &[(Kernel, Mixing)], dimension: usize) -> Result<Kernel, ParamError> {
    let coordinates: Vec<usize> = (0..dimension).collect();
    let mut sum: Option<Kernel> = None;
    for (kernel, mixing) in parts {
        let requirement = "the same for all parts";
        let outputs = mixing.outputs();
        if outputs != parts[0].1.outputs() {
            return Err(ParamError::new("coregionalized", "number of outputs", outputs as f64, requirement));
        }
        let part = kernel.clone().on(&coordinates)? * mixing.kernel().on(&[dimension])?;
        sum = Some(match sum {
            None => part,
            Some(sum) => sum + part,
        });
    }
    sum.ok_or_else(|| ParamError::new("coregionalized", "number of kernels", 0.0, "at least 1"))
}
