//! The checks of parameters.

use posterior_math::ParamError;
use posterior_math::check::{finite, non_negative, open_probability, positive, probability};

type Check = fn(&'static str, &'static str, f64) -> Result<f64, ParamError>;

const CHECKS: [Check; 5] = [positive, non_negative, finite, probability, open_probability];

#[test]
fn nan_and_infinities_fail_every_check() {
    for check in CHECKS {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(check("T", "x", value).is_err(), "{value}");
        }
    }
}

#[test]
fn boundaries_are_where_they_should_be() {
    // Per value: positive, non-negative, finite, probability, open probability.
    let expected = [
        (-1.0, [false, false, true, false, false]),
        (0.0, [false, true, true, true, false]),
        (f64::from_bits(1), [true, true, true, true, true]),
        (1.0, [true, true, true, true, false]),
        (1.0 + f64::EPSILON, [true, true, true, false, false]),
        (f64::MAX, [true, true, true, false, false]),
    ];
    for (value, passes) in expected {
        assert_eq!(CHECKS.map(|check| check("T", "x", value).is_ok()), passes, "{value}");
    }
}

#[test]
fn the_message_names_type_parameter_value_and_requirement() {
    let error = positive("Gamma", "shape", -1.0).expect_err("negative");
    assert_eq!(error.to_string(), "Gamma: shape = -1 must be positive and finite");
    assert_eq!((error.type_name(), error.parameter(), error.value()), ("Gamma", "shape", -1.0));
}
