//! Distributions in JSON: named parameters, checked on reading.

use posterior_gaussian::text::AnyMultivariate;
use posterior_gaussian::{Gaussian, Wishart};
use posterior_math::linalg::DMatrix;
use serde_json::{from_str, to_string};

#[test]
fn distributions_are_structs_of_their_parameters() {
    let scale = DMatrix::from_row_slice(2, 2, &[2.0, 0.5, 0.5, 1.0]);
    let distribution = Gaussian::new(&[0.1, 0.2], &scale).unwrap();
    assert_eq!(from_str::<Gaussian>(&to_string(&distribution).unwrap()).unwrap(), distribution);
    let distribution = Wishart::new(4.5, &scale).unwrap();
    assert_eq!(from_str::<Wishart>(&to_string(&distribution).unwrap()).unwrap(), distribution);
}

#[test]
fn distributions_behind_a_pointer_carry_their_name() {
    let distribution: AnyMultivariate = "dirichlet([1, 2])".parse().unwrap();
    assert_eq!(from_str::<AnyMultivariate>(&to_string(&distribution).unwrap()).unwrap(), distribution);
}
