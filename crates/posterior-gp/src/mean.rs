//! Mean functions: what one expects before any data, where that is not zero.

use std::fmt;
use std::sync::Arc;

use posterior_math::check::{self, DimensionError, ParamError};
use posterior_math::linalg::{DMatrix, DVector};

use crate::Error;
use crate::kernel::KernelParameter;

/// The prior mean m(x) = Σ wⱼ φⱼ(x): zero, constant, linear, of features of your own, or any function.
///
/// The weights w are parameters that a fit moves, unless they are [`fixed`](Self::fixed). To be unsure about
/// them beforehand instead, put a linear kernel into the covariance: their posterior then comes with the
/// rest.
///
/// ```
/// use posterior_gp::Mean;
///
/// let line = Mean::linear(1.0, &[2.0])?; // 1 + 2 x
/// assert_eq!(line.value(&[3.0]), 7.0);
/// let known = Mean::function("decay", |x| (-x[0]).exp());
/// assert!(known.parameters().is_empty());
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Clone)]
pub struct Mean {
    shape: Shape,
    weights: Vec<f64>,
    fixed: Fixed,
}

/// Features of an input.
type Features = Arc<dyn Fn(&[f64]) -> Vec<f64> + Send + Sync>;

/// Any function of an input.
type Function = Arc<dyn Fn(&[f64]) -> f64 + Send + Sync>;

/// What the weights multiply.
#[derive(Clone)]
enum Shape {
    /// Nothing.
    Zero,
    /// 1.
    Constant,
    /// 1 and the coordinates.
    Linear,
    /// Features with a name.
    Basis(String, Features),
    /// No weights: a function with a name.
    Function(String, Function),
}

/// Whether a fit leaves the weights alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fixed {
    Yes,
    No,
}

impl Mean {
    /// m(x) = 0.
    pub const fn zero() -> Self {
        Self { shape: Shape::Zero, weights: Vec::new(), fixed: Fixed::No }
    }

    /// m(x) = c.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn constant(value: f64) -> Result<Self, ParamError> {
        Self::new(Shape::Constant, vec![value])
    }

    /// m(x) = a + bᵀ x.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn linear(intercept: f64, slopes: &[f64]) -> Result<Self, ParamError> {
        Self::new(Shape::Linear, std::iter::once(intercept).chain(slopes.iter().copied()).collect())
    }

    /// m(x) = Σ wⱼ φⱼ(x) with features of your own, under a name. Where `features` returns fewer numbers than
    /// there are weights, the missing ones count as 0; more are ignored.
    ///
    /// # Errors
    /// If a weight is not finite.
    pub fn basis(
        name: impl Into<String>,
        features: impl Fn(&[f64]) -> Vec<f64> + Send + Sync + 'static,
        weights: &[f64],
    ) -> Result<Self, ParamError> {
        Self::new(Shape::Basis(name.into(), Arc::new(features)), weights.to_vec())
    }

    /// Any function, under a name.
    pub fn function(
        name: impl Into<String>,
        function: impl Fn(&[f64]) -> f64 + Send + Sync + 'static,
    ) -> Self {
        let shape = Shape::Function(name.into(), Arc::new(function));
        Self { shape, weights: Vec::new(), fixed: Fixed::Yes }
    }

    fn new(shape: Shape, weights: Vec<f64>) -> Result<Self, ParamError> {
        for (index, &weight) in weights.iter().enumerate() {
            check::finite("Mean", "weights", weight).map_err(|error| error.at(index))?;
        }
        Ok(Self { shape, weights, fixed: Fixed::No })
    }

    /// The same function, whose weights a fit leaves alone.
    #[must_use]
    pub fn fixed(self) -> Self {
        Self { fixed: Fixed::Yes, ..self }
    }

    /// Whether it is zero everywhere, whatever its weights.
    pub(crate) const fn is_zero(&self) -> bool {
        matches!(self.shape, Shape::Zero)
    }

    /// The number of coordinates that an input must have; none if any.
    pub const fn dimension(&self) -> Option<usize> {
        match self.shape {
            Shape::Linear => Some(self.weights.len() - 1),
            _ => None,
        }
    }

    /// The mean m(x) at one input.
    pub fn value(&self, x: &[f64]) -> f64 {
        match &self.shape {
            Shape::Zero => 0.0,
            Shape::Constant => self.weights[0],
            Shape::Linear => {
                self.weights[0] + self.weights[1..].iter().zip(x).map(|(b, x)| b * x).sum::<f64>()
            }
            Shape::Basis(_, features) => self.weights.iter().zip(features(x)).map(|(w, phi)| w * phi).sum(),
            Shape::Function(_, function) => function(x),
        }
    }

    /// m of each row.
    pub fn values(&self, inputs: &DMatrix<f64>) -> DVector<f64> {
        match &self.shape {
            Shape::Zero => DVector::zeros(inputs.nrows()),
            Shape::Constant => DVector::from_element(inputs.nrows(), self.weights[0]),
            _ => DVector::from_iterator(inputs.nrows(), rows(inputs).map(|x| self.value(&x))),
        }
    }

    /// Whether the inputs have as many coordinates as the function, which is finite there.
    pub(crate) fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        match self.dimension() {
            Some(expected) if expected != inputs.ncols() => {
                let what = "coordinates of an input";
                return Err(DimensionError::new(what, expected, inputs.ncols()).into());
            }
            _ => {}
        }
        if self.is_zero() {
            return Ok(());
        }
        let values = self.values(inputs);
        match values.iter().position(|value| !value.is_finite()) {
            Some(row) => Err(Error::NotFinite { what: "mean function", row, value: values[row] }),
            None => Ok(()),
        }
    }

    /// Σᵢ cᵢ ∂m(xᵢ)/∂w for each weight that a fit may move.
    pub(crate) fn pull_back(&self, inputs: &DMatrix<f64>, coefficients: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.parameters().len()];
        if gradient.is_empty() {
            return gradient;
        }
        for (x, c) in rows(inputs).zip(coefficients) {
            let features = self.features(&x);
            for (slope, phi) in gradient.iter_mut().zip(features) {
                *slope += c * phi;
            }
        }
        gradient
    }

    fn features(&self, x: &[f64]) -> Vec<f64> {
        match &self.shape {
            Shape::Zero | Shape::Function(..) => Vec::new(),
            Shape::Constant => vec![1.0],
            Shape::Linear => std::iter::once(1.0).chain(x.iter().copied()).collect(),
            Shape::Basis(_, features) => features(x),
        }
    }

    /// What a fit may move: the weights, unless they are fixed.
    pub fn parameters(&self) -> Vec<KernelParameter> {
        let name = |j: usize| match &self.shape {
            Shape::Linear if j == 0 => "mean.intercept".to_owned(),
            Shape::Linear => format!("mean.slope[{}]", j - 1),
            Shape::Basis(name, _) => format!("mean.{name}[{j}]"),
            _ => "mean.constant".to_owned(),
        };
        match self.fixed {
            Fixed::Yes => Vec::new(),
            Fixed::No => {
                self.weights.iter().enumerate().map(|(j, &w)| KernelParameter::real(name(j), w)).collect()
            }
        }
    }

    /// The same function with other values of its parameters.
    ///
    /// # Errors
    /// If there is not one value for each parameter, or one is not finite.
    pub fn with_parameters(&self, values: &[f64]) -> Result<Self, ParamError> {
        let expected = self.parameters().len();
        if values.len() != expected {
            let requirement = "as many as the mean function has parameters";
            return Err(ParamError::new("Mean", "number of values", values.len() as f64, requirement));
        }
        match self.fixed {
            Fixed::Yes => Ok(self.clone()),
            Fixed::No => Self::new(self.shape.clone(), values.to_vec()),
        }
    }
}

/// The rows of a matrix.
fn rows(inputs: &DMatrix<f64>) -> impl Iterator<Item = Vec<f64>> {
    inputs.row_iter().map(|row| row.iter().copied().collect())
}

impl Default for Mean {
    fn default() -> Self {
        Self::zero()
    }
}

impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.shape {
            Shape::Zero => write!(f, "0"),
            Shape::Constant => write!(f, "{}", self.weights[0]),
            Shape::Linear => {
                write!(f, "{}", self.weights[0])?;
                self.weights[1..].iter().enumerate().try_for_each(|(j, b)| write!(f, " + {b} x[{j}]"))
            }
            Shape::Basis(name, _) => write!(f, "{:?} {name}(x)", self.weights),
            Shape::Function(name, _) => write!(f, "{name}(x)"),
        }
    }
}

impl fmt::Debug for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mean({self})")
    }
}

impl PartialEq for Mean {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string() && self.fixed == other.fixed
    }
}
