//! Features with parameters: hidden units.

use posterior_math::check::{self, ParamError};
use posterior_math::elementwise;
use posterior_math::linalg::{DMatrix, multiply_transpose, transpose_multiply};
use posterior_math::log_space::logistic;

/// Functions φ(x; θ) with derivatives by θ.
///
/// The distribution to test: `pull_back` adds the gradient of Σ aᵢⱼ Φᵢⱼ.
pub trait ParametricFeatures {
    /// The number of parameters θ for inputs of this dimension.
    fn parameters(&self, inputs: usize) -> usize;

    /// The number of features.
    fn features(&self) -> usize;

    /// Φ: the features of each row of the inputs.
    fn design(&self, inputs: &DMatrix<f64>, theta: &[f64]) -> DMatrix<f64>;

    /// Adds Σ aᵢⱼ ∂Φᵢⱼ/∂θ to the gradient, where Φ is the design at θ.
    fn pull_back(
        &self,
        inputs: &DMatrix<f64>,
        theta: &[f64],
        design: &DMatrix<f64>,
        adjoint: &DMatrix<f64>,
        gradient: &mut [f64],
    );
}

/// What a hidden unit does with t = b + aᵀ x.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum UnitActivation {
    /// tanh t
    Tanh,
    /// 1/(1 + exp(-t))
    Sigmoid,
    /// max(0, t): its derivative at 0 counts as 0.
    Rectifier,
    /// exp(-t²/2): a ridge, and in one dimension a bell.
    Bell,
    /// sin t
    Sine,
}

/// An intercept and H units s(bₕ + aₕᵀ x): one hidden layer.
///
/// θ holds b₁, a₁, b₂, a₂, …
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::learned_features::{UnitActivation, HiddenUnits, ParametricFeatures};
///
/// let units = HiddenUnits::new(2, UnitActivation::Rectifier)?;
/// let inputs = DMatrix::from_column_slice(2, 1, &[-1.0, 3.0]);
/// let design = units.design(&inputs, &[0.0, 1.0, 1.0, -1.0]);
/// assert_eq!(design, DMatrix::from_row_slice(2, 3, &[1.0, 0.0, 2.0, 1.0, 3.0, 0.0]));
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Unchecked"))]
pub struct HiddenUnits {
    units: usize,
    activation: UnitActivation,
}

impl HiddenUnits {
    /// H units of this kind.
    ///
    /// # Errors
    /// If there is no unit, or there are more than 10 000.
    pub fn new(units: usize, activation: UnitActivation) -> Result<Self, ParamError> {
        let few = (1..=10_000).contains(&units);
        check::require(few, "HiddenUnits", "units", units as f64, "from 1 to 10000")?;
        Ok(Self { units, activation })
    }

    /// T = b + X Aᵀ: n × H.
    fn potentials(&self, inputs: &DMatrix<f64>, theta: &[f64]) -> DMatrix<f64> {
        let stride = inputs.ncols() + 1;
        let slopes = DMatrix::from_fn(self.units, inputs.ncols(), |h, k| theta[h * stride + 1 + k]);
        let mut potentials = multiply_transpose(inputs, &slopes);
        for (h, mut column) in potentials.column_iter_mut().enumerate() {
            column.add_scalar_mut(theta[h * stride]);
        }
        potentials
    }
}

impl ParametricFeatures for HiddenUnits {
    fn parameters(&self, inputs: usize) -> usize {
        self.units * (inputs + 1)
    }

    fn features(&self) -> usize {
        self.units + 1
    }

    fn design(&self, inputs: &DMatrix<f64>, theta: &[f64]) -> DMatrix<f64> {
        let mut potentials = self.potentials(inputs, theta);
        let values = potentials.as_mut_slice();
        match self.activation {
            UnitActivation::Tanh => values.iter_mut().for_each(|t| *t = t.tanh()),
            UnitActivation::Sigmoid => values.iter_mut().for_each(|t| *t = logistic(*t)),
            UnitActivation::Rectifier => values.iter_mut().for_each(|t| *t = if *t < 0.0 { 0.0 } else { *t }),
            UnitActivation::Sine => values.iter_mut().for_each(|t| *t = t.sin()),
            UnitActivation::Bell => {
                for t in values.iter_mut() {
                    *t = -0.5 * (*t * *t);
                }
                elementwise::exp(values);
            }
        }
        potentials.insert_column(0, 1.0)
    }

    fn pull_back(
        &self,
        inputs: &DMatrix<f64>,
        theta: &[f64],
        design: &DMatrix<f64>,
        adjoint: &DMatrix<f64>,
        gradient: &mut [f64],
    ) {
        let rows = inputs.nrows();
        let mut slopes = adjoint.columns(1, self.units).into_owned();
        let values = &design.as_slice()[rows..];
        let each = slopes.as_mut_slice().iter_mut().zip(values);
        match self.activation {
            UnitActivation::Tanh => each.for_each(|(slope, f)| *slope *= 1.0 - f * f),
            UnitActivation::Sigmoid => each.for_each(|(slope, f)| *slope *= f * (1.0 - f)),
            UnitActivation::Rectifier => {
                each.for_each(|(slope, f)| *slope *= if *f > 0.0 { 1.0 } else { 0.0 });
            }
            UnitActivation::Sine | UnitActivation::Bell => {
                let potentials = self.potentials(inputs, theta);
                let bell = self.activation == UnitActivation::Bell;
                for ((slope, f), t) in each.zip(potentials.as_slice()) {
                    *slope *= if bell { -t * f } else { t.cos() };
                }
            }
        }
        let stride = inputs.ncols() + 1;
        let products = transpose_multiply(inputs, &slopes);
        for h in 0..self.units {
            gradient[h * stride] += slopes.column(h).sum();
            for k in 0..inputs.ncols() {
                gradient[h * stride + 1 + k] += products[(k, h)];
            }
        }
    }
}

/// Units as somebody wrote them.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    units: usize,
    activation: UnitActivation,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for HiddenUnits {
    type Error = ParamError;

    fn try_from(Unchecked { units, activation }: Unchecked) -> Result<Self, ParamError> {
        Self::new(units, activation)
    }
}
