//! Tests of the prior of concentrations.

use posterior_math::linalg::DMatrix;
use posterior_math::optimize::gradient_check;

use super::*;

fn setting() -> (ConcentrationPrior, Expected) {
    let places = DMatrix::from_column_slice(5, 1, &[0.0, 1.0, 2.5, 6.0, 9.0]);
    let scales = [Scales::new(1.3, 2.0, &[], 0.05).unwrap(), Scales::new(0.4, 5.0, &[], 0.2).unwrap()];
    let prior = ConcentrationPrior::new(&places, &scales, TimeKernel::Matern52, &[-0.5, 0.3]).unwrap();
    let documents = vec![1.0, 2.0, 1.0, 3.0, 1.0];
    // Exponentials sum to less than one, as those of expected logarithms do: else there is no mode.
    let ln_theta = DMatrix::from_fn(5, 2, |i, k| documents[i] * (-0.8 - 0.4 * ((i + 2 * k) % 3) as f64));
    (prior, Expected { documents, ln_theta })
}

#[test]
fn the_gradient_is_that_of_differences() {
    let (prior, expected) = setting();
    let objective = |u: &[f64], gradient: &mut [f64]| prior.descend(u, gradient, &expected, 5);
    let u: Vec<f64> = (0..10).map(|i| 0.3 * f64::from(i % 4) - 0.4).collect();
    let check = gradient_check(objective, &u);
    assert!(check.error < 1e-7, "{check:?}");
}

#[test]
fn coordinates_are_white() {
    let (prior, _) = setting();
    let ln_alpha = DMatrix::from_fn(5, 2, |i, k| (i as f64 - 2.0 * k as f64).sin());
    let back = prior.coloured(prior.whitened(&ln_alpha).as_slice(), 5);
    assert!((back - &ln_alpha).amax() < 1e-12);
    // The density by the distribution that dist has.
    let places = DMatrix::from_column_slice(5, 1, &[0.0, 1.0, 2.5, 6.0, 9.0]);
    let scales = [Scales::new(1.3, 2.0, &[], 0.05).unwrap(), Scales::new(0.4, 5.0, &[], 0.2).unwrap()];
    let mut ln_density = 0.0;
    for (k, mean) in [-0.5, 0.3].into_iter().enumerate() {
        let covariance = scales[k].kernel(TimeKernel::Matern52).unwrap().gram(&places)
            + DMatrix::identity(5, 5) * scales[k].noise_variance;
        let distribution = posterior_gaussian::MomentGaussian::new(&[mean; 5], &covariance).unwrap();
        ln_density += distribution.ln_pdf(ln_alpha.column(k).as_slice()).unwrap();
    }
    assert!((prior.ln_density(&ln_alpha) - ln_density).abs() < 1e-10 * ln_density.abs());
}

#[test]
fn the_climb_ends_where_the_gradient_is_zero() {
    let (prior, expected) = setting();
    let start = DMatrix::zeros(5, 2);
    // A climb ends at a small gain.
    let top = (0..5).fold(start.clone(), |at, _| prior.climb(&at, &expected));
    let height =
        |ln_alpha: &DMatrix<f64>| bound_of_concentrations(ln_alpha, &expected).0 + prior.ln_density(ln_alpha);
    assert!(height(&top) > height(&start));
    for i in 0..5 {
        for k in 0..2 {
            for step in [-1e-2, 1e-2] {
                let mut moved = top.clone();
                moved[(i, k)] += step;
                assert!(height(&moved) < height(&top));
            }
        }
    }
}
