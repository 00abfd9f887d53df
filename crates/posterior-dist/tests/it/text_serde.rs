//! Distributions in JSON: named parameters, checked on reading.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::text::{AnyUnivariate, Call};
use posterior_dist::{Dirichlet, Gamma};
use serde_json::{from_str, json, to_string, to_value};

#[test]
fn distributions_are_structs_of_their_parameters() {
    let distribution = Gamma::shape_rate(2.0, 0.1).unwrap();
    assert_eq!(to_string(&distribution).unwrap(), r#"{"shape":2.0,"rate":0.1}"#);
    assert_eq!(from_str::<Gamma>(r#"{"rate": 0.1, "shape": 2}"#).unwrap(), distribution);
    assert_eq!(from_str::<Gamma>("[2, 0.1]").unwrap(), distribution);
    let distribution = Dirichlet::new(&[1.0, 2.5]).unwrap();
    assert_eq!(to_string(&distribution).unwrap(), r#"{"concentration":[1.0,2.5]}"#);
    assert_eq!(from_str::<Dirichlet>(r#"{"alpha":[1,2.5]}"#).unwrap(), distribution);
}

#[test]
fn distributions_behind_a_pointer_carry_their_name() {
    let distribution: AnyUnivariate = "gamma(2, 3)".parse().unwrap();
    assert_eq!(to_value(&distribution).unwrap(), json!({"gamma": {"shape": 2.0, "rate": 3.0}}));
    assert_eq!(from_str::<AnyUnivariate>(r#"{"gamma": {"rate": 3, "shape": 2}}"#).unwrap(), distribution);
    assert_eq!(from_str::<AnyUnivariate>(r#""gamma(2, rate = 3)""#).unwrap(), distribution);
    let call: Call = "truncated(normal(0, 1), upper = inf)".parse().unwrap();
    assert_eq!(to_string(&call).unwrap(), r#""truncated(normal(0, 1), upper = inf)""#);
}

#[track_caller]
fn refused<L: std::fmt::Debug + serde::de::DeserializeOwned>(text: &str, message: &str) {
    let error = from_str::<L>(text).unwrap_err().to_string();
    assert!(error.starts_with(message), "{error}");
}

#[test]
fn what_is_no_distribution_is_refused() {
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
    refused::<AnyUnivariate>(r#"{"gamma": {"shape": 2, "rate": 3}, "beta": {}}"#, "invalid length 2");
    refused::<AnyUnivariate>("{}", "invalid length 0");
    refused::<AnyUnivariate>(r#"{"gama": {}}"#, "there is no distribution \"gama\"; did you mean \"gamma\"?");
}
