//! The text of distributions of vectors with a covariance matrix, and of matrices.

use crate::gaussian::Gaussian;
use crate::multivariate::{
    InverseWishart, MatrixNormal, MatrixT, MultivariateT, NormalInverseWishart, NormalWishart,
    VonMisesFisher, Wishart,
};
use posterior_dist::written;

written!(Gaussian, "multivariate_normal", new(mean: numbers, covariance: matrix));
written!(MultivariateT, "multivariate_t", new(degrees_of_freedom: number, location: numbers, scale: matrix));
written!(MatrixNormal, "matrix_normal", new(mean: matrix, row_covariance: matrix, column_covariance: matrix));
written!(
    MatrixT,
    "matrix_t",
    new(degrees_of_freedom: number, location: matrix, row_scale: matrix, column_scale: matrix)
);
written!(VonMisesFisher, "von_mises_fisher", new(mean_direction: numbers, concentration: number));
written!(Wishart, "wishart", new(degrees_of_freedom: number, scale: matrix));
written!(InverseWishart, "inverse_wishart", new(degrees_of_freedom: number, scale: matrix));
written!(
    NormalInverseWishart,
    "normal_inverse_wishart",
    new(location: numbers, kappa: number, scale: matrix, degrees_of_freedom: number)
);
written!(
    NormalWishart,
    "normal_wishart",
    new(location: numbers, kappa: number, scale: matrix, degrees_of_freedom: number)
);
