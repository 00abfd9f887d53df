//! The mode, standard errors there, starts, generated quantities of given parameters, and other data.

use posterior_dist::target::{GradTarget, Target};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::optimize::LbfgsOptions;
use posterior_model::{StanData, StanModel, StanPosterior};

fn load(program: &str, data: &str) -> StanPosterior {
    StanModel::parse(program).unwrap().with_data(data).unwrap()
}

#[test]
fn the_mode_of_a_regression_is_that_of_least_squares() {
    let program = "data { int N; vector[N] x; vector[N] y; }
    parameters { real a; real b; real<lower=0> s; }
    transformed parameters { real at_two = a + 2 * b; }
    model { y ~ normal(a + b * x, s); }";
    let data = r#"{"N": 5, "x": [1, 2, 3, 4, 5], "y": [1.2, 1.9, 3.2, 3.8, 5.1]}"#;
    let posterior = load(program, data);
    let found = posterior.maximize(false, &[0.0; 3], &LbfgsOptions::default(), &mut Silent).unwrap();
    assert!(found.report.converged());
    let values = posterior.values(&found.model.point, true, None).unwrap();
    // Least squares by hand: slope 9.7 / 10, intercept 3.04 - 3 b, residual variance over N.
    let (b, a) = (0.97, 3.04 - 3.0 * 0.97);
    let residuals: Vec<f64> = [1.2, 1.9, 3.2, 3.8, 5.1]
        .iter()
        .zip(1..)
        .map(|(y, x): (&f64, i32)| y - a - b * f64::from(x))
        .collect();
    let s = (residuals.iter().map(|r| r * r).sum::<f64>() / 5.0).sqrt();
    for (own, exact) in values.iter().zip([a, b, s, a + 2.0 * b]) {
        assert!((own - exact).abs() < 1e-7, "{values:?}");
    }
    // Standard errors from the exact Hessian of (a, b, ln s): s² (XᵀX)⁻¹ and 1 / 2N.
    let mut covariance = DMatrix::zeros(3, 3);
    let unit = s * s / (5.0 * 10.0);
    covariance[(0, 0)] = unit * 55.0;
    covariance[(1, 1)] = unit * 5.0;
    (covariance[(0, 1)], covariance[(1, 0)]) = (-unit * 15.0, -unit * 15.0);
    covariance[(2, 2)] = 0.1;
    let errors = posterior.standard_errors(&found.model.point, &covariance).unwrap();
    let of_sum = (unit * (55.0 + 4.0 * 5.0 - 4.0 * 15.0)).sqrt();
    for (own, exact) in
        errors.iter().zip([(unit * 55.0).sqrt(), (unit * 5.0).sqrt(), s * 0.1_f64.sqrt(), of_sum])
    {
        assert!((own - exact).abs() < 1e-7, "{errors:?}");
    }
}

#[test]
fn derivatives_of_values_are_their_slopes() {
    let program = "parameters { simplex[3] p; ordered[2] c; cov_matrix[2] m; real<lower=0, upper=p[1]> q; }
    transformed parameters { real t = q > 0.1 ? q^2 : q; }";
    let posterior = load(program, "{}");
    let x: Vec<f64> = (0..posterior.dim()).map(|i| (0.7 * i as f64 + 0.2).sin()).collect();
    let derivatives = posterior.derivatives(&x).unwrap();
    for j in 0..x.len() {
        let at = |h: f64| {
            let mut moved = x.clone();
            moved[j] += h;
            posterior.values(&moved, true, None).unwrap()
        };
        let (above, below) = (at(1e-5), at(-1e-5));
        for i in 0..above.len() {
            let slope = (above[i] - below[i]) / 2e-5;
            assert!((derivatives[(i, j)] - slope).abs() < 1e-8, "{i}, {j}");
        }
    }
}

#[test]
fn the_density_without_jacobian_has_its_gradient() {
    let posterior = load("parameters { real<lower=0> s; } model { s ~ gamma(3, 2); }", "{}");
    let density = posterior.density(false);
    let mut gradient = [0.0];
    density.ln_density_grad(&[0.3], &mut gradient).unwrap();
    assert!((gradient[0] - (2.0 - 2.0 * 0.3_f64.exp())).abs() < 1e-14);
    assert_eq!(density.dim(), 1);
}

const GENERATING: &str = "data { int N; } parameters { simplex[2] p; vector[N] b; }
transformed parameters { real s = sum(b); }
generated quantities { real t = s + p[2]; array[2] int k; k[1] = poisson_rng(exp(b[1])); k[2] = 7; }";

#[test]
fn quantities_of_given_parameters_are_those_of_the_draw() {
    let posterior = load(GENERATING, r#"{"N": 2}"#);
    assert_eq!(posterior.generated_names().unwrap(), ["t", "k.1", "k.2"]);
    let x = [0.3, -0.2, 1.1];
    let all = posterior.values(&x, true, Some((4, 9))).unwrap();
    let given = posterior.generate(&all[..4], (4, 9)).unwrap();
    assert_eq!(given, all[5..]);
    // Six digits, as of a file.
    let rounded: Vec<f64> = all[..4].iter().map(|x| (x * 1e5).round() / 1e5).collect();
    assert!((posterior.generate(&rounded, (4, 9)).unwrap()[0] - given[0]).abs() < 1e-4);
    let refused = posterior.generate(&[0.5, 0.6, 0.0, 0.0], (4, 9)).unwrap_err();
    assert!(refused.to_string().contains("`p` does not fulfil"), "{refused}");
    assert!(posterior.generate(&[0.5, 0.5, 0.0], (4, 9)).unwrap_err().to_string().contains("too few"));
    assert!(
        posterior.generate(&[0.5, 0.5, 0.0, 0.0, 0.0], (4, 9)).unwrap_err().to_string().contains("too many")
    );
}

#[test]
fn starts_have_the_values_that_are_given() {
    let program =
        "parameters { real<lower=0> a; matrix[2, 2] m; real<lower=a> b; } model { b ~ normal(0, 1); }";
    let posterior = load(program, "{}");
    let given = StanData::from_json(r#"{"a": 2.5, "m": [[1, 2], [3, 4]]}"#).unwrap();
    let starts = posterior.starts(&given, 3, 2.0, 7).unwrap();
    assert_eq!(starts.len(), 3);
    for x in &starts {
        let values = posterior.values(x, false, None).unwrap();
        // Matrices by columns.
        assert_eq!(values[1..5], [1.0, 3.0, 2.0, 4.0]);
        assert!((values[0] - 2.5).abs() < 1e-14 && values[5] > 2.5);
    }
    assert_ne!(starts[0], starts[1]);
    assert_eq!(starts, posterior.starts(&given, 3, 2.0, 7).unwrap());
    let refused = |json: &str| {
        let given = StanData::from_json(json).unwrap();
        posterior.starts(&given, 1, 2.0, 7).unwrap_err().to_string()
    };
    assert!(refused(r#"{"aa": 1}"#).contains("no variable `aa`"));
    assert!(refused(r#"{"a": -1}"#).contains("`a`: -1 is outside its bounds"), "{}", refused(r#"{"a": -1}"#));
    assert!(refused(r#"{"m": [1, 2]}"#).contains("sizes [2, 2]"));
    let never = load("parameters { real x; } model { target += log(-1 - x^2); }", "{}");
    let why = never.starts(&StanData::default(), 1, 2.0, 1).unwrap_err().to_string();
    assert!(why.contains("no start of 100"), "{why}");
}

#[test]
fn dumps_of_r_are_read() {
    let text = "# made by dump\nN <- 3L\n\"y\" <-\nc(1.5, -2e-3, Inf)\nk <- 1:3\nm <- structure(c(1, 4, 2, 5, 3, 6), .Dim = c(2L, 3L))\n\
                a = structure(1:8, .Dim = c(2, 2, 2)); e <- integer(0)\nz <- c(1:2, 5)\nq <- -4\n";
    let expected = r#"{"N": 3, "y": [1.5, -0.002, "Inf"], "k": [1, 2, 3], "m": [[1, 2, 3], [4, 5, 6]],
        "a": [[[1, 5], [3, 7]], [[2, 6], [4, 8]]], "e": [], "z": [1, 2, 5], "q": -4}"#;
    assert_eq!(StanData::from_r_dump(text).unwrap(), StanData::from_json(expected).unwrap());
    let cases = [
        ("N <- 3\ny <- c(1, ", "line 2 of the R dump: expected a number"),
        ("N = \"a\"", "line 1 of the R dump: expected a number"),
        ("N 3", "expected `<-` behind `N`"),
        ("m <- structure(c(1, 2), .Dim = c(2, 3))", "sizes whose product is 2"),
        ("m <- structure(c(1, 2), names = c(2, 3))", "the attribute `names` is not read"),
        ("N <- 1\nN <- 2", "`N` has a value already"),
        ("x <- list(1)", "expected a number"),
    ];
    for (text, message) in cases {
        let error = StanData::from_r_dump(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
}

#[test]
fn pathfinder_finds_the_references() {
    use posterior_sampling::Start;
    use posterior_sampling::variational::Pathfinder;
    use posterior_testkit::{reference, shared};
    let Some(file) = shared::shared_file("pathfinder", "data/posteriordb/reference.json") else { return };
    let all: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let list = std::fs::read_to_string(file.with_file_name("posteriors.json")).unwrap();
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    for program in ["kidscore_momiq", "blr"] {
        let own = list.as_array().unwrap().iter().find(|one| one["program"] == program).unwrap();
        let text = |field: &str| own[field].as_str().unwrap();
        let posterior = super::densities::load("pathfinder", program, text("data")).unwrap();
        let options = Pathfinder { path_draws: 4000, draws: 4000, ..Pathfinder::default() };
        let found = options.fit(&posterior, &Start::default(), 1).unwrap();
        assert!(found.smoothed.is_reliable(), "{program}: {}", found.smoothed.shape);
        let effective = found.smoothed.weights.ess().min(4000.0);
        let names = posterior.names(true, false).unwrap();
        let draws = found.draws.map(names.clone(), |x, row| {
            row.copy_from_slice(&posterior.values(x, true, None).unwrap());
        });
        let draws = draws.unwrap();
        for (place, name) in names.iter().enumerate() {
            let name = name.split_once('.').map_or(name.clone(), |(stem, at)| format!("{stem}[{at}]"));
            let theirs = &all[text("reference")][&name];
            if theirs.is_null() {
                continue;
            }
            let (mean, sd) = (reference::number(&theirs["mean"]), reference::number(&theirs["sd"]));
            let column = draws.parameter(place).concat();
            let n = column.len() as f64;
            let own = column.iter().sum::<f64>() / n;
            let own_sd = (column.iter().map(|x| (x - own).powi(2)).sum::<f64>() / n).sqrt();
            assert!((own - mean).abs() < 5.0 * sd / effective.sqrt(), "{program} {name}: {own} for {mean}");
            assert!(
                (own_sd / sd - 1.0).abs() < 5.0 * 2.0 / effective.sqrt(),
                "{program} {name}: {own_sd} for {sd}"
            );
        }
    }
}
