//! Stiff differential equations beside solutions that are known.

use posterior_dist::target::{GradTarget, Target as _};
use posterior_model::StanModel;

/// y' = -k (y - cos t) from 0: what is fast is gone at once.
fn fast(solver: &str, time: f64) -> String {
    format!(
        "functions {{ vector slope(real t, vector y, real k) {{ return -k * (y - cos(t)); }} }}
         parameters {{ real ln_k; }}
         model {{ target += {solver}(slope, [0.0]', 0, {{{time}}}, exp(ln_k))[1][1]; }}"
    )
}

/// The solution and its derivative by ln k.
fn known(k: f64, t: f64) -> (f64, f64) {
    let size = 1.0 + k * k;
    let (start, decay) = (k * k / size, (-k * t).exp());
    let value = (k * k * t.cos() + k * t.sin()) / size - start * decay;
    let by_k = (2.0 * k * t.cos() + t.sin()) / size
        - 2.0 * k * (k * k * t.cos() + k * t.sin()) / (size * size)
        - (2.0 * k / (size * size) - start * t) * decay;
    (value, k * by_k)
}

#[test]
fn a_fast_decay_costs_nothing_where_it_is_over() {
    for solver in ["ode_bdf", "ode_adams", "ode_rk45"] {
        for (k, time) in [(0.3, 2.0), (5.0, 1.0), (80.0, 0.5), (1e4, 1.5), (1e7, 3.0)] {
            if solver != "ode_bdf" && k > 100.0 {
                continue;
            }
            let posterior = StanModel::parse(&fast(solver, time)).unwrap().with_data("{}").unwrap();
            let mut gradient = [0.0];
            let value = posterior.ln_density_grad(&[f64::ln(k)], &mut gradient).unwrap();
            let (expected, slope) = known(k, time);
            // The error of an implicit step is measured with what is stiff damped.
            let tolerance = match solver {
                "ode_rk45" => 1e-5,
                "ode_bdf" => 1e-7,
                _ => 1e-8,
            };
            assert!((value - expected).abs() < tolerance, "{solver} {k}: {value} {expected}");
            assert!((gradient[0] - slope).abs() < 10.0 * tolerance, "{solver} {k}: {} {slope}", gradient[0]);
        }
    }
}

/// The reaction of Robertson, at the end of the interval of the test set for initial value problems.
#[test]
fn the_reaction_of_robertson_ends_where_the_test_set_says() {
    let program = "functions { vector slope(real t, vector y, real a) {
           return [-a * y[1] + 1e4 * y[2] * y[3], a * y[1] - 1e4 * y[2] * y[3] - 3e7 * y[2]^2, 3e7 * y[2]^2]'; } }
         parameters { real<lower=0> a; vector[3] y0; }
         transformed parameters { array[2] vector[3] y = ode_bdf(slope, y0, 0, {40.0, 1e11}, a); }
         model { target += log(y[1][1]); }";
    let posterior = StanModel::parse(program).unwrap().with_data("{}").unwrap();
    let x = [f64::ln(0.04), 1.0, 0.0, 0.0];
    let names = posterior.names(true, false).unwrap();
    let values = posterior.values(&x, true, None).unwrap();
    let of = |name: &str| values[names.iter().position(|own| own == name).unwrap()];
    assert!((of("y.1.1") - 0.715_827_068_7).abs() < 1e-8, "{}", of("y.1.1"));
    for (name, expected) in
        [("y.2.1", 0.208_334_014_970e-7), ("y.2.2", 0.833_336_077_033e-13), ("y.2.3", 0.999_999_979_167)]
    {
        assert!((of(name) - expected).abs() < 1e-9, "{name}: {}", of(name));
    }
    // The derivatives of the steps are those of the solution.
    let mut gradient = [0.0; 4];
    posterior.ln_density_grad(&x, &mut gradient).unwrap();
    // A negative second concentration runs away: the others are moved.
    for i in 0..2 {
        let moved = |step: f64| {
            let mut there = x;
            there[i] += step;
            posterior.ln_density_of(&there, false, None).unwrap()
        };
        let slope = (moved(1e-4) - moved(-1e-4)) / 2e-4;
        let own = gradient[i] - f64::from(u8::from(i == 0));
        assert!((own - slope).abs() < 1e-5 * (1.0 + slope.abs()), "{i}: {own} {slope}");
    }
}

#[test]
fn an_equation_that_runs_away_is_refused() {
    let program = "functions { vector slope(real t, vector y, real k) { return k * y .* y; } }
         parameters { real<lower=0> k; }
         model { target += ode_bdf(slope, [1.0]', 0, {2.0}, k)[1][1]; }";
    let posterior = StanModel::parse(program).unwrap().with_data("{}").unwrap();
    // 1 / (1 - k t), which has a pole at 1 / k.
    let value = posterior.ln_density_of(&[f64::ln(0.4)], false, None).unwrap();
    assert!((value - 5.0).abs() < 1e-6, "{value}");
    assert!(posterior.ln_density(&[0.0]).is_err());
}
