//! Programs of before version 2.33.

use insta::assert_snapshot;
use posterior_stan::{Dialect, Program};

use crate::findings;

#[test]
fn old_syntax_is_read_with_notes() {
    assert_snapshot!(findings(
        "functions {\n  real[] f(int[,] n) { return {1.0}; }\n}\ndata {\n  int N;\n  vector[2] x[N]; # sizes\n  real offset;\n}\n\
         model {\n  real y;\n  y <- fabs(offset);\n}\n"
    ));
}

#[test]
fn old_functions_are_read_or_explained() {
    assert_snapshot!(
        "renamed",
        findings("parameters {\n  real x;\n}\nmodel {\n  print(multiply_log(x, x));\n}\n")
    );
    assert_snapshot!(
        "removed",
        findings(
            "parameters {\n  real x;\n}\nmodel {\n  increment_log_prob(x);\n  print(if_else(1, 2, 3), get_lp());\n}\n"
        )
    );
    assert_snapshot!(
        "density",
        findings("parameters {\n  real x;\n}\nmodel {\n  target += normal_log(x, 0, 1);\n}\n")
    );
}

#[test]
fn densities_of_users_that_end_in_log_are_read() {
    assert_snapshot!(findings(
        "functions {\n  real f_log(real y, real s) {\n    return -y * s;\n  }\n}\nparameters {\n  real x;\n}\n\
         model {\n  x ~ f(2);\n  print(normal_cdf(x, 0, 1));\n}\n"
    ));
}

#[test]
fn todays_dialect_refuses_it() {
    for text in [
        "data { int n[3]; }",
        "model { real x; x <- 1; }",
        "# comment",
        "functions { void f(int[] n) { } }",
        "data { real lower; }",
    ] {
        assert!(Program::parse_file("old.stan", text, Dialect::Current).is_err(), "{text}");
        assert!(Program::parse_file("old.stan", text, Dialect::Any).is_ok(), "{text}");
    }
}
