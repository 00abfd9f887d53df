//! What is claimed of a program's density, and what is not.
//!
//! That claims are true is checked by numbers in `posterior-model`.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use posterior_stan::{ConditionalKind, ExplainedParameter, PriorKind, Program, ProgramExplanation};

fn explained(text: &str) -> ProgramExplanation {
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{error}"));
    program.check().unwrap_or_else(|error| panic!("{error}")).explain()
}

/// A program of these parameters and statements, with some data.
fn model(parameters: &str, statements: &str) -> ProgramExplanation {
    explained(&format!(
        "data {{ int N; int K; vector[N] x; vector[N] y; matrix[N, K] X; array[N] int n; array[N] int g; }}
         parameters {{ {parameters} }}
         model {{ {statements} }}"
    ))
}

fn of<'a>(all: &'a ProgramExplanation, name: &str) -> &'a ExplainedParameter {
    all.parameters.iter().find(|own| own.name == name).unwrap_or_else(|| panic!("no {name}"))
}

fn is_gaussian(all: &ProgramExplanation, name: &str) -> bool {
    of(all, name).conditional == ConditionalKind::Gaussian { within: false }
}

fn family(all: &ProgramExplanation, name: &str) -> Option<&'static str> {
    match &of(all, name).conditional {
        ConditionalKind::Conjugate { family, .. } => Some(family),
        _ => None,
    }
}

const LINE: &str = "real a; vector[K] b; real<lower=0> s;";

#[test]
fn affine_means_are_found_through_loops_locals_and_functions() {
    let written = [
        "a ~ normal(0, 1); b ~ std_normal(); y ~ normal(a + X * b, s);",
        "a ~ normal(0, 1); b ~ std_normal(); for (i in 1:N) y[i] ~ normal(a + X[i] * b, s);",
        "vector[N] mu = rep_vector(a, N); a ~ normal(0, 1); b ~ normal(0, 2); mu += X * b; y ~ normal(mu, s);",
        "target += normal_lpdf(a | 0, 1) + std_normal_lpdf(b); target += normal_lpdf(y | X * b + a, s);",
        "a ~ normal(0, 1); target += -0.5 * dot_self(b); y ~ normal_id_glm(X, a, b, s);",
        "a ~ normal(0, 1); b ~ multi_normal(rep_vector(a, K), identity_matrix(K)); y ~ normal(X * b, s);",
        "vector[N] lp; a ~ normal(0, 1); for (i in 1:N) lp[i] = normal_lpdf(y[i] | a + X[i] * b, s);
         b ~ normal(0, 1); target += sum(lp);",
        "if (K > 1) { a ~ normal(0, 1); } b ~ normal(a, 1); y ~ normal(X * b, s);",
    ];
    for text in written {
        let all = model(LINE, text);
        assert!(is_gaussian(&all, "a") && is_gaussian(&all, "b"), "{text}: {all:#?}");
        assert_eq!(all.joint, [["a", "b"]], "{text}");
        assert!(
            matches!(of(&all, "s").conditional, ConditionalKind::Unknown { obstacle: Some(_) }),
            "{text}"
        );
    }
    let all = explained(
        "functions {
           vector line(real a, vector b, matrix X) { return a + X * b; }
           real part_lpdf(array[] real y, int start, int end, real a, vector b, matrix X) {
             return normal_lpdf(y | line(a, b, X[start:end]), 1);
           }
         }
         data { int N; array[N] real y; matrix[N, 2] X; }
         parameters { real a; vector[2] b; }
         model { a ~ std_normal(); b ~ std_normal(); target += reduce_sum(part_lpdf, y, 1, a, b, X); }",
    );
    assert_eq!(all.joint, [["a", "b"]]);
}

#[test]
fn what_is_not_affine_or_scales_is_not_claimed() {
    let wrong = [
        ("real a;", "y ~ normal(a * a, 1);"),
        ("real a;", "y ~ normal(exp(a), 1);"),
        ("real a;", "y ~ normal(a, exp(a));"),
        ("real a;", "y ~ student_t(4, a, 1);"),
        ("real a;", "y ~ normal(0, 1); target += a^3;"),
        ("real a;", "for (i in 1:N) { real m = a; if (a > 0) m = x[i]; y[i] ~ normal(m, 1); }"),
        ("real a;", "if (a > 0) y ~ normal(a, 1);"),
        ("real a;", "for (i in 1:N) { y[i] ~ normal(a, 1); if (a > 0) break; }"),
        ("real a;", "a ~ normal(0, 1); y ~ normal(a < 0 ? a : 2 * a, 1);"),
        ("real a;", "real m = 1; while (m < a) m += 1; y ~ normal(m, 1);"),
        ("real a;", "for (i in 1:N) y[i] ~ normal(a, 1) T[a, ];"),
        ("real a;", "for (i in 1:N) y[i] ~ normal(a, 1) T[0, ];"),
        ("real a;", "real m = a; for (i in 1:N) m *= m; y ~ normal(m, 1);"),
        ("real a;", "n ~ poisson_log(a);"),
        ("simplex[3] a;", "y ~ normal(a[1], 1);"),
        ("real a;", "target += log_mix(0.5, normal_lpdf(y | a, 1), normal_lpdf(y | 0, 1));"),
    ];
    for (parameters, text) in wrong {
        let all = model(parameters, text);
        assert!(matches!(of(&all, "a").conditional, ConditionalKind::Unknown { .. }), "{text}: {all:#?}");
    }
    // Each given the other, but not together; and within bounds.
    let all = model("real a; real b;", "a ~ normal(0, 1); b ~ normal(0, 1); y ~ normal(a * b, 1);");
    assert!(is_gaussian(&all, "a") && is_gaussian(&all, "b") && all.joint.is_empty());
    // Of a product of three, two are Gaussian together where the third is not.
    let all = model("real a; real b; real c;", "target += -(square(a) + b * b + c^2) + a * b * c;");
    assert!(is_gaussian(&all, "c") && all.joint.is_empty(), "{all:#?}");
    let all = model("real a; real b; real c;", "target += -square(a + b) - dot_self([b, c]) - square(a);");
    assert_eq!(all.joint, [["a", "b", "c"]]);
    let within = [
        ("real<lower=0> a;", "a ~ normal(0, 1); y ~ normal(a, 1);"),
        ("ordered[3] a;", "a ~ normal(0, 1); y ~ normal(a[1], 1);"),
        ("real a;", "a ~ uniform(-1, 1); y ~ normal(a, 1);"),
        ("real a;", "a ~ normal(0, 1) T[0, ]; y ~ normal(a, 1);"),
        ("real a; real<lower=a> c;", "a ~ normal(0, 1); c ~ normal(0, 1); y ~ normal(c, 1);"),
        ("real a;", "if (a < 0) reject(\"no\"); y ~ normal(a, 1);"),
    ];
    for (parameters, text) in within {
        let all = model(parameters, text);
        let own = &of(&all, "a").conditional;
        assert_eq!(*own, ConditionalKind::Gaussian { within: true }, "{text}: {all:#?}");
    }
}

#[test]
fn conjugate_pairs_are_found_and_only_they() {
    let pairs = [
        ("real<lower=0, upper=1> p;", "n ~ bernoulli(p);", Some("beta")),
        ("real<lower=0, upper=1> p;", "p ~ beta(2, 3); n ~ binomial(9, p);", Some("beta")),
        (
            "vector<lower=0, upper=1>[N] p;",
            "p ~ beta(2, 3); for (i in 1:N) n[i] ~ binomial(9, p[g[i]]);",
            Some("beta"),
        ),
        ("real<lower=0, upper=1> p;", "p ~ beta(2, 3); n ~ bernoulli(0.5 * p);", None),
        ("real<lower=0, upper=0.5> p;", "p ~ beta(2, 3); n ~ bernoulli(p);", None),
        ("real<lower=0, upper=1> p;", "p ~ normal(0, 1); n ~ bernoulli(p);", None),
        ("real<lower=0> p;", "p ~ gamma(2, 3); n ~ poisson(p * exp(x));", Some("gamma")),
        ("real<lower=0> p;", "p ~ exponential(3); x ~ exponential(p / 2);", Some("gamma")),
        ("real<lower=0> p;", "p ~ gamma(2, 3); n ~ poisson(p + 1);", None),
        ("real<lower=0> p;", "p ~ gamma(2, 3); n ~ poisson(square(p));", None),
        ("real<lower=0> p;", "n ~ poisson(p);", None),
        ("real<lower=0> p;", "p ~ gamma(2, 3); y ~ normal(0, 1 / sqrt(p));", Some("gamma")),
        ("real<lower=0> p;", "real s = inv_sqrt(p); p ~ gamma(2, 3); y ~ normal(0, s);", Some("gamma")),
        ("real<lower=0> p;", "p ~ gamma(2, 3); y ~ normal(p, 1 / sqrt(p));", None),
        ("real<lower=0> p;", "p ~ inv_gamma(2, 3); y ~ normal(0, sqrt(p));", Some("inv_gamma")),
        ("real<lower=0> p;", "p ~ inv_gamma(2, 3); y ~ normal(0, p);", None),
        ("simplex[3] p;", "n ~ categorical(p);", Some("dirichlet")),
        ("simplex[3] p;", "p ~ dirichlet([1, 2, 3]'); n ~ multinomial(p);", Some("dirichlet")),
        (
            "cov_matrix[2] p;",
            "p ~ inv_wishart(4, identity_matrix(2)); [1, 2]' ~ multi_normal([0, 0]', p);",
            Some("inv_wishart"),
        ),
    ];
    for (parameters, text, wanted) in pairs {
        let all = model(parameters, text);
        assert_eq!(family(&all, "p"), wanted, "{text}: {all:#?}");
    }
}

#[test]
fn priors_that_are_missing_are_named() {
    use PriorKind::{Flat, Unclear, Uniform};
    let all = model(
        "real a; real<lower=0> s; real<lower=0, upper=1> p; simplex[3] q; real c; real d; real<lower=0> e;",
        "y ~ normal(a, s); n ~ bernoulli(p); n ~ categorical(q); target += -c^2; (d - e) ~ normal(0, 1);",
    );
    let kinds = all.parameters.iter().map(|own| own.prior).collect::<Vec<_>>();
    assert_eq!(kinds, [Flat, Flat, Uniform, Uniform, Unclear, Unclear, Unclear]);
    // A residual that is the outcome is a likelihood; missing values among data have a prior.
    let all = explained(
        "data { int N; vector[N] y; vector[N] x; }
         parameters { real b; vector[3] missing; real<lower=0> s; }
         transformed parameters { vector[N + 3] all_y = append_row(y, missing); }
         model { y - b * x ~ normal(0, s); all_y ~ normal(0, s); s ~ lognormal(0, 1); }",
    );
    assert_eq!((of(&all, "b").prior, of(&all, "missing").prior), (Flat, PriorKind::Stated));
    assert!(is_gaussian(&all, "missing") && is_gaussian(&all, "b"));
    assert_eq!(of(&all, "missing").quantities, ["all_y"]);
    let prior = of(&all, "s").priors[0];
    assert_eq!((all.terms[prior].text.as_str(), all.terms[prior].place.line), ("s ~ lognormal(0, 1);", 4));
}

#[test]
fn centred_hierarchies_and_changes_of_variables_are_named() {
    let hierarchy = |declared: &str, text: &str| {
        let parameters = format!("real m; real<lower=0> t; {declared}");
        let all = model(&parameters, &format!("{text} y ~ normal(0, 1);"));
        of(&all, "e").scales.clone()
    };
    assert_eq!(hierarchy("vector[K] e;", "e ~ normal(m, t);"), ["t"]);
    assert_eq!(hierarchy("vector[K] e;", "for (k in 1:K) e[k] ~ student_t(4, m, t);"), ["t"]);
    assert_eq!(
        hierarchy("vector[K] e;", "e ~ multi_normal(rep_vector(m, K), t * identity_matrix(K));"),
        ["t"]
    );
    assert!(hierarchy("vector[K] e;", "e ~ normal(0, 1); x ~ normal(m + t * e[g], 1);").is_empty());
    assert!(hierarchy("vector<offset=m, multiplier=t>[K] e;", "e ~ normal(m, t);").is_empty());
    assert!(hierarchy("vector[K] e;", "e ~ normal(m, 2);").is_empty());
    let all = model("real<lower=0> s; real a;", "log(s) ~ normal(0, 1); a ~ normal(log(s), 1);");
    assert_eq!((of(&all, "s").changed.len(), of(&all, "a").changed.len()), (1, 0));
}

#[test]
fn mixtures_that_are_summed_out_are_found() {
    let all = model(
        "real<lower=0, upper=1> p; vector[2] m;",
        "for (i in 1:N) {
           vector[2] lp = [log(p), log1m(p)]';
           for (k in 1:2) lp[k] += normal_lpdf(y[i] | m[k], 1);
           target += log_sum_exp(lp);
           target += log_mix(p, normal_lpdf(x[i] | 0, 1), normal_lpdf(x[i] | 1, 1));
         }
         target += -log_sum_exp(m);",
    );
    let found: Vec<(&str, usize)> =
        all.mixtures.iter().map(|own| (own.function.as_str(), own.place.line)).collect();
    assert_eq!(found, [("log_sum_exp", 6), ("log_mix", 7)]);
}

#[test]
fn what_cannot_be_followed_is_said() {
    let call = |i: usize| format!("real f{i}(real x) {{ return f{}(x) + f{}(x); }}\n", i - 1, i - 1);
    let calls = (1..40).map(call).collect::<Vec<_>>().concat();
    let all = explained(&format!(
        "functions {{ real f0(real x) {{ return x; }} {calls} }}
         parameters {{ real a; }} model {{ a ~ normal(0, 1); target += -square(f19(a)); }}"
    ));
    assert!(!all.complete && !is_gaussian(&all, "a"));
    let recursive = explained(
        "functions { void add_lp(real x, int n) { if (n > 0) { add_lp(x * x, n - 1); target += -x^2; } } }
         parameters { real a; } model { add_lp(a, 2); a ~ normal(0, 1); }",
    );
    assert!(!recursive.complete && !is_gaussian(&recursive, "a"));
    let one = |i: usize| format!("for (i{i} in 1:2) ");
    let nested = |n: usize| (0..n).map(one).collect::<Vec<_>>().concat();
    let all = explained(&format!("parameters {{ real a; }} model {{ {} a ~ normal(0, 1); }}", nested(60)));
    assert!(all.complete && is_gaussian(&all, "a"));
}

/// Thousands of names, a loop for each, sums of hundreds of them multiplied: no claim where that is too much.
#[test]
fn large_programs_are_followed_as_far_as_that_goes() {
    let names: Vec<String> = (0..2000).map(|i| format!("a{i}")).collect();
    let declared = format!("real {};", names.join("; real "));
    let sum = names.iter().take(300).map(String::as_str).collect::<Vec<_>>().join(" + ");
    let written = |priors: &dyn Fn(&String) -> String| {
        let priors: String = names.iter().map(priors).collect();
        let sums = format!("target += -({sum}) * ({sum}); target += -square({sum});");
        explained(&format!("parameters {{ {declared} }} model {{ {priors} {sums} }}"))
    };
    let looped = written(&|name| format!("for (i in 1:2) {{ {name} ~ normal(0, 1); }}\n"));
    assert!(looped.parameters.len() == 2000 && !looped.complete && looped.joint.is_empty());
    let plain = written(&|name| format!("{name} ~ normal(0, 1);\n"));
    assert!(plain.complete && !is_gaussian(&plain, "a0") && is_gaussian(&plain, "a1999"));
    assert_eq!(plain.joint[0].len(), 1700);
}
