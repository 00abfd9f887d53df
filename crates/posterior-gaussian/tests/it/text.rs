//! Distributions as texts: every distribution back from what it prints.

use posterior_dist::Density;
use posterior_dist::text::{Call, TextError};
use posterior_gaussian::text::{AnyMultivariate, MULTIVARIATE};
use posterior_gaussian::{
    Gaussian, InverseWishart, Lkj, MatrixNormal, MultivariateT, NormalInverseWishart, NormalWishart, Wishart,
};
use posterior_math::linalg::DMatrix;

fn same<L: std::fmt::Debug + std::fmt::Display + PartialEq + std::str::FromStr<Err = TextError>>(
    distribution: &L,
) {
    let text = distribution.to_string();
    assert_eq!(text.parse::<L>().as_ref(), Ok(distribution), "{text}");
}

#[test]
fn distributions_of_vectors_and_matrices_print_what_they_read() {
    let a = DMatrix::from_row_slice(2, 2, &[2.0, 0.5, 0.5, 1.0]);
    let b = DMatrix::from_row_slice(3, 3, &[4.0, 2.0, 0.6, 2.0, 5.0, 1.0, 0.6, 1.0, 3.0]);
    let gaussian = Gaussian::new(&[0.0, 0.0], &a).unwrap();
    assert_eq!(gaussian.to_string(), "multivariate_normal([0, 0], [[2, 0.5], [0.5, 1]])");
    same(&gaussian);
    same(&MultivariateT::new(3.5, &[1.0, -1.0, 0.25], &b).unwrap());
    same(&Wishart::new(5.0, &b).unwrap());
    same(&InverseWishart::new(5.0, &a).unwrap());
    same(
        &MatrixNormal::new(&DMatrix::from_row_slice(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), &a, &b).unwrap(),
    );
    same(&NormalWishart::new(&[0.0, 1.0], 2.0, &a, 4.0).unwrap());
    same(&NormalInverseWishart::new(&[0.0, 1.0], 2.0, &a, 4.0).unwrap());
    same(&Lkj::new(3, 2.0).unwrap());
    for entry in MULTIVARIATE {
        let call: Call = entry.name.parse().unwrap();
        assert!(entry.read(&call).unwrap_err().to_string().contains("lacks"), "{}", entry.name);
    }
    let any: AnyMultivariate = gaussian.to_string().parse().unwrap();
    assert_eq!(any.ln_pdf(&[1.0, -1.0]), gaussian.ln_pdf(&[1.0, -1.0]));
    assert_eq!(any.covariance(), Some(a));
    assert_eq!(any.mean(), Some(vec![0.0, 0.0]));
}

#[test]
fn a_row_that_is_too_short_is_named() {
    let error = "multivariate_normal([0, 0], [[1, 0], [0]])".parse::<Gaussian>().unwrap_err();
    assert_eq!(error.to_string(), "column 38: expected a row of 2 numbers, found 1");
}
