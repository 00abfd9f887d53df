//! Rules of the language, each by a program that keeps it and one that breaks it.

use crate::{first_error, is_accepted};

/// A program of one statement in the model, beside variables of the usual types.
fn with(statement: &str) -> String {
    format!(
        "functions {{\n  real first(vector v) {{ return v[1]; }}\n  void say(real x) {{ print(x); }}\n}}\n\
         data {{ int N; array[N] int n; real x; vector[N] v; matrix[N, N] m; array[2] vector[N] a; }}\n\
         parameters {{ real p; vector[2] w; }}\n\
         model {{\n  int i; real r; row_vector[N] q; complex z; tuple(int, vector[2]) t; array[2, 3] real b;\n  {statement}\n}}\n"
    )
}

#[track_caller]
fn good(statements: &[&str]) {
    for statement in statements {
        assert!(is_accepted(&with(statement)), "{statement}: {}", first_error(&with(statement)));
    }
}

#[track_caller]
fn bad(statements: &[&str]) {
    for statement in statements {
        assert!(!is_accepted(&with(statement)), "{statement} is accepted");
    }
}

#[test]
fn arithmetic() {
    good(&[
        "r = 1 + x * p;",
        "r = v' * v;",
        "q = v' * m;",
        "v[1:2] ~ normal(w, 1);",
        "r = -p ^ 2;",
        "i = 7 %/% 2 % 3;",
    ]);
    good(&[
        "z = 2i * x;",
        "r = abs(z);",
        "i = x < p && !(N == 2) || N >= 3;",
        "print(m / m, q / m, m \\ v, v / 2);",
    ]);
    bad(&[
        "r = v * v;",
        "q = m * v;",
        "i = 7 / 2.0;",
        "i = x %/% 2;",
        "i = x % 2;",
        "r = z;",
        "i = z < 2;",
        "r = n + 1;",
    ]);
}

#[test]
fn literals() {
    good(&[
        "r = .5e-3 + 1. + 1_000.5;",
        "i = 2147483647;",
        "print({{1, 2.5}, {3, 4}});",
        "q = [1, p];",
        "print([[1, 2], q[1:2]]);",
    ]);
    good(&["t = (1, w);", "print((1,), [], {1i, 2});"]);
    bad(&[
        "i = 2147483648;",
        "print({1, v});",
        "print({{1}, 2});",
        "print([v, v]);",
        "print([1, q]);",
        "print({});",
        "t = (1.5, w);",
    ]);
}

#[test]
fn indices() {
    good(&[
        "r = m[1, 2] + v[N] + a[1, 2];",
        "q = m[1];",
        "v[n] ~ normal(0, 1);",
        "print(m[:, 1] + v, m[1, :] + q, m[2:, :3], a[n, 2]);",
    ]);
    good(&[
        "r = b[1, 2]; b[1] = {1, 2, 3};",
        "t.1 = 2; t.2[1] = p;",
        "print(a[1][2], t.2[1]);",
        "b[1, 2:3] = {1, 2};",
    ]);
    bad(&[
        "r = v[1, 2];",
        "r = m[1];",
        "r = v[x];",
        "r = x[1];",
        "r = t.3;",
        "r = x.1;",
        "print(v[v]);",
        "print(v[{{1}}]);",
    ]);
}

#[test]
fn assignments() {
    good(&[
        "r += 1;",
        "q *= 2;",
        "q .*= q;",
        "(i, r) = (1, 2);",
        "(i, t.1) = (1, 2);",
        "(r, b[1]) = (1, b[2]);",
    ]);
    bad(&[
        "x = 1;",
        "p = 1;",
        "say = 1;",
        "pi = 3;",
        "i += 1.5;",
        "r .*= 2;",
        "(r, r) = (1, 2);",
        "b[1:2][1] = b[1];",
    ]);
    bad(&[
        "n[n[1]] = 1;",
        "(i, b[i]) = (1, b[1]);",
        "(t, t.1) = (t, 1);",
        "r = say;",
        "r = say(1);",
        "unknown = 1;",
    ]);
}

#[test]
fn control_flow() {
    good(&[
        "if (x > 1) r = 1; else if (N) r = 2; else { r = 3; }",
        "while (i < 3) { i += 1; if (i == 2) continue; break; }",
    ]);
    good(&[
        "for (k in 1:N) r += v[k];",
        "for (row in a) q = row';",
        "for (e in m) r += e;",
        "profile(\"part\") { real k = 1; r = k; }",
    ]);
    bad(&[
        "if (v) r = 1;",
        "for (k in 1:x) r = k;",
        "for (k in x) r = k;",
        "for (k in 1:2) k = 1;",
        "break;",
        "for (i in 1:2) { }",
    ]);
    bad(&["{ real k; } r = k;", "return;", "while (v) { }", "if (1) { real x; }"]);
}

#[test]
fn distributions() {
    good(&[
        "x ~ normal(p, 1);",
        "v ~ normal(w[1], 2);",
        "n ~ poisson(exp(p));",
        "n[1] ~ binomial(N, .5) T[1, N];",
        "x ~ normal(0, 1) T[, 3];",
    ]);
    good(&[
        "w ~ std_normal();",
        "target += normal_lupdf(x | 0, 1) + bernoulli_lpmf(1 | 0.5);",
        "v ~ multi_normal(v, m);",
        "1.5 ~ normal(0, 1);",
    ]);
    bad(&[
        "x ~ poisson(1);",
        "x ~ normal(1);",
        "x ~ normal(v, n, 1);",
        "x ~ first();",
        "x ~ normal(0, 1) T[v, ];",
        "n[1] ~ poisson(1) T[0.5, ];",
    ]);
    bad(&[
        "target += normal_lpdf(x, 0, 1);",
        "target += exp(x | 1);",
        "target += z;",
        "v ~ poisson_cdf(1);",
        "x ~ normal_rng(0, 1);",
    ]);
}

#[test]
fn declarations() {
    good(&[
        "array[N] vector[2] y;",
        "real y = 1, k = y;",
        "tuple(real, array[2] int) y;",
        "matrix[N, 2] y = rep_matrix(0, N, 2);",
        "real log = 1;",
    ]);
    bad(&[
        "real y = k, k = 1;",
        "vector[x] y;",
        "array[2] real y = 1;",
        "real<lower=0> y;",
        "vector[2] y = q;",
        "int y = x;",
        "real x;",
        "real y__;",
    ]);
    let data = |text: &str| format!("data {{\n  int N;\n  real x;\n  {text}\n}}\n");
    for text in [
        "real<lower=0, upper=1> y;",
        "int<lower=N> y;",
        "vector<lower=x>[N] y;",
        "array[N] real<upper=x> y;",
        "vector<offset=x, multiplier=2>[3] y;",
        "cholesky_factor_cov[3] y;",
        "cholesky_factor_cov[3, 2] y;",
        "row_stochastic_matrix[2, 3] y;",
        "sum_to_zero_matrix[2, 2] y;",
        "complex_matrix[2, 2] y;",
        "corr_matrix[N] y;",
        "tuple(int<lower=0>, array[N] simplex[3]) y;",
        "unit_vector[2] y;",
        "positive_ordered[2] y;",
    ] {
        assert!(is_accepted(&data(text)), "{text}: {}", first_error(&data(text)));
    }
    for text in [
        "int<lower=0.5> y;",
        "real<lower=0, offset=1> y;",
        "complex<lower=0> y;",
        "int<offset=1> y;",
        "simplex y;",
        "simplex[2, 2] y;",
        "vector[N] y[2];",
        "real<lower=1, lower=2> y;",
        "matrix[2] y;",
        "array[] real y;",
        "real<upper=N == 1> y;",
        "vector<lower={1}>[2] y;",
    ] {
        assert!(!is_accepted(&data(text)), "{text} is accepted");
    }
}

#[test]
fn blocks() {
    assert!(is_accepted(""));
    assert!(is_accepted("generated quantities { int k = poisson_rng(2); }"));
    assert!(is_accepted(
        "parameters { real x; } generated quantities { vector[1] y; real z = x; array[to_int(x)] real s; }"
    ));
    assert!(is_accepted("transformed parameters { real x = 1; jacobian += x; }"));
    assert!(!is_accepted("parameters { int k; }"));
    assert!(!is_accepted("transformed parameters { tuple(real, int) k; }"));
    assert!(!is_accepted("parameters { real x; } transformed parameters { vector[num_elements({x})] y; }"));
    assert!(!is_accepted("transformed parameters { real x; } model { x = 2; }"));
    assert!(!is_accepted("model { jacobian += 1; }"));
    assert!(!is_accepted("transformed parameters { target += 1; }"));
    assert!(!is_accepted("transformed data { real x = normal_lupdf(1 | 0, 1); }"));
    assert!(!is_accepted("model { } model { }"));
}

#[test]
fn functions() {
    let functions = |text: &str| format!("functions {{\n{text}\n}}\n");
    for text in [
        "real f(real x); real g(real x) { return f(x); } real f(real x) { return x > 0 ? g(x - 1) : 0; }",
        "real f(real x) { return x; } real f(vector x) { return x[1]; }",
        "real f_lpdf(real y, real s) { return -y * s; } void g_lp(real y) { y ~ f(2); target += f_lpdf(y | 2); }",
        "real f_rng(real s) { return normal_rng(0, s); }",
        "void f() { } void g() { f(); return; }",
        "array[,] real f(array[,] real x, data int n, tuple(int, real) t) { return x; }",
        "real f(real x) { while (1) { if (x > 2) return 1; } }",
        "real f(real x) { reject(\"never\"); }",
        "real exp(real x, real y) { return x + y; }",
        "real f_jacobian(real x) { jacobian += x; return x; }",
    ] {
        assert!(is_accepted(&functions(text)), "{text}: {}", first_error(&functions(text)));
    }
    for text in [
        "real f(real x);",
        "real f(real x) { } ",
        "real f(real x) { return x; } real f(real y) { return y; }",
        "int f(real x) { return x; }",
        "void f() { return 1; }",
        "real f_lpdf(int y) { return 1; }",
        "real f_lpmf(real y) { return 1; }",
        "int f_lpdf(real y) { return 1; }",
        "real f_lpdf() { return 1; }",
        "real f(real x, real x) { return 1; }",
        "real f(real x) { x = 1; return x; }",
        "real exp(real x) { return x; }",
        "real reduce_sum(real x) { return x; }",
        "real f(real x) { return normal_rng(x, 1); }",
        "real f(vector[3] x) { return 1; }",
        "real f(data real x); real f(real x) { return x; }",
        "real f_lupdf(real x) { return x; }",
        "void f() { break; }",
    ] {
        assert!(!is_accepted(&functions(text)), "{text} is accepted");
    }
}

#[test]
fn sums_in_slices() {
    let sum = |call: &str| {
        format!(
            "functions {{\n  real part(array[] real slice, int start, int end, real s) {{ return sum(slice) * s; }}\n\
             real part_lpdf(array[] real slice, int start, int end) {{ return sum(slice); }}\n}}\n\
             parameters {{ array[3] real y; }}\nmodel {{ target += {call}; }}\n"
        )
    };
    for call in
        ["reduce_sum(part, y, 1, 2.5)", "reduce_sum_static(part, y, 1, 2)", "reduce_sum(part_lupdf, y, 1)"]
    {
        assert!(is_accepted(&sum(call)), "{call}: {}", first_error(&sum(call)));
    }
    for call in [
        "reduce_sum(part, y, 1)",
        "reduce_sum(part, 1, 1, 2)",
        "reduce_sum(y, y, 1)",
        "reduce_sum(part, y)",
        "reduce_sum()",
    ] {
        assert!(!is_accepted(&sum(call)), "{call} is accepted");
    }
}
