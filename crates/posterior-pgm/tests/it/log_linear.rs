//! Log-linear fields against their definition.

use posterior_pgm::{GraphicalModel, LogLinear, Records, Table, VarId, Variables};

const A: VarId = VarId::new(0);
const B: VarId = VarId::new(1);

/// Two features of the same two variables, which list them in different orders, and one of the second alone.
fn model() -> LogLinear {
    let table = |scope: [VarId; 2], cards: [usize; 2], values: Vec<f64>| {
        Table::new(scope.to_vec(), cards.to_vec(), values).unwrap()
    };
    let features = vec![
        table([A, B], [2, 3], vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
        table([B, A], [3, 2], vec![10.0, 20.0, 30.0, 40.0, 50.0, 60.0]),
        Table::new(vec![B], vec![3], vec![1.0, 0.0, -1.0]).unwrap(),
    ];
    LogLinear::new(Variables::numbered(&[2, 3]).unwrap(), features, vec![0.5, -0.25, 2.0]).unwrap()
}

/// The features of [`model`] by their formulas.
fn features(a: usize, b: usize) -> [f64; 3] {
    [(3 * a + b) as f64, 10.0 * (2 * b + a + 1) as f64, 1.0 - b as f64]
}

#[test]
fn fields_have_the_scores_of_their_features() {
    let model = model();
    let (field, ln_scale) = model.field().unwrap();
    assert_eq!(field.factors().len(), 2);
    for (a, b) in (0..2).flat_map(|a| (0..3).map(move |b| (a, b))) {
        let score: f64 = features(a, b).iter().zip([0.5, -0.25, 2.0]).map(|(f, w)| f * w).sum();
        assert!((model.score(&[a, b]) - score).abs() < 1e-14);
        assert!((field.ln_score(&[a, b]) + ln_scale - score).abs() < 1e-13, "{a} {b}");
    }
    assert!(field.factors().iter().all(|factor| factor.values().iter().copied().fold(0.0, f64::max) == 1.0));
}

#[test]
fn means_are_over_all_records() {
    let states = [[0, 0], [1, 2], [1, 2], [0, 1]];
    let records = Records::complete(Variables::numbered(&[2, 3]).unwrap(), states.iter().map(|row| &row[..]));
    let means = model().feature_means(&records.unwrap()).unwrap();
    for (k, mean) in means.iter().enumerate() {
        let expected = states.iter().map(|&[a, b]| features(a, b)[k]).sum::<f64>() / 4.0;
        assert!((mean - expected).abs() < 1e-14, "{k}: {mean} instead of {expected}");
    }
}
