//! One name for each parameter: in the constructor's refusal, in the text and in `PARAMETERS`.

use posterior_dist::Parametric;
use posterior_dist::text::{Form, Value, Written, call_of, from_call};

/// The distribution's name; NaN must be refused for each parameter by its name, from numbers and from text.
///
/// # Panics
/// If a name differs, or NaN is accepted.
#[track_caller]
pub fn parameter_names_agree<D: Parametric>(valid: &[f64]) -> &'static str {
    let distribution = D::from_parameters(valid).expect("valid");
    assert_eq!(distribution.parameters(), valid, "{}", D::NAME);
    assert_eq!(D::PARAMETERS.len(), valid.len(), "{}", D::NAME);
    for (index, name) in D::PARAMETERS.iter().enumerate() {
        let mut parameters = valid.to_vec();
        parameters[index] = f64::NAN;
        let error = D::from_parameters(&parameters).err().expect("NaN is refused");
        assert_eq!(error.parameter(), *name, "{}: {error}", D::NAME);
    }
    written_names_agree(&distribution)
}

/// The same for a distribution whose parameters may be lists: its text names a parameter as the error does.
///
/// # Panics
/// If a name differs, or NaN is accepted.
#[track_caller]
#[expect(clippy::panic, reason = "a distribution that takes NaN fails the check")]
pub fn written_names_agree<D: Written>(distribution: &D) -> &'static str {
    let call = call_of(distribution);
    let names: Vec<&str> = call.arguments.iter().filter_map(|argument| argument.name.as_deref()).collect();
    assert_eq!(names, D::PARAMETERS, "{}", D::NAME);
    for (index, name) in D::PARAMETERS.iter().enumerate() {
        let mut bad = call.clone();
        spoil(&mut bad.arguments[index].value);
        let Err(error) = from_call::<D>(&bad) else { panic!("{bad}") };
        assert_eq!(error.param_error().expect("a parameter").parameter(), *name, "{bad}: {error}");
    }
    D::NAME
}

/// Every number of a value as NaN.
#[expect(clippy::panic, reason = "a parameter is a number or a list")]
fn spoil(value: &mut Value) {
    match &mut value.form {
        Form::Number(number) => *number = f64::NAN,
        Form::List(items) => items.iter_mut().for_each(spoil),
        other => panic!("{other:?}"),
    }
}
