//! Normal observations that are summed up once, beside the same density written so that they are not.

use posterior_dist::target::{GradTarget, Target as _};
use posterior_model::{StanModel, StanPosterior};

/// A regression with groups: the mean is affine in products of parameters, or in parameters.
fn program(density: &str) -> String {
    format!(
        "data {{ int N; int J; int K; array[N] int<lower=1, upper=J> g; matrix[N, K] x; vector[N] y; real offset; }}
         parameters {{ real mu; real<lower=0> tau; vector[J] z; vector[K] b; real<lower=0> s; }}
         model {{
           z ~ normal(0, 1);
           b ~ normal(0, 1);
           s ~ normal(0, 1);
           tau ~ normal(0, 1);
           mu ~ normal(0, 5);
           vector[N] m = mu + tau * z[g] + x * b - offset / 2;
           {density}
         }}"
    )
}

fn data(rows: usize, groups: usize, columns: usize, offset: f64) -> String {
    let wave = |i: usize, j: usize| (((i * 31 + j * 17) % 97) as f64 / 48.5 - 1.0) * (1.0 + 0.1 * j as f64);
    let y: Vec<f64> = (0..rows).map(|i| offset + 3.0 * wave(i, 5)).collect();
    let x: Vec<Vec<f64>> = (0..rows).map(|i| (0..columns).map(|j| wave(i, j)).collect()).collect();
    let g: Vec<usize> = (0..rows).map(|i| i * 7 % groups + 1).collect();
    serde_json::json!({ "N": rows, "J": groups, "K": columns, "g": g, "x": x, "y": y, "offset": offset })
        .to_string()
}

fn posterior(density: &str, data: &str) -> StanPosterior {
    StanModel::parse(&program(density)).unwrap().with_data(data).unwrap()
}

const SUMMED: &str = "y ~ normal(m, s);";
/// Student's t would be another density; a mean that the compiler cannot see through is the same.
const ROWS: &str =
    "for (n in 1:N) target += -0.5 * square((y[n] - m[n]) / s) - log(s) - 0.5 * log(2 * pi());";

#[test]
fn sums_of_squares_have_the_density_and_gradient_of_their_rows() {
    for offset in [0.0, 1e3, -1e6] {
        let data = data(400, 12, 3, offset);
        let (summed, rows) = (posterior(SUMMED, &data), posterior(ROWS, &data));
        assert!(summed.graph_size().unwrap().1 < 200 && rows.graph_size().unwrap().1 > 1000);
        let n = summed.dim();
        for seed in 0..20 {
            let point: Vec<f64> = (0..n)
                .map(|i| {
                    2.0 * ((seed * 13 + i * 29) as f64 * 0.618).fract() - 1.0 + offset * f64::from(i == 0)
                })
                .collect();
            let (mut own, mut expected) = (vec![0.0; n], vec![0.0; n]);
            let value = summed.ln_density_grad(&point, &mut own).unwrap();
            let theirs = rows.ln_density_grad(&point, &mut expected).unwrap();
            // Data near 1e6 with noise of 3 have lost six digits before anything is summed.
            let digits = 1e-12 * (1.0 + offset.abs());
            assert!((value - theirs).abs() < digits * theirs.abs(), "{value} {theirs} at {offset}");
            for (own, expected) in own.iter().zip(&expected) {
                assert!(
                    (own - expected).abs() < 1e2 * digits * (1.0 + expected.abs() + theirs.abs()),
                    "{own} {expected}"
                );
            }
        }
    }
}

#[test]
fn the_work_does_not_grow_with_the_rows() {
    let size = |rows| posterior(SUMMED, &data(rows, 12, 3, 0.0)).graph_size().unwrap();
    assert_eq!(size(1000), size(4000));
    // Few rows in many groups are taken one by one.
    let few = posterior(SUMMED, &data(12, 12, 30, 0.0)).graph_size().unwrap();
    assert!(few.1 > 20, "{few:?}");
}

#[test]
fn standard_deviations_that_are_none_are_refused_with_their_line() {
    let program =
        "data { int N; vector[N] y; } parameters { real m; real s; } model {\n  y ~ normal(m, s);\n}";
    let data = serde_json::json!({ "N": 100, "y": vec![1.5; 100] }).to_string();
    let posterior = StanModel::parse(program).unwrap().with_data(&data).unwrap();
    assert!(posterior.graph_size().unwrap().1 < 10);
    let error = posterior.ln_density(&[0.0, -1.0]).unwrap_err().to_string();
    assert!(error.contains("line 2"), "{error}");
    let expected =
        100.0 * (-0.5 * (1.5_f64 - 0.5).powi(2) / 4.0 - 2_f64.ln() - 0.5 * std::f64::consts::TAU.ln());
    let value = posterior.ln_density(&[0.5, 2.0]).unwrap();
    assert!((value - expected).abs() < 1e-12 * expected.abs(), "{value} {expected}");
}

#[test]
fn collinear_columns_are_summed_all_the_same() {
    let program = "data { int N; vector[N] x; vector[N] y; } parameters { vector[3] b; real<lower=0> s; }
                   model { y ~ normal(b[1] + b[2] * x + b[3] * x, s); }";
    let rows: Vec<f64> = (0..50).map(f64::from).collect();
    let data = serde_json::json!({ "N": 50, "x": rows, "y": rows }).to_string();
    let posterior = StanModel::parse(program).unwrap().with_data(&data).unwrap();
    let mut gradient = [0.0; 4];
    let value = posterior.ln_density_grad(&[0.3, 0.4, 0.5, 0.0], &mut gradient).unwrap();
    let squares: f64 = rows.iter().map(|x| (x - 0.3 - 0.9 * x).powi(2)).sum();
    let expected = -0.5 * squares - 25.0 * std::f64::consts::TAU.ln();
    assert!((value - expected).abs() < 1e-12 * expected.abs(), "{value} {expected}");
    let slope: f64 = rows.iter().map(|x| x * (x - 0.3 - 0.9 * x)).sum();
    assert!(
        (gradient[1] - slope).abs() < 1e-11 * slope.abs()
            && (gradient[2] - slope).abs() < 1e-11 * slope.abs()
    );
}
