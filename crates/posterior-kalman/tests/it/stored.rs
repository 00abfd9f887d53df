//! Equations as JSON: what is read is what was written, and what cannot be is refused.

use posterior_kalman::{Initial, Matrices, ObservationEquation, StateSpace, TransitionEquation};
use posterior_math::linalg::DMatrix;
use serde_json::{Value, from_value, to_value};

use crate::example_models::{Noise, awkward};

#[test]
fn equations_are_read_as_they_were_written() {
    for noise in [Noise::Full, Noise::Singular] {
        let (model, _) = awkward(3, 4, noise);
        let written = to_value(model.transition()).unwrap();
        assert_eq!(&from_value::<TransitionEquation>(written).unwrap(), model.transition());
        let written = to_value(model.observation()).unwrap();
        assert_eq!(&from_value::<ObservationEquation>(written).unwrap(), model.observation());
    }
    let one = DMatrix::from_element(2, 1, 0.1);
    let matrices = Matrices::indexed(&[one.clone(), one * 3.0], vec![0, 1, 1]).unwrap();
    assert_eq!(from_value::<Matrices>(to_value(&matrices).unwrap()).unwrap(), matrices);
}

#[test]
fn models_are_read_as_they_were_written() {
    for noise in [Noise::Full, Noise::Singular] {
        let (model, _) = awkward(3, 4, noise);
        let text = serde_json::to_string(&model).unwrap();
        assert_eq!(serde_json::from_str::<StateSpace>(&text).unwrap(), model);
    }
    let directions = DMatrix::from_row_slice(2, 1, &[1.0, -0.1]);
    let initial = Initial::known(&[0.1, 0.2], &DMatrix::from_row_slice(2, 2, &[0.3, 0.1, 0.1, 0.7])).unwrap();
    for initial in [Initial::diffuse(2).unwrap(), initial.clone(), initial.with_diffuse(&directions).unwrap()]
    {
        let written = to_value(&initial).unwrap();
        assert_eq!(from_value::<Initial>(written.clone()).unwrap(), initial);
        assert!(!reads::<Initial>(&written, "/covariance/entries/0", (-2.0).into()));
        assert!(!reads::<Initial>(&written, "/mean", vec![0.0; 3].into()));
        assert!(!reads::<Initial>(&written, "/diffuse/schedule", "Each".into()));
    }
    let (model, _) = awkward(3, 4, Noise::Full);
    let other = to_value(Initial::diffuse(2).unwrap()).unwrap();
    assert!(!reads::<StateSpace>(&to_value(&model).unwrap(), "/initial", other));
}

/// Whether `T` is read after a change of one place.
fn reads<T: serde::de::DeserializeOwned>(written: &Value, place: &str, change: Value) -> bool {
    let mut written = written.clone();
    *written.pointer_mut(place).unwrap() = change;
    from_value::<T>(written).is_ok()
}

#[test]
fn what_cannot_be_is_not_read() {
    let one = DMatrix::from_element(1, 1, 1.0);
    let matrices = to_value(Matrices::indexed(&[one.clone(), one.clone()], vec![0, 1]).unwrap()).unwrap();
    assert!(reads::<Matrices>(&matrices, "/schedule/Indexed/1", 0.into()));
    assert!(!reads::<Matrices>(&matrices, "/schedule/Indexed/1", 2.into()));
    assert!(!reads::<Matrices>(&matrices, "/rows", 3.into()));
    assert!(!reads::<Matrices>(&matrices, "/rows", u64::MAX.into()));
    assert!(!reads::<Matrices>(&matrices, "/schedule", "Same".into()));
    assert!(reads::<Matrices>(&matrices, "/schedule", "Each".into()));
    let transition = to_value(TransitionEquation::constant(&one, &one).unwrap()).unwrap();
    let noise = "/equation/noise/entries/0";
    assert!(reads::<TransitionEquation>(&transition, noise, 2.0.into()));
    assert!(!reads::<TransitionEquation>(&transition, noise, (-2.0).into()));
    let wide = ObservationEquation::constant(&DMatrix::from_element(1, 2, 1.0), &one).unwrap();
    assert!(from_value::<TransitionEquation>(to_value(&wide).unwrap()).is_err());
}
