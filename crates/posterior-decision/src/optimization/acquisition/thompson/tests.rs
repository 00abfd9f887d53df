//! Draws have the distribution of the posterior.

use posterior_dist::stream::stream;
use posterior_gp::{Kernel, Noise};

use super::*;

/// Means and covariances over 4000 draws, at an observation, between data and far away: a standard error of a
/// mean is 0.016 times the deviation and of a covariance at most 0.022 times the variances. Limits are five
/// of them, and 2/√1024 for the features.
#[test]
fn paths_have_the_distribution_of_the_posterior() {
    let kernel = 1.5 * Kernel::matern52_ard(&[0.3, 0.6]).unwrap();
    let x = DMatrix::from_row_slice(4, 2, &[0.1, 0.2, 0.4, 0.9, 0.8, 0.3, 0.5, 0.5]);
    let noise = Noise::known(0.04).unwrap();
    let posterior = GaussianProcess::new(kernel).condition(&x, &[1.0, -0.5, 0.3, 0.8], &noise).unwrap();
    let at = DMatrix::from_row_slice(3, 2, &[0.4, 0.9, 0.45, 0.6, 3.0, 3.0]);
    let (mean, covariance) = (posterior.mean(&at).unwrap(), posterior.covariance(&at).unwrap());
    let draws = 4000;
    let (mut sum, mut products) = (DVector::zeros(3), DMatrix::zeros(3, 3));
    for draw in 0..draws {
        let path = Path::draw(&posterior, 512, &mut stream(5, &[draw])).unwrap();
        let deviation = path.values(&at).unwrap() - &mean;
        products += &deviation * deviation.transpose();
        sum += deviation;
    }
    for i in 0..3 {
        assert!(f64::abs(sum[i]) / draws as f64 <= 0.08 * covariance[(i, i)].sqrt(), "{i}: {}", sum[i]);
        for j in 0..3 {
            let size = (covariance[(i, i)] * covariance[(j, j)]).sqrt();
            let found: f64 = products[(i, j)] / draws as f64;
            assert!(
                (found - covariance[(i, j)]).abs() <= 0.17 * size,
                "{i} {j}: {found} {}",
                covariance[(i, j)]
            );
        }
    }
}

#[test]
fn a_kernel_without_a_distribution_of_frequencies_is_refused() {
    let x = DMatrix::from_column_slice(2, 1, &[0.1, 0.7]);
    let process = GaussianProcess::new(Kernel::linear());
    let posterior = process.condition(&x, &[1.0, 2.0], &Noise::known(0.1).unwrap()).unwrap();
    assert!(matches!(Path::draw(&posterior, 16, &mut stream(0, &[])), Err(Error::Acquisition { .. })));
}
