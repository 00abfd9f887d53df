//! Data and their errors; constraints; names.

use posterior_dist::target::Target;
use posterior_model::StanModel;

fn fault(program: &str, data: &str) -> (Option<usize>, String) {
    let error = StanModel::parse(program).unwrap().with_data(data).unwrap_err();
    (error.line(), error.to_string())
}

const PROGRAM: &str = "data {
  int<lower=1> N;
  vector<lower=0>[N] y;
  array[N] int k;
}
parameters { real m; }
model { y ~ normal(m, 1); }";

#[test]
fn data_that_do_not_fit_are_refused_with_the_line_of_their_declaration() {
    let cases = [
        (r#"{"N": 2}"#, 3, "no variable `y`"),
        (r#"{"N": 2, "y": [1, 2, 3], "k": [1, 2]}"#, 3, "the data have sizes [3]"),
        (r#"{"N": 2, "y": [1, 2], "k": [1, 2.5]}"#, 4, "the data have 2.5"),
        (r#"{"N": 2, "y": [1, -2], "k": [1, 2]}"#, 3, "does not fulfil"),
        (r#"{"N": 0, "y": [], "k": []}"#, 2, "does not fulfil"),
        (r#"{"N": 2, "y": [[1], [2]], "k": [1, 2]}"#, 3, "the data have sizes [2, 1]"),
        (r#"{"N": "a", "y": [1, 2], "k": [1, 2]}"#, 2, "is not a number"),
    ];
    for (data, line, message) in cases {
        let (at, text) = fault(PROGRAM, data);
        assert_eq!(at, Some(line), "{data}: {text}");
        assert!(text.contains(message), "{data}: {text}");
    }
    assert!(fault(PROGRAM, "[1]").1.contains("expected one object of JSON, whose"));
    assert!(fault(PROGRAM, "{").1.contains("expected one object of JSON: EOF"));
}

#[test]
fn every_constraint_goes_there_and_back() {
    let program = "parameters {
      real<lower=1> a; real<upper=2> b; real<lower=-1, upper=3> c; real<offset=2, multiplier=3> d;
      vector<lower=[0, 1]'>[2] e; array[2] ordered[3] f; positive_ordered[3] g; simplex[4] h;
      cholesky_factor_corr[4] l; cholesky_factor_cov[4, 2] m; corr_matrix[4] n; cov_matrix[3] o;
      sum_to_zero_vector[4] p; real<lower=c> q; column_stochastic_matrix[3, 2] r; row_stochastic_matrix[2, 4] s;
      sum_to_zero_matrix[3, 4] t;
    }";
    let posterior = StanModel::parse(program).unwrap().with_data("{}").unwrap();
    let x: Vec<f64> = (0..posterior.dim()).map(|i| (1.7 * i as f64).sin()).collect();
    let values = posterior.values(&x, false, None).unwrap();
    for (back, x) in posterior.unconstrain(&values).unwrap().iter().zip(&x) {
        assert!((back - x).abs() < 1e-10, "{back} for {x}");
    }
    let names = posterior.names(false, false).unwrap();
    assert_eq!(names.len(), values.len());
    let at = names.iter().position(|name| name == "f.1.1").unwrap();
    assert_eq!(names[at..at + 3], ["f.1.1", "f.2.1", "f.1.2"]);
}

#[test]
fn generated_quantities_depend_on_seed_and_draw_only() {
    let program = "parameters { real m; } model { m ~ normal(0, 1); }
    generated quantities { array[2] real y; int k = poisson_rng(exp(m)); y = normal_rng({m, m}, 1); }";
    let posterior = StanModel::parse(program).unwrap().with_data("").unwrap();
    assert_eq!(posterior.names(true, true).unwrap(), ["m", "y.1", "y.2", "k"]);
    let one = posterior.values(&[0.3], true, Some((1, 5))).unwrap();
    assert_eq!(one, posterior.values(&[0.3], true, Some((1, 5))).unwrap());
    assert_ne!(one, posterior.values(&[0.3], true, Some((1, 6))).unwrap());
}
