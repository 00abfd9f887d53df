//! Programs whose course depends on parameters: the same numbers as on paper, whichever course was taken
//! before.

use posterior_dist::target::{GradTarget, Target};
use posterior_model::{StanModel, StanPosterior};

fn posterior(program: &str) -> StanPosterior {
    StanModel::parse(program).unwrap().with_data("{}").unwrap()
}

fn density(posterior: &StanPosterior, x: &[f64]) -> (f64, Vec<f64>) {
    let mut gradient = vec![0.0; x.len()];
    let value = posterior.ln_density_grad(x, &mut gradient).unwrap();
    (value, gradient)
}

/// Sixteen courses, in turn and on four threads: more than are kept.
#[test]
fn each_point_has_the_density_of_its_course() {
    let posterior = posterior(
        "parameters { vector[4] x; }
         model { for (i in 1:4) if (x[i] > 0) target += -i * x[i]; else target += x[i]^2; }",
    );
    assert!(!posterior.is_static());
    let check = |turn: usize| {
        let x: Vec<f64> = (0..4).map(|i| (0.5 + i as f64) * f64::sin((37 * turn + 11 * i) as f64)).collect();
        let of = |(i, x): (usize, &f64)| if *x > 0.0 { -(i as f64 + 1.0) * x } else { x * x };
        let slope = |(i, x): (usize, &f64)| if *x > 0.0 { -(i as f64 + 1.0) } else { 2.0 * x };
        let (value, gradient) = density(&posterior, &x);
        let expected: f64 = x.iter().enumerate().map(of).sum();
        assert!((value - expected).abs() < 1e-14, "{x:?}: {value} {expected}");
        let expected: Vec<f64> = x.iter().enumerate().map(slope).collect();
        assert!(
            gradient.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-14),
            "{gradient:?} {expected:?}"
        );
    };
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || (0..200).for_each(|turn| check(200 * thread + turn)));
        }
    });
}

/// At an edge of two courses both sides are asked; comparisons with NaN are neither.
#[test]
fn edges_belong_to_the_side_that_the_program_says() {
    let posterior = posterior(
        "parameters { real x; }
         model { if (x > 1) target += 1; else if (x >= 1) target += 2; else if (x < 1) target += 3; else reject(x); }",
    );
    for (x, expected) in [(0.0, 3.0), (2.0, 1.0), (1.0, 2.0), (1.0 - 1e-16, 3.0), (1.0 + 3e-16, 1.0)] {
        assert_eq!(posterior.ln_density(&[x]).unwrap(), expected, "{x}");
    }
    assert!(posterior.ln_density(&[f64::NAN]).is_err());
    assert_eq!(posterior.ln_density(&[0.0]).unwrap(), 3.0);
}

#[test]
fn loops_end_where_the_parameters_say() {
    // The largest k with k² <= exp(x), by counting.
    let posterior = posterior(
        "parameters { real x; }
         model { real k = 0; while ((k + 1)^2 <= exp(x)) k += 1; target += k * x; }",
    );
    for x in [0.5, 3.0, 5.1, 0.5, 7.3, 3.0, -1.0] {
        let k = f64::exp(x).sqrt().floor();
        assert_eq!(density(&posterior, &[x]), (k * x, vec![k]));
    }
}

#[test]
fn orders_ranks_and_logical_functions_follow_the_parameters() {
    let posterior = posterior(
        "parameters { vector[3] x; }
         model {
           vector[3] s = sort_asc(x);
           array[3] int i = sort_indices_desc(x);
           target += s[1] + 10 * s[2] + 100 * s[3] + 1000 * i[1] + 1e4 * rank(x, 2)
             + 1e5 * (logical_lt(x[1], x[2]) && !is_inf(x[3])) + 1e6 * int_step(x[3]) + 1e7 * is_nan(x[1]);
         }",
    );
    for x in [[0.3, 0.2, -0.1], [0.1, 0.2, 0.3], [-2.0, 5.0, 1.0], [3.0, 3.5, 4.0], [0.3, 0.2, -0.1]] {
        let (value, gradient) = density(&posterior, &x);
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| x[i].total_cmp(&x[j]));
        let mut expected = x[order[0]] + 10.0 * x[order[1]] + 100.0 * x[order[2]];
        expected += 1000.0 * (order[2] + 1) as f64 + 1e4 * x.iter().filter(|own| **own < x[1]).count() as f64;
        expected += 1e5 * f64::from(x[0] < x[1]) + 1e6 * f64::from(x[2] > 0.0);
        assert!((value - expected).abs() < 1e-9, "{x:?}: {value} {expected}");
        for (at, weight) in order.into_iter().zip([1.0, 10.0, 100.0]) {
            assert_eq!(gradient[at], weight, "{x:?}");
        }
    }
}

/// An integral takes as many nodes as it needs at each point: a peak is wide at zero, and narrow elsewhere.
#[test]
fn integrals_are_as_accurate_at_every_point() {
    let posterior = posterior(
        "functions { real peak(real x, real xc, array[] real theta, data array[] real x_r, data array[] int x_i) {
           return exp(-0.5 * square((x - theta[1]) / theta[2])); } }
         transformed data { array[0] real x_r; array[0] int x_i; }
         parameters { real m; real<lower=0> s; }
         model { target += integrate_1d(peak, -6, 6, {m, s}, x_r, x_i, 1e-8); }",
    );
    for (m, s) in [(0.0, 0.8), (2.0, 0.2), (-1.0, 0.3), (0.0, 0.8), (4.0, 0.25_f64)] {
        let mut gradient = [0.0; 2];
        let value = posterior.ln_density_of(&[m, s.ln()], false, Some(&mut gradient)).unwrap();
        let expected = s * (2.0 * std::f64::consts::PI).sqrt();
        assert!((value / expected - 1.0).abs() < 1e-8, "{m} {s}: {value} {expected}");
        assert!(gradient[0].abs() < 1e-7 && (gradient[1] / expected - 1.0).abs() < 1e-7, "{gradient:?}");
    }
}

/// Loss that begins at a time: the step over the jump has an error of its own.
#[test]
fn right_sides_of_equations_may_branch() {
    for (solver, control) in [("ode_rk45_tol", "1e-9, 1e-9, 100000, "), ("ode_bdf", "")] {
        let posterior = posterior(&format!(
            "functions {{ vector slope(real t, vector y, real k) {{
               if (t > 1) return -k * y;
               return rep_vector(0, 1); }} }}
             parameters {{ real k; }}
             model {{ target += {solver}(slope, [2.0]', 0, {{0.5, 3.0}}, {control}k)[2][1]; }}"
        ));
        for k in [0.5, 1.5, 0.2] {
            let (value, gradient) = density(&posterior, &[k]);
            let expected = 2.0 * f64::exp(-2.0 * k);
            assert!((value - expected).abs() < 1e-7, "{solver} {k}: {value} {expected}");
            assert!((gradient[0] + 2.0 * expected).abs() < 1e-6, "{solver} {k}: {}", gradient[0]);
        }
    }
}

#[test]
fn roots_may_branch() {
    let posterior = posterior(
        "functions { vector f(vector y, real a) { if (y[1] > 0) return [y[1]^3 - a]'; return [y[1] - a]'; } }
         parameters { real a; }
         model { target += solve_newton(f, [0.7]', a)[1]; }",
    );
    for a in [8.0, 2.0, 27.0] {
        let (value, gradient) = density(&posterior, &[a]);
        assert!((value - a.cbrt()).abs() < 1e-12, "{value}");
        assert!((gradient[0] - a.cbrt() / (3.0 * a)).abs() < 1e-12, "{}", gradient[0]);
    }
}

/// What is constrained and freed is what it was, with the derivatives of the identity.
#[test]
fn freed_numbers_have_derivatives() {
    let weights = "real total(array[] vector all) { real sum = 0; for (one in all) for (i in 1:size(one))
       sum += i * one[i]; return sum; }";
    let vectors = [
        ("ordered", "", 3),
        ("positive_ordered", "", 3),
        ("simplex", "", 3),
        ("sum_to_zero", "", 3),
        ("cholesky_factor_corr", ", 3", 3),
        ("corr_matrix", ", 3", 3),
        ("cov_matrix", ", 3", 6),
    ];
    for (stem, size, n) in vectors {
        let posterior = posterior(&format!(
            "functions {{ {weights} }} parameters {{ vector[{n}] x; }}
             model {{ target += total({{{stem}_unconstrain({stem}_constrain(x{size}))}}); }}"
        ));
        let x: Vec<f64> = (0..n).map(|i| f64::sin(1.3 * f64::from(i) + 0.4)).collect();
        let (value, gradient) = density(&posterior, &x);
        let expected: f64 = x.iter().enumerate().map(|(i, x)| (i + 1) as f64 * x).sum();
        assert!((value - expected).abs() < 1e-12, "{stem}: {value} {expected}");
        for (i, slope) in gradient.iter().enumerate() {
            assert!((slope - (i + 1) as f64).abs() < 1e-10, "{stem}: {gradient:?}");
        }
    }
    let matrices = [("stochastic_column", ""), ("stochastic_row", ""), ("sum_to_zero", "")];
    for (stem, size) in matrices {
        let posterior = posterior(&format!(
            "parameters {{ matrix[2, 3] x; }}
             model {{ matrix[2, 3] y = {stem}_unconstrain({stem}_constrain(x{size}));
               target += dot_product(to_vector(y), [1, 2, 3, 4, 5, 6]'); }}"
        ));
        let x = [0.3, -0.2, 0.9, 0.1, -0.7, 0.5];
        let (_, gradient) = density(&posterior, &x);
        for (i, slope) in gradient.iter().enumerate() {
            assert!((slope - (i + 1) as f64).abs() < 1e-10, "{stem}: {gradient:?}");
        }
    }
    // Bounds that are parameters.
    let posterior = posterior(
        "parameters { vector[4] x; }
         model {
           real gap = exp(x[1]);
           target += lower_bound_unconstrain(x[2] + gap, x[2]) + upper_bound_unconstrain(x[3] - gap, x[3])
             + 3 * lower_upper_bound_unconstrain(x[4], x[4] - gap, x[4] + 2 * gap)
             + offset_multiplier_unconstrain(x[1] * x[2] + x[3], x[3], x[1]);
         }",
    );
    let x = [0.4, -1.2, 0.7, 2.0];
    let (value, gradient) = density(&posterior, &x);
    assert!((value - (2.0 * 0.4 - 3.0 * f64::ln(2.0) - 1.2)).abs() < 1e-12, "{value}");
    assert!([2.0, 1.0, 0.0, 0.0].iter().zip(&gradient).all(|(a, b)| (a - b).abs() < 1e-12), "{gradient:?}");
}

/// Zeros that depend on parameters stay in a sparse matrix.
#[test]
fn sparse_matrices_keep_what_may_differ_from_zero() {
    let posterior = posterior(
        "parameters { vector[2] x; }
         model { matrix[2, 2] a = [[x[1], 0], [0, x[2]]]; target += sum(csr_extract_w(a)); }",
    );
    assert!(posterior.is_static());
    assert_eq!(density(&posterior, &[0.0, 3.0]), (3.0, vec![1.0; 2]));
    assert_eq!(density(&posterior, &[2.0, 3.0]), (5.0, vec![1.0; 2]));
}
