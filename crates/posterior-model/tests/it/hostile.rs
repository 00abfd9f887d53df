//! Programs that go wrong: an error that names the line, soon.

use std::time::{Duration, Instant};

use posterior_dist::target::Target;
use posterior_model::StanModel;

fn line(program: &str) -> (Option<usize>, String) {
    let start = Instant::now();
    let error = StanModel::parse(program).unwrap().with_data("{}").unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(5), "{program}");
    (error.line(), error.to_string())
}

#[test]
fn what_goes_wrong_names_its_line() {
    let cases = [
        (
            "transformed data {\n  array[3] int a = {1, 2, 3};\n  int b = a[4];\n}",
            3,
            "index 4 is out of range",
        ),
        ("transformed data {\n  int n = 0;\n  int b = 1 %/% n;\n}", 3, "divided by zero"),
        ("transformed data {\n  vector[2147483647] v;\n}", 2, "more than"),
        ("transformed data {\n  int n = -1;\n  vector[n] v;\n}", 3, "negative"),
        ("transformed data {\n  array[70000, 70000] real v;\n}", 2, "more than"),
        (
            "functions {\n  int f(int n) {\n    return f(n + 1);\n  }\n}\ntransformed data { int k = f(1); }",
            3,
            "nested",
        ),
        ("transformed data {\n  vector[2] a;\n  vector[3] b;\n  b = a;\n}", 4, "sizes [2]"),
        ("transformed data {\n  reject(\"no \", 3);\n}", 2, "no 3"),
        ("transformed data {\n  int a = 2147483647;\n  int b = a * a * a;\n}", 3, "too large"),
        ("parameters { real x; }\nmodel {\n  x ~ normal([1, 2, 3], [1, 2]');\n}", 3, "arguments of"),
        ("transformed data {\n  matrix[2, 3] m;\n  vector[2] v = m * [1, 2]';\n}", 3, "a product of 2 × 3"),
    ];
    for (program, expected, message) in cases {
        let (at, text) = line(program);
        assert_eq!(at, Some(expected), "{program}: {text}");
        assert!(text.contains(message), "{program}: {text}");
    }
}

#[test]
fn a_branch_on_a_parameter_has_the_same_density() {
    let branch = "parameters { real x; } model { if (x > 0) x ~ normal(0, 1); else target += -x^2; }";
    let posterior = StanModel::parse(branch).unwrap().with_data("{}").unwrap();
    assert!(!posterior.is_static());
    let constant = 0.5 * (2.0 * std::f64::consts::PI).ln();
    assert!((posterior.ln_density(&[2.0]).unwrap() + 2.0 + constant).abs() < 1e-14);
    assert!((posterior.ln_density(&[-2.0]).unwrap() + 4.0).abs() < 1e-14);
}

#[test]
fn a_truncation_by_a_parameter_keeps_the_record() {
    use posterior_dist::target::GradTarget;
    use posterior_math::special::{HALF_LN_TAU, ln_normal_cdf};
    let program = "parameters { real mu; real low; } model { 2.5 ~ normal(mu, 1) T[low, ]; }";
    let posterior = StanModel::parse(program).unwrap().with_data("{}").unwrap();
    assert!(posterior.is_static());
    let mut gradient = [0.0; 2];
    let value = posterior.ln_density_grad(&[0.5, 1.2], &mut gradient).unwrap();
    let ln_tail = ln_normal_cdf(0.5 - 1.2);
    assert!((value - (-2.0 - HALF_LN_TAU - ln_tail)).abs() < 1e-14, "{value}");
    let hazard = (-0.5 * 0.49 - HALF_LN_TAU - ln_tail).exp();
    assert!((gradient[0] - (2.0 - hazard)).abs() < 1e-13 && (gradient[1] - hazard).abs() < 1e-13);
    assert_eq!(posterior.ln_density(&[0.5, 2.6]).unwrap(), f64::NEG_INFINITY);
}

#[test]
fn a_point_that_is_refused_names_the_line() {
    let program = "parameters { real x; }\ntransformed parameters {\n  real<lower=0> y = x;\n}\nmodel {\n  x ~ normal(0, y);\n}";
    let posterior = StanModel::parse(program).unwrap().with_data("{}").unwrap();
    assert!(posterior.ln_density(&[1.0]).is_ok());
    let error = posterior.ln_density(&[-1.0]).unwrap_err();
    assert!(!error.is_fatal());
    assert!(error.to_string().contains("line 6"), "{error}");
}

#[test]
fn eigenvectors_have_their_derivatives() {
    use posterior_dist::target::GradTarget;
    let program = "parameters { vector[6] a; } model {
      matrix[3, 3] m = [[3 + a[1], a[2], a[3]], [a[2], 1 + a[4], a[5]], [a[3], a[5], -1 + a[6]]];
      matrix[3, 3] v = eigenvectors_sym(m);
      target += sum(exp(eigenvalues_sym(m))) + 2 * v[1, 1]^2 * v[2, 1] * v[3, 1] + v[2, 3]^2 - v[1, 2] * v[3, 2];
    }";
    let posterior = StanModel::parse(program).unwrap().with_data("{}").unwrap();
    let x = [0.1, 0.2, -0.3, 0.15, 0.4, 0.05];
    let mut gradient = [0.0; 6];
    posterior.ln_density_grad(&x, &mut gradient).unwrap();
    for i in 0..6 {
        let at = |h: f64| {
            let mut moved = x;
            moved[i] += h;
            posterior.ln_density(&moved).unwrap()
        };
        let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!((gradient[i] - slope).abs() < 1e-7, "{i}: {} for {slope}", gradient[i]);
    }
}
