//! Models whose matrices are functions of parameters.

use super::{Derivative, Parameter};
use crate::{Error, StateSpace};

/// A model whose matrices are functions of some parameters, which are given on the free scale.
///
/// # Distributions
/// - `at` gives a model, or an error, for every vector of as many finite numbers as there are parameters; all
///   models have the same sizes, and store as many matrices.
/// - `derivative` is that of `at`. The directions in which the start is diffuse are the same for all
///   parameters.
///
/// # For a model of your own
/// The derivatives are optional: by default they are differences of what `at` gives, good to about 12 digits
/// of the larger entries, for four models a parameter. A model in closures is a
/// [`ModelFamily`](super::ModelFamily).
///
/// ```
/// use posterior_kalman::learning::{Derivative, EquationDerivative, Parameter, ParametricModel, ParameterScale, score};
/// use posterior_kalman::{Error, Initial, Matrices, ObservationEquation, Series, StateSpace, TransitionEquation};
/// use posterior_math::linalg::DMatrix;
///
/// /// A level that wanders with an unknown variance, seen through noise of variance 1.
/// struct Wandering;
///
/// fn scalar(value: f64) -> DMatrix<f64> {
///     DMatrix::from_element(1, 1, value)
/// }
///
/// impl ParametricModel for Wandering {
///     fn parameters(&self) -> Vec<Parameter> {
///         vec![Parameter::new("level variance", ParameterScale::Positive, 0.1).unwrap()]
///     }
///
///     fn at(&self, free: &[f64]) -> Result<StateSpace, Error> {
///         StateSpace::new(
///             TransitionEquation::constant(&scalar(1.0), &scalar(free[0].exp()))?,
///             ObservationEquation::constant(&scalar(1.0), &scalar(1.0))?,
///             Initial::diffuse(1)?,
///         )
///     }
///
///     fn derivative(&self, free: &[f64], _: usize) -> Result<Derivative, Error> {
///         let noise = Matrices::constant(&scalar(free[0].exp()));
///         let transition = EquationDerivative { noise: Some(noise), ..EquationDerivative::default() };
///         Ok(Derivative { transition, ..Derivative::default() })
///     }
/// }
///
/// let series = Series::univariate(&[0.3, 1.2, 0.7, 1.9])?;
/// let score = score(&Wandering.at(&[-1.0])?, &series)?;
/// let slope = score.along(&Wandering.derivative(&[-1.0], 0)?)?;
/// assert!((slope - -0.194286135842454).abs() < 1e-11);
/// # Ok::<(), Error>(())
/// ```
pub trait ParametricModel {
    /// The parameters, in the order of the free vector.
    fn parameters(&self) -> Vec<Parameter>;

    /// The model at these free values.
    ///
    /// # Errors
    /// If there is no model there, as where a variance overflows.
    ///
    /// # Panics
    /// May panic if there is not one value for each parameter.
    fn at(&self, free: &[f64]) -> Result<StateSpace, Error>;

    /// The derivatives of all numbers of the model in the free value of one parameter.
    ///
    /// # Errors
    /// As [`at`](Self::at).
    ///
    /// # Panics
    /// May panic if there is no such parameter.
    fn derivative(&self, free: &[f64], parameter: usize) -> Result<Derivative, Error> {
        Derivative::by_differences(|free| self.at(free), free, parameter)
    }
}

impl<M: ParametricModel + ?Sized> ParametricModel for &M {
    fn parameters(&self) -> Vec<Parameter> {
        (**self).parameters()
    }

    fn at(&self, free: &[f64]) -> Result<StateSpace, Error> {
        (**self).at(free)
    }

    fn derivative(&self, free: &[f64], parameter: usize) -> Result<Derivative, Error> {
        (**self).derivative(free, parameter)
    }
}

impl<M: ParametricModel + ?Sized> ParametricModel for Box<M> {
    fn parameters(&self) -> Vec<Parameter> {
        (**self).parameters()
    }

    fn at(&self, free: &[f64]) -> Result<StateSpace, Error> {
        (**self).at(free)
    }

    fn derivative(&self, free: &[f64], parameter: usize) -> Result<Derivative, Error> {
        (**self).derivative(free, parameter)
    }
}
