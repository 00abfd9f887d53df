//! What is promised of formulas: R's columns, and errors with a place.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use posterior_math::linalg::DMatrix;
use posterior_regression::Error;
use posterior_regression::formula::{FormulaData, FormulaMap, ModelFormula};
use serde_json::Value;

/// Designs of one small table.
///
/// There was no R where they were made. The first 19, but `~ a:b`, `~ x + a:x` and `~ b + a:b`, are those of
/// formulaic 1.2.2 (Python) with its names `a[T.q]` written as R does (`aq`). These three, in whose coding
/// formulaic differs from R, and all others are by the rules of R's C sources (`TermCode` and `modelmatrix`
/// in `stats/src/model.c`), written down once more in Python; a second derivation that agrees with formulaic
/// on the others. Polynomials are by NumPy's QR decomposition, B-splines by SciPy's `BSpline`, natural
/// splines by B-splines and the QR decomposition of their curvature at the ends (as `splines::ns` is), and
/// `s()` by SciPy's `CubicSpline`.
const DESIGNS: &str = include_str!("formula/designs.json");

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|own| own.as_f64().unwrap()).collect()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|own| own.as_str().unwrap()).collect()
}

fn table(value: &Value) -> FormulaData {
    let mut data = FormulaData::new(12);
    for name in ["x", "z", "t"] {
        data = data.with_numbers(name, numbers(&value[name])).unwrap();
    }
    for name in ["a", "b", "c"] {
        data = data.with_labels(name, &texts(&value[name])).unwrap();
    }
    data
}

fn learned(formula: &str, data: &FormulaData) -> FormulaMap {
    formula.parse::<ModelFormula>().unwrap().learn(data).unwrap_or_else(|error| panic!("{formula}: {error}"))
}

#[test]
fn designs_are_those_of_model_matrix() {
    let all: Value = serde_json::from_str(DESIGNS).unwrap();
    let data = table(&all["table"]);
    let designs = all["designs"].as_array().unwrap();
    assert!(designs.len() >= 36);
    for design in designs {
        let formula = design["formula"].as_str().unwrap();
        let map = learned(formula, &data);
        assert_eq!(map.columns(), texts(&design["names"]), "{formula}");
        let own = map.design(&data).unwrap();
        for (row, expected) in design["rows"].as_array().unwrap().iter().enumerate() {
            for (column, expected) in numbers(expected).into_iter().enumerate() {
                let found = own[(row, column)];
                let close = (found - expected).abs() <= 1e-12 * expected.abs().max(1.0);
                assert!(close, "{formula}: row {row}, {}: {found}, {expected}", map.columns()[column]);
            }
        }
    }
}

/// Each row alone has the terms that it has among all: levels, knots and polynomials are kept.
#[test]
fn new_rows_get_the_terms_of_the_fit() {
    let all: Value = serde_json::from_str(DESIGNS).unwrap();
    let data = table(&all["table"]);
    let one = |row: usize| {
        let mut alone = FormulaData::new(1);
        for name in ["x", "z", "t"] {
            alone = alone.with_numbers(name, vec![numbers(&all["table"][name])[row]]).unwrap();
        }
        for name in ["a", "b", "c"] {
            alone = alone.with_labels(name, &[texts(&all["table"][name])[row]]).unwrap();
        }
        alone
    };
    for design in all["designs"].as_array().unwrap() {
        let map = learned(design["formula"].as_str().unwrap(), &data);
        let whole = map.design(&data).unwrap();
        for row in [0, 5, 11] {
            let own: DMatrix<f64> = map.design(&one(row)).unwrap();
            assert!((own - whole.rows(row, 1)).amax() < 1e-14, "{}", map.formula());
        }
    }
}

/// Splines go on beyond the ends as R's do: natural ones straight, the others as their last polynomial.
#[test]
fn splines_go_on_beyond_the_ends() {
    let data = FormulaData::new(9).with_numbers("x", (0..9).map(f64::from).collect()).unwrap();
    let map = learned("~ 0 + ns(x, df = 3) + bs(x, df = 5)", &data);
    let beyond = FormulaData::new(5).with_numbers("x", vec![8.0, 9.0, 10.0, 11.0, 12.0]).unwrap();
    let design = map.design(&beyond).unwrap();
    let mut bent = 0;
    for column in 0..8 {
        let value = |row: usize| design[(row, column)];
        let straight = (value(3) - 2.0 * value(2) + value(1)).abs() < 1e-12;
        if column < 3 {
            assert!(straight, "{column}");
        } else {
            // Cubics have no fourth difference.
            let fourth = value(4) - 4.0 * value(3) + 6.0 * value(2) - 4.0 * value(1) + value(0);
            assert!(fourth.abs() < 1e-9 * value(4).abs().max(1.0), "{column} {fourth}");
            bent += usize::from(!straight);
        }
    }
    assert!(bent > 0);
}

#[test]
fn what_a_formula_says_of_a_table() {
    let formula: ModelFormula = "log(y) ~ . + offset(log(n)) - id".parse().unwrap();
    assert_eq!(formula.outcome().as_deref(), Some("log(y)"));
    assert_eq!((formula.outcome_column(), formula.takes_all()), (None, true));
    assert_eq!(formula.outcome_inputs(), ["y"]);
    assert_eq!(formula.inputs(&["y", "id", "a b", "n"]).unwrap(), ["a b", "n"]);
    let data = FormulaData::new(2)
        .with_numbers("y", vec![1.0, 4.0])
        .and_then(|data| data.with_labels("id", &["first", "second"]))
        .and_then(|data| data.with_numbers("a b", vec![5.0, 6.0]))
        .and_then(|data| data.with_numbers("n", vec![1.0, 2.0]))
        .unwrap();
    let map = formula.learn(&data).unwrap();
    assert_eq!(map.columns(), ["(Intercept)", "`a b`", "n"]);
    assert_eq!(map.terms(), [("`a b`".to_owned(), 1..2), ("n".to_owned(), 2..3)]);
    assert_eq!(map.inputs(), ["a b", "n"]);
    assert_eq!(map.offset(&data).unwrap(), Some(vec![0.0, 2_f64.ln()]));
    assert_eq!(formula.outcomes(&data).unwrap(), Some(vec![0.0, 4_f64.ln()]));
    // Names as R prints them.
    let written = "~ I( 2*x^2/ 100000 ) + log( base=10,x )+`a b`";
    let own: ModelFormula = written.parse().unwrap();
    assert_eq!(own.to_string(), written);
    let data = data.with_numbers("x", vec![1.0, 2.0]).unwrap();
    let columns = ["(Intercept)", "I(2 * x^2/1e+05)", "log(base = 10, x)", "`a b`"];
    assert_eq!(own.learn(&data).unwrap().columns(), columns);
}

#[test]
fn errors_name_the_place() {
    let wrong: BTreeMap<&str, &str> = [
        ("", "column 1: expected a column, a function or a number, found the end"),
        ("x + z", "column 1: a formula has a `~` between the outcome and what explains it: y ~ x"),
        ("y ~", "column 4: expected a column, a function or a number, found the end"),
        ("y ~ x ~ z", "column 7: a formula has one `~`"),
        ("y ~ (x", "column 7: expected `)`, found the end"),
        ("y ~ x z", "column 7: expected an operator or the end, found `z`"),
        ("y ~ 2*x", "column 5: expected a term: a column, a function of one, 0 or 1, found `2`"),
        ("y ~ x + x^2", "column 9: `x^2` is `x` among terms: write I(x^2) for the power"),
        ("y ~ (x + z)^a", "column 13: expected an exponent of terms, as in (a + b)^2, found `a`"),
        ("y ~ pily(x, 2)", "column 5: there is no function \"pily\"; did you mean \"poly\"?"),
        ("y ~ poly(x, degre = 2)", "column 21: `poly` has no argument \"degre\"; did you mean \"degree\"?"),
        ("y ~ poly(x, 1, TRUE, 4)", "column 22: `poly` takes 3 arguments: x, degree, raw"),
        ("y ~ poly()", "column 5: `poly` needs its argument x"),
        ("y ~ log(poly(x, 2))", "column 9: `poly` is a term of its own, not a number to reckon with"),
        ("y ~ I(x:z)", "column 9: `:` stands between terms, not between numbers"),
        ("y ~ C(a, sun)", "column 10: there are no contrasts \"sun\": there are treatment, SAS, sum, helmert, poly; did you mean \"sum\"?"),
        ("y ~ x:offset(z)", "column 7: an offset is a term of its own: + offset(log(n))"),
        ("y ~ x + y", "column 9: the outcome `y` explains itself"),
        ("y ~ \"x", "column 5: the `\"` here is not closed"),
        ("poly(x, 2) ~ x", "column 1: `poly` is a term of its own, not a number to reckon with"),
        ("y ~ 1e999", "column 5: expected a number, found \"1e999\""),
    ]
    .into();
    for (formula, expected) in wrong {
        assert_eq!(formula.parse::<ModelFormula>().unwrap_err().to_string(), expected, "{formula}");
    }
    let deep = format!("y ~ {}x{}", "(".repeat(5000), ")".repeat(5000));
    assert!(deep.parse::<ModelFormula>().unwrap_err().to_string().contains("more than 100 parentheses"));
    let many = format!("y ~ {}", (0..30).map(|own| format!("x{own}")).collect::<Vec<_>>().join("*"));
    assert!(many.parse::<ModelFormula>().unwrap_err().to_string().contains("more than 20000 products"));
    let long = format!("y ~ {}x", "x + ".repeat(100_000));
    assert!(long.parse::<ModelFormula>().unwrap_err().to_string().contains("more than 2000 operators"));
}

#[test]
fn errors_of_a_table_name_the_place_and_the_row() {
    let data = FormulaData::new(3)
        .with_numbers("x", vec![1.0, 0.0, 2.0])
        .and_then(|data| data.with_labels("a", &["p", "q", "p"]))
        .and_then(|data| data.with_labels("one", &["p", "p", "p"]))
        .and_then(|data| data.with_numbers("hole", vec![1.0, 2.0, f64::NAN]))
        .unwrap();
    let error = |formula: &str| {
        let learned = formula.parse::<ModelFormula>().unwrap().learn(&data);
        learned.and_then(|map| map.design(&data)).unwrap_err().to_string()
    };
    for (formula, expected) in [
        ("~ xx", "column 3: there is no column \"xx\"; did you mean \"x\"?"),
        ("~ a + log(x)", "column 7: log(x) of row 1 is -inf: it must be a finite number"),
        ("~ poly(x, 0)", "column 11: expected degree as a whole number from 1 to 1000, found `0`"),
        ("~ hole", "column 3: hole of row 2 is NaN: it must be a finite number"),
        ("~ log(a)", "column 7: the column \"a\" holds labels: a number is expected here"),
        ("~ one", "column 3: `one` has one level, \"p\": nothing can be compared with it"),
        ("~ bs(x, df = 2)", "column 14: expected df as a whole number from 3 to 1000, found `2`"),
        ("~ bs(x, knots = 5)", "column 3: knots are increasing, and between the ends of the column, 0 and 2"),
        ("~ relevel(a, ref = \"z\")", "column 20: there is no level \"z\"; did you mean \"p\"?"),
        ("~ C(a, treatment, base = 3)", "column 3: the base is level 3: there are 2 levels"),
    ] {
        assert_eq!(error(formula), expected, "{formula}");
    }
    assert!(error("~ poly(x, 3)").contains("below the number of different points"));
    let empty = "~ x".parse::<ModelFormula>().unwrap().learn(&FormulaData::new(0)).unwrap_err();
    assert_eq!(empty.to_string(), "a formula learns from one row at least");
    // Of one level all of them is a column of ones.
    assert_eq!(learned("~ 0 + one", &data).columns(), ["onep"]);
    // Products overflow.
    let huge = FormulaData::new(1).with_numbers("x", vec![1e200]).unwrap();
    let map = learned("~ x:I(x + 1)", &huge);
    assert!(matches!(map.design(&huge), Err(Error::Term { row: 0, .. })));
    assert!(FormulaData::new(2).with_levels("a", vec!["p".into(), "p".into()], vec![0, 1]).is_err());
    assert!(FormulaData::new(1).with_levels("a", vec!["p".into()], vec![1]).is_err());
}

#[cfg(feature = "serde")]
#[test]
fn what_was_learned_is_saved() {
    let all: Value = serde_json::from_str(DESIGNS).unwrap();
    let data = table(&all["table"]);
    for design in all["designs"].as_array().unwrap() {
        let map = learned(design["formula"].as_str().unwrap(), &data);
        let saved = serde_json::to_string(&map).unwrap();
        let back: FormulaMap = serde_json::from_str(&saved).unwrap();
        assert_eq!(back, map);
    }
    let saved = serde_json::to_string(&learned("~ poly(x, 2) + a", &data)).unwrap();
    for (part, other) in [
        ("poly(x, 2) + a", "poly(x, 2) + b + a"),
        ("[\"p\",\"q\",\"r\"]", "[\"p\",\"p\",\"r\"]"),
        ("poly", "log"),
    ] {
        assert!(saved.contains(part), "{saved}");
        assert!(serde_json::from_str::<FormulaMap>(&saved.replace(part, other)).is_err(), "{part}");
    }
}
