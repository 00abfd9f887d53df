//! Matrices and vectors as JSON: to the bit, and of no other size.

use posterior_math::linalg::{DMatrix, DVector, SymmetricEigen};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Held {
    #[serde(with = "posterior_math::linalg::written")]
    matrix: DMatrix<f64>,
    #[serde(with = "posterior_math::linalg::written")]
    vector: DVector<f64>,
}

#[test]
fn what_is_written_is_read() {
    for (rows, columns) in [(0, 0), (3, 0), (0, 2), (2, 3)] {
        let matrix = DMatrix::from_fn(rows, columns, |i, j| 1.0 / (3.0 + i as f64 - 7.0 * j as f64));
        let held = Held { matrix, vector: DVector::from_vec(vec![0.1, -5e-324, f64::MAX]) };
        let text = serde_json::to_string(&held).unwrap();
        assert_eq!(serde_json::from_str::<Held>(&text).unwrap(), held, "{text}");
    }
    let eigen = SymmetricEigen::new(&DMatrix::from_row_slice(2, 2, &[2.0, 0.3, 0.3, 1.0])).unwrap();
    let text = serde_json::to_string(&eigen).unwrap();
    assert_eq!(serde_json::from_str::<SymmetricEigen>(&text).unwrap(), eigen);
    assert!(serde_json::from_str::<SymmetricEigen>(&text.replacen("\"rows\":2", "\"rows\":1", 1)).is_err());
}

#[test]
fn other_sizes_are_refused() {
    let vector = r#""vector":{"rows":1,"columns":1,"values":[1.0]}"#;
    for (matrix, says) in [
        (r#"{"rows":2,"columns":2,"values":[1.0]}"#, "2 rows of 2 columns, but 1 values"),
        (r#"{"rows":4294967296,"columns":4294967296,"values":[]}"#, "but 0 values"),
        (r#"{"rows":1,"columns":1,"values":[null]}"#, "null"),
        (r#"{"rows":1,"columns":1,"values":[1.0],"more":1}"#, "unknown field"),
    ] {
        let error = serde_json::from_str::<Held>(&format!("{{\"matrix\":{matrix},{vector}}}")).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    }
    let wide =
        r#"{"matrix":{"rows":0,"columns":0,"values":[]},"vector":{"rows":1,"columns":2,"values":[1.0,2.0]}}"#;
    assert!(serde_json::from_str::<Held>(wide).unwrap_err().to_string().contains("one column, not 2"));
}
