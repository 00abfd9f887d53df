//! The texts of distributions whose parameters are matrices.

use posterior_math::ParamError;
use posterior_math::linalg::DMatrix;

use crate::gaussian::Gaussian;
use crate::grammar::Arguments;
use crate::grammar::TextError;
use crate::grammar::Written;
use crate::grammar::{Form, Value};
use crate::multivariate::{
    InverseWishart, MatrixNormal, MultivariateT, NormalInverseWishart, NormalWishart, Wishart,
};

/// A matrix as the list of its rows.
fn rows(matrix: &DMatrix<f64>) -> Value {
    let row = |i| {
        let numbers: Vec<f64> = matrix.row(i).iter().copied().collect();
        Value::from(numbers.as_slice())
    };
    Form::List((0..matrix.nrows()).map(row).collect()).into()
}

impl Written for Gaussian {
    const NAME: &'static str = "multivariate_normal";
    const PARAMETERS: &'static [&'static str] = &["mean", "covariance"];

    fn values(&self) -> Vec<Value> {
        vec![self.mean().as_slice().into(), rows(self.covariance())]
    }

    fn from_arguments(arguments: &Arguments<'_>) -> Result<Self, TextError> {
        arguments.checked(Self::new(&arguments.numbers(0)?, &arguments.matrix(1)?))
    }
}

impl Written for MultivariateT {
    const NAME: &'static str = "multivariate_t";
    const PARAMETERS: &'static [&'static str] = &["degrees_of_freedom", "location", "scale"];

    fn values(&self) -> Vec<Value> {
        vec![self.degrees_of_freedom().into(), self.location().into(), rows(self.scale())]
    }

    fn from_arguments(arguments: &Arguments<'_>) -> Result<Self, TextError> {
        let (location, scale) = (arguments.numbers(1)?, arguments.matrix(2)?);
        arguments.checked(Self::new(arguments.number(0)?, &location, &scale))
    }
}

impl Written for MatrixNormal {
    const NAME: &'static str = "matrix_normal";
    const PARAMETERS: &'static [&'static str] = &["mean", "row_covariance", "column_covariance"];

    fn values(&self) -> Vec<Value> {
        vec![rows(self.mean()), rows(self.row_covariance()), rows(self.column_covariance())]
    }

    fn from_arguments(arguments: &Arguments<'_>) -> Result<Self, TextError> {
        let (row, column) = (arguments.matrix(1)?, arguments.matrix(2)?);
        arguments.checked(Self::new(&arguments.matrix(0)?, &row, &column))
    }
}

/// The two distributions of a matrix with degrees of freedom and a scale.
fn degrees_of_freedom_and_scale<L>(
    arguments: &Arguments<'_>,
    new: impl Fn(f64, &DMatrix<f64>) -> Result<L, ParamError>,
) -> Result<L, TextError> {
    arguments.checked(new(arguments.number(0)?, &arguments.matrix(1)?))
}

impl Written for Wishart {
    const NAME: &'static str = "wishart";
    const PARAMETERS: &'static [&'static str] = &["degrees_of_freedom", "scale"];

    fn values(&self) -> Vec<Value> {
        vec![self.degrees_of_freedom().into(), rows(self.scale())]
    }

    fn from_arguments(arguments: &Arguments<'_>) -> Result<Self, TextError> {
        degrees_of_freedom_and_scale(arguments, Self::new)
    }
}

impl Written for InverseWishart {
    const NAME: &'static str = "inverse_wishart";
    const PARAMETERS: &'static [&'static str] = &["degrees_of_freedom", "scale"];

    fn values(&self) -> Vec<Value> {
        vec![self.degrees_of_freedom().into(), rows(self.scale())]
    }

    fn from_arguments(arguments: &Arguments<'_>) -> Result<Self, TextError> {
        degrees_of_freedom_and_scale(arguments, Self::new)
    }
}

impl Written for NormalInverseWishart {
    const NAME: &'static str = "normal_inverse_wishart";
    const PARAMETERS: &'static [&'static str] = &["location", "kappa", "scale", "degrees_of_freedom"];

    fn values(&self) -> Vec<Value> {
        vec![
            self.location().as_slice().into(),
            self.kappa().into(),
            rows(self.scale()),
            self.degrees_of_freedom().into(),
        ]
    }

    fn from_arguments(arguments: &Arguments<'_>) -> Result<Self, TextError> {
        let (location, kappa) = (arguments.numbers(0)?, arguments.number(1)?);
        arguments.checked(Self::new(&location, kappa, &arguments.matrix(2)?, arguments.number(3)?))
    }
}

impl Written for NormalWishart {
    const NAME: &'static str = "normal_wishart";
    const PARAMETERS: &'static [&'static str] = &["location", "kappa", "scale", "degrees_of_freedom"];

    fn values(&self) -> Vec<Value> {
        vec![
            self.location().as_slice().into(),
            self.kappa().into(),
            rows(self.scale()),
            self.degrees_of_freedom().into(),
        ]
    }

    fn from_arguments(arguments: &Arguments<'_>) -> Result<Self, TextError> {
        let (location, kappa) = (arguments.numbers(0)?, arguments.number(1)?);
        arguments.checked(Self::new(&location, kappa, &arguments.matrix(2)?, arguments.number(3)?))
    }
}
