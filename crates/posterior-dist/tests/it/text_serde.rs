//! Laws in JSON: named parameters, checked on reading.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::text::{AnyLaw, AnyVectorLaw, Call};
use posterior_dist::{Dirichlet, Gamma, Gaussian, Wishart};
use posterior_math::linalg::DMatrix;
use serde_json::{from_str, json, to_string, to_value};

#[test]
fn laws_are_structs_of_their_parameters() {
    let law = Gamma::shape_rate(2.0, 0.1).unwrap();
    assert_eq!(to_string(&law).unwrap(), r#"{"shape":2.0,"rate":0.1}"#);
    assert_eq!(from_str::<Gamma>(r#"{"rate": 0.1, "shape": 2}"#).unwrap(), law);
    assert_eq!(from_str::<Gamma>("[2, 0.1]").unwrap(), law);
    let law = Dirichlet::new(&[1.0, 2.5]).unwrap();
    assert_eq!(to_string(&law).unwrap(), r#"{"alpha":[1.0,2.5]}"#);
    assert_eq!(from_str::<Dirichlet>(r#"{"alpha":[1,2.5]}"#).unwrap(), law);
    let scale = DMatrix::from_row_slice(2, 2, &[2.0, 0.5, 0.5, 1.0]);
    let law = Gaussian::new(&[0.1, 0.2], &scale).unwrap();
    assert_eq!(from_str::<Gaussian>(&to_string(&law).unwrap()).unwrap(), law);
    let law = Wishart::new(4.5, &scale).unwrap();
    assert_eq!(from_str::<Wishart>(&to_string(&law).unwrap()).unwrap(), law);
}

#[test]
fn laws_behind_a_pointer_carry_their_name() {
    let law: AnyLaw = "gamma(2, 3)".parse().unwrap();
    assert_eq!(to_value(&law).unwrap(), json!({"gamma": {"shape": 2.0, "rate": 3.0}}));
    assert_eq!(from_str::<AnyLaw>(r#"{"gamma": {"rate": 3, "shape": 2}}"#).unwrap(), law);
    assert_eq!(from_str::<AnyLaw>(r#""gamma(2, rate = 3)""#).unwrap(), law);
    let law: AnyVectorLaw = "dirichlet([1, 2])".parse().unwrap();
    assert_eq!(from_str::<AnyVectorLaw>(&to_string(&law).unwrap()).unwrap(), law);
    let call: Call = "truncated(normal(0, 1), upper = inf)".parse().unwrap();
    assert_eq!(to_string(&call).unwrap(), r#""truncated(normal(0, 1), upper = inf)""#);
}

#[track_caller]
fn refused<L: std::fmt::Debug + serde::de::DeserializeOwned>(text: &str, message: &str) {
    let error = from_str::<L>(text).unwrap_err().to_string();
    assert!(error.starts_with(message), "{error}");
}

#[test]
fn what_is_no_law_is_refused() {
    refused::<Gamma>(r#"{"shape": -2, "rate": 3}"#, "Gamma: shape = -2 must be positive and finite");
    refused::<Gamma>(r#"{"shape": 2}"#, "gamma lacks rate: expected gamma(shape, rate)");
    refused::<Gamma>(r#"{"shape": 2, "rate": 3, "shape": 2}"#, "shape is given twice");
    refused::<Gamma>(
        r#"{"shape": 2, "raet": 3}"#,
        "gamma has no parameter \"raet\": expected gamma(shape, rate); did you mean \"rate\"?",
    );
    refused::<Gamma>(r#"{"shape": 2, "rate": "inf"}"#, "Gamma: rate = inf must be positive and finite");
    refused::<Gamma>(r#"{"shape": 2, "rate": null}"#, "invalid type: null");
    refused::<Gamma>("[1, 2, 3]", "gamma has 3 arguments");
    refused::<AnyLaw>(r#"{"gamma": {"shape": 2, "rate": 3}, "beta": {}}"#, "invalid length 2");
    refused::<AnyLaw>("{}", "invalid length 0");
    refused::<AnyLaw>(r#"{"gama": {}}"#, "there is no law \"gama\"; did you mean \"gamma\"?");
}
