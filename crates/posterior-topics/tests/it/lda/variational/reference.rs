//! Updates and bounds against the 30-digit tables.

use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::Worst;
use posterior_testkit::reference;
use posterior_topics::Corpus;
use posterior_topics::lda::variational::{LdaVariationalOptions, VariationalBayes};
use serde_json::Value;

fn matrix(value: &Value) -> DMatrix<f64> {
    let rows: Vec<Vec<f64>> = value
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row.as_array().unwrap().iter().map(reference::number).collect())
        .collect();
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

pub(crate) fn corpus(case: &Value) -> Corpus {
    let documents = case["documents"].as_array().unwrap();
    let words = (0..case["vocabulary"].as_u64().unwrap()).map(|v| format!("w{v}")).collect();
    let names = (0..documents.len()).map(|d| format!("d{d}")).collect();
    let row = |d: &Value| d.as_array().unwrap().iter().map(|w| (w.as_u64().unwrap() as u32, 1)).collect();
    Corpus::from_rows(words, names, documents.iter().map(row).collect()).unwrap()
}

#[test]
fn an_update_and_its_bounds_agree_with_the_tables() {
    let table = reference::load("lda");
    let [mut gammas, mut lambdas, mut bounds] = ["gamma", "lambda", "bound"].map(Worst::of);
    for case in table["cases"].as_array().unwrap() {
        let corpus = corpus(case);
        let options = LdaVariationalOptions {
            topics: case["topics"].as_u64().unwrap() as usize,
            alpha: reference::number(&case["alpha"]).into(),
            beta: reference::number(&case["beta"]),
            document_steps: 1,
            ..LdaVariationalOptions::default()
        };
        let mean_field = &case["mean_field"];
        let (gamma, lambda) = (matrix(&mean_field["gamma"]), matrix(&mean_field["lambda"]));
        let mut posterior = VariationalBayes::from_parameters(&corpus, &options, &gamma, &lambda).unwrap();
        for (found, given) in posterior.lambda().iter().zip(&lambda) {
            assert!((found - given).abs() < 1e-15);
        }
        posterior.update_documents();
        bounds.see(posterior.bound(), reference::number(&mean_field["elbo_after_gamma"]), &"gamma");
        for (found, expected) in posterior.gamma().iter().zip(&matrix(&mean_field["new_gamma"])) {
            gammas.see(*found, *expected, &"gamma");
        }
        posterior.update_topics();
        bounds.see(posterior.bound(), reference::number(&mean_field["elbo_after_lambda"]), &"lambda");
        for (found, expected) in posterior.lambda().iter().zip(&matrix(&mean_field["new_lambda"])) {
            lambdas.see(*found, *expected, &"lambda");
        }
    }
    gammas.assert_at_most(1e-14);
    lambdas.assert_at_most(1e-14);
    bounds.assert_at_most(1e-14);
}
