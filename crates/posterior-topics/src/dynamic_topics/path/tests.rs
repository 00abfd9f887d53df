//! Paths against quadrature.

use posterior_dist::stream::stream;

use super::*;

/// A draw of the chain of two periods has the means, variances and covariance of the density on a grid.
#[test]
fn paths_have_the_moments_of_quadrature() {
    let walk = Walk { first: 2.0, gaps: vec![1.5] };
    let (own, all, ln_others) = ([3.0, 0.0], [10.0, 4.0], [1.0, 0.3]);
    let seen = Seen { own: &own, all: &all, ln_others: &ln_others };
    let density = |x: [f64; 2]| -> f64 {
        let prior = x[0] * x[0] / 2.0 + (x[1] - x[0]).powi(2) / (1.5 * 0.4);
        let of = |t: usize| own[t] * x[t] - all[t] * (ln_others[t].exp() + x[t].exp()).ln();
        (of(0) + of(1) - 0.5 * prior).exp()
    };
    let (mut mass, mut exact) = (0.0, [0.0; 5]);
    for i in -200..200 {
        for j in -200..200 {
            let x = [f64::from(i) * 0.04, f64::from(j) * 0.04];
            let p = density(x);
            mass += p;
            for (sum, value) in exact.iter_mut().zip([x[0], x[1], x[0] * x[0], x[1] * x[1], x[0] * x[1]]) {
                *sum += p * value;
            }
        }
    }
    let precision = walk.precision(0.4);
    let mut rng = stream(1, &[]);
    let (mut path, mut sums, mut moved) = ([0.0; 2], [0.0; 5], 0);
    let draws = 200_000;
    for _ in 0..draws {
        moved += usize::from(seen.draw(&precision, &mut path, &mut rng));
        let [a, b] = path;
        for (sum, value) in sums.iter_mut().zip([a, b, a * a, b * b, a * b]) {
            *sum += value;
        }
    }
    assert!(moved > 8 * draws / 10, "{moved}");
    // Standard deviations of these are below 3; draws are nearly independent.
    for (sum, exact) in sums.iter().zip(exact) {
        let (found, exact) = (sum / draws as f64, exact / mass);
        assert!((found - exact).abs() < 0.03, "{found} {exact}");
    }
}

#[test]
fn a_walk_has_its_precision() {
    let walk = Walk { first: 4.0, gaps: vec![1.0, 0.5] };
    let precision = walk.precision(0.2);
    let x = [0.3, -0.2, 0.9];
    let square = 0.09 / 4.0 + 0.25 / 0.2 + 1.21 / 0.1;
    assert!((precision.square(&x) - square).abs() < 1e-12);
    assert!((walk.squares(&x) - (0.25 + 2.42)).abs() < 1e-12);
    let solved = precision.solve(&precision.times(&x));
    assert!(solved.iter().zip(x).all(|(a, b)| (a - b).abs() < 1e-12));
}
