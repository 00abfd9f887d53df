//! The texts of errors.

use insta::assert_snapshot;

use crate::findings;

#[test]
fn syntax() {
    assert_snapshot!("missing_semicolon", findings("data {\n  int N\n  vector[N] y;\n}\n"));
    assert_snapshot!("two_errors", findings("model {\n  real x = ;\n  print(1);\n  y ~ (3);\n}\n"));
    assert_snapshot!("wrong_block", findings("parameters {\n}\ndata {\n}\nmodle {\n}\n"));
    assert_snapshot!("keyword_as_name", findings("data {\n  real for;\n}\n"));
    assert_snapshot!("value_in_data", findings("data {\n  real x = 1;\n}\n"));
    assert_snapshot!("local_constraint", findings("model {\n  simplex[3] p;\n}\n"));
    assert_snapshot!("open_comment", findings("model {\n  /* to be done\n}\n"));
    assert_snapshot!("end_of_file", findings("model {\n  if (1) {\n    print(2);\n"));
    assert_snapshot!("strange_character", findings("model {\n  print(1 & 2);\n}\n"));
    assert_snapshot!("number_with_underscore", findings("transformed data {\n  int n = 10_000_;\n}\n"));
    assert_snapshot!("value_alone", findings("model {\n  1 + 2;\n}\n"));
}

#[test]
fn names() {
    assert_snapshot!("unknown_variable", findings("data {\n  real alpha;\n}\nmodel {\n  print(alpa);\n}\n"));
    assert_snapshot!("unknown_function", findings("model {\n  print(sqare(2));\n}\n"));
    assert_snapshot!(
        "missing_suffix",
        findings("parameters {\n  real x;\n}\nmodel {\n  target += normal(x, 0, 1);\n}\n")
    );
    assert_snapshot!("wrong_suffix", findings("model {\n  target += binomial_lpdf(1 | 2, 0.5);\n}\n"));
    assert_snapshot!(
        "unknown_distribution",
        findings("parameters {\n  real x;\n}\nmodel {\n  x ~ nomral(0, 1);\n}\n")
    );
    assert_snapshot!(
        "suffix_after_tilde",
        findings("parameters {\n  real x;\n}\nmodel {\n  x ~ normal_lpdf(0, 1);\n}\n")
    );
    assert_snapshot!(
        "missing_bar",
        findings("parameters {\n  real x;\n}\nmodel {\n  target += normal_lpdf(x, 0, 1);\n}\n")
    );
    assert_snapshot!("declared_twice", findings("data {\n  real x;\n}\nparameters {\n  real x;\n}\n"));
    assert_snapshot!("reserved", findings("data {\n  real var;\n  real y__;\n}\n"));
}

#[test]
fn types() {
    assert_snapshot!(
        "left_side",
        findings(
            "data {\n  array[2, 3] int y;\n}\nparameters {\n  real<lower=0> r;\n}\nmodel {\n  y ~ poisson(r);\n}\n"
        )
    );
    assert_snapshot!(
        "parameter",
        findings("data {\n  matrix[2, 2] m;\n}\nmodel {\n  1.5 ~ normal(m, 1);\n}\n")
    );
    assert_snapshot!("number_of_parameters", findings("model {\n  1.5 ~ normal(1);\n}\n"));
    assert_snapshot!("real_counts", findings("data {\n  vector[3] y;\n}\nmodel {\n  y ~ poisson(2);\n}\n"));
    assert_snapshot!("argument", findings("model {\n  print(dot_product([1, 2], {{1, 2}}));\n}\n"));
    assert_snapshot!("number_of_arguments", findings("model {\n  print(inc_beta(1, 2));\n}\n"));
    assert_snapshot!(
        "operator",
        findings("data {\n  vector[3] a;\n  vector[3] b;\n}\nmodel {\n  print(a * b);\n}\n")
    );
    assert_snapshot!(
        "arrays_have_no_sum",
        findings("data {\n  array[3] real a;\n}\nmodel {\n  print(a + 1);\n}\n")
    );
    assert_snapshot!("assignment", findings("transformed data {\n  int n;\n  n = 2.5;\n}\n"));
    assert_snapshot!("row_for_vector", findings("transformed data {\n  vector[2] v = [1, 2];\n}\n"));
    assert_snapshot!(
        "indices",
        findings("data {\n  vector[3] v;\n}\nmodel {\n  print(v[1, 2], v[1.5], 2[1]);\n}\n")
    );
    assert_snapshot!(
        "tuple_field",
        findings("transformed data {\n  tuple(int, real) t = (1, 2);\n  print(t.3);\n}\n")
    );
    assert_snapshot!(
        "several_forms",
        findings(
            "functions {\n  void f(int a, real b) { }\n  void f(real a, int b) { }\n}\nmodel {\n  f(1, 2);\n}\n"
        )
    );
}

#[test]
fn places() {
    assert_snapshot!("size_of_parameter", findings("parameters {\n  real n;\n  vector[n] v;\n}\n"));
    assert_snapshot!("discrete_parameter", findings("parameters {\n  int n;\n}\n"));
    assert_snapshot!("assign_to_data", findings("data {\n  real x;\n}\nmodel {\n  x = 1;\n}\n"));
    assert_snapshot!("rng_in_model", findings("model {\n  print(normal_rng(0, 1));\n}\n"));
    assert_snapshot!(
        "target_in_data",
        findings("transformed data {\n  target += 1;\n  print(target());\n}\n")
    );
    assert_snapshot!(
        "tilde_in_function",
        findings("functions {\n  void f(real x) {\n    x ~ normal(0, 1);\n  }\n}\n")
    );
    assert_snapshot!("break_without_loop", findings("model {\n  break;\n}\n"));
    assert_snapshot!(
        "data_argument",
        findings(
            "functions {\n  real f(data real x) {\n    return x;\n  }\n}\nparameters {\n  real p;\n}\nmodel {\n  print(f(p));\n}\n"
        )
    );
    assert_snapshot!(
        "no_return",
        findings("functions {\n  real f(real x) {\n    if (x > 0) return 1;\n  }\n}\n")
    );
    assert_snapshot!(
        "truncation",
        findings("data {\n  vector[2] y;\n}\nmodel {\n  y ~ multi_normal(y, [[1, 0], [0, 1]]) T[0, ];\n}\n")
    );
}

#[test]
fn functions_that_pass_arguments_on() {
    let ode = |body: &str| {
        findings(&format!(
            "functions {{\n  vector decay(real t, vector y, real rate) {{\n    return -rate * y;\n  }}\n}}\nparameters {{\n  real<lower=0> k;\n}}\nmodel {{\n  print({body});\n}}\n"
        ))
    };
    assert_eq!(ode("ode_rk45(decay, [1]', 0, {1, 2}, k)"), "");
    assert_snapshot!("ode_missing_argument", ode("ode_rk45(decay, [1]', 0, {1, 2})"));
    assert_snapshot!("ode_tolerance", ode("ode_rk45_tol(decay, [1]', 0, {1, 2}, k, 1e-6, 100, k)"));
    assert_snapshot!("ode_function", ode("ode_rk45(decline, [1]', 0, {1, 2}, k)"));
}

#[test]
fn warnings_and_notes() {
    assert_snapshot!("integer_division", findings("transformed data {\n  real x = 1 / 2;\n}\n"));
    assert_snapshot!(
        "long_line",
        findings(&format!("model {{\n  print({}, oops);\n}}\n", vec!["1"; 100].join(", ")))
    );
}
