//! What is promised of features.

use posterior_math::linalg::{DMatrix, transpose_multiply};
use posterior_regression::Error;
use posterior_regression::features::{Basis, FeatureMap, FeaturePlan};
use proptest::prelude::*;

fn grid(count: usize, low: f64, high: f64) -> Vec<f64> {
    (0..count).map(|k| low + (high - low) * k as f64 / (count - 1) as f64).collect()
}

#[track_caller]
fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} and {b}");
}

/// The formulas, at a few points.
#[test]
fn functions_are_their_formulas() {
    let x: [f64; 3] = [-0.4, 0.0, 1.3];
    let at = |basis: Basis| basis.values(&x).unwrap();
    let powers = at(Basis::powers(3).unwrap());
    let chebyshev = at(Basis::chebyshev(5, -2.0, 2.0).unwrap());
    let waves = at(Basis::fourier(3.0, 2).unwrap());
    let bells = at(Basis::bells(&[0.5], 0.7).unwrap());
    let sigmoids = at(Basis::sigmoids(&[0.5, 1.0], -0.7).unwrap());
    let steps = at(Basis::steps(&[0.0]).unwrap());
    let rectifiers = at(Basis::rectifiers(&[-1.0, 0.3]).unwrap());
    for (row, x) in x.into_iter().enumerate() {
        for k in 1..=3 {
            close(powers[(row, k - 1)], x.powi(i32::try_from(k).unwrap()), 1e-15);
        }
        for k in 1..=5 {
            close(chebyshev[(row, k - 1)], (k as f64 * (x / 2.0).acos()).cos(), 1e-14);
        }
        for k in 1..=2 {
            let angle = std::f64::consts::TAU * k as f64 * x / 3.0;
            close(waves[(row, 2 * k - 2)], angle.cos(), 1e-14);
            close(waves[(row, 2 * k - 1)], angle.sin(), 1e-14);
        }
        close(bells[(row, 0)], (-0.5 * ((x - 0.5) / 0.7).powi(2)).exp(), 1e-15);
        close(sigmoids[(row, 1)], 1.0 / (1.0 + ((x - 1.0) / 0.7).exp()), 1e-15);
        close(steps[(row, 0)], f64::from(u8::from(x >= 0.0)), 0.0);
        close(rectifiers[(row, 0)], x + 1.0, 1e-15);
        close(rectifiers[(row, 1)], if x > 0.3 { x - 0.3 } else { 0.0 }, 1e-15);
    }
}

/// Orthogonal polynomials of degree 30 on 200 points, where powers have a condition of 1e12.
#[test]
fn orthogonal_polynomials_are_orthonormal() {
    let points: Vec<f64> = grid(200, 1900.0, 2020.0).iter().map(|x| x + (x * 7.0).sin()).collect();
    let basis = Basis::orthogonal(30, &points).unwrap();
    let values = basis.values(&points).unwrap();
    let gram = transpose_multiply(&values, &values) / 200.0;
    assert!(
        (&gram - DMatrix::identity(30, 30)).amax() < 1e-11,
        "{}",
        (gram - DMatrix::identity(30, 30)).amax()
    );
    assert!(values.row_sum().amax() < 1e-9);
    assert!(Basis::orthogonal(3, &[1.0, 2.0, 2.0, 3.0]).is_err());
    assert!(Basis::orthogonal(2, &[1.0, 2.0, 2.0, 3.0]).is_ok());
}

/// B-splines sum to 1, are not negative inside, and those of degree 3 contain every cubic: the divided
/// differences say so.
#[test]
fn b_splines_are_a_partition_of_one() {
    for degree in 0..=4 {
        let basis = Basis::b_spline(&[0.0, 0.5, 1.5, 2.0, 3.5], degree).unwrap();
        assert_eq!(basis.width(), 4 + degree);
        let values = basis.values(&grid(101, 0.0, 3.5)).unwrap();
        assert!(values.iter().all(|&value| value >= 0.0));
        values.column_sum().iter().for_each(|&sum| close(sum, 1.0, 1e-14));
    }
    // A cubic beyond the last knot goes on: x³ by its Greville-type blossom weights, from interpolation.
    let basis = Basis::b_spline(&[0.0, 1.0, 2.0], 3).unwrap();
    let inside = grid(5, 0.1, 1.9);
    let cubic = |x: &f64| 1.0 - x + x.powi(3);
    let right = DMatrix::from_iterator(5, 1, inside.iter().map(cubic));
    let weights = basis.values(&inside).unwrap().lu().solve(&right).unwrap();
    for x in [-1.0, 0.0, 0.7, 2.0, 3.0] {
        close((basis.values(&[x]).unwrap() * &weights)[(0, 0)], cubic(&x), 1e-11);
    }
}

/// Natural splines interpolate, are straight beyond the ends, and have two continuous derivatives.
#[test]
fn natural_splines_are_natural() {
    let knots = [0.0, 0.7, 1.0, 2.5, 3.0];
    let basis = Basis::natural_spline(&knots).unwrap();
    let at = basis.values(&knots).unwrap();
    for (i, row) in at.row_iter().enumerate() {
        for (k, &value) in row.iter().enumerate() {
            close(value, f64::from(u8::from(i == k + 1)), 1e-15);
        }
    }
    let value = |x: f64, k: usize| basis.values(&[x]).unwrap()[(0, k)];
    let second = |x: f64, k: usize, h: f64| (value(x + h, k) - 2.0 * value(x, k) + value(x - h, k)) / (h * h);
    for k in 0..4 {
        close(second(-5.0, k, 1.0), 0.0, 1e-12);
        close(second(9.0, k, 1.0), 0.0, 1e-12);
        close(second(0.0, k, 1e-4), 0.0, 1e-2);
        for &knot in &knots {
            let slope = |x: f64| (value(x + 1e-6, k) - value(x - 1e-6, k)) / 2e-6;
            close(slope(knot - 2e-6), slope(knot + 2e-6), 1e-3);
            // Second derivatives on both sides differ by steps times a bounded third derivative.
            close(second(knot - 2e-4, k, 1e-4), second(knot + 2e-4, k, 1e-4), 2e-2);
        }
    }
    // The line is among them: f = Σ (knot - first) φ, which leaves out a constant of zero.
    for x in [-2.0, 0.3, 2.2, 7.0] {
        let line: f64 = (0..4).map(|k| knots[k + 1] * value(x, k)).sum();
        close(line, x, 1e-13);
    }
}

#[test]
fn wavelets_are_orthonormal() {
    let basis = Basis::haar(4, -1.0, 3.0).unwrap();
    let middles: Vec<f64> = (0..16).map(|k| -1.0 + 0.25 * (f64::from(k) + 0.5)).collect();
    let values = basis.values(&middles).unwrap();
    let gram = transpose_multiply(&values, &values) / 16.0;
    assert!((gram - DMatrix::identity(15, 15)).amax() < 1e-15);
    assert!(basis.values(&[-1.1, 3.1]).unwrap().iter().all(|&value| value == 0.0));
    assert_eq!(basis.names("x")[..3], ["haar0.0(x)", "haar1.0(x)", "haar1.1(x)"]);
}

#[test]
fn categories_are_indicators() {
    let basis = Basis::treatment(&[3.0, 0.0, 1.0]).unwrap();
    assert_eq!(basis.names("site"), ["site[0]", "site[1]"]);
    let values = basis.values(&[0.0, 3.0, 1.0, -0.0]).unwrap();
    assert_eq!(values, DMatrix::from_row_slice(4, 2, &[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0]));
    assert!(matches!(basis.values(&[0.0, 2.0]), Err(Error::Observation { row: 1, value: 2.0, .. })));
    assert!(Basis::one_hot(&[1.0, 1.0]).is_err());
    assert!(Basis::treatment(&[1.0]).is_err());
}

#[test]
fn what_cannot_be_is_refused() {
    assert!(Basis::sigmoids(&[0.0], 0.0).is_err());
    assert!(Basis::bells(&[0.0], -1.0).is_err());
    assert!(Basis::bells(&[], 1.0).is_err());
    assert!(Basis::steps(&[f64::NAN]).is_err());
    assert!(Basis::fourier(0.0, 3).is_err());
    assert!(Basis::powers(0).is_err());
    assert!(Basis::natural_spline(&[1.0, 1.0]).is_err());
    assert!(Basis::b_spline(&[1.0], 3).is_err());
    assert!(Basis::chebyshev(3, 1.0, 1.0).is_err());
    assert!(matches!(Basis::raw().values(&[0.0, f64::INFINITY]), Err(Error::Observation { row: 1, .. })));
    assert!(matches!(Basis::powers(3).unwrap().values(&[1e200]), Err(Error::Observation { row: 0, .. })));
    assert!(FeatureMap::new(&["x", "x"]).is_err());
    let map = FeatureMap::new(&["x"]).unwrap();
    assert!(map.clone().with(1, Basis::raw()).is_err());
    assert!(map.clone().with_product(&[]).is_err());
    let many = Basis::fourier(1.0, 200).unwrap();
    assert!(map.clone().with_product(&[(0, many.clone()), (0, many.clone()), (0, many)]).is_err());
    assert!(matches!(
        map.design(&DMatrix::zeros(2, 2)),
        Err(Error::Dimension(posterior_math::DimensionError { expected: 1, found: 2, .. }))
    ));
    assert_eq!(map.design(&DMatrix::zeros(0, 1)).unwrap().shape(), (0, 0));
}

/// Places are fitted once: another set of inputs sees the same functions.
#[test]
fn a_map_keeps_its_places() {
    let names = ["age".to_owned(), "site".to_owned()];
    let inputs = DMatrix::from_fn(40, 2, |i, j| if j == 0 { (i as f64).sqrt() } else { (i % 3) as f64 });
    let plan: FeaturePlan = "poly:2(age) + spline:4(age) + rbf:5(age) + relu:3(age) + bspline:6(age)*onehot(site) \
                             + standard + fourier:2 + step:[1, 2](age) + sigmoid:2(age) + haar:2(age) + chebyshev:3(age) \
                             + orthogonal:3(age) + pairs"
        .parse()
        .unwrap();
    let map = plan.learn(&inputs, &names).unwrap();
    let all = map.design(&inputs).unwrap();
    assert_eq!(all.ncols(), map.columns().len());
    assert_eq!(all.ncols(), 1 + 2 + 4 + 5 + 3 + 6 * 3 + 2 + 8 + 2 + 2 + 3 + 3 + 3 + 1);
    let some = map.design(&inputs.rows(7, 5).into_owned()).unwrap();
    assert_eq!(some, all.rows(7, 5).into_owned());
    let distinct: std::collections::BTreeSet<&String> = map.columns().iter().collect();
    assert_eq!(distinct.len(), map.columns().len());
    let product = map.columns().iter().position(|name| name == "B2(age)*site[1]").unwrap();
    let (spline, site) = (Basis::b_spline(&[0.0, 1.0], 3).unwrap().width(), 4);
    assert_eq!((spline, site), (4, 4));
    for row in 0..40 {
        assert_eq!(all[(row, product)] == 0.0, row % 3 != 1 || all[(row, product)] == 0.0);
    }
}

/// A map goes to a file and back with all its places.
#[cfg(feature = "serde")]
#[test]
fn maps_are_stored() {
    let inputs = DMatrix::from_fn(9, 2, |i, j| (i * (j + 1)) as f64 * 0.37);
    let text = "spline:4(a) + orthogonal:2*rbf:3 + onehot(b) + haar:2 + fourier:1";
    let plan: FeaturePlan = text.parse().unwrap();
    let map = plan.learn(&inputs, &["a", "b"]).unwrap();
    let stored: FeatureMap = serde_json::from_str(&serde_json::to_string(&map).unwrap()).unwrap();
    assert_eq!(stored.design(&inputs).unwrap(), map.design(&inputs).unwrap());
    assert_eq!(stored, map);
    assert_eq!(serde_json::from_str::<FeaturePlan>(&serde_json::to_string(&plan).unwrap()).unwrap(), plan);
}

#[test]
fn too_many_products_are_refused_before_they_are_made() {
    let inputs = DMatrix::from_fn(3, 100, |i, j| (i * 7 + j) as f64);
    let names: Vec<String> = (0..100).map(|j| format!("x{j}")).collect();
    let plan: FeaturePlan = "raw*raw*raw*raw*raw*raw".parse().unwrap();
    let message = plan.learn(&inputs, &names).unwrap_err().to_string();
    assert!(message.contains("at most 100000"), "{message}");
}

#[test]
fn texts_are_read_and_refused() {
    for text in ["raw", "0 + poly:3", "poly:3(a, b)*rbf:4:0.5 + step:[-1.5, 2] + fourier:2:365.25", "pairs"] {
        let plan: FeaturePlan = text.parse().unwrap();
        assert_eq!(plan.to_string(), text);
    }
    let message = |text: &str| text.parse::<FeaturePlan>().unwrap_err().to_string();
    assert_eq!(message("poly"), "column 1: expected a count, as in `poly:3`, found none");
    assert_eq!(message("raw + poly:2.5"), "column 7: expected a whole number from 1 to 100000, found 2.5");
    assert_eq!(message("raw raw"), "column 5: expected `+`, `*` or the end, found `r`");
    assert_eq!(message("raw +"), "column 6: expected the name of features, found the end");
    assert_eq!(message("poly:3(age"), "column 11: expected `)`, found the end");
    assert_eq!(message("raw:3"), "column 1: `raw` takes 0 numbers, found 1");
    assert_eq!(message("rbf:[1, x]"), "column 9: expected a number, found \"\"");
    assert!("pairs*raw".parse::<FeaturePlan>().is_err());
    let plan: FeaturePlan = "poly:3(height)".parse().unwrap();
    let learned = plan.learn(&DMatrix::zeros(2, 1), &["age"]);
    assert!(matches!(learned, Err(Error::NoColumn { name, .. }) if name == "height"));
    let constant: FeaturePlan = "rbf:3".parse().unwrap();
    assert!(matches!(constant.learn(&DMatrix::zeros(2, 1), &["age"]), Err(Error::Parameter(_))));
    assert!(matches!(constant.learn(&DMatrix::zeros(0, 1), &["age"]), Err(Error::Dimension { .. })));
}

proptest! {
    /// No text panics, and what is read prints as what reads the same.
    #[test]
    fn any_text(text in "[a-z0-9:+*(),. \\[\\]e-]{0,24}|(poly|rbf|step|spline|haar|raw)(:[0-9.e]{1,4}){0,2}(\\([ab, ]*\\))?") {
        if let Ok(plan) = text.parse::<FeaturePlan>() {
            prop_assert_eq!(plan.to_string().parse::<FeaturePlan>().unwrap(), plan);
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn a_map_that_was_read_is_valid_or_refused() {
    let map = |basis: &str, columns: &str| {
        let text = format!(
            r#"{{"inputs":["x"],"blocks":[[{{"input":0,"basis":{{"kind":{basis}}}}}]],"columns":{columns}}}"#
        );
        serde_json::from_str::<FeatureMap>(&text).map(|map| map.width())
    };
    assert_eq!(map(r#"{"Polynomial":{"Powers":{"degree":2}}}"#, r#"["x","x^2"]"#).unwrap(), 2);
    for (basis, output) in [
        (r#"{"Standard":{"mean":0.0,"sd":0.0}}"#, "sd"),
        (r#"{"Fourier":{"period":1.0,"count":18446744073709551615}}"#, "count"),
        (r#"{"Haar":{"levels":64,"low":0.0,"high":1.0}}"#, "levels"),
        (r#"{"Local":{"shape":"Bell","places":[0.0],"width":-1.0}}"#, "width"),
        (r#"{"Polynomial":{"Powers":{"degree":100000000000}}}"#, "degree"),
        (
            r#"{"Polynomial":{"Orthogonal":{"centre":0.0,"scale":1.0,"diagonal":[0.0],"off_diagonal":[]}}}"#,
            "degree",
        ),
        (r#"{"Spline":{"B":{"knots":[0.0],"degree":3}}}"#, "knots"),
        (r#"{"Spline":{"B":{"knots":[0.0,1.0,2.0,3.0],"degree":1}}}"#, "knots"),
        (r#"{"Spline":{"Natural":{"knots":[],"curvature":[]}}}"#, "knots"),
        (r#"{"Categories":{"codes":[[0.0,7]],"columns":1}}"#, "columns"),
        (r#""Raw""#, "columns"),
    ] {
        let error = map(basis, "[]").unwrap_err().to_string();
        assert!(error.contains(output), "{basis}: {error}");
    }
    let beyond = r#"{"inputs":[],"blocks":[[{"input":0,"basis":{"kind":"Raw"}}]],"columns":["x"]}"#;
    assert!(serde_json::from_str::<FeatureMap>(beyond).unwrap_err().to_string().contains("input"));
}
