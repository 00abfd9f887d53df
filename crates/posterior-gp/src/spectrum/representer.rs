//! Functions of a reproducing-kernel space.

use posterior_math::check;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};

use crate::observed::{check_positive, check_rows};
use crate::regression::check_outputs;
use crate::{Error, Kernel};

/// The function f = Σ aᵢ k(xᵢ, ·).
///
/// ```
/// use posterior_gp::{Kernel, spectrum::Representer};
/// use posterior_math::linalg::{DMatrix, DVector};
///
/// let at = |x: f64| DMatrix::from_element(1, 1, x);
/// let kernel = Kernel::rbf(1.0)?;
/// let f = Representer::new(&kernel, &at(0.5), &DVector::from_element(1, 2.0))?;
/// // Reproducing: the inner product with k(x, ·) is the value at x.
/// let evaluation = Representer::new(&kernel, &at(1.5), &DVector::from_element(1, 1.0))?;
/// assert_eq!(f.inner_product(&evaluation), f.values(&at(1.5))[0]);
/// # Ok::<(), posterior_gp::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Representer {
    kernel: Kernel,
    centres: DMatrix<f64>,
    weights: DVector<f64>,
}

impl Representer {
    /// The function with these centres (rows) and weights.
    ///
    /// # Errors
    /// If there is not one weight for each centre, a weight is not finite, or the kernel can't take a centre.
    pub fn new(kernel: &Kernel, centres: &DMatrix<f64>, weights: &DVector<f64>) -> Result<Self, Error> {
        check::dimension("weights", centres.nrows(), weights.len())?;
        check_rows("weight", &DMatrix::from_column_slice(weights.len(), 1, weights.as_slice()))?;
        kernel.check(centres)?;
        Ok(Self { kernel: kernel.clone(), centres: centres.clone(), weights: weights.clone() })
    }

    /// The function of least norm through these values: a = K⁻¹ f.
    ///
    /// Of values drawn from the process itself, E |f|² = n: the more places, the longer; a sample path is not
    /// in the space.
    ///
    /// # Errors
    /// If there is not one value for each input, a value is not finite, or the kernel is singular on the
    /// inputs.
    pub fn interpolate(kernel: &Kernel, inputs: &DMatrix<f64>, values: &DVector<f64>) -> Result<Self, Error> {
        check::dimension("values", inputs.nrows(), values.len())?;
        check_rows("value", &DMatrix::from_column_slice(values.len(), 1, values.as_slice()))?;
        kernel.check(inputs)?;
        let weights = Cholesky::decompose(kernel.gram(inputs))?.solve_vector(values);
        Self::new(kernel, inputs, &weights)
    }

    /// The weights a of the kernel's functions.
    pub const fn weights(&self) -> &DVector<f64> {
        &self.weights
    }

    /// f at each row of `inputs`.
    ///
    /// # Panics
    /// If inputs have another number of coordinates than the centres.
    #[track_caller]
    pub fn values(&self, inputs: &DMatrix<f64>) -> DVector<f64> {
        self.kernel.cross(inputs, &self.centres) * &self.weights
    }

    /// ⟨f, g⟩ = aᵀ K b, in the space of this function's kernel; g is taken to be of the same space.
    pub fn inner_product(&self, other: &Self) -> f64 {
        self.weights.dot(&(self.kernel.cross(&self.centres, &other.centres) * &other.weights))
    }

    /// The squared norm |f|² in the kernel's space.
    pub fn norm_squared(&self) -> f64 {
        self.weights.dot(&(self.kernel.gram(&self.centres) * &self.weights)).max(0.0)
    }
}

/// The function of the space that minimises Σ (yᵢ - f(xᵢ))²/(2 σᵢ²) + |f|²/2: the posterior mean, and the
/// mode.
///
/// # Errors
/// If sizes do not agree, a number is not finite, or a noise variance is not positive.
pub fn kernel_ridge(
    kernel: &Kernel,
    inputs: &DMatrix<f64>,
    outputs: &DVector<f64>,
    noise: &DVector<f64>,
) -> Result<Representer, Error> {
    check::dimension("noise variances", inputs.nrows(), noise.len())?;
    kernel.check(inputs)?;
    check_outputs(inputs, outputs.as_slice())?;
    check_positive(noise)?;
    Representer::new(kernel, inputs, &noisy_factor(kernel, inputs, noise)?.solve_vector(outputs))
}

/// The largest squared error of the best linear prediction at `place` (one row), over all functions of norm
/// at most one seen through noise that adds its variances to the kernel: k(x, x) - k (K + Σ)⁻¹ k, the
/// posterior variance.
///
/// # Errors
/// If sizes do not agree, or the kernel and the noise are singular together.
pub fn worst_case_squared_error(
    kernel: &Kernel,
    inputs: &DMatrix<f64>,
    noise: &DVector<f64>,
    place: &DMatrix<f64>,
) -> Result<f64, Error> {
    check::dimension("noise variances", inputs.nrows(), noise.len())?;
    check::dimension("places", 1, place.nrows())?;
    check::dimension("coordinates of the place", inputs.ncols(), place.ncols())?;
    kernel.check(inputs)?;
    kernel.check(place)?;
    let cross = kernel.cross(inputs, place).column(0).into_owned();
    let explained = noisy_factor(kernel, inputs, noise)?.quadratic_form(&cross);
    Ok((kernel.diagonal(place)[0] - explained).max(0.0))
}

fn noisy_factor(kernel: &Kernel, inputs: &DMatrix<f64>, noise: &DVector<f64>) -> Result<Cholesky, Error> {
    let mut gram = kernel.gram(inputs);
    for (i, variance) in noise.iter().enumerate() {
        gram[(i, i)] += variance;
    }
    Ok(Cholesky::decompose(gram)?)
}
