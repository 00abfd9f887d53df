//! Functions of the library against numbers of mpmath: values, and gradients by the record and the graph.

use posterior_dist::target::GradTarget;
use posterior_model::StanModel;
use posterior_testkit::reference;

/// Up to rounding of the largest component.
const GRADIENT: f64 = 1e-9;

#[test]
fn functions_have_the_values_and_gradients_of_references() {
    let table = reference::load("stan/functions");
    let mut wrong = vec![];
    for case in reference::list(&table) {
        let call = case["call"].as_str().unwrap();
        let x = reference::numbers(&case["x"]);
        let functions =
            case["functions"].as_str().map(|own| format!("functions {{{own}}}\n")).unwrap_or_default();
        let rest = format!("parameters {{ vector[{}] x; }}\nmodel {{ target += {call}; }}", x.len());
        let program = functions + &rest;
        let model = StanModel::parse(&program).unwrap_or_else(|error| panic!("{call}: {error}"));
        let posterior = match model.with_data("{}") {
            Ok(posterior) => posterior,
            Err(error) => {
                wrong.push(format!("{call}: {error}"));
                continue;
            }
        };
        let mut gradient = vec![0.0; x.len()];
        let value = match posterior.ln_density_grad(&x, &mut gradient) {
            Ok(value) => value,
            Err(error) => {
                wrong.push(format!("{call} at {x:?}: {error}"));
                continue;
            }
        };
        let expected = reference::number(&case["value"]);
        let tolerance = case["tolerance"].as_f64().unwrap_or(1e-11);
        if !((value - expected).abs() <= tolerance * expected.abs().max(1e-3)) {
            wrong.push(format!("{call} at {x:?}: {value} for {expected}"));
        }
        for (place, (own, slope)) in gradient.iter().zip(reference::numbers(&case["gradient"])).enumerate() {
            if !((own - slope).abs() <= GRADIENT.max(tolerance) * slope.abs().max(1e-3)) {
                wrong.push(format!("{call} at {x:?}: slope {place} {own} for {slope}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
